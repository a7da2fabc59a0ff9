package inbox

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/internal/web"
)

// runPage is one run: its card while it waits, afterwards what was shown, who
// decided and what came of it.
type runPage struct {
	web.Page
	Run        string
	Status     imprimatur.Status
	Reason     imprimatur.Reason
	Agent      string
	Owner      string
	OwnerID    int64
	Calls      int
	Since      *web.Moment // waits since
	Finished   *web.Moment
	Decided    *web.Decided
	Note       *noteView
	Problem    *problem // what became of a decision that was refused
	Heading    toolName
	Count      int    // of the heading "n changes"; 0: Heading stands alone
	HeadLang   string // of the heading, where it is not the language of the page
	Card       *cardView
	Unreadable bool
	Full       bool // this person may see the run itself, not only its card
	Text       []web.Bit
	Truncated  bool
	Unknown    []unknownView
	Timeline   *timelineView // nil: not for this person
	MayNote    bool
	MayCancel  bool
	Next       *row // the run that waits longest, other than this one
}

// noteView is what came of the button that was pressed before this page.
type noteView struct {
	Text []web.Span
	Kind noteKind
	Good bool // it went the way that was asked for
}

// formView is the one form of a card.
type formView struct {
	Action        string
	TurnDigest    string
	PictureDigest string
	Calls         int
	Approve       bool
	Deny          bool
	Refusal       *problem // why an approval by this person would be refused
	Bound         bool     // an approval is bound to previews that were shown
	Reads         bool     // no call writes, so there is no record that could change before it does
	OutOfDate     bool     // it can only bring the run back
	Reason        string   // as typed
	Retry         bool
	Open          bool   // the denial was begun
	Error         string // what is wrong with what was typed
}

// typed is what came with a decision that was not taken.
type typed struct {
	reason string
	retry  bool
	deny   bool
	fault  string
}

func (in *Inbox) showRun(w http.ResponseWriter, r *http.Request, v *web.Visit) error {
	run := r.PathValue("id")
	page, err := in.load(r.Context(), v, run)
	if err != nil {
		return err
	}
	if page.Full {
		after, err := afterOf(r)
		if err != nil {
			return err
		}
		in.timeline(r.Context(), v, page, after)
	}
	if n, ok := in.take(w, r, run); ok {
		page.Note = newNote(v.Words, n, page.Decided)
	}
	return in.render(w, r, v, http.StatusOK, page)
}

