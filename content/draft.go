package content

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
)

//go:embed draft.sql
var draftSQL string

var (
	sqlDraftsOf     = statement(draftSQL, "of row")
	sqlDraftsOnPage = statement(draftSQL, "on page")
	sqlMakeDraft    = statement(draftSQL, "make")
)

// Drafts counts the rows of draft workspaces that are versions of these rows or
// lie on these pages. It asks nothing about a user.
func (r reads) Drafts(ctx context.Context, of []Ref) (int, error) {
	found := map[Ref]bool{}
	for _, ref := range of {
		uids, err := collect(ctx, r.q, func(rows *sql.Rows) (int64, error) {
			var uid int64
			err := rows.Scan(&uid)
			return uid, err
		}, sqlDraftsOf, ref.Table, ref.UID)
		if err != nil {
			return 0, fmt.Errorf("count drafts of %s: %w", ref, err)
		}
		for _, uid := range uids {
			found[Ref{ref.Table, uid}] = true
		}
		if ref.Table != Pages {
			continue
		}
		lying, err := collect(ctx, r.q, scanRef, sqlDraftsOnPage, ref.UID)
		if err != nil {
			return 0, fmt.Errorf("count drafts on %s: %w", ref, err)
		}
		for _, draft := range lying {
			found[draft] = true
		}
	}
	return len(found), nil
}

// draft stores a row of a draft workspace: a version of a live row, or one that
// is new there. No other change ever writes to it.
func (w *write) draft(ctx context.Context, t *Table, c Change) error {
	if !isAdmin(w.user) || c.Workspace < 0 || c.DraftOf < 0 || c.Workspace == 0 {
		w.complain("", "drafts are written by administrators, in a workspace above 0")
		return nil
	}
	switch t.Name {
	case Files, FileMetadata, FileReferences:
		w.complain("", "files have no drafts")
		return nil
	}
	rec := Record{Table: t.Name, PID: c.PID, Language: c.Language, Origin: c.Origin, Sorting: step}
	if c.DraftOf > 0 {
		live, err := w.live(ctx, Ref{t.Name, c.DraftOf})
		if errors.Is(err, ErrNotFound) {
			w.complain("", neutral)
			return nil
		}
		if err != nil {
			return err
		}
		rec = live
	}
	var ok bool
	if rec.Fields, ok = w.fields(t, c); !ok {
		return nil
	}
	var err error
	if rec.UID, err = w.uid(ctx, c); err != nil || rec.UID == 0 {
		return err
	}
	fields, err := encodeFields(rec.Fields)
	if err != nil {
		return fmt.Errorf("encode %s: %w", rec.Ref(), err)
	}
	_, err = w.tx.ExecContext(ctx, sqlInsert, rec.Table, rec.UID, rec.PID, rec.Sorting, rec.Language, rec.Origin,
		"", w.now, w.now, w.user.ID, fields)
	if err == nil {
		_, err = w.tx.ExecContext(ctx, sqlMakeDraft, c.Workspace, c.DraftOf, rec.Table, rec.UID)
	}
	if err != nil {
		return fmt.Errorf("insert %s: %w", rec.Ref(), err)
	}
	w.created(rec.Ref(), c.Key)
	rec.Version = 1
	_, err = w.note(ctx, Create, rec, nil)
	return err
}
