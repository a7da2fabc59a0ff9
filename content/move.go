package content

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// move puts a row on another page or at another place. Nothing is written where
// it stands there already, with every column as wanted.
func (w *write) move(ctx context.Context, t *Table, c Change) error {
	if ok := w.movable(t); !ok {
		return nil
	}
	bit := BitContent
	if t.Name == Pages {
		bit = BitShow // which one it takes depends on where it goes: see mayMove
	}
	old, ok, err := w.target(ctx, c, bit)
	if err != nil || !ok {
		return err
	}
	to, ok, err := w.destination(ctx, t, c)
	if err != nil || !ok {
		return err
	}
	if ok, err := w.mayMove(ctx, t, old, to); err != nil || !ok {
		return err
	}
	fields, ok := w.fields(t, c)
	if !ok || !w.mayChange(old, fields) {
		return nil
	}
	rec := old
	rec.PID = to
	rec.Fields = maps.Clone(old.Fields)
	maps.Copy(rec.Fields, fields)
	if ok, err := w.mayStandThere(ctx, old, rec); err != nil || !ok {
		return err
	}
	standing, err := w.standing(ctx, old, rec, c.After)
	if err != nil {
		return err
	}
	if standing && len(changes(old, rec)) == 0 {
		w.out.Versions[old.Ref()] = old.Version
		return nil
	}
	if !standing {
		if rec.Sorting, err = w.sorting(ctx, rec, c.After); err != nil || rec.Sorting == 0 {
			return err
		}
	}
	if len(changes(old, rec)) == 0 { // the number found for the place is the one it has
		w.out.Versions[old.Ref()] = old.Version
	} else if err := w.store(ctx, Move, old, rec, 0); err != nil {
		return err
	}
	return w.follow(ctx, old, rec, standing)
}

// movable complains about tables whose records have no place of their own.
func (w *write) movable(t *Table) bool {
	switch {
	case t.Name == Files, t.Name == FileMetadata, t.Name == FileReferences, t.RootLevel:
		w.complain("", "records of this table have no place of their own")
	case t.Owner != nil:
		w.complain("", "the record goes where the one goes that it belongs to")
	default:
		return true
	}
	return false
}

// destination returns the page that a row goes to.
func (w *write) destination(ctx context.Context, t *Table, c Change) (int64, bool, error) {
	to := c.PID
	if c.ParentKey != "" {
		var ok bool
		if to, ok = w.resolve(c.ParentKey); !ok {
			return 0, false, nil
		}
	}
	if to == 0 && t.Name == Pages {
		return 0, true, nil
	}
	page, err := w.live(ctx, Ref{Pages, to})
	switch {
	case errors.Is(err, ErrNotFound):
		w.complain("", neutral)
	case err != nil:
		return 0, false, err
	case page.Origin > 0:
		w.complain("", "records lie on the page in the default language, not on its translation")
	default:
		return to, true, nil
	}
	return 0, false, nil
}

// mayMove asks for the bits of the pages that a row leaves and comes to.
func (w *write) mayMove(ctx context.Context, t *Table, rec Record, to int64) (bool, error) {
	if isAdmin(w.user) {
		return true, nil
	}
	asked := []struct {
		page int64
		bit  Bits
	}{{to, BitContent}}
	switch {
	case t.Name == Pages && to == rec.PID:
		asked[0].page, asked[0].bit = rec.UID, BitEdit
	case t.Name == Pages:
		asked[0].bit = BitNew
		asked = append(asked, struct {
			page int64
			bit  Bits
		}{rec.UID, BitDelete})
	}
	for _, a := range asked {
		if ok, err := w.MayOnPage(ctx, w.user, a.page, a.bit); err != nil || !ok {
			if err == nil {
				w.complain("", neutral)
			}
			return false, err
		}
	}
	return true, nil
}

