package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/internal/canon"
	"github.com/imprimatur-dev/imprimatur/internal/seal"
)

var recordSQL = load("record.sql")

// record is one sealed record on its way into the database.
type record struct {
	run      string
	sequence int64
	kind     string
	decided  imprimatur.Decided
	value    any
}

func (s *Store) keep(ctx context.Context, tx *sql.Tx, now int64, r record) error {
	plain, err := canon.Marshal(r.value)
	if err != nil {
		return fmt.Errorf("encode %s record of run %s: %w", r.kind, r.run, err)
	}
	sealed, err := s.sealer.Seal(plain, seal.Associated(r.run, r.kind, r.sequence))
	if err != nil {
		return fmt.Errorf("seal %s record of run %s: %w", r.kind, r.run, err)
	}
	_, err = tx.ExecContext(ctx, recordSQL.get("Keep"), r.run, r.sequence, r.kind,
		string(r.decided.Verdict), r.decided.By.ID, r.decided.By.Name, now, sealed)
	if err != nil {
		return fmt.Errorf("keep %s record of run %s: %w", r.kind, r.run, err)
	}
	return nil
}

// latest reads the newest record of a kind into value and returns the sequence
// of the event it was written with, -1 where there is none.
func (s *Store) latest(ctx context.Context, run, kind string, value any) (sequence int64, err error) {
	var by, at int64
	var verdict, name string
	var sealed []byte
	err = s.reader.QueryRowContext(ctx, recordSQL.get("Latest"), run, kind).Scan(&sequence, &verdict, &by, &name, &at, &sealed)
	if errors.Is(err, sql.ErrNoRows) {
		return -1, nil
	}
	if err != nil {
		return -1, fmt.Errorf("read %s record of run %s: %w", kind, run, err)
	}
	plain, err := s.sealer.Open(sealed, seal.Associated(run, kind, sequence))
	if err != nil {
		return -1, fmt.Errorf("%w: %s record of run %s: %w", imprimatur.ErrCorrupt, kind, run, err)
	}
	if err := json.Unmarshal(plain, value); err != nil {
		return -1, fmt.Errorf("%w: %s record of run %s: %w", imprimatur.ErrCorrupt, kind, run, err)
	}
	return sequence, nil
}

// Shown returns what was shown at the last decision about a run, and the
// sequence of its event, -1 where nobody decided.
func (s *Store) Shown(ctx context.Context, run string) (v imprimatur.Shown, sequence int64, err error) {
	sequence, err = s.latest(ctx, run, columnShown, &v)
	return v, sequence, err
}

// Outcome returns what came out of a run, false where it is not kept.
func (s *Store) Outcome(ctx context.Context, run string) (imprimatur.Outcome, bool, error) {
	var v imprimatur.Outcome
	sequence, err := s.latest(ctx, run, columnOutcome, &v)
	return v, sequence >= 0, err
}

// Decided returns who decided about a run last, nil where nobody did.
func (s *Store) Decided(ctx context.Context, run string) (*imprimatur.Decided, error) {
	var d imprimatur.Decided
	var at int64
	err := s.reader.QueryRowContext(ctx, recordSQL.get("LatestDecision"), run).Scan(&d.Verdict, &d.By.ID, &d.By.Name, &at)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read decision about run %s: %w", run, err)
	}
	d.At = imprimatur.Millis(at)
	return &d, nil
}
