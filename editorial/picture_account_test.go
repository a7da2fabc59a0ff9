package editorial_test

import (
	"fmt"
	"strings"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/content"
)

// promise says what a line must read, given the database before and after the
// call, and marks the cells that the line accounts for. It knows nothing of how
// the tool came to its line.
type promise func(a *account) string

// promises are what the lines of one tool say, by the label of a line: that of
// its name, else its own. Without an entry a line is a finding.
type promises struct {
	about func(args map[string]any) content.Ref // the record that a call names
	lines map[imprimatur.Label]promise
}

// Names of lines that are no labels.
const (
	anyHeading  imprimatur.Label = "heading"
	schemaField imprimatur.Label = "field" // a line that is called as the schema calls a column
)

// cell is a column of a row; an empty column is the row as such.
type cell struct{ table, key, column string }

// account holds one call that was carried out against what it wrote.
type account struct {
	tool          string
	schema        *content.Schema
	printer       *catalogue.Printer
	user          imprimatur.User
	args          map[string]any
	before, after state
	texts         []imprimatur.Text
	lines         []imprimatur.Line

	changes  []rowChange
	about    content.Ref
	line     imprimatur.Line // the one at hand
	covered  map[cell]bool
	places   map[cell]bool // rows whose place a line accounts for
	bound    []string      // what the technical details must hold
	pairs    []copyPair    // of a copy or translation, once they were looked for
	findings []string
}

func (a *account) find(format string, args ...any) {
	a.findings = append(a.findings, fmt.Sprintf(format, args...))
}

// expect is a finding unless something holds.
func (a *account) expect(ok bool, format string, args ...any) {
	if !ok {
		a.find("%q: "+format, append([]any{a.line.Text}, args...)...)
	}
}

// settle returns everything that the card and the database do not agree on.
func (a *account) settle(p promises) []string {
	a.changes, a.about = changesBetween(a.before, a.after), p.about(a.args)
	a.covered, a.places = map[cell]bool{}, map[cell]bool{}
	technical := ""
	for i, text := range a.texts {
		a.line = a.lines[i]
		if a.line.Role == imprimatur.RoleTechnical {
			technical += a.line.Text + "\n"
			continue
		}
		says, known := p.lines[lineName(text)]
		if !known {
			a.find("nothing is known of the line %q (%s)", a.line.Text, lineName(text))
			continue
		}
		if want := bounded(says(a)); want != a.line.Text {
			a.find("the line reads\n\t%s\nbut the database says\n\t%s", a.line.Text, want)
		}
	}
	for _, part := range a.bound {
		if !strings.Contains(technical, part) {
			a.find("the technical details lack %q:\n\t%s", part, technical)
		}
	}
	a.keepBooks()
	a.unaccounted()
	return a.findings
}

// lineName is the label by which the promise of a line is found.
func lineName(text imprimatur.Text) imprimatur.Label {
	if text.Role == imprimatur.RoleHeading {
		return anyHeading
	}
	if inner, ok := text.Values["text"].(imprimatur.Phrase); ok && text.Label == catalogue.Important {
		return inner.Label
	}
	switch name := text.Values["name"].(type) {
	case imprimatur.Phrase:
		return name.Label
	case imprimatur.ByLanguage:
		return schemaField
	}
	return text.Label
}

func bounded(text string) string {
	lines, _ := imprimatur.Bound([]imprimatur.Line{{Text: text, Escaped: true}})
	return lines[0].Text
}

// unaccounted are changes that no line and no bookkeeping accounts for.
func (a *account) unaccounted() {
	for _, c := range a.changes {
		row := c.either()
		if c.after == nil {
			if !a.covered[cell{row.table, row.key, ""}] {
				a.find("%s %s is gone from the database, and nothing says so", row.table, row.key)
			}
			continue
		}
		for _, column := range c.columns() {
			if a.accounted(row, column) {
				continue
			}
			var was any
			if c.before != nil {
				was = c.before.cells[column]
			}
			a.find("%s of %s %s went from %v to %v, and nothing says so", column, row.table, row.key, was, c.after.cells[column])
		}
	}
}

// cover marks cells of a row as accounted for.
func (a *account) cover(row *storedRow, columns ...string) {
	if row == nil {
		a.find("%q is about a row that is not there", a.line.Text)
		return
	}
	for _, column := range columns {
		a.covered[cell{row.table, row.key, column}] = true
	}
}

// accounted reports whether the change of a cell is accounted for.
func (a *account) accounted(row *storedRow, column string) bool {
	return a.covered[cell{row.table, row.key, column}]
}

// place marks the place of a row among its siblings as accounted for.
func (a *account) place(row *storedRow) {
	a.cover(row, "sorting")
	if row != nil {
		a.places[cell{row.table, row.key, ""}] = true
	}
}

// was and is are the record that the call names, before and after.
func (a *account) was() *storedRow { return a.before.row(a.about.Table, a.about.UID) }
func (a *account) is() *storedRow  { return a.after.row(a.about.Table, a.about.UID) }

// made is the one new record of a table; nil where there is none or another
// number.
func (a *account) made(table string, wanted ...func(*storedRow) bool) *storedRow {
	all := a.allMade(table, wanted...)
	if len(all) != 1 {
		a.find("%q: there are %d new records of %s", a.line.Text, len(all), table)
		return nil
	}
	return all[0]
}

func (a *account) allMade(table string, wanted ...func(*storedRow) bool) []*storedRow {
	return a.after.records(table, append(wanted, a.fresh)...)
}

// fresh reports whether a record was not there before.
func (a *account) fresh(r *storedRow) bool { return a.before[recordTable][r.key] == nil }

// gone are the records that the call deleted, as they were.
func (a *account) gone() []*storedRow {
	var all []*storedRow
	for _, c := range a.changes {
		if c.either().table == recordTable && c.before.live() && !c.after.live() {
			all = append(all, c.before)
		}
	}
	return all
}

// arg is an argument of the call as a number; 0 where it is not given.
func (a *account) arg(name string) int64 { return number64(a.args[name]) }

func number64(v any) int64 {
	switch v := v.(type) {
	case int:
		return int64(v)
	case int64:
		return v
	}
	return 0
}

func (a *account) argText(name string) string { s, _ := a.args[name].(string); return s }
