package engine

import (
	"context"
	"log/slog"
	"time"
)

// sweepEvery puts right what dead processes leave behind, as soon as their
// leases have lapsed.
func (e *Engine) sweepEvery(ctx context.Context, every time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if err := e.sweep(ctx); err != nil {
				e.log.ErrorContext(ctx, "lapsed runs could not be put right", slog.Any("error", err))
			}
		}
	}
}

// swept is how many runs one look takes on.
const swept = 50

// sweep goes through the runs whose lease has lapsed: an approval that was lost
// before any write was begun goes back to whoever decides (T13); every other
// run fails (T12).
//
// One that cannot be put right keeps no other from it; it is looked at again
// the next time.
func (e *Engine) sweep(ctx context.Context) error {
	for {
		runs, err := e.store.Lapsed(ctx, swept)
		if err != nil {
			return err
		}
		moved := 0
		for _, run := range runs {
			if e.putRight(ctx, run) {
				moved++
			}
		}
		if len(runs) < swept || moved == 0 {
			return nil
		}
	}
}

// putRight reports whether the run was moved. A renewal in between wins.
func (e *Engine) putRight(ctx context.Context, run string) bool {
	returned, err := e.store.Return(ctx, run)
	buried := false
	if err == nil && !returned {
		buried, err = e.store.Bury(ctx, run)
	}
	if err != nil {
		e.log.ErrorContext(ctx, "lapsed run could not be put right", slog.String("run", run), slog.Any("error", err))
		return false
	}
	if !returned && !buried {
		e.log.InfoContext(ctx, "lapsed run was renewed", slog.String("run", run))
		return false
	}
	e.log.WarnContext(ctx, "lapsed run put right", slog.String("run", run), slog.Bool("returned", returned))
	e.changedRun(ctx, run)
	return true
}
