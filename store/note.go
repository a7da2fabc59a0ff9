package store

import (
	"context"
	"database/sql"

	"github.com/imprimatur-dev/imprimatur"
)

// Note appends what somebody found to the record of a run, whatever its status.
// A run that does not exist is an error.
func (s *Store) Note(ctx context.Context, run string, p imprimatur.OutcomePayload) error {
	return s.write(ctx, func(ctx context.Context, tx *sql.Tx, now int64) error {
		_, err := extend(ctx, tx, run, now, []Draft{{imprimatur.EventOutcome, p}})
		return err
	})
}
