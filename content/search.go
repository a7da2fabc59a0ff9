package content

import (
	"context"
	_ "embed"
	"errors"
	"fmt"

	"github.com/imprimatur-dev/imprimatur"
)

//go:embed search.sql
var searchSQL string

var (
	sqlBatch          = statement(searchSQL, "batch")
	sqlBatchOnPage    = statement(searchSQL, "batch on page")
	sqlBySlug         = statement(searchSQL, "by slug")
	sqlHistoryOfField = statement(searchSQL, "history of field")
)

// Batch returns the next live records of a table behind a uid, by uid, at most
// limit. Whoever goes through a table asks again with the last uid, and says
// how far that may go. It asks nothing about a user.
func (r reads) Batch(ctx context.Context, table string, after int64, limit int) ([]Record, error) {
	all, err := collect(ctx, r.q, scanRecords, sqlBatch, table, after, limit)
	if err != nil {
		return nil, fmt.Errorf("read %s after %d: %w", table, after, err)
	}
	return all, nil
}

// BatchOnPage is Batch for the records that lie on a page, by sorting and uid,
// behind one of them; the zero Record is before the first.
func (r reads) BatchOnPage(ctx context.Context, table string, page int64, after Record, limit int) ([]Record, error) {
	sorting := after.Sorting
	if after.UID == 0 {
		sorting = minSorting
	}
	all, err := collect(ctx, r.q, scanRecords, sqlBatchOnPage, table, page, sorting, sorting, after.UID, limit)
	if err != nil {
		return nil, fmt.Errorf("read %s on page %d: %w", table, page, err)
	}
	return all, nil
}

// minSorting is before every place among the records of a page.
const minSorting = -1 << 62

// BySlug returns the live pages of a language with this path, by uid, at most
// limit: every website may have one. It asks nothing about a user.
func (r reads) BySlug(ctx context.Context, slug string, language int64, limit int) ([]Record, error) {
	all, err := collect(ctx, r.q, scanRecords, sqlBySlug, slug, language, limit)
	if err != nil {
		return nil, fmt.Errorf("find pages by their path: %w", err)
	}
	return all, nil
}

// HistoryOf is History for one field of a row.
func (r reads) HistoryOf(ctx context.Context, of Ref, field string, limit int) ([]Entry, error) {
	entries, err := collect(ctx, r.q, scanEntry, sqlHistoryOfField, of.Table, of.UID, field, limit)
	if err != nil {
		return nil, fmt.Errorf("read history of %s: %w", of, err)
	}
	return entries, nil
}

// Sight answers for one user, within one call of a tool, which records come
// into view. It remembers what it asked about a page and about a record that
// others belong to, so that many records of one page cost one question.
type Sight struct {
	r     reads
	user  imprimatur.User
	may   map[place]bool
	shown map[Ref]bool // pages, and what others belong to
}

// place is what the right to read a record, or to change it, depends on.
type place struct {
	table          string
	page, language int64
	edit           bool
}

// Sight begins to answer for a user.
func (r reads) Sight(u imprimatur.User) *Sight {
	return &Sight{r, u, map[place]bool{}, map[Ref]bool{}}
}

// Shows reports whether a record comes into view: the user may read it and,
// where it or what it translates is hidden, may change it. What is hidden is
// there for those who work on it. Nor does anything come into view without the
// page that it lies on and the record that it belongs to.
func (s *Sight) Shows(ctx context.Context, rec Record) (bool, error) {
	ok, err := s.mayRead(ctx, rec)
	if err != nil || !ok {
		return false, err
	}
	hidden, err := s.hidden(ctx, rec)
	if err != nil {
		return false, err
	}
	if hidden {
		if ok, err := s.MayEdit(ctx, rec); err != nil || !ok {
			return false, err
		}
	}
	for _, ref := range s.under(rec) {
		if ok, err := s.showsRef(ctx, ref); err != nil || !ok {
			return false, err
		}
	}
	return true, nil
}

// hidden reports whether a record is hidden, or what it is a translation of is
// hidden or gone.
func (s *Sight) hidden(ctx context.Context, rec Record) (bool, error) {
	t, ok := s.r.schema.Table(rec.Table)
	if !ok || rec.Hidden() || t.Hides(rec) {
		return true, nil
	}
	if rec.Origin == 0 || t.HiddenField == "" {
		return false, nil
	}
	origin, err := s.r.live(ctx, Ref{rec.Table, rec.Origin})
	if errors.Is(err, ErrNotFound) {
		return true, nil
	}
	return err == nil && (origin.Hidden() || t.Hides(origin)), err
}

// Hides reports whether the column that hides the records of a table hides this
// one.
func (t *Table) Hides(rec Record) bool { return t.HiddenField != "" && rec.Int(t.HiddenField) != 0 }

// under are the records without which a record does not come into view.
func (s *Sight) under(rec Record) []Ref {
	switch rec.Table {
	case Pages, Files, FileMetadata, Storages:
		return nil
	case FileReferences:
		return []Ref{{rec.Text(ColumnOwnerTable), rec.Int(ColumnOwner)}}
	}
	var all []Ref
	if rec.PID > 0 {
		all = append(all, Ref{Pages, rec.PID})
	}
	if t, ok := s.r.schema.Table(rec.Table); ok && t.Owner != nil {
		if owner := rec.Int(t.Owner.Column); owner != 0 {
			all = append(all, Ref{t.Owner.Table, owner})
		}
	}
	return all
}

// showsRef is Shows for a record by its name, remembered. What is gone does not
// come into view, nor what belongs to itself by a detour.
func (s *Sight) showsRef(ctx context.Context, ref Ref) (bool, error) {
	if ok, known := s.shown[ref]; known {
		return ok, nil
	}
	s.shown[ref] = false
	rec, err := s.r.live(ctx, ref)
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	ok := false
	if err == nil {
		ok, err = s.Shows(ctx, rec)
	}
	if err != nil {
		delete(s.shown, ref)
		return false, err
	}
	s.shown[ref] = ok
	return ok, nil
}

func (s *Sight) mayRead(ctx context.Context, rec Record) (bool, error) {
	at := place{table: rec.Table, page: rec.PID, language: rec.Language}
	switch rec.Table {
	case Pages:
		at.page = rec.UID
	case Files, FileMetadata, FileReferences, Storages: // these do not depend on a page alone
		return s.r.MayRead(ctx, s.user, rec)
	}
	return s.remember(at, func() (bool, error) { return s.r.MayRead(ctx, s.user, rec) })
}

// MayEdit reports whether the user may change a record, where it lies.
func (s *Sight) MayEdit(ctx context.Context, rec Record) (bool, error) {
	if !s.r.MayEditRecord(s.user, rec) {
		return false, nil
	}
	at, bit := place{table: rec.Table, page: rec.PID, edit: true}, BitContent
	if rec.Table == Pages {
		at.page, bit = rec.UID, BitEdit
	}
	return s.remember(at, func() (bool, error) { return s.r.MayOnPage(ctx, s.user, at.page, bit) })
}

func (s *Sight) remember(at place, ask func() (bool, error)) (bool, error) {
	if ok, known := s.may[at]; known {
		return ok, nil
	}
	ok, err := ask()
	if err == nil {
		s.may[at] = ok
	}
	return ok, err
}
