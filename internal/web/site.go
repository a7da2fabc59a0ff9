// Package web is what all surfaces over HTTP share: who is asking, in which
// language they read, what a browser may do with a page, the frame of every
// page, and the one place where an error becomes an answer.
package web

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/internal/lang"
)

// Authenticate finds out who is asking. Nobody is a *imprimatur.Refusal of code
// unauthenticated; any other error is a fault. The actor's Lang is the language
// of their pages, already chosen.
type Authenticate func(*http.Request) (imprimatur.Actor, error)

// Config is what a Site needs.
type Config struct {
	URL          string               // public address without a path; required
	Catalogue    *catalogue.Catalogue // required
	Authenticate Authenticate         // required
	Log          *slog.Logger         // nil: the default logger
	Zone         *time.Location       // of times on pages; nil: the machine's
	Now          func() time.Time     // for "12 minutes ago"; nil: the machine's clock
	Patience     time.Duration        // how long a client may take to send a body; 0: half a minute
}

// bodyPatience is long enough for the largest body over a bad line.
const bodyPatience = 30 * time.Second

// Site answers requests of people. It never changes after New.
type Site struct {
	answers      Answers
	catalogue    *catalogue.Catalogue
	authenticate Authenticate
	zone         *time.Location
	now          func() time.Time
	patience     time.Duration
	stylesheet   string
	icon         string
	refusal      *Template
	document     *Template
}

// New checks the configuration.
func New(c Config) (*Site, error) {
	u, err := url.Parse(c.URL)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return nil, fmt.Errorf("public address %q: not an http or https address", c.URL)
	case strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "":
		return nil, fmt.Errorf("public address %q: has more than a host", c.URL)
	case c.Catalogue == nil || c.Authenticate == nil:
		return nil, errors.New("web: a catalogue and a way to authenticate are needed")
	}
	s := &Site{
		answers:   Answers{URL: u.Scheme + "://" + u.Host, Log: cmp.Or(c.Log, slog.Default())},
		catalogue: c.Catalogue, authenticate: c.Authenticate, zone: cmp.Or(c.Zone, time.Local), now: c.Now,
		patience: cmp.Or(c.Patience, bodyPatience),
	}
	if s.now == nil {
		s.now = time.Now
	}
	if s.stylesheet, err = address("imprimatur.css"); err != nil {
		return nil, fmt.Errorf("stylesheet: %w", err)
	}
	if s.icon, err = address("seal.svg"); err != nil {
		return nil, fmt.Errorf("icon: %w", err)
	}
	if s.refusal, err = Parse(own, "page/refusal.tmpl"); err != nil {
		return nil, err
	}
	if s.document, err = Parse(own, "page/document.tmpl"); err != nil {
		return nil, err
	}
	return s, nil
}

// Route is one row of a room's table of routes.
type Route struct {
	Pattern string // "GET /runs/{id}"; GET also answers HEAD, and neither changes anything
	Open    bool   // nobody needs to be signed in
	Handle  func(http.ResponseWriter, *http.Request, *Visit) error
}

// Visit is one request of a page: who is asking, and the words they read. On
// an open route the actor may be nobody.
type Visit struct {
	Actor imprimatur.Actor
	Words *catalogue.Printer
	site  *Site
}

// Mount adds the routes of a room to mux.
func (s *Site) Mount(mux *http.ServeMux, routes ...Route) {
	for _, r := range routes {
		mux.Handle(r.Pattern, s.serve(r))
	}
}

// Routes are the pages the site itself has: stylesheet, icon, and one page for
// each refusal.
func (s *Site) Routes() []Route {
	return []Route{
		{"GET /asset/{file}", true, asset},
		{"GET /docs/refusals/{code}", true, s.refusalDocument},
	}
}

// toLogin is where a visitor signs in who asked for a page of people, and who
// is led back to it then.
func toLogin(r *http.Request) string {
	if r.URL.Path == "/" {
		return "/login"
	}
	return "/login?" + url.Values{"next": {r.URL.EscapedPath()}}.Encode()
}

// serve turns a route into a handler. Only people reach pages.
func (s *Site) serve(route Route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v, err := s.visit(r, route.Open)
		if err == nil {
			err = route.Handle(w, r, v)
		}
		var nobody *imprimatur.Refusal
		switch {
		case err == nil:
		case errors.As(err, &nobody) && nobody.Code == imprimatur.CodeUnauthenticated && (r.Method == http.MethodGet || r.Method == http.MethodHead):
			http.Redirect(w, r, toLogin(r), http.StatusSeeOther)
		default:
			s.Fail(w, r, err)
		}
	})
}

func (s *Site) visit(r *http.Request, open bool) (*Visit, error) {
	actor, err := s.authenticate(r)
	var no *imprimatur.Refusal
	switch {
	case open && errors.As(err, &no):
		return s.visitor(imprimatur.Actor{}, r), nil
	case err != nil:
		return nil, err
	case actor.Person():
		return s.visitor(actor, r), nil
	case open:
		return s.visitor(imprimatur.Actor{}, r), nil
	case actor.Credential == imprimatur.CredentialAgent:
		return nil, &imprimatur.Refusal{Code: imprimatur.CodeOwnCredential}
	default:
		return nil, &imprimatur.Refusal{Code: imprimatur.CodeAccessDenied}
	}
}

func (s *Site) visitor(actor imprimatur.Actor, r *http.Request) *Visit {
	return &Visit{Actor: actor, Words: s.Words(actor, r), site: s}
}

// Words prints in the language of the actor, else in the one the browser asks
// for, else in English.
func (s *Site) Words(actor imprimatur.Actor, r *http.Request) *catalogue.Printer {
	return s.catalogue.Printer(Language(actor.Lang, r, s.catalogue.Languages()))
}

// Language chooses among the languages there are: the one a person set, else
// the one their browser prefers, else English. Account uses it to fill in an
// actor's Lang.
func Language(setting string, r *http.Request, have []string) string {
	return cmp.Or(lang.Match(setting, have), lang.Preferred(r.Header.Get("Accept-Language"), have), catalogue.English)
}

// Printer prints in a language of the visitor's choice, as Catalogue.Printer.
func (v *Visit) Printer(language string) *catalogue.Printer {
	return v.site.catalogue.Printer(language)
}

// Warn logs that something on a page is missing which the page can do without.
func (v *Visit) Warn(ctx context.Context, what string, err error) {
	v.site.answers.Log.WarnContext(ctx, "part of a page is missing", slog.String("what", what), slog.Any("error", err))
}
