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

const updateElement = "update_content_element"

func TestAnElementIsChangedAsItsCardSays(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	u := allFields(s, s.Editor)
	const args = `{"fields":{"bodytext":"<p>Come at ten.</p>","date":0,"header":"Welcome","header_layout":"2","subheader":"Daily"},"uid":40}`
	lines, _ := s.preview(t, u, updateElement, args)
	for _, want := range []string{
		"Content element: “Welcome”", "Content type: “Text”", "Location: on page “Visit”", "Language: default language",
		"Header: unchanged, “Welcome”", "Header type: currently (empty), proposed “Level 2”", "Date: unchanged, (empty)",
		"Subheader: currently (empty), proposed “Daily”",
	} {
		if !has(lines, strings.ReplaceAll(want, "Content type: “Text”", "Content type: Text")) {
			t.Errorf("no %q in\n%s", want, text(lines))
		}
	}
	before := s.element(t, contenttest.Intro)
	result := s.approve(t, u, updateElement, args)
	now := s.element(t, contenttest.Intro)
	if now.Text("bodytext") != "<p>Come at ten.</p>" || now.Text("subheader") != "Daily" || now.Text("header_layout") != "2" || now.Fields["date"] != before.Fields["date"] {
		t.Errorf("%v", now.Fields)
	}
	want := imprimatur.Result{
		Wrote:   &imprimatur.Written{Table: content.Elements, UID: contenttest.Intro, Kind: "updated", Complete: true},
		Content: "Changed bodytext, header_layout and subheader of content element 40 “Welcome”. It shows wherever the element does; nothing else is needed.",
		Token:   result.Token,
	}
	if diff := cmp.Diff(want, result); diff != "" {
		t.Error(diff)
	}
}

// Proves tools 72.
func TestValuesThatAreThereAlreadyAreNotWritten(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	u := allFields(s, s.German)
	const args = `{"fields":{"header":"Welcome","header_layout":"2"},"uid":40}`
	s.change(t, content.Elements, contenttest.Intro, map[string]any{"header_layout": "2"})
	lines, token := s.preview(t, u, updateElement, args)
	if !has(lines, "Art der Überschrift: unverändert, „Ebene 2“") {
		t.Errorf("%s", text(lines))
	}
	before := s.stored(t)
	result, err := s.execute(t, u, updateElement, args, token)
	if err != nil || result.IsError || result.Wrote != nil || result.Content != "Nothing to change: content element 40 “Welcome” has these values already." {
		t.Errorf("%+v %v", result, err)
	}
	if diff := cmp.Diff(before, s.stored(t)); diff != "" {
		t.Error(diff)
	}
}

// Proves tools 79.
func TestALongTextShowsWhereItChanges(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	beginning, end := strings.Repeat("a", 180), strings.Repeat("z", 180)
	s.change(t, content.Elements, contenttest.Intro, map[string]any{"bodytext": beginning + end})
	lines, _ := s.preview(t, s.Editor, updateElement, fmt.Sprintf(`{"fields":{"bodytext":"%s<b>new</b>%s"},"uid":40}`, beginning, end))
	if !has(lines, "Text: changed from character 181 on, currently (nothing), proposed “<b>new</b>”") {
		t.Errorf("%s", text(lines))
	}
	if last := lines[len(lines)-1].Text; !strings.Contains(last, "bodytext currently 360 characters, sha256:") || !strings.Contains(last, "proposed 370 characters, sha256:") {
		t.Errorf("%q", last)
	}
}

