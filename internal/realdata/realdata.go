// Package realdata finds the folder of real input that tests read. Nobody
// here wrote that input, and it is never copied into the project, so a public
// clone does not have it.
package realdata

import (
	"os"
	"path/filepath"
	"testing"
)

// Variable names the environment variable that holds the folder.
const Variable = "IMPRIMATUR_REAL_DATA"

// Dir returns the path of parts inside the folder of real input: the one that
// IMPRIMATUR_REAL_DATA names, else shared/data beside the checkout.
//
// Without the folder the test is skipped and says so. It fails instead where
// the input has to be there: with CI=true, when the variable is set or the
// default folder exists, and what is asked for is missing all the same.
func Dir(t testing.TB, parts ...string) string {
	t.Helper()
	root, named := folder(t)
	path := filepath.Join(append([]string{root}, parts...)...)
	if exists(path) {
		return path
	}
	if os.Getenv("CI") == "true" && (named || exists(root)) {
		t.Fatalf("real input %s is missing, and with CI=true it must be there", path)
	}
	t.Skipf("real input %s is absent (a public clone does not have it; %s names another folder)", path, Variable)
	return ""
}

// folder returns the folder of real input and whether the environment named it.
func folder(t testing.TB) (path string, named bool) {
	t.Helper()
	if dir := os.Getenv(Variable); dir != "" {
		return dir, true
	}
	return filepath.Join(filepath.Dir(moduleRoot(t)), "shared", "data"), false
}

// moduleRoot walks up from the working directory of the test to its go.mod.
func moduleRoot(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatalf("reading the working directory: %v", err)
	}
	for {
		if exists(filepath.Join(dir, "go.mod")) {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			t.Fatal("no go.mod above the working directory of the test")
		}
		dir = parent
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
