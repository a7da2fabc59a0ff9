package editorial_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
)

const createElement = "create_content_element_draft"

func TestAnElementIsCreatedHiddenAndAsItsCardSays(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	u := allFields(s, s.Editor)
	const args = `{"after_content_uid":42,"bodytext":"<p>Come at ten.</p>","fields":{"header_layout":"2","subheader":"Daily","date":"2026-03-14T11:30:00+02:00"},"header":"Tours","page":10,"type":"text"}`
	lines, _ := s.preview(t, u, createElement, args)
	for _, want := range []string{"Date: “2026-03-14 09:30:00 UTC”", "Header type: “Level 2”", "column “Left”, directly after (empty)"} {
		if !has(lines, want) {
			t.Errorf("no %q in\n%s", want, text(lines))
		}
	}
	result := s.approve(t, u, createElement, args)
	rec := s.element(t, result.Wrote.UID)
	got := map[string]any{}
	for _, name := range []string{"type", "column", "header", "bodytext", "subheader", "header_layout", "date", "hidden"} {
		got[name] = rec.Fields[name]
	}
	want := map[string]any{
		"type": "text", "column": int64(1), "header": "Tours", "bodytext": "<p>Come at ten.</p>", "subheader": "Daily",
		"header_layout": "2", "date": int64(1773480600), "hidden": int64(1),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if rec.PID != contenttest.Visit || rec.Language != 0 || rec.Origin != 0 {
		t.Errorf("it lies elsewhere: %+v", rec)
	}
	if after, first, err := s.Place(t.Context(), rec); err != nil || first || after.UID != contenttest.Picture {
		t.Errorf("behind %d, first %v, %v", after.UID, first, err)
	}
	wrote := &imprimatur.Written{Table: content.Elements, UID: rec.UID, Kind: "created", Complete: true}
	if diff := cmp.Diff(wrote, result.Wrote); diff != "" {
		t.Error(diff)
	}
	if want := fmt.Sprintf("Created content element %d “Tours” on page 10 “Visit”, in column 1, hidden.", rec.UID); !strings.HasPrefix(result.Content, want) {
		t.Errorf("the model reads %q", result.Content)
	}
}

func TestAnElementComesFirstInColumnZeroUnlessTheCallSaysMore(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	for args, column := range map[string]int64{
		`{"header":"A","page":10,"type":"text"}`:                                   0,
		`{"column":1,"header":"B","page":10,"type":"text"}`:                        1,
		`{"after_content_uid":43,"header":"C","page":10,"type":"text"}`:            100,
		`{"after_content_uid":43,"column":0,"header":"D","page":10,"type":"text"}`: 0,
	} {
		rec := s.element(t, s.approve(t, s.Editor, createElement, args).Wrote.UID)
		if rec.Int(content.ColumnPosition) != column {
			t.Errorf("%s: column %d", args, rec.Int(content.ColumnPosition))
		}
		_, first, err := s.Place(t.Context(), rec)
		if wantFirst := !strings.Contains(args, "after"); err != nil || wantFirst && !first {
			t.Errorf("%s: first %v, %v", args, first, err)
		}
	}
}

// Proves tools 107.
func TestOnlyEditorialTypesAreCreated(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	u := allFields(s, s.Editor)
	for _, kind := range []string{"html", "list", "shortcut", "menu_pages", "menu_sitemap", "felogin_login", "form_formframework", "thirdparty_map", "ht<b>ml"} {
		got := s.refusal(t, u, createElement, fmt.Sprintf(`{"header":"X","page":10,"type":%q}`, kind))
		want := fmt.Sprintf("Content elements of the type %q are not created with this tool. Types: header, text,", strings.NewReplacer("<", "", ">", "").Replace(kind))
		if !strings.HasPrefix(got, want) || !strings.Contains(got, "textmedia") || !strings.Contains(got, "bullets") || strings.Contains(got, " html") {
			t.Errorf("%s: %q", kind, got)
		}
	}
	for _, kind := range []string{"header", "text", "textmedia", "bullets"} {
		s.approve(t, u, createElement, fmt.Sprintf(`{"header":"X","page":10,"type":%q}`, kind))
	}
}

func TestWhatIsWrongWithANewElementIsRefusedWhole(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	u := allFields(s, s.Editor)
	const ok = `"header":"X","page":10,"type":"textmedia"`
	for args, want := range map[string]string{
		`{"header":"","page":10,"type":"text"}`:                                               `The argument "header" must not be empty.`,
		`{"header":" ","page":10,"type":"text"}`:                                              `The argument "header" must not be empty.`,
		`{"header":"a\tb","page":10,"type":"text"}`:                                           `The field "header" must be a single line, without tabs.`,
		`{"header":"` + strings.Repeat("ä", 256) + `","page":10,"type":"text"}`:               `The argument "header" has 256 characters; at most 255 are allowed.`,
		`{"bodytext":"` + strings.Repeat("ä", 20001) + `",` + ok + `}`:                        `The argument "bodytext" has 20001 characters; at most 20000 are allowed.`,
		`{"column":-1,` + ok + `}`:                                                            `The argument "column" must be at least 0.`,
		`{"language":-1,` + ok + `}`:                                                          `The argument "language" must be at least 0.`,
		`{"page":10,"type":"text"}`:                                                           `Missing argument "header".`,
		`{"colPos":1,` + ok + `}`:                                                             `Unknown argument "colPos". Allowed: after_content_uid, bodytext, column, fields, header, language, page, type.`,
		`{"after_content_uid":46,` + ok + `}`:                                                 `There is no content element 46 on page 10.`,
		`{"after_content_uid":999,` + ok + `}`:                                                `There is no content element 999 on page 10.`,
		`{"after_content_uid":45,` + ok + `}`:                                                 `Content element 45 is in another language; name one in the same language as after_content_uid.`,
		`{"bodytext":"x","header":"X","page":10,"type":"header"}`:                             `The field "bodytext" is not offered here. Offered: date, header, header_layout, header_position, subheader.`,
		`{"fields":{"header":"Y"},` + ok + `}`:                                                `The field "header" has an argument of its own; give it there.`,
		`{"fields":{"hidden":false},` + ok + `}`:                                              `The field "hidden" cannot be set here: what is created is hidden, and publish_record makes it visible.`,
		`{"fields":{"starttime":1},` + ok + `}`:                                               `The field "starttime" is not offered here. Offered: bodytext, date, header, header_layout, header_position, image_zoom, imagecols, imageorient, subheader.`,
		`{"fields":{"no\u0000<i>ne":1},` + ok + `}`:                                           `The field "noine" is not offered here. Offered: bodytext, date, header, header_layout, header_position, image_zoom, imagecols, imageorient, subheader.`,
		`{"fields":{"image_zoom":"true"},` + ok + `}`:                                         `The field "image_zoom" must be true or false, not text.`,
		`{"fields":{"image_zoom":1},` + ok + `}`:                                              `The field "image_zoom" must be true or false, not a number.`,
		`{"fields":{"subheader":null},` + ok + `}`:                                            `The field "subheader" must be text, not null.`,
		`{"fields":{"subheader":["x"]},` + ok + `}`:                                           `The field "subheader" must be text, not a list.`,
		`{"fields":{"subheader":{}},` + ok + `}`:                                              `The field "subheader" must be text, not an object.`,
		`{"fields":{"subheader":"a\u0000"},` + ok + `}`:                                       `The field "subheader" holds a character that cannot be stored.`,
		`{"fields":{"subheader":"` + strings.Repeat("x", 256) + `"},` + ok + `}`:              `The field "subheader" has 256 characters; at most 255 are allowed.`,
		`{"fields":{"imagecols":"2"},` + ok + `}`:                                             `The field "imagecols" must be a number, not text.`,
		`{"fields":{"imagecols":1e3},` + ok + `}`:                                             `The field "imagecols" cannot take this value: the value is not a whole number.`,
		`{"fields":{"imagecols":-0},` + ok + `}`:                                              `The field "imagecols" cannot take this value: it would be stored as "0".`,
		`{"fields":{"header_position":"middle"},` + ok + `}`:                                  `The field "header_position" must be one of "", "left", "center", "right".`,
		`{"fields":{"date":"14.03.2026"},` + ok + `}`:                                         `The field "date" must be a date and time such as "2026-03-14T09:30:00Z".`,
		`{"fields":{"date":"2026-03-14T09:30:00.5Z"},` + ok + `}`:                             `The field "date" cannot take fractions of a second.`,
		`{"fields":{"date":"1969-03-14T09:30:00Z"},` + ok + `}`:                               `The field "date" cannot take a time before 1970.`,
		`{"fields":{"date":true},` + ok + `}`:                                                 `The field "date" must be a date and time such as "2026-03-14T09:30:00Z", not true or false.`,
		`{"fields":"subheader",` + ok + `}`:                                                   `The argument "fields" must be an object, not text.`,
		`{"fields":{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":1},` + ok + `}`: `The argument "fields" has 10 entries; at most 9 are allowed.`,
	} {
		if got := s.refusal(t, u, createElement, args); got != want {
			t.Errorf("%.200s:\n%q, want\n%q", args, got, want)
		}
	}
	if got, want := s.refusal(t, s.Admin, createElement, `{"header":"X","language":7,"page":10,"type":"text"}`), "There is no language 7."; got != want {
		t.Errorf("%q", got)
	}
	if got, want := s.refusal(t, s.Editor, createElement, `{"header":"X","page":90,"type":"text"}`), "Page 90 is a translation of page 11. Content lies on the page in the default language: name page 11."; got != want {
		t.Errorf("%q", got)
	}
}

func TestContentThatConsistsOfTranslationsTakesNoElementOfItsOwn(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	if got, want := s.refusal(t, s.Editor, createElement, `{"header":"X","language":1,"page":10,"type":"text"}`),
		"The content of page 10 in language 1 consists of translations. Create the element in the default language and translate it with create_translation_draft."; got != want {
		t.Errorf("%q", got)
	}
	rec := s.element(t, s.approve(t, s.German, createElement, `{"header":"X","language":1,"page":12,"type":"text"}`).Wrote.UID)
	if rec.Language != 1 || rec.Origin != 0 {
		t.Errorf("language %d, origin %d", rec.Language, rec.Origin)
	}
}

func TestCreatingAnElementNeedsEachRight(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	const noPage = "Page not found or not permitted."
	s.matrix(t, s.Editor, createElement, `{"fields":{"subheader":"Daily"},"header":"X","page":10,"type":"text"}`, map[string]func(u *imprimatur.User){
		"an account":    func(u *imprimatur.User) { *u = imprimatur.User{} },
		"being enabled": func(u *imprimatur.User) { u.Enabled = false },
		"the page":      func(u *imprimatur.User) { u.Rights.Pages = nil },
		"the page bits": func(u *imprimatur.User) { u.Groups = nil },
		"pages": func(u *imprimatur.User) {
			u.Rights.Select, u.Rights.Modify = dropped(u.Rights.Select, "pages"), dropped(u.Rights.Modify, "pages")
		},
		"the table":    func(u *imprimatur.User) { u.Rights.Modify = dropped(u.Rights.Modify, "content") },
		"the language": func(u *imprimatur.User) { u.Rights.Languages = imprimatur.Set{"1"} },
		"the type":     func(u *imprimatur.User) { u.Rights.Values = dropped(u.Rights.Values, "content.type.text") },
		"a field":      func(u *imprimatur.User) { u.Rights.Fields = dropped(u.Rights.Fields, "content.subheader") },
		"hiding":       func(u *imprimatur.User) { u.Rights.Fields = dropped(u.Rights.Fields, "content.hidden") },
	}, map[string]string{
		"an account": noPage, "being enabled": noPage, "the page": noPage, "the page bits": noPage, "pages": noPage, "the table": noPage, "the language": noPage,
		"the type": `The user this run acts for may not use this value of the field "type". Nothing was written.`,
		"a field":  "The user this run acts for may not change subheader of content. Nothing was written.",
		"hiding":   "The user this run acts for may not change hidden of content. Nothing was written.",
	})
	for _, page := range []int64{20, 30, 40, 999} {
		if got := s.refusal(t, s.Editor, createElement, fmt.Sprintf(`{"header":"X","page":%d,"type":"text"}`, page)); got != noPage {
			t.Errorf("page %d: %q", page, got)
		}
	}
}

func TestAnElementLikeTheNewOneIsMentionedAndChangesThePicture(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	const args = `{"header":"Tours","page":10,"type":"text"}`
	shown, token := s.preview(t, s.Editor, createElement, args)
	if has(shown, "Important") {
		t.Errorf("a warning without reason:\n%s", text(shown))
	}
	contenttest.Set(t, s.Repository, content.System(), content.Change{
		Op: content.Create, Table: content.Elements, PID: contenttest.Visit, Fields: map[string]any{"type": "text", "header": "Tours", "hidden": 1},
	})
	if result, err := s.execute(t, s.Editor, createElement, args, token); !errors.Is(err, imprimatur.ErrMoved) {
		t.Errorf("%+v %v", result, err)
	}
	now, _ := s.preview(t, s.Editor, createElement, args)
	if !has(now, "Important: the page already has a hidden element of this type with this header.") {
		t.Errorf("no warning:\n%s", text(now))
	}
	contenttest.Set(t, s.Repository, content.System(), content.Change{
		Op: content.Create, Table: content.Elements, PID: contenttest.Visit, After: content.Last, Fields: map[string]any{"type": "text", "header": "Tours"},
	})
	if now, _ := s.preview(t, s.Editor, createElement, args); !has(now, "Important: the page already has an element of this type with this header.") {
		t.Errorf("the visible one is not named first:\n%s", text(now))
	}
}

// Two elements with one header in one turn: the second meets the first, which
// is the turn's own doing.
func TestTwoElementsOfOneTurnAreBothCreated(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	const args = `{"header":"Tours","page":10,"type":"text"}`
	_, one := s.preview(t, s.Editor, createElement, args)
	_, two := s.preview(t, s.Editor, createElement, args)
	first, err := s.execute(t, s.Editor, createElement, args, one)
	if err != nil || first.IsError {
		t.Fatalf("%+v %v", first, err)
	}
	if second, err := s.execute(t, s.Editor, createElement, args, two); !errors.Is(err, imprimatur.ErrMoved) {
		t.Errorf("as if it were somebody else's: %+v %v", second, err)
	}
	second, err := s.execute(t, s.Editor, createElement, args, two, first.Token)
	if err != nil || second.IsError {
		t.Errorf("%+v %v", second, err)
	}
}

func TestWhatIsNotShownStopsNoCreation(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	const args = `{"after_content_uid":41,"header":"Tours","page":10,"type":"text"}`
	_, token := s.preview(t, s.Editor, createElement, args)
	s.change(t, content.Pages, contenttest.Visit, map[string]any{"subtitle": "Not on the card"})
	s.change(t, content.Elements, contenttest.Gallery, map[string]any{"subheader": "Not on the card"})
	if result, err := s.execute(t, s.Editor, createElement, args, token); err != nil || result.IsError {
		t.Errorf("%+v %v", result, err)
	}
}

func TestADisplayedNameThatChangesStopsTheCreation(t *testing.T) {
	t.Parallel()
	const args = `{"after_content_uid":41,"header":"Tours","page":10,"type":"text"}`
	for name, meanwhile := range map[string]func(t *testing.T, s *stage){
		"page": func(t *testing.T, s *stage) {
			s.change(t, content.Pages, contenttest.Visit, map[string]any{"title": "Come"})
		},
		"anchor": func(t *testing.T, s *stage) {
			s.change(t, content.Elements, contenttest.Gallery, map[string]any{"header": "Pictures"})
		},
		"column": func(t *testing.T, s *stage) {
			s.change(t, content.Elements, contenttest.Gallery, map[string]any{"column": 1})
		},
		"anchor gone": func(t *testing.T, s *stage) {
			contenttest.Set(t, s.Repository, content.System(), content.Change{Op: content.Delete, Table: content.Elements, UID: contenttest.Gallery})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, contenttest.Options{})
			_, token := s.preview(t, s.Editor, createElement, args)
			meanwhile(t, s)
			before := s.stored(t)
			if result, err := s.execute(t, s.Editor, createElement, args, token); !errors.Is(err, imprimatur.ErrMoved) {
				t.Errorf("%+v %v", result, err)
			}
			if diff := cmp.Diff(before, s.stored(t)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAnElementDraftThatComesOutWrongIsTakenBack(t *testing.T) {
	t.Parallel()
	const args = `{"bodytext":"<p>x</p>","header":"Tours","page":10,"type":"text"}`
	for name, test := range map[string]struct {
		bend func(fields map[string]any)
		want string
	}{
		"visible":      {func(f map[string]any) { f["hidden"] = int64(0) }, "The content element would have been visible. Nothing was written."},
		"a lost field": {func(f map[string]any) { delete(f, "bodytext") }, "The repository would not have taken bodytext of the content element as given. Nothing was written."},
		"a field that nobody gave": {
			func(f map[string]any) { f["subheader"] = "Ad" },
			"The repository would not have taken subheader of the content element as given. Nothing was written.",
		},
		"another type":   {func(f map[string]any) { f["type"] = "html" }, "The repository would not have taken type of the content element as given. Nothing was written."},
		"another column": {func(f map[string]any) { f["column"] = int64(2) }, "The repository would not have taken column of the content element as given. Nothing was written."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, contenttest.Options{Hook: func(op content.Op, row content.Ref, _ content.Record, fields map[string]any) {
				if op == content.Create && row.Table == content.Elements {
					test.bend(fields)
				}
			}})
			s.takenBack(t, s.Editor, createElement, args, test.want)
		})
	}
}

func TestTheFormOfThePageHoldsForNewElements(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	u := allFields(s, s.Editor)
	s.configure(t, contenttest.Museum, `{"content":{"subheader":{"hidden":true},"date":{"read_only":true},"header_layout":{"remove":["1"]},"type":{"remove":["text"]}}}`)
	for args, want := range map[string]string{
		`{"fields":{"subheader":"x"},"header":"X","page":10,"type":"header"}`:     `The field "subheader" is not offered here. Offered: header, header_layout, header_position.`,
		`{"fields":{"date":1},"header":"X","page":10,"type":"header"}`:            `The field "date" is not offered here. Offered: header, header_layout, header_position.`,
		`{"fields":{"header_layout":"1"},"header":"X","page":10,"type":"header"}`: `The field "header_layout" must be one of "0", "2", "3", "4", "5", "100".`,
	} {
		if got := s.refusal(t, u, createElement, args); got != want {
			t.Errorf("%s:\n%q, want\n%q", args, got, want)
		}
	}
	if got := s.refusal(t, u, createElement, `{"header":"X","page":10,"type":"text"}`); !strings.HasPrefix(got, `Content elements of the type "text" are not created with this tool.`) {
		t.Errorf("%q", got)
	}
}

func TestAFieldThatTheElementWillNotShowIsRefused(t *testing.T) {
	t.Parallel()
	s := withElement(t,
		content.Column{Name: "with_map", Type: content.TypeCheck},
		content.Column{Name: "map_title", Type: content.TypeInput, Required: true, When: &content.Condition{Column: "with_map", Values: []string{"1"}}})
	u := allFields(s, s.Editor)
	for args, want := range map[string]string{
		`{"fields":{"map_title":"x"},"header":"X","page":10,"type":"report"}`:                  `The field "map_title" does not apply: it is there only where the field "with_map" is one of "1".`,
		`{"fields":{"map_title":"x","with_map":false},"header":"X","page":10,"type":"report"}`: `The field "map_title" does not apply: it is there only where the field "with_map" is one of "1".`,
		`{"fields":{"with_map":true},"header":"X","page":10,"type":"report"}`:                  `The field "map_title" is required.`,
		`{"fields":{"map_title":" ","with_map":true},"header":"X","page":10,"type":"report"}`:  `The field "map_title" must not be empty.`,
	} {
		if got := s.refusal(t, u, createElement, args); got != want {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
	lines, _ := s.preview(t, u, createElement, `{"fields":{"map_title":"x","with_map":true},"header":"X","page":10,"type":"report"}`)
	if !has(lines, "with_map: yes") || !has(lines, "map_title: “x”") {
		t.Errorf("%s", text(lines))
	}
}

func TestNineLongFieldsFitOnOneCard(t *testing.T) {
	t.Parallel()
	s := withElement(t)
	u := allFields(s, s.Editor)
	args := fmt.Sprintf(`{"after_content_uid":41,"fields":%s,"header":%q,"page":10,"type":"report"}`, paragraphs(9, 5000), strings.Repeat("Ü", 255))
	contenttest.Set(t, s.Repository, content.System(), content.Change{
		Op: content.Create, Table: content.Elements, PID: contenttest.Visit, Fields: map[string]any{"type": "report", "header": strings.Repeat("Ü", 255)},
	})
	for _, lang := range []string{"en", "de"} {
		u.Lang = lang
		lines, _ := s.preview(t, u, createElement, args)
		shape(t, lines)
		if !slices.ContainsFunc(lines, func(l imprimatur.Line) bool { return l.Role == imprimatur.RoleWarning }) {
			t.Errorf("no warning:\n%s", text(lines))
		}
	}
	s.approve(t, u, createElement, args)
}
