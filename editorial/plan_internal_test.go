package editorial

import (
	"errors"
	"testing"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
)

// A person who approved a refusal saw nothing that could be written: not even
// what an earlier call of the turn brought about makes it so.
func TestACallThatWasARefusalIsNeverWritten(t *testing.T) {
	t.Parallel()
	left := content.Versions{{Table: content.Pages, UID: 10}: 2}
	p := &plan{seen: left}
	approved := imprimatur.Call{Token: shown{refusal: noPage}, Own: []any{left}}
	if err := p.compare(approved); !errors.Is(err, imprimatur.ErrMoved) {
		t.Errorf("%v", err)
	}
	approved.Token = shown{lines: []imprimatur.Text{}, seen: content.Versions{{Table: content.Pages, UID: 10}: 1}}
	if err := p.compare(approved); err != nil {
		t.Errorf("what the turn itself changed: %v", err)
	}
}
