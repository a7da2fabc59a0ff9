package editorial_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
)

// What the tests of the tools for records have in common.

// cards holds the pictures of a call, in both languages, against golden files.
func cards(t *testing.T, s *stage, name, tool, args string) {
	t.Helper()
	for _, lang := range []string{"en", "de"} {
		u := s.Admin
		u.Lang = lang
		lines, _ := s.preview(t, u, tool, args)
		checkShape(t, lines, lang)
		golden(t, filepath.Join("testdata", tool, name+"."+lang+".txt"), text(lines), true)
	}
}

// dump is every row of the database that holds content, deleted ones included,
// each in one line, by table and uid.
func (s *stage) dump(t *testing.T) map[content.Ref]string {
	t.Helper()
	rows, err := s.DB.QueryContext(t.Context(), "SELECT tab, uid, pid, sorting, language, origin, deleted, fields FROM content_records")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	all := map[content.Ref]string{}
	for rows.Next() {
		var ref content.Ref
		var pid, sorting, language, origin, deleted int64
		var fields string
		if err := rows.Scan(&ref.Table, &ref.UID, &pid, &sorting, &language, &origin, &deleted, &fields); err != nil {
			t.Fatal(err)
		}
		all[ref] = fmt.Sprintf("on %d at %d, language %d of %d, deleted %t: %s", pid, sorting, language, origin, deleted != 0, fields)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// differing are the rows that differ between two states, by table and uid.
func differing(before, after map[content.Ref]string) []content.Ref {
	var refs []content.Ref
	for _, state := range []map[content.Ref]string{before, after} {
		for ref := range state {
			if before[ref] != after[ref] && !slices.Contains(refs, ref) {
				refs = append(refs, ref)
			}
		}
	}
	slices.SortFunc(refs, func(a, b content.Ref) int { return strings.Compare(a.String(), b.String()) })
	return refs
}

// neutral expects one refusal, the same for every call.
func neutral(t *testing.T, s *stage, u imprimatur.User, tool, want string, calls map[string]string) {
	t.Helper()
	for name, args := range calls {
		if got := s.refusal(t, u, tool, args); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// rooms is a page with everything that a page can have, and a link to it from
// elsewhere.
type rooms struct {
	page, german, element, elementGerman, item, news, picture int64
	subpages                                                  []int64
}

// furnished makes rooms below page Visit.
func furnished(t *testing.T, s *stage) rooms {
	t.Helper()
	var r rooms
	r.page = s.child(t, contenttest.Visit, content.Last, map[string]any{"title": "Rooms", "hidden": 0})
	r.german = s.make(t, content.Change{Table: content.Pages, Language: 1, Origin: r.page, Fields: map[string]any{"title": "Räume", "hidden": 0}})
	for _, title := range []string{"East", "West", "North"} {
		r.subpages = append(r.subpages, s.child(t, r.page, content.Last, map[string]any{"title": title, "hidden": 0}))
	}
	s.make(t, content.Change{Table: content.Pages, Language: 1, Origin: r.subpages[0], Fields: map[string]any{"title": "Osten"}})
	r.element = s.make(t, content.Change{Table: content.Elements, PID: r.page, Fields: map[string]any{"type": "accordion", "header": "Questions"}})
	r.elementGerman = s.make(t, content.Change{Table: content.Elements, PID: r.page, Language: 1, Origin: r.element, Fields: map[string]any{"type": "accordion", "header": "Fragen"}})
	r.item = s.make(t, content.Change{Table: "accordion_items", PID: r.page, Fields: map[string]any{"element": r.element, "header": "Lift?"}})
	s.make(t, content.Change{Table: "accordion_items", PID: r.page, After: content.Last, Fields: map[string]any{"element": r.element, "header": "Pictures?"}})
	r.news = s.make(t, content.Change{Table: "news", PID: r.page, Fields: map[string]any{"title": "New rooms", "hidden": 0}})
	r.picture = s.make(t, content.Change{Table: content.Elements, PID: r.subpages[1], Fields: map[string]any{
		"type": "image", "header": "The west", "header_link": fmt.Sprintf("t3://page?uid=%d", r.page),
	}})
	contenttest.Set(t, s.Repository, content.System(),
		content.Attach(content.Ref{Table: "accordion_items", UID: r.item}, "media", contenttest.Hall, nil),
		content.Attach(content.Ref{Table: content.Elements, UID: r.picture}, "image", contenttest.Door, map[string]string{"title": "Door"}),
	)
	s.change(t, content.Elements, contenttest.Intro, map[string]any{"header_link": fmt.Sprintf("t3://page?uid=%d", r.page)})
	return r
}

// make creates a record and returns its uid.
func (s *stage) make(t *testing.T, c content.Change) int64 {
	t.Helper()
	c.Op = content.Create
	return contenttest.Set(t, s.Repository, content.System(), c).Created[0].UID
}

// curator is the editor with the rights to everything in the rooms.
func curator(s *stage) imprimatur.User {
	return lacking(s.Editor, func(r *imprimatur.Rights) {
		r.Modify = append(slices.Clone(r.Modify), "accordion_items")
		r.Values = append(slices.Clone(r.Values), "content.type.accordion")
	})
}
