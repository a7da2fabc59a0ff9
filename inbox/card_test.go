package inbox_test

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
)

// show is the page of a card, as petra reads it.
func show(t *testing.T, c imprimatur.Card) answer {
	t.Helper()
	return newSite(t, &desk{cards: map[string]imprimatur.Card{c.Run: c}}, session(petra)).get("/runs/" + c.Run)
}

func body(t *testing.T, a answer) string {
	t.Helper()
	return content(one(t, a.page, element("main")))
}

// inOrder fails unless the texts stand on the page in this order.
func inOrder(t *testing.T, page string, texts ...string) {
	t.Helper()
	at := 0
	for _, text := range texts {
		i := strings.Index(page[at:], text)
		if i < 0 {
			t.Fatalf("%q is not where it should be on\n%s", text, page)
		}
		at += i + len(text)
	}
}

// Proves tools 44, 132, 143.
func TestACardIsReadInAFixedOrder(t *testing.T) {
	t.Parallel()
	c := waiting("r", call(0, "update_page_metadata", `{"uid":42}`, "de", metadata(t, "de",
		field(catalogue.PageTitle, "Über uns", "Das Haus"), verbatim(imprimatur.RoleWarning, "Diesen Titel gibt es schon"))))
	c.Words = "It was asked for."
	a := show(t, c)
	inOrder(t, body(t, a), "Waiting", "1 call", "Agent editor for Jana Roth", "waited 12 min", "Seitenangaben ändern", "„Über uns“",
		"Seitentitel", "Currently", "„Über uns“", "Proposed", "„Das Haus“", "Sofort öffentlich", "Diesen Titel gibt es schon",
		"It was asked for.", "not checked", "Technical details", "pages UID 42", "Arguments", `"uid": 42`, "nothing is written and you are asked again", "Approve", "Deny")
	if title := content(one(t, a.page, element("title"))); !strings.HasPrefix(title, "Waiting: Seitenangaben ändern") {
		t.Errorf("title %q", title)
	}
	form := one(t, one(t, a.page, class("decide")), func(n *html.Node) bool { return attr(n, "role") == "group" })
	if attr(form, "aria-label") != "Decision for run r" {
		t.Errorf("the form is called %q", attr(form, "aria-label"))
	}
	if warning := one(t, a.page, class("warning")); !strings.Contains(attr(form, "aria-describedby"), attr(warning, "id")) {
		t.Error("the decision is not described by the warning")
	}
	for _, n := range all(a.page, class("lines")) {
		if attr(n, "lang") != "de" {
			t.Errorf("the lines are marked as %q", attr(n, "lang"))
		}
	}
	for _, n := range all(a.page, element("small")) {
		if attr(n, "lang") != "en" {
			t.Error("a word of the page stands among the lines without its language")
		}
	}
}

func TestAFieldMarksTheWordsThatChange(t *testing.T) {
	t.Parallel()
	a := show(t, edit(t, "r", "en"))
	if got := content(one(t, a.page, element("del"))); got != "uns" {
		t.Errorf("removed %q", got)
	}
	if got := content(one(t, a.page, element("ins"))); got != "das Museum" {
		t.Errorf("added %q", got)
	}
}

func TestAWordForNothingIsNoWordThatGoes(t *testing.T) {
	t.Parallel()
	for texts, marked := range map[[2]string]string{{"", "Open daily"}: "ins", {"Open daily", ""}: "del"} {
		a := show(t, waiting("r", call(0, "update_page_metadata", "{}", "en", metadata(t, "en", field(catalogue.PageTitle, texts[0], texts[1])))))
		inOrder(t, body(t, a), "Currently", "Proposed")
		marks := append(all(a.page, element("del")), all(a.page, element("ins"))...)
		if len(marks) != 1 || marks[0].Data != marked || content(marks[0]) != "“Open daily”" {
			t.Errorf("%q: %d places are marked", texts, len(marks))
		}
	}
}

