package editorial_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
	"github.com/imprimatur-dev/imprimatur/editorial"
)

const noSource = "Source not found or not permitted."

func TestASourceIsWhatAVisitorReads(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{Large: true})
	s.change(t, content.Pages, contenttest.OpeningHours, map[string]any{"hidden": 0, "description": "When we are open"})
	contenttest.Set(t, s.Repository, content.System(),
		content.Change{Op: content.Create, Table: content.Elements, PID: contenttest.OpeningHours, Language: 1, After: content.Last, Fields: map[string]any{
			"type": "text", "header": "Täglich", "bodytext": "<p>Von&nbsp;10 bis 18 Uhr<script>alert(1)</script></p>", "hidden": 0,
		}})
	for _, tool := range editorial.ToolsWith(s.Repository, editorial.Options{Sites: map[int64]string{contenttest.Museum: "https://museum.example/"}}) {
		s.tools[tool.Spec().Name] = tool
	}
	for id, want := range map[string]string{
		"page:10": `page:10 “Visit” · https://museum.example/visit

How to find us

Welcome
We are open. Come in.

Gallery

Imprint

Poster
`,
		"page:101": `page:101 “Hall 1” · https://museum.example/halls/hall-1

Questions
Where is the lift?
Where is the lift?
May I take pictures?
May I take pictures?

Before you come
Opening hours

Signpost

On the ceiling
`,
		"page:11":      "page:11 “Opening hours” · https://museum.example/visit/opening-hours\n\nWhen we are open\n",
		"page:11:1":    "page:11:1 “Öffnungszeiten” · https://museum.example/de/visit/oeffnungszeiten\n\nTäglich\nVon 10 bis 18 Uhr\n",
		"page:12":      "page:12 “Team” · https://museum.example/visit/team\n\nThere is no text on it.\n",
		"page:90":      noSource, // a translation is named by its page
		"page:11:3":    noSource,
		"page:30":      noSource,
		"page:3":       noSource, // on no website
		"page:113":     noSource, // hidden
		"page:114":     noSource, // a link
		"page:901":     noSource, // a draft
		"page:9999":    noSource,
		"page:0":       `The argument "source_id" must be one that site_search named, such as page:12.`,
		"page:10:0":    `The argument "source_id" must be one that site_search named, such as page:12.`,
		"content:40":   `The argument "source_id" must be one that site_search named, such as page:12.`,
		"page:10 OR 1": `The argument "source_id" must be one that site_search named, such as page:12.`,
	} {
		for _, u := range []imprimatur.User{s.Admin, s.Nobody} {
			if diff := cmp.Diff(want, s.read(t, u, "site_fetch_source", args(t, map[string]any{"source_id": id}))); diff != "" {
				t.Errorf("%s for %s: %s", id, u.Name, diff)
			}
		}
	}
}

// hiding is one way in which a text is not public.
type hiding struct {
	table  string
	uid    int64
	fields map[string]any
}

