package catalogue_test

import (
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/BurntSushi/toml"
	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
)

// same lists the labels whose texts are rightly equal in all languages: bare
// arrangements of placeholders, signs and one abbreviation.
func same() []imprimatur.Label {
	return append([]imprimatur.Label{catalogue.TechnicalRecord}, sameOnSurfaces...)
}

// internal lists words that nobody should have to read, besides everything
// with an underscore.
var internal = []string{"uid", "pid", "colpos", "colPos", "doktype", "bodytext", "CType", "crdate", "tstamp", "sorting", "slug"}

func newCatalogue(t *testing.T, extra ...fs.FS) *catalogue.Catalogue {
	t.Helper()
	c, err := catalogue.New(extra...)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// entries reads one of the program's own files.
func entries(t *testing.T, name string) map[string]any {
	t.Helper()
	data, err := fs.ReadFile(catalogue.Own(), name)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]any{}
	if err := toml.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// file writes entries as a catalogue file.
func file(t *testing.T, all map[string]any) *fstest.MapFile {
	t.Helper()
	data, err := toml.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return &fstest.MapFile{Data: data}
}

// doctored is the program's own catalogue after a change to its German file.
func doctored(t *testing.T, change func(german map[string]any)) fstest.MapFS {
	t.Helper()
	german := entries(t, "de.toml")
	change(german)
	return fstest.MapFS{
		"en.toml": file(t, entries(t, "en.toml")), "de.toml": file(t, german),
		"ui/en.toml": file(t, entries(t, "ui/en.toml")), "ui/de.toml": file(t, entries(t, "ui/de.toml")),
	}
}

// french translates every text to itself in capitals, placeholders aside, so
// that a whole language can be dropped in.
func french(t *testing.T) fstest.MapFS {
	t.Helper()
	fs := fstest.MapFS{}
	for _, name := range []string{"en.toml", "ui/en.toml"} {
		all := entries(t, name)
		for key, entry := range all {
			switch e := entry.(type) {
			case string:
				all[key] = "FR " + e
			case map[string]any:
				for form := range e {
					e[form] = "FR " + e[form].(string)
				}
				e["many"] = e["other"]
			}
		}
		fs[strings.Replace(name, "en", "fr", 1)] = file(t, all)
	}
	return fs
}

// Proves tools 59, 60, 61, 62, 63, 66.
func TestTheCatalogueOfTheProgramIsComplete(t *testing.T) {
	t.Parallel()
	c := newCatalogue(t)
	if got, want := c.Languages(), []string{"de", "en"}; !slices.Equal(got, want) {
		t.Errorf("languages %v, want %v", got, want)
	}
	for _, finding := range c.Review(same(), internal) {
		t.Error(finding)
	}
}

// Proves tools 59, 61, 62.
func TestNewRefusesACatalogueThatIsNotWhole(t *testing.T) {
	t.Parallel()
	const key = "preview.field.change"
	for name, test := range map[string]struct {
		change func(german map[string]any)
		want   []string
	}{
		"a label is missing": {
			func(g map[string]any) { delete(g, key); delete(g, "preview.object.page") },
			[]string{`catalogue de: "preview.field.change" is missing`, `catalogue de: "preview.object.page" is missing`},
		},
		"a label is unknown": {
			func(g map[string]any) { g["preview.x"] = "Waise" },
			[]string{`catalogue de: "preview.x" is unknown`},
		},
		"a placeholder is missing": {
			func(g map[string]any) { g[key] = "{{.name}}: {{.current}}" },
			[]string{`takes the placeholders [current name], in English [current name proposed]`},
		},
		"a placeholder stands twice": {
			func(g map[string]any) { g[key] = "{{.name}} {{.name}}: {{.current}}, {{.proposed}}" },
			[]string{`takes the placeholders [current name name proposed]`},
		},
		"a text is empty":            {func(g map[string]any) { g[key] = " " }, []string{`"preview.field.change" is empty`}},
		"a text is a number":         {func(g map[string]any) { g[key] = 7 }, []string{`is neither a text nor a table`}},
		"a placeholder is malformed": {func(g map[string]any) { g[key] = "{{ .name }}" }, []string{`malformed placeholder`}},
		"a text is a program":        {func(g map[string]any) { g[key] = `{{range $x := .name}}{{end}}` }, []string{`malformed placeholder`}},
		"a heading takes a placeholder": {
			func(g map[string]any) { g["preview.heading.update_page_metadata"] = "{{.name}} ändern" },
			[]string{`the heading "preview.heading.update_page_metadata" takes placeholders`},
		},
		"a plural form is missing": {func(g map[string]any) {
			g["preview.card.overflow"] = map[string]any{"other": "{{.count}} Zeilen"}
		}, []string{`"preview.card.overflow" with the count 1`}},
		"a plural form is invented": {func(g map[string]any) {
			g["preview.card.overflow"] = map[string]any{"other": "{{.count}} Zeilen", "dual": "{{.count}}"}
		}, []string{`has "dual", which is no text of a plural form`}},
		"plural forms differ": {func(g map[string]any) {
			g["preview.card.overflow"] = map[string]any{"other": "{{.count}} Zeilen", "one": "{{.zahl}}"}
		}, []string{`the form "one" of "preview.card.overflow" takes other placeholders`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := catalogue.NewFrom(doctored(t, test.change))
			if err == nil {
				t.Fatal("it was accepted")
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("the error does not say %s:\n%v", want, err)
				}
			}
		})
	}
}

