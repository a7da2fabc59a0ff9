package engine_test

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/imprimatur-dev/imprimatur/engine"
	"github.com/imprimatur-dev/imprimatur/model"
)

func (s *stage) doEnqueue(o order) error {
	actor, start, err := s.asked(o)
	if err != nil {
		return err
	}
	wait := s.wait()
	wait.For = 0
	run, err := s.engine.Enqueue(s.ctx, actor, start, wait)
	if err == nil {
		s.run = run.ID
	}
	return err
}

func (s *stage) doWork(o order) error {
	got, err := s.engine.Work(s.ctx, s.run)
	if err != nil {
		return err
	}
	return same("outcome", string(got), o.word(1))
}

func (s *stage) doReap(o order) error {
	limit, err := o.number(1)
	if err != nil {
		return err
	}
	var want engine.Reaped
	for name, into := range map[string]*int{
		"returned": &want.Returned, "requeued": &want.Requeued, "buried": &want.Buried, "skipped": &want.Skipped,
	} {
		if n, ok := o.options[name]; ok {
			if *into, err = strconv.Atoi(n); err != nil {
				return err
			}
		}
	}
	got, err := s.engine.Reap(s.ctx, limit)
	if err != nil {
		return err
	}
	return same("reaped", got, want)
}

func (s *stage) doFail(o order) error {
	n, err := o.number(2)
	if err != nil {
		return err
	}
	s.model.mu.Lock()
	defer s.model.mu.Unlock()
	for range n {
		s.model.fails = append(s.model.fails, model.Class(o.word(1)))
	}
	return nil
}

func (s *stage) doQueue(o order) error {
	s.bell.mu.Lock()
	defer s.bell.mu.Unlock()
	switch o.word(1) {
	case "away":
		s.bell.fail = errors.New("the queue is away")
	case "back":
		s.bell.fail = nil
	default:
		return fmt.Errorf("the queue is away or back, not %q", o.word(1))
	}
	return nil
}

// expectWoken looks at what workers were told, and forgets it.
func (s *stage) expectWoken(o order) error {
	s.bell.mu.Lock()
	defer s.bell.mu.Unlock()
	var rings []string
	for _, r := range s.bell.rings {
		rings = append(rings, strings.Replace(r, " after ", "=", 1))
	}
	s.bell.rings = nil
	return sameList("woken", rings, o.words[1:])
}
