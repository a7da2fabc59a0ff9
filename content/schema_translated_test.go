package content_test

import (
	"os"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/BurntSushi/toml"
	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
)

// everyLabel goes through the labels of a schema, with what they are of.
func everyLabel(s *content.Schema, visit func(what string, texts imprimatur.ByLanguage)) {
	for _, table := range s.Tables {
		visit(table.Name, s.TableLabel(table.Name))
		for _, c := range table.Columns {
			visit(table.Name+"."+c.Name, s.ColumnLabel(table.Name, "", c.Name))
			for _, i := range c.Items {
				visit(table.Name+"."+c.Name+"="+i.Value, s.ItemLabel(table.Name, c.Name, i.Value))
			}
		}
		for _, k := range table.Types {
			visit(table.Name+": "+k.Value, s.KindLabel(table.Name, k.Value))
			for name := range k.Overrides {
				visit(table.Name+": "+k.Value+"."+name, s.ColumnLabel(table.Name, k.Value, name))
			}
		}
	}
}

// droppedIn is the folder of languages that come as files alone.
const droppedIn = "../languages"

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Proves tools 64; runtime 236.
func TestTheLanguagesThatAreDroppedInNameEverythingThatIsBuiltIn(t *testing.T) {
	t.Parallel()
	files, err := os.ReadDir(path.Join(droppedIn, "labels"))
	must(t, err)
	if len(files) == 0 {
		t.Fatal("there are none")
	}
	s, err := content.DefaultSchema().Translated(os.DirFS(droppedIn))
	must(t, err)
	for _, file := range files {
		language := strings.TrimSuffix(file.Name(), ".toml")
		data, err := os.ReadFile(path.Join(droppedIn, "labels", file.Name()))
		must(t, err)
		var unused map[string]string
		must(t, toml.Unmarshal(data, &unused))
		everyLabel(s, func(what string, texts imprimatur.ByLanguage) {
			if texts[language] == "" {
				t.Errorf("%s: %q has no text in %s", what, texts["en"], language)
			}
			delete(unused, texts["en"])
		})
		for english := range unused {
			t.Errorf("%s: nothing is called %q", file.Name(), english)
		}
	}
}

// One English text must do for one text in every other language.
func TestWhatReadsTheSameInEnglishIsTheSame(t *testing.T) {
	t.Parallel()
	german := map[string]string{}
	everyLabel(content.DefaultSchema(), func(what string, texts imprimatur.ByLanguage) {
		if before, there := german[texts["en"]]; there && before != texts["de"] {
			t.Errorf("%s: %q is %q and elsewhere %q", what, texts["en"], texts["de"], before)
		}
		german[texts["en"]] = texts["de"]
	})
}

func TestALabelKeepsWhatItSaysItself(t *testing.T) {
	t.Parallel()
	s, err := content.DefaultSchema().Translated(fstest.MapFS{
		"labels/de.toml": {Data: []byte(`"Page title" = "Anders"`)},
		"labels/eo.toml": {Data: []byte("\"Page title\" = \"Titolo de la paĝo\"\n\"Whatever\" = \"Kio ajn\"")},
	})
	must(t, err)
	s, err = s.With([]content.Table{{Name: "talks", Label: content.Literal("Page title:"), Columns: []content.Column{{Name: "title", Type: content.TypeInput}}}}, nil)
	must(t, err)
	want := imprimatur.ByLanguage{"en": "Page title", "de": "Seitentitel", "eo": "Titolo de la paĝo"}
	if diff := cmp.Diff(want, s.ColumnLabel(content.Pages, "", "title")); diff != "" {
		t.Error(diff)
	}
	want["de"] = "Anders"
	if diff := cmp.Diff(want, s.TableLabel("talks")); diff != "" {
		t.Error(diff)
	}
}

func TestMistakesInLabelsAreNamedByFile(t *testing.T) {
	t.Parallel()
	_, err := content.DefaultSchema().Translated(fstest.MapFS{
		"labels/fr.toml":     {Data: []byte("\"Page\" = \"\"\n\"Title\" = \"Ti\\ntre\"")},
		"labels/it.toml":     {Data: []byte(`"Page" = {one = "Pagina"}`)},
		"labels/no one.toml": {Data: []byte(`"Page" = "Page"`)},
	})
	if err == nil {
		t.Fatal("taken")
	}
	for _, want := range []string{
		`labels/fr.toml: label "Page": has an empty text for fr`,
		`labels/fr.toml: label "Title": has a line break or control character in the text for fr`,
		"labels/it.toml: ", `labels/no one.toml: label "Page": "no one" is no language`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not said in:\n%s", want, err)
		}
	}
}
