package imprimaturtest

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/engine"
	"github.com/imprimatur-dev/imprimatur/model"
	"github.com/imprimatur-dev/imprimatur/policy"
	"github.com/imprimatur-dev/imprimatur/store"
)

// Agent is the name of the agent of an Office.
const Agent = "clerk"

// Options say what an Office works with. Only Tools is needed.
type Options struct {
	// Tools makes the tools. It is given the store, whose database holds the
	// tables of Migrations too.
	Tools      func(s *store.Store) ([]imprimatur.Tool, error)
	Migrations []store.MigrationSet
	Catalogues []fs.FS
	// From is a SQLite file, closed, that the office starts with a copy of; empty
	// starts with nothing.
	From string
	// Now is the clock; nil is that of the database.
	Now func() time.Time
}

// Office is an engine on a temporary store. Its agent makes the calls that a
// test tells it to make, and then ends.
type Office struct {
	*engine.Engine
	Store *store.Store

	agent *agent
}

// Open opens an office. It is closed when the test ends.
func Open(t testing.TB, o Options) *Office {
	t.Helper()
	ctx := context.Background()
	file := filepath.Join(t.TempDir(), "office.db")
	if o.From != "" {
		data, err := os.ReadFile(o.From)
		if err == nil {
			err = os.WriteFile(file, data, 0o600)
		}
		if err != nil {
			t.Fatalf("copying the database: %v", err)
		}
	}
	s, err := store.Open(ctx, store.Config{
		Database: "sqlite:" + file, Unsealed: true, Migrations: o.Migrations, Now: o.Now,
	})
	if err != nil {
		t.Fatalf("opening the store: %v", err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("closing the store: %v", err)
		}
	})
	tools, err := o.Tools(s)
	if err != nil {
		t.Fatalf("making the tools: %v", err)
	}
	rules, err := policy.New(policy.Config{})
	if err != nil {
		t.Fatal(err)
	}
	office := &Office{Store: s, agent: &agent{calls: map[string][]model.Call{}}}
	office.Engine, err = engine.New(ctx, engine.Config{
		Store: s, Models: map[string]model.Model{"told": office.agent}, Policy: rules, Tools: tools,
		Agents:     []imprimatur.Agent{{Name: Agent, Model: "told"}},
		Catalogues: o.Catalogues, Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatalf("opening the engine: %v", err)
	}
	t.Cleanup(func() {
		if err := office.Close(context.Background()); err != nil {
			t.Errorf("closing the engine: %v", err)
		}
	})
	return office
}

// Person adds somebody who starts runs and decides.
func (o *Office) Person(t testing.TB, n store.NewUser) imprimatur.Actor {
	t.Helper()
	u, err := o.Store.AddUser(t.Context(), n)
	if err != nil {
		t.Fatalf("adding %s: %v", n.Name, err)
	}
	return imprimatur.Actor{Credential: imprimatur.CredentialSession, User: u, Lang: u.Lang}
}

// Call is one call that the agent is told to make. Args is a JSON object.
type Call struct{ Tool, Args string }

// patience bounds every wait: a run that takes longer is not going to end.
const patience = time.Minute

// Ask starts a run that makes these calls in one turn, and returns it as it
// waits or ended.
func (o *Office) Ask(t testing.TB, as imprimatur.Actor, calls ...Call) imprimatur.Run {
	t.Helper()
	run, err := o.Run(t.Context(), as, imprimatur.Start{Agent: Agent, Prompt: o.agent.tell(calls)}, imprimatur.Wait{For: patience})
	if err != nil {
		t.Fatalf("starting a run: %v", err)
	}
	return run
}

// Look returns the card of a run.
func (o *Office) Look(t testing.TB, as imprimatur.Actor, run string) imprimatur.Card {
	t.Helper()
	card, err := o.Card(t.Context(), as, run)
	if err != nil {
		t.Fatalf("reading the card of %s: %v", run, err)
	}
	return card
}

// Approve approves a run as its card shows it now, and returns it as it waits
// again or ended.
func (o *Office) Approve(t testing.TB, as imprimatur.Actor, run string) imprimatur.Run {
	t.Helper()
	card := o.Look(t, as, run)
	return o.decide(t, as, run, imprimatur.Decision{
		Verdict: imprimatur.Approve, TurnDigest: card.TurnDigest, PictureDigest: card.PictureDigest,
	})
}

// Deny denies a run, for a reason.
func (o *Office) Deny(t testing.TB, as imprimatur.Actor, run, reason string) imprimatur.Run {
	t.Helper()
	card := o.Look(t, as, run)
	return o.decide(t, as, run, imprimatur.Decision{Verdict: imprimatur.Deny, TurnDigest: card.TurnDigest, Reason: reason})
}

func (o *Office) decide(t testing.TB, as imprimatur.Actor, run string, d imprimatur.Decision) imprimatur.Run {
	t.Helper()
	after, err := o.Decide(t.Context(), as, run, d, imprimatur.Wait{For: patience})
	if err != nil {
		t.Fatalf("deciding %s: %v", run, err)
	}
	return after
}

// Results returns what the tools of a run answered, in order.
func (o *Office) Results(run imprimatur.Run) []string { return o.agent.heard(run.Text) }

// agent is a model that makes the calls it was told to make. Its last word is
// the number of what it heard.
type agent struct {
	mu    sync.Mutex
	calls map[string][]model.Call // by prompt
	ended [][]string
}

func (a *agent) tell(calls []Call) (prompt string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	prompt = fmt.Sprintf("Errand %d", len(a.calls)+1)
	for i, c := range calls {
		a.calls[prompt] = append(a.calls[prompt], model.Call{ID: fmt.Sprintf("call-1-%d", i+1), Name: c.Tool, Arguments: []byte(c.Args)})
	}
	return prompt
}

func (a *agent) heard(text string) []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	var n int
	if _, err := fmt.Sscanf(text, "Done, %d.", &n); err != nil || n < 1 || n > len(a.ended) {
		return nil
	}
	return a.ended[n-1]
}

// Complete implements model.Model.
func (a *agent) Complete(_ context.Context, req model.Request) (model.Response, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	var prompt string
	var results []string
	called := false
	for _, m := range req.Messages {
		switch {
		case m.Role == imprimatur.FromUser && prompt == "":
			prompt = m.Text
		case m.Role == imprimatur.FromAssistant:
			called = true
		case m.Role == imprimatur.FromTool:
			results = append(results, m.Text)
		}
	}
	if calls := a.calls[prompt]; !called && len(calls) > 0 {
		return model.Response{Calls: calls, Finish: model.FinishCalls}, nil
	}
	a.ended = append(a.ended, results)
	return model.Response{Text: fmt.Sprintf("Done, %d.", len(a.ended)), Finish: model.FinishStop}, nil
}
