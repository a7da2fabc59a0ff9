package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/engine"
	"github.com/imprimatur-dev/imprimatur/internal/faultsql"
	"github.com/imprimatur-dev/imprimatur/model"
	"github.com/imprimatur-dev/imprimatur/model/scripted"
	"github.com/imprimatur-dev/imprimatur/store"
)

// watchtower looks, from inside a model call or a tool, at the row of the run
// that is being worked on.
type watchtower struct {
	store *store.Store

	mu   sync.Mutex
	seen []string // "place: kind effect"
	fail error    // the first that could not look
}

// awaitRenewals holds its caller up until the lease was renewed so many times,
// and notes who held it under which fence.
func (w *watchtower) awaitRenewals(place string, times int) {
	err := w.look(place, times)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.fail = errors.Join(w.fail, err)
}

func (w *watchtower) look(place string, times int) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	first, err := w.running(ctx)
	if err != nil {
		return err
	}
	w.mu.Lock()
	w.seen = append(w.seen, fmt.Sprintf("%s: %s %s", place, first.Claim.Kind(), first.Effect))
	w.mu.Unlock()
	for last := first; times > 0; {
		now, err := w.running(ctx)
		if err != nil {
			return err
		}
		if now.Claim != first.Claim || now.Effect != first.Effect {
			return fmt.Errorf("%s: the run was held by %s under %q, then by %s under %q", place, first.Claim, first.Effect, now.Claim, now.Effect)
		}
		if now.Lease > last.Lease {
			last, times = now, times-1
		}
	}
	return nil
}

func (w *watchtower) running(ctx context.Context) (store.Row, error) {
	var run string
	if err := w.store.Reader().QueryRowContext(ctx, "SELECT id FROM runs WHERE status = 'running'").Scan(&run); err != nil {
		return store.Row{}, fmt.Errorf("find the run: %w", err)
	}
	return w.store.Run(ctx, run)
}

// watched is a model that looks at the run before it answers.
type watched struct {
	model.Model
	tower *watchtower
	times int
}

func (m watched) Complete(ctx context.Context, req model.Request) (model.Response, error) {
	m.tower.awaitRenewals("model", m.times)
	return m.Model.Complete(ctx, req)
}

// peek is a read that nobody has to allow.
type peek struct {
	tower *watchtower
	times int
}

func (peek) Spec() imprimatur.Spec {
	return imprimatur.Spec{Name: "peek", Description: "Peeks.", Schema: json.RawMessage(`{"type":"object"}`)}
}
func (peek) Effect() imprimatur.Effect { return imprimatur.ReadOnly }
func (p peek) Execute(context.Context, imprimatur.Call) (imprimatur.Result, error) {
	p.tower.awaitRenewals("peek", p.times)
	return imprimatur.Result{Content: "peeked"}, nil
}

// longStamp is a write that takes its time.
type longStamp struct {
	*stamp
	tower *watchtower
	times int
}

func (s longStamp) Execute(ctx context.Context, call imprimatur.Call) (imprimatur.Result, error) {
	s.tower.awaitRenewals("stamp", s.times)
	return s.stamp.Execute(ctx, call)
}

const peekThenStamp = `
- turns:
    - calls: [{tool: peek, arguments: {}}]
    - calls: [{tool: stamp, arguments: {}}]
    - text: It is stamped.
`

// towered is a depot whose model and tools wait for so many renewals of the
// lease.
func towered(t *testing.T, database string, lease time.Duration, asks, reads, writes int) (*depot, *watchtower) {
	t.Helper()
	w := &watchtower{}
	d := &depot{bell: &bell{}}
	script, err := scripted.Load(strings.NewReader(peekThenStamp))
	if err != nil {
		t.Fatal(err)
	}
	count := &stamp{}
	d.office = newOffice(t, database, func(c *engine.Config) {
		w.store = c.Store
		c.Wake, c.Lease = d.bell.wake, lease
		c.Models = map[string]model.Model{"script": watched{script, w, asks}}
		c.Tools = []imprimatur.Tool{peek{w, reads}, longStamp{count, w, writes}}
	})
	d.stamp = count
	return d, w
}

