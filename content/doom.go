package content

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// Doom is a record and everything that shares its fate: what a delete takes
// along, or a copy copies with it. Every row stands in one list only. The lists
// are in a stable order.
type Doom struct {
	Record              Record
	Translations        []Record // of the record, by language
	Subpages            []Record // nearest first
	SubpageTranslations []Record
	Contents            []Record // what lies on the pages, by page, table and sorting
	Owned               []Record // what belongs to one of those above and lies elsewhere; of a file, its metadata
	References          []Record // the file references of all of them
}

// All lists every row, the record first.
func (d Doom) All() []Record {
	return slices.Concat([]Record{d.Record}, d.Translations, d.Subpages, d.SubpageTranslations, d.Contents, d.Owned, d.References)
}

// refs names every row.
func (d Doom) refs() map[Ref]bool {
	all := map[Ref]bool{}
	for _, rec := range d.All() {
		all[rec.Ref()] = true
	}
	return all
}

// Deletion returns exactly what a delete of a live record takes, with its
// subpages or without. ErrNotFound answers a record that is not there. It asks
// nothing about a user.
func (r reads) Deletion(ctx context.Context, ref Ref, subpages bool) (Doom, error) {
	if err := r.indexed(ctx); err != nil {
		return Doom{}, err
	}
	d, err := r.sharing(ctx, ref)
	if err != nil {
		return Doom{}, err
	}
	if d.Record.Table == Pages && d.Record.Origin == 0 {
		if subpages {
			if err := r.addSubpages(ctx, &d); err != nil {
				return Doom{}, err
			}
		}
		if err := r.addContents(ctx, &d); err != nil {
			return Doom{}, err
		}
	}
	return d, r.addBelonging(ctx, &d)
}

// Copied returns exactly what a copy of a live record copies; a page never
// takes its subpages along. ErrNotFound answers a record that is not there. It
// asks nothing about a user.
func (r reads) Copied(ctx context.Context, ref Ref) (Doom, error) {
	return r.Deletion(ctx, ref, false)
}

// sharing begins with a record and its translations.
func (r reads) sharing(ctx context.Context, ref Ref) (d Doom, err error) {
	if d.Record, err = r.live(ctx, ref); err != nil || d.Record.Origin != 0 {
		return d, err
	}
	d.Translations, err = r.Translations(ctx, ref)
	return d, err
}

func (r reads) addSubpages(ctx context.Context, d *Doom) error {
	uids, err := r.Subpages(ctx, d.Record.UID)
	if err != nil {
		return err
	}
	for _, uid := range uids {
		sub, err := r.sharing(ctx, Ref{Pages, uid})
		if err != nil {
			return err
		}
		d.Subpages = append(d.Subpages, sub.Record)
		d.SubpageTranslations = append(d.SubpageTranslations, sub.Translations...)
	}
	return nil
}

// addContents adds what lies on the pages, and translations of it that lie
// elsewhere.
func (r reads) addContents(ctx context.Context, d *Doom) error {
	seen := d.refs()
	for _, page := range append([]Record{d.Record}, d.Subpages...) {
		lying, err := r.Contents(ctx, page.UID)
		if err != nil {
			return err
		}
		for _, rec := range lying {
			if !seen[rec.Ref()] {
				seen[rec.Ref()] = true
				d.Contents = append(d.Contents, rec)
			}
		}
	}
	for _, rec := range slices.Clone(d.Contents) {
		if rec.Origin != 0 {
			continue
		}
		translations, err := r.Translations(ctx, rec.Ref())
		if err != nil {
			return err
		}
		for _, t := range translations {
			if !seen[t.Ref()] {
				seen[t.Ref()] = true
				d.Contents = append(d.Contents, t)
			}
		}
	}
	return nil
}

