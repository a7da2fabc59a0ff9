package engine_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/engine"
	"github.com/imprimatur-dev/imprimatur/model"
)

// bell is a queue that rings and forgets: a test looks at the runs itself.
type bell struct {
	mu    sync.Mutex
	rings []string
	fail  error
}

func (b *bell) wake(ctx context.Context, tx *sql.Tx, run string, after time.Duration) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.fail != nil {
		return b.fail
	}
	b.rings = append(b.rings, run+" after "+after.String())
	_, err := tx.ExecContext(ctx, "SELECT 1") // it is still open
	return err
}

// shaky is a model that fails as often as its failures say, and then goes on as
// the one behind it does.
type shaky struct {
	model.Model
	mu       sync.Mutex
	failures []error
}

func (s *shaky) Complete(ctx context.Context, req model.Request) (model.Response, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.failures) > 0 {
		err := s.failures[0]
		s.failures = s.failures[1:]
		return model.Response{}, err
	}
	return s.Model.Complete(ctx, req)
}

// depot is an office with a queue.
type depot struct {
	*office
	bell  *bell
	model *shaky
}

func newDepot(t *testing.T, database string, failures ...error) *depot {
	t.Helper()
	d := &depot{bell: &bell{}, model: &shaky{failures: failures}}
	d.office = newOffice(t, database, func(c *engine.Config) {
		c.Wake = d.bell.wake
		d.model.Model = c.Models["script"]
		c.Models = map[string]model.Model{"script": d.model}
	})
	return d
}

func (d *depot) enqueue(t *testing.T, start imprimatur.Start) imprimatur.Run {
	t.Helper()
	start.Agent = "clerk"
	run, err := d.Enqueue(t.Context(), d.owner, start, imprimatur.Wait{})
	if err != nil || run.Status != imprimatur.StatusQueued || run.StartedAt != nil {
		t.Fatalf("run %+v, error %v: it should be queued", run, err)
	}
	return run
}

