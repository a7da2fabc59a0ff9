package editorial_test

import (
	"errors"
	"slices"
	"strconv"
	"testing"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
)

// What the tests of the tools for pages have in common.

// lacking is a user without some of their rights.
func lacking(u imprimatur.User, takeAway func(r *imprimatur.Rights)) imprimatur.User {
	r := u.Rights
	for _, set := range []*imprimatur.Set{&r.Select, &r.Modify, &r.Languages, &r.Fields, &r.Values, &r.PageTypes, &r.Pages, &r.Files} {
		*set = slices.Clone(*set)
	}
	takeAway(&r)
	u.Rights = r
	return u
}

// drop returns a set without some names.
func drop(set imprimatur.Set, names ...string) imprimatur.Set {
	return slices.DeleteFunc(slices.Clone(set), func(name string) bool { return slices.Contains(names, name) })
}

// rights replaces those of a page with one bit set of the editors' group.
func (s *stage) rights(t *testing.T, page int64, bits content.Bits) {
	t.Helper()
	if _, err := s.SetPageRights(t.Context(), page, false, content.PageRights{Group: "editing", GroupMay: bits}); err != nil {
		t.Fatal(err)
	}
}

// child makes a page and returns its uid.
func (s *stage) child(t *testing.T, parent, after int64, fields map[string]any) int64 {
	t.Helper()
	rights := content.PageRights{Group: "editing", GroupMay: content.AllBits}
	out := contenttest.Set(t, s.Repository, content.System(), content.Change{
		Op: content.Create, Table: content.Pages, PID: parent, After: after, Fields: fields, Rights: &rights,
	})
	return out.Created[0].UID
}

// below lists the subpages of a page in their order.
func (s *stage) below(t *testing.T, parent int64) []int64 {
	t.Helper()
	pages, err := s.OnPage(t.Context(), content.Pages, parent)
	if err != nil {
		t.Fatal(err)
	}
	var uids []int64
	for _, p := range pages {
		if p.Origin == 0 {
			uids = append(uids, p.UID)
		}
	}
	return uids
}

// movedWhen takes a picture, lets something happen, and expects the call to come
// back with nothing written.
func movedWhen(t *testing.T, u func(*stage) imprimatur.User, tool, args string, meanwhile map[string]func(t *testing.T, s *stage)) {
	t.Helper()
	for name, happens := range meanwhile {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, contenttest.Options{})
			_, token := s.preview(t, u(s), tool, args)
			happens(t, s)
			comesBack(t, s, u(s), tool, args, token)
		})
	}
}

// comesBack executes a call with the token of an old picture and expects it to
// come back with nothing written.
func comesBack(t *testing.T, s *stage, u imprimatur.User, tool, args string, token any) {
	t.Helper()
	before := s.history(t)
	if result, err := s.execute(t, u, tool, args, token); !errors.Is(err, imprimatur.ErrMoved) {
		t.Errorf("%+v %v", result, err)
	}
	if after := s.history(t); after != before {
		t.Errorf("%d entries of history", after-before)
	}
}

// hookedOn opens the repository of a stage once more, with a hook.
func hookedOn(t *testing.T, s *stage, hook content.Hook) *content.Repository {
	t.Helper()
	repo, err := content.Open(content.Config{
		Writer: s.DB, Reader: s.DB, Schema: contenttest.Schema(t), Storages: imprimatur.Set{"media"}, Now: contenttest.Now, Hook: hook,
	})
	if err != nil {
		t.Fatal(err)
	}
	return repo
}

// runsWhen takes a picture, lets something happen that it does not show, and
// expects the call to run.
func runsWhen(t *testing.T, u func(*stage) imprimatur.User, tool, args string, meanwhile map[string]func(t *testing.T, s *stage)) {
	t.Helper()
	for name, happens := range meanwhile {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, contenttest.Options{})
			_, token := s.preview(t, u(s), tool, args)
			happens(t, s)
			if result, err := s.execute(t, u(s), tool, args, token); err != nil || result.IsError {
				t.Errorf("%+v %v", result, err)
			}
		})
	}
}

// takenBack executes a call whose write comes out wrong and expects nothing of
// it to be left.
func takenBack(t *testing.T, s *stage, u imprimatur.User, tool, args, want string) {
	t.Helper()
	_, token := s.preview(t, u, tool, args)
	before, rows := s.history(t), s.rows(t)
	result, err := s.execute(t, u, tool, args, token)
	if want += " Nothing was written."; err != nil || !result.IsError || result.Wrote != nil || result.Token != nil || result.Content != want {
		t.Errorf("%s: %+v %v\nwant %q", args, result, err, want)
	}
	if s.history(t) != before || s.rows(t) != rows {
		t.Errorf("%s: %d entries of history, %d rows are left", args, s.history(t)-before, s.rows(t)-rows)
	}
}

// rows counts all rows, deleted ones included.
func (s *stage) rows(t *testing.T) (n int) {
	t.Helper()
	if err := s.DB.QueryRow("SELECT COUNT(*) FROM content_records").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// agrees holds the answer to "may this person read the preview" against the
// preview that this person would get.
func (s *stage) agrees(t *testing.T, tool string, calls ...string) {
	t.Helper()
	disabled := s.Admin
	disabled.Enabled = false
	for _, args := range calls {
		for _, u := range []imprimatur.User{s.Admin, s.Editor, s.German, s.Plain, s.Reader, s.Nobody, disabled, {}} {
			lines, _ := s.preview(t, u, tool, args)
			if got, want := mayRead(t, s, tool, args, u), lines[0].Role == imprimatur.RoleHeading; got != want {
				t.Errorf("%s %s: %s may read: %v, could call: %v", tool, args, u.Name, got, want)
			}
		}
	}
}

func editor(s *stage) imprimatur.User { return s.Editor }

func admin(s *stage) imprimatur.User { return s.Admin }

// whenCreating is a hook on rows of a table that are created.
func whenCreating(table string, bend func(fields map[string]any)) contenttest.Options {
	return contenttest.Options{Hook: func(op content.Op, row content.Ref, _ content.Record, fields map[string]any) {
		if op == content.Create && row.Table == table {
			bend(fields)
		}
	}}
}

// configured gives a page a configuration.
func (s *stage) configured(t *testing.T, page int64, configuration string) {
	t.Helper()
	s.change(t, content.Pages, page, map[string]any{content.ColumnConfiguration: configuration})
}

// trigger bends what is stored behind the back of the write engine.
func (s *stage) trigger(t *testing.T, when, then string) {
	t.Helper()
	if _, err := s.DB.Exec("CREATE TRIGGER bent AFTER " + when + " BEGIN " + then + "; END"); err != nil {
		t.Fatal(err)
	}
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
