package store

import (
	"context"
	"database/sql"
	"fmt"
)

var idSQL = load("id.sql")

// nextID returns the next id of a kind of rows, from 1. An id is never given
// twice; one whose transaction was rolled back is given again.
func nextID(ctx context.Context, tx *sql.Tx, kind string) (id int64, err error) {
	if err := tx.QueryRowContext(ctx, idSQL.get("NextID"), kind).Scan(&id); err != nil {
		return 0, fmt.Errorf("take an id for %s: %w", kind, err)
	}
	return id, nil
}
