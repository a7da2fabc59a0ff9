package content_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
)

func TestARowThatMovedStopsTheWriteBeforeAnyEffect(t *testing.T) {
	t.Parallel()
	visit := content.Ref{Table: "pages", UID: contenttest.Visit}
	missing := content.Ref{Table: "pages", UID: 4711}
	deleted := content.Ref{Table: "content", UID: contenttest.Unknown}
	for _, c := range []struct {
		name   string
		expect content.Versions
		own    []content.Versions
		moved  bool
	}{
		{"nothing expected", nil, nil, false},
		{"as it was read", content.Versions{visit: 2}, nil, false},
		{"as it was read, and absence of another", content.Versions{visit: 2, missing: 0, deleted: 0}, nil, false},
		{"an older version", content.Versions{visit: 1}, nil, true},
		{"a version that never was", content.Versions{visit: 3}, nil, true},
		{"absent, but there", content.Versions{visit: 0}, nil, true},
		{"there, but absent", content.Versions{visit: 2, missing: 1}, nil, true},
		{"there, but deleted", content.Versions{visit: 2, deleted: 1}, nil, true},
		{"older, but left by the turn itself", content.Versions{visit: 1}, []content.Versions{{missing: 5}, {visit: 2}}, false},
		{"older, and another version left by the turn", content.Versions{visit: 1}, []content.Versions{{visit: 3}}, true},
		{"deleted by the turn itself", content.Versions{deleted: 1}, []content.Versions{{deleted: 0}}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := contenttest.Open(t, contenttest.Options{})
			contenttest.Set(t, s.Repository, s.Admin,
				update("pages", contenttest.Visit, map[string]any{"subtitle": "touched"}),
				content.Change{Op: content.Delete, Table: "content", UID: contenttest.Unknown})
			before := snapshot(t, s)
			out, err := s.Apply(context.Background(), s.Editor, content.ChangeSet{
				Expect: c.expect, Own: c.own, Changes: []content.Change{update("pages", contenttest.Visit, map[string]any{"title": "Written"})},
			})
			if c.moved {
				if !errors.Is(err, imprimatur.ErrMoved) || out.Versions != nil {
					t.Errorf("%+v, %v", out, err)
				}
				same(t, snapshot(t, s), before)
				return
			}
			if err != nil || len(out.Complaints) > 0 || out.Versions[visit] != 3 {
				t.Errorf("%+v, %v", out, err)
			}
		})
	}
}

func TestTwoAppendsOfOneTurnBothRunAndAForeignOneMovesThem(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	ctx := context.Background()
	element := read(t, s, "content", contenttest.Picture)
	seen := content.Versions{}
	seen.Add(element)
	attach := func(own ...content.Versions) (content.Outcome, error) {
		return s.Apply(ctx, s.Editor, content.ChangeSet{
			Expect: seen, Own: own, Changes: []content.Change{content.Attach(element.Ref(), "image", contenttest.Door, nil)},
		})
	}
	first, err := attach()
	if err != nil || len(first.Complaints) > 0 {
		t.Fatalf("%+v, %v", first, err)
	}
	second, err := attach(first.Versions)
	if err != nil || len(second.Complaints) > 0 {
		t.Fatalf("%+v, %v", second, err)
	}
	contenttest.Set(t, s.Repository, s.German, content.Attach(element.Ref(), "image", contenttest.Hall, nil))
	if _, err := attach(first.Versions, second.Versions); !errors.Is(err, imprimatur.ErrMoved) {
		t.Errorf("after a foreign write: %v", err)
	}
	same(t, read(t, s, "content", contenttest.Picture).Int("image"), int64(4))
}

func TestOfManyWritersThatSawTheSameVersionOneWins(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	element := content.Ref{Table: "content", UID: contenttest.Picture}
	var group sync.WaitGroup
	var lock sync.Mutex
	won, moved := 0, 0
	for range 20 {
		group.Go(func() {
			out, err := s.Apply(context.Background(), s.Editor, content.ChangeSet{
				Expect:  content.Versions{element: 2},
				Changes: []content.Change{content.Attach(element, "image", contenttest.Door, nil)},
			})
			lock.Lock()
			defer lock.Unlock()
			switch {
			case errors.Is(err, imprimatur.ErrMoved):
				moved++
			case err == nil && len(out.Complaints) == 0:
				won++
			default:
				t.Errorf("%+v, %v", out, err)
			}
		})
	}
	group.Wait()
	if won != 1 || moved != 19 {
		t.Errorf("%d won, %d moved", won, moved)
	}
	same(t, read(t, s, "content", contenttest.Picture).Int("image"), int64(2))
}
