package demo_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/demo"
)

// only is the one record of a table that is chosen.
func (w *world) only(t *testing.T, table string, choose func(content.Record) bool) content.Record {
	t.Helper()
	all, err := w.repo.All(t.Context(), table)
	must(t, err)
	var found []content.Record
	for _, r := range all {
		if choose(r) {
			found = append(found, r)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d records of %s, want one: %v", len(found), table, found)
	}
	return found[0]
}

func (w *world) record(t *testing.T, table string, uid int64) content.Record {
	t.Helper()
	r, err := w.repo.Record(t.Context(), w.Admin, table, uid)
	must(t, err)
	return r
}

// wrote compares the website with what the cards of each tool announced.
func (w *world) wrote(t *testing.T) {
	t.Helper()
	titled := func(title string) func(content.Record) bool {
		return func(r content.Record) bool { return r.Text("title") == title }
	}
	page := w.only(t, content.Pages, titled("The log books of the ferry"))
	if page.PID != 22 || page.Int(content.ColumnHidden) != 1 || page.Text("slug") != "/exhibitions/the-long-ferry/the-log-books-of-the-ferry" {
		t.Errorf("the new page: %+v", page)
	}
	news := w.only(t, "news", titled("Knot workshop in the net loft"))
	if news.PID != 50 || news.Int(content.ColumnHidden) != 1 || news.Text("type") != "announcement" {
		t.Errorf("the new record: %+v", news)
	}
	translation := w.only(t, content.Elements, func(r content.Record) bool { return r.Origin == 331 })
	if translation.Language != 1 || translation.Int(content.ColumnHidden) != 1 || len(w.files(t, translation.UID)) != 1 {
		t.Errorf("the translation: %+v", translation)
	}
	moved := w.record(t, content.Pages, 34)
	behind, first, err := w.repo.Place(t.Context(), moved)
	must(t, err)
	if moved.PID != 20 || first || behind.UID != 21 || w.record(t, content.Pages, 35).PID != 34 {
		t.Errorf("the page that moved lies under %d, behind %d", moved.PID, behind.UID)
	}
	if got := w.record(t, content.Elements, 1130).Text("bodytext"); got != "Erwachsene 9\nErmäßigt 6\nBis 16 Jahre frei" {
		t.Errorf("the element says %q", got)
	}
	described, err := w.repo.Metadata(t.Context(), 7, 0)
	must(t, err)
	if got := described.Text("alternative"); !strings.HasPrefix(got, "Map of Ebbenholm: a path leads") {
		t.Errorf("the alternative text is %q", got)
	}
	if w.record(t, content.Pages, 1016).Int(content.ColumnHidden) != 0 {
		t.Error("the page is hidden still")
	}
	w.gone(t, content.Pages, 25, 1025, 26, 1026)
	w.gone(t, content.Elements, 250, 1250, 251, 1251, 260, 1260)
}

func (w *world) gone(t *testing.T, table string, uids ...int64) {
	t.Helper()
	for _, uid := range uids {
		if _, err := w.repo.Record(t.Context(), w.Admin, table, uid); !errors.Is(err, content.ErrNotFound) {
			t.Errorf("%s %d is there still: %v", table, uid, err)
		}
	}
}

// One change belongs to one card: it leaves all others as they were shown.
func TestAChangeBringsNoOtherCardBack(t *testing.T) {
	t.Parallel()
	for half := range 2 {
		w := open(t, t.TempDir(), demo.Options{})
		for i, k := range alterable {
			if i%2 == half {
				must(t, w.Change(t.Context(), w, session(w.Approver), w.runs[k]))
			}
		}
		for i, k := range alterable {
			run := w.approve(t, w.card(t, w.Approver, k))
			if changed := i%2 == half; run.Back != changed || (run.Status == imprimatur.StatusCompleted) == changed {
				t.Errorf("%s: changed %v, back %v, %s", k, changed, run.Back, run.Status)
			}
		}
	}
}

func TestTheDeletionCountsWhatTheColleagueAdded(t *testing.T) {
	t.Parallel()
	w := open(t, t.TempDir(), demo.Options{})
	seen := w.card(t, w.Approver, demo.Deleted)
	must(t, w.Change(t.Context(), w, session(w.Approver), w.runs[demo.Deleted]))
	w.approve(t, seen)
	call := w.card(t, w.Approver, demo.Deleted).Calls[0]
	if !strings.Contains(text(call.Was), "Inhaltselement: 6") || !strings.Contains(text(call.Preview.Lines), "Inhaltselement: 7") {
		t.Errorf("was:\n%s\nis:\n%s", text(call.Was), text(call.Preview.Lines))
	}
}

func TestWhatTheColleagueDidIsToldInWords(t *testing.T) {
	t.Parallel()
	w := open(t, t.TempDir(), demo.Options{})
	for _, k := range []demo.Kind{demo.Relative, demo.SmallEdit, demo.NewPage, demo.Deleted} {
		must(t, w.Change(t.Context(), w, session(w.Approver), w.runs[k]))
		hint, ok := w.Hint(t.Context(), w, session(w.Approver), w.runs[k])
		if !ok {
			t.Fatalf("%s has no hint", k)
		}
		for _, language := range []string{"en", "de"} {
			if said := w.Catalogue().Printer(language).Say(hint.Label, hint.Values); !strings.HasPrefix(said, w.Admin.Name+" ha") {
				t.Errorf("%s in %s: %q", k, language, said)
			}
		}
	}
}

// What the museum says itself is there in every language that it knows.
func TestTheMuseumSaysTheSameInEveryLanguage(t *testing.T) {
	t.Parallel()
	further, languages, err := demo.Further(os.DirFS(filepath.Join("..", "languages")))
	must(t, err)
	if !slices.Contains(languages, "fr") {
		t.Fatalf("languages %v", languages)
	}
	keys := func(from fs.FS, file string) (all []string) {
		data, err := fs.ReadFile(from, file)
		must(t, err)
		for line := range strings.Lines(string(data)) {
			key, _, _ := strings.Cut(line, " = ")
			all = append(all, key)
		}
		return all
	}
	want := keys(demo.Catalogue(), "en.toml")
	if diff := cmp.Diff(want, keys(demo.Catalogue(), "de.toml")); diff != "" {
		t.Error(diff)
	}
	for i, from := range further {
		if diff := cmp.Diff(want, keys(from, languages[i]+".toml")); diff != "" {
			t.Errorf("%s: %s", languages[i], diff)
		}
	}
}
