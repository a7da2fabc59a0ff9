package engine

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/policy"
	"github.com/imprimatur-dev/imprimatur/store"
)

// Limits of a page of runs.
const (
	defaultLimit = 50
	maxLimit     = 200
)

// Status returns a run as the caller may see it, with its card where it waits.
func (e *Engine) Status(ctx context.Context, actor imprimatur.Actor, run string) (imprimatur.Run, error) {
	row, err := e.store.Run(ctx, run)
	if errors.Is(err, store.ErrNoRun) || err == nil && !actor.MaySee(row.Ownership()) {
		return imprimatur.Run{}, imprimatur.Refused(imprimatur.CodeNotFound, run)
	}
	if err != nil {
		return imprimatur.Run{}, e.unavailable(ctx, run, err)
	}
	return e.present(ctx, actor, row)
}

// Events returns the record of a run after a sequence, ascending, at most
// store.MaxEvents; -1 begins at the first.
func (e *Engine) Events(ctx context.Context, actor imprimatur.Actor, run string, after int64) ([]imprimatur.Event, error) {
	row, err := e.store.Run(ctx, run)
	if errors.Is(err, store.ErrNoRun) || err == nil && !actor.MaySee(row.Ownership()) {
		return nil, imprimatur.Refused(imprimatur.CodeNotFound, run)
	}
	if err != nil {
		return nil, e.unavailable(ctx, run, err)
	}
	events, err := e.store.Events(ctx, run, after)
	if err != nil {
		return nil, e.unavailable(ctx, run, err)
	}
	return events, nil
}

// Waiting lists the runs that the caller may see. Lists show what the run rows
// say in clear; nothing is unsealed and no tool is asked, so one unreadable run
// never empties a list.
func (e *Engine) Waiting(ctx context.Context, actor imprimatur.Actor, f imprimatur.Filter) (imprimatur.List, error) {
	l, err := listing(actor, f)
	if err != nil {
		return imprimatur.List{}, err
	}
	rows, next, err := e.store.List(ctx, l)
	if errors.Is(err, store.ErrCursor) {
		return imprimatur.List{}, imprimatur.BadRequest("cursor: it is not one that this list gave out")
	}
	if err != nil {
		return imprimatur.List{}, e.unavailable(ctx, "", err)
	}
	list := imprimatur.List{Runs: make([]imprimatur.Run, len(rows)), Next: next}
	for i, row := range rows {
		list.Runs[i] = summary(row)
	}
	if f.Status == imprimatur.StatusWaiting {
		if list.Total, err = e.store.CountWaiting(ctx, l); err != nil {
			return imprimatur.List{}, e.unavailable(ctx, "", err)
		}
	}
	return list, nil
}

func listing(actor imprimatur.Actor, f imprimatur.Filter) (store.Listing, error) {
	switch {
	case f.Limit == 0:
		f.Limit = defaultLimit
	case f.Limit < 0 || f.Limit > maxLimit:
		return store.Listing{}, imprimatur.BadRequest("limit: between 1 and %d", maxLimit)
	}
	if f.Status != "" && !f.Status.Valid() {
		return store.Listing{}, imprimatur.BadRequest("status: there is no such status")
	}
	for name, text := range map[string]string{"agent": f.Agent, "tool": f.Tool, "q": f.Query} {
		if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
			return store.Listing{}, imprimatur.BadRequest("%s: it is not text", name)
		}
	}
	l := store.Listing{Filter: f, User: -1} // a run without owner is not everybody's
	switch {
	case actor.Credential == imprimatur.CredentialAgent:
		l.Token = actor.Token
	case actor.Person():
		l.All = actor.User.Holds(imprimatur.GrantApprove)
		l.User = actor.User.ID
	case actor.Credential == imprimatur.CredentialService:
		l.All = actor.MaySeeCard(imprimatur.Ownership{})
	}
	if (f.Mine || f.Decided) && !actor.Person() {
		return store.Listing{}, imprimatur.BadRequest("mine and decided are for people")
	}
	if f.Mine {
		l.Mine = actor.User.ID
	}
	if f.Decided {
		l.Decider = actor.User.ID
	}
	return l, nil
}

