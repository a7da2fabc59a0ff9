package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"unicode/utf8"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/internal/loop"
	"github.com/imprimatur-dev/imprimatur/policy"
	"github.com/imprimatur-dev/imprimatur/store"
)

// Decide takes a decision about a run that waits and waits for what follows as
// long as wait says. It returns a *imprimatur.Refusal where the decision was
// not taken: the run is then byte for byte what it was. A turn that came back
// because something moved is no refusal: the run that comes back waits again
// and says which calls.
func (e *Engine) Decide(ctx context.Context, actor imprimatur.Actor, run string, d imprimatur.Decision, wait imprimatur.Wait) (imprimatur.Run, error) {
	if err := wellFormed(d); err != nil {
		return imprimatur.Run{}, err
	}
	if !e.enter() {
		return imprimatur.Run{}, imprimatur.Refused(imprimatur.CodeStateUnavailable, run)
	}
	defer e.segments.Done()
	seg, err := e.decide(ctx, actor, run, d, wait)
	if errors.Is(err, errRightsChanged) {
		// Once: the questions are asked again about the rights as they are now.
		if actor.User.Exists() {
			if actor.User, err = e.store.User(ctx, actor.User.ID); err != nil {
				return imprimatur.Run{}, e.unavailable(ctx, run, err)
			}
		}
		seg, err = e.decide(ctx, actor, run, d, wait)
	}
	if err != nil {
		return imprimatur.Run{}, e.refused(ctx, actor, run, err)
	}
	return e.await(ctx, actor, seg)
}

func wellFormed(d imprimatur.Decision) error {
	switch {
	case !d.Verdict.Valid():
		return &imprimatur.Refusal{Code: imprimatur.CodeBadVerdict, Detail: "verdict: it is approve or deny"}
	case d.Verdict == imprimatur.Approve && (d.Reason != "" || d.Retry):
		return imprimatur.BadRequest("reason and retry belong to a denial")
	case !utf8.ValidString(d.Reason) || utf8.RuneCountInString(d.Reason) > imprimatur.MaxReason:
		return imprimatur.BadRequest("reason: at most %d characters of valid UTF-8", imprimatur.MaxReason)
	}
	return nil
}

// view is a run as it was read, before any transaction.
type view struct {
	row     store.Row
	agent   imprimatur.Agent
	hired   bool // the agent still exists
	owner   imprimatur.User
	state   imprimatur.Suspended
	marks   []imprimatur.Mark
	corrupt bool
	sight   sight
}

// look reads a run with everything that the questions about it need.
func (e *Engine) look(ctx context.Context, actor imprimatur.Actor, run string) (view, error) {
	row, err := e.store.Run(ctx, run)
	if errors.Is(err, store.ErrNoRun) || err == nil && !actor.MaySeeCard(row.Ownership()) {
		return view{}, imprimatur.Refused(imprimatur.CodeNotFound, run)
	}
	if err != nil {
		return view{}, err
	}
	return e.open(ctx, actor, row)
}

// open is look for a row that was read and may be seen.
func (e *Engine) open(ctx context.Context, actor imprimatur.Actor, row store.Row) (v view, err error) {
	v = view{row: row}
	v.agent, v.hired = e.agents[row.Agent]
	if v.owner, err = e.store.User(ctx, row.Owner.ID); err != nil {
		return view{}, err
	}
	if row.Status != imprimatur.StatusWaiting {
		return v, nil
	}
	v.state, v.marks, err = e.store.State(row)
	if v.corrupt = err != nil || len(v.state.Calls) == 0; v.corrupt {
		e.log.ErrorContext(ctx, "state of a waiting run is unreadable", slog.String("run", row.ID), slog.Any("error", err))
		return v, nil
	}
	v.sight = e.see(ctx, row.ID, actor, v.owner, v.state.Calls, v.state.Previews)
	return v, nil
}

