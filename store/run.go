package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/internal/canon"
	"github.com/imprimatur-dev/imprimatur/internal/seal"
)

var runSQL = load("run.sql")

// Columns whose sealed values belong to a run.
const (
	columnRequest = "request"
	columnState   = "state"
	columnShown   = "shown"
	columnOutcome = "outcome"
)

// ErrNoRun is returned for a run that does not exist.
var ErrNoRun = errors.New("no such run")

// Row is a run as it is stored, but for the sealed state, which State opens.
type Row struct {
	ID           string
	Status       imprimatur.Status
	Reason       imprimatur.Reason
	ErrorClass   string
	Agent        string
	Owner        imprimatur.By
	StartedBy    string // id of the agent token; empty for people
	Rounds       int
	Truncated    bool
	Tokens       imprimatur.Tokens
	Claim        imprimatur.Claim
	Lease        int64 // expiry in milliseconds; 0 means none
	Started      bool
	Effect       imprimatur.Effect
	Pending      []Pending
	Calls        int
	Stale        []imprimatur.Mark
	Back         bool
	WaitingSince int64
	NextSequence int64
	CreatedAt    int64
	StartedAt    int64
	FinishedAt   int64

	sealed   []byte
	sequence int64
}

// Pending is what lists show of a call that waits.
type Pending struct {
	ID   string `json:"id"`
	Tool string `json:"tool"`
}

// Ownership returns what permissions on the run depend on.
func (r Row) Ownership() imprimatur.Ownership {
	return imprimatur.Ownership{Owner: r.Owner.ID, StartedBy: r.StartedBy}
}

// Begun is a run that begins.
type Begun struct {
	ID        string
	Agent     string
	Owner     imprimatur.By
	StartedBy string
	Claim     imprimatur.Claim
	Lease     int64 // milliseconds from now
	Key       *IdempotencyKey
	Events    []Draft
}

