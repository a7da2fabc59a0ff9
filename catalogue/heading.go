package catalogue

import (
	"slices"
	"strings"

	"github.com/imprimatur-dev/imprimatur"
)

// heading reports whether a label is a heading by its name.
func heading(label imprimatur.Label) bool {
	s := string(label)
	if strings.HasPrefix(s, "preview.heading.") {
		return true
	}
	rest, ok := strings.CutPrefix(s, installation)
	_, rest, _ = strings.Cut(rest, ".")
	return ok && strings.HasPrefix(rest, "heading.")
}

// Headings lists the headings of the program's own tools, sorted. The first
// line of a successful preview is one of them. The set grows with every tool
// that gains a preview: ask, and keep no copy.
func Headings() []imprimatur.Label { return embedded().Headings() }

// IsHeading reports whether a line is a heading of the program's own tools in
// the language the line is in, the acting user's. Only the first line of a
// preview may be asked about.
func IsHeading(line, lang string) bool { return embedded().IsHeading(line, lang) }

// Headings lists the headings, those of the installation included, sorted.
func (c *Catalogue) Headings() []imprimatur.Label { return slices.Clone(c.headings) }

// IsHeading reports whether a line, trimmed, is one of the headings in this
// language. An empty line is none.
func (c *Catalogue) IsHeading(line, lang string) bool {
	line = strings.TrimSpace(line)
	if line == "" {
		return false
	}
	p := c.Printer(lang)
	return slices.ContainsFunc(c.headings, func(l imprimatur.Label) bool { return p.Say(l, nil) == line })
}
