package main

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur/tool/fetch"
)

// configured writes files into a folder and loads its imprimatur.yaml.
func configured(t *testing.T, files, env map[string]string) (*loaded, error) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return loadConfig(filepath.Join(dir, "imprimatur.yaml"), func(name string) (string, bool) {
		text, ok := env[name]
		return strings.ReplaceAll(text, "$DIR", dir), ok
	})
}

// complaints are the mistakes without the folder.
func complaints(t *testing.T, err error) []string {
	t.Helper()
	var found mistakes
	if !errors.As(err, &found) {
		t.Fatalf("%v is no list of mistakes", err)
	}
	var lines []string
	for _, m := range found {
		text := m.text
		if i := strings.Index(text, "imprimatur.yaml"); i >= 0 && strings.HasPrefix(text, "/") {
			text = text[i+len("imprimatur.yaml"):]
		}
		lines = append(lines, text)
	}
	return lines
}

func TestAKeyOfALaterVersionIsRefusedInTheEnvironment(t *testing.T) {
	t.Parallel()
	_, err := configured(t, map[string]string{"imprimatur.yaml": "seal: none\n"}, map[string]string{"IMPRIMATUR_METRICS": "2", "IMPRIMATUR_TOOLS_MCP_FILE": "/x"})
	want := []string{
		"IMPRIMATUR_METRICS: metrics is not in this version: there are no metrics yet",
		"IMPRIMATUR_TOOLS_MCP: tools.mcp is not in this version: tools of other servers are not taken up yet",
	}
	got := complaints(t, err)
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("mistakes (-want +got):\n%s", diff)
	}
}

