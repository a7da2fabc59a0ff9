package editorial_test

import (
	"fmt"
	"testing"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
)

const moveElement = "move_content_element"

// Proves tools 76, 77, 108.
func TestAnElementMovesWhereItsCardSays(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]struct {
		page, column, after int64
		lines               []string
	}{
		`{"after_content_uid":42,"target_page":10,"uid":41}`: {contenttest.Visit, 1, contenttest.Picture, []string{
			"Derzeit: auf der Seite „Visit“, Spalte „Normal“", "Neu: auf der Seite „Visit“, Spalte „Links“, direkt nach (leer)", "bisherige Spalte 0", "neue Spalte 1",
		}},
		`{"column":100,"target_page":10,"uid":41}`:                      {contenttest.Visit, 100, 0, []string{"Neu: auf der Seite „Visit“, Spalte 100, als erstes Element"}},
		`{"target_page":12,"uid":41}`:                                   {contenttest.VisitTeam, 0, 0, []string{"Neu: auf der Seite „Team“, Spalte „Normal“, als erstes Element", "UID der neuen Seite 12"}},
		`{"target_page":10,"uid":43}`:                                   {contenttest.Visit, 100, -1, []string{"Das Element steht schon an dieser Stelle; es ändert sich nichts."}},
		`{"after_content_uid":42,"column":2,"target_page":10,"uid":41}`: {contenttest.Visit, 2, 0, []string{"Spalte „Rechts“, direkt nach (leer)"}},
	} {
		t.Run(args, func(t *testing.T) {
			t.Parallel()
			s := open(t, contenttest.Options{})
			lines, _ := s.preview(t, s.German, moveElement, args)
			for _, line := range want.lines {
				if !has(lines, line) {
					t.Errorf("no %q in\n%s", line, text(lines))
				}
			}
			result := s.approve(t, s.German, moveElement, args)
			if want.after < 0 {
				if result.Wrote != nil || result.Content != "Nothing to move: content element 43 “Poster” is at this position on page 10 “Visit”, column 100 already." {
					t.Errorf("%+v", result)
				}
				return
			}
			rec := s.element(t, contenttest.Gallery)
			after, _, err := s.Place(t.Context(), rec)
			if err != nil || rec.PID != want.page || rec.Int(content.ColumnPosition) != want.column || after.UID != want.after {
				t.Errorf("page %d, column %d, behind %d, %v", rec.PID, rec.Int(content.ColumnPosition), after.UID, err)
			}
			if result.Wrote == nil || result.Wrote.UID != contenttest.Gallery || result.Wrote.Kind != "updated" || !result.Wrote.Complete {
				t.Errorf("%+v", result)
			}
		})
	}
}

func TestTranslationsMoveAlongWithAnElement(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	const args = `{"column":2,"target_page":12,"uid":40}`
	lines, _ := s.preview(t, s.Editor, moveElement, args)
	if !has(lines, "Translations: 1, moves along") || !has(lines, "translation UIDs 45") {
		t.Errorf("%s", text(lines))
	}
	s.approve(t, s.Editor, moveElement, args)
	for _, uid := range []int64{contenttest.Intro, contenttest.IntroGerman} {
		if rec := s.element(t, uid); rec.PID != contenttest.VisitTeam || rec.Int(content.ColumnPosition) != 2 {
			t.Errorf("element %d: page %d, column %d", uid, rec.PID, rec.Int(content.ColumnPosition))
		}
	}
}

