package content_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
)

// Proves tools 73, 74.
func TestLabelsResolveOrFallBackToTheName(t *testing.T) {
	t.Parallel()
	s := contenttest.Schema(t)
	for _, c := range []struct {
		name   string
		got    imprimatur.ByLanguage
		en, de string
	}{
		{"a built-in column", s.ColumnLabel("pages", "", "description"), "Description", "Beschreibung"},
		{"a reference", s.TableLabel("news"), "News item", "Nachricht"},
		{"a reference, its trailing colon taken off", s.ColumnLabel("news", "article", "title"), "Headline", "Schlagzeile"},
		{"a kind that calls the column differently", s.ColumnLabel("news", "link", "title"), "Link text", "Link text"},
		{"a kind nobody knows", s.ColumnLabel("news", "other", "title"), "Headline", "Schlagzeile"},
		{"a reference to nothing", s.ColumnLabel("news", "article", "teaser"), "teaser", "teaser"},
		{"no label", s.ColumnLabel("news", "article", "price"), "price", "price"},
		{"no column", s.ColumnLabel("news", "article", "nothing"), "nothing", "nothing"},
		{"no table", s.ColumnLabel("none", "", "column"), "column", "column"},
		{"no table itself", s.TableLabel("none"), "none", "none"},
		{"a literal that holds a colon", s.ItemLabel("news", "kind", "wide"), "16:9", "16:9"},
		{"an item without a label", s.ItemLabel("news", "size", "l"), "l", "l"},
		{"a value that is no item", s.ItemLabel("news", "kind", "gone"), "gone", "gone"},
		{"a content type", s.KindLabel("content", "textmedia"), "Text and media", "Text und Medien"},
		{"a content type nobody knows", s.KindLabel("content", "thirdparty_map"), "thirdparty_map", "thirdparty_map"},
		{"a kind that is only an item", s.KindLabel("news", "wide"), "16:9", "16:9"},
		{"an override of the built-in schema", s.ColumnLabel("content", "html", "bodytext"), "HTML code", "HTML-Code"},
	} {
		if en, de := content.In(c.got, "en"), content.In(c.got, "de"); en != c.en || de != c.de {
			t.Errorf("%s: %q and %q, want %q and %q", c.name, en, de, c.en, c.de)
		}
	}
}

func TestLabelsFindTheClosestLanguage(t *testing.T) {
	t.Parallel()
	texts := imprimatur.ByLanguage{"en": "colour", "de": "Farbe", "en-US": "color"}
	for language, want := range map[string]string{
		"de": "Farbe", "de-AT": "Farbe", "de-Latn-AT": "Farbe", "en-US": "color", "en-GB": "colour", "fr": "colour", "": "colour",
	} {
		if got := content.In(texts, language); got != want {
			t.Errorf("%q: %q, want %q", language, got, want)
		}
	}
	if got := content.In(nil, "de"); got != "" {
		t.Errorf("no texts: %q", got)
	}
}

func TestTwoValuesMayShareOneLabel(t *testing.T) {
	t.Parallel()
	s := contenttest.Schema(t)
	if diff := cmp.Diff(s.ItemLabel("news", "kind", "article"), s.ItemLabel("news", "kind", "link")); diff != "" {
		t.Errorf("labels differ:\n%s", diff)
	}
}

// Proves tools 76, 77.
func TestContentColumnsHaveAStaticLabelOrNone(t *testing.T) {
	t.Parallel()
	s := content.DefaultSchema()
	label, ok := s.ContentColumn(0)
	if !ok || content.In(label, "de") != "Normal" {
		t.Errorf("column 0: %v, %v", label, ok)
	}
	if label, ok := s.ContentColumn(2); !ok || content.In(label, "de") != "Rechts" {
		t.Errorf("column 2: %v, %v", label, ok)
	}
	if label, ok := s.ContentColumn(100); ok || label != nil {
		t.Errorf("column 100: %v, %v", label, ok)
	}
}

func TestEveryBuiltInNameHasAnEnglishAndAGermanLabel(t *testing.T) {
	t.Parallel()
	check := func(what string, l content.Label) {
		if l.Text["en"] == "" || l.Text["de"] == "" {
			t.Errorf("%s: %v", what, l)
		}
		for language, text := range l.Text {
			if text != strings.TrimSpace(text) || strings.HasSuffix(text, ":") || strings.Contains(text, "_") {
				t.Errorf("%s: %q is no label for people (%s)", what, text, language)
			}
		}
	}
	for _, table := range content.DefaultSchema().Tables {
		check(table.Name, table.Label)
		for _, c := range table.Columns {
			check(table.Name+"."+c.Name, c.Label)
			for _, i := range c.Items {
				check(table.Name+"."+c.Name+"="+i.Value, i.Label)
			}
		}
		for _, k := range table.Types {
			check(table.Name+": "+k.Value, k.Label)
			for name, l := range k.Overrides {
				check(table.Name+": "+k.Value+"."+name, l)
			}
		}
	}
}

func TestFormsOfferTheirFileColumns(t *testing.T) {
	t.Parallel()
	s := contenttest.Schema(t)
	for _, c := range []struct {
		table, kind string
		want        []string
	}{
		{"content", "text", nil},
		{"content", "textmedia", []string{"assets"}},
		{"content", "textpic", []string{"image"}},
		{"content", "uploads", []string{"media"}},
		{"content", "thirdparty_map", nil},
		{"news", "article", []string{"pictures"}},
		{"news", "link", nil},
		{"none", "", nil},
	} {
		var got []string
		for _, column := range s.FileColumns(c.table, c.kind) {
			got = append(got, column.Name)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", c.table, c.kind, diff)
		}
	}
}

func TestASchemaThatContradictsItselfIsRefusedByName(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		table content.Table
		want  string
	}{
		{"a table twice", content.Table{Name: "pages"}, "table pages is there twice"},
		{"a bad table name", content.Table{Name: "My Table"}, `table "My Table"`},
		{"a column twice", content.Table{Name: "x", Columns: []content.Column{{Name: "a", Type: "input"}, {Name: "a", Type: "input"}}}, "x.a is there twice"},
		{"a structural name", content.Table{Name: "x", Columns: []content.Column{{Name: "uid", Type: "input"}}}, `cannot be called "uid"`},
		{"an unknown type", content.Table{Name: "x", Columns: []content.Column{{Name: "a", Type: "blob"}}}, `no type "blob"`},
		{"a default of another kind", content.Table{Name: "x", Columns: []content.Column{{Name: "a", Type: "check", Default: true}}}, "x.a: the default is a bool"},
		{"a label field that is missing", content.Table{Name: "x", LabelField: "title"}, "x has no column title"},
		{"a form of missing columns", content.Table{Name: "x", Types: []content.Type{{Value: "k", Columns: []string{"a"}}}}, "form k shows no column a"},
	} {
		_, err := content.DefaultSchema().With([]content.Table{c.table}, nil)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	s, err := content.DefaultSchema().With(nil, map[string]imprimatur.ByLanguage{"a": {"en": "A"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.With(nil, map[string]imprimatur.ByLanguage{"a": {"en": "B"}}); err == nil {
		t.Error("a label could be replaced")
	}
}
