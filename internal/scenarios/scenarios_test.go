package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The program has no exported parts, so its tests are inside.

func TestThePageIsInStepWithTheTests(t *testing.T) {
	t.Parallel()
	text, problems, err := build("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Error(p)
	}
	written, err := os.ReadFile(filepath.Join("../..", page))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(written), text); diff != "" {
		t.Errorf("go run ./internal/scenarios writes the page anew (-is +should be)\n%s", diff)
	}
}

func TestTheListIsWhole(t *testing.T) {
	t.Parallel()
	l, err := readList()
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for _, g := range l.Groups {
		for _, s := range g.Scenarios {
			counts[g.Set]++
			if words := len(strings.Fields(s.Says)); words == 0 || words > 12 {
				t.Errorf("%s %d is told in %d words", g.Set, s.N, words)
			}
			if s.Later != "" && s.Not != "" {
				t.Errorf("%s %d is both later and not here", g.Set, s.N)
			}
		}
	}
	if diff := cmp.Diff(map[string]int{"runtime": 202, "tools": 128, "field": 60}, counts); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestClaimsAreReadAndMisspeltOnesReported(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	put := func(name, content string) {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put("a/a_test.go", `package a

// Proves runtime 99.

// TestGood does it.
// Proves runtime 97, 98; tools 12; field 55.
func TestGood(t *testing.T) {}

// Proves runtime 1
func TestNoDot(t *testing.T) {}

// Proves: runtime 2.
func TestColon(t *testing.T) {}

// Proves routine 3.
func TestNoSet(t *testing.T) {}

// Proves tools x.
func TestNoNumber(t *testing.T) {}

// Proves runtime 97.
func helper() {}
`)
	put("a/testdata/b_test.go", "not even Go")
	put("engine/testdata/one.txtar", "What it shows.\nproves: runtime 142, 97\n-- script.yaml --\nproves: runtime 5\n")
	put("engine/testdata/two.txtar", "Nothing claimed.\n-- script.yaml --\n")

	got, problems, err := collect(root)
	if err != nil {
		t.Fatal(err)
	}
	want := claims{
		{"runtime", 97}:  {"`TestGood` in a/a_test.go", "engine/testdata/one.txtar"},
		{"runtime", 98}:  {"`TestGood` in a/a_test.go"},
		{"runtime", 142}: {"engine/testdata/one.txtar"},
		{"tools", 12}:    {"`TestGood` in a/a_test.go"},
		{"field", 55}:    {"`TestGood` in a/a_test.go"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("claims (-want +got)\n%s", diff)
	}
	wantProblems := []string{
		"a/a_test.go:3: this claim stands above no test",
		`a/a_test.go:9: a claim has the form "Proves runtime 1, 2; tools 3."`,
		`a/a_test.go:12: a claim has the form "Proves runtime 1, 2; tools 3."`,
		`a/a_test.go:15: "routine 3" names no set: runtime, tools or field`,
		`a/a_test.go:18: "x" is no number of a scenario`,
		"a/a_test.go:21: this claim stands above no test",
		`engine/testdata/two.txtar: the head has no line "proves:"`,
	}
	if diff := cmp.Diff(wantProblems, problems); diff != "" {
		t.Errorf("problems (-want +got)\n%s", diff)
	}
}

func TestNumbersAreJudgedByTheirPlace(t *testing.T) {
	t.Parallel()
	l := list{Later: map[string]string{"desk": "The desk"}, Groups: []group{{Set: "tools", Letter: "A", Title: "Some", Scenarios: []scenario{
		{N: 1, Says: "proven"},
		{N: 2, Says: "open", Rest: "desk"},
		{N: 3, Says: "later", Later: "desk"},
		{N: 4, Says: "never", Not: "guardrails"},
		{N: 5, Says: "overturned", Ruling: true},
		{N: 6, Says: "much later", Later: "desk"},
	}}}}
	c := claims{{"tools", 1}: {"a"}, {"tools", 3}: {"b"}, {"tools", 4}: {"c"}, {"tools", 5}: {"d", "e"}, {"tools", 9}: {"f"}}
	want := []string{
		"tools 2 is due and no test proves it: open",
		"tools 4 is not here (guardrails), and claimed by c",
		"tools 9 is no scenario, and claimed by f",
	}
	if diff := cmp.Diff(want, judge(l, c)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	text := write(l, c)
	for _, line := range []string{
		"| tools | 2 | 1 | 1 | 1 | 1 |",
		"## tools A: Some",
		"| 1 | proven | a |",
		"| 2 | open | **no test**<br>the rest later: The desk |",
		"| 3 | later | b<br>the rest later: The desk |",
		"| 6 | much later | later: The desk |",
		"| 4 | never | c<br>not here: guardrails |",
		"| 5* | overturned | d<br>e |",
	} {
		if !strings.Contains(text, line+"\n") {
			t.Errorf("the page lacks %q:\n%s", line, text)
		}
	}
}
