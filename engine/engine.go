// Package engine walks the way of a run: begin, pause, decide, resume, settle.
//
// A decision takes this way, one file a step:
//
//	decide.go   what is asked before; then the one transaction: claim, gates, event
//	gates.go    gate 1 digests, gate 2 approver, gate 3 audit
//	resume.go   the owner's identity and tools again, as they are now
//	segment.go  one process-bound execution, from its claim to its end
//	record.go   what is written while it runs: fence, steps, lease
//	settle.go   how it ends: paused, settled, or lost
//	enqueue.go  a run for a worker
//	work.go     a worker's segment; whether a run starts over
//	reap.go     what a dead process left behind
//
// card.go, list.go and watch.go say what callers may see of it.
package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/model"
	"github.com/imprimatur-dev/imprimatur/policy"
	"github.com/imprimatur-dev/imprimatur/store"
)

// Config is all an engine needs. New checks it once.
type Config struct {
	Store  *store.Store           // required; the engine does not close it
	Models map[string]model.Model // by the name that agents use
	Agents []imprimatur.Agent
	Tools  []imprimatur.Tool
	Policy *policy.Policy // required: which tool may be offered to whom
	// Catalogues add languages, and labels under names of their own.
	Catalogues []fs.FS
	Logger     *slog.Logger  // nil: slog.Default
	Lease      time.Duration // of a segment; 0: imprimatur.DefaultLease; at least a second
	Sweep      time.Duration // between two looks for lapsed leases; 0: a minute; negative: somebody else calls Reap, and New does not look either
	Host       string        // in claims; empty: the host's name
	Wake       Wake          // nil: nothing is queued, and nothing starts over
}

// Engine runs agents and keeps what they ask for until somebody decides. It is
// safe for concurrent use.
type Engine struct {
	store     *store.Store
	agents    map[string]imprimatur.Agent
	models    map[string]model.Model
	tools     map[string]imprimatur.Descriptor
	policy    *policy.Policy
	catalogue *catalogue.Catalogue
	log       *slog.Logger
	lease     time.Duration
	host      string
	wake      Wake
	watchers  watchers

	stop     context.CancelFunc
	entry    sync.Mutex // of closed, and of segments becoming more
	closed   bool
	segments sync.WaitGroup
	sweeping sync.WaitGroup
}

// New returns an engine that is at work: what a dead process left running is
// put right before it returns, and again every Sweep. Mistakes in the
// configuration are errors that name it. Close ends it.
func New(ctx context.Context, c Config) (*Engine, error) {
	if c.Store == nil || c.Policy == nil {
		return nil, errors.New("engine: a store and a policy are required")
	}
	texts, err := catalogue.New(c.Catalogues...)
	if err != nil {
		return nil, fmt.Errorf("engine: %w", err)
	}
	host := c.Host
	if host == "" {
		host, _ = os.Hostname() // an unknown host is an empty one
	}
	e := &Engine{
		store: c.Store, models: c.Models, policy: c.Policy, catalogue: texts,
		log: c.Logger, lease: cmp.Or(c.Lease, imprimatur.DefaultLease), host: host, wake: c.Wake,
		agents: map[string]imprimatur.Agent{}, tools: map[string]imprimatur.Descriptor{},
	}
	if e.log == nil {
		e.log = slog.Default()
	}
	if e.lease < time.Second {
		return nil, errors.New("engine: a lease lasts at least a second")
	}
	if err := e.register(c.Tools); err != nil {
		return nil, err
	}
	if err := e.employ(c.Agents); err != nil {
		return nil, err
	}
	work, stop := context.WithCancel(context.WithoutCancel(ctx))
	e.stop = stop
	if c.Sweep >= 0 {
		if err := e.reapAll(ctx); err != nil {
			stop()
			return nil, fmt.Errorf("engine: look for lapsed runs: %w", err)
		}
		e.sweeping.Go(func() { e.reapEvery(work, cmp.Or(c.Sweep, time.Minute)) })
	}
	return e, nil
}

// register describes the tools. Two of one name are a mistake.
func (e *Engine) register(tools []imprimatur.Tool) error {
	for _, t := range tools {
		d, err := imprimatur.Describe(t)
		if err != nil {
			return fmt.Errorf("engine: %w", err)
		}
		if _, twice := e.tools[d.Spec.Name]; twice {
			return fmt.Errorf("engine: two tools are named %s", d.Spec.Name)
		}
		e.tools[d.Spec.Name] = d
	}
	return nil
}

// employ checks the agents. An agent may name a tool that is not registered:
// it is not offered, and says so in the run's record.
func (e *Engine) employ(agents []imprimatur.Agent) error {
	for _, a := range agents {
		switch _, twice := e.agents[a.Name]; {
		case a.Name == "":
			return errors.New("engine: an agent needs a name")
		case twice:
			return fmt.Errorf("engine: two agents are named %s", a.Name)
		case e.models[a.Model] == nil:
			return fmt.Errorf("engine: agent %s: there is no model named %q", a.Name, a.Model)
		case a.MaxRounds < 0 || a.MaxRounds > imprimatur.MaxRounds:
			return fmt.Errorf("engine: agent %s: max_rounds is between 1 and %d", a.Name, imprimatur.MaxRounds)
		case a.MaxTokensTotal < 0:
			return fmt.Errorf("engine: agent %s: max_tokens_total is not negative", a.Name)
		}
		e.agents[a.Name] = a
	}
	return nil
}

// Catalogue returns the texts in force, with every language that was added.
func (e *Engine) Catalogue() *catalogue.Catalogue { return e.catalogue }

// enter counts a call that may begin a segment; leave it with segments.Done. A
// closed engine lets nobody in.
func (e *Engine) enter() bool {
	e.entry.Lock()
	defer e.entry.Unlock()
	if !e.closed {
		e.segments.Add(1)
	}
	return !e.closed
}

// Close waits for the segments that run, as long as ctx allows. What still runs
// then keeps its claim until the lease lapses.
func (e *Engine) Close(ctx context.Context) error {
	e.entry.Lock()
	e.closed = true
	e.entry.Unlock()
	e.stop()
	e.sweeping.Wait()
	done := make(chan struct{})
	go func() { e.segments.Wait(); close(done) }()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("close engine: %w", ctx.Err())
	}
}
