package editorial

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/content"
)

// fields of content elements that have arguments of their own.
const (
	fieldHeader = "header"
	fieldBody   = "bodytext"
)

// editorialKind reports whether the tools create and change content elements of
// a kind: those that hold text and media. Raw HTML, plug-ins, menus and
// shortcuts to other records are programs in the hands of whoever sets them up.
func (d desk) editorialKind(kind string) bool {
	t, _ := d.repo.Schema().Table(content.Elements)
	k, known := t.Kind(kind)
	if !known || kind == "html" || kind == "list" || kind == "shortcut" || strings.HasPrefix(kind, "menu_") {
		return false
	}
	return !slices.ContainsFunc(k.Columns, func(name string) bool {
		c, _ := t.Column(name)
		return c.Type == content.TypeFlex || name == "list_type" || name == "records" || name == "pages"
	})
}

// anchor returns the content element that another one is to come behind: on
// this page and in this language. Without a uid it is the zero record.
func (d desk) anchor(ctx context.Context, u imprimatur.User, uid int64, page content.Record, language int64) (content.Record, error) {
	if uid == 0 {
		return content.Record{}, nil
	}
	rec, err := d.repo.Record(ctx, u, content.Elements, uid)
	switch {
	case errors.Is(err, content.ErrNotFound), err == nil && rec.PID != page.UID:
		return rec, refuse("There is no content element %d on page %d.", uid, page.UID)
	case err != nil:
		return rec, err
	case rec.Language != language:
		return rec, refuse("Content element %d is in another language; name one in the same language as after_content_uid.", uid)
	}
	return rec, nil
}

// elementPage returns a page that the user may put content elements on. A
// translation of a page holds none: the content of all languages lies on the
// page in the default language.
func (d desk) elementPage(ctx context.Context, u imprimatur.User, uid int64) (content.Record, error) {
	page, err := d.pageWith(ctx, u, uid, content.BitContent, noPage)
	if err != nil {
		return page, err
	}
	if !content.MayModify(u, content.Elements) {
		return page, refuseNeutrally(noPage)
	}
	return page, nil
}

// onTranslation refuses a page that is a translation as a place for content.
func onTranslation(page content.Record) error {
	if page.Origin > 0 {
		return refuse("Page %d is a translation of page %d. Content lies on the page in the default language: name page %d.", page.UID, page.Origin, page.Origin)
	}
	return nil
}

// place is a column and the content element in front: "column C, directly after X".
func (d desk) place(column int64, after content.Record) imprimatur.Phrase {
	return places(d.column(column), d.behind(after, catalogue.FirstElement))
}

// standsBehind reports whether an element is where it was wanted: behind another
// one, or first, with nothing of its own column and language in between.
func (d desk) standsBehind(ctx context.Context, element, anchor content.Record) (bool, error) {
	all, err := d.repo.OnPage(ctx, content.Elements, element.PID)
	if err != nil {
		return false, err
	}
	from, at := 0, slices.IndexFunc(all, func(e content.Record) bool { return e.UID == element.UID })
	if anchor.UID != 0 {
		from = slices.IndexFunc(all, func(e content.Record) bool { return e.UID == anchor.UID }) + 1
	}
	if at < from || anchor.UID != 0 && from == 0 {
		return false, nil
	}
	return !slices.ContainsFunc(all[from:at], func(e content.Record) bool {
		return e.Language == element.Language && e.Int(content.ColumnPosition) == element.Int(content.ColumnPosition)
	}), nil
}

// creatableKind returns the column of the content type, as the forms of a page
// offer it, if an element of this type may be created there.
func (d desk) creatableKind(ctx context.Context, page content.Record, wanted string) (content.Column, error) {
	t, _ := d.repo.Schema().Table(content.Elements)
	var column content.Column
	var kinds []string
	for _, k := range t.Types {
		if !d.editorialKind(k.Value) {
			continue
		}
		if column.Name == "" {
			form, err := d.repo.Form(ctx, content.Elements, k.Value, page.UID)
			if err != nil {
				return column, err
			}
			column, _ = form.Column(content.ColumnKind)
		}
		offered := slices.Contains(values(column), k.Value) || column.Open && !slices.Contains(column.Removed, k.Value)
		if offered {
			kinds = append(kinds, k.Value)
		}
	}
	if !slices.Contains(kinds, wanted) {
		return column, refuse("Content elements of the type %s are not created with this tool. Types: %s.",
			echo(wanted), cmp.Or(strings.Join(kinds, ", "), "none"))
	}
	return column, nil
}

// elementLanguage is what the language of a new element is called.
func (d desk) elementLanguage(ctx context.Context, id int64) (any, error) {
	if id == 0 {
		return words(catalogue.LanguageDefault), nil
	}
	name, installed, err := d.repo.LanguageLabel(ctx, id)
	if err != nil {
		return nil, err
	}
	if !installed {
		return nil, refuse("There is no language %d.", id)
	}
	return name, nil
}

// beside are the content elements that are on a page in a language. Where those
// of another language than the default one are translations, a new one that is
// none does not belong among them.
func (d desk) beside(ctx context.Context, u imprimatur.User, page content.Record, language int64) ([]content.Record, error) {
	all, err := d.repo.Elements(ctx, u, page.UID, language)
	if err != nil {
		return nil, neutrally(err, noPage)
	}
	if language > 0 && slices.ContainsFunc(all, func(e content.Record) bool { return e.Language == language && e.Origin > 0 }) {
		return nil, refuse("The content of page %d in language %d consists of translations. "+
			"Create the element in the default language and translate it with create_translation_draft.", page.UID, language)
	}
	return all, nil
}

// twins are elements of the same type with the same header, visible ones first.
func twins(beside []content.Record, kind, header string) []content.Record {
	same := slices.DeleteFunc(slices.Clone(beside), func(e content.Record) bool {
		return e.Text(content.ColumnKind) != kind || strings.TrimSpace(e.Text(fieldHeader)) != strings.TrimSpace(header)
	})
	slices.SortStableFunc(same, func(a, b content.Record) int {
		return cmp.Compare(a.Int(content.ColumnHidden), b.Int(content.ColumnHidden))
	})
	return same
}

func (d desk) hasBody(kind string) bool {
	t, _ := d.repo.Schema().Table(content.Elements)
	k, _ := t.Kind(kind)
	return slices.Contains(k.Columns, fieldBody)
}
