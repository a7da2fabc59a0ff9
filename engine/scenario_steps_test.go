package engine_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/imprimatur-dev/imprimatur"
)

// step does what one line says.
func (s *stage) step(line string) error {
	if head, rest, ok := strings.Cut(strings.TrimSpace(line), ": "); ok && strings.HasPrefix(head, "when ") {
		return s.when(strings.TrimPrefix(head, "when "), rest)
	}
	o, err := parseOrder(line)
	if err != nil || len(o.words) == 0 {
		return err
	}
	if ask := s.asks()[o.words[0]]; ask != nil {
		return s.judge(o, ask(o))
	}
	if o.refusal != nil {
		return errors.New("this step refuses nothing")
	}
	do := s.deeds()[o.words[0]]
	if do == nil {
		return fmt.Errorf("there is no step %q", o.words[0])
	}
	return do(o)
}

// judge holds an answer against the refusal that is expected.
func (s *stage) judge(o order, err error) error {
	var no *imprimatur.Refusal
	switch {
	case !errors.As(err, &no) && err != nil:
		return err
	case o.refusal == nil && no != nil:
		return fmt.Errorf("refused: %w", no)
	case o.refusal != nil && no == nil:
		return fmt.Errorf("not refused, want %s", o.refusal[0])
	case o.refusal != nil && string(no.Code) != o.refusal[0]:
		return fmt.Errorf("refused with %s, want %s", no.Code, o.refusal[0])
	case len(o.refusal) == 2 && no.Tool != o.refusal[1]:
		return fmt.Errorf("the refusal names the tool %q, want %q", no.Tool, o.refusal[1])
	}
	return nil
}

// when orders steps for the next time a point is reached.
func (s *stage) when(point, steps string) error {
	s.world.mu.Lock()
	defer s.world.mu.Unlock()
	s.world.hooks[point] = append(s.world.hooks[point], func() {
		for line := range strings.SplitSeq(steps, "; ") {
			if text, ok := strings.CutPrefix(line, "panic "); ok {
				panic(text)
			}
			if err := s.step(line); err != nil {
				s.fault("when %s: %s: %v", point, line, err)
			}
		}
	})
	return nil
}

// asks are the steps that ask the engine for something.
func (s *stage) asks() map[string]func(order) error {
	return map[string]func(order) error{
		"run": s.doRun, "enqueue": s.doEnqueue, "approve": s.doDecide, "deny": s.doDecide, "cancel": s.doCancel, "found": s.doFound,
		"card": s.doCard, "look": s.doCard, "status": s.doStatus, "events": s.doEvents, "list": s.doList,
	}
}

// deeds are all other steps.
func (s *stage) deeds() map[string]func(order) error {
	return map[string]func(order) error{
		"note": s.doNote, "touch": s.doTouch, "remove": s.doRemove, "hide": s.doHide, "unhide": s.doHide, "break": s.doBreak,
		"lang": s.doPerson, "disable": s.doPerson, "enable": s.doPerson, "admin": s.doPerson, "grant": s.doPerson,
		"clock": s.doClock, "sweep": s.doSweep, "restart": s.doRestart, "forbid": s.doForbid, "allow": s.doForbid,
		"work": s.doWork, "reap": s.doReap, "fail": s.doFail, "queue": s.doQueue, "state": s.doState, "sql": s.doSQL, "on": s.doOn, "expect": s.doExpect,
	}
}

func (s *stage) wait() imprimatur.Wait {
	s.mu.Lock()
	s.observed = nil
	s.mu.Unlock()
	return imprimatur.Wait{For: time.Minute, Step: func(step imprimatur.Step) {
		s.mu.Lock()
		s.observed = append(s.observed, step.Kind)
		s.mu.Unlock()
		s.world.at("step " + string(step.Kind))
	}}
}

func (s *stage) doRun(o order) error {
	actor, start, err := s.asked(o)
	if err != nil {
		return err
	}
	wait := s.wait()
	wait.Begun = func(run string) { s.run = run }
	run, err := s.engine.Run(s.ctx, actor, start, wait)
	if err == nil {
		s.run = run.ID
	}
	return err
}

// asked is who asks for a run, and for what.
func (s *stage) asked(o order) (actor imprimatur.Actor, start imprimatur.Start, err error) {
	if actor, err = s.actor(o.word(1)); err != nil {
		return actor, start, err
	}
	start = imprimatur.Start{Agent: o.word(2), Prompt: o.word(3), Key: o.options["key"], Body: []byte(o.word(3))}
	s.secret(start.Prompt)
	if list, ok := o.options["tools"]; ok {
		names := []string{}
		if list != "" {
			names = strings.Split(list, ",")
		}
		start.Tools = &names
	}
	if n, ok := o.options["rounds"]; ok {
		start.MaxRounds, err = strconv.Atoi(n)
	}
	return actor, start, err
}

