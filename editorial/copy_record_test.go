package editorial_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
)

const duplicate = "copy_record"

func copyOf(table string, uid, target int64, more string) string {
	return fmt.Sprintf(`{"table":%q,"target_page":%d,"uid":%d%s}`, table, target, uid, more)
}

// added are the rows that are there after and not before; it fails if any other
// row changed but for its place among its neighbours.
func added(t *testing.T, s *stage, before map[content.Ref]string) []content.Record {
	t.Helper()
	after := s.dump(t)
	var rows []content.Record
	for _, ref := range differing(before, after) {
		if was, there := before[ref]; there {
			if withoutPlace(was) != withoutPlace(after[ref]) {
				t.Errorf("%s changed\nfrom %s\nto   %s", ref, was, after[ref])
			}
			continue
		}
		rec, err := s.Row(t.Context(), ref)
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, rec)
	}
	return rows
}

func withoutPlace(row string) string {
	head, rest, _ := strings.Cut(row, " at ")
	_, rest, _ = strings.Cut(rest, ",")
	return head + rest
}

// Proves tools 111.
func TestACopiedPageIsHiddenAndComesWithoutSubpages(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	r := furnished(t, s)
	args := copyOf("pages", r.page, contenttest.Visit, `,"after_uid":12`)
	cards(t, s, "rooms", duplicate, args)
	before := s.dump(t)
	result := s.approve(t, curator(s), duplicate, args)
	rows := added(t, s, before)
	copied := s.page(t, result.Wrote.UID)
	byTable := map[string]int{}
	for _, rec := range rows {
		byTable[rec.Table]++
		if rec.Table == content.Pages && !rec.Hidden() {
			t.Errorf("%s is visible", rec.Ref())
		}
		if rec.Table == content.Pages && rec.Origin == 0 && rec.UID != copied.UID {
			t.Errorf("%s was copied, too", rec.Ref())
		}
	}
	if diff := cmp.Diff(map[string]int{"pages": 2, "content": 2, "accordion_items": 2, "news": 1, "file_references": 1}, byTable); diff != "" {
		t.Error(diff)
	}
	if copied.Text("title") != "Rooms" || copied.Text("slug") != "/visit/rooms-1" || copied.PID != contenttest.Visit {
		t.Errorf("%+v", copied)
	}
	translations, err := s.Translations(t.Context(), copied.Ref())
	if err != nil || len(translations) != 1 || translations[0].Text("slug") != "/visit/raeume-1" || translations[0].Language != 1 {
		t.Errorf("%+v %v", translations, err)
	}
	if got := s.below(t, contenttest.Visit); fmt.Sprint(got) != fmt.Sprint([]int64{contenttest.OpeningHours, contenttest.VisitTeam, copied.UID, r.page}) {
		t.Errorf("the order is %v", got)
	}
	if diff := cmp.Diff(&imprimatur.Written{Table: content.Pages, UID: copied.UID, Kind: "created", Complete: true}, result.Wrote); diff != "" {
		t.Error(diff)
	}
	if want := fmt.Sprintf("Copied page %d “Rooms” to page 10 “Visit” as page %d “Rooms”, with 7 records that belong to it or lie on it. The copy is hidden; publish_record makes it visible.", r.page, copied.UID); result.Content != want {
		t.Errorf("%q, want %q", result.Content, want)
	}
}

func TestACopiedElementComesWithItsTranslationsItemsAndFiles(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	r := furnished(t, s)
	args := copyOf("content", r.element, contenttest.VisitTeam, `,"column":2`)
	cards(t, s, "accordion", duplicate, args)
	before := s.dump(t)
	result := s.approve(t, curator(s), duplicate, args)
	rows := added(t, s, before)
	if len(rows) != 5 {
		t.Fatalf("%d rows came: %v", len(rows), rows)
	}
	for _, rec := range rows {
		if rec.Table == content.Elements && (rec.PID != contenttest.VisitTeam || rec.Int("column") != 2 || !rec.Hidden()) {
			t.Errorf("%s: %+v", rec.Ref(), rec)
		}
		if rec.Table == "accordion_items" && (rec.Int("element") != result.Wrote.UID || rec.PID != contenttest.VisitTeam) {
			t.Errorf("%s: %+v", rec.Ref(), rec)
		}
	}
	if n := s.element(t, result.Wrote.UID).Int("accordion_items"); n != 2 {
		t.Errorf("the copy counts %d items", n)
	}
}

