package store

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/imprimatur-dev/imprimatur"
)

var listSQL = load("list.sql")

// Listing asks for a page of runs.
type Listing struct {
	imprimatur.Filter
	All     bool   // the caller sees every run
	User    int64  // whose runs the caller sees otherwise; 0: nobody's
	Token   string // or the runs that this agent token started
	Mine    int64  // only this owner's; 0: any
	Decider int64  // only those this user decided; 0: any
}

// ErrCursor is returned for a cursor that no page of this list gave out.
var ErrCursor = errors.New("no such cursor")

// List returns a page of runs and the cursor of the next one.
func (s *Store) List(ctx context.Context, l Listing) (runs []Row, next string, err error) {
	waiting := l.Status == imprimatur.StatusWaiting
	at, id, err := parseCursor(l.Cursor, waiting)
	if err != nil {
		return nil, "", err
	}
	args := []any{
		at, id, flag(l.All), l.User, l.Token, l.Agent, toolIn(l.Tool), flag(l.Back), l.Mine, l.Decider, strings.ToLower(l.Query),
	}
	query := listSQL.get("ListWaiting")
	if !waiting {
		query = listSQL.get("ListRecent")
		args = append(args, string(l.Status), flag(l.Ended && l.Status == ""))
	}
	rows, err := s.reader.QueryContext(ctx, query, append(args, l.Limit+1)...)
	if err != nil {
		return nil, "", fmt.Errorf("list runs: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		r, err := scanRun(rows)
		if err != nil {
			return nil, "", fmt.Errorf("list runs: %w", err)
		}
		runs = append(runs, r)
	}
	if err := rows.Err(); err != nil {
		return nil, "", fmt.Errorf("list runs: %w", err)
	}
	if len(runs) > l.Limit {
		runs = runs[:l.Limit]
		last := runs[l.Limit-1]
		key := last.CreatedAt
		if waiting {
			key = last.WaitingSince
		}
		next = formatCursor(key, last.ID)
	}
	return runs, next, nil
}

// CountWaiting returns how many runs wait that the listing matches, whatever
// its page. It counts to imprimatur.MaxTotal.
func (s *Store) CountWaiting(ctx context.Context, l Listing) (int, error) {
	var n int
	err := s.reader.QueryRowContext(ctx, listSQL.get("CountWaiting"),
		flag(l.All), l.User, l.Token, l.Agent, toolIn(l.Tool), flag(l.Back), l.Mine, l.Decider, strings.ToLower(l.Query), imprimatur.MaxTotal).Scan(&n)
	if err != nil {
		return 0, fmt.Errorf("count waiting runs: %w", err)
	}
	return n, nil
}

// toolIn is a tool's name as it stands among those of a turn.
func toolIn(name string) string {
	if name == "" {
		return ""
	}
	return "\n" + name + "\n"
}

func formatCursor(at int64, id string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(strconv.FormatInt(at, 10) + " " + id))
}

// parseCursor reads a cursor; the empty one stands before the first run.
func parseCursor(c string, ascending bool) (at int64, id string, err error) {
	if c == "" && ascending {
		return -1, "", nil
	}
	if c == "" {
		return math.MaxInt64, "", nil
	}
	b, err := base64.RawURLEncoding.DecodeString(c)
	if err != nil {
		return 0, "", ErrCursor
	}
	number, id, ok := strings.Cut(string(b), " ")
	at, err = strconv.ParseInt(number, 10, 64)
	if !ok || err != nil || !storable(id) {
		return 0, "", ErrCursor
	}
	return at, id, nil
}
