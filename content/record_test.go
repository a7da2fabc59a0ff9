package content_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
	"github.com/imprimatur-dev/imprimatur/store"
)

func TestRecordsAnswerForTheirColumns(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	intro, page := read(t, s, "content", contenttest.Intro), read(t, s, "pages", contenttest.Visit)
	same(t, []string{s.Schema().Title(intro), s.Schema().KindOf(intro)}, []string{"Welcome", "text"})
	same(t, []string{s.Schema().Title(page), s.Schema().KindOf(page)}, []string{"Visit", "standard"})
	file := read(t, s, "files", contenttest.Hall)
	same(t, []string{s.Schema().Title(file), s.Schema().KindOf(file), file.Text("size"), file.Text("nothing")}, []string{"hall.jpg", "", "1007", ""})
	none := content.Record{Table: "none", Fields: map[string]any{"a": "12", "b": "x"}}
	same(t, []string{s.Schema().Title(none), s.Schema().KindOf(none)}, []string{"", ""})
	same(t, []int64{none.Int("a"), none.Int("b"), none.Int("c")}, []int64{12, 0, 0})

	seen := content.Versions{}
	seen.Add(intro, content.Record{Table: "content", UID: 1, Version: 4, Deleted: true})
	same(t, seen, content.Versions{intro.Ref(): 1, {Table: "content", UID: 1}: 0})
	same(t, intro.Ref().String(), "content:40")

	lying, err := s.OnPage(context.Background(), "news", contenttest.Visit)
	if err != nil || len(lying) != 1 || lying[0].UID != contenttest.NewsItem {
		t.Errorf("%v, %v", lying, err)
	}
}

func TestARestoredPageTakesTheRightsThatDeletingItTook(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	restore := content.Change{Op: content.Restore, Table: "pages", UID: contenttest.VisitTeam}
	contenttest.Set(t, s.Repository, s.Editor, remove("pages", contenttest.VisitTeam))
	same(t, complaints(t, s, s.Reader, restore), []string{"not found or not permitted"})
	if _, err := s.SetPageRights(context.Background(), contenttest.Visit, false, content.PageRights{Group: "editing", GroupMay: content.BitShow}); err != nil {
		t.Fatal(err)
	}
	same(t, complaints(t, s, s.Editor, restore), []string{"not found or not permitted"})
	if _, err := s.SetPageRights(context.Background(), contenttest.Visit, false, content.PageRights{Group: "editing", GroupMay: content.BitNew}); err != nil {
		t.Fatal(err)
	}
	contenttest.Set(t, s.Repository, s.Editor, restore)
	same(t, read(t, s, "pages", contenttest.VisitTeam).Text("title"), "Team")
}

func TestTheRepositoryLivesInTheDatabaseOfTheStore(t *testing.T) {
	t.Parallel()
	st, err := store.Open(context.Background(), store.Config{
		Database: "sqlite:" + filepath.Join(t.TempDir(), "all.db"), Unsealed: true,
		Migrations: []store.MigrationSet{{Name: content.MigrationName, FS: content.Migrations()}}, Now: contenttest.Now,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	})
	repo, err := content.Open(content.Config{Writer: st.Writer(), Reader: st.Reader(), Schema: contenttest.Schema(t)})
	if err != nil {
		t.Fatal(err)
	}
	contenttest.Set(t, repo, content.System(), content.Change{Op: content.Create, Table: "pages", Key: "home", Fields: map[string]any{"title": "Home", "is_siteroot": 1}})
	nodes, err := repo.Tree(context.Background(), contenttest.People().Admin, 0, 0)
	if err != nil || len(nodes) != 1 || !nodes[0].Created.Equal(contenttest.Now().Truncate(1e6)) || nodes[0].Text("slug") != "/" {
		t.Errorf("%+v, %v", nodes, err)
	}
}
