package editorial_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
	"github.com/imprimatur-dev/imprimatur/editorial"
	"github.com/imprimatur-dev/imprimatur/internal/faultsql"
	"github.com/imprimatur-dev/imprimatur/store"
)

// probes are the calls that are measured: for each tool that previews, the one
// of its journey and further ones that read something else; for each other
// tool, one or more.
func probes() map[string][]func(in subjects) string {
	all := map[string][]func(in subjects) string{}
	for name, j := range journeys() {
		all[name] = append(all[name], j.args)
	}
	more := func(tool, format string, uids func(in subjects) []any) {
		all[tool] = append(all[tool], func(in subjects) string { return fmt.Sprintf(format, uids(in)...) })
	}
	of := func(uid func(in subjects) int64) func(in subjects) []any {
		return func(in subjects) []any { return []any{uid(in)} }
	}
	more("get_pagetree", `{"depth":5,"rootUid":%d}`, of(aParent))
	more("get_page_content", `{"uid":%d}`, func(in subjects) []any { return []any{in.target} })
	more("move_page", `{"parent":%d,"uid":%d}`, func(in subjects) []any { return []any{in.target, in.parent} })
	more("copy_record", `{"table":"pages","target_page":%d,"uid":%d}`, func(in subjects) []any { return []any{in.parent, in.page} })
	more("copy_record", `{"table":"content","target_page":%d,"uid":%d}`, func(in subjects) []any { return []any{in.target, in.withFiles} })
	more("publish_record", `{"table":"content","uid":%d}`, of(func(in subjects) int64 { return in.hiddenElement }))
	more("delete_record", `{"table":"content","uid":%d}`, of(aPicture))
	more("delete_record", `{"include_subpages":true,"table":"pages","uid":%d}`, of(aParent))
	more("create_translation_draft", `{"language":3,"table":"pages","uid":%d}`, of(aPage))
	more("create_translation_draft", `{"language":3,"table":"content","uid":%d}`, of(aPicture))
	more("replace_file_reference", `{"action":"replace","file":%d,"reference":%d}`, func(in subjects) []any { return []any{in.another, in.reference} })
	maps.Copy(all, readProbes())
	return all
}

// site is a repository on a file, with its tools and a count of what passes
// between it and the database.
type site struct {
	repo   *content.Repository
	tools  map[string]imprimatur.Tool
	faults *faultsql.Injector
	store  *store.Store
}

func openSite(t testing.TB, file string) *site {
	t.Helper()
	s := &site{faults: &faultsql.Injector{}}
	var err error
	s.store, err = store.Open(t.Context(), store.Config{
		Database: "sqlite:" + file, Unsealed: true, Migrations: contentMigrations(), Connector: s.faults.Wrap,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.store.Close(); err != nil {
			t.Error(err)
		}
	})
	s.repo = repository(t, s.store)
	s.tools = toolsOf(s.repo)
	return s
}

// copyFile copies a file that nobody has open, and returns its new name.
func copyFile(t testing.TB, from, to string) string {
	t.Helper()
	data, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return to
}

func toolsOf(repo *content.Repository) map[string]imprimatur.Tool {
	all := map[string]imprimatur.Tool{}
	for _, tool := range editorial.Tools(repo) {
		all[tool.Spec().Name] = tool
	}
	return all
}

// measured says of every tool whether it is among the probes, and lists those
// that are, by name.
func measured(t testing.TB, s *site, table map[string][]func(in subjects) string) []string {
	t.Helper()
	names := slices.Sorted(maps.Keys(s.tools))
	return slices.DeleteFunc(names, func(name string) bool {
		if len(table[name]) == 0 {
			t.Errorf("%s is not among the probes", name)
		}
		return len(table[name]) == 0
	})
}

func callOf(u imprimatur.User, args string) imprimatur.Call {
	return imprimatur.Call{Run: "run", ID: "call-1-1", User: u, Args: json.RawMessage(args)}
}

// look takes the picture of a call, or reads where a tool shows none.
func (s *site) look(t testing.TB, tool string, c imprimatur.Call) (token any, refused bool) {
	t.Helper()
	if p, ok := s.tools[tool].(imprimatur.Previewer); ok {
		picture, err := p.Preview(t.Context(), c)
		if err != nil {
			t.Fatalf("previewing %s %s: %v", tool, c.Args, err)
		}
		return picture.Token, len(picture.Lines) == 0 || picture.Lines[0].Role == imprimatur.RoleRefusal
	}
	result, err := s.tools[tool].Execute(t.Context(), c)
	if err != nil {
		t.Fatalf("reading with %s %s: %v", tool, c.Args, err)
	}
	return nil, result.IsError
}

