package catalogue

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"github.com/nicksnyder/go-i18n/v2/i18n/template"

	"github.com/imprimatur-dev/imprimatur"
)

// message is a text cut at its placeholders. Nothing but {{.name}} is
// understood: a dropped-in file is data, not a program.
type message []piece

// piece is literal text, or the name of a placeholder.
type piece struct{ literal, name string }

var placeholder = regexp.MustCompile(`\{\{\.([a-z][a-z0-9_]*)\}\}`)

func parseMessage(s string) (message, error) {
	if strings.TrimSpace(s) == "" {
		return nil, errors.New("is empty")
	}
	var m message
	at := 0
	for _, loc := range placeholder.FindAllStringSubmatchIndex(s, -1) {
		m = append(m, piece{literal: s[at:loc[0]]}, piece{name: s[loc[2]:loc[3]]})
		at = loc[1]
	}
	m = append(m, piece{literal: s[at:]})
	for _, p := range m {
		if strings.Contains(p.literal, "{{") || strings.Contains(p.literal, "}}") {
			return nil, fmt.Errorf("has a malformed placeholder in %q; it must read {{.name}}", p.literal)
		}
	}
	return m, nil
}

// takes lists the placeholders, sorted, each as often as it stands.
func (m message) takes() []string {
	var names []string
	for _, p := range m {
		if p.name != "" {
			names = append(names, p.name)
		}
	}
	slices.Sort(names)
	return names
}

// print puts the values in. A value nobody gave shows as a gap with its name.
func (m message) print(values map[string]string) string {
	var b strings.Builder
	for _, p := range m {
		if p.name == "" {
			b.WriteString(p.literal)
		} else if v, ok := values[p.name]; ok {
			b.WriteString(v)
		} else {
			b.WriteString("{" + p.name + "}")
		}
	}
	return b.String()
}

// Execute implements template.ParsedTemplate.
func (m message) Execute(data any) (string, error) {
	values, ok := data.(map[string]string)
	if !ok {
		return "", fmt.Errorf("values are %T", data)
	}
	return m.print(values), nil
}

// messages parses texts for go-i18n, which chooses the plural form.
type messages struct{}

// Parse implements template.Parser.
func (messages) Parse(src, _, _ string) (template.ParsedTemplate, error) { return parseMessage(src) }

// Cacheable implements template.Parser.
func (messages) Cacheable() bool { return true }

// plural prints the form of a text that goes with a count.
func plural(l *i18n.Localizer, label imprimatur.Label, count int64, values map[string]string) (string, error) {
	return l.Localize(&i18n.LocalizeConfig{
		MessageID: string(label), PluralCount: count, TemplateData: values, TemplateParser: messages{},
	})
}
