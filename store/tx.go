package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"time"
)

// limit bounds a whole transaction, from the moment it has a connection. A
// state of many megabytes is decoded inside a decision's.
const limit = 30 * time.Second

// patience bounds how long a transaction waits for its connection.
const patience = 30 * time.Second

// ErrCommitUnknown says that a commit was sent and its outcome was not heard.
// The change may be there or not; it has to be read back, never repeated
// blindly.
var ErrCommitUnknown = errors.New("outcome of the commit is unknown")

// detached returns a context for a whole transaction: it keeps the values of
// ctx, ignores its cancellation and ends after limit. A statement that is
// cancelled on SQLite rolls the transaction back silently, and the next one
// would run outside of it.
func detached(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), limit)
}

// write runs fn in one transaction of the writer. Its first statement reads the
// time, in milliseconds, from the database. The transaction is committed when
// fn returns nil and rolled back when it returns an error or panics.
//
// Cancelling ctx gives up the wait for the connection and nothing else: what
// has begun runs on the detached context that fn is given, and fn must use no
// other. Everything fn reads it reads through tx; on SQLite there is one writer,
// and a second transaction inside fn would wait for itself.
//
// A transaction that the database took back because of others is run again from
// the beginning, attempts times in all; one whose connection was lost before it
// was committed is run again on another, for as long as a database may take to
// restart. So fn must keep nothing from an earlier run.
func (s *Store) write(ctx context.Context, fn func(ctx context.Context, tx *sql.Tx, now int64) error) error {
	until := time.Now().Add(restart)
	for n := 1; ; n++ {
		err := s.attempt(ctx, fn)
		again := takenBack(err) && n < attempts || disconnected(err) && time.Now().Before(until)
		if !again || ctx.Err() != nil {
			s.notice(ctx, err)
			return err
		}
		trouble := TroubleOf(err)
		s.log.WarnContext(ctx, trouble.String(), slog.String("trouble", string(trouble)), slog.Bool("again", true), slog.Any("error", err)) //nolint:sloglint // each trouble has a sentence of its own
		select {
		case <-time.After(rand.N(time.Duration(n) * pause)): // so that two do not meet again
		case <-ctx.Done():
		}
	}
}

const (
	// attempts is how often a transaction is begun that others are in the way of.
	attempts = 4
	// restart is how long a database may be gone before a write fails.
	restart = 5 * time.Second
	// pause is how long the second attempt waits, at most; later ones wait longer.
	pause = 20 * time.Millisecond
)

// attempt runs fn in a transaction once.
func (s *Store) attempt(ctx context.Context, fn func(ctx context.Context, tx *sql.Tx, now int64) error) error {
	wait, done := context.WithTimeout(ctx, patience)
	defer done()
	conn, err := s.writer.Conn(wait)
	if err != nil {
		return fmt.Errorf("wait for a connection: %w", err)
	}
	defer conn.Close()

	ctx, cancel := detached(ctx)
	defer cancel()
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	finished := false
	defer func() {
		if !finished {
			rollback(conn, tx)
		}
	}()
	now, err := s.now(ctx, tx)
	if err != nil {
		return err
	}
	if err := fn(ctx, tx, now); err != nil {
		return err
	}
	finished = true
	if err := tx.Commit(); err != nil {
		discard(conn)
		if takenBack(err) {
			return fmt.Errorf("commit: %w", err)
		}
		return fmt.Errorf("%w: %w", ErrCommitUnknown, err)
	}
	return nil
}

// rollback ends tx. A connection that cannot roll back is thrown away, so that
// the next user of the pool never starts inside an old transaction.
func rollback(conn *sql.Conn, tx *sql.Tx) {
	if err := tx.Rollback(); err != nil {
		discard(conn)
	}
}

// discard makes the pool close the connection, which ends any transaction that
// is still open on it.
func discard(conn *sql.Conn) {
	_ = conn.Raw(func(any) error { return driver.ErrBadConn })
}

// querier is what a read needs: a transaction or the reader.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// now reads the time in milliseconds since 1970 from the database.
func (s *Store) now(ctx context.Context, q querier) (int64, error) {
	if s.clock != nil {
		return s.clock().UnixMilli(), nil
	}
	var ms int64
	if err := q.QueryRowContext(ctx, "SELECT db_now()").Scan(&ms); err != nil {
		return 0, fmt.Errorf("read the time: %w", err)
	}
	return ms, nil
}
