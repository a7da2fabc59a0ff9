package editorial

import (
	"context"
	"fmt"
	"strings"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
)

// duplicate says what is to be copied, and where to.
type duplicate struct {
	Table  string `json:"table" is:"one=pages|content" about:"pages for a page, content for a content element"`
	UID    int64  `json:"uid" is:"min=1" about:"UID of the page or content element, not of a translation"`
	Target int64  `json:"target_page" is:"min=1" about:"UID of the page that the copy of a page comes under, or that the copy of a content element lies on; in the default language"`
	After  int64  `json:"after_uid" is:"optional,min=1" about:"UID of the subpage or content element there that the copy comes directly after; left out, it comes first"`
	Column *int64 `json:"column" is:"min=0" about:"For content elements, number of the content column; left out, that of after_uid, else the one of the original"`
}

// copyRecord copies one page or content element, hidden.
func (d desk) copyRecord() imprimatur.Tool {
	return writer(d, definition[duplicate]{
		name: "copy_record",
		description: "Copies one page or content element with its translations and what lies on it or belongs to it. The copy and its translations are hidden. " +
			"A page is copied without its subpages. The original stays as it is. A person must approve the call.",
		effect: imprimatur.NonIdempotentWrite,
		plan:   desk.planCopy,
	})
}

func (d desk) planCopy(ctx context.Context, u imprimatur.User, args duplicate) (*plan, error) {
	if args.Table == content.Pages && args.Column != nil {
		return nil, refuse("The argument %q is for content elements only.", "column")
	}
	rec, err := d.copyable(ctx, u, content.Ref{Table: args.Table, UID: args.UID})
	if err != nil {
		return nil, err
	}
	c := copying{surrounded: rec}
	if c.target, err = d.copyTarget(ctx, u, args); err != nil {
		return nil, err
	}
	if err := c.mayCopy(d, u); err != nil {
		return nil, err
	}
	c.doom, err = d.repo.Copied(ctx, rec.Ref())
	if err != nil {
		return nil, unindexed(err)
	}
	if err := d.mayTake(ctx, u, c.doom, "copied"); err != nil {
		return nil, err
	}
	if err := c.place(ctx, d, u, args); err != nil {
		return nil, err
	}
	return c.plan(ctx, d)
}

// copyable returns a page or content element that the user sees and could
// change if the page let them.
func (d desk) copyable(ctx context.Context, u imprimatur.User, ref content.Ref) (surrounded, error) {
	rec, err := d.repo.Record(ctx, u, ref.Table, ref.UID)
	if err == nil && !d.repo.MayEditRecord(u, rec) {
		err = content.ErrNotFound
	}
	if err != nil {
		return surrounded{}, neutrally(err, noSuch(ref.Table))
	}
	if rec.Table == content.Pages {
		return d.underParent(ctx, u, rec)
	}
	page, err := d.repo.Page(ctx, u, rec.PID)
	return surrounded{rec, page, true}, neutrally(err, noSuch(ref.Table))
}

// copyTarget returns the page that the copy goes to.
func (d desk) copyTarget(ctx context.Context, u imprimatur.User, args duplicate) (content.Record, error) {
	if args.Table == content.Pages {
		return d.parentPage(ctx, u, args.Target, content.BitNew)
	}
	page, err := d.elementPage(ctx, u, args.Target)
	if err != nil {
		return page, err
	}
	return page, onTranslation(page)
}

// copying is a call that may be carried out.
type copying struct {
	surrounded
	target, anchor content.Record
	column         int64 // of a content element
	doom           content.Doom
	paths          []string         // of a page and its translations
	neighbours     []content.Record // rows there on which the lines depend
}

// mayCopy refuses what is not copied, and what the user may not create.
func (c copying) mayCopy(d desk, u imprimatur.User) error {
	switch {
	case c.Origin > 0 && c.page():
		return refuse("Page %d is a translation and is copied with its original: name page %d.", c.UID, c.Origin)
	case c.Origin > 0:
		return refuse("Content element %d is a translation and is copied with its original: name content element %d.", c.UID, c.Origin)
	case c.page() && c.Int(content.ColumnSiteRoot) != 0:
		return refuse("Page %d is the root of a website and cannot be copied with this tool.", c.UID)
	case c.page() && !content.MayUsePageType(u, c.Text(content.ColumnPageType)):
		return refuse("The user this run acts for may not create pages of this type. Nothing was written.")
	case c.page():
		return d.grants(u, content.Pages, []string{content.ColumnHidden})
	}
	return d.grants(u, content.Elements, []string{content.ColumnHidden, content.ColumnPosition})
}

