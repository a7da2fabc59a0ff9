package catalogue

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/imprimatur-dev/imprimatur"
)

// Field is one field that a call sets, with the value that is stored now and
// the one that is proposed.
type Field struct {
	Name     any    // what people call it: a Phrase, a ByLanguage or a string
	Column   string // what the technical line calls it
	Current  string // as stored
	Proposed string // as it would be stored
	// Labels of the two values where the field is a choice. Without them the
	// values are shown themselves.
	CurrentItem, ProposedItem imprimatur.ByLanguage
}

// Line shows the field: unchanged, currently and proposed, or, where the values
// are longer than a line shows or read the same though they differ, the section
// that changes. Whether it changes is decided on the stored values.
func (f Field) Line() imprimatur.Text {
	switch {
	case f.Current == f.Proposed:
		return f.text(FieldUnchanged, map[string]any{"current": f.shown(f.Current, f.CurrentItem)})
	case f.choice():
		return f.text(FieldChange, map[string]any{
			"current":  f.item(f.Current, f.CurrentItem),
			"proposed": f.item(f.Proposed, f.ProposedItem),
		})
	case f.long():
		position, current, proposed := changed(f.Current, f.Proposed)
		shownCurrent, shownProposed := sections(current, proposed)
		return f.text(FieldChangedFrom, map[string]any{
			"position": position, "current": shownCurrent, "proposed": shownProposed,
		})
	default:
		return f.text(FieldChange, map[string]any{"current": Quoted(f.Current), "proposed": Quoted(f.Proposed)})
	}
}

// Technical is the part of the technical line that binds the whole values where
// the line shows only a section of them: length and hash of both. It is empty
// where the line shows all there is.
func (f Field) Technical() []imprimatur.Phrase {
	if f.Current == f.Proposed || f.choice() || !f.long() {
		return nil
	}
	return []imprimatur.Phrase{{Label: TechnicalWhole, Values: map[string]any{
		"field":          f.Column,
		"current_length": utf8.RuneCountInString(f.Current), "current_hash": shortHash(f.Current),
		"proposed_length": utf8.RuneCountInString(f.Proposed), "proposed_hash": shortHash(f.Proposed),
	}}}
}

func (f Field) text(label imprimatur.Label, values map[string]any) imprimatur.Text {
	values["name"] = f.Name
	return imprimatur.Text{Role: imprimatur.RoleField, Phrase: imprimatur.Phrase{Label: label, Values: values}}
}

func (f Field) choice() bool { return len(f.CurrentItem) > 0 || len(f.ProposedItem) > 0 }

func (f Field) shown(value string, item imprimatur.ByLanguage) imprimatur.Phrase {
	if len(item) == 0 {
		return Quoted(value)
	}
	return imprimatur.Phrase{Label: QuotedText, Values: map[string]any{"text": item}}
}

// item shows a choice by its label, with the stored value in brackets where the
// two labels might read the same in some language.
func (f Field) item(value string, item imprimatur.ByLanguage) imprimatur.Phrase {
	shown := f.shown(value, item)
	if len(item) == 0 || !SameSomewhere(f.CurrentItem, f.ProposedItem) {
		return shown
	}
	cut, _ := excerpt(value)
	return imprimatur.Phrase{Label: ItemWithValue, Values: map[string]any{"item": shown, "value": cut}}
}

// SameSomewhere reports whether two names read the same in a language that
// either has, English standing in where one is missing.
func SameSomewhere(a, b imprimatur.ByLanguage) bool {
	for _, tag := range slices.Concat(slices.Collect(maps.Keys(a)), slices.Collect(maps.Keys(b))) {
		if inLanguage(a, tag) == inLanguage(b, tag) {
			return true
		}
	}
	return false
}

// long reports whether a line that quotes both values would hide something of
// their difference.
func (f Field) long() bool {
	current, proposed := collapse(f.Current), collapse(f.Proposed)
	_, all := excerpt(current)
	_, allProposed := excerpt(proposed)
	return !all || !allProposed || readsAs(current) == readsAs(proposed) ||
		current == "" && f.Current != "" || proposed == "" && f.Proposed != "" // blanks are not empty
}

// readsAs is what a reader tells apart: composed and decomposed characters look
// the same.
func readsAs(s string) string { return norm.NFC.String(imprimatur.Visible(s)) }

// changed finds where two values differ: the place of the first character that
// does, counted from 1, and what is left of each without the beginning and the
// end they share.
func changed(a, b string) (position int, fromA, fromB string) {
	ra, rb := []rune(a), []rune(b)
	start := 0
	for start < len(ra) && start < len(rb) && ra[start] == rb[start] {
		start++
	}
	end := 0
	for end < len(ra)-start && end < len(rb)-start && ra[len(ra)-1-end] == rb[len(rb)-1-end] {
		end++
	}
	return start + 1, string(ra[start : len(ra)-end]), string(rb[start : len(rb)-end])
}

// sections shows what changes. White space is part of a change, so what a line
// would swallow is written out; characters that look the same are named by
// their code points.
func sections(current, proposed string) (shownCurrent, shownProposed imprimatur.Phrase) {
	write := written
	if current != "" && readsAs(current) == readsAs(proposed) {
		write = codePoints
	}
	return section(current, write), section(proposed, write)
}

func section(s string, write func(s string) []string) imprimatur.Phrase {
	if s == "" {
		return imprimatur.Phrase{Label: Nothing}
	}
	shown := ""
	for _, piece := range write(s) {
		if utf8.RuneCountInString(shown+piece) > excerptWidth {
			return imprimatur.Phrase{Label: CutText, Values: map[string]any{"text": imprimatur.Escaped(shown)}}
		}
		shown += piece
	}
	return imprimatur.Phrase{Label: QuotedText, Values: map[string]any{"text": imprimatur.Escaped(shown)}}
}

// written cuts a section into its characters, with what nobody can see and with
// leading, trailing and repeated blanks, tabs and newlines as escapes. As in imprimatur.Visible the
// backslashes before an escape, or before what already reads like one, are
// doubled, so that two sections that differ stay different.
func written(s string) []string {
	runes := []rune(s)
	var pieces []string
	slashes := 0
	for i, r := range runes {
		if r == '\\' {
			slashes++
			continue
		}
		alone := i > 0 && i < len(runes)-1 && !plainSpace(runes[i-1]) && !plainSpace(runes[i+1])
		hidden := r == '\t' || r == '\n' || r == ' ' && !alone || imprimatur.Invisible(r)
		if hidden || r == 'u' && i < len(runes)-1 && runes[i+1] == '{' {
			slashes *= 2
		}
		pieces, slashes = append(pieces, slices.Repeat([]string{`\`}, slashes)...), 0
		if hidden {
			pieces = append(pieces, fmt.Sprintf(`\u{%04X}`, r))
		} else {
			pieces = append(pieces, string(r))
		}
	}
	return append(pieces, slices.Repeat([]string{`\`}, slashes)...)
}

// codePoints names the characters of a section.
func codePoints(s string) []string {
	var pieces []string
	for i, r := range s {
		if i > 0 {
			pieces = append(pieces, " ")
		}
		pieces = append(pieces, fmt.Sprintf("U+%04X", r))
	}
	return pieces
}

// shortHash is the beginning of the SHA-256 of a value: enough to bind it.
func shortHash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])[:12]
}