// addBelonging adds what belongs to the rows: records, their translations, and
// file references.
func (r reads) addBelonging(ctx context.Context, d *Doom) error {
	if d.Record.Table == Files {
		metadata, err := collect(ctx, r.q, scanRecords, sqlMetadata, d.Record.UID)
		d.Owned = metadata
		if err != nil {
			return fmt.Errorf("read metadata of file %d: %w", d.Record.UID, err)
		}
		return nil
	}
	seen := d.refs()
	for next := d.All(); len(next) > 0; next = next[1:] {
		more, err := r.belonging(ctx, next[0], seen)
		if err != nil {
			return err
		}
		d.Owned = append(d.Owned, more...)
		next = append(next, more...)
	}
	for _, rec := range d.All() {
		refs, err := r.referencesOf(ctx, rec.Ref())
		if err != nil {
			return err
		}
		for _, ref := range refs {
			if !ref.Deleted && !seen[ref.Ref()] {
				seen[ref.Ref()] = true
				d.References = append(d.References, ref)
			}
		}
	}
	return r.addTranslatedReferences(ctx, d, seen)
}

// belonging returns what belongs to a record directly and is not seen yet, with
// its translations.
func (r reads) belonging(ctx context.Context, rec Record, seen map[Ref]bool) ([]Record, error) {
	owned, err := r.ownedBy(ctx, rec.Ref())
	if err != nil {
		return nil, err
	}
	var all []Record
	for _, o := range owned {
		translations, err := r.Translations(ctx, o.Ref())
		if err != nil {
			return nil, err
		}
		for _, one := range append([]Record{o}, translations...) {
			if !seen[one.Ref()] {
				seen[one.Ref()] = true
				all = append(all, one)
			}
		}
	}
	return all, nil
}

// addTranslatedReferences adds the translations of the references.
func (r reads) addTranslatedReferences(ctx context.Context, d *Doom, seen map[Ref]bool) error {
	for _, ref := range slices.Clone(d.References) {
		translations, err := r.Translations(ctx, ref.Ref())
		if err != nil {
			return err
		}
		for _, t := range translations {
			if !seen[t.Ref()] {
				seen[t.Ref()] = true
				d.References = append(d.References, t)
			}
		}
	}
	return nil
}

// Contents returns the live records that lie on a page, of every table but pages
// and file references, by table, sorting and uid. It asks nothing about a user.
func (r reads) Contents(ctx context.Context, page int64) ([]Record, error) {
	all, err := collect(ctx, r.q, scanRecords, sqlAnythingOnPage, page)
	if err != nil {
		return nil, fmt.Errorf("read records on page %d: %w", page, err)
	}
	return all, nil
}

// SiteRoot returns the root of the website that a page is part of: the nearest
// page upwards that is one, the page itself included; false where there is
// none. It asks nothing about a user.
func (r reads) SiteRoot(ctx context.Context, page int64) (Record, bool, error) {
	line, err := r.Rootline(ctx, page)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return Record{}, false, err
	}
	for _, p := range line {
		if p.Int(ColumnSiteRoot) != 0 {
			return p, true, nil
		}
	}
	return Record{}, false, nil
}

// Place returns the record that another one stands behind: of the same table,
// page and language and, among content elements, in the same column. first says
// that it stands behind none. It asks nothing about a user.
func (r reads) Place(ctx context.Context, rec Record) (after Record, first bool, err error) {
	all, err := r.OnPage(ctx, rec.Table, rec.PID)
	if err != nil {
		return Record{}, false, err
	}
	first = true
	for _, o := range all {
		switch {
		case o.UID == rec.UID:
			return after, first, nil
		case besides(o, rec):
			after, first = o, false
		}
	}
	return Record{}, false, ErrNotFound
}

// besides reports whether two records of a table on a page are neighbours that
// a reader would see beside each other.
func besides(a, b Record) bool {
	return a.Language == b.Language && (a.Table != Elements || a.Int(ColumnPosition) == b.Int(ColumnPosition))
}
