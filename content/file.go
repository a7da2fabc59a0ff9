package content

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"

	"github.com/imprimatur-dev/imprimatur"
)

//go:embed reference.sql
var referenceSQL string

var (
	sqlReferencesOfField  = statement(referenceSQL, "of field")
	sqlReferencesOfRecord = statement(referenceSQL, "of record")
	sqlReferencesToFile   = statement(referenceSQL, "to file")
	sqlInsertReference    = statement(referenceSQL, "insert")
	sqlMetadata           = statement(referenceSQL, "metadata")
	sqlInsertMetadata     = statement(referenceSQL, "insert metadata")
	sqlFileAt             = statement(referenceSQL, "file at")
)

// File returns a file that the user may read.
func (r reads) File(ctx context.Context, u imprimatur.User, uid int64) (Record, error) {
	return r.Record(ctx, u, Files, uid)
}

// FileAt returns the live file at a place in a storage. It asks nothing about a
// user.
func (r reads) FileAt(ctx context.Context, storage, identifier string) (Record, error) {
	var uid int64
	err := r.q.QueryRowContext(ctx, sqlFileAt, storage, identifier).Scan(&uid)
	if errors.Is(err, sql.ErrNoRows) {
		return Record{}, ErrNotFound
	}
	if err != nil {
		return Record{}, fmt.Errorf("find file: %w", err)
	}
	return r.live(ctx, Ref{Files, uid})
}

// Metadata returns what describes a file in a language; ErrNotFound where
// nothing does. It asks nothing about a user.
func (r reads) Metadata(ctx context.Context, file, language int64) (Record, error) {
	all, err := collect(ctx, r.q, scanRecords, sqlMetadata, file)
	if err != nil {
		return Record{}, fmt.Errorf("read metadata of file %d: %w", file, err)
	}
	for _, m := range all {
		if m.Language == language {
			return m, nil
		}
	}
	return Record{}, ErrNotFound
}

// References returns the live references in a file field of a record, in their
// order. It asks nothing about a user.
func (r reads) References(ctx context.Context, of Ref, field string) ([]Record, error) {
	refs, err := collect(ctx, r.q, scanRecords, sqlReferencesOfField, of.Table, of.UID, field)
	if err != nil {
		return nil, fmt.Errorf("read references of %s: %w", of, err)
	}
	return refs, nil
}

// ReferencesTo returns the live references to a file, by uid. It asks nothing
// about a user.
func (r reads) ReferencesTo(ctx context.Context, file int64) ([]Record, error) {
	refs, err := collect(ctx, r.q, scanRecords, sqlReferencesToFile, file)
	if err != nil {
		return nil, fmt.Errorf("read references to file %d: %w", file, err)
	}
	return refs, nil
}

// referencesOf returns every reference of a record, deleted ones included, by
// field and order.
func (r reads) referencesOf(ctx context.Context, of Ref) ([]Record, error) {
	refs, err := collect(ctx, r.q, scanRecords, sqlReferencesOfRecord, of.Table, of.UID)
	if err != nil {
		return nil, fmt.Errorf("read references of %s: %w", of, err)
	}
	return refs, nil
}
