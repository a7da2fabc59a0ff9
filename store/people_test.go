package store_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.yaml.in/yaml/v3"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/store"
)

// file is the example of the contract.
const file = `
groups:
  - {name: editing, grants: [agent_approve], tables: {select: [pages, content, files], modify: [pages, content, file_references]}, languages: [0, 1], fields: [pages.description, content.image], values: [content.type.textmedia], page_types: [standard], mounts: {pages: [1], files: ["media:/"]}}
  - {name: reading, tables: {select: "*"}, mounts: {pages: ["*", 4]}}
`

func groupsOf(t *testing.T, text string) []store.Group {
	t.Helper()
	var read struct{ Groups []store.Group }
	if err := yaml.Unmarshal([]byte(text), &read); err != nil {
		t.Fatal(err)
	}
	return read.Groups
}

// refused reports whether err is a refusal of bad input that says what.
func refused(err error, says string) bool {
	var r *imprimatur.Refusal
	return errors.As(err, &r) && r.Code == imprimatur.CodeBadRequest && strings.Contains(r.Detail, says)
}

func add(t *testing.T, s *store.Store, n store.NewUser) imprimatur.User {
	t.Helper()
	u, err := s.AddUser(t.Context(), n)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func version(t *testing.T, s *store.Store, id int64) int64 {
	t.Helper()
	u, err := s.User(t.Context(), id)
	if err != nil || !u.Exists() {
		t.Fatalf("user %d: %+v, %v", id, u, err)
	}
	return u.Version
}

func TestUserHoldsWhatTheirGroupsAllow(t *testing.T) {
	t.Parallel()
	store.EachDatabase(t, func(t *testing.T, database string) {
		s := store.MustOpen(t, store.Config{Database: database})
		if err := s.ApplyGroups(t.Context(), groupsOf(t, file)); err != nil {
			t.Fatal(err)
		}
		want := imprimatur.User{
			ID: 1, Name: "jana", Email: "jana@example.org", Lang: "de-AT", Enabled: true, Version: 1,
			Groups: []string{"editing", "reading"},
			Rights: imprimatur.Rights{
				Grants: []imprimatur.Grant{imprimatur.GrantApprove}, Select: imprimatur.Set{"*"},
				Modify: imprimatur.Set{"content", "file_references", "pages"}, Languages: imprimatur.Set{"0", "1"},
				Fields: imprimatur.Set{"content.image", "pages.description"}, Values: imprimatur.Set{"content.type.textmedia"},
				PageTypes: imprimatur.Set{"standard"}, Pages: imprimatur.Set{"*"}, Files: imprimatur.Set{"media:/"},
			},
		}
		got := add(t, s, store.NewUser{Name: " jana\n", Email: "jana@example.org", Lang: "de-AT", Groups: []string{"reading", "editing", "reading"}})
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Error(diff)
		}
		byID, err := s.User(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		byName, err := s.UserByName(t.Context(), "jana ")
		if err != nil {
			t.Fatal(err)
		}
		for name, other := range map[string]imprimatur.User{"id": byID, "name": byName} {
			if diff := cmp.Diff(got, other); diff != "" {
				t.Errorf("by %s: %s", name, diff)
			}
		}
		none := add(t, s, store.NewUser{Name: "nobody in particular"})
		if diff := cmp.Diff(imprimatur.Rights{}, none.Rights, cmpopts.EquateEmpty()); diff != "" {
			t.Error(diff)
		}
	})
}

func TestNameIsUniqueByItsBytes(t *testing.T) {
	t.Parallel()
	store.EachDatabase(t, func(t *testing.T, database string) {
		s := store.MustOpen(t, store.Config{Database: database})
		first := add(t, s, store.NewUser{Name: "Zoë"})
		for _, same := range []string{"Zoë", "Zoe\u0308", "\tZoë "} {
			if _, err := s.AddUser(t.Context(), store.NewUser{Name: same}); !errors.Is(err, store.ErrNameTaken) {
				t.Errorf("%q: %v", same, err)
			}
			if u, err := s.UserByName(t.Context(), same); err != nil || u.ID != first.ID {
				t.Errorf("%q is user %d, %v", same, u.ID, err)
			}
		}
		second := add(t, s, store.NewUser{Name: "zoë", Admin: true})
		if second.ID != 2 || !second.Admin {
			t.Errorf("another case is another user: %+v", second)
		}
		all, err := s.Users(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if len(all) != 2 || all[0].Name != "Zoë" || all[1].Name != "zoë" {
			t.Errorf("everybody by name: %+v", all)
		}
	})
}

func TestBadUserIsRefusedAndNothingIsStored(t *testing.T) {
	t.Parallel()
	store.EachDatabase(t, func(t *testing.T, database string) {
		s := store.MustOpen(t, store.Config{Database: database})
		for says, n := range map[string]store.NewUser{
			"name is empty":        {Name: " \t"},
			"not UTF-8":            {Name: "a\xff"},
			"invisible":            {Name: "a\x00b"},
			"invisible character":  {Name: "a\u200bb"},
			"longer than":          {Name: strings.Repeat("ä", 101)},
			"email":                {Name: "a", Email: "Jana <jana@example.org>"},
			"email is":             {Name: "a", Email: "jana"},
			"lang":                 {Name: "a", Lang: "german, please"},
			`no group "nowhere"`:   {Name: "a", Groups: []string{"nowhere"}},
			`no group "x\x00"`:     {Name: "a", Groups: []string{"x\x00"}},
			"there is no group \"": {Name: "a", Groups: []string{""}},
		} {
			if _, err := s.AddUser(t.Context(), n); !refused(err, says) {
				t.Errorf("%s: %v", says, err)
			}
		}
		if all, err := s.Users(t.Context()); err != nil || len(all) != 0 {
			t.Errorf("stored all the same: %+v, %v", all, err)
		}
		for _, name := range []string{"a", "", "\x00", "\xff", "' OR 1=1 --"} {
			if u, err := s.UserByName(t.Context(), name); err != nil || u.Exists() {
				t.Errorf("user %q: %+v, %v", name, u, err)
			}
		}
		bad := "german, please"
		if _, err := s.ChangeUser(t.Context(), 1, store.UserChange{Lang: &bad}); !refused(err, "lang") {
			t.Error(err)
		}
		if _, err := s.ChangeUser(t.Context(), 1, store.UserChange{Email: &bad}); !refused(err, "email") {
			t.Error(err)
		}
		if _, err := s.ChangeUser(t.Context(), 7, store.UserChange{}); !errors.Is(err, store.ErrNoUser) {
			t.Error(err)
		}
	})
}

func TestEveryChangeRaisesTheVersionOfWhomItTouches(t *testing.T) {
	t.Parallel()
	store.EachDatabase(t, func(t *testing.T, database string) {
		s := store.MustOpen(t, store.Config{Database: database})
		if err := s.ApplyGroups(t.Context(), groupsOf(t, file)); err != nil {
			t.Fatal(err)
		}
		jana := add(t, s, store.NewUser{Name: "jana", Groups: []string{"editing"}}).ID
		tom := add(t, s, store.NewUser{Name: "tom", Groups: []string{"reading"}}).ID
		yes, no, lang, mail := true, false, "de", "t@example.org"
		reading, none := []string{"reading"}, []string{}
		changed := func(c store.UserChange) func() error {
			return func() error { _, err := s.ChangeUser(t.Context(), jana, c); return err }
		}
		apply := func(text string) func() error {
			return func() error { return s.ApplyGroups(t.Context(), groupsOf(t, text)) }
		}
		for _, step := range []struct {
			name      string
			do        func() error
			jana, tom int64 // by how much
		}{
			{"e-mail", changed(store.UserChange{Email: &mail}), 1, 0},
			{"language", changed(store.UserChange{Lang: &lang}), 1, 0},
			{"disable", changed(store.UserChange{Enabled: &no}), 1, 0},
			{"enable", changed(store.UserChange{Enabled: &yes}), 1, 0},
			{"administrator", changed(store.UserChange{Admin: &yes}), 1, 0},
			{"a group of hers", apply("groups: [{name: editing, languages: [0]}]"), 1, 0},
			{"the same again", apply("groups: [{name: editing, languages: [0, 0]}]"), 0, 0},
			{"a group of his", apply("groups: [{name: reading, grants: [agent_approve]}]"), 0, 1},
			{"a group of nobody", apply("groups: [{name: new, languages: [1]}]"), 0, 0},
			{"she changes groups", changed(store.UserChange{Groups: &reading}), 1, 0},
			{"the group of both", apply("groups: [{name: reading}]"), 1, 1},
			{"she leaves all", changed(store.UserChange{Groups: &none}), 1, 0},
			{"his alone", apply("groups: [{name: reading, languages: '*'}]"), 0, 1},
		} {
			wantJana, wantTom := version(t, s, jana)+step.jana, version(t, s, tom)+step.tom
			if err := step.do(); err != nil {
				t.Fatalf("%s: %v", step.name, err)
			}
			if gotJana, gotTom := version(t, s, jana), version(t, s, tom); gotJana != wantJana || gotTom != wantTom {
				t.Errorf("%s: versions %d and %d, not %d and %d", step.name, gotJana, gotTom, wantJana, wantTom)
			}
		}
		u, err := s.User(t.Context(), jana)
		if err != nil || u.Email != mail || u.Lang != lang || !u.Admin || !u.Enabled || len(u.Groups) != 0 {
			t.Errorf("in the end: %+v, %v", u, err)
		}
	})
}

func TestGroupsAreAppliedAllOrNone(t *testing.T) {
	t.Parallel()
	store.EachDatabase(t, func(t *testing.T, database string) {
		s := store.MustOpen(t, store.Config{Database: database})
		if err := s.ApplyGroups(t.Context(), groupsOf(t, file)); err != nil {
			t.Fatal(err)
		}
		before, err := s.Groups(t.Context())
		if err != nil || len(before) != 2 {
			t.Fatalf("%+v, %v", before, err)
		}
		for says, text := range map[string]string{
			`"editing": grants: "admin"`:       "groups: [{name: other}, {name: editing, grants: [admin]}]",
			"grants":                           "groups: [{name: editing, grants: [agent_approve2]}]",
			"tables.select":                    "groups: [{name: a, tables: {select: [Pages]}}]",
			"tables.modify":                    "groups: [{name: a, tables: {modify: ['pages; DROP TABLE users']}}]",
			"languages":                        "groups: [{name: a, languages: [de]}]",
			`languages: "-1"`:                  "groups: [{name: a, languages: [-1]}]",
			"fields":                           "groups: [{name: a, fields: [description]}]",
			"values":                           "groups: [{name: a, values: [content.type]}]",
			"page_types":                       "groups: [{name: a, page_types: ['']}]",
			"mounts.pages":                     "groups: [{name: a, mounts: {pages: [home]}}]",
			"mounts.files":                     "groups: [{name: a, mounts: {files: [media]}}]",
			`mounts.files: "media:/a"`:         "groups: [{name: a, mounts: {files: ['media:/a']}}]",
			"there twice":                      "groups: [{name: a}, {name: ' a'}]",
			"the name of a group is empty":     "groups: [{name: b}, {languages: [0]}]",
			"the name of a group holds an inv": `groups: [{name: "b\u202e"}]`,
		} {
			if err := s.ApplyGroups(t.Context(), groupsOf(t, text)); !refused(err, says) {
				t.Errorf("%s: %v", says, err)
			}
		}
		after, err := s.Groups(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(before, after); diff != "" {
			t.Error(diff)
		}
	})
}

func TestListOfAGroupFileIsAListOrAStar(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]store.Names{
		"'*'": {"*"}, "[a, 7]": {"a", "7"}, "[]": {},
	} {
		var got store.Names
		if err := yaml.Unmarshal([]byte(text), &got); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"pages", "7", "{a: b}", "[[a]]"} {
		var got store.Names
		if err := yaml.Unmarshal([]byte(text), &got); err == nil {
			t.Errorf("%s was read as %v", text, got)
		}
	}
}

func TestStarOfGrantsIsWrittenOut(t *testing.T) {
	t.Parallel()
	rights, err := store.Group{Name: "a", Grants: store.Names{"*"}}.Rights()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]imprimatur.Grant{imprimatur.GrantApprove}, rights.Grants); diff != "" {
		t.Error(diff)
	}
}