// Proves runtime 29, 34, 35, 39.
func TestEachSegmentRenewsUnderItsOwnIdentity(t *testing.T) {
	t.Parallel()
	databases(t, func(t *testing.T, database string) {
		d, w := towered(t, database, time.Second, 1, 1, 1)
		d.waiting(t, "stamp it")
		run := d.enqueue(t, imprimatur.Start{Prompt: "stamp it"})
		got := d.work(t, run.ID, engine.WorkDone)
		over, err := d.Decide(t.Context(), d.chief, got.ID, yes(got.Card), patient)
		if err != nil || over.Status != imprimatur.StatusCompleted {
			t.Fatalf("it is %s, %v", over.Status, err)
		}
		want := []string{
			"model: interactive ", "peek: interactive ", "model: interactive ",
			"model: worker ", "peek: worker ", "model: worker ",
			"stamp: resume non_idempotent_write", "model: resume ",
		}
		if diff := cmp.Diff(want, w.seen); diff != "" || w.fail != nil {
			t.Errorf("who held the run, and under which fence (-want +got)\n%s%v", diff, w.fail)
		}
	})
}

// A write that takes longer than its lease keeps it, and nobody who looks for
// lapsed runs touches it.
//
// Proves field 32.
func TestAWriteLongerThanItsLeaseRunsOnce(t *testing.T) {
	t.Parallel()
	databases(t, func(t *testing.T, database string) {
		d, w := towered(t, database, 3*time.Second, 0, 0, 4)
		run := d.waiting(t, "stamp it")
		over, err := d.Decide(t.Context(), d.chief, run.ID, yes(run.Card), patient)
		if err != nil || over.Status != imprimatur.StatusCompleted || d.stamp.ran.Load() != 1 || w.fail != nil {
			t.Errorf("it is %s after %d writes, %v, %v", over.Status, d.stamp.ran.Load(), err, w.fail)
		}
		if got, err := d.Reap(t.Context(), 10); err != nil || got != (engine.Reaped{}) {
			t.Errorf("somebody found a lapsed run: %+v, %v", got, err)
		}
	})
}

// noticed calls seen when its message is logged.
type noticed struct {
	slog.Handler
	message string
	seen    func()
}

func (n noticed) Enabled(context.Context, slog.Level) bool { return true }
func (n noticed) Handle(_ context.Context, r slog.Record) error {
	if r.Message == n.message {
		n.seen()
	}
	return nil
}

// Proves runtime 32.
func TestARenewalThatFailsCountsAsLost(t *testing.T) {
	t.Parallel()
	databases(t, func(t *testing.T, database string) {
		tried := make(chan struct{})
		o := newOffice(t, database, func(c *engine.Config) {
			c.Lease, c.Models = time.Second, map[string]model.Model{"script": slow{tried}}
			c.Logger = slog.New(noticed{slog.DiscardHandler, "lease could not be renewed", sync.OnceFunc(func() { close(tried) })})
		})
		// The heartbeat fails once, and so does the renewal with the next step.
		o.faults.Arm(
			faultsql.Fault{Match: "UPDATE runs SET lease =", At: 1, Mode: faultsql.Before}, faultsql.Fault{Match: "UPDATE runs SET lease =", At: 2, Mode: faultsql.Before},
		)
		_, err := o.Run(t.Context(), o.owner, imprimatur.Start{Agent: "clerk", Prompt: "take your time"}, patient)
		o.isRefused(t, err, imprimatur.CodeLeaseLost)
		row := o.only(t)
		if row.Status != imprimatur.StatusRunning || row.Claim == "" || o.faults.Fired() != 2 {
			t.Errorf("whoever lost it left it %s, held by %q, after %d faults", row.Status, row.Claim, o.faults.Fired())
		}
		if kinds := o.kindsOf(t, row.ID); slices.Contains(kinds, imprimatur.EventModel) || slices.Contains(kinds, imprimatur.EventSettled) {
			t.Errorf("on record: %v", kinds)
		}
	})
}

