package inbox_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/inbox"
	"github.com/imprimatur-dev/imprimatur/internal/web"
)

// noon is the time it is in these tests.
var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func at(before time.Duration) *imprimatur.Time { return &imprimatur.Time{Time: noon.Add(-before)} }

var (
	petra = imprimatur.User{ID: 2, Name: "Petra Lang", Lang: "en", Enabled: true, Rights: imprimatur.Rights{Grants: []imprimatur.Grant{imprimatur.GrantApprove}}}
	jana  = imprimatur.User{ID: 3, Name: "Jana Roth", Lang: "de", Enabled: true}
)

func session(u imprimatur.User) imprimatur.Actor {
	return imprimatur.Actor{Credential: imprimatur.CredentialSession, User: u, Lang: u.Lang}
}

// desk is an engine of canned answers that writes down what it is asked.
type desk struct {
	mu       sync.Mutex
	cards    map[string]imprimatur.Card
	runs     map[string]imprimatur.Run
	list     func(imprimatur.Filter) (imprimatur.List, error)
	decide   func(run string, d imprimatur.Decision) (imprimatur.Run, error)
	cancel   func(run string) (imprimatur.Run, error)
	fault    error // of Card and Status
	asked    []string
	decision imprimatur.Decision
	wait     imprimatur.Wait
	found    imprimatur.Note
	refused  error // of Note
	events   []imprimatur.Event
	record   error // of Events
	filters  []imprimatur.Filter
}

func (d *desk) note(what string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.asked = append(d.asked, what)
}

func (d *desk) Waiting(_ context.Context, _ imprimatur.Actor, f imprimatur.Filter) (imprimatur.List, error) {
	d.note("waiting")
	d.mu.Lock()
	d.filters = append(d.filters, f)
	d.mu.Unlock()
	if d.list == nil {
		return imprimatur.List{}, nil
	}
	return d.list(f)
}

func (d *desk) Card(_ context.Context, _ imprimatur.Actor, run string) (imprimatur.Card, error) {
	d.note("card")
	c, ok := d.cards[run]
	switch {
	case d.fault != nil:
		return imprimatur.Card{}, d.fault
	case !ok:
		return imprimatur.Card{}, imprimatur.Refused(imprimatur.CodeNotFound, run)
	}
	return c, nil
}

func (d *desk) Status(_ context.Context, _ imprimatur.Actor, run string) (imprimatur.Run, error) {
	d.note("status")
	r, ok := d.runs[run]
	switch {
	case d.fault != nil:
		return imprimatur.Run{}, d.fault
	case !ok:
		return imprimatur.Run{}, imprimatur.Refused(imprimatur.CodeNotFound, run)
	}
	return r, nil
}

func (d *desk) Decide(_ context.Context, _ imprimatur.Actor, run string, decision imprimatur.Decision, w imprimatur.Wait) (imprimatur.Run, error) {
	d.note("decide")
	d.mu.Lock()
	d.decision, d.wait = decision, w
	d.mu.Unlock()
	return d.decide(run, decision)
}

func (d *desk) Cancel(_ context.Context, _ imprimatur.Actor, run string) (imprimatur.Run, error) {
	d.note("cancel")
	return d.cancel(run)
}

func (d *desk) Events(_ context.Context, _ imprimatur.Actor, _ string, after int64) ([]imprimatur.Event, error) {
	d.note("events")
	d.mu.Lock()
	defer d.mu.Unlock()
	var later []imprimatur.Event
	for _, e := range d.events {
		if e.Sequence > after {
			later = append(later, e)
		}
	}
	return later, d.record
}

func (d *desk) Note(_ context.Context, _ imprimatur.Actor, _ string, n imprimatur.Note) error {
	d.note("note")
	d.mu.Lock()
	defer d.mu.Unlock()
	d.found = n
	return d.refused
}

func (d *desk) count(what string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := 0
	for _, a := range d.asked {
		if a == what {
			n++
		}
	}
	return n
}

var _ inbox.Desk = (*desk)(nil)

// site is the inbox behind everything that stands before it in the program.
type site struct {
	t       *testing.T
	handler http.Handler
	actor   imprimatur.Actor
	auth    error
	lang    string // Accept-Language
	cookies []*http.Cookie
}