// ask is every question that a decision is judged by before its transaction, in
// the order of the rulings; the first no is the answer.
func (e *Engine) ask(v view, actor imprimatur.Actor, d imprimatur.Decision) *imprimatur.Refusal {
	own, run := v.row.Ownership(), v.row.ID
	approves := d.Verdict == imprimatur.Approve
	switch {
	case actor.Credential == imprimatur.CredentialAgent:
		return imprimatur.Refused(imprimatur.CodeOwnCredential, run)
	case v.row.Status != imprimatur.StatusWaiting:
		return notWaiting(v.row)
	case !actor.MayDecide(own):
		return imprimatur.Refused(imprimatur.CodeAccessDenied, run)
	case !v.hired:
		return imprimatur.Refused(imprimatur.CodeAgentGone, run)
	case approves && v.agent.RequireSecondApprover && actor.User.Exists() && actor.User.ID == v.row.Owner.ID:
		return imprimatur.Refused(imprimatur.CodeSelfApproval, run)
	case v.corrupt:
		return imprimatur.Refused(imprimatur.CodeCorruptState, run)
	}
	if !imprimatur.EqualDigest(d.TurnDigest, imprimatur.TurnDigest(v.state.Calls)) {
		return imprimatur.Refused(imprimatur.CodeStaleTurn, run)
	}
	if !approves {
		return nil
	}
	if v.sight.withheld() {
		return imprimatur.Refused(imprimatur.CodePreviewWithheld, run)
	}
	if no := gate1(v.state, d, v.sight.outOfDate(), run); no != nil {
		return no
	}
	return e.gate2(v.state, actor, run)
}

func notWaiting(row store.Row) *imprimatur.Refusal {
	kind := row.Claim.Kind()
	if row.Status == imprimatur.StatusRunning && (kind == imprimatur.ClaimResume || kind == imprimatur.ClaimDeny) {
		return imprimatur.Refused(imprimatur.CodeAlreadyResuming, row.ID)
	}
	return imprimatur.Refused(imprimatur.CodeNotWaiting, row.ID)
}

// decide asks, and then lets the one transaction take the decision: claim,
// gates, event, or nothing. It returns the segment that the claim is for, at
// work already.
func (e *Engine) decide(ctx context.Context, actor imprimatur.Actor, run string, d imprimatur.Decision, wait imprimatur.Wait) (*segment, error) {
	v, err := e.look(ctx, actor, run)
	if err != nil {
		return nil, err
	}
	if no := e.ask(v, actor, d); no != nil {
		return nil, no
	}
	kind := imprimatur.ClaimResume
	if d.Verdict == imprimatur.Deny {
		kind = imprimatur.ClaimDeny
	}
	seg := e.newSegment(run, kind, wait)
	var state imprimatur.Suspended
	err = e.store.Decide(ctx, func(ctx context.Context, tx *store.Deciding) error {
		var err error
		state, err = e.take(ctx, tx, v, seg, actor, d)
		return err
	})
	if errors.Is(err, store.ErrCommitUnknown) {
		// Read back by run and claim, never repeated.
		mine, look := e.store.Claimed(context.WithoutCancel(ctx), run, seg.claim)
		if look != nil || !mine {
			return nil, errors.Join(err, look)
		}
		err = nil
	}
	if err != nil {
		return nil, err
	}
	e.log.InfoContext(ctx, "decided", slog.String("run", run), slog.String("approver", actor.By().Name), slog.String("verdict", string(d.Verdict)))
	e.changed(v.row)
	l := e.resume(ctx, seg, v, state)
	e.launch(ctx, seg, func(ctx context.Context) (loop.Result, error) {
		if d.Verdict == imprimatur.Deny {
			return l.Denied(ctx, state, d.Reason, d.Retry)
		}
		return l.Approved(ctx, state, v.sight.old)
	})
	return seg, nil
}

// take is the body of the transaction. The state that is judged is the state
// that was claimed. Nothing in here may call a tool, a server or another
// connection; every error takes everything back.
func (e *Engine) take(ctx context.Context, tx *store.Deciding, v view, seg *segment, actor imprimatur.Actor, d imprimatur.Decision) (imprimatur.Suspended, error) {
	row, won, err := tx.Claim(ctx, seg.run, seg.claim, e.lease.Milliseconds())
	if err != nil {
		return imprimatur.Suspended{}, err
	}
	if !won {
		return imprimatur.Suspended{}, lost(row)
	}
	state, marks, err := e.store.State(row)
	if err != nil || len(state.Calls) == 0 {
		return imprimatur.Suspended{}, imprimatur.Refused(imprimatur.CodeCorruptState, seg.run)
	}
	outOfDate := v.sight.outOfDate() && imprimatur.PictureDigest(state.Calls, state.Previews) == imprimatur.PictureDigest(v.state.Calls, v.state.Previews)
	if no := gate1(state, d, outOfDate, seg.run); no != nil {
		return imprimatur.Suspended{}, no
	}
	if err := rights(ctx, tx, actor, v.owner); err != nil {
		return imprimatur.Suspended{}, err
	}
	event := imprimatur.ApprovalPayload{
		Verdict: d.Verdict, By: actor.By(), Credential: actor.Credential,
		TurnDigest: imprimatur.TurnDigest(state.Calls), PictureDigest: imprimatur.PictureDigest(state.Calls, state.Previews),
	}
	shown := imprimatur.Shown{
		Calls: state.Calls, Previews: state.Previews, Was: state.Was, Marks: marks, Ran: state.Ran, Words: state.Words,
		TurnDigest: event.TurnDigest, PictureDigest: event.PictureDigest, Reason: d.Reason, Retry: d.Retry,
		Decided:      imprimatur.Decided{By: event.By, Verdict: d.Verdict, At: tx.Now()},
		WaitingSince: imprimatur.Millis(row.WaitingSince),
	}
	return state, e.gate3(ctx, tx, state, seg.run, event, shown)
}

