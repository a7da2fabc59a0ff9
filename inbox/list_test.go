package inbox_test

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/imprimatur-dev/imprimatur"
)

func listed(filter imprimatur.Filter) (imprimatur.List, error) {
	owner := imprimatur.By{ID: 3, Name: "Jana <b>Roth</b>"}
	if filter.Ended {
		return imprimatur.List{Runs: []imprimatur.Run{{ID: "old", Status: imprimatur.StatusFailed, Reason: imprimatur.ReasonOutcomeUnknown, Agent: "editor", Owner: owner, FinishedAt: at(2 * time.Hour)}}}, nil
	}
	return imprimatur.List{Total: 120, Next: "cursor-2", Runs: []imprimatur.Run{
		{ID: "a", Status: imprimatur.StatusWaiting, Agent: "editor", Owner: owner, Tools: []string{"update_page_metadata", "attach_file_to_content_element", "update_page_metadata"}, Calls: 3, Back: true, WaitingSince: at(52 * time.Hour)},
		{ID: "b", Status: imprimatur.StatusWaiting, Agent: "release", Owner: owner, Tools: []string{"shout"}, Calls: 1, WaitingSince: at(12 * time.Minute)},
	}}, nil
}

// Proves tools 134; field 94.
func TestTheInboxNamesWhatWaitsInTheWordsOfItsReader(t *testing.T) {
	t.Parallel()
	d := &desk{list: listed}
	german := petra
	german.Lang = "de"
	for lang, want := range map[string][]string{
		"en": {"Waiting for you", "120 runs wait for a decision, the oldest first.", "Change page metadata, Add file to content element", "Agent editor for Jana <b>Roth</b>", "3 calls", "back again", "waiting 2 days", "28 Nov 2026, 08:00", "shout", "1 call", "waiting 12 min", "Show the next ones", "Recently finished", "Run of agent editor", "Failed", "whether it happened is not known", "2 hours ago"},
		"de": {"Wartet auf Sie", "Seitenangaben ändern, Datei zum Inhaltselement hinzufügen", "Agent editor für Jana <b>Roth</b>", "3 Aufrufe", "wieder da", "seit 2 Tagen", "28.11.2026, 08:00", "shout", "1 Aufruf", "seit 12 Min.", "Zuletzt beendet", "Gescheitert", "vor 2 Std."},
	} {
		who := petra
		if lang == "de" {
			who = german
		}
		a := newSite(t, d, session(who)).get("/")
		checkPage(t, a, lang)
		inOrder(t, body(t, a), want...)
	}
	a := newSite(t, d, session(petra)).get("/")
	if title := content(one(t, a.page, element("title"))); title != "Waiting (120) – Imprimatur" {
		t.Errorf("title %q", title)
	}
	if f := d.filters[0]; f.Status != imprimatur.StatusWaiting || f.Limit != 100 {
		t.Errorf("asked for %+v", f)
	}
	if f := d.filters[1]; !f.Ended || f.Limit != 20 {
		t.Errorf("asked for %+v", f)
	}
}

