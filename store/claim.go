package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"

	"github.com/imprimatur-dev/imprimatur"
)

var claimSQL = load("claim.sql")

// Held says who has a run.
type Held int

// What an owner may find when it looks.
const (
	HeldByMe  Held = iota // the claim holds
	Lost                  // somebody else has the run, or it is final
	Cancelled             // the run was cancelled
)

// Holds reports whether the claim still holds the run.
func (s *Store) Holds(ctx context.Context, run string, claim imprimatur.Claim) (Held, error) {
	return held(ctx, s.reader, run, claim)
}

func held(ctx context.Context, q querier, run string, claim imprimatur.Claim) (Held, error) {
	var status imprimatur.Status
	var owner imprimatur.Claim
	if err := q.QueryRowContext(ctx, claimSQL.get("Status"), run).Scan(&status, &owner); err != nil {
		return Lost, fmt.Errorf("look at run %s: %w", run, err)
	}
	switch {
	case status == imprimatur.StatusCancelled:
		return Cancelled, nil
	case status == imprimatur.StatusRunning && owner == claim:
		return HeldByMe, nil
	default:
		return Lost, nil
	}
}

// Stamping is a write that is about to run.
type Stamping struct {
	Run    string
	Claim  imprimatur.Claim
	Lease  int64 // milliseconds from now
	Effect imprimatur.Effect
	Before []Draft // steps not yet stored: they fail softly
	Start  imprimatur.StartPayload
}

// Stamp sets the fence and writes the start event, before the tool is entered.
// It reports whether the claim still held; where it did not, nothing moved.
func (s *Store) Stamp(ctx context.Context, p Stamping) (won bool, err error) {
	err = s.owned(ctx, p.Run, p.Before, func(ctx context.Context, tx *sql.Tx, now int64) (sql.Result, error) {
		res, err := tx.ExecContext(ctx, claimSQL.get("Stamp"), string(p.Effect), now+p.Lease, string(p.Effect), p.Run, string(p.Claim))
		if err != nil {
			return nil, err
		}
		_, err = extend(ctx, tx, p.Run, now, []Draft{{imprimatur.EventStart, p.Start}})
		return res, err
	})
	return verdict(err, "stamp run %s", p.Run)
}

// Recording is a write that was executed.
type Recording struct {
	Run   string
	Claim imprimatur.Claim
	Lease int64 // milliseconds from now
	Tool  imprimatur.ToolPayload
	Next  *imprimatur.StartPayload // the write that follows at once; nil: none does
}

// Record clears the fence and stores that a write was executed, whatever
// became of the claim: where it was lost the event is marked late and nothing
// else moves. It returns who has the run now.
//
// Where another write follows at once, the same transaction sets its fence and
// stores its start, if the claim still held: HeldByMe is then a Stamp that won.
func (s *Store) Record(ctx context.Context, r Recording) (Held, error) {
	now := Lost
	err := s.write(ctx, func(ctx context.Context, tx *sql.Tx, at int64) error {
		events := []Draft{{imprimatur.EventTool, r.Tool}}
		switch err := matched(r.fence(ctx, tx, at)); {
		case errors.Is(err, errUnmatched):
			late := r.Tool
			late.Late = true
			events[0].Payload = late
			if now, err = held(ctx, tx, r.Run, r.Claim); err != nil {
				return err
			}
		case err != nil:
			return err
		default:
			now = HeldByMe
			if r.Next != nil {
				events = append(events, Draft{imprimatur.EventStart, *r.Next})
			}
		}
		_, err := extend(ctx, tx, r.Run, at, events)
		return err
	})
	if err != nil {
		return Lost, fmt.Errorf("record write of run %s: %w", r.Run, err)
	}
	return now, nil
}

// fence moves the fence from the write that ended to the one that follows.
func (r Recording) fence(ctx context.Context, tx *sql.Tx, at int64) (sql.Result, error) {
	if r.Next == nil {
		return tx.ExecContext(ctx, claimSQL.get("Clear"), at+r.Lease, r.Run, string(r.Claim))
	}
	effect := string(r.Next.Effect)
	return tx.ExecContext(ctx, claimSQL.get("Stamp"), effect, at+r.Lease, effect, r.Run, string(r.Claim))
}

// Recorded reports whether the end of a call is on record. It answers what
// became of a Record whose commit was not heard of.
func (s *Store) Recorded(ctx context.Context, run, call string) (bool, error) {
	for after := int64(-1); ; {
		events, err := s.Events(ctx, run, after)
		if err != nil {
			return false, err
		}
		for _, e := range events {
			var p imprimatur.ToolPayload
			if e.Kind == imprimatur.EventTool && json.Unmarshal(e.Payload, &p) == nil && p.Call == call {
				return true, nil
			}
			after = e.Sequence
		}
		if len(events) < MaxEvents {
			return false, nil
		}
	}
}

