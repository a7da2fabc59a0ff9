package imprimatur_test

import (
	"fmt"
	"testing"

	"github.com/imprimatur-dev/imprimatur"
)

// Proves runtime 4.
func TestNothingLeadsOnFromAFinalStatus(t *testing.T) {
	t.Parallel()
	ids := map[string]bool{}
	for i, tr := range imprimatur.Transitions() {
		if want := fmt.Sprintf("T%d", i+1); tr.ID != want || ids[tr.ID] {
			t.Errorf("transition %d is %s, want %s", i, tr.ID, want)
		}
		ids[tr.ID] = true
		for _, from := range tr.From {
			if from.Final() || !from.Valid() {
				t.Errorf("%s leads on from %s", tr.ID, from)
			}
		}
		for _, to := range tr.To {
			if !to.Valid() {
				t.Errorf("%s leads to %q", tr.ID, to)
			}
		}
		if len(tr.To) == 0 || tr.Trigger == "" {
			t.Errorf("%s leads nowhere", tr.ID)
		}
	}
	if imprimatur.Status("paused").Valid() || imprimatur.Status("").Final() {
		t.Error("a status nobody knows was taken for one")
	}
}