// Proves tools 70, 73, 74.
func TestChoicesReadByTheirNamesAndFieldsByTheirs(t *testing.T) {
	t.Parallel()
	s := withElement(t,
		content.Column{Name: "ratio", Label: content.ParseLabel("16:9"), Type: content.TypeSelect, Items: []content.Item{
			{Value: "wide", Label: content.ParseLabel("10:30")},
			{Value: "narrow", Label: content.Literal("Narrow")},
			{Value: "tall", Label: content.Literal("Narrow")},
			{Value: "old"},
		}},
		content.Column{Name: "lost", Label: content.ParseLabel("label:nowhere"), Type: content.TypeNumber},
	)
	u := allFields(s, s.Editor)
	contenttest.Set(t, s.Repository, content.System(), content.Change{
		Op: content.Create, Table: content.Elements, UID: 300, PID: contenttest.Visit,
		Fields: map[string]any{"type": "report", "header": "R", "ratio": "narrow", "lost": 3},
	})
	for args, want := range map[string][]string{
		`{"fields":{"ratio":"wide","lost":4.5},"uid":300}`: {"16:9: currently “Narrow”, proposed “10:30”", "lost: currently “3”, proposed “4.5”"},
		`{"fields":{"ratio":"tall"},"uid":300}`:            {"16:9: currently “Narrow” (narrow), proposed “Narrow” (tall)"},
		`{"fields":{"ratio":"old"},"uid":300}`:             {"16:9: currently “Narrow”, proposed “old”"},
		`{"fields":{"ratio":"narrow"},"uid":300}`:          {"16:9: unchanged, “Narrow”"},
	} {
		lines, _ := s.preview(t, u, updateElement, args)
		for _, line := range want {
			if !has(lines, line) {
				t.Errorf("%s: no %q in\n%s", args, line, text(lines))
			}
		}
	}
	lines, _ := s.preview(t, u, createElement, `{"fields":{"ratio":"tall"},"header":"New","page":10,"type":"report"}`)
	if !has(lines, "16:9: “Narrow” (tall)") {
		t.Errorf("%s", text(lines))
	}
}

// Proves tools 107.
func TestWhatIsWrongWithAChangeOfAnElementIsRefusedWhole(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	u := allFields(s, s.Editor)
	contenttest.Set(t, s.Repository, content.System(),
		content.Change{Op: content.Create, Table: content.Elements, UID: 300, PID: contenttest.Visit, Fields: map[string]any{"type": "html", "header": "Widget"}},
		content.Change{Op: content.Create, Table: content.Elements, UID: 301, PID: contenttest.Visit, Fields: map[string]any{"type": "textmedia", "header": "Media"}},
		content.Change{Op: content.Create, Table: content.Elements, UID: 302, PID: contenttest.Visit, Language: 1, Origin: 301, Fields: map[string]any{"type": "textmedia", "header": "Medien"}})
	const offered = "Offered: bodytext, date, header, header_layout, header_position, subheader."
	for args, want := range map[string]string{
		`{"fields":{"bodytext":"x"},"uid":300}`:                   `Content elements of the type "html" are not changed with this tool.`,
		`{"fields":{"imagecols":2},"uid":302}`:                    `A translation takes the field "imagecols" from the default language: change content element 301 instead.`,
		`{"fields":{},"uid":40}`:                                  `The argument "fields" has 0 entries; at least 1 are needed.`,
		`{"uid":40}`:                                              `Missing argument "fields".`,
		`{"fields":{"hidden":true},"uid":40}`:                     `The field "hidden" cannot be set here: what is created is hidden, and publish_record makes it visible.`,
		`{"fields":{"type":"header"},"uid":40}`:                   `The field "type" is not offered here. ` + offered,
		`{"fields":{"column":1},"uid":40}`:                        `The field "column" is not offered here. ` + offered,
		`{"fields":{"image":1},"uid":40}`:                         `The field "image" is not offered here. ` + offered,
		`{"fields":{"header_link":"t3://page?uid=1"},"uid":40}`:   `The field "header_link" is not offered here. ` + offered,
		`{"fields":{"fe_group":"1"},"uid":40}`:                    `The field "fe_group" is not offered here. ` + offered,
		`{"fields":{"language":1},"uid":40}`:                      `The field "language" is not offered here. ` + offered,
		`{"fields":{"header_layout":"9"},"uid":40}`:               `The field "header_layout" must be one of "0", "1", "2", "3", "4", "5", "100".`,
		`{"fields":{"header":"fine","header_layout":2},"uid":40}`: `The field "header_layout" must be text, not a number.`,
		`{"fields":{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":1,"k":1,"l":1,"m":1},"uid":40}`: `The argument "fields" has 13 entries; at most 12 are allowed.`,
		`{"fields":{"header":"x"},"hidden":true,"uid":40}`:                                                    `Unknown argument "hidden". Allowed: fields, uid.`,
		`{"fields":{"header":"x"},"uid":"40"}`:                                                                `The argument "uid" must be a whole number, not text.`,
		`{"fields":{"header":"x"},"uid":46}`:                                                                  `Content element not found or not permitted.`,
		`{"fields":{"header":"x"},"uid":47}`:                                                                  `Content element not found or not permitted.`,
		`{"fields":{"header":"x"},"uid":999}`:                                                                 `Content element not found or not permitted.`,
	} {
		if got := s.refusal(t, u, updateElement, args); got != want {
			t.Errorf("%s:\n%q, want\n%q", args, got, want)
		}
	}
	s.approve(t, u, updateElement, `{"fields":{"header":"Bilder"},"uid":302}`)
}

