package content

import (
	"context"
	"fmt"
	"maps"
	"slices"
)

// copy makes new rows of a record and everything that is copied with it.
func (w *write) copy(ctx context.Context, t *Table, c Change) error {
	if !w.movable(t) {
		return nil
	}
	source, ok, err := w.target(ctx, c, BitShow)
	if err != nil || !ok {
		return err
	}
	if source.Origin != 0 {
		w.complain("", "a translation is copied with the record in the default language")
		return nil
	}
	to, ok, err := w.destination(ctx, t, c)
	if err != nil || !ok {
		return err
	}
	d, err := w.Copied(ctx, source.Ref())
	if err != nil {
		return err
	}
	if ok, err := w.mayCopy(ctx, d, to); err != nil || !ok {
		return err
	}
	fields, ok := w.fields(t, c)
	if !ok || !w.mayChange(source, fields) {
		return nil
	}
	cp := copying{map[Ref]int64{}}
	for _, rec := range d.All() {
		if cp.uids[rec.Ref()], err = w.allocate(ctx, rec.Table, 1); err != nil {
			return err
		}
	}
	first := cp.fresh(w.schema, d.Record)
	first.PID = to
	maps.Copy(first.Fields, fields)
	if first.Sorting, err = w.sorting(ctx, first, c.After); err != nil || first.Sorting == 0 {
		return err
	}
	if err := w.insertCopy(ctx, first, fields); err != nil {
		return err
	}
	if first.Table == Pages {
		if err := w.giveRights(ctx, first, nil); err != nil {
			return err
		}
	}
	return w.copyRest(ctx, d, cp, first)
}

// mayCopy asks for the bit of the page that the copy comes to, and for the right
// to every row of which there will be another.
func (w *write) mayCopy(ctx context.Context, d Doom, to int64) (bool, error) {
	if isAdmin(w.user) {
		return true, nil
	}
	bit := BitContent
	if d.Record.Table == Pages {
		bit = BitNew
		if !MayUsePageType(w.user, d.Record.Text(ColumnPageType)) {
			w.complain(ColumnPageType, "the page type is not permitted")
			return false, nil
		}
	}
	ok, err := w.MayOnPage(ctx, w.user, to, bit)
	if err != nil {
		return false, err
	}
	if !ok {
		w.complain("", neutral)
		return false, nil
	}
	for _, rec := range d.All() {
		if !w.MayEditRecord(w.user, rec) {
			w.complain("", "a translation or something that belongs to the record may not be copied")
			return false, nil
		}
	}
	return true, nil
}

// copying knows the uids that copied rows get.
type copying struct{ uids map[Ref]int64 }

// fresh returns the new row made of a copied one: with its new uid, and pointing
// to the copies of what it pointed to as its original and its owner.
func (cp copying) fresh(s *Schema, old Record) Record {
	rec := Record{
		Table: old.Table, UID: cp.uids[old.Ref()], PID: old.PID, Sorting: old.Sorting, Language: old.Language,
		Origin: cp.uids[Ref{old.Table, old.Origin}], Fields: maps.Clone(old.Fields),
	}
	if page, copied := cp.uids[Ref{Pages, old.PID}]; copied && old.Table != Pages {
		rec.PID = page
	}
	h, held := s.holderOf(old)
	owner, copied := cp.uids[h.of]
	if !held || !copied {
		return rec
	}
	if t, _ := s.Table(old.Table); t.Owner != nil {
		rec.Fields[t.Owner.Column] = owner
	} else {
		rec.Fields[ColumnOwner] = owner
	}
	return rec
}

// copyRest copies everything but the record itself, of which first is the copy.
func (w *write) copyRest(ctx context.Context, d Doom, cp copying, first Record) error {
	last := first.UID
	for _, old := range d.Translations {
		rec := cp.fresh(w.schema, old)
		rec.PID = first.PID
		w.hide(rec)
		if position, set := first.Fields[ColumnPosition]; set && rec.Table == Elements {
			rec.Fields[ColumnPosition] = position
		}
		var err error
		if rec.Sorting, err = w.sorting(ctx, rec, last); err != nil || rec.Sorting == 0 {
			return err
		}
		last = rec.UID
		if err := w.insertCopy(ctx, rec, nil); err != nil {
			return err
		}
	}
	copied := []Record{first}
	for _, old := range slices.Concat(d.Contents, d.Owned, d.References) {
		rec := cp.fresh(w.schema, old)
		if first.Table != Pages {
			rec.PID = first.PID
		}
		copied = append(copied, rec)
		if err := w.insertCopy(ctx, rec, nil); err != nil {
			return err
		}
	}
	return w.recount(ctx, copied...)
}

// hide sets the column that hides a record, where there is one.
func (w *write) hide(rec Record) {
	if t, _ := w.schema.Table(rec.Table); t.HiddenField != "" {
		rec.Fields[t.HiddenField] = int64(1)
	}
}

// insertCopy stores a copy. A page gets a path of its own, unless one was given.
func (w *write) insertCopy(ctx context.Context, rec Record, given map[string]any) error {
	if rec.Table == Pages && asText(given[ColumnSlug]) == "" {
		if err := w.giveSlug(ctx, &rec); err != nil {
			return err
		}
	}
	if err := w.insert(ctx, Copy, rec); err != nil {
		return fmt.Errorf("copy: %w", err)
	}
	return nil
}
