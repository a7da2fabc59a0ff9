package catalogue_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
)

func phrase(l imprimatur.Label, values map[string]any) imprimatur.Phrase {
	return imprimatur.Phrase{Label: l, Values: values}
}

// Proves runtime 236; tools 45, 46.
func TestThePrinterSpeaksTheLanguageAskedForOrWholeEnglish(t *testing.T) {
	t.Parallel()
	c := newCatalogue(t)
	for want, got := range map[string]string{
		"": "en", "en": "en", "en-GB": "en", "de": "de", "de-AT": "de", "DE": "de", "de-Latn-CH-1996": "de",
		"fr": "en", "d": "en", "xx-invalid-": "en", "*": "en",
	} {
		if p := c.Printer(want); p.Lang() != got {
			t.Errorf("%q is printed in %q, want %q", want, p.Lang(), got)
		}
	}
}

// Proves tools 54.
func TestAMissingLabelPrintsItself(t *testing.T) {
	t.Parallel()
	p := newCatalogue(t).Printer("de")
	if got := p.Say("preview.nowhere", map[string]any{"a": "b"}); got != "preview.nowhere" {
		t.Errorf("printed %q", got)
	}
	if p.Has("preview.nowhere") || !p.Has(catalogue.ObjectPage) {
		t.Error("Has is wrong about what there is")
	}
	if got := p.Say(catalogue.OnPage, nil); got != "auf der Seite {page}" {
		t.Errorf("a missing value printed %q", got)
	}
	if got := p.Say(catalogue.OnPage, map[string]any{"page": struct{ X int }{7}}); got != "auf der Seite {page}" {
		t.Errorf("a value of no known kind printed %q", got)
	}
}

// Proves tools 56, 57.
func TestQuotationMarksAndTheWordForEmptyAreTheLanguages(t *testing.T) {
	t.Parallel()
	c := newCatalogue(t)
	for lang, want := range map[string][3]string{
		"de": {"„Über uns“", "(leer)", "Seite: „Über uns“"},
		"en": {"“Über uns”", "(empty)", "Page: “Über uns”"},
	} {
		p := c.Printer(lang)
		got := [3]string{
			p.Phrase(catalogue.Quoted(" Über \n\t uns ")), p.Phrase(catalogue.Quoted(" \n")),
			p.Line(catalogue.Named(imprimatur.RoleObject, catalogue.ObjectPage, catalogue.Quoted("Über uns"))).Text,
		}
		if got != want {
			t.Errorf("%s: %q, want %q", lang, got, want)
		}
	}
}

// Proves tools 76.
func TestAColumnWithoutANameIsCalledByItsNumber(t *testing.T) {
	t.Parallel()
	if got := newCatalogue(t).Printer("de").Say(catalogue.ColumnNumbered, map[string]any{"number": 100}); got != "Spalte 100" {
		t.Errorf("printed %q", got)
	}
}

// Proves tools 51.
func TestATranslationMayReorderPlaceholders(t *testing.T) {
	t.Parallel()
	c := newCatalogue(t, fstest.MapFS{
		"en.toml": {Data: []byte(`"x.t.move" = "from {{.a}} to {{.b}}"`)},
		"de.toml": {Data: []byte(`"x.t.move" = "nach {{.b}} aus {{.a}}"`)},
	})
	values := map[string]any{"a": "{{.b}}", "b": "B"}
	if got := c.Printer("de").Say("x.t.move", values); got != "nach B aus {{.b}}" {
		t.Errorf("printed %q", got)
	}
	if got := c.Printer("en").Say("x.t.move", values); got != "from {{.b}} to B" {
		t.Errorf("printed %q", got)
	}
}

func TestValuesOfEveryKindArePrinted(t *testing.T) {
	t.Parallel()
	c := newCatalogue(t)
	byLang := imprimatur.ByLanguage{"en": "Images", "de": "Bilder"}
	for name, test := range map[string]struct {
		value  any
		en, de string
	}{
		"text":               {"a", "a", "a"},
		"int":                {1234567, "1234567", "1234567"},
		"int64":              {int64(-5), "-5", "-5"},
		"by language":        {byLang, "Images", "Bilder"},
		"English alone":      {imprimatur.ByLanguage{"en": "Images", "de-CH": "Bildli"}, "Images", "Images"},
		"no English":         {imprimatur.ByLanguage{"fr": "Images"}, "", ""},
		"phrase in a phrase": {phrase(catalogue.OnPage, map[string]any{"page": catalogue.Quoted("P")}), "on page “P”", "auf der Seite „P“"},
		"list": {
			[]imprimatur.Phrase{{Label: catalogue.ObjectPage}, {Label: catalogue.ObjectFile}},
			"Page, File", "Seite, Datei",
		},
		"empty list": {[]imprimatur.Phrase(nil), "", ""},
	} {
		values := map[string]any{"text": test.value}
		en, de := c.Printer("en").Say(imprimatur.LabelVerbatim, values), c.Printer("de").Say(imprimatur.LabelVerbatim, values)
		if en != test.en || de != test.de {
			t.Errorf("%s: %q and %q, want %q and %q", name, en, de, test.en, test.de)
		}
	}
}

