package store_test

import (
	"bytes"
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/store"
)

func token(t *testing.T, s *store.Store, n store.NewToken) (id, secret string) {
	t.Helper()
	id, secret, err := s.CreateToken(t.Context(), n)
	if err != nil {
		t.Fatal(err)
	}
	return id, secret
}

// refuses fails the test if the token still lets anybody in.
func refuses(t *testing.T, s *store.Store, why, secret string) {
	t.Helper()
	who, ok, err := s.Authenticate(t.Context(), secret)
	if err != nil || ok || !cmp.Equal(who, imprimatur.Actor{}, cmpopts.EquateEmpty()) {
		t.Errorf("%s: authenticated as %+v, %v, %v", why, who, ok, err)
	}
}

func TestTokenOfEachKindAuthenticatesAsWhatItIs(t *testing.T) {
	t.Parallel()
	store.EachDatabase(t, func(t *testing.T, database string) {
		s := store.MustOpen(t, store.Config{Database: database})
		if err := s.ApplyGroups(t.Context(), groupsOf(t, file)); err != nil {
			t.Fatal(err)
		}
		jana := add(t, s, store.NewUser{Name: "jana", Lang: "de", Groups: []string{"editing"}})
		scopes := []imprimatur.Scope{imprimatur.ScopeRead, imprimatur.ScopeCancel}
		for prefix, c := range map[string]struct {
			ask  store.NewToken
			want imprimatur.Actor
		}{
			"imp_p_": {
				store.NewToken{Kind: store.TokenPerson, User: jana.ID},
				imprimatur.Actor{Credential: imprimatur.CredentialPerson, User: jana, Lang: "de"},
			},
			"imp_a_": {
				store.NewToken{Kind: store.TokenAgent, User: jana.ID, Tools: []string{"get_pagetree"}},
				imprimatur.Actor{Credential: imprimatur.CredentialAgent, User: jana, Lang: "de", Tools: []string{"get_pagetree"}},
			},
			"imp_s_": {
				store.NewToken{Kind: store.TokenService, Service: "nightly", Scopes: scopes},
				imprimatur.Actor{Credential: imprimatur.CredentialService, Service: "nightly", Scopes: scopes},
			},
		} {
			id, secret := token(t, s, c.ask)
			if !regexp.MustCompile(`^` + prefix + `[A-Za-z0-9_-]{43}$`).MatchString(secret) {
				t.Errorf("the token %q", secret)
			}
			got, ok, err := s.Authenticate(t.Context(), secret)
			if err != nil || !ok {
				t.Fatalf("%s: %v, %v", prefix, ok, err)
			}
			c.want.Token = id
			if diff := cmp.Diff(c.want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%s: %s", prefix, diff)
			}
			for _, other := range []string{"imp_p_", "imp_a_", "imp_s_"} {
				if other != prefix {
					refuses(t, s, "the prefix of another kind", other+strings.TrimPrefix(secret, prefix))
				}
			}
			refuses(t, s, "a token with its last character cut", secret[:len(secret)-1])
			refuses(t, s, "a token and a blank", secret+" ")
			refuses(t, s, "the id", id)
		}
		for _, nonsense := range []string{"", "imp_p_", "\x00", "imp_p_" + strings.Repeat("\xff", 43), "' OR 1=1 --"} {
			refuses(t, s, "nonsense", nonsense)
		}
	})
}

func TestRightsOfATokenAreThoseOfNow(t *testing.T) {
	t.Parallel()
	store.EachDatabase(t, func(t *testing.T, database string) {
		s := store.MustOpen(t, store.Config{Database: database})
		jana := add(t, s, store.NewUser{Name: "jana"})
		_, secret := token(t, s, store.NewToken{Kind: store.TokenPerson, User: jana.ID})
		yes, no := true, false
		if _, err := s.ChangeUser(t.Context(), jana.ID, store.UserChange{Admin: &yes}); err != nil {
			t.Fatal(err)
		}
		if who, ok, err := s.Authenticate(t.Context(), secret); err != nil || !ok || !who.User.Admin || who.User.Version != 2 {
			t.Errorf("after a change: %+v, %v, %v", who, ok, err)
		}
		if _, err := s.ChangeUser(t.Context(), jana.ID, store.UserChange{Enabled: &no}); err != nil {
			t.Fatal(err)
		}
		refuses(t, s, "a disabled user", secret)
		if _, err := s.ChangeUser(t.Context(), jana.ID, store.UserChange{Enabled: &yes}); err != nil {
			t.Fatal(err)
		}
		if _, ok, err := s.Authenticate(t.Context(), secret); err != nil || !ok {
			t.Errorf("enabled again: %v, %v", ok, err)
		}
	})
}

