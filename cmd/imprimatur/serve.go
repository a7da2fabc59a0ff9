package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	"golang.org/x/term"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/editorial"
	"github.com/imprimatur-dev/imprimatur/engine"
	"github.com/imprimatur-dev/imprimatur/model"
	"github.com/imprimatur-dev/imprimatur/model/openai"
	"github.com/imprimatur-dev/imprimatur/policy"
	"github.com/imprimatur-dev/imprimatur/store"
)

type serveCmd struct {
	local
	Listen string `placeholder:"HOST:PORT" help:"Where to listen; port 0 takes a free one."`
	JSON   bool   `name:"json" help:"Print {\"url\": …} as the first line once it accepts."`
}

// Example implements exampled.
func (serveCmd) Example() string { return "imprimatur serve --config imprimatur.yaml" }

// Run serves until the process is told to end.
func (c *serveCmd) Run(a *app) error {
	env := a.env
	if c.Listen != "" {
		env = with(env, "IMPRIMATUR_LISTEN", c.Listen) // a flag goes before the environment
	}
	cfg, err := loadConfig(c.Config, env)
	if err != nil {
		return err
	}
	return cfg.employ(a, func(b *base, s *staff, log *slog.Logger) error { return c.serve(a, b, s.engine, log) })
}

// with is an environment in which one variable is set, and not by a file.
func with(env environment, name, text string) environment {
	return func(asked string) (string, bool) {
		switch asked {
		case name:
			return text, true
		case name + "_FILE":
			return "", false
		}
		return env(asked)
	}
}

func (c *serveCmd) serve(a *app, b *base, eng *engine.Engine, log *slog.Logger) error {
	listen := b.cfg.Listen.V
	if !b.cfg.Listen.Set {
		listen = defaultListen
	}
	listener, err := new(net.ListenConfig).Listen(a.ctx, "tcp", listen)
	var cause *net.OpError
	if errors.As(err, &cause) {
		err = cause.Err
	}
	if err != nil {
		return fmt.Errorf("listen on %s: %w", listen, err)
	}
	address := "http://" + reachable(listener.Addr())
	public := address
	if b.cfg.URL.Set {
		public, _ = b.cfg.publicURL() // it is set
	}
	handler, err := surfaces(surfacesConfig{Engine: eng, Store: b.store, URL: public, Log: log})
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	log.InfoContext(a.ctx, "serving", slog.String("url", public), slog.String("listen", listener.Addr().String()))
	if c.JSON {
		if err := a.jsonLine(struct {
			URL string `json:"url"`
		}{public}); err != nil {
			return errors.Join(err, listener.Close())
		}
	}
	stopped := make(chan struct{})
	go func() { defer close(stopped); keepHouse(a.ctx, b.store, b.cfg.retention(), log) }()
	defer func() { <-stopped }()
	return serveHTTP(a.ctx, listener, handler, log)
}

// drain is how long requests and segments may take to end.
const drain = 30 * time.Second

// serveHTTP serves until ctx ends, then lets what is under way end. Streams of
// changes end at once: their readers come back.
func serveHTTP(ctx context.Context, l net.Listener, h http.Handler, log *slog.Logger) error {
	streams, endStreams := context.WithCancel(context.WithoutCancel(ctx))
	defer endStreams()
	server := &http.Server{
		Handler: h, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute,
		BaseContext: func(net.Listener) context.Context { return streams },
		ErrorLog:    slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(l) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	log.InfoContext(streams, "ending")
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), drain)
	defer cancel()
	endStreams()
	if err := server.Shutdown(end); err != nil {
		return errors.Join(fmt.Errorf("end requests: %w", err), server.Close())
	}
	return nil
}

// housekeeper is what a server does for the store from time to time.
type housekeeper interface {
	SaveUses(ctx context.Context) error
	PurgeExpired(ctx context.Context) error
	Purge(ctx context.Context, r store.Retention) (store.Purged, error)
}