// Tools says which tools there are and which of them the caller would be
// offered, by an agent where one is named.
func (e *Engine) Tools(_ context.Context, actor imprimatur.Actor, agent string) ([]imprimatur.OfferedTool, error) {
	a, hired := e.agents[agent]
	if agent != "" && !hired {
		return nil, &imprimatur.Refusal{Code: imprimatur.CodeUnknownAgent, Detail: "agent: there is no such agent"}
	}
	tools := make([]imprimatur.OfferedTool, 0, len(e.tools))
	for _, name := range slices.Sorted(maps.Keys(e.tools)) {
		d := e.tools[name]
		why := string(e.policy.Check(policy.Question{Tool: d, User: actor.User}))
		switch {
		case why != "":
		case hired && a.Tools != nil && !slices.Contains(*a.Tools, name):
			why = notInAgent
		case actor.Credential == imprimatur.CredentialAgent && !slices.Contains(actor.Tools, name):
			why = notInToken
		}
		tools = append(tools, imprimatur.OfferedTool{
			Name: name, Group: d.Group, Provider: d.Provider, Effect: d.Effect, Previews: d.Previewer != nil,
			RequiresApproval: d.Approval, Offered: why == "", Reason: why,
		})
	}
	return tools, nil
}

// summary is a run as lists show it.
func summary(r store.Row) imprimatur.Run {
	run := imprimatur.Run{
		ID: r.ID, Status: r.Status, Reason: r.Reason, Agent: r.Agent, Owner: r.Owner, Rounds: r.Rounds,
		Truncated: r.Truncated, Tokens: r.Tokens, CreatedAt: imprimatur.Millis(r.CreatedAt), StartedAt: at(r.StartedAt),
		FinishedAt: at(r.FinishedAt), Stale: []imprimatur.Mark{},
	}
	if r.Status == imprimatur.StatusWaiting {
		run.WaitingSince, run.Back = at(r.WaitingSince), r.Back
		run.Stale = append(run.Stale, r.Stale...)
	}
	run.Calls = r.Calls
	for _, p := range r.Pending {
		if !slices.Contains(run.Tools, p.Tool) {
			run.Tools = append(run.Tools, p.Tool)
		}
	}
	return run
}

func at(ms int64) *imprimatur.Time {
	if ms == 0 {
		return nil
	}
	t := imprimatur.Millis(ms)
	return &t
}

// present is a run as the answer to one caller: with its card where it waits,
// and with its text for whoever may see the run itself.
func (e *Engine) present(ctx context.Context, actor imprimatur.Actor, row store.Row) (imprimatur.Run, error) {
	run := summary(row)
	if row.Status.Final() && actor.MaySee(row.Ownership()) {
		switch out, ok, err := e.store.Outcome(ctx, row.ID); {
		case err != nil && !errors.Is(err, imprimatur.ErrCorrupt):
			return imprimatur.Run{}, e.unavailable(ctx, row.ID, err)
		case ok:
			run.Text = out.Text
		}
		var err error
		if run.Unknown, err = e.unknown(ctx, row); err != nil {
			return imprimatur.Run{}, e.unavailable(ctx, row.ID, err)
		}
	}
	if row.Status == imprimatur.StatusWaiting && actor.MaySeeCard(row.Ownership()) {
		v, err := e.open(ctx, actor, row)
		if err != nil {
			return imprimatur.Run{}, e.unavailable(ctx, row.ID, err)
		}
		card, err := e.card(ctx, actor, v)
		if err != nil {
			return imprimatur.Run{}, e.unavailable(ctx, row.ID, err)
		}
		run.Card = &card
	}
	return run, nil
}
