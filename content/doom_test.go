package content_test

import (
	"errors"
	"testing"

	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
)

func TestADeleteTakesExactlyWhatWasForetold(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		of       content.Ref
		subpages bool
		want     [6]int // translations, subpages, their translations, contents, owned, references
	}{
		{"a branch", content.Ref{Table: "pages", UID: contenttest.Visit}, true, [6]int{0, 2, 2, 9, 0, 1}},
		{"a page with items", content.Ref{Table: "pages", UID: contenttest.FirstHall}, false, [6]int{0, 0, 0, 15, 0, 4}},
		{"a page with a translation", content.Ref{Table: "pages", UID: contenttest.OpeningHours}, false, [6]int{2, 0, 0, 0, 0, 0}},
		{"an element with items", content.Ref{Table: "content", UID: contenttest.Accordion}, false, [6]int{1, 0, 0, 0, 2, 1}},
		{"a translation", content.Ref{Table: "content", UID: contenttest.IntroGerman}, false, [6]int{}},
		{"an item", content.Ref{Table: "accordion_items", UID: contenttest.FirstItem}, false, [6]int{0, 0, 0, 0, 0, 1}},
		{"a file reference", content.Ref{Table: "file_references", UID: contenttest.PictureLinked}, false, [6]int{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := contenttest.Open(t, contenttest.Options{Large: true})
			d, err := s.Deletion(t.Context(), c.of, c.subpages)
			if err != nil {
				t.Fatal(err)
			}
			same(t, [6]int{len(d.Translations), len(d.Subpages), len(d.SubpageTranslations), len(d.Contents), len(d.Owned), len(d.References)}, c.want)
			before := everything(t, s)
			change := remove(c.of.Table, c.of.UID)
			change.Subpages = c.subpages
			contenttest.Set(t, s.Repository, s.Admin, change)
			after := everything(t, s)
			for _, rec := range d.All() {
				if _, there := after[rec.Ref()]; there {
					t.Errorf("%s is still there", rec.Ref())
				}
				delete(before, rec.Ref())
			}
			same(t, len(after), len(before))
			if wrong := sound(t, s); wrong != nil {
				t.Errorf("%q", wrong)
			}
		})
	}
}

func TestNothingIsForetoldOfWhatIsNotThere(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	for _, read := range []func(content.Ref) error{
		func(ref content.Ref) error { _, err := s.Deletion(t.Context(), ref, true); return err },
		func(ref content.Ref) error { _, err := s.Copied(t.Context(), ref); return err },
	} {
		if err := read(content.Ref{Table: "pages", UID: 4711}); !errors.Is(err, content.ErrNotFound) {
			t.Error(err)
		}
	}
	if _, _, err := s.Place(t.Context(), content.Record{Table: "content", UID: 4711, PID: contenttest.Visit}); !errors.Is(err, content.ErrNotFound) {
		t.Error(err)
	}
	if _, found, err := s.SiteRoot(t.Context(), 4711); found || err != nil {
		t.Errorf("a website of no page, %v", err)
	}
}

func TestAnItemOfOthersKeepsTheElement(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{Large: true})
	u := s.Editor
	u.Rights.Values = append(append(u.Rights.Values[:0:0], u.Rights.Values...), "content.type.accordion")
	same(t, complaints(t, s, u, remove("content", contenttest.Accordion)), []string{"something that belongs to the record may not be deleted"})
	u.Rights.Modify = append(append(u.Rights.Modify[:0:0], u.Rights.Modify...), "accordion_items")
	contenttest.Set(t, s.Repository, u, remove("content", contenttest.Accordion))
	gone(t, s, "accordion_items", contenttest.FirstItem)
}

func TestTheItemsOfAnElementAreCountedThere(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{Large: true})
	counted := func() int64 { return read(t, s, "content", contenttest.Accordion).Int("accordion_items") }
	same(t, counted(), int64(2))
	contenttest.Set(t, s.Repository, s.Admin, remove("accordion_items", contenttest.FirstItem))
	same(t, counted(), int64(1))
	contenttest.Set(t, s.Repository, s.Admin, content.Change{Op: content.Restore, Table: "accordion_items", UID: contenttest.FirstItem})
	same(t, counted(), int64(2))
	contenttest.Set(t, s.Repository, s.Admin, update("content", contenttest.Accordion, map[string]any{"accordion_items": 7}))
	same(t, counted(), int64(2))
	item := content.Change{Op: content.Create, Table: "accordion_items", PID: contenttest.Visit, Fields: map[string]any{"element": contenttest.Accordion}}
	same(t, complaints(t, s, s.Admin, item), []string{"the record lies on another page than the one it belongs to"})
	item.Fields = map[string]any{"element": 4711}
	same(t, complaints(t, s, s.Admin, item), []string{"not found or not permitted"})
	same(t, complaints(t, s, s.Admin, update("accordion_items", contenttest.FirstItem, map[string]any{"element": contenttest.Intro})),
		[]string{"element: the value of this column cannot change"})
}

func TestTheRootOfAWebsiteIsTheNearestUpwards(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{Large: true})
	for page, want := range map[int64]int64{
		contenttest.LastEntry: contenttest.Museum, contenttest.Museum: contenttest.Museum, contenttest.Books: contenttest.Shop,
		contenttest.HoursGerman: contenttest.Museum, contenttest.Adrift: 0, 0: 0,
	} {
		root, found, err := s.SiteRoot(t.Context(), page)
		if err != nil || root.UID != want || found != (want != 0) {
			t.Errorf("of %d: %d, %v, %v", page, root.UID, found, err)
		}
	}
}

func TestARestoreComesBackToWhereItsRecordIsNow(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	contenttest.Set(t, s.Repository, s.Admin,
		remove("content", contenttest.IntroGerman), remove("file_references", contenttest.PictureLinked),
		moved("content", contenttest.Intro, contenttest.VisitTeam, 0, nil), moved("content", contenttest.Picture, contenttest.VisitTeam, 0, nil))
	restore := func(table string, uid int64) content.Change {
		return content.Change{Op: content.Restore, Table: table, UID: uid}
	}
	contenttest.Set(t, s.Repository, s.Editor, restore("content", contenttest.IntroGerman), restore("file_references", contenttest.PictureLinked))
	same(t, read(t, s, "content", contenttest.IntroGerman).PID, contenttest.VisitTeam)
	same(t, read(t, s, "file_references", contenttest.PictureLinked).PID, contenttest.VisitTeam)

	contenttest.Set(t, s.Repository, s.Admin, remove("content", contenttest.IntroGerman), localized("content", contenttest.Intro, 1, nil))
	same(t, complaints(t, s, s.Admin, restore("content", contenttest.IntroGerman)), []string{"there is another translation into this language by now"})

	contenttest.Set(t, s.Repository, s.Admin, remove("pages", contenttest.Books), content.Change{
		Op: content.Create, Table: "pages", PID: contenttest.Shop, Fields: map[string]any{"title": "Books"},
	}, restore("pages", contenttest.Books))
	same(t, read(t, s, "pages", contenttest.Books).Text("slug"), "/books-1")
	if wrong := sound(t, s); wrong != nil {
		t.Errorf("%q", wrong)
	}
}
