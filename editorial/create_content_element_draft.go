package editorial

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strings"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/content"
)

// newElement is a content element to be created. The nine further fields are
// what fits on one card with all other lines.
type newElement struct {
	Page     int64          `json:"page" is:"min=1" about:"UID of the page, in the default language"`
	Type     string         `json:"type" is:"min=1,max=64" about:"Content type, such as header, text, textmedia or bullets. Raw HTML, plug-ins, menus and shortcuts are not created"`
	Header   string         `json:"header" is:"min=1,max=255" about:"Header of the element"`
	Body     *string        `json:"bodytext" is:"max=20000" about:"Text of the element, HTML where the type takes formatted text"`
	Column   *int64         `json:"column" is:"min=0" about:"Number of the content column; left out, that of after_content_uid, else 0"`
	Language int64          `json:"language" is:"optional,min=0" about:"UID of the language, 0 for the default language. To translate an existing element use create_translation_draft"`
	After    int64          `json:"after_content_uid" is:"optional,min=1" about:"UID of the content element on the same page and in the same language behind which it comes; left out, it comes first"`
	Fields   fieldsArgument `json:"fields" is:"optional,max=9" about:"Further fields of the form of this type, by name: text, numbers, true or false, values of choices, and dates such as 2026-03-14T09:30:00Z. At most 9; a refusal names the fields on offer"`
}

// createContentElementDraft creates one hidden content element.
func (d desk) createContentElementDraft() imprimatur.Tool {
	return writer(d, definition[newElement]{
		name: "create_content_element_draft",
		description: "Creates one content element on a page, always hidden. A person must approve the call, and a person makes the element visible. " +
			"Files are added with attach_file_to_content_element.",
		effect: imprimatur.NonIdempotentWrite,
		plan:   desk.planElement,
	})
}

func (d desk) planElement(ctx context.Context, u imprimatur.User, args newElement) (*plan, error) {
	if err := args.check(); err != nil {
		return nil, err
	}
	page, err := d.elementPage(ctx, u, args.Page)
	if err != nil {
		return nil, err
	}
	if !content.MayUseLanguage(u, args.Language) {
		return nil, refuseNeutrally(noPage)
	}
	if err := onTranslation(page); err != nil {
		return nil, err
	}
	values, err := d.elementValues(ctx, u, page, args)
	if err != nil {
		return nil, err
	}
	language, err := d.elementLanguage(ctx, args.Language)
	if err != nil {
		return nil, err
	}
	anchor, err := d.anchor(ctx, u, args.After, page, args.Language)
	if err != nil {
		return nil, err
	}
	beside, err := d.beside(ctx, u, page, args.Language)
	if err != nil {
		return nil, err
	}
	c := creatingElement{args: args, page: page, anchor: anchor, values: values, language: language}
	if args.Column != nil {
		c.column = *args.Column
	} else {
		c.column = anchor.Int(content.ColumnPosition)
	}
	c.twins = twins(beside, args.Type, args.Header)
	return c.plan(d), nil
}

// check says what is wrong with the arguments in themselves.
func (a newElement) check() error {
	for _, name := range []string{fieldHeader, fieldBody} {
		if _, given := a.Fields[name]; given {
			return refuse("The field %q has an argument of its own; give it there.", name)
		}
	}
	if strings.TrimSpace(a.Header) == "" {
		return refuse("The argument %q must not be empty.", fieldHeader)
	}
	return nil
}

// elementValues are all texts and fields of the new element, as the form of its
// type on this page takes them and the user may give them.
func (d desk) elementValues(ctx context.Context, u imprimatur.User, page content.Record, args newElement) ([]fieldValue, error) {
	kind, err := d.creatableKind(ctx, page, args.Type)
	if err != nil {
		return nil, err
	}
	columns, err := d.formColumns(ctx, content.Elements, args.Type, page.UID)
	if err != nil {
		return nil, err
	}
	fields, err := args.allFields()
	if err != nil {
		return nil, err
	}
	values, err := d.fieldValues(content.Elements, fields, columns)
	if err != nil {
		return nil, err
	}
	draft := content.Record{Table: content.Elements, Language: args.Language, Fields: map[string]any{content.ColumnKind: args.Type}}
	if err := cmp.Or(unshown(values, draft), missing(columns, values, draft)); err != nil {
		return nil, err
	}
	given := append([]fieldValue{{kind, args.Type}}, values...)
	if err := cmp.Or(d.mayGive(u, content.Elements, given), d.grants(u, content.Elements, []string{content.ColumnHidden, content.ColumnPosition})); err != nil {
		return nil, err
	}
	return values, nil
}

// allFields are the further fields with header and body.
func (a newElement) allFields() (fieldsArgument, error) {
	fields := maps.Clone(a.Fields)
	if fields == nil {
		fields = fieldsArgument{}
	}
	texts := map[string]string{fieldHeader: a.Header}
	if a.Body != nil {
		texts[fieldBody] = *a.Body
	}
	for name, text := range texts {
		raw, err := json.Marshal(text)
		if err != nil {
			return nil, fmt.Errorf("encode %s: %w", name, err)
		}
		fields[name] = raw
	}
	return fields, nil
}

