package editorial

import (
	"slices"
	"time"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/content"
)

// fieldLines are one line for each value: what a new record (one without a uid)
// gets, or what becomes of the record as it is. whole are the parts of the
// technical line that bind what the lines do not show in full.
func (d desk) fieldLines(table, kind string, values []fieldValue, rec content.Record) (lines []imprimatur.Text, whole []imprimatur.Phrase) {
	for _, v := range values {
		name := d.repo.Schema().ColumnLabel(table, kind, v.Name)
		switch {
		case rec.UID == 0:
			lines = append(lines, givenAs(name, d.shownValue(table, v)))
		case v.Type == content.TypeCheck || v.Type == content.TypeDatetime:
			lines = append(lines, d.fixedLine(table, name, v, rec))
		default:
			f := d.field(table, kind, v.Column, rec.Text(v.Name), v.text())
			lines, whole = append(lines, f.Line()), append(whole, f.Technical()...)
		}
	}
	return lines, whole
}

// fixedLine is the line of a value that reads in a fixed way, short and never
// like another one.
func (d desk) fixedLine(table string, name any, v fieldValue, rec content.Record) imprimatur.Text {
	current := d.shownValue(table, fieldValue{v.Column, rec.Int(v.Name)})
	label, values := catalogue.FieldUnchanged, map[string]any{"name": name, "current": current}
	if !v.same(rec) {
		label, values["proposed"] = catalogue.FieldChange, d.shownValue(table, v)
	}
	return imprimatur.Text{Role: imprimatur.RoleField, Phrase: phrase(label, values)}
}

// shownValue is a value as people read it.
func (d desk) shownValue(table string, v fieldValue) imprimatur.Phrase {
	switch {
	case v.Type == content.TypeCheck && v.value == int64(0):
		return words(catalogue.No)
	case v.Type == content.TypeCheck:
		return words(catalogue.Yes)
	case v.Type == content.TypeDatetime && v.value == int64(0):
		return words(catalogue.Empty)
	case v.Type == content.TypeDatetime:
		return catalogue.Quoted(dateTime(v.value.(int64)))
	case isChoice(v.Column) && len(d.item(table, v.Column, v.text())) > 0:
		return d.shownItem(table, v)
	}
	return catalogue.Quoted(v.text())
}

// dateTime writes seconds since 1970 as a date and time in UTC, in every
// language alike.
func dateTime(seconds int64) string {
	return time.Unix(seconds, 0).UTC().Format("2006-01-02 15:04:05 UTC")
}

// item is what a value of a choice is called; nothing for no value.
func (d desk) item(table string, c content.Column, value string) imprimatur.ByLanguage {
	if value == "" && !slices.ContainsFunc(c.Items, func(i content.Item) bool { return i.Value == "" }) {
		return nil
	}
	return d.repo.Schema().ItemLabel(table, c.Name, value)
}

// shownItem is a choice by what it is called, with the stored value where
// another item has the same name.
func (d desk) shownItem(table string, v fieldValue) imprimatur.Phrase {
	item := d.item(table, v.Column, v.text())
	shown := quotedLabel(item)
	for _, other := range v.Items {
		if other.Value != v.text() && catalogue.SameSomewhere(item, d.item(table, v.Column, other.Value)) {
			return phrase(catalogue.ItemWithValue, map[string]any{"item": shown, "value": v.text()})
		}
	}
	return shown
}
