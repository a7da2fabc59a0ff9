package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The report is internal to the command, so its tests are too.

func events(t *testing.T, all ...event) *strings.Reader {
	t.Helper()
	var lines strings.Builder
	enc := json.NewEncoder(&lines)
	for _, e := range all {
		if err := enc.Encode(e); err != nil {
			t.Fatal(err)
		}
	}
	return strings.NewReader(lines.String())
}

func TestReportPrintsWhatGoTestPrints(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	r := newReport(&out)
	err := r.read(events(t,
		event{"run", "a", "TestGood", ""},
		event{"output", "a", "TestGood", "=== RUN   TestGood\n"},
		event{"output", "a", "TestGood", "    a_test.go:1: chatter\n"},
		event{"pass", "a", "TestGood", ""},
		event{"output", "b", "TestBad", "=== RUN   TestBad\n"},
		event{"output", "b", "TestBad", "    b_test.go:2: got 1\n"},
		event{"output", "b", "TestBad", "--- FAIL: TestBad (0.00s)\n"},
		event{"fail", "b", "TestBad", ""},
		event{"output", "a", "", "PASS\n"},
		event{"output", "a", "", "ok  \ta\t0.1s\n"},
		event{"pass", "a", "", ""},
		event{"output", "b", "", "FAIL\tb\t0.1s\n"},
		event{"fail", "b", "", ""},
		event{"output", "c", "", "?   \tc\t[no test files]\n"},
		event{"skip", "c", "", ""},
	))
	if err != nil {
		t.Fatal(err)
	}
	want := "ok  \ta\t0.1s\n    b_test.go:2: got 1\n--- FAIL: TestBad (0.00s)\nFAIL\tb\t0.1s\n?   \tc\t[no test files]\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestReportKeepsTheOutputOfACrash(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	r := newReport(&out)
	err := r.read(events(t,
		event{"output", "a", "TestCrash", "panic: boom\n"},
		event{"output", "a", "", "FAIL\ta\t0.1s\n"},
		event{"fail", "a", "", ""},
	))
	if err != nil || out.String() != "panic: boom\nFAIL\ta\t0.1s\n" {
		t.Errorf("got %q, %v", out.String(), err)
	}
}

func TestReportNamesSkipsAndRefusesAllButMissingRealInput(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	r := newReport(&out)
	err := r.read(events(t,
		event{"output", "a", "TestLazy", "=== RUN   TestLazy\n"},
		event{"output", "a", "TestLazy", "    a_test.go:9: not today\n"},
		event{"output", "a", "TestLazy", "--- SKIP: TestLazy (0.00s)\n"},
		event{"skip", "a", "TestLazy", ""},
		event{"output", "a", "TestExport", "    a_test.go:7: real input x is absent\n"},
		event{"skip", "a", "TestExport", ""},
		event{"output", "a", "", "ok  \ta\t0.1s\n"},
		event{"pass", "a", "", ""},
	))
	if err != nil {
		t.Fatal(err)
	}
	want := "--- SKIP: TestLazy: a_test.go:9: not today\n--- SKIP: TestExport: a_test.go:7: real input x is absent\nok  \ta\t0.1s\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if diff := cmp.Diff([]string{"    a TestLazy: a_test.go:9: not today"}, r.refused()); diff != "" {
		t.Errorf("refused (-want +got)\n%s", diff)
	}
}

func TestReportHandsOnLinesThatAreNoEvents(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	if err := newReport(&out).read(strings.NewReader("go: updates to go.mod needed\nlast line")); err != nil {
		t.Fatal(err)
	}
	if out.String() != "go: updates to go.mod needed\nlast line" {
		t.Errorf("got %q", out.String())
	}
}

func TestTargetsAreReadFromTheListOfTests(t *testing.T) {
	t.Parallel()
	got := parseTargets([]string{
		"ok  \ta\t0.1s", "FuzzOne", "FuzzTwo", "ok  \tb/c\t0.1s [no tests to run]", "?   \td\t[no test files]", "FuzzThree", "ok  \te\t(cached)",
	})
	want := []target{{"b/c", "FuzzOne"}, {"b/c", "FuzzTwo"}, {"e", "FuzzThree"}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(target{})); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestMissingProgramsAreFound(t *testing.T) {
	t.Parallel()
	there := need{name: "go", names: []string{"go"}}
	gone := need{name: "nothing", names: []string{"no-such-program"}, places: []string{t.TempDir() + "/*"}}
	got := missing([]need{there, gone})
	if len(got) != 1 || got[0].name != "nothing" {
		t.Errorf("got %v", got)
	}
}

func TestNeedsAreProgramsWithAReasonAndAPackage(t *testing.T) {
	t.Parallel()
	var packages []string
	for _, n := range needs() {
		if n.name == "" || n.why == "" || len(n.names) == 0 {
			t.Errorf("%+v is not said in full", n)
		}
		packages = append(packages, n.debian)
	}
	if diff := cmp.Diff([]string{"postgresql", "chromium"}, packages); diff != "" {
		t.Errorf("packages of Debian (-want +got)\n%s", diff)
	}
}

// Not parallel: it sets where programs are looked for.
func TestABrowserCountsUnderEachOfItsNames(t *testing.T) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		t.Setenv("PATH", dir)
		browser := needs()[1]
		browser.places = nil // this machine may have one
		if !browser.present() {
			t.Errorf("%s is not taken for a browser", name)
		}
		t.Setenv("PATH", t.TempDir())
		if browser.present() {
			t.Error("a browser is there where no program is")
		}
	}
}

func TestOnlyAnInputFailsAFuzzTarget(t *testing.T) {
	t.Parallel()
	const out = "fuzz: elapsed: 26s, execs: 15\n--- FAIL: FuzzX (25.79s)\n    context deadline exceeded\nFAIL\n"
	for name, c := range map[string]struct {
		said string
		want bool
	}{
		"the time was over":            {out, true},
		"an input failed":              {"--- FAIL: FuzzX (1s)\n    x_test.go:1: wrong\n    Failing input written to testdata/fuzz/FuzzX/1\nFAIL\n", false},
		"an input failed in the end":   {out + "    Failing input written to testdata/fuzz/FuzzX/1\n", false},
		"it did not build":             {"FAIL\tx [build failed]\n", false},
		"a test says it in its output": {"    x_test.go:1: context deadline exceeded while waiting\nFAIL\n", false},
	} {
		if got := onlyOutOfTime(c.said); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
