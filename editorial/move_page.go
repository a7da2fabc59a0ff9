package editorial

import (
	"context"
	"fmt"
	"slices"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/content"
)

// pageMove is where a page is to go.
type pageMove struct {
	UID    int64 `json:"uid" is:"min=1" about:"UID of the page"`
	Parent int64 `json:"parent" is:"optional,min=1" about:"UID of the page that it will be a subpage of; left out, the parent of after_page_uid"`
	After  int64 `json:"after_page_uid" is:"optional,min=1" about:"UID of the page that it will come directly after; left out, it will be the first subpage"`
}

// movePage moves a page, with everything on it and below it.
func (d desk) movePage() imprimatur.Tool {
	return writer(d, definition[pageMove]{
		name: "move_page",
		description: "Moves one page under another page, or to another place under the same one. Content, translations and subpages move along; " +
			"UIDs and URL paths stay as they are. Give parent, after_page_uid or both. A person must approve the call.",
		effect: imprimatur.IdempotentWrite,
		plan:   desk.planMovePage,
	})
}

func (d desk) planMovePage(ctx context.Context, u imprimatur.User, args pageMove) (*plan, error) {
	switch {
	case args.Parent == 0 && args.After == 0:
		return nil, refuse("Name parent, after_page_uid or both.")
	case args.Parent == args.UID:
		return nil, refuse("A page cannot be moved under itself.")
	case args.After == args.UID:
		return nil, refuse("A page cannot be moved behind itself.")
	}
	page, err := d.pageWith(ctx, u, args.UID, content.BitShow, noPage)
	if err == nil && !d.repo.MayEditRecord(u, page) {
		err = refuseNeutrally(noPage)
	}
	if err != nil {
		return nil, err
	}
	m := moving{page: page}
	if err := m.target(ctx, d, u, args); err != nil {
		return nil, err
	}
	if err := m.mayMove(ctx, d, u); err != nil {
		return nil, err
	}
	if m.anchor, err = d.subpage(ctx, u, args.After, m.parent); err != nil {
		return nil, err
	}
	if err := m.along(ctx, d, u); err != nil {
		return nil, err
	}
	if err := m.surroundings(ctx, d, u); err != nil {
		return nil, err
	}
	return m.plan(d), nil
}

// moving is a call that may be carried out.
type moving struct {
	page, parent, anchor content.Record
	former               content.Record // parent so far; the zero record for the top level
	formerSeen           bool           // the user may see it
	translations         []content.Record
	subpages             []content.Record // some more than countedSubpages at most
	from, to             content.Record   // home pages, zero outside websites
	there                bool             // the page is at its place already
}

// countedSubpages is up to where subpages are counted.
const countedSubpages = 100

// target finds the page to move under: the one named, or the parent of the one
// to come after. The user may do with it what the move takes.
func (m *moving) target(ctx context.Context, d desk, u imprimatur.User, args pageMove) error {
	parent := args.Parent
	if parent == 0 {
		anchor, err := d.pageWith(ctx, u, args.After, content.BitShow, noPage)
		switch {
		case err != nil:
			return err
		case anchor.Origin > 0:
			return refuse("Page %d is a translation of page %d: name that page.", anchor.UID, anchor.Origin)
		case anchor.PID == 0:
			return refuse("Page %d is at the top level, where no page can be moved to.", anchor.UID)
		}
		parent = anchor.PID
	}
	bit := content.BitNew
	if parent == m.page.PID {
		bit = content.BitShow
	}
	var err error
	m.parent, err = d.parentPage(ctx, u, parent, bit)
	return err
}

// mayMove asks for the right to take the page from where it is.
func (m *moving) mayMove(ctx context.Context, d desk, u imprimatur.User) error {
	bit := content.BitDelete
	if m.parent.UID == m.page.PID || m.page.Origin > 0 && m.parent.UID == m.page.Origin {
		bit = content.BitEdit
	}
	ok, err := d.repo.MayOnPage(ctx, u, m.page.UID, bit)
	switch {
	case err != nil:
		return err
	case !ok:
		return refuseNeutrally(noPage)
	case m.page.Origin > 0:
		return refuse("Page %d is a translation and moves along with page %d: name that page.", m.page.UID, m.page.Origin)
	case m.page.Int(content.ColumnSiteRoot) != 0:
		return refuse("Page %d is the home page of a website and cannot be moved.", m.page.UID)
	}
	line, err := d.repo.Rootline(ctx, m.parent.UID)
	if err != nil {
		return neutrally(err, noPage)
	}
	if slices.ContainsFunc(line, func(above content.Record) bool { return above.UID == m.page.UID }) {
		return refuse("Page %d is below page %d: a page cannot be moved into its own branch.", m.parent.UID, m.page.UID)
	}
	return nil
}

