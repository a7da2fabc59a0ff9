package content

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/imprimatur-dev/imprimatur"
)

var (
	sqlLock       = statement(recordSQL, "lock")
	sqlInsert     = statement(recordSQL, "insert")
	sqlUpdate     = statement(recordSQL, "update")
	sqlTaken      = statement(recordSQL, "taken")
	sqlAllocate   = statement(recordSQL, "allocate")
	sqlRaiseUID   = statement(recordSQL, "raise uid")
	sqlSlug       = statement(recordSQL, "slug")
	sqlOrder      = statement(recordSQL, "order")
	sqlSetSorting = statement(recordSQL, "set sorting")
)

// maxComplaints is how many complaints are collected before a change set is
// given up.
const maxComplaints = 50

// neutral is the complaint about a row that is missing, deleted or forbidden.
const neutral = "not found or not permitted"

// errRefused rolls back a change set that has complaints.
var errRefused = errors.New("the change set has complaints")

// Apply carries out a change set as a user: all of it in one transaction, or
// nothing. Rights are checked inside that transaction, whatever was checked
// before.
//
// What the user may not do, what the schema forbids and what does not exist
// comes back as complaints, and nothing was written. Columns that the user
// holds no field grant for are left out without a word, so whoever needs to
// know reads back. imprimatur.ErrMoved answers a row whose version is none of
// the expected ones, before any effect. Inside of Write, a change set is part of
// that transaction.
func (r *Repository) Apply(ctx context.Context, u imprimatur.User, set ChangeSet) (Outcome, error) {
	var out Outcome
	err := r.write(ctx, func(ctx context.Context, tx *sql.Tx, now int64) error {
		w := &write{
			reads: r.within(tx), tx: tx, now: now, user: u, hook: r.hook,
			out: Outcome{IDs: map[string]int64{}, Versions: Versions{}},
		}
		if err := w.indexed(ctx); err != nil {
			return err
		}
		if err := w.expect(ctx, set.Expect, set.Own); err != nil {
			return err
		}
		for i, c := range set.Changes {
			w.index, w.change = i, c
			if err := w.carryOut(ctx, c); err != nil {
				return fmt.Errorf("change %d: %w", i, err)
			}
			if len(w.out.Complaints) >= maxComplaints {
				break
			}
		}
		out = w.out
		if len(out.Complaints) > 0 {
			return errRefused
		}
		return nil
	})
	if errors.Is(err, errRefused) {
		return Outcome{Complaints: out.Complaints}, nil
	}
	if err != nil {
		return Outcome{}, err
	}
	return out, nil
}

// write is one change set under way. Everything it reads it reads through its
// transaction.
type write struct {
	reads
	tx     *sql.Tx
	now    int64
	user   imprimatur.User
	hook   Hook
	index  int
	keyed  int // 1 + the index of the last change whose key was given out
	change Change
	out    Outcome
}

// expect compares the versions of rows, in a fixed order, and keeps the rows as
// they are until the transaction ends.
func (w *write) expect(ctx context.Context, expected Versions, own []Versions) error {
	refs := slices.SortedFunc(maps.Keys(expected), func(a, b Ref) int {
		return cmp.Or(cmp.Compare(a.Table, b.Table), cmp.Compare(a.UID, b.UID))
	})
	for _, ref := range refs {
		current, err := w.lock(ctx, ref)
		if err != nil {
			return err
		}
		ok := current == expected[ref]
		for _, left := range own {
			version, wrote := left[ref]
			ok = ok || wrote && version == current
		}
		if !ok {
			return fmt.Errorf("compare versions of %s: %w", ref, imprimatur.ErrMoved)
		}
	}
	return nil
}

// lock returns the version of a row, 0 for one that is missing or deleted.
func (w *write) lock(ctx context.Context, ref Ref) (int64, error) {
	var version, deleted int64
	err := w.tx.QueryRowContext(ctx, sqlLock, ref.Table, ref.UID).Scan(&version, &deleted)
	if errors.Is(err, sql.ErrNoRows) || err == nil && deleted != 0 {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("lock %s: %w", ref, err)
	}
	return version, nil
}