func (s *stage) doDecide(o order) error {
	actor, err := s.actor(o.word(1))
	if err != nil {
		return err
	}
	d := imprimatur.Decision{Verdict: imprimatur.Verdict(o.words[0]), Retry: o.has("retry")}
	for _, w := range o.words[min(2, len(o.words)):] {
		if w != "retry" && w != "seen" && w != "session" {
			d.Reason = w
			s.secret(w)
		}
	}
	card := s.seen[o.word(1)+" "+s.run]
	if !o.has("seen") {
		if card, err = s.look(actor); err != nil && card.TurnDigest == "" {
			card = imprimatur.Card{}
		}
	}
	if o.has("session") {
		actor = s.session[o.word(1)]
	}
	d.TurnDigest = s.digest(o.options["turn"], card.TurnDigest, func(c imprimatur.Card) string { return c.TurnDigest })
	d.PictureDigest = s.digest(o.options["picture"], card.PictureDigest, func(c imprimatur.Card) string { return c.PictureDigest })
	before := s.frozen()
	_, err = s.engine.Decide(s.ctx, actor, s.run, d, s.wait())
	s.checkRefused(actor, err, before)
	return err
}

// digest is what a decision names where the step says so, else own.
func (s *stage) digest(how, own string, of func(imprimatur.Card) string) string {
	switch how {
	case "":
		return own
	case "none":
		return ""
	case "wrong":
		return strings.Repeat("0", 64)
	case "upper":
		return strings.ToUpper(own)
	default:
		return of(s.last[how])
	}
}

// look fetches a card without remembering it as seen by its reader.
func (s *stage) look(actor imprimatur.Actor) (imprimatur.Card, error) {
	card, err := s.engine.Card(s.ctx, actor, s.run)
	if err == nil && card.PictureDigest != "" {
		s.last[s.run] = card
	}
	return card, err
}

func (s *stage) doCard(o order) error {
	actor, err := s.actor(o.word(1))
	if err != nil {
		return err
	}
	card, err := s.look(actor)
	if err != nil {
		return err
	}
	s.seen[o.word(1)+" "+s.run], s.session[o.word(1)] = card, actor
	if o.words[0] == "look" {
		return nil
	}
	name := "card.json"
	if o.word(2) != "" {
		name = "card-" + o.word(2) + ".json"
	}
	text, err := json.MarshalIndent(card, "", "\t")
	s.cards[name] = string(text) + "\n"
	return err
}

func (s *stage) doCancel(o order) error {
	actor, err := s.actor(o.word(1))
	if err != nil {
		return err
	}
	_, err = s.engine.Cancel(s.ctx, actor, s.run)
	return err
}

func (s *stage) doFound(o order) error {
	actor, err := s.actor(o.word(1))
	if err != nil {
		return err
	}
	return s.engine.Note(s.ctx, actor, s.run, imprimatur.Note{Call: o.word(2), Found: imprimatur.Found(o.word(3))})
}

func (s *stage) doStatus(o order) error {
	actor, err := s.actor(o.word(1))
	if err != nil {
		return err
	}
	_, err = s.engine.Status(s.ctx, actor, s.run)
	return err
}

func (s *stage) doEvents(o order) error {
	actor, err := s.actor(o.word(1))
	if err != nil {
		return err
	}
	after, err := strconv.ParseInt(o.options["after"], 10, 64)
	if err != nil {
		return err
	}
	events, err := s.engine.Events(s.ctx, actor, s.run, after)
	for i, e := range events {
		if e.Sequence != after+1+int64(i) {
			return fmt.Errorf("event %d of the answer has the sequence %d", i, e.Sequence)
		}
	}
	return err
}

func (s *stage) doList(o order) error {
	actor, err := s.actor(o.word(1))
	if err != nil {
		return err
	}
	var filter imprimatur.Filter
	want := o.words[min(2, len(o.words)):]
	if len(want) > 0 && want[0] == "waiting" {
		filter.Status, want = imprimatur.StatusWaiting, want[1:]
	}
	list, err := s.engine.Waiting(s.ctx, actor, filter)
	if err != nil {
		return err
	}
	var got []string
	for _, r := range list.Runs {
		got = append(got, r.ID)
	}
	if !slices.Equal(got, want) {
		return fmt.Errorf("listed are %v, want %v", got, want)
	}
	return nil
}
