package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/imprimatur-dev/imprimatur/internal/seal"
)

// What the README tells people to write is what this program takes, and what
// it tells them to type is what this program has.
func TestTheReadmeHolds(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	files := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(string(text), -1)
	if len(files) != 2 {
		t.Fatalf("%d files in YAML", len(files))
	}
	keys, err := seal.NewKeyset()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := configured(t, map[string]string{"imprimatur.yaml": files[0][1], "keyset.json": string(keys)}, nil); err != nil {
		t.Errorf("the configuration: %v", err)
	}
	dir := t.TempDir()
	groups := filepath.Join(dir, "groups.yaml")
	config := filepath.Join(dir, "imprimatur.yaml")
	export := filepath.Join(dir, "data.xml")
	for name, text := range map[string]string{
		groups: files[1][1],
		config: "seal: none\ncontent: {storages: {media: ./media}}\n",
		export: `<?xml version="1.0" encoding="utf-8" standalone="yes" ?><T3RecordDocument><records type="array"><tablerow index="pages:1" type="array"><fieldlist index="data" type="array"><field index="uid" type="integer">1</field><field index="pid" type="integer">0</field><field index="doktype" type="integer">1</field><field index="title">Museum</field><field index="slug">/</field></fieldlist></tablerow></records></T3RecordDocument>`,
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var talk strings.Builder
	a := &app{in: os.Stdin, out: &talk, err: &talk, env: func(string) (string, bool) { return "", false }}
	for _, line := range [][]string{
		{"user", "add", "Ada Admin", "--admin"},
		{"content", "import", export},
		{"group", "apply", groups},
		{"user", "add", "Jana Roth", "--lang", "de", "--group", "editing"},
	} {
		if code := a.run(t.Context(), append(line, "--config", config)); code != exitOK {
			t.Fatalf("%v: exit %d: %s", line, code, talk.String())
		}
	}
	for _, line := range regexp.MustCompile(`(?m)^imprimatur .*$`).FindAllString(string(text), -1) {
		for _, flag := range regexp.MustCompile(`--[a-z-]+`).FindAllString(line, -1) {
			talk.Reset()
			command := regexp.MustCompile(`^imprimatur ([a-z]+(?: [a-z]+)?) `).FindStringSubmatch(line)
			if command == nil {
				t.Fatalf("%q is no command", line)
			}
			a.run(t.Context(), append(strings.Fields(command[1]), flag+"=1", "--nothing-of-the-kind"))
			if strings.Contains(talk.String(), flag) {
				t.Errorf("%s: %s", line, talk.String())
			}
		}
	}
}
