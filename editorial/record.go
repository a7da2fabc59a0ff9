package editorial

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/content"
)

// What the tools for records, pages and content elements alike, have in common.

// recordArgs name a page, a content element, or a translation of one.
type recordArgs struct {
	Table string `json:"table" is:"one=pages|content" about:"pages for a page, content for a content element"`
	UID   int64  `json:"uid" is:"min=1" about:"UID of the page or content element, or of its translation"`
}

// noSuch is the neutral refusal about a record of this table.
func noSuch(table string) string {
	switch table {
	case content.Pages:
		return noPage
	case content.Elements:
		return noElement
	default:
		return noRecord
	}
}

// surrounded is a record and the page above it: the parent of a page, the page
// that anything else lies on.
type surrounded struct {
	content.Record
	above content.Record // the zero record above all pages
	seen  bool           // the acting user may see what is above
}

func (s surrounded) page() bool { return s.Table == content.Pages }

// editable returns a page or content element that the user may change; bit is
// what they want to do with a page.
func (d desk) editable(ctx context.Context, u imprimatur.User, ref content.Ref, bit content.Bits) (surrounded, error) {
	if ref.Table != content.Pages {
		rec, page, err := d.editableRecord(ctx, u, ref, noSuch(ref.Table))
		return surrounded{rec, page, true}, err
	}
	page, err := d.repo.Page(ctx, u, ref.UID)
	if err == nil {
		err = d.permit(ctx, u, page, page.UID, bit)
	}
	if err != nil {
		return surrounded{}, neutrally(err, noPage)
	}
	return d.underParent(ctx, u, page)
}

// underParent adds the parent to a page.
func (d desk) underParent(ctx context.Context, u imprimatur.User, page content.Record) (surrounded, error) {
	s := surrounded{Record: page, seen: true}
	if page.PID == 0 {
		return s, nil
	}
	var err error
	if s.above, err = d.repo.Row(ctx, content.Ref{Table: content.Pages, UID: page.PID}); err != nil {
		return s, err
	}
	if _, err = d.repo.Page(ctx, u, page.PID); errors.Is(err, content.ErrNotFound) {
		s.seen, err = false, nil
	}
	return s, err
}

// add notes the record and what is above it.
func (s surrounded) add(seen content.Versions) {
	seen.Add(s.Record)
	if s.above.UID != 0 {
		seen.Add(s.above)
	}
}

// objectLines say what it is.
func (s surrounded) objectLines(d desk) []imprimatur.Text {
	if s.page() {
		return []imprimatur.Text{pageLine(s.Record)}
	}
	return d.elementLines(s.Record)
}

// locationLine says where it is.
func (s surrounded) locationLine() imprimatur.Text {
	switch {
	case !s.page():
		return locationLine(s.above)
	case !s.seen:
		return catalogue.Named(imprimatur.RoleWhere, catalogue.WhereLocation, words(catalogue.PageUnderUnseen))
	default:
		return catalogue.Named(imprimatur.RoleWhere, catalogue.WhereLocation, underPage(s.above))
	}
}

// aboveUID is the part of the technical line about the page above.
func (s surrounded) aboveUID() imprimatur.Phrase {
	if s.page() {
		return uid(catalogue.TechnicalParent, s.above.UID)
	}
	return uid(catalogue.TechnicalPage, s.above.UID)
}

// foreign are the records, one of each language, in a language that the user
// may not work in.
func foreign(u imprimatur.User, records []content.Record) []content.Record {
	var found []content.Record
	for _, rec := range records {
		known := slices.ContainsFunc(found, func(f content.Record) bool { return f.Language == rec.Language })
		if !content.MayUseLanguage(u, rec.Language) && !known {
			found = append(found, rec)
		}
	}
	slices.SortFunc(found, func(a, b content.Record) int { return cmp.Compare(a.Language, b.Language) })
	return found
}
