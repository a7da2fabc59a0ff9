package content

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// ImportSummary accounts for every row of an export, and for every column of
// the rows that came in.
type ImportSummary struct {
	Rows      int             `json:"rows"`     // in the export
	Imported  int             `json:"imported"` // of these
	Owner     string          `json:"owner,omitempty"`
	Storage   string          `json:"storage"`
	Languages []int64         `json:"languages"` // that what came in is in
	Tables    []ImportedTable `json:"tables"`    // by name
	// Renumbered lists the rows whose uid was taken.
	Renumbered []Renumbered `json:"renumbered,omitempty"`
	// Notes are sentences on what came in differently from how it went out.
	Notes []string `json:"notes"`
}

// ImportedTable accounts for the rows of one table of the export: Rows is
// Imported and the rows left out together.
type ImportedTable struct {
	Source   string           `json:"source"`          // what the export calls it
	Table    string           `json:"table,omitempty"` // what it is called here; empty for one that does not come in
	Rows     int              `json:"rows"`
	Imported int              `json:"imported"`
	LeftOut  []LeftOut        `json:"left_out,omitempty"`
	Columns  []ImportedColumn `json:"columns,omitempty"` // of the rows that came in, by name
}

// LeftOut says why how many rows stayed out.
type LeftOut struct {
	Reason string `json:"reason"`
	Rows   int    `json:"rows"`
}

// Fate says what became of a column.
type Fate string

// The fates of columns.
const (
	FateRecord Fate = "record"   // part of the record itself: place, order, language, times
	FateColumn Fate = "column"   // a column here
	FateExtra  Fate = "extra"    // no column here: kept in ColumnExtra
	FateOut    Fate = "left out" // with a reason
)

// ImportedColumn accounts for one column of a table.
type ImportedColumn struct {
	Source string `json:"source"`
	Into   string `json:"into,omitempty"` // what it became here
	Fate   Fate   `json:"fate"`
	Reason string `json:"reason,omitempty"`
	Values int    `json:"values"`         // rows in which it is neither NULL nor empty nor 0
	Kept   int    `json:"kept,omitempty"` // of a column: values that fit it so badly that they are kept in ColumnExtra
}

// Renumbered is a row that got another uid.
type Renumbered struct {
	Table string `json:"table"`
	From  int64  `json:"from"`
	To    int64  `json:"to"`
}

func (im *importer) summary() ImportSummary {
	s := ImportSummary{Rows: len(im.file.Rows), Owner: im.opt.Owner.Name, Storage: im.opt.Storage, Renumbered: im.moved, Notes: im.sentences()}
	languages := map[int64]bool{}
	for source, t := range im.tables {
		t.Imported = len(im.rows[source])
		s.Imported += t.Imported
		slices.SortFunc(t.LeftOut, func(a, b LeftOut) int { return cmp.Compare(a.Reason, b.Reason) })
		if plan := im.columns[source]; plan != nil {
			t.Columns = plan.report()
		}
		s.Tables = append(s.Tables, *t)
		for _, row := range im.rows[source] {
			languages[row.number("sys_language_uid")] = true
		}
	}
	s.Languages = slices.Sorted(maps.Keys(languages))
	slices.SortFunc(s.Tables, func(a, b ImportedTable) int { return cmp.Compare(a.Source, b.Source) })
	return s
}

// Text is the summary as an operator reads it.
func (s ImportSummary) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d of %d rows came in.\n", s.Imported, s.Rows)
	for _, t := range s.Tables {
		if t.Imported > 0 {
			fmt.Fprintf(&b, "  %s → %s: %d of %d\n", t.Source, t.Table, t.Imported, t.Rows)
		}
	}
	b.WriteString("Left out:\n")
	for _, t := range s.Tables {
		for _, l := range t.LeftOut {
			fmt.Fprintf(&b, "  %s: %d (%s)\n", t.Source, l.Rows, l.Reason)
		}
	}
	b.WriteString("Columns without a place of their own:\n")
	for _, t := range s.Tables {
		for _, c := range t.Columns {
			switch {
			case c.Values == 0:
			case c.Fate == FateExtra:
				fmt.Fprintf(&b, "  %s.%s: %d values kept as extra data\n", t.Source, c.Source, c.Values)
			case c.Fate == FateOut:
				fmt.Fprintf(&b, "  %s.%s: %d values left out (%s)\n", t.Source, c.Source, c.Values, c.Reason)
			}
		}
	}
	for _, note := range s.Notes {
		b.WriteString(note + "\n")
	}
	for _, r := range s.Renumbered {
		fmt.Fprintf(&b, "  %s: %d is now %d\n", r.Table, r.From, r.To)
	}
	return b.String()
}

// What notes say; %d is how often.
const (
	noteNoBody     = "%d files came in as records: the export holds no file bodies."
	noteBody       = "%d file bodies of the export stayed out: put the files into the storage by hand."
	noteCounter    = "%d counts of files in fields were put right."
	noteIrregular  = "%d values are kept although the schema would not take them from an editor."
	noteDangling   = "%d pointers to records that did not come in were emptied; their values are kept as extra data."
	noteSlug       = "%d pages have a path that another page has already."
	noteRenumbered = "%d rows got another uid, because theirs was taken:"
	noteFlex       = "%d settings of plug-ins name records by the uids of the export."
	noteUnassigned = "%d assignments of categories stayed out: the records are not here, or have no column for them."
	noteCategories = "%d counts of categories were put right."
	noteItems      = "%d counts of items in elements were put right."
	noteWaiting    = "%d file references belong to rows that wait for a later version."
)

// sentences returns the notes in a fixed order, that of renumbered rows last.
func (im *importer) sentences() []string {
	files := len(im.rows[t3dFiles])
	im.notes[noteNoBody] = max(0, files-im.file.Bodies)
	im.notes[noteBody] = im.file.Bodies
	im.notes[noteRenumbered] = len(im.moved)
	notes := []string{}
	for _, note := range []string{
		noteNoBody, noteBody, noteWaiting, noteUnassigned, noteCounter, noteItems, noteCategories, noteIrregular, noteDangling, noteSlug, noteFlex, noteRenumbered,
	} {
		if n := im.notes[note]; n > 0 {
			notes = append(notes, fmt.Sprintf(note, n))
		}
	}
	return notes
}
