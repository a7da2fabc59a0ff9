package content

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"slices"
)

// bitFor is the bit of the page that a write to a record of the table takes.
func bitFor(table string) Bits {
	if table == Pages {
		return BitEdit
	}
	return BitContent
}

// mayCreate checks everything that does not depend on the fields, and complains.
func (w *write) mayCreate(ctx context.Context, t *Table, c Change, rec Record) (bool, error) {
	if isAdmin(w.user) {
		return true, nil
	}
	if t.AdminOnly || t.ReadOnly || !MayModify(w.user, t.Name) || c.Rights != nil {
		w.complain("", neutral)
		return false, nil
	}
	if t.Translated && !MayUseLanguage(w.user, rec.Language) {
		w.complain("", "the language is not permitted")
		return false, nil
	}
	page, bit := rec.PID, bitFor(t.Name)
	switch {
	case t.Name == FileMetadata:
		return true, nil
	case t.Name == Pages && rec.Origin > 0:
		page = rec.Origin
	case t.Name == Pages:
		bit = BitNew
		if !MayUsePageType(w.user, pageTypeOf(t, c)) {
			w.complain(ColumnPageType, "the page type is not permitted")
			return false, nil
		}
	}
	ok, err := w.MayOnPage(ctx, w.user, page, bit)
	if err == nil && !ok {
		w.complain("", neutral)
	}
	return ok && err == nil, err
}

// pageTypeOf returns the type that a new page would have.
func pageTypeOf(t *Table, c Change) string {
	if given, ok := c.Fields[ColumnPageType]; ok {
		if s, ok := given.(string); ok {
			return s
		}
	}
	column, _ := t.Column(ColumnPageType)
	return asText(column.Default)
}

// mayWrite reports whether the user may change or delete a row: the record
// right and the bit of the page it lies on.
func (w *write) mayWrite(ctx context.Context, rec Record, bit Bits) (bool, error) {
	if isAdmin(w.user) {
		return true, nil
	}
	if !w.MayEditRecord(w.user, rec) {
		return false, nil
	}
	switch rec.Table {
	case FileMetadata:
		file, err := w.live(ctx, Ref{Files, rec.Int(ColumnFile)})
		if errors.Is(err, ErrNotFound) {
			return false, nil
		}
		return err == nil && w.MayUseFile(w.user, file), err
	case FileReferences:
		owner, err := w.live(ctx, Ref{rec.Text(ColumnOwnerTable), rec.Int(ColumnOwner)})
		if errors.Is(err, ErrNotFound) {
			return false, nil
		}
		if err != nil || owner.Table == FileReferences {
			return false, err
		}
		return w.mayWrite(ctx, owner, bitFor(owner.Table))
	case Pages:
		return w.MayOnPage(ctx, w.user, rec.UID, bit)
	}
	return w.MayOnPage(ctx, w.user, rec.PID, bit)
}

// giveRights sets the rights of a new page: those that were given, else those
// of its parent with the acting user as owner.
func (w *write) giveRights(ctx context.Context, page Record, given *PageRights) error {
	if given != nil {
		return setPageRights(ctx, w.tx, page.UID, *given)
	}
	rights, err := w.PageRights(ctx, page.PID)
	if err != nil {
		return err
	}
	if w.user.ID != math.MaxInt64 {
		rights.Owner, rights.OwnerMay = w.user.ID, AllBits
	}
	return setPageRights(ctx, w.tx, page.UID, rights)
}

// order returns uid and sorting of the other rows that one has to find its
// place among.
func (w *write) order(ctx context.Context, rec Record) ([][2]int64, error) {
	all, err := collect(ctx, w.tx, func(rows *sql.Rows) ([2]int64, error) {
		var row [2]int64
		err := rows.Scan(&row[0], &row[1])
		return row, err
	}, sqlOrder, rec.Table, rec.PID)
	return slices.DeleteFunc(all, func(row [2]int64) bool { return row[0] == rec.UID }), err
}

func ignoreNoRows(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	return err
}
