package inbox_test

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
)

// checkPage holds a page against what all pages promise.
func checkPage(t *testing.T, a answer, lang string) {
	t.Helper()
	if a.page == nil {
		t.Fatalf("no page: %d %s", a.StatusCode, a.text)
	}
	root := one(t, a.page, element("html"))
	if got := attr(root, "lang"); got != lang {
		t.Errorf("the page is in %q, want %q", got, lang)
	}
	for _, name := range []string{"h1", "main", "title"} {
		one(t, a.page, element(name))
	}
	if skip := all(a.page, element("a"))[0]; attr(skip, "href") != "#main" {
		t.Errorf("the first link leads to %q, want the content", attr(skip, "href"))
	}
	if found := all(a.page, func(n *html.Node) bool {
		return slices.Contains([]string{"script", "style", "iframe", "object", "embed", "base"}, n.Data)
	}); len(found) > 0 {
		t.Errorf("the page has a %s", found[0].Data)
	}
	ids := map[string]bool{}
	for _, n := range all(a.page, func(*html.Node) bool { return true }) {
		for _, at := range n.Attr {
			if strings.HasPrefix(at.Key, "on") || at.Key == "style" {
				t.Errorf("<%s> has the attribute %s", n.Data, at.Key)
			}
			if (at.Key == "href" || at.Key == "src" || at.Key == "action") && !strings.HasPrefix(at.Val, "/") && !strings.HasPrefix(at.Val, "#") && !strings.HasPrefix(at.Val, "?") || strings.HasPrefix(at.Val, "//") {
				t.Errorf("<%s> leads to %q", n.Data, at.Val)
			}
		}
		if id := attr(n, "id"); id != "" && ids[id] {
			t.Errorf("the id %q stands twice", id)
		} else if id != "" {
			ids[id] = true
		}
	}
	checkControls(t, a.page, ids)
	if text := content(one(t, a.page, element("body"))); strings.Contains(text, "ui.") || strings.Contains(text, "refusal.") || gap.MatchString(text) {
		t.Errorf("a text is missing on the page: %s", text)
	}
}

// gap is a placeholder that got no value.
var gap = regexp.MustCompile(`\{[a-z]+\}`)

// checkControls wants a name for every control and a target for every
// reference.
func checkControls(t *testing.T, page *html.Node, ids map[string]bool) {
	t.Helper()
	labelled := map[string]bool{}
	for _, l := range all(page, element("label")) {
		labelled[attr(l, "for")] = true
	}
	for _, n := range all(page, func(n *html.Node) bool {
		return n.Data == "textarea" || n.Data == "input" && attr(n, "type") != "hidden"
	}) {
		inside := false
		for p := n.Parent; p != nil; p = p.Parent {
			inside = inside || p.Data == "label"
		}
		if !inside && !labelled[attr(n, "id")] {
			t.Errorf("<%s name=%q> has no label", n.Data, attr(n, "name"))
		}
	}
	for _, n := range all(page, func(n *html.Node) bool { return n.Data == "button" && !has(n, "hidden") || n.Data == "a" }) {
		if content(n) == "" {
			t.Errorf("a <%s> has no text", n.Data)
		}
	}
	for _, name := range []string{"aria-describedby", "aria-labelledby"} {
		for _, n := range all(page, func(n *html.Node) bool { return has(n, name) }) {
			for id := range strings.FieldsSeq(attr(n, name)) {
				if !ids[id] {
					t.Errorf("<%s> refers to %q, which is not there", n.Data, id)
				}
			}
		}
	}
	for _, f := range all(page, func(n *html.Node) bool { return n.Data == "form" && attr(n, "method") != "post" }) {
		if attr(f, "action") != "/" {
			t.Errorf("a form that is no POST goes to %q", attr(f, "action"))
		}
	}
}

