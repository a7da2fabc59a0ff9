package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur"
)

func TestThePageIsDrawnFromTheTable(t *testing.T) {
	t.Parallel()
	written, err := os.ReadFile(filepath.Join("../..", page))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(written), draw(imprimatur.Transitions())); diff != "" {
		t.Errorf("go run ./internal/states draws the page anew (-is +should be)\n%s", diff)
	}
}

func TestTheDrawingShowsWhatIsReached(t *testing.T) {
	t.Parallel()
	got := draw([]imprimatur.Transition{
		{ID: "T1", To: []imprimatur.Status{imprimatur.StatusRunning}, Trigger: "begin"},
		{ID: "T2", To: []imprimatur.Status{imprimatur.StatusQueued}, Trigger: "enqueue", Reserved: true},
		{ID: "T9", From: []imprimatur.Status{imprimatur.StatusQueued, imprimatur.StatusRunning}, To: []imprimatur.Status{imprimatur.StatusCancelled}, Trigger: "cancel", Guard: "none"},
	})
	for _, line := range []string{
		"    [*] --> running: T1 begin",
		"    running --> cancelled: T9 cancel",
		"    cancelled --> [*]",
		"| T1 | – | running | begin |  |",
		"| T2* | – | queued | enqueue |  |",
		"| T9 | queued, running | cancelled | cancel | none |",
	} {
		if !strings.Contains(got, line+"\n") {
			t.Errorf("the page lacks %q:\n%s", line, got)
		}
	}
	for _, line := range []string{"--> queued", "queued -->", "completed --> [*]"} {
		if strings.Contains(got, line) {
			t.Errorf("the page draws %q:\n%s", line, got)
		}
	}
}
