package editorial_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
)

const createPage = "create_page_draft"

// Proves tools 85.
func TestAPageDraftIsCreatedHiddenAndFirst(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	const args = `{"parent":10,"title":"Groups & Tours"}`
	lines, _ := s.preview(t, s.Editor, createPage, args)
	for _, want := range []string{"URL path: “/visit/groups-tours”", "Position: first among the subpages", "Language: default language", "Visibility: hidden at first"} {
		if !has(lines, want) {
			t.Errorf("no line %q in\n%s", want, text(lines))
		}
	}
	result := s.approve(t, s.Editor, createPage, args)
	w := result.Wrote
	if w == nil || w.Table != content.Pages || w.Kind != "created" || !w.Complete {
		t.Fatalf("wrote %+v", w)
	}
	want := "Created page " + itoa(w.UID) + " “Groups & Tours” under page 10 “Visit”, hidden, with the URL path /visit/groups-tours. " +
		"It is empty: create_content_element_draft adds content. It shows to nobody until it is made visible."
	if result.Content != want {
		t.Errorf("the model reads %q, want %q", result.Content, want)
	}
	page := s.page(t, w.UID)
	if page.Text("title") != "Groups & Tours" || !page.Hidden() || page.Text("doktype") != "standard" || page.Fields["nav_title"] != nil ||
		page.Text("slug") != "/visit/groups-tours" || page.Language != 0 || page.PID != contenttest.Visit {
		t.Errorf("page %+v", page)
	}
	if got, want := s.below(t, contenttest.Visit), []int64{w.UID, 11, 12}; !slices.Equal(got, want) {
		t.Errorf("subpages %v, want %v", got, want)
	}
	if on, err := s.OnPage(t.Context(), content.Elements, w.UID); err != nil || len(on) > 0 {
		t.Errorf("on the page: %v %v", on, err)
	}
}

func TestAPageDraftComesBehindThePageItNames(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	const args = `{"after_page_uid":11,"nav_title":"Tours","parent":10,"title":"Guided tours"}`
	lines, _ := s.preview(t, s.Editor, createPage, args)
	if !has(lines, "Position: directly after “Opening hours”") || !has(lines, "placed after UID 11") || !has(lines, "Navigation title: “Tours”") {
		t.Error(text(lines))
	}
	created := s.approve(t, s.Editor, createPage, args).Wrote.UID
	if got, want := s.below(t, contenttest.Visit), []int64{11, created, 12}; !slices.Equal(got, want) {
		t.Errorf("subpages %v, want %v", got, want)
	}
	if got := s.page(t, created).Text("nav_title"); got != "Tours" {
		t.Errorf("title in menus %q", got)
	}
}