func TestACopiedElementTakesTheColumnOfWhatItStandsBehind(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	for args, column := range map[string]int64{
		copyOf("content", contenttest.Gallery, contenttest.Visit, ""):                            0,
		copyOf("content", contenttest.Gallery, contenttest.Visit, `,"after_uid":42`):             1,
		copyOf("content", contenttest.Gallery, contenttest.Visit, `,"after_uid":42,"column":3`):  3,
		copyOf("content", contenttest.Gallery, contenttest.Visit, `,"column":0,"after_uid":44`):  0,
		copyOf("content", contenttest.Gallery, contenttest.VisitTeam, `,"column":100`):           100,
		copyOf("content", contenttest.Picture, contenttest.Visit, `,"after_uid":43,"column":43`): 43,
	} {
		result := s.approve(t, s.Editor, duplicate, args)
		if got := s.element(t, result.Wrote.UID).Int("column"); got != column {
			t.Errorf("%s: column %d, want %d", args, got, column)
		}
	}
}

// Proves tools 110.
func TestWhatCannotBeCopiedIsRefused(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	free := s.make(t, content.Change{Table: content.Elements, PID: contenttest.VisitTeam, Language: 1, Fields: map[string]any{"type": "text", "header": "Frei"}})
	const element, page = "Content element not found or not permitted.", "Page not found or not permitted."
	neutral(t, s, s.Editor, duplicate, element, map[string]string{
		"missing": copyOf("content", 999, 12, ""), "elsewhere, read-only page": copyOf("content", 47, 12, ""), "of a type without a grant": copyOf("content", 48, 12, ""),
	})
	neutral(t, s, s.Editor, duplicate, page, map[string]string{
		"missing": copyOf("pages", 999, 10, ""), "unseen": copyOf("pages", 30, 10, ""), "in another language": copyOf("pages", 91, 10, ""),
		"to nowhere": copyOf("pages", 12, 999, ""), "to a read-only page": copyOf("pages", 12, 20, ""), "element to a read-only page": copyOf("content", 40, 20, ""),
		"element to an unseen page": copyOf("content", 40, 30, ""),
	})
	for args, want := range map[string]string{
		copyOf("pages", 90, 10, ""):                  "Page 90 is a translation and is copied with its original: name page 11.",
		copyOf("content", 45, 12, ""):                "Content element 45 is a translation and is copied with its original: name content element 40.",
		copyOf("pages", 1, 10, ""):                   "Page 1 is the root of a website and cannot be copied with this tool.",
		copyOf("pages", 12, 90, ""):                  "Page 90 is a translation of page 11: name that page.",
		copyOf("content", 40, 90, ""):                "Page 90 is a translation of page 11. Content lies on the page in the default language: name page 11.",
		copyOf("pages", 12, 10, `,"after_uid":20`):   "There is no page 20 directly under page 10 to come after.",
		copyOf("pages", 12, 10, `,"after_uid":999`):  "There is no page 999 directly under page 10 to come after.",
		copyOf("content", 40, 12, `,"after_uid":42`): "There is no content element 42 on page 12.",
		copyOf("content", 40, 10, `,"after_uid":45`): "Content element 45 is in another language; name one in the same language as after_content_uid.",
		copyOf("content", 40, 12, ""):                "Page 12 would hold both translated and independent content elements in German. Nothing was written.",
		copyOf("content", free, 10, ""):              "Page 10 would hold both translated and independent content elements in German. Nothing was written.",
		copyOf("pages", 11, 10, ""):                  "Something in French would be copied with it, a language that the user this run acts for may not work in. It is copied whole or not at all.",
		copyOf("pages", 12, 10, `,"column":1`):       `The argument "column" is for content elements only.`,
		copyOf("content", 40, 12, `,"column":-1`):    `The argument "column" must be at least 0.`,
		copyOf("content", 40, 12, `,"column":"1"`):   `The argument "column" must be a whole number, not text.`,
		copyOf("content", 40, 12, `,"hidden":false`): `Unknown argument "hidden". Allowed: after_uid, column, table, target_page, uid.`,
		copyOf("news", 60, 12, ""):                   `The argument "table" must be one of pages, content.`,
		`{"table":"content","uid":40}`:               `Missing argument "target_page".`,
	} {
		if got := s.refusal(t, s.Editor, duplicate, args); got != want {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
}

func TestCopyingNeedsEachRight(t *testing.T) {
	t.Parallel()
	const noPage, noElement = "Page not found or not permitted.", "Content element not found or not permitted."
	const whole = " It is copied whole or not at all."
	take := func(f func(r *imprimatur.Rights)) func(*testing.T, *stage) imprimatur.User {
		return func(_ *testing.T, s *stage) imprimatur.User { return lacking(curator(s), f) }
	}
	bits := func(page int64, bits content.Bits) func(*testing.T, *stage) imprimatur.User {
		return func(t *testing.T, s *stage) imprimatur.User { s.rights(t, page, bits); return curator(s) }
	}
	for name, c := range map[string]struct {
		table string
		u     func(*testing.T, *stage) imprimatur.User
		want  string
	}{
		"page, all":               {"pages", take(func(*imprimatur.Rights) {}), ""},
		"page, table":             {"pages", take(func(r *imprimatur.Rights) { r.Modify = drop(r.Modify, content.Pages) }), noPage},
		"page, mount":             {"pages", take(func(r *imprimatur.Rights) { r.Pages = nil }), noPage},
		"page, type":              {"pages", take(func(r *imprimatur.Rights) { r.PageTypes = nil }), "The user this run acts for may not create pages of this type. Nothing was written."},
		"page, hidden":            {"pages", take(func(r *imprimatur.Rights) { r.Fields = drop(r.Fields, "pages.hidden") }), "The user this run acts for may not change hidden of pages. Nothing was written."},
		"page, language":          {"pages", take(func(r *imprimatur.Rights) { r.Languages = imprimatur.Set{"0"} }), "Something in German would be copied with it, a language that the user this run acts for may not work in." + whole},
		"page, records":           {"pages", take(func(r *imprimatur.Rights) { r.Modify = drop(r.Modify, "news") }), "Records of news would be copied with it, which the user this run acts for may not change." + whole},
		"page, kind of element":   {"pages", take(func(r *imprimatur.Rights) { r.Values = drop(r.Values, "content.type.accordion") }), "Something that would be copied with it may not be changed by the user this run acts for." + whole},
		"page, new on the target": {"pages", bits(contenttest.VisitTeam, content.AllBits&^content.BitNew), noPage},
		"page, only new":          {"pages", bits(contenttest.VisitTeam, content.BitShow|content.BitNew), ""},
		"element, all":            {"content", take(func(*imprimatur.Rights) {}), ""},
		"element, table":          {"content", take(func(r *imprimatur.Rights) { r.Modify = drop(r.Modify, content.Elements) }), noElement},
		"element, hidden":         {"content", take(func(r *imprimatur.Rights) { r.Fields = drop(r.Fields, "content.hidden") }), "The user this run acts for may not change hidden of content. Nothing was written."},
		"element, references":     {"content", take(func(r *imprimatur.Rights) { r.Modify = drop(r.Modify, content.FileReferences) }), "Records of file_references would be copied with it, which the user this run acts for may not change." + whole},
		"element, content there":  {"content", bits(contenttest.VisitTeam, content.AllBits&^content.BitContent), noPage},
		"element, only content":   {"content", bits(contenttest.VisitTeam, content.BitShow|content.BitContent), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, contenttest.Options{})
			r := furnished(t, s)
			args := copyOf("pages", r.page, contenttest.VisitTeam, "")
			if c.table == "content" {
				args = copyOf("content", r.element, contenttest.VisitTeam, "")
			}
			u := c.u(t, s)
			if got := mayRead(t, s, duplicate, args, u); got != (c.want == "") {
				t.Errorf("may read the preview: %t", got)
			}
			if c.want == "" {
				s.approve(t, u, duplicate, args)
			} else if got := s.refusal(t, u, duplicate, args); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
	s := open(t, contenttest.Options{})
	r := furnished(t, s)
	s.rights(t, r.page, content.BitShow)
	for _, args := range []string{copyOf("pages", r.page, contenttest.VisitTeam, ""), copyOf("content", r.element, contenttest.VisitTeam, "")} {
		s.approve(t, curator(s), duplicate, args) // seeing the original is enough
	}
}

// Proves tools 24, 31, 32.
func TestACopyHoldsToWhatWasShown(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		happens func(t *testing.T, s *stage, r rooms)
		runs    bool
	}{
		"the page was renamed": {func(t *testing.T, s *stage, r rooms) {
			s.change(t, content.Pages, r.page, map[string]any{"title": "x"})
		}, false},
		"its translation was": {func(t *testing.T, s *stage, r rooms) {
			s.change(t, content.Pages, r.german, map[string]any{"title": "x"})
		}, false},
		"the target was":           {func(t *testing.T, s *stage, r rooms) { s.change(t, content.Pages, 10, map[string]any{"title": "x"}) }, false},
		"what it comes behind was": {func(t *testing.T, s *stage, r rooms) { s.change(t, content.Pages, 12, map[string]any{"title": "x"}) }, false},
		"the path is taken":        {func(t *testing.T, s *stage, r rooms) { s.child(t, 10, 0, map[string]any{"title": "Rooms"}) }, false},
		"a record came": {func(t *testing.T, s *stage, r rooms) {
			s.make(t, content.Change{Table: "news", PID: r.page, Fields: map[string]any{"title": "x"}})
		}, false},
		"a translation came": {func(t *testing.T, s *stage, r rooms) {
			s.make(t, content.Change{Table: content.Pages, Language: 2, Origin: r.page, Fields: map[string]any{"title": "x"}})
		}, false},
		"a file went": {func(t *testing.T, s *stage, r rooms) {
			contenttest.Set(t, s.Repository, s.Admin, content.Change{Op: content.Delete, Table: "accordion_items", UID: r.item})
		}, false},
		"the anchor went": {func(t *testing.T, s *stage, r rooms) {
			contenttest.Set(t, s.Repository, s.Admin, content.Change{Op: content.Delete, Table: content.Pages, UID: 12})
		}, false},
		"an element was renamed": {func(t *testing.T, s *stage, r rooms) {
			s.change(t, content.Elements, r.element, map[string]any{"header": "x"})
		}, true},
		"a subpage came": {func(t *testing.T, s *stage, r rooms) { s.child(t, r.page, 0, map[string]any{"title": "x"}) }, true},
		"a field that is not shown": {func(t *testing.T, s *stage, r rooms) {
			s.change(t, content.Pages, r.page, map[string]any{"subtitle": "x", "hidden": 1})
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, contenttest.Options{})
			r := furnished(t, s)
			args := copyOf("pages", r.page, contenttest.Visit, `,"after_uid":12`)
			_, token := s.preview(t, curator(s), duplicate, args)
			c.happens(t, s, r)
			if !c.runs {
				comesBack(t, s, curator(s), duplicate, args, token)
			} else if result, err := s.execute(t, curator(s), duplicate, args, token); err != nil || result.IsError {
				t.Errorf("%+v %v", result, err)
			}
		})
	}
}

// The first copy takes the path that the second was shown with.
//
// Proves tools 26; runtime 242.
func TestTwoCopiesOfOnePageInOneTurnBothRun(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	r := furnished(t, s)
	u := curator(s)
	args := copyOf("pages", r.page, contenttest.Visit, "")
	var tokens, own []any
	for range 3 {
		_, token := s.preview(t, u, duplicate, args)
		tokens = append(tokens, token)
	}
	for _, path := range []string{"/visit/rooms-1", "/visit/rooms-2"} {
		result, err := s.execute(t, u, duplicate, args, tokens[len(own)], own...)
		if err != nil || result.IsError {
			t.Fatalf("%+v %v", result, err)
		}
		if got := s.page(t, result.Wrote.UID).Text("slug"); got != path {
			t.Errorf("the path is %s, want %s", got, path)
		}
		own = append(own, result.Token)
	}
	s.child(t, contenttest.Visit, 0, map[string]any{"title": "Rooms"})
	if _, err := s.execute(t, u, duplicate, args, tokens[2], own...); !errors.Is(err, imprimatur.ErrMoved) {
		t.Errorf("after a stranger: %v", err)
	}
}

// Proves tools 26; runtime 242.
func TestTwoCopiesOfOneTurnBothRun(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	args := copyOf("content", contenttest.Intro, contenttest.VisitTeam, "")
	var own []any
	_, one := s.preview(t, s.Editor, duplicate, args)
	_, two := s.preview(t, s.Editor, duplicate, args)
	for _, token := range []any{one, two} {
		result, err := s.execute(t, s.Editor, duplicate, args, token, own...)
		if err != nil || result.IsError {
			t.Fatalf("%+v %v", result, err)
		}
		own = append(own, result.Token)
	}
	if rows, err := s.OnPage(t.Context(), content.Elements, contenttest.VisitTeam); err != nil || len(rows) != 4 {
		t.Errorf("%d elements, %v", len(rows), err)
	}
}

// Proves tools 111.
func TestACopyThatCameOutWrongIsTakenBack(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		bend func(row content.Ref, fields map[string]any)
		want string
	}{
		"visible": {func(row content.Ref, f map[string]any) {
			if row.Table == content.Pages && f["title"] == "Rooms" {
				f["hidden"] = int64(0)
			}
		}, "The copy or one of its translations would have come out visible."},
		"a visible translation": {func(row content.Ref, f map[string]any) {
			if row.Table == content.Pages && f["title"] == "Räume" {
				f["hidden"] = int64(0)
			}
		}, "The copy or one of its translations would have come out visible."},
		"without a field": {func(row content.Ref, f map[string]any) {
			if row.Table == "accordion_items" {
				delete(f, "header")
			}
		}, "The copy would have come out with another value of header."},
		"at another path": {func(row content.Ref, f map[string]any) {
			if row.Table == content.Pages {
				f["slug"] = "/elsewhere"
			}
		}, "The copy would have come out with another value of slug."},
		"renamed": {func(row content.Ref, f map[string]any) {
			if row.Table == content.Pages {
				f["title"], f["subtitle"] = "Copy", "of it"
			}
		}, "The copy would have come out with another value of subtitle and title."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, contenttest.Options{})
			r := furnished(t, s)
			bent := with(t, s.Site, hookedOn(t, s, func(op content.Op, row content.Ref, _ content.Record, fields map[string]any) {
				if op == content.Copy {
					c.bend(row, fields)
				}
			}))
			takenBack(t, bent, curator(s), duplicate, copyOf("pages", r.page, contenttest.Visit, ""), c.want)
		})
	}
}

