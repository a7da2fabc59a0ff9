package content

import (
	"context"
	"errors"
	"maps"
	"slices"
)

// localize makes the translation of a record, directly behind it.
func (w *write) localize(ctx context.Context, t *Table, c Change) error {
	source, ok, err := w.translatable(ctx, t, c)
	if err != nil || !ok {
		return err
	}
	fields, ok := w.fields(t, c)
	if !ok || !w.mayChange(source, fields) {
		return nil
	}
	rec, ok, err := w.translated(ctx, t, source, c.Language)
	if err != nil || !ok {
		return err
	}
	return w.insertTranslation(ctx, t, rec, source, fields)
}

// translatable reads the record of a change that can get a translation, and
// complains about any other.
func (w *write) translatable(ctx context.Context, t *Table, c Change) (Record, bool, error) {
	switch {
	case t.Name == Files, t.Name == FileReferences, t.Owner != nil:
		w.complain("", "the record is translated with the one it belongs to")
		return Record{}, false, nil
	case c.Language <= 0:
		w.complain("", "a translation is in another language than the default")
		return Record{}, false, nil
	}
	rec, err := w.live(ctx, Ref{t.Name, c.UID})
	if errors.Is(err, ErrNotFound) {
		w.complain("", neutral)
		return Record{}, false, nil
	}
	if err != nil {
		return Record{}, false, err
	}
	ok := true
	page, bit := rec.PID, bitFor(t.Name)
	if t.Name == Pages {
		page = rec.UID
	}
	if t.Name == FileMetadata {
		ok, err = w.mayWrite(ctx, rec, bit)
	} else if !isAdmin(w.user) {
		ok, err = w.MayOnPage(ctx, w.user, page, bit)
	}
	if err == nil && !ok {
		w.complain("", neutral)
	}
	return rec, ok && err == nil, err
}

// translated returns the row that translates another one, without uid and
// place, and complains where there can be none.
func (w *write) translated(ctx context.Context, t *Table, source Record, language int64) (Record, bool, error) {
	rec := Record{Table: t.Name, PID: source.PID, Language: language, Origin: source.UID}
	if source.Language != 0 {
		w.complain("", "only a record in the default language can be translated")
		return rec, false, nil
	}
	if ok, err := w.placeTranslation(ctx, t, &rec); err != nil || !ok {
		return rec, false, err
	}
	var err error
	if rec.Fields, err = w.handedDown(ctx, t, source); err != nil {
		return rec, false, err
	}
	if !w.MayEditRecord(w.user, rec) {
		w.complain("", neutral)
		return rec, false, nil
	}
	return rec, true, nil
}

// handedDown returns the columns that a translation begins with: those of the
// record in the default language that it does not inherit, without a path.
// What belongs to the record is counted, for it is translated along.
func (w *write) handedDown(ctx context.Context, t *Table, source Record) (map[string]any, error) {
	fields := map[string]any{}
	for _, column := range t.Columns {
		value, set := source.Fields[column.Name]
		counts := column.Type == TypeFile || w.schema.Counting(t.Name, column.Name)
		switch {
		case counts && column.Inherited:
			fields[column.Name] = int64(0)
		case counts:
			n, err := w.holding(ctx, source.Ref(), column.Name)
			if err != nil {
				return nil, err
			}
			fields[column.Name] = n
		case set && column.Type != TypeSlug && (!column.Inherited || column.Name == t.TypeField):
			fields[column.Name] = value
		}
	}
	return fields, nil
}

// insertTranslation stores a translation, hidden unless the fields say
// otherwise, and what goes with it.
func (w *write) insertTranslation(ctx context.Context, t *Table, rec, source Record, fields map[string]any) error {
	w.hide(rec)
	maps.Copy(rec.Fields, fields)
	var err error
	if rec.UID, err = w.allocate(ctx, t.Name, 1); err != nil {
		return err
	}
	if rec.Sorting, err = w.sorting(ctx, rec, source.UID); err != nil || rec.Sorting == 0 {
		return err
	}
	if rec.Table == Pages && rec.Text(ColumnSlug) == "" {
		if err := w.giveSlug(ctx, &rec); err != nil {
			return err
		}
	}
	if err := w.insert(ctx, Localize, rec); err != nil {
		return err
	}
	return w.localizeBelonging(ctx, t, source, rec)
}

// localizeBelonging translates along what belongs to a record: the files in its
// fields and the records it owns. What a translation inherits stays out.
func (w *write) localizeBelonging(ctx context.Context, t *Table, source, into Record) error {
	var made []Record
	for _, column := range t.Columns {
		if column.Type != TypeFile || column.Inherited {
			continue
		}
		references, err := w.References(ctx, source.Ref(), column.Name)
		if err != nil {
			return err
		}
		for _, ref := range references {
			rec, ok, err := w.along(ctx, ref, into, ColumnOwner)
			if err != nil || !ok {
				return err
			}
			made = append(made, rec)
		}
	}
	owned, err := w.ownedBy(ctx, source.Ref())
	if err != nil {
		return err
	}
	for _, o := range owned {
		table, known := w.schema.Table(o.Table)
		if !known || table.Owner == nil || o.Origin != 0 {
			continue
		}
		if column, _ := t.Column(table.Owner.Field); column.Inherited {
			continue
		}
		rec, ok, err := w.along(ctx, o, into, table.Owner.Column)
		if err != nil || !ok {
			return err
		}
		if err := w.localizeBelonging(ctx, table, o, rec); err != nil {
			return err
		}
		made = append(made, rec)
	}
	return w.recount(ctx, made...)
}

// along stores the translation of what belongs to a record: it belongs to the
// translation of that record.
func (w *write) along(ctx context.Context, source, into Record, ownerColumn string) (Record, bool, error) {
	t, ok := w.schema.Table(source.Table)
	if !ok {
		return Record{}, false, nil
	}
	rec := Record{Table: source.Table, PID: source.PID, Sorting: source.Sorting, Language: into.Language}
	if t.Translated {
		others, err := w.Translations(ctx, source.Ref())
		if err != nil {
			return Record{}, false, err
		}
		if !slices.ContainsFunc(others, func(o Record) bool { return o.Language == into.Language }) {
			rec.Origin = source.UID
		}
	}
	var err error
	if rec.Fields, err = w.handedDown(ctx, t, source); err != nil {
		return Record{}, false, err
	}
	rec.Fields[ownerColumn] = into.UID
	if !w.MayEditRecord(w.user, rec) {
		w.complain("", "something that belongs to the record may not be translated")
		return Record{}, false, nil
	}
	if rec.UID, err = w.allocate(ctx, t.Name, 1); err != nil {
		return Record{}, false, err
	}
	return rec, true, w.insert(ctx, Localize, rec)
}
