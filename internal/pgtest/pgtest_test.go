package pgtest_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/imprimatur-dev/imprimatur/internal/pgtest"
)

func TestEveryTestGetsAnEmptyDatabaseOfItsOwn(t *testing.T) {
	t.Parallel()
	for _, url := range []string{pgtest.Start(t), pgtest.Start(t)} {
		conn, err := pgx.Connect(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close(context.Background()) })
		if _, err := conn.Exec(t.Context(), "CREATE TABLE only_here (id BIGINT PRIMARY KEY)"); err != nil {
			t.Fatal(err)
		}
		var less bool
		if err := conn.QueryRow(t.Context(), "SELECT 'a' < 'B'").Scan(&less); err != nil || !less {
			t.Errorf("the collation is byte order (%v); an order without COLLATE would pass unseen", err)
		}
	}
}