// Proves tools 130; field 69.
func TestACardThatCameBackShowsOldBesideNew(t *testing.T) {
	t.Parallel()
	c := waiting("r",
		call(0, "update_page_metadata", `{}`, "de", metadata(t, "de", field(catalogue.PageTitle, "a", "b"))),
		call(1, "attach_file_to_content_element", `{}`, "de", attachment(t, "de", 1)))
	c.Calls[1].Stale, c.Calls[1].Was = imprimatur.MarkChanged, attachment(t, "de", 0)
	a := show(t, c)
	inOrder(t, body(t, a), "had been approved and is back again", "Seitenangaben ändern", "Datei zum Inhaltselement hinzufügen", "Back again.", "Nothing was written",
		"Dateien in diesem Feld", "changed", "Currently", "1", "previously approved: 0", "Proposed", "2", "previously approved: 1")
	articles := all(a.page, element("article"))
	if len(all(articles[0], class("was"))) > 0 || strings.Contains(content(articles[0]), "Back again") {
		t.Error("the call that did not move is marked")
	}
	if got := len(all(articles[1], class("moved"))); got != 1 {
		t.Errorf("%d lines are marked, want the one that moved", got)
	}
}

func TestALongValueSaysOnceFromWhereItChanges(t *testing.T) {
	t.Parallel()
	before := "It was 7 o’clock. " + strings.Repeat("The museum opens. ", 20)
	long := catalogue.Field{Name: imprimatur.Phrase{Label: catalogue.PageAbstract}, Column: "abstract", Current: before + "Closed on 1 May.", Proposed: before + "Closed on 9 May."}
	a := show(t, waiting("r", call(0, "update_page_metadata", `{}`, "de", metadata(t, "de", long.Line()))))
	change := one(t, a.page, class("change"))
	if got, want := content(change), "Zusammenfassung Currently„1“ Proposed„9“ changed from character 389 on"; got != want {
		t.Errorf("the field says %q, want %q", got, want)
	}
	if said := one(t, change, class("whole")); attr(said, "lang") != "en" {
		t.Error("words of the page stand among the lines without their language")
	}
}

func TestArgumentsStandOpenWhereThereIsNothingElseToJudgeBy(t *testing.T) {
	t.Parallel()
	cards := everyCard(t, "en")
	for name, want := range map[string]bool{"one": false, "two": false, "withheld": false, "refusing": false, "no preview": true, "failed": true} {
		folds := all(show(t, cards[name]).page, func(n *html.Node) bool { return n.Data == "details" && strings.HasPrefix(content(n), "Arguments") })
		if len(folds) != 1 || has(folds[0], "open") != want {
			t.Errorf("%s: %d folds, open %v", name, len(folds), !want)
		}
	}
}

func TestARecordDoesNotSpeakAsIfThereWereSomethingToDecide(t *testing.T) {
	t.Parallel()
	cards := everyCard(t, "en")
	for name, want := range map[string]struct{ says, silent string }{
		"no preview": {"The decision was taken by the arguments alone", "You decide"},
		"failed":     {"There was no preview. The decision was taken without one.", "you would be deciding"},
		"refusing":   {"As things stood, this call would have been refused", "whatever you decide"},
	} {
		c := cards[name]
		c.Status, c.TurnDigest, c.PictureDigest, c.May = imprimatur.StatusCompleted, "", "", imprimatur.May{}
		if got := body(t, show(t, c)); !strings.Contains(got, want.says) || strings.Contains(got, want.silent) {
			t.Errorf("%s: the page says\n%s", name, got)
		}
	}
}

func TestLinesThatCameAndWentAreNamed(t *testing.T) {
	t.Parallel()
	was := metadata(t, "en", field(catalogue.PageTitle, "a", "b"), verbatim(imprimatur.RoleWarning, "Once there was a warning"))
	now := metadata(t, "en", field(catalogue.PageTitle, "a", "b"), field(catalogue.PageSubtitle, "c", "d"))
	c := waiting("r", call(0, "update_page_metadata", `{}`, "en", now))
	c.Calls[0].Stale, c.Calls[0].Was = imprimatur.MarkChanged, was
	a := show(t, c)
	inOrder(t, body(t, a), "and are gone:", "Once there was a warning", "Page title", "Subtitle", "changed")
	if got := len(all(a.page, class("moved"))); got != 1 {
		t.Errorf("%d lines are marked, want the new one", got)
	}
}

