package store_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/internal/seal"
	"github.com/imprimatur-dev/imprimatur/store"
)

// Proves runtime 3.
func TestOneOfManyWorkersTakesAQueuedRun(t *testing.T) {
	t.Parallel()
	store.EachDatabase(t, func(t *testing.T, database string) {
		s := store.MustOpen(t, store.Config{Database: database})
		other := store.MustOpen(t, store.Config{Database: database})
		for n := range 5 {
			run := fmt.Sprintf("run-%d", n)
			enqueue(t, s, run)
			var winners atomic.Int64
			var winner atomic.Value
			var all sync.WaitGroup
			start := make(chan struct{})
			for i := range 16 {
				from := s
				if i%2 == 1 {
					from = other
				}
				all.Go(func() {
					claim := imprimatur.NewClaim(imprimatur.ClaimWorker, "here", 1, fmt.Sprint("n", i))
					<-start
					won, err := from.Take(t.Context(), run, claim, hour, nil)
					if err != nil {
						t.Errorf("take: %v", err)
					}
					if won {
						winners.Add(1)
						winner.Store(claim)
					}
				})
			}
			close(start)
			all.Wait()
			row, err := s.Run(t.Context(), run)
			if err != nil || winners.Load() != 1 || row.Claim != winner.Load() || row.Status != imprimatur.StatusRunning || row.Lease <= row.StartedAt || row.StartedAt == 0 {
				t.Errorf("%d workers won, the run is %+v, %v", winners.Load(), row, err)
			}
		}
	})
}

// Proves runtime 2, 63, 64, 65.
func TestARunIsQueuedWithItsWakeUpOrNotAtAll(t *testing.T) {
	t.Parallel()
	away := errors.New("the queue is away")
	wakes := map[string]store.Waker{
		"run-queued": nobody,
		"run-away":   func(context.Context, *sql.Tx) error { return away },
	}
	store.EachDatabase(t, func(t *testing.T, database string) {
		keyset, err := seal.NewKeyset()
		if err != nil {
			t.Fatal(err)
		}
		s := store.MustOpen(t, store.Config{Database: database, Keyset: keyset})
		for run, wake := range wakes {
			got, err := s.Enqueue(t.Context(), store.Enqueued{
				ID: run, Agent: "clerk", Owner: imprimatur.By{ID: 1, Name: "Jana"}, Wake: wake,
				Request: imprimatur.Request{Prompt: "a secret prompt", Allowed: &[]string{}},
			})
			if run == "run-away" {
				if _, there := s.Run(t.Context(), run); !errors.Is(err, away) || !errors.Is(there, store.ErrNoRun) {
					t.Errorf("without a wake-up: %v, and the run is there: %v", err, there)
				}
				continue
			}
			q, readErr := s.Queued(t.Context(), run)
			if err != nil || got != run || readErr != nil || q.Unreadable != nil {
				t.Fatalf("enqueue: %s, %v, %v, %v", got, err, readErr, q.Unreadable)
			}
			if diff := cmp.Diff(imprimatur.Request{Prompt: "a secret prompt", Allowed: &[]string{}}, q.Request); diff != "" {
				t.Error(diff)
			}
			want := map[string]string{"status": "queued", "started_at": "0", "claim": "", "lease": "0", "requeued": "0", "unrepeatable": "0", "effect": ""}
			columns := whole(t, s, run)
			for name := range want {
				if columns[name] != want[name] {
					t.Errorf("%s is %q, want %q", name, columns[name], want[name])
				}
			}
		}
	})
}

