package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/engine"
	"github.com/imprimatur-dev/imprimatur/internal/seal"
	"github.com/imprimatur-dev/imprimatur/model"
	"github.com/imprimatur-dev/imprimatur/policy"
	"github.com/imprimatur-dev/imprimatur/store"
)

// A decision is asked about first and taken in a transaction afterwards. These
// tests let something happen exactly in between: the tool is asked who may
// read its preview just before, and takes the opportunity.

// board is a counter that a write raises. Its preview says from what to what.
type board struct {
	count   atomic.Int64
	writes  atomic.Int64
	entered atomic.Int64
	asked   atomic.Pointer[func()]      // called once, when somebody's right to read is asked about
	blind   atomic.Bool                 // nobody may read the counter
	enter   atomic.Pointer[func() bool] // whether the counter moved since the token was made
}

func (*board) Spec() imprimatur.Spec {
	return imprimatur.Spec{Name: "raise", Description: "Raises the counter.", Schema: json.RawMessage(`{"type":"object"}`)}
}
func (*board) Effect() imprimatur.Effect { return imprimatur.NonIdempotentWrite }

func (b *board) Preview(_ context.Context, call imprimatur.Call) (imprimatur.Picture, error) {
	if !call.User.Exists() {
		return imprimatur.RefuseNeutrally("There is no such counter."), nil
	}
	n := b.count.Load()
	return imprimatur.Picture{Lines: []imprimatur.Text{{Role: imprimatur.RoleText, Phrase: imprimatur.Phrase{
		Label: imprimatur.LabelVerbatim, Values: map[string]any{"text": fmt.Sprintf("currently %d, then %d", n, n+1)},
	}}}}, nil
}

func (b *board) MayRead(context.Context, imprimatur.Call, imprimatur.User) (bool, error) {
	if f := b.asked.Swap(nil); f != nil {
		(*f)()
	}
	return !b.blind.Load(), nil
}

func (b *board) Execute(context.Context, imprimatur.Call) (imprimatur.Result, error) {
	b.entered.Add(1)
	if moved := b.enter.Load(); moved != nil && (*moved)() {
		return imprimatur.Result{}, imprimatur.ErrMoved
	}
	b.writes.Add(1)
	return imprimatur.Result{Content: "raised"}, nil
}

// meanwhile lets fn happen the next time the right to read is asked about.
func (b *board) meanwhile(fn func()) { b.asked.Store(&fn) }

type room struct {
	*engine.Engine
	store        *store.Store
	board        *board
	owner, petra imprimatur.Actor
	run          imprimatur.Run
	card         *imprimatur.Card // as petra saw it
}

// turns is a model that asks for the calls of one turn after another, exactly
// as they are written here.
type turns [][]model.Call

func (ts turns) Complete(_ context.Context, req model.Request) (model.Response, error) {
	n := 0
	for _, m := range req.Messages {
		if m.Role == imprimatur.FromAssistant {
			n++
		}
	}
	if n >= len(ts) {
		return model.Response{Text: "done", Finish: model.FinishStop}, nil
	}
	return model.Response{Calls: ts[n], Finish: model.FinishCalls}, nil
}

// raise asks for one write.
var raise = turns{{{ID: "first", Name: "raise", Arguments: json.RawMessage(`{}`)}}}

