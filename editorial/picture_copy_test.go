package editorial_test

import (
	"slices"
	"strings"

	"github.com/imprimatur-dev/imprimatur/content"
)

// kin says how a row belongs to the record that a call names.
type kin string

const (
	itself       kin = "itself"
	translations kin = "translation"
	files        kin = "file"
	others       kin = "other record"
)

// copyPair is a row and the new row that was made of it.
type copyPair struct {
	from, to *storedRow
	kin
}

// copying looks for the new row of every row that a copy, or a translation,
// makes anew. A row without one is a finding.
type copying struct {
	*account
	translated bool // the new rows are translations
	found      []copyPair
	taken      map[*storedRow]bool
}

// copies are the record of a call and everything below it, and what was made of
// them: copies, or translations.
func (a *account) copies(translated bool) []copyPair {
	if a.pairs != nil {
		return a.pairs
	}
	origin := int64(0)
	if translated {
		origin = a.about.UID
	}
	to := a.made(a.about.Table, having("origin", origin))
	if to == nil {
		return nil
	}
	c := &copying{a, translated, nil, map[*storedRow]bool{}}
	c.pair(a.was(), to, itself)
	for i := 0; i < len(c.found); i++ {
		c.below(c.found[i])
	}
	a.pairs = c.found
	return a.pairs
}

func (a *account) copiesOf(translated bool, k kin) []copyPair {
	return slices.DeleteFunc(slices.Clone(a.copies(translated)), func(p copyPair) bool { return p.kin != k })
}

func (c *copying) pair(from, to *storedRow, k kin) {
	c.found = append(c.found, copyPair{from, to, k})
	c.taken[from], c.taken[to] = true, true
}

// below pairs what belongs to a copied row.
func (c *copying) below(p copyPair) {
	table, from, to := p.from.tab(), p.from.uid(), p.to.uid()
	if k := others; !c.translated {
		switch p.kin {
		case itself:
			k = translations
		case files:
			k = files
		}
		c.match(table, "origin", from, to, k)
	}
	for _, t := range c.schema.Tables {
		switch {
		case t.Name == content.FileReferences:
			c.match(t.Name, inFields+content.ColumnOwner, from, to, files, func(r *storedRow) bool {
				return r.field(content.ColumnOwnerTable) == table && !c.inherits(table, r.field(content.ColumnOwnerField))
			})
		case t.Owner != nil && t.Owner.Table == table && !c.inherits(table, t.Owner.Field):
			c.match(t.Name, inFields+t.Owner.Column, from, to, others)
		}
		if table == content.Pages && p.kin == itself && !c.translated && t.Name != content.Pages && t.Name != content.FileReferences {
			c.match(t.Name, "pid", from, to, others)
		}
	}
}

// inherits reports whether translations leave a column to the original.
func (c *copying) inherits(table, column string) bool {
	col, _ := c.schema.Column(table, column)
	return c.translated && col.Inherited
}

// match pairs the rows of a table that point to a row by a column with those
// that point to its copy and say the same.
func (c *copying) match(table, column string, from, to int64, k kin, wanted ...func(*storedRow) bool) {
	candidates := c.after.records(table, append(wanted, having(column, to), c.fresh)...)
	for _, f := range c.before.records(table, append(wanted, having(column, from))...) {
		if c.taken[f] || c.translated && f.number("origin") != 0 && table != content.FileReferences {
			continue
		}
		i := slices.IndexFunc(candidates, func(t *storedRow) bool {
			switch {
			case c.taken[t]:
				return false
			case k == translations:
				return t.number("language") == f.number("language")
			}
			return c.resembles(f, t)
		})
		if i < 0 {
			c.find("there is no copy of %s", f.key)
			continue
		}
		c.pair(f, candidates[i], k)
	}
}

// resembles reports whether a row may have been made of another one: it stands
// at the same place, and all texts are the same.
func (c *copying) resembles(from, to *storedRow) bool {
	if from.number("sorting") != to.number("sorting") || !c.translated && from.number("language") != to.number("language") {
		return false
	}
	t, _ := c.schema.Table(from.tab())
	return !slices.ContainsFunc(t.Columns, func(column content.Column) bool {
		text := column.Type == content.TypeInput || column.Type == content.TypeText
		return text && from.cells[inFields+column.Name] != to.cells[inFields+column.Name] && !c.inherits(t.Name, column.Name)
	})
}

