package imprimatur_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur"
)

// Proves tools 5, 6; runtime 152.
func TestBoundTextKeepsWhatIsReadAndWritesOutWhatIsNot(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in   string
		code bool
		want string
	}{
		"white space is collapsed":       {"  a \t b\n\nc ", false, "a b c"},
		"code keeps its own":             {"a\tb\n  c", true, "a\\u{9}b\n  c"},
		"no-break space":                 {"a\u00a0b", false, `a\u{00A0}b`},
		"zero width":                     {"a\u200bb", false, `a\u{200B}b`},
		"right-to-left override":         {"a\u202eb", false, `a\u{202E}b`},
		"soft hyphen":                    {"a\u00adb", false, `a\u{00AD}b`},
		"tag character":                  {"a\U000e0041b", false, `a\u{E0041}b`},
		"variation selector":             {"a\ufe0fb", false, `a\u{FE0F}b`},
		"hangul filler":                  {"a\u3164b", false, `a\u{3164}b`},
		"blank braille":                  {"a\u2800b", false, `a\u{2800}b`},
		"line separator":                 {"a\u2028b", false, `a\u{2028}b`},
		"delete":                         {"a\x7fb", false, `a\u{007F}b`},
		"escape":                         {"a\x1bb", false, `a\u{001B}b`},
		"private use":                    {"a\ue000b", false, `a\u{E000}b`},
		"literal escape":                 {`a\u{00A0}b`, false, `a\\u{00A0}b`},
		"backslash before an escape":     {"a\\\u00a0b", false, `a\\\u{00A0}b`},
		"two backslashes before a brace": {`a\\u{b`, false, `a\\\\u{b`},
		"backslash elsewhere":            {`a\b\`, false, `a\b\`},
		"invalid UTF-8":                  {"a\xffb", false, "a\ufffdb"},
		"umlauts and others stay":        {"Über 日本 عربي e\u0301", false, "Über 日本 عربي e\u0301"},
		"500 characters stay":            {strings.Repeat("ä", 500), false, strings.Repeat("ä", 500)},
		"the 501st is cut":               {strings.Repeat("日", 501), false, strings.Repeat("日", 500)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := imprimatur.BoundText(c.in, c.code); got != c.want {
				t.Errorf("BoundText(%q) = %q, want %q", c.in, got, c.want)
			}
		})
	}
}

// Proves tools 4.
// What is invisible in a value was written out when it was printed. What is left
// is the typography of a catalogue, unless no language sets it.
func TestTheNoBreakSpacesOfACatalogueStay(t *testing.T) {
	t.Parallel()
	text := "Titre\u00a0: \u00ab\u00a0A\\u{00A0}B\u00a0\u00bb\u202f;  \u200bfin\u00a0"
	lines, _ := imprimatur.Bound([]imprimatur.Line{{Text: text, Escaped: true}, {Text: text}})
	if got, want := lines[0].Text, "Titre\u00a0: \u00ab\u00a0A\\u{00A0}B\u00a0\u00bb\u202f; \\u{200B}fin\u00a0"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := lines[1].Text; strings.ContainsFunc(got, imprimatur.NoBreak) {
		t.Errorf("a text that nobody escaped keeps what cannot be seen: %q", got)
	}
}

func TestBoundKeepsTwentyLinesAndCountsTheRest(t *testing.T) {
	t.Parallel()
	lines := make([]imprimatur.Line, 25)
	for i := range lines {
		lines[i] = imprimatur.Line{Role: imprimatur.RoleField, Text: " x ", Label: " l ", Current: " c ", Proposed: " p "}
	}
	got, cut := imprimatur.Bound(lines)
	if len(got) != 20 || cut != 5 {
		t.Fatalf("%d lines, %d cut", len(got), cut)
	}
	want := imprimatur.Line{Role: imprimatur.RoleField, Text: "x", Label: "l", Current: "c", Proposed: "p"}
	if diff := cmp.Diff(want, got[19]); diff != "" {
		t.Error(diff)
	}
}

// Proves tools 12.
func TestAStoredStringIsALineOfText(t *testing.T) {
	t.Parallel()
	var got []imprimatur.Line
	if err := json.Unmarshal([]byte(`["old", {"role":"field","text":"t","label":"l","current":"c","proposed":"p"}]`), &got); err != nil {
		t.Fatal(err)
	}
	want := []imprimatur.Line{
		{Role: imprimatur.RoleText, Text: "old"},
		{Role: imprimatur.RoleField, Text: "t", Label: "l", Current: "c", Proposed: "p"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	var one imprimatur.Line
	if json.Unmarshal([]byte(`7`), &one) == nil {
		t.Error("a number was taken for a line")
	}
}

// Proves runtime 153, 176; tools 17.
func TestCompareBindsWhatWasShownAndNothingElse(t *testing.T) {
	t.Parallel()
	line := func(text, current string) []imprimatur.Line {
		return []imprimatur.Line{{Role: imprimatur.RoleField, Text: text, Current: current}}
	}
	for name, c := range map[string]struct {
		shown   *imprimatur.Preview
		current imprimatur.Preview
		want    imprimatur.Comparison
	}{
		"nothing was shown":       {nil, imprimatur.Preview{Lines: line("a", "")}, imprimatur.Unbound},
		"a failure was shown":     {&imprimatur.Preview{Failed: true, Lines: line("a", "")}, imprimatur.Preview{Lines: line("b", "")}, imprimatur.Unbound},
		"the same":                {&imprimatur.Preview{Lines: line("a", "b")}, imprimatur.Preview{Lines: line("a", "b")}, imprimatur.Same},
		"another text":            {&imprimatur.Preview{Lines: line("a", "b")}, imprimatur.Preview{Lines: line("c", "b")}, imprimatur.Changed},
		"another part":            {&imprimatur.Preview{Lines: line("a", "b")}, imprimatur.Preview{Lines: line("a", "c")}, imprimatur.Changed},
		"one line more":           {&imprimatur.Preview{Lines: line("a", "b")}, imprimatur.Preview{Lines: append(line("a", "b"), line("c", "")...)}, imprimatur.Changed},
		"a failure with its text": {&imprimatur.Preview{Lines: line("a", "")}, imprimatur.Preview{Failed: true, Lines: line("a", "")}, imprimatur.Failed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := imprimatur.Compare(c.shown, c.current); got != c.want {
				t.Errorf("Compare = %s, want %s", got, c.want)
			}
		})
	}
}

// unwritten takes the escapes of Visible back.
func unwritten(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		n := 0
		for i+n < len(s) && s[i+n] == '\\' {
			n++
		}
		switch {
		case n == 0:
			b.WriteByte(s[i])
			i++
		case !strings.HasPrefix(s[i+n:], "u{"):
			b.WriteString(s[i : i+n])
			i += n
		case n%2 == 0:
			b.WriteString(strings.Repeat(`\`, n/2) + "u{")
			i += n + 2
		default:
			b.WriteString(strings.Repeat(`\`, n/2))
			end := strings.IndexByte(s[i+n:], '}')
			var r rune
			for _, d := range s[i+n+2 : i+n+end] {
				r = r<<4 | rune(strings.IndexRune("0123456789ABCDEF", d))
			}
			b.WriteRune(r)
			i += n + end + 1
		}
	}
	return b.String()
}

func FuzzLineBounding(f *testing.F) {
	for _, s := range []string{"", "a\u00a0b", `\u{00A0}`, "\\\u00a0", strings.Repeat("日", 600), "a\tb\nc", "\xff\xfe", `\\u{`} {
		f.Add(s, false)
		f.Add(s, true)
	}
	f.Fuzz(func(t *testing.T, s string, code bool) {
		got := imprimatur.BoundText(s, code)
		if !utf8.ValidString(got) || utf8.RuneCountInString(got) > imprimatur.MaxLineRunes {
			t.Fatalf("BoundText(%q) = %q is not bounded", s, got)
		}
		if strings.ContainsFunc(got, imprimatur.Invisible) || strings.Contains(got, "\t") {
			t.Fatalf("BoundText(%q) = %q hides something", s, got)
		}
		if clean := strings.ToValidUTF8(s, "\ufffd"); unwritten(imprimatur.Visible(clean)) != clean {
			t.Fatalf("Visible(%q) = %q cannot be read back", clean, imprimatur.Visible(clean))
		}
	})
}
