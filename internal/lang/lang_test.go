package lang_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/imprimatur-dev/imprimatur/internal/lang"
)

func TestMatchTakesSubtagsOffTheEnd(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, want string
		have       []string
		match      string
	}{
		{"itself", "de", []string{"en", "de"}, "de"},
		{"a region falls back to its language", "de-AT", []string{"en", "de"}, "de"},
		{"the region itself comes first", "de-AT", []string{"de", "de-AT"}, "de-AT"},
		{"script and region", "zh-Hant-TW", []string{"zh", "zh-Hant"}, "zh-Hant"},
		{"a language does not find its region", "de", []string{"de-AT"}, ""},
		{"another region is no match", "de-AT", []string{"de-CH"}, ""},
		{"case does not count", "DE-at", []string{"de-AT"}, "de-AT"},
		{"answer as it is spelled in the list", "de", []string{"DE"}, "DE"},
		{"a singleton goes with what it introduced", "de-u-co-phonebk", []string{"de"}, "de"},
		{"private use is taken off", "zh-Hant-CN-x-private1-private2", []string{"zh-Hant-CN"}, "zh-Hant-CN"},
		{"a tag that would end in a singleton is never tried", "de-x-1", []string{"de-x", "de"}, "de"},
		{"a longer language is another one", "deu", []string{"de"}, ""},
		{"no language", "", []string{"en", ""}, ""},
		{"nothing to choose from", "de", nil, ""},
		{"anything", "*", []string{"en"}, ""},
		{"hyphens only", "--", []string{"en"}, ""},
		{"no match", "fr", []string{"en", "de"}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := lang.Match(test.want, test.have); got != test.match {
				t.Errorf("Match(%q, %q) = %q, want %q", test.want, test.have, got, test.match)
			}
		})
	}
}

func TestPreferredFollowsTheHeader(t *testing.T) {
	t.Parallel()
	have := []string{"en", "de", "pt-BR"}
	tests := []struct{ name, header, want string }{
		{"one", "de", "de"},
		{"order decides between equals", "de,en", "de"},
		{"weights decide before order", "en;q=0.5,de;q=0.9", "de"},
		{"a weight of one is the default", "en;q=0.999,de", "de"},
		{"three digits count", "en;q=0.123,de;q=0.124", "de"},
		{"what browsers send", "de-AT,de;q=0.9,en-US;q=0.8,en;q=0.7", "de"},
		{"unknown languages are passed over", "fr, nl;q=0.9, de;q=0.1", "de"},
		{"blanks and capitals", "\tDE-at ; Q=0.8 , fr", "de"},
		{"blank inside a parameter", "de ;q=0.5,en; q=0.4", "de"},
		{"not the language, not its region", "pt", ""},
		{"anything is no wish", "*", ""},
		{"anything after an unknown one", "fr,*;q=0.5", ""},
		{"refused", "de;q=0", ""},
		{"refused, though a region asks for it", "de-AT,de;q=0,en;q=0.1", "en"},
		{"refused with a fraction", "de;q=0.000", ""},
		{"above one", "de;q=1.001,en;q=0.1", "en"},
		{"exactly one", "en;q=0.9,de;q=1.000", "de"},
		{"no number", "de;q=x,en;q=0.1", "en"},
		{"a sign", "de;q=+1,en;q=0.1", "en"},
		{"a sign in the fraction", "de;q=0.-1,en;q=0.1", "en"},
		{"four digits", "de;q=0.1234,en;q=0.1", "en"},
		{"another parameter", "de;level=1,en;q=0.1", "en"},
		{"two parameters", "de;q=0.5;q=0.6,en;q=0.1", "en"},
		{"not a tag", "d_e,<script>,en", "en"},
		{"empty elements", ",,de,,", "de"},
		{"empty", "", ""},
		{"beyond the bound", strings.Repeat("fr,", 64) + "de", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := lang.Preferred(test.header, have); got != test.want {
				t.Errorf("Preferred(%q) = %q, want %q", test.header, got, test.want)
			}
		})
	}
}

func TestPreferredLeavesTheListAlone(t *testing.T) {
	t.Parallel()
	have := []string{"de", "en", "fr"}
	lang.Preferred("de;q=0,en", have)
	if !slices.Equal(have, []string{"de", "en", "fr"}) {
		t.Errorf("the list became %q", have)
	}
}

func TestValidKnowsTheSyntaxOfTags(t *testing.T) {
	t.Parallel()
	for _, tag := range []string{
		"de", "de-AT", "DE-at", "gsw", "zh-Hant-TW", "es-419", "sl-rozaj-biske-1994", "de-CH-1901",
		"de-u-co-phonebk", "en-a-myext-b-another", "de-x-museum", "zh-cmn-Hans-CN",
	} {
		if !lang.Valid(tag) {
			t.Errorf("%q is refused", tag)
		}
	}
	for _, tag := range []string{
		"", "d", "de_AT", "de-", "-de", "de--AT", "x-museum", "*", "de-*", "de-u", "de-x", "de AT", "de\n", "dé",
		"../de", "abcdefghi", "de-" + strings.Repeat("abcde-", 12) + "abcde",
	} {
		if lang.Valid(tag) {
			t.Errorf("%q is accepted", tag)
		}
	}
}

func FuzzLanguages(f *testing.F) {
	f.Add("de-AT,de;q=0.9,*;q=0.1", "de-u-co-phonebk")
	f.Add("en;q=0,", "x--y")
	have := []string{"en", "de", "de-AT", "zh-Hant"}
	f.Fuzz(func(t *testing.T, header, tag string) {
		for _, got := range []string{lang.Match(tag, have), lang.Preferred(header, have)} {
			if got != "" && !slices.Contains(have, got) {
				t.Fatalf("%q and %q give %q, which nobody offered", header, tag, got)
			}
		}
		if got := lang.Match(tag, have); got != "" && !strings.HasPrefix(strings.ToLower(tag), strings.ToLower(got)) {
			t.Fatalf("%q gives %q", tag, got)
		}
		if want := lang.Match(tag, have); lang.Valid(tag) && lang.Preferred(tag, have) != want {
			t.Fatalf("%q alone in a header gives %q, want %q", tag, lang.Preferred(tag, have), want)
		}
	})
}
