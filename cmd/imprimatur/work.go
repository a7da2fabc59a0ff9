package main

import (
	"errors"
	"log/slog"
)

type workCmd struct{ local }

// Example implements exampled.
func (workCmd) Example() string { return "imprimatur work --config imprimatur.yaml" }

// Run works on queued runs until the process is told to end.
func (c *workCmd) Run(a *app) (err error) {
	cfg, err := loadConfig(c.Config, a.env)
	if err != nil {
		return err
	}
	if cfg.workers() == 0 {
		return usageError{"workers is 0: nothing would be worked on"}
	}
	log := logger(a.err, cfg.level())
	b, err := openBase(a.ctx, cfg, log)
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
	log.InfoContext(a.ctx, "working", slog.Int("workers", cfg.workers()))
	<-a.ctx.Done()
	log.InfoContext(a.ctx, "ending")
	return s.finish()
}