// along reads what moves along. Translations that the user may not change keep
// the page where it is.
func (m *moving) along(ctx context.Context, d desk, u imprimatur.User) error {
	var err error
	if m.translations, err = d.repo.Translations(ctx, m.page.Ref()); err != nil {
		return err
	}
	var closed []content.Record
	for _, t := range m.translations {
		if !d.repo.MayEditRecord(u, t) {
			closed = append(closed, t)
		}
	}
	if len(closed) > 0 {
		names, err := d.languageNames(ctx, closed)
		if err != nil {
			return err
		}
		return refuse("The page has translations that the user this run acts for may not change: %s. Nothing was written.", names)
	}
	m.subpages, err = d.subpages(ctx, m.page, countedSubpages+1)
	return err
}

// languageNames lists the languages of records for the model.
func (d desk) languageNames(ctx context.Context, records []content.Record) (string, error) {
	var names []string
	for _, rec := range records {
		label, _, err := d.repo.LanguageLabel(ctx, rec.Language)
		if err != nil {
			return "", err
		}
		names = append(names, excerpt(content.In(label, catalogue.English), excerptLength))
	}
	return listed(names), nil
}

// surroundings reads where the page is and to which websites it belongs.
func (m *moving) surroundings(ctx context.Context, d desk, u imprimatur.User) (err error) {
	if m.page.PID != 0 {
		if m.former, err = d.repo.Row(ctx, content.Ref{Table: content.Pages, UID: m.page.PID}); err != nil {
			return err
		}
		if m.formerSeen, err = d.repo.MayRead(ctx, u, m.former); err != nil {
			return err
		}
	}
	if m.from, _, err = d.repo.SiteRoot(ctx, m.page.UID); err != nil {
		return err
	}
	if m.to, _, err = d.repo.SiteRoot(ctx, m.parent.UID); err != nil {
		return err
	}
	if m.page.PID == m.parent.UID {
		after, _, err := d.repo.Place(ctx, m.page)
		m.there = err == nil && after.UID == m.anchor.UID
		return err
	}
	return nil
}

func (m *moving) plan(d desk) *plan {
	p := &plan{seen: content.Versions{}, report: m.report, lines: m.lines(d)}
	for _, rec := range slices.Concat([]content.Record{m.page, m.parent, m.former, m.anchor, m.from, m.to}, m.translations, m.subpages) {
		if rec.UID != 0 {
			p.seen.Add(rec)
		}
	}
	if !m.there {
		p.changes = []content.Change{{
			Op: content.Move, Table: content.Pages, UID: m.page.UID, PID: m.parent.UID, After: m.anchor.UID,
		}}
	}
	return p
}

func (m *moving) lines(d desk) []imprimatur.Text {
	former := underPage(m.former)
	if m.former.UID != 0 && !m.formerSeen {
		former = words(catalogue.PageUnderUnseen)
	}
	lines := []imprimatur.Text{
		catalogue.Heading(catalogue.HeadingMovePage),
		pageLine(m.page),
		catalogue.Named(imprimatur.RoleWhere, catalogue.WhereCurrently, former),
		catalogue.Named(imprimatur.RoleWhere, catalogue.WhereNew,
			places(underPage(m.parent), d.behind(m.anchor, catalogue.FirstSubpage))),
	}
	if m.there {
		lines = append(lines, sentence(catalogue.PageInPlace, nil))
	} else {
		lines = append(lines, consequence(catalogue.PageAlong, phrase(catalogue.PageAlongParts, map[string]any{
			"translations": number(len(m.translations)), "subpages": m.subpageCount(),
		})))
	}
	path := words(catalogue.Empty)
	if slug := m.page.Text(content.ColumnSlug); slug != "" {
		path = phrase(catalogue.PagePathUnchanged, map[string]any{"path": catalogue.Quoted(slug)})
	}
	lines = append(lines, consequence(catalogue.PageURLPath, path))
	if label, moves := m.website(); moves {
		lines = append(lines, important(label, nil))
	}
	return append(lines, catalogue.Technical(m.technical()...))
}

