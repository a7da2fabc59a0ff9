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

const translate = "create_translation_draft"

func TestATranslationIsAHiddenLinkedCopy(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	s.change(t, content.Elements, contenttest.Gallery, map[string]any{"bodytext": "<p>Pictures</p>", "imagecols": 2, "subheader": "Of the hall"})
	contenttest.Set(t, s.Repository, content.System(),
		content.Attach(content.Ref{Table: content.Elements, UID: contenttest.Gallery}, "assets", contenttest.Hall, map[string]string{"title": "Hall"}),
		content.Attach(content.Ref{Table: content.Elements, UID: contenttest.Gallery}, "assets", contenttest.Door, nil))
	const args = `{"language":1,"table":"content","uid":41}`
	lines, _ := s.preview(t, s.Editor, translate, args)
	for _, want := range []string{
		"Target language: German", "New: copy of the original, linked to it",
		"Texts that come along, untranslated: “Header”, “Subheader”, “Text”", "Taken from the original in every language: “Number of columns”",
		"Files: 2, copied along", "Visibility: hidden at first",
	} {
		if !has(lines, want) {
			t.Errorf("no %q in\n%s", want, text(lines))
		}
	}
	result := s.approve(t, s.Editor, translate, args)
	rec := s.element(t, result.Wrote.UID)
	if rec.Language != 1 || rec.Origin != contenttest.Gallery || rec.PID != contenttest.Visit || !rec.Hidden() ||
		rec.Text("header") != "Gallery" || rec.Text("bodytext") != "<p>Pictures</p>" || rec.Fields["imagecols"] != nil {
		t.Errorf("%+v", rec)
	}
	if got, want := s.files(t, rec.UID, "assets"), []int64{contenttest.Hall, contenttest.Door}; !cmp.Equal(got, want) {
		t.Errorf("files %v", got)
	}
	if want := fmt.Sprintf("Created content element %d “Gallery”, the translation of 41 into language 1, hidden and with the texts of the original.", rec.UID); !strings.HasPrefix(result.Content, want) {
		t.Errorf("the model reads %q", result.Content)
	}
}

func TestTheTranslationOfAPageShowsItsURLPath(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	const args = `{"language":1,"table":"pages","uid":12}`
	lines, _ := s.preview(t, s.Editor, translate, args)
	if !has(lines, "Page: “Team”") || !has(lines, "URL path: “/") {
		t.Errorf("%s", text(lines))
	}
	result := s.approve(t, s.Editor, translate, args)
	rec := s.page(t, result.Wrote.UID)
	if rec.Language != 1 || rec.Origin != contenttest.VisitTeam || !rec.Hidden() || !has(lines, "“"+rec.Text("slug")+"”") {
		t.Errorf("%+v", rec)
	}
}

// Proves tools 122.
func TestWhatCannotBeTranslatedIsRefused(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	contenttest.Set(t, s.Repository, content.System(), content.Change{
		Op: content.Create, Table: content.Elements, UID: 300, PID: contenttest.Visit, Language: -1, Fields: map[string]any{"type": "text", "header": "Everywhere"},
	}, content.Change{
		Op: content.Create, Table: content.Elements, UID: 301, PID: contenttest.VisitTeam, Language: 1, Fields: map[string]any{"type": "text", "header": "Allein"},
	})
	for args, want := range map[string]string{
		`{"language":1,"table":"content","uid":40}`:                   `There is a translation into language 1 already: content element 45. Change that one, or discard it by setting overwrite to true.`,
		`{"language":1,"overwrite":false,"table":"content","uid":40}`: `There is a translation into language 1 already: content element 45. Change that one, or discard it by setting overwrite to true.`,
		`{"language":1,"overwrite":"yes","table":"content","uid":40}`: `The argument "overwrite" must be true or false, not text.`,
		`{"language":1,"overwrite":1,"table":"content","uid":40}`:     `The argument "overwrite" must be true or false, not a number.`,
		`{"language":1,"table":"pages","uid":11}`:                     `There is a translation into language 1 already: page 90. Change that one, or discard it by setting overwrite to true.`,
		`{"language":1,"table":"content","uid":45}`:                   `Content element 45 is a translation itself: name content element 40, which is in the default language.`,
		`{"language":1,"table":"pages","uid":90}`:                     `Page 90 is a translation itself: name page 11, which is in the default language.`,
		`{"language":1,"table":"content","uid":300}`:                  `Content element 300 is for all languages and has no translations.`,
		`{"language":1,"table":"content","uid":301}`:                  `Content element 301 stands for itself in language 1: only what is in the default language is translated.`,
		`{"language":0,"table":"content","uid":41}`:                   `The argument "language" must be at least 1.`,
		`{"language":1,"table":"news","uid":60}`:                      `The argument "table" must be one of pages, content.`,
		`{"language":1,"table":"content","translate":true,"uid":41}`:  `Unknown argument "translate". Allowed: language, overwrite, table, uid.`,
		`{"language":1,"table":"content","uid":46}`:                   `Content element not found or not permitted.`,
		`{"language":1,"table":"content","uid":47}`:                   `Content element not found or not permitted.`,
		`{"language":1,"table":"content","uid":999}`:                  `Content element not found or not permitted.`,
		`{"language":2,"table":"content","uid":41}`:                   `Content element not found or not permitted.`,
		`{"language":1,"table":"pages","uid":20}`:                     `Page not found or not permitted.`,
		`{"language":1,"table":"pages","uid":999}`:                    `Page not found or not permitted.`,
		`{"language":2,"table":"pages","uid":12}`:                     `Page not found or not permitted.`,
	} {
		if got := s.refusal(t, s.Editor, translate, args); got != want {
			t.Errorf("%s:\n%q, want\n%q", args, got, want)
		}
	}
	if got := s.refusal(t, s.Admin, translate, `{"language":7,"table":"content","uid":41}`); got != "There is no language 7." {
		t.Errorf("%q", got)
	}
}

