package catalogue

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/nicksnyder/go-i18n/v2/i18n"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/internal/lang"
)

// maxDepth bounds phrases inside phrases. Ours nest four deep.
const maxDepth = 16

// Printer prints labels and values in one language, whole. The same labels,
// values and language give the same text, whatever else is going on.
type Printer struct {
	lang      string
	texts     map[imprimatur.Label]text
	localizer *i18n.Localizer
	escape    bool // write out what a reader cannot see in values
}

// Lang is the language that is printed, which need not be the one asked for.
func (p *Printer) Lang() string { return p.lang }

// Line prints one line of a preview, not yet bounded: imprimatur.Bound comes
// after, once. The values "name", "current" and "proposed" also become its
// parts.
func (p *Printer) Line(t imprimatur.Text) imprimatur.Line {
	q := *p
	q.escape = t.Role != imprimatur.RoleCode // Bound does that for code, whose tabs stay
	printed := q.values(t.Values, 0)
	return imprimatur.Line{
		Role: t.Role, Escaped: q.escape, Text: q.phrase(t.Phrase, printed),
		Label: printed["name"], Current: printed["current"], Proposed: printed["proposed"],
	}
}

// Lines prints lines in their order.
func (p *Printer) Lines(texts []imprimatur.Text) []imprimatur.Line {
	lines := make([]imprimatur.Line, len(texts))
	for i, t := range texts {
		lines[i] = p.Line(t)
	}
	return lines
}

// Phrase prints a phrase.
func (p *Printer) Phrase(ph imprimatur.Phrase) string {
	return p.phrase(ph, p.values(ph.Values, 0))
}

// Say prints a label with its values, which may be nil. A label that nobody
// knows prints as itself: a gap one can see and search for.
func (p *Printer) Say(label imprimatur.Label, values map[string]any) string {
	return p.Phrase(imprimatur.Phrase{Label: label, Values: values})
}

// Has reports whether the label exists.
func (p *Printer) Has(label imprimatur.Label) bool {
	_, ok := p.texts[label]
	return ok
}

func (p *Printer) phrase(ph imprimatur.Phrase, printed map[string]string) string {
	t, ok := p.texts[ph.Label]
	if !ok {
		return string(ph.Label)
	}
	if count, ok := whole(ph.Values["count"]); ok && t.plural {
		// On an error the text is the form "other", which is right to show:
		// every form was tried when the catalogue was loaded.
		if s, err := plural(p.localizer, ph.Label, count, printed); err == nil {
			return s
		}
	}
	return t.printed.print(printed)
}

// values prints what the placeholders take.
func (p *Printer) values(values map[string]any, depth int) map[string]string {
	printed := make(map[string]string, len(values))
	for name, v := range values {
		if s, ok := p.value(v, depth); ok {
			printed[name] = s
		}
	}
	return printed
}

// value prints one value; a kind of value that no text may have is a gap.
func (p *Printer) value(v any, depth int) (string, bool) {
	if depth > maxDepth {
		return "", false
	}
	switch v := v.(type) {
	case string:
		return p.visible(v), true
	case imprimatur.Escaped:
		return string(v), true
	case imprimatur.ByLanguage:
		return p.visible(inLanguage(v, p.lang)), true
	case imprimatur.Phrase:
		return p.phrase(v, p.values(v.Values, depth+1)), true
	case []imprimatur.Phrase:
		parts := make([]string, len(v))
		for i, ph := range v {
			parts[i] = p.phrase(ph, p.values(ph.Values, depth+1))
		}
		return strings.Join(parts, p.phrase(imprimatur.Phrase{Label: Separator}, nil)), true
	}
	n, ok := whole(v)
	return strconv.FormatInt(n, 10), ok
}

func (p *Printer) visible(s string) string {
	if !p.escape {
		return s
	}
	return imprimatur.Visible(strings.ToValidUTF8(s, "\uFFFD"))
}

// inLanguage chooses from a text that comes in several languages, else the
// English one.
func inLanguage(texts imprimatur.ByLanguage, want string) string {
	return texts[cmp.Or(lang.Match(want, slices.Sorted(maps.Keys(texts))), English)]
}

func whole(v any) (int64, bool) {
	switch n := v.(type) {
	case int:
		return int64(n), true
	case int64:
		return n, true
	default:
		return 0, false
	}
}
