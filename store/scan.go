package store

import (
	"database/sql"

	"github.com/imprimatur-dev/imprimatur"
)

// bit is a bool as both databases keep it.
func bit(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// optionalBit is bit, and NULL for nil.
func optionalBit(b *bool) sql.NullInt64 {
	if b == nil {
		return sql.NullInt64{}
	}
	return sql.NullInt64{Int64: bit(*b), Valid: true}
}

// affected reports whether a statement changed a row.
func affected(result sql.Result) (bool, error) {
	n, err := result.RowsAffected()
	return n > 0, err
}

// optionalTime is nil for NULL.
func optionalTime(ms sql.NullInt64) *imprimatur.Time {
	if !ms.Valid {
		return nil
	}
	t := imprimatur.Millis(ms.Int64)
	return &t
}
