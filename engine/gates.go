package engine

import (
	"context"
	"errors"
	"log/slog"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/policy"
	"github.com/imprimatur-dev/imprimatur/store"
)

// The three gates stand between a claimed run and its execution, in this
// order. Each returns nil or the refusal; every refusal rolls the claim back.

// gate1 holds the decision against the turn and the picture (S132, rulings §2).
// An approval of a picture that is out of date names none: it can only bring
// the turn back.
func gate1(s imprimatur.Suspended, d imprimatur.Decision, outOfDate bool, run string) *imprimatur.Refusal {
	if !imprimatur.EqualDigest(d.TurnDigest, imprimatur.TurnDigest(s.Calls)) {
		return imprimatur.Refused(imprimatur.CodeStaleTurn, run)
	}
	if d.Verdict == imprimatur.Deny {
		return nil
	}
	if outOfDate && d.PictureDigest == "" {
		return nil
	}
	if outOfDate || !imprimatur.EqualDigest(d.PictureDigest, imprimatur.PictureDigest(s.Calls, s.Previews)) {
		return imprimatur.Refused(imprimatur.CodeStalePicture, run)
	}
	return nil
}

// gate2 asks whether the decider may run every write of the turn. A service
// account may run none, and an entry that cannot be read is a write nobody
// may. A name that no tool has can never be executed, so it asks nobody.
func (e *Engine) gate2(s imprimatur.Suspended, actor imprimatur.Actor, run string) *imprimatur.Refusal {
	refuse := func(tool string) *imprimatur.Refusal {
		return &imprimatur.Refusal{Code: imprimatur.CodeApproverNotPermitted, Run: run, Tool: tool}
	}
	if s.Dropped > 0 {
		return refuse("")
	}
	for _, c := range s.Calls {
		tool, known := e.tools[c.Name]
		if !e.effect(c).Writes() {
			continue
		}
		if !actor.Person() {
			return refuse(c.Name)
		}
		if !known {
			continue
		}
		if why := e.policy.Check(policy.Question{Tool: tool, User: actor.User}); why != "" {
			return refuse(c.Name)
		}
	}
	return nil
}

// errRightsChanged says that the rights of decider or owner are not those that
// the questions before were answered with.
var errRightsChanged = errors.New("rights changed while the decision was taken")

// rights is gate 2's last word, inside the transaction: the users the questions
// were asked about are still the same. A disabled owner is no refusal: the
// turn comes back by its pictures.
func rights(ctx context.Context, tx *store.Deciding, actor imprimatur.Actor, owner imprimatur.User) error {
	now, err := tx.User(ctx, owner.ID)
	if err != nil {
		return err
	}
	if now.Version != owner.Version {
		return errRightsChanged
	}
	if !actor.User.Exists() {
		return nil
	}
	decider, err := tx.User(ctx, actor.User.ID)
	if err != nil {
		return err
	}
	if decider.Version != actor.User.Version || !decider.Enabled {
		return errRightsChanged
	}
	return nil
}

// gate3 puts the decision on record. Only a turn that writes nothing, or a
// denial, may go on without (S132).
func (e *Engine) gate3(ctx context.Context, tx *store.Deciding, s imprimatur.Suspended, run string, event imprimatur.ApprovalPayload, shown imprimatur.Shown) error {
	if event.Verdict == imprimatur.Deny || !e.writes(s) {
		return tx.RecordSoftly(ctx, run, event, shown)
	}
	if err := tx.Record(ctx, run, event, shown); err != nil {
		e.log.ErrorContext(ctx, "decision could not be recorded", slog.String("run", run), slog.Any("error", err))
		return imprimatur.Refused(imprimatur.CodeNotAuditable, run)
	}
	return nil
}

// writes reports whether a turn declares a write. What cannot be read counts.
func (e *Engine) writes(s imprimatur.Suspended) bool {
	for _, c := range s.Calls {
		if e.effect(c).Writes() {
			return true
		}
	}
	return s.Dropped > 0
}

// effect is the effect of a call by its tool's name; that of a name nobody
// knows is the dangerous one.
func (e *Engine) effect(c imprimatur.ToolCall) imprimatur.Effect {
	if d, ok := e.tools[c.Name]; ok {
		return d.Effect
	}
	return imprimatur.NonIdempotentWrite
}