// A user who joins a group while it changes never holds its old rights under a
// version that stays.
func TestJoiningAGroupWhileItChangesIsNotLost(t *testing.T) {
	t.Parallel()
	store.EachDatabase(t, func(t *testing.T, database string) {
		s := store.MustOpen(t, store.Config{Database: database})
		if err := s.ApplyGroups(t.Context(), groupsOf(t, "groups: [{name: a}, {name: b}]")); err != nil {
			t.Fatal(err)
		}
		u := add(t, s, store.NewUser{Name: "jana"})
		var seen sync.Map // rights by version
		look := func() {
			u, err := s.User(context.Background(), u.ID)
			if err != nil {
				t.Error(err)
				return
			}
			if was, ok := seen.LoadOrStore(u.Version, u.Rights.Languages.Has("1")); ok && was != u.Rights.Languages.Has("1") {
				t.Errorf("version %d stands for two sets of rights", u.Version)
			}
		}
		var all sync.WaitGroup
		for i := range 20 {
			all.Go(func() {
				text := []string{"groups: [{name: b, languages: [1]}, {name: a, languages: [1]}]", "groups: [{name: a}, {name: b}]"}[i%2]
				if err := s.ApplyGroups(context.Background(), groupsOf(t, text)); err != nil {
					t.Error(err)
				}
				look()
			})
			all.Go(func() {
				groups := [][]string{{"a"}, {"b", "a"}, {}}[i%3]
				if _, err := s.ChangeUser(context.Background(), u.ID, store.UserChange{Groups: &groups}); err != nil {
					t.Error(err)
				}
				look()
			})
		}
		all.Wait()
	})
}

