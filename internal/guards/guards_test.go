package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The program has no exported parts, so its tests are inside.

// small is a module with two guards and one test.
func small(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for name, content := range map[string]string{
		"go.mod":    "module small\n\ngo 1.26\n",
		"min.sql":   "WHERE n > 0\n",
		"small.go":  "package small\n\nimport _ \"embed\"\n\n//go:embed min.sql\nvar sql string\n\nfunc f(n int) int {\n\tif n < 0 {\n\t\tn = 0\n\t}\n\tif n > 9 {\n\t\tn = 9\n\t}\n\treturn n\n}\n",
		"f_test.go": "package small\n\nimport \"testing\"\n\nfunc TestLow(t *testing.T) {\n\tif f(-1) != 0 {\n\t\tt.Error(f(-1))\n\t}\n}\n\nfunc TestSQL(t *testing.T) {\n\tif sql != \"WHERE n > 0\\n\" {\n\t\tt.Error(sql)\n\t}\n}\n\nfunc TestRed(t *testing.T) { t.Error() }\n",
	} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestRemovalsAreJudged(t *testing.T) {
	t.Parallel()
	here := []string{"."}
	guards := []Guard{
		{"noticed", []Edit{{"small.go", "n < 0", "false"}}, here, "TestLow", false},
		{"noticed in a file that is embedded", []Edit{{"min.sql", " > 0", ""}}, here, "TestSQL", false},
		{"noticed in two places", []Edit{{"small.go", "n < 0", "false"}, {"small.go", "n > 9", "false"}, {"min.sql", " > 0", ""}}, here, "TestLow|TestSQL", false},
		{"not noticed", []Edit{{"small.go", "n > 9", "false"}}, here, "TestLow", false},
		{"does not build", []Edit{{"small.go", "n = 9", "x = 9"}}, here, "TestLow", false},
		{"is not there", []Edit{{"small.go", "n > 10", "false"}}, here, "TestLow", false},
		{"is there twice", []Edit{{"small.go", "if n", "if false && n"}}, here, "TestLow", false},
		{"tests nothing", []Edit{{"small.go", "n < 0", "false"}}, here, "TestNone", false},
		{"red anyway", []Edit{{"small.go", "n < 0", "false"}}, here, "TestRed", false},
	}
	var out strings.Builder
	c := checker{root: small(t), scratch: t.TempDir(), out: &out}
	missed := c.check(t.Context(), guards)

	var lines []string
	for line := range strings.Lines(out.String()) {
		if strings.HasPrefix(line, "red ") || strings.HasPrefix(line, "MISSED ") {
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
	}
	want := []string{
		"red     noticed: TestLow",
		"red     noticed in a file that is embedded: TestSQL",
		"red     noticed in two places: TestLow, TestSQL",
		"MISSED  not noticed: no test notices",
		"MISSED  does not build: the source without it does not build: go test: exit status 1",
		"MISSED  is not there: its text stands 0 times in small.go",
		"MISSED  is there twice: its text stands 2 times in small.go",
		"MISSED  tests nothing: its tests do not exist, or skip",
		"MISSED  red anyway: its tests are red with the guard in place: go test: exit status 1",
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if missed != 6 {
		t.Errorf("%d are missed, want 6", missed)
	}
}

func TestFailuresAreNamedByTheirParts(t *testing.T) {
	t.Parallel()
	out := "--- FAIL: TestA (0.00s)\n    --- FAIL: TestA/one (0.00s)\n    --- FAIL: TestA/two (0.00s)\n--- FAIL: TestB (0.00s)\n--- FAIL: TestAB (0.00s)\nFAIL\n"
	got := failed([]byte(out))
	if diff := cmp.Diff([]string{"TestA/one", "TestA/two", "TestAB", "TestB"}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if got := few(got); got != "TestA/one, TestA/two, TestAB and 1 more" {
		t.Errorf("got %s", got)
	}
}

func TestGuardsStandInTheTree(t *testing.T) {
	t.Parallel()
	guards, err := read(guardsText)
	if err != nil {
		t.Fatal(err)
	}
	c := checker{root: "../..", scratch: t.TempDir()}
	for _, g := range guards {
		if _, err := c.overlay(g); err != nil {
			t.Errorf("%s: %v", g.Name, err)
		}
	}
	if len(guards) < 12 {
		t.Errorf("there are %d guards, at least 12 are wanted", len(guards))
	}
}

func TestAGuardThatIsNotWholeIsRefused(t *testing.T) {
	t.Parallel()
	const whole = "[[guard]]\nname = \"a\"\nedits = [{file = \"f.go\", old = \"x\", new = \"y\"}]\npackages = [\".\"]\nrun = \"TestA\"\n"
	if _, err := read(whole); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		whole + whole,
		strings.Replace(whole, `new = "y"`, `new = "x"`, 1),
		strings.Replace(whole, `run = "TestA"`, "", 1),
		strings.Replace(whole, `packages = ["."]`, "packages = []", 1),
		strings.Replace(whole, `file = "f.go", `, "", 1),
		whole + "because = \"x\"\n",
		"guard",
	} {
		if _, err := read(text); err == nil {
			t.Errorf("accepted:\n%s", text)
		}
	}
}