// Proves tools 86, 88.
func TestAPageThatCannotBeCreatedIsRefusedWhole(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	long := strings.Repeat("ä", 256)
	for args, want := range map[string]string{
		`{"hidden":false,"parent":10,"title":"x"}`: `Unknown argument "hidden". Allowed: after_page_uid, nav_title, parent, title.`,
		`{"parent":10}`:                                          `Missing argument "title".`,
		`{"title":"x"}`:                                          `Missing argument "parent".`,
		`{"parent":0,"title":"x"}`:                               `The argument "parent" must be at least 1.`,
		`{"parent":-1,"title":"x"}`:                              `The argument "parent" must be at least 1.`,
		`{"parent":"10","title":"x"}`:                            `The argument "parent" must be a whole number, not text.`,
		`{"parent":10,"title":""}`:                               `The argument "title" must not be empty.`,
		`{"parent":10,"title":" \u00a0"}`:                        `The argument "title" must not be empty.`,
		`{"parent":10,"title":null}`:                             `The argument "title" must be text, not null.`,
		`{"parent":10,"title":7}`:                                `The argument "title" must be text, not a number.`,
		`{"parent":10,"title":"` + long + `"}`:                   `The argument "title" has 256 characters; at most 255 are allowed.`,
		`{"parent":10,"title":"a\nb"}`:                           `The argument "title" must be a single line, without tabs.`,
		`{"parent":10,"title":"a\u0000b"}`:                       `The argument "title" holds a character that cannot be stored.`,
		`{"nav_title":"` + long + `","parent":10,"title":"x"}`:   `The argument "nav_title" has 256 characters; at most 255 are allowed.`,
		`{"nav_title":"a\tb","parent":10,"title":"x"}`:           `The argument "nav_title" must be a single line, without tabs.`,
		`{"nav_title":false,"parent":10,"title":"x"}`:            `The argument "nav_title" must be text, not true or false.`,
		`{"after_page_uid":0,"parent":10,"title":"x"}`:           `The argument "after_page_uid" must be at least 1.`,
		`{"after_page_uid":"11","parent":10,"title":"x"}`:        `The argument "after_page_uid" must be a whole number, not text.`,
		`{"after_page_uid":22,"parent":10,"title":"x"}`:          `There is no page 22 directly under page 10 to come after.`,
		`{"after_page_uid":10,"parent":10,"title":"x"}`:          `There is no page 10 directly under page 10 to come after.`,
		`{"after_page_uid":90,"parent":10,"title":"x"}`:          `There is no page 90 directly under page 10 to come after.`,
		`{"after_page_uid":999,"parent":10,"title":"x"}`:         `There is no page 999 directly under page 10 to come after.`,
		`{"after_page_uid":30,"parent":1,"title":"not visible"}`: `There is no page 30 directly under page 1 to come after.`,
		`{"parent":90,"title":"x"}`:                              `Page 90 is a translation of page 11: name that page.`,
		`{"parent":20,"title":"x"}`:                              `Page not found or not permitted.`,
		`{"parent":30,"title":"x"}`:                              `Page not found or not permitted.`,
		`{"parent":91,"title":"x"}`:                              `Page not found or not permitted.`,
		`{"parent":2,"title":"x"}`:                               `Page not found or not permitted.`,
		`{"parent":999,"title":"x"}`:                             `Page not found or not permitted.`,
		`{"after_page_uid":22,"parent":20,"title":"x"}`:          `Page not found or not permitted.`,
	} {
		if got := s.refusal(t, s.Editor, createPage, args); got != want {
			t.Errorf("%s:\n%q, want\n%q", args, got, want)
		}
	}
}

func TestEachRightThatAPageDraftTakesIsAskedFor(t *testing.T) {
	t.Parallel()
	const neutral = "Page not found or not permitted."
	const args = `{"nav_title":"y","parent":10,"title":"x"}`
	for name, test := range map[string]struct {
		takeAway func(r *imprimatur.Rights)
		want     string
	}{
		"table":           {func(r *imprimatur.Rights) { r.Modify = drop(r.Modify, content.Pages) }, neutral},
		"language":        {func(r *imprimatur.Rights) { r.Languages = drop(r.Languages, "0") }, neutral},
		"page mount":      {func(r *imprimatur.Rights) { r.Pages = nil }, neutral},
		"page type":       {func(r *imprimatur.Rights) { r.PageTypes = nil }, "The user this run acts for may not create pages of the type standard. Nothing was written."},
		"field":           {func(r *imprimatur.Rights) { r.Fields = drop(r.Fields, "pages.nav_title") }, "The user this run acts for may not change nav_title of pages. Nothing was written."},
		"reading, by way": {func(r *imprimatur.Rights) { r.Select, r.Modify = nil, nil }, neutral},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, contenttest.Options{})
			if got := s.refusal(t, lacking(s.Editor, test.takeAway), createPage, args); got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
	s := open(t, contenttest.Options{})
	for _, bit := range []content.Bits{content.BitNew, content.BitShow} {
		s.rights(t, contenttest.Visit, content.AllBits&^bit)
		if got := s.refusal(t, s.Editor, createPage, args); got != neutral {
			t.Errorf("without %s: %q", bit, got)
		}
	}
	s.rights(t, contenttest.Visit, content.BitNew|content.BitShow)
	s.approve(t, s.Editor, createPage, args)
	s.approve(t, s.Plain, createPage, `{"parent":10,"title":"Without a grant for any field"}`)
	if got := s.refusal(t, s.Reader, createPage, args); got != neutral {
		t.Errorf("reader: %q", got)
	}
	s.agrees(t, createPage, args, `{"parent":10,"title":"x"}`, `{"parent":20,"title":"x"}`, `{"after_page_uid":30,"parent":1,"title":"x"}`)
}