// Renew stores buffered steps and renews the lease. It reports whether the
// claim still held; where it did not, nothing moved.
func (s *Store) Renew(ctx context.Context, run string, claim imprimatur.Claim, lease int64, before []Draft) (won bool, err error) {
	err = s.owned(ctx, run, before, func(ctx context.Context, tx *sql.Tx, now int64) (sql.Result, error) {
		return tx.ExecContext(ctx, claimSQL.get("Renew"), now+lease, run, string(claim))
	})
	return verdict(err, "renew lease of run %s", run)
}

// Append adds events to the record of a run, whatever its status.
func (s *Store) Append(ctx context.Context, run string, events []Draft) error {
	err := s.write(ctx, func(ctx context.Context, tx *sql.Tx, now int64) error {
		_, err := extend(ctx, tx, run, now, events)
		return err
	})
	if err != nil {
		return fmt.Errorf("append to run %s: %w", run, err)
	}
	return nil
}

// AppendWaiting adds an event to the record of a run that waits. It moves
// sequence and head only, and nothing at all where the run waits no more.
func (s *Store) AppendWaiting(ctx context.Context, run string, event Draft) error {
	err := s.write(ctx, func(ctx context.Context, tx *sql.Tx, now int64) error {
		if _, err := extend(ctx, tx, run, now, []Draft{event}); err != nil {
			return err
		}
		var status imprimatur.Status
		var claim imprimatur.Claim
		if err := tx.QueryRowContext(ctx, claimSQL.get("Status"), run).Scan(&status, &claim); err != nil {
			return err
		}
		if status != imprimatur.StatusWaiting {
			return errUnmatched
		}
		return nil
	})
	_, err = verdict(err, "append to run %s", run)
	return err
}

// Lapsed returns running runs whose lease has lapsed, the oldest lease first.
func (s *Store) Lapsed(ctx context.Context, limit int) ([]string, error) {
	now, err := s.now(ctx, s.reader)
	if err != nil {
		return nil, err
	}
	rows, err := s.reader.QueryContext(ctx, claimSQL.get("Lapsed"), now, limit)
	if err != nil {
		return nil, fmt.Errorf("find lapsed runs: %w", err)
	}
	defer rows.Close()
	var ids []string
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, fmt.Errorf("find lapsed runs: %w", err)
		}
		ids = append(ids, id)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("find lapsed runs: %w", err)
	}
	return ids, nil
}

// Return gives a run whose approval was lost before anything ran back to whoever
// decides (T13): state and digests stay, every call is marked. It reports false
// where the run is not such a run, or no longer.
func (s *Store) Return(ctx context.Context, run string) (won bool, err error) {
	err = s.write(ctx, func(ctx context.Context, tx *sql.Tx, now int64) error {
		var clear string
		err := tx.QueryRowContext(ctx, claimSQL.get("Return"), run, now).Scan(&clear)
		if errors.Is(err, sql.ErrNoRows) {
			return errUnmatched
		}
		if err != nil {
			return err
		}
		var pending []Pending
		// The column is for showing: one that does not decode marks nothing.
		_ = json.Unmarshal([]byte(clear), &pending)
		marks := make([]imprimatur.Mark, len(pending))
		for i, p := range pending {
			marks[i] = imprimatur.Mark{Index: i, ID: p.ID, Kind: imprimatur.MarkLost}
		}
		text, err := encodeMarks(marks)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, claimSQL.get("Mark"), text, run); err != nil {
			return err
		}
		_, err = extend(ctx, tx, run, now, []Draft{{imprimatur.EventStale, imprimatur.StalePayload{Calls: marks}}})
		return err
	})
	return verdict(err, "return run %s", run)
}

// Bury fails a run whose lease has lapsed (T12). Where it was lost inside a
// write that is not safe to repeat, the reason says that the outcome is
// unknown. It reports false where the lease did not lapse, or no longer.
func (s *Store) Bury(ctx context.Context, run string) (won bool, err error) {
	err = s.write(ctx, func(ctx context.Context, tx *sql.Tx, now int64) error {
		if err := s.quarantine(ctx, tx, run); err != nil {
			return err
		}
		keep, err := s.damaged(ctx, tx, run)
		if err != nil {
			return err
		}
		var reason imprimatur.Reason
		err = tx.QueryRowContext(ctx, claimSQL.get("Bury"), flag(keep), now, run, now).Scan(&reason)
		if errors.Is(err, sql.ErrNoRows) {
			return errUnmatched
		}
		if err != nil {
			return err
		}
		payload := imprimatur.SettledPayload{Status: imprimatur.StatusFailed, Reason: reason}
		_, err = extend(ctx, tx, run, now, []Draft{{imprimatur.EventSettled, payload}})
		return err
	})
	return verdict(err, "bury run %s", run)
}

