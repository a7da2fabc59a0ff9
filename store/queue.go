package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/internal/seal"
)

var queueSQL = load("queue.sql")

// MaxRequeues is how often a run may start over after a worker was lost.
const MaxRequeues = 3

// Waker has a worker look at a run, as part of the transaction it is given. Its
// error takes the transaction back.
type Waker func(ctx context.Context, tx *sql.Tx) error

// Enqueued is a run that waits for a worker.
type Enqueued struct {
	ID        string
	Agent     string
	Owner     imprimatur.By
	StartedBy string
	Key       *IdempotencyKey
	Request   imprimatur.Request
	Events    []Draft // first on its record
	Wake      Waker   // required
}

// Enqueue stores a run for a worker (T2) and wakes one, in one transaction.
// Where it carries an idempotency key that was used before, nothing is stored
// and the id of the run that the key stands for is returned.
func (s *Store) Enqueue(ctx context.Context, q Enqueued) (run string, err error) {
	plain, err := q.Request.Encode()
	if err != nil {
		return "", err
	}
	sealed, err := s.sealer.Seal(plain, seal.Associated(q.ID, columnRequest, 0))
	if err != nil {
		return "", fmt.Errorf("seal request: %w", err)
	}
	err = s.write(ctx, func(ctx context.Context, tx *sql.Tx, now int64) error {
		run = q.ID
		if q.Key != nil {
			first, err := reserveKey(ctx, tx, now, *q.Key, q.ID)
			if err != nil || first != q.ID {
				run = first
				return err
			}
		}
		search := strings.ToLower(q.ID + "\n" + q.Agent + "\n" + q.Owner.Name)
		_, err := tx.ExecContext(ctx, queueSQL.get("Enqueue"), q.ID, q.Agent, q.Owner.ID, q.Owner.Name, q.StartedBy, search, now, sealed)
		if err != nil {
			return fmt.Errorf("store run %s: %w", q.ID, err)
		}
		if len(q.Events) > 0 {
			if _, err := extend(ctx, tx, q.ID, now, q.Events); err != nil {
				return err
			}
		}
		return q.Wake(ctx, tx)
	})
	if err != nil {
		return "", fmt.Errorf("enqueue run: %w", err)
	}
	return run, nil
}

// Queued is a run that was queued, with what its worker needs to know.
type Queued struct {
	Row
	Request      imprimatur.Request
	Unreadable   error // why the request cannot be read; nil: it can
	Requeued     int   // how often it started over
	Unrepeatable bool  // a write that is not safe to repeat was begun
}

// Queued reads a run that was queued, whatever its status is by now. One that
// was not has an unreadable request. It returns ErrNoRun where there is none.
func (s *Store) Queued(ctx context.Context, run string) (Queued, error) {
	row, err := s.Run(ctx, run)
	if err != nil {
		return Queued{}, err
	}
	q := Queued{Row: row}
	var sealed []byte
	var unrepeatable int64
	if err := s.reader.QueryRowContext(ctx, queueSQL.get("Request"), run).Scan(&sealed, &q.Requeued, &unrepeatable); err != nil {
		return Queued{}, fmt.Errorf("read request of run %s: %w", run, err)
	}
	q.Unrepeatable = unrepeatable == 1
	q.Request, q.Unreadable = s.request(run, sealed)
	return q, nil
}

// request opens and decodes a request. Every failure is imprimatur.ErrCorrupt.
func (s *Store) request(run string, sealed []byte) (imprimatur.Request, error) {
	if len(sealed) == 0 {
		return imprimatur.Request{}, imprimatur.ErrCorrupt
	}
	plain, err := s.sealer.Open(sealed, seal.Associated(run, columnRequest, 0))
	if err != nil {
		return imprimatur.Request{}, fmt.Errorf("%w: open request of run %s: %w", imprimatur.ErrCorrupt, run, err)
	}
	r, err := imprimatur.DecodeRequest(plain)
	if err != nil {
		return imprimatur.Request{}, fmt.Errorf("request of run %s: %w", run, err)
	}
	return r, nil
}

// damaged reports whether a run has a request that cannot be read, before an
// update that would clear it.
func (s *Store) damaged(ctx context.Context, tx *sql.Tx, run string) (bool, error) {
	var sealed []byte
	var requeued, unrepeatable int64
	err := tx.QueryRowContext(ctx, queueSQL.get("Request"), run).Scan(&sealed, &requeued, &unrepeatable)
	if errors.Is(err, sql.ErrNoRows) || err == nil && len(sealed) == 0 {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look at request of run %s: %w", run, err)
	}
	_, err = s.request(run, sealed)
	return err != nil, nil
}

// Take gives a queued run to a worker (T3), with the first events of its
// segment; lease is in milliseconds from now. It reports false where the run is
// not queued, or no longer.
func (s *Store) Take(ctx context.Context, run string, claim imprimatur.Claim, lease int64, events []Draft) (won bool, err error) {
	err = s.write(ctx, func(ctx context.Context, tx *sql.Tx, now int64) error {
		res, err := tx.ExecContext(ctx, queueSQL.get("Take"), string(claim), now+lease, now, run)
		if err := matched(res, err); err != nil {
			return err
		}
		_, err = extend(ctx, tx, run, now, events)
		return err
	})
	return verdict(err, "take run %s", run)
}

// Requeuing is a run whose worker was lost, or gives up for now.
type Requeuing struct {
	Run    string
	Claim  imprimatur.Claim // the worker's own; empty: any whose lease has lapsed
	Class  string           // of the failure, for the record
	Before []Draft          // steps not yet stored: they fail softly
	Wake   Waker            // required
}

// Requeue lets a run start over from its prompt (T10 by its worker, T11 where
// the lease lapsed) and wakes a worker, in one transaction. It reports false
// where the claim is gone or the run may not start over: a write that is not
// safe to repeat was begun, it did so MaxRequeues times already, or it was not
// queued.
func (s *Store) Requeue(ctx context.Context, r Requeuing) (won bool, err error) {
	err = s.owned(ctx, r.Run, r.Before, func(ctx context.Context, tx *sql.Tx, now int64) (sql.Result, error) {
		query, of := queueSQL.get("Requeue"), any(string(r.Claim))
		if r.Claim == "" {
			query, of = queueSQL.get("RequeueLapsed"), now
		}
		res, err := tx.ExecContext(ctx, query, r.Run, of)
		if err := matched(res, err); err != nil {
			return nil, err
		}
		again := imprimatur.GovernancePayload{Reason: r.Class}
		if err := tx.QueryRowContext(ctx, queueSQL.get("CountRequeued"), r.Run).Scan(&again.Requeued); err != nil {
			return nil, err
		}
		if _, err := extend(ctx, tx, r.Run, now, []Draft{{imprimatur.EventGovernance, again}}); err != nil {
			return nil, err
		}
		return res, r.Wake(ctx, tx)
	})
	return verdict(err, "requeue run %s", r.Run)
}

// Requeued answers what became of a Requeue by its worker whose commit was not
// heard of. ErrCommitUnknown from it means that it did not happen.
func (s *Store) Requeued(ctx context.Context, run string, claim imprimatur.Claim, before int) (bool, error) {
	q, err := s.Queued(ctx, run)
	switch {
	case err != nil:
		return false, err
	case q.Claim == claim:
		return false, ErrCommitUnknown
	default:
		return q.Row.Status != imprimatur.StatusCancelled && q.Requeued > before, nil
	}
}
