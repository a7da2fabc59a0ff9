package store_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/store"
)

func TestIdempotencyKeyStandsForTheFirstRun(t *testing.T) {
	t.Parallel()
	store.EachDatabase(t, func(t *testing.T, database string) {
		now := time.UnixMilli(1_700_000_000_000)
		s := store.MustOpen(t, store.Config{Database: database, Now: func() time.Time { return now }})
		person := func(id int64, c imprimatur.Credential, token string) imprimatur.Actor {
			return imprimatur.Actor{Credential: c, User: imprimatur.User{ID: id, Enabled: true}, Token: token}
		}
		key := func(who imprimatur.Actor, key, route, body string) store.IdempotencyKey {
			t.Helper()
			k, err := store.KeyOf(who, key, route, []byte(body))
			if err != nil {
				t.Fatal(err)
			}
			return *k
		}
		jana, tab := person(1, imprimatur.CredentialPerson, "t1"), person(1, imprimatur.CredentialSession, "")
		agent, other := person(1, imprimatur.CredentialAgent, "t2"), person(2, imprimatur.CredentialPerson, "t3")
		reserve := func(k store.IdempotencyKey, run, want string) {
			t.Helper()
			if got, err := s.ReserveKey(t.Context(), k, run); err != nil || got != want {
				t.Errorf("reserve for %s = %s, %v; want %s", run, got, err, want)
			}
		}
		reserve(key(jana, "k", "/runs", "{}"), "r1", "r1")
		reserve(key(jana, "k", "/runs", "{}"), "r2", "r1")
		reserve(key(tab, "k", "/runs", "{}"), "r3", "r1") // the same person
		reserve(key(agent, "k", "/runs", "{}"), "r4", "r4")
		reserve(key(other, "k", "/runs", "{}"), "r5", "r5")
		reserve(key(jana, "k2", "/runs", "{}"), "r6", "r6")
		for why, k := range map[string]store.IdempotencyKey{
			"another body": key(jana, "k", "/runs", "{ }"), "another route": key(jana, "k", "/calls", "{}"),
		} {
			if got, err := s.ReserveKey(t.Context(), k, "r7"); !errors.Is(err, store.ErrKeyReused) || got != "" {
				t.Errorf("%s: %q, %v", why, got, err)
			}
		}
		now = now.Add(24*time.Hour - time.Millisecond)
		reserve(key(jana, "k", "/runs", "{}"), "r8", "r1")
		now = now.Add(time.Millisecond)
		reserve(key(jana, "k", "/runs", "another"), "r9", "r9")
		reserve(key(jana, "k", "/runs", "another"), "r10", "r9")
		if err := s.PurgeExpired(t.Context()); err != nil {
			t.Fatal(err)
		}
		reserve(key(jana, "k", "/runs", "another"), "r11", "r9")
		reserve(key(jana, "k2", "/runs", "{}"), "r12", "r12")
	})
}

func TestOfManyRequestsWithOneKeyOneMakesTheRun(t *testing.T) {
	t.Parallel()
	store.EachDatabase(t, func(t *testing.T, database string) {
		s := store.MustOpen(t, store.Config{Database: database})
		k, err := store.KeyOf(imprimatur.Actor{Token: "t"}, "k", "/runs", nil)
		if err != nil {
			t.Fatal(err)
		}
		var mu sync.Mutex
		runs := map[string]int{}
		var all sync.WaitGroup
		for i := range 10 {
			all.Go(func() {
				run, err := s.ReserveKey(context.Background(), *k, string(rune('a'+i)))
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				defer mu.Unlock()
				runs[run]++
			})
		}
		all.Wait()
		if len(runs) != 1 {
			t.Errorf("the key stands for %v", runs)
		}
	})
}

func TestIdempotencyKeyIsVisibleASCII(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"", " ", "a b", "a\n", "ä", "\xff", string(make([]byte, 256))} {
		if k, err := store.KeyOf(imprimatur.Actor{Token: "t"}, bad, "/runs", nil); !refused(err, "Idempotency-Key") || k != nil {
			t.Errorf("%q: %v, %v", bad, k, err)
		}
	}
}
