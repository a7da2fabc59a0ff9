package editorial

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
)

// maxBranch is how many subpages a delete takes along at most.
const maxBranch = 50

// maxCounted is how many rows that are only counted a plan reads.
const maxCounted = 100

// deletion is a record to be deleted.
type deletion struct {
	Table    string `json:"table" is:"one=pages|content" about:"pages for a page, content for a content element"`
	UID      int64  `json:"uid" is:"min=1" about:"UID of the page or content element, or of its translation"`
	Subpages *bool  `json:"include_subpages" about:"true deletes the subpages of a page with it; a page that has some is not deleted otherwise"`
}

// deleteRecord deletes one page or content element with what belongs to it.
func (d desk) deleteRecord() imprimatur.Tool {
	return writer(d, definition[deletion]{
		name: "delete_record",
		description: "Deletes one page or content element with its translations and what lies on it or belongs to it: all of that, or nothing. Files stay. " +
			"A translation is deleted alone. What was deleted can be brought back. A person must approve the call.",
		effect: imprimatur.IdempotentWrite,
		plan:   desk.planDeletion,
	})
}

func (d desk) planDeletion(ctx context.Context, u imprimatur.User, args deletion) (*plan, error) {
	if args.Table != content.Pages && args.Subpages != nil {
		return nil, refuse("The argument %q is for pages only.", "include_subpages")
	}
	rec, err := d.editable(ctx, u, content.Ref{Table: args.Table, UID: args.UID}, content.BitDelete)
	if err != nil {
		return nil, err
	}
	e := deleting{surrounded: rec, subpages: args.Subpages != nil && *args.Subpages}
	if err := e.branch(ctx, d, u); err != nil {
		return nil, err
	}
	e.doom, err = d.repo.Deletion(ctx, rec.Ref(), e.subpages)
	if err != nil {
		return nil, unindexed(err)
	}
	if err := d.mayTake(ctx, u, e.doom, "deleted"); err != nil {
		return nil, err
	}
	if err := e.drafts(ctx, d); err != nil {
		return nil, err
	}
	return e.plan(ctx, d)
}

// unindexed refuses a call that hangs on the links between records where nobody
// has read them yet.
func unindexed(err error) error {
	if errors.Is(err, content.ErrNotIndexed) {
		return refuse("What belongs to the record cannot be determined: the links between records have not been indexed. Nothing was written.")
	}
	return err
}

// deleting is a call that may be carried out.
type deleting struct {
	surrounded
	subpages bool
	doom     content.Doom
	staying  []content.Record // of a page translation: the elements in its language
	incoming []content.Ref
}

// branch refuses pages that are not deleted at all, or not with what is below
// them.
func (e deleting) branch(ctx context.Context, d desk, u imprimatur.User) error {
	if !e.page() || e.Origin > 0 {
		return nil
	}
	if e.Int(content.ColumnSiteRoot) != 0 {
		return refuse("Page %d is the root of a website and cannot be deleted with this tool.", e.UID)
	}
	below, err := d.subpages(ctx, e.Record, maxBranch+1)
	switch n := len(below); {
	case err != nil:
		return err
	case n > maxBranch:
		return refuse("Page %d has more than %d subpages; so many cannot be deleted at once.", e.UID, maxBranch)
	case n > 0 && !e.subpages:
		return refuse("Page %d has %d subpages. Set include_subpages to true to delete them with it.", e.UID, n)
	}
	for _, sub := range below {
		ok, err := d.repo.MayOnPage(ctx, u, sub.UID, content.BitDelete)
		switch {
		case err != nil:
			return err
		case !ok || !d.repo.MayEditRecord(u, sub):
			return refuse("Page %d has a subpage that the user this run acts for may not delete. It is deleted whole or not at all.", e.UID)
		case sub.Int(content.ColumnSiteRoot) != 0:
			return refuse("Page %d has a subpage that is the root of a website. It cannot be deleted with this tool.", e.UID)
		}
	}
	return nil
}

// mayTake refuses a call that would take along what the user may not write. It
// speaks of tables and languages, and of no record.
func (d desk) mayTake(ctx context.Context, u imprimatur.User, doom content.Doom, done string) error {
	all := doom.All()
	var tables []string
	for _, rec := range all {
		if !content.MayModify(u, rec.Table) && !slices.Contains(tables, rec.Table) {
			tables = append(tables, rec.Table)
		}
	}
	if len(tables) > 0 {
		slices.Sort(tables)
		return refuse("Records of %s would be %s with it, which the user this run acts for may not change. It is %s whole or not at all.",
			listed(tables), done, done)
	}
	if other := foreign(u, all); len(other) > 0 {
		names, err := d.languageNames(ctx, other)
		if err != nil {
			return err
		}
		return refuse("Something in %s would be %s with it, a language that the user this run acts for may not work in. It is %s whole or not at all.",
			names, done, done)
	}
	if slices.ContainsFunc(all, func(rec content.Record) bool { return !d.repo.MayEditRecord(u, rec) }) {
		return refuse("Something that would be %s with it may not be changed by the user this run acts for. It is %s whole or not at all.", done, done)
	}
	return nil
}