func TestEveryMistakeIsNamedWithItsLine(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		yaml string
		want []string
	}{
		"all at once": {
			"seal: none\nlsten: x\nurl: ftp://x\nagents:\n  a:\n    model: zz\n    max_rounds: many\n    tool: []\n",
			[]string{
				`:2: unknown key "lsten"`,
				`:3: url: must be http://HOST or https://HOST, without a path`,
				`:6: agents.a.model: there is no model named "zz"`,
				`:7: agents.a.max_rounds: "many" must be a whole number`,
				`:8: unknown key "tool"`,
			},
		},
		"empty":            {"", []string{": is empty"}},
		"two documents":    {"seal: none\n---\nseal: none\n", []string{": holds more than one document"}},
		"no YAML":          {"seal: none\n\tlisten: x\n", []string{`:2: found a tab character that violates indentation`}},
		"a list":           {"- seal\n", []string{`:1: must be a group of keys`}},
		"twice":            {"url: http://a\nseal: none\nurl: http://b\n", []string{`:3: "url" stands here for the second time`}},
		"no value":         {"seal: none\nagents:\n", []string{":2: agents: a value is missing"}},
		"no tools":         {"seal: none\nmodels: {m: {kind: openai, model: x}}\nagents:\n  a:\n    model: m\n    tools:\n", []string{":6: agents.a.tools: a value is missing"}},
		"listen":           {"seal: none\nlisten: 127.0.0.1\n", []string{":2: listen: must be HOST:PORT, as in 127.0.0.1:8080"}},
		"listen port":      {"seal: none\nlisten: 127.0.0.1:70000\n", []string{":2: listen: must be HOST:PORT, as in 127.0.0.1:8080"}},
		"url with a path":  {"seal: none\nurl: https://a.example/desk\n", []string{":2: url: must be http://HOST or https://HOST, without a path"}},
		"seal word":        {"seal: off\n", []string{":1: seal must be {keyset: FILE}, or none in so many words"}},
		"seal false":       {"seal: false\n", []string{":1: seal must be {keyset: FILE}, or none in so many words"}},
		"seal key":         {"seal: {keysett: x}\n", []string{`:1: unknown key "keysett" in seal`}},
		"keyset absent":    {"seal: {keyset: nowhere.json}\n", []string{":1: seal.keyset: there is no file nowhere.json; imprimatur key new makes one"}},
		"keyset wrong":     {"seal: {keyset: imprimatur.yaml}\n", []string{":1: seal.keyset: imprimatur.yaml: the file holds no keyset"}},
		"database":         {"seal: none\ndatabase: mysql://x\n", []string{":2: database: must be sqlite:FILE or postgres://user@host/db"}},
		"log":              {"seal: none\nlog: {level: loud, privacy: full}\n", []string{":2: log.level: must be debug, info, warn, error", ":2: log.privacy: must be metadata"}},
		"lease":            {"seal: none\nlease: soon\n", []string{`:2: lease: must be a time such as "15m", at least 10s`}},
		"script absent":    {"seal: none\nmodels:\n  m: {kind: scripted}\n", []string{":3: models.m.script: is missing"}},
		"script not there": {"seal: none\nmodels:\n  m: {kind: scripted, script: x.yaml}\n", []string{":3: models.m.script: x.yaml: no such file or directory"}},
		"script wrong":     {"seal: none\nmodels:\n  m: {kind: scripted, script: imprimatur.yaml}\n", []string{":3: models.m.script: imprimatur.yaml: line 1: the script is not a list of entries"}},
		"key of another":   {"seal: none\nmodels:\n  m: {kind: openai, model: x, script: y}\n", []string{":3: models.m.script: a model of kind openai has none"}},
		"model address":    {"seal: none\nmodels:\n  m: {kind: openai, model: x, base_url: nowhere}\n", nil},
		"no kind":          {"seal: none\nmodels:\n  m: {model: x}\n", []string{":3: models.m.kind: is missing; it is scripted or openai"}},
		"no key":           {"seal: none\nmodels:\n  m: {kind: openai, model: x, api_key_env: NOT_SET}\n", []string{":3: models.m.api_key_env: the variable NOT_SET is not set"}},
		"rounds":           {"seal: none\nmodels: {m: {kind: openai, model: x}}\nagents:\n  a: {model: m, max_rounds: 21, max_tokens_total: 0}\n", []string{":4: agents.a.max_rounds: must be from 1 to 20", ":4: agents.a.max_tokens_total: must be at least 1"}},
		"websites":         {"seal: none\ntools: {editorial: {sites: {home: 'https://a.example/', 2: ftp://b.example, 3: 'https://c.example/?d'}}}\n", []string{`:2: tools.editorial.sites: "ftp://b.example" is no address such as https://museum.example/`, `:2: tools.editorial.sites: "https://c.example/?d" is no address such as https://museum.example/`, `:2: tools.editorial.sites: "home" is not the uid of a page`}},
		"tools":            {"seal: none\ntools: {editorial: {enabled: yes please, off: [nothing]}}\n", []string{`:2: tools.editorial.enabled: "yes please" must be true or false`, `:2: tools.editorial.off: there is no tool named "nothing"; there are ` + editorialNames()}},
		"no drafts":        {"seal: none\ntools:\n  editorial: {no_drafts: [pages, '*', nothing]}\n", []string{`:3: tools.editorial.no_drafts: there is no table named "nothing"`}},
		"no host":          {"seal: none\ntools:\n  fetch: {allow_hosts: [\"https://example.org/\"]}\n", []string{`:3: tools.fetch: "https://example.org/" is no host: give it as example.org or *.example.org`}},
		"no hosts at all":  {"seal: none\ntools:\n  fetch: {allow_hosts: []}\n", []string{":3: tools.fetch: the list of allowed hosts is empty: name some, or leave the list out"}},
		"fetching unasked": {"seal: none\ntools:\n  fetch: {ask: false}\n", []string{":3: tools.fetch: to fetch without asking, list the hosts that may be fetched from"}},
		"empty ones":       {"seal: none\nmodels:\n  m: {}\nagents:\n  a: {}\n  b:\n", []string{":3: models.m.kind: is missing; it is scripted or openai", ":5: agents.a.model: is missing", ":6: agents.b: a value is missing"}},
		"no model":         {"seal: none\nmodels:\n  m:\n    kind: openai\n", []string{":3: models.m.model: is missing"}},
		"no schemas":       {"seal: none\ncontent: {schemas: ./nowhere}\n", []string{":2: content.schemas: ./nowhere: no such file or directory"}},
		"no schema file":   {"seal: none\ncontent:\n  schemas: .\n", []string{":3: content.schemas: .: the folder of schemas holds no file *.toml"}},
		"no languages":     {"seal: none\ncatalogues: ./nowhere\n", []string{":2: catalogues: ./nowhere: no such file or directory"}},
		"a list for one":   {"seal: none\nlisten: [a]\nagents: []\n", []string{":2: listen: must be a text", ":3: agents: must be a group of keys"}},
		"two on a line":    {"seal: none\nlog: {level: [a], privacy: [b]}\n", []string{":2: must be a text"}},
		"later": {
			"seal: none\nworkers: -1\nretention: {finished: 1m, unfinished: soon}\nmetrics: {}\naudit: {}\noidc: {}\ngateway: {}\nwebhooks: []\ntools: {mcp: []}\ndatabase: postgres://x@y:port/z\nmodels: {c: {kind: anthropic}}\n",
			[]string{
				":2: workers: must be a whole number from 0 to 1000",
				`:3: retention.finished: must be a time such as "720h", at least 1h0m0s; without it nothing is deleted`,
				`:3: retention.unfinished: must be a time such as "720h", at least 1h0m0s; without it nothing is deleted`,
				":4: metrics is not in this version: there are no metrics yet",
				":5: audit is not in this version: there are no checkpoints yet",
				":6: oidc is not in this version: people sign in by link",
				":7: gateway is not in this version: there is no gateway for other agents yet",
				":8: webhooks is not in this version: nothing is notified yet",
				":9: tools.mcp is not in this version: tools of other servers are not taken up yet",
				":10: database: is no address of a PostgreSQL database; as in postgres://user@host/db",
				":11: models.c.kind: anthropic is not in this version; use scripted or openai",
			},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := configured(t, map[string]string{"imprimatur.yaml": tt.yaml}, nil)
			got := complaints(t, err)
			if tt.want == nil { // the words are those of another package
				if len(got) != 1 || !strings.HasPrefix(got[0], ":3: models.m") {
					t.Errorf("got %q", got)
				}
				return
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("mistakes (-want +got):\n%s", diff)
			}
		})
	}
}

