package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/engine"
	"github.com/imprimatur-dev/imprimatur/internal/faultsql"
	"github.com/imprimatur-dev/imprimatur/internal/pgtest"
	"github.com/imprimatur-dev/imprimatur/model"
	"github.com/imprimatur-dev/imprimatur/model/scripted"
	"github.com/imprimatur-dev/imprimatur/policy"
	"github.com/imprimatur-dev/imprimatur/store"
)

// counter is the target: a number that the write raises and that others raise
// too. Its preview shows it.
type counter struct {
	mu     sync.Mutex
	n      int
	writes int
}

func (*counter) Spec() imprimatur.Spec {
	return imprimatur.Spec{Name: "stamp", Description: "Raises the number.", Schema: json.RawMessage(`{"type":"object"}`)}
}
func (*counter) Effect() imprimatur.Effect { return imprimatur.NonIdempotentWrite }
func (*counter) MayRead(context.Context, imprimatur.Call, imprimatur.User) (bool, error) {
	return true, nil
}

func (c *counter) Preview(context.Context, imprimatur.Call) (imprimatur.Picture, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return imprimatur.Picture{Lines: []imprimatur.Text{{Role: imprimatur.RoleText, Phrase: imprimatur.Phrase{
		Label: imprimatur.LabelVerbatim, Values: map[string]any{"text": fmt.Sprintf("from %d to %d", c.n, c.n+1)},
	}}}}, nil
}

func (c *counter) Execute(context.Context, imprimatur.Call) (imprimatur.Result, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
	c.writes++
	return imprimatur.Result{Content: "raised"}, nil
}

func (c *counter) raise() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
}

// belief is what the model of one run holds for true. It knows the rules of
// the mission and nothing of the engine.
type belief struct {
	id      string
	phase   phase
	shown   int               // the number on its card
	current imprimatur.Card   // as it was last shown
	earlier []imprimatur.Card // cards that were shown before that
}

type phase string

const (
	waits     phase = "waits"
	done      phase = "is done"
	cancelled phase = "is cancelled"
	lostIdle  phase = "lost its process before the write"
	lostBusy  phase = "lost its process in the write"
	unknown   phase = "has an unknown outcome"
)

// status is what a run in this phase must look like.
func (p phase) status() (imprimatur.Status, imprimatur.Reason) {
	switch p {
	case waits:
		return imprimatur.StatusWaiting, ""
	case done:
		return imprimatur.StatusCompleted, imprimatur.ReasonCompleted
	case cancelled:
		return imprimatur.StatusCancelled, imprimatur.ReasonCancelled
	case unknown:
		return imprimatur.StatusFailed, imprimatur.ReasonOutcomeUnknown
	default:
		return imprimatur.StatusRunning, ""
	}
}

// universe is the engine that is held against the model.
type universe struct {
	*engine.Engine
	store  *store.Store
	faults *faultsql.Injector
	target *counter
	ahead  *atomic.Int64 // of the clock, in nanoseconds
	owner  imprimatur.Actor
	chief  imprimatur.Actor
	config engine.Config

	runs   []*belief
	number int // what the target must hold
	writes int // how often it must have been written
}

