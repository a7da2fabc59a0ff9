package api

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/imprimatur-dev/imprimatur"
)

// decideBody is the body of POST /runs/{id}/decision. The verdict is judged by
// hand: nothing but one of the two words is a verdict, not even true.
type decideBody struct {
	Verdict       json.RawMessage `json:"verdict"`
	TurnDigest    string          `json:"turn_digest"`
	PictureDigest string          `json:"picture_digest,omitempty"`
	Reason        string          `json:"reason,omitempty"`
	Retry         bool            `json:"retry,omitempty"`
}

// decide is POST /runs/{id}/decision.
func (s *surface) decide(c *call) error {
	wait, waitErr := c.wait(defaultWait)
	var b decideBody
	if err := c.body(&b); err != nil {
		return err
	}
	decision, err := b.decision()
	if err != nil {
		return err
	}
	stream := c.wantsStream()
	if waitErr != nil && !stream {
		return waitErr
	}
	if decision.Verdict == imprimatur.Approve {
		if err := s.ifMatch(c); err != nil {
			return err
		}
	}
	run := func(ctx context.Context, w imprimatur.Wait) (imprimatur.Run, error) {
		return s.Engine.Decide(ctx, c.actor, c.run(), decision, w)
	}
	if stream {
		return s.stream(c, run)
	}
	return c.answerRun(run(c.r.Context(), wait))
}

func (b decideBody) decision() (imprimatur.Decision, error) {
	d := imprimatur.Decision{
		TurnDigest: b.TurnDigest, PictureDigest: b.PictureDigest, Reason: strings.TrimSpace(b.Reason), Retry: b.Retry,
	}
	var word *string
	if len(b.Verdict) == 0 || json.Unmarshal(b.Verdict, &word) != nil || word == nil || !imprimatur.Verdict(*word).Valid() {
		return d, &imprimatur.Refusal{
			Code: imprimatur.CodeBadVerdict, Detail: `field "verdict" must be "approve" or "deny"`,
		}
	}
	d.Verdict = imprimatur.Verdict(*word)
	if d.Verdict == imprimatur.Approve && (d.Reason != "" || d.Retry) {
		return d, imprimatur.BadRequest(`"reason" and "retry" belong to a denial`)
	}
	if imprimatur.Cut(d.Reason, imprimatur.MaxReason) != d.Reason {
		return d, imprimatur.BadRequest(`field "reason" has more than %d characters`, imprimatur.MaxReason)
	}
	return d, nil
}

// ifMatch holds the card that the caller says it saw against the current one.
// It only narrows approvals: the digests decide in any case. What the caller
// could not approve anyway is left to the engine, which says why.
func (s *surface) ifMatch(c *call) error {
	want := c.r.Header.Values("If-Match")
	if len(want) == 0 || matches(want, "*", false) {
		return nil
	}
	card, err := s.Engine.Card(c.r.Context(), c.actor, c.run())
	if err != nil {
		return err
	}
	_, tag, err := renderCard(card)
	if err != nil {
		return err
	}
	if matches(want, tag, false) || !card.May.Approve {
		return nil
	}
	return &imprimatur.Refusal{
		Code: imprimatur.CodeStalePicture, Run: c.run(), Detail: "the card is not the one that If-Match names", Card: &card,
	}
}
