package editorial_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/content"
)

// How what stands in the database reads in a line.

// say prints a label. Texts among the values are shown as they are.
func (a *account) say(label imprimatur.Label, values ...any) string {
	all := map[string]any{}
	for i := 0; i < len(values); i += 2 {
		v := values[i+1]
		if s, ok := v.(string); ok {
			v = imprimatur.Escaped(s)
		}
		all[fmt.Sprint(values[i])] = v
	}
	return a.printer.Say(label, all)
}

// named prints "name: value".
func (a *account) named(name imprimatur.Label, value any) string {
	return a.say(catalogue.NamedLine, "name", a.say(name), "value", value)
}

// warning prints "Important: …".
func (a *account) warning(label imprimatur.Label, values ...any) string {
	return a.say(catalogue.Important, "text", a.say(label, values...))
}

// shownWidth is how many characters of a value a line shows.
const shownWidth = 120

// quoted is a text as a line shows it.
func (a *account) quoted(s string) string {
	if strings.TrimSpace(s) == "" {
		return a.say(catalogue.Empty)
	}
	s = collapsed(s)
	cut := s
	for utf8.RuneCountInString(imprimatur.Visible(cut)) > shownWidth {
		_, size := utf8.DecodeLastRuneInString(cut)
		cut = cut[:len(cut)-size]
	}
	if cut != s {
		return a.say(catalogue.CutText, "text", imprimatur.Visible(cut))
	}
	return a.say(catalogue.QuotedText, "text", imprimatur.Visible(s))
}

// cut reports whether a line shows a value only in part.
func cut(s string) bool {
	return utf8.RuneCountInString(imprimatur.Visible(collapsed(s))) > shownWidth
}

// collapsed is a text with single blanks for its white space.
func collapsed(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '\t' || r == '\n' }), " ")
}

// unquoted is a shown value without what stands around it.
func (a *account) unquoted(shown string) string {
	for _, label := range []imprimatur.Label{catalogue.CutText, catalogue.QuotedText} {
		before, after, _ := strings.Cut(a.say(label, "text", "\x00"), "\x00")
		if inner, ok := strings.CutPrefix(shown, before); ok && strings.HasSuffix(inner, after) {
			return strings.TrimSuffix(inner, after)
		}
	}
	return shown
}

// title is what a record is called, in quotation marks.
func (a *account) title(row *storedRow) string {
	t, ok := a.schema.Table(row.tab())
	if !ok {
		return a.quoted("")
	}
	return a.quoted(row.field(t.LabelField))
}

// shown is a column of a record as people read it.
func (a *account) shown(row *storedRow, column string) string {
	c, _ := a.schema.Column(row.tab(), column)
	switch {
	case c.Type == content.TypeCheck && row.count(column) == 0:
		return a.say(catalogue.No)
	case c.Type == content.TypeCheck:
		return a.say(catalogue.Yes)
	case c.Type == content.TypeDatetime && row.count(column) == 0:
		return a.say(catalogue.Empty)
	case c.Type == content.TypeDatetime:
		return a.quoted(utc(row.count(column)))
	case chosen(c, row.field(column)):
		return a.say(catalogue.QuotedText, "text", a.schema.ItemLabel(row.tab(), column, row.field(column)))
	}
	return a.quoted(row.field(column))
}

func utc(seconds int64) string {
	return time.Unix(seconds, 0).UTC().Format("2006-01-02 15:04:05") + " UTC"
}

// chosen reports whether a value is shown by what it is called.
func chosen(c content.Column, value string) bool {
	if c.Type != content.TypeSelect && c.Type != content.TypeRadio {
		return false
	}
	return value != "" || slices.ContainsFunc(c.Items, func(i content.Item) bool { return i.Value == "" })
}

