package catalogue

import (
	"strings"
	"unicode/utf8"

	"github.com/imprimatur-dev/imprimatur"
)

// excerptWidth is how many characters of a value a line shows.
const excerptWidth = 120

// Quoted is a value in the quotation marks of the language: white space
// collapsed, cut after 120 characters. A value without characters reads as the
// word for empty, without quotation marks; one of spaces that no line collapses
// is not empty.
func Quoted(value string) imprimatur.Phrase {
	shown := collapse(value)
	if shown == "" {
		return imprimatur.Phrase{Label: Empty}
	}
	return quoted(shown)
}

// quoted quotes a value whose white space is to be shown as it is.
func quoted(value string) imprimatur.Phrase {
	cut, all := excerpt(value)
	if all {
		return imprimatur.Phrase{Label: QuotedText, Values: map[string]any{"text": cut}}
	}
	return imprimatur.Phrase{Label: CutText, Values: map[string]any{"text": cut}}
}

func collapse(s string) string { return strings.Join(strings.FieldsFunc(s, plainSpace), " ") }

// plainSpace is the white space that a line collapses. All other kinds are
// invisible characters and get written out.
func plainSpace(r rune) bool { return r == ' ' || r == '\t' || r == '\n' }

// excerpt cuts a value after 120 characters as they will be shown: a character
// that nobody can see counts as long as its escape is, so that bounding the
// line never cuts what stands behind it. all reports that nothing was cut.
func excerpt(s string) (cut string, all bool) {
	s = strings.ToValidUTF8(s, "\uFFFD")
	end := 0
	for i, r := range s {
		if after := i + utf8.RuneLen(r); shownWidth(s[:after]) <= excerptWidth {
			end = after
			continue
		}
		return s[:end], false
	}
	return s, true
}

// shownWidth is how many characters a text takes up once bounding has written
// out what cannot be seen.
func shownWidth(s string) int { return utf8.RuneCountInString(imprimatur.Visible(s)) }

// Named is the line "name: value". The value is a string, a number, a phrase
// or a text by language.
func Named(role imprimatur.Role, name imprimatur.Label, value any) imprimatur.Text {
	return imprimatur.Text{Role: role, Phrase: imprimatur.Phrase{
		Label: NamedLine, Values: map[string]any{"name": imprimatur.Phrase{Label: name}, "value": value},
	}}
}

// Heading is the first line of a preview.
func Heading(label imprimatur.Label) imprimatur.Text {
	return imprimatur.Text{Role: imprimatur.RoleHeading, Phrase: imprimatur.Phrase{Label: label}}
}

// Technical is a line of technical details, the last one of a preview.
func Technical(parts ...imprimatur.Phrase) imprimatur.Text {
	return imprimatur.Text{Role: imprimatur.RoleTechnical, Phrase: imprimatur.Phrase{
		Label: TechnicalDetails, Values: map[string]any{"parts": parts},
	}}
}

// technicalWidth is how many characters of parts one technical line takes. The
// rest of what a line holds is left for the words around them, in a language
// that may have longer ones.
const technicalWidth = 400

// TechnicalLines are the technical details of a call that binds whole values:
// no part is ever cut off. What does not fit beside the names of the records
// stands on lines before them; the last line names the records.
func TechnicalLines(records, whole []imprimatur.Phrase) []imprimatur.Text {
	var lines []imprimatur.Text
	var chunk []imprimatur.Phrase
	used := 0
	for _, part := range whole {
		if w := partWidth(part); used+w > technicalWidth && chunk != nil {
			lines, chunk, used = append(lines, Technical(chunk...)), nil, w
		} else {
			used += w
		}
		chunk = append(chunk, part)
	}
	names := 0
	for _, part := range records {
		names += partWidth(part)
	}
	if chunk != nil && used+names > technicalWidth {
		lines, chunk = append(lines, Technical(chunk...)), nil
	}
	return append(lines, Technical(append(append([]imprimatur.Phrase{}, records...), chunk...)...))
}

// partWidth estimates how many characters a part prints.
func partWidth(part imprimatur.Phrase) int {
	words := 20
	if part.Label == TechnicalWhole {
		words = 90
	}
	for _, v := range part.Values {
		switch v := v.(type) {
		case string:
			words += utf8.RuneCountInString(v)
		case imprimatur.Phrase:
			words += partWidth(v)
		}
	}
	return words
}
