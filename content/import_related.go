package content

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// relate collects what rows say of others beside their columns: which items
// elements own, and which records belong to which category. It comes before the
// rows are converted.
func (im *importer) relate() {
	for _, source := range t3dItems {
		for _, row := range im.rows[source] {
			element := t3dKey{t3dContent, row.number(t3dElement)}
			if im.items[element] == nil {
				im.items[element] = map[string]int64{}
			}
			im.items[element][importTables[source].into]++
		}
	}
	coming := map[t3dKey]bool{}
	for _, rows := range im.rows {
		for _, row := range rows {
			coming[row.key()] = true
		}
	}
	for _, category := range im.rows[t3dCategories] {
		for _, rel := range category.Related {
			switch {
			case rel.Field != "items":
			case !coming[rel.To] || !im.takesCategories(rel):
				im.notes[noteUnassigned]++
			case !slices.Contains(im.assigned[rel.To], category.UID):
				im.assigned[rel.To] = append(im.assigned[rel.To], category.UID)
			}
		}
	}
}

// takesCategories reports whether the other end of an assignment has a column
// for it.
func (im *importer) takesCategories(rel t3dRelation) bool {
	c, ok := im.schema.Column(importTables[rel.To.Table].into, ColumnCategories)
	return ok && c.Many && c.Target == Categories && cmp.Or(rel.As, ColumnCategories) == ColumnCategories
}

// assign sets the categories of a record, by their number in the export.
func (im *importer) assign(rec Record, row *t3dRow, plan *columnPlan) {
	if plan.here(ColumnCategories) == "" {
		return
	}
	said, given := row.Values[ColumnCategories]
	var list []string
	for _, category := range im.assigned[row.key()] { // rows come by uid
		list = append(list, strconv.FormatInt(im.uids[t3dKey{t3dCategories, category}], 10))
	}
	if len(list) > 0 {
		rec.Fields[ColumnCategories] = strings.Join(list, ",")
	}
	if given && cmp.Or(said.Text, "0") != strconv.Itoa(len(list)) {
		im.notes[noteCategories]++
	}
}

// countItems sets the columns of an element that count its items to what came
// in, whatever the export says.
func (im *importer) countItems(rec Record, row *t3dRow) {
	if row.Table != t3dContent {
		return
	}
	for _, source := range t3dItems {
		column := importTables[source].into
		n, said := im.items[row.key()][column], rec.Int(column)
		if n == said {
			continue
		}
		rec.Fields[column] = n
		im.notes[noteItems]++
	}
}
