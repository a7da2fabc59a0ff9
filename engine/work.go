package engine

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/internal/loop"
	"github.com/imprimatur-dev/imprimatur/model"
	"github.com/imprimatur-dev/imprimatur/store"
)

// Worked is what came of looking at a queued run.
type Worked string

// The outcomes of Work.
const (
	WorkIdle     Worked = "not_claimable" // it is not queued, or no longer: a wake-up too many
	WorkDone     Worked = "done"          // its segment ended: it waits, or is over
	WorkRequeued Worked = "requeued"      // it starts over later
	WorkLost     Worked = "lease_lost"    // somebody else has it
)

// errClosed says that an engine takes on nothing more.
var errClosed = errors.New("the engine is closed")

// Work takes up a queued run and returns when its segment has ended. An error
// means that nothing was taken up and that somebody should look again.
func (e *Engine) Work(ctx context.Context, run string) (Worked, error) {
	if !e.enter() {
		return "", errClosed
	}
	defer e.segments.Done()
	q, err := e.store.Queued(ctx, run)
	if errors.Is(err, store.ErrNoRun) || err == nil && q.Status != imprimatur.StatusQueued {
		return WorkIdle, nil
	}
	if err != nil {
		return "", err
	}
	owner, err := e.store.User(ctx, q.Owner.ID)
	if err != nil {
		return "", err
	}
	agent, hired := e.agents[q.Agent]
	offered, refused := e.offer(agent, q.Request.Allowed, owner)
	seg := e.newSegment(run, imprimatur.ClaimWorker, imprimatur.Wait{})
	won, err := e.store.Take(ctx, run, seg.claim, e.lease.Milliseconds(), beginning(agent, offered, refused, q.Request.MaxRounds))
	if errors.Is(err, store.ErrCommitUnknown) {
		// Read back by run and claim, never repeated. Where it did not happen
		// the run may still be queued: somebody has to look again.
		if taken, look := e.store.Claimed(context.WithoutCancel(ctx), run, seg.claim); look != nil || taken {
			won, err = taken, look
		}
	}
	switch {
	case err != nil:
		return "", err
	case !won:
		return WorkIdle, nil
	}
	for _, g := range refused {
		e.notOffered(ctx, run, g)
	}
	e.changedRun(ctx, run)
	seg.queued = true
	l := e.loop(seg, agent, owner, offered)
	l.Rounds = rounds(agent, q.Request.MaxRounds)
	e.launch(ctx, seg, func(ctx context.Context) (loop.Result, error) {
		switch {
		case q.Unreadable != nil:
			return nil, &unfit{"corrupt_request", q.Unreadable}
		case !hired:
			return nil, &unfit{"agent_gone", fmt.Errorf("there is no agent named %q", q.Agent)}
		case !owner.Enabled:
			return nil, &unfit{"owner_gone", fmt.Errorf("the account %d is gone or disabled", q.Owner.ID)}
		}
		return l.Begin(ctx, q.Request.Prompt, q.Request.Allowed, q.Request.MaxRounds)
	})
	<-seg.done
	switch {
	case seg.requeued:
		return WorkRequeued, nil
	case seg.lost:
		return WorkLost, nil
	default:
		return WorkDone, nil
	}
}

// unfit is a run that cannot be what it was asked to be.
type unfit struct {
	class string // names the failure on the run's row
	why   error
}

func (u *unfit) Error() string { return u.class + ": " + u.why.Error() }
func (u *unfit) Unwrap() error { return u.why }

// The wait before a run starts over doubles with every time.
const (
	firstRetry = 30 * time.Second
	lastRetry  = 10 * time.Minute
)

// backoff is how long a run waits that started over so many times before.
func backoff(before int) time.Duration {
	if before > 10 {
		return lastRetry
	}
	return min(firstRetry<<before, lastRetry)
}

// giveUp ends a worker's segment that failed, or lets its run start over, in
// the order of runtime §4: what is not worth another try, what must not happen
// twice, what was tried often enough.
func (s *segment) giveUp(ctx context.Context, cause error) {
	var m *model.Error
	class := failureClass(cause)
	if errors.Is(cause, errAudit) || !errors.As(cause, &m) || !m.Class.Retryable() {
		reason := imprimatur.ReasonNotRetryable
		if errors.Is(cause, errAudit) {
			reason = imprimatur.ReasonAuditFailed
		}
		s.settle(ctx, store.Settling{Status: imprimatur.StatusFailed, Reason: reason, ErrorClass: class, Keep: class == "corrupt_request"})
		return
	}
	q, err := s.engine.store.Queued(ctx, s.run)
	switch {
	case err == nil && q.Claim == s.claim && q.Effect == imprimatur.NonIdempotentWrite:
		s.bury(ctx, imprimatur.ReasonOutcomeUnknown, class)
	case err == nil && q.Unrepeatable:
		s.bury(ctx, imprimatur.ReasonNotRetryable, class)
	case err != nil || q.Requeued >= store.MaxRequeues || s.engine.wake == nil:
		s.bury(ctx, imprimatur.ReasonRetriesExhausted, class)
	default:
		s.requeue(ctx, q.Requeued, class)
	}
}

func (s *segment) bury(ctx context.Context, reason imprimatur.Reason, class string) {
	s.settle(ctx, store.Settling{Status: imprimatur.StatusFailed, Reason: reason, ErrorClass: class})
}

// requeue lets the run start over later. Where that cannot be arranged it fails.
func (s *segment) requeue(ctx context.Context, before int, class string) {
	e := s.engine
	won, err := e.store.Requeue(ctx, store.Requeuing{
		Run: s.run, Claim: s.claim, Class: class, Before: s.buffer,
		Wake: func(ctx context.Context, tx *sql.Tx) error { return e.wake(ctx, tx, s.run, backoff(before)) },
	})
	if errors.Is(err, store.ErrCommitUnknown) {
		won, err = e.store.Requeued(ctx, s.run, s.claim, before)
	}
	switch {
	case err != nil:
		e.log.ErrorContext(ctx, "run could not be requeued", slog.String("run", s.run), slog.Any("error", err))
		s.bury(ctx, imprimatur.ReasonRetriesExhausted, class)
	case !won:
		s.overtaken(ctx)
	default:
		s.requeued = true
		e.log.WarnContext(ctx, "run starts over", slog.String("run", s.run), slog.String("class", class), slog.Duration("after", backoff(before)))
	}
}
