package content_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
)

func same[T any](t *testing.T, got, want T) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func read(t *testing.T, s *contenttest.Site, table string, uid int64) content.Record {
	t.Helper()
	rec, err := s.Record(context.Background(), s.Admin, table, uid)
	if err != nil {
		t.Fatalf("reading %s %d: %v", table, uid, err)
	}
	return rec
}

// complaints applies changes that must be refused and returns why.
func complaints(t *testing.T, s *contenttest.Site, u imprimatur.User, changes ...content.Change) []string {
	t.Helper()
	before := snapshot(t, s)
	out, err := s.Apply(context.Background(), u, content.ChangeSet{Changes: changes})
	if err != nil {
		t.Fatalf("applying: %v", err)
	}
	if out.Created != nil || out.Versions != nil || out.IDs != nil {
		t.Errorf("a refused change set has an outcome: %+v", out)
	}
	if diff := cmp.Diff(before, snapshot(t, s)); diff != "" {
		t.Errorf("a refused change set wrote:\n%s", diff)
	}
	var texts []string
	for _, c := range out.Complaints {
		texts = append(texts, strings.TrimPrefix(c.Field+": "+c.Text, ": "))
	}
	return texts
}

// snapshot counts and sums everything that a write would move.
func snapshot(t *testing.T, s *contenttest.Site) [4]int64 {
	t.Helper()
	var n [4]int64
	err := s.DB.QueryRowContext(t.Context(), `SELECT (SELECT COUNT(*) FROM content_records), (SELECT CAST(COALESCE(SUM(version), 0) AS BIGINT) FROM content_records),
		(SELECT COUNT(*) FROM content_history), (SELECT CAST(COALESCE(SUM(last), 0) AS BIGINT) FROM content_ids)`).Scan(&n[0], &n[1], &n[2], &n[3])
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func update(table string, uid int64, fields map[string]any) content.Change {
	return content.Change{Op: content.Update, Table: table, UID: uid, Fields: fields}
}

func TestAnUpdateRaisesTheVersionAndLeavesHistory(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	before := read(t, s, "pages", contenttest.Visit)
	out := contenttest.Set(t, s.Repository, s.Editor, update("pages", contenttest.Visit, map[string]any{"title": "Your visit", "abstract": "", "nav_title": nil}))
	after := read(t, s, "pages", contenttest.Visit)

	same(t, after.Version, before.Version+1)
	same(t, out.Versions, content.Versions{after.Ref(): after.Version})
	same(t, after.Text("title"), "Your visit")
	same(t, after.By, s.Editor.ID)
	if value, set := after.Fields["abstract"]; !set || value != "" {
		t.Errorf("the empty text became %v", value)
	}
	if _, set := after.Fields["nav_title"]; set {
		t.Error("a value that was taken away is still there")
	}
	same(t, after.Text("slug"), before.Text("slug"))

	history, err := s.History(context.Background(), after.Ref(), 3)
	if err != nil {
		t.Fatal(err)
	}
	text := func(s string) *string { return &s }
	by := imprimatur.By{ID: s.Editor.ID, Name: "editor_en"}
	at := contenttest.Now()
	same(t, history, []content.Entry{
		{At: at, By: by, Op: content.Update, Version: 2, Field: "title", Old: text("Visit"), New: text("Your visit")},
		{At: at, By: by, Op: content.Update, Version: 2, Field: "nav_title", Old: text("")},
		{At: at, By: by, Op: content.Update, Version: 2, Field: "abstract", New: text("")},
	})
}

func TestAnUpdateThatChangesNothingWritesNothing(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	before := snapshot(t, s)
	out := contenttest.Set(t, s.Repository, s.Editor, update("pages", contenttest.Visit, map[string]any{"title": "Visit"}))
	same(t, snapshot(t, s), before)
	same(t, out.Versions, content.Versions{{Table: "pages", UID: contenttest.Visit}: 1})
}

func TestColumnsWithoutAGrantAreLeftOutWithoutAWord(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	contenttest.Set(t, s.Repository, s.Plain, update("pages", contenttest.Visit, map[string]any{"title": "Plan your visit", "description": "never"}))
	page := read(t, s, "pages", contenttest.Visit)
	same(t, page.Text("title"), "Plan your visit")
	same(t, page.Text("description"), "How to find us")

	before := snapshot(t, s)
	out := contenttest.Set(t, s.Repository, s.Plain, content.Attach(content.Ref{Table: "content", UID: contenttest.Picture}, "image", contenttest.Door, nil))
	same(t, snapshot(t, s), before)
	same(t, len(out.Created), 0)
}

func TestAHookMayBendWhatIsWritten(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{Hook: func(op content.Op, row content.Ref, old content.Record, fields map[string]any) {
		if row.Table != content.Pages {
			return
		}
		if op == content.Create {
			fields["hidden"] = int64(0)
		}
		if op == content.Update && old.Text("title") == "Visit" {
			delete(fields, "description")
		}
	}})
	out := contenttest.Set(t, s.Repository, s.Editor, content.Change{
		Op: content.Create, Table: "pages", PID: contenttest.Visit, Key: "new", Fields: map[string]any{"title": "Tickets", "hidden": 1},
	})
	if read(t, s, "pages", out.IDs["new"]).Hidden() {
		t.Error("the page is hidden although the hook shows it")
	}
	contenttest.Set(t, s.Repository, s.Editor, update("pages", contenttest.Visit, map[string]any{"title": "Come", "description": "x"}))
	if got, set := read(t, s, "pages", contenttest.Visit).Fields["description"]; set {
		t.Errorf("description is %v although the hook drops it", got)
	}
}

