package editorial_test

import (
	"testing"

	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
)

// preparePicture adds to the real website what it lacks: hidden pages and
// elements, translations with files of their own, images for sharing, records of
// other tables, settings that restrict who sees what, and drafts in a workspace.
func preparePicture(t testing.TB, file string) {
	t.Helper()
	s := openSite(t, file)
	pages := defaults(everyRow(t, s.repo, content.Pages))
	elements := defaults(everyRow(t, s.repo, content.Elements))
	var image int64
	for _, f := range everyRow(t, s.repo, content.Files) {
		if f.Text("extension") == "jpg" {
			image = f.UID
		}
	}
	var changes []content.Change
	for i, page := range pages {
		if i%7 == 3 {
			changes = append(changes, content.Attach(page.Ref(), "og_image", image, map[string]string{"title": "Shared"}))
		}
		if i%5 == 4 && page.Int(content.ColumnSiteRoot) == 0 {
			changes = append(changes, change{content.Pages, page.UID, map[string]any{"hidden": 1, "starttime": 1_700_000_000}}.of())
		}
	}
	for i, e := range elements {
		if i%9 == 4 {
			changes = append(changes, change{content.Elements, e.UID, map[string]any{"hidden": 1, "fe_group": "2"}}.of())
		}
	}
	changes = append(changes, localized(t, s.repo, pages, elements)...)
	for i, page := range pages {
		for _, table := range []string{"news", "exhibits", "venues"} {
			if i%10 == 1 {
				title := map[string]string{"news": "title", "exhibits": "name", "venues": "title"}[table]
				changes = append(changes, content.Change{
					Op: content.Create, Table: table, PID: page.UID, After: content.Last, Fields: map[string]any{title: "Shown here"},
				})
			}
		}
	}
	changes = append(changes, content.Change{
		Op: content.Create, Table: content.Elements, PID: elements[3].PID, Workspace: 1, DraftOf: elements[3].UID,
		Fields: map[string]any{"type": "text", "header": "A draft"},
	})
	contenttest.Set(t, s.repo, content.System(), changes...)
	open := content.PageRights{Group: "editing", GroupMay: content.AllBits}
	for _, page := range pages {
		if page.PID != 0 {
			continue
		}
		if _, err := s.repo.SetPageRights(t.Context(), page.UID, true, open); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.store.Close(); err != nil {
		t.Fatal(err)
	}
}

// localized translates every so many pages and elements, those with files and
// records of their own first of all.
func localized(t testing.TB, repo *content.Repository, pages, elements []content.Record) []content.Change {
	t.Helper()
	var changes []content.Change
	translate := func(rec content.Record, languages ...int64) {
		all, err := repo.Translations(t.Context(), rec.Ref())
		if err != nil {
			t.Fatal(err)
		}
		if len(all) > 0 {
			return // some are there already
		}
		for _, language := range languages {
			changes = append(changes, content.Change{Op: content.Localize, Table: rec.Table, UID: rec.UID, Language: language})
		}
	}
	for i, page := range pages {
		if i%7 == 3 {
			translate(page, 1, 2)
		}
	}
	for i, e := range elements {
		doom, err := repo.Copied(t.Context(), e.Ref())
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case len(doom.Owned) > 0:
			translate(e, 2)
		case len(doom.References) > 0 && i%2 == 0:
			translate(e, 1, 3)
		case i%11 == 0:
			translate(e, 1)
		}
	}
	return changes
}
