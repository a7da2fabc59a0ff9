package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/imprimatur-dev/imprimatur/engine"
	"github.com/imprimatur-dev/imprimatur/policy"
)

type reapCmd struct {
	local
	Limit int  `default:"50" placeholder:"N" help:"Most runs to look at; at least 1."`
	JSON  bool `name:"json" help:"Print the counts as JSON."`
}

// Example implements exampled.
func (reapCmd) Example() string { return "imprimatur reap --config imprimatur.yaml" }

// Run puts right what lost processes left behind, once. Servers and workers do
// so by themselves; this is for those who do not want to wait.
func (c *reapCmd) Run(a *app) error {
	if c.Limit < 1 {
		return usageError{fmt.Sprintf("--limit must be at least 1, not %d", c.Limit)}
	}
	return c.with(a, func(ctx context.Context, b *base) error {
		got, err := b.reap(ctx, slog.New(slog.NewTextHandler(a.err, nil)), c.Limit)
		if err != nil {
			return err
		}
		if c.JSON {
			return a.json(got)
		}
		fmt.Fprintf(a.out, "requeued %d\nreturned %d\nfailed %d\nskipped %d\n", got.Requeued, got.Returned, got.Buried, got.Skipped)
		return nil
	})
}

// reap has a process that works on nothing look for lapsed runs.
func (b *base) reap(ctx context.Context, log *slog.Logger, limit int) (got engine.Reaped, err error) {
	rules, err := policy.New(policy.Config{})
	if err != nil {
		return got, err
	}
	s, err := hire(ctx, b.store, engine.Config{Store: b.store, Policy: rules, Logger: log, Sweep: -1}, b.cfg.database(), 0)
	if err != nil {
		return got, err
	}
	got, err = s.engine.Reap(ctx, limit)
	return got, errors.Join(err, s.finish())
}
