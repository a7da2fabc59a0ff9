package content

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
)

// querier is what a read needs: a transaction or the reader.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// statement returns the section of a .sql file that begins with "-- name: X".
// A section that is missing panics when the program starts: the file is part of
// the program.
func statement(file, name string) string {
	for section := range strings.SplitSeq("\n"+file, "\n-- name: ") {
		title, body, _ := strings.Cut(section, "\n")
		if strings.TrimSpace(title) == name {
			return strings.TrimSuffix(strings.TrimSpace(body), ";")
		}
	}
	panic(fmt.Sprintf("content: no statement named %s", name))
}

// collect runs a query and scans every row before it returns, so that the next
// statement of a transaction finds the connection free.
func collect[T any](ctx context.Context, q querier, scan func(*sql.Rows) (T, error), query string, args ...any) ([]T, error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []T
	for rows.Next() {
		one, err := scan(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}
