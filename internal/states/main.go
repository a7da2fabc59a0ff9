// Command states writes docs/states.md: the transition table of a run, drawn.
//
//	go run ./internal/states [directory of the module]
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/imprimatur-dev/imprimatur"
)

// page is where the page stands in the module.
const page = "docs/states.md"

func main() {
	root := "."
	if len(os.Args) > 1 {
		root = os.Args[1]
	}
	if err := os.WriteFile(filepath.Join(root, page), []byte(draw(imprimatur.Transitions())), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, "states:", err)
		os.Exit(1)
	}
}

const intro = `# States of a run

Every way in which the status of a run changes. Written by ` + "`go run ./internal/states`" + ` from the table in ` + "`run.go`" + `; do not edit. Each row is one conditional update: source status and guard are its predicate, its row count is the verdict, and no row means that somebody else was first. Nothing leads on from a final status, and a stored status that is none of these can be neither claimed, decided nor settled.

`

// draw returns the page for a table of transitions.
func draw(table []imprimatur.Transition) string {
	var b strings.Builder
	b.WriteString(intro)
	b.WriteString("```mermaid\nstateDiagram-v2\n")
	final := map[imprimatur.Status]bool{}
	for _, t := range table {
		if t.Reserved {
			continue
		}
		for _, to := range t.To {
			for _, from := range sources(t) {
				fmt.Fprintf(&b, "    %s --> %s: %s %s\n", from, to, t.ID, t.Trigger)
			}
			final[to] = final[to] || to.Final()
		}
	}
	for _, s := range []imprimatur.Status{imprimatur.StatusCompleted, imprimatur.StatusFailed, imprimatur.StatusCancelled} {
		if final[s] {
			fmt.Fprintf(&b, "    %s --> [*]\n", s)
		}
	}
	b.WriteString("```\n\n| | from | to | when | guard |\n| --- | --- | --- | --- | --- |\n")
	reserved := false
	for _, t := range table {
		id := t.ID
		if t.Reserved {
			id, reserved = id+"*", true
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", id, names(t.From), names(t.To), t.Trigger, t.Guard)
	}
	if reserved {
		b.WriteString("\n\\* Specified, and reached by nothing yet.\n")
	}
	return b.String()
}

// sources are the states a transition leaves in the drawing. One that leaves
// every living state is drawn from those that something leads to.
func sources(t imprimatur.Transition) []string {
	if len(t.From) == 0 {
		return []string{"[*]"}
	}
	var names []string
	for _, s := range t.From {
		if len(t.From) == 1 || s == imprimatur.StatusRunning || s == imprimatur.StatusWaiting {
			names = append(names, string(s))
		}
	}
	return names
}

func names(all []imprimatur.Status) string {
	if len(all) == 0 {
		return "–"
	}
	words := make([]string, len(all))
	for i, s := range all {
		words[i] = string(s)
	}
	return strings.Join(words, ", ")
}
