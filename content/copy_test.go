package content_test

import (
	"testing"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
)

func copied(table string, uid, to, after int64, fields map[string]any) content.Change {
	return content.Change{Op: content.Copy, Key: "copy", Table: table, UID: uid, PID: to, After: after, Fields: fields}
}

// lying lists what lies on a page, translations with a star.
func lying(t *testing.T, s *contenttest.Site, page int64) []string {
	t.Helper()
	all, err := s.Contents(t.Context(), page)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, rec := range all {
		name := rec.Table + " " + s.Schema().Title(rec)
		if rec.Origin != 0 {
			name += " *"
		}
		names = append(names, name)
	}
	return names
}

func TestACopiedPageHasItsContentAndTranslationsButNoSubpages(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{Large: true})
	planned, err := s.Copied(t.Context(), content.Ref{Table: "pages", UID: contenttest.FirstHall})
	if err != nil {
		t.Fatal(err)
	}
	out := contenttest.Set(t, s.Repository, s.Admin, copied("pages", contenttest.FirstHall, contenttest.Shop, 0, map[string]any{"hidden": 1}))
	uid := out.IDs["copy"]
	same(t, len(out.Created), len(planned.All()))
	same(t, out.Created[0], content.Ref{Table: "pages", UID: uid})
	page, source := read(t, s, "pages", uid), read(t, s, "pages", contenttest.FirstHall)
	same(t, []string{page.Text("title"), page.Text("slug"), page.Text("hidden")}, []string{source.Text("title"), "/hall-1", "1"})
	same(t, lying(t, s, uid), lying(t, s, contenttest.FirstHall))
	same(t, order(t, s, "pages", contenttest.Shop), []int64{uid, contenttest.Books})
	same(t, source.Version, int64(1))
	rights, err := s.PageRights(t.Context(), uid)
	if err != nil || rights.Owner != s.Admin.ID {
		t.Errorf("%+v, %v", rights, err)
	}
	elements, err := s.Elements(t.Context(), s.Admin, uid, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range elements {
		owned, err := s.Owned(t.Context(), e.Ref())
		if err != nil {
			t.Fatal(err)
		}
		if e.Text("type") == "accordion" && (len(owned) != 2 || owned[0].PID != uid || len(references(t, s, owned[0].Ref(), "media")) != 1) {
			t.Errorf("the copy of the accordion owns %v", owned)
		}
	}
	if wrong := sound(t, s); wrong != nil {
		t.Errorf("%q", wrong)
	}
	halls := contenttest.Set(t, s.Repository, s.Admin, copied("pages", contenttest.Halls, contenttest.Museum, contenttest.Halls, nil)).IDs["copy"]
	translations, err := s.Translations(t.Context(), content.Ref{Table: "pages", UID: halls})
	if err != nil || len(translations) != 1 || !translations[0].Hidden() || translations[0].Text("slug") == read(t, s, "pages", contenttest.HallsGerman).Text("slug") {
		t.Errorf("translations of the copy: %v, %v", translations, err)
	}
	same(t, order(t, s, "pages", halls), nil)
	history, err := s.History(t.Context(), content.Ref{Table: "pages", UID: halls}, 1)
	if err != nil || len(history) != 1 || history[0].Op != content.Copy {
		t.Errorf("history %v, %v", history, err)
	}
	if wrong := sound(t, s); wrong != nil {
		t.Errorf("%q", wrong)
	}
}

func TestACopiedElementGoesBehindItsAnchorWithTranslationsHidden(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	out := contenttest.Set(t, s.Repository, s.Editor, copied("content", contenttest.Intro, contenttest.VisitTeam, 0, map[string]any{"hidden": 1, "column": 3}))
	uid := out.IDs["copy"]
	same(t, order(t, s, "content", contenttest.VisitTeam), []int64{uid, out.Created[1].UID})
	german := read(t, s, "content", out.Created[1].UID)
	same(t, []int64{german.Origin, german.Language, german.Int("column"), german.Int("hidden")}, []int64{uid, 1, 3, 1})
	same(t, german.Text("header"), "Willkommen")
	picture := contenttest.Set(t, s.Repository, s.Editor, copied("content", contenttest.Picture, contenttest.Visit, contenttest.Picture, nil))
	ref := content.Ref{Table: "content", UID: picture.IDs["copy"]}
	same(t, references(t, s, ref, "image"), []int64{contenttest.Hall})
	refs, err := s.References(t.Context(), ref, "image")
	if err != nil || refs[0].Text("alternative") != "The hall at noon" {
		t.Errorf("%v, %v", refs, err)
	}
	place, first, err := s.Place(t.Context(), read(t, s, "content", ref.UID))
	if err != nil || first || place.UID != contenttest.Picture {
		t.Errorf("behind %d, first %v, %v", place.UID, first, err)
	}
	if wrong := sound(t, s); wrong != nil {
		t.Errorf("%q", wrong)
	}
}

func TestACopyThatMayNotBeIsRefusedWhole(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{Large: true})
	neutral := []string{"not found or not permitted"}
	english := s.Editor
	english.Rights.Languages = imprimatur.Set{"0"}
	noReferences := s.Editor
	noReferences.Rights.Modify = imprimatur.Set{"pages", "content"}
	part := []string{"a translation or something that belongs to the record may not be copied"}
	for _, c := range []struct {
		name   string
		user   imprimatur.User
		change content.Change
		want   []string
	}{
		{"nothing", s.Admin, copied("pages", 4711, contenttest.Museum, 0, nil), neutral},
		{"a translation", s.Admin, copied("content", contenttest.IntroGerman, contenttest.Visit, 0, nil), []string{"a translation is copied with the record in the default language"}},
		{"to no page", s.Admin, copied("content", contenttest.Intro, 0, 0, nil), neutral},
		{"a file", s.Admin, copied("files", contenttest.Hall, 0, 0, nil), []string{"records of this table have no place of their own"}},
		{"an item alone", s.Admin, copied("accordion_items", contenttest.FirstItem, contenttest.Visit, 0, nil), []string{"the record goes where the one goes that it belongs to"}},
		{"to a page of others", s.Editor, copied("content", contenttest.Gallery, contenttest.Collection, 0, nil), neutral},
		{"from a page nobody sees", s.Editor, copied("pages", contenttest.Archive, contenttest.Museum, 0, nil), neutral},
		{"of another page type", s.Editor, copied("pages", contenttest.LinkPage, contenttest.Museum, 0, nil), []string{"doktype: the page type is not permitted"}},
		{"with a translation in another language", english, copied("content", contenttest.Intro, contenttest.Visit, 0, nil), part},
		{"with files, without the right to references", noReferences, copied("content", contenttest.Picture, contenttest.Visit, 0, nil), part},
		{"a page with something locked on it", s.Editor, copied("pages", contenttest.Visit, contenttest.Museum, 0, nil), part},
		{"with a value that cannot be", s.Editor, copied("content", contenttest.Gallery, contenttest.Visit, 0, map[string]any{"hidden": 2}), []string{"hidden: the value is neither 0 nor 1"}},
	} {
		t.Run(c.name, func(t *testing.T) { same(t, complaints(t, s, c.user, c.change), c.want) })
	}
}
