package api

import (
	"net/url"
	"strconv"

	"github.com/imprimatur-dev/imprimatur"
)

// listBody is the answer of GET /runs.
type listBody struct {
	Runs  []imprimatur.Run `json:"runs"`
	Next  string           `json:"next_cursor" doc:"Cursor of the next page; empty on the last."`
	Total int              `json:"total,omitempty" doc:"How many runs wait in all; only where status is waiting_for_approval."`
}

// list is GET /runs.
func (s *surface) list(c *call) error {
	filter, err := c.filter()
	if err != nil {
		return err
	}
	list, err := s.Engine.Waiting(c.r.Context(), c.actor, filter)
	if err != nil {
		return err
	}
	body := listBody{Runs: make([]imprimatur.Run, len(list.Runs)), Next: list.Next, Total: list.Total}
	for i, run := range list.Runs {
		run.Card = nil
		tidyRun(&run)
		body.Runs[i] = run
	}
	if list.Next != "" {
		c.w.Header().Set("Link", "<"+c.nextPage(s.URL, list.Next)+`>; rel="next"`)
	}
	return c.answer(body)
}

func (c *call) filter() (imprimatur.Filter, error) {
	var f imprimatur.Filter
	status, err := c.text("status", 64)
	if err != nil {
		return f, err
	}
	if f.Status = imprimatur.Status(status); status != "" && !f.Status.Valid() {
		return f, imprimatur.BadRequest("status %q is none", status)
	}
	for name, into := range map[string]*string{"agent": &f.Agent, "tool": &f.Tool, "q": &f.Query, "cursor": &f.Cursor} {
		if *into, err = c.text(name, 500); err != nil {
			return f, err
		}
	}
	for name, into := range map[string]*bool{"back": &f.Back, "mine": &f.Mine} {
		if *into, err = c.flag(name); err != nil {
			return f, err
		}
	}
	if c.query.Has("decided") {
		if c.query.Get("decided") != "me" {
			return f, imprimatur.BadRequest(`decided must be "me"`)
		}
		f.Decided = true
	}
	limit, err := c.number("limit", 50, 1, maxList)
	f.Limit = int(limit)
	return f, err
}

// nextPage is the address of this list with another cursor.
func (c *call) nextPage(base, cursor string) string {
	query := url.Values{}
	for name, values := range c.query {
		query.Set(name, values[0])
	}
	query.Set("cursor", cursor)
	return base + Prefix + "/runs?" + query.Encode()
}

// events is GET /runs/{id}/events.
func (s *surface) events(c *call) error {
	after, err := c.number("after", -1, -1, 1<<62)
	if err != nil {
		return err
	}
	events, err := s.Engine.Events(c.r.Context(), c.actor, c.run(), after)
	if err != nil {
		return err
	}
	if len(events) == maxEvents {
		query := url.Values{"after": {strconv.FormatInt(events[len(events)-1].Sequence, 10)}}
		c.w.Header().Set("Link", "<"+s.URL+Prefix+"/runs/"+url.PathEscape(c.run())+"/events?"+query.Encode()+`>; rel="next"`)
	}
	return c.answer(append([]imprimatur.Event{}, events...))
}

// tools is GET /tools.
func (s *surface) tools(c *call) error {
	agent, err := c.text("agent", 500)
	if err != nil {
		return err
	}
	tools, err := s.Engine.Tools(c.r.Context(), c.actor, agent)
	if err != nil {
		return err
	}
	return c.answer(append([]imprimatur.OfferedTool{}, tools...))
}

// status is GET /runs/{id}.
func (s *surface) status(c *call) error {
	return c.answerRun(s.Engine.Status(c.r.Context(), c.actor, c.run()))
}

// cancel is POST /runs/{id}/cancel.
func (s *surface) cancel(c *call) error {
	if err := c.noBody(); err != nil {
		return err
	}
	return c.answerRun(s.Engine.Cancel(c.r.Context(), c.actor, c.run()))
}
