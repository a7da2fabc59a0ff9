package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

var sessionSQL = load("session.sql")

// Sessions keeps web sessions. It has the methods that scs asks of a store.
// Only hashes of session tokens are kept.
type Sessions struct{ store *Store }

// Sessions returns the keeper of web sessions.
func (s *Store) Sessions() Sessions { return Sessions{s} }

// FindCtx returns the data of a session. It reports false for one that is
// unknown or over.
func (k Sessions) FindCtx(ctx context.Context, token string) (data []byte, found bool, err error) {
	var expires int64
	err = k.store.reader.QueryRowContext(ctx, sessionSQL.get("Session"), hashOf(token)).Scan(&data, &expires)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("find session: %w", err)
	}
	now, err := k.store.now(ctx, k.store.reader)
	if err != nil || expires <= now {
		return nil, false, err
	}
	return data, true, nil
}

// CommitCtx stores the data of a session, new or not.
func (k Sessions) CommitCtx(ctx context.Context, token string, data []byte, expiry time.Time) error {
	return k.change(ctx, "PutSession", hashOf(token), data, expiry.UnixMilli())
}

// DeleteCtx ends a session; ending one that is unknown changes nothing.
func (k Sessions) DeleteCtx(ctx context.Context, token string) error {
	return k.change(ctx, "DropSession", hashOf(token))
}

func (k Sessions) change(ctx context.Context, statement string, args ...any) error {
	err := k.store.write(ctx, func(ctx context.Context, tx *sql.Tx, _ int64) error {
		_, err := tx.ExecContext(ctx, sessionSQL.get(statement), args...)
		return err
	})
	if err != nil {
		return fmt.Errorf("store session: %w", err)
	}
	return nil
}

// Find is FindCtx without a context.
func (k Sessions) Find(token string) ([]byte, bool, error) {
	return k.FindCtx(context.Background(), token)
}

// Commit is CommitCtx without a context.
func (k Sessions) Commit(token string, data []byte, expiry time.Time) error {
	return k.CommitCtx(context.Background(), token, data, expiry)
}

// Delete is DeleteCtx without a context.
func (k Sessions) Delete(token string) error { return k.DeleteCtx(context.Background(), token) }

// PurgeExpired deletes sessions, sign-in links and idempotency keys whose time
// is over, and failed sign-ins of the day before. None of them counts any more; this only gives back the room.
func (s *Store) PurgeExpired(ctx context.Context) error {
	err := s.write(ctx, func(ctx context.Context, tx *sql.Tx, now int64) error {
		for _, statement := range []string{
			sessionSQL.get("PurgeSessions"), linkSQL.get("PurgeLinks"), idempotencySQL.get("PurgeKeys"), passwordSQL.get("PurgeAttempts"),
		} {
			if _, err := tx.ExecContext(ctx, statement, now); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("purge what is over: %w", err)
	}
	return nil
}