// place finds out where the copy comes, and at which paths.
func (c *copying) place(ctx context.Context, d desk, u imprimatur.User, args duplicate) (err error) {
	if c.page() {
		if c.anchor, err = d.subpage(ctx, u, args.After, c.target); err != nil {
			return err
		}
		return c.paved(ctx, d)
	}
	if c.anchor, err = d.anchor(ctx, u, args.After, c.target, c.Language); err != nil {
		return err
	}
	c.column = elementMove{Column: args.Column}.columnFor(c.Record, c.anchor)
	return c.mixed(ctx, d)
}

// paved finds the paths of the copied page and of its translations, and the
// pages beside it that may stand in their way.
func (c *copying) paved(ctx context.Context, d desk) error {
	there, err := d.repo.OnPage(ctx, content.Pages, c.target.UID)
	if err != nil {
		return err
	}
	for _, rec := range append([]content.Record{c.Record}, c.doom.Translations...) {
		path, err := d.repo.NextSlug(ctx, c.target.UID, rec.Text("title"), rec.Language, 0)
		if err != nil {
			return err
		}
		c.paths = append(c.paths, path)
		wanted := strings.TrimSuffix(c.target.Text(content.ColumnSlug), "/") + "/" + content.Slug(rec.Text("title"))
		for _, page := range there {
			if page.Language == rec.Language && strings.HasPrefix(page.Text(content.ColumnSlug), wanted) {
				c.neighbours = append(c.neighbours, page)
			}
		}
	}
	return nil
}

// mixed refuses a copy after which a language would hold, on the target page,
// both translations and elements that stand for themselves.
func (c *copying) mixed(ctx context.Context, d desk) error {
	there, err := d.repo.OnPage(ctx, content.Elements, c.target.UID)
	if err != nil {
		return err
	}
	for _, copied := range append([]content.Record{c.Record}, c.doom.Translations...) {
		if copied.Language <= 0 {
			continue
		}
		for _, other := range there {
			if other.Language != copied.Language {
				continue
			}
			c.neighbours = append(c.neighbours, other)
			if (other.Origin > 0) != (copied.Origin > 0) {
				names, err := d.languageNames(ctx, []content.Record{copied})
				if err != nil {
					return err
				}
				return refuse("Page %d would hold both translated and independent content elements in %s. Nothing was written.", c.target.UID, names)
			}
		}
	}
	return nil
}

func (c copying) plan(ctx context.Context, d desk) (*plan, error) {
	p := &plan{seen: content.Versions{}, report: c.report}
	c.add(p.seen)
	p.seen.Add(c.target)
	p.seen.Add(c.doom.All()...)
	p.seen.Add(c.neighbours...)
	if c.anchor.UID != 0 {
		p.seen.Add(c.anchor)
	}
	p.changes = []content.Change{{
		Op: content.Copy, Table: c.Table, UID: c.UID, Key: "copy", PID: c.target.UID, After: c.anchor.UID, Fields: c.fields(),
	}}
	var err error
	p.lines, err = c.lines(ctx, d)
	return p, err
}

// fields are the columns in which the copy differs.
func (c copying) fields() map[string]any {
	fields := map[string]any{content.ColumnHidden: int64(1)}
	if !c.page() {
		fields[content.ColumnPosition] = c.column
	}
	return fields
}

// report reads back. A copy that is anything but what was shown is taken back.
func (c copying) report(ctx context.Context, d desk, out content.Outcome) (imprimatur.Result, error) {
	made, err := d.repo.Copied(ctx, content.Ref{Table: c.Table, UID: out.IDs["copy"]})
	if err != nil {
		return imprimatur.Result{}, fmt.Errorf("read back the copy: %w", err)
	}
	if problem := c.differs(d, made, len(out.Created)); problem != "" {
		return imprimatur.Result{}, undo("%s", problem)
	}
	there, err := c.stands(ctx, d, made.Record)
	if err != nil {
		return imprimatur.Result{}, fmt.Errorf("read back the place of the copy: %w", err)
	}
	if !there {
		return imprimatur.Result{}, undo("The copy would have come out at another place.")
	}
	along := ""
	if n := len(made.All()) - 1; n > 0 {
		along = fmt.Sprintf(", with %d records that belong to it or lie on it", n)
	}
	return imprimatur.Result{
		Wrote: &imprimatur.Written{Table: c.Table, UID: made.Record.UID, Kind: "created", Complete: true},
		Content: fmt.Sprintf("Copied %s to %s as %s%s. The copy is hidden; publish_record makes it visible.",
			d.named(c.Record), pageNamed(c.target), d.named(made.Record), along),
	}, nil
}

// stands reports whether the copy is where it was to come.
func (c copying) stands(ctx context.Context, d desk, made content.Record) (bool, error) {
	if made.PID != c.target.UID {
		return false, nil
	}
	if !c.page() {
		return d.standsBehind(ctx, made, c.anchor)
	}
	after, _, err := d.repo.Place(ctx, made)
	return after.UID == c.anchor.UID, err
}
