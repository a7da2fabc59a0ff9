package store

import (
	"context"
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/imprimatur-dev/imprimatur/internal/pgtest"
)

// EachDatabase runs a test on a SQLite file and on PostgreSQL. The argument is
// Config.Database of a database that is new.
func EachDatabase(t *testing.T, test func(t *testing.T, database string)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		test(t, "sqlite:"+filepath.Join(t.TempDir(), "t.db"))
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		test(t, pgtest.Start(t))
	})
}

// MustOpen opens a store that is closed when the test ends.
func MustOpen(t *testing.T, cfg Config) *Store {
	t.Helper()
	cfg.Unsealed = cfg.Unsealed || cfg.Keyset == nil
	s, err := Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return s
}

// Write is the one way of writing.
func (s *Store) Write(ctx context.Context, fn func(ctx context.Context, tx *sql.Tx, now int64) error) error {
	return s.write(ctx, fn)
}

// ReserveKey is reserveKey in a transaction of its own.
func (s *Store) ReserveKey(ctx context.Context, k IdempotencyKey, run string) (first string, err error) {
	err = s.write(ctx, func(ctx context.Context, tx *sql.Tx, now int64) error {
		first, err = reserveKey(ctx, tx, now, k, run)
		return err
	})
	return first, err
}

// SealedColumns are the names of the columns that rotation walks through.
func SealedColumns() []string {
	var names []string
	for _, c := range sealedColumns {
		names = append(names, c.name)
	}
	return names
}
