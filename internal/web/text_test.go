package web_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/internal/web"
)

// Proves field 78.
func TestBitsNameWhatNobodyCanSee(t *testing.T) {
	t.Parallel()
	p := words(t).Printer("de")
	got := web.Bits(p, `Museum\u{00A0}2026 \u{202E}x \\u{00A0} \u{zz} \u{}`)
	want := []web.Bit{
		{Text: "Museum"},
		{Text: `\u{00A0}`, Code: "U+00A0", Name: "geschütztes Leerzeichen, U+00A0"},
		{Text: "2026 "},
		{Text: `\u{202E}`, Code: "U+202E", Name: "Richtungszwang von rechts nach links, U+202E", Loud: true},
		{Text: `x \\u{00A0} \u{zz} \u{}`},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := web.Raw(p, "a\U000E0042\xff"); len(got) != 3 || got[1].Code != "U+E0042" || !got[1].Loud || got[1].Name != "unsichtbares Zeichen, U+E0042" || got[2].Text != "\uFFFD" {
		t.Errorf("%+v", got)
	}
}

// Proves field 78.
func TestBitsLoseNothing(t *testing.T) {
	t.Parallel()
	p := words(t).Printer("en")
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringOf(rapid.SampledFrom([]rune("\\u{0A}\u00a0\u202e")))).Draw(t, "text")
		visible := imprimatur.Visible(strings.ToValidUTF8(text, "\uFFFD"))
		var again strings.Builder
		for _, b := range web.Bits(p, visible) {
			again.WriteString(b.Text)
		}
		if again.String() != visible {
			t.Errorf("%q became %q", visible, again.String())
		}
		for _, r := range again.String() {
			if imprimatur.Invisible(r) {
				t.Errorf("%U is left", r)
			}
		}
	})
}

func TestACharacterIsMarkedWhateverStandsBeforeIt(t *testing.T) {
	t.Parallel()
	p := words(t).Printer("en")
	for n := range 6 {
		before := strings.Repeat(`\`, n)
		if bits := web.Raw(p, before+"\u202E!"); !slices.ContainsFunc(bits, func(b web.Bit) bool { return b.Code == "U+202E" && b.Loud }) {
			t.Errorf("%d backslashes hide the character behind them: %+v", n, bits)
		}
		if bits := web.Raw(p, before+`\u{202E}!`); len(bits) != 1 || bits[0].Code != "" {
			t.Errorf("%d backslashes make a character of text: %+v", n, bits)
		}
	}
}

func TestMixSetsApartWhatOthersWrote(t *testing.T) {
	t.Parallel()
	p := words(t).Printer("en")
	got := web.Mix(p, "ui.row.for", map[string]any{"agent": "{{.owner}} \x001\x00", "owner": "Jana\u202E"})
	want := []web.Span{
		{Bits: []web.Bit{{Text: "Agent "}}},
		{Mark: web.Value, Bits: []web.Bit{{Text: "{{.owner}} "}, {Text: `\u{0000}`, Code: "U+0000", Name: "invisible character, U+0000", Loud: true}, {Text: "1"}, {Text: `\u{0000}`, Code: "U+0000", Name: "invisible character, U+0000", Loud: true}}},
		{Bits: []web.Bit{{Text: " for "}}},
		{Mark: web.Value, Bits: []web.Bit{{Text: "Jana"}, {Text: `\u{202E}`, Code: "U+202E", Name: "right-to-left override, U+202E", Loud: true}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
