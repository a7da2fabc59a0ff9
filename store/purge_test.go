package store_test

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/store"
)

// aging is a store whose time a test moves on.
func aging(t *testing.T, database string) (s *store.Store, later func(time.Duration)) {
	t.Helper()
	var passed atomic.Int64
	start := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	s = store.MustOpen(t, store.Config{Database: database, Now: func() time.Time { return start.Add(time.Duration(passed.Load())) }})
	return s, func(d time.Duration) { passed.Add(int64(d)) }
}

// left counts what is stored about runs.
func left(t *testing.T, s *store.Store) (counts [4]int) {
	t.Helper()
	for i, table := range []string{"runs", "events", "records", "idempotency"} {
		if err := s.Reader().QueryRowContext(t.Context(), "SELECT COUNT(*) FROM "+table).Scan(&counts[i]); err != nil {
			t.Fatal(err)
		}
	}
	return counts
}

// Proves runtime 219.
func TestRunsGoWhenTheyWereKeptLongEnough(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	store.EachDatabase(t, func(t *testing.T, database string) {
		s, later := aging(t, database)
		const many = 250
		for i := range many {
			settled(imprimatur.StatusCompleted)(t, s, fmt.Sprintf("done-%03d", i))
		}
		wait(t, s, "waiting")
		begin(t, s, "working", (60 * day).Milliseconds())
		later(10 * day)
		settled(imprimatur.StatusFailed)(t, s, "fresh")
		wait(t, s, "fresh-waiting")

		before := left(t, s)
		for _, none := range []store.Retention{{}, {Finished: -day, Unfinished: -day}, {Finished: 11 * day, Unfinished: 11 * day}} {
			if got, err := s.Purge(t.Context(), none); err != nil || got != (store.Purged{}) || left(t, s) != before {
				t.Errorf("%+v purged %+v, %v", none, got, err)
			}
		}
		if got, err := s.Purge(t.Context(), store.Retention{Finished: 9 * day}); err != nil || got != (store.Purged{Finished: many}) {
			t.Errorf("finished ones: %+v, %v", got, err)
		}
		if after := left(t, s); after[0] != 4 {
			t.Errorf("%v is left", after)
		}
		if got, err := s.Purge(t.Context(), store.Retention{Unfinished: 9 * day}); err != nil || got != (store.Purged{Unfinished: 1}) {
			t.Errorf("unfinished ones: %+v, %v", got, err)
		}
		for _, run := range []string{"working", "fresh", "fresh-waiting"} {
			if _, err := s.Run(t.Context(), run); err != nil {
				t.Errorf("%s: %v", run, err)
			}
		}
		if events, err := s.Events(t.Context(), "done-000", -1); err != nil || len(events) > 0 {
			t.Errorf("%d events outlived their run, %v", len(events), err)
		}
		later(9 * day)
		if got, err := s.Purge(t.Context(), store.Retention{Finished: 9 * day / 2, Unfinished: 9 * day / 2}); err != nil || got != (store.Purged{1, 1}) {
			t.Errorf("later: %+v, %v", got, err)
		}
		if after := left(t, s); after[0] != 1 {
			t.Errorf("%v is left", after)
		}
	})
}

// Proves runtime 233.
func TestRunsAreCountedByStatusAndReason(t *testing.T) {
	t.Parallel()
	store.EachDatabase(t, func(t *testing.T, database string) {
		s, later := aging(t, database)
		wait(t, s, "old")
		settled(imprimatur.StatusCompleted)(t, s, "old-done")
		later(2 * time.Hour)
		wait(t, s, "new")
		enqueue(t, s, "queued")
		settled(imprimatur.StatusCompleted)(t, s, "done")
		got, err := s.Count(t.Context(), time.Hour)
		want := store.Counts{
			ByStatus: map[imprimatur.Status]int{imprimatur.StatusWaiting: 1, imprimatur.StatusQueued: 1, imprimatur.StatusCompleted: 1},
			ByReason: map[imprimatur.Reason]int{imprimatur.ReasonCompleted: 1}, Waiting: 2,
		}
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("(-want +got) %v\n%s", err, diff)
		}
	})
}