func TestACopyThatCameOutElsewhereIsTakenBack(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	s.trigger(t, "INSERT ON content_records WHEN NEW.tab = 'content' AND NEW.pid = 12",
		"UPDATE content_records SET pid = 11 WHERE tab = NEW.tab AND uid = NEW.uid")
	takenBack(t, s, s.Editor, duplicate, copyOf("content", contenttest.Gallery, contenttest.VisitTeam, ""), "The copy would have come out at another place.")
}

func TestACopyOfAPageInManyLanguagesFitsOnOneCard(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	r := furnished(t, s)
	for id := int64(2); id < 12; id++ {
		if err := s.SetLanguage(t.Context(), content.Language{ID: id, Code: fmt.Sprintf("l%d", id), Label: imprimatur.ByLanguage{"en": fmt.Sprintf("Language %d", id)}}); err != nil {
			t.Fatal(err)
		}
		s.make(t, content.Change{Table: content.Pages, Language: id, Origin: r.page, Fields: map[string]any{"title": "Title"}})
	}
	args := copyOf("pages", r.page, contenttest.Visit, "")
	lines, _ := s.preview(t, s.Admin, duplicate, args)
	if !has(lines, "6 weitere Übersetzungen bekommen eigene URL-Pfade.") || !has(lines, "URL-Pfad (Deutsch): „/visit/raeume-1“") {
		t.Error(text(lines))
	}
	s.approve(t, s.Admin, duplicate, args)
}
