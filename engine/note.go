package engine

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/store"
)

// Note puts on record what a person found who looked whether a write of
// unknown outcome happened (rulings §9). Whoever may decide the run may note;
// nothing is written, repeated or taken back by it, and the run stays as it
// ended. Notes follow one another; one that repeats the last of its author is
// not put down twice.
//
// It returns a *imprimatur.Refusal where nothing was noted: not_unknown for a
// call whose outcome is known.
func (e *Engine) Note(ctx context.Context, actor imprimatur.Actor, run string, n imprimatur.Note) error {
	v, err := e.look(ctx, actor, run)
	if err != nil {
		return e.unavailable(ctx, run, err)
	}
	switch {
	case actor.Credential == imprimatur.CredentialAgent:
		return imprimatur.Refused(imprimatur.CodeOwnCredential, run)
	case !mayNote(actor, v.row):
		return imprimatur.Refused(imprimatur.CodeAccessDenied, run)
	case !slices.Contains(imprimatur.Findings(), n.Found):
		return imprimatur.BadRequest(`what was found is "happened", "did_not_happen" or "unclear"`)
	}
	unknown, err := e.unknown(ctx, v.row)
	if err != nil {
		return e.unavailable(ctx, run, err)
	}
	at := slices.IndexFunc(unknown, func(u imprimatur.Unknown) bool { return u.Call == n.Call })
	if at < 0 {
		return imprimatur.Refused(imprimatur.CodeNotUnknown, run)
	}
	if says(unknown[at].Notes, actor.By(), n.Found) {
		return nil
	}
	if err := e.store.Note(ctx, run, imprimatur.OutcomePayload{Call: n.Call, Found: n.Found, By: actor.By()}); err != nil {
		return e.unavailable(ctx, run, err)
	}
	e.changedRun(ctx, run)
	return nil
}

// mayNote reports whether the actor may say what they found. A service account
// cannot look.
func mayNote(actor imprimatur.Actor, row store.Row) bool {
	return actor.Person() && actor.MayDecide(row.Ownership())
}

// says reports whether the last note of somebody says this already.
func says(notes []imprimatur.Noted, by imprimatur.By, found imprimatur.Found) bool {
	for _, n := range slices.Backward(notes) {
		if n.By.ID == by.ID {
			return n.Found == found
		}
	}
	return false
}

// unknown are the calls of a run of which nobody knows whether they wrote: each
// start on record that no end followed while the run was alive.
func (e *Engine) unknown(ctx context.Context, row store.Row) ([]imprimatur.Unknown, error) {
	if row.Status != imprimatur.StatusFailed || row.Reason != imprimatur.ReasonOutcomeUnknown {
		return nil, nil
	}
	var open []imprimatur.Unknown
	for after := int64(-1); ; {
		events, err := e.store.Events(ctx, row.ID, after)
		if err != nil {
			return nil, err
		}
		for _, event := range events {
			open = follow(open, event)
			after = event.Sequence
		}
		if len(events) < store.MaxEvents {
			return open, nil
		}
	}
}

func follow(open []imprimatur.Unknown, event imprimatur.Event) []imprimatur.Unknown {
	var p struct {
		imprimatur.ToolPayload
		Found imprimatur.Found `json:"found"`
		By    imprimatur.By    `json:"by"`
	}
	if json.Unmarshal(event.Payload, &p) != nil {
		return open
	}
	at := slices.IndexFunc(open, func(u imprimatur.Unknown) bool { return u.Call == p.Call })
	switch {
	case event.Kind == imprimatur.EventStart:
		return append(open, imprimatur.Unknown{Call: p.Call, Tool: p.Tool, Notes: []imprimatur.Noted{}})
	case at < 0:
	case event.Kind == imprimatur.EventTool && p.Late:
		open[at].Late = &imprimatur.Ran{ID: p.Call, Tool: p.Tool, OK: p.OK}
	case event.Kind == imprimatur.EventTool:
		return slices.Delete(open, at, at+1)
	case event.Kind == imprimatur.EventOutcome:
		open[at].Notes = append(open[at].Notes, imprimatur.Noted{Found: p.Found, By: p.By, At: event.At})
	}
	return open
}
