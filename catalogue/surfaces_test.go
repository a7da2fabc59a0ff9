package catalogue_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/imprimatur-dev/imprimatur"
)

// sameOnSurfaces lists the texts of pages that are rightly equal in English and
// German.
var sameOnSurfaces = []imprimatur.Label{}

// constants maps the constants of type Label in this package to their values.
func constants(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Values) != 1 {
				return true
			}
			typ, ok := spec.Type.(*ast.SelectorExpr)
			value, literal := spec.Values[0].(*ast.BasicLit)
			if ok && literal && typ.Sel.Name == "Label" {
				s, err := strconv.Unquote(value.Value)
				if err != nil {
					t.Fatal(err)
				}
				found[spec.Names[0].Name] = s
			}
			return true
		})
	}
	if len(found) == 0 {
		t.Fatal("no constants found")
	}
	return found
}

// identifiers are the names that programs use, here or as catalogue.Name, the
// lists of labels aside.
func identifiers(t *testing.T) map[string]bool {
	t.Helper()
	used := map[string]bool{}
	everyProgram(t, func(name string) {
		if strings.HasPrefix(filepath.Base(name), "labels_") {
			return
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		here := parsed.Name.Name == "catalogue"
		ast.Inspect(parsed, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok && x.Name == "catalogue" {
					used[n.Sel.Name] = true
				}
			case *ast.Ident:
				used[n.Name] = used[n.Name] || here
			}
			return true
		})
	})
	return used
}

// everyProgram visits the Go files of the module but its tests.
func everyProgram(t *testing.T, visit func(name string)) {
	t.Helper()
	err := filepath.WalkDir("..", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || len(d.Name()) > 2 && d.Name()[0] == '.'):
			return filepath.SkipDir
		case strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go"):
			visit(name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// uses collects the labels of pages that programs and templates name. A name
// that ends with a dot, or goes on with a formatting verb, stands for all
// labels that begin like it.
type uses struct {
	labels   map[string]string // to where
	prefixes map[string]string
}

var (
	label   = regexp.MustCompile(`^ui(\.[a-z0-9_]+)+$`)
	prefix  = regexp.MustCompile(`^(ui\.(?:[a-z0-9_]+\.)*[a-z0-9_]*)(?:%.*)?$`)
	written = regexp.MustCompile("[\"`](ui\\.[a-z0-9_.%]+)[\"`]")
)

func (u uses) note(s, where string) {
	switch {
	case label.MatchString(s):
		u.labels[s] = where
	case prefix.MatchString(s):
		u.prefixes[prefix.FindStringSubmatch(s)[1]] = where
	}
}

// program notes the string literals of a Go file.
func (u uses) program(t *testing.T, name string) {
	parsed, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if s, err := strconv.Unquote(lit.Value); err == nil && strings.HasPrefix(s, "ui.") {
				u.note(s, name)
			}
		}
		return true
	})
}

func surfaceUses(t *testing.T) uses {
	t.Helper()
	u := uses{map[string]string{}, map[string]string{}}
	err := filepath.WalkDir("..", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "catalogue" || d.Name() == "testdata" || len(d.Name()) > 2 && d.Name()[0] == '.'):
			return filepath.SkipDir
		case strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go"):
			u.program(t, name)
		case strings.HasSuffix(name, ".tmpl"), strings.HasSuffix(name, ".html"):
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			for _, m := range written.FindAllStringSubmatch(string(data), -1) {
				u.note(m[1], name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestEveryTextOfTheSurfacesIsThereAndUsed(t *testing.T) {
	t.Parallel()
	u := surfaceUses(t)
	for _, lang := range []string{"en", "de"} {
		have := entries(t, "ui/"+lang+".toml")
		for _, l := range slices.Sorted(maps.Keys(u.labels)) {
			if _, ok := have[l]; !ok {
				t.Errorf("ui/%s.toml lacks %q, which %s names", lang, l, u.labels[l])
			}
		}
		for _, l := range slices.Sorted(maps.Keys(have)) {
			if _, ok := u.labels[l]; !ok && !u.beginsLike(l) {
				t.Errorf("ui/%s.toml has %q, which nothing names", lang, l)
			}
			if !label.MatchString(l) {
				t.Errorf("ui/%s.toml has %q, which is no label of a page", lang, l)
			}
		}
		for p, where := range u.prefixes {
			if !slices.ContainsFunc(slices.Collect(maps.Keys(have)), func(l string) bool { return strings.HasPrefix(l, p) }) {
				t.Errorf("ui/%s.toml has nothing under %q, which %s names", lang, p, where)
			}
		}
	}
}

func (u uses) beginsLike(l string) bool {
	for p := range u.prefixes {
		if p != "ui." && strings.HasPrefix(l, p) {
			return true
		}
	}
	return false
}

// Whoever reads "freigeben" on the button must not read another word for it
// above.
func TestOneThingHasOneWord(t *testing.T) {
	t.Parallel()
	others := map[string]*regexp.Regexp{
		"de": regexp.MustCompile(`(?i)genehmig|bewillig|bestätig|verweiger|zurückweis|durchlauf|\bdu\b|\bdein`),
		"en": regexp.MustCompile(`(?i)\breject|\bconfirm|\bauthori[sz]|\bendorse|\bjob\b|\bmoved\b`),
	}
	for lang, other := range others {
		for _, dir := range []string{"", "ui/"} {
			for label, entry := range entries(t, dir+lang+".toml") {
				texts := []any{entry}
				if forms, ok := entry.(map[string]any); ok {
					texts = slices.Collect(maps.Values(forms))
				}
				for _, text := range texts {
					if word := other.FindString(text.(string)); word != "" {
						t.Errorf("%s: %q says %q: %s", lang, label, word, text)
					}
				}
			}
		}
	}
}
