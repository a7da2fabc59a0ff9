package content

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/internal/lang"
)

// Ref names one row.
type Ref struct {
	Table string
	UID   int64
}

// String returns the row as "table:uid".
func (r Ref) String() string { return r.Table + ":" + strconv.FormatInt(r.UID, 10) }

// Record is one row of any table. Fields holds the columns of the schema as
// they are stored, text or int64; a column without a value (NULL) is absent,
// which is not the same as the empty text.
type Record struct {
	Table    string
	UID, PID int64
	Version  int64 // raised by every write; at least 1
	Sorting  int64
	Language int64 // 0 is the default language, -1 all languages
	Origin   int64 // default-language record of a translation, else 0
	Deleted  bool
	Created  time.Time
	Changed  time.Time
	By       int64 // user of the last write
	Fields   map[string]any

	deletion int64 // number of the deletion that took the row; 0 while it lives
}

// Ref names the row.
func (r Record) Ref() Ref { return Ref{r.Table, r.UID} }

// Text returns a column as text; empty for one without a value.
func (r Record) Text(column string) string { return asText(r.Fields[column]) }

// Int returns a column as a number; 0 for one without a value or with a text
// that is none.
func (r Record) Int(column string) int64 { return asInt(r.Fields[column]) }

// Hidden reports whether the record is hidden.
func (r Record) Hidden() bool { return r.Int(ColumnHidden) != 0 }

// Versions are the versions of rows that a plan read or a write left; 0 stands
// for a row that is missing or deleted. It serves as the token of a preview.
type Versions map[Ref]int64

// Add notes the version of each record.
func (v Versions) Add(records ...Record) {
	for _, r := range records {
		v[r.Ref()] = r.Version
		if r.Deleted {
			v[r.Ref()] = 0
		}
	}
}

// Title returns the value of the column that names the record.
func (s *Schema) Title(r Record) string {
	t, ok := s.Table(r.Table)
	if !ok {
		return ""
	}
	return r.Text(t.LabelField)
}

// KindOf returns the kind of the record; empty for tables of one kind.
func (s *Schema) KindOf(r Record) string {
	t, ok := s.Table(r.Table)
	if !ok || t.TypeField == "" {
		return ""
	}
	return r.Text(t.TypeField)
}

func asText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case int64:
		return strconv.FormatInt(v, 10)
	default:
		return ""
	}
}

func asInt(v any) int64 {
	switch v := v.(type) {
	case int64:
		return v
	case string:
		n, err := strconv.ParseInt(v, 10, 64)
		if err != nil {
			return 0
		}
		return n
	default:
		return 0
	}
}

func lower(s string) string { return strings.ToLower(s) }

// pick returns the text for a language, else the English one.
func pick(texts imprimatur.ByLanguage, language string) string {
	return cmp.Or(texts[lang.Match(language, slices.Sorted(maps.Keys(texts)))], texts["en"])
}
