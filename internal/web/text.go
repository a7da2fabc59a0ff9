package web

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
)

// Span is a stretch of text on a page. Value marks what somebody else wrote:
// it is set apart so that its direction cannot run into ours.
type Span struct {
	Mark Mark
	Bits []Bit
}

// Mark says what a span is.
type Mark string

// The marks. A span without one is text of ours.
const (
	Value   Mark = "value"
	Removed Mark = "del"
	Added   Mark = "ins"
)

// Bit is plain text, or one character that nobody can see, written out: then
// Text is its escape as it is stored, Code its code point and Name what the
// character is called.
type Bit struct {
	Text string
	Code string
	Name string
	Loud bool // it can make a text read as another one
}

// Bits cuts a text in which invisible characters are written out, as lines of
// previews are, at these escapes. Putting the texts of the bits together gives
// the text back.
func Bits(words *catalogue.Printer, text string) []Bit {
	var bits []Bit
	plain := 0
	for i := 0; i < len(text); {
		end, r := Escape(text, i)
		if end == i {
			i++
			continue
		}
		if plain < i {
			bits = append(bits, Bit{Text: text[plain:i]})
		}
		bits = append(bits, chip(words, text[i:end], r))
		i, plain = end, end
	}
	if plain < len(text) {
		bits = append(bits, Bit{Text: text[plain:]})
	}
	return bits
}

// Raw is Bits for a text in which nothing is written out yet.
func Raw(words *catalogue.Printer, text string) []Bit {
	return Bits(words, imprimatur.Visible(strings.ToValidUTF8(text, "\uFFFD")))
}

// Escape reports where the escape of an invisible character that begins at i
// ends, and which character it is; end is i where none begins. Backslashes in
// front of an escape are doubled: behind an odd number of them stands text that
// only looks like one.
func Escape(text string, i int) (end int, r rune) {
	rest, ok := strings.CutPrefix(text[i:], `\u{`)
	before := text[:i]
	if !ok || (len(before)-len(strings.TrimRight(before, `\`)))%2 == 1 {
		return i, 0
	}
	digits, _, ok := strings.Cut(rest, "}")
	n, err := strconv.ParseUint(digits, 16, 32)
	if !ok || err != nil || len(digits) > 6 || n > unicode.MaxRune {
		return i, 0
	}
	return i + len(`\u{`) + len(digits) + len("}"), rune(n)
}

// named are the invisible characters that have a name in the catalogue, under
// "ui.char.<code point>".
var named = []rune{
	'\t', '\n', ' ', 0xA0, 0xAD, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A, 0x202B, 0x202C, 0x202D, 0x202E,
	0x202F, 0x2060, 0x2066, 0x2067, 0x2068, 0x2069, 0xFEFF,
}

// loud are characters that no typesetter needs and that change how their
// neighbours read.
var loud = &unicode.RangeTable{
	R16: []unicode.Range16{{0x0000, 0x0008, 1}, {0x000B, 0x001F, 1}, {0x007F, 0x009F, 1}, {0x200B, 0x200B, 1}, {0x200E, 0x200F, 1}, {0x2028, 0x202E, 1}, {0x2060, 0x206F, 1}, {0xFEFF, 0xFEFF, 1}},
	R32: []unicode.Range32{{0xE0000, 0xE007F, 1}},
}

func chip(words *catalogue.Printer, escape string, r rune) Bit {
	code := fmt.Sprintf("U+%04X", r)
	name := words.Say("ui.char.other", nil)
	if slices.Contains(named, r) {
		name = words.Say(imprimatur.Label(fmt.Sprintf("ui.char.%04x", r)), nil)
	}
	return Bit{Text: escape, Code: code, Name: name + ", " + code, Loud: unicode.Is(loud, r)}
}

// Mix prints a text of the catalogue whose values others wrote, each value a
// span of its own. Strings are values; ints are printed as they are.
func Mix(words *catalogue.Printer, label imprimatur.Label, values map[string]any) []Span {
	// Values are put in by position, not by text: what somebody wrote is never
	// searched for anything.
	marks := make(map[string]any, len(values))
	var written []string
	for name, v := range values {
		if s, ok := v.(string); ok {
			marks[name] = fmt.Sprintf("\x00%d\x00", len(written))
			written = append(written, s)
		} else {
			marks[name] = v
		}
	}
	var spans []Span
	for i, part := range strings.Split(words.Say(label, marks), "\x00") {
		switch n, err := strconv.Atoi(part); {
		case i%2 == 1 && err == nil && n < len(written):
			spans = append(spans, Span{Value, Raw(words, written[n])})
		case part != "":
			spans = append(spans, Span{Bits: []Bit{{Text: part}}})
		}
	}
	return spans
}

// pairs reads "name", value, … as templates write them.
func pairs(list []any) (map[string]any, error) {
	if len(list)%2 != 0 {
		return nil, fmt.Errorf("%d names and values: one is missing", len(list))
	}
	values := map[string]any{}
	for i := 0; i < len(list); i += 2 {
		name, ok := list[i].(string)
		if !ok {
			return nil, fmt.Errorf("a name is %T", list[i])
		}
		values[name] = list[i+1]
	}
	return values, nil
}