const goodConfig = `
listen: 127.0.0.1:9000
database: sqlite:data.db
seal: none
content: {storages: {media: ./media}}
models:
  desk: {kind: scripted, script: ./script.yaml}
tools: {editorial: {enabled: true, off: [get_pagetree], sites: {1: "https://museum.example/"}}}
agents:
  none-at-all: {model: desk, tools: []}
  all: {model: desk, max_rounds: 8, require_second_approver: true}
`

func TestTheEnvironmentGoesBeforeTheFile(t *testing.T) {
	t.Parallel()
	files := map[string]string{"imprimatur.yaml": goodConfig, "script.yaml": "- turns: [{text: hello}]\n", "address": "127.0.0.1:1234\n"}
	l, err := configured(t, files, nil)
	if err != nil {
		t.Fatal(err)
	}
	if l.Listen.V != "127.0.0.1:9000" || l.Agents["all"].Tools.Set || l.Agents["none-at-all"].Tools.V == nil {
		t.Errorf("file alone: %+v", l.config)
	}
	if diff := cmp.Diff(map[int64]string{1: "https://museum.example/"}, l.sites()); diff != "" {
		t.Errorf("websites: %s", diff)
	}
	dir := filepath.Dir(l.file)
	if got := l.database(); got != "sqlite:"+filepath.Join(dir, "data.db") {
		t.Errorf("the database is %s, not beside the file", got)
	}
	env := map[string]string{
		"IMPRIMATUR_LISTEN_FILE": "$DIR/address", "IMPRIMATUR_AGENTS_ALL_MAX_ROUNDS": "3", "IMPRIMATUR_DATABASE": "sqlite:elsewhere.db",
		"IMPRIMATUR_TOOLS_EDITORIAL_OFF": "[get_page_content]", "IMPRIMATUR_AGENTS_NONE_AT_ALL_REQUIRE_SECOND_APPROVER": "true",
	}
	if l, err = configured(t, files, env); err != nil {
		t.Fatal(err)
	}
	got := []any{l.Listen.V, l.Agents["all"].MaxRounds.V, l.database(), l.Tools.Editorial.Off.V, l.Agents["none-at-all"].SecondApprover.V}
	want := []any{"127.0.0.1:1234", 3, "sqlite:elsewhere.db", []string{"get_page_content"}, true}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("with the environment (-want +got):\n%s", diff)
	}
	wrong := maps.Clone(env)
	maps.Copy(wrong, map[string]string{"IMPRIMATUR_LISTEN": "x:1", "IMPRIMATUR_AGENTS_ALL_MAX_ROUNDS": "33", "IMPRIMATUR_TOOLS_EDITORIAL_ENABLED": "perhaps", "IMPRIMATUR_SEAL": "off"})
	_, err = configured(t, files, wrong)
	text := err.Error()
	for _, part := range []string{
		"IMPRIMATUR_LISTEN and IMPRIMATUR_LISTEN_FILE are both set", "IMPRIMATUR_AGENTS_ALL_MAX_ROUNDS: agents.all.max_rounds: must be from 1 to 20",
		`IMPRIMATUR_TOOLS_EDITORIAL_ENABLED: "perhaps" does not fit`, "IMPRIMATUR_SEAL: must be none",
	} {
		if !strings.Contains(text, part) {
			t.Errorf("the mistakes do not say %q:\n%s", part, text)
		}
	}
}

