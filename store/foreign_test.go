package store_test

import (
	"database/sql"
	"errors"
	"strings"
	"testing"

	"github.com/imprimatur-dev/imprimatur/internal/pgtest"
	"github.com/imprimatur-dev/imprimatur/store"
)

func TestADatabaseOfAnotherProgramIsLeftAsItIs(t *testing.T) {
	t.Parallel()
	store.EachDatabase(t, func(t *testing.T, database string) {
		driver, address, tables := "pgx", database, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"
		if path, lite := strings.CutPrefix(database, "sqlite:"); lite {
			driver, address, tables = "sqlite", path, "SELECT count(*) FROM sqlite_master WHERE type = 'table'"
		}
		other, err := sql.Open(driver, address)
		if err != nil {
			t.Fatal(err)
		}
		defer other.Close()
		if _, err := other.ExecContext(t.Context(), "CREATE TABLE users (name TEXT)"); err != nil {
			t.Fatal(err)
		}
		for _, migrate := range []bool{false, true} {
			_, err := store.Open(t.Context(), store.Config{Database: database, Unsealed: true, Migrate: migrate})
			if !errors.Is(err, store.ErrForeign) {
				t.Errorf("opened with %v", err)
			}
		}
		var n int
		if err := other.QueryRowContext(t.Context(), tables).Scan(&n); err != nil || n != 1 {
			t.Errorf("the database has %d tables now, %v", n, err)
		}
	})
}

// Whoever only asks whether a database is new leaves it as it is.
func TestAFreshPostgreSQLIsTold(t *testing.T) {
	t.Parallel()
	database := pgtest.Start(t)
	for range 2 {
		if fresh, err := store.Fresh(t.Context(), database); err != nil || !fresh {
			t.Errorf("a new database: %v, %v", fresh, err)
		}
	}
	store.MustOpen(t, store.Config{Database: database})
	if fresh, err := store.Fresh(t.Context(), database); err != nil || fresh {
		t.Errorf("a database that was opened: %v, %v", fresh, err)
	}
	for _, address := range []string{"postgres://user:secret@host:port/db", "postgres://user:secret@127.0.0.1:1/db"} {
		if _, err := store.Fresh(t.Context(), address); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", address, err)
		}
	}
}