func TestANewPageIsHiddenAndGetsPathPlaceAndRights(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	out := contenttest.Set(t, s.Repository, s.Editor,
		content.Change{Op: content.Create, Table: "pages", PID: contenttest.Visit, Key: "first", Fields: map[string]any{"title": "Führung & Café"}},
		content.Change{Op: content.Create, Table: "pages", PID: contenttest.Visit, Key: "after", After: contenttest.OpeningHours, Fields: map[string]any{"title": "Führung & Café"}},
		content.Change{Op: content.Create, Table: "pages", ParentKey: "first", Key: "below", Fields: map[string]any{"title": "…"}},
	)
	first, after, below := read(t, s, "pages", out.IDs["first"]), read(t, s, "pages", out.IDs["after"]), read(t, s, "pages", out.IDs["below"])
	same(t, []string{first.Text("slug"), after.Text("slug"), below.Text("slug")},
		[]string{"/visit/fuehrung-cafe", "/visit/fuehrung-cafe-1", "/visit/fuehrung-cafe/page"})
	if !first.Hidden() || first.Text("doktype") != content.PageStandard || first.Version != 1 {
		t.Errorf("the new page is %+v", first)
	}
	nodes, err := s.Tree(context.Background(), s.Editor, contenttest.Visit, 1)
	if err != nil {
		t.Fatal(err)
	}
	same(t, titles(nodes), []string{"Visit", "  Führung & Café", "  Opening hours", "  Führung & Café", "  Team"})
	rights, err := s.PageRights(context.Background(), first.UID)
	if err != nil {
		t.Fatal(err)
	}
	same(t, rights, content.PageRights{Owner: s.Editor.ID, OwnerMay: content.AllBits, Group: "editing", GroupMay: content.AllBits})
}

func TestPlacesBetweenNeighboursNeverRunOut(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	before := read(t, s, "pages", contenttest.VisitTeam)
	want := []string{"  Team"}
	for range 12 {
		contenttest.Set(t, s.Repository, s.Admin, content.Change{
			Op: content.Create, Table: "pages", PID: contenttest.Visit, After: contenttest.OpeningHours, Fields: map[string]any{"title": "N"},
		})
		want = append([]string{"  N"}, want...)
	}
	nodes, err := s.Tree(context.Background(), s.Admin, contenttest.Visit, 1)
	if err != nil {
		t.Fatal(err)
	}
	same(t, titles(nodes), append([]string{"Visit", "  Opening hours"}, want...))
	same(t, read(t, s, "pages", contenttest.VisitTeam).Version, before.Version)
}

