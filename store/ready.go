package store

import (
	"context"
	"database/sql"
	"log/slog"
	"sync"
	"time"
)

const (
	// fresh is how long an answer of Ready is given again: whoever asks without
	// end costs one look a second.
	fresh = time.Second
	// memory is how long a write that failed counts, although others succeed: a
	// disk that is nearly full takes small ones for a while.
	memory = 10 * time.Second
)

// condition is how the database is, as far as anybody noticed.
type condition struct {
	mu     sync.Mutex
	failed Trouble // of the last write of the program; none after a success
	at     time.Time

	look   sync.Mutex // held while Ready looks
	answer Trouble
	looked time.Time
}

// notice remembers how a write ended, and logs what the database said.
func (s *Store) notice(ctx context.Context, err error) {
	trouble := TroubleOf(err)
	if err != nil && trouble == NoTrouble {
		return // a refusal; it says nothing of the database
	}
	s.condition.mu.Lock()
	s.condition.failed, s.condition.at = trouble, time.Now()
	s.condition.mu.Unlock()
	if trouble != NoTrouble {
		s.log.ErrorContext(ctx, trouble.String(), slog.String("trouble", string(trouble)), slog.Any("error", err)) //nolint:sloglint // each trouble has a sentence of its own
	}
}

// Ready says what keeps the database from doing its work, NoTrouble if nothing
// does. It reads, compares the version of the schema and commits a number; a
// write of the program that failed in the last ten seconds, and none succeeded
// since, counts too. Answers are at most a second old.
func (s *Store) Ready(ctx context.Context) Trouble {
	s.condition.look.Lock()
	defer s.condition.look.Unlock()
	if !s.condition.looked.IsZero() && time.Since(s.condition.looked) < fresh {
		return s.condition.answer
	}
	s.condition.answer = s.examine(ctx)
	s.condition.looked = time.Now()
	return s.condition.answer
}

func (s *Store) examine(ctx context.Context) Trouble {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	err := s.probe(ctx)
	trouble := TroubleOf(err)
	if err != nil && trouble == NoTrouble {
		trouble = Unavailable
	}
	if trouble != NoTrouble {
		s.log.ErrorContext(ctx, trouble.String(), slog.String("trouble", string(trouble)), slog.Any("error", err)) //nolint:sloglint // each trouble has a sentence of its own
		return trouble
	}
	s.condition.mu.Lock()
	defer s.condition.mu.Unlock()
	if passing(s.condition.failed) || time.Since(s.condition.at) > memory {
		return NoTrouble
	}
	return s.condition.failed
}

// passing reports whether a trouble is over once the database answers again.
func passing(t Trouble) bool { return t != DiskFull && t != ReadOnly && t != Broken }

// probe reads with the reader and writes with the writer.
func (s *Store) probe(ctx context.Context) error {
	for _, set := range s.known {
		have, err := s.version(ctx, s.reader, set.table())
		if err != nil {
			return err
		}
		if have != set.want {
			return &SchemaError{Set: set.Name, Have: have, Want: set.want}
		}
	}
	return s.attempt(ctx, func(ctx context.Context, tx *sql.Tx, _ int64) error {
		_, err := tx.ExecContext(ctx, readySQL.get("Count"))
		return err
	})
}

var readySQL = load("ready.sql")
