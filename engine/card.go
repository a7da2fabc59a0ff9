package engine

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
)

// restless is how often in a row a call may bring its turn back before the card
// says that it does not hold still.
const restless = 3

// Card returns the card of a run, rendered for the caller. A run that waits no
// more shows what was shown at its last decision; one that nobody decided
// about has no card.
func (e *Engine) Card(ctx context.Context, actor imprimatur.Actor, run string) (imprimatur.Card, error) {
	v, err := e.look(ctx, actor, run)
	if err != nil {
		return imprimatur.Card{}, e.unavailable(ctx, run, err)
	}
	card, err := e.card(ctx, actor, v)
	if err != nil {
		return imprimatur.Card{}, e.unavailable(ctx, run, err)
	}
	return card, nil
}

func (e *Engine) card(ctx context.Context, actor imprimatur.Actor, v view) (imprimatur.Card, error) {
	card := imprimatur.Card{
		Run: v.row.ID, Status: v.row.Status, Agent: v.row.Agent, Owner: v.row.Owner,
		Ran: []imprimatur.Ran{}, Calls: []imprimatur.CardCall{},
	}
	if v.row.WaitingSince > 0 {
		since := imprimatur.Millis(v.row.WaitingSince)
		card.WaitingSince = &since
	}
	if v.row.Status != imprimatur.StatusWaiting {
		return e.past(ctx, actor, v, card)
	}
	card.May.Cancel = actor.MayCancel(v.row.Ownership())
	if v.corrupt {
		card.Unreadable = true
		card.Refusal = imprimatur.CodeCorruptState
		return card, nil
	}
	s := v.state
	card.TurnDigest = imprimatur.TurnDigest(s.Calls)
	if !v.sight.withheld() && !v.sight.outOfDate() {
		card.PictureDigest = imprimatur.PictureDigest(s.Calls, s.Previews)
	}
	card.Words = s.Words
	card.Ran = append(card.Ran, s.Ran...)
	card.Unreadable = s.Dropped > 0
	e.fill(&card, actor, v.sight, shownTurn{s.Calls, s.Previews, s.Was, v.marks, s.Bounces})
	decision := imprimatur.Decision{Verdict: imprimatur.Approve, TurnDigest: card.TurnDigest, PictureDigest: card.PictureDigest}
	if no := e.ask(v, actor, decision); no != nil {
		card.Refusal = no.Code
	}
	card.May.Approve = card.Refusal == ""
	decision.Verdict = imprimatur.Deny
	card.May.Deny = e.ask(v, actor, decision) == nil
	return card, nil
}

// past is the card of a run that does not wait: what was shown at its last
// decision. The owner, whoever decided, and administrators read it as it was;
// for all others the tools are asked now.
func (e *Engine) past(ctx context.Context, actor imprimatur.Actor, v view, card imprimatur.Card) (imprimatur.Card, error) {
	var err error
	if card.Unknown, err = e.unknown(ctx, v.row); err != nil { // stands in events, which open without the record
		return card, err
	}
	card.May.Note = len(card.Unknown) > 0 && mayNote(actor, v.row)
	shown, sequence, err := e.store.Shown(ctx, v.row.ID)
	if errors.Is(err, imprimatur.ErrCorrupt) {
		card.Unreadable = true
		return card, nil
	}
	if err != nil {
		return card, err
	}
	if sequence < 0 {
		return card, imprimatur.Refused(imprimatur.CodeNotFound, v.row.ID)
	}
	var seen sight
	u := actor.User
	if u.Exists() && (u.Admin || u.ID == v.row.Owner.ID || u.ID == shown.Decided.By.ID) && actor.Person() {
		seen = all(shown.Calls, shown.Previews)
	} else {
		seen = e.see(ctx, v.row.ID, actor, v.owner, shown.Calls, shown.Previews)
		for i, how := range seen.by {
			if how == outOfDate {
				seen.by[i] = withheldLine
			}
		}
	}
	card.Words, card.Decided = shown.Words, &shown.Decided
	ran, err := e.ran(ctx, shown, sequence, v.row.ID)
	if err != nil {
		return card, err
	}
	card.Ran = append(append(card.Ran, shown.Ran...), ran...)
	card.WaitingSince = &shown.WaitingSince
	e.fill(&card, actor, seen, shownTurn{shown.Calls, shown.Previews, shown.Was, shown.Marks, nil})
	return card, nil
}