func (d *depot) work(t *testing.T, run string, want engine.Worked) imprimatur.Run {
	t.Helper()
	got, err := d.Work(t.Context(), run)
	if err != nil || got != want {
		t.Fatalf("work: %s, %v; want %s", got, err, want)
	}
	r, err := d.Status(t.Context(), d.chief, run)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// column reads one column of a run as text.
func (d *depot) column(t *testing.T, run, name string) string {
	t.Helper()
	var v any
	if err := d.store.Reader().QueryRowContext(t.Context(), "SELECT "+name+" FROM runs WHERE id = $1", run).Scan(&v); err != nil {
		t.Fatal(err)
	}
	if b, ok := v.([]byte); ok {
		return string(b)
	}
	return fmt.Sprint(v)
}

var (
	unreachable = &model.Error{Class: model.ClassConnection, Err: errors.New("no route to host")}
	puzzling    = &model.Error{Class: model.ClassUnknown, Err: errors.New("what")}
)

// Proves runtime 2, 213.
func TestAQueuedRunIsStoredSealedWithOneWakeUp(t *testing.T) {
	t.Parallel()
	databases(t, func(t *testing.T, database string) {
		d := newDepot(t, database)
		run := d.enqueue(t, imprimatur.Start{Prompt: "stamp it, please"})
		if diff := cmp.Diff([]string{run.ID + " after 0s"}, d.bell.rings); diff != "" {
			t.Error(diff)
		}
		if request := d.column(t, run.ID, "request"); request == "" || strings.Contains(request, "please") {
			t.Errorf("the request is kept as %q", request)
		}
		if d.column(t, run.ID, "claim") != "" || d.column(t, run.ID, "lease") != "0" {
			t.Error("somebody has it already")
		}
		if got := d.work(t, run.ID, engine.WorkDone); got.Status != imprimatur.StatusWaiting {
			t.Errorf("it is %s", got.Status)
		}
		if d.column(t, run.ID, "request") == "<nil>" {
			t.Error("a pause cleared the request")
		}
		card, err := d.Card(t.Context(), d.chief, run.ID)
		if err != nil {
			t.Fatal(err)
		}
		over, err := d.Decide(t.Context(), d.chief, run.ID, yes(&card), patient)
		if err != nil || over.Status != imprimatur.StatusCompleted || d.stamp.ran.Load() != 1 {
			t.Errorf("%s, %v, written %d times", over.Status, err, d.stamp.ran.Load())
		}
		if got := d.column(t, run.ID, "request"); got != "<nil>" {
			t.Errorf("the end left the request %q", got)
		}
	})
}

// Proves runtime 63, 64, 216.
func TestWhatCannotBeQueuedIsNotThere(t *testing.T) {
	t.Parallel()
	databases(t, func(t *testing.T, database string) {
		d := newDepot(t, database)
		d.bell.fail = errors.New("the queue is away")
		_, err := d.Enqueue(t.Context(), d.owner, imprimatur.Start{Agent: "clerk", Prompt: "stamp it"}, imprimatur.Wait{})
		d.isRefused(t, err, imprimatur.CodeStateUnavailable)
		var n int
		if err := d.store.Reader().QueryRowContext(t.Context(), "SELECT COUNT(*) FROM runs").Scan(&n); err != nil || n != 0 {
			t.Errorf("%d runs are there, %v", n, err)
		}
	})
	t.Run("no queue", func(t *testing.T) {
		t.Parallel()
		o := newOffice(t, "sqlite:"+t.TempDir()+"/office.db")
		_, err := o.Enqueue(t.Context(), o.owner, imprimatur.Start{Agent: "clerk", Prompt: "stamp it"}, imprimatur.Wait{})
		o.isRefused(t, err, imprimatur.CodeStateUnavailable)
	})
}

func (o *office) isRefused(t *testing.T, err error, code imprimatur.Code) {
	t.Helper()
	var no *imprimatur.Refusal
	if !errors.As(err, &no) || no.Code != code {
		t.Errorf("%v, want the refusal %s", err, code)
	}
}

// Proves runtime 3, 6.
func TestOneOfManyWorkersTakesARunUp(t *testing.T) {
	t.Parallel()
	databases(t, func(t *testing.T, database string) {
		d := newDepot(t, database)
		run := d.enqueue(t, imprimatur.Start{Prompt: "stamp it"})
		outcomes := make([]engine.Worked, 20)
		var all sync.WaitGroup
		for i := range outcomes {
			all.Go(func() { outcomes[i], _ = d.Work(t.Context(), run.ID) })
		}
		all.Wait()
		slices.Sort(outcomes)
		if outcomes[0] != engine.WorkDone || outcomes[1] != engine.WorkIdle {
			t.Errorf("outcomes %v", outcomes)
		}
		gone := d.enqueue(t, imprimatur.Start{Prompt: "stamp it"})
		if _, err := d.Cancel(t.Context(), d.owner, gone.ID); err != nil {
			t.Fatal(err)
		}
		if got := d.column(t, gone.ID, "request"); got != "<nil>" {
			t.Errorf("a cancel left the request %q", got)
		}
		if got := d.work(t, gone.ID, engine.WorkIdle); got.Status != imprimatur.StatusCancelled {
			t.Errorf("a cancelled run is %s", got.Status)
		}
		if got, err := d.Work(t.Context(), "nowhere"); err != nil || got != engine.WorkIdle {
			t.Errorf("a run that is not there: %s, %v", got, err)
		}
	})
}

// Proves runtime 42, 43, 45, 52, 53.
func TestARunStartsOverLaterAndLaterAndThenNoMore(t *testing.T) {
	t.Parallel()
	databases(t, func(t *testing.T, database string) {
		d := newDepot(t, database, unreachable, unreachable, unreachable, unreachable)
		run := d.enqueue(t, imprimatur.Start{Prompt: "stamp it"})
		for n, after := range []string{"30s", "1m0s", "2m0s"} {
			before := d.column(t, run.ID, "next_sequence")
			got := d.work(t, run.ID, engine.WorkRequeued)
			if got.Status != imprimatur.StatusQueued || d.column(t, run.ID, "requeued") != fmt.Sprint(n+1) || d.column(t, run.ID, "effect") != "" {
				t.Fatalf("it is %s, requeued %s times", got.Status, d.column(t, run.ID, "requeued"))
			}
			if ring := d.bell.rings[len(d.bell.rings)-1]; ring != run.ID+" after "+after {
				t.Errorf("it is worked on again as %q, want after %s", ring, after)
			}
			if now := d.column(t, run.ID, "next_sequence"); now <= before && len(now) <= len(before) {
				t.Errorf("the record goes on from %s to %s", before, now)
			}
		}
		got := d.work(t, run.ID, engine.WorkDone)
		if got.Status != imprimatur.StatusFailed || got.Reason != imprimatur.ReasonRetriesExhausted {
			t.Errorf("it is %s, %s", got.Status, got.Reason)
		}
	})
}

// Proves runtime 44, 51, 66.
func TestWhatIsNotWorthAnotherTryFails(t *testing.T) {
	t.Parallel()
	databases(t, func(t *testing.T, database string) {
		d := newDepot(t, database, puzzling, unreachable)
		run := d.enqueue(t, imprimatur.Start{Prompt: "stamp it"})
		if got := d.work(t, run.ID, engine.WorkDone); got.Status != imprimatur.StatusFailed || got.Reason != imprimatur.ReasonNotRetryable {
			t.Errorf("an unknown failure: %s, %s", got.Status, got.Reason)
		}
		direct, err := d.Run(t.Context(), d.owner, imprimatur.Start{Agent: "clerk", Prompt: "stamp it"}, patient)
		if err != nil || direct.Status != imprimatur.StatusFailed || direct.Reason != imprimatur.ReasonProviderFailed {
			t.Errorf("somebody waits for it: %s, %s, %v", direct.Status, direct.Reason, err)
		}
		run = d.enqueue(t, imprimatur.Start{Prompt: "stamp it"})
		if _, err := d.store.Writer().ExecContext(t.Context(), "UPDATE runs SET agent = 'retired' WHERE id = $1", run.ID); err != nil {
			t.Fatal(err)
		}
		if got := d.work(t, run.ID, engine.WorkDone); got.Status != imprimatur.StatusFailed || d.column(t, run.ID, "error_class") != "agent_gone" {
			t.Errorf("an agent that is gone: %s, %s", got.Status, d.column(t, run.ID, "error_class"))
		}
	})
}

// Proves runtime 67, 214.
func TestARequestThatCannotBeReadFailsTheRunAndStaysAsItIs(t *testing.T) {
	t.Parallel()
	databases(t, func(t *testing.T, database string) {
		d := newDepot(t, database)
		run, other := d.enqueue(t, imprimatur.Start{Prompt: "stamp it"}), d.enqueue(t, imprimatur.Start{Prompt: "look"})
		// A request of another run does not open under this one's name.
		_, err := d.store.Writer().ExecContext(t.Context(), "UPDATE runs SET request = (SELECT request FROM runs WHERE id = $1) WHERE id = $2", other.ID, run.ID)
		if err != nil {
			t.Fatal(err)
		}
		before := d.column(t, run.ID, "request")
		got := d.work(t, run.ID, engine.WorkDone)
		if got.Status != imprimatur.StatusFailed || got.Reason != imprimatur.ReasonNotRetryable || d.column(t, run.ID, "error_class") != "corrupt_request" {
			t.Errorf("it is %s, %s, %s", got.Status, got.Reason, d.column(t, run.ID, "error_class"))
		}
		if !bytes.Equal([]byte(before), []byte(d.column(t, run.ID, "request"))) {
			t.Error("the bytes that nobody can read are gone")
		}
		if d.stamp.ran.Load()+d.look.ran.Load() > 0 {
			t.Error("something was executed")
		}
	})
}

// Proves runtime 68.
func TestAQueuedRunKeepsToWhatItWasAskedFor(t *testing.T) {
	t.Parallel()
	databases(t, func(t *testing.T, database string) {
		d := newDepot(t, database)
		run := d.enqueue(t, imprimatur.Start{Prompt: "stamp it", Tools: &[]string{}, Key: "once", Body: []byte("body")})
		got := d.work(t, run.ID, engine.WorkDone)
		if got.Status != imprimatur.StatusCompleted || d.stamp.ran.Load() > 0 {
			t.Errorf("a run without tools is %s, and wrote %d times", got.Status, d.stamp.ran.Load())
		}
		again, err := d.Enqueue(t.Context(), d.owner, imprimatur.Start{Agent: "clerk", Prompt: "stamp it", Key: "once", Body: []byte("body")}, imprimatur.Wait{})
		if err != nil || again.ID != run.ID || len(d.bell.rings) != 1 {
			t.Errorf("the same key made %s, %v, and rang %d times", again.ID, err, len(d.bell.rings))
		}
	})
}

// Proves runtime 54, 55, 61.
func TestTheReaperLetsAWorkersRunStartOverAndSaysWhatItDid(t *testing.T) {
	t.Parallel()
	databases(t, func(t *testing.T, database string) {
		d := newDepot(t, database)
		lapse := func(requeued int) string {
			run := d.enqueue(t, imprimatur.Start{Prompt: "stamp it"})
			claim := imprimatur.NewClaim(imprimatur.ClaimWorker, "there", 1, run.ID[:8])
			if won, err := d.store.Take(t.Context(), run.ID, claim, -1000, nil); err != nil || !won {
				t.Fatal(won, err)
			}
			if _, err := d.store.Writer().ExecContext(t.Context(), "UPDATE runs SET requeued = $1 WHERE id = $2", requeued, run.ID); err != nil {
				t.Fatal(err)
			}
			return run.ID
		}
		again, over := lapse(0), lapse(3)
		d.waiting(t, "stamp it")
		d.bell.rings = nil
		got, err := d.Reap(t.Context(), 10)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(engine.Reaped{Requeued: 1, Buried: 1}, got); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff([]string{again + " after 0s"}, d.bell.rings); diff != "" {
			t.Error(diff)
		}
		if got := d.column(t, over, "reason"); got != string(imprimatur.ReasonRetriesExhausted) {
			t.Errorf("the one that was lost too often: %s", got)
		}
		if got := d.work(t, again, engine.WorkDone); got.Status != imprimatur.StatusWaiting {
			t.Errorf("the other is %s", got.Status)
		}
	})
}

func TestWhoeverWaitsForAQueuedRunHearsOfItsEnd(t *testing.T) {
	t.Parallel()
	databases(t, func(t *testing.T, database string) {
		d := newDepot(t, database)
		begun := make(chan string, 1)
		go func() { _, _ = d.Work(context.Background(), <-begun) }()
		run, err := d.Enqueue(t.Context(), d.owner, imprimatur.Start{Agent: "clerk", Prompt: "stamp it"}, imprimatur.Wait{
			For: time.Minute, Begun: func(run string) { begun <- run },
		})
		if err != nil || run.Status != imprimatur.StatusWaiting {
			t.Errorf("it is %s, %v", run.Status, err)
		}
	})
}

// The claim of a worker and its wake-up are what a queued cycle takes more than
// one that somebody waits for.
func TestAQueuedCycleTakesAtMostThreeCommitsMore(t *testing.T) {
	t.Parallel()
	databases(t, func(t *testing.T, database string) {
		d := newDepot(t, database)
		d.faults.Arm()
		run := d.work(t, d.enqueue(t, imprimatur.Start{Prompt: "stamp it"}).ID, engine.WorkDone)
		got, err := d.Decide(t.Context(), d.chief, run.ID, yes(run.Card), patient)
		if err != nil || got.Status != imprimatur.StatusCompleted {
			t.Fatalf("%s, %v", got.Status, err)
		}
		if n := d.faults.Commits(); n > 9 {
			t.Errorf("it took %d commits", n)
		} else {
			t.Logf("it took %d commits", n)
		}
	})
}
