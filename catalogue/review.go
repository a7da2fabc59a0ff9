package catalogue

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/imprimatur-dev/imprimatur"
)

// Review lists, sorted, what a catalogue may be loaded with and still should
// not be shipped with: a text equal to the English one, a text that names
// something internal, a heading that reads like another line. same lists the
// labels that are rightly equal in all languages, such as a bare arrangement of
// placeholders; internal lists words that people should not have to read, such
// as names of tools.
func (c *Catalogue) Review(same []imprimatur.Label, internal []string) []string {
	var found []string
	for _, tag := range c.languages {
		for _, label := range slices.Sorted(maps.Keys(c.texts[tag])) {
			t := c.texts[tag][label]
			if tag != English && !slices.Contains(same, label) && equalForms(t, c.texts[English][label]) {
				found = append(found, fmt.Sprintf("%s: %q is the English text", tag, label))
			}
			for _, word := range leaks(t, internal) {
				found = append(found, fmt.Sprintf("%s: %q names %q", tag, label, word))
			}
		}
		found = append(found, c.lookalikes(tag)...)
	}
	return found
}

func equalForms(a, b text) bool {
	for _, s := range a.forms {
		for _, other := range b.forms {
			if s == other && !bare(s) {
				return true
			}
		}
	}
	return false
}

// bare reports a text of placeholders and signs alone.
func bare(s string) bool { return !letters.MatchString(placeholder.ReplaceAllString(s, "")) }

var (
	letters     = regexp.MustCompile(`\p{L}`)
	identifiers = regexp.MustCompile(`[A-Za-z0-9]+_[A-Za-z0-9_]+`)
)

// leaks lists internal names in a text: anything with an underscore, and the
// words given, as whole words in exactly this case.
func leaks(t text, internal []string) []string {
	var found []string
	for _, form := range slices.Sorted(maps.Keys(t.forms)) {
		s := placeholder.ReplaceAllString(t.forms[form], " ")
		found = append(found, identifiers.FindAllString(s, -1)...)
		words := strings.FieldsFunc(s, func(r rune) bool { return !letters.MatchString(string(r)) })
		for _, w := range words {
			if slices.Contains(internal, w) {
				found = append(found, w)
			}
		}
	}
	return found
}

// lookalikes lists headings of one language that equal another text of it, so
// that a reader could not tell a heading from a line.
func (c *Catalogue) lookalikes(tag string) []string {
	texts := c.texts[tag]
	var found []string
	for _, h := range c.headings {
		for _, label := range slices.Sorted(maps.Keys(texts)) {
			if label == h || strings.HasPrefix(string(label), surfaces) {
				continue
			}
			for _, s := range texts[label].forms {
				if s == texts[h].forms["other"] {
					found = append(found, fmt.Sprintf("%s: the heading %q reads like %q", tag, h, label))
				}
			}
		}
	}
	return found
}