// Proves tools 123.
func TestDiscardingATranslationIsALineOfItsOwn(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	contenttest.Set(t, s.Repository, content.System(), content.Attach(content.Ref{Table: content.Elements, UID: contenttest.IntroGerman}, "image", contenttest.Hall, nil))
	const args = `{"language":1,"overwrite":true,"table":"content","uid":40}`
	lines, token := s.preview(t, s.German, translate, args)
	if !has(lines, "Wichtig: Die vorhandene Übersetzung „Willkommen“ wird verworfen; sie lässt sich wiederherstellen.") ||
		!has(lines, "Dateien und Datensätze der vorhandenen Übersetzung: 1, wird ebenfalls verworfen") || !has(lines, "vorhandene UID 45") {
		t.Errorf("%s", text(lines))
	}
	s.change(t, content.Elements, contenttest.IntroGerman, map[string]any{"bodytext": "Nobody was shown this"})
	result, err := s.execute(t, s.German, translate, args, token)
	if err != nil || result.IsError {
		t.Fatalf("%+v %v", result, err)
	}
	rec := s.element(t, result.Wrote.UID)
	if rec.Origin != contenttest.Intro || rec.Text("header") != "Welcome" || !strings.Contains(result.Content, "Discarded content element 45, which can be restored.") {
		t.Errorf("%+v %q", rec, result.Content)
	}
	if _, err := s.Row(t.Context(), content.Ref{Table: content.Elements, UID: contenttest.IntroGerman}); !errors.Is(err, content.ErrNotFound) {
		t.Errorf("the old translation: %v", err)
	}
	if lines, _ := s.preview(t, s.German, translate, strings.Replace(args, "40", "41", 1)); has(lines, "Wichtig") {
		t.Errorf("nothing to discard:\n%s", text(lines))
	}
}

func TestWhatIsShownOfATranslationMustHold(t *testing.T) {
	t.Parallel()
	const args = `{"language":1,"overwrite":true,"table":"content","uid":40}`
	for name, test := range map[string]struct {
		meanwhile func(t *testing.T, s *stage)
		moved     bool
	}{
		"the header": {func(t *testing.T, s *stage) {
			s.change(t, content.Elements, contenttest.Intro, map[string]any{"header": "x"})
		}, true},
		"the old translation": {func(t *testing.T, s *stage) {
			s.change(t, content.Elements, contenttest.IntroGerman, map[string]any{"header": "x"})
		}, true},
		"a further text": {func(t *testing.T, s *stage) {
			s.change(t, content.Elements, contenttest.Intro, map[string]any{"subheader": "x"})
		}, true},
		"a file": {func(t *testing.T, s *stage) {
			contenttest.Set(t, s.Repository, content.System(), content.Attach(content.Ref{Table: content.Elements, UID: contenttest.Intro}, "image", contenttest.Hall, nil))
		}, true},
		"the old translation is gone": {func(t *testing.T, s *stage) {
			contenttest.Set(t, s.Repository, content.System(), content.Change{Op: content.Delete, Table: content.Elements, UID: contenttest.IntroGerman})
		}, true},
		"the text": {func(t *testing.T, s *stage) {
			s.change(t, content.Elements, contenttest.Intro, map[string]any{"bodytext": "<p>Otherwise</p>"})
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			holds(t, translate, args, test.meanwhile, test.moved)
		})
	}
}

// The model changes an element and has it translated in one turn.
func TestAChangeAndATranslationOfOneTurnBothRun(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	const one, two = `{"fields":{"header":"Pictures"},"uid":41}`, `{"language":1,"table":"content","uid":41}`
	_, first := s.preview(t, s.Editor, updateElement, one)
	_, second := s.preview(t, s.Editor, translate, two)
	left, err := s.execute(t, s.Editor, updateElement, one, first)
	if err != nil || left.IsError {
		t.Fatalf("%+v %v", left, err)
	}
	result, err := s.execute(t, s.Editor, translate, two, second, left.Token)
	if err != nil || result.IsError {
		t.Fatalf("%+v %v", result, err)
	}
	again, err := s.execute(t, s.Editor, translate, two, second, left.Token, result.Token)
	if err != nil || !again.IsError || !strings.HasPrefix(again.Content, "There is a translation into language 1 already") {
		t.Errorf("%+v %v", again, err)
	}
}

