package content_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
)

func TestWhatMovesCopiesAndTranslatesDoesSoOnPostgreSQL(t *testing.T) {
	t.Parallel()
	s := onPostgres(t, contenttest.Options{Large: true})
	contenttest.Set(t, s.Repository, s.Admin,
		moved("content", contenttest.Accordion, contenttest.ThirdHall, 0, map[string]any{"column": 2}),
		moved("pages", contenttest.Halls, contenttest.Shop, content.Last, nil),
		copied("pages", contenttest.ThirdHall, contenttest.Catalogue, 0, map[string]any{"hidden": 1}),
		localized("content", contenttest.Picture, 2, nil),
		remove("content", contenttest.Accordion),
		content.Change{Op: content.Restore, Table: "content", UID: contenttest.Accordion})
	same(t, order(t, s, "content", contenttest.ThirdHall), []int64{contenttest.Accordion, contenttest.AccordionGerman})
	same(t, incoming(t, s, content.Ref{Table: "content", UID: contenttest.Intro}), []string{"content:121"})
	root, found, err := s.SiteRoot(t.Context(), contenttest.ThirdHall)
	if err != nil || !found || root.UID != contenttest.Shop {
		t.Errorf("%d, %v, %v", root.UID, found, err)
	}
	if n, err := s.Drafts(t.Context(), []content.Ref{{Table: "pages", UID: contenttest.FirstHall}}); err != nil || n != 2 {
		t.Errorf("%d drafts, %v", n, err)
	}
	if slug, err := s.NextSlug(t.Context(), contenttest.Museum, "Visit", 0, 0); err != nil || slug != "/visit-1" {
		t.Errorf("%s, %v", slug, err)
	}
	if wrong := sound(t, s); wrong != nil {
		t.Errorf("%q", wrong)
	}
}

// Two that go below each other would leave both without a way to the root.
func TestOnPostgreSQLTwoPagesCannotBeMovedBelowEachOther(t *testing.T) {
	t.Parallel()
	s := onPostgres(t, contenttest.Options{})
	// A program of its own has a repository of its own: it takes no turns with
	// the other one.
	other, err := content.Open(content.Config{Writer: s.DB, Reader: s.DB, Schema: contenttest.Schema(t), Now: contenttest.Now})
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		contenttest.Set(t, s.Repository, s.Admin,
			moved("pages", contenttest.Visit, contenttest.Museum, 0, nil), moved("pages", contenttest.Collection, contenttest.Museum, 0, nil))
		var group sync.WaitGroup
		begin := make(chan struct{})
		for repo, change := range map[*content.Repository]content.Change{
			s.Repository: moved("pages", contenttest.Visit, contenttest.Collection, 0, nil),
			other:        moved("pages", contenttest.Collection, contenttest.Visit, 0, nil),
		} {
			group.Go(func() {
				<-begin
				_, err := repo.Apply(context.Background(), s.Admin, content.ChangeSet{Changes: []content.Change{change}})
				if err != nil && !errors.Is(err, imprimatur.ErrMoved) {
					t.Error(err)
				}
			})
		}
		close(begin)
		group.Wait()
		if wrong := sound(t, s); wrong != nil {
			t.Fatalf("%q", wrong)
		}
	}
}

func TestOnPostgreSQLNoWriteOfTwoProgramsIsLost(t *testing.T) {
	t.Parallel()
	s := onPostgres(t, contenttest.Options{})
	other, err := content.Open(content.Config{Writer: s.DB, Reader: s.DB, Schema: contenttest.Schema(t), Now: contenttest.Now})
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	var kept atomic.Int64
	for _, repo := range []*content.Repository{s.Repository, other} {
		for range 10 {
			group.Go(func() {
				err := repo.Write(context.Background(), func(ctx context.Context, in *content.Repository) error {
					page, err := in.Row(ctx, content.Ref{Table: "pages", UID: contenttest.VisitTeam})
					if err != nil {
						return err
					}
					_, err = in.Apply(ctx, s.Admin, content.ChangeSet{Changes: []content.Change{
						update("pages", contenttest.VisitTeam, map[string]any{"title": page.Text("title") + "+"}),
					}})
					return err
				})
				switch {
				case err == nil:
					kept.Add(1)
				case !errors.Is(err, imprimatur.ErrMoved):
					t.Error(err)
				}
			})
		}
	}
	group.Wait()
	same(t, int64(len(read(t, s, "pages", contenttest.VisitTeam).Text("title"))), int64(len("Team"))+kept.Load())
	if kept.Load() < 10 {
		t.Errorf("%d of 20 writes were kept", kept.Load())
	}
}
