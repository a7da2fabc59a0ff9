package editorial_test

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/imprimatur-dev/imprimatur/content"
)

// The members of the column fields of content_records stand among the cells of
// a row, under this name and their own.
const inFields = "fields."

// storedRow is a row of any table of the database.
type storedRow struct {
	table, key string
	values     []any
	cells      map[string]any // text or int64 by column; a column without a value is absent

	of   string // the column tab: the table of the content that the row is about
	gone bool   // it is deleted, or a draft
}

func newStoredRow(table, key string, values []any, cells map[string]any) *storedRow {
	r := &storedRow{table: table, key: key, values: values, cells: cells}
	r.of, r.gone = r.text("tab"), r.number("deleted") != 0 || r.number("workspace") != 0
	return r
}

// tab is the table of the content that a row is about.
func (r *storedRow) tab() string {
	if r == nil {
		return ""
	}
	return r.of
}

// number is a column as a number; 0 without one.
func (r *storedRow) number(column string) int64 {
	if r == nil {
		return 0
	}
	switch v := r.cells[column].(type) {
	case int64:
		return v
	case string:
		var n int64
		if _, err := fmt.Sscanf(v, "%d", &n); err != nil || fmt.Sprint(n) != v {
			return 0
		}
		return n
	default:
		return 0
	}
}

// text is a column as text; empty without one.
func (r *storedRow) text(column string) string {
	if r == nil || r.cells[column] == nil {
		return ""
	}
	return fmt.Sprint(r.cells[column])
}

// field is a member of the column fields as text, count one as a number.
func (r *storedRow) field(name string) string { return r.text(inFields + name) }
func (r *storedRow) count(name string) int64  { return r.number(inFields + name) }

// has reports whether a member of the column fields is there.
func (r *storedRow) has(name string) bool { return r.value(name) != nil }

// value is a member of the column fields as it is stored; nil without one.
func (r *storedRow) value(name string) any {
	if r == nil {
		return nil
	}
	return r.cells[inFields+name]
}

// ref names a row of content_records.
func (r *storedRow) ref() content.Ref { return content.Ref{Table: r.tab(), UID: r.number("uid")} }
func (r *storedRow) uid() int64       { return r.number("uid") }

// live reports whether a row of content_records is part of the content.
func (r *storedRow) live() bool {
	return r != nil && !r.gone
}

const recordTable = "content_records"

// state is the whole content of a database: its rows by table and key.
type state map[string]map[string]*storedRow

func recordKey(ref content.Ref) string { return fmt.Sprintf("%s/%d", ref.Table, ref.UID) }

// row is a row of content_records; nil where there is none.
func (s state) row(table string, uid int64) *storedRow {
	return s[recordTable][recordKey(content.Ref{Table: table, UID: uid})]
}

// records are the live rows of a table of the content for which all of this
// holds, by page, sorting and uid.
func (s state) records(table string, wanted ...func(*storedRow) bool) []*storedRow {
	var found []*storedRow
	for _, r := range s[recordTable] {
		if r.of == table && !r.gone && !slices.ContainsFunc(wanted, func(w func(*storedRow) bool) bool { return !w(r) }) {
			found = append(found, r)
		}
	}
	slices.SortFunc(found, func(a, b *storedRow) int {
		return cmp.Or(cmp.Compare(a.number("pid"), b.number("pid")),
			cmp.Compare(a.number("sorting"), b.number("sorting")), cmp.Compare(a.uid(), b.uid()))
	})
	return found
}

// having keeps rows with a number in a column.
func having(column string, n int64) func(*storedRow) bool {
	return func(r *storedRow) bool { return r.number(column) == n }
}

