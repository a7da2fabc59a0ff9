package editorial

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
)

// fieldsArgument is an argument "fields": an object of scalars by column. Its
// schema leaves it open; fieldValues holds it against the form of the record.
type fieldsArgument map[string]json.RawMessage

// fieldValue is a column and what a call gives it, as it would be stored: text
// or int64.
type fieldValue struct {
	content.Column
	value any
}

func (v fieldValue) text() string { return fmt.Sprint(v.value) }

// same reports whether a record has the value already. A switch that was never
// set is off, and a date that was never set is none.
func (v fieldValue) same(rec content.Record) bool {
	if v.Type == content.TypeCheck || v.Type == content.TypeDatetime {
		return rec.Int(v.Name) == v.value
	}
	return rec.Text(v.Name) == v.text()
}

// scalar are the types of columns that a fields object may set.
var scalar = []content.ColumnType{
	content.TypeInput, content.TypeText, content.TypeNumber, content.TypeEmail, content.TypeColor,
	content.TypeDatetime, content.TypeCheck, content.TypeRadio, content.TypeSelect,
}

// reserved are columns that say where a record stands, when and for whom it
// shows, and who may change it.
var reserved = []string{content.ColumnPosition, content.ColumnEditLock, content.ColumnSlug, columnStart, columnStop, columnGroups}

// formColumns are the columns that a fields object may set of a record of this
// kind on this page, in the order of the form. What the record is, where it
// stands, whether it shows, and what it refers to are not among them.
func (d desk) formColumns(ctx context.Context, table, kind string, page int64) ([]content.Column, error) {
	form, err := d.repo.Form(ctx, table, kind, page)
	if err != nil {
		return nil, err
	}
	t, _ := d.repo.Schema().Table(table)
	return slices.DeleteFunc(slices.Clone(form.Columns), func(c content.Column) bool {
		return c.ReadOnly || c.Dynamic || c.Target != "" || !slices.Contains(scalar, c.Type) ||
			c.Name == t.TypeField || c.Name == t.HiddenField || slices.Contains(reserved, c.Name) ||
			t.Owner != nil && c.Name == t.Owner.Column || d.repo.Schema().Counting(table, c.Name)
	}), nil
}

// fieldValues are the values of a fields object in the order of the form, each
// as it would be stored. What the form does not offer and what could not be
// stored just as it is, is refused.
func (d desk) fieldValues(table string, args fieldsArgument, columns []content.Column) ([]fieldValue, error) {
	for _, name := range slices.Sorted(maps.Keys(args)) {
		if !slices.ContainsFunc(columns, func(c content.Column) bool { return c.Name == name }) {
			return nil, d.notOffered(table, name, columns)
		}
	}
	var values []fieldValue
	for _, c := range columns {
		raw, given := args[c.Name]
		if !given {
			continue
		}
		v, problem := readField(c, raw)
		if problem != "" {
			return nil, refuse("The field %q %s.", c.Name, problem)
		}
		values = append(values, v)
	}
	return values, nil
}

func (d desk) notOffered(table, name string, columns []content.Column) error {
	if t, _ := d.repo.Schema().Table(table); t != nil && name != "" && name == t.HiddenField {
		if table != content.Pages && table != content.Elements { // publish_record knows no others
			return refuse("The field %q cannot be set here: what is created is hidden until a person makes it visible.", name)
		}
		return refuse("The field %q cannot be set here: what is created is hidden, and publish_record makes it visible.", name)
	}
	var names []string
	for _, c := range columns {
		names = append(names, c.Name)
	}
	slices.Sort(names)
	if len(names) == 0 {
		return refuse("The field %s is not offered here; no field is.", echo(name))
	}
	return refuse("The field %s is not offered here. Offered: %s.", echo(name), strings.Join(names, ", "))
}

// missing refuses a new record that lacks what its form requires. rec holds
// what the record is to have besides the values.
func missing(columns []content.Column, values []fieldValue, rec content.Record) error {
	for _, c := range columns {
		given := slices.ContainsFunc(values, func(v fieldValue) bool { return v.Name == c.Name })
		if c.Required && !given && c.Default == nil && rec.Text(c.Name) == "" && c.When.Holds(resulting(rec, values)) {
			return refuse("The field %q is required.", c.Name)
		}
	}
	return nil
}

// unshown refuses fields that the form shows only of other records than this
// one will be.
func unshown(values []fieldValue, rec content.Record) error {
	after := resulting(rec, values)
	for _, v := range values {
		if !v.When.Holds(after) {
			return refuse("The field %q does not apply: it is there only where the field %q is one of %s.",
				v.Name, v.When.Column, quotedList(v.When.Values))
		}
	}
	return nil
}

// resulting is a record with the values.
func resulting(rec content.Record, values []fieldValue) content.Record {
	rec.Fields = maps.Clone(rec.Fields)
	if rec.Fields == nil {
		rec.Fields = map[string]any{}
	}
	for _, v := range values {
		rec.Fields[v.Name] = v.value
	}
	return rec
}

// mayGive refuses values that the user may not write: columns without a grant,
// and values of columns that need one for each.
func (d desk) mayGive(u imprimatur.User, table string, values []fieldValue) error {
	if err := d.grants(u, table, fieldNames(values)); err != nil {
		return err
	}
	for _, v := range values {
		if !d.repo.MayUseValue(u, table, v.Name, v.text()) {
			return refuse("The user this run acts for may not use this value of the field %q. Nothing was written.", v.Name)
		}
	}
	return nil
}

func fieldNames(values []fieldValue) []string {
	var names []string
	for _, v := range values {
		names = append(names, v.Name)
	}
	return names
}

// fieldsOf are the values by column, as a change takes them and reading back
// finds them.
func fieldsOf(values []fieldValue) map[string]any {
	fields := map[string]any{}
	for _, v := range values {
		fields[v.Name] = v.value
	}
	return fields
}