func TestRevokedTokenIsOverForGood(t *testing.T) {
	t.Parallel()
	store.EachDatabase(t, func(t *testing.T, database string) {
		now := time.UnixMilli(1_700_000_000_000)
		s := store.MustOpen(t, store.Config{Database: database, Now: func() time.Time { return now }})
		jana := add(t, s, store.NewUser{Name: "jana"})
		id, secret := token(t, s, store.NewToken{Kind: store.TokenPerson, User: jana.ID})
		for range 2 {
			if err := s.RevokeToken(t.Context(), id); err != nil {
				t.Fatal(err)
			}
			refuses(t, s, "a revoked token", secret)
			now = now.Add(time.Hour)
		}
		all, err := s.Tokens(t.Context(), 0)
		if err != nil || len(all) != 1 || all[0].Revoked == nil || all[0].Revoked.UnixMilli() != 1_700_000_000_000 {
			t.Errorf("%+v, %v", all, err)
		}
		for _, nobody := range []string{"", "nothing", "\x00"} {
			if err := s.RevokeToken(t.Context(), nobody); !errors.Is(err, store.ErrNoToken) {
				t.Errorf("revoke %q: %v", nobody, err)
			}
		}
	})
}

func TestOnlyTheHashOfASecretIsStored(t *testing.T) {
	t.Parallel()
	store.EachDatabase(t, func(t *testing.T, database string) {
		s := store.MustOpen(t, store.Config{Database: database})
		jana := add(t, s, store.NewUser{Name: "jana"})
		_, secret := token(t, s, store.NewToken{Kind: store.TokenPerson, User: jana.ID})
		link, err := s.CreateLink(t.Context(), store.NewLink{User: jana.ID})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Sessions().Commit("session-token", []byte("data"), time.Now().Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
		for _, table := range []string{"tokens", "links", "sessions"} {
			rows, err := s.Reader().QueryContext(t.Context(), "SELECT hash FROM "+table)
			if err != nil {
				t.Fatal(err)
			}
			defer rows.Close()
			n := 0
			for ; rows.Next(); n++ {
				var hash []byte
				if err := rows.Scan(&hash); err != nil {
					t.Fatal(err)
				}
				if len(hash) != 32 || bytes.Contains(hash, []byte(secret)) || bytes.Contains(hash, []byte(link)) {
					t.Errorf("%s: %q", table, hash)
				}
			}
			if n != 1 || rows.Err() != nil {
				t.Errorf("%s: %d rows, %v", table, n, rows.Err())
			}
		}
	})
}

func TestTokenThatMixesKindsIsRefused(t *testing.T) {
	t.Parallel()
	s := store.MustOpen(t, store.Config{Database: "sqlite:" + t.TempDir() + "/t.db"})
	jana := add(t, s, store.NewUser{Name: "jana"}).ID
	read := []imprimatur.Scope{imprimatur.ScopeRead}
	for says, n := range map[string]store.NewToken{
		"a token is one of":               {User: jana},
		"has a user":                      {Kind: store.TokenPerson},
		"neither service nor scopes":      {Kind: store.TokenPerson, User: jana, Scopes: read},
		"names its tools":                 {Kind: store.TokenAgent, User: jana},
		"that of a person none":           {Kind: store.TokenPerson, User: jana, Tools: []string{"t"}},
		`"*" is not the name of a tool`:   {Kind: store.TokenAgent, User: jana, Tools: []string{"*"}},
		"neither user nor tools":          {Kind: store.TokenService, Service: "x", User: jana, Scopes: read},
		"has a name and scopes":           {Kind: store.TokenService, Service: "x"},
		"service is empty":                {Kind: store.TokenService, Scopes: read},
		`there is no scope "agent:*"`:     {Kind: store.TokenService, Service: "x", Scopes: []imprimatur.Scope{"agent:*"}},
		`there is no scope "agent:read "`: {Kind: store.TokenService, Service: "x", Scopes: []imprimatur.Scope{"agent:read "}},
	} {
		if id, secret, err := s.CreateToken(t.Context(), n); !refused(err, says) || id != "" || secret != "" {
			t.Errorf("%s: %q, %v", says, id, err)
		}
	}
	if _, _, err := s.CreateToken(t.Context(), store.NewToken{Kind: store.TokenPerson, User: 99}); !errors.Is(err, store.ErrNoUser) {
		t.Errorf("a token of nobody: %v", err)
	}
	if all, err := s.Tokens(t.Context(), 0); err != nil || len(all) != 0 {
		t.Errorf("stored all the same: %+v, %v", all, err)
	}
}

func TestTokensAreListedWithTheirLastUse(t *testing.T) {
	t.Parallel()
	store.EachDatabase(t, func(t *testing.T, database string) {
		now := time.UnixMilli(1_700_000_000_000)
		ids := []string{"b", "a", "c"}
		s := store.MustOpen(t, store.Config{
			Database: database, Now: func() time.Time { return now },
			NewID: func() string { id := ids[0]; ids = ids[1:]; return id },
		})
		jana := add(t, s, store.NewUser{Name: "jana"})
		scopes := []imprimatur.Scope{imprimatur.ScopeApprove}
		_, used := token(t, s, store.NewToken{Kind: store.TokenService, Service: "ci", Scopes: scopes})
		now = now.Add(time.Second)
		token(t, s, store.NewToken{Kind: store.TokenPerson, User: jana.ID})
		token(t, s, store.NewToken{Kind: store.TokenAgent, User: jana.ID, Tools: []string{"x", "y"}})
		for range 3 {
			if _, ok, err := s.Authenticate(t.Context(), used); err != nil || !ok {
				t.Fatal(ok, err)
			}
		}
		list := func(user int64) []store.Token {
			t.Helper()
			all, err := s.Tokens(t.Context(), user)
			if err != nil {
				t.Fatal(err)
			}
			return all
		}
		if got := list(0); got[0].LastUsed != nil {
			t.Errorf("asking who somebody is has written: %+v", got[0])
		}
		now = now.Add(time.Minute)
		if err := s.SaveUses(t.Context()); err != nil {
			t.Fatal(err)
		}
		at := imprimatur.Millis(1_700_000_061_000)
		want := []store.Token{
			{ID: "b", Kind: store.TokenService, Service: "ci", Scopes: scopes, Created: imprimatur.Millis(1_700_000_000_000), LastUsed: &at},
			{ID: "a", Kind: store.TokenPerson, User: imprimatur.By{ID: 1, Name: "jana"}, Created: imprimatur.Millis(1_700_000_001_000)},
			{ID: "c", Kind: store.TokenAgent, User: imprimatur.By{ID: 1, Name: "jana"}, Tools: []string{"x", "y"}, Created: imprimatur.Millis(1_700_000_001_000)},
		}
		if diff := cmp.Diff(want, list(0), cmpopts.EquateEmpty()); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(want[1:], list(jana.ID), cmpopts.EquateEmpty()); diff != "" {
			t.Error(diff)
		}
	})
}

func TestCloseSavesTheUseOfTokens(t *testing.T) {
	t.Parallel()
	cfg := store.Config{Database: "sqlite:" + t.TempDir() + "/t.db", Unsealed: true}
	s, err := store.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	jana := add(t, s, store.NewUser{Name: "jana"})
	_, secret := token(t, s, store.NewToken{Kind: store.TokenPerson, User: jana.ID})
	if _, ok, err := s.Authenticate(t.Context(), secret); err != nil || !ok {
		t.Fatal(ok, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	all, err := store.MustOpen(t, cfg).Tokens(t.Context(), 0)
	if err != nil || len(all) != 1 || all[0].LastUsed == nil {
		t.Errorf("%+v, %v", all, err)
	}
}
