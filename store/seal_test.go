package store_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/internal/faultsql"
	"github.com/imprimatur-dev/imprimatur/internal/seal"
	"github.com/imprimatur-dev/imprimatur/store"
)

// rotated are the keysets of a rotation: the old key alone, both with the new
// one sealing, the new one alone.
func rotated(t *testing.T) (before, during, after []byte) {
	t.Helper()
	before = keyset(t)
	both, err := seal.AddKey(before)
	if err != nil {
		t.Fatal(err)
	}
	if during, err = seal.Promote(both); err != nil {
		t.Fatal(err)
	}
	ids, _, err := seal.Keys(before)
	if err != nil {
		t.Fatal(err)
	}
	if after, err = seal.DropKeys(during, ids); err != nil {
		t.Fatal(err)
	}
	return before, during, after
}

// fill makes so many queued runs, waiting ones, and ones with records.
func fill(t *testing.T, s *store.Store, n int) {
	t.Helper()
	for i := range n {
		enqueue(t, s, fmt.Sprintf("queued-%03d", i))
		wait(t, s, fmt.Sprintf("waiting-%03d", i))
		run := fmt.Sprintf("decided-%03d", i)
		wait(t, s, run)
		err := s.Decide(t.Context(), func(ctx context.Context, d *store.Deciding) error {
			return d.Record(ctx, run, imprimatur.ApprovalPayload{Verdict: imprimatur.Deny}, imprimatur.Shown{Reason: "no"})
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// readable fails the test unless everything that fill made opens.
func readable(t *testing.T, s *store.Store, n int) {
	t.Helper()
	for i := range n {
		q, err := s.Queued(t.Context(), fmt.Sprintf("queued-%03d", i))
		if err != nil || q.Unreadable != nil || q.Request.Prompt != "go" {
			t.Fatalf("request %d: %+v, %v, %v", i, q.Request, q.Unreadable, err)
		}
		row, err := s.Run(t.Context(), fmt.Sprintf("waiting-%03d", i))
		if err != nil {
			t.Fatal(err)
		}
		if state, _, err := s.State(row); err != nil || cmp.Diff(turn().Messages, state.Messages) != "" {
			t.Fatalf("state %d: %+v, %v", i, state, err)
		}
		if shown, _, err := s.Shown(t.Context(), fmt.Sprintf("decided-%03d", i)); err != nil || shown.Reason != "no" {
			t.Fatalf("record %d: %+v, %v", i, shown, err)
		}
	}
}

// More than one page of each sealed column is rotated. What does not open stays
// byte for byte as it is, and the old key is needed for nothing any more.
//
// Proves runtime 217.
func TestRotationReachesEverySealedValue(t *testing.T) {
	t.Parallel()
	const n = 120
	store.EachDatabase(t, func(t *testing.T, database string) {
		before, during, after := rotated(t)
		s := store.MustOpen(t, store.Config{Database: database, Keyset: before})
		fill(t, s, n)
		wait(t, s, "damaged")
		damage(t, s, "damaged")
		damaged := whole(t, s, "damaged")
		r := store.MustOpen(t, store.Config{Database: database, Keyset: during})
		got, err := r.Reseal(t.Context())
		if err != nil || got != (store.Resealed{Values: 4 * n, Unreadable: 1}) {
			t.Fatalf("%+v, %v", got, err)
		}
		if got, err := r.Reseal(t.Context()); err != nil || got != (store.Resealed{Unreadable: 1}) {
			t.Errorf("once more: %+v, %v", got, err)
		}
		if diff := cmp.Diff(damaged, whole(t, s, "damaged")); diff != "" {
			t.Errorf("what does not open was changed (-before +after)\n%s", diff)
		}
		alone := store.MustOpen(t, store.Config{Database: database, Keyset: after})
		readable(t, alone, n)
		use, err := alone.Sealing(t.Context())
		_, primary, _ := seal.Keys(after)
		if err != nil || use.Primary != primary || use.Keys[primary] != 4*n+1 || use.Unreadable != 1 || !slices.Equal(use.Runs, []string{"damaged"}) {
			t.Errorf("%+v, %v", use, err)
		}
		if err := reopen(t, store.Config{Database: database, Keyset: before}); !errors.Is(err, store.ErrWrongKey) {
			t.Errorf("whoever has the old key only: %v", err)
		}
	})
}

// A rotation that fails at any statement, in any way, leaves everything
// readable under both keys, and the next one goes on from there.
//
// Proves runtime 217.
func TestARotationThatBreaksOffGoesOn(t *testing.T) {
	t.Parallel()
	const n = 3
	for _, mode := range faultsql.Modes() {
		t.Run(mode.String(), func(t *testing.T) {
			t.Parallel()
			store.EachDatabase(t, func(t *testing.T, database string) {
				before, during, after := rotated(t)
				fill(t, store.MustOpen(t, store.Config{Database: database, Keyset: before}), n)
				faults := &faultsql.Injector{}
				r := store.MustOpen(t, store.Config{Database: database, Keyset: during, Connector: faults.WrapFirst})
				for at := 1; ; at++ {
					faults.Arm(faultsql.Fault{At: at, Mode: mode})
					_, err := r.Reseal(t.Context())
					fired := faults.Fired()
					faults.Disarm()
					readable(t, r, n)
					if fired == 0 {
						if err != nil {
							t.Error(err)
						}
						break
					}
				}
				readable(t, store.MustOpen(t, store.Config{Database: database, Keyset: after}), n)
			})
		})
	}
}

// Whoever changes a value while it is sealed anew wins.
func TestRotationOverwritesNothingThatChanged(t *testing.T) {
	t.Parallel()
	store.EachDatabase(t, func(t *testing.T, database string) {
		before, during, _ := rotated(t)
		s := store.MustOpen(t, store.Config{Database: database, Keyset: before})
		wait(t, s, "r")
		faults := &faultsql.Injector{}
		r := store.MustOpen(t, store.Config{Database: database, Keyset: during, Connector: faults.WrapFirst})
		faults.Arm(faultsql.Fault{Match: "BEGIN", At: 2, Mode: faultsql.Cancel, Do: func() {
			if won, err := s.Cancel(context.Background(), "r", imprimatur.By{ID: 1}); err != nil || !won {
				t.Errorf("cancel: %v, %v", won, err)
			}
		}})
		got, err := r.Reseal(t.Context())
		if err != nil || got.Values != 0 || faults.Fired() != 1 {
			t.Errorf("%+v, %v, after %d faults", got, err, faults.Fired())
		}
		if state := whole(t, s, "r")["state"]; state != "<nil>" {
			t.Errorf("a state came back: %s", state)
		}
	})
}

// Every column of bytes that belongs to a run is either rotated or known to be
// in clear.
func TestNoColumnOfBytesIsForgottenByRotation(t *testing.T) {
	t.Parallel()
	s := store.MustOpen(t, store.Config{Database: "sqlite:" + t.TempDir() + "/t.db"})
	known := append(store.SealedColumns(), "canary.value", "runs.head")
	rows, err := s.Reader().QueryContext(t.Context(), `SELECT m.name || '.' || c.name FROM sqlite_schema m, pragma_table_info(m.name) c
		WHERE m.name IN ('runs', 'records', 'events', 'canary') AND c.type = 'BYTEA'`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	n := 0
	for ; rows.Next(); n++ {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(known, name) {
			t.Errorf("is %s sealed?", name)
		}
	}
	if err := rows.Err(); err != nil || n != len(known) {
		t.Errorf("%d columns of bytes, %d are known, %v", n, len(known), err)
	}
}

// What cannot be read is exported byte for byte, with its record.
//
// Proves runtime 119.
func TestEvidenceIsWhatIsStored(t *testing.T) {
	t.Parallel()
	store.EachDatabase(t, func(t *testing.T, database string) {
		s := store.MustOpen(t, store.Config{Database: database, Keyset: keyset(t)})
		fill(t, s, 1)
		damage(t, s, "decided-000")
		got, err := s.Evidence(t.Context(), "decided-000")
		if err != nil {
			t.Fatal(err)
		}
		if state, ok := got.Run["state"].([]byte); !ok || string(state) != "S\x00\x01\x02" {
			t.Errorf("the state is %v", got.Run["state"])
		}
		if len(got.Events) == 0 || got.Events[0]["kind"] == nil || len(got.Records) != 1 {
			t.Errorf("%d events, %d records", len(got.Events), len(got.Records))
		}
		if sealed, ok := got.Records[0]["value"].([]byte); !ok || len(sealed) == 0 || sealed[0] != 'S' {
			t.Errorf("the record is %v", got.Records[0]["value"])
		}
		if _, err := s.Evidence(t.Context(), "nowhere"); !errors.Is(err, store.ErrNoRun) {
			t.Errorf("a run that is not there: %v", err)
		}
	})
}
