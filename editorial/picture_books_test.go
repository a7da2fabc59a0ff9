package editorial_test

import (
	"maps"
	"slices"
	"strings"

	"github.com/imprimatur-dev/imprimatur/content"
)

// Bookkeeping: the closed list of what changes without a line of its own. Each
// column of it has to be right all the same.

// keepBooks accounts for times, versions, the sorting of siblings, counters,
// numbers given out, history and the tables that records are found by.
func (a *account) keepBooks() {
	a.keepSorting()
	a.keepCounters()
	written := map[string][]rowChange{}
	for _, c := range a.changes {
		written[c.either().table] = append(written[c.either().table], c)
	}
	history := a.keepHistory(written["content_history"])
	for _, c := range written[recordTable] {
		a.keepVersion(c, history[recordKey(c.either().ref())])
	}
	for _, c := range written["content_ids"] {
		a.keepNumbers(c)
	}
	for _, c := range written["content_page_rights"] {
		a.keepRights(c)
	}
	for _, c := range written["content_references"] {
		a.keepReference(c)
	}
	for _, c := range written["content_links"] {
		a.keepLink(c)
	}
}

// announced reports whether a line accounts for a new record: for the page it
// lies on.
func (a *account) announced(row *storedRow) bool { return a.accounted(row, "pid") }

// keepSorting lets siblings be numbered anew as long as they stay in their
// order. A new record of which no line tells the place comes last.
func (a *account) keepSorting() {
	type group struct {
		table string
		page  int64
		field string // of files, whose siblings are those in the same field
	}
	of := func(r *storedRow) group {
		if r.tab() == content.FileReferences {
			return group{r.field(content.ColumnOwnerTable), r.count(content.ColumnOwner), r.field(content.ColumnOwnerField)}
		}
		return group{r.tab(), r.number("pid"), ""}
	}
	touched := map[group]string{}
	for _, c := range a.changes {
		if row := c.either(); row.table == recordTable && c.after.live() && slices.Contains(c.columns(), "sorting") {
			touched[of(row)] = row.tab()
		}
	}
	for g, table := range touched {
		stays := func(r *storedRow) bool {
			was, is := a.before[recordTable][r.key], a.after[recordTable][r.key]
			return was.live() && is.live() && of(was) == g && of(is) == g && !a.places[cell{r.table, r.key, ""}]
		}
		before, after := a.before.records(table, stays), a.after.records(table, stays)
		if !slices.Equal(rowUIDs(before), rowUIDs(after)) {
			a.find("the %s on %v stand in another order: %v, then %v", table, g, rowUIDs(before), rowUIDs(after))
			continue
		}
		all := a.after.records(table, func(r *storedRow) bool { return of(r) == g })
		for i, r := range all {
			if stays(r) || i == len(all)-1 && a.fresh(r) && a.announced(r) {
				a.cover(r, "sorting")
			}
		}
	}
}

func rowUIDs(rows []*storedRow) []int64 {
	var uids []int64
	for _, r := range rows {
		uids = append(uids, r.uid())
	}
	return uids
}

// keepCounters accounts for columns that count files or records, where they
// have counted right.
func (a *account) keepCounters() {
	for _, c := range a.changes {
		row := c.after
		if row == nil || row.table != recordTable {
			continue
		}
		for _, column := range c.columns() {
			name, ok := strings.CutPrefix(column, inFields)
			if n, counts := a.countIn(row, name); ok && counts && row.cells[column] == n {
				a.cover(row, column)
			}
		}
	}
}

// countIn counts what belongs to a field of a record; false for a column that
// counts nothing.
func (a *account) countIn(row *storedRow, name string) (n int64, counts bool) {
	table := row.tab()
	if c, ok := a.schema.Column(table, name); ok && c.Type == content.TypeFile {
		return int64(len(filesIn(a.after, row.ref(), name))), true
	}
	for _, t := range a.schema.Tables {
		if t.Owner != nil && t.Owner.Table == table && t.Owner.Field == name {
			return int64(len(a.after.records(t.Name, having(inFields+t.Owner.Column, row.uid())))), true
		}
	}
	return 0, false
}

// filesIn are the file references of a field of a record in their order.
func filesIn(s state, of content.Ref, field string) []*storedRow {
	return s.records(content.FileReferences, having(inFields+content.ColumnOwner, of.UID), func(r *storedRow) bool {
		return r.field(content.ColumnOwnerTable) == of.Table && r.field(content.ColumnOwnerField) == field
	})
}