// only is the one run that there is.
func (o *office) only(t *testing.T) store.Row {
	t.Helper()
	var run string
	if err := o.store.Reader().QueryRowContext(t.Context(), "SELECT id FROM runs").Scan(&run); err != nil {
		t.Fatal(err)
	}
	row, err := o.store.Run(t.Context(), run)
	if err != nil {
		t.Fatal(err)
	}
	return row
}

// unreachably is a model that does something and then cannot be reached.
type unreachably struct{ first func() }

func (m unreachably) Complete(context.Context, model.Request) (model.Response, error) {
	m.first()
	return model.Response{}, unreachable
}

// Proves runtime 49.
func TestARowThatCannotBeReadAgainIsNotTriedAgain(t *testing.T) {
	t.Parallel()
	databases(t, func(t *testing.T, database string) {
		d := &depot{bell: &bell{}}
		d.office = newOffice(t, database, func(c *engine.Config) {
			c.Wake = d.bell.wake
			c.Models = map[string]model.Model{"script": unreachably{func() {
				if _, err := d.store.Writer().ExecContext(context.Background(), "ALTER TABLE runs RENAME COLUMN requeued TO elsewhere"); err != nil {
					t.Error(err)
				}
			}}}
		})
		run := d.enqueue(t, imprimatur.Start{Prompt: "stamp it"})
		got := d.work(t, run.ID, engine.WorkDone)
		if got.Status != imprimatur.StatusFailed || got.Reason != imprimatur.ReasonRetriesExhausted {
			t.Errorf("it is %s, %s", got.Status, got.Reason)
		}
		if len(d.bell.rings) != 1 {
			t.Errorf("workers were woken: %v", d.bell.rings)
		}
	})
}

// Each statement by which a worker takes a run up fails once, in each way that
// a statement can. The run then waits for a worker or goes its way; no worker
// leaves it running behind.
//
// Proves runtime 72.
func TestARunThatCannotBeTakenUpIsNotLeftRunning(t *testing.T) {
	t.Parallel()
	for _, mode := range faultsql.Modes() {
		t.Run(mode.String(), func(t *testing.T) {
			t.Parallel()
			databases(t, func(t *testing.T, database string) {
				d := newDepot(t, database)
				first := d.enqueue(t, imprimatur.Start{Prompt: "stamp it"})
				d.faults.Arm()
				d.work(t, first.ID, engine.WorkDone)
				taken := slices.IndexFunc(d.faults.Statements(), func(s faultsql.Statement) bool { return s.Text == "COMMIT" })
				for at := 1; at <= taken+1; at++ {
					run := d.enqueue(t, imprimatur.Start{Prompt: "stamp it"})
					d.faults.Arm(faultsql.Fault{At: at, Mode: mode})
					_, err := d.Work(t.Context(), run.ID)
					fired := d.faults.Fired()
					d.faults.Disarm()
					row, look := d.store.Run(t.Context(), run.ID)
					if look != nil || fired != 1 {
						t.Fatalf("statement %d: %v, after %d faults", at, look, fired)
					}
					if left := row.Status == imprimatur.StatusRunning; left || (err != nil) != (row.Status == imprimatur.StatusQueued) {
						t.Errorf("statement %d: the run is %s, and the worker says %v", at, row.Status, err)
					}
				}
			})
		})
	}
}

// Proves runtime 62.
func TestALookForLapsedRunsWithoutALimitTouchesNothing(t *testing.T) {
	t.Parallel()
	databases(t, func(t *testing.T, database string) {
		d := newDepot(t, database)
		run := d.enqueue(t, imprimatur.Start{Prompt: "stamp it"})
		claim := imprimatur.NewClaim(imprimatur.ClaimWorker, "there", 1, "gone")
		if won, err := d.store.Take(t.Context(), run.ID, claim, -1000, nil); err != nil || !won {
			t.Fatal(won, err)
		}
		for _, limit := range []int{0, -1} {
			if got, err := d.Reap(t.Context(), limit); err == nil || got != (engine.Reaped{}) {
				t.Errorf("a limit of %d: %+v, %v", limit, got, err)
			}
		}
		if row := d.only(t); row.Claim != claim || row.Status != imprimatur.StatusRunning {
			t.Errorf("the run is %s, held by %q", row.Status, row.Claim)
		}
	})
}