// Begin stores a run that runs at once (T1), with its first events. Where it
// carries an idempotency key that was used before, nothing is stored and the
// id of the run that the key stands for is returned.
func (s *Store) Begin(ctx context.Context, b Begun) (run string, err error) {
	err = s.write(ctx, func(ctx context.Context, tx *sql.Tx, now int64) error {
		run = b.ID
		if b.Key != nil {
			first, err := reserveKey(ctx, tx, now, *b.Key, b.ID)
			if err != nil || first != b.ID {
				run = first
				return err
			}
		}
		search := strings.ToLower(b.ID + "\n" + b.Agent + "\n" + b.Owner.Name)
		_, err := tx.ExecContext(ctx, runSQL.get("Begin"), b.ID, b.Agent, b.Owner.ID, b.Owner.Name, b.StartedBy,
			string(b.Claim), now+b.Lease, search, now, now)
		if err != nil {
			return fmt.Errorf("store run %s: %w", b.ID, err)
		}
		_, err = extend(ctx, tx, b.ID, now, b.Events)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("begin run: %w", err)
	}
	return run, nil
}

// Run reads a run. It returns ErrNoRun where there is none.
func (s *Store) Run(ctx context.Context, id string) (Row, error) {
	if !storable(id) {
		return Row{}, fmt.Errorf("read run: %w", ErrNoRun)
	}
	r, err := scanRun(s.reader.QueryRowContext(ctx, runSQL.get("Run"), id))
	if err != nil {
		return Row{}, fmt.Errorf("read run %s: %w", id, err)
	}
	return r, nil
}

// State opens and decodes the state of a run that waits or was just claimed.
// Every failure is imprimatur.ErrCorrupt; the bytes stay where they are.
func (s *Store) State(r Row) (imprimatur.Suspended, []imprimatur.Mark, error) {
	if len(r.sealed) == 0 {
		return imprimatur.Suspended{}, nil, imprimatur.ErrCorrupt
	}
	plain, err := s.sealer.Open(r.sealed, seal.Associated(r.ID, columnState, r.sequence))
	if err != nil {
		return imprimatur.Suspended{}, nil, fmt.Errorf("%w: open: %w", imprimatur.ErrCorrupt, err)
	}
	return imprimatur.DecodeSuspended(plain, r.Stale)
}

// Pausing is a run that stops to wait.
type Pausing struct {
	Run    string
	Claim  imprimatur.Claim
	State  imprimatur.Suspended
	Back   bool              // the same turn as before, after an approval that did not hold
	Marks  []imprimatur.Mark // only with Back
	Before []Draft           // steps not yet stored: they fail softly
	Event  *Draft            // stale, with Back
}

// Pause stores a run that waits for a decision (T4) and gives up its claim.
// It reports whether the claim still held; where it did not, nothing moved.
func (s *Store) Pause(ctx context.Context, p Pausing) (won bool, err error) {
	plain, err := p.State.Encode()
	if err != nil {
		return false, err
	}
	pending := make([]Pending, len(p.State.Calls))
	tools := "\n"
	for i, c := range p.State.Calls {
		pending[i] = Pending{c.ID, c.Name}
		tools += strings.ReplaceAll(c.Name, "\n", " ") + "\n"
	}
	clear, err := canon.Marshal(pending)
	if err != nil {
		return false, fmt.Errorf("encode pending calls: %w", err)
	}
	marks, err := encodeMarks(p.Marks)
	if err != nil {
		return false, err
	}
	err = s.owned(ctx, p.Run, p.Before, func(ctx context.Context, tx *sql.Tx, now int64) (sql.Result, error) {
		var drafts []Draft
		if p.Event != nil {
			drafts = append(drafts, *p.Event)
		}
		// The state is bound to the sequence that its event, or the next one,
		// takes; the row is locked before it is read.
		last, err := extend(ctx, tx, p.Run, now, nil)
		if err != nil {
			return nil, err
		}
		next := last + 1
		sealed, err := s.sealer.Seal(plain, seal.Associated(p.Run, columnState, next))
		if err != nil {
			return nil, fmt.Errorf("seal state: %w", err)
		}
		t := p.State.Tokens
		res, err := tx.ExecContext(ctx, runSQL.get("Pause"), sealed, string(clear), tools, len(pending), marks, flag(p.Back),
			flag(p.Back), now, p.State.Rounds, t.Prompt, t.Completion, t.Total, p.Run, string(p.Claim))
		if err == nil && len(drafts) > 0 {
			_, err = extend(ctx, tx, p.Run, now, drafts)
		}
		return res, err
	})
	return verdict(err, "pause run %s", p.Run)
}

// Settling is a run that ends.
type Settling struct {
	Run        string
	Claim      imprimatur.Claim
	Status     imprimatur.Status // completed or failed
	Reason     imprimatur.Reason
	ErrorClass string // type name only, never a message
	Truncated  bool
	Rounds     int
	Tokens     imprimatur.Tokens
	Text       string  // final answer; kept sealed
	Keep       bool    // a request that cannot be read stays as it is
	Before     []Draft // steps not yet stored: they fail softly
}

// Settle ends a run (T8). It reports whether the claim still held.
func (s *Store) Settle(ctx context.Context, e Settling) (won bool, err error) {
	err = s.owned(ctx, e.Run, e.Before, func(ctx context.Context, tx *sql.Tx, now int64) (sql.Result, error) {
		t := e.Tokens
		res, err := tx.ExecContext(ctx, runSQL.get("Settle"), string(e.Status), string(e.Reason), e.ErrorClass,
			flag(e.Truncated), e.Rounds, t.Prompt, t.Completion, t.Total, flag(e.Keep), now, e.Run, string(e.Claim))
		if err != nil {
			return nil, err
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return res, err
		}
		payload := imprimatur.SettledPayload{Status: e.Status, Reason: e.Reason}
		seq, err := extend(ctx, tx, e.Run, now, []Draft{{imprimatur.EventSettled, payload}})
		if err != nil || e.Text == "" {
			return res, err
		}
		soft, hard := softly(ctx, tx, func() error {
			return s.keep(ctx, tx, now, record{run: e.Run, sequence: seq, kind: columnOutcome, value: imprimatur.Outcome{Text: e.Text}})
		})
		if soft != nil {
			s.log.WarnContext(ctx, "outcome was not kept", slog.String("run", e.Run), slog.Any("error", soft))
		}
		return res, hard
	})
	return verdict(err, "settle run %s", e.Run)
}

// Cancel ends a run that has not ended (T9), whoever holds it. It reports
// whether there was something to cancel. A state or a request that cannot be
// read is not lost with the run.
func (s *Store) Cancel(ctx context.Context, run string, by imprimatur.By) (won bool, err error) {
	err = s.write(ctx, func(ctx context.Context, tx *sql.Tx, now int64) error {
		if err := s.quarantine(ctx, tx, run); err != nil {
			return err
		}
		keep, err := s.damaged(ctx, tx, run)
		if err != nil {
			return err
		}
		res, err := tx.ExecContext(ctx, runSQL.get("Cancel"), flag(keep), now, run)
		if err := matched(res, err); err != nil {
			return err
		}
		payload := imprimatur.SettledPayload{Status: imprimatur.StatusCancelled, Reason: imprimatur.ReasonCancelled, By: &by}
		_, err = extend(ctx, tx, run, now, []Draft{{imprimatur.EventSettled, payload}})
		return err
	})
	return verdict(err, "cancel run %s", run)
}

// quarantine keeps the bytes of a state that cannot be read, before an update
// that clears the state. They open, if at all, under state_sequence.
func (s *Store) quarantine(ctx context.Context, tx *sql.Tx, run string) error {
	r, err := scanRun(tx.QueryRowContext(ctx, runSQL.get("Run"), run))
	if errors.Is(err, ErrNoRun) || err == nil && len(r.sealed) == 0 {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look at run %s: %w", run, err)
	}
	if state, _, err := s.State(r); err == nil && len(state.Calls) > 0 && state.Dropped == 0 {
		return nil
	}
	if _, err := tx.ExecContext(ctx, runSQL.get("Quarantine"), run); err != nil {
		return fmt.Errorf("quarantine state of run %s: %w", run, err)
	}
	return nil
}

// errUnmatched rolls back a guarded update that met nothing.
var errUnmatched = errors.New("no row matched")

// matched turns the row count of a guarded update into its verdict.
func matched(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	n, err := res.RowsAffected()
	if err != nil {
		return err
	}
	if n == 0 {
		return errUnmatched
	}
	return nil
}

// verdict turns errUnmatched into "lost".
func verdict(err error, format string, args ...any) (won bool, _ error) {
	switch {
	case err == nil:
		return true, nil
	case errors.Is(err, errUnmatched):
		return false, nil
	default:
		return false, fmt.Errorf(format+": %w", append(args, err)...)
	}
}

// owned runs one owner-guarded transition: steps that were buffered go first,
// softly; a row count of nought takes everything back.
func (s *Store) owned(ctx context.Context, run string, before []Draft, fn func(context.Context, *sql.Tx, int64) (sql.Result, error)) error {
	return s.write(ctx, func(ctx context.Context, tx *sql.Tx, now int64) error {
		if err := s.flush(ctx, tx, run, now, before); err != nil {
			return err
		}
		return matched(fn(ctx, tx, now))
	})
}

// flush stores buffered steps. They are a record for reading, so a constraint
// that fails costs them and nothing else.
func (s *Store) flush(ctx context.Context, tx *sql.Tx, run string, now int64, steps []Draft) error {
	if len(steps) == 0 {
		return nil
	}
	soft, hard := softly(ctx, tx, func() error {
		_, err := extend(ctx, tx, run, now, steps)
		return err
	})
	if soft != nil {
		s.log.WarnContext(ctx, "steps were not recorded", slog.String("run", run), slog.Int("steps", len(steps)), slog.Any("error", soft))
	}
	return hard
}

type scanner interface{ Scan(dest ...any) error }

func scanRun(row scanner) (Row, error) {
	var r Row
	var truncated, started, back int
	var pending, stale string
	err := row.Scan(&r.ID, &r.Status, &r.Reason, &r.ErrorClass, &r.Agent, &r.Owner.ID, &r.Owner.Name, &r.StartedBy,
		&r.Rounds, &truncated, &r.Tokens.Prompt, &r.Tokens.Completion, &r.Tokens.Total, &r.Claim, &r.Lease, &started,
		&r.Effect, &r.sealed, &r.sequence, &pending, &r.Calls, &stale, &back, &r.WaitingSince, &r.NextSequence,
		&r.CreatedAt, &r.StartedAt, &r.FinishedAt)
	if errors.Is(err, sql.ErrNoRows) {
		return Row{}, ErrNoRun
	}
	if err != nil {
		return Row{}, err
	}
	r.Truncated, r.Started, r.Back = truncated == 1, started == 1, back == 1
	// Both columns are for showing: one that does not decode is shown as empty.
	_ = json.Unmarshal([]byte(pending), &r.Pending)
	_ = json.Unmarshal([]byte(stale), &r.Stale)
	return r, nil
}

func encodeMarks(marks []imprimatur.Mark) (string, error) {
	if marks == nil {
		marks = []imprimatur.Mark{}
	}
	b, err := canon.Marshal(marks)
	if err != nil {
		return "", fmt.Errorf("encode marks: %w", err)
	}
	return string(b), nil
}

func flag(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
