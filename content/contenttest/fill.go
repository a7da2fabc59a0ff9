package contenttest

import (
	"context"
	"testing"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
)

// Fill writes the seed into an empty repository whose schema is that of Schema.
func Fill(t testing.TB, repo *content.Repository) {
	t.Helper()
	for _, l := range []content.Language{
		{ID: 0, Code: "en", Label: imprimatur.ByLanguage{"en": "English", "de": "Englisch"}},
		{ID: 1, Code: "de", Label: imprimatur.ByLanguage{"en": "German", "de": "Deutsch"}},
		{ID: 2, Code: "fr", Label: imprimatur.ByLanguage{"en": "French", "de": "Französisch"}},
	} {
		if err := repo.SetLanguage(context.Background(), l); err != nil {
			t.Fatalf("setting a language: %v", err)
		}
	}
	Set(t, repo, content.System(), pages()...)
	Set(t, repo, content.System(), files()...)
	Set(t, repo, content.System(), elements()...)
	Set(t, repo, content.System(), content.Change{
		Op: content.Create, Table: content.FileReferences, UID: PictureLinked,
		Fields: map[string]any{
			"owner_table": content.Elements, "owner": Picture, "owner_field": "image", "file": Hall, "alternative": "The hall at noon",
		},
	})
}

func pages() []content.Change {
	open := content.PageRights{Group: "editing", GroupMay: content.AllBits}
	closed := content.PageRights{Group: "collection", GroupMay: content.AllBits, EverybodyMay: content.BitShow}
	private := content.PageRights{Owner: 99, OwnerMay: content.AllBits}
	page := func(uid, pid int64, title string, rights content.PageRights, more map[string]any) content.Change {
		fields := map[string]any{"title": title, "hidden": 0}
		for name, value := range more {
			fields[name] = value
		}
		return content.Change{Op: content.Create, Table: content.Pages, UID: uid, PID: pid, After: content.Last, Fields: fields, Rights: &rights}
	}
	translation := func(uid, language int64, title string) content.Change {
		return content.Change{
			Op: content.Create, Table: content.Pages, UID: uid, Language: language, Origin: OpeningHours, After: content.Last,
			Fields: map[string]any{"title": title, "hidden": 0},
		}
	}
	root := map[string]any{"is_siteroot": 1}
	return []content.Change{
		page(Museum, 0, "Museum", open, root),
		page(Shop, 0, "Shop", content.PageRights{EverybodyMay: content.AllBits}, root),
		page(Visit, Museum, "Visit", open, map[string]any{"description": "How to find us", "nav_title": ""}),
		page(OpeningHours, Visit, "Opening hours", open, map[string]any{"hidden": 1}),
		page(VisitTeam, Visit, "Team", open, nil),
		page(Collection, Museum, "Collection", closed, nil),
		page(LongTitle, Collection, Long(), closed, nil),
		page(OtherTeam, Collection, "Team", closed, nil),
		page(BlankTitle, Collection, "No\u00A0break", closed, nil),
		page(Archive, Museum, "Archive", private, map[string]any{"doktype": content.PageFolder}),
		page(Books, Shop, "Books", content.PageRights{EverybodyMay: content.AllBits}, nil),
		translation(HoursGerman, 1, "Öffnungszeiten"),
		translation(HoursFrench, 2, "Horaires"),
	}
}

func files() []content.Change {
	file := func(uid int64, storage, identifier, name, extension, mime string, missing int) content.Change {
		return content.Change{Op: content.Create, Table: content.Files, UID: uid, Fields: map[string]any{
			"storage": storage, "identifier": identifier, "name": name, "extension": extension, "mime_type": mime, "size": 1000 + uid, "missing": missing,
		}}
	}
	return []content.Change{
		file(Hall, "media", "/pictures/hall.jpg", "hall.jpg", "jpg", "image/jpeg", 0),
		file(Door, "media", "/pictures/door.png", "door.png", "png", "image/png", 0),
		file(Plan, "media", "/documents/plan.docx", "plan.docx", "docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", 0),
		file(Lost, "media", "/pictures/lost.jpg", "lost.jpg", "jpg", "image/jpeg", 1),
		file(Private, "media", "/private/vault.jpg", "vault.jpg", "jpg", "image/jpeg", 0),
		file(Vault, "vault", "/seal.jpg", "seal.jpg", "jpg", "image/jpeg", 0),
		{Op: content.Create, Table: content.FileMetadata, UID: HallMeta, Fields: map[string]any{
			"file": Hall, "title": "The great hall", "alternative": "A high hall with stone columns",
		}},
	}
}

func elements() []content.Change {
	element := func(uid, page int64, column int, kind, header string, more map[string]any) content.Change {
		fields := map[string]any{"column": column, "type": kind, "header": header}
		for name, value := range more {
			fields[name] = value
		}
		return content.Change{Op: content.Create, Table: content.Elements, UID: uid, PID: page, After: content.Last, Fields: fields}
	}
	german := element(IntroGerman, Visit, 0, "text", "Willkommen", nil)
	german.Language, german.Origin = 1, Intro
	return []content.Change{
		element(Poster, Visit, 100, "textpic", "Poster", nil),
		element(Intro, Visit, 0, "text", "Welcome", map[string]any{"bodytext": "<p>We are open.</p><p>Come in.</p>"}),
		german,
		element(Picture, Visit, 1, "image", "", nil),
		element(Gallery, Visit, 0, "textmedia", "Gallery", nil),
		element(Downloads, Visit, 0, "uploads", "Downloads", map[string]any{"hidden": 1}),
		element(Locked, Visit, 0, "text", "Imprint", map[string]any{"editlock": 1}),
		element(Unknown, Visit, 0, "thirdparty_map", "Map", nil),
		element(OnCollection, Collection, 0, "text", "Pieces", nil),
		{Op: content.Create, Table: "news", UID: NewsItem, PID: Visit, Fields: map[string]any{"title": "Reopened", "hidden": 0}},
	}
}
