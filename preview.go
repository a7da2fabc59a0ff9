package imprimatur

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Role says what a line is for; pages lay lines out by it.
type Role string

// The roles of lines (rulings §7).
const (
	RoleHeading     Role = "heading"
	RoleObject      Role = "object"
	RoleWhere       Role = "where"
	RoleField       Role = "field"
	RoleConsequence Role = "consequence"
	RoleWarning     Role = "warning"
	RoleTechnical   Role = "technical"
	RoleText        Role = "text"
	RoleCode        Role = "code"
	RoleRefusal     Role = "refusal"
	RoleNotice      Role = "notice"
	RoleOverflow    Role = "overflow"
)

// Bounds of a preview.
const (
	MaxLines     = 20  // lines; a longer preview gets one overflow line more
	MaxLineRunes = 500 // characters of a text and of each part
)

// Line is one line of a preview as it is stored, shown, compared and hashed.
// Text is the whole line; Label, Current and Proposed are its parts where it
// has them, so that a page may set them side by side.
type Line struct {
	Role     Role   `json:"role"`
	Text     string `json:"text"`
	Label    string `json:"label,omitempty"`
	Current  string `json:"current,omitempty"`
	Proposed string `json:"proposed,omitempty"`

	// Escaped says, before Bound, that what a reader cannot see in the values of
	// the line is written out already. A bounded line never carries it.
	Escaped bool `json:"-"`
}

// UnmarshalJSON accepts a bare string as a line of role text.
func (l *Line) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		*l = Line{Role: RoleText}
		return json.Unmarshal(b, &l.Text)
	}
	type plain Line
	if err := json.Unmarshal(b, (*plain)(l)); err != nil {
		return fmt.Errorf("line: %w", err)
	}
	return nil
}

// Preview is what one pending call was shown to do.
type Preview struct {
	Index    int    `json:"index"` // of the call in the pending list
	Tool     string `json:"tool"`
	Language string `json:"language,omitempty"` // the lines are in
	Lines    []Line `json:"lines"`
	Failed   bool   `json:"failed"`            // at suspend: shown, never compared
	Neutral  bool   `json:"neutral,omitempty"` // a refusal that gives nothing away
}

// Refusal reports whether the preview says that the call would be refused.
func (p Preview) Refusal() bool { return len(p.Lines) > 0 && p.Lines[0].Role == RoleRefusal }

// Bound returns the lines in the form in which they are stored, shown and
// compared, and how many lines were cut. It is applied exactly once: an escape
// that it wrote would be taken for a literal one.
func Bound(lines []Line) (bounded []Line, cut int) {
	if len(lines) > MaxLines {
		lines, cut = lines[:MaxLines], len(lines)-MaxLines
	}
	bounded = make([]Line, 0, len(lines)+1)
	for _, l := range lines {
		bound := func(s string) string { return BoundText(s, l.Role == RoleCode) }
		if l.Escaped {
			bound = boundEscaped
		}
		bounded = append(bounded, Line{
			Role: l.Role, Text: bound(l.Text), Label: bound(l.Label), Current: bound(l.Current), Proposed: bound(l.Proposed),
		})
	}
	return bounded, cut
}

// boundEscaped is BoundText for a text whose escapes are no literals. What is
// still invisible comes from a catalogue, and is written out too, but for the
// spaces that its language sets and no line may break at.
func boundEscaped(s string) string {
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(s, "\uFFFD") {
		if Invisible(r) && !NoBreak(r) {
			fmt.Fprintf(&b, `\u{%04X}`, r)
		} else {
			b.WriteRune(r)
		}
	}
	plain := func(r rune) bool { return r == ' ' || r == '\t' || r == '\n' }
	return Cut(strings.Join(strings.FieldsFunc(b.String(), plain), " "), MaxLineRunes)
}

// NoBreak reports whether a character is a space that no line breaks at: in a
// text of a catalogue it is typography. In a value it is written out.
func NoBreak(r rune) bool { return r == '\u00A0' || r == '\u202F' }

// BoundText bounds one text: invalid UTF-8 is replaced, characters that nobody
// can see are written out, white space is collapsed and trimmed, the rest is
// cut by characters. Code keeps its white space, a tab as \u{9}.
func BoundText(s string, code bool) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if code {
		return Cut(escape(s, func(r rune) bool { return r == '\t' || Invisible(r) }), MaxLineRunes)
	}
	return Cut(strings.Join(strings.Fields(Visible(s)), " "), MaxLineRunes)
}

// Cut returns at most n characters of s.
func Cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	i := 0
	for range n {
		_, size := utf8.DecodeRuneInString(s[i:])
		i += size
	}
	return s[:i]
}

// Visible writes every character that a reader cannot see as \u{XXXX}. Space,
// tab and newline stay. Two texts that differ stay different: backslashes
// before such an escape, or before what already reads like one, are doubled.
func Visible(s string) string { return escape(s, Invisible) }

func escape(s string, hidden func(rune) bool) string {
	if !strings.ContainsFunc(s, hidden) && !strings.Contains(s, `\u{`) {
		return s
	}
	var b strings.Builder
	slashes := 0
	for i, r := range s {
		if r == '\\' {
			slashes++
			continue
		}
		if hidden(r) || strings.HasPrefix(s[i:], "u{") {
			slashes *= 2
		}
		b.WriteString(strings.Repeat(`\`, slashes))
		slashes = 0
		switch {
		case r == '\t' && hidden(r):
			b.WriteString(`\u{9}`)
		case hidden(r):
			fmt.Fprintf(&b, `\u{%04X}`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteString(strings.Repeat(`\`, slashes))
	return b.String()
}

// Invisible reports whether a reader cannot see r or cannot tell it from
// another character: controls, format characters, separators other than the
// plain space, private use, unassigned and default-ignorable code points.
func Invisible(r rune) bool {
	switch r {
	case ' ', '\t', '\n':
		return false
	case utf8.RuneError:
		return false
	case '\u2800': // a Braille cell without dots
		return true
	}
	if r < 0x7F {
		return r < 0x20
	}
	return !unicode.IsGraphic(r) || unicode.Is(unicode.Zs, r) || unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// Comparison is the verdict on what was shown and what holds now.
type Comparison string

// What a comparison can find (runtime §10). Only Same and Unbound let the call
// run; Gone covers a tool that no longer previews.
const (
	Same    Comparison = "same"
	Changed Comparison = "changed"
	Failed  Comparison = "failed"
	Gone    Comparison = "gone"
	Unbound Comparison = "unbound"
)

// Compare holds the current lines of a call against those that were shown.
// Both went through Bound. Nothing shown, or a preview that failed when it was
// shown, binds nothing.
func Compare(shown *Preview, current Preview) Comparison {
	switch {
	case shown == nil || shown.Failed:
		return Unbound
	case current.Failed:
		return Failed
	case slices.Equal(shown.Lines, current.Lines):
		return Same
	default:
		return Changed
	}
}
