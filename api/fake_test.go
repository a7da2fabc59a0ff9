package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/api"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/internal/web"
)

// fake answers as told and remembers what it was asked.
type fake struct {
	mu    sync.Mutex
	asked []asked

	run    imprimatur.Run
	err    error
	card   imprimatur.Card
	events []imprimatur.Event
	list   imprimatur.List
	tools  []imprimatur.OfferedTool
	watch  chan string

	begun string            // id told to Wait.Begun; empty: not told
	steps []imprimatur.Step // told to Wait.Step
	late  chan func(imprimatur.Step)
	tardy chan func(string) // gets Wait.Begun
}

type asked struct {
	Verb     string
	Actor    string
	Run      string
	Start    imprimatur.Start
	Decision imprimatur.Decision
	Note     imprimatur.Note
	Filter   imprimatur.Filter
	Wait     time.Duration
	After    int64
	Agent    string
}

func (f *fake) ask(a asked) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked = append(f.asked, a)
}

// last is what was asked last; the zero value when nothing was.
func (f *fake) last() asked {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.asked) == 0 {
		return asked{}
	}
	return f.asked[len(f.asked)-1]
}

func (f *fake) segment(wait imprimatur.Wait) (imprimatur.Run, error) {
	if f.begun != "" && wait.Begun != nil {
		wait.Begun(f.begun)
	}
	for _, s := range f.steps {
		if wait.Step != nil {
			wait.Step(s)
		}
	}
	if f.tardy != nil {
		f.tardy <- wait.Begun
	}
	if f.late != nil {
		f.late <- wait.Step
	}
	return f.run, f.err
}

func (f *fake) Run(_ context.Context, a imprimatur.Actor, s imprimatur.Start, w imprimatur.Wait) (imprimatur.Run, error) {
	f.ask(asked{Verb: "run", Actor: a.User.Name, Start: s, Wait: w.For})
	return f.segment(w)
}

func (f *fake) Enqueue(_ context.Context, a imprimatur.Actor, s imprimatur.Start, w imprimatur.Wait) (imprimatur.Run, error) {
	f.ask(asked{Verb: "enqueue", Actor: a.User.Name, Start: s, Wait: w.For})
	return f.segment(w)
}

func (f *fake) Decide(_ context.Context, a imprimatur.Actor, run string, d imprimatur.Decision, w imprimatur.Wait) (imprimatur.Run, error) {
	f.ask(asked{Verb: "decide", Actor: a.User.Name, Run: run, Decision: d, Wait: w.For})
	return f.segment(w)
}

func (f *fake) Cancel(_ context.Context, a imprimatur.Actor, run string) (imprimatur.Run, error) {
	f.ask(asked{Verb: "cancel", Actor: a.User.Name, Run: run})
	return f.run, f.err
}

func (f *fake) Note(_ context.Context, a imprimatur.Actor, run string, n imprimatur.Note) error {
	f.ask(asked{Verb: "note", Actor: a.User.Name, Run: run, Note: n})
	return f.err
}

func (f *fake) Status(_ context.Context, a imprimatur.Actor, run string) (imprimatur.Run, error) {
	f.ask(asked{Verb: "status", Actor: a.User.Name, Run: run})
	return f.run, f.err
}

func (f *fake) Card(_ context.Context, a imprimatur.Actor, run string) (imprimatur.Card, error) {
	f.ask(asked{Verb: "card", Actor: a.User.Name, Run: run})
	return f.card, f.err
}

func (f *fake) Events(_ context.Context, a imprimatur.Actor, run string, after int64) ([]imprimatur.Event, error) {
	f.ask(asked{Verb: "events", Actor: a.User.Name, Run: run, After: after})
	return f.events, f.err
}

func (f *fake) Waiting(_ context.Context, a imprimatur.Actor, filter imprimatur.Filter) (imprimatur.List, error) {
	f.ask(asked{Verb: "list", Actor: a.User.Name, Filter: filter})
	return f.list, f.err
}

func (f *fake) Tools(_ context.Context, a imprimatur.Actor, agent string) ([]imprimatur.OfferedTool, error) {
	f.ask(asked{Verb: "tools", Actor: a.User.Name, Agent: agent})
	return f.tools, f.err
}

func (f *fake) Watch(_ context.Context, a imprimatur.Actor) (<-chan string, error) {
	f.ask(asked{Verb: "watch", Actor: a.User.Name})
	return f.watch, f.err
}

const address = "https://desk.example.org"

// serve returns a server of the API, behind the guard, over f. The token
// "jana" is Jana's.
func serve(t *testing.T, f *fake) *httptest.Server {
	t.Helper()
	words, err := catalogue.New()
	if err != nil {
		t.Fatal(err)
	}
	who := func(r *http.Request) (imprimatur.Actor, error) {
		if r.Header.Get("Authorization") != "Bearer jana" {
			return imprimatur.Actor{}, &imprimatur.Refusal{Code: imprimatur.CodeUnauthenticated}
		}
		return imprimatur.Actor{
			Credential: imprimatur.CredentialPerson, Lang: "en",
			User: imprimatur.User{ID: 1, Name: "jana", Enabled: true},
		}, nil
	}
	log := slog.New(slog.DiscardHandler)
	site, err := web.New(web.Config{URL: address, Catalogue: words, Authenticate: who, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	handler, err := api.New(api.Config{
		Engine: f, Authenticate: who, Site: site, URL: address, Log: log, Heartbeat: 20 * time.Millisecond,
	})
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle(api.Prefix+"/", handler)
	mux.Handle("/openapi.json", handler)
	server := httptest.NewServer(site.Guard(mux))
	t.Cleanup(server.Close)
	return server
}

// answer is what came back.
type answer struct {
	status int
	header http.Header
	body   []byte
}

func (a answer) problem(t *testing.T) web.Problem {
	t.Helper()
	if got := a.header.Get("Content-Type"); got != "application/problem+json" {
		t.Fatalf("media type %q with status %d, want a problem; body %.200s", got, a.status, a.body)
	}
	var p web.Problem
	if err := json.Unmarshal(a.body, &p); err != nil {
		t.Fatalf("problem: %v", err)
	}
	if p.Status != a.status {
		t.Errorf("the problem says %d, the answer %d", p.Status, a.status)
	}
	return p
}

// request is one request; headers are "Name: value".
type request struct {
	method, path, body string
	headers            []string
	anonymous          bool
}

func do(t *testing.T, server *httptest.Server, q request) answer {
	t.Helper()
	var body io.Reader
	if q.body != "" {
		body = strings.NewReader(q.body)
	}
	r, err := http.NewRequestWithContext(t.Context(), q.method, server.URL+q.path, body)
	if err != nil {
		t.Fatal(err)
	}
	if q.body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if !q.anonymous {
		r.Header.Set("Authorization", "Bearer jana")
	}
	for _, h := range q.headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
	}
	resp, err := server.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var b bytes.Buffer
	if _, err := b.ReadFrom(resp.Body); err != nil {
		t.Fatal(err)
	}
	return answer{resp.StatusCode, resp.Header, b.Bytes()}
}
