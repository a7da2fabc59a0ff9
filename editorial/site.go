package editorial

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/imprimatur-dev/imprimatur/content"
)

// source is a page in one language, as an anonymous visitor reads it.
type source struct {
	page     content.Record // the default-language page
	title    string
	slug     string
	root     int64 // page of its website
	language int64
	texts    []string // one for each element, in their order
}

// id is how the model names a source.
func (s source) id() string {
	if s.language == 0 {
		return fmt.Sprintf("page:%d", s.page.UID)
	}
	return fmt.Sprintf("page:%d:%d", s.page.UID, s.language)
}

// restricted reports whether a record is not for everybody at every time.
func restricted(rec content.Record) bool {
	group := rec.Text("fe_group")
	return rec.Deleted || rec.Hidden() || rec.Int("starttime") != 0 || rec.Int("endtime") != 0 || group != "" && group != "0"
}

// publicLine reports whether an anonymous visitor may open the page that a
// rootline begins with, and the root of its website: the page has content of
// its own, and nothing up to the root is restricted.
func publicLine(line []content.Record) (root int64, ok bool) {
	if len(line) == 0 || line[0].Text(content.ColumnPageType) != content.PageStandard {
		return 0, false
	}
	for _, page := range line {
		if restricted(page) || page.Text(content.ColumnPageType) == content.PageUserSection {
			return 0, false
		}
		if page.Int(content.ColumnSiteRoot) != 0 {
			return page.UID, true
		}
	}
	return 0, false
}

// inDefaultLanguage reports whether a public page is there in the default
// language: it may be kept for its translations alone.
func inDefaultLanguage(page content.Record) bool { return page.Int("l18n_cfg")&1 == 0 }

// ownContent reports whether a page shows what lies on it.
func ownContent(page content.Record) bool { return page.Int("content_from_pid") == 0 }

// publicTexts are the columns that a website shows as text.
var publicTexts = map[string]bool{
	"header": true, "subheader": true, "title": true, "subtitle": true, "abstract": true, "description": true,
	"teaser": true, "bodytext": true, "quote_source": true, "table_caption": true, "external_media_title": true,
	"link_title": true, "button_text": true, "date": true,
}

// headerHidden is the type of header that a website does not show.
const headerHidden = "100"

