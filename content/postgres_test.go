package content_test

import (
	"context"
	"database/sql"
	"errors"
	"sync"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
	"github.com/pressly/goose/v3"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
	"github.com/imprimatur-dev/imprimatur/internal/pgtest"
)

// onPostgres fills a PostgreSQL database of its own.
func onPostgres(t *testing.T, o contenttest.Options) *contenttest.Site {
	t.Helper()
	db, err := sql.Open("pgx", pgtest.Start(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	p, err := goose.NewProvider(goose.DialectPostgres, db, content.Migrations(), goose.WithDisableGlobalRegistry(true))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Up(context.Background()); err != nil {
		t.Fatal(err)
	}
	return contenttest.On(t, db, db, o)
}

func TestTheSameStatementsRunOnPostgreSQL(t *testing.T) {
	t.Parallel()
	s := onPostgres(t, contenttest.Options{})
	ctx := context.Background()
	picture := content.Ref{Table: "content", UID: contenttest.Picture}

	nodes, err := s.Tree(ctx, s.Editor, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	same(t, titles(nodes), []string{"Museum", "  Visit", "  Collection"})
	elements, err := s.Elements(ctx, s.Editor, contenttest.Visit, 1)
	if err != nil || len(elements) != 1 {
		t.Errorf("elements %v, %v", elements, err)
	}
	contenttest.Set(t, s.Repository, s.Editor,
		update("pages", contenttest.Visit, map[string]any{"title": "Besuch", "abstract": "", "nav_title": nil}),
		content.Change{Op: content.Create, Table: "pages", PID: contenttest.Visit, After: contenttest.OpeningHours, Fields: map[string]any{"title": "Neu"}},
		content.Attach(picture, "image", contenttest.Door, map[string]string{"title": "Door"}))
	same(t, references(t, s, picture, "image"), []int64{contenttest.Hall, contenttest.Door})
	same(t, complaints(t, s, s.Editor, update("pages", contenttest.Visit, map[string]any{"title": "a\x00b"})), []string{"title: the text holds a NUL character"})
	history, err := s.History(ctx, content.Ref{Table: "pages", UID: contenttest.Visit}, 10)
	if err != nil || len(history) != 4 || history[1].New != nil {
		t.Errorf("history %v, %v", history, err)
	}
	contenttest.Set(t, s.Repository, s.Editor, remove("content", contenttest.Picture))
	contenttest.Set(t, s.Repository, s.Editor, content.Change{Op: content.Restore, Table: "content", UID: contenttest.Picture})
	same(t, references(t, s, picture, "image"), []int64{contenttest.Hall, contenttest.Door})
	if n, err := s.SetPageRights(ctx, contenttest.Museum, true, content.PageRights{Owner: 2, OwnerMay: content.AllBits}); err != nil || n != 10 {
		t.Errorf("rights of %d pages, %v", n, err)
	}
	if _, err := s.Metadata(ctx, contenttest.Hall, 0); err != nil {
		t.Error(err)
	}
	if _, err := s.FileAt(ctx, "media", "/pictures/hall.jpg"); err != nil {
		t.Error(err)
	}
	if to, err := s.ReferencesTo(ctx, contenttest.Hall); err != nil || len(to) != 1 {
		t.Errorf("references to the file %v, %v", to, err)
	}
	if all, err := s.Translations(ctx, content.Ref{Table: "content", UID: contenttest.Intro}); err != nil || len(all) != 1 {
		t.Errorf("translations %v, %v", all, err)
	}
}

func TestOnPostgreSQLTooOneOfManyWritersWins(t *testing.T) {
	t.Parallel()
	s := onPostgres(t, contenttest.Options{})
	element := content.Ref{Table: "content", UID: contenttest.Picture}
	var group sync.WaitGroup
	outcomes := make(chan error, 20)
	for range cap(outcomes) {
		group.Go(func() {
			_, err := s.Apply(context.Background(), s.Editor, content.ChangeSet{
				Expect:  content.Versions{element: 2, {Table: "files", UID: contenttest.Door}: 1},
				Changes: []content.Change{content.Attach(element, "image", contenttest.Door, nil)},
			})
			outcomes <- err
		})
	}
	group.Wait()
	close(outcomes)
	won := 0
	for err := range outcomes {
		if err == nil {
			won++
		} else if !errors.Is(err, imprimatur.ErrMoved) {
			t.Error(err)
		}
	}
	same(t, won, 1)
	same(t, read(t, s, "content", contenttest.Picture).Int("image"), int64(2))
}
