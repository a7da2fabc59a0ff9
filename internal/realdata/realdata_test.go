package realdata_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/imprimatur-dev/imprimatur/internal/realdata"
)

// recorder takes what Dir would have told a test, instead of ending this one.
type recorder struct {
	testing.TB
	skipped, failed string
}

func (r *recorder) Helper() {}

func (r *recorder) Skipf(format string, args ...any) { r.skipped = fmt.Sprintf(format, args...) }

func (r *recorder) Fatalf(format string, args ...any) {
	r.failed = fmt.Sprintf(format, args...)
	panic(r)
}

func (r *recorder) Fatal(args ...any) { r.Fatalf("%s", fmt.Sprint(args...)) }

func ask(t *testing.T, parts ...string) (path string, r *recorder) {
	t.Helper()
	r = &recorder{TB: t}
	defer func() {
		if v := recover(); v != nil && v != any(r) {
			panic(v)
		}
	}()
	return realdata.Dir(r, parts...), r
}

func TestDirReturnsWhatTheVariableNames(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "part"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv(realdata.Variable, dir)
	if got, _ := ask(t, "part"); got != filepath.Join(dir, "part") {
		t.Errorf("Dir = %q", got)
	}
}

func TestDirSkipsWithASentenceWhereTheInputIsAbsent(t *testing.T) {
	t.Setenv("CI", "")
	t.Setenv(realdata.Variable, filepath.Join(t.TempDir(), "nowhere"))
	_, r := ask(t, "part")
	if !strings.Contains(r.skipped, "absent") || r.failed != "" {
		t.Errorf("skipped %q, failed %q", r.skipped, r.failed)
	}
}

func TestDirFailsInCIWhereTheInputIsNamedButAbsent(t *testing.T) {
	t.Setenv("CI", "true")
	t.Setenv(realdata.Variable, filepath.Join(t.TempDir(), "nowhere"))
	_, r := ask(t, "part")
	if !strings.Contains(r.failed, "missing") || r.skipped != "" {
		t.Errorf("skipped %q, failed %q", r.skipped, r.failed)
	}
}

// checkout makes a module in a folder of its own and works inside it.
func checkout(t *testing.T) (beside string) {
	t.Helper()
	beside = t.TempDir()
	inside := filepath.Join(beside, "checkout", "deep", "package")
	if err := os.MkdirAll(inside, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(beside, "checkout", "go.mod"), []byte("module example\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(inside)
	t.Setenv(realdata.Variable, "")
	return beside
}

func TestDirLooksBesideTheCheckoutByDefault(t *testing.T) {
	beside := checkout(t)
	want := filepath.Join(beside, "shared", "data", "part")
	if err := os.MkdirAll(want, 0o755); err != nil {
		t.Fatal(err)
	}
	if got, _ := ask(t, "part"); got != want {
		t.Errorf("Dir = %q, want %q", got, want)
	}
}

func TestDirInCISkipsAPublicCloneAndFailsAnIncompleteFolder(t *testing.T) {
	beside := checkout(t)
	t.Setenv("CI", "true")
	if _, r := ask(t, "part"); r.skipped == "" || r.failed != "" {
		t.Errorf("without the folder: skipped %q, failed %q", r.skipped, r.failed)
	}
	if err := os.MkdirAll(filepath.Join(beside, "shared", "data"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, r := ask(t, "part"); r.failed == "" {
		t.Error("with the folder but without the part: not failed")
	}
}
