package store_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/imprimatur-dev/imprimatur/internal/faultsql"
	"github.com/imprimatur-dev/imprimatur/store"
)

func link(t *testing.T, s *store.Store, n store.NewLink) string {
	t.Helper()
	secret, err := s.CreateLink(t.Context(), n)
	if err != nil {
		t.Fatal(err)
	}
	return secret
}

func TestLinkSignsInOnce(t *testing.T) {
	t.Parallel()
	store.EachDatabase(t, func(t *testing.T, database string) {
		s := store.MustOpen(t, store.Config{Database: database})
		jana := add(t, s, store.NewUser{Name: "jana"})
		secret := link(t, s, store.NewLink{User: jana.ID})
		for range 2 { // looking does not use it up
			if u, ok, err := s.LinkUser(t.Context(), secret); err != nil || !ok || u.ID != jana.ID {
				t.Fatalf("LinkUser = %+v, %v, %v", u, ok, err)
			}
		}
		var winners atomic.Int64
		var all sync.WaitGroup
		for range 10 {
			all.Go(func() {
				u, ok, err := s.UseLink(context.Background(), secret)
				if err != nil {
					t.Error(err)
				}
				if ok {
					winners.Add(u.ID)
				}
			})
		}
		all.Wait()
		if winners.Load() != jana.ID {
			t.Errorf("%d were signed in", winners.Load())
		}
		if _, ok, err := s.LinkUser(t.Context(), secret); err != nil || ok {
			t.Errorf("a used link: %v, %v", ok, err)
		}
	})
}

func TestLinkEndsAfterFifteenMinutesAndALastingOneDoesNot(t *testing.T) {
	t.Parallel()
	store.EachDatabase(t, func(t *testing.T, database string) {
		now := time.UnixMilli(1_700_000_000_000)
		s := store.MustOpen(t, store.Config{Database: database, Now: func() time.Time { return now }})
		jana := add(t, s, store.NewUser{Name: "jana"})
		short, last, lasting := link(t, s, store.NewLink{User: jana.ID}), link(t, s, store.NewLink{User: jana.ID}), link(t, s, store.NewLink{User: jana.ID, Lasting: true})
		use := func(secret string, want bool) {
			t.Helper()
			_, looked, err := s.LinkUser(t.Context(), secret)
			if err != nil {
				t.Fatal(err)
			}
			if _, used, err := s.UseLink(t.Context(), secret); err != nil || used != want || looked != want {
				t.Errorf("after %v: seen %v, used %v, %v", now.Sub(time.UnixMilli(1_700_000_000_000)), looked, used, err)
			}
		}
		now = now.Add(15*time.Minute - time.Millisecond)
		use(last, true)
		now = now.Add(time.Millisecond)
		use(short, false)
		if err := s.PurgeExpired(t.Context()); err != nil {
			t.Fatal(err)
		}
		now = now.Add(10_000 * time.Hour)
		use(lasting, true)
		use(lasting, true)
		if err := s.EndLinks(t.Context()); err != nil {
			t.Fatal(err)
		}
		use(lasting, false)
	})
}

func TestLinkOfNobodySignsNobodyIn(t *testing.T) {
	t.Parallel()
	store.EachDatabase(t, func(t *testing.T, database string) {
		s := store.MustOpen(t, store.Config{Database: database})
		if _, err := s.CreateLink(t.Context(), store.NewLink{User: 7}); !errors.Is(err, store.ErrNoUser) {
			t.Errorf("a link for nobody: %v", err)
		}
		jana := add(t, s, store.NewUser{Name: "jana"})
		secret := link(t, s, store.NewLink{User: jana.ID})
		no, yes := false, true
		if _, err := s.ChangeUser(t.Context(), jana.ID, store.UserChange{Enabled: &no}); err != nil {
			t.Fatal(err)
		}
		for why, secret := range map[string]string{"disabled": secret, "empty": "", "nonsense": "\x00\xff", "cut": secret[1:]} {
			if u, ok, err := s.UseLink(t.Context(), secret); err != nil || ok || u.Exists() {
				t.Errorf("%s: UseLink = %+v, %v, %v", why, u, ok, err)
			}
			if u, ok, err := s.LinkUser(t.Context(), secret); err != nil || ok || u.Exists() {
				t.Errorf("%s: LinkUser = %+v, %v, %v", why, u, ok, err)
			}
		}
		if _, err := s.ChangeUser(t.Context(), jana.ID, store.UserChange{Enabled: &yes}); err != nil {
			t.Fatal(err)
		}
		if _, ok, err := s.UseLink(t.Context(), secret); err != nil || !ok {
			t.Errorf("refusing a disabled user used the link up: %v, %v", ok, err)
		}
	})
}

func TestLinkWhoseUseWasNotStoredSignsNobodyIn(t *testing.T) {
	t.Parallel()
	store.EachDatabase(t, func(t *testing.T, database string) {
		var faults faultsql.Injector
		s := store.MustOpen(t, store.Config{Database: database, Connector: faults.WrapFirst})
		jana := add(t, s, store.NewUser{Name: "jana"})
		secret := link(t, s, store.NewLink{User: jana.ID})
		faults.Arm(faultsql.Fault{At: 1, Match: "COMMIT", Mode: faultsql.Before})
		if u, ok, err := s.UseLink(t.Context(), secret); err == nil || ok || u.Exists() {
			t.Errorf("UseLink = %+v, %v, %v", u, ok, err)
		}
		faults.Disarm()
		if _, ok, err := s.UseLink(t.Context(), secret); err != nil || !ok {
			t.Errorf("afterwards: %v, %v", ok, err)
		}
	})
}
