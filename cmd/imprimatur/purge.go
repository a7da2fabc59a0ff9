package main

import (
	"context"
	"fmt"
	"time"

	"github.com/imprimatur-dev/imprimatur/store"
)

type purgeCmd struct {
	local
	Finished   time.Duration `placeholder:"720h" help:"Delete runs that ended before that time; instead of retention.finished."`
	Unfinished time.Duration `placeholder:"2160h" help:"Delete runs that were asked for before that time and have not ended; instead of retention.unfinished."`
	JSON       bool          `name:"json" help:"Print the counts as JSON."`
}

// Example implements exampled.
func (purgeCmd) Example() string { return "imprimatur purge --finished 720h --config imprimatur.yaml" }

// Help implements kong.HelpProvider.
func (purgeCmd) Help() string {
	return "Deletes runs, with their events and records, that were kept as long as the configuration says. A server does so by itself, once an hour. Runs that somebody works on stay."
}

// Run deletes what was kept long enough.
func (c *purgeCmd) Run(a *app) error {
	for flag, d := range map[string]time.Duration{"--finished": c.Finished, "--unfinished": c.Unfinished} {
		if d != 0 && d < minRetention {
			return usageError{fmt.Sprintf("%s must be at least %s", flag, minRetention)}
		}
	}
	return c.with(a, func(ctx context.Context, b *base) error {
		keep := b.cfg.retention()
		if c.Finished > 0 {
			keep.Finished = c.Finished
		}
		if c.Unfinished > 0 {
			keep.Unfinished = c.Unfinished
		}
		if keep == (store.Retention{}) {
			return usageError{"nothing says how long runs are kept: set retention, or name --finished or --unfinished"}
		}
		got, err := b.store.Purge(ctx, keep)
		if err != nil {
			return err
		}
		if c.JSON {
			return a.json(got)
		}
		fmt.Fprintf(a.out, "finished %d\nunfinished %d\n", got.Finished, got.Unfinished)
		return nil
	})
}