// Proves tools 89.
func TestASecondPageWithTheTitleIsWarnedOf(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	const args = `{"parent":10,"title":"Team"}`
	lines, _ := s.preview(t, s.Editor, createPage, args)
	if !has(lines, "Important: There is a page with this title under the same parent page already.") || !has(lines, "existing UID 12") ||
		!has(lines, "URL path: “/visit/team-1”") {
		t.Error(text(lines))
	}
	s.change(t, content.Pages, contenttest.VisitTeam, map[string]any{"hidden": 1})
	if lines, _ := s.preview(t, s.Editor, createPage, args); !has(lines, "Important: There is a hidden page with this title") {
		t.Error(text(lines))
	}
	visible := s.child(t, contenttest.Visit, content.Last, map[string]any{"title": "Team", "hidden": 0})
	if lines, _ := s.preview(t, s.Editor, createPage, args); !has(lines, "existing UID "+itoa(visible)) {
		t.Errorf("a hidden page comes before a visible one:\n%s", text(lines))
	}
	s.rights(t, visible, 0)
	if lines, _ := s.preview(t, s.Editor, createPage, args); !has(lines, "existing UID 12") {
		t.Errorf("a page out of sight is told of:\n%s", text(lines))
	}
	if lines, _ := s.preview(t, s.Editor, createPage, `{"parent":10,"title":"Öffnungszeiten"}`); has(lines, "existing UID") {
		t.Errorf("a translation counts as a page:\n%s", text(lines))
	}
	s.approve(t, s.Editor, createPage, args)
}

// Proves tools 89, 32.
func TestAPageDraftWhosePictureChangedIsNotCreated(t *testing.T) {
	t.Parallel()
	movedWhen(t, editor, createPage, `{"after_page_uid":11,"parent":10,"title":"Tours"}`, map[string]func(*testing.T, *stage){
		"a page with the title appeared": func(t *testing.T, s *stage) {
			s.child(t, contenttest.Visit, content.Last, map[string]any{"title": "Tours"})
		},
		"the path was taken elsewhere": func(t *testing.T, s *stage) {
			s.change(t, content.Pages, contenttest.Books, map[string]any{"slug": "/visit/tours"})
		},
		"the parent was renamed": func(t *testing.T, s *stage) {
			s.change(t, content.Pages, contenttest.Visit, map[string]any{"title": "Come and see"})
		},
		"the parent got another path": func(t *testing.T, s *stage) {
			s.change(t, content.Pages, contenttest.Visit, map[string]any{"slug": "/come"})
		},
		"the page in front was renamed": func(t *testing.T, s *stage) {
			s.change(t, content.Pages, contenttest.OpeningHours, map[string]any{"title": "When"})
		},
		"the page in front was deleted": func(t *testing.T, s *stage) {
			contenttest.Set(t, s.Repository, content.System(), content.Change{Op: content.Delete, Table: content.Pages, UID: contenttest.OpeningHours})
		},
		"the right was taken away": func(t *testing.T, s *stage) { s.rights(t, contenttest.Visit, content.BitShow) },
	})
}

// Proves tools 30, 31.
func TestAPageDraftIsCreatedAlthoughSomethingElseChanged(t *testing.T) {
	t.Parallel()
	runsWhen(t, editor, createPage, `{"after_page_uid":11,"parent":10,"title":"Tours"}`, map[string]func(*testing.T, *stage){
		"the parent was described": func(t *testing.T, s *stage) {
			s.change(t, content.Pages, contenttest.Visit, map[string]any{"description": "New"})
		},
		"another page appeared": func(t *testing.T, s *stage) {
			s.child(t, contenttest.Visit, contenttest.OpeningHours, map[string]any{"title": "Prices"})
		},
		"the page in front was made visible": func(t *testing.T, s *stage) {
			s.change(t, content.Pages, contenttest.OpeningHours, map[string]any{"hidden": 0})
		},
	})
}

