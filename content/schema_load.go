package content

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"

	"github.com/imprimatur-dev/imprimatur"
)

// maxSchemaFile bounds one schema file, in bytes.
const maxSchemaFile = 1 << 20

// SchemaError is something that is wrong with a schema file.
type SchemaError struct {
	File   string
	Line   int // 0 where it is not known
	Reason string
}

// Error says it as "news.toml:12: reason".
func (e *SchemaError) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Reason
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Reason)
}

// LoadSchemas reads the tables that the files *.toml at the top of dir
// describe, and the labels they define, for Schema.With of the built-in schema.
// Files are read in the order of their names; other files are left alone.
// Everything that is wrong with them comes back at once: errors.Join of a
// *SchemaError each, one a line.
func LoadSchemas(dir fs.FS) ([]Table, map[string]imprimatur.ByLanguage, error) {
	names, err := fs.Glob(dir, "*.toml")
	if err == nil {
		// Glob hides that a folder cannot be read.
		_, err = fs.ReadDir(dir, ".")
	}
	if err != nil {
		return nil, nil, fmt.Errorf("read the folder of schemas: %w", err)
	}
	if len(names) == 0 {
		return nil, nil, errors.New("the folder of schemas holds no file *.toml")
	}
	slices.Sort(names)
	l := &schemaLoader{labels: map[string]imprimatur.ByLanguage{}, defined: map[string]string{}, places: map[string]schemaPlace{}}
	for _, name := range names {
		l.load(dir, name)
	}
	l.checkReferences()
	l.validate()
	if len(l.wrong) > 0 {
		return nil, nil, l.err()
	}
	return l.tables, l.labels, nil
}

// schemaPlace is where a table, a column or a form is described.
type schemaPlace struct {
	file string
	line int
}

// schemaLoader takes up file after file.
type schemaLoader struct {
	tables  []Table
	labels  map[string]imprimatur.ByLanguage
	defined map[string]string      // labels: in which file
	places  map[string]schemaPlace // by "table" and "table.column"
	used    []usedReference
	wrong   []*SchemaError
}

// usedReference is a label that names an entry of the labels.
type usedReference struct {
	schemaPlace
	key string
}

func (l *schemaLoader) complain(at schemaPlace, format string, args ...any) {
	l.wrong = append(l.wrong, &SchemaError{at.file, at.line, oneLine(fmt.Sprintf(format, args...))})
}