// keepHouse stores when tokens were used and gives back the room of what has
// expired, once a minute until ctx ends; runs that were kept long enough go once
// an hour. None of it is missed where it fails.
func keepHouse(ctx context.Context, s housekeeper, keep store.Retention, log *slog.Logger) {
	minute, hour := time.NewTicker(time.Minute), time.NewTicker(time.Hour)
	defer minute.Stop()
	defer hour.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-hour.C:
			purged(ctx, s, keep, log)
			continue
		case <-minute.C:
		}
		if err := errors.Join(s.SaveUses(ctx), s.PurgeExpired(ctx)); err != nil && ctx.Err() == nil {
			log.WarnContext(ctx, "housekeeping", slog.Any("error", err))
		}
	}
}

func purged(ctx context.Context, s housekeeper, keep store.Retention, log *slog.Logger) {
	got, err := s.Purge(ctx, keep)
	if err != nil && ctx.Err() == nil {
		log.WarnContext(ctx, "runs that were kept long enough", slog.Any("error", err))
	}
	if got != (store.Purged{}) {
		log.InfoContext(ctx, "runs deleted", slog.Int("finished", got.Finished), slog.Int("unfinished", got.Unfinished))
	}
}

// logger writes text for people and JSON for programs.
func logger(w io.Writer, level slog.Level) *slog.Logger {
	options := &slog.HandlerOptions{Level: level}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return slog.New(slog.NewTextHandler(w, options))
	}
	return slog.New(slog.NewJSONHandler(w, options))
}

// staff makes the engine that the configuration describes, and its workers.
func (b *base) staff(ctx context.Context, log *slog.Logger, env environment) (*staff, error) {
	models, err := b.cfg.models(env)
	if err != nil {
		return nil, err
	}
	rules, err := policy.New(policy.Config{Off: b.cfg.off()})
	if err != nil {
		return nil, err
	}
	web, err := b.cfg.fetch()
	if err != nil {
		return nil, err
	}
	c := engine.Config{Store: b.store, Models: models, Agents: b.cfg.agents(), Policy: rules, Logger: log, Tools: []imprimatur.Tool{web}}
	if b.cfg.Tools.Editorial.Enabled.V {
		c.Tools = append(c.Tools, editorial.ToolsWith(b.repo, editorial.Options{NoDrafts: b.cfg.Tools.Editorial.NoDrafts.V, Sites: b.cfg.sites()})...)
	}
	if b.cfg.Catalogues.Set {
		c.Catalogues = append(c.Catalogues, os.DirFS(b.cfg.path(b.cfg.Catalogues)))
	}
	if b.cfg.Lease.Set {
		if c.Lease, err = time.ParseDuration(b.cfg.Lease.V); err != nil {
			return nil, fmt.Errorf("lease: %w", err)
		}
	}
	return hire(ctx, b.store, c, b.cfg.database(), b.cfg.workers())
}

// models makes the models that the configuration names.
func (l *loaded) models(env environment) (map[string]model.Model, error) {
	made := map[string]model.Model{}
	for name, m := range l.Models {
		var one model.Model
		var err error
		if m.Kind.V == "scripted" {
			one, err = l.script(m)
		} else {
			var key string
			if m.APIKeyEnv.Set {
				key, _, err = fromEnvironment(m.APIKeyEnv.V, env)
			}
			if err == nil {
				one, err = openai.New(m.openai(key))
			}
		}
		if err != nil {
			return nil, fmt.Errorf("model %s: %w", name, err)
		}
		made[name] = one
	}
	return made, nil
}

// agents are the agents that the configuration names.
func (l *loaded) agents() []imprimatur.Agent {
	var all []imprimatur.Agent
	for name, a := range l.Agents {
		agent := imprimatur.Agent{
			Name: name, Model: a.Model.V, System: a.System.V, MaxRounds: a.MaxRounds.V,
			MaxTokensTotal: a.MaxTokensTotal.V, RequireSecondApprover: a.SecondApprover.V,
		}
		if a.Tools.Set {
			agent.Tools = &a.Tools.V
		}
		all = append(all, agent)
	}
	return all
}
