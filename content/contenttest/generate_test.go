package contenttest_test

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
	"github.com/imprimatur-dev/imprimatur/store"
)

// generated is a repository with a seed and a branch of this size below Museum.
func generated(t testing.TB, size contenttest.Size) (*content.Repository, *sql.DB) {
	t.Helper()
	cfg := store.Config{
		Database: "sqlite:" + filepath.Join(t.TempDir(), "generated.db"), Unsealed: true,
		Migrations: []store.MigrationSet{{Name: content.MigrationName, FS: content.Migrations()}},
	}
	s, err := store.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	contenttest.On(t, s.Writer(), s.Reader(), contenttest.Options{Large: true})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	contenttest.Generate(t, cfg.Database[len("sqlite:"):], contenttest.Museum, size)
	if s, err = store.Open(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	repo, err := content.Open(content.Config{Writer: s.Writer(), Reader: s.Reader(), Schema: contenttest.Schema(t), Storages: imprimatur.Set{"media"}})
	if err != nil {
		t.Fatal(err)
	}
	return repo, s.Writer()
}

func TestAGeneratedBranchIsOneThatTheRepositoryReads(t *testing.T) {
	t.Parallel()
	size := contenttest.Size{Pages: 120, PerPage: 10}
	repo, _ := generated(t, size)
	editor := contenttest.People().Editor
	nodes, err := repo.Tree(t.Context(), editor, contenttest.Generated, content.MaxRootline)
	if err != nil || int64(len(nodes)) != size.Pages {
		t.Fatalf("%d pages, %v", len(nodes), err)
	}
	all, err := repo.Deletion(t.Context(), content.Ref{Table: content.Pages, UID: contenttest.Generated}, true)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	for _, rec := range all.All() {
		got[fmt.Sprintf("%s %d", rec.Table, rec.Language)]++
	}
	want := map[string]int{"pages 0": 120, "pages 1": 2, "content 0": 1200, "content 1": 24, "accordion_items 0": 300, "file_references 0": 900}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if incoming, err := repo.Incoming(t.Context(), refsOf(all)); err != nil || len(incoming) != 0 {
		t.Errorf("%v refer to the branch, %v", incoming, err)
	}
	before := content.Change{Op: content.Update, Table: content.Elements, UID: contenttest.Generated + 1, Fields: map[string]any{"header": "Another"}}
	contenttest.Set(t, repo, editor, before, content.Attach(content.Ref{Table: content.Elements, UID: contenttest.Generated + 1}, "image", contenttest.Generated+2, nil))
	if rec, err := repo.Row(t.Context(), content.Ref{Table: content.Elements, UID: contenttest.Generated + 1}); err != nil || rec.Int("image") != 2 {
		t.Errorf("%d pictures, %v", rec.Int("image"), err)
	}
	contenttest.Set(t, repo, editor, content.Change{Op: content.Create, Table: content.Pages, PID: contenttest.Generated, Fields: map[string]any{"title": "One more"}})
}

func refsOf(d content.Doom) []content.Ref {
	var all []content.Ref
	for _, rec := range d.All() {
		all = append(all, rec.Ref())
	}
	return all
}

// What stands beside the rows is what the repository itself makes of them.
func TestAGeneratedBranchIsIndexed(t *testing.T) {
	t.Parallel()
	repo, db := generated(t, contenttest.Size{Pages: 30, PerPage: 7})
	before := linkIndex(t, db)
	for _, q := range []string{"DELETE FROM content_links", "INSERT INTO content_ids (tab, last) VALUES ('unlinked', 1)"} {
		if _, err := db.ExecContext(t.Context(), q); err != nil {
			t.Fatal(err)
		}
	}
	if err := repo.IndexLinks(t.Context()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(linkIndex(t, db), before); diff != "" || len(before) < 300 {
		t.Errorf("%d links\n%s", len(before), diff)
	}
	refs, err := repo.All(t.Context(), content.FileReferences)
	if err != nil {
		t.Fatal(err)
	}
	for _, ref := range refs {
		owner := content.Ref{Table: ref.Text(content.ColumnOwnerTable), UID: ref.Int(content.ColumnOwner)}
		held, err := repo.References(t.Context(), owner, ref.Text(content.ColumnOwnerField))
		if err != nil || len(held) == 0 {
			t.Errorf("%s holds %d files, %v", owner, len(held), err)
		}
		rec, err := repo.Row(t.Context(), owner)
		if err != nil || rec.Int(ref.Text(content.ColumnOwnerField)) != int64(len(held)) || rec.PID != ref.PID && owner.Table != content.Pages {
			t.Errorf("%s says it holds %d of %d files, %v", owner, rec.Int(ref.Text(content.ColumnOwnerField)), len(held), err)
		}
	}
	files, err := repo.All(t.Context(), content.Files)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		at, err := repo.FileAt(t.Context(), file.Text(content.ColumnStorage), file.Text(content.ColumnIdentifier))
		if err != nil || at.UID != file.UID {
			t.Errorf("file %d is not where it says, %v", file.UID, err)
		}
		if _, err := repo.Metadata(t.Context(), file.UID, 0); err != nil && file.UID >= contenttest.Generated {
			t.Errorf("nothing describes file %d: %v", file.UID, err)
		}
	}
}

func linkIndex(t *testing.T, db *sql.DB) []string {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), "SELECT tab || ' ' || uid || ' ' || kind || ' ' || to_tab || ' ' || to_uid FROM content_links ORDER BY 1")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var all []string
	for rows.Next() {
		var one string
		if err := rows.Scan(&one); err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}