func TestARunThatNobodyDecidedLeadsOthersNowhere(t *testing.T) {
	t.Parallel()
	ended := func(f imprimatur.Filter) (imprimatur.List, error) {
		if !f.Ended {
			return imprimatur.List{}, nil
		}
		owner := imprimatur.By{ID: jana.ID, Name: jana.Name}
		return imprimatur.List{Runs: []imprimatur.Run{
			{ID: "never", Status: imprimatur.StatusCompleted, Owner: owner, FinishedAt: at(time.Hour)},
			{ID: "withdrawn", Status: imprimatur.StatusCancelled, Owner: owner, Calls: 1, FinishedAt: at(time.Hour)},
			{ID: "decided", Status: imprimatur.StatusCompleted, Owner: owner, Calls: 1, FinishedAt: at(time.Hour)},
		}}, nil
	}
	for name, c := range map[string]struct {
		who  imprimatur.User
		want []string
	}{"an approver": {petra, []string{"/runs/decided"}}, "the owner": {jana, []string{"/runs/never", "/runs/withdrawn", "/runs/decided"}}} {
		a := newSite(t, &desk{list: ended}, session(c.who)).get("/")
		var got []string
		for _, n := range all(a.page, element("a")) {
			if strings.HasPrefix(attr(n, "href"), "/runs/") {
				got = append(got, attr(n, "href"))
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s is led to %v, want %v", name, got, c.want)
		}
	}
}

func TestASearchThatFindsNothingDoesNotSayThatNothingWaits(t *testing.T) {
	t.Parallel()
	a := newSite(t, &desk{}, session(petra)).get("/?q=x")
	if title := content(one(t, a.page, element("title"))); title != "0 runs found – Imprimatur" {
		t.Errorf("title %q", title)
	}
}

// Tools that share a name between several headings are called by what these
// have in common, in every list and in the line that leads to the next run.
func TestEveryPreviewingToolIsCalledInWordsOfThePage(t *testing.T) {
	t.Parallel()
	for _, lang := range []string{"en", "de"} {
		for _, heading := range words(t).Headings() {
			tool, _, _ := strings.Cut(strings.TrimPrefix(string(heading), "preview.heading."), ".")
			if !words(t).Printer(lang).Has(imprimatur.Label("ui.tool."+tool)) && !words(t).Printer(lang).Has(imprimatur.Label("preview.heading."+tool)) {
				t.Errorf("%s: %s is called by its own name", lang, tool)
			}
		}
	}
	c := edit(t, "r", "en")
	next := imprimatur.Run{ID: "s", Status: imprimatur.StatusWaiting, Agent: "editor", Calls: 1, Tools: []string{"delete_record"}}
	a := newSite(t, &desk{cards: map[string]imprimatur.Card{"r": c}, list: func(imprimatur.Filter) (imprimatur.List, error) {
		return imprimatur.List{Total: 2, Runs: []imprimatur.Run{next}}, nil
	}}, session(petra)).get("/runs/r")
	if got := content(one(t, a.page, class("next"))); !strings.Contains(got, "Delete page or content element") || strings.Contains(got, "delete_record") {
		t.Errorf("the next one is called %q", got)
	}
}

func TestTheInboxCanBeSearched(t *testing.T) {
	t.Parallel()
	d := &desk{list: listed}
	a := newSite(t, d, session(petra)).get("/?q=%3Ceditor%3E&back=1")
	if f := d.filters[0]; f.Query != "<editor>" || !f.Back || len(d.filters) != 1 {
		t.Errorf("asked for %+v", d.filters)
	}
	if got := attr(one(t, a.page, func(n *html.Node) bool { return attr(n, "name") == "q" }), "value"); got != "<editor>" {
		t.Errorf("the field says %q", got)
	}
	more := one(t, a.page, func(n *html.Node) bool { return content(n) == "Show the next ones" && n.Data == "a" })
	if got := attr(more, "href"); got != "/?back=1&cursor=cursor-2&q=%3Ceditor%3E" {
		t.Errorf("the next page is %q", got)
	}
}

// Proves tools 129; runtime 229.
func TestAnErrorNeverLooksLikeAnEmptyInbox(t *testing.T) {
	t.Parallel()
	for name, err := range map[string]error{"fault": errors.New("disk /var on fire"), "refusal": &imprimatur.Refusal{Code: imprimatur.CodeStateUnavailable}} {
		d := &desk{list: func(imprimatur.Filter) (imprimatur.List, error) { return imprimatur.List{}, err }}
		a := newSite(t, d, session(petra)).get("/")
		checkPage(t, a, "en")
		if a.StatusCode != http.StatusServiceUnavailable || strings.Contains(a.text, "All clear") || strings.Contains(a.text, "/var") {
			t.Errorf("%s: status %d", name, a.StatusCode)
		}
		one(t, one(t, a.page, element("main")).FirstChild.Parent, func(n *html.Node) bool { return n.Data == "section" })
		if alerts := all(a.page, func(n *html.Node) bool { return attr(n, "role") == "alert" }); len(alerts) != 2 {
			t.Errorf("%s: %d errors are shown", name, len(alerts))
		}
		if title := content(one(t, a.page, element("title"))); !strings.HasPrefix(title, "Problem: ") {
			t.Errorf("title %q", title)
		}
	}
	a := newSite(t, &desk{}, session(petra)).get("/")
	inOrder(t, body(t, a), "No run waits for a decision.", "All clear.", "No run has finished yet.")
}

func TestACursorThatMeansNothingIsRefused(t *testing.T) {
	t.Parallel()
	d := &desk{list: func(imprimatur.Filter) (imprimatur.List, error) {
		return imprimatur.List{}, imprimatur.BadRequest("cursor: not one of ours")
	}}
	if a := newSite(t, d, session(petra)).get("/?cursor=x"); a.StatusCode != http.StatusBadRequest || !strings.Contains(a.text, "cursor: not one of ours") {
		t.Errorf("status %d", a.StatusCode)
	}
}

// Proves field 90.
func TestARunLeadsToTheNextOneThatWaits(t *testing.T) {
	t.Parallel()
	d := &desk{list: listed, cards: map[string]imprimatur.Card{"a": edit(t, "a", "en"), "b": edit(t, "b", "en")}}
	s := newSite(t, d, session(petra))
	for run, want := range map[string]string{"a": "/runs/b", "b": "/runs/a"} {
		if got := attr(one(t, one(t, s.get("/runs/"+run).page, class("next")), element("a")), "href"); got != want {
			t.Errorf("after %s comes %s", run, got)
		}
	}
	d.list = func(imprimatur.Filter) (imprimatur.List, error) { return imprimatur.List{}, errors.New("gone") }
	if a := s.get("/runs/a"); a.StatusCode != http.StatusOK {
		t.Errorf("without the count of what waits: status %d", a.StatusCode)
	}
}

func TestAListThatIsNotCountedToItsEndSaysSo(t *testing.T) {
	t.Parallel()
	for lang, want := range map[string]string{"en": "10,000 runs or more", "de": "10.000 Läufe oder mehr", "fr": "ou plus"} {
		who := petra
		who.Lang = lang
		d := &desk{list: func(imprimatur.Filter) (imprimatur.List, error) {
			run := imprimatur.Run{ID: "r", Status: imprimatur.StatusWaiting, Agent: "editor", Owner: imprimatur.By{ID: 3, Name: "Jana Roth"}, WaitingSince: at(time.Minute)}
			return imprimatur.List{Total: imprimatur.MaxTotal, Runs: []imprimatur.Run{run}}, nil
		}}
		if text := body(t, newSite(t, d, session(who)).get("/")); !strings.Contains(text, want) {
			t.Errorf("%s: %q is not said in %s", lang, want, text)
		}
	}
}