func TestATranslationThatComesOutWrongIsTakenBack(t *testing.T) {
	t.Parallel()
	const args, overwrite = `{"language":1,"table":"content","uid":41}`, `{"language":1,"overwrite":true,"table":"content","uid":40}`
	for name, test := range map[string]struct {
		args string
		bend func(fields map[string]any)
		want string
	}{
		"visible":                  {args, func(f map[string]any) { f["hidden"] = int64(0) }, "The translation would have been visible. Nothing was written."},
		"visible, old one deleted": {overwrite, func(f map[string]any) { delete(f, "hidden") }, "The translation would have been visible. Nothing was written."},
		"without its header":       {args, func(f map[string]any) { delete(f, "header") }, "The translation would not have had the field header of the original. Nothing was written."},
		"in another column":        {args, func(f map[string]any) { f["column"] = int64(3) }, "The translation would not have had the field column of the original. Nothing was written."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, contenttest.Options{Hook: func(op content.Op, row content.Ref, old content.Record, fields map[string]any) {
				if row.Table == content.Elements && old.UID == 0 {
					test.bend(fields)
				}
			}})
			s.takenBack(t, s.Editor, translate, test.args, test.want)
		})
	}
}

func TestTranslatingNeedsEachRight(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	accordion(t, s)
	contenttest.Set(t, s.Repository, content.System(), content.Attach(content.Ref{Table: content.Elements, UID: contenttest.Intro}, "image", contenttest.Hall, nil))
	const noElement = "Content element not found or not permitted."
	s.matrix(t, s.Editor, translate, `{"language":1,"overwrite":true,"table":"content","uid":40}`, map[string]func(u *imprimatur.User){
		"an account":      func(u *imprimatur.User) { *u = imprimatur.User{} },
		"the page":        func(u *imprimatur.User) { u.Rights.Pages = nil },
		"the table":       func(u *imprimatur.User) { u.Rights.Modify = dropped(u.Rights.Modify, "content") },
		"the language":    func(u *imprimatur.User) { u.Rights.Languages = imprimatur.Set{"0"} },
		"the original's":  func(u *imprimatur.User) { u.Rights.Languages = imprimatur.Set{"1"} },
		"the type":        func(u *imprimatur.User) { u.Rights.Values = dropped(u.Rights.Values, "content.type.text") },
		"file references": func(u *imprimatur.User) { u.Rights.Modify = dropped(u.Rights.Modify, "file_references") },
	}, map[string]string{
		"an account": noElement, "the page": noElement, "the table": noElement, "the language": noElement, "the original's": noElement, "the type": noElement,
		"file references": "The user this run acts for may not create file_references, and some would be copied along with content element 40.",
	})
	const accordionArgs = `{"language":1,"table":"content","uid":300}`
	u := allFields(s, s.Editor)
	if got, want := s.refusal(t, u, translate, accordionArgs), "The user this run acts for may not create accordion_items, and some would be copied along with content element 300."; got != want {
		t.Errorf("%q", got)
	}
	u.Rights.Modify = append(u.Rights.Modify, "accordion_items")
	if lines, _ := s.preview(t, u, translate, accordionArgs); !has(lines, "Records that belong to it: 2, copied along") {
		t.Errorf("%s", text(lines))
	}
	result := s.approve(t, u, translate, accordionArgs)
	owned, err := s.Owned(t.Context(), content.Ref{Table: content.Elements, UID: result.Wrote.UID})
	if err != nil || len(owned) != 2 || owned[0].Language != 1 || owned[0].Origin != 310 {
		t.Errorf("%+v %v", owned, err)
	}
}

func TestDiscardingTheTranslationOfAPageNeedsTheRightToDelete(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	const args = `{"language":1,"overwrite":true,"table":"pages","uid":11}`
	if _, err := s.SetPageRights(t.Context(), contenttest.OpeningHours, false, content.PageRights{Group: "editing", GroupMay: content.BitShow | content.BitEdit | content.BitNew}); err != nil {
		t.Fatal(err)
	}
	if got, want := s.refusal(t, s.Editor, translate, args), "The user this run acts for may not discard the existing translation, page 90."; got != want {
		t.Errorf("%q", got)
	}
	s.approve(t, s.Admin, translate, args)
}

func TestADraftVersionKeepsTheTranslationItIsOf(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	contenttest.Set(t, s.Repository, content.System(), content.Change{
		Op: content.Create, Table: content.Elements, PID: contenttest.Visit, Workspace: 1, DraftOf: contenttest.IntroGerman, Fields: map[string]any{"header": "Secret plan"},
	})
	if got, want := s.refusal(t, s.Editor, translate, `{"language":1,"overwrite":true,"table":"content","uid":40}`),
		"Draft versions in workspaces would be discarded with content element 45: 1. Publish or discard them first."; got != want {
		t.Errorf("%q", got)
	}
}
