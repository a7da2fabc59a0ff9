package content

import (
	"context"

	"github.com/imprimatur-dev/imprimatur"
)

// Apply carries out a change set as a user: all of it in one transaction, or
// nothing. Rights are checked inside that transaction, whatever was checked
// before.
//
// What the user may not do, what the schema forbids and what does not exist
// comes back as complaints, and nothing was written. Columns that the user
// holds no field grant for are left out without a word, so whoever needs to
// know reads back. imprimatur.ErrMoved answers a row whose version is none of
// the expected ones, before any effect.
func (r *Repository) Apply(ctx context.Context, u imprimatur.User, set ChangeSet) (Outcome, error) {
	return Outcome{}, nil
}

// Shown is a record as commands print it.
type Shown struct {
	Table  string                 `json:"table"`
	UID    int64                  `json:"uid"`
	PID    int64                  `json:"pid"`
	Fields map[string]any         `json:"fields"`
	Files  map[string][]ShownFile `json:"files"`
}

// ShownFile is one file in a field of a record, in the order of the field.
type ShownFile struct {
	Reference int64  `json:"reference"`
	File      int64  `json:"file"`
	Name      string `json:"name"`
}

// Show returns a record that the user may read, with the files in its fields.
func (r *Repository) Show(ctx context.Context, u imprimatur.User, table string, uid int64) (Shown, error) {
	return Shown{}, nil
}
