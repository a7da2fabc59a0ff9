package content_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
	"github.com/imprimatur-dev/imprimatur/internal/faultsql"
	"github.com/imprimatur-dev/imprimatur/internal/pgtest"
	"github.com/imprimatur-dev/imprimatur/store"
)

// The connection is cut at the commit of a write, before it took effect or
// after, and the first look at it fails too. The writer hears that it is written, and it is, once.
func TestAWriteWhoseCommitWasNotHeardOfHappensOnce(t *testing.T) {
	t.Parallel()
	for _, mode := range []faultsql.Mode{faultsql.Cut, faultsql.AfterCut} {
		for kind, database := range map[string]func(t *testing.T) string{
			"sqlite":     func(t *testing.T) string { return "sqlite:" + filepath.Join(t.TempDir(), "cut.db") },
			"postgresql": func(t *testing.T) string { return pgtest.Start(t) },
		} {
			t.Run(mode.String()+" "+kind, func(t *testing.T) {
				t.Parallel()
				faults := &faultsql.Injector{}
				repo := cutOff(t, database(t), faults)
				create := func(title string) {
					contenttest.Set(t, repo, content.System(), content.Change{Op: content.Create, Table: "pages", Key: "p", Fields: map[string]any{"title": title, "is_siteroot": 1}})
				}
				create("First")
				faults.Arm(faultsql.Fault{Match: "COMMIT", At: 1, Mode: mode}, faultsql.Fault{Match: "SET last = last", At: 1, Mode: faultsql.Cut})
				create("Second")
				if n := faults.Fired(); n != 2 {
					t.Fatalf("%d connections were cut, want that of the write and that of the look", n)
				}
				faults.Disarm()
				pages, err := repo.All(context.Background(), "pages")
				if err != nil {
					t.Fatal(err)
				}
				var titles []string
				for _, p := range pages {
					titles = append(titles, p.Text("title"))
				}
				same(t, titles, []string{"First", "Second"})
				history, err := repo.History(context.Background(), pages[1].Ref(), 10)
				if err != nil || len(history) != 1 {
					t.Errorf("the history of the second page: %+v, %v", history, err)
				}
			})
		}
	}
}

// cutOff opens a repository over connections that can be cut.
func cutOff(t *testing.T, database string, faults *faultsql.Injector) *content.Repository {
	t.Helper()
	st, err := store.Open(context.Background(), store.Config{
		Database: database, Unsealed: true, Connector: faults.WrapFirst,
		Migrations: []store.MigrationSet{{Name: content.MigrationName, FS: content.Migrations()}},
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
	return repo
}
