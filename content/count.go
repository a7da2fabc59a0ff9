package content

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// holder is a field that counts the rows that belong to its record.
type holder struct {
	of    Ref
	field string
}

// holderOf returns the field that counts a row; false for one that stands for
// itself.
func (s *Schema) holderOf(rec Record) (holder, bool) {
	if rec.Table == FileReferences {
		return holder{Ref{rec.Text(ColumnOwnerTable), rec.Int(ColumnOwner)}, rec.Text(ColumnOwnerField)}, true
	}
	t, ok := s.Table(rec.Table)
	if !ok || t.Owner == nil {
		return holder{}, false
	}
	return holder{Ref{t.Owner.Table, rec.Int(t.Owner.Column)}, t.Owner.Field}, true
}

// Counting reports whether a column counts the records that belong to one of its
// table.
func (s *Schema) Counting(table, column string) bool {
	return slices.ContainsFunc(s.Tables, func(t Table) bool {
		return t.Owner != nil && t.Owner.Table == table && t.Owner.Field == column
	})
}

// recount puts right what the records that rows belong to say of their number.
// Records that are gone are left alone.
func (w *write) recount(ctx context.Context, rows ...Record) error {
	found := map[holder]bool{}
	for _, rec := range rows {
		if h, ok := w.schema.holderOf(rec); ok {
			found[h] = true
		}
	}
	holders := slices.SortedFunc(maps.Keys(found), func(a, b holder) int {
		return cmp.Or(compareRefs(a.of, b.of), cmp.Compare(a.field, b.field))
	})
	for _, h := range holders {
		if err := w.count(ctx, h.of, h.field); err != nil {
			return err
		}
	}
	return nil
}

// count writes the number of live rows that belong to a field into it.
func (w *write) count(ctx context.Context, owner Ref, field string) error {
	old, err := w.live(ctx, owner)
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("count what belongs to %s: %w", owner, err)
	}
	n, err := w.holding(ctx, owner, field)
	if err != nil {
		return err
	}
	if value, set := old.Fields[field]; set && value == n {
		return nil
	}
	rec := old
	rec.Fields = maps.Clone(old.Fields)
	rec.Fields[field] = n
	return w.store(ctx, Update, old, rec, 0)
}

// holding counts the live rows that belong to a field of a record.
func (w *write) holding(ctx context.Context, owner Ref, field string) (int64, error) {
	column, _ := w.schema.Column(owner.Table, field)
	if column.Type == TypeFile {
		refs, err := w.References(ctx, owner, field)
		return int64(len(refs)), err
	}
	owned, err := w.ownedBy(ctx, owner)
	if err != nil {
		return 0, err
	}
	n := int64(0)
	for _, rec := range owned {
		if h, _ := w.schema.holderOf(rec); h.field == field {
			n++
		}
	}
	return n, nil
}

// belongs checks the record that a new one belongs to, and complains.
func (w *write) belongs(ctx context.Context, rec Record) (bool, error) {
	h, ok := w.schema.holderOf(rec)
	if !ok {
		return true, nil
	}
	owner, err := w.live(ctx, h.of)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return false, err
	}
	if err == nil {
		ok, err = w.mayWrite(ctx, owner, bitFor(owner.Table))
		if err != nil {
			return false, err
		}
	}
	switch {
	case err != nil || !ok || !isAdmin(w.user) && !w.MayUseField(w.user, h.of.Table, h.field):
		w.complain("", neutral)
	case pageOf(owner) != rec.PID:
		w.complain("", "the record lies on another page than the one it belongs to")
	default:
		return true, nil
	}
	return false, nil
}

// pageOf returns the page on which lies what belongs to a record.
func pageOf(owner Record) int64 {
	if owner.Table == Pages {
		return cmp.Or(owner.Origin, owner.UID)
	}
	return owner.PID
}