// Tries to sign in are counted on both databases, and forgotten a day later.
func TestTriesToSignInAreCountedAndForgotten(t *testing.T) {
	t.Parallel()
	store.EachDatabase(t, func(t *testing.T, database string) {
		s, later := aging(t, database)
		u := add(t, s, store.NewUser{Name: "jana"})
		if err := s.SetPassword(t.Context(), u.ID, "proof"); err != nil {
			t.Fatal(err)
		}
		if id, proof, err := s.Password(t.Context(), " jana "); err != nil || id != u.ID || proof != "proof" {
			t.Errorf("%d, %q, %v", id, proof, err)
		}
		if id, proof, err := s.Password(t.Context(), "nobody"); err != nil || id != 0 || proof != "" {
			t.Errorf("nobody: %d, %q, %v", id, proof, err)
		}
		if err := s.SetPassword(t.Context(), 4711, "proof"); !errors.Is(err, store.ErrNoUser) {
			t.Errorf("somebody who does not exist: %v", err)
		}
		for range 7 {
			if _, err := s.Attempt(t.Context(), "jana"); err != nil {
				t.Fatal(err)
			}
		}
		if wait, err := s.Attempt(t.Context(), "jana"); err != nil || wait <= 0 {
			t.Errorf("after seven tries: %v, %v", wait, err)
		}
		later(25 * time.Hour)
		if err := s.PurgeExpired(t.Context()); err != nil {
			t.Fatal(err)
		}
		for range 5 {
			if wait, err := s.Attempt(t.Context(), "jana"); err != nil || wait != 0 {
				t.Errorf("a day later: %v, %v", wait, err)
			}
		}
		if err := s.SignedIn(t.Context(), "jana"); err != nil {
			t.Error(err)
		}
	})
}
