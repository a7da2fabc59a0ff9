package editorial

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/tool"
)

// Bounds of what tools read, whatever they are asked for.
const (
	batchSize  = 500    // records that one statement reads
	maxWalk    = 10_000 // records that one call goes through
	maxAnswer  = 60_000 // bytes of one answer
	cellLength = 300    // characters of one value
)

// reading describes a tool that only reads; what differs from tool to tool.
type reading[A any] struct {
	name, group, description string
	neutral                  string // what it answers without an acting user
	read                     func(d desk, ctx context.Context, u imprimatur.User, args A) (string, error)
}

// reader makes the tool. A refusal reaches the model as the error that it is.
func reader[A any](d desk, def reading[A]) imprimatur.Tool {
	return tool.New(tool.Definition[A]{
		Name: def.name, Description: def.description, Group: def.group, Effect: imprimatur.ReadOnly,
		Execute: func(ctx context.Context, call imprimatur.Call, args A) (imprimatur.Result, error) {
			if !call.User.Exists() || !call.User.Enabled {
				return imprimatur.Result{IsError: true, Content: def.neutral}, nil
			}
			text, err := def.read(d, ctx, call.User, args)
			if no, ok := errors.AsType[*refused](err); ok {
				return imprimatur.Result{IsError: true, Content: no.sentence}, nil
			}
			if err != nil {
				return imprimatur.Result{}, fmt.Errorf("%s: %w", def.name, err)
			}
			return imprimatur.Result{Content: text}, nil
		},
	})
}

// answer is a text of bounded size.
type answer struct{ strings.Builder }

// addf adds a line, or reports that it does not fit any more.
func (a *answer) addf(format string, args ...any) bool {
	line := fmt.Sprintf(format, args...) + "\n"
	if a.Len()+len(line) > maxAnswer {
		return false
	}
	a.WriteString(line)
	return true
}

// closing adds a line for which there is always room.
func (a *answer) closing(format string, args ...any) {
	fmt.Fprintf(a, format+"\n", args...)
}

// walker goes through records in batches, and no further than it may.
type walker struct {
	left  int            // records that it may still read
	last  content.Record // the last one that it read
	ended bool           // there is none behind that one
}

// walk calls visit for the records behind the last one until that returns
// false, the records end, or no more may be read.
func (w *walker) walk(next func(after content.Record, limit int) ([]content.Record, error), visit func(content.Record) (bool, error)) error {
	for w.left > 0 {
		limit := min(batchSize, w.left)
		batch, err := next(w.last, limit)
		if err != nil {
			return err
		}
		for _, rec := range batch {
			w.left, w.last = w.left-1, rec
			if more, err := visit(rec); err != nil || !more {
				return err
			}
		}
		if len(batch) < limit {
			w.ended = true
			return nil
		}
	}
	return nil
}

// inTable reads the records of a table by uid.
func (d desk) inTable(ctx context.Context, table string) func(content.Record, int) ([]content.Record, error) {
	return func(after content.Record, limit int) ([]content.Record, error) {
		return d.repo.Batch(ctx, table, after.UID, limit)
	}
}

// onPage reads the records of a table that lie on a page, in their order.
func (d desk) onPage(ctx context.Context, table string, page int64) func(content.Record, int) ([]content.Record, error) {
	return func(after content.Record, limit int) ([]content.Record, error) {
		return d.repo.BatchOnPage(ctx, table, page, after, limit)
	}
}

// orDefault is a bound that a call may leave out.
func orDefault(given *int64, otherwise int) int {
	if given == nil {
		return otherwise
	}
	return int(*given)
}
