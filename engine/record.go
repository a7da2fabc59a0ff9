package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/internal/loop"
	"github.com/imprimatur-dev/imprimatur/store"
)

// errAudit says that a write was executed and is not on record. The run fails;
// the write is neither taken back nor tried again.
var errAudit = errors.New("an executed write could not be recorded")

// Before stamps the fence and the start event of a write, in one transaction,
// together with the steps that were buffered. An error means that the tool is
// not entered.
func (s *segment) Before(ctx context.Context, call imprimatur.ToolCall, effect imprimatur.Effect) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.engine
	p := store.Stamping{
		Run: s.run, Claim: s.claim, Lease: e.lease.Milliseconds(), Effect: effect, Before: s.buffer,
		Start: startOf(call, effect),
	}
	sent := time.Now()
	won, err := e.store.Stamp(ctx, p)
	if errors.Is(err, store.ErrCommitUnknown) {
		won, err = e.store.Stamped(ctx, s.run, s.claim)
	}
	if err != nil {
		e.log.ErrorContext(ctx, "write could not be announced, so it does not run", slog.String("run", s.run), slog.String("call", call.ID), slog.Any("error", err))
		return loop.ErrLost
	}
	if !won {
		return s.gone(ctx)
	}
	s.buffer, s.renewed = nil, sent
	return nil
}

// Record shows a step to whoever watches, checks that the run is still ours,
// and stores the step: at once for a write that was executed, else with the
// segment's next transaction.
func (s *segment) Record(ctx context.Context, step imprimatur.Step, wrote bool) error {
	return s.watched(step, func() error { return s.store(ctx, step, wrote) })
}

// Between stores a write that was executed together with the fence and the
// start event of the write that follows at once.
func (s *segment) Between(ctx context.Context, step imprimatur.Step, next imprimatur.ToolCall, effect imprimatur.Effect) error {
	start := startOf(next, effect)
	return s.watched(step, func() error { return s.recordWrite(ctx, step, &start) })
}

// watched shows a step to whoever watches, and then stores it. They may die of
// it; the step is stored all the same.
func (s *segment) watched(step imprimatur.Step, store func() error) error {
	died := guarded(func() error {
		if s.wait.Step != nil {
			s.wait.Step(step)
		}
		return nil
	})
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := store(); err != nil {
		return err
	}
	return died
}

func startOf(call imprimatur.ToolCall, effect imprimatur.Effect) imprimatur.StartPayload {
	return imprimatur.StartPayload{Call: call.ID, Tool: call.Name, Effect: effect, Digest: imprimatur.CallDigest(call)}
}

func (s *segment) store(ctx context.Context, step imprimatur.Step, wrote bool) error {
	if wrote {
		return s.recordWrite(ctx, step, nil)
	}
	draft := store.Draft{Kind: step.Kind, Payload: step.Payload}
	switch held, err := s.engine.store.Holds(ctx, s.run, s.claim); {
	case err != nil:
		s.engine.log.WarnContext(ctx, "run could not be looked at", slog.String("run", s.run), slog.Any("error", err))
	case held == store.Cancelled:
		s.buffer = append(s.buffer, draft)
		return loop.ErrCancelled
	case held == store.Lost:
		return loop.ErrLost
	}
	s.buffer = append(s.buffer, draft)
	if time.Since(s.renewed) < s.engine.lease/3 {
		return nil
	}
	return s.renew(ctx)
}

// recordWrite clears the fence and stores the tool event in one transaction. It
// is written whatever became of the claim. With next the fence is that of the
// write which follows at once.
func (s *segment) recordWrite(ctx context.Context, step imprimatur.Step, next *imprimatur.StartPayload) error {
	var tool imprimatur.ToolPayload
	if err := json.Unmarshal(step.Payload, &tool); err != nil {
		return fmt.Errorf("%w: %w", errAudit, err)
	}
	e := s.engine
	sent := time.Now()
	held, err := e.store.Record(ctx, store.Recording{Run: s.run, Claim: s.claim, Lease: e.lease.Milliseconds(), Tool: tool, Next: next})
	if errors.Is(err, store.ErrCommitUnknown) {
		var there bool
		if there, err = e.store.Recorded(ctx, s.run, tool.Call); err == nil && there {
			held, err = e.store.Holds(ctx, s.run, s.claim)
		} else if err == nil {
			err = store.ErrCommitUnknown
		}
	}
	if err != nil {
		return fmt.Errorf("%w: %w", errAudit, err)
	}
	switch held {
	case store.Cancelled:
		return loop.ErrCancelled
	case store.Lost:
		return loop.ErrLost
	case store.HeldByMe:
		s.renewed = sent
	}
	return nil
}

// renew stores what is buffered and renews the lease. A store that fails here
// has lost the run: better to stop than to go on unheard.
func (s *segment) renew(ctx context.Context) error {
	sent := time.Now()
	before, err := s.engine.store.Run(ctx, s.run)
	if err != nil {
		s.engine.log.WarnContext(ctx, "run could not be looked at", slog.String("run", s.run), slog.Any("error", err))
		return nil
	}
	won, err := s.engine.store.Renew(ctx, s.run, s.claim, s.engine.lease.Milliseconds(), s.buffer)
	if errors.Is(err, store.ErrCommitUnknown) {
		after, look := s.engine.store.Run(ctx, s.run)
		switch {
		case look != nil:
		case after.Claim == s.claim && after.Lease == before.Lease:
			return nil // it did not happen; the steps stay buffered
		default:
			won, err = after.Claim == s.claim, nil
		}
	}
	if err != nil {
		s.engine.log.ErrorContext(ctx, "lease could not be renewed", slog.String("run", s.run), slog.Any("error", err))
		return loop.ErrLost
	}
	if !won {
		return s.gone(ctx)
	}
	s.buffer, s.renewed = nil, sent
	return nil
}

// gone tells a cancelled run from one that was lost.
func (s *segment) gone(ctx context.Context) error {
	held, err := s.engine.store.Holds(ctx, s.run, s.claim)
	if err == nil && held == store.Cancelled {
		return loop.ErrCancelled
	}
	return loop.ErrLost
}

// heartbeat renews the lease while a model or a tool takes its time.
func (s *segment) heartbeat(ctx context.Context) {
	third := s.engine.lease / 3
	tick := time.NewTicker(third)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			s.mu.Lock()
			if time.Since(s.renewed) >= third {
				// Lost or not, the next step finds out by itself.
				_ = s.renew(context.WithoutCancel(ctx))
			}
			s.mu.Unlock()
		}
	}
}
