package main

import (
	"context"
	"errors"
	"log/slog"

	"github.com/imprimatur-dev/imprimatur/engine"
	"github.com/imprimatur-dev/imprimatur/queue"
	"github.com/imprimatur-dev/imprimatur/store"
)

// staff is the engine of a process and the queue that its workers are woken by.
type staff struct {
	engine *engine.Engine
	queue  *queue.Queue
}

// hire makes the engine that c describes, and has so many workers begin. With
// none, runs are queued for those of other processes.
func hire(ctx context.Context, db *store.Store, c engine.Config, database string, workers int) (*staff, error) {
	q, err := queue.New(queue.Config{Store: db, Database: database, Workers: workers, Logger: atLeast(c.Logger, slog.LevelWarn)})
	if err != nil {
		return nil, err
	}
	c.Wake = q.Wake
	if workers > 0 {
		c.Sweep = -1 // one of the workers' processes looks, for all of them
	}
	eng, err := engine.New(ctx, c)
	if err != nil {
		return nil, errors.Join(err, q.Close())
	}
	s := &staff{eng, q}
	if workers == 0 {
		return s, nil
	}
	// What this process left behind when it last ended is not waited for.
	if _, err := eng.Reap(ctx, atStart); err != nil {
		return nil, errors.Join(err, s.finish())
	}
	if err := q.Start(ctx, eng); err != nil {
		return nil, errors.Join(err, s.finish())
	}
	return s, nil
}

// employ opens what the configuration names, for this process alone where it is
// a file, has its workers begin, and ends everything again once do returns.
func (l *loaded) employ(a *app, do func(b *base, s *staff, log *slog.Logger) error) (err error) {
	log := logger(a.err, l.level())
	b, err := openBase(a.ctx, l, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.store.Close()) }()
	unlock, err := b.store.Lock()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	s, err := b.staff(a.ctx, log, a.env)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.finish()) }()
	return do(b, s, log)
}

// atStart is how many lapsed runs are put right before a process begins.
const atStart = 50

// finish takes on nothing more and lets what is under way end. What does not
// end in time keeps its claim until the lease lapses, and is put right then.
func (s *staff) finish() error {
	ctx, cancel := context.WithTimeout(context.Background(), drain)
	defer cancel()
	return errors.Join(s.queue.Stop(ctx), s.engine.Close(ctx), s.queue.Close())
}

// atLeast is a logger that passes nothing below a level on.
func atLeast(log *slog.Logger, level slog.Level) *slog.Logger {
	return slog.New(filtered{log.Handler(), level})
}

type filtered struct {
	slog.Handler
	least slog.Level
}

// Enabled implements slog.Handler.
func (f filtered) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= f.least && f.Handler.Enabled(ctx, level)
}

// WithAttrs implements slog.Handler.
func (f filtered) WithAttrs(attrs []slog.Attr) slog.Handler {
	return filtered{f.Handler.WithAttrs(attrs), f.least}
}

// WithGroup implements slog.Handler.
func (f filtered) WithGroup(name string) slog.Handler {
	return filtered{f.Handler.WithGroup(name), f.least}
}