func newUniverse(t *rapid.T, database string) *universe {
	w := &universe{faults: &faultsql.Injector{}, target: &counter{}, ahead: &atomic.Int64{}}
	var err error
	w.store, err = store.Open(context.Background(), store.Config{
		Database: database, Unsealed: true, Connector: w.faults.WrapFirst, Logger: slog.New(slog.DiscardHandler),
		Now: func() time.Time { return time.Now().Add(time.Duration(w.ahead.Load())) },
	})
	w.must(t, err)
	for _, p := range []struct {
		actor *imprimatur.Actor
		user  store.NewUser
	}{{&w.owner, store.NewUser{Name: "Jana Roth", Lang: "de"}}, {&w.chief, store.NewUser{Name: "Petra Lang", Lang: "en", Admin: true}}} {
		u, err := w.store.AddUser(context.Background(), p.user)
		w.must(t, err)
		*p.actor = imprimatur.Actor{Credential: imprimatur.CredentialSession, User: u, Lang: u.Lang}
	}
	script, err := scripted.Load(strings.NewReader(decisionScript))
	w.must(t, err)
	rules, err := policy.New(policy.Config{})
	w.must(t, err)
	w.config = engine.Config{
		Store: w.store, Models: map[string]model.Model{"script": script}, Policy: rules,
		Agents: []imprimatur.Agent{{Name: "clerk", Model: "script"}}, Tools: []imprimatur.Tool{w.target}, Logger: slog.New(slog.DiscardHandler),
	}
	w.Engine, err = engine.New(context.Background(), w.config)
	w.must(t, err)
	return w
}

func (w *universe) must(t *rapid.T, err error) {
	if err != nil {
		t.Fatal(err)
	}
}

func (w *universe) close(t *rapid.T) {
	w.must(t, w.Close(context.Background()))
	w.must(t, w.store.Close())
}

// pick chooses a run, if there is one.
func (w *universe) pick(t *rapid.T) *belief {
	if len(w.runs) == 0 {
		t.Skip("there is no run yet")
	}
	return w.runs[rapid.IntRange(0, len(w.runs)-1).Draw(t, "run")]
}

func (w *universe) begin(t *rapid.T) {
	run, err := w.Run(context.Background(), w.owner, imprimatur.Start{Agent: "clerk", Prompt: "stamp it"}, patient)
	w.must(t, err)
	w.runs = append(w.runs, &belief{id: run.ID, phase: waits, shown: w.number, current: *run.Card})
}

func (w *universe) somebody(*rapid.T) {
	w.target.raise()
	w.number++
}

// approve decides by a card that was shown, the last one or an earlier one.
func (w *universe) approve(t *rapid.T) {
	b := w.pick(t)
	cards := append(append([]imprimatur.Card{}, b.earlier...), b.current)
	at := rapid.IntRange(0, len(cards)-1).Draw(t, "card")
	run, err := w.Decide(context.Background(), w.chief, b.id, yes(&cards[at]), patient)
	switch {
	case b.phase != waits:
		w.refused(t, b, err, imprimatur.CodeNotWaiting, imprimatur.CodeAlreadyResuming)
	case at < len(cards)-1:
		w.refused(t, b, err, imprimatur.CodeStalePicture)
	case b.shown != w.number:
		w.must(t, err)
		if !run.Back || len(run.Stale) != 1 {
			t.Fatalf("the target moved, and the run is %s, back %v", run.Status, run.Back)
		}
		b.earlier, b.current, b.shown = cards, *run.Card, w.number
	default:
		w.must(t, err)
		b.phase = done
		w.number++
		w.writes++
	}
}

func (w *universe) deny(t *rapid.T) {
	b := w.pick(t)
	_, err := w.Decide(context.Background(), w.chief, b.id, no(&b.current), patient)
	if b.phase != waits {
		w.refused(t, b, err, imprimatur.CodeNotWaiting, imprimatur.CodeAlreadyResuming)
		return
	}
	w.must(t, err)
	b.phase = done
}

func (w *universe) cancel(t *rapid.T) {
	b := w.pick(t)
	_, err := w.Cancel(context.Background(), w.owner, b.id)
	switch b.phase {
	case done, cancelled, unknown:
		w.refused(t, b, err, imprimatur.CodeFinished)
	default:
		w.must(t, err)
		b.phase = cancelled
	}
}

