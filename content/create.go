package content

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"path"
	"slices"
	"strings"
)

// create stores a new row of any table but file_references.
func (w *write) create(ctx context.Context, t *Table, c Change) error {
	rec, ok, err := w.place(ctx, t, c)
	if err != nil || !ok {
		return err
	}
	if ok, err := w.mayCreate(ctx, t, c, rec); err != nil || !ok {
		return err
	}
	if rec.Fields, ok = w.fields(t, c); !ok {
		return nil
	}
	if !w.complete(t, rec) {
		return nil
	}
	if ok, err := w.consistent(ctx, rec); err != nil || !ok {
		return err
	}
	if rec.UID, err = w.uid(ctx, c); err != nil || rec.UID == 0 {
		return err
	}
	if rec.Sorting, err = w.sorting(ctx, rec, c.After); err != nil || rec.Sorting == 0 {
		return err
	}
	if rec.Table == Pages && rec.Text(ColumnSlug) == "" {
		if err := w.giveSlug(ctx, &rec); err != nil {
			return err
		}
	}
	if err := w.insert(ctx, Create, rec); err != nil {
		return err
	}
	if rec.Table == Pages && rec.Origin == 0 {
		return w.giveRights(ctx, rec, c.Rights)
	}
	return w.recount(ctx, rec)
}

// place says where a new row goes: page, language, default-language record.
func (w *write) place(ctx context.Context, t *Table, c Change) (rec Record, ok bool, err error) {
	rec = Record{Table: c.Table, PID: c.PID, Language: c.Language, Origin: c.Origin}
	if c.ParentKey != "" {
		if rec.PID, ok = w.resolve(c.ParentKey); !ok {
			return rec, false, nil
		}
	}
	if c.OriginKey != "" {
		if rec.Origin, ok = w.resolve(c.OriginKey); !ok {
			return rec, false, nil
		}
	}
	if rec.Language != 0 || rec.Origin != 0 {
		if ok, err := w.placeTranslation(ctx, t, &rec); err != nil || !ok {
			return rec, false, err
		}
	}
	if t.RootLevel {
		rec.PID = 0
		return rec, true, nil
	}
	if rec.PID == 0 && rec.Table == Pages {
		return rec, true, nil
	}
	page, err := w.live(ctx, Ref{Pages, rec.PID})
	switch {
	case errors.Is(err, ErrNotFound):
		w.complain("", neutral)
	case err != nil:
		return rec, false, err
	case page.Origin > 0:
		w.complain("", "records lie on the page in the default language, not on its translation")
	default:
		return rec, true, nil
	}
	return rec, false, nil
}

// placeTranslation checks language and default-language record of a new row.
func (w *write) placeTranslation(ctx context.Context, t *Table, rec *Record) (bool, error) {
	if !t.Translated {
		w.complain("", "records of this table have no language")
		return false, nil
	}
	if rec.Language > 0 {
		_, installed, err := w.LanguageLabel(ctx, rec.Language)
		if err != nil {
			return false, err
		}
		if !installed {
			w.complain("", fmt.Sprintf("there is no language %d", rec.Language))
			return false, nil
		}
	}
	if rec.Language < -1 || rec.Origin != 0 && rec.Language <= 0 || rec.Language == -1 && rec.Table == Pages {
		w.complain("", "this is no language for the record")
		return false, nil
	}
	if rec.Origin == 0 {
		if rec.Table == Pages {
			w.complain("", "a page in another language is the translation of a page")
			return false, nil
		}
		return true, nil
	}
	return w.placeBesideOrigin(ctx, rec)
}

func (w *write) placeBesideOrigin(ctx context.Context, rec *Record) (bool, error) {
	origin, err := w.live(ctx, Ref{rec.Table, rec.Origin})
	if errors.Is(err, ErrNotFound) {
		w.complain("", neutral)
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if origin.Origin != 0 || origin.Language > 0 {
		w.complain("", "only a record in the default language can be translated")
		return false, nil
	}
	others, err := w.Translations(ctx, origin.Ref())
	if err != nil {
		return false, err
	}
	if slices.ContainsFunc(others, func(o Record) bool { return o.Language == rec.Language }) {
		w.complain("", "there is a translation into this language already")
		return false, nil
	}
	rec.PID = origin.PID
	return true, nil
}

// resolve returns the uid of a row created earlier in the change set.
func (w *write) resolve(key string) (int64, bool) {
	uid, ok := w.out.IDs[key]
	if !ok {
		w.complain("", "the record it belongs to was not created")
	}
	return uid, ok
}

// fields brings what was given into the form in which it is stored, complains
// about what cannot be stored, and leaves out what the user holds no grant for.
func (w *write) fields(t *Table, c Change) (map[string]any, bool) {
	stored := map[string]any{}
	before := len(w.out.Complaints)
	for _, name := range slices.Sorted(maps.Keys(c.Fields)) {
		column, known := t.Column(name)
		if !known {
			w.complain(printable(name), "there is no column of this name")
			continue
		}
		if w.schema.Counting(t.Name, name) {
			continue // the repository keeps the count
		}
		value := c.Fields[name]
		if key, ok := value.(Key); ok {
			uid, found := w.resolve(string(key))
			if !found {
				continue
			}
			value = uid
		}
		normal, problem := column.normal(value)
		if problem == "" {
			problem = w.schema.beyond(t.Name, name, normal)
		}
		if problem != "" {
			w.complain(name, problem)
			continue
		}
		if !w.MayUseField(w.user, t.Name, name) {
			continue
		}
		if !w.MayUseValue(w.user, t.Name, name, asText(normal)) {
			w.complain(name, "the value is not permitted")
			continue
		}
		stored[name] = normal
	}
	return stored, len(w.out.Complaints) == before
}

// printable keeps of a name what a name may hold.
func printable(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return -1
	}, name)
}

