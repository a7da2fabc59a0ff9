package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/imprimatur-dev/imprimatur/store"
)

type auditCmd struct {
	Evidence evidenceCmd `cmd:"" help:"Export everything stored about a run, unopened."`
}

type evidenceCmd struct {
	local
	ID string `arg:"" name:"run" help:"Id of the run."`
}

// Example implements exampled.
func (evidenceCmd) Example() string {
	return "imprimatur audit evidence RUN --config imprimatur.yaml > evidence.json"
}

// Help implements kong.HelpProvider.
func (evidenceCmd) Help() string {
	return "Prints one JSON object: the row of the run, its events, its records, by the names of their columns. Bytes are base64. Sealed values stay sealed, so a run that nobody can read is exported byte for byte."
}

// Run prints the evidence.
func (c *evidenceCmd) Run(a *app) error {
	return c.with(a, func(ctx context.Context, b *base) error {
		e, err := b.store.Evidence(ctx, c.ID)
		if errors.Is(err, store.ErrNoRun) {
			return fmt.Errorf("there is no run %q", c.ID)
		}
		if err != nil {
			return err
		}
		return a.json(e)
	})
}