// drafts refuses a delete that would take draft versions along: what waits in a
// workspace is not for this tool to end, nor to name.
func (e deleting) drafts(ctx context.Context, d desk) error {
	n, err := d.repo.Drafts(ctx, refs(e.doom.All()))
	switch {
	case err != nil && ctx.Err() != nil:
		return err
	case err != nil:
		return refuse("Whether draft versions would be deleted with it could not be determined. Nothing was written.")
	case n > 0:
		return refuse("Draft versions in workspaces would be deleted with it: %d. Publish or discard them first.", n)
	}
	return nil
}

func refs(records []content.Record) []content.Ref {
	all := make([]content.Ref, len(records))
	for i, rec := range records {
		all[i] = rec.Ref()
	}
	return all
}

func (e deleting) plan(ctx context.Context, d desk) (*plan, error) {
	var err error
	if e.incoming, err = d.repo.Incoming(ctx, refs(e.doom.All())); err != nil {
		return nil, unindexed(err)
	}
	if e.page() && e.Origin > 0 {
		if e.staying, err = d.inLanguage(ctx, e.Origin, e.Language); err != nil {
			return nil, err
		}
	}
	p := &plan{seen: content.Versions{}, report: e.report}
	p.changes = []content.Change{{Op: content.Delete, Table: e.Table, UID: e.UID, Subpages: e.subpages}}
	if !e.page() {
		e.add(p.seen)
	}
	p.seen.Add(e.doom.All()...)
	p.seen.Add(e.staying...)
	if err := d.addRows(ctx, p.seen, e.incoming); err != nil {
		return nil, err
	}
	p.lines, err = e.lines(ctx, d)
	return p, err
}

// inLanguage are the content elements of a page in one language.
func (d desk) inLanguage(ctx context.Context, page, language int64) ([]content.Record, error) {
	all, err := d.repo.OnPage(ctx, content.Elements, page)
	return slices.DeleteFunc(all, func(rec content.Record) bool { return rec.Language != language }), err
}

// addRows notes the versions of rows that are only counted. Of more than a
// hundred it notes their number, which no earlier call can account for.
func (d desk) addRows(ctx context.Context, seen content.Versions, rows []content.Ref) error {
	if len(rows) > maxCounted {
		seen[content.Ref{}] = int64(len(rows))
		return nil
	}
	for _, ref := range rows {
		rec, err := d.repo.Row(ctx, ref)
		if err != nil {
			return fmt.Errorf("read %s: %w", ref, err)
		}
		seen.Add(rec)
	}
	return nil
}

// report makes sure that everything is gone that was to go, and nothing else.
func (e deleting) report(ctx context.Context, d desk, out content.Outcome) (imprimatur.Result, error) {
	gone := e.doom.All()
	var left []string
	for _, rec := range gone {
		_, err := d.repo.Row(ctx, rec.Ref())
		switch {
		case errors.Is(err, content.ErrNotFound):
		case err != nil:
			return imprimatur.Result{}, fmt.Errorf("read back what was deleted: %w", err)
		default:
			left = append(left, d.named(rec))
		}
	}
	if len(left) > 0 {
		return imprimatur.Result{}, undo("%s would not have been deleted whole; what would have stayed: %s.", d.named(e.Record), firstFew(left))
	}
	deleted := 0
	for _, version := range out.Versions {
		if version == 0 {
			deleted++
		}
	}
	if deleted != len(gone) {
		return imprimatur.Result{}, undo("%d records would have been deleted instead of %d.", deleted, len(gone))
	}
	along := ""
	if n := len(gone) - 1; n > 0 {
		along = fmt.Sprintf(" with %d records that belonged to it or lay on it", n)
	}
	return imprimatur.Result{
		Wrote:   &imprimatur.Written{Table: e.Table, UID: e.UID, Kind: "deleted", Complete: true},
		Content: fmt.Sprintf("Deleted %s%s. A person can bring it back.", d.named(e.Record), along),
	}, nil
}

// firstFew lists the first ten names, and how many more there are.
func firstFew(names []string) string {
	if more := len(names) - listedUIDs; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:listedUIDs], ", "), more)
	}
	return listed(names)
}