// Proves tools 131, 145.
func TestTheFormOffersWhatThisPersonMayDo(t *testing.T) {
	t.Parallel()
	cards := everyCard(t, "en")
	for name, test := range map[string]struct {
		approve, deny bool
		says, silent  string
	}{
		"one":           {true, true, "If the record changes before you approve", ""},
		"two":           {true, true, "Both are carried out in this order", ""},
		"reading":       {true, true, "Nothing is written: the call only reads", "If the record changes"},
		"no preview":    {true, true, "no preview to hold this against", "If the record changes"},
		"failed":        {true, true, "No preview: you would be deciding without one", "If the record changes"},
		"out of date":   {true, true, "Approving writes nothing yet", "If the record changes"},
		"refusing":      {true, true, "this call will be refused", ""},
		"withheld":      {false, true, "You have not seen what you would approve", "If the record changes"},
		"second person": {false, true, "A second person is needed", "If the record changes"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := show(t, cards[name])
			form := one(t, a.page, class("decide"))
			offers := func(verdict string) bool {
				return len(all(form, func(n *html.Node) bool {
					return n.Data == "button" && attr(n, "name") == "verdict" && attr(n, "value") == verdict && !has(n, "disabled")
				})) == 1
			}
			if offers("approve") != test.approve || offers("deny") != test.deny {
				t.Errorf("approve %v, deny %v", offers("approve"), offers("deny"))
			}
			if !strings.Contains(body(t, a), test.says) || test.silent != "" && strings.Contains(body(t, a), test.silent) {
				t.Errorf("the page says\n%s", body(t, a))
			}
			hidden := map[string]string{}
			for _, n := range all(form, func(n *html.Node) bool { return attr(n, "type") == "hidden" }) {
				hidden[attr(n, "name")] = attr(n, "value")
			}
			if len(hidden) != 2 || hidden["turn_digest"] != cards[name].TurnDigest || hidden["picture_digest"] != cards[name].PictureDigest {
				t.Errorf("the form carries %v", hidden)
			}
			if first := all(form, element("button"))[0]; !has(first, "disabled") {
				t.Error("the Enter key presses a button of the form")
			}
		})
	}
}

// Proves tools 133; runtime 228.
func TestACardThatCannotBeReadHasNoForm(t *testing.T) {
	t.Parallel()
	cards := everyCard(t, "en")
	a := show(t, cards["unreadable"])
	if len(all(a.page, class("decide"))) != 0 {
		t.Error("there is a form")
	}
	inOrder(t, body(t, a), "The run cannot be read", "Nothing was written", "Cancel the whole run")
	a = show(t, cards["partly unreadable"])
	one(t, a.page, class("decide"))
	inOrder(t, body(t, a), "Part of what was stored about this step cannot be read", "Über das Museum", "Approve")
}

// Proves field 89.
func TestAfterTheDecisionThePageStaysReadable(t *testing.T) {
	t.Parallel()
	c := everyCard(t, "de")["record: approve"]
	run := everyRun()["completed"]
	run.Text = "Done.\n<b>Really</b>"
	a := newSite(t, &desk{cards: map[string]imprimatur.Card{"r": c}, runs: map[string]imprimatur.Run{"r": run}}, session(petra)).get("/runs/r")
	inOrder(t, body(t, a), "Finished", "Seitenangaben ändern", "Approved", "by Tom Weiß", "30 Nov 2026, 11:59", "not checked", "Done. <b>Really</b>", "What was shown", "„Über das Museum“")
	if len(all(a.page, class("decide"))) != 0 || len(all(a.page, class("cancel"))) != 0 {
		t.Error("something can still be decided")
	}
	c.Calls[0].Stale, c.Calls[0].Restless = imprimatur.MarkChanged, true
	a = show(t, c)
	if strings.Contains(body(t, a), "decide again") {
		t.Error("the record asks for a decision")
	}
	inOrder(t, body(t, a), "Approved", "You may see the card of this run, but not what else it said and did", "What was shown")
	if strings.Contains(a.text, "Really") {
		t.Error("the text is shown to somebody who may not see the run")
	}
}