// Proves tools 110.
func TestWhereAnElementCannotGoIsRefused(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	for args, want := range map[string]string{
		`{"after_content_uid":45,"target_page":10,"uid":41}`:  `Content element 45 is in another language; name one in the same language as after_content_uid.`,
		`{"after_content_uid":41,"target_page":10,"uid":41}`:  `A content element cannot come after itself.`,
		`{"after_content_uid":42,"target_page":12,"uid":41}`:  `There is no content element 42 on page 12.`,
		`{"after_content_uid":46,"target_page":10,"uid":41}`:  `There is no content element 46 on page 10.`,
		`{"after_content_uid":999,"target_page":10,"uid":41}`: `There is no content element 999 on page 10.`,
		`{"target_page":90,"uid":41}`:                         `Page 90 is a translation of page 11. Content lies on the page in the default language: name page 11.`,
		`{"target_page":10,"uid":45}`:                         `Content element 45 is a translation and moves with its original: name content element 40.`,
		`{"uid":41}`:                                          `Missing argument "target_page".`,
		`{"column":-1,"target_page":10,"uid":41}`:             `The argument "column" must be at least 0.`,
		`{"column":"1","target_page":10,"uid":41}`:            `The argument "column" must be a whole number, not text.`,
		`{"position":1,"target_page":10,"uid":41}`:            `Unknown argument "position". Allowed: after_content_uid, column, target_page, uid.`,
	} {
		if got := s.refusal(t, s.Editor, moveElement, args); got != want {
			t.Errorf("%s:\n%q, want\n%q", args, got, want)
		}
	}
}

// Proves tools 109.
func TestMovingAnElementNeedsRightsOnBothPages(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	const noElement, noPage = "Content element not found or not permitted.", "Page not found or not permitted."
	for args, want := range map[string]string{
		`{"target_page":10,"uid":46}`:  noElement, // lies on a page that others edit
		`{"target_page":10,"uid":47}`:  noElement,
		`{"target_page":10,"uid":999}`: noElement,
		`{"target_page":20,"uid":41}`:  noPage,
		`{"target_page":30,"uid":41}`:  noPage,
		`{"target_page":999,"uid":41}`: noPage,
	} {
		if got := s.refusal(t, s.Editor, moveElement, args); got != want {
			t.Errorf("%s: %q", args, got)
		}
	}
	s.matrix(t, s.Editor, moveElement, `{"target_page":12,"uid":40}`, map[string]func(u *imprimatur.User){
		"an account":                      func(u *imprimatur.User) { *u = imprimatur.User{} },
		"the pages":                       func(u *imprimatur.User) { u.Rights.Pages = nil },
		"the table":                       func(u *imprimatur.User) { u.Rights.Modify = dropped(u.Rights.Modify, "content") },
		"the language":                    func(u *imprimatur.User) { u.Rights.Languages = imprimatur.Set{"1"} },
		"the language of the translation": func(u *imprimatur.User) { u.Rights.Languages = imprimatur.Set{"0"} },
		"the type":                        func(u *imprimatur.User) { u.Rights.Values = dropped(u.Rights.Values, "content.type.text") },
	}, map[string]string{
		"an account": noElement, "the pages": noElement, "the table": noElement, "the language": noElement, "the type": noElement,
		"the language of the translation": "Content element 40 has a translation that the user this run acts for may not change.",
	})
}

func TestWhatIsShownOfAMoveMustHold(t *testing.T) {
	t.Parallel()
	const args = `{"after_content_uid":43,"target_page":10,"uid":40}`
	for name, test := range map[string]struct {
		meanwhile func(t *testing.T, s *stage)
		moved     bool
	}{
		"the column of the anchor": {func(t *testing.T, s *stage) {
			s.change(t, content.Elements, contenttest.Poster, map[string]any{"column": 1})
		}, true},
		"the anchor": {func(t *testing.T, s *stage) {
			s.change(t, content.Elements, contenttest.Poster, map[string]any{"header": "x"})
		}, true},
		"the column": {func(t *testing.T, s *stage) {
			s.change(t, content.Elements, contenttest.Intro, map[string]any{"column": 3})
		}, true},
		"the page": {func(t *testing.T, s *stage) {
			s.change(t, content.Pages, contenttest.Visit, map[string]any{"title": "x"})
		}, true},
		"its text": {func(t *testing.T, s *stage) {
			s.change(t, content.Elements, contenttest.Intro, map[string]any{"bodytext": "x"})
		}, false},
		"the translation's header": {func(t *testing.T, s *stage) {
			s.change(t, content.Elements, contenttest.IntroGerman, map[string]any{"header": "x"})
		}, false},
		"the translation": {func(t *testing.T, s *stage) {
			contenttest.Set(t, s.Repository, content.System(), content.Change{Op: content.Delete, Table: content.Elements, UID: contenttest.IntroGerman})
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			holds(t, moveElement, args, test.meanwhile, test.moved)
		})
	}
}

