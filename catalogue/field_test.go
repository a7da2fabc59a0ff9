package catalogue_test

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
)

// shown prints a field's line and the technical parts in English, bounded as a
// card shows them.
func shown(t *testing.T, f catalogue.Field) (line, technical string) {
	t.Helper()
	return printed(newCatalogue(t).Printer("en"), f)
}

func printed(p *catalogue.Printer, f catalogue.Field) (line, technical string) {
	f.Name, f.Column = "F", "f"
	lines, _ := imprimatur.Bound(p.Lines([]imprimatur.Text{f.Line(), catalogue.Technical(f.Technical()...)}))
	return lines[0].Text, strings.TrimPrefix(lines[1].Text, "Technical details:")
}

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "sha256:" + hex.EncodeToString(sum[:])[:12]
}

// Proves tools 70, 72, 79, 83.
func TestAFieldShowsWhatChanges(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ä", 180)
	// How a line shows a blank that was written out.
	blank, newline := `\u{0020}`, `\u{000A}`
	item := func(s string) imprimatur.ByLanguage { return imprimatur.ByLanguage{"en": s} }
	for name, test := range map[string]struct {
		field     catalogue.Field
		line      string
		technical string // begins with; empty: none
	}{
		"a change":      {catalogue.Field{Current: "a", Proposed: "b"}, "F: currently “a”, proposed “b”", ""},
		"from empty":    {catalogue.Field{Current: "", Proposed: "b"}, "F: currently (empty), proposed “b”", ""},
		"to empty":      {catalogue.Field{Current: "a", Proposed: ""}, "F: currently “a”, proposed (empty)", ""},
		"no change":     {catalogue.Field{Current: "a", Proposed: "a"}, "F: unchanged, “a”", ""},
		"nothing":       {catalogue.Field{}, "F: unchanged, (empty)", ""},
		"120 are shown": {catalogue.Field{Current: "a", Proposed: strings.Repeat("ä", 120)}, "F: currently “a”, proposed “" + strings.Repeat("ä", 120) + "”", ""},
		"121 are not": {
			catalogue.Field{Current: "a", Proposed: strings.Repeat("ä", 121)},
			"F: changed from character 1 on, currently “a”, proposed “" + strings.Repeat("ä", 120) + "…”", " f currently 1 characters, " + hash("a"),
		},
		"unchanged and long": {catalogue.Field{Current: long, Proposed: long}, "F: unchanged, “" + strings.Repeat("ä", 120) + "…”", ""},
		"inserted late": {
			catalogue.Field{Current: long + "end", Proposed: long + "new end"},
			"F: changed from character 181 on, currently (nothing), proposed “new" + blank + "”",
			" f currently 183 characters, " + hash(long+"end") + ", proposed 187 characters, " + hash(long+"new end"),
		},
		"cut from the middle": {
			catalogue.Field{Current: long + "xyz" + long, Proposed: long + long},
			"F: changed from character 181 on, currently “xyz”, proposed (nothing)", " f currently 363",
		},
		"repeated around the cut": {
			catalogue.Field{Current: strings.Repeat("a", 200), Proposed: strings.Repeat("a", 201)},
			"F: changed from character 201 on, currently (nothing), proposed “a”", " f currently 200",
		},
		"blanks that a line would swallow": {
			catalogue.Field{Current: "a b", Proposed: "a  b"},
			"F: changed from character 3 on, currently (nothing), proposed “" + blank + "”", " f currently 3",
		},
		"blanks alone are not empty": {
			catalogue.Field{Current: "a", Proposed: "\n "},
			"F: changed from character 1 on, currently “a”, proposed “" + newline + blank + "”", " f currently 1",
		},
		"a newline for a blank": {
			catalogue.Field{Current: "a b", Proposed: "a\nb"},
			"F: changed from character 2 on, currently “" + blank + "”, proposed “" + newline + "”", " f currently 3",
		},
		"a hidden space is no blank":        {catalogue.Field{Current: "a b", Proposed: "a\u00a0b"}, "F: currently “a b”, proposed “a\\u{00A0}b”", ""},
		"a hidden space alone is not empty": {catalogue.Field{Current: "", Proposed: "\u00a0"}, "F: currently (empty), proposed “\\u{00A0}”", ""},
		"nor is a hidden end of a line":     {catalogue.Field{Current: "\u2028", Proposed: "\r"}, "F: currently “\\u{2028}”, proposed “\\u{000D}”", ""},
		"a literal escape is no hidden space": {
			catalogue.Field{Current: "a\u00a0b", Proposed: `a\u{00A0}b`},
			`F: currently “a\u{00A0}b”, proposed “a\\u{00A0}b”`, "",
		},
		"composed and decomposed": {
			catalogue.Field{Current: "caf\u00e9", Proposed: "cafe\u0301"},
			"F: changed from character 4 on, currently “U+00E9”, proposed “U+0065 U+0301”", " f currently 4",
		},
		"hidden characters count as long as they are shown": {
			catalogue.Field{Current: "a", Proposed: strings.Repeat("\u200b", 100)},
			"F: changed from character 1 on, currently “a”, proposed “" + strings.Repeat(`\u{200B}`, 15) + "…”", " f currently 1",
		},
		"backslashes count as they are shown": {
			catalogue.Field{Current: "a", Proposed: strings.Repeat("\\", 100) + "\u200b"},
			"F: changed from character 1 on, currently “a”, proposed “" + strings.Repeat("\\", 120) + "…”", " f currently 1",
		},
		"invalid UTF-8": {catalogue.Field{Current: "a\xff", Proposed: "b\xfe"}, "F: currently “a\uFFFD”, proposed “b\uFFFD”", ""},
		"choices":       {catalogue.Field{Current: "1", Proposed: "2", CurrentItem: item("One"), ProposedItem: item("Two")}, "F: currently “One”, proposed “Two”", ""},
		"choices with one label": {
			catalogue.Field{Current: "1", Proposed: "2", CurrentItem: item("Text"), ProposedItem: item("Text")},
			"F: currently “Text” (1), proposed “Text” (2)", "",
		},
		"choices with one label in another language": {catalogue.Field{
			Current: "1", Proposed: "2",
			CurrentItem:  imprimatur.ByLanguage{"en": "Text", "de": "Text"},
			ProposedItem: imprimatur.ByLanguage{"en": "Copy", "de": "Text"},
		}, "F: currently “Text” (1), proposed “Copy” (2)", ""},
		"the choice that is stored": {catalogue.Field{Current: "1", Proposed: "1", CurrentItem: item("One"), ProposedItem: item("Eins")}, "F: unchanged, “One”", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			line, technical := shown(t, test.field)
			if line != test.line {
				t.Errorf("line\n%s\nwant\n%s", line, test.line)
			}
			if !strings.HasPrefix(technical, test.technical) || (test.technical == "") != (technical == "") {
				t.Errorf("technical details %q, want %q", technical, test.technical)
			}
		})
	}
}

