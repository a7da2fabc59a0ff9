package store_test

import (
	"database/sql"
	"errors"
	"path/filepath"
	"testing"

	"github.com/imprimatur-dev/imprimatur/store"
)

func TestADatabaseOfAnotherProgramIsLeftAsItIs(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "other.db")
	other, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if _, err := other.ExecContext(t.Context(), "CREATE TABLE users (name TEXT)"); err != nil {
		t.Fatal(err)
	}
	for _, migrate := range []bool{false, true} {
		_, err := store.Open(t.Context(), store.Config{Database: "sqlite:" + path, Unsealed: true, Migrate: migrate})
		if !errors.Is(err, store.ErrForeign) {
			t.Errorf("opened with %v", err)
		}
	}
	var tables int
	if err := other.QueryRowContext(t.Context(), "SELECT count(*) FROM sqlite_master WHERE type = 'table'").Scan(&tables); err != nil || tables != 1 {
		t.Errorf("the file has %d tables now, %v", tables, err)
	}
}
