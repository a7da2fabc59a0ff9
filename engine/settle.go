package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/internal/loop"
	"github.com/imprimatur-dev/imprimatur/model"
	"github.com/imprimatur-dev/imprimatur/store"
)

// end turns what a loop came to into the end of its segment. The order is that
// of runtime §4: control flow is recognised before failure, and whatever is
// not settled by then is settled failed.
func (s *segment) end(ctx context.Context, result loop.Result, err error) {
	e := s.engine
	paused, isPaused := result.(*loop.Paused)
	finished, isFinished := result.(*loop.Finished)
	switch {
	case errors.Is(err, loop.ErrCancelled):
		s.lastWords(ctx)
	case err == nil && isPaused:
		s.pause(ctx, paused)
	case errors.Is(err, loop.ErrLost):
		s.loseRun(ctx)
	case err == nil && isFinished:
		s.settle(ctx, store.Settling{
			Status: imprimatur.StatusCompleted, Reason: finished.Reason, Truncated: finished.Truncated,
			Rounds: finished.Rounds, Tokens: finished.Tokens, Text: finished.Text,
		})
	default:
		e.log.ErrorContext(ctx, "run failed", slog.String("run", s.run), slog.Any("error", err))
		if s.queued {
			s.giveUp(ctx, err)
			break
		}
		s.settle(ctx, store.Settling{Status: imprimatur.StatusFailed, Reason: failureReason(err), ErrorClass: failureClass(err)})
	}
	e.changedRun(ctx, s.run)
}

// lastWords writes what a cancelled segment still had to say, after the event
// that settled it.
func (s *segment) lastWords(ctx context.Context) {
	if len(s.buffer) == 0 {
		return
	}
	if err := s.engine.store.Append(ctx, s.run, s.buffer); err != nil {
		s.engine.log.WarnContext(ctx, "steps were not recorded", slog.String("run", s.run), slog.Any("error", err))
	}
}

// loseRun leaves a run to whoever holds it now.
func (s *segment) loseRun(ctx context.Context) {
	s.lost = true
	s.engine.log.WarnContext(ctx, "lost the run to another segment", slog.String("run", s.run), slog.String("claim", string(s.claim)))
}

// pause stores the turn that waits. A pause that cannot be stored fails the
// run: no decision is promised that nobody could take.
func (s *segment) pause(ctx context.Context, p *loop.Paused) {
	e := s.engine
	pausing := store.Pausing{Run: s.run, Claim: s.claim, State: p.State, Back: len(p.Marks) > 0, Marks: p.Marks, Before: s.buffer}
	if pausing.Back {
		pausing.Event = &store.Draft{Kind: imprimatur.EventStale, Payload: imprimatur.StalePayload{Calls: p.Marks}}
	}
	won, err := e.store.Pause(ctx, pausing)
	if errors.Is(err, store.ErrCommitUnknown) {
		won, err = e.store.Paused(ctx, s.run, s.claim)
	}
	switch {
	case err != nil:
		e.log.ErrorContext(ctx, "turn could not be stored", slog.String("run", s.run), slog.Any("error", err))
		s.settle(ctx, store.Settling{Status: imprimatur.StatusFailed, Reason: imprimatur.ReasonNotRetryable, ErrorClass: "suspend_failed"})
	case !won:
		s.overtaken(ctx)
	}
}

// settle ends the run, if it is still ours.
func (s *segment) settle(ctx context.Context, e store.Settling) {
	e.Run, e.Claim, e.Before = s.run, s.claim, s.buffer
	won, err := s.settleOnce(ctx, e)
	if err != nil {
		s.engine.log.WarnContext(ctx, "run could not be settled, trying once more", slog.String("run", s.run), slog.Any("error", err))
		won, err = s.settleOnce(ctx, e)
	}
	switch {
	case err != nil:
		s.engine.log.ErrorContext(ctx, "run could not be settled; its lease will lapse", slog.String("run", s.run), slog.Any("error", err))
		s.lost = true
	case !won:
		s.overtaken(ctx)
	}
}

// settleOnce tries to settle. An error means that the run did not move.
func (s *segment) settleOnce(ctx context.Context, e store.Settling) (won bool, err error) {
	won, err = s.engine.store.Settle(ctx, e)
	if errors.Is(err, store.ErrCommitUnknown) {
		return s.engine.store.Settled(ctx, s.run, s.claim, e.Status)
	}
	return won, err
}

// overtaken is a segment whose last update met nothing: it was cancelled, or
// somebody else has the run.
func (s *segment) overtaken(ctx context.Context) {
	if errors.Is(s.gone(ctx), loop.ErrCancelled) {
		s.lastWords(ctx)
		return
	}
	s.loseRun(ctx)
}

func failureReason(err error) imprimatur.Reason {
	var m *model.Error
	switch {
	case errors.Is(err, errAudit):
		return imprimatur.ReasonAuditFailed
	case errors.As(err, &m):
		return imprimatur.ReasonProviderFailed
	case errors.Is(err, errPanicked):
		return imprimatur.ReasonNotRetryable
	default:
		return imprimatur.ReasonProviderFailed
	}
}

// failureClass names the kind of a failure; the message stays in the log.
func failureClass(err error) string {
	var m *model.Error
	var u *unfit
	switch {
	case errors.Is(err, errAudit):
		return "audit"
	case errors.Is(err, errPanicked):
		return "panic"
	case errors.As(err, &m):
		return string(m.Class)
	case errors.As(err, &u):
		return u.class
	}
	for next := err; next != nil; next = errors.Unwrap(next) {
		err = next
	}
	return strings.TrimPrefix(fmt.Sprintf("%T", err), "*")
}