// everyCard is one card of each kind, by name.
func everyCard(t *testing.T, lang string) map[string]imprimatur.Card {
	plain := func(role imprimatur.Role, label imprimatur.Label) []imprimatur.Line {
		return lines(t, lang, line(role, label, nil))
	}
	with := func(c imprimatur.Card, change func(*imprimatur.Card)) imprimatur.Card {
		change(&c)
		return c
	}
	one := func() imprimatur.Card { return edit(t, "r", lang) }
	preview := func(c *imprimatur.Card) *imprimatur.CardPreview { return c.Calls[0].Preview }
	cards := map[string]imprimatur.Card{
		"one":        one(),
		"reading":    with(waiting("r", call(0, "fetch_external_url", `{"url":"https://example.org/"}`, lang, lines(t, lang, line(imprimatur.RoleHeading, catalogue.HeadingFetch, nil), named(imprimatur.RoleWhere, catalogue.FetchHost, "example.org")))), func(c *imprimatur.Card) { c.Calls[0].Effect = imprimatur.ReadOnly }),
		"two":        waiting("r", call(0, "update_page_metadata", `{"uid":1}`, lang, metadata(t, lang, field(catalogue.PageTitle, "a", "b"))), call(1, "attach_file_to_content_element", `{"file":7}`, lang, attachment(t, lang, 0))),
		"no preview": waiting("r", call(0, "shout", `{}`, lang, nil)),
		"failed":     with(waiting("r", call(0, "update_page_metadata", `{}`, lang, plain(imprimatur.RoleNotice, catalogue.CardFailed))), func(c *imprimatur.Card) { preview(c).Failed = true }),
		"withheld": with(waiting("r", call(0, "update_page_metadata", `{}`, lang, plain(imprimatur.RoleNotice, catalogue.CardWithheld))), func(c *imprimatur.Card) {
			preview(c).Withheld, c.PictureDigest, c.May.Approve, c.Refusal = true, "", false, imprimatur.CodePreviewWithheld
		}),
		"out of date": with(waiting("r", call(0, "update_page_metadata", `{}`, lang, plain(imprimatur.RoleNotice, catalogue.CardOutOfDate))), func(c *imprimatur.Card) {
			preview(c).OutOfDate, c.PictureDigest = true, ""
		}),
		"refusing": waiting("r", call(0, "update_page_metadata", `{}`, lang, []imprimatur.Line{{Role: imprimatur.RoleRefusal, Text: "This page is not there or not permitted."}})),
		"refused":  with(waiting("r", call(0, "update_page_metadata", `"{"`, lang, nil)), func(c *imprimatur.Card) { c.Calls[0].Refused = "cannot run" }),
		"unreadable": with(waiting("r"), func(c *imprimatur.Card) {
			c.Unreadable, c.Refusal, c.TurnDigest, c.May = true, imprimatur.CodeCorruptState, "", imprimatur.May{Cancel: true}
		}),
		"partly unreadable": with(one(), func(c *imprimatur.Card) { c.Unreadable = true }),
		"second person":     with(one(), func(c *imprimatur.Card) { c.Refusal, c.May.Approve = imprimatur.CodeSelfApproval, false }),
		"moved": with(waiting("r", call(0, "attach_file_to_content_element", `{}`, lang, attachment(t, lang, 1))), func(c *imprimatur.Card) {
			c.Calls[0].Stale, c.Calls[0].Was = imprimatur.MarkMoved, attachment(t, lang, 0)
			c.Ran = []imprimatur.Ran{{ID: "a", Tool: "update_page_metadata", OK: true}, {ID: "b", Tool: "shout"}}
		}),
		"restless":   with(one(), func(c *imprimatur.Card) { c.Calls[0].Stale, c.Calls[0].Restless = imprimatur.MarkChanged, true }),
		"every role": waiting("r", call(0, "x", `{}`, lang, everyRole())),
	}
	for _, kind := range markKinds {
		cards["back: "+string(kind)] = with(one(), func(c *imprimatur.Card) { c.Calls[0].Stale = kind })
	}
	for _, verdict := range []imprimatur.Verdict{imprimatur.Approve, imprimatur.Deny} {
		cards["record: "+string(verdict)] = with(one(), func(c *imprimatur.Card) {
			c.Status, c.TurnDigest, c.PictureDigest, c.May = imprimatur.StatusCompleted, "", "", imprimatur.May{}
			c.Decided = &imprimatur.Decided{By: imprimatur.By{ID: 9, Name: "Tom Weiß"}, Verdict: verdict, At: *at(time.Minute)}
		})
	}
	return cards
}

var markKinds = []imprimatur.MarkKind{
	imprimatur.MarkChanged, imprimatur.MarkFailed, imprimatur.MarkGone, imprimatur.MarkToolChanged, imprimatur.MarkMoved, imprimatur.MarkLost,
}

func everyRole() []imprimatur.Line {
	var all []imprimatur.Line
	for _, role := range []imprimatur.Role{
		imprimatur.RoleHeading, imprimatur.RoleObject, imprimatur.RoleWhere, imprimatur.RoleField, imprimatur.RoleConsequence, imprimatur.RoleWarning,
		imprimatur.RoleText, imprimatur.RoleCode, imprimatur.RoleRefusal, imprimatur.RoleNotice, imprimatur.RoleOverflow, imprimatur.RoleTechnical, "unheard-of",
	} {
		all = append(all, imprimatur.Line{Role: role, Text: "text of " + string(role)})
	}
	return all
}