// textOf is what a website shows of an element or of an item of one: the texts
// in the form of its kind. Of a kind that nobody knows it shows nothing.
func (d desk) textOf(rec content.Record) string {
	t, ok := d.repo.Schema().Table(rec.Table)
	if !ok || !tableLeaves(t) {
		return ""
	}
	columns := t.Columns
	if len(t.Types) > 0 {
		kind, _ := t.Kind(d.repo.Schema().KindOf(rec))
		columns = columnsOf(t, kind.Columns)
	}
	var parts []string
	for _, c := range columns {
		if !publicTexts[c.Name] || c.Type != content.TypeInput && c.Type != content.TypeText || !c.When.Holds(rec) || !leaves(c) ||
			c.Name == "header" && rec.Text("header_layout") == headerHidden {
			continue
		}
		text := rec.Text(c.Name)
		if c.Rich {
			text = plain(text)
		}
		if text = strings.Join(strings.Fields(text), " "); text != "" {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, "\n")
}

func columnsOf(t *content.Table, names []string) []content.Column {
	var columns []content.Column
	for _, name := range names {
		if c, ok := t.Column(name); ok {
			columns = append(columns, c)
		}
	}
	return columns
}

// maxPublicElements is how many elements of a page are read as text.
const maxPublicElements = 500

// source reads a page in one language; content.ErrNotFound answers one that an
// anonymous visitor could not read.
func (d desk) source(ctx context.Context, page, language int64) (source, error) {
	rec, err := d.repo.Row(ctx, content.Ref{Table: content.Pages, UID: page})
	if err != nil {
		return source{}, err
	}
	line, err := d.repo.Rootline(ctx, page)
	if err != nil {
		return source{}, err
	}
	root, ok := publicLine(line)
	if !ok || rec.Origin > 0 || language == 0 && !inDefaultLanguage(rec) {
		return source{}, content.ErrNotFound
	}
	s := source{page: rec, root: root, language: language}
	named := rec
	if language > 0 {
		if named, err = d.publicTranslation(ctx, rec, language); err != nil {
			return source{}, err
		}
	}
	s.title, s.slug = named.Text("title"), named.Text(content.ColumnSlug)
	if text := d.introduction(named); text != "" {
		s.texts = append(s.texts, text)
	}
	if ownContent(rec) {
		err = d.addElements(ctx, &s)
	}
	return s, err
}

// introduction is what a page says of itself besides its title.
func (d desk) introduction(page content.Record) string {
	var parts []string
	for _, name := range []string{"subtitle", "abstract", "description"} {
		if text := strings.Join(strings.Fields(page.Text(name)), " "); text != "" {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, "\n")
}

func (d desk) publicTranslation(ctx context.Context, page content.Record, language int64) (content.Record, error) {
	all, err := d.repo.Translations(ctx, page.Ref())
	if err != nil {
		return content.Record{}, err
	}
	for _, t := range all {
		if t.Language == language && !restricted(t) {
			return t, nil
		}
	}
	return content.Record{}, content.ErrNotFound
}

// addElements reads the texts of the public elements on a page.
func (d desk) addElements(ctx context.Context, s *source) error {
	var elements []content.Record
	w := walker{left: maxPublicElements}
	err := w.walk(d.onPage(ctx, content.Elements, s.page.UID), func(e content.Record) (bool, error) {
		if e.Language == s.language || e.Language == -1 {
			elements = append(elements, e)
		}
		return true, nil
	})
	if err != nil {
		return err
	}
	slices.SortStableFunc(elements, func(a, b content.Record) int {
		return cmp.Compare(a.Int(content.ColumnPosition), b.Int(content.ColumnPosition))
	})
	for _, e := range elements {
		ok, err := d.publicElement(ctx, e)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		texts := []string{d.textOf(e)}
		items, err := d.publicItems(ctx, e)
		if err != nil {
			return err
		}
		texts = slices.DeleteFunc(append(texts, items...), func(text string) bool { return text == "" })
		if len(texts) > 0 {
			s.texts = append(s.texts, strings.Join(texts, "\n"))
		}
	}
	return nil
}

// publicElement reports whether everybody may see an element on a public page:
// nor may what it is a translation of be restricted.
func (d desk) publicElement(ctx context.Context, e content.Record) (bool, error) {
	if restricted(e) || e.Origin == 0 {
		return !restricted(e), nil
	}
	origin, err := d.repo.Row(ctx, content.Ref{Table: content.Elements, UID: e.Origin})
	if errors.Is(err, content.ErrNotFound) {
		return false, nil
	}
	return err == nil && origin.PID == e.PID && !restricted(origin), err
}

// publicItems are the texts of the items that an element shows.
func (d desk) publicItems(ctx context.Context, e content.Record) ([]string, error) {
	if len(d.itemTables(e)) == 0 {
		return nil, nil
	}
	owned, err := d.repo.Owned(ctx, e.Ref())
	if err != nil {
		return nil, err
	}
	var texts []string
	for _, t := range d.itemTables(e) {
		for _, item := range owned {
			if item.Table != t.Name || !publicItem(t, item, e) {
				continue
			}
			ok, err := d.publicOriginal(ctx, t, item)
			if err != nil {
				return nil, err
			}
			if ok {
				texts = append(texts, d.textOf(item))
			}
		}
	}
	return texts, nil
}

// publicItem reports whether a public element shows this item.
func publicItem(t *content.Table, item, e content.Record) bool {
	return item.Int(t.Owner.Column) == e.UID && (item.Language == e.Language || item.Language == -1) && !restricted(item) && !t.Hides(item)
}

// publicOriginal reports whether nothing that an item is a translation of is
// restricted.
func (d desk) publicOriginal(ctx context.Context, t *content.Table, item content.Record) (bool, error) {
	if item.Origin == 0 {
		return true, nil
	}
	origin, err := d.repo.Row(ctx, content.Ref{Table: t.Name, UID: item.Origin})
	if errors.Is(err, content.ErrNotFound) {
		return false, nil
	}
	return err == nil && !restricted(origin) && !t.Hides(origin), err
}

// itemTables are the tables whose records an element of this kind shows, in the
// order of its form.
func (d desk) itemTables(e content.Record) []*content.Table {
	elements, ok := d.repo.Schema().Table(content.Elements)
	if !ok {
		return nil
	}
	kind, _ := elements.Kind(d.repo.Schema().KindOf(e))
	var tables []*content.Table
	for _, name := range kind.Columns {
		for i := range d.repo.Schema().Tables {
			t := &d.repo.Schema().Tables[i]
			if t.Owner != nil && t.Owner.Table == content.Elements && t.Owner.Field == name && tableLeaves(t) {
				tables = append(tables, t)
			}
		}
	}
	return tables
}
