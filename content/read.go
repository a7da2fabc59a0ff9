package content

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/imprimatur-dev/imprimatur"
)

//go:embed record.sql
var recordSQL string

var (
	sqlRecord         = statement(recordSQL, "get")
	sqlOnPage         = statement(recordSQL, "on page")
	sqlAll            = statement(recordSQL, "all")
	sqlTranslations   = statement(recordSQL, "translations")
	sqlAnythingOnPage = statement(recordSQL, "anything on page")
	sqlOfDeletion     = statement(recordSQL, "of deletion")
)

// reads are the questions that can be asked of the reader or, inside a write,
// of its transaction. Methods with a user answer ErrNotFound for what that user
// may not see; those without are for plans that have asked already.
type reads struct {
	q        querier
	schema   *Schema
	storages imprimatur.Set
}

// scanner is a row or the current one of several.
type scanner interface{ Scan(dest ...any) error }

func scanRecord(s scanner) (Record, error) {
	var r Record
	var created, changed, deleted int64
	var fields string
	err := s.Scan(&r.Table, &r.UID, &r.PID, &r.Version, &r.Sorting, &r.Language, &r.Origin, &deleted,
		&created, &changed, &r.By, &fields)
	if err != nil {
		return Record{}, err
	}
	r.deletion, r.Deleted = deleted, deleted != 0
	r.Created, r.Changed = time.UnixMilli(created).UTC(), time.UnixMilli(changed).UTC()
	if r.Fields, err = decodeFields(fields); err != nil {
		return Record{}, fmt.Errorf("read fields of %s: %w", r.Ref(), err)
	}
	return r, nil
}

func scanRecords(rows *sql.Rows) (Record, error) { return scanRecord(rows) }

// decodeFields reads what encodeFields wrote: text and whole numbers.
func decodeFields(text string) (map[string]any, error) {
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.UseNumber()
	var fields map[string]any
	if err := d.Decode(&fields); err != nil {
		return nil, err
	}
	for name, value := range fields {
		if n, ok := value.(json.Number); ok {
			whole, err := n.Int64()
			if err != nil {
				return nil, err
			}
			fields[name] = whole
		}
	}
	return fields, nil
}

// row returns a row whatever its state; ErrNotFound if it was never there.
func (r reads) row(ctx context.Context, ref Ref) (Record, error) {
	rec, err := scanRecord(r.q.QueryRowContext(ctx, sqlRecord, ref.Table, ref.UID))
	if errors.Is(err, sql.ErrNoRows) {
		return Record{}, ErrNotFound
	}
	if err != nil {
		return Record{}, fmt.Errorf("read %s: %w", ref, err)
	}
	return rec, nil
}

// live returns a row that is not deleted.
func (r reads) live(ctx context.Context, ref Ref) (Record, error) {
	rec, err := r.row(ctx, ref)
	if err == nil && rec.Deleted {
		return Record{}, ErrNotFound
	}
	return rec, err
}

// Row returns a live row. It asks nothing about a user.
func (r reads) Row(ctx context.Context, ref Ref) (Record, error) { return r.live(ctx, ref) }

// Record returns a row that the user may read.
func (r reads) Record(ctx context.Context, u imprimatur.User, table string, uid int64) (Record, error) {
	if table == Languages {
		return r.languageRecord(ctx, u, uid)
	}
	if _, known := r.schema.Table(table); !known {
		return Record{}, ErrNotFound
	}
	rec, err := r.live(ctx, Ref{table, uid})
	if err != nil {
		return Record{}, err
	}
	ok, err := r.MayRead(ctx, u, rec)
	if err != nil {
		return Record{}, err
	}
	if !ok {
		return Record{}, ErrNotFound
	}
	return rec, nil
}

// Page returns a page, or a translation of one, that the user may see.
func (r reads) Page(ctx context.Context, u imprimatur.User, uid int64) (Record, error) {
	return r.Record(ctx, u, Pages, uid)
}

// Elements returns the content elements of a page in one language, by column
// and sorting, hidden ones included. Elements for all languages come along. It
// answers ErrNotFound for a page or language that the user may not see.
func (r reads) Elements(ctx context.Context, u imprimatur.User, page, language int64) ([]Record, error) {
	if _, err := r.Page(ctx, u, page); err != nil {
		return nil, err
	}
	if !MaySelect(u, Elements) || !MayUseLanguage(u, language) {
		return nil, ErrNotFound
	}
	all, err := collect(ctx, r.q, scanRecords, sqlOnPage, Elements, page)
	if err != nil {
		return nil, fmt.Errorf("read elements of page %d: %w", page, err)
	}
	all = slices.DeleteFunc(all, func(e Record) bool { return e.Language != language && e.Language != -1 })
	slices.SortStableFunc(all, func(a, b Record) int {
		return cmp.Or(cmp.Compare(a.Int(ColumnPosition), b.Int(ColumnPosition)),
			cmp.Compare(a.Sorting, b.Sorting), cmp.Compare(a.UID, b.UID))
	})
	return all, nil
}

// OnPage returns the live records of a table that lie on a page, by sorting. It
// asks nothing about a user.
func (r reads) OnPage(ctx context.Context, table string, page int64) ([]Record, error) {
	all, err := collect(ctx, r.q, scanRecords, sqlOnPage, table, page)
	if err != nil {
		return nil, fmt.Errorf("read %s on page %d: %w", table, page, err)
	}
	return all, nil
}

// All returns the live records of a table by uid. It asks nothing about a user.
func (r reads) All(ctx context.Context, table string) ([]Record, error) {
	all, err := collect(ctx, r.q, scanRecords, sqlAll, table)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", table, err)
	}
	return all, nil
}

// Translations returns the live translations of a default-language record, by
// language. It asks nothing about a user.
func (r reads) Translations(ctx context.Context, of Ref) ([]Record, error) {
	all, err := collect(ctx, r.q, scanRecords, sqlTranslations, of.Table, of.UID)
	if err != nil {
		return nil, fmt.Errorf("read translations of %s: %w", of, err)
	}
	return all, nil
}
