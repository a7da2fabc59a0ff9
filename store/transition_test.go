package store_test

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/store"
)

const (
	hour   = int64(time.Hour / time.Millisecond)
	lapsed = -1000 // a lease that ended a second ago
)

var (
	mine   = imprimatur.NewClaim(imprimatur.ClaimInteractive, "here", 1, "mine")
	other  = imprimatur.NewClaim(imprimatur.ClaimResume, "there", 2, "other")
	approv = imprimatur.NewClaim(imprimatur.ClaimResume, "here", 1, "approval")
	denial = imprimatur.NewClaim(imprimatur.ClaimDeny, "here", 1, "denial")
	worker = imprimatur.NewClaim(imprimatur.ClaimWorker, "here", 1, "worker")
)

// turn is one pending write.
func turn() imprimatur.Suspended {
	calls := []imprimatur.ToolCall{{ID: "call-1-1", Name: "stamp", Identity: "builtin/stamp/1", Arguments: json.RawMessage(`{}`)}}
	return imprimatur.Suspended{
		Messages: []imprimatur.Message{{Role: imprimatur.FromUser, Text: "go"}, {Role: imprimatur.FromAssistant, Calls: calls}},
		Calls:    calls, Rounds: 1,
	}
}

// A place is a state a run can be in, and how it gets there. The claim is the
// one that holds it, if any.
type place struct {
	name  string
	claim imprimatur.Claim
	reach func(t *testing.T, s *store.Store, run string)
}

func begin(t *testing.T, s *store.Store, run string, lease int64) {
	t.Helper()
	if _, err := s.Begin(t.Context(), store.Begun{ID: run, Agent: "clerk", Owner: imprimatur.By{ID: 1, Name: "Jana"}, Claim: mine, Lease: lease}); err != nil {
		t.Fatal(err)
	}
}

// must fails the test unless a transition found its run.
func must(t *testing.T, won bool, err error) {
	t.Helper()
	if err != nil || !won {
		t.Fatalf("transition: %v, %v", won, err)
	}
}

func wait(t *testing.T, s *store.Store, run string) {
	t.Helper()
	begin(t, s, run, hour)
	won, err := s.Pause(t.Context(), store.Pausing{Run: run, Claim: mine, State: turn()})
	must(t, won, err)
}

func claimed(t *testing.T, s *store.Store, run string, claim imprimatur.Claim, lease int64) {
	t.Helper()
	wait(t, s, run)
	won, err := take(t.Context(), s, run, claim, lease)
	must(t, won, err)
}

func take(ctx context.Context, s *store.Store, run string, claim imprimatur.Claim, lease int64) (won bool, err error) {
	err = s.Decide(ctx, func(ctx context.Context, d *store.Deciding) error {
		var err error
		_, won, err = d.Claim(ctx, run, claim, lease)
		return err
	})
	return won, err
}

func stamp(t *testing.T, s *store.Store, run string, claim imprimatur.Claim, effect imprimatur.Effect, lease int64) {
	t.Helper()
	won, err := s.Stamp(t.Context(), store.Stamping{
		Run: run, Claim: claim, Lease: lease, Effect: effect,
		Start: imprimatur.StartPayload{Call: "call-1-1", Tool: "stamp", Effect: effect},
	})
	must(t, won, err)
}

func settled(status imprimatur.Status) func(*testing.T, *store.Store, string) {
	return func(t *testing.T, s *store.Store, run string) {
		t.Helper()
		begin(t, s, run, hour)
		won, err := s.Settle(t.Context(), store.Settling{Run: run, Claim: mine, Status: status, Reason: imprimatur.ReasonCompleted})
		must(t, won, err)
	}
}

