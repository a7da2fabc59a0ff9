package content

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/imprimatur-dev/imprimatur"
)

// Translated returns the schema with its labels in further languages: those of
// the files labels/LANGUAGE.toml of dir, each of which says for the English text
// of a label what it is called. What a label says itself goes before. A text
// that no label has is left alone: its table may live elsewhere. A dir without
// such files changes nothing. Everything that is wrong with them comes back at
// once, as from LoadSchemas.
func (s *Schema) Translated(dir fs.FS) (*Schema, error) {
	names, err := fs.Glob(dir, "labels/*.toml")
	if err != nil {
		return nil, fmt.Errorf("read labels of further languages: %w", err)
	}
	out := *s
	out.further = maps.Clone(s.further)
	if out.further == nil {
		out.further = map[string]imprimatur.ByLanguage{}
	}
	l := &schemaLoader{}
	for _, name := range names {
		language := strings.TrimSuffix(path.Base(name), ".toml")
		for english, text := range l.further(dir, name, language) {
			texts := maps.Clone(out.further[english])
			if texts == nil {
				texts = imprimatur.ByLanguage{}
			}
			texts[language] = text
			out.further[english] = texts
		}
	}
	if len(l.wrong) > 0 {
		return nil, l.err()
	}
	return &out, nil
}

// further reads one file of labels.
func (l *schemaLoader) further(dir fs.FS, name, language string) map[string]string {
	at := schemaPlace{file: name}
	data, err := readSchemaFile(dir, name)
	if err != nil {
		l.complain(at, "%s", err)
		return nil
	}
	var texts map[string]string
	if err := toml.Unmarshal(data, &texts); err != nil {
		l.complain(at, "%s", err)
		return nil
	}
	for _, english := range slices.Sorted(maps.Keys(texts)) {
		if problem := badTexts(imprimatur.ByLanguage{language: texts[english]}); problem != "" {
			l.complain(at, "label %s: %s", shortQuote(english), problem)
		}
	}
	return texts
}
