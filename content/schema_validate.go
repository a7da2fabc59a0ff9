package content

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
)

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
		wrong = append(wrong, s.validateTargets(t)...)
	}
	return errors.Join(wrong...)
}

// validateTargets names tables and columns that do not exist and that a table
// refers to.
func (s *Schema) validateTargets(t *Table) (wrong []error) {
	for _, c := range t.Columns {
		_, known := s.Table(c.Target)
		switch {
		case c.Type != TypeRelation && (c.Many || c.Target != ""):
			wrong = append(wrong, fmt.Errorf("schema: %s.%s is no relation and yet has a target", t.Name, c.Name))
		case c.Target == "" && c.Many:
			wrong = append(wrong, fmt.Errorf("schema: %s.%s is a list of records of no table", t.Name, c.Name))
		case c.Target != "" && !known:
			wrong = append(wrong, fmt.Errorf("schema: %s.%s: there is no table %q", t.Name, c.Name, c.Target))
		}
	}
	if t.Owner == nil {
		return wrong
	}
	c, ok := t.Column(t.Owner.Column)
	if !ok || c.Type != TypeRelation || c.Many || c.Target != t.Owner.Table {
		wrong = append(wrong, fmt.Errorf("schema: %s: the owner does not stand in a relation %q to %q", t.Name, t.Owner.Column, t.Owner.Table))
	}
	if field, ok := s.Column(t.Owner.Table, t.Owner.Field); !ok || field.Type != TypeNumber || !field.Integer {
		wrong = append(wrong, fmt.Errorf("schema: %s: %s.%s counts no records", t.Name, t.Owner.Table, t.Owner.Field))
	}
	return wrong
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
	for _, c := range t.Columns {
		if c.When != nil && !seen[c.When.Column] {
			wrong = append(wrong, fmt.Errorf("schema: %s.%s depends on the column %q, which is not there", t.Name, c.Name, c.When.Column))
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
