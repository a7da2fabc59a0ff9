package store

import (
	"context"
	"database/sql"
	"fmt"
)

// Evidence is everything that is stored about a run, as it is stored: rows by
// the names of their columns. Bytes stay bytes; nothing sealed is opened.
type Evidence struct {
	Run     map[string]any   `json:"run"`
	Events  []map[string]any `json:"events"`
	Records []map[string]any `json:"records"`
}

// Evidence reads what is stored about a run, readable or not. A run that is not
// there is ErrNoRun.
func (s *Store) Evidence(ctx context.Context, run string) (Evidence, error) {
	var out Evidence
	runs, err := s.stored(ctx, "Run", run)
	if err != nil {
		return out, err
	}
	if len(runs) == 0 {
		return out, ErrNoRun
	}
	out.Run = runs[0]
	if out.Events, err = s.stored(ctx, "Events", run); err != nil {
		return out, err
	}
	out.Records, err = s.stored(ctx, "Records", run)
	return out, err
}

var evidenceSQL = load("evidence.sql")

// stored reads whole rows.
func (s *Store) stored(ctx context.Context, query, run string) (all []map[string]any, err error) {
	all = []map[string]any{}
	rows, err := s.reader.QueryContext(ctx, evidenceSQL.get(query), run)
	if err != nil {
		return nil, fmt.Errorf("read evidence of run %s: %w", run, err)
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return nil, fmt.Errorf("read evidence of run %s: %w", run, err)
	}
	for rows.Next() {
		row, err := storedRow(rows, names)
		if err != nil {
			return nil, fmt.Errorf("read evidence of run %s: %w", run, err)
		}
		all = append(all, row)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read evidence of run %s: %w", run, err)
	}
	return all, nil
}

func storedRow(rows *sql.Rows, names []string) (map[string]any, error) {
	values := make([]any, len(names))
	for i := range values {
		values[i] = new(any)
	}
	if err := rows.Scan(values...); err != nil {
		return nil, err
	}
	row := map[string]any{}
	for i, name := range names {
		row[name] = *values[i].(*any)
	}
	return row, nil
}
