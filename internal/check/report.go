package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// An event is one line of go test -json (see go doc test2json).
type event struct {
	Action  string
	Package string
	Test    string
	Output  string
}

// A skip is a test that did not run, and why.
type skip struct{ pkg, test, reason string }

func (s skip) String() string { return fmt.Sprintf("    %s %s: %s", s.pkg, s.test, s.reason) }

// A report turns the events of go test -json back into the lines that go test
// prints by itself, with one line more for each test that was skipped: go test
// keeps those to itself.
type report struct {
	out     io.Writer
	pending map[string]*strings.Builder // output of tests that have not ended, by package and test
	failed  map[string][]string         // output of failed tests, by package
	lines   map[string][]string         // the package's own lines
	skips   []skip
}

func newReport(out io.Writer) *report {
	return &report{
		out:     out,
		pending: map[string]*strings.Builder{},
		failed:  map[string][]string{},
		lines:   map[string][]string{},
	}
}

// read consumes the events to their end.
func (r *report) read(events io.Reader) error {
	lines := bufio.NewReader(events)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			var e event
			if json.Unmarshal(line, &e) == nil && e.Action != "" {
				r.take(e)
			} else {
				fmt.Fprintf(r.out, "%s", line) // go itself, before any test ran
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read events: %w", err)
		}
	}
}

func (r *report) take(e event) {
	if e.Action == "build-output" {
		fmt.Fprint(r.out, e.Output)
		return
	}
	if e.Test == "" {
		r.takePackage(e)
		return
	}
	key := e.Package + "\x00" + e.Test
	switch e.Action {
	case "output":
		if r.pending[key] == nil {
			r.pending[key] = &strings.Builder{}
		}
		if !strings.HasPrefix(e.Output, "=== ") {
			r.pending[key].WriteString(e.Output)
		}
	case "fail":
		r.failed[e.Package] = append(r.failed[e.Package], r.finish(key))
	case "skip":
		r.skips = append(r.skips, skip{e.Package, e.Test, reason(r.finish(key))})
	case "pass":
		r.finish(key)
	}
}

func (r *report) takePackage(e event) {
	switch e.Action {
	case "output":
		if e.Output != "PASS\n" {
			r.lines[e.Package] = append(r.lines[e.Package], e.Output)
		}
	case "fail":
		// A crash ends tests without an event of their own.
		for key := range r.pending {
			if strings.HasPrefix(key, e.Package+"\x00") {
				r.failed[e.Package] = append(r.failed[e.Package], r.finish(key))
			}
		}
		r.print(e.Package)
	case "pass", "skip":
		r.print(e.Package)
	}
}

func (r *report) print(pkg string) {
	for _, output := range r.failed[pkg] {
		fmt.Fprint(r.out, output)
	}
	for _, s := range r.skips {
		if s.pkg == pkg {
			fmt.Fprintf(r.out, "--- SKIP: %s: %s\n", s.test, s.reason)
		}
	}
	for _, line := range r.lines[pkg] {
		fmt.Fprint(r.out, line)
	}
	delete(r.failed, pkg)
	delete(r.lines, pkg)
}

// finish takes the output of a test out of what is pending.
func (r *report) finish(key string) string {
	output := r.pending[key]
	delete(r.pending, key)
	if output == nil {
		return ""
	}
	return output.String()
}

// reason is what a skipped test said, without the place and the result line.
func reason(output string) string {
	var said []string
	for line := range strings.Lines(output) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "--- SKIP") {
			said = append(said, line)
		}
	}
	return strings.Join(said, " ")
}

// realInput is what a test says that skips because the real input, which is not
// part of this project, was not put beside it.
const realInput = "real input"

// refused returns the skips that are no good where nothing may be left out.
func (r *report) refused() []string {
	var refused []string
	for _, s := range r.skips {
		if !strings.Contains(s.reason, realInput) {
			refused = append(refused, s.String())
		}
	}
	return refused
}
