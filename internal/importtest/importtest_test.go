package importtest_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur/internal/importtest"
)

func moduleRoot(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// listed returns every package of the module with what its programs import.
func listed(t *testing.T) []importtest.Package {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-e", "-json=ImportPath,Imports", "./...")
	cmd.Dir = moduleRoot(t)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var packages []importtest.Package
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, importtest.Package{Path: p.ImportPath, Imports: p.Imports})
	}
}

func TestEveryPackageImportsWhatTheTableAllows(t *testing.T) {
	t.Parallel()
	packages := listed(t)
	if len(packages) < 5 {
		t.Fatalf("only %d packages were found", len(packages))
	}
	for _, sentence := range importtest.Violations(importtest.Table(), packages) {
		t.Error(sentence)
	}
}

func TestViolationsAreFound(t *testing.T) {
	t.Parallel()
	const m = importtest.Module
	got := importtest.Violations(importtest.Table(), []importtest.Package{
		{Path: m, Imports: []string{"fmt", "encoding/json", m + "/internal/canon", m + "/store", "golang.org/x/text/language"}},
		{Path: m + "/engine", Imports: []string{m, m + "/store", m + "/store/audit", m + "/content", "modernc.org/sqlite"}},
		{Path: m + "/store/audit", Imports: []string{m + "/store", "golang.org/x/mod/sumdb/note", "golang.org/x/mod/semver"}},
		{Path: m + "/inbox", Imports: []string{m + "/engine", "net/http"}},
		{Path: m + "/cmd/imprimatur", Imports: []string{m + "/engine", "github.com/knadh/koanf/parsers/yaml", m + "/internal/faultsql"}},
		{Path: m + "/util"},
		{Path: m + "/enginex", Imports: []string{m}},
	})
	want := []string{
		". imports " + m + "/store",
		". imports golang.org/x/text/language",
		"cmd/imprimatur imports " + m + "/internal/faultsql",
		"engine imports " + m + "/content",
		"engine imports modernc.org/sqlite",
		"enginex stands in no room",
		"inbox imports " + m + "/engine",
		"store/audit imports golang.org/x/mod/semver",
		"util stands in no room",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestOnlyTheLoopExecutesTools(t *testing.T) {
	t.Parallel()
	found, err := importtest.Executions(moduleRoot(t), nil, "./...")
	if err != nil {
		t.Fatal(err)
	}
	executes := false
	for _, place := range found {
		file, _, _ := strings.Cut(place, ":")
		switch {
		case file == importtest.TheOneCaller:
			executes = true
		case !strings.HasPrefix(file, "imprimaturtest/"):
			t.Errorf("%s executes a tool", place)
		}
	}
	if !executes {
		t.Errorf("%s executes no tool: the check looks for the wrong thing", importtest.TheOneCaller)
	}
}

func TestExecutionsAreFoundBehindEveryDisguise(t *testing.T) {
	t.Parallel()
	root := moduleRoot(t)
	file := filepath.Join(root, "policy", "zz_disguised.go")
	source := []byte(`package policy

import (
	"context"

	"github.com/imprimatur-dev/imprimatur"
)

type doer interface {
	Execute(context.Context, imprimatur.Call) (imprimatur.Result, error)
}

type wrapped struct{ imprimatur.Tool }

func disguised(ctx context.Context, tool imprimatur.Tool, d doer, call imprimatur.Call) {
	_, _ = tool.Execute(ctx, call)
	_, _ = d.Execute(ctx, call)
	_, _ = wrapped{tool}.Execute(ctx, call)
	_ = tool.Execute
	_ = imprimatur.Tool.Execute
	_ = other{}.Execute()
}

type other struct{}

func (other) Execute() error { return nil }
`)
	got, err := importtest.Executions(root, map[string][]byte{file: source}, "./policy")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"policy/zz_disguised.go:16", "policy/zz_disguised.go:17", "policy/zz_disguised.go:18",
		"policy/zz_disguised.go:19", "policy/zz_disguised.go:20",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
