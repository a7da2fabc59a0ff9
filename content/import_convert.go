package content

import (
	"cmp"
	"encoding/json"
	"strconv"
	"time"
)

// convert makes a record out of a row of the export.
func (im *importer) convert(row *t3dRow) Record {
	plan := im.columns[row.Table]
	rec := Record{
		Table: plan.into, UID: im.uids[row.key()], Version: 1,
		Sorting: row.number(cmp.Or(plan.sortedBy(), "sorting")), Language: row.number("sys_language_uid"),
		Origin:  im.uids[t3dKey{row.Table, row.original()}],
		Created: time.Unix(cmp.Or(row.number("crdate"), row.number("tstamp")), 0),
		Changed: time.Unix(row.number("tstamp"), 0),
		Fields:  map[string]any{},
	}
	extra := map[string]string{}
	for _, source := range row.Columns {
		value, c := row.Values[source], plan.column(source)
		if !value.empty() {
			c.Values++
		}
		switch {
		case value.Null:
		case c.Fate == FateColumn:
			column, _ := plan.table.Column(c.Into)
			if !im.store(rec, column, row, source, value.Text) {
				extra[source] = value.Text
				c.Kept++
			}
		case c.Fate == FateExtra:
			extra[source] = value.Text
		}
	}
	im.place(&rec, row)
	im.countFiles(rec, row, plan)
	im.countItems(rec, row)
	im.assign(rec, row, plan)
	if len(extra) > 0 {
		rec.Fields[ColumnExtra] = jsonObject(extra)
	}
	return rec
}

// sortedBy returns the column that holds the order of the rows.
func (p *columnPlan) sortedBy() string {
	for source, part := range p.record {
		if part == "sorting" {
			return source
		}
	}
	return ""
}

func jsonObject(values map[string]string) string {
	text, err := json.Marshal(values)
	if err != nil {
		panic(err) // text by text always encodes
	}
	return string(text)
}

// place sets what depends on other rows: where a record stands and whose it is.
func (im *importer) place(rec *Record, row *t3dRow) {
	switch row.Table {
	case t3dMetadata, t3dGroups: // which stand at the top
	case t3dFiles:
		rec.Fields[ColumnStorage] = im.opt.Storage
	case t3dStorages:
		rec.Fields["name"] = im.opt.Storage
	case t3dReferences:
		im.placeReference(rec, row)
	default:
		rec.PID = im.uids[t3dKey{t3dPages, row.number("pid")}]
	}
}

// placeReference puts a reference where the write engine puts one: on the page
// of the record it belongs to, or on that page itself.
func (im *importer) placeReference(rec *Record, row *t3dRow) {
	owner := im.file.row(row.text("tablenames"), row.number("uid_foreign"))
	rec.Fields[ColumnOwnerTable] = tableHere(owner.Table)
	rec.Fields[ColumnOwnerField] = fieldHere(owner.Table, row.text("fieldname"), im.schema)
	rec.Fields[ColumnOwner] = cmp.Or(im.uids[owner.key()], owner.UID)
	rec.PID = im.uids[t3dKey{t3dPages, owner.numberOf("pid")}]
	if owner.Table == t3dPages {
		rec.PID = im.uids[owner.key()]
	}
}

// numberOf is number for a column that check has not looked at; what is no
// number is 0.
func (r *t3dRow) numberOf(column string) int64 {
	n, err := strconv.ParseInt(r.text(column), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// countFiles sets the file fields of a record to the number of references that
// came in, whatever the export says.
func (im *importer) countFiles(rec Record, row *t3dRow, plan *columnPlan) {
	if plan.table == nil {
		return
	}
	said := map[string]string{}
	for _, source := range row.Columns {
		if c := plan.column(source); c.Fate == FateColumn {
			said[c.Into] = row.text(source)
		}
	}
	found := map[string]int64{}
	for _, c := range plan.table.Columns {
		if c.Type == TypeFile {
			found[c.Name] = 0
		}
	}
	for field, n := range im.counts[row.key()] {
		if name := cmp.Or(plan.here(field), field); found[name] == 0 {
			found[name] = n
		}
	}
	for _, name := range sortedKeys(found) {
		if c, ok := plan.table.Column(name); !ok || c.Type != TypeFile {
			continue
		}
		rec.Fields[name] = found[name]
		if text, given := said[name]; given && cmp.Or(text, "0") != strconv.FormatInt(found[name], 10) {
			im.notes[noteCounter]++
		}
	}
}

// store puts a value of the export into a column. False means that the column
// cannot hold it.
func (im *importer) store(rec Record, c Column, row *t3dRow, source, text string) bool {
	switch {
	case c.Type == TypeFile, c.Name == ColumnCategories:
		return true // the export has only the number; references and assignments say which
	case text == "" && c.storesInteger():
		return true // such a column is empty by having no value
	case row.Table == t3dPages && c.Name == ColumnPageType:
		text = cmp.Or(pageTypeNames[text], text)
	case c.Type == TypeRelation && !c.Many:
		uid, ok := im.pointer(c, text)
		if uid != 0 || ok {
			rec.Fields[c.Name] = uid
		}
		return ok
	default:
		text = im.relink(c, text)
	}
	stored, regular, ok := c.fit(text)
	if !ok {
		return false
	}
	if !regular {
		im.notes[noteIrregular]++
	}
	rec.Fields[c.Name] = stored
	return true
}

// pointer returns what a pointer to one record is here. False means that the
// record did not come in; the pointer is emptied then, lest it point to another
// record that gets the same uid.
func (im *importer) pointer(c Column, text string) (int64, bool) {
	uid, err := strconv.ParseInt(text, 10, 64)
	if err != nil || uid <= 0 {
		return 0, err == nil && uid == 0
	}
	if c.Target == "" { // the record that a reference belongs to, set by place
		return uid, true
	}
	target := sourceOf(c.Target)
	here := im.uids[t3dKey{target, uid}]
	if here == 0 {
		im.notes[noteDangling]++
	}
	return here, here != 0
}