// Proves tools 83.
func TestAnExcerptIsCutAfter120Characters(t *testing.T) {
	t.Parallel()
	p := newCatalogue(t).Printer("de")
	whole := strings.Repeat("ä", 120)
	if got := p.Phrase(catalogue.Quoted(whole)); got != "„"+whole+"“" {
		t.Errorf("120 characters read %q", got)
	}
	if got := p.Phrase(catalogue.Quoted(whole + "ö")); got != "„"+whole+"…“" {
		t.Errorf("121 characters read %q", got)
	}
}

// Two values that differ never give the same pair of line and technical part,
// whatever they are: what is bound is the whole value.
func FuzzFieldBindsTheWholeValue(f *testing.F) {
	f.Add("a", "b", "c")
	f.Add(strings.Repeat("x", 300), strings.Repeat("x", 300)+"y", strings.Repeat("x", 300)+"z")
	f.Add("a b", "a  b", "a\tb")
	f.Add("a", "\\\n", `\u{000A}`)
	f.Add("caf\u00e9", "cafe\u0301", `\u{0020}`)
	c, err := catalogue.New()
	if err != nil {
		f.Fatal(err)
	}
	p := c.Printer("en")
	f.Fuzz(func(t *testing.T, current, one, other string) {
		if one == other || strings.ToValidUTF8(one, "") != one || strings.ToValidUTF8(other, "") != other || strings.ToValidUTF8(current, "") != current {
			return
		}
		a, aTechnical := printed(p, catalogue.Field{Current: current, Proposed: one})
		b, bTechnical := printed(p, catalogue.Field{Current: current, Proposed: other})
		if a == b && aTechnical == bTechnical && strings.Join(strings.Fields(one), " ") != strings.Join(strings.Fields(other), " ") {
			t.Errorf("%q and %q read the same: %s %s", one, other, a, aTechnical)
		}
	})
}
