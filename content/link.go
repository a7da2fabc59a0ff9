package content

import (
	"cmp"
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strconv"
)

//go:embed link.sql
var linkSQL string

var (
	sqlClearLinks = statement(linkSQL, "clear")
	sqlInsertLink = statement(linkSQL, "insert")
	sqlIncoming   = statement(linkSQL, "incoming")
	sqlOwned      = statement(linkSQL, "owned")
	sqlUnlinked   = statement(linkSQL, "unlinked")
	sqlOfTable    = statement(linkSQL, "of table")
	sqlLinked     = statement(linkSQL, "linked")
)

// What a row says of another one.
const (
	refersTo  = 0
	belongsTo = 1
)

// link is one entry of the index of links.
type link struct {
	kind int64
	to   Ref
}

// ErrNotIndexed answers a question about links while rows from before there was
// an index of them have not been read; IndexLinks reads them.
var ErrNotIndexed = errors.New("the links of the content are not indexed yet")

var linkAddress = regexp.MustCompile(`t3://(page|file|record)/?\?([^\s"'<>#]*)(?:#c?([0-9]{1,18}))?`)

// linksOf returns what a row says of others, each once, in a fixed order.
func linksOf(s *Schema, rec Record) []link {
	t, ok := s.Table(rec.Table)
	if !ok {
		return nil
	}
	var all []link
	for _, c := range t.Columns {
		value, set := rec.Fields[c.Name]
		switch {
		case !set || c.Name == ColumnExtra: // which speaks of uids elsewhere
		case t.Owner != nil && c.Name == t.Owner.Column:
			if uid := asInt(value); uid > 0 {
				all = append(all, link{belongsTo, Ref{t.Owner.Table, uid}})
			}
		case c.Type == TypeRelation:
			for _, to := range c.Refs(value) {
				all = append(all, link{refersTo, to})
			}
		default:
			if text, ok := value.(string); ok {
				for _, to := range s.linksIn(c, text) {
					all = append(all, link{refersTo, to})
				}
			}
		}
	}
	slices.SortFunc(all, func(a, b link) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), compareRefs(a.to, b.to))
	})
	return slices.Compact(all)
}

func compareRefs(a, b Ref) int {
	return cmp.Or(cmp.Compare(a.Table, b.Table), cmp.Compare(a.UID, b.UID))
}

// linksIn returns the records that a text links to.
func (s *Schema) linksIn(c Column, text string) []Ref {
	var all []Ref
	add := func(table, digits string) {
		if uid, err := strconv.ParseInt(digits, 10, 64); err == nil && uid > 0 {
			all = append(all, Ref{table, uid})
		}
	}
	for _, m := range linkAddress.FindAllStringSubmatch(text, -1) {
		query, err := url.ParseQuery(html.UnescapeString(m[2]))
		if err != nil {
			continue
		}
		table := map[string]string{"page": Pages, "file": Files, "record": query.Get("identifier")}[m[1]]
		if _, known := s.Table(table); known {
			add(table, query.Get("uid"))
		}
		add(Elements, m[3])
	}
	if c.Type != TypeLink {
		return all
	}
	if m := linkPage.FindStringSubmatch(text); m != nil {
		add(Pages, m[1])
		add(Elements, m[3])
	}
	if m := linkFile.FindStringSubmatch(text); m != nil {
		add(Files, m[1])
	}
	return all
}

// indexLinks stores what a new row says of others.
func indexLinks(ctx context.Context, tx *sql.Tx, s *Schema, rec Record) error {
	for _, l := range linksOf(s, rec) {
		if _, err := tx.ExecContext(ctx, sqlInsertLink, rec.Table, rec.UID, l.kind, l.to.Table, l.to.UID); err != nil {
			return fmt.Errorf("index the links of %s: %w", rec.Ref(), err)
		}
	}
	return nil
}

// reindexLinks replaces what a row said of others, if it says something else.
func reindexLinks(ctx context.Context, tx *sql.Tx, s *Schema, old, rec Record) error {
	if slices.Equal(linksOf(s, old), linksOf(s, rec)) {
		return nil
	}
	if _, err := tx.ExecContext(ctx, sqlClearLinks, rec.Table, rec.UID); err != nil {
		return fmt.Errorf("index the links of %s: %w", rec.Ref(), err)
	}
	return indexLinks(ctx, tx, s, rec)
}