// given is a line about a column of a new record. What a line does not show of
// a long text is as the call gives it.
func (a *account) given(name any, row *storedRow, column string) string {
	a.cover(row, inFields+column)
	if value := row.field(column); cut(value) || value != collapsed(value) {
		fields, _ := a.args["fields"].(map[string]any)
		a.expect(value == a.args[column] || value == fields[column], "the call gives another %s", column)
	}
	value := a.shown(row, column)
	if c, _ := a.schema.Column(row.tab(), column); chosen(c, row.field(column)) {
		for _, other := range c.Items {
			if other.Value != row.field(column) && a.alike(row.tab(), column, other.Value, row.field(column)) {
				value = a.say(catalogue.ItemWithValue, "item", value, "value", row.field(column))
				break
			}
		}
	}
	return a.say(catalogue.FieldNew, "name", name, "proposed", value)
}

// alike reports whether two values of a choice are called the same.
func (a *account) alike(table, column, one, other string) bool {
	x, y := a.schema.ItemLabel(table, column, one), a.schema.ItemLabel(table, column, other)
	return slices.ContainsFunc([]string{"en", "de"}, func(l string) bool { return content.In(x, l) == content.In(y, l) })
}

// becomes is a line about a column of a record that was there: as it was and as
// it is.
func (a *account) becomes(name any, was, is *storedRow, column string) string {
	a.cover(is, inFields+column)
	c, _ := a.schema.Column(is.tab(), column)
	before, after := was.field(column), is.field(column)
	if c.Type == content.TypeCheck || c.Type == content.TypeDatetime {
		before, after = fmt.Sprint(was.count(column)), fmt.Sprint(is.count(column))
	}
	current, proposed := a.shown(was, column), a.shown(is, column)
	switch {
	case before == after:
		return a.say(catalogue.FieldUnchanged, "name", name, "current", current)
	case chosen(c, before) || chosen(c, after):
		if a.alike(is.tab(), column, before, after) {
			current = a.say(catalogue.ItemWithValue, "item", current, "value", before)
			proposed = a.say(catalogue.ItemWithValue, "item", proposed, "value", after)
		}
	case current == proposed || cut(before) || cut(after) || current != a.line.Current:
		return a.changedFrom(name, column, before, after)
	}
	return a.say(catalogue.FieldChange, "name", name, "current", current, "proposed", proposed)
}

// changedFrom is a line about a long value, or one that reads as before: where
// it changes, and both sections, which are those that the database has there.
// The technical details bind both values whole.
func (a *account) changedFrom(name any, column, was, is string) string {
	from := 0
	before, after := []rune(was), []rune(is)
	for from < len(before) && from < len(after) && before[from] == after[from] {
		from++
	}
	a.section(a.line.Current, string(before[from:]))
	a.section(a.line.Proposed, string(after[from:]))
	a.bound = append(a.bound, a.say(catalogue.TechnicalWhole, "field", column,
		"current_length", len(before), "current_hash", hashOf(was), "proposed_length", len(after), "proposed_hash", hashOf(is)))
	return a.say(catalogue.FieldChangedFrom, "name", name, "position", from+1, "current", a.line.Current, "proposed", a.line.Proposed)
}

func hashOf(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])[:12]
}

var (
	writtenEscape = regexp.MustCompile(`\\u\{([0-9A-F]+)\}`)
	writtenPoint  = regexp.MustCompile(`U\+([0-9A-F]{4,6}) ?`)
)

// section holds a section of a value, as it is shown, against what the value
// has from there on.
func (a *account) section(shown, value string) {
	if shown == a.say(catalogue.Nothing) {
		return // the rest is what both share, which the hashes tell
	}
	inner := a.unquoted(shown)
	decode := func(written *regexp.Regexp) string {
		return written.ReplaceAllStringFunc(inner, func(m string) string {
			n, err := strconv.ParseInt(written.FindStringSubmatch(m)[1], 16, 32)
			if err != nil {
				return m
			}
			return string(rune(n))
		})
	}
	plain := decode(writtenEscape)
	if strings.HasPrefix(inner, "U+") {
		plain = decode(writtenPoint)
	}
	a.expect(strings.HasPrefix(value, plain), "%q is not what stands there: %q", shown, value)
}
