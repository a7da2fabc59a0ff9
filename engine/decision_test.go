package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/engine"
	"github.com/imprimatur-dev/imprimatur/internal/faultsql"
	"github.com/imprimatur-dev/imprimatur/internal/pgtest"
	"github.com/imprimatur-dev/imprimatur/internal/seal"
	"github.com/imprimatur-dev/imprimatur/model"
	"github.com/imprimatur-dev/imprimatur/model/scripted"
	"github.com/imprimatur-dev/imprimatur/policy"
	"github.com/imprimatur-dev/imprimatur/store"
)

// stamp is a write that cannot be repeated: it counts how often it ran.
type stamp struct{ ran atomic.Int64 }

func (*stamp) Spec() imprimatur.Spec {
	return imprimatur.Spec{Name: "stamp", Description: "Stamps.", Schema: json.RawMessage(`{"type":"object"}`)}
}
func (*stamp) Effect() imprimatur.Effect { return imprimatur.NonIdempotentWrite }
func (s *stamp) Execute(context.Context, imprimatur.Call) (imprimatur.Result, error) {
	s.ran.Add(1)
	return imprimatur.Result{Content: "stamped"}, nil
}

// look is a read that waits for a person all the same.
type look struct{ stamp }

func (*look) Spec() imprimatur.Spec {
	return imprimatur.Spec{Name: "look", Description: "Looks.", Schema: json.RawMessage(`{"type":"object"}`)}
}
func (*look) Effect() imprimatur.Effect { return imprimatur.ReadOnly }
func (*look) RequiresApproval() bool    { return true }

const decisionScript = `
- when: twice
  turns:
    - calls: [{tool: stamp, arguments: {n: 1}}, {tool: stamp, arguments: {n: 2}}]
    - text: Both are stamped.
- when: look
  turns:
    - calls: [{tool: look, arguments: {}}]
    - text: I looked.
- turns:
    - calls: [{tool: stamp, arguments: {}}]
    - text: It is stamped.
`

// office is an engine over a database that can be made to fail.
type office struct {
	*engine.Engine
	store  *store.Store
	faults *faultsql.Injector
	stamp  *stamp
	look   *look
	config engine.Config // of its engine
	keyset []byte
	owner  imprimatur.Actor
	chief  imprimatur.Actor
}

// databases are the two that every decision is tested on.
func databases(t *testing.T, test func(t *testing.T, database string)) {
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		test(t, "sqlite:"+filepath.Join(t.TempDir(), "office.db"))
	})
	t.Run("postgresql", func(t *testing.T) {
		t.Parallel()
		test(t, pgtest.Start(t))
	})
}

// newOffice opens the office; change sees how its engine is set up before it
// starts.
func newOffice(t testing.TB, database string, change ...func(*engine.Config)) *office {
	t.Helper()
	keyset, err := seal.NewKeyset()
	if err != nil {
		t.Fatal(err)
	}
	o := &office{faults: &faultsql.Injector{}, stamp: &stamp{}, look: &look{}, keyset: keyset}
	ctx := context.Background()
	o.store, err = store.Open(ctx, store.Config{Database: database, Keyset: keyset, Connector: o.faults.WrapFirst, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := o.store.Close(); err != nil {
			t.Error(err)
		}
	})
	o.owner = person(t, o.store, store.NewUser{Name: "Jana Roth", Lang: "de"})
	o.chief = person(t, o.store, store.NewUser{Name: "Petra Lang", Lang: "en", Admin: true})
	script, err := scripted.Load(strings.NewReader(decisionScript))
	if err != nil {
		t.Fatal(err)
	}
	rules, err := policy.New(policy.Config{})
	if err != nil {
		t.Fatal(err)
	}
	c := engine.Config{
		Store: o.store, Models: map[string]model.Model{"script": script}, Policy: rules,
		Agents: []imprimatur.Agent{{Name: "clerk", Model: "script"}},
		Tools:  []imprimatur.Tool{o.stamp, o.look}, Logger: slog.New(slog.DiscardHandler),
	}
	for _, set := range change {
		set(&c)
	}
	o.config = c
	o.Engine, err = engine.New(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := o.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return o
}

func person(t testing.TB, s *store.Store, n store.NewUser) imprimatur.Actor {
	t.Helper()
	u, err := s.AddUser(context.Background(), n)
	if err != nil {
		t.Fatal(err)
	}
	return imprimatur.Actor{Credential: imprimatur.CredentialSession, User: u, Lang: u.Lang}
}

var patient = imprimatur.Wait{For: time.Minute}

// waiting starts a run and returns it where it waits.
func (o *office) waiting(t testing.TB, prompt string) imprimatur.Run {
	t.Helper()
	run, err := o.Run(context.Background(), o.owner, imprimatur.Start{Agent: "clerk", Prompt: prompt}, patient)
	if err != nil || run.Status != imprimatur.StatusWaiting {
		t.Fatalf("run %+v, error %v: it should wait", run, err)
	}
	return run
}

func yes(c *imprimatur.Card) imprimatur.Decision {
	return imprimatur.Decision{Verdict: imprimatur.Approve, TurnDigest: c.TurnDigest, PictureDigest: c.PictureDigest}
}

func no(c *imprimatur.Card) imprimatur.Decision {
	return imprimatur.Decision{Verdict: imprimatur.Deny, TurnDigest: c.TurnDigest}
}

// approvals counts the decisions on record.
func (o *office) approvals(t *testing.T, run string) int {
	t.Helper()
	events, err := o.Events(context.Background(), o.chief, run, -1)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, e := range events {
		if e.Kind == imprimatur.EventApproval {
			n++
		}
	}
	return n
}

// decisionStatements counts the statements of the decision transaction, from
// its begin to its commit.
func (o *office) decisionStatements(t *testing.T, prompt string, decide func(*imprimatur.Card) imprimatur.Decision) int {
	t.Helper()
	run := o.waiting(t, prompt)
	o.faults.Arm()
	if _, err := o.Decide(context.Background(), o.chief, run.ID, decide(run.Card), patient); err != nil {
		t.Fatal(err)
	}
	for i, s := range o.faults.Statements() {
		if s.Text == "COMMIT" {
			return i + 1
		}
	}
	t.Fatal("the decision did not commit")
	return 0
}

// Proves runtime 120, 128, 130; field 86; tools 152.
func TestNoFaultInTheDecisionLeavesHalfOfIt(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		prompt string
		decide func(*imprimatur.Card) imprimatur.Decision
		runs   int64
	}{
		"approval of a write": {"stamp it", yes, 1},
		"approval of a read":  {"look at it", yes, 0},
		"denial":              {"stamp it", no, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			databases(t, func(t *testing.T, database string) {
				o := newOffice(t, database)
				for n := range o.decisionStatements(t, c.prompt, c.decide) {
					for _, mode := range faultsql.Modes() {
						o.failDecision(t, c.prompt, c.decide, c.runs, faultsql.Fault{At: n + 1, Mode: mode})
					}
				}
			})
		})
	}
}

