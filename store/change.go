package store

import (
	"context"
	"fmt"
	"time"
)

// overlap is how far back Changed looks. An event has the time at which its
// transaction began, and may be seen as late as the transaction may last.
const overlap = limit + 5*time.Second

// Changed returns the runs that changed lately, whichever program did it, each
// with the sequence of the last event that says so. Whoever asks again within
// half a minute misses none; what is new is told by the sequence.
func (s *Store) Changed(ctx context.Context) (map[string]int64, error) {
	now, err := s.now(ctx, s.reader)
	if err != nil {
		return nil, err
	}
	rows, err := s.reader.QueryContext(ctx, changeSQL.get("Changed"), now-overlap.Milliseconds())
	if err != nil {
		return nil, fmt.Errorf("look for changes: %w", err)
	}
	defer rows.Close()
	changed := map[string]int64{}
	for rows.Next() {
		var run string
		var sequence int64
		if err := rows.Scan(&run, &sequence); err != nil {
			return nil, fmt.Errorf("look for changes: %w", err)
		}
		changed[run] = sequence
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("look for changes: %w", err)
	}
	return changed, nil
}

var changeSQL = load("change.sql")
