package content

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"time"

	"github.com/imprimatur-dev/imprimatur"
)

//go:embed migration/*.sql
var migrations embed.FS

// MigrationName is the name under which the version of these tables is kept.
const MigrationName = "content"

// Migrations returns the files NNNN_words.sql that make the tables, in the form
// of goose, forward only.
func Migrations() fs.FS {
	sub, err := fs.Sub(migrations, "migration")
	if err != nil {
		panic(err) // the folder is embedded above
	}
	return sub
}

// ErrNotFound is the answer to whatever the user may not see: a row that is
// missing, deleted or forbidden, without telling which.
var ErrNotFound = errors.New("not found or not permitted")

// Config says what a repository works on.
type Config struct {
	// Writer is the pool that may write; on SQLite it has one connection whose
	// transactions begin immediate. Reader is the pool for reading.
	Writer, Reader *sql.DB
	// Schema defaults to DefaultSchema().
	Schema *Schema
	// Storages are the names of the file storages in use; files elsewhere do not
	// exist for anybody. The zero value is none, "*" all.
	Storages imprimatur.Set
	// Now replaces the clock of the database, which is asked as SELECT db_now().
	Now func() time.Time
	// Hook may change what is about to be stored; nil leaves it.
	Hook Hook
}

// Repository is the content of one installation. It is safe for concurrent use.
type Repository struct {
	reads
	writer *sql.DB
	turn   chan struct{} // held by the one that writes
	now    func() time.Time
	hook   Hook
	joined *transaction // nil outside of Write
}

// Open checks the configuration and returns the repository. The tables must be
// there already.
func Open(cfg Config) (*Repository, error) {
	if cfg.Writer == nil || cfg.Reader == nil {
		return nil, errors.New("open content: a pool to write and one to read are needed")
	}
	if cfg.Schema == nil {
		cfg.Schema = DefaultSchema()
	}
	if err := cfg.Schema.Validate(); err != nil {
		return nil, fmt.Errorf("open content: %w", err)
	}
	return &Repository{
		reads:  reads{q: cfg.Reader, schema: cfg.Schema, storages: cfg.Storages},
		writer: cfg.Writer, turn: make(chan struct{}, 1), now: cfg.Now, hook: cfg.Hook,
	}, nil
}

// System is whom the operator's commands act for when they name nobody: an
// administrator whose id no person has.
func System() imprimatur.User {
	return imprimatur.User{ID: math.MaxInt64, Name: "system", Admin: true, Enabled: true}
}

// Schema returns the schema in use. It must not be changed.
func (r *Repository) Schema() *Schema { return r.schema }

// clock returns the time in milliseconds since 1970.
func (r *Repository) clock(ctx context.Context, q querier) (int64, error) {
	if r.now != nil {
		return r.now().UnixMilli(), nil
	}
	var ms int64
	if err := q.QueryRowContext(ctx, "SELECT db_now()").Scan(&ms); err != nil {
		return 0, fmt.Errorf("read the time: %w", err)
	}
	return ms, nil
}