// Each of these takes the German text or the text in an accordion away, for
// everybody, from what is found and from what is shown.
func TestWhatIsRestrictedIsInNoSource(t *testing.T) {
	t.Parallel()
	const far = int64(4_000_000_000)
	pages := map[string]hiding{
		"hidden":              {content.Pages, contenttest.FirstHall, map[string]any{"hidden": 1}},
		"from":                {content.Pages, contenttest.FirstHall, map[string]any{"starttime": 1}},
		"until":               {content.Pages, contenttest.FirstHall, map[string]any{"endtime": far}},
		"group":               {content.Pages, contenttest.FirstHall, map[string]any{"fe_group": "-2"}},
		"hidden above":        {content.Pages, contenttest.Halls, map[string]any{"hidden": 1}},
		"group above":         {content.Pages, contenttest.Halls, map[string]any{"fe_group": "3,4"}},
		"until at the root":   {content.Pages, contenttest.Museum, map[string]any{"endtime": far}},
		"for editors above":   {content.Pages, contenttest.Halls, map[string]any{"doktype": content.PageUserSection}},
		"folder":              {content.Pages, contenttest.FirstHall, map[string]any{"doktype": content.PageFolder}},
		"no website":          {content.Pages, contenttest.Museum, map[string]any{"is_siteroot": 0}},
		"other content":       {content.Pages, contenttest.FirstHall, map[string]any{"content_from_pid": contenttest.Visit}},
		"translations only":   {content.Pages, contenttest.FirstHall, map[string]any{"l18n_cfg": 1}},
		"element hidden":      {content.Elements, contenttest.Accordion, map[string]any{"hidden": 1}},
		"element from":        {content.Elements, contenttest.Accordion, map[string]any{"starttime": 1}},
		"element until":       {content.Elements, contenttest.Accordion, map[string]any{"endtime": far}},
		"element group":       {content.Elements, contenttest.Accordion, map[string]any{"fe_group": "1"}},
		"element of no kind":  {content.Elements, contenttest.Accordion, map[string]any{"type": "thirdparty_map"}},
		"kind without items":  {content.Elements, contenttest.Accordion, map[string]any{"type": "text"}},
		"item hidden":         {"accordion_items", contenttest.FirstItem, map[string]any{"hidden": 1}},
		"item from":           {"accordion_items", contenttest.FirstItem, map[string]any{"starttime": 1}},
		"item without a text": {"accordion_items", contenttest.FirstItem, map[string]any{"header": "", "bodytext": ""}},
	}
	for name, h := range pages {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, contenttest.Options{Large: true})
			if got := s.lift(t); !strings.Contains(got, "page:101 “Hall 1”") || !strings.Contains(got, "Where is the lift?") {
				t.Fatalf("it is not public to begin with: %s", got)
			}
			s.change(t, h.table, h.uid, h.fields)
			if got := s.lift(t); strings.Contains(got, "lift") {
				t.Errorf("it is public all the same: %s", got)
			}
		})
	}
}

// lift is what the website says about the lift.
func (s *stage) lift(t *testing.T) string {
	t.Helper()
	return s.read(t, s.Admin, "site_search", `{"question":"lift"}`) + s.read(t, s.Admin, "site_fetch_source", `{"source_id":"page:101"}`)
}

func TestARestrictedOriginalHidesItsTranslation(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{Large: true})
	contenttest.Set(t, s.Repository, content.System(),
		content.Change{Op: content.Localize, Table: content.Pages, UID: contenttest.FirstHall, Language: 1, Fields: map[string]any{"hidden": 0}})
	s.change(t, content.Elements, contenttest.AccordionGerman, map[string]any{"hidden": 0})
	read := func() string {
		return s.read(t, s.Nobody, "site_search", `{"question":"Fragen","language":1}`) + s.read(t, s.Nobody, "site_fetch_source", `{"source_id":"page:101:1"}`)
	}
	if got := read(); strings.Count(got, "Fragen") != 2 || !strings.Contains(got, "1. page:101:1") {
		t.Fatalf("it is not public to begin with: %s", got)
	}
	s.change(t, content.Elements, contenttest.Accordion, map[string]any{"hidden": 1})
	if got := read(); strings.Contains(got, "Fragen") {
		t.Errorf("it is public all the same: %s", got)
	}
}

func TestARestrictedOriginalHidesTheTranslationOfItsItem(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{Large: true})
	contenttest.Set(t, s.Repository, content.System(),
		content.Change{Op: content.Localize, Table: content.Pages, UID: contenttest.FirstHall, Language: 1, Fields: map[string]any{"hidden": 0}},
		content.Change{
			Op: content.Create, Table: "accordion_items", UID: 139, PID: contenttest.FirstHall, Language: 1, Origin: contenttest.FirstItem,
			Fields: map[string]any{"element": contenttest.AccordionGerman, "header": "Wo ist der Aufzug?", "hidden": 0},
		})
	s.change(t, content.Elements, contenttest.AccordionGerman, map[string]any{"hidden": 0})
	read := func() string {
		return s.read(t, s.Nobody, "site_search", `{"question":"Aufzug"}`) + s.read(t, s.Nobody, "site_fetch_source", `{"source_id":"page:101:1"}`)
	}
	if got := read(); strings.Count(got, "Aufzug") != 2 {
		t.Fatalf("it is not public to begin with: %s", got)
	}
	s.change(t, "accordion_items", contenttest.FirstItem, map[string]any{"hidden": 1})
	if got := read(); strings.Contains(got, "Aufzug") || !strings.HasPrefix(got, "No public page speaks of this.") {
		t.Errorf("it is public all the same: %s", got)
	}
}