// indexed answers ErrNotIndexed while the index is not complete.
func (r reads) indexed(ctx context.Context) error {
	var n int64
	if err := r.q.QueryRowContext(ctx, sqlUnlinked).Scan(&n); err != nil {
		return fmt.Errorf("look at the index of links: %w", err)
	}
	if n > 0 {
		return ErrNotIndexed
	}
	return nil
}

// IndexLinks reads the rows of a database that is older than the index of links,
// once. In any other database it does nothing.
func (r *Repository) IndexLinks(ctx context.Context) error {
	if err := r.indexed(ctx); !errors.Is(err, ErrNotIndexed) {
		return err
	}
	return r.write(ctx, func(ctx context.Context, tx *sql.Tx, _ int64) error {
		for _, t := range r.schema.Tables {
			if err := indexTable(ctx, tx, r.schema, t.Name); err != nil {
				return err
			}
		}
		if _, err := tx.ExecContext(ctx, sqlLinked); err != nil {
			return fmt.Errorf("finish the index of links: %w", err)
		}
		return nil
	})
}

func indexTable(ctx context.Context, tx *sql.Tx, s *Schema, table string) error {
	for last := int64(0); ; {
		rows, err := collect(ctx, tx, scanRecords, sqlOfTable, table, last)
		if err != nil {
			return fmt.Errorf("read %s: %w", table, err)
		}
		for _, rec := range rows {
			if _, err := tx.ExecContext(ctx, sqlClearLinks, rec.Table, rec.UID); err != nil {
				return fmt.Errorf("index the links of %s: %w", rec.Ref(), err)
			}
			if err := indexLinks(ctx, tx, s, rec); err != nil {
				return err
			}
			last = rec.UID
		}
		if len(rows) == 0 {
			return nil
		}
	}
}

// Incoming returns the live records outside of a set that refer to one of it, by
// table and uid: by a relation or a list, by a link in a text, or, to a file, by
// a file reference. A record does not refer to the one it belongs to, nor a
// translation to what it translates. It asks nothing about a user.
func (r reads) Incoming(ctx context.Context, of []Ref) ([]Ref, error) {
	if err := r.indexed(ctx); err != nil {
		return nil, err
	}
	inside := map[Ref]bool{}
	for _, ref := range of {
		inside[ref] = true
	}
	found := map[Ref]bool{}
	for ref := range inside {
		from, err := collect(ctx, r.q, scanRef, sqlIncoming, ref.Table, ref.UID)
		if err != nil {
			return nil, fmt.Errorf("read what refers to %s: %w", ref, err)
		}
		for _, f := range from {
			found[f] = !inside[f]
		}
	}
	var all []Ref
	for ref, outside := range found {
		if outside {
			all = append(all, ref)
		}
	}
	slices.SortFunc(all, compareRefs)
	return all, nil
}

func scanRef(rows *sql.Rows) (Ref, error) {
	var ref Ref
	err := rows.Scan(&ref.Table, &ref.UID)
	return ref, err
}

// Owned returns the live records that belong to a record, and those that belong
// to them in turn, by table, sorting and uid. It asks nothing about a user.
func (r reads) Owned(ctx context.Context, of Ref) ([]Record, error) {
	if !r.schema.owns(of.Table) {
		return nil, nil
	}
	if err := r.indexed(ctx); err != nil {
		return nil, err
	}
	seen := map[Ref]bool{of: true}
	var all []Record
	for next := []Ref{of}; len(next) > 0; next = next[1:] {
		below, err := r.ownedBy(ctx, next[0])
		if err != nil {
			return nil, err
		}
		for _, rec := range below {
			if !seen[rec.Ref()] {
				seen[rec.Ref()] = true
				all = append(all, rec)
				next = append(next, rec.Ref())
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Record) int {
		return cmp.Or(cmp.Compare(a.Table, b.Table), cmp.Compare(a.Sorting, b.Sorting), cmp.Compare(a.UID, b.UID))
	})
	return all, nil
}

// ownedBy returns what belongs to a record directly.
func (r reads) ownedBy(ctx context.Context, of Ref) ([]Record, error) {
	if !r.schema.owns(of.Table) {
		return nil, nil
	}
	all, err := collect(ctx, r.q, scanRecords, sqlOwned, of.Table, of.UID)
	if err != nil {
		return nil, fmt.Errorf("read what belongs to %s: %w", of, err)
	}
	return all, nil
}

// owns reports whether records of another table may belong to those of a table.
func (s *Schema) owns(table string) bool {
	return slices.ContainsFunc(s.Tables, func(t Table) bool { return t.Owner != nil && t.Owner.Table == table })
}
