package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/alecthomas/kong"

	"github.com/imprimatur-dev/imprimatur/internal/seal"
)

func TestEveryCommandBeginsItsHelpWithAnExample(t *testing.T) {
	t.Parallel()
	parser, err := kong.New(new(commands), kong.Name("imprimatur"), kong.Vars{"version": "x"})
	if err != nil {
		t.Fatal(err)
	}
	leaves := parser.Model.Leaves(true)
	if len(leaves) < 20 {
		t.Fatalf("%d commands", len(leaves))
	}
	nodes := slices.Clone(leaves)
	for _, leaf := range leaves { // and those that only group others
		if leaf.Parent != nil && leaf.Parent.Type == kong.CommandNode && !slices.Contains(nodes, leaf.Parent) {
			nodes = append(nodes, leaf.Parent)
		}
	}
	for _, node := range nodes {
		name := strings.TrimPrefix(node.FullPath(), "imprimatur ")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			c := new(commands)
			exited := -1
			p, err := kong.New(c, kong.Name("imprimatur"), kong.Vars{"version": "x"}, kong.Help(help), kong.Writers(&out, &out), kong.Exit(func(code int) { exited = code; panic(&out) }))
			if err != nil {
				t.Fatal(err)
			}
			func() {
				defer func() { _ = recover() }() // how kong is stopped where it would exit
				_, _ = p.Parse(append(strings.Fields(name), "--help"))
			}()
			if exited != 0 || !strings.HasPrefix(out.String(), "Example:\n  imprimatur "+name) {
				t.Errorf("exit %d, help of %s:\n%s", exited, name, out.String())
			}
			for line := range strings.Lines(out.String()) {
				if utf8.RuneCountInString(strings.TrimRight(line, "\n")) > 80 {
					t.Errorf("wider than 80 columns: %s", line)
				}
			}
		})
	}
}

func TestAKeysetIsOnlyItsOwners(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "keyset.json")
	var talk bytes.Buffer
	a := &app{in: os.Stdin, out: &talk, err: &talk, env: os.LookupEnv}
	if code := a.run(t.Context(), []string{"key", "new", file}); code != exitOK {
		t.Fatalf("exit %d: %s", code, talk.String())
	}
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("its mode is %v", info.Mode())
	}
	keys, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := seal.Open(keys); err != nil {
		t.Errorf("it holds no keyset: %v", err)
	}
	if code := a.run(t.Context(), []string{"key", "new", file}); code != exitError {
		t.Errorf("writing over it exits with %d", code)
	}
	if after, err := os.ReadFile(file); err != nil || !bytes.Equal(after, keys) {
		t.Errorf("it was written over: %v", err)
	}
}

func TestACommandLineThatCannotBeMeantIsAUsageError(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"", "nothing", "serve", "serve --nothing", "run prompt", "run --agent a --queue p", "approve", "deny", "runs show", "user add",
		"token create --config x", "token create --config x --user a --service b", "token create --config x --service a", "token create --config x --user a --agent",
		"token create --config x --user a --tool t", "token create --config x --user a --scope agent:read", "token create --config x --service a --scope agent:read --agent",
		"key new --audit x", "content set pages 1 --config x", "content set pages 1 nothing --config x", "content set pages one a=b --config x",
		"content import x.xml --language German --config x", "doctor", "migrate", "card x --server nowhere --token t", "card x --server http://127.0.0.1:1",
	} {
		var out, talk bytes.Buffer
		a := &app{in: os.Stdin, out: &out, err: &talk, env: func(string) (string, bool) { return "", false }}
		if code := a.run(t.Context(), strings.Fields(line)); code != exitUsage || talk.Len() == 0 || out.Len() != 0 {
			t.Errorf("imprimatur %s: exit %d, said %q, printed %q", line, code, talk.String(), out.String())
		}
	}
}
