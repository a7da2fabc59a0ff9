package main

import (
	"fmt"
	"log/slog"

	"github.com/imprimatur-dev/imprimatur/store"
)

type migrateCmd struct{ local }

// Example implements exampled.
func (migrateCmd) Example() string { return "imprimatur migrate --config imprimatur.yaml" }

// Run migrates the database.
func (c *migrateCmd) Run(a *app) error {
	cfg, err := loadBeside(c.Config, a.env)
	if err != nil {
		return err
	}
	sc, err := cfg.store(slog.New(slog.NewTextHandler(a.err, nil)))
	if err != nil {
		return err
	}
	if err := store.Migrate(a.ctx, sc); err != nil {
		return fmt.Errorf("database %s: %w", cfg.databaseName(), err)
	}
	a.say("The database is up to date.")
	return nil
}
