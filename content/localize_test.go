package content_test

import (
	"testing"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
)

func localized(table string, uid, language int64, fields map[string]any) content.Change {
	return content.Change{Op: content.Localize, Key: "new", Table: table, UID: uid, Language: language, Fields: fields}
}

func TestATranslationBeginsAsAHiddenCopyBehindItsOriginal(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	contenttest.Set(t, s.Repository, s.Admin, update("content", contenttest.Picture, map[string]any{"header": "The hall", "imagecols": 2, "frame_class": "ruler", "column": 3}))
	source := read(t, s, "content", contenttest.Picture)
	out := contenttest.Set(t, s.Repository, s.Editor, localized("content", contenttest.Picture, 1, map[string]any{"subheader": "Mittags"}))
	german := read(t, s, "content", out.IDs["new"])
	same(t, []int64{german.PID, german.Language, german.Origin, german.Int("hidden"), german.Int("column")}, []int64{contenttest.Visit, 1, contenttest.Picture, 1, 3})
	same(t, []string{german.Text("header"), german.Text("subheader"), german.Text("type")}, []string{"The hall", "Mittags", "image"})
	for _, inherited := range []string{"imagecols", "frame_class"} {
		if value, set := german.Fields[inherited]; set {
			t.Errorf("%s was copied: %v", inherited, value)
		}
	}
	refs, err := s.References(t.Context(), german.Ref(), "image")
	if err != nil || len(refs) != 1 {
		t.Fatalf("references %v, %v", refs, err)
	}
	same(t, []int64{refs[0].Language, refs[0].Origin, refs[0].Int("file")}, []int64{1, contenttest.PictureLinked, contenttest.Hall})
	same(t, refs[0].Text("alternative"), "The hall at noon")
	same(t, source.Version, read(t, s, "content", contenttest.Picture).Version)
	all := order(t, s, "content", contenttest.Visit)
	for i, uid := range all {
		if uid == contenttest.Picture && all[i+1] != german.UID {
			t.Errorf("the translation stands elsewhere: %v", all)
		}
	}
	history, err := s.History(t.Context(), german.Ref(), 1)
	if err != nil || history[0].Op != content.Localize {
		t.Errorf("%v, %v", history, err)
	}
	if wrong := sound(t, s); wrong != nil {
		t.Errorf("%q", wrong)
	}
}

func TestTheItemsOfAnElementAreTranslatedAlong(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{Large: true})
	out := contenttest.Set(t, s.Repository, s.Admin, localized("content", contenttest.Accordion, 2, nil))
	french := content.Ref{Table: "content", UID: out.IDs["new"]}
	owned, err := s.Owned(t.Context(), french)
	if err != nil || len(owned) != 2 {
		t.Fatalf("%v, %v", owned, err)
	}
	same(t, []int64{owned[0].Origin, owned[1].Origin, owned[0].Language}, []int64{contenttest.FirstItem, contenttest.SecondItem, 2})
	same(t, references(t, s, owned[0].Ref(), "media"), []int64{contenttest.Hall})
	same(t, read(t, s, "content", french.UID).Int("accordion_items"), int64(2))

	d, err := s.Deletion(t.Context(), french, false)
	if err != nil {
		t.Fatal(err)
	}
	same(t, []int{len(d.Translations), len(d.Contents), len(d.Owned), len(d.References)}, []int{0, 0, 2, 1})
	contenttest.Set(t, s.Repository, s.Admin, remove("content", contenttest.Accordion))
	for _, item := range owned {
		gone(t, s, item.Table, item.UID)
	}
	if wrong := sound(t, s); wrong != nil {
		t.Errorf("%q", wrong)
	}
	contenttest.Set(t, s.Repository, s.Admin, content.Change{Op: content.Restore, Table: "content", UID: contenttest.Accordion})
	again, err := s.Owned(t.Context(), french)
	if err != nil || len(again) != 2 {
		t.Errorf("%v, %v", again, err)
	}
	if wrong := sound(t, s); wrong != nil {
		t.Errorf("%q", wrong)
	}
}

func TestATranslatedPageGetsAPathAndTheRootOfAWebsiteKeepsItsOwn(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	for uid, want := range map[int64]string{contenttest.VisitTeam: "/visit/mannschaft", contenttest.Museum: "/"} {
		title := map[string]any{"title": "Mannschaft"}
		next, err := s.NextSlug(t.Context(), read(t, s, "pages", uid).PID, "Mannschaft", 1, 0)
		if err != nil {
			t.Fatal(err)
		}
		page := read(t, s, "pages", contenttest.Set(t, s.Repository, s.Editor, localized("pages", uid, 1, title)).IDs["new"])
		same(t, []string{page.Text("slug"), page.Text("hidden"), page.Text("doktype"), page.Text("is_siteroot")}, []string{want, "1", "standard", ""})
		if uid == contenttest.VisitTeam {
			same(t, next, want)
		}
	}
}

func TestATranslationThatMayNotBeIsRefusedWhole(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{Large: true})
	neutral := []string{"not found or not permitted"}
	for _, c := range []struct {
		name   string
		user   imprimatur.User
		change content.Change
		want   []string
	}{
		{"of nothing", s.Admin, localized("content", 4711, 1, nil), neutral},
		{"of a translation", s.Admin, localized("content", contenttest.IntroGerman, 2, nil), []string{"only a record in the default language can be translated"}},
		{"of what is for all languages", s.Admin, localized("content", contenttest.ForAll, 2, nil), []string{"only a record in the default language can be translated"}},
		{"a second one", s.Admin, localized("content", contenttest.Intro, 1, nil), []string{"there is a translation into this language already"}},
		{"into the default language", s.Admin, localized("content", contenttest.Intro, 0, nil), []string{"a translation is in another language than the default"}},
		{"into no language", s.Admin, localized("content", contenttest.Intro, 9, nil), []string{"there is no language 9"}},
		{"of an item alone", s.Admin, localized("accordion_items", contenttest.FirstItem, 2, nil), []string{"the record is translated with the one it belongs to"}},
		{"of a table without languages", s.Admin, localized("files", contenttest.Hall, 1, nil), []string{"the record is translated with the one it belongs to"}},
		{"into a language of others", s.Editor, localized("content", contenttest.Intro, 2, nil), neutral},
		{"on a page of others", s.Editor, localized("content", contenttest.OnCollection, 1, nil), neutral},
		{"of what is locked", s.Editor, localized("content", contenttest.Locked, 1, nil), neutral},
		{"of a page of others", s.Editor, localized("pages", contenttest.Collection, 1, nil), neutral},
	} {
		t.Run(c.name, func(t *testing.T) { same(t, complaints(t, s, c.user, c.change), c.want) })
	}
}

func TestMetadataOfAFileIsTranslatedForThatFile(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	out := contenttest.Set(t, s.Repository, s.Editor, localized("file_metadata", contenttest.HallMeta, 1, map[string]any{"alternative": "Eine hohe Halle"}))
	meta, err := s.Metadata(t.Context(), contenttest.Hall, 1)
	if err != nil || meta.UID != out.IDs["new"] || meta.Text("alternative") != "Eine hohe Halle" || meta.Origin != contenttest.HallMeta {
		t.Errorf("%+v, %v", meta, err)
	}
	same(t, complaints(t, s, s.Reader, localized("file_metadata", contenttest.HallMeta, 2, nil)), []string{"not found or not permitted"})
}
