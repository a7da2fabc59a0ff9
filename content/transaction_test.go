package content_test

import (
	"context"
	"errors"
	"testing"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
)

// inTransaction applies changes inside a transaction under way.
func inTransaction(ctx context.Context, t *testing.T, s *contenttest.Site, in *content.Repository, changes ...content.Change) content.Outcome {
	t.Helper()
	out, err := in.Apply(ctx, s.Editor, content.ChangeSet{Changes: changes})
	if err != nil {
		t.Error(err)
	}
	return out
}

func TestAWriteReadsWhatItWroteAndKeepsItAtTheEnd(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	visit := content.Ref{Table: "pages", UID: contenttest.Visit}
	err := s.Write(t.Context(), func(ctx context.Context, in *content.Repository) error {
		inTransaction(ctx, t, s, in, update("pages", contenttest.Visit, map[string]any{"title": "First"}))
		inTransaction(ctx, t, s, in, update("pages", contenttest.Visit, map[string]any{"subtitle": "Second"}))
		inside, err := in.Row(ctx, visit)
		same(t, inside.Text("title"), "First")
		if outside, err := s.Row(ctx, visit); err != nil || outside.Text("title") != "Visit" {
			t.Errorf("outside, the page is %q, %v", outside.Text("title"), err)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	page := read(t, s, "pages", contenttest.Visit)
	same(t, []string{page.Text("title"), page.Text("subtitle")}, []string{"First", "Second"})
	same(t, page.Version, int64(3))
}

func TestAWriteThatFailsOrIsRefusedLeavesNothing(t *testing.T) {
	t.Parallel()
	undone := errors.New("undone")
	written := update("pages", contenttest.Visit, map[string]any{"title": "Written"})
	for _, c := range []struct {
		name string
		fn   func(ctx context.Context, t *testing.T, s *contenttest.Site, in *content.Repository) error
		want error
	}{
		{"an error of its own", func(ctx context.Context, t *testing.T, s *contenttest.Site, in *content.Repository) error {
			inTransaction(ctx, t, s, in, written)
			return undone
		}, undone},
		{"complaints", func(ctx context.Context, t *testing.T, s *contenttest.Site, in *content.Repository) error {
			inTransaction(ctx, t, s, in, written)
			out := inTransaction(ctx, t, s, in, update("pages", 4711, map[string]any{"title": "x"}))
			same(t, len(out.Complaints), 1)
			return nil
		}, nil},
		{"an error of a change set that nobody looked at", func(ctx context.Context, t *testing.T, s *contenttest.Site, in *content.Repository) error {
			inTransaction(ctx, t, s, in, written)
			if _, err := in.Apply(ctx, s.Editor, content.ChangeSet{Expect: content.Versions{{Table: "pages", UID: contenttest.Visit}: 1}}); err == nil {
				t.Error("the older version was taken")
			}
			return nil
		}, imprimatur.ErrMoved},
		{"complaints of a write within the write", func(ctx context.Context, t *testing.T, s *contenttest.Site, in *content.Repository) error {
			inTransaction(ctx, t, s, in, written)
			return in.Write(ctx, func(ctx context.Context, in *content.Repository) error {
				inTransaction(ctx, t, s, in, update("pages", 4711, nil))
				return nil
			})
		}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := contenttest.Open(t, contenttest.Options{})
			before := snapshot(t, s)
			err := s.Write(t.Context(), func(ctx context.Context, in *content.Repository) error { return c.fn(ctx, t, s, in) })
			if !errors.Is(err, c.want) {
				t.Errorf("%v, not %v", err, c.want)
			}
			same(t, snapshot(t, s), before)
		})
	}
}

func TestAWriteGoesOnWhenItsCallerIsGoneAndDoesNotBeginAfter(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	write := func() error {
		return s.Write(ctx, func(ctx context.Context, in *content.Repository) error {
			cancel()
			inTransaction(ctx, t, s, in, update("pages", contenttest.Visit, map[string]any{"title": "Written"}))
			return ctx.Err()
		})
	}
	if err := write(); err != nil {
		t.Fatal(err)
	}
	same(t, read(t, s, "pages", contenttest.Visit).Text("title"), "Written")
	if err := write(); !errors.Is(err, context.Canceled) {
		t.Errorf("began for a caller that is gone: %v", err)
	}
}

// serialization is how a database says that transactions got in each other's way.
type serialization string

func (serialization) Error() string      { return "could not serialize access" }
func (s serialization) SQLState() string { return string(s) }

func TestAWriteThatOthersGotInTheWayOfBeginsAgainThreeTimesAtMost(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	for _, c := range []struct {
		state       serialization
		fails, runs int
	}{{"40001", 2, 3}, {"40P01", 1, 2}, {"40001", 9, 3}, {"23505", 9, 1}} {
		runs := 0
		err := s.Write(t.Context(), func(ctx context.Context, in *content.Repository) error {
			runs++
			page, err := in.Row(ctx, content.Ref{Table: "pages", UID: contenttest.VisitTeam})
			if err != nil {
				return err
			}
			inTransaction(ctx, t, s, in, update("pages", contenttest.VisitTeam, map[string]any{"title": page.Text("title") + "+"}))
			if runs <= c.fails {
				return c.state
			}
			return nil
		})
		same(t, runs, c.runs)
		if failed := c.runs <= c.fails; (err != nil) != failed {
			t.Errorf("%+v: %v", c, err)
		}
		same(t, errors.Is(err, imprimatur.ErrMoved), c.runs == 3 && c.fails > 3)
	}
	same(t, read(t, s, "pages", contenttest.VisitTeam).Text("title"), "Team++")
}