// creatingElement is a call that may be carried out.
type creatingElement struct {
	args         newElement
	page, anchor content.Record
	column       int64
	values       []fieldValue
	language     any
	twins        []content.Record
}

func (c creatingElement) plan(d desk) *plan {
	p := &plan{seen: content.Versions{}, report: c.report}
	p.seen.Add(c.page)
	p.seen.Add(c.twins...)
	if c.anchor.UID != 0 {
		p.seen.Add(c.anchor)
	}
	p.changes = []content.Change{c.change()}
	p.lines = append(p.lines, catalogue.Heading(catalogue.HeadingCreateElement), locationLine(c.page), d.contentTypeLine(c.args.Type))
	p.lines = append(p.lines, c.fieldLines(d)...)
	p.lines = append(p.lines,
		catalogue.Named(imprimatur.RoleWhere, catalogue.WhereLanguage, c.language),
		catalogue.Named(imprimatur.RoleWhere, catalogue.WherePosition, d.place(c.column, c.anchor)),
		hiddenLine(), sentence(catalogue.ElementImpact, nil))
	if len(c.twins) > 0 {
		warning := catalogue.ElementTwin
		if c.twins[0].Hidden() {
			warning = catalogue.ElementHiddenTwin
		}
		p.lines = append(p.lines, important(warning, nil))
	}
	p.lines = append(p.lines, catalogue.Technical(c.technical()...))
	return p
}

// fieldLines are header, body and the further fields. A type whose form has a
// body says so where none is given.
func (c creatingElement) fieldLines(d desk) []imprimatur.Text {
	var head, body, rest []fieldValue
	for _, v := range c.values {
		switch v.Name {
		case fieldHeader:
			head = append(head, v)
		case fieldBody:
			body = append(body, v)
		default:
			rest = append(rest, v)
		}
	}
	lines, _ := d.fieldLines(content.Elements, c.args.Type, append(head, body...), content.Record{})
	if len(body) == 0 && d.hasBody(c.args.Type) {
		lines = append(lines, givenAs(d.repo.Schema().ColumnLabel(content.Elements, c.args.Type, fieldBody), words(catalogue.ElementNotGiven)))
	}
	further, _ := d.fieldLines(content.Elements, c.args.Type, rest, content.Record{})
	return append(lines, further...)
}

func (c creatingElement) technical() []imprimatur.Phrase {
	parts := []imprimatur.Phrase{
		uid(catalogue.TechnicalPage, c.page.UID), phrase(catalogue.TechnicalColumn, map[string]any{"number": c.column}),
		uid(catalogue.TechnicalLanguage, c.args.Language), phrase(catalogue.TechnicalContentType, map[string]any{"type": c.args.Type}),
	}
	if c.anchor.UID != 0 {
		parts = append(parts, uid(catalogue.TechnicalAnchor, c.anchor.UID))
	}
	parts = append(parts, technicalFields(fieldNames(c.values)))
	if len(c.twins) > 0 {
		parts = append(parts, uid(catalogue.TechnicalExisting, c.twins[0].UID))
	}
	return parts
}

func (c creatingElement) change() content.Change {
	fields := fieldsOf(c.values)
	fields[content.ColumnKind], fields[content.ColumnPosition], fields[content.ColumnHidden] = c.args.Type, c.column, int64(1)
	return content.Change{
		Op: content.Create, Table: content.Elements, PID: c.page.UID, After: c.args.After, Language: c.args.Language, Fields: fields,
	}
}

// report reads back. A draft that did not come out as approved is taken back.
func (c creatingElement) report(ctx context.Context, d desk, out content.Outcome) (imprimatur.Result, error) {
	if len(out.Created) != 1 {
		return imprimatur.Result{}, undo("The repository did not create the content element.")
	}
	element, err := d.repo.Row(ctx, out.Created[0])
	if err != nil {
		return imprimatur.Result{}, err
	}
	if !element.Hidden() {
		return imprimatur.Result{}, undo("The content element would have been visible.")
	}
	if wrong := d.bent(element, c.change().Fields); len(wrong) > 0 {
		return imprimatur.Result{}, undo("The repository would not have taken %s of the content element as given.", listed(wrong))
	}
	if element.PID != c.page.UID || element.Language != c.args.Language || element.Origin != 0 {
		return imprimatur.Result{}, undo("The content element came out in another place or language.")
	}
	if ok, err := d.standsBehind(ctx, element, c.anchor); err != nil || !ok {
		if err == nil {
			err = undo("The content element came out at another position.")
		}
		return imprimatur.Result{}, err
	}
	return imprimatur.Result{
		Wrote: &imprimatur.Written{Table: element.Table, UID: element.UID, Kind: "created", Complete: true},
		Content: fmt.Sprintf("Created content element %d %s on page %d %s, in column %d, hidden. A person makes it visible, or publish_record does after approval.",
			element.UID, titled(c.args.Header), c.page.UID, titled(c.page.Text("title")), c.column),
	}, nil
}
