package engine

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"time"

	"github.com/imprimatur-dev/imprimatur/store"
)

// Reaped counts what became of runs whose lease had lapsed.
type Reaped struct {
	Returned int `json:"returned"` // to whoever decides: an approval that nothing came of (T13)
	Requeued int `json:"requeued"` // to a worker, from their prompt (T11)
	Buried   int `json:"failed"`   // failed (T12)
	Skipped  int `json:"skipped"`  // renewed in between, or not to be moved now
}

func (r Reaped) moved() int { return r.Returned + r.Requeued + r.Buried }

// reapEvery puts right what dead processes leave behind, as soon as their
// leases have lapsed.
func (e *Engine) reapEvery(ctx context.Context, every time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if err := e.reapAll(ctx); err != nil {
				e.log.ErrorContext(ctx, "lapsed runs could not be put right", slog.Any("error", err))
			}
		}
	}
}

// reaped is how many runs one look takes on.
const reaped = 50

// reapAll looks until nothing is left that can be moved.
func (e *Engine) reapAll(ctx context.Context) error {
	for {
		r, err := e.Reap(ctx, reaped)
		if err != nil {
			return err
		}
		if r.moved() == 0 || r.moved()+r.Skipped < reaped {
			return nil
		}
	}
}

// Reap goes through runs whose lease has lapsed, at most limit, the oldest lease
// first. An approval that was lost before any write was begun goes back to
// whoever decides (T13); a queued run that did nothing that must not happen
// twice starts over (T11); every other run fails (T12).
//
// One that cannot be put right keeps no other from it; it is looked at again
// the next time. A limit below 1 is an error, and nothing is looked at.
func (e *Engine) Reap(ctx context.Context, limit int) (Reaped, error) {
	var r Reaped
	if limit < 1 {
		return r, fmt.Errorf("reap at most %d runs: the limit is at least 1", limit)
	}
	runs, err := e.store.Lapsed(ctx, limit)
	if err != nil {
		return r, err
	}
	for _, run := range runs {
		e.putRight(ctx, run, &r)
	}
	return r, nil
}

// putRight moves one run and counts it. A renewal in between wins.
func (e *Engine) putRight(ctx context.Context, run string, r *Reaped) {
	ways := []struct {
		count *int
		move  func() (bool, error)
	}{
		{&r.Returned, func() (bool, error) { return e.store.Return(ctx, run) }},
		{&r.Requeued, func() (bool, error) { return e.startOver(ctx, run) }},
		{&r.Buried, func() (bool, error) { return e.store.Bury(ctx, run) }},
	}
	for _, way := range ways {
		moved, err := way.move()
		if err != nil {
			e.log.ErrorContext(ctx, "lapsed run could not be put right", slog.String("run", run), slog.Any("error", err))
			r.Skipped++
			return
		}
		if moved {
			*way.count++
			e.log.WarnContext(ctx, "lapsed run put right", slog.String("run", run),
				slog.Bool("returned", way.count == &r.Returned), slog.Bool("requeued", way.count == &r.Requeued))
			e.changedRun(ctx, run)
			return
		}
	}
	r.Skipped++
	e.log.InfoContext(ctx, "lapsed run was renewed", slog.String("run", run))
}

// startOver requeues a run whose worker is lost. Without a queue nothing does.
func (e *Engine) startOver(ctx context.Context, run string) (bool, error) {
	if e.wake == nil {
		return false, nil
	}
	return e.store.Requeue(ctx, store.Requeuing{
		Run: run, Class: "lease_lapsed", Wake: func(ctx context.Context, tx *sql.Tx) error { return e.wake(ctx, tx, run, 0) },
	})
}
