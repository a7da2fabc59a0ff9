package content_test

import (
	"slices"
	"testing"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
)

func moved(table string, uid, to, after int64, fields map[string]any) content.Change {
	return content.Change{Op: content.Move, Table: table, UID: uid, PID: to, After: after, Fields: fields}
}

// order lists the uids of the records of a table on a page.
func order(t *testing.T, s *contenttest.Site, table string, page int64) []int64 {
	t.Helper()
	all, err := s.OnPage(t.Context(), table, page)
	if err != nil {
		t.Fatal(err)
	}
	var uids []int64
	for _, rec := range all {
		uids = append(uids, rec.UID)
	}
	return uids
}

func TestAMovedPageKeepsPathContentAndTranslations(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	all := s.Editor
	all.Rights.Languages = imprimatur.Set{"*"}
	before := read(t, s, "pages", contenttest.OpeningHours)
	out := contenttest.Set(t, s.Repository, all, moved("pages", contenttest.OpeningHours, contenttest.Museum, contenttest.Visit, nil))
	after := read(t, s, "pages", contenttest.OpeningHours)
	same(t, after.PID, contenttest.Museum)
	same(t, after.Fields, before.Fields)
	same(t, out.Created, nil)
	for _, uid := range []int64{contenttest.HoursGerman, contenttest.HoursFrench} {
		same(t, read(t, s, "pages", uid).PID, contenttest.Museum)
		same(t, out.Versions[content.Ref{Table: "pages", UID: uid}], int64(2))
	}
	place, first, err := s.Place(t.Context(), after)
	if err != nil || first || place.UID != contenttest.Visit {
		t.Errorf("behind %d, first %v, %v", place.UID, first, err)
	}
	history, err := s.History(t.Context(), after.Ref(), 2)
	if err != nil {
		t.Fatal(err)
	}
	same(t, []string{history[1].Field, *history[1].Old, *history[1].New, history[0].Field}, []string{"pid", "10", "1", "sorting"})
	same(t, history[1].Op, content.Move)
	same(t, history[1].By, imprimatur.By{ID: s.Editor.ID, Name: "editor_en"})
	if wrong := sound(t, s); wrong != nil {
		t.Errorf("%q", wrong)
	}
}

func TestAMoveGoesFirstLastOrBehindARow(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	was := order(t, s, "content", contenttest.Visit)
	gallery := func(after int64) []int64 {
		contenttest.Set(t, s.Repository, s.Editor, moved("content", contenttest.Gallery, contenttest.Visit, after, nil))
		return order(t, s, "content", contenttest.Visit)
	}
	others := slices.DeleteFunc(slices.Clone(was), func(uid int64) bool { return uid == contenttest.Gallery })
	same(t, gallery(0), append([]int64{contenttest.Gallery}, others...))
	same(t, gallery(content.Last), append(slices.Clone(others), contenttest.Gallery))
	at := slices.Index(others, contenttest.Downloads) + 1
	same(t, gallery(contenttest.Downloads), slices.Insert(slices.Clone(others), at, contenttest.Gallery))
}

func TestAMovedElementTakesTranslationsFilesAndItemsAlong(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{Large: true})
	contenttest.Set(t, s.Repository, s.Admin,
		moved("content", contenttest.Accordion, contenttest.ThirdHall, 0, map[string]any{"column": 2}),
		moved("content", contenttest.Picture, contenttest.ThirdHall, content.Last, nil))
	for ref, want := range map[content.Ref]int64{
		{Table: "content", UID: contenttest.Accordion}: 2, {Table: "content", UID: contenttest.AccordionGerman}: 2, {Table: "content", UID: contenttest.Picture}: 1,
		{Table: "accordion_items", UID: contenttest.FirstItem}: 0, {Table: "accordion_items", UID: contenttest.SecondItem}: 0,
		{Table: "file_references", UID: contenttest.PictureLinked}: 0,
	} {
		rec := read(t, s, ref.Table, ref.UID)
		if rec.PID != contenttest.ThirdHall || rec.Int("column") != want {
			t.Errorf("%s lies on page %d in column %d", ref, rec.PID, rec.Int("column"))
		}
	}
	same(t, order(t, s, "content", contenttest.ThirdHall), []int64{contenttest.Accordion, contenttest.AccordionGerman, contenttest.Picture})
	if wrong := sound(t, s); wrong != nil {
		t.Errorf("%q", wrong)
	}
}

func TestAMoveToWhereARowStandsAlreadyWritesNothing(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	all := s.Editor
	all.Rights.Languages = imprimatur.Set{"*"}
	before := snapshot(t, s)
	for _, c := range []content.Change{
		moved("pages", contenttest.OpeningHours, contenttest.Visit, 0, nil),
		moved("pages", contenttest.VisitTeam, contenttest.Visit, contenttest.OpeningHours, nil),
		moved("pages", contenttest.VisitTeam, contenttest.Visit, content.Last, nil),
		moved("content", contenttest.Intro, contenttest.Visit, 0, map[string]any{"column": 0}),
		moved("content", contenttest.Intro, contenttest.Visit, contenttest.Poster, nil),
		moved("content", contenttest.Gallery, contenttest.Visit, contenttest.Intro, map[string]any{"column": "0"}),
	} {
		out := contenttest.Set(t, s.Repository, all, c)
		same(t, out.Versions, content.Versions{{Table: c.Table, UID: c.UID}: 1})
	}
	same(t, snapshot(t, s), before)
}