// newRoom returns an engine with a run that waits for petra's decision.
func newRoom(t *testing.T, database string, asks turns) *room {
	t.Helper()
	ctx := context.Background()
	keyset, err := seal.NewKeyset()
	if err != nil {
		t.Fatal(err)
	}
	r := &room{board: &board{}}
	quiet := slog.New(slog.DiscardHandler)
	r.store, err = store.Open(ctx, store.Config{Database: database, Keyset: keyset, Logger: quiet})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.store.Close(); err != nil {
			t.Error(err)
		}
	})
	r.owner = person(t, r.store, store.NewUser{Name: "Jana Roth", Lang: "en"})
	r.petra = person(t, r.store, store.NewUser{Name: "Petra Lang", Lang: "en", Admin: true})
	rules, err := policy.New(policy.Config{})
	if err != nil {
		t.Fatal(err)
	}
	r.Engine, err = engine.New(ctx, engine.Config{
		Store: r.store, Models: map[string]model.Model{"fixed": asks}, Policy: rules,
		Agents: []imprimatur.Agent{{Name: "clerk", Model: "fixed"}}, Tools: []imprimatur.Tool{r.board}, Logger: quiet,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	r.run, err = r.Run(ctx, r.owner, imprimatur.Start{Agent: "clerk", Prompt: "raise it"}, patient)
	if err != nil || r.run.Status != imprimatur.StatusWaiting {
		t.Fatalf("run %+v, error %v: it should wait", r.run, err)
	}
	card, err := r.Card(ctx, r.petra, r.run.ID)
	if err != nil {
		t.Fatal(err)
	}
	r.card = &card
	return r
}

// waits fails the test unless the run waits and nothing was written.
func (r *room) waits(t *testing.T) {
	t.Helper()
	run, err := r.Status(context.Background(), r.owner, r.run.ID)
	if err != nil || run.Status != imprimatur.StatusWaiting || r.board.writes.Load() != 0 {
		t.Errorf("the run is %s after %d writes, error %v; it should wait, and nothing be written", run.Status, r.board.writes.Load(), err)
	}
}

func refusalCode(err error) imprimatur.Code {
	var no *imprimatur.Refusal
	if errors.As(err, &no) {
		return no.Code
	}
	return ""
}

// Proves field 2.
func TestTheStateThatIsJudgedIsTheStateThatIsClaimed(t *testing.T) {
	t.Parallel()
	databases(t, func(t *testing.T, database string) {
		r := newRoom(t, database, raise)
		ctx := context.Background()
		r.board.meanwhile(func() {
			// Somebody else approves; the counter moved, so the turn comes back
			// with another picture, and waits again when petra's claim is made.
			r.board.count.Store(5)
			back, err := r.Decide(ctx, r.owner, r.run.ID, yes(r.card), patient)
			if err != nil || len(back.Stale) != 1 {
				t.Errorf("the turn should come back: %+v, %v", back, err)
			}
		})
		_, err := r.Decide(ctx, r.petra, r.run.ID, yes(r.card), patient)
		if got := refusalCode(err); got != imprimatur.CodeStalePicture {
			t.Errorf("an approval of the picture before gets %q (%v), want %q", got, err, imprimatur.CodeStalePicture)
		}
		r.waits(t)
	})
}

// Proves runtime 186.
func TestADeciderWhoIsDisabledInBetweenDecidesNothing(t *testing.T) {
	t.Parallel()
	databases(t, func(t *testing.T, database string) {
		r := newRoom(t, database, raise)
		ctx := context.Background()
		no := false
		r.board.meanwhile(func() {
			if _, err := r.store.ChangeUser(ctx, r.petra.User.ID, store.UserChange{Enabled: &no}); err != nil {
				t.Error(err)
			}
		})
		_, err := r.Decide(ctx, r.petra, r.run.ID, yes(r.card), patient)
		if refusalCode(err) == "" {
			t.Errorf("the approval of a disabled account gets %v, want a refusal", err)
		}
		r.waits(t)
	})
}

// Proves runtime 161.
func TestAnOwnerWhoIsDisabledInBetweenBringsTheTurnBack(t *testing.T) {
	t.Parallel()
	databases(t, func(t *testing.T, database string) {
		r := newRoom(t, database, raise)
		ctx := context.Background()
		no := false
		r.board.meanwhile(func() {
			if _, err := r.store.ChangeUser(ctx, r.owner.User.ID, store.UserChange{Enabled: &no}); err != nil {
				t.Error(err)
			}
		})
		run, err := r.Decide(ctx, r.petra, r.run.ID, yes(r.card), patient)
		if err != nil {
			t.Fatal(err)
		}
		if run.Status != imprimatur.StatusWaiting || len(run.Stale) != 1 || r.board.writes.Load() != 0 {
			t.Errorf("the run is %s with marks %v after %d writes; it should be back, and nothing be written for a disabled owner",
				run.Status, run.Stale, r.board.writes.Load())
		}
	})
}

// Between the second look and the write no lock is held: the tool compares, and
// says that what it would write to moved.

func TestAWriteThatMetAnotherStateBringsTheTurnBack(t *testing.T) {
	t.Parallel()
	databases(t, func(t *testing.T, database string) {
		r := newRoom(t, database, raise)
		ctx := context.Background()
		moved := func() bool { return r.board.count.Add(1) == 1 }
		r.board.enter.Store(&moved)
		run, err := r.Decide(ctx, r.petra, r.run.ID, yes(r.card), patient)
		if err != nil {
			t.Fatal(err)
		}
		want := []imprimatur.Mark{{Index: 0, ID: "first", Kind: imprimatur.MarkMoved}}
		if diff := cmp.Diff(want, run.Stale); diff != "" || run.Status != imprimatur.StatusWaiting {
			t.Errorf("the run is %s; marks (-want +got)\n%s", run.Status, diff)
		}
		r.waits(t)
		card, err := r.Card(ctx, r.petra, r.run.ID)
		if err != nil {
			t.Fatal(err)
		}
		if got := card.Calls[0].Preview.Lines[0].Text; got != "currently 1, then 2" {
			t.Errorf("the card says %q", got)
		}
		if run, err = r.Decide(ctx, r.petra, r.run.ID, yes(&card), patient); err != nil || run.Status != imprimatur.StatusCompleted || r.board.writes.Load() != 1 {
			t.Errorf("approved again, the run is %s after %d writes, %v", run.Status, r.board.writes.Load(), err)
		}
	})
}

func TestAWriteThatMovedWhereNothingShownDidGoesThrough(t *testing.T) {
	t.Parallel()
	databases(t, func(t *testing.T, database string) {
		r := newRoom(t, database, raise)
		moved := func() bool { return r.board.entered.Load() <= 3 }
		r.board.enter.Store(&moved)
		run, err := r.Decide(context.Background(), r.petra, r.run.ID, yes(r.card), patient)
		if err != nil || run.Status != imprimatur.StatusCompleted || r.board.writes.Load() != 1 || r.board.entered.Load() != 4 {
			t.Errorf("the run is %s after %d attempts and %d writes, %v", run.Status, r.board.entered.Load(), r.board.writes.Load(), err)
		}
	})
}

func TestAWriteThatNeverFindsWhatItReadBringsTheTurnBack(t *testing.T) {
	t.Parallel()
	databases(t, func(t *testing.T, database string) {
		r := newRoom(t, database, raise)
		always := func() bool { return true }
		r.board.enter.Store(&always)
		run, err := r.Decide(context.Background(), r.petra, r.run.ID, yes(r.card), patient)
		if err != nil || len(run.Stale) != 1 || run.Stale[0].Kind != imprimatur.MarkMoved || r.board.entered.Load() != 4 {
			t.Errorf("marks %v after %d attempts, %v", run.Stale, r.board.entered.Load(), err)
		}
		r.waits(t)
	})
}

func TestACallWhoseArgumentsWereRefusedNeverRuns(t *testing.T) {
	t.Parallel()
	databases(t, func(t *testing.T, database string) {
		r := newRoom(t, database, turns{{
			{ID: "twice", Name: "raise", Arguments: json.RawMessage(`{"a":1,"a":2}`)},
			{ID: "cut", Name: "raise", Arguments: json.RawMessage(`{"a":1`)},
			{ID: "good", Name: "raise", Arguments: json.RawMessage(`{"a":1}`)},
		}})
		for i, want := range []imprimatur.CallRefusal{imprimatur.RefusedDuplicate, imprimatur.RefusedNotJSON, ""} {
			if c := r.card.Calls[i]; (c.Refused != "") != (want != "") {
				t.Errorf("the card says about call %s: %q, want %q", c.ID, c.Refused, want)
			}
		}
		run, err := r.Decide(context.Background(), r.petra, r.run.ID, yes(r.card), patient)
		if err != nil || run.Status != imprimatur.StatusCompleted || r.board.entered.Load() != 1 {
			t.Errorf("the run is %s after %d executions, %v; only the call that was accepted may run", run.Status, r.board.entered.Load(), err)
		}
	})
}
