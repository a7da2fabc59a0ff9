package content

import (
	"context"
	"database/sql"
	_ "embed"
	"fmt"
	"time"

	"github.com/imprimatur-dev/imprimatur"
)

//go:embed history.sql
var historySQL string

var (
	sqlHistory       = statement(historySQL, "of row")
	sqlInsertHistory = statement(historySQL, "insert")
	sqlLastEntry     = statement(historySQL, "last entry")
	sqlHoldEntries   = statement(historySQL, "hold entries")
	sqlEntryThere    = statement(historySQL, "entry there")
)

// Entry is one line of the history of a record. Old and New are nil where the
// field had or has no value. A create, delete or restore has an empty Field.
type Entry struct {
	At      time.Time
	By      imprimatur.By
	Op      Op
	Version int64 // that the write left
	Field   string
	Old     *string
	New     *string
}

// History returns what happened to a row, the newest first, at most limit
// entries. It asks nothing about a user.
func (r reads) History(ctx context.Context, of Ref, limit int) ([]Entry, error) {
	entries, err := collect(ctx, r.q, scanEntry, sqlHistory, of.Table, of.UID, limit)
	if err != nil {
		return nil, fmt.Errorf("read history of %s: %w", of, err)
	}
	return entries, nil
}

func scanEntry(rows *sql.Rows) (Entry, error) {
	var e Entry
	var at int64
	err := rows.Scan(&at, &e.By.ID, &e.By.Name, &e.Op, &e.Version, &e.Field, &e.Old, &e.New)
	e.At = time.UnixMilli(at).UTC()
	return e, err
}
