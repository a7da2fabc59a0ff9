package inbox

import (
	"context"
	"encoding/json"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/internal/web"
)

// timelineView is what happened in a run: names, times and counts, whatever is
// stored besides. Only who may see the run itself reads it.
type timelineView struct {
	Entries []entryView
	After   string // the page with what came later; empty: this is all
}

// entryView is one event, in words.
type entryView struct {
	Kind  imprimatur.EventKind
	At    *web.Moment
	Text  []web.Span
	Badge string // a label: whose approval it was; empty: nobody's
}

// pageOfEvents is how many events one page shows.
const pageOfEvents = 200

// timeline reads what happened after the event with this sequence; -1 is before
// the first. A record that cannot be read costs the timeline and nothing else.
func (in *Inbox) timeline(ctx context.Context, v *web.Visit, page *runPage, after int64) {
	events, err := in.Desk.Events(ctx, v.Actor, page.Run, after)
	if err != nil {
		if !absent(err) {
			v.Warn(ctx, "read what happened", err)
			page.Timeline = &timelineView{}
		}
		return
	}
	t := &timelineView{}
	if len(events) > pageOfEvents {
		events = events[:pageOfEvents]
		t.After = runPath(page.Run) + "?" + url.Values{"after": {strconv.FormatInt(events[pageOfEvents-1].Sequence, 10)}}.Encode() + "#timeline"
	}
	for _, e := range events {
		t.Entries = append(t.Entries, entriesOf(v, page.OwnerID, e)...)
	}
	page.Timeline = t
}

// exportEvents answers with everything on the record of a run, an event a line,
// as GET /api/v1/runs/{id}/events has it.
func (in *Inbox) exportEvents(w http.ResponseWriter, r *http.Request, v *web.Visit) error {
	run := r.PathValue("id")
	events, err := in.Desk.Events(r.Context(), v.Actor, run, -1)
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "application/x-ndjson")
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": run + ".jsonl"}))
	out := json.NewEncoder(w)
	for len(events) > 0 {
		for _, e := range events {
			if err := out.Encode(e); err != nil {
				return nil //nolint:nilerr // whoever asked is gone
			}
		}
		if events, err = in.Desk.Events(r.Context(), v.Actor, run, events[len(events)-1].Sequence); err != nil {
			// A line says that the record goes on; the status was sent long ago.
			v.Warn(r.Context(), "export what happened", err)
			return out.Encode(map[string]string{"error": "the record goes on, and could not be read further"})
		}
	}
	return nil
}

// entriesOf puts an event into words. What it does not know by name it leaves
// out: nothing that was stored is shown because it happens to be there.
func entriesOf(v *web.Visit, owner int64, e imprimatur.Event) []entryView {
	one := func(label imprimatur.Label, values map[string]any) []entryView {
		return []entryView{{Kind: e.Kind, At: v.Moment(&e.At), Text: web.Mix(v.Words, label, values)}}
	}
	name := func(tool string) string { return nameOf(v.Words, tool).Text }
	switch e.Kind {
	case imprimatur.EventContext:
		p := said[imprimatur.ContextPayload](e)
		return one("ui.event.context", map[string]any{"count": len(p.Tools), "rounds": p.MaxRounds})
	case imprimatur.EventRequest:
		return one("ui.event.request", map[string]any{"round": said[imprimatur.RequestPayload](e).Round})
	case imprimatur.EventModel:
		return one(answered(said[imprimatur.ModelPayload](e), name))
	case imprimatur.EventStart:
		return one("ui.event.start", map[string]any{"tool": name(said[imprimatur.StartPayload](e).Tool)})
	case imprimatur.EventTool:
		p := said[imprimatur.ToolPayload](e)
		return one(ended(p), map[string]any{"tool": name(p.Tool), "ms": p.Ms})
	case imprimatur.EventApproval:
		return decision(v, owner, e)
	case imprimatur.EventStale:
		var all []entryView
		for _, m := range said[imprimatur.StalePayload](e).Calls {
			all = append(all, one(imprimatur.Label("ui.event.stale."+string(m.Kind)), map[string]any{"number": m.Index + 1})...)
		}
		return all
	case imprimatur.EventGovernance:
		return one(refused(v.Words, said[imprimatur.GovernancePayload](e), name))
	case imprimatur.EventOutcome:
		p := said[imprimatur.OutcomePayload](e)
		return one(imprimatur.Label("ui.unknown.noted."+string(p.Found)), map[string]any{"name": p.By.Name})
	case imprimatur.EventSettled:
		p := said[imprimatur.SettledPayload](e)
		return one("ui.event.settled", map[string]any{"status": v.Words.Say(imprimatur.Label("ui.status."+string(p.Status)), nil)})
	}
	return nil
}

// said is what an event says, as far as its kind knows it.
func said[T any](e imprimatur.Event) (p T) {
	_ = json.Unmarshal(e.Payload, &p) // what cannot be read says nothing
	return p
}

func answered(p imprimatur.ModelPayload, name func(string) string) (imprimatur.Label, map[string]any) {
	if len(p.Calls) == 0 {
		return "ui.event.answer", map[string]any{"tokens": p.Tokens.Total}
	}
	var names []string
	for _, c := range p.Calls {
		names = append(names, name(c))
	}
	return "ui.event.calls", map[string]any{"tools": strings.Join(names, ", "), "tokens": p.Tokens.Total}
}

func ended(p imprimatur.ToolPayload) imprimatur.Label {
	switch {
	case p.Late && p.OK:
		return "ui.event.late.done"
	case p.Late:
		return "ui.event.late.failed"
	case p.OK:
		return "ui.event.tool.done"
	default:
		return "ui.event.tool.failed"
	}
}

var attributions = map[imprimatur.Attribution]string{
	imprimatur.AttributedSelf: "ui.attribution.self", imprimatur.AttributedSecondPerson: "ui.attribution.second_person",
	imprimatur.AttributedNoInitiator: "ui.attribution.initiator_unknown", imprimatur.AttributedNobody: "ui.attribution.unresolved",
}

// decision is who decided, and for an approval how they stand to whom the run
// acts for.
func decision(v *web.Visit, owner int64, e imprimatur.Event) []entryView {
	p := said[imprimatur.ApprovalPayload](e)
	entry := entryView{Kind: e.Kind, At: v.Moment(&e.At), Text: web.Mix(v.Words, imprimatur.Label("ui.event."+string(p.Verdict)), map[string]any{"name": p.By.Name})}
	if p.Verdict == imprimatur.Approve {
		entry.Badge = attributions[imprimatur.Attribute(p.By.ID, owner)]
	}
	return []entryView{entry}
}

func refused(words *catalogue.Printer, p imprimatur.GovernancePayload, name func(string) string) (imprimatur.Label, map[string]any) {
	switch {
	case p.Requeued > 0:
		return "ui.event.again", map[string]any{"number": p.Requeued, "reason": p.Reason}
	case p.Refused != "":
		title := words.Say(catalogue.RefusalTitle(p.Refused), nil)
		if p.By == nil {
			return "ui.event.refused", map[string]any{"title": title}
		}
		return "ui.event.refused_by", map[string]any{"title": title, "name": p.By.Name}
	default:
		return "ui.event.not_offered", map[string]any{"tool": name(p.Tool), "reason": p.Reason}
	}
}