// carryOut does one change, or complains about it.
func (w *write) carryOut(ctx context.Context, c Change) error {
	t, ok := w.schema.Table(c.Table)
	if !ok || c.Table == Languages {
		w.complain("", "there is no table of this name to write to")
		return nil
	}
	switch c.Op {
	case Create:
		switch {
		case c.Workspace != 0 || c.DraftOf != 0:
			return w.draft(ctx, t, c)
		case c.Table == FileReferences:
			return w.attach(ctx, t, c)
		}
		return w.create(ctx, t, c)
	case Update:
		return w.update(ctx, t, c)
	case Delete:
		return w.delete(ctx, c)
	case Restore:
		return w.restore(ctx, c)
	case Move:
		return w.move(ctx, t, c)
	case Copy:
		return w.copy(ctx, t, c)
	case Localize:
		return w.localize(ctx, t, c)
	default:
		w.complain("", "there is no operation of this name")
		return nil
	}
}

// complain notes why the change at hand cannot be carried out.
func (w *write) complain(field, text string) {
	w.out.Complaints = append(w.out.Complaints, Complaint{
		Change: w.index, Table: w.change.Table, UID: w.change.UID, Field: field, Text: text,
	})
}

// allocate returns the first of n numbers that nobody else gets.
func (w *write) allocate(ctx context.Context, name string, n int64) (int64, error) {
	var last int64
	if err := w.tx.QueryRowContext(ctx, sqlAllocate, name, n).Scan(&last); err != nil {
		return 0, fmt.Errorf("allocate a number for %s: %w", name, err)
	}
	return last - n + 1, nil
}

// uid returns the uid of a row to be created: the one that was asked for, else
// the next. 0 means a complaint.
func (w *write) uid(ctx context.Context, c Change) (int64, error) {
	if c.UID == 0 {
		return w.allocate(ctx, c.Table, 1)
	}
	if c.UID < 0 || !isAdmin(w.user) {
		w.complain("", "the number of a new record cannot be chosen")
		return 0, nil
	}
	var taken int64
	if err := w.tx.QueryRowContext(ctx, sqlTaken, c.Table, c.UID).Scan(&taken); err != nil {
		return 0, fmt.Errorf("look for %s: %w", Ref{c.Table, c.UID}, err)
	}
	if taken > 0 {
		w.complain("", "there is a record with this number already")
		return 0, nil
	}
	if _, err := w.tx.ExecContext(ctx, sqlRaiseUID, c.Table, c.UID); err != nil {
		return 0, fmt.Errorf("raise the numbers of %s: %w", c.Table, err)
	}
	return c.UID, nil
}

// created notes a new row in the outcome. Of the rows of one change, the first
// has its key.
func (w *write) created(ref Ref, key string) {
	w.out.Versions[ref] = 1
	w.out.Created = append(w.out.Created, ref)
	if key != "" && w.keyed != w.index+1 {
		w.out.IDs[key], w.keyed = ref.UID, w.index+1
	}
}

