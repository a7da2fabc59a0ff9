package editorial_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/imprimatur-dev/imprimatur/content"
)

// caller makes calls about what is in the database at the moment. Most can be
// carried out; some are refused, which counts as a try.
type caller struct {
	*rand.Rand
	schema *content.Schema
	s      state
}

// chance holds once in n times.
func (c *caller) chance(n int) bool { return c.IntN(n) == 0 }

// one is one of the live rows of a table for which all of this holds; nil where
// there is none.
func (c *caller) one(table string, wanted ...func(*storedRow) bool) *storedRow {
	rows := c.s.records(table, wanted...)
	if len(rows) == 0 {
		return nil
	}
	return rows[c.IntN(len(rows))]
}

func pick[T any](c *caller, from ...T) T { return from[c.IntN(len(from))] }

func not(f func(*storedRow) bool) func(*storedRow) bool {
	return func(r *storedRow) bool { return !f(r) }
}

var (
	original   = having("origin", 0)
	translated = not(original)
	hidden     = having(inFields+content.ColumnHidden, 1)
	belowTop   = not(having("pid", 0))
)

// calls are the arguments of one call of each tool, by its name.
func (c *caller) calls() map[string]func() map[string]any {
	return map[string]func() map[string]any{
		"create_page_draft":              c.newPage,
		"move_page":                      c.movedPage,
		"set_page_social_image":          c.socialImage,
		"update_page_metadata":           c.pageMetadata,
		"create_content_element_draft":   c.newElement,
		"update_content_element":         c.elementChange,
		"move_content_element":           c.movedElement,
		"create_translation_draft":       c.translation,
		"attach_file_to_content_element": c.elementFile,
		"attach_file_to_record":          c.recordFile,
		"replace_file_reference":         c.replacement,
		"set_file_alternative_text":      c.alternative,
		"update_file_metadata":           c.fileMetadata,
		"create_record_draft":            c.newRecord,
		"copy_record":                    c.copied,
		"publish_record":                 c.published,
		"delete_record":                  c.deleted,
	}
}

func (c *caller) newPage() map[string]any {
	parent := c.one(content.Pages, original)
	args := map[string]any{"parent": parent.uid(), "title": c.line(false)}
	beside := c.one(content.Pages, original, having("pid", parent.uid()))
	if beside != nil && c.chance(3) {
		args["after_page_uid"] = beside.uid()
	}
	if beside != nil && c.chance(4) {
		args["title"] = beside.field("title")
	}
	if c.chance(2) {
		args["nav_title"] = c.line(false)
	}
	return args
}

func (c *caller) movedPage() map[string]any {
	page := c.one(content.Pages, original, belowTop)
	if t := c.one(content.Pages, translated); t != nil && c.chance(4) {
		page = c.s.row(content.Pages, t.number("origin"))
	}
	if c.chance(2) {
		return map[string]any{"uid": page.uid(), "after_page_uid": c.one(content.Pages, original, belowTop).uid()}
	}
	parent := c.one(content.Pages, original).uid()
	if c.chance(4) {
		parent = page.number("pid")
	}
	return map[string]any{"uid": page.uid(), "parent": parent}
}

func (c *caller) image() *storedRow {
	return c.one(content.Files, func(r *storedRow) bool { return slices.Contains([]string{"jpg", "png"}, r.field("extension")) })
}

func (c *caller) socialImage() map[string]any {
	page := c.one(content.Pages, original)
	field := pick(c, "og_image", "twitter_image")
	if ref := c.one(content.FileReferences, func(r *storedRow) bool { return r.field(content.ColumnOwnerField) == field }); ref != nil && c.chance(2) {
		page = c.s.row(content.Pages, ref.count(content.ColumnOwner))
	}
	return map[string]any{"page": page.uid(), "field": field, "file": c.image().uid(), "replace": !c.chance(4)}
}

func (c *caller) pageMetadata() map[string]any {
	page := c.one(content.Pages)
	if t := c.one(content.Pages, translated); t != nil && c.chance(4) {
		page = t
	}
	args := map[string]any{"uid": page.uid()}
	names := []string{"title", "subtitle", "nav_title", "abstract", "description", "keywords", "seo_title", "og_title", "og_description", "twitter_title", "twitter_description"}
	for range 1 + c.IntN(4) {
		name := pick(c, names...)
		args[name] = c.varied(page, name)
	}
	if c.chance(3) {
		args["twitter_card"] = pick(c, "", "summary", "summary_large_image")
	}
	return args
}

// kinds of content elements that people write, and columns that their forms have.
var (
	writtenKinds   = []string{"header", "text", "textpic", "textmedia", "image", "bullets", "table", "uploads", "quote", "panel", "texticon"}
	writtenColumns = []string{"subheader", "header_layout", "header_position", "date", "imageorient", "image_zoom", "imagecols", "bullets_type", "table_caption", "quote_source", "panel_class"}
)

