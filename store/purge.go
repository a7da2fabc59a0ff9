package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Retention says how long runs are kept: the finished ones since their end, the
// others since they were asked for. Where it is 0, or less, they are kept for
// good.
type Retention struct {
	Finished   time.Duration
	Unfinished time.Duration
}

// Purged counts the runs that are gone.
type Purged struct {
	Finished   int `json:"finished"`
	Unfinished int `json:"unfinished"`
}

// purgePage is how many runs go in one transaction.
const purgePage = 100

// Purge deletes runs that were kept long enough, each with everything that
// belongs to it. A run that somebody works on is not deleted.
func (s *Store) Purge(ctx context.Context, r Retention) (Purged, error) {
	var out Purged
	var err error
	if r.Finished > 0 {
		if out.Finished, err = s.purge(ctx, purging{"Finished", "HoldFinished", false}, r.Finished); err != nil {
			return out, err
		}
	}
	if r.Unfinished > 0 {
		out.Unfinished, err = s.purge(ctx, purging{"Unfinished", "HoldUnfinished", true}, r.Unfinished)
	}
	return out, err
}

// purging is how runs of one kind are found and held: leased says that a run
// may be somebody's, until its lease lapses.
type purging struct {
	find, hold string
	leased     bool
}

func (s *Store) purge(ctx context.Context, kind purging, keep time.Duration) (gone int, err error) {
	for {
		var found, deleted int
		err := s.write(ctx, func(ctx context.Context, tx *sql.Tx, now int64) error {
			since := []any{now - keep.Milliseconds()}
			if kind.leased {
				since = append(since, now)
			}
			var err error
			found, deleted, err = purgeOnce(ctx, tx, kind, since)
			return err
		})
		if err != nil {
			return gone, fmt.Errorf("purge runs: %w", err)
		}
		gone += deleted
		if found < purgePage || deleted == 0 {
			return gone, nil
		}
	}
}

func purgeOnce(ctx context.Context, tx *sql.Tx, kind purging, since []any) (found, deleted int, err error) {
	runs, err := purgeable(ctx, tx, kind, since)
	if err != nil {
		return 0, 0, err
	}
	for _, run := range runs {
		// The run's row comes first, as everywhere: whoever moves it meanwhile
		// is waited for, and wins.
		switch err := matched(tx.ExecContext(ctx, purgeSQL.get(kind.hold), append([]any{run}, since...)...)); {
		case errors.Is(err, errUnmatched):
			continue
		case err != nil:
			return 0, 0, err
		}
		for _, what := range []string{"Events", "Records", "Keys", "Run"} {
			if _, err := tx.ExecContext(ctx, purgeSQL.get(what), run); err != nil {
				return 0, 0, err
			}
		}
		deleted++
	}
	return len(runs), deleted, nil
}

func purgeable(ctx context.Context, tx *sql.Tx, kind purging, since []any) (runs []string, err error) {
	rows, err := tx.QueryContext(ctx, purgeSQL.get(kind.find), append(since[:len(since):len(since)], purgePage)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var run string
		if err := rows.Scan(&run); err != nil {
			return nil, err
		}
		runs = append(runs, run)
	}
	return runs, rows.Err()
}

var purgeSQL = load("purge.sql")