// insert stores a new row, its history and what it is found by.
func (w *write) insert(ctx context.Context, op Op, rec Record) error {
	if w.hook != nil {
		w.hook(op, rec.Ref(), Record{}, rec.Fields)
	}
	fields, err := encodeFields(rec.Fields)
	if err != nil {
		return fmt.Errorf("encode %s: %w", rec.Ref(), err)
	}
	_, err = w.tx.ExecContext(ctx, sqlInsert, rec.Table, rec.UID, rec.PID, rec.Sorting, rec.Language, rec.Origin,
		w.slugOf(rec), w.now, w.now, w.user.ID, fields)
	if err != nil {
		return fmt.Errorf("insert %s: %w", rec.Ref(), err)
	}
	rec.Version = 1
	w.created(rec.Ref(), w.change.Key)
	if _, err := w.note(ctx, op, rec, nil); err != nil {
		return err
	}
	if err := indexLinks(ctx, w.tx, w.schema, rec); err != nil {
		return err
	}
	switch rec.Table {
	case FileReferences:
		_, err = w.tx.ExecContext(ctx, sqlInsertReference, rec.UID, rec.Text(ColumnOwnerTable), rec.Int(ColumnOwner),
			rec.Text(ColumnOwnerField), rec.Int(ColumnFile))
	case FileMetadata:
		_, err = w.tx.ExecContext(ctx, sqlInsertMetadata, rec.UID, rec.Int(ColumnFile))
	case Files:
		err = indexFile(ctx, w.tx, rec)
	}
	if err != nil {
		return fmt.Errorf("index %s: %w", rec.Ref(), err)
	}
	return nil
}

// store writes a row that was read in this transaction, with its history.
// Nobody may have written it in between.
func (w *write) store(ctx context.Context, op Op, old, rec Record, deletion int64) error {
	if w.hook != nil {
		w.hook(op, rec.Ref(), old, rec.Fields)
	}
	fields, err := encodeFields(rec.Fields)
	if err != nil {
		return fmt.Errorf("encode %s: %w", rec.Ref(), err)
	}
	res, err := w.tx.ExecContext(ctx, sqlUpdate, rec.PID, rec.Sorting, deletion, w.slugOf(rec), w.now, w.user.ID, fields,
		rec.Table, rec.UID, old.Version)
	if err != nil {
		return fmt.Errorf("update %s: %w", rec.Ref(), err)
	}
	if n, err := res.RowsAffected(); err != nil || n != 1 {
		return errors.Join(fmt.Errorf("update %s: %w", rec.Ref(), imprimatur.ErrMoved), err)
	}
	rec.Version = old.Version + 1
	w.out.Versions[rec.Ref()] = rec.Version
	if deletion != 0 {
		w.out.Versions[rec.Ref()] = 0
	}
	if err := reindexLinks(ctx, w.tx, w.schema, old, rec); err != nil {
		return err
	}
	if op == Delete || op == Restore {
		return nil // noted by whoever gave the number
	}
	_, err = w.note(ctx, op, rec, changes(old, rec))
	return err
}

// fieldChange is what happened to one field.
type fieldChange struct {
	name     string
	old, new any
}

// changes lists what differs: page and place, then the fields by name.
func changes(old, rec Record) []fieldChange {
	var all []fieldChange
	if old.PID != rec.PID {
		all = append(all, fieldChange{"pid", old.PID, rec.PID})
	}
	if old.Sorting != rec.Sorting {
		all = append(all, fieldChange{"sorting", old.Sorting, rec.Sorting})
	}
	names := map[string]bool{}
	for _, fields := range []map[string]any{old.Fields, rec.Fields} {
		for name := range fields {
			names[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if old.Fields[name] != rec.Fields[name] {
			all = append(all, fieldChange{name, old.Fields[name], rec.Fields[name]})
		}
	}
	return all
}

// note writes history: an entry for each field, or one without a field, whose
// number it returns.
func (w *write) note(ctx context.Context, op Op, rec Record, fields []fieldChange) (int64, error) {
	if fields == nil {
		fields = []fieldChange{{}}
	}
	first, err := w.allocate(ctx, "history", int64(len(fields)))
	if err != nil {
		return 0, err
	}
	for i, f := range fields {
		_, err := w.tx.ExecContext(ctx, sqlInsertHistory, first+int64(i), w.now, w.user.ID, w.user.Name, string(op),
			rec.Table, rec.UID, rec.Version, f.name, orNull(f.old), orNull(f.new))
		if err != nil {
			return 0, fmt.Errorf("note history of %s: %w", rec.Ref(), err)
		}
	}
	return first, nil
}

func orNull(v any) any {
	if v == nil {
		return nil
	}
	return asText(v)
}
