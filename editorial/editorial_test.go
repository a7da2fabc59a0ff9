package editorial_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
	"github.com/imprimatur-dev/imprimatur/editorial"
)

var update = flag.Bool("update", false, "write the golden files anew")

// stage is a seeded repository with its tools.
type stage struct {
	*contenttest.Site
	catalogue *catalogue.Catalogue
	tools     map[string]imprimatur.Tool
}

func open(t *testing.T, o contenttest.Options) *stage {
	t.Helper()
	site := contenttest.Open(t, o)
	return with(t, site, site.Repository)
}

func with(t *testing.T, site *contenttest.Site, repo *content.Repository) *stage {
	t.Helper()
	c, err := catalogue.New()
	if err != nil {
		t.Fatal(err)
	}
	s := &stage{Site: site, catalogue: c, tools: map[string]imprimatur.Tool{}}
	for _, tool := range editorial.Tools(repo) {
		s.tools[tool.Spec().Name] = tool
	}
	return s
}

func call(u imprimatur.User, args string) imprimatur.Call {
	return imprimatur.Call{Run: "run", ID: "call-1-1", User: u, Args: json.RawMessage(args)}
}

// preview takes the picture of a call as the engine does.
func (s *stage) preview(t *testing.T, u imprimatur.User, tool, args string) ([]imprimatur.Line, any) {
	t.Helper()
	picture, err := s.tools[tool].(imprimatur.Previewer).Preview(t.Context(), call(u, args))
	if err != nil {
		t.Fatalf("previewing %s %s: %v", tool, args, err)
	}
	lines, cut := imprimatur.Bound(s.catalogue.Printer(u.Lang).Lines(picture.Lines))
	if cut > 0 {
		t.Errorf("%s %s: %d lines are cut", tool, args, cut)
	}
	return lines, picture.Token
}

func (s *stage) execute(t *testing.T, u imprimatur.User, tool, args string, token any, own ...any) (imprimatur.Result, error) {
	t.Helper()
	c := call(u, args)
	c.Token, c.Own = token, own
	return s.tools[tool].Execute(t.Context(), c)
}

// approve executes a call whose picture was just taken, and expects success.
func (s *stage) approve(t *testing.T, u imprimatur.User, tool, args string) imprimatur.Result {
	t.Helper()
	_, token := s.preview(t, u, tool, args)
	result, err := s.execute(t, u, tool, args, token)
	if err != nil || result.IsError {
		t.Fatalf("executing %s %s: %q %v", tool, args, result.Content, err)
	}
	return result
}

// refusal expects preview and execute to refuse alike and writes nothing.
func (s *stage) refusal(t *testing.T, u imprimatur.User, tool, args string) string {
	t.Helper()
	before := s.history(t)
	lines, token := s.preview(t, u, tool, args)
	result, err := s.execute(t, u, tool, args, token)
	switch {
	case err != nil:
		t.Errorf("%s %s: %v", tool, args, err)
	case !result.IsError || result.Wrote != nil:
		t.Errorf("%s %s was carried out: %s", tool, args, result.Content)
	case len(lines) != 1 || lines[0].Role != imprimatur.RoleRefusal || lines[0].Text != result.Content:
		t.Errorf("%s %s: the card reads %+v, the model %q", tool, args, lines, result.Content)
	case catalogue.IsHeading(lines[0].Text, u.Lang):
		t.Errorf("%s %s: the refusal %q is a heading", tool, args, lines[0].Text)
	}
	if after := s.history(t); after != before {
		t.Errorf("%s %s: %d entries of history after a refusal", tool, args, after-before)
	}
	return result.Content
}