func TestChangingAnElementNeedsEachRight(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	const neutral = "Content element not found or not permitted."
	s.matrix(t, s.Editor, updateElement, `{"fields":{"subheader":"Daily"},"uid":40}`, map[string]func(u *imprimatur.User){
		"an account":    func(u *imprimatur.User) { *u = imprimatur.User{} },
		"being enabled": func(u *imprimatur.User) { u.Enabled = false },
		"the page":      func(u *imprimatur.User) { u.Rights.Pages = nil },
		"the page bits": func(u *imprimatur.User) { u.Groups = nil },
		"the table":     func(u *imprimatur.User) { u.Rights.Modify = dropped(u.Rights.Modify, "content") },
		"the language":  func(u *imprimatur.User) { u.Rights.Languages = imprimatur.Set{"1"} },
		"the type":      func(u *imprimatur.User) { u.Rights.Values = dropped(u.Rights.Values, "content.type.text") },
		"a field":       func(u *imprimatur.User) { u.Rights.Fields = dropped(u.Rights.Fields, "content.subheader") },
	}, map[string]string{
		"an account": neutral, "being enabled": neutral, "the page": neutral, "the page bits": neutral, "the table": neutral, "the language": neutral, "the type": neutral,
		"a field": "The user this run acts for may not change subheader of content. Nothing was written.",
	})
}

func TestTheFormOfThePageHoldsForChanges(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	u := allFields(s, s.Editor)
	const args = `{"fields":{"subheader":"Daily"},"uid":40}`
	_, token := s.preview(t, u, updateElement, args)
	s.configure(t, contenttest.Visit, `{"content":{"subheader":{"read_only":true},"header_layout":{"remove":["2"]}}}`)
	if result, err := s.execute(t, u, updateElement, args, token); !errors.Is(err, imprimatur.ErrMoved) {
		t.Errorf("%+v %v", result, err)
	}
	for args, want := range map[string]string{
		args: `The field "subheader" is not offered here. Offered: bodytext, date, header, header_layout, header_position.`,
		`{"fields":{"header_layout":"2"},"uid":40}`: `The field "header_layout" must be one of "0", "1", "3", "4", "5", "100".`,
	} {
		if got := s.refusal(t, u, updateElement, args); got != want {
			t.Errorf("%s: %q", args, got)
		}
	}
}

func TestWhatIsShownOfAnElementMustHold(t *testing.T) {
	t.Parallel()
	const args = `{"fields":{"subheader":"Daily"},"uid":40}`
	for name, test := range map[string]struct {
		meanwhile func(t *testing.T, s *stage)
		moved     bool
	}{
		"the value": {func(t *testing.T, s *stage) {
			s.change(t, content.Elements, contenttest.Intro, map[string]any{"subheader": "Weekly"})
		}, true},
		"the header": {func(t *testing.T, s *stage) {
			s.change(t, content.Elements, contenttest.Intro, map[string]any{"header": "Hello"})
		}, true},
		"the page": {func(t *testing.T, s *stage) {
			s.change(t, content.Pages, contenttest.Visit, map[string]any{"title": "Come"})
		}, true},
		"the text": {func(t *testing.T, s *stage) {
			s.change(t, content.Elements, contenttest.Intro, map[string]any{"bodytext": "x"})
		}, false},
		"the visibility": {func(t *testing.T, s *stage) {
			s.change(t, content.Elements, contenttest.Intro, map[string]any{"hidden": 1})
		}, false},
		"another element": {func(t *testing.T, s *stage) {
			s.change(t, content.Elements, contenttest.Gallery, map[string]any{"header": "x"})
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			holds(t, updateElement, args, test.meanwhile, test.moved)
		})
	}
}

// The second of two calls of one turn shows what the first left behind.
func TestTwoChangesOfOneTurnBothRun(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	const one, two = `{"fields":{"header":"Hello"},"uid":40}`, `{"fields":{"subheader":"Daily"},"uid":40}`
	_, first := s.preview(t, s.Editor, updateElement, one)
	_, second := s.preview(t, s.Editor, updateElement, two)
	left, err := s.execute(t, s.Editor, updateElement, one, first)
	if err != nil || left.IsError {
		t.Fatalf("%+v %v", left, err)
	}
	if result, err := s.execute(t, s.Editor, updateElement, two, second, left.Token); err != nil || result.IsError {
		t.Errorf("%+v %v", result, err)
	}
	if rec := s.element(t, contenttest.Intro); rec.Text("header") != "Hello" || rec.Text("subheader") != "Daily" {
		t.Errorf("%v", rec.Fields)
	}
}