func (l *schemaLoader) err() error {
	slices.SortStableFunc(l.wrong, func(a, b *SchemaError) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	all := make([]error, len(l.wrong))
	for i, e := range l.wrong {
		all[i] = e
	}
	return errors.Join(all...)
}

func (l *schemaLoader) load(dir fs.FS, name string) {
	at := schemaPlace{file: name}
	text, err := readSchemaFile(dir, name)
	if err != nil {
		l.complain(at, "%s", err)
		return
	}
	file, wrong := parseSchemaFile(text)
	for _, w := range wrong {
		l.complain(schemaPlace{name, w.line}, "%s", w.text)
	}
	if file == nil {
		return
	}
	for _, key := range slices.Sorted(maps.Keys(file.Labels)) {
		if before, twice := l.defined[key]; twice {
			l.complain(at, "label %s is in %s already", shortQuote(key), before)
			continue
		}
		l.defined[key] = name
		if problem := badTexts(file.Labels[key]); problem != "" {
			l.complain(at, "label %s: %s", shortQuote(key), problem)
		}
		l.labels[key] = file.Labels[key]
	}
	for i, t := range file.Tables {
		l.table(at, file.lines, i, t)
	}
}

// readSchemaFile reads a file, never more than maxSchemaFile of it.
func readSchemaFile(dir fs.FS, name string) ([]byte, error) {
	f, err := dir.Open(name)
	var text []byte
	if err == nil {
		defer f.Close()
		text, err = io.ReadAll(io.LimitReader(f, maxSchemaFile+1))
	}
	var path *fs.PathError
	switch {
	case errors.As(err, &path):
		return nil, path.Err // its name is said already
	case err != nil:
		return nil, err
	case len(text) > maxSchemaFile:
		return nil, fmt.Errorf("is larger than %d bytes", maxSchemaFile)
	}
	return text, nil
}

// table takes up one table.
func (l *schemaLoader) table(at schemaPlace, lines schemaLines, i int, t fileTable) {
	at.line = lines.table(i)
	if before, twice := l.places[t.Name]; twice {
		l.complain(at, "table %s is in %s already", shortQuote(t.Name), before.file)
		return
	}
	if !schemaName.MatchString(t.Name) {
		l.complain(at, "table %s: a name is lower-case letters, digits and _", shortQuote(t.Name))
		return
	}
	l.places[t.Name] = at
	made := Table{
		Name: t.Name, Label: l.label(at, t.Label), LabelField: t.LabelField, TypeField: t.TypeField, HiddenField: t.HiddenField,
		Translated: t.Translated, Sorted: t.Sorted, RootLevel: t.RootLevel, Sensitive: t.Sensitive, AdminOnly: t.AdminOnly,
		ReadOnly: t.ReadOnly, HideTable: t.HideTable,
	}
	if t.Owner != nil {
		made.Owner = &Owner{t.Owner.Table, t.Owner.Column, t.Owner.Field}
	}
	for n, c := range t.Columns {
		here := schemaPlace{at.file, lines.column(i, n, len(t.Columns))}
		if _, twice := l.places[t.Name+"."+c.Name]; !twice {
			l.places[t.Name+"."+c.Name] = here
		}
		made.Columns = append(made.Columns, l.column(here, c))
	}
	for n, k := range t.Types {
		here := schemaPlace{at.file, lines.kind(i, n, len(t.Types))}
		kind := Type{Value: k.Value, Label: l.label(here, k.Label), Columns: k.Columns}
		for _, column := range slices.Sorted(maps.Keys(k.Labels)) {
			if kind.Overrides == nil {
				kind.Overrides = map[string]Label{}
			}
			kind.Overrides[column] = l.label(here, k.Labels[column])
		}
		made.Types = append(made.Types, kind)
	}
	l.tables = append(l.tables, made)
}

func (l *schemaLoader) column(at schemaPlace, c fileColumn) Column {
	made := Column{
		Name: c.Name, Label: l.label(at, c.Label), Type: ColumnType(c.Type), Rich: c.Rich, Integer: c.Integer, Required: c.Required,
		Max: c.Max, Min: c.Min, ReadOnly: c.ReadOnly, Exclude: c.Exclude, AuthMode: c.AuthMode, Open: c.Open, Extensions: c.Extensions,
		MaxItems: c.MaxItems, Default: c.Default, Target: c.Target, Many: c.Many, Inherited: c.Inherited, Dynamic: c.Dynamic,
	}
	if yes, ok := c.Default.(bool); ok {
		made.Default = int64(0)
		if yes {
			made.Default = int64(1)
		}
	}
	if c.When != nil {
		made.When = &Condition{Column: c.When.Column, Values: c.When.Values}
	}
	for _, item := range c.Items {
		made.Items = append(made.Items, Item{item.Value, l.label(at, item.Label)})
	}
	return made
}

// label takes up a label and remembers what it refers to.
func (l *schemaLoader) label(at schemaPlace, from fileLabel) Label {
	if from.Reference != "" {
		l.used = append(l.used, usedReference{at, from.Reference})
	}
	return from.Label
}

func (l *schemaLoader) checkReferences() {
	for _, u := range l.used {
		if _, there := l.labels[u.key]; !there {
			l.complain(u.schemaPlace, "there is no label %s: write it as [labels.%s]", shortQuote(u.key), shortened(u.key))
		}
	}
}

// validate asks the same of the tables as every schema is asked, and says it
// where it is written.
func (l *schemaLoader) validate() {
	all := DefaultSchema()
	for _, t := range l.tables {
		if _, there := all.Table(t.Name); there {
			l.complain(l.places[t.Name], "table %s is built in", t.Name)
			return
		}
	}
	all.Tables = slices.Concat(all.Tables, l.tables)
	for _, f := range all.faults() {
		at, ok := l.places[f.table+"."+f.column]
		if !ok {
			at, ok = l.places[f.table]
		}
		if ok {
			l.complain(at, "%s", f.text)
		}
	}
}
