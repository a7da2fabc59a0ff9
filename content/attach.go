package content

import (
	"context"
	"errors"
	"fmt"
	"maps"
)

// attach creates a file reference, last in its field, and keeps the count in
// the record that owns it.
func (w *write) attach(ctx context.Context, t *Table, c Change) error {
	if !MayModify(w.user, t.Name) {
		w.complain("", neutral)
		return nil
	}
	fields, ok := w.fields(t, c)
	if !ok {
		return nil
	}
	rec := Record{Table: t.Name, Fields: fields}
	if !w.complete(t, rec) {
		return nil
	}
	owner, column, ok, err := w.owner(ctx, rec)
	if err != nil || !ok {
		return err
	}
	if ok, err := w.mayAttach(ctx, rec, owner, column); err != nil || !ok {
		return err
	}
	if !w.MayUseField(w.user, owner.Table, column.Name) {
		return nil // as with any column that the user holds no grant for
	}
	others, err := w.References(ctx, owner.Ref(), column.Name)
	if err != nil {
		return err
	}
	if column.MaxItems > 0 && len(others) >= column.MaxItems {
		w.complain(ColumnOwnerField, fmt.Sprintf("the field takes at most %d files", column.MaxItems))
		return nil
	}
	rec.PID, rec.Language, rec.Sorting = owner.PID, owner.Language, step
	if owner.Table == Pages {
		rec.PID = owner.UID
	}
	if len(others) > 0 {
		rec.Sorting = others[len(others)-1].Sorting + step
	}
	if rec.UID, err = w.uid(ctx, c); err != nil || rec.UID == 0 {
		return err
	}
	if err := w.insert(ctx, rec); err != nil {
		return err
	}
	return w.count(ctx, owner.Ref(), column.Name)
}

// owner returns the record and the field that a new reference belongs to.
func (w *write) owner(ctx context.Context, rec Record) (Record, Column, bool, error) {
	table, field := rec.Text(ColumnOwnerTable), rec.Text(ColumnOwnerField)
	column, known := w.schema.Column(table, field)
	if !known || column.Type != TypeFile {
		w.complain(ColumnOwnerField, "the table has no field of this name for files")
		return Record{}, Column{}, false, nil
	}
	owner, err := w.live(ctx, Ref{table, rec.Int(ColumnOwner)})
	if errors.Is(err, ErrNotFound) {
		w.complain("", neutral)
		return Record{}, Column{}, false, nil
	}
	return owner, column, err == nil, err
}

// mayAttach checks rights on the owner and on the file, and whether the field
// takes such a file.
func (w *write) mayAttach(ctx context.Context, rec, owner Record, column Column) (bool, error) {
	ok, err := w.mayWrite(ctx, owner, bitFor(owner.Table))
	if err != nil {
		return false, err
	}
	file, err := w.live(ctx, Ref{Files, rec.Int(ColumnFile)})
	if err != nil && !errors.Is(err, ErrNotFound) {
		return false, err
	}
	switch {
	case !ok || err != nil || !w.MayUseFile(w.user, file) || file.Int(ColumnMissing) != 0:
		w.complain("", neutral)
	case !column.Accepts(file.Text("extension")):
		w.complain(ColumnFile, "the field does not take files of this kind")
	default:
		return true, nil
	}
	return false, nil
}

// count writes the number of live references into the field that holds them.
func (w *write) count(ctx context.Context, owner Ref, field string) error {
	refs, err := w.References(ctx, owner, field)
	if err != nil {
		return err
	}
	old, err := w.live(ctx, owner)
	if err != nil {
		return fmt.Errorf("count files of %s: %w", owner, err)
	}
	rec := old
	rec.Fields = maps.Clone(old.Fields)
	rec.Fields[field] = int64(len(refs))
	return w.store(ctx, Update, old, rec, 0)
}