// keysOfTables are the tables of the content and the columns of their keys.
func keysOfTables(ctx context.Context, db *sql.DB) (map[string][]string, error) {
	rows, err := db.QueryContext(ctx, `SELECT m.name, c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c
		WHERE m.type = 'table' AND m.name LIKE 'content\_%' ESCAPE '\' AND c.pk > 0 ORDER BY m.name, c.pk`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	keys := map[string][]string{}
	for rows.Next() {
		var table, column string
		if err := rows.Scan(&table, &column); err != nil {
			return nil, err
		}
		keys[table] = append(keys[table], column)
	}
	return keys, rows.Err()
}

// readState reads everything. Rows that are as they were are those of the state
// before.
func readState(ctx context.Context, db *sql.DB, before state) (state, error) {
	keys, err := keysOfTables(ctx, db)
	if err != nil {
		return nil, err
	}
	s := state{}
	for table, key := range keys {
		if s[table], err = readRows(ctx, db, table, key, before[table]); err != nil {
			return nil, fmt.Errorf("read %s: %w", table, err)
		}
	}
	return s, nil
}

func readRows(ctx context.Context, db *sql.DB, table string, key []string, before map[string]*storedRow) (map[string]*storedRow, error) {
	rows, err := db.QueryContext(ctx, "SELECT "+strings.Join(key, " || '/' || ")+", * FROM "+table)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	all := map[string]*storedRow{}
	for rows.Next() {
		values, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		name := fmt.Sprint(values[0])
		if old := before[name]; old != nil && slices.Equal(old.values, values) {
			all[name] = old
			continue
		}
		cells, err := readCells(columns, values)
		if err != nil {
			return nil, err
		}
		all[name] = newStoredRow(table, name, values, cells)
	}
	return all, rows.Err()
}

// readCells are the columns of a row one by one, those within fields included.
func readCells(columns []string, values []any) (map[string]any, error) {
	cells := map[string]any{}
	for i, column := range columns {
		text, isText := values[i].(string)
		switch {
		case i == 0 || values[i] == nil:
		case column == "fields" && isText:
			if err := readMembers(text, cells); err != nil {
				return nil, err
			}
		default:
			cells[column] = values[i]
		}
	}
	return cells, nil
}

// readMembers reads the column fields into cells.
func readMembers(fields string, into map[string]any) error {
	d := json.NewDecoder(strings.NewReader(fields))
	d.UseNumber()
	var all map[string]any
	if err := d.Decode(&all); err != nil {
		return err
	}
	for name, v := range all {
		if n, ok := v.(json.Number); ok {
			whole, err := n.Int64()
			if err != nil {
				return err
			}
			v = whole
		}
		into[inFields+name] = v
	}
	return nil
}

// rowChange is a row that differs between two states. Before is nil for a new
// row, after for one that is gone.
type rowChange struct{ before, after *storedRow }

func (c rowChange) either() *storedRow { return cmp.Or(c.after, c.before) }

// columns are those that differ.
func (c rowChange) columns() []string {
	var before, after map[string]any
	if c.before != nil {
		before = c.before.cells
	}
	if c.after != nil {
		after = c.after.cells
	}
	var differ []string
	for _, column := range slices.Sorted(maps.Keys(before)) {
		if v, ok := after[column]; !ok || v != before[column] {
			differ = append(differ, column)
		}
	}
	for _, column := range slices.Sorted(maps.Keys(after)) {
		if _, ok := before[column]; !ok {
			differ = append(differ, column)
		}
	}
	return differ
}

// changesBetween lists the rows that differ, in a fixed order.
func changesBetween(before, after state) []rowChange {
	var all []rowChange
	for table, rows := range after {
		for key, now := range rows {
			if was := before[table][key]; was != now {
				all = append(all, rowChange{was, now})
			}
		}
	}
	for table, rows := range before {
		for key, was := range rows {
			if after[table][key] == nil {
				all = append(all, rowChange{was, nil})
			}
		}
	}
	slices.SortFunc(all, func(a, b rowChange) int {
		return cmp.Or(cmp.Compare(a.either().table, b.either().table), cmp.Compare(a.either().tab(), b.either().tab()),
			cmp.Compare(a.either().uid(), b.either().uid()), cmp.Compare(a.either().key, b.either().key))
	})
	return all
}
