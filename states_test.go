package imprimatur_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/imprimatur-dev/imprimatur"
)

var update = flag.Bool("update", false, "write the files that are drawn from the code")

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
		if !tr.To.Valid() || tr.Trigger == "" {
			t.Errorf("%s leads to %q", tr.ID, tr.To)
		}
	}
	if imprimatur.Status("paused").Valid() || imprimatur.Status("").Final() {
		t.Error("a status nobody knows was taken for one")
	}
}

func TestTheDrawingOfStatesIsTheTable(t *testing.T) {
	t.Parallel()
	path := filepath.Join("docs", "states.md")
	want := drawStates()
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is not what the table says; run: go test . -run DrawingOfStates -update", path)
	}
}

func drawStates() string {
	var b strings.Builder
	b.WriteString("# States of a run\n\nDrawn from the table of transitions in `run.go`; a test keeps the two equal. Every transition is one\nconditional update whose predicate holds the source status: no row means lost, and two callers never both win.\n\n```mermaid\nstateDiagram-v2\n")
	for _, tr := range imprimatur.Transitions() {
		if tr.Reserved {
			continue
		}
		if len(tr.From) == 0 {
			fmt.Fprintf(&b, "    [*] --> %s: %s\n", tr.To, tr.ID)
		}
		for _, from := range tr.From {
			fmt.Fprintf(&b, "    %s --> %s: %s\n", from, tr.To, tr.ID)
		}
	}
	b.WriteString("    running --> failed: T8\n    completed --> [*]\n    failed --> [*]\n    cancelled --> [*]\n```\n\n| | from | to | by | guard beyond the status |\n| --- | --- | --- | --- | --- |\n")
	for _, tr := range imprimatur.Transitions() {
		from := make([]string, len(tr.From))
		for i, s := range tr.From {
			from[i] = "`" + string(s) + "`"
		}
		to := "`" + string(tr.To) + "`"
		if tr.ID == "T8" {
			to += " or `failed`"
		}
		trigger := tr.Trigger
		if tr.Reserved {
			trigger += " (nothing does this yet)"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", tr.ID, strings.Join(from, ", "), to, trigger, tr.Guard)
	}
	return b.String()
}
