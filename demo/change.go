package demo

import (
	"context"
	"fmt"

	"github.com/imprimatur-dev/imprimatur"
)

// Changed is a change behind a card that the card does not show yet.
type Changed struct {
	what    what
	picture string // digest of the picture that was shown then
}

// Change makes, as the administrator, a change to what the card of a run shows,
// so that an approval of that card comes back. It answers a *Refusal for a run
// that the actor may not see, one that does not wait, and one whose card shows
// nothing that could be changed.
func (m *Museum) Change(ctx context.Context, desk Desk, actor imprimatur.Actor, run string) error {
	if !actor.Person() {
		return &imprimatur.Refusal{Code: imprimatur.CodeAccessDenied}
	}
	if _, err := desk.Card(ctx, actor, run); err != nil {
		return err
	}
	card, err := desk.Card(ctx, at(m.Admin), run)
	if err != nil {
		return err
	}
	if card.Status != imprimatur.StatusWaiting {
		return imprimatur.Refused(imprimatur.CodeNotWaiting, run)
	}
	for _, call := range card.Calls {
		change, how, err := m.alter(ctx, call)
		if err != nil {
			return fmt.Errorf("change the record behind run %s: %w", run, err)
		}
		if how == "" {
			continue
		}
		if err := m.apply(ctx, m.Admin, change); err != nil {
			return fmt.Errorf("change the record behind run %s: %w", run, err)
		}
		m.mu.Lock()
		m.changed[run] = Changed{how, pictureOf(card)}
		m.mu.Unlock()
		return nil
	}
	return imprimatur.BadRequest("run: there is nothing behind its card that could be changed here")
}

// pictureOf tells one showing of a turn from another.
func pictureOf(card imprimatur.Card) string { return card.TurnDigest + card.PictureDigest }
