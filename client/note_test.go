package client_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/client"
)

func TestANoteSaysTheCallAndWhatWasFound(t *testing.T) {
	t.Parallel()
	n := imprimatur.Note{Call: "c 1", Found: imprimatur.FoundNothing}
	c, got := answering(t, 204, "", "")
	if err := c.Note(t.Context(), "r/1", n); err != nil {
		t.Fatal(err)
	}
	want := seen{"POST", "/api/v1/runs/r%2F1/note", `{"call":"c 1","found":"did_not_happen"}`, "application/json", "Bearer imp_p_x", ""}
	if diff := cmp.Diff(want, *got); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
}

func TestANoteThatWasNotTakenIsAnError(t *testing.T) {
	t.Parallel()
	n := imprimatur.Note{Call: "c1", Found: imprimatur.FoundUnclear}
	c, _ := answering(t, 409, "application/problem+json", `{"type":"/docs/refusals/not_unknown","status":409,"run":"r1"}`)
	var no *imprimatur.Refusal
	if err := c.Note(t.Context(), "r1", n); !errors.As(err, &no) || no.Code != imprimatur.CodeNotUnknown {
		t.Errorf("got %v, want not_unknown", err)
	}
	for _, status := range []int{200, 202, 502} { // only 204 says that it stands on record
		c, _ := answering(t, status, "application/json", `{}`)
		var fault *client.Fault
		if err := c.Note(t.Context(), "r1", n); !errors.As(err, &fault) || fault.Status != status {
			t.Errorf("%d: got %v, want a fault", status, err)
		}
	}
}
