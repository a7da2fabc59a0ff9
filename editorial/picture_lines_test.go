package editorial_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/content"
)

// What the lines of several tools say.

// argRef takes the record that a call names from an argument.
func argRef(table, name string) func(map[string]any) content.Ref {
	return func(args map[string]any) content.Ref { return content.Ref{Table: table, UID: number64(args[name])} }
}

// argTable is argRef for calls that name a table.
func argTable(name string) func(map[string]any) content.Ref {
	return func(args map[string]any) content.Ref {
		table, _ := args["table"].(string)
		return content.Ref{Table: table, UID: number64(args[name])}
	}
}

func heading(label imprimatur.Label) promise {
	return func(a *account) string { return a.say(label) }
}

func headingBy(choose func(a *account) imprimatur.Label) promise {
	return func(a *account) string { return a.say(choose(a)) }
}

// ifPage chooses by the table that a call names.
func ifPage(page, element imprimatur.Label) func(a *account) imprimatur.Label {
	return func(a *account) imprimatur.Label {
		if a.about.Table == content.Pages {
			return page
		}
		return element
	}
}

// nothingChanged is a line after which the database is as it was.
func nothingChanged(label imprimatur.Label) promise {
	return func(a *account) string {
		a.expect(len(a.changes) == 0, "%d rows changed", len(a.changes))
		return a.say(label)
	}
}

// object is the line that names the record of a call.
func object(name imprimatur.Label) promise {
	return func(a *account) string {
		a.expect(a.was() != nil, "there is no %s", a.about)
		a.bound = append(a.bound, fmt.Sprintf("UID %d", a.about.UID))
		return a.named(name, a.title(a.was()))
	}
}

func elementType(a *account) string {
	return a.named(catalogue.ObjectContentType, a.kindLabel(a.was()))
}

func (a *account) kindLabel(row *storedRow) imprimatur.ByLanguage {
	return a.schema.KindLabel(row.tab(), a.kind(row))
}

func (a *account) kind(row *storedRow) string {
	t, ok := a.schema.Table(row.tab())
	if !ok || t.TypeField == "" {
		return ""
	}
	return row.field(t.TypeField)
}

// recordType is what records of a table and kind are called.
func (a *account) recordType(row *storedRow) string {
	var value any = a.schema.TableLabel(row.tab())
	if a.kind(row) != "" {
		value = a.say(catalogue.TypedTable, "table", value, "type", a.kindLabel(row))
	}
	return a.named(catalogue.ObjectRecordType, value)
}

func (a *account) onPage(uid int64) string {
	return a.say(catalogue.OnPage, "page", a.title(a.before.row(content.Pages, uid)))
}

func (a *account) underPage(uid int64) string {
	if uid == 0 {
		return a.say(catalogue.TopLevel)
	}
	return a.say(catalogue.UnderPage, "page", a.title(a.before.row(content.Pages, uid)))
}

// location says where the record of a call is.
func location(a *account) string {
	if a.about.Table == content.Pages {
		return a.named(catalogue.WhereLocation, a.underPage(a.was().number("pid")))
	}
	return a.named(catalogue.WhereLocation, a.onPage(a.was().number("pid")))
}

// language says in which language the record of a call is.
func language(a *account) string {
	return a.named(catalogue.WhereLanguage, a.language(a.was().number("language")))
}

func (a *account) language(id int64) string {
	switch {
	case id < 0:
		return a.say(catalogue.LanguageAll)
	case id == 0:
		return a.say(catalogue.LanguageDefault)
	}
	return a.say(catalogue.LanguageTranslation, "language", a.languageName(id))
}

func (a *account) languageName(id int64) imprimatur.ByLanguage {
	var name imprimatur.ByLanguage
	if err := json.Unmarshal([]byte(a.before["content_languages"][strconv.FormatInt(id, 10)].text("label")), &name); err != nil {
		a.find("language %d has no name: %v", id, err)
	}
	return name
}

// column is what a content column is called.
func (a *account) column(number int64) string {
	if name, ok := a.schema.ContentColumn(number); ok {
		return a.say(catalogue.ColumnNamed, "name", a.say(catalogue.QuotedText, "text", name))
	}
	return a.say(catalogue.ColumnNumbered, "number", number)
}

