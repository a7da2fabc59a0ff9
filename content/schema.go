package content

import (
	"fmt"
	"maps"
	"slices"

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
	Groups         = "groups"
	Categories     = "categories"
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
	ColumnCategories = "categories"
	// ColumnConfiguration of a page narrows the forms on it and below.
	ColumnConfiguration = "configuration"
	ColumnElement       = "element" // the content element that an item belongs to
)

// ColumnType says what a column holds.
type ColumnType string

// The types of columns. Values of check, datetime (seconds since 1970), file
// (number of references) and relation to one record are int64; a number is an
// int64 or a decimal in text; everything else, a relation to many included, is
// text.
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
	// Removed are values that a form does not take although the column is open:
	// the configuration of a page took them away.
	Removed []string
	// Extensions lists what a file column takes, lower case, without dot; nil
	// takes every file.
	Extensions []string
	// MaxItems bounds the files of a file column; 0 means no bound.
	MaxItems int
	// Default is stored by a create that does not give the column; nil stores
	// nothing.
	Default any
	// Target is the table that a relation refers to; empty where another column
	// of the record names it.
	Target string
	// Many makes a relation a list: the uids in text, separated by commas.
	Many bool
	// Inherited columns have, in a translation, the value of the
	// default-language record.
	Inherited bool
	// When limits the column to records for which it holds; nil does not.
	When *Condition
	// Dynamic marks a select column whose items come from elsewhere: Items is
	// not all of them.
	Dynamic bool
}

// Condition holds for a record whose Column has one of Values; a column without
// a value has the empty text.
type Condition struct {
	Column string
	Values []string
}

// Holds reports whether a record fulfils the condition; nil holds always.
func (c *Condition) Holds(r Record) bool {
	return c == nil || slices.Contains(c.Values, r.Text(c.Column))
}

// Owner says whose the records of a table are: they belong to the record of
// Table whose uid stands in their column Column, and Field is the column there
// that counts them.
type Owner struct{ Table, Column, Field string }

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
	Owner       *Owner // nil for records that stand for themselves
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

	further map[string]imprimatur.ByLanguage // by the English text of a label
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
	out := &Schema{Tables: slices.Concat(s.Tables, tables), Labels: maps.Clone(s.Labels), further: s.further}
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
