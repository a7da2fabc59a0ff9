// Package inbox is where people decide: what waits for them, the card that
// shows what a run would change, the decision, and what came of it. Every page
// is complete without a script.
package inbox

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"time"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/internal/web"
)

// Desk is what the inbox asks of the engine. Each verb judges the actor
// itself; a run that the actor may not see is a refusal of code not_found.
type Desk interface {
	Waiting(ctx context.Context, actor imprimatur.Actor, filter imprimatur.Filter) (imprimatur.List, error)
	Card(ctx context.Context, actor imprimatur.Actor, run string) (imprimatur.Card, error)
	Status(ctx context.Context, actor imprimatur.Actor, run string) (imprimatur.Run, error)
	Decide(ctx context.Context, actor imprimatur.Actor, run string, decision imprimatur.Decision, wait imprimatur.Wait) (imprimatur.Run, error)
	Cancel(ctx context.Context, actor imprimatur.Actor, run string) (imprimatur.Run, error)
	Events(ctx context.Context, actor imprimatur.Actor, run string, after int64) ([]imprimatur.Event, error)
	Note(ctx context.Context, actor imprimatur.Actor, run string, note imprimatur.Note) error
}

// Strip is a line above the pages of the inbox with one button, for those who
// show the program to somebody. The texts are printed as they are; the button
// posts the field "run" to Action, whose handler is the caller's.
type Strip struct {
	Text   string
	Action string // a path of this site
	Button string // empty: no button
}

// Config is what an Inbox needs.
type Config struct {
	Desk   Desk          // required
	Secure bool          // the public address is https: cookies are bound to it
	Wait   time.Duration // for the outcome of a decision; 0: ten seconds
	// Strip says what stands above a page that this actor sees; run is the id of
	// the run the page shows, empty on the list. Nil, or false: nothing.
	Strip func(ctx context.Context, actor imprimatur.Actor, run string) (Strip, bool)
}

// Inbox is the pages. It never changes after New.
type Inbox struct {
	Config
	list, run, arguments *web.Template
}

//go:embed all:page
var pages embed.FS

// New checks the configuration and reads the templates.
func New(c Config) (*Inbox, error) {
	if c.Desk == nil {
		return nil, errors.New("inbox: no desk")
	}
	c.Wait = cmp.Or(c.Wait, 10*time.Second)
	in := &Inbox{Config: c}
	var err error
	if in.list, err = web.Parse(pages, "page/list.tmpl", "page/_parts.tmpl"); err != nil {
		return nil, err
	}
	if in.run, err = web.Parse(pages, "page/run.tmpl", "page/_parts.tmpl", "page/_card.tmpl", "page/_lines.tmpl", "page/_form.tmpl"); err != nil {
		return nil, err
	}
	if in.arguments, err = web.Parse(pages, "page/arguments.tmpl"); err != nil {
		return nil, err
	}
	return in, nil
}

// Routes is every page and every button of the inbox.
func (in *Inbox) Routes() []web.Route {
	return []web.Route{
		{Pattern: "GET /{$}", Handle: in.showList},

		{Pattern: "GET /runs/{id}", Handle: in.showRun},
		{Pattern: "GET /runs/{id}/arguments/{call}", Handle: in.showArguments},
		{Pattern: "GET /runs/{id}/events.jsonl", Handle: in.exportEvents},
		{Pattern: "GET /runs/{id}/decide", Handle: in.backToRun},
		{Pattern: "POST /runs/{id}/decide", Handle: in.decide},
		{Pattern: "POST /runs/{id}/cancel", Handle: in.cancel},
		{Pattern: "POST /runs/{id}/note", Handle: in.noteFinding},
	}
}

// frame begins a page of the inbox. What waits is counted for the navigation;
// where that fails the page does without.
func (in *Inbox) frame(ctx context.Context, v *web.Visit, title, run string, waiting int) web.Page {
	p := v.Page(title)
	p.Pending = waiting
	if in.Strip != nil {
		if s, ok := in.Strip(ctx, v.Actor, run); ok {
			p.Strip = &web.Strip{Text: s.Text, Action: s.Action, Run: run, Button: s.Button}
		}
	}
	return p
}

// code is the refusal in an error; empty for a fault.
func code(err error) imprimatur.Code {
	var no *imprimatur.Refusal
	if errors.As(err, &no) {
		return no.Code
	}
	return ""
}