func TestATranslationStandsBesideItsOrigin(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	out := contenttest.Set(t, s.Repository, s.Editor, content.Change{
		Op: content.Create, Table: "pages", Key: "de", Language: 1, Origin: contenttest.Visit, Fields: map[string]any{"title": "Besuch"},
	})
	german := read(t, s, "pages", out.IDs["de"])
	same(t, german.PID, contenttest.Museum)
	same(t, german.Text("slug"), "/besuch")
	translations, err := s.Translations(context.Background(), content.Ref{Table: "pages", UID: contenttest.Visit})
	if err != nil || len(translations) != 1 || translations[0].UID != german.UID {
		t.Errorf("translations %v, %v", translations, err)
	}
	nodes, err := s.Tree(context.Background(), s.Editor, contenttest.Museum, 1)
	if err != nil {
		t.Fatal(err)
	}
	same(t, titles(nodes), []string{"Museum", "  Visit", "  Collection"})
}

func TestWhatMayNotBeWrittenIsRefusedWhole(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	const neutral = "not found or not permitted"
	create := func(table string, pid int64, fields map[string]any) content.Change {
		return content.Change{Op: content.Create, Table: table, PID: pid, Fields: fields}
	}
	in := func(language, origin int64, c content.Change) content.Change {
		c.Language, c.Origin = language, origin
		return c
	}
	element := map[string]any{"header": "x"}
	page := map[string]any{"title": "x"}
	rights := create("pages", contenttest.Visit, page)
	rights.Rights = &content.PageRights{}
	for _, c := range []struct {
		name   string
		user   imprimatur.User
		change content.Change
		want   []string
	}{
		{"update without page edit", s.Editor, update("pages", contenttest.Collection, page), []string{neutral}},
		{"update of a missing page", s.Editor, update("pages", 4711, page), []string{neutral}},
		{"update in a language that is not allowed", s.Editor, update("pages", contenttest.HoursFrench, page), []string{neutral}},
		{"update without the table", s.Reader, update("pages", contenttest.Visit, page), []string{neutral}},
		{"update by nobody", imprimatur.User{}, update("pages", contenttest.Visit, page), []string{neutral}},
		{"update of a locked element", s.Editor, update("content", contenttest.Locked, element), []string{neutral}},
		{"update of a type without a grant", s.Editor, update("content", contenttest.Downloads, element), []string{neutral}},
		{"update to a type without a grant", s.Editor, update("content", contenttest.Intro, map[string]any{"type": "html"}), []string{"type: the value is not permitted"}},
		{"update to a page type without a grant", s.Editor, update("pages", contenttest.Visit, map[string]any{"doktype": "folder"}), []string{"doktype: the page type is not permitted"}},
		{"update to an empty path", s.Admin, update("pages", contenttest.Visit, map[string]any{"slug": ""}), []string{"slug: a value is required"}},
		{"update of a storage", s.Editor, update("storages", 1, nil), []string{neutral}},
		{"update of a file", s.Editor, update("files", contenttest.Hall, nil), []string{neutral}},
		{"a file that moves", s.Admin, update("files", contenttest.Hall, map[string]any{"identifier": "/x.jpg"}), []string{"identifier: the value of this column cannot change"}},
		{"page below one without the right", s.Editor, create("pages", contenttest.Collection, page), []string{neutral}},
		{"page at the top", s.Editor, create("pages", 0, page), []string{neutral}},
		{"page below a translation", s.Admin, create("pages", contenttest.HoursGerman, page), []string{"records lie on the page in the default language, not on its translation"}},
		{"page of a type without a grant", s.Editor, create("pages", contenttest.Visit, map[string]any{"title": "x", "doktype": "folder"}), []string{"doktype: the page type is not permitted"}},
		{"page without a title", s.Editor, create("pages", contenttest.Visit, nil), []string{"title: a value is required"}},
		{"page with rights of its own", s.Editor, rights, []string{neutral}},
		{"page with a chosen number", s.Editor, content.Change{Op: content.Create, Table: "pages", UID: 500, PID: contenttest.Visit, Fields: page}, []string{"the number of a new record cannot be chosen"}},
		{"page with a number in use", s.Admin, content.Change{Op: content.Create, Table: "pages", UID: contenttest.Visit, PID: contenttest.Museum, Fields: page}, []string{"there is a record with this number already"}},
		{"page after one elsewhere", s.Editor, content.Change{Op: content.Create, Table: "pages", PID: contenttest.Visit, After: contenttest.OtherTeam, Fields: page}, []string{"the record it should come after is not on the same page"}},
		{"page in a foreign language without an origin", s.Admin, in(1, 0, create("pages", contenttest.Visit, page)), []string{"a page in another language is the translation of a page"}},
		{"element on a page without the right", s.Editor, create("content", contenttest.Collection, element), []string{neutral}},
		{"element on a missing page", s.Admin, create("content", 4711, element), []string{neutral}},
		{"element of a type without a grant", s.Editor, create("content", contenttest.Visit, map[string]any{"type": "uploads"}), []string{"type: the value is not permitted"}},
		{"element in a language that is not allowed", s.Editor, in(2, 0, create("content", contenttest.Visit, element)), []string{"the language is not permitted"}},
		{"element in no language", s.Admin, in(7, 0, create("content", contenttest.Visit, element)), []string{"there is no language 7"}},
		{"translation that exists", s.Editor, in(1, contenttest.Intro, create("content", contenttest.Visit, element)), []string{"there is a translation into this language already"}},
		{"translation of a translation", s.Admin, in(2, contenttest.IntroGerman, create("content", contenttest.Visit, element)), []string{"only a record in the default language can be translated"}},
		{"translation of nothing", s.Admin, in(1, 4711, create("content", contenttest.Visit, element)), []string{neutral}},
		{"translation of a file", s.Admin, in(1, contenttest.Hall, create("files", 0, nil)), []string{"records of this table have no language"}},
		{"unknown column", s.Editor, update("pages", contenttest.Visit, map[string]any{"ti<tle": "x"}), []string{"title: there is no column of this name"}},
		{"count of files by hand", s.Admin, update("content", contenttest.Picture, map[string]any{"image": 9}), []string{"image: files are added and removed by their references"}},
		{"unknown table", s.Admin, update("users", 1, nil), []string{"there is no table of this name to write to"}},
		{"languages", s.Admin, update("languages", 1, nil), []string{"there is no table of this name to write to"}},
		{"no operation", s.Admin, content.Change{Table: "pages", UID: contenttest.Visit}, []string{"there is no operation of this name"}},
		{"a key that nothing has", s.Admin, content.Change{Op: content.Create, Table: "pages", ParentKey: "k", Fields: page}, []string{"the record it belongs to was not created"}},
		{"file outside", s.Admin, create("files", 0, map[string]any{"storage": "media", "identifier": "/../x.jpg", "name": "x.jpg"}), []string{"identifier: the path of a file begins with / and has no detours"}},
		{"file at a place in use", s.Admin, create("files", 0, map[string]any{"storage": "media", "identifier": "/pictures/hall.jpg", "name": "x"}), []string{"identifier: there is a file at this place already"}},
		{"metadata of a file beside the mounts", s.Editor, create("file_metadata", 0, map[string]any{"file": contenttest.Private}), []string{"file: a value is required"}},
		{"delete without the right", s.Editor, content.Change{Op: content.Delete, Table: "content", UID: contenttest.OnCollection}, []string{neutral}},
		{"restore of what is there", s.Admin, content.Change{Op: content.Restore, Table: "content", UID: contenttest.Intro}, []string{neutral}},
		{"restore of what never was", s.Admin, content.Change{Op: content.Restore, Table: "content", UID: 4711}, []string{neutral}},
	} {
		t.Run(c.name, func(t *testing.T) { same(t, complaints(t, s, c.user, c.change), c.want) })
	}
}

