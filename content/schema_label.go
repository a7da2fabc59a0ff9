package content

import (
	"strconv"

	"github.com/imprimatur-dev/imprimatur"
)

// TableLabel is what the table is called. Like every label function it never
// comes back empty: where no label resolves it is the bare name, and the text
// for "en" is always there.
func (s *Schema) TableLabel(table string) imprimatur.ByLanguage {
	t, ok := s.Table(table)
	if !ok {
		return s.orName(table)
	}
	return s.orName(table, t.Label)
}

// ColumnLabel is what the column is called in the form of records of kind; a
// kind that is unknown or empty has the column's own label.
func (s *Schema) ColumnLabel(table, kind, column string) imprimatur.ByLanguage {
	t, ok := s.Table(table)
	if !ok {
		return s.orName(column)
	}
	k, _ := t.Kind(kind)
	c, _ := t.Column(column)
	return s.orName(column, k.Overrides[column], c.Label)
}

// ItemLabel is what a value of a select or radio column is called: the value
// itself where no item has it.
func (s *Schema) ItemLabel(table, column, value string) imprimatur.ByLanguage {
	c, _ := s.Column(table, column)
	for _, item := range c.Items {
		if item.Value == value {
			return s.orName(value, item.Label)
		}
	}
	return s.orName(value)
}

// KindLabel is what records of this kind are called: the label of the type, of
// the item, or the value itself.
func (s *Schema) KindLabel(table, kind string) imprimatur.ByLanguage {
	t, ok := s.Table(table)
	if !ok {
		return s.orName(kind)
	}
	k, _ := t.Kind(kind)
	if texts := s.resolve(k.Label); texts != nil {
		return s.orName(kind, k.Label)
	}
	return s.ItemLabel(table, t.TypeField, kind)
}

// ContentColumn is what the content column with this number is called, and
// whether it has a name at all: any number is legal.
func (s *Schema) ContentColumn(number int64) (imprimatur.ByLanguage, bool) {
	c, _ := s.Column(Elements, ColumnPosition)
	value := strconv.FormatInt(number, 10)
	for _, item := range c.Items {
		if item.Value == value {
			texts := s.resolve(item.Label)
			return texts, texts != nil
		}
	}
	return nil, false
}

// FileColumns returns the file columns that the form of a kind offers, in the
// order of the form; for a table of one kind those of the table.
func (s *Schema) FileColumns(table, kind string) []Column {
	t, ok := s.Table(table)
	if !ok {
		return nil
	}
	var names []string
	if k, ok := t.Kind(kind); ok {
		names = k.Columns
	} else if len(t.Types) == 0 {
		for _, c := range t.Columns {
			names = append(names, c.Name)
		}
	}
	var found []Column
	for _, name := range names {
		if c, ok := t.Column(name); ok && c.Type == TypeFile {
			found = append(found, c)
		}
	}
	return found
}

// In returns the text for a language: the tag itself, then the tag without its
// last part, and so on (RFC 4647), then English.
func In(texts imprimatur.ByLanguage, language string) string { return pick(texts, language) }
