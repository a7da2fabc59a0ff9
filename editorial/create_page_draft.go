package editorial

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/content"
)

// pageDraft is a page to be created.
type pageDraft struct {
	Parent   int64  `json:"parent" is:"min=1" about:"UID of the page that the new one will be a subpage of"`
	Title    string `json:"title" is:"max=255" about:"Title of the page"`
	NavTitle string `json:"nav_title" is:"optional,max=255" about:"Title in menus; left out, it is the title of the page"`
	After    int64  `json:"after_page_uid" is:"optional,min=1" about:"UID of the subpage of the parent that the new page will come directly after; left out, it will be the first subpage"`
}

// createPageDraft adds a page that nobody but editors can see.
func (d desk) createPageDraft() imprimatur.Tool {
	return writer(d, definition[pageDraft]{
		name: "create_page_draft",
		description: "Creates one empty standard page in the default language, hidden. Its URL path is made from the title. " +
			"Visibility, page type and everything else stay for a person to set. A person must approve the call.",
		effect: imprimatur.NonIdempotentWrite,
		plan:   desk.planPageDraft,
	})
}

func (d desk) planPageDraft(ctx context.Context, u imprimatur.User, args pageDraft) (*plan, error) {
	columns, err := d.draftColumns(args)
	if err != nil {
		return nil, err
	}
	parent, err := d.parentPage(ctx, u, args.Parent, content.BitNew)
	if err != nil {
		return nil, err
	}
	if err := d.mayDraft(ctx, u, args, parent, columns); err != nil {
		return nil, err
	}
	anchor, err := d.subpage(ctx, u, args.After, parent)
	if err != nil {
		return nil, err
	}
	c := drafting{args: args, parent: parent, anchor: anchor}
	if c.siblings, err = d.alike(ctx, parent, args.Title); err != nil {
		return nil, err
	}
	if c.existing, err = d.sameTitle(ctx, u, c.siblings, args.Title); err != nil {
		return nil, err
	}
	if c.path, err = d.repo.NextSlug(ctx, parent.UID, args.Title, 0, 0); err != nil {
		return nil, err
	}
	return c.plan(d), nil
}

// draftColumns are the columns that a call gives, or what is wrong with its
// texts in themselves.
func (d desk) draftColumns(args pageDraft) ([]content.Column, error) {
	texts := args.texts()
	var columns []content.Column
	for _, name := range []string{"title", "nav_title"} {
		text, given := texts[name]
		if !given {
			continue
		}
		c, ok := d.repo.Schema().Column(content.Pages, name)
		if !ok {
			return nil, refuse("This installation has no field %s.", name)
		}
		if err := badPageText(c, text); err != nil {
			return nil, err
		}
		columns = append(columns, c)
	}
	return columns, nil
}

// texts are those that the call gives, by column.
func (a pageDraft) texts() map[string]string {
	texts := map[string]string{"title": a.Title}
	if a.NavTitle != "" {
		texts["nav_title"] = a.NavTitle
	}
	return texts
}

// mayDraft refuses what the user may not create, or not with these columns,
// under a page where they may create pages.
func (d desk) mayDraft(ctx context.Context, u imprimatur.User, args pageDraft, parent content.Record, columns []content.Column) error {
	if !content.MayUsePageType(u, content.PageStandard) {
		return refuse("The user this run acts for may not create pages of the type %s. Nothing was written.", content.PageStandard)
	}
	var names []string
	for _, c := range columns {
		names = append(names, c.Name)
	}
	if err := d.grants(u, content.Pages, names); err != nil {
		return err
	}
	return d.pageForm(ctx, content.PageStandard, parent, args.texts(), columns)
}

// alike returns the subpages of a page that have a title, or the URL path that
// follows from it.
func (d desk) alike(ctx context.Context, parent content.Record, title string) ([]content.Record, error) {
	path := strings.TrimSuffix(parent.Text(content.ColumnSlug), "/") + "/" + content.Slug(title)
	siblings, err := d.repo.OnPage(ctx, content.Pages, parent.UID)
	return slices.DeleteFunc(siblings, func(page content.Record) bool {
		return page.Origin > 0 || page.Text("title") != title && !strings.HasPrefix(page.Text(content.ColumnSlug), path)
	}), err
}

// sameTitle returns the first page with this title that the user may see: a
// visible one, else a hidden one, else the zero record.
func (d desk) sameTitle(ctx context.Context, u imprimatur.User, among []content.Record, title string) (content.Record, error) {
	var found content.Record
	for _, page := range among {
		if page.Text("title") != title || found.UID != 0 && (page.Hidden() || !found.Hidden()) {
			continue
		}
		switch _, err := d.repo.Page(ctx, u, page.UID); {
		case errors.Is(err, content.ErrNotFound):
		case err != nil:
			return content.Record{}, err
		default:
			found = page
		}
	}
	return found, nil
}