// failDecision lets one statement of a decision fail and then looks whether
// the decision happened whole or not at all, and can still be taken.
func (o *office) failDecision(t *testing.T, prompt string, decide func(*imprimatur.Card) imprimatur.Decision, runs int64, f faultsql.Fault) {
	t.Helper()
	run := o.waiting(t, prompt)
	before, err := o.store.Run(context.Background(), run.ID)
	if err != nil {
		t.Fatal(err)
	}
	ran := o.stamp.ran.Load()
	o.faults.Arm(f)
	_, err = o.Decide(context.Background(), o.chief, run.ID, decide(run.Card), patient)
	fired := o.faults.Fired()
	o.faults.Disarm()
	at := fmt.Sprintf("statement %d, %s", f.At, f.Mode)
	if fired != 1 {
		t.Fatalf("%s: %d faults fired", at, fired)
	}
	if err != nil {
		var refused *imprimatur.Refusal
		if !errors.As(err, &refused) || refused.Code != imprimatur.CodeStateUnavailable && refused.Code != imprimatur.CodeNotAuditable {
			t.Errorf("%s: the answer was %v", at, err)
		}
		after, err := o.store.Run(context.Background(), run.ID)
		if err != nil {
			t.Fatal(err)
		}
		// A refused decision may leave one word in the record, and nothing else.
		after.NextSequence = before.NextSequence
		if after.Status != imprimatur.StatusWaiting || after.Claim != "" || after.Lease != 0 || fmt.Sprint(after) != fmt.Sprint(before) {
			t.Errorf("%s: the run was left as %+v, it was %+v", at, after, before)
		}
		if o.stamp.ran.Load() != ran || o.approvals(t, run.ID) != 0 {
			t.Errorf("%s: a decision that was not taken ran %d writes and left %d on record", at, o.stamp.ran.Load()-ran, o.approvals(t, run.ID))
		}
		if _, err := o.Decide(context.Background(), o.chief, run.ID, decide(run.Card), patient); err != nil {
			t.Errorf("%s: the decision could not be taken again: %v", at, err)
		}
	}
	if got := o.stamp.ran.Load() - ran; got != runs || o.approvals(t, run.ID) != 1 {
		t.Errorf("%s: %d writes ran, want %d; %d decisions on record", at, got, runs, o.approvals(t, run.ID))
	}
}

