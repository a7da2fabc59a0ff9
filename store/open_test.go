package store_test

import (
	"path/filepath"
	"testing"

	"github.com/imprimatur-dev/imprimatur/store"
)

func TestOpenMigratesANewDatabaseAndOpensItAgain(t *testing.T) {
	t.Parallel()
	cfg := store.Config{Database: "sqlite:" + filepath.Join(t.TempDir(), "a b?.db"), Unsealed: true}
	for range 2 {
		s, err := store.Open(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
