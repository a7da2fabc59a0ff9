package content

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/imprimatur-dev/imprimatur"
)

// ParseFields reads columns as commands take them, FIELD=VALUE each. Everything
// behind the first = is the value; a column may stand there once.
func ParseFields(pairs []string) (map[string]any, error) {
	fields := map[string]any{}
	for _, pair := range pairs {
		name, value, ok := strings.Cut(pair, "=")
		if !ok || name == "" {
			return nil, fmt.Errorf("%q is not FIELD=VALUE", pair)
		}
		if _, twice := fields[name]; twice {
			return nil, fmt.Errorf("column %q is given twice", name)
		}
		fields[name] = value
	}
	return fields, nil
}

// Set changes columns of one row as a user, and reads back: untouched names the
// columns whose value did not take although nobody complained, because the user
// holds no grant for them.
func (r *Repository) Set(ctx context.Context, u imprimatur.User, table string, uid int64, fields map[string]any) (out Outcome, untouched []string, err error) {
	out, err = r.Apply(ctx, u, ChangeSet{Changes: []Change{{Op: Update, Table: table, UID: uid, Fields: fields}}})
	if err != nil || len(out.Complaints) > 0 {
		return out, nil, err
	}
	rec, err := r.live(ctx, Ref{table, uid})
	if err != nil {
		return out, nil, fmt.Errorf("read back: %w", err)
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		column, _ := r.schema.Column(table, name)
		if want, _ := column.normal(fields[name]); rec.Fields[name] != want {
			untouched = append(untouched, name)
		}
	}
	return out, untouched, nil
}

// String names the column, where there is one, and the reason.
func (c Complaint) String() string {
	if c.Field == "" {
		return c.Text
	}
	return c.Field + ": " + c.Text
}