// mayStandThere complains about a place that would break the tree or part a
// translation from its original.
func (w *write) mayStandThere(ctx context.Context, old, rec Record) (bool, error) {
	switch {
	case old.Origin != 0 && (old.Table == Pages || old.PID != rec.PID):
		w.complain("", "a translation goes where the record in the default language goes")
		return false, nil
	case old.Table != Pages || old.PID == rec.PID:
		return true, nil
	}
	line, err := w.Rootline(ctx, rec.PID)
	if err != nil {
		if errors.Is(err, ErrNotFound) {
			w.complain("", neutral)
			return false, nil
		}
		return false, err
	}
	if slices.ContainsFunc(line, func(p Record) bool { return p.UID == rec.UID }) {
		w.complain("", "a page cannot be moved below itself")
		return false, nil
	}
	depths, err := collect(ctx, w.tx, func(rows *sql.Rows) (int, error) {
		var uid int64
		var depth int
		err := rows.Scan(&uid, &depth)
		return depth, err
	}, sqlBranch, rec.UID, MaxRootline)
	if err != nil {
		return false, fmt.Errorf("read branch of page %d: %w", rec.UID, err)
	}
	if len(line)+1+slices.Max(append(depths, 0)) > MaxRootline {
		w.complain("", fmt.Sprintf("the branch would be more than %d levels deep", MaxRootline))
		return false, nil
	}
	return true, nil
}

// standing reports whether a row stands already where it is to go: on that page,
// behind that row, with nothing of its own language and column in between.
func (w *write) standing(ctx context.Context, old, rec Record, after int64) (bool, error) {
	t, _ := w.schema.Table(rec.Table)
	if old.PID != rec.PID || !besides(old, rec) {
		return false, nil
	}
	if !t.Sorted {
		return true, nil
	}
	all, err := w.OnPage(ctx, rec.Table, rec.PID)
	if err != nil {
		return false, err
	}
	at := slices.IndexFunc(all, func(o Record) bool { return o.UID == rec.UID })
	from, to := 0, at
	switch after {
	case 0:
	case Last:
		from, to = at+1, len(all)
	default:
		from = 1 + slices.IndexFunc(all, func(o Record) bool { return o.UID == after })
		if from == 0 || from > at {
			return false, nil
		}
	}
	return !slices.ContainsFunc(all[from:to], func(o Record) bool { return besides(o, rec) }), nil
}

// follow takes along what goes where a row went: translations to the same page,
// those of content elements to the same place, and on another page everything
// that belongs to them.
func (w *write) follow(ctx context.Context, old, rec Record, standing bool) error {
	d, err := w.sharing(ctx, rec.Ref())
	if err != nil {
		return err
	}
	if err := w.addBelonging(ctx, &d); err != nil {
		return err
	}
	last := rec.UID
	for _, t := range d.Translations {
		if err := w.followTranslation(ctx, t.Ref(), rec, &last, standing); err != nil {
			return err
		}
	}
	if rec.Table == Pages || old.PID == rec.PID {
		return nil
	}
	for _, r := range slices.Concat(d.Owned, d.References) {
		if !w.MayEditRecord(w.user, r) {
			w.complain("", "something that belongs to the record may not be moved")
			return nil
		}
		moved := r
		moved.PID = rec.PID
		if err := w.store(ctx, Move, r, moved, 0); err != nil {
			return err
		}
	}
	return nil
}

// followTranslation moves a translation behind its original. It is read anew:
// finding a place may have renumbered it.
func (w *write) followTranslation(ctx context.Context, ref Ref, to Record, last *int64, standing bool) error {
	old, err := w.live(ctx, ref)
	if err != nil {
		return err
	}
	if !w.MayEditRecord(w.user, old) {
		w.complain("", "a translation may not be moved")
		return nil
	}
	rec := old
	rec.PID = to.PID
	rec.Fields = maps.Clone(old.Fields)
	if to.Table == Elements {
		if position, set := to.Fields[ColumnPosition]; set {
			rec.Fields[ColumnPosition] = position
		}
	}
	if to.Table != Pages && !standing {
		if rec.Sorting, err = w.sorting(ctx, rec, *last); err != nil || rec.Sorting == 0 {
			return err
		}
		*last = rec.UID
	}
	if len(changes(old, rec)) == 0 {
		return nil
	}
	return w.store(ctx, Move, old, rec, 0)
}
