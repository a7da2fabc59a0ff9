package editorial_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
	"github.com/imprimatur-dev/imprimatur/editorial"
	"github.com/imprimatur-dev/imprimatur/imprimaturtest"
	"github.com/imprimatur-dev/imprimatur/internal/realdata"
	"github.com/imprimatur-dev/imprimatur/store"
	"github.com/imprimatur-dev/imprimatur/tool/fetch"
)

// subjects are the records of the real website that the journeys are about.
type subjects struct {
	parent, page, sibling  int64 // page and sibling lie under parent
	hidden                 int64 // a page that cannot be seen
	element, other, target int64 // text elements; other is on the page target
	hiddenElement          int64
	withFiles              int64 // an element with files in its field
	field                  string
	reference              int64 // the first of them
	file, another          int64 // pictures
	news                   int64
}

// realOffice is an office whose database holds the real website.
type realOffice struct {
	*imprimaturtest.Office
	subjects

	repo *content.Repository
	gate *gate
}

// realDatabase is a database with the real website, made once: its file, and
// what is in it to work on. The folder lives as long as the tests.
var realDatabase = struct {
	sync.Once
	file string
	in   subjects
}{}

func TestMain(m *testing.M) {
	code := m.Run()
	if realDatabase.file != "" {
		if err := os.RemoveAll(filepath.Dir(realDatabase.file)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = max(code, 1)
		}
	}
	os.Exit(code)
}

func contentMigrations() []store.MigrationSet {
	return []store.MigrationSet{{Name: content.MigrationName, FS: content.Migrations()}}
}

func repository(t testing.TB, s *store.Store) *content.Repository {
	t.Helper()
	repo, err := content.Open(content.Config{
		Writer: s.Writer(), Reader: s.Reader(), Schema: contenttest.Schema(t), Storages: imprimatur.Set{"media"},
	})
	if err != nil {
		t.Fatal(err)
	}
	return repo
}

// openReal opens an office over a copy of the real website.
func openReal(t *testing.T) *realOffice {
	t.Helper()
	file := realdata.Dir(t, "typo3-introduction", "data.xml")
	realDatabase.Do(func() { importReal(t, file) })
	o := &realOffice{subjects: realDatabase.in, gate: &gate{}}
	o.Office = imprimaturtest.Open(t, imprimaturtest.Options{
		From: realDatabase.file, Migrations: contentMigrations(),
		Tools: func(s *store.Store) ([]imprimatur.Tool, error) {
			o.repo = repository(t, s)
			web, err := fetch.New(fetch.Config{Allow: []string{"nowhere.example.org"}})
			if err != nil {
				return nil, err
			}
			tools := append(editorial.Tools(o.repo), web)
			for i, tool := range tools {
				if p, ok := tool.(previewing); ok {
					tools[i] = &gated{p, o.gate}
				}
			}
			return tools, nil
		},
	})
	return o
}

// importReal makes the database.
func importReal(t testing.TB, export string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "imprimatur-real-")
	if err != nil {
		t.Fatal(err)
	}
	realDatabase.file = filepath.Join(dir, "real.db")
	s, err := store.Open(t.Context(), store.Config{
		Database: "sqlite:" + realDatabase.file, Unsealed: true, Migrations: contentMigrations(),
	})
	if err != nil {
		t.Fatal(err)
	}
	repo := repository(t, s)
	src, err := os.Open(export)
	if err != nil {
		t.Fatal(err)
	}
	_, err = repo.Import(t.Context(), src, content.ImportOptions{Languages: realLanguages()})
	if err == nil {
		err = src.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	realDatabase.in = choose(t, repo)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// choose finds records of the website to work on and hides two of them.
func choose(t testing.TB, repo *content.Repository) subjects {
	t.Helper()
	var in subjects
	for _, page := range everyRow(t, repo, content.Pages) {
		children, err := repo.OnPage(t.Context(), content.Pages, page.UID)
		if err != nil {
			t.Fatal(err)
		}
		children = defaults(children)
		if in.parent == 0 && page.Origin == 0 && page.PID != 0 && len(children) > 3 && !hasSubpages(t, repo, children[0].UID) {
			in.parent, in.page, in.sibling, in.hidden = page.UID, children[0].UID, children[1].UID, children[2].UID
		}
	}
	for _, e := range defaults(everyRow(t, repo, content.Elements)) {
		refs, err := repo.References(t.Context(), e.Ref(), "image")
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case in.withFiles == 0 && len(refs) > 1 && e.Text(content.ColumnKind) == "textpic":
			in.withFiles, in.field, in.reference = e.UID, "image", refs[0].UID
		case e.Text(content.ColumnKind) != "text" || e.Text("header") == "":
		case in.element == 0:
			in.element = e.UID
		case in.other == 0 && e.PID != rowOf(t, repo, content.Elements, in.element).PID:
			in.other, in.target = e.UID, e.PID
		case in.hiddenElement == 0 && in.other != 0:
			in.hiddenElement = e.UID
		}
	}
	for _, f := range everyRow(t, repo, content.Files) {
		if f.Text("extension") != "jpg" && f.Text("extension") != "png" || f.Int(content.ColumnMissing) != 0 {
			continue
		}
		if _, err := repo.Metadata(t.Context(), f.UID, 0); err != nil {
			continue
		}
		in.file, in.another = f.UID, in.file
	}
	set := func(table string, uid int64, fields map[string]any) {
		contenttest.Set(t, repo, content.System(), content.Change{Op: content.Update, Table: table, UID: uid, Fields: fields})
	}
	set(content.Pages, in.hidden, map[string]any{"hidden": 1})
	set(content.Elements, in.hiddenElement, map[string]any{"hidden": 1})
	out := contenttest.Set(t, repo, content.System(), content.Change{Op: content.Create, Table: "news", PID: in.page, Fields: map[string]any{"title": "Reopened"}})
	in.news = out.Created[0].UID
	if s := fmt.Sprintf("%+v", in); strings.Contains(s, ":0 ") || strings.HasSuffix(s, ":0}") {
		t.Fatalf("the website lacks something to work on: %s", s)
	}
	return in
}

func everyRow(t testing.TB, repo *content.Repository, table string) []content.Record {
	t.Helper()
	records, err := repo.All(t.Context(), table)
	if err != nil {
		t.Fatal(err)
	}
	return records
}

func rowOf(t testing.TB, repo *content.Repository, table string, uid int64) content.Record {
	t.Helper()
	rec, err := repo.Row(t.Context(), content.Ref{Table: table, UID: uid})
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

func hasSubpages(t testing.TB, repo *content.Repository, page int64) bool {
	t.Helper()
	below, err := repo.Subpages(t.Context(), page)
	if err != nil {
		t.Fatal(err)
	}
	return len(below) > 0
}

// defaults keeps records in the default language.
func defaults(records []content.Record) []content.Record {
	var kept []content.Record
	for _, r := range records {
		if r.Language == 0 && r.Origin == 0 {
			kept = append(kept, r)
		}
	}
	return kept
}

// previewing is what every tool that shows its calls can do.
type previewing interface {
	imprimatur.Tool
	imprimatur.Previewer
	imprimatur.Effector
	imprimatur.Approvable
	imprimatur.Grouped
}

// gate holds what happens just before the next write.
type gate struct{ before func() }

// gated is a tool behind a gate: somebody passes between the last look and the
// write.
type gated struct {
	previewing
	gate *gate
}
