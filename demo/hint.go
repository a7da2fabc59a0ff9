package demo

import (
	"context"

	"github.com/imprimatur-dev/imprimatur"
)

// Hint says what somebody may try on a page. Its labels are those of the
// surfaces.
type Hint struct {
	imprimatur.Phrase
	Button imprimatur.Phrase // of Change; the zero value: no button
}

// Hint returns what to try on the page of a run, empty for the list. It reports
// false for a page that the actor may not see.
func (m *Museum) Hint(ctx context.Context, desk Desk, actor imprimatur.Actor, run string) (Hint, bool) {
	if run == "" {
		return m.hint("ui.demo.list", false), true
	}
	card, err := desk.Card(ctx, actor, run)
	if err != nil {
		return Hint{}, false
	}
	m.mu.Lock()
	changed, ok := m.changed[run]
	m.mu.Unlock()
	fresh := ok && changed.picture == pictureOf(card)
	var may, failed, back bool
	for _, call := range card.Calls {
		_, alterable := subjectOf(call)
		may = may || alterable
		back = back || call.Stale != ""
		switch p := call.Preview; {
		case p == nil:
		case p.Withheld && card.Status == imprimatur.StatusWaiting:
			return m.hint("ui.demo.withheld", false), true
		case p.Failed:
			failed = true
		}
	}
	switch {
	case card.Status != imprimatur.StatusWaiting:
		return m.hint("ui.demo.decided", false), true
	case fresh:
		return m.hint(changed.what, false), true
	case back:
		return m.hint("ui.demo.back", may), true
	case failed && !may:
		return m.hint("ui.demo.failed", false), true
	default:
		return m.hint("ui.demo.card", may), true
	}
}

func (m *Museum) hint(label imprimatur.Label, button bool) Hint {
	values := map[string]any{"name": imprimatur.Visible(m.Admin.Name)}
	h := Hint{Phrase: imprimatur.Phrase{Label: label, Values: values}}
	if button {
		h.Button = imprimatur.Phrase{Label: "ui.demo.button", Values: values}
	}
	return h
}
