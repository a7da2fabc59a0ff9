package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

var passwordSQL = load("password.sql")

// Password returns whom a name signs in and what proves their password; 0 and
// nothing for a name that nobody enabled has, and nothing for somebody without
// a password.
func (s *Store) Password(ctx context.Context, name string) (user int64, proof string, err error) {
	if name = tidy(name); !storable(name) {
		return 0, "", nil
	}
	err = s.reader.QueryRowContext(ctx, passwordSQL.get("Password"), name).Scan(&user, &proof)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, "", nil
	}
	if err != nil {
		return 0, "", fmt.Errorf("read what proves a password: %w", err)
	}
	return user, proof, nil
}

// SetPassword keeps what proves a person's password; empty takes it away. Their
// rights stay what they are. A user who does not exist is ErrNoUser.
func (s *Store) SetPassword(ctx context.Context, user int64, proof string) error {
	err := s.write(ctx, func(ctx context.Context, tx *sql.Tx, _ int64) error {
		return matched(tx.ExecContext(ctx, passwordSQL.get("SetPassword"), proof, user))
	})
	if errors.Is(err, errUnmatched) {
		return ErrNoUser
	}
	if err != nil {
		return fmt.Errorf("keep what proves a password: %w", err)
	}
	return nil
}

// Signing in under one name may fail a few times; from then on every failure
// doubles the time until the next try.
const (
	freeAttempts = 5
	firstPause   = time.Second
	lastPause    = 15 * time.Minute
)

// pauseAfter is how long a name has to wait after so many failures in a row.
func pauseAfter(failed int64) time.Duration {
	over := failed - freeAttempts
	switch {
	case over < 0:
		return 0
	case over > 9:
		return lastPause
	default:
		return min(lastPause, firstPause<<over)
	}
}

// Attempt takes one of the tries to sign in under a name, before anything is
// compared: it counts as failed until SignedIn says otherwise. Where the name
// has to wait it returns how long, and there is nothing to compare.
func (s *Store) Attempt(ctx context.Context, name string) (wait time.Duration, err error) {
	key := sha256.Sum256([]byte(tidy(name)))
	err = s.write(ctx, func(ctx context.Context, tx *sql.Tx, now int64) error {
		wait = 0
		if _, err := tx.ExecContext(ctx, passwordSQL.get("NewAttempt"), key[:]); err != nil {
			return err
		}
		var failed, next int64
		if err := tx.QueryRowContext(ctx, passwordSQL.get("Attempts"), key[:]).Scan(&failed, &next); err != nil {
			return err
		}
		err := matched(tx.ExecContext(ctx, passwordSQL.get("Attempt"), now+pauseAfter(failed+1).Milliseconds(), key[:], failed, now))
		if errors.Is(err, errUnmatched) {
			wait = max(time.Duration(next-now)*time.Millisecond, firstPause) // or somebody else was faster
			return nil
		}
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("take a try to sign in: %w", err)
	}
	return wait, nil
}

// SignedIn says that the try succeeded: what failed before counts no more.
func (s *Store) SignedIn(ctx context.Context, name string) error {
	key := sha256.Sum256([]byte(tidy(name)))
	err := s.write(ctx, func(ctx context.Context, tx *sql.Tx, _ int64) error {
		_, err := tx.ExecContext(ctx, passwordSQL.get("Forget"), key[:])
		return err
	})
	if err != nil {
		return fmt.Errorf("forget tries to sign in: %w", err)
	}
	return nil
}
