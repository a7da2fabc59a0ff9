package editorial

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
)

// What create_translation_draft reads before it writes and after.

// readExisting finds the translation that is there already, and what would be
// discarded with it.
func (d desk) readExisting(ctx context.Context, u imprimatur.User, t *translating) error {
	all, err := d.repo.Translations(ctx, t.original.Ref())
	if err != nil {
		return err
	}
	i := slices.IndexFunc(all, func(rec content.Record) bool { return rec.Language == t.args.Language })
	if i < 0 {
		return nil
	}
	if !t.args.Overwrite {
		return refuse("There is a translation into language %d already: %s %d. Change that one, or discard it by setting overwrite to true.",
			t.args.Language, noun(t.original), all[i].UID)
	}
	if t.existing, err = d.repo.Deletion(ctx, all[i].Ref(), false); err != nil {
		return err
	}
	doomed := slices.Concat([]content.Record{t.existing.Record}, t.existing.Owned)
	if slices.ContainsFunc(doomed, func(rec content.Record) bool { return !d.repo.MayEditRecord(u, rec) }) {
		return refuse("The user this run acts for may not discard the existing translation, %s %d.", noun(t.original), all[i].UID)
	}
	drafts, err := d.repo.Drafts(ctx, refs(t.existing.All()))
	if err != nil {
		return err
	}
	if drafts > 0 {
		return refuse("Draft versions in workspaces would be discarded with %s %d: %d. Publish or discard them first.", noun(t.original), all[i].UID, drafts)
	}
	if t.args.Table != content.Pages {
		return nil
	}
	ok, err := d.repo.MayOnPage(ctx, u, t.page.UID, content.BitDelete)
	if err == nil && !ok {
		err = refuse("The user this run acts for may not discard the existing translation, %s %d.", noun(t.original), all[i].UID)
	}
	return err
}

// readCopied finds what is copied along, and refuses where the user may not
// create all of it.
func (d desk) readCopied(ctx context.Context, u imprimatur.User, t *translating) (err error) {
	if t.files, t.owned, err = d.handedDown(ctx, t.original); err != nil {
		return err
	}
	for _, rec := range slices.Concat(t.owned, t.files) {
		rec.Language = t.args.Language
		if !d.repo.MayEditRecord(u, rec) {
			return refuse("The user this run acts for may not create %s, and some would be copied along with %s %d.", rec.Table, noun(t.original), t.original.UID)
		}
	}
	if t.args.Table == content.Pages {
		t.path, err = d.translatedPath(ctx, *t)
	}
	return err
}

// translatedPath is the URL path that the translation of a page gets. A path
// that is discarded with the existing translation is free.
func (d desk) translatedPath(ctx context.Context, t translating) (string, error) {
	if t.original.PID == 0 && t.original.Int(content.ColumnSiteRoot) != 0 {
		return "/", nil
	}
	return d.repo.NextSlug(ctx, t.original.PID, t.original.Text("title"), t.args.Language, t.existing.Record.UID)
}

// handedDown are the files and records that a translation of a record gets
// copies of: what it inherits stays with the original.
func (d desk) handedDown(ctx context.Context, rec content.Record) (files, owned []content.Record, err error) {
	table, _ := d.repo.Schema().Table(rec.Table)
	for _, c := range table.Columns {
		if c.Type != content.TypeFile || c.Inherited {
			continue
		}
		refs, err := d.repo.References(ctx, rec.Ref(), c.Name)
		if err != nil {
			return nil, nil, err
		}
		files = append(files, refs...)
	}
	all, err := d.repo.Owned(ctx, rec.Ref())
	if err != nil {
		return nil, nil, err
	}
	for _, o := range all {
		owner := d.ownerOf(o)
		counting, _ := table.Column(owner.Field)
		if owner.Table != rec.Table || o.Int(owner.Column) != rec.UID || o.Origin != 0 || counting.Inherited {
			continue
		}
		further, below, err := d.handedDown(ctx, o)
		if err != nil {
			return nil, nil, err
		}
		files, owned = append(files, further...), append(append(owned, o), below...)
	}
	return files, owned, nil
}

// ownerOf says whose a record is.
func (d desk) ownerOf(rec content.Record) content.Owner {
	if t, ok := d.repo.Schema().Table(rec.Table); ok && t.Owner != nil {
		return *t.Owner
	}
	return content.Owner{}
}

// filesOf are the file references of records, in the order of their fields.
func (d desk) filesOf(ctx context.Context, records []content.Record) ([]content.Record, error) {
	var all []content.Record
	for _, rec := range records {
		table, _ := d.repo.Schema().Table(rec.Table)
		for _, c := range table.Columns {
			if c.Type != content.TypeFile {
				continue
			}
			refs, err := d.repo.References(ctx, rec.Ref(), c.Name)
			if err != nil {
				return nil, err
			}
			all = append(all, refs...)
		}
	}
	return all, nil
}

// wrong says in what the translation is not what was approved.
func (t translating) wrong(ctx context.Context, d desk, rec content.Record) (string, error) {
	if old := t.existing.Record; old.UID != 0 {
		if _, err := d.repo.Row(ctx, old.Ref()); !errors.Is(err, content.ErrNotFound) {
			return "The existing translation would have stayed.", err
		}
	}
	owned, err := d.repo.Owned(ctx, rec.Ref())
	if err != nil {
		return "", err
	}
	files, err := d.filesOf(ctx, append([]content.Record{rec}, owned...))
	if err != nil {
		return "", err
	}
	switch {
	case !rec.Hidden():
		return "The translation would have been visible.", nil
	case rec.Language != t.args.Language || rec.Origin != t.original.UID || rec.PID != t.original.PID:
		return "The translation would not have been linked to the original.", nil
	case t.args.Table == content.Pages && rec.Text(content.ColumnSlug) != t.path:
		return "The translation would have got another URL path.", nil
	case len(owned) != len(t.owned) || len(files) != len(t.files):
		return "Not all files and records would have been copied along.", nil
	}
	if name := t.uncopied(d, rec); name != "" {
		return fmt.Sprintf("The translation would not have had the field %s of the original.", name), nil
	}
	return "", nil
}

// uncopied names a column that is not as the original hands it down.
func (t translating) uncopied(d desk, rec content.Record) string {
	table, _ := d.repo.Schema().Table(t.args.Table)
	for _, c := range table.Columns {
		want := t.original.Fields[c.Name]
		switch {
		case c.Name == table.HiddenField, c.Type == content.TypeSlug, c.Type == content.TypeFile, d.repo.Schema().Counting(table.Name, c.Name):
			continue
		case c.Inherited && c.Name != table.TypeField:
			want = nil
		}
		if rec.Fields[c.Name] != want {
			return c.Name
		}
	}
	return ""
}