func TestPluralsFollowTheLanguage(t *testing.T) {
	t.Parallel()
	polish := french(t)
	for name := range polish {
		polish[strings.Replace(name, "fr", "pl", 1)] = polish[name]
		delete(polish, name)
	}
	if _, err := catalogue.New(polish); err == nil {
		t.Error("a Polish catalogue without the form few was accepted")
	}
	p := newCatalogue(t).Printer("de")
	for n, want := range map[int]string{1: "Eine weitere Zeile wird nicht gezeigt.", 2: "2 weitere Zeilen werden nicht gezeigt.", 0: "0 weitere Zeilen werden nicht gezeigt."} {
		if got := p.Say(catalogue.CardOverflow, map[string]any{"count": n}); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

func TestPartsOfALineArePrintedLikeTheLine(t *testing.T) {
	t.Parallel()
	got := newCatalogue(t).Printer("de").Line(imprimatur.Text{Role: imprimatur.RoleField, Phrase: phrase(catalogue.FieldChange, map[string]any{
		"name":    phrase(catalogue.PageTitle, nil),
		"current": catalogue.Quoted(""), "proposed": catalogue.Quoted("Über uns"),
	})})
	want := imprimatur.Line{
		Role: imprimatur.RoleField, Text: "Seitentitel: derzeit (leer), vorgeschlagen „Über uns“",
		Label: "Seitentitel", Current: "(leer)", Proposed: "„Über uns“", Escaped: true,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestARefusalStaysEnglish(t *testing.T) {
	t.Parallel()
	p := newCatalogue(t).Printer("de")
	for _, picture := range []imprimatur.Picture{imprimatur.Refuse("Not so."), imprimatur.RefuseNeutrally("Not so.")} {
		lines := p.Lines(picture.Lines)
		if len(lines) != 1 || lines[0].Text != "Not so." || lines[0].Role != imprimatur.RoleRefusal {
			t.Errorf("printed %+v", lines)
		}
	}
}

// Proves tools 65, 66; runtime 241.
func TestOnlyHeadingsAreHeadings(t *testing.T) {
	t.Parallel()
	c := newCatalogue(t)
	if len(catalogue.Headings()) < 2 {
		t.Fatalf("headings %v", catalogue.Headings())
	}
	for _, lang := range c.Languages() {
		p := c.Printer(lang)
		isHeading := map[imprimatur.Label]bool{}
		for _, h := range catalogue.Headings() {
			isHeading[h] = true
			if !catalogue.IsHeading(" "+p.Say(h, nil)+"\n", lang) {
				t.Errorf("%s: %s is no heading", lang, h)
			}
		}
		for _, l := range catalogue.Labels() {
			if !isHeading[l] && catalogue.IsHeading(p.Say(l, nil), lang) {
				t.Errorf("%s: the text of %s is a heading", lang, l)
			}
		}
		title := p.Say(catalogue.HeadingPageMetadata, nil)
		for _, line := range []string{
			"", " ", p.Line(catalogue.Named(imprimatur.RoleObject, catalogue.ObjectPage, catalogue.Quoted(title))).Text,
			p.Phrase(catalogue.Quoted(title)), p.Lines(imprimatur.Refuse("Page not found or not permitted.").Lines)[0].Text,
		} {
			if catalogue.IsHeading(line, lang) {
				t.Errorf("%s: %q is a heading", lang, line)
			}
		}
	}
	if catalogue.IsHeading("Seitenangaben ändern", "en") {
		t.Error("a German heading is one in English")
	}
}

func BenchmarkLine(b *testing.B) {
	c, err := catalogue.New()
	if err != nil {
		b.Fatal(err)
	}
	line := catalogue.Named(imprimatur.RoleObject, catalogue.ObjectPage, catalogue.Quoted("Über uns"))
	for b.Loop() {
		if p := c.Printer("de"); p.Line(line).Text == "" {
			b.Fatal("empty")
		}
	}
}

func FuzzCatalogueFile(f *testing.F) {
	for _, seed := range []string{
		`"x.a.b" = "{{.c}}"`, `"x.a.b" = {one = "1", other = "{{.count}}"}`, `other = "x"`, `[x.a]`, `x = [[[`,
		`"x.a.b" = "{{.c}"`, "\xff", `"x.a.heading.b" = "{{.c}}"`, `"preview.object.page" = "Page"`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data string) {
		c, err := catalogue.New(fstest.MapFS{"en.toml": {Data: []byte(data)}, "de.toml": {Data: []byte(data)}})
		if err != nil {
			return
		}
		for _, lang := range c.Languages() {
			for _, l := range c.Labels() {
				if c.Printer(lang).Say(l, map[string]any{"count": 2}) == "" {
					t.Errorf("%s prints nothing in %s", l, lang)
				}
			}
		}
	})
}

func TestFilesThatWouldExhaustTheParserAreRefused(t *testing.T) {
	t.Parallel()
	for name, data := range map[string]string{
		"nested lists":        `"x.a.b" = ` + strings.Repeat("[", 1<<18),
		"nested tables":       `"x.a.b" = ` + strings.Repeat("{a=", 1<<16),
		"large":               strings.Repeat("# padding\n", 1<<17),
		"a key of many parts": strings.Repeat("a.", 1<<16) + `a = "x"`,
		"nested over lines":   `"x.a.b" = ` + strings.Repeat("[\n", 1<<17),
	} {
		_, err := catalogue.New(fstest.MapFS{"en.toml": {Data: []byte(data)}})
		if err == nil || !strings.Contains(err.Error(), "en.toml") {
			t.Errorf("%s: %s", name, imprimatur.Cut(fmt.Sprint(err), 200))
		}
	}
}