// lose approves, and the process dies at the fence or inside the write: it is
// heard of no more, and its claim stands.
func (w *universe) lose(t *rapid.T) {
	b := w.pick(t)
	if b.phase != waits || b.shown != w.number {
		t.Skip("nothing would be written")
	}
	inside := rapid.Bool().Draw(t, "inside")
	if inside {
		w.faults.Arm(
			faultsql.Fault{Match: "SET effect = '', lease", At: 1, Mode: faultsql.Before},
			faultsql.Fault{Match: "SET status = $1, reason", At: 1, Mode: faultsql.Before},
			faultsql.Fault{Match: "SET status = $1, reason", At: 2, Mode: faultsql.Before})
	} else {
		w.faults.Arm(faultsql.Fault{Match: "SET effect = $1, started = 1", At: 1, Mode: faultsql.Before})
	}
	_, err := w.Decide(context.Background(), w.chief, b.id, yes(&b.current), patient)
	w.faults.Disarm()
	w.refused(t, b, err, imprimatur.CodeLeaseLost)
	b.phase = lostIdle
	if inside {
		b.phase = lostBusy
		w.number++
		w.writes++
	}
}

// restart is another process, at once or after every lease has lapsed.
func (w *universe) restart(t *rapid.T) {
	lapsed := rapid.Bool().Draw(t, "lapsed")
	w.must(t, w.Close(context.Background()))
	if lapsed {
		w.ahead.Add(int64(time.Hour))
		for _, b := range w.runs {
			switch b.phase {
			case lostIdle:
				b.phase = waits
			case lostBusy:
				b.phase = unknown
			}
		}
	}
	var err error
	w.Engine, err = engine.New(context.Background(), w.config)
	w.must(t, err)
}

func (w *universe) refused(t *rapid.T, b *belief, err error, codes ...imprimatur.Code) {
	var no *imprimatur.Refusal
	if !errors.As(err, &no) {
		t.Fatalf("run %s, which %s: %v, want one of %v", b.id, b.phase, err, codes)
	}
	for _, code := range codes {
		if no.Code == code {
			return
		}
	}
	t.Fatalf("run %s, which %s: %s, want one of %v", b.id, b.phase, no.Code, codes)
}

// check holds everything that can be seen against the model.
func (w *universe) check(t *rapid.T) {
	if w.target.n != w.number || w.target.writes != w.writes {
		t.Fatalf("the target holds %d after %d writes, want %d after %d", w.target.n, w.target.writes, w.number, w.writes)
	}
	for _, b := range w.runs {
		row, err := w.store.Run(context.Background(), b.id)
		w.must(t, err)
		status, reason := b.phase.status()
		if row.Status != status || row.Reason != reason {
			t.Fatalf("run %s is %s (%s), and the model says that it %s", b.id, row.Status, row.Reason, b.phase)
		}
		if b.phase != waits {
			continue
		}
		card, err := w.Card(context.Background(), w.chief, b.id)
		w.must(t, err)
		if want := fmt.Sprintf("from %d to %d", b.shown, b.shown+1); card.Calls[0].Preview.Lines[0].Text != want {
			t.Fatalf("the card says %q, want %q", card.Calls[0].Preview.Lines[0].Text, want)
		}
	}
}

// Whatever happens in whatever order, the engine does what the model says.
//
// Proves runtime 4, 5, 9, 10, 12, 16.
func TestEveryInterleavingKeepsToTheModel(t *testing.T) {
	checks := "12"
	if os.Getenv("IMPRIMATUR_TESTS") == "long" {
		checks = "500"
	}
	if err := flag.Set("rapid.checks", checks); err != nil {
		t.Fatal(err)
	}
	for name, place := range map[string]func(t *testing.T) string{
		"sqlite":     func(t *testing.T) string { return "sqlite:" + filepath.Join(t.TempDir(), "office.db") },
		"postgresql": func(t *testing.T) string { return pgtest.Start(t) },
	} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				w := newUniverse(rt, place(t))
				defer w.close(rt)
				rt.Repeat(map[string]func(*rapid.T){
					"begin": w.begin, "somebody": w.somebody, "approve": w.approve, "deny": w.deny,
					"cancel": w.cancel, "lose": w.lose, "restart": w.restart, "": w.check,
				})
			})
		})
	}
}