func TestTwoPageDraftsOfOneTurnBothRun(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	const first, second = `{"parent":10,"title":"Über uns"}`, `{"parent":10,"title":"Ueber uns"}`
	_, firstToken := s.preview(t, s.Editor, createPage, first)
	_, secondToken := s.preview(t, s.Editor, createPage, second)
	_, thirdToken := s.preview(t, s.Editor, createPage, first)
	one, err := s.execute(t, s.Editor, createPage, first, firstToken)
	if err != nil || one.IsError {
		t.Fatalf("%+v %v", one, err)
	}
	two, err := s.execute(t, s.Editor, createPage, second, secondToken, one.Token)
	if err != nil || two.IsError {
		t.Fatalf("%+v %v", two, err)
	}
	three, err := s.execute(t, s.Editor, createPage, first, thirdToken, one.Token, two.Token)
	if err != nil || three.IsError {
		t.Fatalf("%+v %v", three, err)
	}
	for i, want := range []string{"/visit/ueber-uns", "/visit/ueber-uns-1", "/visit/ueber-uns-2"} {
		if got := s.page(t, []imprimatur.Result{one, two, three}[i].Wrote.UID).Text("slug"); got != want {
			t.Errorf("path %q, want %q", got, want)
		}
	}
}

// Proves tools 87.
func TestAPageDraftThatComesOutWrongIsTakenBack(t *testing.T) {
	t.Parallel()
	for want, bend := range map[string]func(fields map[string]any){
		"The page would have come out visible.":                                func(f map[string]any) { f["hidden"] = int64(0) },
		"The page would have come out with another value of title.":            func(f map[string]any) { f["title"] = "Bent" },
		"The page would have come out with another value of nav_title.":        func(f map[string]any) { delete(f, "nav_title") },
		"The page would have come out with another value of slug.":             func(f map[string]any) { f["slug"] = "/elsewhere" },
		"The page would have come out with another value of doktype.":          func(f map[string]any) { f["doktype"] = content.PageFolder },
		"The page would have come out with another value of fe_group and url.": func(f map[string]any) { f["fe_group"], f["url"] = "1", "https://example.org" },
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			s := open(t, whenCreating(content.Pages, bend))
			takenBack(t, s, s.Editor, createPage, `{"nav_title":"y","parent":10,"title":"x"}`, want)
		})
	}
}

// Proves tools 87.
func TestAnInstallationThatMakesPagesVisibleGetsNone(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	schema := contenttest.Schema(t)
	table, _ := schema.Table(content.Pages)
	for i, c := range table.Columns {
		if c.Name == content.ColumnHidden {
			table.Columns[i].Default = int64(0)
		}
	}
	visible := with(t, s.Site, reopened(t, s, schema))
	takenBack(t, visible, s.Plain, createPage, `{"parent":10,"title":"x"}`, "The page would have come out visible.")
	visible.approve(t, s.Editor, createPage, `{"parent":10,"title":"x"}`) // who may hide it, does
}

func TestAPageDraftThatComesOutElsewhereIsTakenBack(t *testing.T) {
	t.Parallel()
	for want, then := range map[string]string{
		"The page would have come out at another place.":    "UPDATE content_records SET sorting = 100000 WHERE tab = NEW.tab AND uid = NEW.uid",
		"The page would have come out in another language.": "UPDATE content_records SET language = 1 WHERE tab = NEW.tab AND uid = NEW.uid",
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			s := open(t, contenttest.Options{})
			s.trigger(t, "INSERT ON content_records WHEN NEW.tab = 'pages'", then)
			takenBack(t, s, s.Editor, createPage, `{"parent":10,"title":"x"}`, want)
		})
	}
}

func TestAPageDraftKeepsToTheFormsOfItsParent(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	s.configured(t, contenttest.Museum, `{"pages":{"nav_title":{"hidden":true}}}`)
	if got, want := s.refusal(t, s.Editor, createPage, `{"nav_title":"y","parent":10,"title":"x"}`), "The field nav_title is not offered on this page. Nothing was written."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	s.approve(t, s.Editor, createPage, `{"parent":10,"title":"x"}`)
	s.configured(t, contenttest.Visit, `{"pages":{"title":{"read_only":true}}}`)
	if got, want := s.refusal(t, s.Editor, createPage, `{"parent":10,"title":"y"}`), "The field title is not offered on this page. Nothing was written."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
