package content

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// delete takes a row away softly, with everything that makes no sense without
// it: all of it under one number, or nothing.
func (w *write) delete(ctx context.Context, c Change) error {
	bit := bitFor(c.Table)
	if c.Table == Pages {
		bit = BitDelete
	}
	rec, ok, err := w.target(ctx, c, bit)
	if err != nil || !ok {
		return err
	}
	if h, held := w.schema.holderOf(rec); held && !w.MayUseField(w.user, h.of.Table, h.field) {
		return nil // as with any column that the user holds no grant for
	}
	doomed, ok, err := w.doomed(ctx, rec, c.Subpages)
	if err != nil || !ok {
		return err
	}
	if err := w.takeAway(ctx, doomed); err != nil {
		return err
	}
	return w.recount(ctx, doomed...)
}

// takeAway marks rows as deleted under a number of their own, which is that of
// the first entry this leaves in the history.
func (w *write) takeAway(ctx context.Context, doomed []Record) error {
	var deletion int64
	for _, rec := range doomed {
		noted := rec
		noted.Version++
		id, err := w.note(ctx, Delete, noted, nil)
		if err != nil {
			return err
		}
		if deletion == 0 {
			deletion = id
		}
		if err := w.store(ctx, Delete, rec, rec, deletion); err != nil {
			return err
		}
	}
	return nil
}

// doomed lists what a delete takes along, the row itself first, and complains
// if the user may not delete all of it.
func (w *write) doomed(ctx context.Context, rec Record, subpages bool) ([]Record, bool, error) {
	switch {
	case rec.Table == Files:
		refs, err := w.ReferencesTo(ctx, rec.UID)
		if err != nil || len(refs) > 0 {
			w.complain("", "the file is in use")
			return nil, false, err
		}
	case rec.Table == Pages && rec.Origin == 0 && !subpages:
		below, err := w.Subpages(ctx, rec.UID)
		if err != nil || len(below) > 0 {
			w.complain("", fmt.Sprintf("the page has subpages (%d)", len(below)))
			return nil, false, err
		}
	}
	d, err := w.Deletion(ctx, rec.Ref(), subpages)
	if err != nil {
		return nil, false, err
	}
	ok, err := w.mayTakeAway(ctx, d)
	return d.All(), ok, err
}

// mayTakeAway checks the rights on everything that goes with a row, and
// complains. The right to delete a page covers the page bits of what lies on
// it, not tables, languages and values.
func (w *write) mayTakeAway(ctx context.Context, d Doom) (bool, error) {
	bit := bitFor(d.Record.Table)
	if d.Record.Table == Pages {
		bit = BitDelete
	}
	if ok, err := w.mayDelete(ctx, d.Subpages, bit); err != nil || !ok {
		return false, err
	}
	for _, rec := range slices.Concat(d.Contents, d.Owned, d.References) {
		if w.MayEditRecord(w.user, rec) {
			continue
		}
		if d.Record.Table == Pages {
			w.complain("", "something on the page may not be deleted")
		} else {
			w.complain("", "something that belongs to the record may not be deleted")
		}
		return false, nil
	}
	return w.mayDelete(ctx, slices.Concat(d.Translations, d.SubpageTranslations), bit)
}

// mayDelete checks the rights on subpages and translations, and complains.
func (w *write) mayDelete(ctx context.Context, rows []Record, bit Bits) (bool, error) {
	for _, rec := range rows {
		ok, err := w.mayWrite(ctx, rec, bit)
		if err != nil {
			return false, err
		}
		if !ok {
			w.complain("", "a subpage or a translation may not be deleted")
			return false, nil
		}
	}
	return true, nil
}

// restore brings back a row and everything that was taken away together with
// it.
func (w *write) restore(ctx context.Context, c Change) error {
	rec, err := w.row(ctx, Ref{c.Table, c.UID})
	if errors.Is(err, ErrNotFound) || err == nil && !rec.Deleted {
		w.complain("", neutral)
		return nil
	}
	if err != nil {
		return err
	}
	to, err := w.backTo(ctx, rec)
	if err != nil {
		return err
	}
	from := rec.PID
	rec.PID = to
	ok, err := w.mayRestore(ctx, rec)
	if err != nil || !ok {
		if err == nil {
			w.complain("", neutral)
		}
		return err
	}
	rows, err := collect(ctx, w.tx, scanRecords, sqlOfDeletion, rec.deletion)
	if err != nil {
		return fmt.Errorf("read what was deleted with %s: %w", rec.Ref(), err)
	}
	if rows, err = w.withOwners(ctx, rows); err != nil {
		return err
	}
	if ok, err := w.mayBringBack(ctx, rows); err != nil || !ok {
		return err
	}
	for _, row := range rows {
		back := row
		if row.Ref() == rec.Ref() || rec.Table != Pages && row.PID == from {
			back.PID = to
		}
		if err := w.bringBack(ctx, row, back); err != nil {
			return err
		}
	}
	return w.recount(ctx, rows...)
}