func (c *caller) newElement() map[string]any {
	page := c.one(content.Pages, original)
	beside := c.one(content.Elements, original)
	if c.chance(2) {
		page = c.s.row(content.Pages, beside.number("pid"))
	}
	kind := pick(c, writtenKinds...)
	args := map[string]any{"page": page.uid(), "type": kind, "header": c.line(false)}
	if beside.number("pid") == page.uid() && beside.number("language") >= 0 {
		args["after_content_uid"], args["language"] = beside.uid(), beside.number("language")
		if c.chance(3) {
			args["header"], args["type"] = beside.field("header"), beside.field(content.ColumnKind)
		}
	}
	if c.chance(8) {
		args["language"] = int64(1 + c.IntN(4))
		delete(args, "after_content_uid")
	}
	if c.chance(2) {
		args["column"] = pick(c, 0, 1, 3, 7)
	}
	if form := c.form(kind); slices.Contains(form, "bodytext") && !c.chance(4) {
		args["bodytext"] = "<p>" + c.line(false) + "</p>\n<p>" + c.line(false) + "</p>"
	}
	args["fields"] = c.fields(kind, nil, 3)
	return args
}

// form are the columns of the form of content elements of a kind.
func (c *caller) form(kind string) []string {
	t, _ := c.schema.Table(content.Elements)
	k, _ := t.Kind(kind)
	return k.Columns
}

// fields are values for some columns that the form of a kind has.
func (c *caller) fields(kind string, row *storedRow, most int) map[string]any {
	fields := map[string]any{}
	form := c.form(kind)
	for range c.IntN(most + 1) {
		if name := pick(c, writtenColumns...); slices.Contains(form, name) {
			column, _ := c.schema.Column(content.Elements, name)
			fields[name] = c.value(column, row)
		}
	}
	return fields
}

// value is a value for a column.
func (c *caller) value(column content.Column, row *storedRow) any {
	switch column.Type {
	case content.TypeCheck:
		return c.chance(2)
	case content.TypeNumber:
		return 1 + c.IntN(4)
	case content.TypeDatetime:
		if c.chance(4) {
			return ""
		}
		return time.Unix(int64(1+c.IntN(2_000_000_000)), 0).UTC().Format(time.RFC3339)
	case content.TypeSelect, content.TypeRadio:
		return pick(c, column.Items...).Value
	case content.TypeEmail:
		return "desk@example.org"
	case content.TypeColor:
		return "#00ff00"
	}
	if row != nil {
		return c.varied(row, column.Name)
	}
	return c.line(true)
}

func (c *caller) elementChange() map[string]any {
	row := c.one(content.Elements)
	if t := c.one(content.Elements, translated); t != nil && c.chance(4) {
		row = t
	}
	kind := row.field(content.ColumnKind)
	fields := c.fields(kind, row, 4)
	if form := c.form(kind); slices.Contains(form, "bodytext") && c.chance(2) {
		fields["bodytext"] = c.varied(row, "bodytext")
	}
	if len(fields) == 0 || c.chance(2) {
		fields["header"] = c.varied(row, "header")
	}
	return map[string]any{"uid": row.uid(), "fields": fields}
}

func (c *caller) movedElement() map[string]any {
	row := c.one(content.Elements, original)
	if t := c.one(content.Elements, translated); t != nil && c.chance(3) {
		row = c.s.row(content.Elements, t.number("origin"))
	}
	if ref := c.one(content.FileReferences, having("origin", 0)); c.chance(3) && ref.field(content.ColumnOwnerTable) == content.Elements {
		row = c.s.row(content.Elements, ref.count(content.ColumnOwner))
	}
	args := map[string]any{"uid": row.uid(), "target_page": c.one(content.Pages, original).uid()}
	if c.chance(3) {
		args["target_page"] = row.number("pid")
	}
	if anchor := c.one(content.Elements, having("language", row.number("language"))); c.chance(2) {
		args["target_page"], args["after_content_uid"] = anchor.number("pid"), anchor.uid()
	}
	if c.chance(3) {
		args["column"] = pick(c, 0, 1, 3, 7)
	}
	return args
}

func (c *caller) translation() map[string]any {
	table := pick(c, content.Pages, content.Elements)
	row := c.one(table, original)
	language := int64(1 + c.IntN(4))
	if t := c.one(table, translated); t != nil && c.chance(3) {
		row, language = c.s.row(table, t.number("origin")), t.number("language")
	}
	return map[string]any{"table": table, "uid": row.uid(), "language": language, "overwrite": c.chance(2)}
}

// sortedNames are the tools that calls are made of.
func (c *caller) sortedNames() []string { return slices.Sorted(maps.Keys(c.calls())) }