// history counts everything that was ever written.
func (s *stage) history(t *testing.T) (n int) {
	t.Helper()
	if err := s.DB.QueryRow("SELECT COUNT(*) FROM content_history").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func (s *stage) element(t *testing.T, uid int64) content.Record {
	t.Helper()
	rec, err := s.Record(t.Context(), content.System(), content.Elements, uid)
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// files lists the files of a field of an element, in order.
func (s *stage) files(t *testing.T, element int64, field string) []int64 {
	t.Helper()
	refs, err := s.References(t.Context(), content.Ref{Table: content.Elements, UID: element}, field)
	if err != nil {
		t.Fatal(err)
	}
	var files []int64
	for _, r := range refs {
		files = append(files, r.Int(content.ColumnFile))
	}
	return files
}

// change writes as somebody else.
func (s *stage) change(t *testing.T, table string, uid int64, fields map[string]any) {
	t.Helper()
	contenttest.Set(t, s.Repository, content.System(), content.Change{Op: content.Update, Table: table, UID: uid, Fields: fields})
}

func text(lines []imprimatur.Line) string {
	var b strings.Builder
	for _, l := range lines {
		fmt.Fprintf(&b, "%-12s%s\n", l.Role, l.Text)
	}
	return b.String()
}

func has(lines []imprimatur.Line, text string) bool {
	return slices.ContainsFunc(lines, func(l imprimatur.Line) bool { return strings.Contains(l.Text, text) })
}

// example is a call of a previewing tool whose card is kept as a golden file.
type example struct{ tool, args string }

// examples are one or more calls of each previewing tool, by golden file.
var examples = merged(pageExamples(), elementExamples(), recordExamples(), fileExamples())

func merged(parts ...map[string]example) map[string]example {
	all := map[string]example{}
	for _, part := range parts {
		maps.Copy(all, part)
	}
	return all
}

// Proves tools 44, 45, 46, 47, 56, 57, 64, 68, 70, 72; runtime 236, 241.
func TestPreviewsReadAsAnEditorWrites(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	for name, example := range examples {
		for _, u := range []imprimatur.User{s.German, s.Editor, s.French} {
			t.Run(name+"/"+u.Lang, func(t *testing.T) {
				t.Parallel()
				lines, _ := s.preview(t, u, example.tool, example.args)
				printed := s.catalogue.Printer(u.Lang).Lang()
				checkShape(t, lines, printed)
				golden(t, filepath.Join("testdata", example.tool, name+"."+printed+".txt"), text(lines), u.Lang == printed)
			})
		}
	}
}

// checkShape holds lines against what every successful preview has: a heading,
// and only the first line; what follows from the call behind what it is about;
// the names of records last.
func checkShape(t *testing.T, lines []imprimatur.Line, lang string) {
	t.Helper()
	at := 0
	for i, l := range lines {
		if catalogue.IsHeading(l.Text, lang) != (i == 0) {
			t.Errorf("line %d, %q, is a heading or is none against the rule", i, l.Text)
		}
		place := part(l.Role)
		if place < at {
			t.Errorf("line %d has the role %q, out of order", i, l.Role)
		}
		at = max(at, place)
		if n := len([]rune(l.Text)); n >= imprimatur.MaxLineRunes {
			t.Errorf("line %d has %d characters: it was cut", i, n)
		}
	}
	last := lines[len(lines)-1]
	if last.Role != imprimatur.RoleTechnical || !strings.Contains(last.Text, "UID ") {
		t.Errorf("the last line names no record: %q", last.Text)
	}
}

// part says in which part of a card a line of this role stands.
func part(role imprimatur.Role) int {
	switch role {
	case imprimatur.RoleHeading:
		return 0
	case imprimatur.RoleObject, imprimatur.RoleWhere, imprimatur.RoleField:
		return 1
	case imprimatur.RoleConsequence, imprimatur.RoleWarning:
		return 2
	case imprimatur.RoleTechnical:
		return 3
	default:
		return -1
	}
}

func golden(t *testing.T, file, got string, write bool) {
	t.Helper()
	if *update && write {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Error(diff)
	}
}

// Proves tools 68.
func TestEveryPreviewingToolHasAnExample(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	shown := map[string]bool{}
	for _, e := range examples {
		shown[e.tool] = true
	}
	for name, tool := range s.tools {
		if _, ok := tool.(imprimatur.Previewer); ok && !shown[name] {
			t.Errorf("no test looks at the preview of %s", name)
		}
		if _, ok := tool.(imprimatur.Previewer); !ok && tool.(imprimatur.Effector).Effect().Writes() {
			t.Errorf("%s writes and has no preview", name)
		}
	}
	if len(s.catalogue.Headings()) < len(shown) {
		t.Errorf("%d tools share %d headings", len(shown), len(s.catalogue.Headings()))
	}
}

func TestPreviewsAreDeterministic(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	again := with(t, s.Site, s.Repository)
	for name, example := range examples {
		first, _ := s.preview(t, s.German, example.tool, example.args)
		for range 20 {
			next, _ := again.preview(t, s.German, example.tool, example.args)
			if diff := cmp.Diff(first, next); diff != "" {
				t.Fatalf("%s: %s", name, diff)
			}
		}
	}
}

// Proves tools 53.
func TestSpecsAreEnglishAndTellEffectAndGroup(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	want := map[string]imprimatur.Effect{}
	for _, part := range []map[string]imprimatur.Effect{pageEffects(), elementEffects(), recordEffects(), fileEffects()} {
		maps.Copy(want, part)
	}
	for name, tool := range s.tools {
		got, group := tool.(imprimatur.Effector).Effect(), tool.(imprimatur.Grouped).Group()
		effect, writes := want[name]
		if !writes {
			effect = imprimatur.ReadOnly
		}
		if got != effect || writes != (group == "editing") || !json.Valid(tool.Spec().Schema) || tool.Spec().Description == "" {
			t.Errorf("%s declares %s and %s, want %s", name, got, group, effect)
		}
	}
	for name := range want {
		if s.tools[name] == nil {
			t.Errorf("there is no %s", name)
		}
	}
}

func TestNobodyIsRefusedNeutrally(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	disabled := s.Editor
	disabled.Enabled = false
	for _, u := range []imprimatur.User{{}, s.Nobody, disabled} {
		if got := s.refusal(t, u, "attach_file_to_content_element", `{"content_element":41,"file":7}`); got != "Content element or file not found or not permitted." {
			t.Errorf("attach: %s", got)
		}
		if got := s.refusal(t, u, "update_page_metadata", `{"title":"x","uid":10}`); got != "Page not found or not permitted." {
			t.Errorf("metadata: %s", got)
		}
		for _, read := range []struct{ tool, args string }{{"get_page_content", `{"uid":10}`}, {"get_pagetree", `{}`}} {
			result, err := s.execute(t, u, read.tool, read.args, nil)
			if err != nil || !result.IsError || result.Content != "Page not found or not permitted." {
				t.Errorf("%s: %q %v", read.tool, result.Content, err)
			}
		}
	}
}

func mayRead(t *testing.T, s *stage, tool, args string, viewer imprimatur.User) bool {
	t.Helper()
	ok, err := s.tools[tool].(imprimatur.Previewer).MayRead(context.Background(), call(s.Admin, args), viewer)
	if err != nil {
		t.Fatal(err)
	}
	return ok
}
