package imprimatur_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/imprimatur-dev/imprimatur"
)

// vector is one frozen digest. The file never changes: digests of cards that
// wait, and of records that are kept, have to come out the same for ever.
type vector struct {
	Name     string                `json:"name"`
	Calls    []imprimatur.ToolCall `json:"calls"`
	Previews []imprimatur.Preview  `json:"previews"`
	Turn     string                `json:"turn"`
	Picture  string                `json:"picture"`
}

func TestDigestsAreThoseOfTheFrozenVectors(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile(filepath.Join("testdata", "digests.json"))
	if err != nil {
		t.Fatal(err)
	}
	var vectors []vector
	if err := json.Unmarshal(b, &vectors); err != nil {
		t.Fatal(err)
	}
	if len(vectors) < 6 {
		t.Fatalf("only %d vectors", len(vectors))
	}
	for _, v := range vectors {
		if got := imprimatur.TurnDigest(v.Calls); got != v.Turn {
			t.Errorf("%s: turn digest %s, want %s", v.Name, got, v.Turn)
		}
		if got := imprimatur.PictureDigest(v.Calls, v.Previews); got != v.Picture {
			t.Errorf("%s: picture digest %s, want %s", v.Name, got, v.Picture)
		}
	}
}

func call(id, name, args string) imprimatur.ToolCall {
	return imprimatur.ToolCall{ID: id, Name: name, Identity: "builtin/" + name + "/1", Arguments: json.RawMessage(args)}
}

// Proves runtime 108, 109, 112; tools 158; field 60, 71.
func TestTheTurnDigestNamesTheCallsAndNothingElse(t *testing.T) {
	t.Parallel()
	base := []imprimatur.ToolCall{call("a", "write", `{"n":42}`), call("b", "read", `{}`)}
	same := imprimatur.TurnDigest(base)
	other := []imprimatur.ToolCall{base[0], base[1]}
	other[0].Identity = "elsewhere/write/2"
	if imprimatur.TurnDigest(other) != same {
		t.Error("the identity of a tool is part of the turn")
	}
	differ := map[string][]imprimatur.ToolCall{
		"another argument":     {call("a", "write", `{"n":43}`), base[1]},
		"a number's last bit":  {call("a", "write", `{"n":9007199254740993}`), base[1]},
		"another tool":         {call("a", "wrote", `{"n":42}`), base[1]},
		"another id":           {call("c", "write", `{"n":42}`), base[1]},
		"another order":        {base[1], base[0]},
		"one call less":        {base[0]},
		"one call more":        {base[0], base[1], call("c", "read", `{}`)},
		"arguments as text":    {call("a", "write", `"{\"n\":42}"`), base[1]},
		"arguments not JSON":   {call("a", "write", `{"n":42`), base[1]},
		"other broken ones":    {call("a", "write", `{"n":43`), base[1]},
		"no calls at all":      nil,
		"a number it is like":  {call("a", "write", `{"n":9007199254740992}`), base[1]},
		"another spelling":     {call("a", "write", `{"n":42.0}`), base[1]},
		"names run together":   {call("awrite", "", `{"n":42}`), base[1]},
		"an id with a newline": {call("a\n", "write", `{"n":42}`), base[1]},
	}
	seen := map[string]string{same: "the turn itself"}
	for name, calls := range differ {
		d := imprimatur.TurnDigest(calls)
		if twin, taken := seen[d]; taken {
			t.Errorf("%s has the digest of %s", name, twin)
		}
		seen[d] = name
	}
}

func TestThePictureDigestNamesWhatWasShown(t *testing.T) {
	t.Parallel()
	calls := []imprimatur.ToolCall{call("a", "write", `{}`)}
	shown := func(change func(*imprimatur.Preview)) []imprimatur.Preview {
		p := imprimatur.Preview{Index: 0, Tool: "write", Language: "de", Lines: []imprimatur.Line{{Role: imprimatur.RoleField, Text: "t", Current: "1", Proposed: "2"}}}
		change(&p)
		return []imprimatur.Preview{p}
	}
	same := imprimatur.PictureDigest(calls, shown(func(*imprimatur.Preview) {}))
	if same == imprimatur.TurnDigest(calls) || same == "" {
		t.Error("turn and picture have one digest")
	}
	for name, p := range map[string][]imprimatur.Preview{
		"another text":       shown(func(p *imprimatur.Preview) { p.Lines[0].Text = "u" }),
		"another current":    shown(func(p *imprimatur.Preview) { p.Lines[0].Current = "0" }),
		"another role":       shown(func(p *imprimatur.Preview) { p.Lines[0].Role = imprimatur.RoleText }),
		"a failed one":       shown(func(p *imprimatur.Preview) { p.Failed = true }),
		"another tool's":     shown(func(p *imprimatur.Preview) { p.Tool = "other" }),
		"another call's":     shown(func(p *imprimatur.Preview) { p.Index = 1 }),
		"nothing was shown":  nil,
		"a line moved parts": shown(func(p *imprimatur.Preview) { p.Lines[0].Current, p.Lines[0].Proposed = "", "12" }),
	} {
		if imprimatur.PictureDigest(calls, p) == same {
			t.Errorf("%s has the same digest", name)
		}
	}
	elsewhere := []imprimatur.ToolCall{calls[0]}
	elsewhere[0].Identity = "builtin/write/2"
	if imprimatur.PictureDigest(elsewhere, shown(func(*imprimatur.Preview) {})) == same {
		t.Error("another tool of that name has the same digest")
	}
}

// Proves runtime 114.
func TestAnEmptyDigestEqualsNothing(t *testing.T) {
	t.Parallel()
	d := imprimatur.TurnDigest([]imprimatur.ToolCall{call("a", "write", `{}`)})
	upper := []byte(d)
	for i, c := range upper {
		if c >= 'a' && c <= 'f' {
			upper[i] = c - 32
		}
	}
	for name, c := range map[string]struct {
		a, b string
		want bool
	}{
		"equal": {d, d, true}, "empty": {"", d, false}, "both empty": {"", "", false},
		"upper case": {string(upper), d, false}, "shorter": {d[:63], d, false},
	} {
		if got := imprimatur.EqualDigest(c.a, c.b); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