func TestAChangeThatTookInPartStaysAndNamesBothHalves(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{Hook: func(op content.Op, row content.Ref, old content.Record, fields map[string]any) {
		if op == content.Update && row.Table == content.Elements {
			fields["subheader"] = old.Fields["subheader"]
		}
	}})
	const both, one = `{"fields":{"header":"Hello","subheader":"Daily"},"uid":40}`, `{"fields":{"subheader":"Daily"},"uid":40}`
	s.takenBack(t, s.Editor, updateElement, one, "The repository did not take subheader of content element 40 “Welcome”. Nothing was written.")
	_, token := s.preview(t, s.Editor, updateElement, both)
	result, err := s.execute(t, s.Editor, updateElement, both, token)
	wrote := &imprimatur.Written{Table: content.Elements, UID: contenttest.Intro, Kind: "updated"}
	if err != nil || !cmp.Equal(wrote, result.Wrote) ||
		!strings.Contains(result.Content, "In part: header of content element 40 “Welcome” changed, but the repository did not take subheader.") {
		t.Errorf("%+v %v", result, err)
	}
	if got := s.element(t, contenttest.Intro).Text("header"); got != "Hello" {
		t.Errorf("header %q", got)
	}
}

// Twelve fields are shown whatever their texts; where the card could not bind
// all of them the call is refused.
func TestTwelveFieldsFitOnOneCardOrAreRefused(t *testing.T) {
	t.Parallel()
	s := withElement(t)
	u := allFields(s, s.Editor)
	contenttest.Set(t, s.Repository, content.System(), content.Change{
		Op: content.Create, Table: content.Elements, UID: 300, PID: contenttest.Visit, Fields: map[string]any{"type": "report", "header": strings.Repeat("Ü", 255)},
	})
	for _, lang := range []string{"en", "de"} {
		u.Lang = lang
		lines, _ := s.preview(t, u, updateElement, fmt.Sprintf(`{"fields":%s,"uid":300}`, paragraphs(12, 120)))
		shape(t, lines)
		for n := range 12 {
			args := fmt.Sprintf(`{"fields":%s,"uid":300}`, paragraphs(n+1, 20000))
			lines, _ := s.preview(t, u, updateElement, args)
			if n+1 <= 7 || lines[0].Role != imprimatur.RoleRefusal {
				shape(t, lines)
				continue
			}
			if got := s.refusal(t, u, updateElement, args); got != "One card cannot show all of these changes: change fewer long texts in one call." {
				t.Errorf("%d texts: %q", n+1, got)
			}
		}
	}
}

// A language pack that brings another label is a change of what was shown: the
// card comes back once, and then holds.
//
// Proves tools 50.
func TestALabelOfTheSchemaThatChangesBringsTheCardBackOnce(t *testing.T) {
	t.Parallel()
	s := withElement(t)
	const args = `{"fields":{"header":"Hello"},"uid":40}`
	before, approved := s.preview(t, s.German, updateElement, args)
	schema := contenttest.Schema(t)
	table, _ := schema.Table(content.Elements)
	for i, c := range table.Columns {
		if c.Name == "header" {
			table.Columns[i].Label = content.Literal("Schlagzeile")
		}
	}
	renamed := with(t, s.Site, reopened(t, s, schema))
	now, current := renamed.preview(t, s.German, updateElement, args)
	if imprimatur.Compare(&imprimatur.Preview{Lines: before}, imprimatur.Preview{Lines: now}) != imprimatur.Changed || !has(now, "Schlagzeile: derzeit „Welcome“") {
		t.Errorf("another label gives the same picture:\n%s", text(now))
	}
	if result, err := renamed.execute(t, s.German, updateElement, args, approved); !errors.Is(err, imprimatur.ErrMoved) {
		t.Errorf("the picture with the old label was written: %+v %v", result, err)
	}
	if result, err := renamed.execute(t, s.German, updateElement, args, current); err != nil || result.IsError {
		t.Errorf("the picture with the new label: %+v %v", result, err)
	}
}