// A run goes back to the queue as it came, with nothing of the worker left but
// that it was there.
//
// Proves runtime 16, 53.
func TestARunGoesBackWithItsRequestAndWithoutItsFence(t *testing.T) {
	t.Parallel()
	ways := map[string]imprimatur.Claim{"by its worker": worker, "lapsed": ""}
	store.EachDatabase(t, func(t *testing.T, database string) {
		s := store.MustOpen(t, store.Config{Database: database})
		for way, claim := range ways {
			run := "run " + way
			enqueue(t, s, run)
			queued := whole(t, s, run)
			won, err := s.Take(t.Context(), run, worker, hour, nil)
			must(t, won, err)
			stamp(t, s, run, worker, imprimatur.IdempotentWrite, lapsed)
			won, err = s.Requeue(t.Context(), store.Requeuing{Run: run, Claim: claim, Class: "connection", Wake: nobody})
			must(t, won, err)
			after := whole(t, s, run)
			for name, want := range map[string]string{
				"status": "queued", "claim": "", "lease": "0", "effect": "", "requeued": "1", "unrepeatable": "0", "request": queued["request"],
			} {
				if after[name] != want {
					t.Errorf("%s: %s is %q, want %q", way, name, after[name], want)
				}
			}
			events, err := s.Events(t.Context(), run, -1)
			if err != nil || len(events) == 0 {
				t.Fatalf("%d events, %v", len(events), err)
			}
			last := events[len(events)-1]
			var p imprimatur.GovernancePayload
			if err := json.Unmarshal(last.Payload, &p); err != nil || last.Kind != imprimatur.EventGovernance || p.Requeued != 1 || p.Reason != "connection" {
				t.Errorf("%s: the record ends with %s %s", way, last.Kind, last.Payload)
			}
			won, err = s.Take(t.Context(), run, worker, lapsed, nil)
			must(t, won, err)
			if won, err = s.Bury(t.Context(), run); !won || err != nil || whole(t, s, run)["request"] != "<nil>" {
				t.Errorf("%s: buried %v, %v, with the request %s", way, won, err, whole(t, s, run)["request"])
			}
		}
	})
}

// A wake-up that fails takes the requeue back: the worker has the run still.
func TestARunWhoseWakeUpFailsDoesNotGoBack(t *testing.T) {
	t.Parallel()
	away := errors.New("the queue is away")
	store.EachDatabase(t, func(t *testing.T, database string) {
		s := store.MustOpen(t, store.Config{Database: database})
		for way, claim := range map[string]imprimatur.Claim{"by its worker": worker, "lapsed": ""} {
			run := "run " + way
			worked(t, s, run, lapsed, 0)
			before := whole(t, s, run)
			won, err := s.Requeue(t.Context(), store.Requeuing{
				Run: run, Claim: claim, Before: []store.Draft{{Kind: imprimatur.EventRequest, Payload: imprimatur.RequestPayload{Round: 1}}},
				Wake: func(context.Context, *sql.Tx) error { return away },
			})
			if won || !errors.Is(err, away) {
				t.Errorf("%s: %v, %v", way, won, err)
			}
			if diff := cmp.Diff(before, whole(t, s, run)); diff != "" {
				t.Errorf("%s (-before +after)\n%s", way, diff)
			}
		}
	})
}

// Bytes that nobody can read now may be readable with another key.
func TestARequestThatCannotBeReadIsKeptWhenItsRunEnds(t *testing.T) {
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
				worked(t, s, run, lapsed, 0)
				want := "<nil>"
				if !readable {
					err := s.Write(t.Context(), func(ctx context.Context, tx *sql.Tx, _ int64) error {
						_, err := tx.ExecContext(ctx, "UPDATE runs SET request = $1 WHERE id = $2", []byte("S\x00\x01\x02"), run)
						return err
					})
					if err != nil {
						t.Fatal(err)
					}
					want = "[83 0 1 2]"
				}
				won, err := end(t.Context(), s, run)
				must(t, won, err)
				if after := whole(t, s, run); after["request"] != want {
					t.Errorf("%s: request holds %s, want %s", run, after["request"], want)
				}
			}
		}
	})
}

// The database itself knows that a queued run has something to do.
func TestNoRunIsQueuedWithoutARequest(t *testing.T) {
	t.Parallel()
	store.EachDatabase(t, func(t *testing.T, database string) {
		s := store.MustOpen(t, store.Config{Database: database})
		enqueue(t, s, "run-1")
		err := s.Write(t.Context(), func(ctx context.Context, tx *sql.Tx, _ int64) error {
			_, err := tx.ExecContext(ctx, "UPDATE runs SET request = NULL WHERE id = 'run-1'")
			return err
		})
		if err == nil {
			t.Error("a queued run lost its request")
		}
	})
}
