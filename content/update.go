package content

import (
	"context"
	"errors"
	"maps"
	"strings"
)

// update changes columns of a row. Nothing is written, and the version stays,
// where every value is there already.
func (w *write) update(ctx context.Context, t *Table, c Change) error {
	old, ok, err := w.target(ctx, c, bitFor(c.Table))
	if err != nil || !ok {
		return err
	}
	fields, ok := w.fields(t, c)
	if !ok || !w.mayChange(old, fields) {
		return nil
	}
	rec := old
	rec.Fields = maps.Clone(old.Fields)
	same := true
	for name, value := range fields {
		if old.Fields[name] != value {
			rec.Fields[name], same = value, false
		}
	}
	if same {
		w.out.Versions[old.Ref()] = old.Version
		return nil
	}
	return w.store(ctx, Update, old, rec, 0)
}

// fixed are columns that say which record a row is; a write of another value
// would make it another one.
var fixed = map[string][]string{
	FileReferences: {ColumnOwnerTable, ColumnOwner, ColumnOwnerField, ColumnFile},
	Files:          {ColumnStorage, ColumnIdentifier},
	FileMetadata:   {ColumnFile},
}

// mayChange complains about values that this row cannot take.
func (w *write) mayChange(old Record, fields map[string]any) bool {
	ok := true
	names := fixed[old.Table]
	if t, _ := w.schema.Table(old.Table); t.Owner != nil {
		names = []string{t.Owner.Column}
	}
	for _, name := range names {
		if value, given := fields[name]; given && value != old.Fields[name] {
			w.complain(name, "the value of this column cannot change")
			ok = false
		}
	}
	kind, given := fields[ColumnPageType]
	if old.Table == Pages && given && kind != old.Fields[ColumnPageType] && !MayUsePageType(w.user, asText(kind)) {
		w.complain(ColumnPageType, "the page type is not permitted")
		ok = false
	}
	if slug, given := fields[ColumnSlug]; given && old.Table == Pages && strings.TrimSpace(asText(slug)) == "" {
		w.complain(ColumnSlug, "a value is required")
		ok = false
	}
	return ok
}

// target reads the row of a change and complains about one that is not there or
// that the user may not write.
func (w *write) target(ctx context.Context, c Change, bit Bits) (Record, bool, error) {
	rec, err := w.live(ctx, Ref{c.Table, c.UID})
	if errors.Is(err, ErrNotFound) {
		w.complain("", neutral)
		return rec, false, nil
	}
	if err != nil {
		return rec, false, err
	}
	ok, err := w.mayWrite(ctx, rec, bit)
	if err == nil && !ok {
		w.complain("", neutral)
	}
	return rec, ok && err == nil, err
}