// ran is what was executed of a turn after its decision, as the record says.
func (e *Engine) ran(ctx context.Context, shown imprimatur.Shown, sequence int64, run string) ([]imprimatur.Ran, error) {
	if shown.Decided.Verdict != imprimatur.Approve {
		return nil, nil
	}
	events, err := e.store.Events(ctx, run, sequence)
	if err != nil {
		return nil, err
	}
	decided, begun := map[string]imprimatur.Effect{}, map[string]bool{}
	for _, c := range shown.Calls {
		decided[c.ID] = e.effect(c)
	}
	var ran []imprimatur.Ran
	for _, event := range events {
		var p imprimatur.ToolPayload // a start says call and tool, too
		if json.Unmarshal(event.Payload, &p) != nil {
			continue
		}
		effect, ours := decided[p.Call]
		switch {
		case !ours:
		case event.Kind == imprimatur.EventStart:
			begun[p.Call] = true
		case event.Kind == imprimatur.EventTool && (p.OK || begun[p.Call] || !effect.Writes()):
			ran = append(ran, imprimatur.Ran{ID: p.Call, Tool: p.Tool, OK: p.OK})
		}
	}
	return ran, nil
}

// all is the sight of somebody who reads everything.
func all(calls []imprimatur.ToolCall, previews []imprimatur.Preview) sight {
	s := sight{by: map[int]visibility{}, was: map[int]bool{}}
	for i, c := range calls {
		if imprimatur.PreviewOf(previews, i, c.Name) != nil {
			s.by[i], s.was[i] = shownWhole, true
		}
	}
	return s
}

// shownTurn is a turn as a card shows it.
type shownTurn struct {
	calls    []imprimatur.ToolCall
	previews []imprimatur.Preview
	was      []imprimatur.Preview
	marks    []imprimatur.Mark
	bounces  map[int]int
}

// fill adds the calls, in the caller's language where the words are the card's
// own, and as they were stored where they are the tool's.
func (e *Engine) fill(card *imprimatur.Card, actor imprimatur.Actor, seen sight, t shownTurn) {
	viewer := e.catalogue.Printer(actor.Lang)
	for i, c := range t.calls {
		call := imprimatur.CardCall{
			Index: i, ID: c.ID, Tool: c.Name, Effect: e.effect(c), Arguments: c.Arguments, Restless: t.bounces[i] >= restless,
		}
		if c.Refused != "" {
			call.Refused = viewer.Say(catalogue.CallRefused(c.Refused), nil)
		}
		for _, m := range t.marks {
			if m.Index == i {
				call.Stale = m.Kind
			}
		}
		if p := imprimatur.PreviewOf(t.previews, i, c.Name); p != nil {
			call.Preview = &imprimatur.CardPreview{Language: p.Language, Failed: p.Failed, Lines: p.Lines}
			switch seen.by[i] {
			case hiddenText:
				call.Preview.Language = viewer.Lang()
				call.Preview.Lines = notice(viewer, catalogue.CardRefused)
				if p.Failed {
					call.Preview.Lines = notice(viewer, catalogue.CardFailed)
				}
			case withheldLine:
				*call.Preview = imprimatur.CardPreview{Language: viewer.Lang(), Withheld: true, Lines: notice(viewer, catalogue.CardWithheld)}
			case outOfDate:
				*call.Preview = imprimatur.CardPreview{Language: viewer.Lang(), OutOfDate: true, Lines: notice(viewer, catalogue.CardOutOfDate)}
			case shownWhole:
				if len(p.Lines) > 0 && e.catalogue.IsHeading(p.Lines[0].Text, p.Language) {
					call.Title = p.Lines[0].Text
				}
				was := imprimatur.PreviewOf(t.was, i, c.Name)
				if was != nil && !p.Refusal() && (!p.Failed || seen.was[i]) && call.Stale != imprimatur.MarkLost {
					call.Was = was.Lines
				}
			}
		}
		card.Calls = append(card.Calls, call)
	}
}

func notice(p *catalogue.Printer, label imprimatur.Label) []imprimatur.Line {
	return []imprimatur.Line{{Role: imprimatur.RoleNotice, Text: p.Say(label, nil)}}
}