// number is a count as a line says it.
func number(n int) any {
	if n == 0 {
		return words(catalogue.None)
	}
	return n
}

func (m *moving) subpageCount() any {
	if len(m.subpages) > countedSubpages {
		return phrase(catalogue.PageMoreThan, map[string]any{"number": countedSubpages})
	}
	return number(len(m.subpages))
}

// website says how the page changes websites, if it does.
func (m *moving) website() (label imprimatur.Label, moves bool) {
	switch {
	case m.from.UID == m.to.UID:
		return "", false
	case m.to.UID == 0:
		return catalogue.PageLeavesWebsite, true
	case m.from.UID == 0:
		return catalogue.PageJoinsWebsite, true
	default:
		return catalogue.PageChangesWebsite, true
	}
}

func (m *moving) technical() []imprimatur.Phrase {
	parts := []imprimatur.Phrase{
		uid(catalogue.TechnicalPage, m.page.UID), uid(catalogue.TechnicalFormer, m.page.PID), uid(catalogue.TechnicalParent, m.parent.UID),
	}
	if m.anchor.UID != 0 {
		parts = append(parts, uid(catalogue.TechnicalAnchor, m.anchor.UID))
	}
	if _, moves := m.website(); moves && m.from.UID != 0 {
		parts = append(parts, uid(catalogue.PageFormerSiteRoot, m.from.UID))
	}
	if m.to.UID != 0 {
		parts = append(parts, uid(catalogue.PageSiteRoot, m.to.UID))
	}
	return parts
}

// report reads back parent, place and path. A page that is elsewhere is taken
// back; a translation that stayed behind is named.
func (m *moving) report(ctx context.Context, d desk, _ content.Outcome) (imprimatur.Result, error) {
	if m.there {
		return imprimatur.Result{Content: fmt.Sprintf("Nothing to change: %s is there already.", pageNamed(m.page))}, nil
	}
	page, err := d.repo.Row(ctx, m.page.Ref())
	if err != nil {
		return imprimatur.Result{}, fmt.Errorf("read back the page: %w", err)
	}
	after, _, err := d.repo.Place(ctx, page)
	if err != nil {
		return imprimatur.Result{}, fmt.Errorf("read back the place of the page: %w", err)
	}
	translations, err := d.repo.Translations(ctx, page.Ref())
	if err != nil {
		return imprimatur.Result{}, fmt.Errorf("read back the translations of the page: %w", err)
	}
	if page.PID != m.parent.UID || after.UID != m.anchor.UID {
		return imprimatur.Result{}, undo("The page would have come out at another place.")
	}
	if bent := altered(m.page, page); len(bent) > 0 {
		return imprimatur.Result{}, undo("The page would have come out with another value of %s.", listed(bent))
	}
	behind := slices.DeleteFunc(translations, func(t content.Record) bool { return t.PID == page.PID })
	where := fmt.Sprintf("%s under %s", pageNamed(page), pageNamed(m.parent))
	wrote := &imprimatur.Written{Table: page.Table, UID: page.UID, Kind: "updated", Complete: len(behind) == 0}
	if len(behind) == 0 {
		return imprimatur.Result{Wrote: wrote, Content: fmt.Sprintf(
			"Moved %s. Content, translations and subpages moved along; the URL path is the same as before.", where)}, nil
	}
	names, err := d.languageNames(ctx, behind)
	return imprimatur.Result{IsError: true, Wrote: wrote, Content: fmt.Sprintf(
		"Moved %s, but not completely: these translations stayed behind: %s.", where, names)}, err
}

// altered names the columns in which two states of a record differ.
func altered(before, after content.Record) []string {
	var names []string
	for _, fields := range []map[string]any{before.Fields, after.Fields} {
		for name := range fields {
			if before.Fields[name] != after.Fields[name] {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
