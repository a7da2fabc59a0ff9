// Package catalogue holds every text that a person reads, by label and
// language (S213).
//
// A tool never writes a sentence: it picks a label of the closed list and hands
// over values. A Printer turns both into a line in one language. The files are
// locale/<lang>.toml for what stands on a card and locale/ui/<lang>.toml for
// what stands around it; an installation drops in further languages, and labels
// of its own under x.<name>., without code.
package catalogue

import (
	"cmp"
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"sync"

	"github.com/nicksnyder/go-i18n/v2/i18n"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/internal/lang"
)

// English is the source language: what everybody reads whose own language has
// no catalogue.
const English = "en"

//go:embed locale
var locale embed.FS

// Catalogue holds all texts of all its languages. It never changes after New
// and may be used by many goroutines.
type Catalogue struct {
	languages []string // sorted
	texts     map[string]map[imprimatur.Label]text
	localizer map[string]*i18n.Localizer
	headings  []imprimatur.Label // sorted
}

// New loads the languages of the program and what an installation drops in:
// files <lang>.toml, at the top of each file system or in its folder ui, in
// sorted order. Every language must hold exactly the labels of the closed list,
// those of the surfaces, and those the installation adds under x.<name>.; the
// error names every label that is missing, unknown, given twice or takes other
// placeholders than the English text, so that no card ever mixes languages.
func New(extra ...fs.FS) (*Catalogue, error) {
	own, err := fs.Sub(locale, "locale")
	if err != nil {
		return nil, fmt.Errorf("open embedded catalogue: %w", err)
	}
	return newFrom(own, extra...)
}

// newFrom is New on other files than those of the program.
func newFrom(own fs.FS, extra ...fs.FS) (*Catalogue, error) {
	var l loader
	l.load("embedded", own)
	l.sealSurfaces()
	for i, f := range extra {
		l.load(fmt.Sprintf("addition %d", i+1), f)
	}
	l.check()
	if err := l.err(); err != nil {
		return nil, err
	}
	return l.build()
}

// embedded is the catalogue of the program alone. It cannot fail: a test loads
// the same files.
var embedded = sync.OnceValue(func() *Catalogue {
	c, err := New()
	if err != nil {
		panic(fmt.Sprintf("the embedded catalogue does not load: %v", err)) // proven by TestNew
	}
	return c
})

// Languages lists the languages there are, sorted.
func (c *Catalogue) Languages() []string { return slices.Clone(c.languages) }

// Labels lists every label the catalogue holds, sorted.
func (c *Catalogue) Labels() []imprimatur.Label {
	all := make([]imprimatur.Label, 0, len(c.texts[English]))
	for l := range c.texts[English] {
		all = append(all, l)
	}
	slices.Sort(all)
	return all
}

// Printer prints in the language that fits want best by RFC 4647 lookup:
// "de-AT" is printed in "de"; an empty want, or one without a catalogue, is
// printed in English, whole.
func (c *Catalogue) Printer(want string) *Printer {
	tag := cmp.Or(lang.Match(want, c.languages), English)
	return &Printer{lang: tag, texts: c.texts[tag], localizer: c.localizer[tag]}
}
