package content

import (
	"context"
	"fmt"
	"maps"

	"github.com/imprimatur-dev/imprimatur"
)

// Shown is a record as commands print it.
type Shown struct {
	Table  string                 `json:"table"`
	UID    int64                  `json:"uid"`
	PID    int64                  `json:"pid"`
	Fields map[string]any         `json:"fields"` // text, whole numbers and null
	Files  map[string][]ShownFile `json:"files"`
}

// ShownFile is one file in a field of a record, in the order of the field.
type ShownFile struct {
	Reference int64  `json:"reference"`
	File      int64  `json:"file"`
	Name      string `json:"name"`
}

// Show returns a record that the user may read, with every column of its table
// and the files in its fields. Fields also holds language, origin, sorting and
// version.
func (r *Repository) Show(ctx context.Context, u imprimatur.User, table string, uid int64) (Shown, error) {
	rec, err := r.Record(ctx, u, table, uid)
	if err != nil {
		return Shown{}, err
	}
	t, ok := r.schema.Table(table)
	if !ok {
		return Shown{}, ErrNotFound
	}
	s := Shown{Table: table, UID: uid, PID: rec.PID, Fields: maps.Clone(rec.Fields), Files: map[string][]ShownFile{}}
	for _, c := range t.Columns {
		if _, set := s.Fields[c.Name]; !set {
			s.Fields[c.Name] = nil
		}
		if c.Type != TypeFile {
			continue
		}
		if s.Files[c.Name], err = r.shownFiles(ctx, rec.Ref(), c.Name); err != nil {
			return Shown{}, err
		}
	}
	s.Fields["language"], s.Fields["origin"] = rec.Language, rec.Origin
	s.Fields["sorting"], s.Fields["version"] = rec.Sorting, rec.Version
	return s, nil
}

func (r reads) shownFiles(ctx context.Context, of Ref, field string) ([]ShownFile, error) {
	refs, err := r.References(ctx, of, field)
	if err != nil {
		return nil, err
	}
	shown := make([]ShownFile, 0, len(refs))
	for _, ref := range refs {
		file, err := r.row(ctx, Ref{Files, ref.Int(ColumnFile)})
		if err != nil {
			return nil, fmt.Errorf("read the file of %s: %w", ref.Ref(), err)
		}
		shown = append(shown, ShownFile{ref.UID, file.UID, file.Text("name")})
	}
	return shown, nil
}
