package content

import (
	"context"
	"database/sql"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
)

//go:embed import.sql
var importSQL string

var (
	sqlUIDs        = statement(importSQL, "uids")
	sqlAddLanguage = statement(importSQL, "add language")
	sqlFileThere   = statement(importSQL, "file there")
)

func insertLanguage(ctx context.Context, tx *sql.Tx, l Language) error {
	label, err := json.Marshal(l.Label)
	if err != nil {
		return fmt.Errorf("encode language %d: %w", l.ID, err)
	}
	if _, err := tx.ExecContext(ctx, sqlAddLanguage, l.ID, l.Code, string(label)); err != nil {
		return fmt.Errorf("install language %d: %w", l.ID, err)
	}
	return nil
}

// reuse finds what need not come in because it is there already: a storage of
// the same name, the same file at the same place, and metadata of that file. A
// different file at the same place refuses the import.
func (im *importer) reuse(ctx context.Context) error {
	storages, err := im.All(ctx, Storages)
	if err != nil {
		return err
	}
	err = im.drop(t3dStorages, outSameStore, func(*t3dRow) (int64, error) {
		for _, s := range storages {
			if s.Text("name") == im.opt.Storage {
				return s.UID, nil
			}
		}
		return 0, nil
	})
	if err != nil {
		return err
	}
	err = im.drop(t3dFiles, outSameFile, func(row *t3dRow) (int64, error) { return im.sameFile(ctx, row) })
	if err != nil || len(im.uids) == 0 {
		return err
	}
	described := map[[2]int64]int64{}
	all, err := im.All(ctx, FileMetadata)
	if err != nil {
		return err
	}
	for _, m := range all {
		described[[2]int64{m.Int(ColumnFile), m.Language}] = m.UID
	}
	return im.drop(t3dMetadata, outDescribed, func(row *t3dRow) (int64, error) {
		file := im.uids[t3dKey{t3dFiles, row.number("file")}]
		return described[[2]int64{file, row.number("sys_language_uid")}], nil
	})
}

// sameFile returns the file that lies where a file of the export belongs, 0 if
// that place is free.
func (im *importer) sameFile(ctx context.Context, row *t3dRow) (int64, error) {
	var uid int64
	err := im.tx.QueryRowContext(ctx, sqlFileThere, im.opt.Storage, row.text("identifier")).Scan(&uid)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("find the place of a file: %w", err)
	}
	there, err := im.row(ctx, Ref{Files, uid})
	if err != nil {
		return 0, err
	}
	if there.Deleted || row.text("sha1") == "" || there.Text("sha1") != row.text("sha1") {
		return 0, row.refuse("identifier", "belongs to %s, where another file lies or lay already", t3dQuote(row.text("identifier")))
	}
	return uid, nil
}

// number gives every row its uid: that of the export where it is free, else
// one above all others.
func (im *importer) number(ctx context.Context) error {
	for _, source := range importOrder {
		rows := im.rows[source]
		if len(rows) == 0 {
			continue
		}
		table := importTables[source].into
		highest := rows[len(rows)-1].UID
		// Raising first keeps other writers from giving out numbers meanwhile.
		if _, err := im.tx.ExecContext(ctx, sqlRaiseUID, table, highest); err != nil {
			return fmt.Errorf("raise the numbers of %s: %w", table, err)
		}
		taken, err := collect(ctx, im.tx, func(rows *sql.Rows) (int64, error) {
			var uid int64
			err := rows.Scan(&uid)
			return uid, err
		}, sqlUIDs, table)
		if err != nil {
			return fmt.Errorf("read the numbers of %s: %w", table, err)
		}
		if err := im.numberTable(ctx, rows, table, taken); err != nil {
			return err
		}
	}
	return nil
}

func (im *importer) numberTable(ctx context.Context, rows []*t3dRow, table string, taken []int64) error {
	used := make(map[int64]bool, len(taken))
	for _, uid := range taken {
		used[uid] = true
	}
	var clash []*t3dRow
	for _, row := range rows {
		im.uids[row.key()] = row.UID
		if used[row.UID] {
			clash = append(clash, row)
		}
	}
	if clash == nil {
		return nil
	}
	var last int64
	if err := im.tx.QueryRowContext(ctx, sqlAllocate, table, len(clash)).Scan(&last); err != nil {
		return fmt.Errorf("allocate numbers of %s: %w", table, err)
	}
	for i, row := range clash {
		uid := last - int64(len(clash)) + 1 + int64(i)
		im.uids[row.key()] = uid
		im.moved = append(im.moved, Renumbered{table, row.UID, uid})
	}
	return nil
}