// Proves field 94; tools 44.
func TestEveryPageIsWholeInEveryLanguage(t *testing.T) {
	t.Parallel()
	for _, lang := range []string{"en", "de", "fr"} {
		who := petra
		who.Lang = lang
		for _, lines := range []string{"en", "de"} {
			for name, card := range everyCard(t, lines) {
				t.Run(fmt.Sprintf("%s page, %s lines, %s", lang, lines, name), func(t *testing.T) {
					t.Parallel()
					d := &desk{cards: map[string]imprimatur.Card{"r": card}}
					a := newSite(t, d, session(who)).get("/runs/r")
					if a.StatusCode != http.StatusOK {
						t.Fatalf("status %d", a.StatusCode)
					}
					checkPage(t, a, lang)
				})
			}
		}
	}
}

func everyRun() map[string]imprimatur.Run {
	run := imprimatur.Run{ID: "r", Agent: "editor", Owner: imprimatur.By{ID: 3, Name: "Jana Roth"}, FinishedAt: at(time.Minute)}
	runs := map[string]imprimatur.Run{}
	for _, s := range []imprimatur.Status{imprimatur.StatusQueued, imprimatur.StatusRunning, imprimatur.StatusInput, imprimatur.StatusCompleted, imprimatur.StatusCancelled} {
		run.Status = s
		runs[string(s)] = run
	}
	for _, reason := range []imprimatur.Reason{
		imprimatur.ReasonCompleted, imprimatur.ReasonMaxIterations, imprimatur.ReasonBudget, imprimatur.ReasonProviderFailed, imprimatur.ReasonCancelled,
		imprimatur.ReasonRetriesExhausted, imprimatur.ReasonNotRetryable, imprimatur.ReasonOutcomeUnknown, imprimatur.ReasonAuditFailed,
	} {
		run.Status, run.Reason, run.Text, run.Truncated = imprimatur.StatusFailed, reason, "the end", true
		runs["failed: "+string(reason)] = run
	}
	return runs
}

func TestTheListAndEveryRunWithoutACardAreWholeInEveryLanguage(t *testing.T) {
	t.Parallel()
	full := imprimatur.List{Total: 9, Next: "more", Runs: []imprimatur.Run{{
		ID: "r", Status: imprimatur.StatusWaiting, Agent: "editor", Owner: imprimatur.By{ID: 3, Name: "Jana Roth"}, WaitingSince: at(3 * 24 * time.Hour),
		Tools: []string{"update_page_metadata", "shout", "shout", "a", "b", "c"}, Calls: 6, Back: true,
	}}}
	lists := map[string]func(imprimatur.Filter) (imprimatur.List, error){
		"nothing": nil,
		"full":    func(imprimatur.Filter) (imprimatur.List, error) { return full, nil },
		"broken":  func(imprimatur.Filter) (imprimatur.List, error) { return imprimatur.List{}, errors.New("disk on fire") },
	}
	for _, lang := range []string{"en", "de", "fr"} {
		who := petra
		who.Lang = lang
		for name, list := range lists {
			for _, path := range []string{"/", "/?q=x&back=1", "/?cursor=z"} {
				t.Run(lang+" "+name+" "+path, func(t *testing.T) {
					t.Parallel()
					checkPage(t, newSite(t, &desk{list: list}, session(who)).get(path), lang)
				})
			}
		}
		for name, run := range everyRun() {
			t.Run(lang+" "+name, func(t *testing.T) {
				t.Parallel()
				checkPage(t, newSite(t, &desk{runs: map[string]imprimatur.Run{"r": run}}, session(who)).get("/runs/r"), lang)
			})
		}
	}
}

// A language that sets spaces which no line breaks at keeps them: they are
// typography, and nothing that somebody hides.
func TestTheSpacesOfALanguageAreNotWrittenOut(t *testing.T) {
	t.Parallel()
	who := petra
	who.Lang = "fr"
	run := imprimatur.Run{ID: "r", Status: imprimatur.StatusWaiting, Agent: "editor", Owner: imprimatur.By{ID: 3, Name: "Jana Roth"}, WaitingSince: at(12 * time.Minute)}
	d := &desk{list: func(imprimatur.Filter) (imprimatur.List, error) {
		return imprimatur.List{Total: 1, Runs: []imprimatur.Run{run}}, nil
	}, cards: map[string]imprimatur.Card{"r": waiting("r", call(0, "shout", "{}", "fr", []imprimatur.Line{{Role: imprimatur.RoleText, Text: "Rien"}}))}}
	for _, path := range []string{"/", "/runs/r"} {
		a := newSite(t, d, session(who)).get(path)
		if text := body(t, a); !strings.Contains(text, "12 min") || strings.Contains(text, `\u{`) {
			t.Errorf("%s reads\n%s", path, text)
		}
	}
}

