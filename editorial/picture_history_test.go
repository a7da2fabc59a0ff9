package editorial_test

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/imprimatur-dev/imprimatur/content"
)

// keepHistory accounts for the entries that the call left, and returns them by
// record.
func (a *account) keepHistory(written []rowChange) map[string][]*storedRow {
	history := map[string][]*storedRow{}
	for _, c := range written {
		e := c.after
		if c.before != nil || e == nil {
			a.find("history is written over: %s", c.either().key)
			continue
		}
		if e.number("user_id") != a.user.ID || e.text("user_name") != a.user.Name || e.number("at") != written[0].either().number("at") {
			a.find("entry %s of the history names another user or time", e.key)
			continue
		}
		key := recordKey(e.ref())
		history[key] = append(history[key], e)
		if a.before[recordTable][key] == a.after[recordTable][key] {
			a.find("the history tells of %s, which is as it was", key)
		}
		a.cover(e, slices.Collect(maps.Keys(e.cells))...)
	}
	for _, entries := range history {
		slices.SortFunc(entries, func(x, y *storedRow) int { return cmp.Compare(x.number("id"), y.number("id")) })
	}
	return history
}

// opsOfNew are what the history calls the making of a record.
var opsOfNew = []string{string(content.Create), string(content.Copy), string(content.Localize)}

// tells holds the history of a record against what became of it.
func (a *account) tells(c rowChange, history []*storedRow) {
	now := map[string]string{} // what the history left, by field
	came, went := false, false
	seen := map[string]bool{}
	for _, e := range history {
		field, op := e.text("field"), e.text("op")
		if v := e.number("version"); v <= c.before.number("version") || v > c.after.number("version") {
			a.find("entry %s of the history names another version", e.key)
		}
		if one := field + " " + e.text("version"); seen[one] {
			a.find("the history tells of %s of %s twice", field, c.after.key)
		} else {
			seen[one] = true
		}
		switch {
		case field != "":
			before, told := now[field]
			if !told && c.before != nil {
				before, told = c.before.text(cellOf(field)), true
			}
			// A record may be numbered anew before and after its place is noted.
			if told && e.text("old") != before && field != "sorting" || op != string(content.Update) && op != string(content.Move) {
				a.find("entry %s of the history is wrong about what was before, or about what was done", e.key)
			}
			now[field] = e.text("new")
		case slices.Contains(opsOfNew, op):
			came = true
		case op == string(content.Delete):
			went = true
		case op != string(content.Move) || !a.places[cell{c.after.table, c.after.key, ""}]:
			a.find("entry %s of the history says nothing", e.key) // a move may keep its number, among others that get new ones
		}
	}
	if went && !a.deletion(c.after) {
		a.find("%s went under a number that is not that of its deletion", c.after.key)
	}
	if came != (c.before == nil) || went == c.after.live() {
		a.find("the history is wrong about whether %s came or went", c.after.key)
	}
	for field, value := range now {
		if c.after.text(cellOf(field)) != value && field != "sorting" {
			a.find("the history says that %s of %s is %q now", field, c.after.key, value)
		}
	}
	for _, column := range c.columns() {
		name, ok := strings.CutPrefix(column, inFields)
		if _, told := now[name]; (ok || column == "pid") && c.before != nil && !told {
			a.find("the history does not tell of %s of %s", column, c.after.key)
		}
	}
}

// cellOf is the cell of a record that the history calls by this name.
func cellOf(field string) string {
	if field == "pid" || field == "sorting" {
		return field
	}
	return inFields + field
}

// deletion reports whether the number under which a record went is that of a
// deletion of this call: the one of the entry about a record that went under it,
// and that of what it belonged to or translated, where that went as well.
func (a *account) deletion(r *storedRow) bool {
	number := r.number("deleted")
	owner := a.owner(r)
	for _, above := range []*storedRow{a.after.row(owner.Table, owner.UID), a.after.row(r.tab(), r.number("origin"))} {
		if above != nil && a.before[recordTable][above.key].live() && !above.live() && above.number("deleted") != number {
			return false
		}
	}
	key := strconv.FormatInt(number, 10)
	e := a.after["content_history"][key]
	return e != nil && a.before["content_history"][key] == nil && e.text("op") == string(content.Delete) &&
		a.after[recordTable][recordKey(e.ref())].number("deleted") == number
}