// inserter holds the statements that are run once for each row.
type inserter struct{ record, history, reference *sql.Stmt }

func (im *importer) insertAll(ctx context.Context) (err error) {
	var ins inserter
	for _, s := range []struct {
		to   **sql.Stmt
		text string
	}{{&ins.record, sqlInsert}, {&ins.history, sqlInsertHistory}, {&ins.reference, sqlInsertReference}} {
		if *s.to, err = im.tx.PrepareContext(ctx, s.text); err != nil { //nolint:sqlclosecheck // closed below; the checker cannot follow the pointer
			return fmt.Errorf("prepare: %w", err)
		}
		defer (*s.to).Close()
	}
	im.relate()
	total := 0
	for _, rows := range im.rows {
		total += len(rows)
	}
	var entry int64
	if err := im.tx.QueryRowContext(ctx, sqlAllocate, "history", total).Scan(&entry); err != nil {
		return fmt.Errorf("allocate numbers of history: %w", err)
	}
	entry -= int64(total)
	for _, source := range importOrder {
		im.columns[source] = newColumnPlan(source, im.schema)
		for _, row := range im.rows[source] {
			entry++
			if err := im.insert(ctx, ins, entry, im.convert(row)); err != nil {
				return fmt.Errorf("row %s: %w", row.key(), err)
			}
		}
	}
	return im.look(ctx)
}

// insert stores one row with its history and what it is found by.
func (im *importer) insert(ctx context.Context, ins inserter, entry int64, rec Record) error {
	fields, err := encodeFields(rec.Fields)
	if err != nil {
		return err
	}
	slug := ""
	if rec.Table == Pages {
		slug = rec.Text(ColumnSlug)
	}
	by := im.opt.By
	_, err = ins.record.ExecContext(ctx, rec.Table, rec.UID, rec.PID, rec.Sorting, rec.Language, rec.Origin, slug,
		im.time(rec.Created.Unix()), im.time(rec.Changed.Unix()), by.ID, fields)
	if err != nil {
		return err
	}
	_, err = ins.history.ExecContext(ctx, entry, im.now, by.ID, by.Name, string(Create), rec.Table, rec.UID, 1, "", nil, nil)
	if err != nil {
		return err
	}
	switch {
	case rec.Table == FileReferences:
		_, err = ins.reference.ExecContext(ctx, rec.UID, rec.Text(ColumnOwnerTable), rec.Int(ColumnOwner), rec.Text(ColumnOwnerField), rec.Int(ColumnFile))
	case rec.Table == FileMetadata:
		_, err = im.tx.ExecContext(ctx, sqlInsertMetadata, rec.UID, rec.Int(ColumnFile))
	case rec.Table == Files:
		err = indexFile(ctx, im.tx, rec)
	case rec.Table == Pages && rec.Origin == 0:
		err = setPageRights(ctx, im.tx, rec.UID, im.rights())
	}
	if err != nil {
		return err
	}
	return indexLinks(ctx, im.tx, im.schema, rec)
}

// rights are those of every page that comes in.
func (im *importer) rights() PageRights {
	if !im.opt.Owner.Exists() {
		return PageRights{}
	}
	return PageRights{Owner: im.opt.Owner.ID, OwnerMay: AllBits}
}

// time turns seconds of the export into milliseconds; a time that it does not
// have, or that no date can hold, is that of the import.
func (im *importer) time(seconds int64) int64 {
	const year9999 = 253402300800
	if seconds <= 0 || seconds >= year9999 {
		return im.now
	}
	return seconds * 1000
}

// look takes note of what came in whole and is worth a word all the same.
func (im *importer) look(ctx context.Context) error {
	for _, row := range im.file.Rows {
		came := im.file.leftOut(row) == "" && im.uids[row.key()] != 0
		for _, rel := range row.Related {
			switch {
			case came && rel.Flex && len(im.moved) > 0 && im.uids[rel.To] != 0 && im.uids[rel.To] != rel.To.UID:
				im.notes[noteFlex]++
			}
		}
	}
	for _, row := range im.rows[t3dReferences] {
		if reason, _ := foreign(row.text("tablenames")); reason != "" {
			im.notes[noteWaiting]++
		}
	}
	for _, row := range im.rows[t3dPages] {
		slug := row.text("slug")
		if slug == "" {
			continue
		}
		var others int64
		err := im.tx.QueryRowContext(ctx, sqlSlug, slug, row.number("sys_language_uid"), im.uids[row.key()]).Scan(&others)
		if err != nil {
			return fmt.Errorf("look for the path of a page: %w", err)
		}
		if others > 0 {
			im.notes[noteSlug]++
		}
	}
	return nil
}