// position says where a record came out: directly behind another one, or first,
// with nothing of its language and column in between.
func (a *account) position(row *storedRow, anchor int64, first imprimatur.Label) string {
	a.place(row)
	siblings := a.after.records(row.tab(), having("pid", row.number("pid")))
	from, at := 0, max(slices.Index(siblings, row), 0)
	text := a.say(first)
	if anchor != 0 {
		behind := a.after.row(row.tab(), anchor)
		from = 1 + slices.Index(siblings, behind)
		a.expect(from > 0 && from <= at, "it does not stand behind %d", anchor)
		a.bound = append(a.bound, a.say(catalogue.TechnicalAnchor, "uid", anchor))
		text = a.say(catalogue.DirectlyAfter, "record", a.title(behind))
	}
	for _, between := range siblings[min(from, at):at] {
		beside := between.number("language") == row.number("language") &&
			(row.tab() != content.Elements || between.count(content.ColumnPosition) == row.count(content.ColumnPosition))
		a.expect(!beside, "%s stands before it", between.key)
	}
	return text
}

// elementPlace is where an element came out: page, column and position.
func (a *account) elementPlace(row *storedRow, anchor int64) string {
	a.cover(row, inFields+content.ColumnPosition)
	place := a.say(catalogue.Places, "where", a.column(row.count(content.ColumnPosition)), "position", a.position(row, anchor, catalogue.FirstElement))
	return a.say(catalogue.Places, "where", a.onPage(row.number("pid")), "position", place)
}

// directlyAfter holds that between a translation and its original there are
// only other translations of it.
func (a *account) directlyAfter(t, original *storedRow) {
	if t == nil || original == nil {
		return // which is a finding already
	}
	siblings := a.after.records(t.tab(), having("pid", t.number("pid")))
	from, to := slices.Index(siblings, original), max(slices.Index(siblings, t), 0)
	a.expect(from >= 0 && from < to, "%s does not come after %s", t.key, original.key)
	for _, r := range siblings[min(from+1, to):to] {
		a.expect(r.number("origin") == original.uid(), "%s stands between %s and %s", r.key, original.key, t.key)
	}
}

// announce accounts for a new record as such: for the page it lies on, and for
// every column that has the default of the schema.
func (a *account) announce(row *storedRow, page int64) {
	if row == nil {
		return
	}
	a.expect(row.number("pid") == page, "%s lies on page %d, not %d", row.key, row.number("pid"), page)
	a.cover(row, "pid")
	t, _ := a.schema.Table(row.tab())
	for _, c := range t.Columns {
		if v, set := row.cells[inFields+c.Name]; set && (v == c.Default || c.Type == content.TypeFile && v == int64(0)) {
			a.cover(row, inFields+c.Name)
		}
	}
}

// inLanguage accounts for the language of a new record.
func (a *account) inLanguage(row *storedRow, language, origin int64) {
	a.expect(row.number("language") == language && row.number("origin") == origin,
		"language %d, translation of %d", row.number("language"), row.number("origin"))
	a.cover(row, "language", "origin")
}

// hiddenAtFirst accounts for the column that hides a new record.
func (a *account) hiddenAtFirst(row *storedRow) string {
	t, ok := a.schema.Table(row.tab())
	if !ok {
		return ""
	}
	a.expect(row.count(t.HiddenField) == 1, "it can be seen")
	a.cover(row, inFields+t.HiddenField)
	return a.named(catalogue.Visibility, a.say(catalogue.HiddenAtFirst))
}

// fieldOf is the promise about one column of the record of a call.
func fieldOf(name imprimatur.Label, column string) promise {
	return func(a *account) string { return a.becomes(a.say(name), a.was(), a.is(), column) }
}

// schemaColumn finds the column that a line is about among those that the call
// gives, by what the schema calls it.
func (a *account) schemaColumn(row *storedRow) string {
	names := []string{"header", "bodytext"}
	fields, _ := a.args["fields"].(map[string]any)
	for name := range fields {
		names = append(names, name)
	}
	for _, name := range names {
		if content.In(a.schema.ColumnLabel(row.tab(), a.kind(row), name), a.printer.Lang()) == a.line.Label {
			return name
		}
	}
	a.find("no argument is called %q", a.line.Label)
	return ""
}

// fileName and filePath are a file as lines name it.
func (a *account) fileName(uid int64) string {
	return a.quoted(a.before.row(content.Files, uid).field("name"))
}

func (a *account) filePath(uid int64) string {
	f := a.before.row(content.Files, uid)
	return a.quoted(f.field(content.ColumnStorage) + ":" + f.field(content.ColumnIdentifier))
}

// removed accounts for deleted file references of which this holds.
func (a *account) removed(which func(*storedRow) bool) int {
	n := 0
	for _, r := range a.gone() {
		if r.tab() == content.FileReferences && which(r) {
			a.cover(a.after[recordTable][r.key], "deleted")
			n++
		}
	}
	return n
}
