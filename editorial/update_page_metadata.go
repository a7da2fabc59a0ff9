package editorial

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/content"
)

// pageFields are the columns that update_page_metadata sets, in the order of
// the lines, and what people call them.
var pageFields = []struct {
	column string
	name   imprimatur.Label
}{
	{"title", catalogue.PageTitle},
	{"subtitle", catalogue.PageSubtitle},
	{"nav_title", catalogue.PageNavTitle},
	{"abstract", catalogue.PageAbstract},
	{"description", catalogue.PageDescription},
	{"keywords", catalogue.PageKeywords},
	{"seo_title", catalogue.PageSEOTitle},
	{"og_title", catalogue.PageOGTitle},
	{"og_description", catalogue.PageOGDescription},
	{"twitter_title", catalogue.PageTwitterTitle},
	{"twitter_description", catalogue.PageTwitterDescription},
	{"twitter_card", catalogue.PageTwitterCard},
}

// maxPageText bounds a text that the schema does not, in characters.
const maxPageText = 2000

// metadata is what a page is to have. Texts are by column.
type metadata struct {
	UID   int64
	Texts map[string]string
}

// UnmarshalJSON reads arguments that fit the schema of metadataSchema: every
// member but uid is a text.
func (m *metadata) UnmarshalJSON(b []byte) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(b, &members); err != nil {
		return err
	}
	m.Texts = map[string]string{}
	for name, value := range members {
		if name == "uid" {
			var page struct {
				UID int64 `json:"uid"`
			}
			if err := json.Unmarshal(b, &page); err != nil {
				return err
			}
			m.UID = page.UID
			continue
		}
		var text string
		if err := json.Unmarshal(value, &text); err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
		m.Texts[name] = text
	}
	return nil
}

// updatePageMetadata sets titles and descriptions of one page.
func (d desk) updatePageMetadata() imprimatur.Tool {
	return writer(d, definition[metadata]{
		name: "update_page_metadata",
		description: "Changes titles, descriptions and keywords of one page, or of a translation of one. Give only what is to change; " +
			"an empty text clears a field that may be empty. The URL path and the visibility stay as they are. A person must approve the call.",
		effect: imprimatur.IdempotentWrite,
		schema: d.metadataSchema(),
		plan:   desk.planMetadata,
	})
}

// pageColumns are the fields of the tool that this installation has.
func (d desk) pageColumns() []content.Column {
	var columns []content.Column
	for _, f := range pageFields {
		c, ok := d.repo.Schema().Column(content.Pages, f.column)
		if ok && slices.Contains([]content.ColumnType{content.TypeInput, content.TypeText, content.TypeSelect}, c.Type) {
			columns = append(columns, c)
		}
	}
	return columns
}

func (d desk) metadataSchema() json.RawMessage {
	properties := map[string]any{}
	for _, c := range d.pageColumns() {
		property := map[string]any{"type": "string", "description": d.about(content.Pages, c)}
		if c.Type == content.TypeSelect {
			property["enum"] = values(c)
		} else {
			property["maxLength"] = maxText(c, maxPageText)
		}
		properties[c.Name] = property
	}
	return textsOf("UID of the page, or of its translation", properties)
}

// about is what a column is called, for the model.
func (d desk) about(table string, c content.Column) string {
	return content.In(d.repo.Schema().ColumnLabel(table, "", c.Name), catalogue.English)
}

// textsOf is the schema of a uid with texts by column.
func textsOf(uid string, texts map[string]any) json.RawMessage {
	texts["uid"] = map[string]any{"type": "integer", "minimum": 1, "description": uid}
	schema, err := json.Marshal(map[string]any{
		"type": "object", "properties": texts, "required": []string{"uid"}, "additionalProperties": false,
	})
	if err != nil {
		panic(fmt.Sprintf("describe texts: %v", err)) // texts and numbers always encode
	}
	return schema
}

// maxText is how many characters a text may have: as many as the schema says,
// at most these.
func maxText(c content.Column, most int) int {
	if c.Max > 0 {
		return min(c.Max, most)
	}
	return most
}

func values(c content.Column) []string {
	all := make([]string, len(c.Items))
	for i, item := range c.Items {
		all[i] = item.Value
	}
	return all
}

