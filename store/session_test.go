package store_test

import (
	"testing"
	"time"

	"github.com/alexedwards/scs/v2"

	"github.com/imprimatur-dev/imprimatur/store"
)

var _ scs.CtxStore = store.Sessions{}

func TestSessionIsFoundUntilItEnds(t *testing.T) {
	t.Parallel()
	store.EachDatabase(t, func(t *testing.T, database string) {
		now := time.UnixMilli(1_700_000_000_000)
		s := store.MustOpen(t, store.Config{Database: database, Now: func() time.Time { return now }})
		k := s.Sessions()
		found := func(token, want string) {
			t.Helper()
			data, ok, err := k.Find(token)
			if err != nil || string(data) != want || ok != (want != "") {
				t.Errorf("Find(%q) = %q, %v, %v", token, data, ok, err)
			}
		}
		for token, data := range map[string]string{"a": "one", "b": "two", "c": "\x00three"} {
			if err := k.Commit(token, []byte(data), now.Add(time.Minute)); err != nil {
				t.Fatal(err)
			}
		}
		if err := k.Commit("a", []byte("one, changed"), now.Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := k.Delete("b"); err != nil {
				t.Fatal(err)
			}
		}
		found("a", "one, changed")
		found("b", "")
		found("c", "\x00three")
		found("nobody's", "")
		now = now.Add(time.Minute)
		found("c", "")
		if err := s.PurgeExpired(t.Context()); err != nil {
			t.Fatal(err)
		}
		found("a", "one, changed")
		var n int
		if err := s.Reader().QueryRowContext(t.Context(), "SELECT COUNT(*) FROM sessions").Scan(&n); err != nil || n != 1 {
			t.Errorf("%d sessions are left, %v", n, err)
		}
	})
}