// backTo returns the page that a restored row lies on: where the record is now
// that it translates or belongs to.
func (w *write) backTo(ctx context.Context, rec Record) (int64, error) {
	beside := Ref{rec.Table, rec.Origin}
	h, held := w.schema.holderOf(rec)
	if held {
		beside = h.of
	} else if rec.Origin == 0 {
		return rec.PID, nil
	}
	other, err := w.live(ctx, beside)
	switch {
	case errors.Is(err, ErrNotFound):
		return rec.PID, nil // mayRestore refuses it
	case err != nil:
		return 0, err
	case held:
		return pageOf(other), nil
	}
	return other.PID, nil
}

// withOwners leaves out rows that belong to a record which is gone by itself,
// and what belongs to them.
func (w *write) withOwners(ctx context.Context, rows []Record) ([]Record, error) {
	for {
		back := map[Ref]bool{}
		for _, row := range rows {
			back[row.Ref()] = true
		}
		var kept []Record
		for _, row := range rows {
			if h, held := w.schema.holderOf(row); held && !back[h.of] {
				if _, err := w.live(ctx, h.of); errors.Is(err, ErrNotFound) {
					continue
				} else if err != nil {
					return nil, err
				}
			}
			kept = append(kept, row)
		}
		if len(kept) == len(rows) {
			return kept, nil
		}
		rows = kept
	}
}

// bringBack restores one row. A page whose path somebody else has by now gets
// another one.
func (w *write) bringBack(ctx context.Context, row, back Record) error {
	if slug := row.Text(ColumnSlug); row.Table == Pages && slug != "" && slug != "/" {
		var taken int64
		if err := w.tx.QueryRowContext(ctx, sqlSlug, slug, row.Language, row.UID).Scan(&taken); err != nil {
			return fmt.Errorf("look for the path of a page: %w", err)
		}
		if taken > 0 {
			back.Fields = maps.Clone(row.Fields)
			if err := w.giveSlug(ctx, &back); err != nil {
				return err
			}
		}
	}
	noted := back
	noted.Version++
	if _, err := w.note(ctx, Restore, noted, append([]fieldChange{{}}, changes(row, back)...)); err != nil {
		return err
	}
	return w.store(ctx, Restore, row, back, 0)
}

// mayRestore reports whether what a row belongs to is still there, and whether
// the user could have deleted it.
func (w *write) mayRestore(ctx context.Context, rec Record) (bool, error) {
	needs := []Ref{}
	if rec.Origin > 0 {
		needs = append(needs, Ref{rec.Table, rec.Origin})
	}
	if rec.PID > 0 {
		needs = append(needs, Ref{Pages, rec.PID})
	}
	if h, held := w.schema.holderOf(rec); held {
		needs = append(needs, h.of)
	}
	if rec.Table == FileReferences {
		needs = append(needs, Ref{Files, rec.Int(ColumnFile)})
	}
	for _, ref := range needs {
		if _, err := w.live(ctx, ref); errors.Is(err, ErrNotFound) {
			return false, nil
		} else if err != nil {
			return false, err
		}
	}
	if rec.Table == Pages && rec.Origin == 0 {
		return w.mayRestorePage(ctx, rec)
	}
	return w.mayWrite(ctx, rec, bitFor(rec.Table))
}

// mayRestorePage asks about the parent: the page itself is not in the tree.
func (w *write) mayRestorePage(ctx context.Context, page Record) (bool, error) {
	if isAdmin(w.user) {
		return true, nil
	}
	ok, err := w.MayOnPage(ctx, w.user, page.PID, BitNew)
	if err != nil || !ok || !w.MayEditRecord(w.user, page) {
		return false, err
	}
	rights, err := w.PageRights(ctx, page.UID)
	return err == nil && rights.allows(w.user, BitDelete), err
}

// mayBringBack checks the rights on everything that a restore brings back, and
// that the files are still there, and complains.
func (w *write) mayBringBack(ctx context.Context, rows []Record) (bool, error) {
	back := map[Ref]bool{}
	for _, row := range rows {
		back[row.Ref()] = true
	}
	for _, row := range rows {
		if !w.MayEditRecord(w.user, row) {
			w.complain("", "something that was deleted with it may not be restored")
			return false, nil
		}
		if row.Origin != 0 {
			others, err := w.Translations(ctx, Ref{row.Table, row.Origin})
			if err != nil {
				return false, err
			}
			if slices.ContainsFunc(others, func(o Record) bool { return o.Language == row.Language }) {
				w.complain("", "there is another translation into this language by now")
				return false, nil
			}
		}
		file := Ref{Files, row.Int(ColumnFile)}
		if row.Table != FileReferences && row.Table != FileMetadata || back[file] {
			continue
		}
		if _, err := w.live(ctx, file); errors.Is(err, ErrNotFound) {
			w.complain("", "a file that it needs is gone")
			return false, nil
		} else if err != nil {
			return false, err
		}
	}
	return true, nil
}