func TestTwoElementMovesOfOneTurnBothRun(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	const one, two = `{"column":2,"target_page":10,"uid":43}`, `{"after_content_uid":43,"target_page":10,"uid":41}`
	_, first := s.preview(t, s.Editor, moveElement, one)
	_, second := s.preview(t, s.Editor, moveElement, two)
	left, err := s.execute(t, s.Editor, moveElement, one, first)
	if err != nil || left.IsError {
		t.Fatalf("%+v %v", left, err)
	}
	if result, err := s.execute(t, s.Editor, moveElement, two, second, left.Token); err != nil || result.IsError {
		t.Errorf("%+v %v", result, err)
	}
}

func TestAnElementMoveThatComesOutWrongIsTakenBack(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		bent int64
		want string
	}{
		"the element":     {contenttest.Intro, "The content element 40 would not have arrived on page 12 in column 2. Nothing was written."},
		"the translation": {contenttest.IntroGerman, "The content element 45 would not have arrived on page 12 in column 2. Nothing was written."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, contenttest.Options{Hook: func(_ content.Op, row content.Ref, _ content.Record, fields map[string]any) {
				if row.Table == content.Elements && row.UID == test.bent {
					fields["column"] = int64(3)
				}
			}})
			s.takenBack(t, s.Editor, moveElement, `{"column":2,"target_page":12,"uid":40}`, test.want)
		})
	}
}

func TestItemsMoveAlongToAnotherPage(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	u := allFields(s, s.Editor)
	u.Rights.Modify = append(u.Rights.Modify, "accordion_items")
	accordion(t, s)
	lines, _ := s.preview(t, u, moveElement, `{"target_page":12,"uid":300}`)
	if !has(lines, "Records that belong to it: 2, move along") {
		t.Errorf("%s", text(lines))
	}
	if here, _ := s.preview(t, u, moveElement, `{"column":2,"target_page":10,"uid":300}`); has(here, "Records that belong") {
		t.Errorf("on the same page:\n%s", text(here))
	}
	if got, want := s.refusal(t, allFields(s, s.Editor), moveElement, `{"target_page":12,"uid":300}`),
		"Something that belongs to content element 300 may not be moved by the user this run acts for."; got != want {
		t.Errorf("%q", got)
	}
	s.approve(t, u, moveElement, `{"target_page":12,"uid":300}`)
	for _, uid := range []int64{310, 311} {
		rec, err := s.Row(t.Context(), content.Ref{Table: "accordion_items", UID: uid})
		if err != nil || rec.PID != contenttest.VisitTeam {
			t.Errorf("item %d: page %d, %v", uid, rec.PID, err)
		}
	}
}

// accordion puts element 300 with two items, 310 and 311, on page Visit.
func accordion(t *testing.T, s *stage) {
	t.Helper()
	changes := []content.Change{{
		Op: content.Create, Table: content.Elements, UID: 300, PID: contenttest.Visit, After: content.Last,
		Fields: map[string]any{"type": "accordion", "header": "Questions"},
	}}
	for i := range 2 {
		changes = append(changes, content.Change{
			Op: content.Create, Table: "accordion_items", UID: int64(310 + i), PID: contenttest.Visit, After: content.Last,
			Fields: map[string]any{"element": 300, "header": fmt.Sprintf("Question %d", i+1)},
		})
	}
	contenttest.Set(t, s.Repository, content.System(), changes...)
}

// The name that the layout of a page gives its columns would be resolved through
// whoever is signed in: a card never shows it.
//
// Proves tools 77.
func TestTheLayoutOfAPageNamesNoColumnOnACard(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	s.change(t, content.Pages, contenttest.VisitTeam, map[string]any{"backend_layout": "pagets__portraits"})
	lines, _ := s.preview(t, s.German, moveElement, `{"target_page":12,"uid":41}`)
	if !has(lines, "Neu: auf der Seite „Team“, Spalte „Normal“") || !has(lines, "neue Spalte 0") || has(lines, "ortraits") {
		t.Error(text(lines))
	}
}