func TestSchemaFilesAreReadAtStartAndRefusedByFileAndLine(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"imprimatur.yaml": "seal: none\ncontent: {schemas: ./schemas}\n",
		"schemas/a.toml":  "[[table]]\nname = \"events\"\nlabel = {en = \"Event\", de = \"Veranstaltung\"}\n",
	}
	l, err := configured(t, files, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := l.schema()
	if err != nil || s.TableLabel("events")["de"] != "Veranstaltung" {
		t.Errorf("%v, %v", s, err)
	}
	files["schemas/a.toml"] = "[[table]]\nname = \"pages\"\n"
	files["schemas/b.toml"] = "[[table]]\nname = \"b\"\nsorted = 1\n"
	_, err = configured(t, files, nil)
	want := []string{
		":2: content.schemas: schemas/a.toml:1: table pages is built in",
		":2: content.schemas: schemas/b.toml:3: table.sorted: must be true or false",
	}
	if diff := cmp.Diff(want, complaints(t, err)); diff != "" {
		t.Errorf("mistakes (-want +got):\n%s", diff)
	}
}

func TestLabelsOfFurtherLanguagesAreReadAtStartAndRefusedByFile(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"imprimatur.yaml":          "seal: none\ncatalogues: ./languages\n",
		"languages/labels/fr.toml": "\"Page title\" = \"Titre de la page\"\n",
	}
	l, err := configured(t, files, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := l.schema()
	if err != nil || s.ColumnLabel("pages", "", "title")["fr"] != "Titre de la page" {
		t.Errorf("%v, %v", s, err)
	}
	files["languages/labels/fr.toml"] = "\"Page title\" = \"\"\n"
	_, err = configured(t, files, nil)
	want := []string{`:2: catalogues: languages/labels/fr.toml: label "Page title": has an empty text for fr`}
	if diff := cmp.Diff(want, complaints(t, err)); diff != "" {
		t.Errorf("mistakes (-want +got):\n%s", diff)
	}
}

func FuzzConfig(f *testing.F) {
	f.Add(goodConfig)
	f.Add("seal: {keyset: [}\n&a a: *a\n")
	f.Add("agents: {a: ~}\nmodels: {m: }\nseal: none")
	f.Fuzz(func(t *testing.T, text string) {
		l := &loaded{file: "imprimatur.yaml"}
		_ = l.decode([]byte(text), &l.config)
		l.check(func(string) (string, bool) { return "", false })
		for _, m := range l.found {
			if m.text == "" {
				t.Error("a mistake without words")
			}
		}
	})
}

// editorialNames are the tools that can be switched off by name.
func editorialNames() string {
	return strings.Join(slices.DeleteFunc(toolNames(), func(name string) bool { return name == fetch.Name }), ", ")
}
