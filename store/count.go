package store

import (
	"context"
	"fmt"
	"time"

	"github.com/imprimatur-dev/imprimatur"
)

// Counts says how many runs there are, and how they ended.
type Counts struct {
	ByStatus map[imprimatur.Status]int // of those asked for within the window
	ByReason map[imprimatur.Reason]int // of the same, where they have ended
	Waiting  int                       // for a decision now, however long ago they were asked for
}

// Count counts the runs that were asked for within the last window.
func (s *Store) Count(ctx context.Context, window time.Duration) (Counts, error) {
	c := Counts{ByStatus: map[imprimatur.Status]int{}, ByReason: map[imprimatur.Reason]int{}}
	now, err := s.now(ctx, s.reader)
	if err != nil {
		return c, fmt.Errorf("count runs: %w", err)
	}
	since := now - window.Milliseconds()
	if err := countInto(ctx, s.reader, "ByStatus", since, c.ByStatus); err != nil {
		return c, err
	}
	if err := countInto(ctx, s.reader, "ByReason", since, c.ByReason); err != nil {
		return c, err
	}
	if err := s.reader.QueryRowContext(ctx, countSQL.get("Now"), string(imprimatur.StatusWaiting)).Scan(&c.Waiting); err != nil {
		return c, fmt.Errorf("count runs: %w", err)
	}
	return c, nil
}

func countInto[K ~string](ctx context.Context, q querier, query string, since int64, into map[K]int) error {
	rows, err := q.QueryContext(ctx, countSQL.get(query), since)
	if err != nil {
		return fmt.Errorf("count runs: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var key K
		var n int
		if err := rows.Scan(&key, &n); err != nil {
			return fmt.Errorf("count runs: %w", err)
		}
		into[key] = n
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("count runs: %w", err)
	}
	return nil
}

var countSQL = load("count.sql")