// texts are read once for all tests; a catalogue never changes.
var texts = sync.OnceValues(func() (*catalogue.Catalogue, error) { return catalogue.New(os.DirFS("../languages")) })

func words(t *testing.T) *catalogue.Catalogue {
	t.Helper()
	c, err := texts()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func newSite(t *testing.T, d inbox.Desk, who imprimatur.Actor, change ...func(*inbox.Config)) *site {
	t.Helper()
	s := &site{t: t, actor: who}
	config := inbox.Config{Desk: d}
	for _, c := range change {
		c(&config)
	}
	in, err := inbox.New(config)
	if err != nil {
		t.Fatal(err)
	}
	frame, err := web.New(web.Config{
		URL: "http://desk.example", Catalogue: words(t), Log: slog.New(slog.NewTextHandler(t.Output(), nil)),
		Authenticate: func(*http.Request) (imprimatur.Actor, error) { return s.actor, s.auth },
		Zone:         time.UTC, Now: func() time.Time { return noon },
	})
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	frame.Mount(mux, in.Routes()...)
	frame.Mount(mux, frame.Routes()...)
	s.handler = frame.Guard(mux)
	return s
}

// answer is what came back, read.
type answer struct {
	*http.Response
	text string
	page *html.Node
}

func (s *site) do(r *http.Request) answer {
	s.t.Helper()
	if s.lang != "" {
		r.Header.Set("Accept-Language", s.lang)
	}
	for _, c := range s.cookies {
		r.AddCookie(c)
	}
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	a := answer{Response: w.Result(), text: w.Body.String()}
	if strings.HasPrefix(a.Header.Get("Content-Type"), "text/html") && a.text != "" {
		a.page = parse(s.t, a.text)
	}
	return a
}

func (s *site) get(path string) answer {
	s.t.Helper()
	return s.do(httptest.NewRequest(http.MethodGet, path, nil))
}

func (s *site) post(path string, form url.Values) answer {
	s.t.Helper()
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	return s.do(r)
}

// lines prints texts as the engine does.
func lines(t *testing.T, lang string, described ...imprimatur.Text) []imprimatur.Line {
	t.Helper()
	bounded, cut := imprimatur.Bound(words(t).Printer(lang).Lines(described))
	if cut > 0 {
		t.Fatal("a fixture is too long")
	}
	return bounded
}

type values = map[string]any

func line(role imprimatur.Role, label imprimatur.Label, v values) imprimatur.Text {
	return imprimatur.Text{Role: role, Phrase: imprimatur.Phrase{Label: label, Values: v}}
}

func named(role imprimatur.Role, name imprimatur.Label, value any) imprimatur.Text {
	return line(role, catalogue.NamedLine, values{"name": imprimatur.Phrase{Label: name}, "value": value})
}

func field(name imprimatur.Label, current, proposed string) imprimatur.Text {
	return line(imprimatur.RoleField, catalogue.FieldChange, values{"name": imprimatur.Phrase{Label: name}, "current": catalogue.Quoted(current), "proposed": catalogue.Quoted(proposed)})
}

func technical(parts ...imprimatur.Phrase) imprimatur.Text {
	return line(imprimatur.RoleTechnical, catalogue.TechnicalDetails, values{"parts": parts})
}

func record(table, uid string) imprimatur.Phrase {
	return imprimatur.Phrase{Label: catalogue.TechnicalRecord, Values: values{"table": table, "uid": uid}}
}

func verbatim(role imprimatur.Role, text string) imprimatur.Text {
	return line(role, imprimatur.LabelVerbatim, values{"text": text})
}

// metadata is the preview of a change of page details.
func metadata(t *testing.T, lang string, fields ...imprimatur.Text) []imprimatur.Line {
	described := slices.Concat([]imprimatur.Text{
		line(imprimatur.RoleHeading, catalogue.HeadingPageMetadata, nil),
		named(imprimatur.RoleObject, catalogue.ObjectPage, catalogue.Quoted("Über uns")),
		named(imprimatur.RoleWhere, catalogue.WhereLanguage, imprimatur.Phrase{Label: catalogue.LanguageDefault}),
	}, fields, []imprimatur.Text{
		verbatim(imprimatur.RoleConsequence, map[string]string{"en": "Public at once", "de": "Sofort öffentlich"}[lang]),
		technical(record("pages", "42"), imprimatur.Phrase{Label: catalogue.TechnicalLanguage, Values: values{"uid": 0}}),
	})
	return lines(t, lang, described...)
}

// attachment is the preview of one more picture where there are n.
func attachment(t *testing.T, lang string, n int) []imprimatur.Line {
	return lines(t, lang,
		line(imprimatur.RoleHeading, catalogue.HeadingAttachFile, nil),
		named(imprimatur.RoleObject, catalogue.ObjectContent, catalogue.Quoted("Öffnungszeiten")),
		named(imprimatur.RoleWhere, catalogue.WhereLocation, imprimatur.Phrase{Label: catalogue.OnPage, Values: values{"page": catalogue.Quoted("Besuch")}}),
		named(imprimatur.RoleWhere, catalogue.WhereField, "Bilder"),
		line(imprimatur.RoleField, catalogue.AttachCount, values{"name": imprimatur.Phrase{Label: catalogue.AttachFilesName}, "current": n, "proposed": n + 1}),
		line(imprimatur.RoleField, catalogue.AttachNewFile, values{"name": imprimatur.Phrase{Label: catalogue.AttachNewFileName}, "proposed": catalogue.Quoted("faehre.jpg"), "path": "media:/haus/faehre.jpg"}),
		verbatim(imprimatur.RoleConsequence, map[string]string{"en": "Public at once", "de": "Sofort öffentlich"}[lang]),
		technical(record("content", "40"), imprimatur.Phrase{Label: catalogue.TechnicalFile, Values: values{"uid": 7}}),
	)
}

// call is a pending call with its preview.
func call(index int, tool string, arguments string, lang string, shown []imprimatur.Line) imprimatur.CardCall {
	c := imprimatur.CardCall{
		Index: index, ID: "call-1-" + string(rune('1'+index)), Tool: tool, Effect: imprimatur.NonIdempotentWrite, Arguments: json.RawMessage(arguments),
	}
	if shown != nil {
		c.Preview = &imprimatur.CardPreview{Language: lang, Lines: shown}
		if shown[0].Role == imprimatur.RoleHeading {
			c.Title = shown[0].Text
		}
	}
	return c
}

// waiting is a card that waits for a decision.
func waiting(run string, calls ...imprimatur.CardCall) imprimatur.Card {
	return imprimatur.Card{
		Run: run, Status: imprimatur.StatusWaiting, Agent: "editor", Owner: imprimatur.By{ID: jana.ID, Name: jana.Name},
		WaitingSince: at(12 * time.Minute), TurnDigest: "turn-digest", PictureDigest: "picture-digest",
		May: imprimatur.May{Approve: true, Deny: true}, Calls: calls,
	}
}

// edit is a card with one small change.
func edit(t *testing.T, run, lang string) imprimatur.Card {
	return waiting(run, call(0, "update_page_metadata", `{"title":"Über das Museum","uid":42}`, lang, metadata(t, lang, field(catalogue.PageTitle, "Über uns", "Über das Museum"))))
}

// parse checks a page as a browser's parser sees it, and returns it.
func parse(t *testing.T, text string) *html.Node {
	t.Helper()
	page, err := html.Parse(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return page
}

// all finds the elements for which fits holds.
func all(n *html.Node, fits func(*html.Node) bool) []*html.Node {
	var found []*html.Node
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && fits(d) {
			found = append(found, d)
		}
	}
	return found
}

func element(name string) func(*html.Node) bool {
	return func(n *html.Node) bool { return n.Data == name }
}

func class(name string) func(*html.Node) bool {
	return func(n *html.Node) bool { return slices.Contains(strings.Fields(attr(n, "class")), name) }
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func has(n *html.Node, name string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == name })
}

// content is the text of an element, its white space collapsed.
func content(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// one is the only element for which fits holds.
func one(t *testing.T, n *html.Node, fits func(*html.Node) bool) *html.Node {
	t.Helper()
	found := all(n, fits)
	if len(found) != 1 {
		t.Fatalf("%d elements, want 1", len(found))
	}
	return found[0]
}

// routes lists the patterns of the inbox.
func routes(t *testing.T, d inbox.Desk) []string {
	t.Helper()
	in, err := inbox.New(inbox.Config{Desk: d})
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, r := range in.Routes() {
		all = append(all, r.Pattern)
	}
	return all
}
