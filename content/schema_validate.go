package content

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
)

var schemaName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,63}$`)

// schemaFault is something that is wrong with a table, or with its column.
type schemaFault struct{ table, column, text string }

// Error implements error.
func (f schemaFault) Error() string { return "schema: " + f.text }

// Validate names everything that is wrong with the schema, or returns nil.
func (s *Schema) Validate() error {
	faults := s.faults()
	wrong := make([]error, len(faults))
	for i, f := range faults {
		wrong[i] = f
	}
	return errors.Join(wrong...)
}

func (s *Schema) faults() (wrong []schemaFault) {
	seen := map[string]bool{}
	for i := range s.Tables {
		t := &s.Tables[i]
		if !schemaName.MatchString(t.Name) {
			wrong = append(wrong, t.faulty("", "table %q: a name is lower-case letters, digits and _", t.Name))
		}
		if seen[t.Name] {
			wrong = append(wrong, t.faulty("", "table %s is there twice", t.Name))
		}
		seen[t.Name] = true
		wrong = append(wrong, t.validate()...)
		wrong = append(wrong, s.validateTargets(t)...)
	}
	return wrong
}

// faulty makes a fault of a table, or of a column of it.
func (t *Table) faulty(column, format string, args ...any) schemaFault {
	return schemaFault{t.Name, column, fmt.Sprintf(format, args...)}
}

// validateTargets names tables and columns that do not exist and that a table
// refers to.
func (s *Schema) validateTargets(t *Table) (wrong []schemaFault) {
	for _, c := range t.Columns {
		_, known := s.Table(c.Target)
		switch {
		case c.Type != TypeRelation && (c.Many || c.Target != ""):
			wrong = append(wrong, t.faulty(c.Name, "%s.%s is no relation and yet has a target", t.Name, c.Name))
		case c.Target == "" && c.Many:
			wrong = append(wrong, t.faulty(c.Name, "%s.%s is a list of records of no table", t.Name, c.Name))
		case c.Target != "" && !known:
			wrong = append(wrong, t.faulty(c.Name, "%s.%s: there is no table %q", t.Name, c.Name, c.Target))
		}
	}
	if t.Owner == nil {
		return wrong
	}
	c, ok := t.Column(t.Owner.Column)
	if !ok || c.Type != TypeRelation || c.Many || c.Target != t.Owner.Table {
		wrong = append(wrong, t.faulty("", "%s: the owner does not stand in a relation %q to %q", t.Name, t.Owner.Column, t.Owner.Table))
	}
	if field, ok := s.Column(t.Owner.Table, t.Owner.Field); !ok || field.Type != TypeNumber || !field.Integer {
		wrong = append(wrong, t.faulty("", "%s: %s.%s counts no records", t.Name, t.Owner.Table, t.Owner.Field))
	}
	return wrong
}

// validate names what is wrong with one table.
func (t *Table) validate() (wrong []schemaFault) {
	seen := map[string]bool{}
	for _, c := range t.Columns {
		if !schemaName.MatchString(c.Name) || structural[c.Name] {
			wrong = append(wrong, t.faulty(c.Name, "%s: a column cannot be called %q", t.Name, c.Name))
		}
		if seen[c.Name] {
			wrong = append(wrong, t.faulty(c.Name, "%s.%s is there twice", t.Name, c.Name))
		}
		seen[c.Name] = true
		if !knownTypes[c.Type] {
			wrong = append(wrong, t.faulty(c.Name, "%s.%s: no type %q", t.Name, c.Name, c.Type))
		}
		if problem := c.contradiction(); problem != "" {
			wrong = append(wrong, t.faulty(c.Name, "%s.%s: %s", t.Name, c.Name, problem))
		}
	}
	for _, c := range t.Columns {
		if c.When != nil && !seen[c.When.Column] {
			wrong = append(wrong, t.faulty(c.Name, "%s.%s depends on the column %q, which is not there", t.Name, c.Name, c.When.Column))
		}
	}
	for _, name := range []string{t.LabelField, t.TypeField, t.HiddenField} {
		if name != "" && !seen[name] {
			wrong = append(wrong, t.faulty("", "%s has no column %s", t.Name, name))
		}
	}
	return append(wrong, t.validateKinds(seen)...)
}

// contradiction says what no column can have together, or nothing.
func (c Column) contradiction() string {
	choice := c.Type == TypeSelect || c.Type == TypeRadio
	values := map[string]bool{}
	for _, i := range c.Items {
		if values[i.Value] {
			return fmt.Sprintf("the item %q is there twice", i.Value)
		}
		values[i.Value] = true
	}
	switch {
	case len(c.Items) > 0 && !choice:
		return "only a select or radio column has items"
	case c.Dynamic && c.Type != TypeSelect:
		return "only a select column is dynamic"
	case (c.Open || c.AuthMode) && !choice:
		return "only a select or radio column is open or has values that need a grant"
	case c.Integer && !choice && c.Type != TypeNumber:
		return "only a number, select or radio column holds integers"
	case c.Rich && c.Type != TypeText:
		return "only a text column is rich"
	case (c.Extensions != nil || c.MaxItems != 0) && c.Type != TypeFile:
		return "only a file column takes files"
	case c.Max < 0 || c.MaxItems < 0 || c.Max != 0 && c.Min > c.Max:
		return "the bounds leave no value"
	}
	return c.badDefault()
}

func (c Column) badDefault() string {
	switch c.Default.(type) {
	case nil:
		return ""
	case string, int64:
	default:
		return fmt.Sprintf("the default is a %T, neither text nor int64", c.Default)
	}
	normal, problem := c.normal(c.Default)
	if problem != "" {
		return "the default does not fit: " + problem
	}
	if normal != c.Default {
		return "the default is not what the column stores"
	}
	return ""
}

// validateKinds names what is wrong with the forms; seen are the columns.
func (t *Table) validateKinds(seen map[string]bool) (wrong []schemaFault) {
	by, _ := t.Column(t.TypeField)
	switch hidden, ok := t.Column(t.HiddenField); {
	case ok && hidden.Type != TypeCheck:
		wrong = append(wrong, t.faulty(hidden.Name, "%s.%s hides records and is no check column", t.Name, hidden.Name))
	case by.Name != "" && by.Type != TypeSelect:
		wrong = append(wrong, t.faulty(by.Name, "%s.%s tells the kind and is no select column", t.Name, by.Name))
	case len(t.Types) > 0 && t.TypeField == "":
		wrong = append(wrong, t.faulty("", "%s has forms and no column that tells the kind", t.Name))
	}
	values := map[string]bool{}
	for _, k := range t.Types {
		if values[k.Value] {
			wrong = append(wrong, t.faulty("", "%s: form %s is there twice", t.Name, k.Value))
		}
		values[k.Value] = true
		for _, name := range slices.Concat(k.Columns, slices.Sorted(maps.Keys(k.Overrides))) {
			if !seen[name] {
				wrong = append(wrong, t.faulty("", "%s: form %s shows no column %s", t.Name, k.Value, name))
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