// lost says why a claim met nothing that waits.
func lost(row store.Row) *imprimatur.Refusal {
	if row.Status == imprimatur.StatusRunning {
		return imprimatur.Refused(imprimatur.CodeAlreadyResuming, row.ID)
	}
	return imprimatur.Refused(imprimatur.CodeNotWaiting, row.ID)
}

// refused finishes the answer to a decision that was not taken: who was first,
// the current card, and, best effort, a word in the run's record.
func (e *Engine) refused(ctx context.Context, actor imprimatur.Actor, run string, err error) error {
	var no *imprimatur.Refusal
	if !errors.As(err, &no) {
		return e.unavailable(ctx, run, err)
	}
	if no.Code == imprimatur.CodeNotFound {
		return no
	}
	attrs := []any{slog.String("run", run), slog.String("approver", actor.By().Name), slog.String("code", string(no.Code))}
	if no.Code == imprimatur.CodeApproverNotPermitted {
		why := e.policy.Check(policy.Question{Tool: e.tools[no.Tool], User: actor.User})
		attrs = append(attrs, slog.String("tool", no.Tool), slog.String("reason", string(why)))
	}
	e.log.InfoContext(ctx, "decision refused", attrs...)
	switch no.Code {
	case imprimatur.CodeNotWaiting, imprimatur.CodeAlreadyResuming:
		if d, err := e.store.Decided(ctx, run); err == nil {
			no.Decided = d
		}
		return no
	}
	by := actor.By()
	payload := imprimatur.GovernancePayload{Refused: no.Code, By: &by}
	if err := e.store.AppendWaiting(ctx, run, store.Draft{Kind: imprimatur.EventGovernance, Payload: payload}); err != nil {
		e.log.WarnContext(ctx, "refusal was not recorded", slog.String("run", run), slog.Any("error", err))
	}
	if no.Code.CarriesCard() {
		if card, err := e.Card(ctx, actor, run); err == nil {
			no.Card = &card
		}
	}
	return no
}

// unavailable turns a fault of the store into the refusal that people get. The
// fault itself goes to the log.
func (e *Engine) unavailable(ctx context.Context, run string, err error) error {
	var no *imprimatur.Refusal
	if errors.As(err, &no) {
		return no
	}
	e.log.ErrorContext(ctx, "state unavailable", slog.String("run", run), slog.Any("error", err))
	return imprimatur.Refused(imprimatur.CodeStateUnavailable, run)
}

// Cancel ends a run that has not ended, whoever holds it, and returns it.
func (e *Engine) Cancel(ctx context.Context, actor imprimatur.Actor, run string) (imprimatur.Run, error) {
	row, err := e.store.Run(ctx, run)
	if errors.Is(err, store.ErrNoRun) || err == nil && !actor.MayCancel(row.Ownership()) && !actor.MaySee(row.Ownership()) {
		return imprimatur.Run{}, imprimatur.Refused(imprimatur.CodeNotFound, run)
	}
	if err != nil {
		return imprimatur.Run{}, e.unavailable(ctx, run, err)
	}
	if !actor.MayCancel(row.Ownership()) {
		return imprimatur.Run{}, imprimatur.Refused(imprimatur.CodeAccessDenied, run)
	}
	won, err := e.store.Cancel(ctx, run, actor.By())
	if errors.Is(err, store.ErrCommitUnknown) {
		after, look := e.store.Run(context.WithoutCancel(ctx), run)
		if look == nil && after.Status == imprimatur.StatusCancelled {
			won, err = true, nil
		}
	}
	if err != nil {
		return imprimatur.Run{}, e.unavailable(ctx, run, fmt.Errorf("cancel: %w", err))
	}
	if !won {
		return imprimatur.Run{}, imprimatur.Refused(imprimatur.CodeFinished, run)
	}
	e.changed(row)
	if row, err = e.store.Run(ctx, run); err != nil {
		return imprimatur.Run{}, e.unavailable(ctx, run, err)
	}
	return e.present(ctx, actor, row)
}