// Proves field 78.
func TestInvisibleCharactersAreShownByName(t *testing.T) {
	t.Parallel()
	c := waiting("r", call(0, "update_page_metadata", "{\"title\":\"a\u202Eb\"}", "en", metadata(t, "en", field(catalogue.PageTitle, `c\u{00A0}d`, "e\u202Ef\u00A0g\U000E0041h"))))
	a := show(t, c)
	var names []string
	for _, n := range all(a.page, class("chip")) {
		names = append(names, attr(n, "aria-label"))
		if want := attr(n, "data-u"); content(n) != `\u{`+strings.TrimPrefix(want, "U+")+`}` {
			t.Errorf("%s stands for %s", want, content(n))
		}
	}
	want := []string{"right-to-left override, U+202E", "no-break space, U+00A0", "invisible character, U+E0041", "right-to-left override, U+202E"}
	if !slices.Equal(names, want) {
		t.Errorf("marked %q, want %q", names, want)
	}
	if !strings.Contains(body(t, a), `c\\u{00A0}d`) {
		t.Error("a text that only looks like an escape is shown as something else")
	}
	if strings.ContainsAny(a.text, "\u202E\u00A0\U000E0041") {
		t.Error("an invisible character reached the page")
	}
	for _, n := range all(a.page, func(n *html.Node) bool { return n.Data == "bdi" }) {
		if attr(n, "dir") != "auto" {
			t.Error("a value is not set apart")
		}
	}
}

func TestEveryLineIsShown(t *testing.T) {
	t.Parallel()
	page := body(t, show(t, waiting("r", call(0, "x", `{}`, "en", everyRole()))))
	for _, l := range everyRole() {
		if !strings.Contains(page, l.Text) {
			t.Errorf("%q is not on the page", l.Text)
		}
	}
	parts := imprimatur.Line{Role: imprimatur.RoleField, Text: "Title: from character 7 on, " + strings.Repeat("x", 60) + " → new, at once", Label: "Title", Current: strings.Repeat("x", 60), Proposed: "new"}
	page = body(t, show(t, waiting("r", call(0, "x", `{}`, "en", []imprimatur.Line{parts}))))
	inOrder(t, page, "Title", strings.Repeat("x", 60), "new", "from character 7 on, … → new, at once")
}

func TestArgumentsAreShownInFull(t *testing.T) {
	t.Parallel()
	long := `{"text":"` + strings.Repeat("äöü ", 200_000) + `end"}`
	c := waiting("r", call(0, "x", long, "en", nil), call(1, "y", `{"n":9007199254740993,"z":[1,{"a":null}]}`, "en", nil))
	s := newSite(t, &desk{cards: map[string]imprimatur.Card{"r": c}}, session(petra))
	if page := body(t, s.get("/runs/r")); !strings.Contains(page, `"n": 9007199254740993`) || !strings.Contains(page, "Show the rest") {
		t.Error("the card does not show the arguments")
	}
	var all strings.Builder
	parts := 0
	for path := "/runs/r/arguments/0"; path != ""; parts++ {
		a := s.get(path)
		checkPage(t, a, "en")
		pre := one(t, a.page, element("pre"))
		all.WriteString(pre.FirstChild.Data)
		path = ""
		for _, link := range links(a.page) {
			if content(link) == "Next part" {
				path = "/runs/r/arguments/0" + attr(link, "href")
			}
		}
	}
	if got := strings.Join(strings.Fields(all.String()), " "); got != strings.Join(strings.Fields(`{ "text": "`+strings.Repeat("äöü ", 200_000)+`end" }`), " ") {
		t.Errorf("%d characters of the arguments are not those of the call", len(got))
	}
	if want := 6; parts < want {
		t.Errorf("%d parts, want at least %d", parts, want)
	}
	for _, path := range []string{"/runs/r/arguments/2", "/runs/r/arguments/0?part=99", "/runs/r/arguments/x", "/runs/r/arguments/0?part=0"} {
		if a := s.get(path); a.StatusCode != 404 {
			t.Errorf("%s: %d", path, a.StatusCode)
		}
	}
}

func links(page *html.Node) []*html.Node { return all(page, element("a")) }
