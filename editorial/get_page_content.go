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
	"github.com/imprimatur-dev/imprimatur/tool"
)

// Bounds of get_page_content.
const (
	maxElements = 100
	bodyLength  = 200 // characters of a text
)

type contentRequest struct {
	UID      int64 `json:"uid" is:"min=1" about:"UID of the page"`
	Language int64 `json:"language" is:"optional,min=0" about:"UID of the language; 0, the default language, if left out"`
}

// getPageContent lists what lies on a page.
func (d desk) getPageContent() imprimatur.Tool {
	return tool.New(tool.Definition[contentRequest]{
		Name: "get_page_content", Group: groupContent, Effect: imprimatur.ReadOnly,
		Description: "Shows a page and the content elements on it in one language, by column and position: UID, type, header, the beginning of the text without tags, and how many files each field holds.",
		Execute:     d.readPageContent,
	})
}

func (d desk) readPageContent(ctx context.Context, call imprimatur.Call, args contentRequest) (imprimatur.Result, error) {
	page, err := d.repo.Page(ctx, call.User, args.UID)
	if err == nil {
		err = shows(ctx, d.repo.Sight(call.User), page)
	}
	if err == nil && page.Origin > 0 {
		return imprimatur.Result{IsError: true, Content: fmt.Sprintf(
			"Page %d is a translation. Read page %d with language %d.", page.UID, page.Origin, page.Language)}, nil
	}
	var elements []content.Record
	if err == nil {
		elements, err = d.repo.Elements(ctx, call.User, args.UID, args.Language)
	}
	if errors.Is(err, content.ErrNotFound) {
		return imprimatur.Result{IsError: true, Content: noPage}, nil
	}
	if err != nil {
		return imprimatur.Result{}, fmt.Errorf("read page %d: %w", args.UID, err)
	}
	elements = visibleTo(call.User, elements)
	var b strings.Builder
	fmt.Fprintf(&b, "Page [%d] %s (%s), language %d%s\n", page.UID, titled(page.Text("title")), excerpt(page.Text(content.ColumnPageType), excerptLength), args.Language, hiddenMark(page))
	if len(elements) == 0 {
		b.WriteString("There are no content elements on it in this language.\n")
	}
	for i, e := range elements[:min(len(elements), maxElements)] {
		column := e.Int(content.ColumnPosition)
		if i == 0 || column != elements[i-1].Int(content.ColumnPosition) {
			fmt.Fprintf(&b, "Column %d%s\n", column, d.columnName(column))
		}
		b.WriteString(d.elementLine(e))
	}
	if more := len(elements) - maxElements; more > 0 {
		fmt.Fprintf(&b, "… and %d more elements.\n", more)
	}
	return imprimatur.Result{Content: b.String()}, nil
}

// visibleTo leaves out what the user may not see: hidden elements are for
// administrators, and elements for all languages for those who work in the
// default one.
func visibleTo(u imprimatur.User, elements []content.Record) []content.Record {
	return slices.DeleteFunc(elements, func(e content.Record) bool {
		return e.Hidden() && !u.Admin || !content.MayUseLanguage(u, e.Language)
	})
}

func (d desk) columnName(number int64) string {
	name, ok := d.repo.Schema().ContentColumn(number)
	if !ok {
		return ""
	}
	return " (" + content.In(name, catalogue.English) + ")"
}

// elementLine is one content element.
func (d desk) elementLine(e content.Record) string {
	kind := e.Text(content.ColumnKind)
	line := fmt.Sprintf("- [%d] %s %s%s", e.UID, excerpt(kind, excerptLength), titled(e.Text("header")), hiddenMark(e))
	if body := excerpt(plain(e.Text("bodytext")), bodyLength); body != "" {
		line += ": " + body
	}
	for _, c := range d.repo.Schema().FileColumns(content.Elements, kind) {
		line += fmt.Sprintf(" · files in %s: %d", c.Name, e.Int(c.Name))
	}
	return line + "\n"
}

func hiddenMark(rec content.Record) string {
	if rec.Hidden() {
		return " (hidden)"
	}
	return ""
}