// Proves tools 60, 63, 66.
func TestReviewFindsWhatShouldNotBeShipped(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change func(german map[string]any)
		want   string
	}{
		"a text left in English":       {func(g map[string]any) { g["preview.object.page"] = "Page" }, `de: "preview.object.page" is the English text`},
		"the name of a tool":           {func(g map[string]any) { g["preview.object.page"] = "Ziel von delete_record" }, `de: "preview.object.page" names "delete_record"`},
		"the name of a column":         {func(g map[string]any) { g["preview.object.page"] = "Seite (pid)" }, `de: "preview.object.page" names "pid"`},
		"a line that reads as heading": {func(g map[string]any) { g["preview.object.page"] = "Seitenangaben ändern" }, `de: the heading "preview.heading.update_page_metadata" reads like "preview.object.page"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, err := catalogue.NewFrom(doctored(t, test.change))
			if err != nil {
				t.Fatal(err)
			}
			if got := c.Review(same(), internal); !slices.Contains(got, test.want) {
				t.Errorf("review found %q, want %q", got, test.want)
			}
		})
	}
}

// Proves runtime 236; tools 45, 46.
func TestADroppedInLanguageNeedsNoCode(t *testing.T) {
	t.Parallel()
	ph := imprimatur.Phrase{Label: catalogue.CardOverflow, Values: map[string]any{"count": 3}}
	if got := newCatalogue(t).Printer("fr").Phrase(ph); got != "3 more lines are not shown." {
		t.Errorf("without a French catalogue: %q", got)
	}
	c := newCatalogue(t, french(t))
	if got, want := c.Languages(), []string{"de", "en", "fr"}; !slices.Equal(got, want) {
		t.Errorf("languages %v, want %v", got, want)
	}
	if got := c.Printer("fr-CA").Phrase(ph); got != "FR 3 more lines are not shown." {
		t.Errorf("with a French catalogue: %q", got)
	}
	partial := fstest.MapFS{"fr.toml": {Data: []byte(`"preview.object.page" = "Page de site"`)}}
	if _, err := catalogue.New(partial); err == nil || !strings.Contains(err.Error(), `catalogue fr: "preview.field.change" is missing`) {
		t.Errorf("half a language: %v", err)
	}
}

func TestAnInstallationAddsLabelsOfItsOwn(t *testing.T) {
	t.Parallel()
	add := func(en, de string) fstest.MapFS {
		return fstest.MapFS{"en.toml": {Data: []byte(en)}, "de.toml": {Data: []byte(de)}}
	}
	c := newCatalogue(t, add(
		`"x.shop.heading.order" = "Place order"`+"\n"+`"x.shop.items" = "{{.n}} items"`,
		`"x.shop.heading.order" = "Bestellung aufgeben"`+"\n"+`"x.shop.items" = "{{.n}} Artikel"`))
	if !c.IsHeading("Bestellung aufgeben", "de") || c.IsHeading("Place order", "de") {
		t.Error("the heading of the installation is not recognised")
	}
	if catalogue.IsHeading("Bestellung aufgeben", "de") {
		t.Error("the program's own list holds a heading of an installation")
	}
	if !slices.Contains(c.Headings(), "x.shop.heading.order") || slices.Contains(c.Headings(), "x.shop.items") {
		t.Errorf("headings %v", c.Headings())
	}
	for name, files := range map[string]fstest.MapFS{
		"one language only":       {"en.toml": {Data: []byte(`"x.shop.items" = "items"`)}},
		"a label of the program":  add(`"preview.object.page" = "Sheet"`, `"preview.object.page" = "Blatt"`),
		"outside the namespace":   add(`"y.shop.items" = "items"`, `"y.shop.items" = "Artikel"`),
		"no name in it":           add(`"x.items" = "items"`, `"x.items" = "Artikel"`),
		"a new text of the pages": add(`"ui.shop" = "items"`, `"ui.shop" = "Artikel"`),
		"not TOML":                {"en.toml": {Data: []byte(`"x.shop.items = `)}},
		"not a language":          {"readme_first.toml": {Data: []byte(`"x.shop.items" = "items"`)}},
		"twice": {
			"en.toml":    {Data: []byte(`"x.shop.items" = "items"`)},
			"ui/en.toml": {Data: []byte(`"x.shop.items" = "items"`)}, "de.toml": {Data: []byte(`"x.shop.items" = "Artikel"`)},
		},
	} {
		if _, err := catalogue.New(files); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestTheClosedListHoldsEveryConstant(t *testing.T) {
	t.Parallel()
	var missing []string
	listed := catalogue.Labels()
	for name, value := range constants(t) {
		if !slices.Contains(listed, imprimatur.Label(value)) {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		t.Errorf("constants outside the list: %v", missing)
	}
	if twice := duplicates(listed); len(twice) > 0 {
		t.Errorf("listed twice: %v", twice)
	}
}

// Proves tools 62.
func TestEveryConstantIsUsed(t *testing.T) {
	t.Parallel()
	// Values and objects that the tools still to come show.
	ahead := []string{"None", "ObjectFile", "ColumnNumbered"}
	used := identifiers(t)
	for name := range constants(t) {
		if !used[name] && !slices.Contains(ahead, name) {
			t.Errorf("nothing uses catalogue.%s", name)
		}
	}
}

func duplicates(labels []imprimatur.Label) []imprimatur.Label {
	var twice []imprimatur.Label
	for i, l := range labels {
		if i > 0 && labels[i-1] == l {
			twice = append(twice, l)
		}
	}
	return twice
}

func TestLoadingDoesNotDependOnTheOrderOfFiles(t *testing.T) {
	t.Parallel()
	a := fstest.MapFS{"en.toml": {Data: []byte(`"x.a.b" = "one"`)}, "de.toml": {Data: []byte(`"x.a.b" = "eins"`)}}
	b := fstest.MapFS{"en.toml": {Data: []byte(`"x.c.d" = "two"`)}, "de.toml": {Data: []byte(`"x.c.d" = "zwei"`)}}
	ab, ba := newCatalogue(t, a, b), newCatalogue(t, b, a)
	if diff := cmp.Diff(ab.Labels(), ba.Labels()); diff != "" {
		t.Error(diff)
	}
	if got := ab.Printer("de").Say("x.a.b", nil) + " " + ba.Printer("de").Say("x.c.d", nil); got != "eins zwei" {
		t.Errorf("printed %q", got)
	}
}
