package editorial

import (
	"context"
	"fmt"
	"slices"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/content"
)

// elementMove says where a content element is to stand.
type elementMove struct {
	UID    int64  `json:"uid" is:"min=1" about:"UID of the content element"`
	Page   int64  `json:"target_page" is:"min=1" about:"UID of the page it moves to, in the default language; its own page to move it there"`
	Column *int64 `json:"column" is:"min=0" about:"Number of the content column; left out, that of after_content_uid, else the one it is in"`
	After  int64  `json:"after_content_uid" is:"optional,min=1" about:"UID of the content element on the target page and in the same language behind which it comes; left out, it comes first"`
}

// moveContentElement puts one content element somewhere else.
func (d desk) moveContentElement() imprimatur.Tool {
	return writer(d, definition[elementMove]{
		name: "move_content_element",
		description: "Moves one content element to another page, column or position. It keeps its uid, its files and its visibility, and its translations move along. " +
			"A person must approve the call.",
		effect: imprimatur.IdempotentWrite,
		plan:   desk.planElementMove,
	})
}

func (d desk) planElementMove(ctx context.Context, u imprimatur.User, args elementMove) (*plan, error) {
	if args.After == args.UID {
		return nil, refuse("A content element cannot come after itself.")
	}
	element, page, err := d.editableElement(ctx, u, args.UID, noElement)
	if err != nil {
		return nil, err
	}
	target, err := d.elementPage(ctx, u, args.Page)
	if err != nil {
		return nil, err
	}
	if err := onTranslation(target); err != nil {
		return nil, err
	}
	if element.Origin > 0 {
		return nil, refuse("Content element %d is a translation and moves with its original: name content element %d.", element.UID, element.Origin)
	}
	translations, err := d.repo.Translations(ctx, element.Ref())
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(translations, func(t content.Record) bool { return !d.repo.MayEditRecord(u, t) }) {
		return nil, refuse("Content element %d has a translation that the user this run acts for may not change.", element.UID)
	}
	if err := d.grants(u, content.Elements, []string{content.ColumnPosition}); err != nil {
		return nil, err
	}
	anchor, err := d.anchor(ctx, u, args.After, target, element.Language)
	if err != nil {
		return nil, err
	}
	m := movingElement{element: element, page: page, target: target, anchor: anchor, translations: translations}
	m.column = args.columnFor(element, anchor)
	return m.plan(ctx, d, u)
}

// columnFor is the column that is named, else that of the anchor, else the one
// the element is in.
func (a elementMove) columnFor(element, anchor content.Record) int64 {
	switch {
	case a.Column != nil:
		return *a.Column
	case anchor.UID != 0:
		return anchor.Int(content.ColumnPosition)
	default:
		return element.Int(content.ColumnPosition)
	}
}

// movingElement is a call that may be carried out.
type movingElement struct {
	element, page, target, anchor content.Record
	column                        int64
	translations                  []content.Record
	files, owned                  []content.Record // that go along to another page, those of translations included
	there                         bool             // it stands there already
}

func (m movingElement) plan(ctx context.Context, d desk, u imprimatur.User) (*plan, error) {
	err := d.movesAlong(ctx, u, &m)
	if err != nil {
		return nil, err
	}
	if m.element.PID == m.target.UID && m.element.Int(content.ColumnPosition) == m.column {
		if m.there, err = d.standsBehind(ctx, m.element, m.anchor); err != nil {
			return nil, err
		}
	}
	language, err := d.languageLine(ctx, m.element)
	if err != nil {
		return nil, err
	}
	p := &plan{seen: content.Versions{}, report: m.report}
	p.seen.Add(m.element, m.page, m.target)
	p.seen.Add(slices.Concat(m.translations, m.files, m.owned)...)
	if m.anchor.UID != 0 {
		p.seen.Add(m.anchor)
	}
	if !m.there {
		p.changes = []content.Change{m.change()}
	}
	p.lines = append(p.lines, catalogue.Heading(catalogue.HeadingMoveElement))
	p.lines = append(p.lines, d.elementLines(m.element)...)
	p.lines = append(p.lines, language,
		catalogue.Named(imprimatur.RoleWhere, catalogue.WhereCurrently, places(onPage(m.page), d.column(m.element.Int(content.ColumnPosition)))),
		catalogue.Named(imprimatur.RoleWhere, catalogue.WhereNew, places(onPage(m.target), d.place(m.column, m.anchor))))
	p.lines = append(p.lines, m.consequences()...)
	p.lines = append(p.lines, catalogue.Technical(m.technical()...))
	return p, nil
}

