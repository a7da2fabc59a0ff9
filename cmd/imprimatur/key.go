package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/imprimatur-dev/imprimatur/internal/seal"
)

type keyCmd struct {
	New    keyNewCmd    `cmd:"" help:"Make a keyset that seals what is stored."`
	Rotate keyRotateCmd `cmd:"" help:"Have another key seal what is stored."`
}

type keyNewCmd struct {
	Audit bool   `hidden:""`
	File  string `arg:"" help:"File to write; it must not exist."`
}

// Example implements exampled.
func (keyNewCmd) Example() string { return "imprimatur key new keyset.json" }

// Help implements kong.HelpProvider.
func (keyNewCmd) Help() string {
	return "Whoever holds the file reads everything that is sealed with it; without it nothing of that can be read again. Keep a copy elsewhere."
}

// Run writes a keyset that only its owner may read, and never over a file.
func (c *keyNewCmd) Run(a *app) (err error) {
	if c.Audit {
		return usageError{"--audit is not in this version: there are no checkpoints to sign yet"}
	}
	keys, err := seal.NewKeyset()
	if err != nil {
		return fmt.Errorf("make keyset: %w", err)
	}
	f, err := os.OpenFile(c.File, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("write %s: %s", c.File, why(err))
	}
	defer func() {
		if err = errors.Join(err, f.Close()); err != nil {
			_ = os.Remove(c.File) // half a keyset is worse than none
		}
	}()
	if _, err := f.Write(keys); err != nil {
		return fmt.Errorf("write %s: %s", c.File, why(err))
	}
	if err := f.Sync(); err != nil {
		return fmt.Errorf("write %s: %s", c.File, why(err))
	}
	a.say("Wrote %s. Keep a copy elsewhere: without it nothing that is sealed can be read.", plain(c.File))
	return nil
}
