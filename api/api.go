// Package api is the desk as JSON over HTTP: what the pages do, for programs.
//
// Every route stands in the one table of routes.go. A request goes the same
// way on each of them: cross-origin check, who is asking, what exactly is
// asked, the engine's verb, the answer. Whatever is refused on the way leaves
// as application/problem+json by one function.
package api

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/internal/web"
)

// Prefix is where the routes hang.
const Prefix = "/api/v1"

// Bounds of requests.
const (
	maxBody = 1 << 20 // bytes of a body
	maxKey  = 255     // characters of an idempotency key
	maxList = 200     // runs of one page of a list
	// maxEvents is how many events the engine gives in one answer.
	maxEvents = 1000
)

// maxHeartbeat keeps proxies from closing a quiet stream.
const maxHeartbeat = 15 * time.Second

// Engine is what the API asks of the engine. Each verb judges the actor
// itself; the API adds no rights and takes none.
type Engine interface {
	Run(ctx context.Context, actor imprimatur.Actor, start imprimatur.Start, wait imprimatur.Wait) (imprimatur.Run, error)
	Enqueue(ctx context.Context, actor imprimatur.Actor, start imprimatur.Start, wait imprimatur.Wait) (imprimatur.Run, error)
	Decide(ctx context.Context, actor imprimatur.Actor, run string, d imprimatur.Decision, wait imprimatur.Wait) (imprimatur.Run, error)
	Cancel(ctx context.Context, actor imprimatur.Actor, run string) (imprimatur.Run, error)
	Note(ctx context.Context, actor imprimatur.Actor, run string, note imprimatur.Note) error
	Status(ctx context.Context, actor imprimatur.Actor, run string) (imprimatur.Run, error)
	Card(ctx context.Context, actor imprimatur.Actor, run string) (imprimatur.Card, error)
	// Events returns the events whose sequence is greater than after, ascending.
	Events(ctx context.Context, actor imprimatur.Actor, run string, after int64) ([]imprimatur.Event, error)
	Waiting(ctx context.Context, actor imprimatur.Actor, filter imprimatur.Filter) (imprimatur.List, error)
	Tools(ctx context.Context, actor imprimatur.Actor, agent string) ([]imprimatur.OfferedTool, error)
	// Watch sends the ids of changed runs that the actor may see and closes the
	// channel when ctx ends.
	Watch(ctx context.Context, actor imprimatur.Actor) (<-chan string, error)
}

// Config is what the API is made of. All fields but the last are required.
// The handler belongs behind the guard of the same site, which refuses what
// comes from another one.
type Config struct {
	Engine       Engine
	Authenticate web.Authenticate
	Site         *web.Site // turns errors into problems
	URL          string    // public address, without a slash at the end
	Log          *slog.Logger
	Heartbeat    time.Duration // of GET /events; 0: 10 seconds; at most 15
}

func (c Config) check() error {
	switch {
	case c.Engine == nil:
		return errors.New("api: no engine")
	case c.Authenticate == nil:
		return errors.New("api: nobody authenticates")
	case c.Site == nil:
		return errors.New("api: no site")
	case c.Log == nil:
		return errors.New("api: no logger")
	case c.Heartbeat < 0 || c.Heartbeat > maxHeartbeat:
		return errors.New("api: a heartbeat is at most 15 seconds")
	}
	return nil
}

type surface struct {
	Config
	mux      *http.ServeMux
	document []byte // OpenAPI
}

// New returns the handler of Prefix and of /openapi.json. The error names what
// is wrong with cfg.
func New(cfg Config) (http.Handler, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	cfg.Heartbeat = cmp.Or(cfg.Heartbeat, maxHeartbeat*2/3)
	s := &surface{Config: cfg, mux: http.NewServeMux()}
	var err error
	if s.document, err = s.mount(s.mux); err != nil {
		return nil, err
	}
	s.mux.HandleFunc("GET /openapi.json", s.openapi)
	return s, nil
}

// Document returns the OpenAPI 3.1 document, indented.
func Document() ([]byte, error) { return new(surface).mount(http.NewServeMux()) }

func (s *surface) openapi(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/openapi+json")
	_, _ = w.Write(s.document) // a client that is gone needs no answer
}

// ServeHTTP implements http.Handler.
func (s *surface) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Cache-Control", "private, no-cache")
	h.Set("Vary", "Authorization, Cookie, Accept, Accept-Language")
	if unmatched, pattern := s.mux.Handler(r); pattern == "" {
		s.noRoute(w, r, unmatched)
		return
	}
	s.mux.ServeHTTP(w, r)
}

// noRoute answers for a path or a method that is no route, in the form of
// every other error. unmatched is what the mux would have answered with; no
// refusal stands for a wrong method, so that problem names none.
func (s *surface) noRoute(w http.ResponseWriter, r *http.Request, unmatched http.Handler) {
	listen := listener{header: http.Header{}}
	unmatched.ServeHTTP(&listen, r)
	if listen.status != http.StatusMethodNotAllowed {
		s.fail(w, r, &imprimatur.Refusal{Code: imprimatur.CodeNotFound, Detail: "no such address"})
		return
	}
	allow := listen.header.Get("Allow")
	body, err := encode(web.Problem{
		Type: "about:blank", Title: http.StatusText(listen.status), Status: listen.status, Detail: "this address allows " + allow,
	})
	if err != nil {
		s.fail(w, r, err)
		return
	}
	w.Header().Set("Allow", allow)
	w.Header().Set("Content-Type", web.ProblemType)
	w.WriteHeader(listen.status)
	_, _ = w.Write(body) // a client that is gone needs no answer
}

// fail answers with an error. It is the one way out for all of them.
func (s *surface) fail(w http.ResponseWriter, r *http.Request, err error) {
	var no *imprimatur.Refusal
	if errors.As(err, &no) && no.Card != nil {
		tidied := *no
		card := *no.Card
		tidyCard(&card)
		tidied.Card = &card
		err = &tidied
	}
	s.Site.Fail(w, r, err)
}

// listener hears status and headers of an answer that nobody is sent.
type listener struct {
	header http.Header
	status int
}

func (l *listener) Header() http.Header         { return l.header }
func (l *listener) WriteHeader(code int)        { l.status = code }
func (l *listener) Write(b []byte) (int, error) { return len(b), nil }
