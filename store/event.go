package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
	sqlitecode "modernc.org/sqlite/lib"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/internal/canon"
)

var eventSQL = load("event.sql")

// Draft is an event before it has a place in its run's record.
type Draft struct {
	Kind    imprimatur.EventKind
	Payload any // one of the payload types of package imprimatur
}

// MaxEvents is how many events one read returns.
const MaxEvents = 1000

// Events returns the events of a run whose sequence is greater than after,
// ascending, at most MaxEvents. A run that does not exist has none.
func (s *Store) Events(ctx context.Context, run string, after int64) ([]imprimatur.Event, error) {
	rows, err := s.reader.QueryContext(ctx, eventSQL.get("Events"), run, after, MaxEvents)
	if err != nil {
		return nil, fmt.Errorf("read events of run %s: %w", run, err)
	}
	defer rows.Close()
	var events []imprimatur.Event
	for rows.Next() {
		e := imprimatur.Event{Run: run}
		var at int64
		var payload string
		if err := rows.Scan(&e.Sequence, &e.Kind, &at, &payload); err != nil {
			return nil, fmt.Errorf("read events of run %s: %w", run, err)
		}
		e.At, e.Payload = imprimatur.Millis(at), []byte(payload)
		events = append(events, e)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read events of run %s: %w", run, err)
	}
	return events, nil
}

// extend appends events to the chain of a run and returns the sequence of the
// last one. The run row is updated first, so that two appends to one run, and
// a cancel, never interleave.
func extend(ctx context.Context, tx *sql.Tx, run string, now int64, drafts []Draft) (last int64, err error) {
	var next int64
	var head []byte
	n := len(drafts)
	if err := tx.QueryRowContext(ctx, eventSQL.get("Extend"), n, run, n).Scan(&next, &head); err != nil {
		return 0, fmt.Errorf("extend record of run %s: %w", run, err)
	}
	for i, d := range drafts {
		payload, err := canon.Marshal(d.Payload)
		if err != nil {
			return 0, fmt.Errorf("encode %s event of run %s: %w", d.Kind, run, err)
		}
		e := imprimatur.Event{Run: run, Sequence: next + int64(i), Kind: d.Kind, At: imprimatur.Millis(now), Payload: payload}
		if _, err := tx.ExecContext(ctx, eventSQL.get("Append"), run, e.Sequence, string(e.Kind), now, string(payload)); err != nil {
			return 0, fmt.Errorf("append %s event to run %s: %w", d.Kind, run, err)
		}
		head = imprimatur.Chain(head, e)
	}
	if _, err := tx.ExecContext(ctx, eventSQL.get("Head"), head, run); err != nil {
		return 0, fmt.Errorf("extend record of run %s: %w", run, err)
	}
	return next + int64(n) - 1, nil
}

// softly runs fn behind a savepoint. Only a constraint that was violated is
// soft: it takes back what fn did, and the transaction goes on. Any other
// error may have ended the transaction already, and is hard.
func softly(ctx context.Context, tx *sql.Tx, fn func() error) (soft, hard error) {
	if _, err := tx.ExecContext(ctx, "SAVEPOINT soft"); err != nil {
		return nil, fmt.Errorf("set savepoint: %w", err)
	}
	if err := fn(); err != nil {
		if !violated(err) {
			return nil, err
		}
		if _, back := tx.ExecContext(ctx, "ROLLBACK TO SAVEPOINT soft"); back != nil {
			return nil, errors.Join(err, fmt.Errorf("roll back to savepoint: %w", back))
		}
		soft = err
	}
	if _, err := tx.ExecContext(ctx, "RELEASE SAVEPOINT soft"); err != nil {
		return nil, fmt.Errorf("release savepoint: %w", err)
	}
	return soft, nil
}

// violated reports whether err is a violated constraint on either database.
func violated(err error) bool {
	var lite *sqlite.Error
	if errors.As(err, &lite) {
		return lite.Code()&0xff == sqlitecode.SQLITE_CONSTRAINT
	}
	var pg *pgconn.PgError
	return errors.As(err, &pg) && len(pg.Code) == 5 && pg.Code[:2] == "23"
}
