package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/internal/faultsql"
	"github.com/imprimatur-dev/imprimatur/store"
)

// damage makes the state of a run what nobody can read.
func damage(t *testing.T, s *store.Store, run string) {
	t.Helper()
	err := s.Write(t.Context(), func(ctx context.Context, tx *sql.Tx, _ int64) error {
		_, err := tx.ExecContext(ctx, "UPDATE runs SET state = $1 WHERE id = $2", []byte("S\x00\x01\x02"), run)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Proves runtime 119; tools 157.
func TestAStateThatCannotBeReadIsKeptWhenItsRunEnds(t *testing.T) {
	t.Parallel()
	ends := map[string]func(context.Context, *store.Store, string) (bool, error){
		"cancelled": func(ctx context.Context, s *store.Store, run string) (bool, error) {
			return s.Cancel(ctx, run, imprimatur.By{ID: 1, Name: "Jana"})
		},
		"buried": func(ctx context.Context, s *store.Store, run string) (bool, error) { return s.Bury(ctx, run) },
	}
	store.EachDatabase(t, func(t *testing.T, database string) {
		s := store.MustOpen(t, store.Config{Database: database})
		for name, end := range ends {
			for _, readable := range []bool{true, false} {
				run := fmt.Sprintf("%s-%v", name, readable)
				claimed(t, s, run, denial, lapsed)
				want := "<nil>"
				if !readable {
					damage(t, s, run)
					want = "[83 0 1 2]"
				}
				won, err := end(t.Context(), s, run)
				must(t, won, err)
				if after := whole(t, s, run); after["quarantine"] != want || after["state"] != "<nil>" {
					t.Errorf("%s: quarantine holds %s, want %s; state holds %s", run, after["quarantine"], want, after["state"])
				}
			}
		}
		// Where nothing ends, nothing is kept aside.
		claimed(t, s, "held", denial, hour)
		damage(t, s, "held")
		if won, err := s.Bury(t.Context(), "held"); won || err != nil {
			t.Errorf("bury a run that is held: %v, %v", won, err)
		}
		if after := whole(t, s, "held"); after["quarantine"] != "<nil>" || after["state"] == "<nil>" {
			t.Errorf("a run that is held was moved: %v", after)
		}
	})
}

// Proves runtime 12.
func TestTheEndOfAWriteMovesTheFenceOfItsOwnClaimOnly(t *testing.T) {
	t.Parallel()
	store.EachDatabase(t, func(t *testing.T, database string) {
		s := store.MustOpen(t, store.Config{Database: database})
		claimed(t, s, "fenced", approv, hour)
		stamp(t, s, "fenced", approv, imprimatur.NonIdempotentWrite, hour)
		before := whole(t, s, "fenced")
		held, err := s.Record(t.Context(), store.Recording{Run: "fenced", Claim: other, Lease: 2 * hour, Tool: imprimatur.ToolPayload{Call: "late", Tool: "stamp"}})
		if err != nil || held != store.Lost {
			t.Errorf("a write of another claim: %v, %v", held, err)
		}
		after := whole(t, s, "fenced")
		for _, column := range []string{"effect", "lease", "claim", "started", "status"} {
			if before[column] != after[column] {
				t.Errorf("it moved %s from %s to %s", column, before[column], after[column])
			}
		}
		if events, err := s.Events(t.Context(), "fenced", -1); err != nil || len(events) != 2 || string(events[1].Payload) != `{"bytes":0,"call":"late","late":true,"ms":0,"ok":false,"tool":"stamp"}` {
			t.Errorf("on record: %+v, %v", events, err)
		}
		if held, err = s.Record(t.Context(), store.Recording{Run: "fenced", Claim: approv, Lease: hour}); err != nil || held != store.HeldByMe {
			t.Errorf("a write of this claim: %v, %v", held, err)
		}
		if after = whole(t, s, "fenced"); after["effect"] != "" {
			t.Errorf("the fence still says %s", after["effect"])
		}
	})
}

// The end of a write and the start of the one that follows are one, for its own
// claim: whoever lost the run leaves a late end, and announces nothing.
func TestAWriteThatFollowsIsAnnouncedByItsOwnClaimOnly(t *testing.T) {
	t.Parallel()
	store.EachDatabase(t, func(t *testing.T, database string) {
		s := store.MustOpen(t, store.Config{Database: database})
		claimed(t, s, "r", approv, hour)
		stamp(t, s, "r", approv, imprimatur.IdempotentWrite, hour)
		next := store.Recording{
			Run: "r", Claim: other, Lease: 2 * hour, Tool: imprimatur.ToolPayload{Call: "call-1-1", Tool: "stamp"},
			Next: &imprimatur.StartPayload{Call: "call-1-2", Tool: "stamp", Effect: imprimatur.NonIdempotentWrite},
		}
		before := whole(t, s, "r")
		if held, err := s.Record(t.Context(), next); err != nil || held != store.Lost {
			t.Errorf("a write of another claim: %v, %v", held, err)
		}
		after := whole(t, s, "r")
		if after["effect"] != before["effect"] || after["lease"] != before["lease"] || after["unrepeatable"] != before["unrepeatable"] {
			t.Errorf("it moved the fence: %v", after)
		}
		next.Claim = approv
		if held, err := s.Record(t.Context(), next); err != nil || held != store.HeldByMe {
			t.Errorf("a write of this claim: %v, %v", held, err)
		}
		if after = whole(t, s, "r"); after["effect"] != string(imprimatur.NonIdempotentWrite) || after["unrepeatable"] != "1" {
			t.Errorf("the fence says %s, %s", after["effect"], after["unrepeatable"])
		}
		events, err := s.Events(t.Context(), "r", -1)
		if err != nil {
			t.Fatal(err)
		}
		var kinds []imprimatur.EventKind
		for _, e := range events {
			kinds = append(kinds, e.Kind)
		}
		if diff := cmp.Diff([]imprimatur.EventKind{imprimatur.EventStart, imprimatur.EventTool, imprimatur.EventTool, imprimatur.EventStart}, kinds); diff != "" {
			t.Errorf("on record (-want +got)\n%s", diff)
		}
	})
}

// That a turn began to write is held against its own approval only: the next
// claim begins with nothing.
func TestAClaimBeginsWithNothingWritten(t *testing.T) {
	t.Parallel()
	store.EachDatabase(t, func(t *testing.T, database string) {
		s := store.MustOpen(t, store.Config{Database: database})
		claimed(t, s, "again", approv, hour)
		stamp(t, s, "again", approv, imprimatur.IdempotentWrite, hour)
		won, err := s.Pause(t.Context(), store.Pausing{Run: "again", Claim: approv, State: turn(), Back: true})
		must(t, won, err)
		won, err = take(t.Context(), s, "again", approv, lapsed)
		must(t, won, err)
		won, err = s.Return(t.Context(), "again")
		must(t, won, err)
	})
}

func TestKeysOfTwoTokensNeverMeet(t *testing.T) {
	t.Parallel()
	store.EachDatabase(t, func(t *testing.T, database string) {
		s := store.MustOpen(t, store.Config{Database: database})
		for _, c := range []imprimatur.Credential{imprimatur.CredentialAgent, imprimatur.CredentialService} {
			for _, token := range []string{"t1", "t2"} {
				k, err := store.KeyOf(imprimatur.Actor{Credential: c, Token: token + string(c)}, "same", "POST /runs", []byte("{}"))
				if err != nil {
					t.Fatal(err)
				}
				run := token + string(c)
				if first, err := s.ReserveKey(t.Context(), *k, run); err != nil || first != run {
					t.Errorf("the key of %s stands for %q, %v", run, first, err)
				}
			}
		}
	})
}

// Steps may be lost to a constraint, and to nothing else: after any other fault
// the whole update is taken back.
//
// Proves runtime 28.
func TestOnlyAViolatedConstraintIsSoft(t *testing.T) {
	t.Parallel()
	store.EachDatabase(t, func(t *testing.T, database string) {
		var faults faultsql.Injector
		s := store.MustOpen(t, store.Config{Database: database, Connector: faults.WrapFirst})
		begin(t, s, "r", hour)
		before := whole(t, s, "r")
		steps := []store.Draft{{Kind: imprimatur.EventRequest, Payload: imprimatur.RequestPayload{Round: 1}}}
		for _, mode := range []faultsql.Mode{faultsql.Before, faultsql.After} {
			faults.Arm(faultsql.Fault{Match: "INTO events", At: 1, Mode: mode})
			won, err := s.Renew(t.Context(), "r", mine, 2*hour, steps)
			if won || !errors.Is(err, faultsql.ErrInjected) {
				t.Errorf("a fault %s: %v, %v", mode, won, err)
			}
			if after := whole(t, s, "r"); after["lease"] != before["lease"] || after["events"] != before["events"] {
				t.Errorf("a fault %s: the lease moved from %s to %s", mode, before["lease"], after["lease"])
			}
		}
		faults.Disarm()
		constraint := `CREATE TRIGGER refuse BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'refused'); END`
		if database[:6] != "sqlite" {
			constraint = `ALTER TABLE events ADD CONSTRAINT refuse CHECK (kind <> 'request')`
		}
		if _, err := s.Writer().ExecContext(t.Context(), constraint); err != nil {
			t.Fatal(err)
		}
		won, err := s.Renew(t.Context(), "r", mine, 2*hour, steps)
		must(t, won, err)
		if after := whole(t, s, "r"); after["lease"] == before["lease"] || after["events"] != before["events"] {
			t.Errorf("a constraint: the lease is still %s, %s events", after["lease"], after["events"])
		}
	})
}