// writes reports whether a tool writes.
func (s *site) writes(tool string) bool {
	return s.tools[tool].(imprimatur.Effector).Effect().Writes()
}

var errTakenBack = errors.New("taken back")

// carryOut carries a call out and takes it back with its transaction. took is
// the time of the call alone.
func (s *site) carryOut(t testing.TB, tool string, c imprimatur.Call) (took time.Duration, refused bool) {
	t.Helper()
	err := s.repo.Write(t.Context(), func(ctx context.Context, in *content.Repository) error {
		tools := toolsOf(in)
		begun := time.Now()
		result, err := tools[tool].Execute(ctx, c)
		took, refused = time.Since(begun), result.IsError
		return errors.Join(errTakenBack, err)
	})
	if !errors.Is(err, errTakenBack) || err.Error() != errTakenBack.Error() {
		t.Fatalf("executing %s %s: %v", tool, c.Args, err)
	}
	return took, refused
}

// Further pages below FirstLetter.
const (
	nextEntry   = contenttest.FirstEntry + 6
	hiddenEntry = contenttest.FirstEntry + 12
)

// seed makes a file with the large seed of contenttest and what the journeys
// need besides, and says what they are about.
func seed(t testing.TB, file string) subjects {
	t.Helper()
	s := openSite(t, file)
	contenttest.On(t, s.store.Writer(), s.store.Reader(), contenttest.Options{Large: true})
	polish := content.Language{ID: 3, Code: "pl", Label: imprimatur.ByLanguage{"en": "Polish", "de": "Polnisch"}}
	if err := s.repo.SetLanguage(t.Context(), polish); err != nil {
		t.Fatal(err)
	}
	poster := content.Ref{Table: content.Elements, UID: contenttest.Poster}
	out := contenttest.Set(t, s.repo, content.System(),
		content.Attach(poster, "image", contenttest.Hall, nil), content.Attach(poster, "image", contenttest.Door, nil),
		change{content.Pages, hiddenEntry, map[string]any{"hidden": 1}}.of())
	fillEntry(t, s.repo)
	if err := s.store.Close(); err != nil {
		t.Fatal(err)
	}
	return subjects{
		parent: contenttest.FirstLetter, page: contenttest.FirstEntry, sibling: nextEntry, hidden: hiddenEntry,
		element: contenttest.Pointing, other: contenttest.Intro, target: contenttest.Visit, hiddenElement: contenttest.Downloads,
		withFiles: contenttest.Poster, field: "image", reference: out.Created[0].UID,
		file: contenttest.Hall, another: contenttest.Door, news: contenttest.NewsItem,
	}
}

// fillEntry puts onto FirstEntry something of everything that goes along with a
// page: pictures, an owned record, translations, a record of another table.
func fillEntry(t testing.TB, repo *content.Repository) {
	t.Helper()
	create := func(key, table string, fields map[string]any) content.Change {
		return content.Change{Op: content.Create, Key: key, Table: table, PID: contenttest.FirstEntry, After: content.Last, Fields: fields}
	}
	out := contenttest.Set(t, repo, content.System(),
		create("picture", content.Elements, map[string]any{"type": "textpic", "header": "A picture"}),
		create("folds", content.Elements, map[string]any{"type": "accordion", "header": "Questions"}),
		create("item", "accordion_items", map[string]any{"element": content.Key("folds"), "header": "Where?"}),
		create("", "news", map[string]any{"title": "An entry"}),
	)
	picture := content.Ref{Table: content.Elements, UID: out.IDs["picture"]}
	contenttest.Set(t, repo, content.System(),
		content.Attach(picture, "image", contenttest.Hall, nil),
		content.Attach(content.Ref{Table: "accordion_items", UID: out.IDs["item"]}, "media", contenttest.Door, nil),
		content.Change{Op: content.Localize, Table: content.Pages, UID: contenttest.FirstEntry, Language: 1},
		content.Change{Op: content.Localize, Table: content.Elements, UID: picture.UID, Language: 1},
		content.Change{Op: content.Localize, Table: content.Elements, UID: out.IDs["folds"], Language: 1},
	)
}