func TestAPageThatIsNotToBeFoundIsNot(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{Large: true})
	s.change(t, content.Pages, contenttest.FirstHall, map[string]any{"no_search": 1})
	if got := s.read(t, s.Nobody, "site_search", `{"question":"lift"}`); got != "No public page speaks of this.\n" {
		t.Errorf("it is found: %s", got)
	}
	if got := s.read(t, s.Nobody, "site_fetch_source", `{"source_id":"page:101"}`); !strings.Contains(got, "lift") {
		t.Errorf("it cannot be read: %s", got)
	}
}

func TestTheBestSourceComesFirst(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{Large: true})
	s.change(t, content.Pages, contenttest.OpeningHours, map[string]any{"hidden": 0})
	for question, want := range map[string][]string{
		"Where is the lift?":            {"page:101"},
		"opening hours":                 {"page:11", "page:101"},
		"Opening, opening; HOURS of it": {"page:11", "page:101"},
		"Öffnungszeiten":                {"page:11:1"},
		"hall":                          {"page:100", "page:101", "page:102", "page:103", "page:104", "page:105", "page:106", "page:107"},
		"all":                           nil, // it begins no word
		"Hall lift":                     {"page:101", "page:100", "page:102", "page:103", "page:104", "page:105", "page:106", "page:107"},
		"100% _":                        nil,
	} {
		got := s.read(t, s.Nobody, "site_search", args(t, map[string]any{"question": question}))
		var ids []string
		for line := range strings.SplitSeq(got, "\n") {
			if _, rest, ok := strings.Cut(line, ". page:"); ok && !strings.HasPrefix(line, " ") {
				id, _, _ := strings.Cut(rest, " ")
				ids = append(ids, "page:"+id)
			}
		}
		if diff := cmp.Diff(want, ids); diff != "" {
			t.Errorf("%s: %s\n%s", question, diff, got)
		}
	}
	if got := s.read(t, s.Nobody, "site_search", `{"question":"hall","limit":1}`); strings.Count(got, "page:") != 1 {
		t.Errorf("with a limit: %s", got)
	}
	if got := s.read(t, s.Nobody, "site_search", `{"question":"is it"}`); got != "The question must hold a word of at least 3 letters." {
		t.Errorf("without a word: %s", got)
	}
	if got := s.read(t, s.Nobody, "site_search", `{"question":"hall","limit":9}`); got != `The argument "limit" must be at most 8.` {
		t.Errorf("with too many: %s", got)
	}
}

func TestALongSourceIsCut(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	s.change(t, content.Elements, contenttest.Intro, map[string]any{"bodytext": "<p>" + strings.Repeat("ä", 9000) + "</p>"})
	got := s.read(t, s.Nobody, "site_fetch_source", `{"source_id":"page:10"}`)
	_, text, _ := strings.Cut(got, "\n\n")
	if n := utf8.RuneCountInString(strings.TrimSpace(text)); n != 8001 || !strings.HasSuffix(text, "ä…\n") {
		t.Errorf("it has %d characters", n)
	}
}

// Of a real website every public page is a source: text without tags, found by
// a word of its title.
func TestARealWebsiteIsSearched(t *testing.T) {
	t.Parallel()
	s := realStage(t)
	pages, err := s.All(t.Context(), content.Pages)
	if err != nil {
		t.Fatal(err)
	}
	public, texts := 0, 0
	for _, page := range pages {
		id := fmt.Sprintf("page:%d", page.UID)
		if page.Origin > 0 {
			id = fmt.Sprintf("page:%d:%d", page.Origin, page.Language)
		}
		got := s.read(t, s.Nobody, "site_fetch_source", args(t, map[string]any{"source_id": id}))
		if got == noSource {
			continue
		}
		public++
		if strings.Contains(got, "<p>") || strings.Contains(got, "</") || page.Hidden() {
			t.Errorf("%s reads\n%s", id, got)
		}
		if !strings.HasSuffix(got, "There is no text on it.\n") {
			texts++
		}
	}
	if public < 40 || texts < 30 {
		t.Errorf("%d of %d pages are public, %d with a text", public, len(pages), texts)
	}
	if got := s.read(t, s.Nobody, "site_search", `{"question":"How do I use the carousel?"}`); !strings.HasPrefix(got, "1. page:") || !strings.Contains(strings.ToLower(got), "carousel") {
		t.Errorf("about the carousel:\n%s", got)
	}
}