func (d desk) planMetadata(ctx context.Context, u imprimatur.User, args metadata) (*plan, error) {
	columns, err := d.asked(args)
	if err != nil {
		return nil, err
	}
	page, err := d.editablePage(ctx, u, args.UID, noPage)
	if err != nil {
		return nil, err
	}
	if err := d.maySet(ctx, u, page, args.Texts, columns); err != nil {
		return nil, err
	}
	language, err := d.languageLine(ctx, page)
	if err != nil {
		return nil, err
	}
	e := editing{args, page, columns}
	p := &plan{seen: content.Versions{}, report: e.report}
	p.seen.Add(page)
	p.changes = e.changes()
	p.lines = append([]imprimatur.Text{catalogue.Heading(catalogue.HeadingPageMetadata), pageLine(page), language}, e.fieldLines(d)...)
	return p, nil
}

// maySet refuses fields of a page that the user may change, where they may not
// change these fields of it.
func (d desk) maySet(ctx context.Context, u imprimatur.User, page content.Record, texts map[string]string, columns []content.Column) error {
	var names []string
	for _, c := range columns {
		if c.Inherited && page.Origin > 0 {
			return refuse("The field %s of a translation follows page %d: change it there.", c.Name, page.Origin)
		}
		names = append(names, c.Name)
	}
	if err := d.grants(u, content.Pages, names); err != nil {
		return err
	}
	return d.pageForm(ctx, page.Text(content.ColumnPageType), page, texts, columns)
}

// asked returns the columns that a call sets, in the order of the lines, or
// what is wrong with the values in themselves.
func (d desk) asked(args metadata) ([]content.Column, error) {
	var columns []content.Column
	for _, c := range d.pageColumns() {
		text, ok := args.Texts[c.Name]
		if !ok {
			continue
		}
		if err := badPageText(c, text); err != nil {
			return nil, err
		}
		columns = append(columns, c)
	}
	if len(columns) == 0 {
		return nil, refuse("Name at least one field to change.")
	}
	return columns, nil
}

// editing is a call that may be carried out.
type editing struct {
	args    metadata
	page    content.Record
	columns []content.Column
}

// changes sets what differs; a page that has it all already is not written.
func (e editing) changes() []content.Change {
	fields := map[string]any{}
	for _, c := range e.columns {
		if e.page.Text(c.Name) != e.args.Texts[c.Name] {
			fields[c.Name] = e.args.Texts[c.Name]
		}
	}
	if len(fields) == 0 {
		return nil
	}
	return []content.Change{{Op: content.Update, Table: content.Pages, UID: e.page.UID, Fields: fields}}
}

// fieldLines are the lines of the fields and the technical details.
func (e editing) fieldLines(d desk) []imprimatur.Text {
	var lines []imprimatur.Text
	var whole []imprimatur.Phrase
	var names []string
	for _, known := range pageFields {
		i := slices.IndexFunc(e.columns, func(c content.Column) bool { return c.Name == known.column })
		if i < 0 {
			continue
		}
		f := e.field(d, e.columns[i], phrase(known.name, nil))
		lines, whole, names = append(lines, f.Line()), append(whole, f.Technical()...), append(names, f.Column)
	}
	return append(lines, catalogue.TechnicalLines([]imprimatur.Phrase{
		uid(catalogue.TechnicalPage, e.page.UID), uid(catalogue.TechnicalLanguage, e.page.Language),
		phrase(catalogue.TechnicalFields, map[string]any{"fields": strings.Join(names, ", ")}),
	}, whole)...)
}

func (e editing) field(d desk, c content.Column, name imprimatur.Phrase) catalogue.Field {
	f := catalogue.Field{Name: name, Column: c.Name, Current: e.page.Text(c.Name), Proposed: e.args.Texts[c.Name]}
	if c.Type == content.TypeSelect {
		f.CurrentItem = d.repo.Schema().ItemLabel(content.Pages, c.Name, f.Current)
		f.ProposedItem = d.repo.Schema().ItemLabel(content.Pages, c.Name, f.Proposed)
	}
	return f
}

// report reads back which fields took.
func (e editing) report(ctx context.Context, d desk, _ content.Outcome) (imprimatur.Result, error) {
	where := fmt.Sprintf("page %d %s", e.page.UID, titled(e.page.Text("title")))
	if len(e.changes()) == 0 {
		return imprimatur.Result{Content: fmt.Sprintf("Nothing to change: %s has these values already.", where)}, nil
	}
	want := map[string]any{}
	for _, c := range e.columns {
		want[c.Name] = e.args.Texts[c.Name]
	}
	return d.updated(ctx, e.page.Ref(), where, want, "It shows wherever the page does; nothing else is needed.")
}