// Proves runtime 130, 131, 178; tools 152; field 86.
func TestOnlyAnApprovedWriteNeedsItsDecisionOnRecord(t *testing.T) {
	t.Parallel()
	databases(t, func(t *testing.T, database string) {
		o := newOffice(t, database)
		refuseEvents(t, o.store, database, "approval")
		write, read, denied := o.waiting(t, "stamp it"), o.waiting(t, "look at it"), o.waiting(t, "stamp it")

		_, err := o.Decide(context.Background(), o.chief, write.ID, yes(write.Card), patient)
		var refused *imprimatur.Refusal
		if !errors.As(err, &refused) || refused.Code != imprimatur.CodeNotAuditable || refused.Card == nil {
			t.Errorf("approval of a write: %v", err)
		}
		if got, err := o.Status(context.Background(), o.owner, write.ID); err != nil || got.Status != imprimatur.StatusWaiting {
			t.Errorf("the write was left %s, %v", got.Status, err)
		}
		for name, c := range map[string]struct {
			run imprimatur.Run
			d   imprimatur.Decision
		}{"approval of a read": {read, yes(read.Card)}, "denial": {denied, no(denied.Card)}} {
			got, err := o.Decide(context.Background(), o.chief, c.run.ID, c.d, patient)
			if err != nil || got.Status != imprimatur.StatusCompleted || o.approvals(t, c.run.ID) != 0 {
				t.Errorf("%s: %s, %v, %d on record", name, got.Status, err, o.approvals(t, c.run.ID))
			}
		}
		if o.stamp.ran.Load() != 0 || o.look.ran.Load() != 1 {
			t.Errorf("%d writes and %d reads ran", o.stamp.ran.Load(), o.look.ran.Load())
		}
	})
}

// refuseEvents makes the database refuse events of one kind, as a violated
// constraint.
func refuseEvents(t *testing.T, s *store.Store, database, kind string) {
	t.Helper()
	statements := []string{fmt.Sprintf(`CREATE TRIGGER refuse_%s BEFORE INSERT ON events WHEN NEW.kind = '%s' BEGIN SELECT RAISE(ABORT, 'refused'); END`, kind, kind)}
	if strings.HasPrefix(database, "postgres") {
		statements = []string{
			fmt.Sprintf(`CREATE FUNCTION refuse_%s() RETURNS trigger AS $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = 'check_violation'; END $$ LANGUAGE plpgsql`, kind),
			fmt.Sprintf(`CREATE TRIGGER refuse_%s BEFORE INSERT ON events FOR EACH ROW WHEN (NEW.kind = '%s') EXECUTE FUNCTION refuse_%s()`, kind, kind, kind),
		}
	}
	for _, q := range statements {
		if _, err := s.Writer().ExecContext(context.Background(), q); err != nil {
			t.Fatal(err)
		}
	}
}

// Proves field 59.
func TestARequestThatIsCancelledInTheMiddleDecidesWholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	databases(t, func(t *testing.T, database string) {
		o := newOffice(t, database)
		for n := range o.decisionStatements(t, "stamp it", yes) {
			run := o.waiting(t, "stamp it")
			ran := o.stamp.ran.Load()
			ctx, cancel := context.WithCancel(context.Background())
			o.faults.Arm(faultsql.Fault{At: n + 1, Mode: faultsql.Cancel, Do: cancel})
			_, err := o.Decide(ctx, o.chief, run.ID, yes(run.Card), patient)
			cancel()
			o.faults.Disarm()
			if err != nil {
				t.Errorf("statement %d: %v", n+1, err)
			}
			got := o.ended(t, run.ID)
			if got.Status != imprimatur.StatusCompleted || o.stamp.ran.Load()-ran != 1 || o.approvals(t, run.ID) != 1 {
				t.Errorf("statement %d: the run is %s, %d writes ran, %d decisions on record", n+1, got.Status, o.stamp.ran.Load()-ran, o.approvals(t, run.ID))
			}
		}
	})
}

// ended returns a run once it has ended; its segment may still be at work.
func (o *office) ended(t *testing.T, run string) imprimatur.Run {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	changes, err := o.Watch(ctx, o.chief)
	if err != nil {
		t.Fatal(err)
	}
	for {
		r, err := o.Status(context.Background(), o.chief, run)
		if err != nil || r.Status.Final() {
			return r
		}
		if _, open := <-changes; !open {
			t.Fatalf("run %s is still %s", run, r.Status)
		}
	}
}

func TestAnApprovalCycleTakesAtMostSixDurableCommits(t *testing.T) {
	t.Parallel()
	databases(t, func(t *testing.T, database string) {
		o := newOffice(t, database)
		for prompt, most := range map[string]int{"stamp it": 6, "stamp it twice": 7} {
			o.faults.Arm()
			run := o.waiting(t, prompt)
			got, err := o.Decide(context.Background(), o.chief, run.ID, yes(run.Card), patient)
			if err != nil || got.Status != imprimatur.StatusCompleted {
				t.Fatalf("%q: %s, %v", prompt, got.Status, err)
			}
			if n := o.faults.Commits(); n > most {
				t.Errorf("%q took %d commits, at most %d are allowed", prompt, n, most)
			}
		}
	})
}