// counterpart is the uid of what was made of a row; its own where it was not
// copied.
func (a *account) counterpart(table string, uid int64) (int64, bool) {
	for _, p := range a.pairs {
		if p.from.tab() == table && p.from.uid() == uid {
			return p.to.uid(), true
		}
	}
	return uid, false
}

// pointer is the record to which a row points as the one that it belongs to.
func (a *account) pointer(row *storedRow, column string) (to content.Ref, ok bool) {
	t, _ := a.schema.Table(row.tab())
	switch {
	case t.Name == content.FileReferences && column == content.ColumnOwner:
		return content.Ref{Table: row.field(content.ColumnOwnerTable), UID: row.count(column)}, true
	case t.Owner != nil && column == t.Owner.Column:
		return content.Ref{Table: t.Owner.Table, UID: row.count(column)}, true
	}
	return to, false
}

// coverCopy accounts for what a copied row has from its original: each column
// as it stands there, or pointing to the copy of what it pointed to.
func (a *account) coverCopy(p copyPair) {
	for column, value := range p.to.cells {
		name, ok := strings.CutPrefix(column, inFields)
		want := p.from.cells[column]
		if to, points := a.pointer(p.from, name); points {
			want, _ = a.counterpart(to.Table, to.UID)
		}
		if ok && value == want {
			a.cover(p.to, column)
		}
	}
	for column := range p.from.cells {
		if _, kept := p.to.cells[column]; !kept && strings.HasPrefix(column, inFields) {
			a.find("%s lacks %s, which %s has", p.to.key, column, p.from.key)
		}
	}
}

// coverWhole is coverCopy, and accounts for where the copy is and in which
// language.
func (a *account) coverWhole(p copyPair, page int64) {
	a.coverCopy(p)
	origin := p.from.number("origin")
	if origin != 0 {
		var copied bool
		origin, copied = a.counterpart(p.from.tab(), origin)
		a.expect(copied, "what %s translates was not copied", p.from.key)
	}
	a.expect(p.to.number("pid") == page, "%s lies on page %d", p.to.key, p.to.number("pid"))
	a.expect(p.to.number("origin") == origin && p.to.number("language") == p.from.number("language"), "%s translates another record", p.to.key)
	a.cover(p.to, "pid", "origin", "language")
	if p.kin != translations {
		a.expect(p.to.number("sorting") == p.from.number("sorting"), "%s stands elsewhere than its original", p.to.key)
		a.cover(p.to, "sorting")
	}
}

// coverTranslation accounts for what a translation has from its original: every
// column but those that it inherits.
func (a *account) coverTranslation(p copyPair, language int64) {
	if p.to == nil {
		return // which is a finding already
	}
	t, _ := a.schema.Table(p.from.tab())
	a.expect(p.to.number("language") == language, "%s is in language %d", p.to.key, p.to.number("language"))
	a.expect(p.to.number("pid") == p.from.number("pid"), "%s lies on page %d", p.to.key, p.to.number("pid"))
	taken := slices.ContainsFunc(a.after.records(t.Name, having("origin", p.from.uid()), having("language", language)),
		func(r *storedRow) bool { return r != p.to })
	a.expect((p.to.number("origin") == p.from.uid()) != taken && (p.to.number("origin") == 0) == taken, "%s translates %d", p.to.key, p.to.number("origin"))
	a.cover(p.to, "pid", "language", "origin")
	if p.kin != itself {
		a.expect(p.to.number("sorting") == p.from.number("sorting"), "%s stands elsewhere than its original", p.to.key)
		a.cover(p.to, "sorting")
	}
	for _, c := range t.Columns {
		a.coverHandedDown(p, t, c)
	}
}

// coverHandedDown accounts for one column of a translation.
func (a *account) coverHandedDown(p copyPair, t *content.Table, c content.Column) {
	column := inFields + c.Name
	value, set := p.to.cells[column]
	want := p.from.cells[column]
	to, points := a.pointer(p.from, c.Name)
	_, counts := a.countIn(p.to, c.Name)
	switch {
	case points:
		want, _ = a.counterpart(to.Table, to.UID)
	case counts, c.Type == content.TypeSlug, c.Name == t.HiddenField && p.kin == itself:
		return // as counters, and by lines of their own
	case c.Inherited && c.Name != t.TypeField:
		want = nil
	}
	a.expect(value == want, "%s has another value of %s than its original hands down", p.to.key, c.Name)
	if set && value == want {
		a.cover(p.to, column)
	}
}