func TestOneRefusedChangeKeepsTheOthersFromBeingWritten(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	same(t, complaints(t, s, s.Editor,
		update("pages", contenttest.Visit, map[string]any{"title": "Changed"}),
		update("pages", contenttest.Visit, map[string]any{"title": "", "description": strings.Repeat("x", 10), "seo_title": strings.Repeat("x", 256)}),
	), []string{"seo_title: the text is longer than 255 characters", "title: a value is required"})
}

func TestComplaintsStopAtFifty(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	var changes []content.Change
	for range 80 {
		changes = append(changes, update("pages", 4711, nil))
	}
	same(t, len(complaints(t, s, s.Admin, changes...)), 50)
}

func TestValuesThatWouldHaveToBeBentAreRefused(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	for _, c := range []struct {
		column string
		value  any
		stored any
		want   string
	}{
		{"title", "a\x00b", nil, "the text holds a NUL character"},
		{"title", "a\xffb", nil, "the text is not valid UTF-8"},
		{"title", strings.Repeat("ä", 100), strings.Repeat("ä", 100), ""},
		{"title", strings.Repeat("ä", 101), nil, "the text is longer than 100 characters"},
		{"title", " \t", nil, "a value is required"},
		{"title", nil, nil, "a value is required"},
		{"title", 12, "12", ""},
		{"title", 1.5, nil, "the value is neither text nor a whole number"},
		{"kind", "link", "link", ""},
		{"kind", "gone", nil, "the value is none of those on offer"},
		{"size", "", nil, "a value is required"},
		{"price", "12.50", "12.50", ""},
		{"price", "1e3", nil, "the value is not a number"},
		{"price", "0.5", nil, "the value is below 1"},
		{"price", 1001, nil, "the value is above 1000"},
		{"contact", "a@example.org", "a@example.org", ""},
		{"contact", "", "", ""},
		{"contact", "a b@example.org", nil, "the text is not an e-mail address"},
		{"tint", "#a0b1c2", "#a0b1c2", ""},
		{"tint", "red; x", nil, "the text is not a colour"},
		{"day", "1700000000", int64(1700000000), ""},
		{"day", "tomorrow", nil, "the value is not a whole number"},
		{"day", -1, nil, "the value is below 0"},
		{"top", true, int64(1), ""},
		{"top", 2, nil, "the value is neither 0 nor 1"},
	} {
		change := update("news", contenttest.NewsItem, map[string]any{c.column: c.value})
		if c.want != "" {
			same(t, complaints(t, s, s.Admin, change), []string{c.column + ": " + c.want})
			continue
		}
		contenttest.Set(t, s.Repository, s.Admin, change)
		same(t, read(t, s, "news", contenttest.NewsItem).Fields[c.column], c.stored)
	}
}

func TestOpenColumnsTakeValuesThatNobodyListed(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	contenttest.Set(t, s.Repository, s.Admin, update("content", contenttest.Intro, map[string]any{"type": "somebody_elses", "column": "4711"}))
	rec := read(t, s, "content", contenttest.Intro)
	same(t, rec.Text("type"), "somebody_elses")
	same(t, rec.Int("column"), int64(4711))
	same(t, complaints(t, s, s.Admin, update("content", contenttest.Intro, map[string]any{"column": "left"})), []string{"column: the value is not a whole number"})
}

func TestACancelledRequestWritesNothing(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	before := snapshot(t, s)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := s.Apply(ctx, s.Admin, content.ChangeSet{Changes: []content.Change{update("pages", contenttest.Visit, map[string]any{"title": "x"})}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("err %v", err)
	}
	same(t, snapshot(t, s), before)
}

func TestSlugsKeepLettersOfEveryScript(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]string{
		"Über uns": "ueber-uns", "  A  B ": "a-b", "Straße 7": "strasse-7", "Музей": "музей", "—": "page", "": "page", "a/../b": "a-b",
		strings.Repeat("é", 120): strings.Repeat("e", 100),
	} {
		same(t, content.Slug(title), want)
	}
}