// Deciding is the one transaction in which a decision takes effect. Everything
// it reads it reads through itself; nothing inside may call a tool, a server or
// another connection.
type Deciding struct {
	store *Store
	tx    *sql.Tx
	now   int64
}

// Decide runs fn in one transaction on a context that the caller's cannot end.
// Whatever fn returns other than nil takes everything back.
func (s *Store) Decide(ctx context.Context, fn func(ctx context.Context, d *Deciding) error) error {
	return s.write(ctx, func(ctx context.Context, tx *sql.Tx, now int64) error {
		return fn(ctx, &Deciding{s, tx, now})
	})
}

// Claim takes a run that waits (T6): the state that comes back is the state
// that was claimed. Where nothing waited it reports false, and the row says
// why.
func (d *Deciding) Claim(ctx context.Context, run string, claim imprimatur.Claim, lease int64) (r Row, won bool, err error) {
	r, err = scanRun(d.tx.QueryRowContext(ctx, claimSQL.get("Claim"), string(claim), d.now+lease, run))
	if err == nil {
		return r, true, nil
	}
	if !errors.Is(err, ErrNoRun) {
		return Row{}, false, fmt.Errorf("claim run %s: %w", run, err)
	}
	r, err = scanRun(d.tx.QueryRowContext(ctx, runSQL.get("Run"), run))
	if err != nil {
		return Row{}, false, fmt.Errorf("look at run %s: %w", run, err)
	}
	return r, false, nil
}

// User reads a user with their rights. Somebody who does not exist is the zero
// user.
func (d *Deciding) User(ctx context.Context, id int64) (imprimatur.User, error) {
	return d.store.userTx(ctx, d.tx, id)
}

// Now returns the time of the transaction.
func (d *Deciding) Now() imprimatur.Time { return imprimatur.Millis(d.now) }

// Record stores the decision event and what was shown with it.
func (d *Deciding) Record(ctx context.Context, run string, event imprimatur.ApprovalPayload, shown imprimatur.Shown) error {
	seq, err := extend(ctx, d.tx, run, d.now, []Draft{{imprimatur.EventApproval, event}})
	if err != nil {
		return err
	}
	return d.store.keep(ctx, d.tx, d.now, record{run: run, sequence: seq, kind: columnShown, decided: shown.Decided, value: shown})
}

// RecordSoftly is Record behind a savepoint: where a constraint fails, nothing
// is on record, a warning is logged, and the decision goes on.
func (d *Deciding) RecordSoftly(ctx context.Context, run string, event imprimatur.ApprovalPayload, shown imprimatur.Shown) error {
	soft, hard := softly(ctx, d.tx, func() error { return d.Record(ctx, run, event, shown) })
	if soft != nil {
		d.store.log.WarnContext(ctx, "decision was not recorded", slog.String("run", run), slog.Any("error", soft))
	}
	return hard
}

// Claimed reports whether a run is held by exactly this claim. It answers what
// became of a decision whose commit was not heard of.
func (s *Store) Claimed(ctx context.Context, run string, claim imprimatur.Claim) (bool, error) {
	h, err := s.Holds(ctx, run, claim)
	return h == HeldByMe, err
}

// NewID returns a fresh id.
func (s *Store) NewID() string { return s.newID() }

// The three questions below answer what became of an update whose commit was
// not heard of. ErrCommitUnknown from them means that it did not happen.

// Stamped reports whether the claim's fence is set: a segment has one write
// under way at most.
func (s *Store) Stamped(ctx context.Context, run string, claim imprimatur.Claim) (bool, error) {
	r, err := s.Run(ctx, run)
	switch {
	case err != nil:
		return false, err
	case r.Claim == claim && r.Effect == "":
		return false, ErrCommitUnknown
	default:
		return r.Claim == claim, nil
	}
}

// Paused reports whether a run that the claim held waits now.
func (s *Store) Paused(ctx context.Context, run string, claim imprimatur.Claim) (bool, error) {
	r, err := s.Run(ctx, run)
	switch {
	case err != nil:
		return false, err
	case r.Claim == claim:
		return false, ErrCommitUnknown
	default:
		return r.Status == imprimatur.StatusWaiting, nil
	}
}

// Settled reports whether a run that the claim held has come to this end.
func (s *Store) Settled(ctx context.Context, run string, claim imprimatur.Claim, status imprimatur.Status) (bool, error) {
	r, err := s.Run(ctx, run)
	switch {
	case err != nil:
		return false, err
	case r.Claim == claim:
		return false, ErrCommitUnknown
	default:
		return r.Status == status, nil
	}
}
