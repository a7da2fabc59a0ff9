package main

import "log/slog"

type workCmd struct{ local }

// Example implements exampled.
func (workCmd) Example() string { return "imprimatur work --config imprimatur.yaml" }

// Run works on queued runs until the process is told to end.
func (c *workCmd) Run(a *app) error {
	cfg, err := loadConfig(c.Config, a.env)
	if err != nil {
		return err
	}
	if cfg.workers() == 0 {
		return usageError{"workers is 0: nothing would be worked on"}
	}
	return cfg.employ(a, func(_ *base, _ *staff, log *slog.Logger) error {
		log.InfoContext(a.ctx, "working", slog.Int("workers", cfg.workers()))
		<-a.ctx.Done()
		log.InfoContext(a.ctx, "ending")
		return nil
	})
}