// drafting is a call that may be carried out.
type drafting struct {
	args           pageDraft
	parent, anchor content.Record
	siblings       []content.Record // with the same title or path
	existing       content.Record   // the one of them that is shown
	path           string
}

func (c drafting) plan(d desk) *plan {
	p := &plan{seen: content.Versions{}, report: c.report, lines: c.lines(d)}
	p.seen.Add(c.parent)
	p.seen.Add(c.siblings...)
	if c.anchor.UID != 0 {
		p.seen.Add(c.anchor)
	}
	p.changes = []content.Change{{
		Op: content.Create, Table: content.Pages, PID: c.parent.UID, After: c.anchor.UID, Fields: c.fields(),
	}}
	return p
}

// fields are the columns that the call sets.
func (c drafting) fields() map[string]any {
	fields := map[string]any{content.ColumnPageType: content.PageStandard, content.ColumnHidden: int64(1)}
	for name, text := range c.args.texts() {
		fields[name] = text
	}
	return fields
}

func (c drafting) lines(d desk) []imprimatur.Text {
	navigation := given(catalogue.PageNavTitle, c.args.NavTitle)
	if c.args.NavTitle == "" {
		navigation = givenAs(catalogue.PageNavTitle, words(catalogue.PageNavSame))
	}
	lines := []imprimatur.Text{
		catalogue.Heading(catalogue.HeadingCreatePage),
		catalogue.Named(imprimatur.RoleWhere, catalogue.WhereLocation, underPage(c.parent)),
		given(catalogue.PageTitle, c.args.Title),
		pathLine(c.path),
		navigation,
		givenAs(catalogue.PageType, d.repo.Schema().KindLabel(content.Pages, content.PageStandard)),
		catalogue.Named(imprimatur.RoleWhere, catalogue.WhereLanguage, words(catalogue.LanguageDefault)),
		catalogue.Named(imprimatur.RoleWhere, catalogue.WherePosition, d.behind(c.anchor, catalogue.FirstSubpage)),
		hiddenLine(),
		sentence(catalogue.PageDraft, nil),
	}
	technical := []imprimatur.Phrase{uid(catalogue.TechnicalParent, c.parent.UID)}
	if c.anchor.UID != 0 {
		technical = append(technical, uid(catalogue.TechnicalAnchor, c.anchor.UID))
	}
	if c.existing.UID != 0 {
		same := catalogue.PageSameTitle
		if c.existing.Hidden() {
			same = catalogue.PageSameTitleHidden
		}
		lines = append(lines, important(same, nil))
		technical = append(technical, uid(catalogue.TechnicalExisting, c.existing.UID))
	}
	return append(lines, catalogue.Technical(technical...))
}

// report reads back. A page that is anything but what was shown is taken back.
func (c drafting) report(ctx context.Context, d desk, out content.Outcome) (imprimatur.Result, error) {
	if len(out.Created) == 0 {
		return imprimatur.Result{}, undo("The repository did not create the page.")
	}
	page, err := d.repo.Row(ctx, out.Created[0])
	if err != nil {
		return imprimatur.Result{}, fmt.Errorf("read back the new page: %w", err)
	}
	after, _, err := d.repo.Place(ctx, page)
	if err != nil {
		return imprimatur.Result{}, fmt.Errorf("read back the place of the new page: %w", err)
	}
	want := c.fields()
	want[content.ColumnSlug] = c.path
	bent := d.bent(page, want)
	switch {
	case !page.Hidden():
		return imprimatur.Result{}, undo("The page would have come out visible.")
	case page.Language != 0 || page.Origin != 0:
		return imprimatur.Result{}, undo("The page would have come out in another language.")
	case page.PID != c.parent.UID || after.UID != c.anchor.UID:
		return imprimatur.Result{}, undo("The page would have come out at another place.")
	case len(bent) > 0:
		return imprimatur.Result{}, undo("The page would have come out with another value of %s.", listed(bent))
	}
	return imprimatur.Result{
		Wrote: &imprimatur.Written{Table: page.Table, UID: page.UID, Kind: "created", Complete: true},
		Content: fmt.Sprintf("Created %s under %s, hidden, with the URL path %s. It is empty: create_content_element_draft adds content. "+
			"It shows to nobody until it is made visible.", pageNamed(page), pageNamed(c.parent), excerpt(c.path, excerptLength)),
	}, nil
}
