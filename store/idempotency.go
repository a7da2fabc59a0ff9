package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/imprimatur-dev/imprimatur"
)

var idempotencySQL = load("idempotency.sql")

// keyLife is how long a key stands for its run.
const keyLife = 24 * time.Hour

// ErrKeyReused says that the same caller used the same idempotency key with
// another body.
var ErrKeyReused = errors.New("the idempotency key came with another body before")

// IdempotencyKey is a caller's name for one request. It stands for the run that
// the request made first, for 24 hours.
type IdempotencyKey struct {
	owner, key string
	body       [sha256.Size]byte
}

// KeyOf returns the key of a request. Keys of different callers never meet; a
// person's sessions and tokens count as one caller. What the request asks for
// is route and body together. It answers a *Refusal for a key that is not 1 to
// 255 visible ASCII characters.
func KeyOf(who imprimatur.Actor, key, route string, body []byte) (*IdempotencyKey, error) {
	if len(key) == 0 || len(key) > 255 || bytes.ContainsFunc([]byte(key), func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, imprimatur.BadRequest("Idempotency-Key is not 1 to 255 visible ASCII characters")
	}
	owner := "token:" + who.Token
	if who.Person() {
		owner = fmt.Sprintf("user:%d", who.User.ID)
	}
	return &IdempotencyKey{owner, key, sha256.Sum256(append([]byte(route+"\n"), body...))}, nil
}

// reserveKey lets a key stand for run, or returns the run it stands for
// already. It answers ErrKeyReused if that came with another body.
func reserveKey(ctx context.Context, tx *sql.Tx, now int64, k IdempotencyKey, run string) (first string, err error) {
	result, err := tx.ExecContext(ctx, idempotencySQL.get("ReserveKey"),
		k.owner, k.key, k.body[:], run, now+keyLife.Milliseconds(), now)
	if err != nil {
		return "", fmt.Errorf("reserve an idempotency key: %w", err)
	}
	if reserved, err := affected(result); err != nil || reserved {
		return run, err
	}
	var body []byte
	if err := tx.QueryRowContext(ctx, idempotencySQL.get("Key"), k.owner, k.key).Scan(&body, &first); err != nil {
		return "", fmt.Errorf("look up an idempotency key: %w", err)
	}
	if !bytes.Equal(body, k.body[:]) {
		return "", ErrKeyReused
	}
	return first, nil
}
