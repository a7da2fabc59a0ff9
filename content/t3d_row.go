package content

import (
	"encoding/base64"
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// t3dValue is one column of a row. NULL and the empty text are different.
type t3dValue struct {
	Text string
	Null bool
	Line int
}

// t3dRelation is a relation that the export spells out beside the columns.
// Assignments of categories stand nowhere else.
type t3dRelation struct {
	Field string
	To    t3dKey
	As    string // column of To that holds the other end, where it is said
	Flex  bool   // found inside a FlexForm
}

// t3dRow is one row of an export as its fieldlist has it.
type t3dRow struct {
	Table   string
	UID     int64
	Line    int
	Columns []string // in the order of the file
	Values  map[string]t3dValue
	Related []t3dRelation
}

func (r *t3dRow) key() t3dKey { return t3dKey{r.Table, r.UID} }

// text returns the column as text, empty where it is NULL or absent.
func (r *t3dRow) text(column string) string { return r.Values[column].Text }

// int returns the column as a whole number, 0 where it is NULL, absent or
// empty. Some tables carry their numbers without a type.
func (r *t3dRow) int(column string) (int64, error) {
	v := r.Values[column]
	if strings.TrimSpace(v.Text) == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(strings.TrimSpace(v.Text), 10, 64)
	if err != nil {
		return 0, refuseAt(v.Line, "column %s of row %s is %s, not a whole number", t3dQuote(column), r.key(), t3dQuote(v.Text))
	}
	return n, nil
}

// tablerow reads one row and adds it to the file.
func (rd *t3dReader) tablerow(el xml.StartElement) error {
	if err := rd.ctx.Err(); err != nil {
		return err
	}
	if el.Name.Local != "tablerow" {
		return refuseAt(rd.line, "section %q holds element %s", "records", t3dQuote(el.Name.Local))
	}
	row, err := newRow(t3dAttr(el, "index"), rd.line)
	if err != nil {
		return err
	}
	if before := rd.file.index[row.key()]; before != nil {
		return refuseAt(row.Line, "row %s is there twice, first on line %d", row.key(), before.Line)
	}
	fieldlists := 0
	err = rd.children("tablerow", func(el xml.StartElement) error {
		switch el.Name.Local {
		case "fieldlist":
			fieldlists++
			return rd.children("fieldlist", func(el xml.StartElement) error { return rd.field(row, el) })
		case "related":
			return rd.children("related", func(el xml.StartElement) error {
				return rd.related(row, t3dAttr(el, "index"), el, false)
			})
		default:
			return refuseAt(rd.line, "row %s holds an unknown element %s", row.key(), t3dQuote(el.Name.Local))
		}
	})
	if err != nil {
		return err
	}
	if fieldlists != 1 {
		return refuseAt(row.Line, "row %s has %d field lists, not one", row.key(), fieldlists)
	}
	if uid, err := row.int("uid"); err != nil || uid != row.UID {
		return refuseAt(row.Line, "row %s says its uid is %s", row.key(), t3dQuote(row.text("uid")))
	}
	rd.file.Rows = append(rd.file.Rows, row)
	rd.file.index[row.key()] = row
	return nil
}

// newRow makes an empty row from "table:uid".
func newRow(index string, line int) (*t3dRow, error) {
	table, number, _ := strings.Cut(index, ":")
	uid, err := t3dUID(number)
	if !t3dName(table) || err != nil {
		return nil, refuseAt(line, "a row is called %s, not table:uid", t3dQuote(index))
	}
	return &t3dRow{Table: table, UID: uid, Line: line, Values: map[string]t3dValue{}}, nil
}

// field reads one column of a row.
func (rd *t3dReader) field(row *t3dRow, el xml.StartElement) error {
	line, column := rd.line, t3dAttr(el, "index")
	if el.Name.Local != "field" || !t3dName(column) {
		return refuseAt(line, "the field list of row %s holds %s %s, which is no column", row.key(), el.Name.Local, t3dQuote(column))
	}
	if _, ok := row.Values[column]; ok {
		return refuseAt(line, "row %s has column %s twice", row.key(), column)
	}
	text, err := rd.text("field")
	if err != nil {
		return err
	}
	value, err := newT3DValue(text, t3dAttr(el, "type"), t3dAttr(el, "base64"))
	if err != nil {
		return refuseAt(line, "column %s of row %s: %s", column, row.key(), err)
	}
	value.Line = line
	row.Columns = append(row.Columns, column)
	row.Values[column] = value
	return nil
}

// newT3DValue reads a column by the type the export gives it; the tables whose
// columns have no type carry plain text.
func newT3DValue(text, kind, encoding string) (t3dValue, error) {
	if encoding == "1" {
		raw, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), ""))
		if err != nil {
			return t3dValue{}, fmt.Errorf("is not the base64 it claims to be")
		}
		text = string(raw)
	}
	if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
		return t3dValue{}, fmt.Errorf("holds bytes that are no text")
	}
	switch kind {
	case "":
	case "NULL":
		if text != "" {
			return t3dValue{}, fmt.Errorf("is NULL and yet has a value")
		}
		return t3dValue{Null: true}, nil
	case "integer":
		if _, err := strconv.ParseInt(text, 10, 64); err != nil {
			return t3dValue{}, fmt.Errorf("%s is not a whole number", t3dQuote(text))
		}
	case "double":
		if _, err := strconv.ParseFloat(text, 64); err != nil {
			return t3dValue{}, fmt.Errorf("%s is not a number", t3dQuote(text))
		}
	case "boolean":
		if text != "0" && text != "1" && text != "" {
			return t3dValue{}, fmt.Errorf("%s is neither 0 nor 1", t3dQuote(text))
		}
	default:
		return t3dValue{}, fmt.Errorf("has the unknown type %s", t3dQuote(kind))
	}
	return t3dValue{Text: text}, nil
}

// related collects the relations below one field of the section "related".
// Everything else there repeats the field list in pieces.
func (rd *t3dReader) related(row *t3dRow, field string, el xml.StartElement, flex bool) error {
	flex = flex || el.Name.Local == "flexform"
	isElement := el.Name.Local == "element"
	to, as, found := t3dKey{}, "", false
	for {
		tok, err := rd.next()
		if err != nil {
			return rd.inside("related", err)
		}
		switch t := tok.(type) {
		case xml.StartElement:
			if name := t.Name.Local; isElement && (name == "id" || name == "table" || name == "fieldname") {
				text, err := rd.text(name)
				if err != nil {
					return err
				}
				if name == "table" {
					to.Table, found = text, true
				} else if name == "fieldname" {
					as = text
				} else if to.UID, err = t3dUID(text); err != nil {
					return refuseAt(rd.line, "row %s is related to %s, which is no uid", row.key(), t3dQuote(text))
				}
				continue
			}
			if err := rd.related(row, field, t, flex); err != nil {
				return err
			}
		case xml.EndElement:
			if found && to.UID > 0 {
				row.Related = append(row.Related, t3dRelation{Field: field, To: to, As: as, Flex: flex})
			}
			return nil
		}
	}
}

// t3dUID reads a uid: a whole number above 0, in plain digits.
func t3dUID(s string) (int64, error) {
	uid, err := strconv.ParseInt(s, 10, 64)
	if err != nil || uid <= 0 || strconv.FormatInt(uid, 10) != s {
		return 0, fmt.Errorf("no uid")
	}
	return uid, nil
}

// t3dName reports whether s may name a table or a column.
func t3dName(s string) bool {
	if s == "" || len(s) > 64 {
		return false
	}
	for _, r := range s {
		if r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') {
			return false
		}
	}
	return true
}