// keptAside are columns that are no substance of a record.
var keptAside = []string{"version", "changed", "changed_by", "created", "tab", "uid", "slug"}

// keepVersion accounts for version and time of a record that was written, and
// holds its history against it.
func (a *account) keepVersion(c rowChange, history []*storedRow) {
	row, old := c.after, c.before
	columns := c.columns()
	if row == nil || old != nil && !slices.Contains(columns, "version") {
		return // renumbered among its siblings, or written behind the back of the repository
	}
	if len(history) == 0 {
		a.find("the history does not tell of %s", row.key)
		return
	}
	last := history[len(history)-1]
	timely := row.number("changed") == last.number("at") && row.number("changed_by") == a.user.ID
	if row.number("version") != last.number("version") || !timely || old != nil && row.number("version") <= old.number("version") {
		a.find("version, time or user of %s are not those of its history", row.key)
		return
	}
	substance := slices.ContainsFunc(columns, func(column string) bool {
		return !slices.Contains(keptAside, column) && a.accounted(row, column)
	})
	if !substance && !a.places[cell{row.table, row.key, ""}] && !a.cameBack(row, history) {
		a.find("%s was written, and no line says what", row.key)
		return
	}
	a.cover(row, "version", "changed", "changed_by")
	if row.text("slug") == pathIndexed(row) {
		a.cover(row, "slug")
	}
	if old == nil && a.announced(row) && row.number("created") == row.number("changed") {
		a.cover(row, "tab", "uid", "created")
		if row.live() && row.number("draft_of") == 0 {
			a.cover(row, "deleted", "workspace", "draft_of")
		}
	}
	a.tells(c, history)
}

// pathIndexed is the path by which a page is found.
func pathIndexed(row *storedRow) string {
	if row.tab() != content.Pages {
		return ""
	}
	return row.field(content.ColumnSlug)
}

// cameBack reports whether only counters were written, which count as before.
func (a *account) cameBack(row *storedRow, history []*storedRow) bool {
	return !slices.ContainsFunc(history, func(e *storedRow) bool {
		_, counts := a.countIn(row, e.text("field"))
		return !counts
	})
}

// keepNumbers accounts for numbers given out: as many as were used.
func (a *account) keepNumbers(c rowChange) {
	if c.after == nil {
		return
	}
	used := int64(0)
	for _, other := range a.changes {
		row := other.either()
		if other.before == nil && (row.table == recordTable && row.tab() == c.after.tab() ||
			row.table == "content_history" && c.after.tab() == "history") {
			used++
		}
	}
	if c.after.number("last")-c.before.number("last") == used {
		a.cover(c.after, "last", "tab")
	}
}

// keepRights accounts for the rights of a new page: those of the page above it,
// with the acting user as owner.
func (a *account) keepRights(c rowChange) {
	if c.before != nil || c.after == nil {
		return
	}
	page := a.after.row(content.Pages, c.after.number("page"))
	if page == nil || !a.fresh(page) || !a.announced(page) {
		return
	}
	above := a.before["content_page_rights"][page.text("pid")]
	a.coverEqual(c.after, map[string]any{
		"page": page.uid(), "owner": a.user.ID, "owner_may": int64(content.AllBits),
		"group_name": above.text("group_name"), "group_may": above.number("group_may"), "everybody_may": above.number("everybody_may"),
	})
}

// keepReference accounts for the index of a new file reference.
func (a *account) keepReference(c rowChange) {
	if c.before != nil || c.after == nil {
		return
	}
	ref := a.after.row(content.FileReferences, c.after.uid())
	if ref == nil || !a.fresh(ref) || !a.announced(ref) {
		return
	}
	a.coverEqual(c.after, map[string]any{
		"uid": ref.uid(), "owner_table": ref.field(content.ColumnOwnerTable), "owner_uid": ref.count(content.ColumnOwner),
		"owner_field": ref.field(content.ColumnOwnerField), "file_uid": ref.count(content.ColumnFile),
	})
}

func (a *account) coverEqual(row *storedRow, want map[string]any) {
	if maps.Equal(row.cells, want) {
		a.cover(row, slices.Collect(maps.Keys(want))...)
	}
}

// keepLink accounts for what a record says of others where the record is new or
// says something else now. Whether the index is right as a whole is found out
// at the end of a run.
func (a *account) keepLink(c rowChange) {
	row := c.either()
	if key := recordKey(row.ref()); a.before[recordTable][key] == a.after[recordTable][key] {
		return
	}
	a.cover(row, append(slices.Collect(maps.Keys(row.cells)), "")...)
}
