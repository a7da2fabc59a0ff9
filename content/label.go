package content

import (
	"strings"

	"github.com/imprimatur-dev/imprimatur"
)

// referencePrefix marks a text that names an entry of Schema.Labels.
const referencePrefix = "label:"

// Label is what a table, a column or a value is called: a text by language, or
// the name of an entry in Schema.Labels. The zero value is no label; whoever
// asks gets the bare name instead.
type Label struct {
	Text      imprimatur.ByLanguage
	Reference string // key of Schema.Labels; wins over Text
}

// Literal is a label that reads the same in every language.
func Literal(text string) Label { return Label{Text: imprimatur.ByLanguage{"en": text}} }

// ParseLabel reads a label as schema files write it: "label:KEY" is a
// reference, anything else is text, with or without a colon ("16:9").
func ParseLabel(s string) Label {
	if key, ok := strings.CutPrefix(s, referencePrefix); ok && key != "" && !strings.ContainsAny(key, " \t\n") {
		return Label{Reference: key}
	}
	return Literal(s)
}

func label(en, de string) Label { return Label{Text: imprimatur.ByLanguage{"en": en, "de": de}} }

// resolve returns the texts of a label without a trailing colon, or nil for one
// that is empty or refers to nothing.
func (s *Schema) resolve(l Label) imprimatur.ByLanguage {
	texts := l.Text
	if l.Reference != "" {
		texts = s.Labels[l.Reference]
	}
	clean := make(imprimatur.ByLanguage, len(texts))
	for language, text := range texts {
		if text = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), ":")); text != "" {
			clean[language] = text
		}
	}
	if len(clean) == 0 {
		return nil
	}
	for language, text := range s.further[clean["en"]] {
		if clean[language] == "" {
			clean[language] = text
		}
	}
	return clean
}

// orName returns the first label that resolves, completed so that every
// language finds a text; the bare name where none does.
func (s *Schema) orName(name string, labels ...Label) imprimatur.ByLanguage {
	for _, l := range labels {
		if texts := s.resolve(l); texts != nil {
			if texts["en"] == "" {
				texts["en"] = name
			}
			return texts
		}
	}
	return imprimatur.ByLanguage{"en": name}
}