// complete adds the defaults of columns that were not given and complains about
// required ones that are still empty.
func (w *write) complete(t *Table, rec Record) bool {
	before := len(w.out.Complaints)
	for _, c := range t.Columns {
		_, given := rec.Fields[c.Name]
		if !given && c.Default != nil {
			rec.Fields[c.Name], given = c.Default, true
		}
		switch {
		case !given && c.Type == TypeFile:
			rec.Fields[c.Name] = int64(0)
		case !given && c.Required:
			w.complain(c.Name, "a value is required")
		case given && !w.MayUseValue(w.user, t.Name, c.Name, rec.Text(c.Name)):
			w.complain(c.Name, "the value is not permitted")
		}
	}
	return len(w.out.Complaints) == before
}

// consistent checks what a single column cannot say about files and metadata.
func (w *write) consistent(ctx context.Context, rec Record) (bool, error) {
	switch rec.Table {
	case Files:
		identifier := rec.Text(ColumnIdentifier)
		if !strings.HasPrefix(identifier, "/") || path.Clean(identifier) != identifier || identifier == "/" {
			w.complain(ColumnIdentifier, "the path of a file begins with / and has no detours")
			return false, nil
		}
		var uid int64
		err := w.tx.QueryRowContext(ctx, sqlFileAt, rec.Text(ColumnStorage), identifier).Scan(&uid)
		if err == nil {
			w.complain(ColumnIdentifier, "there is a file at this place already")
		}
		return err != nil, ignoreNoRows(err)
	case FileMetadata:
		file, err := w.live(ctx, Ref{Files, rec.Int(ColumnFile)})
		if errors.Is(err, ErrNotFound) || err == nil && !isAdmin(w.user) && !w.MayUseFile(w.user, file) {
			w.complain(ColumnFile, neutral)
			return false, nil
		}
		return err == nil, err
	}
	return w.belongs(ctx, rec)
}

// step is the gap that new neighbours leave between each other.
const step = 256

// sorting returns the place of a new row among the rows of its table on its
// page. 0 means a complaint.
func (w *write) sorting(ctx context.Context, rec Record, after int64) (int64, error) {
	if t, _ := w.schema.Table(rec.Table); !t.Sorted {
		return step, nil
	}
	order, err := w.order(ctx, rec)
	if err != nil {
		return 0, err
	}
	i := len(order)
	switch {
	case after == 0:
		i = 0
	case after != Last:
		at := slices.IndexFunc(order, func(o [2]int64) bool { return o[0] == after })
		if at < 0 {
			w.complain("", "the record it should come after is not on the same page")
			return 0, nil
		}
		i = at + 1
	}
	before, behind := int64(0), int64(math.MaxInt64)
	if i > 0 {
		before = order[i-1][1]
	}
	if i < len(order) {
		behind = order[i][1]
	}
	switch {
	case behind == math.MaxInt64:
		return before + step, nil
	case behind-before > 1:
		return before + (behind-before)/2, nil
	}
	return w.spread(ctx, rec, order, i)
}

// spread renumbers the rows so that there is room at place i, and returns that
// place. The order stays, so no version is raised.
func (w *write) spread(ctx context.Context, rec Record, order [][2]int64, i int) (int64, error) {
	for at, row := range order {
		place := int64(at+1) * step
		if at >= i {
			place += step
		}
		if _, err := w.tx.ExecContext(ctx, sqlSetSorting, place, rec.Table, row[0]); err != nil {
			return 0, fmt.Errorf("renumber %s on page %d: %w", rec.Table, rec.PID, err)
		}
	}
	place := int64(i+1) * step
	if place == rec.Sorting {
		place++ // the row moved, and its history has to show that
	}
	return place, nil
}