func forced(status imprimatur.Status) func(*testing.T, *store.Store, string) {
	return func(t *testing.T, s *store.Store, run string) {
		t.Helper()
		begin(t, s, run, hour)
		err := s.Write(t.Context(), func(ctx context.Context, tx *sql.Tx, _ int64) error {
			_, err := tx.ExecContext(ctx, "UPDATE runs SET status = $1, claim = '', lease = 0 WHERE id = $2", string(status), run)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// nobody wakes nobody.
func nobody(context.Context, *sql.Tx) error { return nil }

func enqueue(t *testing.T, s *store.Store, run string) {
	t.Helper()
	_, err := s.Enqueue(t.Context(), store.Enqueued{
		ID: run, Agent: "clerk", Owner: imprimatur.By{ID: 1, Name: "Jana"}, Request: imprimatur.Request{Prompt: "go"}, Wake: nobody,
	})
	if err != nil {
		t.Fatal(err)
	}
}

// worked is a run that a worker has, after it was lost so many times.
func worked(t *testing.T, s *store.Store, run string, lease int64, lost int) {
	t.Helper()
	enqueue(t, s, run)
	for range lost {
		won, err := s.Take(t.Context(), run, worker, hour, nil)
		must(t, won, err)
		won, err = s.Requeue(t.Context(), store.Requeuing{Run: run, Claim: worker, Wake: nobody})
		must(t, won, err)
	}
	won, err := s.Take(t.Context(), run, worker, lease, nil)
	must(t, won, err)
}

// wrote is worked, and a write was begun; it is also over where done.
func wrote(effect imprimatur.Effect, done bool) func(*testing.T, *store.Store, string) {
	return func(t *testing.T, s *store.Store, run string) {
		t.Helper()
		worked(t, s, run, hour, 0)
		stamp(t, s, run, worker, effect, lapsed)
		if done {
			if held, err := s.Record(t.Context(), store.Recording{Run: run, Claim: worker, Lease: lapsed}); err != nil || held != store.HeldByMe {
				t.Fatalf("record: %v, %v", held, err)
			}
		}
	}
}

func places() []place {
	return []place{
		{"running", mine, func(t *testing.T, s *store.Store, run string) { begin(t, s, run, hour) }},
		{"lapsed", mine, func(t *testing.T, s *store.Store, run string) { begin(t, s, run, lapsed) }},
		{"approved", approv, func(t *testing.T, s *store.Store, run string) { claimed(t, s, run, approv, hour) }},
		{"approved, lapsed", approv, func(t *testing.T, s *store.Store, run string) { claimed(t, s, run, approv, lapsed) }},
		{"denied, lapsed", denial, func(t *testing.T, s *store.Store, run string) { claimed(t, s, run, denial, lapsed) }},
		{"approved, lapsed in a write", approv, func(t *testing.T, s *store.Store, run string) {
			claimed(t, s, run, approv, hour)
			stamp(t, s, run, approv, imprimatur.NonIdempotentWrite, lapsed)
		}},
		{"approved, lapsed after a write", approv, func(t *testing.T, s *store.Store, run string) {
			claimed(t, s, run, approv, hour)
			stamp(t, s, run, approv, imprimatur.IdempotentWrite, hour)
			if held, err := s.Record(t.Context(), store.Recording{Run: run, Claim: approv, Lease: lapsed}); err != nil || held != store.HeldByMe {
				t.Fatalf("record: %v, %v", held, err)
			}
		}},
		{"waiting", "", wait},
		{"queued", "", enqueue},
		{"worked", worker, func(t *testing.T, s *store.Store, run string) { worked(t, s, run, hour, 0) }},
		{"worked, lapsed", worker, func(t *testing.T, s *store.Store, run string) { worked(t, s, run, lapsed, store.MaxRequeues-1) }},
		{"worked, lapsed too often", worker, func(t *testing.T, s *store.Store, run string) { worked(t, s, run, lapsed, store.MaxRequeues) }},
		{"worked, lapsed in a repeatable write", worker, wrote(imprimatur.IdempotentWrite, false)},
		{"worked, lapsed in a write", worker, wrote(imprimatur.NonIdempotentWrite, false)},
		{"worked, lapsed after a write", worker, wrote(imprimatur.NonIdempotentWrite, true)},
		{"waiting for input", "", forced(imprimatur.StatusInput)},
		{"completed", "", settled(imprimatur.StatusCompleted)},
		{"failed", "", settled(imprimatur.StatusFailed)},
		{"cancelled", "", func(t *testing.T, s *store.Store, run string) {
			begin(t, s, run, hour)
			won, err := s.Cancel(t.Context(), run, imprimatur.By{ID: 1, Name: "Jana"})
			must(t, won, err)
		}},
	}
}

// A move is one guarded update, and the places from which it may lead on. The
// claim it carries is the one that holds the run, or, by a stranger, another.
type move struct {
	name string
	from []string
	try  func(ctx context.Context, s *store.Store, run string, claim imprimatur.Claim) (bool, error)
}

func moves() []move {
	held := []string{
		"running", "lapsed", "approved", "approved, lapsed", "denied, lapsed", "approved, lapsed in a write", "approved, lapsed after a write",
		"worked", "worked, lapsed", "worked, lapsed too often", "worked, lapsed in a repeatable write", "worked, lapsed in a write", "worked, lapsed after a write",
	}
	again := []string{"worked, lapsed", "worked, lapsed in a repeatable write"}
	pause := func(ctx context.Context, s *store.Store, run string, claim imprimatur.Claim) (bool, error) {
		return s.Pause(ctx, store.Pausing{Run: run, Claim: claim, State: turn()})
	}
	settle := func(ctx context.Context, s *store.Store, run string, claim imprimatur.Claim) (bool, error) {
		return s.Settle(ctx, store.Settling{Run: run, Claim: claim, Status: imprimatur.StatusFailed, Reason: imprimatur.ReasonProviderFailed, Text: "late"})
	}
	fence := func(ctx context.Context, s *store.Store, run string, claim imprimatur.Claim) (bool, error) {
		return s.Stamp(ctx, store.Stamping{Run: run, Claim: claim, Lease: hour, Effect: imprimatur.NonIdempotentWrite})
	}
	renew := func(ctx context.Context, s *store.Store, run string, claim imprimatur.Claim) (bool, error) {
		steps := []store.Draft{{Kind: imprimatur.EventRequest, Payload: imprimatur.RequestPayload{Round: 1}}}
		return s.Renew(ctx, run, claim, 2*hour, steps)
	}
	requeue := func(ctx context.Context, s *store.Store, run string, claim imprimatur.Claim) (bool, error) {
		return s.Requeue(ctx, store.Requeuing{Run: run, Claim: cmp.Or(claim, other), Wake: nobody})
	}
	stranger := func(try func(context.Context, *store.Store, string, imprimatur.Claim) (bool, error)) func(context.Context, *store.Store, string, imprimatur.Claim) (bool, error) {
		return func(ctx context.Context, s *store.Store, run string, _ imprimatur.Claim) (bool, error) {
			return try(ctx, s, run, other)
		}
	}
	return []move{
		{"pause", held, pause},
		{"pause by a stranger", nil, stranger(pause)},
		{"settle", held, settle},
		{"settle by a stranger", nil, stranger(settle)},
		{"fence", held, fence},
		{"fence by a stranger", nil, stranger(fence)},
		{"renew", held, renew},
		{"renew by a stranger", nil, stranger(renew)},
		{"claim", []string{"waiting"}, func(ctx context.Context, s *store.Store, run string, _ imprimatur.Claim) (bool, error) {
			return take(ctx, s, run, other, hour)
		}},
		{"cancel", append([]string{"waiting", "queued", "waiting for input"}, held...), func(ctx context.Context, s *store.Store, run string, _ imprimatur.Claim) (bool, error) {
			return s.Cancel(ctx, run, imprimatur.By{ID: 1, Name: "Jana"})
		}},
		{"return", []string{"approved, lapsed"}, func(ctx context.Context, s *store.Store, run string, _ imprimatur.Claim) (bool, error) {
			return s.Return(ctx, run)
		}},
		{
			"bury",
			[]string{
				"lapsed", "approved, lapsed", "denied, lapsed", "approved, lapsed in a write", "approved, lapsed after a write",
				"worked, lapsed", "worked, lapsed too often", "worked, lapsed in a repeatable write", "worked, lapsed in a write", "worked, lapsed after a write",
			},
			func(ctx context.Context, s *store.Store, run string, _ imprimatur.Claim) (bool, error) {
				return s.Bury(ctx, run)
			},
		},
		{"take", []string{"queued"}, func(ctx context.Context, s *store.Store, run string, _ imprimatur.Claim) (bool, error) {
			return s.Take(ctx, run, other, hour, nil)
		}},
		{"requeue", append([]string{"worked"}, again...), requeue},
		{"requeue by a stranger", nil, stranger(requeue)},
		{"start over", again, func(ctx context.Context, s *store.Store, run string, _ imprimatur.Claim) (bool, error) {
			return s.Requeue(ctx, store.Requeuing{Run: run, Wake: nobody})
		}},
	}
}

// whole returns every column of a run and the number of its events.
func whole(t *testing.T, s *store.Store, run string) map[string]string {
	t.Helper()
	columns := map[string]string{}
	err := s.Write(t.Context(), func(ctx context.Context, tx *sql.Tx, _ int64) error {
		rows, err := tx.QueryContext(ctx, "SELECT r.*, (SELECT COUNT(*) FROM events e WHERE e.run = r.id) AS events FROM runs r WHERE r.id = $1", run)
		if err != nil {
			return err
		}
		defer rows.Close()
		names, err := rows.Columns()
		if err != nil {
			return err
		}
		values := make([]any, len(names))
		for i := range values {
			values[i] = new(any)
		}
		for rows.Next() {
			if err := rows.Scan(values...); err != nil {
				return err
			}
			for i, name := range names {
				columns[name] = fmt.Sprintf("%v", *values[i].(*any))
			}
		}
		return rows.Err()
	})
	if err != nil || len(columns) == 0 {
		t.Fatalf("read run %s: %v", run, err)
	}
	return columns
}

// Proves runtime 3, 4, 5, 6, 9, 10, 11, 12, 30, 38, 47, 54, 55, 56, 59.
func TestEveryMoveLeadsOnFromItsOwnPlacesOnly(t *testing.T) {
	t.Parallel()
	store.EachDatabase(t, func(t *testing.T, database string) {
		s := store.MustOpen(t, store.Config{Database: database})
		n := 0
		for _, m := range moves() {
			for _, p := range places() {
				n++
				run := fmt.Sprintf("run-%d", n)
				p.reach(t, s, run)
				before := whole(t, s, run)
				won, err := m.try(t.Context(), s, run, p.claim)
				if err != nil {
					t.Fatalf("%s from %s: %v", m.name, p.name, err)
				}
				leads := slices.Contains(m.from, p.name)
				after := whole(t, s, run)
				switch {
				case won != leads:
					t.Errorf("%s from %s: won is %v, want %v", m.name, p.name, won, leads)
				case !won:
					if diff := gocmp.Diff(before, after); diff != "" {
						t.Errorf("%s from %s found nothing and changed the run (-before +after)\n%s", m.name, p.name, diff)
					}
				case gocmp.Equal(before, after):
					t.Errorf("%s from %s says that it won, and changed nothing", m.name, p.name)
				}
			}
		}
	})
}

// Proves runtime 56, 58, 61.
func TestTheSweepJudgesByTheFenceAndFindsLapsedRunsOnly(t *testing.T) {
	t.Parallel()
	store.EachDatabase(t, func(t *testing.T, database string) {
		s := store.MustOpen(t, store.Config{Database: database})
		want := map[string]imprimatur.Reason{
			"lapsed": imprimatur.ReasonNotRetryable, "approved, lapsed": imprimatur.ReasonNotRetryable, "denied, lapsed": imprimatur.ReasonNotRetryable,
			"approved, lapsed in a write": imprimatur.ReasonOutcomeUnknown, "approved, lapsed after a write": imprimatur.ReasonNotRetryable,
			"worked, lapsed": imprimatur.ReasonNotRetryable, "worked, lapsed too often": imprimatur.ReasonRetriesExhausted,
			"worked, lapsed in a repeatable write": imprimatur.ReasonNotRetryable, "worked, lapsed in a write": imprimatur.ReasonOutcomeUnknown,
			"worked, lapsed after a write": imprimatur.ReasonNotRetryable,
		}
		runs := map[string]string{}
		for i, p := range places() {
			run := fmt.Sprintf("run-%d", i)
			p.reach(t, s, run)
			runs[run] = p.name
		}
		found, err := s.Lapsed(t.Context(), 100)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]imprimatur.Reason{}
		for _, run := range found {
			won, err := s.Bury(t.Context(), run)
			must(t, won, err)
			row, err := s.Run(t.Context(), run)
			if err != nil || row.Status != imprimatur.StatusFailed || row.Claim != "" || row.Lease != 0 || row.Effect != "" {
				t.Errorf("%s is %+v, %v", runs[run], row, err)
			}
			got[runs[run]] = row.Reason
		}
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	})
}

// Proves runtime 16.
func TestNothingThatWaitedSurvivesTheEnd(t *testing.T) {
	t.Parallel()
	store.EachDatabase(t, func(t *testing.T, database string) {
		s := store.MustOpen(t, store.Config{Database: database})
		ends := map[string]func(run string) (bool, error){
			"settled": func(run string) (bool, error) {
				return s.Settle(t.Context(), store.Settling{Run: run, Claim: approv, Status: imprimatur.StatusCompleted, Reason: imprimatur.ReasonCompleted})
			},
			"cancelled": func(run string) (bool, error) { return s.Cancel(t.Context(), run, imprimatur.By{}) },
		}
		for name, end := range ends {
			claimed(t, s, name, approv, hour)
			won, err := end(name)
			must(t, won, err)
			after := whole(t, s, name)
			for column, want := range map[string]string{"state": "<nil>", "claim": "", "lease": "0", "effect": ""} {
				if after[column] != want {
					t.Errorf("%s: %s is %q, want %q", name, column, after[column], want)
				}
			}
		}
	})
}
