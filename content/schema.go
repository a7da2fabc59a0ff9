package content

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"

	"github.com/imprimatur-dev/imprimatur"
)

// Names of the built-in tables.
const (
	Pages          = "pages"
	Elements       = "content"
	Files          = "files"
	FileMetadata   = "file_metadata"
	FileReferences = "file_references"
	Storages       = "storages"
	Languages      = "languages"
)

// Columns that the repository itself reads.
const (
	ColumnHidden     = "hidden"
	ColumnEditLock   = "editlock"
	ColumnPageType   = "doktype"
	ColumnSlug       = "slug"
	ColumnSiteRoot   = "is_siteroot"
	ColumnKind       = "type"
	ColumnPosition   = "column"
	ColumnStorage    = "storage"
	ColumnIdentifier = "identifier"
	ColumnMissing    = "missing"
	ColumnOwnerTable = "owner_table"
	ColumnOwner      = "owner"
	ColumnOwnerField = "owner_field"
	ColumnFile       = "file"
)

// ColumnType says what a column holds.
type ColumnType string

// The types of columns. Values of check, datetime (seconds since 1970), file
// (number of references) and relation to one record are int64; a number is an
// int64 or a decimal in text; everything else is text.
const (
	TypeInput    ColumnType = "input"
	TypeText     ColumnType = "text"
	TypeNumber   ColumnType = "number"
	TypeEmail    ColumnType = "email"
	TypeColor    ColumnType = "color"
	TypeDatetime ColumnType = "datetime"
	TypeCheck    ColumnType = "check"
	TypeRadio    ColumnType = "radio"
	TypeSelect   ColumnType = "select"
	TypeFile     ColumnType = "file"
	TypeRelation ColumnType = "relation"
	TypeFlex     ColumnType = "flex"
	TypeLink     ColumnType = "link"
	TypeSlug     ColumnType = "slug"
)

// Item is one value of a select or radio column.
type Item struct {
	Value string
	Label Label
}

// Column describes one column of a table.
type Column struct {
	Name  string
	Label Label
	Type  ColumnType
	// Rich marks text that holds HTML.
	Rich bool
	// Integer stores the values of a select column as int64.
	Integer bool
	// Required refuses an empty value.
	Required bool
	// Max bounds the characters of a text or the size of a number; Min the
	// latter only. 0 means no bound, for Min zero itself where Max is set.
	Max, Min int
	// ReadOnly columns are written by administrators and by the repository.
	ReadOnly bool
	// Exclude columns need the grant "table.column"; without it the write
	// engine leaves them out of a write without a word.
	Exclude bool
	// AuthMode columns need the grant "table.column.value" for each value.
	AuthMode bool
	// Open columns take values that are not among Items.
	Open  bool
	Items []Item
	// Extensions lists what a file column takes, lower case, without dot; nil
	// takes every file.
	Extensions []string
	// MaxItems bounds the files of a file column; 0 means no bound.
	MaxItems int
	// Default is stored by a create that does not give the column; nil stores
	// nothing.
	Default any
}

// Accepts reports whether a file column takes files of this extension.
func (c Column) Accepts(extension string) bool {
	return c.Type == TypeFile && (c.Extensions == nil || slices.Contains(c.Extensions, lower(extension)))
}

// Type is one kind of record of a table and its form.
type Type struct {
	Value string
	Label Label
	// Columns are those of the form, in order.
	Columns []string
	// Overrides are what columns are called in this form.
	Overrides map[string]Label
}

// Table describes one table.
type Table struct {
	Name        string
	Label       Label
	LabelField  string // column whose value names a record
	TypeField   string // column that tells the kind; empty for tables of one kind
	HiddenField string // empty for tables whose records cannot be hidden
	Columns     []Column
	Types       []Type
	Translated  bool // has a language and a default-language record
	Sorted      bool // order among the records of a page matters
	RootLevel   bool // records live at pid 0
	Sensitive   bool // never leaves the repository by a tool
	AdminOnly   bool
	ReadOnly    bool
	HideTable   bool
}

// Column returns the column called name.
func (t *Table) Column(name string) (Column, bool) {
	i := slices.IndexFunc(t.Columns, func(c Column) bool { return c.Name == name })
	if i < 0 {
		return Column{}, false
	}
	return t.Columns[i], true
}