func TestAMoveThatMayNotBeIsRefusedWhole(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{Large: true})
	neutral := []string{"not found or not permitted"}
	german := s.Editor
	german.Rights.Languages = imprimatur.Set{"1"}
	onlyNew := content.PageRights{Group: "editing", GroupMay: content.BitShow | content.BitNew}
	if _, err := s.SetPageRights(t.Context(), contenttest.VisitTeam, false, onlyNew); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		user   imprimatur.User
		change content.Change
		want   []string
	}{
		{"no such page", s.Admin, moved("pages", 4711, contenttest.Museum, 0, nil), neutral},
		{"to no such page", s.Admin, moved("pages", contenttest.Visit, 4711, 0, nil), neutral},
		{"to a translation", s.Admin, moved("pages", contenttest.VisitTeam, contenttest.HallsGerman, 0, nil), []string{"records lie on the page in the default language, not on its translation"}},
		{"below itself", s.Admin, moved("pages", contenttest.Museum, contenttest.Museum, 0, nil), []string{"a page cannot be moved below itself"}},
		{"into its own branch", s.Admin, moved("pages", contenttest.Museum, contenttest.VisitTeam, 0, nil), []string{"a page cannot be moved below itself"}},
		{"a translation of a page", s.Admin, moved("pages", contenttest.HallsGerman, contenttest.Shop, 0, nil), []string{"a translation goes where the record in the default language goes"}},
		{"a translation to another page", s.Admin, moved("content", contenttest.IntroGerman, contenttest.Shop, 0, nil), []string{"a translation goes where the record in the default language goes"}},
		{"behind a row elsewhere", s.Admin, moved("content", contenttest.Intro, contenttest.Visit, contenttest.OnCollection, nil), []string{"the record it should come after is not on the same page"}},
		{"behind itself", s.Admin, moved("content", contenttest.Intro, contenttest.Visit, contenttest.Intro, nil), []string{"the record it should come after is not on the same page"}},
		{"a file", s.Admin, moved("files", contenttest.Hall, contenttest.Visit, 0, nil), []string{"records of this table have no place of their own"}},
		{"an item", s.Admin, moved("accordion_items", contenttest.FirstItem, contenttest.Visit, 0, nil), []string{"the record goes where the one goes that it belongs to"}},
		{"to the top, as an editor", s.Editor, moved("pages", contenttest.VisitTeam, 0, 0, nil), neutral},
		{"to a page without the right to make pages", s.Editor, moved("pages", contenttest.OpeningHours, contenttest.Collection, 0, nil), neutral},
		{"from a page without the right to delete it", s.Editor, moved("pages", contenttest.VisitTeam, contenttest.Museum, 0, nil), neutral},
		{"within a page without the right to edit it", s.Editor, moved("pages", contenttest.VisitTeam, contenttest.Visit, 0, nil), neutral},
		{"with a translation that may not be written", s.Editor, moved("pages", contenttest.OpeningHours, contenttest.Museum, 0, nil), []string{"a translation may not be moved"}},
		{"an element without its language", german, moved("content", contenttest.Intro, contenttest.Visit, content.Last, nil), neutral},
		{"an element to a page of others", s.Editor, moved("content", contenttest.Gallery, contenttest.Collection, 0, nil), neutral},
		{"an element from a page of others", s.Editor, moved("content", contenttest.OnCollection, contenttest.Visit, 0, nil), neutral},
		{"a locked element", s.Editor, moved("content", contenttest.Locked, contenttest.Visit, 0, nil), neutral},
	} {
		t.Run(c.name, func(t *testing.T) { same(t, complaints(t, s, c.user, c.change), c.want) })
	}
}

func TestABranchCannotBecomeTooDeepToBeSeen(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	deep := []content.Change{{Op: content.Create, Table: "pages", Key: "0", PID: contenttest.Shop, Fields: map[string]any{"title": "Down"}}}
	for n := range 97 {
		deep = append(deep, content.Change{
			Op: content.Create, Table: "pages", Key: string(rune('1' + n)), ParentKey: string(rune('0' + n)), Fields: map[string]any{"title": "Down"},
		})
	}
	out := contenttest.Set(t, s.Repository, s.Admin, deep...)
	bottom := out.Created[len(out.Created)-1].UID
	same(t, complaints(t, s, s.Admin, moved("pages", contenttest.Visit, bottom, 0, nil)), []string{"the branch would be more than 100 levels deep"})
	contenttest.Set(t, s.Repository, s.Admin, moved("pages", contenttest.VisitTeam, bottom, 0, nil))
	if _, err := s.Rootline(t.Context(), contenttest.VisitTeam); err != nil {
		t.Error(err)
	}
}

// Rows that stand too close are renumbered around the one that moves. The
// number it gets is never the one it had: its history tells the move.
func TestAMoveIsNotedWhereRowsAreRenumbered(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	uids := order(t, s, "pages", contenttest.Visit)
	for i, uid := range uids {
		if _, err := s.DB.Exec("UPDATE content_records SET sorting = ? WHERE tab = 'pages' AND uid = ?", 512+i, uid); err != nil {
			t.Fatal(err)
		}
	}
	contenttest.Set(t, s.Repository, content.System(), moved("pages", uids[0], contenttest.Visit, uids[1], nil))
	if got := order(t, s, "pages", contenttest.Visit); got[0] != uids[1] || got[1] != uids[0] {
		t.Errorf("the order is %v", got)
	}
	entries, err := s.History(t.Context(), content.Ref{Table: "pages", UID: uids[0]}, 1)
	if err != nil || len(entries) != 1 || entries[0].Op != content.Move || entries[0].Field != "sorting" {
		t.Errorf("the history tells %+v, %v", entries, err)
	}
}
