package content

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/imprimatur-dev/imprimatur"
)

const (
	// limit bounds one transaction, its repetitions included.
	limit = 30 * time.Second
	// attempts is how often a transaction is tried that others got in the way of.
	attempts = 3
	// pause bounds the time before the second attempt; before the third it is
	// twice that.
	pause = 50 * time.Millisecond
	// restart is how long a database may be gone at a commit.
	restart = 5 * time.Second
)

// transaction is one that a repository has joined.
type transaction struct {
	tx     *sql.Tx
	now    int64
	doomed bool  // nothing of it may stay
	failed error // what doomed it, where that was no complaint
}

// Write runs fn in one transaction: what fn reads and applies through in, it
// reads and applies there, and everything is kept when fn returns nil, nothing
// when it returns an error. A change set that in.Apply answers with complaints
// or with an error takes all of it back as well, whatever fn returns; Write then
// returns nil for complaints, else that error.
//
// The transaction behaves as if it ran alone. Where another one makes that
// impossible, fn is run again from the beginning, three times at most, so it
// must not keep anything from an earlier run; after that the answer is
// imprimatur.ErrMoved. Where the connection is lost at the commit, the outcome is
// looked up. It does not end early with ctx, and after 30 seconds it fails.
func (r *Repository) Write(ctx context.Context, fn func(ctx context.Context, in *Repository) error) error {
	if r.joined != nil {
		return r.join(func(*sql.Tx, int64) error { return fn(ctx, r) })
	}
	err := r.write(ctx, func(ctx context.Context, tx *sql.Tx, now int64) error {
		joined := &transaction{tx: tx, now: now}
		in := &Repository{reads: r.within(tx), writer: r.writer, turn: r.turn, now: r.now, hook: r.hook, joined: joined}
		if err := fn(ctx, in); err != nil {
			return err
		}
		if joined.failed != nil {
			return joined.failed
		}
		if joined.doomed {
			return errRefused
		}
		return nil
	})
	if errors.Is(err, errRefused) {
		return nil
	}
	return err
}

// join runs fn in the transaction that the repository has joined already.
func (r *Repository) join(fn func(tx *sql.Tx, now int64) error) error {
	err := fn(r.joined.tx, r.joined.now)
	switch {
	case errors.Is(err, errRefused):
		r.joined.doomed = true
	case err != nil && r.joined.failed == nil:
		r.joined.failed = err
	}
	return err
}

// write runs fn in one transaction, which ends with it: committed when fn
// returns nil. It does not end early with ctx: a write that is cancelled half
// way rolls back a SQLite transaction silently, and the next statement would
// run outside of it.
//
// The writers of one process take turns. Every write counts up the numbers of
// the history, so two at a time would only make each other start again.
func (r *Repository) write(ctx context.Context, fn func(ctx context.Context, tx *sql.Tx, now int64) error) error {
	if r.joined != nil {
		return r.join(func(tx *sql.Tx, now int64) error { return fn(ctx, tx, now) })
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case r.turn <- struct{}{}:
		defer func() { <-r.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
	defer cancel()
	for n := 1; ; n++ {
		mark, err := r.attempt(ctx, fn)
		if mark != nil {
			landed, look := r.lookUp(ctx, *mark)
			if look != nil {
				return fmt.Errorf("outcome of the commit is unknown: %w", errors.Join(err, look))
			}
			if landed {
				return nil
			}
		}
		if err == nil || mark == nil && !inTheWay(err) {
			return err
		}
		if n == attempts {
			return fmt.Errorf("%w: others wrote at the same time: %w", imprimatur.ErrMoved, err)
		}
		select {
		case <-time.After(rand.N(time.Duration(n) * pause)): // so that two do not meet again
		case <-ctx.Done():
			return err
		}
	}
}

// mark tells a transaction from others: the last entry of its history, and when
// it began.
type mark struct{ entry, at int64 }

// attempt runs fn in a transaction once. Where its commit was sent and the
// answer not heard, the error comes with the mark to look for.
func (r *Repository) attempt(ctx context.Context, fn func(ctx context.Context, tx *sql.Tx, now int64) error) (*mark, error) {
	tx, err := r.writer.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelSerializable})
	if err != nil {
		return nil, fmt.Errorf("begin: %w", err)
	}
	m := &mark{}
	if m.at, err = r.clock(ctx, tx); err == nil {
		err = fn(ctx, tx, m.at)
	}
	if err == nil {
		err = tx.QueryRowContext(ctx, sqlLastEntry).Scan(&m.entry)
	}
	if err != nil {
		return nil, errors.Join(err, tx.Rollback())
	}
	if err := tx.Commit(); err != nil {
		if err = fmt.Errorf("commit: %w", err); inTheWay(err) {
			m = nil // the database says that it took everything back
		}
		return m, err
	}
	return nil, nil
}

// lookUp asks whether a transaction landed, for as long as a database may take
// to restart.
func (r *Repository) lookUp(ctx context.Context, m mark) (bool, error) {
	patience, cancel := context.WithTimeout(ctx, restart)
	defer cancel()
	for {
		landed, err := r.landed(ctx, m)
		if err == nil {
			return landed, nil
		}
		select {
		case <-time.After(pause):
		case <-patience.Done():
			return false, err
		}
	}
}

// landed reports whether a transaction is there whose commit was not heard of.
// It first waits for the number of the history, which that one holds for as
// long as it is under way.
func (r *Repository) landed(ctx context.Context, m mark) (bool, error) {
	var n int64
	tx, err := r.writer.BeginTx(ctx, nil)
	if err != nil {
		return false, fmt.Errorf("look for the commit: %w", err)
	}
	if _, err = tx.ExecContext(ctx, sqlHoldEntries); err == nil {
		err = tx.QueryRowContext(ctx, sqlEntryThere, m.entry, m.at).Scan(&n)
	}
	if err = errors.Join(err, tx.Rollback()); err != nil {
		return false, fmt.Errorf("look for the commit: %w", err)
	}
	return n > 0, nil
}

// inTheWay reports whether a transaction failed only because of others: it
// could not be put in an order with them, or waited for one that waited for it.
func inTheWay(err error) bool {
	state, ok := errors.AsType[interface {
		error
		SQLState() string
	}](err)
	return ok && !errors.Is(err, imprimatur.ErrMoved) && (state.SQLState() == "40001" || state.SQLState() == "40P01")
}
