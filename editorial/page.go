package editorial

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/content"
)

// What the tools for pages have in common.

// badPageText refuses a text that the column cannot hold, or not as it is.
func badPageText(c content.Column, text string) error {
	switch {
	case c.Required && strings.TrimSpace(text) == "":
		return refuse("The argument %q must not be empty.", c.Name)
	case strings.ContainsRune(text, 0):
		return refuse("The argument %q holds a character that cannot be stored.", c.Name)
	case c.Type == content.TypeInput && strings.ContainsAny(text, "\r\n\t"):
		return refuse("The argument %q must be a single line, without tabs.", c.Name)
	}
	return nil
}

// pageForm refuses values that the configuration of a page, or of one above it,
// keeps out of the forms there. The page is the one to be changed, or the one a
// new page will stand below.
func (d desk) pageForm(ctx context.Context, kind string, page content.Record, texts map[string]string, columns []content.Column) error {
	table, _ := d.repo.Schema().Table(content.Pages)
	if _, known := table.Kind(kind); !known {
		return nil // its form is unknown, so nothing was kept out of it
	}
	form, err := d.repo.Form(ctx, content.Pages, kind, page.UID)
	if err != nil {
		return err
	}
	for _, want := range columns {
		c, ok := form.Column(want.Name)
		if !ok || c.ReadOnly && !want.ReadOnly {
			return refuse("The field %s is not offered on this page. Nothing was written.", want.Name)
		}
		if text, given := texts[c.Name]; given {
			if _, problem := c.Stored(text); problem != "" {
				return refuse("The argument %q cannot take this value: %s.", c.Name, problem)
			}
		}
	}
	return nil
}

// parentPage returns the page that another one is to be created on or moved to.
func (d desk) parentPage(ctx context.Context, u imprimatur.User, uid int64, bit content.Bits) (content.Record, error) {
	parent, err := d.pageWith(ctx, u, uid, bit, noPage)
	if err == nil && (!content.MayModify(u, content.Pages) || !content.MayUseLanguage(u, 0)) {
		err = refuseNeutrally(noPage)
	}
	if err != nil {
		return content.Record{}, err
	}
	if parent.Origin > 0 {
		return content.Record{}, refuse("Page %d is a translation of page %d: name that page.", parent.UID, parent.Origin)
	}
	return parent, nil
}

// subpage returns a page that lies directly under another one, as far as the
// user may know. The zero uid is no page at all.
func (d desk) subpage(ctx context.Context, u imprimatur.User, uid int64, parent content.Record) (content.Record, error) {
	if uid == 0 {
		return content.Record{}, nil
	}
	page, err := d.repo.Page(ctx, u, uid)
	if errors.Is(err, content.ErrNotFound) || err == nil && (page.PID != parent.UID || page.Origin > 0) {
		return content.Record{}, refuse("There is no page %d directly under page %d to come after.", uid, parent.UID)
	}
	return page, err
}

// subpages returns the pages below a page, nearest first, up to a number of
// them.
func (d desk) subpages(ctx context.Context, page content.Record, limit int) ([]content.Record, error) {
	var found []content.Record
	for queue := []content.Record{page}; len(queue) > 0 && len(found) < limit; queue = queue[1:] {
		below, err := d.repo.OnPage(ctx, content.Pages, queue[0].UID)
		if err != nil {
			return nil, err
		}
		for _, sub := range below {
			if sub.Origin == 0 {
				found, queue = append(found, sub), append(queue, sub)
			}
		}
	}
	return found[:min(len(found), limit)], nil
}

// pathLine is the line of the URL path that a page will have.
func pathLine(path string) imprimatur.Text { return given(catalogue.PageURLPath, path) }

// bent names the columns of a new record that hold neither what was wanted nor,
// where nothing was, the default of the schema.
func (d desk) bent(rec content.Record, want map[string]any) []string {
	table, _ := d.repo.Schema().Table(rec.Table)
	var names []string
	for _, c := range table.Columns {
		wanted, given := want[c.Name]
		switch {
		case given:
		case c.Default == nil && c.Type == content.TypeFile:
			wanted = int64(0)
		default:
			wanted = c.Default
		}
		if rec.Fields[c.Name] != wanted {
			names = append(names, c.Name)
		}
	}
	return names
}

// pageNamed is a page for the model.
func pageNamed(page content.Record) string {
	return fmt.Sprintf("page %d %s", page.UID, titled(page.Text("title")))
}
