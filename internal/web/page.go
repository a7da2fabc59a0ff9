package web

import (
	"bytes"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"time"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
)

// Template is one page inside the frame that all pages have.
type Template struct{ parsed *template.Template }

// Parse reads a page and its partials. The first file defines "main".
func Parse(files fs.FS, names ...string) (*Template, error) {
	t, err := template.New("frame").Option("missingkey=error").ParseFS(own, "page/_*.tmpl")
	if err != nil {
		return nil, fmt.Errorf("parse frame of pages: %w", err)
	}
	if t, err = t.ParseFS(files, names...); err != nil {
		return nil, fmt.Errorf("parse page %s: %w", names[0], err)
	}
	return &Template{t}, nil
}

// Page is what every page has; the struct of a page embeds it.
type Page struct {
	Title      string // begins with the state
	Lang       string
	Stylesheet string
	Icon       string
	Zone       string // of the times on the page
	Me         string // who is signed in; empty: nobody
	Pending    int    // runs that wait for this person; -1: not known
	Inbox      bool   // this page is the inbox
	Strip      *Strip
	words      *catalogue.Printer
}

// Strip is a line above a page with one button, for those who show the program
// to somebody. The button posts Run to Action.
type Strip struct {
	Text   string
	Action string // a path of this site
	Run    string
	Button string // empty: no button
}

// Page begins a page.
func (v *Visit) Page(title string) Page {
	return Page{
		Title: title, Lang: v.Words.Lang(), Me: v.Actor.User.Name, Pending: -1, words: v.Words,
		Stylesheet: v.site.stylesheet, Icon: v.site.icon,
		Zone: v.site.now().In(v.site.zone).Format("MST (UTC-07:00)"),
	}
}

// Say prints a text of the catalogue, its values given as "name", value, ….
func (p Page) Say(label string, list ...any) (string, error) {
	values, err := pairs(list)
	if err != nil {
		return "", fmt.Errorf("text %s: %w", label, err)
	}
	for name, v := range values {
		if s, ok := v.(string); ok {
			values[name] = imprimatur.Visible(s)
		}
	}
	return p.words.Say(imprimatur.Label(label), values), nil
}

// Mix is Say for a text with values that others wrote; the template "text"
// shows it.
func (p Page) Mix(label string, list ...any) ([]Span, error) {
	values, err := pairs(list)
	if err != nil {
		return nil, fmt.Errorf("text %s: %w", label, err)
	}
	return Mix(p.words, imprimatur.Label(label), values), nil
}

// Raw shows a text that others wrote; the template "bits" shows it.
func (p Page) Raw(text string) []Bit { return Raw(p.words, text) }

// Render answers with a page. The page is finished before a byte of it is
// sent; an error means that nothing was.
func (v *Visit) Render(w http.ResponseWriter, r *http.Request, status int, t *Template, page any) error {
	var out bytes.Buffer
	if err := t.parsed.ExecuteTemplate(&out, "frame", page); err != nil {
		return fmt.Errorf("render page: %w", err)
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Language", v.Words.Lang())
	w.Header().Add("Vary", "Accept-Language, Cookie")
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = out.WriteTo(w) // the caller may be gone; there is nobody else to tell
	}
	return nil
}

// Moment is a point in time as a page shows it.
type Moment struct {
	ISO   string             // for machines
	Exact string             // in the zone of the site
	Ago   imprimatur.Escaped // how long ago, in one unit: words of the catalogue
}

// Moment prints a time for people; nil gives nil.
func (v *Visit) Moment(t *imprimatur.Time) *Moment {
	if t == nil || t.IsZero() {
		return nil
	}
	layout := v.Words.Say("ui.time.layout", nil)
	return &Moment{
		ISO: t.UTC().Format(time.RFC3339), Exact: t.In(v.site.zone).Format(layout),
		Ago: ago(v.Words, v.site.now().Sub(t.Time)),
	}
}

// ago says how long something has been so.
func ago(words *catalogue.Printer, d time.Duration) imprimatur.Escaped {
	say := func(unit string, n time.Duration) imprimatur.Escaped {
		return imprimatur.Escaped(words.Say(imprimatur.Label("ui.age."+unit), map[string]any{"count": int(d / n)}))
	}
	const day = 24 * time.Hour
	switch {
	case d < time.Minute:
		return imprimatur.Escaped(words.Say("ui.age.now", nil))
	case d < time.Hour:
		return say("minutes", time.Minute)
	case d < day:
		return say("hours", time.Hour)
	default:
		return say("days", day)
	}
}

// Decided is who decided, as a page shows it.
type Decided struct {
	By      string
	Verdict imprimatur.Verdict
	Mine    bool // whoever reads the page decided
	At      *Moment
}

// Decided prints a decision for people; nil gives nil.
func (v *Visit) Decided(d *imprimatur.Decided) *Decided {
	if d == nil {
		return nil
	}
	return &Decided{By: d.By.Name, Verdict: d.Verdict, Mine: d.By.ID != 0 && d.By.ID == v.Actor.User.ID, At: v.Moment(&d.At)}
}
