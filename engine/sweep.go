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
func (e *Engine) sweep(ctx context.Context) error {
	for {
		runs, err := e.store.Lapsed(ctx, swept)
		if err != nil {
			return err
		}
		for _, run := range runs {
			if err := e.putRight(ctx, run); err != nil {
				return err
			}
		}
		if len(runs) < swept {
			return nil
		}
	}
}

func (e *Engine) putRight(ctx context.Context, run string) error {
	returned, err := e.store.Return(ctx, run)
	if err != nil {
		return err
	}
	if !returned {
		if _, err := e.store.Bury(ctx, run); err != nil {
			return err
		}
	}
	e.log.WarnContext(ctx, "lapsed run put right", slog.String("run", run), slog.Bool("returned", returned))
	e.changedRun(ctx, run)
	return nil
}