// movesAlong finds what belongs to the element and to its translations. It goes
// along to another page.
func (d desk) movesAlong(ctx context.Context, u imprimatur.User, m *movingElement) error {
	if m.page.UID == m.target.UID {
		return nil
	}
	all, err := d.repo.Deletion(ctx, m.element.Ref(), false)
	if err != nil {
		return err
	}
	m.files, m.owned = all.References, all.Owned
	if slices.ContainsFunc(slices.Concat(m.files, m.owned), func(rec content.Record) bool { return !d.repo.MayEditRecord(u, rec) }) {
		return refuse("Something that belongs to content element %d may not be moved by the user this run acts for.", m.element.UID)
	}
	return nil
}

func (m movingElement) change() content.Change {
	return content.Change{
		Op: content.Move, Table: content.Elements, UID: m.element.UID, PID: m.target.UID, After: m.anchor.UID,
		Fields: map[string]any{content.ColumnPosition: m.column},
	}
}

func (m movingElement) consequences() []imprimatur.Text {
	if m.there {
		return []imprimatur.Text{sentence(catalogue.ElementThereAlready, nil)}
	}
	var lines []imprimatur.Text
	for _, along := range []struct {
		name    imprimatur.Label
		records []content.Record
	}{{catalogue.Translations, m.translations}, {catalogue.ElementFiles, m.files}, {catalogue.ElementRecords, m.owned}} {
		if n := len(along.records); n > 0 {
			lines = append(lines, consequence(along.name, phrase(catalogue.ElementMovesAlong, map[string]any{"count": n})))
		}
	}
	return lines
}

func (m movingElement) technical() []imprimatur.Phrase {
	column := func(label imprimatur.Label, number int64) imprimatur.Phrase {
		return phrase(label, map[string]any{"number": number})
	}
	parts := []imprimatur.Phrase{
		technicalRecord(m.element), uid(catalogue.TechnicalLanguage, m.element.Language),
		uid(catalogue.TechnicalCurrentPage, m.page.UID), column(catalogue.TechnicalCurrentColumn, m.element.Int(content.ColumnPosition)),
		uid(catalogue.TechnicalTargetPage, m.target.UID), column(catalogue.TechnicalTargetColumn, m.column),
	}
	if m.anchor.UID != 0 {
		parts = append(parts, uid(catalogue.TechnicalAnchor, m.anchor.UID))
	}
	if len(m.translations) > 0 && !m.there {
		parts = append(parts, uids(catalogue.TechnicalTranslation, m.translations))
	}
	return parts
}

// report reads back where the element and what belongs to it are.
func (m movingElement) report(ctx context.Context, d desk, _ content.Outcome) (imprimatur.Result, error) {
	what := fmt.Sprintf("content element %d %s", m.element.UID, titled(m.element.Text(fieldHeader)))
	where := fmt.Sprintf("page %d %s, column %d", m.target.UID, titled(m.target.Text("title")), m.column)
	if m.there {
		return imprimatur.Result{Content: fmt.Sprintf("Nothing to move: %s is at this position on %s already.", what, where)}, nil
	}
	for _, rec := range slices.Concat([]content.Record{m.element}, m.translations, m.files, m.owned) {
		now, err := d.repo.Row(ctx, rec.Ref())
		if err != nil {
			return imprimatur.Result{}, err
		}
		if now.PID != m.target.UID || now.Table == content.Elements && now.Int(content.ColumnPosition) != m.column {
			return imprimatur.Result{}, undo("The %s %d would not have arrived on page %d in column %d.", noun(now), now.UID, m.target.UID, m.column)
		}
	}
	element, err := d.repo.Row(ctx, m.element.Ref())
	if err != nil {
		return imprimatur.Result{}, err
	}
	if ok, err := d.standsBehind(ctx, element, m.anchor); err != nil || !ok {
		if err == nil {
			err = undo("The content element came out at another position.")
		}
		return imprimatur.Result{}, err
	}
	return imprimatur.Result{
		Wrote:   &imprimatur.Written{Table: element.Table, UID: element.UID, Kind: "updated", Complete: true},
		Content: fmt.Sprintf("Moved %s to %s. Its visibility is as before.", what, where),
	}, nil
}