// afterOf is the event after which the timeline begins; -1: at the first.
func afterOf(r *http.Request) (int64, error) {
	text := r.URL.Query().Get("after")
	if text == "" {
		return -1, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < -1 {
		return 0, imprimatur.BadRequest("after must be a whole number")
	}
	return n, nil
}

func (in *Inbox) backToRun(w http.ResponseWriter, r *http.Request, _ *web.Visit) error {
	http.Redirect(w, r, runPath(r.PathValue("id")), http.StatusSeeOther)
	return nil
}

func runPath(run string) string { return "/runs/" + url.PathEscape(run) }

// load asks for card and run. A person may see either, both or neither: who
// holds the grant to approve sees the card alone, and a run that never paused
// has none.
func (in *Inbox) load(ctx context.Context, v *web.Visit, id string) (*runPage, error) {
	card, noCard := in.Desk.Card(ctx, v.Actor, id)
	if noCard != nil && !absent(noCard) {
		return nil, noCard
	}
	run, noRun := in.Desk.Status(ctx, v.Actor, id)
	if noRun != nil && !absent(noRun) {
		return nil, noRun
	}
	if noCard != nil && noRun != nil {
		return nil, imprimatur.Refused(imprimatur.CodeNotFound, id)
	}
	page := &runPage{Run: id}
	if noRun == nil {
		page.fillRun(v, run)
	}
	if noCard == nil {
		page.fillCard(v, card)
	}
	page.MayCancel = page.MayCancel || page.Full && !page.Status.Final()
	return page, nil
}

// absent reports whether something is not there for this person.
func absent(err error) bool { return code(err) == imprimatur.CodeNotFound }

func (p *runPage) fillRun(v *web.Visit, run imprimatur.Run) {
	p.Full = true
	p.Status, p.Reason, p.Agent = run.Status, run.Reason, run.Agent
	p.Owner, p.OwnerID, p.Calls = run.Owner.Name, run.Owner.ID, run.Calls
	p.Since, p.Finished = v.Moment(run.WaitingSince), v.Moment(run.FinishedAt)
	p.Truncated = run.Truncated
	if run.Status.Final() && run.Text != "" {
		p.Text = web.Raw(v.Words, run.Text)
	}
	p.Heading, p.Count = headingOf(v.Words, run)
}

// headingOf names a run of which there is no card: by the calls of the turn it
// waits or waited with.
func headingOf(words *catalogue.Printer, run imprimatur.Run) (toolName, int) {
	switch {
	case run.Calls == 1 && len(run.Tools) == 1:
		return nameOf(words, run.Tools[0]), 0
	case run.Calls > 1:
		return toolName{}, run.Calls
	default:
		return toolName{Text: words.Say("ui.run.heading", nil)}, 0
	}
}

func (p *runPage) fillCard(v *web.Visit, card imprimatur.Card) {
	p.Status, p.Agent, p.Owner, p.OwnerID = card.Status, card.Agent, card.Owner.Name, card.Owner.ID
	p.Calls, p.Since = len(card.Calls), v.Moment(card.WaitingSince)
	p.Decided = v.Decided(card.Decided)
	p.Unreadable, p.MayCancel = card.Unreadable, card.May.Cancel
	p.Unknown, p.MayNote = newUnknown(v, card.Unknown), card.May.Note
	if len(card.Calls) == 0 {
		if !p.Full {
			p.Heading = toolName{Text: v.Words.Say("ui.run.heading", nil)}
		}
		return
	}
	p.Card = newCard(v, card)
	p.Card.Form = newForm(v, card)
	first := p.Card.Calls[0]
	p.Heading = first.Name
	if first.Title != "" {
		p.Heading, p.HeadLang = toolName{Text: first.Title}, first.Lang
	}
	p.Count = 0
	if p.Card.Many {
		p.Count = len(p.Card.Calls)
	}
}

// newForm is the decision this person may take; nil where there is none.
func newForm(v *web.Visit, card imprimatur.Card) *formView {
	if card.Status != imprimatur.StatusWaiting || !card.May.Approve && !card.May.Deny && card.Refusal == "" {
		return nil
	}
	f := &formView{
		Action: runPath(card.Run) + "/decide", TurnDigest: card.TurnDigest, PictureDigest: card.PictureDigest,
		Calls: len(card.Calls), Approve: card.May.Approve && card.Refusal == "", Deny: card.May.Deny, Reads: true,
	}
	for _, call := range card.Calls {
		f.Reads = f.Reads && call.Effect == imprimatur.ReadOnly
		switch stateOf(call.Preview) {
		case shown, refusing:
			f.Bound = true
		case outOfDate:
			f.OutOfDate = true
		}
	}
	if card.Refusal != "" {
		f.Refusal = problemOf(v.Words, imprimatur.Refused(card.Refusal, card.Run))
	}
	return f
}

func newNote(words *catalogue.Printer, n note, d *web.Decided) *noteView {
	if n.Code == "" {
		return &noteView{Text: web.Mix(words, imprimatur.Label("ui.note."+string(n.Kind)), nil), Kind: n.Kind, Good: n.good()}
	}
	late := n.Code == imprimatur.CodeNotWaiting || n.Code == imprimatur.CodeAlreadyResuming
	if late && d != nil && d.At != nil {
		if d.Mine { // in another window, or with a second press of the button
			return &noteView{Text: web.Mix(words, imprimatur.Label("ui.note.twice."+string(d.Verdict)), map[string]any{"at": d.At.Exact})}
		}
		label := imprimatur.Label("ui.note.too_late." + string(d.Verdict))
		return &noteView{Text: web.Mix(words, label, map[string]any{"name": d.By, "at": d.At.Exact})}
	}
	what := words.Say(catalogue.RefusalWhat(n.Code), nil)
	return &noteView{Text: []web.Span{{Bits: []web.Bit{{Text: what}}}}}
}

// render finishes the page of a run: what else waits, the title, the frame.
func (in *Inbox) render(w http.ResponseWriter, r *http.Request, v *web.Visit, status int, page *runPage) error {
	ctx := r.Context()
	waiting := -1
	list, err := in.Desk.Waiting(ctx, v.Actor, imprimatur.Filter{Status: imprimatur.StatusWaiting, Limit: 2})
	if err != nil {
		v.Warn(ctx, "count what waits", err)
	} else {
		waiting = list.Total
	}
	for _, other := range list.Runs {
		if other.ID != page.Run {
			next := newRow(v, other)
			page.Next = &next
			break
		}
	}
	page.Page = in.frame(ctx, v, page.title(v.Words), page.Run, waiting)
	return v.Render(w, r, status, in.run, page)
}

// title begins with the state.
func (p *runPage) title(words *catalogue.Printer) string {
	name := p.Heading.Text
	if p.Count > 0 {
		name = words.Say("ui.card.changes", map[string]any{"count": p.Count})
	}
	if p.Problem != nil {
		return words.Say("ui.title.problem", map[string]any{"title": p.Problem.Title})
	}
	state := words.Say(imprimatur.Label("ui.status."+string(p.Status)), nil)
	return words.Say("ui.title.run", map[string]any{"state": state, "title": name})
}

// refuse answers a button that was refused. While the run still waits, the
// page is shown as it is now, with what was typed; else the browser goes to
// the run.
func (in *Inbox) refuse(w http.ResponseWriter, r *http.Request, v *web.Visit, no *imprimatur.Refusal, t typed) error {
	run := r.PathValue("id")
	page, err := in.load(r.Context(), v, run)
	if err != nil {
		return errors.Join(no, err)
	}
	if page.Status != imprimatur.StatusWaiting {
		return in.leave(w, r, note{Run: run, Code: no.Code})
	}
	page.Problem = problemOf(v.Words, no)
	if page.Card != nil && page.Card.Form != nil {
		f := page.Card.Form
		f.Reason, f.Retry, f.Open, f.Error = t.reason, t.retry, t.deny, t.fault
	}
	status := no.Code.Status()
	if t.fault != "" {
		page.Problem, status = nil, http.StatusUnprocessableEntity
	}
	return in.render(w, r, v, status, page)
}

// callOnPage and lineOnPage carry the page into the templates of its parts.
type (
	callOnPage struct {
		Page *runPage
		Call callView
	}
	lineOnPage struct {
		Page *runPage
		Line lineView
	}
	unknownOnPage struct {
		Page    *runPage
		Unknown unknownView
	}
)

// WithUnknown hands a call to the template "unknown".
func (p *runPage) WithUnknown(u unknownView) unknownOnPage { return unknownOnPage{p, u} }

// WithCall hands a call to the template "preview".
func (p *runPage) WithCall(c callView) callOnPage { return callOnPage{p, c} }

// WithLine hands a line to the templates "field" and "before".
func (p *runPage) WithLine(l lineView) lineOnPage { return lineOnPage{p, l} }