// Kind returns the type of records with this value.
func (t *Table) Kind(value string) (Type, bool) {
	i := slices.IndexFunc(t.Types, func(k Type) bool { return k.Value == value })
	if i < 0 {
		return Type{}, false
	}
	return t.Types[i], true
}

// Schema describes every table. It must not be changed once a repository uses
// it.
type Schema struct {
	Tables []Table
	// Labels are what label references resolve to.
	Labels map[string]imprimatur.ByLanguage
}

// Table returns the table called name.
func (s *Schema) Table(name string) (*Table, bool) {
	for i := range s.Tables {
		if s.Tables[i].Name == name {
			return &s.Tables[i], true
		}
	}
	return nil, false
}

// Column returns a column of a table.
func (s *Schema) Column(table, column string) (Column, bool) {
	t, ok := s.Table(table)
	if !ok {
		return Column{}, false
	}
	return t.Column(column)
}

// With returns the schema with further tables and labels. What is there already
// cannot be replaced.
func (s *Schema) With(tables []Table, labels map[string]imprimatur.ByLanguage) (*Schema, error) {
	out := &Schema{Tables: slices.Concat(s.Tables, tables), Labels: maps.Clone(s.Labels)}
	if out.Labels == nil {
		out.Labels = map[string]imprimatur.ByLanguage{}
	}
	for key, texts := range labels {
		if _, twice := out.Labels[key]; twice {
			return nil, fmt.Errorf("schema: label %s is there already", key)
		}
		out.Labels[key] = texts
	}
	if err := out.Validate(); err != nil {
		return nil, err
	}
	return out, nil
}

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

var schemaName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,63}$`)

// Validate names everything that is wrong with the schema, or returns nil.
func (s *Schema) Validate() error {
	var wrong []error
	seen := map[string]bool{}
	for i := range s.Tables {
		t := &s.Tables[i]
		if !schemaName.MatchString(t.Name) {
			wrong = append(wrong, fmt.Errorf("schema: table %q: a name is lower-case letters, digits and _", t.Name))
		}
		if seen[t.Name] {
			wrong = append(wrong, fmt.Errorf("schema: table %s is there twice", t.Name))
		}
		seen[t.Name] = true
		wrong = append(wrong, t.validate()...)
	}
	return errors.Join(wrong...)
}

// validate names what is wrong with one table.
func (t *Table) validate() (wrong []error) {
	seen := map[string]bool{}
	for _, c := range t.Columns {
		if !schemaName.MatchString(c.Name) || structural[c.Name] {
			wrong = append(wrong, fmt.Errorf("schema: %s: a column cannot be called %q", t.Name, c.Name))
		}
		if seen[c.Name] {
			wrong = append(wrong, fmt.Errorf("schema: %s.%s is there twice", t.Name, c.Name))
		}
		seen[c.Name] = true
		if !knownTypes[c.Type] {
			wrong = append(wrong, fmt.Errorf("schema: %s.%s: no type %q", t.Name, c.Name, c.Type))
		}
		switch c.Default.(type) {
		case nil, string, int64:
		default:
			wrong = append(wrong, fmt.Errorf("schema: %s.%s: the default is a %T, neither text nor int64", t.Name, c.Name, c.Default))
		}
	}
	for _, name := range []string{t.LabelField, t.TypeField, t.HiddenField} {
		if name != "" && !seen[name] {
			wrong = append(wrong, fmt.Errorf("schema: %s has no column %s", t.Name, name))
		}
	}
	for _, k := range t.Types {
		for _, name := range slices.Concat(k.Columns, slices.Sorted(maps.Keys(k.Overrides))) {
			if !seen[name] {
				wrong = append(wrong, fmt.Errorf("schema: %s: form %s shows no column %s", t.Name, k.Value, name))
			}
		}
	}
	return wrong
}

// structural are the parts of every record that are no columns of a schema.
var structural = map[string]bool{
	"uid": true, "pid": true, "version": true, "sorting": true, "language": true, "origin": true,
	"deleted": true, "created": true, "changed": true, "changed_by": true,
}

var knownTypes = map[ColumnType]bool{
	TypeInput: true, TypeText: true, TypeNumber: true, TypeEmail: true, TypeColor: true, TypeDatetime: true,
	TypeCheck: true, TypeRadio: true, TypeSelect: true, TypeFile: true, TypeRelation: true, TypeFlex: true,
	TypeLink: true, TypeSlug: true,
}
