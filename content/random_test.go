package content_test

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
)

func TestWhateverIsMovedCopiedDeletedAndRestoredTheContentStaysSound(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			s := contenttest.Open(t, contenttest.Options{})
			contenttest.Set(t, s.Repository, content.System(), accordion()...)
			if wrong := sound(t, s); wrong != nil {
				t.Fatalf("before anything happened: %q", wrong)
			}
			r := rand.New(rand.NewPCG(seed, 1))
			done := map[content.Op]int{}
			var gone []content.Ref
			for step := range 120 {
				change := anyChange(t, s, r, gone)
				if !keep(t, s, change) {
					continue
				}
				done[change.Op]++
				if change.Op == content.Delete {
					gone = append(gone, content.Ref{Table: change.Table, UID: change.UID})
				}
				if step%10 != 9 {
					continue
				}
				if wrong := sound(t, s); wrong != nil {
					t.Fatalf("after step %d, %+v: %q", step, change, wrong)
				}
			}
			for _, op := range []content.Op{content.Move, content.Copy, content.Localize, content.Delete, content.Restore} {
				if done[op] == 0 {
					t.Errorf("nothing was done by %s: %v", op, done)
				}
			}
			if wrong := sound(t, s); wrong != nil {
				t.Errorf("at the end: %q", wrong)
			}
		})
	}
}

// accordion is an element with two items that it owns, one with a file, and a
// text that links here and there.
func accordion() []content.Change {
	item := func(header string) content.Change {
		return content.Change{
			Op: content.Create, Table: "accordion_items", Key: header, PID: contenttest.Visit, After: content.Last,
			Fields: map[string]any{"header": header, "element": content.Key("questions")},
		}
	}
	picture := content.Attach(content.Ref{Table: "accordion_items"}, "media", contenttest.Door, nil)
	picture.Fields["owner"] = content.Key("lift")
	return []content.Change{
		{
			Op: content.Create, Table: content.Elements, Key: "questions", PID: contenttest.Visit, After: contenttest.Intro,
			Fields: map[string]any{"type": "accordion", "header": "Questions"},
		},
		item("lift"), item("camera"), picture,
		update("content", contenttest.Gallery, map[string]any{
			"bodytext": `<a href="t3://page?uid=12">Team</a> <a href="t3://page?uid=10#40">Welcome</a>`, "pages": "11,12",
		}),
	}
}

// anyChange draws a change of anything there is.
func anyChange(t *testing.T, s *contenttest.Site, r *rand.Rand, gone []content.Ref) content.Change {
	t.Helper()
	all := everything(t, s)
	order := func(a, b content.Ref) int { return cmp.Or(cmp.Compare(a.Table, b.Table), cmp.Compare(a.UID, b.UID)) }
	var movable, pages []content.Ref
	for _, ref := range slices.SortedFunc(maps.Keys(all), order) {
		switch ref.Table {
		case content.Pages:
			pages = append(pages, ref)
			movable = append(movable, ref)
		case content.Elements, "accordion_items", content.FileReferences, "news":
			movable = append(movable, ref)
		}
	}
	if len(pages) < 3 || r.IntN(6) == 0 && len(gone) > 0 {
		ref := gone[r.IntN(len(gone))]
		return content.Change{Op: content.Restore, Table: ref.Table, UID: ref.UID}
	}
	ref := movable[r.IntN(len(movable))]
	change := content.Change{
		Table: ref.Table, UID: ref.UID, PID: pages[r.IntN(len(pages))].UID, Language: int64(r.IntN(3)), Subpages: r.IntN(2) == 0,
		After: []int64{0, content.Last, movable[r.IntN(len(movable))].UID}[r.IntN(3)],
	}
	if r.IntN(3) == 0 {
		change.PID = all[ref].PID
	}
	switch n := r.IntN(10); {
	case n < 4:
		change.Op = content.Move
		if ref.Table == content.Elements {
			change.Fields = map[string]any{"column": r.IntN(3)}
		}
	case n < 6:
		change.Op = content.Copy
	case n < 8:
		change.Op = content.Localize
	default:
		change.Op = content.Delete
	}
	return change
}
