package inbox

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/internal/web"
)

func english(t *testing.T) *catalogue.Printer {
	t.Helper()
	c, err := catalogue.New()
	if err != nil {
		t.Fatal(err)
	}
	return c.Printer("en")
}

// marked writes spans with brackets around what is marked.
func marked(spans []web.Span) string {
	var b strings.Builder
	for _, s := range spans {
		text := ""
		for _, bit := range s.Bits {
			text += bit.Text
		}
		if s.Mark != "" {
			text = "[" + text + "]"
		}
		b.WriteString(text)
	}
	return b.String()
}

func TestChangeMarksWords(t *testing.T) {
	t.Parallel()
	words := english(t)
	for name, test := range map[string]struct{ before, after, was, will string }{
		"a word":            {"“open on Monday”", "“open on Tuesday”", "“open on [Monday]”", "“open on [Tuesday]”"},
		"an insertion":      {"(nothing)", "“and Sundays”", "[(nothing)]", "[“and Sundays”]"},
		"a longer text":     {"one two three", "one two and a half three", "one two three", "one two [and a half ]three"},
		"nothing in common": {"“Monday”", "“closed for good”", "“[Monday]”", "“[closed for good]”"},
		"a number":          {"1", "2", "[1]", "[2]"},
		"an escape":         {`a\u{00A0}b c`, `a b c`, `a[\u{00A0}]b c`, `a[ ]b c`},
		"a doubled escape":  {`x y \\u{00A0}`, `x y \\u{00AD}`, `x y \\u{[00A0]}`, `x y \\u{[00AD]}`},
		"the same":          {"same", "same", "same", "same"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			was, will := change(words, test.before, test.after)
			if marked(was) != test.was || marked(will) != test.will {
				t.Errorf("%s → %s, want %s → %s", marked(was), marked(will), test.was, test.will)
			}
		})
	}
}

func TestChangeLosesNothing(t *testing.T) {
	t.Parallel()
	words := english(t)
	text := rapid.StringOfN(rapid.SampledFrom([]rune(`ab \u{0}A„“é…,`)), 0, 60, -1)
	rapid.Check(t, func(t *rapid.T) {
		before, after := text.Draw(t, "before"), text.Draw(t, "after")
		was, will := change(words, before, after)
		plain := func(spans []web.Span) string {
			for i := range spans {
				spans[i].Mark = ""
			}
			return marked(spans)
		}
		if got := plain(was); got != before {
			t.Errorf("%q became %q", before, got)
		}
		if got := plain(will); got != after {
			t.Errorf("%q became %q", after, got)
		}
	})
}
