package content

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
)

// attach creates a file reference, at its place in its field, and keeps the
// count in the record that owns it.
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
	rec.PID, rec.Language = pageOf(owner), owner.Language
	if rec.Sorting, ok, err = w.among(ctx, rec, c.After, others); err != nil || !ok {
		return err
	}
	if rec.UID, err = w.uid(ctx, c); err != nil || rec.UID == 0 {
		return err
	}
	if err := w.insert(ctx, Create, rec); err != nil {
		return err
	}
	return w.count(ctx, owner.Ref(), column.Name)
}

// among returns the place of a new reference among the others of its field:
// behind all of them, or directly behind the one that after names. Where that
// one was taken away, the new one gets its place.
func (w *write) among(ctx context.Context, rec Record, after int64, others []Record) (sorting int64, ok bool, err error) {
	last := int64(0)
	if len(others) > 0 {
		last = others[len(others)-1].Sorting
	}
	if after <= 0 {
		return last + step, true, nil
	}
	anchor, err := w.row(ctx, Ref{FileReferences, after})
	if err != nil && !errors.Is(err, ErrNotFound) {
		return 0, false, err
	}
	for _, name := range []string{ColumnOwnerTable, ColumnOwner, ColumnOwnerField} {
		if err != nil || anchor.Fields[name] != rec.Fields[name] {
			w.complain("", "the file it should come after is not in the same field")
			return 0, false, nil
		}
	}
	i := 0
	var order [][2]int64
	for _, o := range others {
		if cmp.Or(cmp.Compare(o.Sorting, anchor.Sorting), cmp.Compare(o.UID, anchor.UID)) <= 0 {
			i++
		}
		order = append(order, [2]int64{o.UID, o.Sorting})
	}
	shared := slices.ContainsFunc(others, func(o Record) bool { return o.Sorting == anchor.Sorting })
	switch {
	case anchor.Deleted && !shared:
		return anchor.Sorting, true, nil
	case i == len(others):
		return last + step, true, nil
	case i > 0 && order[i][1]-order[i-1][1] > 1:
		return order[i-1][1] + (order[i][1]-order[i-1][1])/2, true, nil
	}
	sorting, err = w.spread(ctx, rec, order, i)
	return sorting, err == nil, err
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
