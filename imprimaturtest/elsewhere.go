package imprimaturtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// elsewhere is the variable that tells a process it is the other one: the file
// to answer into.
const elsewhere = "IMPRIMATURTEST_ELSEWHERE"

// surroundings are those of the other process: a language with an alphabet of
// its own rules, and the time zone that is furthest ahead.
var surroundings = []string{"LANG=tr_TR.UTF-8", "LC_ALL=tr_TR.UTF-8", "LANGUAGE=tr", "TZ=Pacific/Kiritimati"}

// Elsewhere calls fn here and in another process, in which the language and the
// time zone are different, and fails the test if the two come out differently.
// The test runs once more there, up to this call; fn must not depend on
// anything that happens behind it. One test may do this once.
func Elsewhere(t *testing.T, fn func() string) {
	t.Helper()
	if file := os.Getenv(elsewhere); file != "" {
		if err := os.WriteFile(file, []byte(fn()), 0o600); err != nil {
			t.Fatal(err)
		}
		t.SkipNow() // the rest is the other process's
	}
	file := filepath.Join(t.TempDir(), "answer")
	names := strings.Split(t.Name(), "/")
	for i, name := range names {
		names[i] = "^" + regexp.QuoteMeta(name) + "$"
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run="+strings.Join(names, "/"), "-test.count=1") //nolint:gosec // the test itself
	cmd.Env = append(append(os.Environ(), surroundings...), elsewhere+"="+file)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("running elsewhere: %v\n%s", err, out)
	}
	there, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("the other process left no answer: %v", err)
	}
	if here := fn(); here != string(there) {
		t.Errorf("here:\n%s\nelsewhere:\n%s", here, there)
	}
}
