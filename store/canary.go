package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// canaryText is what the canary row says. Whoever cannot read it has the wrong
// key, and must not mistake everything else for damaged or empty.
const canaryText = "imprimatur"

// canaryPlace binds the canary to its row.
const canaryPlace = "canary|v1"

// ErrWrongKey says that the database was sealed with another keyset, was kept
// in clear and a keyset is given, or was sealed and none is given.
var ErrWrongKey = errors.New("the keyset is not the one this database was sealed with")

// checkCanary opens the canary row, or writes it at the first start.
func (s *Store) checkCanary(ctx context.Context) error {
	value, err := canary(ctx, s.writer)
	if errors.Is(err, sql.ErrNoRows) {
		if err := s.putCanary(ctx); err != nil {
			return err
		}
		value, err = canary(ctx, s.writer)
	}
	if err != nil {
		return fmt.Errorf("read the canary: %w", err)
	}
	text, err := s.sealer.Open(value, canaryPlace)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrWrongKey, err)
	}
	if string(text) != canaryText {
		return ErrWrongKey
	}
	return nil
}

// putCanary writes the canary unless another program was first.
func (s *Store) putCanary(ctx context.Context) error {
	value, err := s.sealer.Seal([]byte(canaryText), canaryPlace)
	if err != nil {
		return fmt.Errorf("seal the canary: %w", err)
	}
	err = s.write(ctx, func(ctx context.Context, tx *sql.Tx, _ int64) error {
		_, err := tx.ExecContext(ctx, canarySQL.get("PutCanary"), value)
		return err
	})
	if err != nil {
		return fmt.Errorf("write the canary: %w", err)
	}
	return nil
}

func canary(ctx context.Context, q querier) ([]byte, error) {
	var value []byte
	err := q.QueryRowContext(ctx, canarySQL.get("Canary")).Scan(&value)
	return value, err
}

var canarySQL = load("canary.sql")
