package content

import (
	"context"
	"errors"
	"fmt"
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
	if rec.Table == FileReferences && !w.MayUseField(w.user, rec.Text(ColumnOwnerTable), rec.Text(ColumnOwnerField)) {
		return nil // as with any column that the user holds no grant for
	}
	doomed, ok, err := w.doomed(ctx, rec, c.Subpages)
	if err != nil || !ok {
		return err
	}
	if err := w.takeAway(ctx, doomed); err != nil {
		return err
	}
	return w.recount(ctx, rec.Table, doomed)
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

// recount puts the counts right in the records that references belong to, after
// a delete or restore of a row of this table. Whatever else takes references
// along takes their records, too.
func (w *write) recount(ctx context.Context, table string, rows []Record) error {
	if table != FileReferences {
		return nil
	}
	for _, reference := range rows {
		owner := Ref{reference.Text(ColumnOwnerTable), reference.Int(ColumnOwner)}
		if _, err := w.live(ctx, owner); errors.Is(err, ErrNotFound) {
			continue
		} else if err != nil {
			return err
		}
		if err := w.count(ctx, owner, reference.Text(ColumnOwnerField)); err != nil {
			return err
		}
	}
	return nil
}

// doomed lists what a delete takes along, the row itself first, and complains
// if the user may not delete all of it.
func (w *write) doomed(ctx context.Context, rec Record, subpages bool) ([]Record, bool, error) {
	if rec.Table == Files {
		return w.doomedFile(ctx, rec)
	}
	all := []Record{rec}
	if rec.Table == Pages && rec.Origin == 0 {
		below, ok, err := w.doomedPages(ctx, rec, subpages)
		if err != nil || !ok {
			return nil, false, err
		}
		all = append(all, below...)
	} else if rec.Origin == 0 {
		translations, ok, err := w.doomedTranslations(ctx, rec, bitFor(rec.Table))
		if err != nil || !ok {
			return nil, false, err
		}
		all = append(all, translations...)
	}
	var references []Record
	for _, r := range all {
		refs, err := w.referencesOf(ctx, r.Ref())
		if err != nil {
			return nil, false, err
		}
		for _, ref := range refs {
			if !ref.Deleted {
				references = append(references, ref)
			}
		}
	}
	return append(all, references...), true, nil
}

// doomedFile lists a file that nothing refers to and what describes it.
func (w *write) doomedFile(ctx context.Context, file Record) ([]Record, bool, error) {
	refs, err := w.ReferencesTo(ctx, file.UID)
	if err != nil {
		return nil, false, err
	}
	if len(refs) > 0 {
		w.complain("", "the file is in use")
		return nil, false, nil
	}
	metadata, err := collect(ctx, w.tx, scanRecords, sqlMetadata, file.UID)
	if err != nil {
		return nil, false, fmt.Errorf("read metadata of file %d: %w", file.UID, err)
	}
	return append([]Record{file}, metadata...), true, nil
}

// doomedTranslations lists the translations of a row. One that the user may not
// write keeps the whole row.
func (w *write) doomedTranslations(ctx context.Context, rec Record, bit Bits) ([]Record, bool, error) {
	translations, err := w.Translations(ctx, rec.Ref())
	if err != nil {
		return nil, false, err
	}
	for _, t := range translations {
		if ok, err := w.mayDelete(ctx, t, bit); err != nil || !ok {
			return nil, false, err
		}
	}
	return translations, true, nil
}

// doomedPages lists subpages, the translations of all pages, and what lies on
// them.
func (w *write) doomedPages(ctx context.Context, page Record, subpages bool) ([]Record, bool, error) {
	uids, err := w.Subpages(ctx, page.UID)
	if err != nil {
		return nil, false, err
	}
	if len(uids) > 0 && !subpages {
		w.complain("", fmt.Sprintf("the page has subpages (%d)", len(uids)))
		return nil, false, nil
	}
	var all []Record
	pages := []Record{page}
	for _, uid := range uids {
		sub, err := w.live(ctx, Ref{Pages, uid})
		if err != nil {
			return nil, false, err
		}
		if ok, err := w.mayDelete(ctx, sub, BitDelete); err != nil || !ok {
			return nil, false, err
		}
		pages = append(pages, sub)
		all = append(all, sub)
	}
	for _, p := range pages {
		translations, ok, err := w.doomedTranslations(ctx, p, BitDelete)
		if err != nil || !ok {
			return nil, false, err
		}
		records, ok, err := w.doomedRecords(ctx, p)
		if err != nil || !ok {
			return nil, false, err
		}
		all = append(append(all, translations...), records...)
	}
	return all, true, nil
}

// doomedRecords lists the records that lie on a page. The right to delete the
// page covers the page bits, not tables, languages and values.
func (w *write) doomedRecords(ctx context.Context, page Record) ([]Record, bool, error) {
	records, err := collect(ctx, w.tx, scanRecords, sqlAnythingOnPage, page.UID)
	if err != nil {
		return nil, false, fmt.Errorf("read records on page %d: %w", page.UID, err)
	}
	for _, rec := range records {
		if !w.MayEditRecord(w.user, rec) {
			w.complain("", "something on the page may not be deleted")
			return nil, false, nil
		}
	}
	return records, true, nil
}

func (w *write) mayDelete(ctx context.Context, rec Record, bit Bits) (bool, error) {
	ok, err := w.mayWrite(ctx, rec, bit)
	if err == nil && !ok {
		w.complain("", "a subpage or a translation may not be deleted")
	}
	return ok && err == nil, err
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
	for _, row := range rows {
		noted := row
		noted.Version++
		if _, err := w.note(ctx, Restore, noted, nil); err != nil {
			return err
		}
		if err := w.store(ctx, Restore, row, row, 0); err != nil {
			return err
		}
	}
	return w.recount(ctx, rec.Table, rows)
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
	if rec.Table == FileReferences {
		needs = append(needs, Ref{rec.Text(ColumnOwnerTable), rec.Int(ColumnOwner)}, Ref{Files, rec.Int(ColumnFile)})
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