// A label stands beside its value, whatever a language sets between the two.
func TestALabelIsToldFromItsValueInEveryLanguage(t *testing.T) {
	t.Parallel()
	for _, lang := range []string{"en", "de", "fr"} {
		who := petra
		who.Lang = lang
		words := words(t).Printer(lang)
		want := words.Say(catalogue.WhereLanguage, nil) + words.Say(catalogue.LanguageDefault, nil)
		card := waiting("r", call(0, "update_page_metadata", "{}", lang, metadata(t, lang)))
		text := body(t, newSite(t, &desk{cards: map[string]imprimatur.Card{"r": card}}, session(who)).get("/runs/r"))
		if !strings.Contains(text, want) {
			t.Errorf("%s: %q does not stand in\n%s", lang, want, text)
		}
	}
}

// hostile are texts that try to be more than texts.
var hostile = []string{
	`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `</bdi></dl><form action=//evil><button>Approve</button>`, `' onmouseover='x`,
	`{{.Run}}`, `<!--`, `]]>`, `&lt;b&gt;`, `[click](javascript:alert(1))`, "a\x00b", `</textarea><script>`, `</title><script>`,
}

// Proves tools 132; field 78.
func TestNothingThatOthersWroteBecomesPartOfThePage(t *testing.T) {
	t.Parallel()
	bare := structure(t, cardOf(t, "plain"))
	for _, text := range hostile {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			a := cardOf(t, text)
			checkPage(t, a, "en")
			if got := structure(t, a); got != bare {
				t.Errorf("the text changed the page:\n%s\nwant\n%s", got, bare)
			}
		})
	}
}

// cardOf is the page of a card that says text wherever others can write.
func cardOf(t *testing.T, text string) answer {
	t.Helper()
	shown, _ := imprimatur.Bound([]imprimatur.Line{
		{Role: imprimatur.RoleObject, Text: text + ": " + text, Label: text},
		{Role: imprimatur.RoleField, Text: text + "!", Label: text, Current: "a" + text, Proposed: "b" + text},
		{Role: imprimatur.RoleConsequence, Text: text},
		{Role: imprimatur.RoleWarning, Text: text},
		{Role: imprimatur.RoleText, Text: text},
		{Role: imprimatur.RoleCode, Text: text},
		{Role: imprimatur.RoleTechnical, Text: text},
	})
	c := waiting("r", imprimatur.CardCall{
		ID: text, Tool: text, Effect: imprimatur.IdempotentWrite, Arguments: []byte(`"` + strings.NewReplacer(`"`, `\"`, "\x00", "").Replace(text) + `"`),
		Stale: imprimatur.MarkChanged, Was: []imprimatur.Line{{Role: imprimatur.RoleObject, Text: text}, {Role: imprimatur.RoleNotice, Text: text}},
		Preview: &imprimatur.CardPreview{Language: "de", Lines: shown},
	})
	c.Agent, c.Owner.Name, c.Words = text, text, imprimatur.BoundText(text, false)
	c.Ran = []imprimatur.Ran{{ID: text, Tool: text}}
	d := &desk{cards: map[string]imprimatur.Card{"r": c}, runs: map[string]imprimatur.Run{}}
	return newSite(t, d, session(petra)).get("/runs/r")
}

// structure is the elements of a page without what depends on its texts.
func structure(t *testing.T, a answer) string {
	t.Helper()
	var b strings.Builder
	for _, n := range all(a.page, func(n *html.Node) bool {
		return !slices.Contains([]string{"del", "ins"}, n.Data) && attr(n, "role") != "img" && (n.Parent == nil || attr(n.Parent, "role") != "img")
	}) {
		fmt.Fprintf(&b, "%s%d ", n.Data, len(n.Attr))
	}
	return b.String()
}

// Proves field 83.
func TestNoPageChangesAnything(t *testing.T) {
	t.Parallel()
	d := &desk{cards: map[string]imprimatur.Card{"r": edit(t, "r", "en")}}
	s := newSite(t, d, session(petra))
	for _, path := range []string{"/", "/runs/r", "/runs/r/decide", "/runs/r/cancel", "/runs/r/arguments/0", "/docs/refusals/finished", "/runs/r?verdict=approve&turn_digest=turn-digest&picture_digest=picture-digest"} {
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			r, err := http.NewRequest(method, path, nil)
			if err != nil {
				t.Fatal(err)
			}
			s.do(r)
		}
	}
	if n := d.count("decide") + d.count("cancel"); n != 0 {
		t.Errorf("%d decisions were taken by looking", n)
	}
	for _, r := range routes(t, d) {
		if method, path, _ := strings.Cut(r, " "); method != "GET" && method != "POST" || strings.HasSuffix(path, "cancel") && method != "POST" {
			t.Errorf("route %s", r)
		}
	}
}
