package editorial

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/content"
)

// elementChange is what a content element is to have.
type elementChange struct {
	UID    int64          `json:"uid" is:"min=1" about:"UID of the content element, or of its translation"`
	Fields fieldsArgument `json:"fields" is:"min=1,max=12" about:"What is to change, by name of the field: text, numbers, true or false, values of choices, and dates such as 2026-03-14T09:30:00Z. At most 12; a refusal names the fields on offer"`
}

// updateContentElement sets texts and settings of one content element.
func (d desk) updateContentElement() imprimatur.Tool {
	return writer(d, definition[elementChange]{
		name: "update_content_element",
		description: "Changes texts and settings of one content element. Give only what is to change; an empty text clears a field that may be empty. " +
			"Type, position, visibility, times, files and references to other records stay as they are. A person must approve the call.",
		effect: imprimatur.IdempotentWrite,
		plan:   desk.planElementChange,
	})
}

func (d desk) planElementChange(ctx context.Context, u imprimatur.User, args elementChange) (*plan, error) {
	element, page, err := d.editableElement(ctx, u, args.UID, noElement)
	if err != nil {
		return nil, err
	}
	kind := element.Text(content.ColumnKind)
	if !d.editorialKind(kind) {
		return nil, refuse("Content elements of the type %s are not changed with this tool.", echo(kind))
	}
	columns, err := d.formColumns(ctx, content.Elements, kind, page.UID)
	if err != nil {
		return nil, err
	}
	values, err := d.fieldValues(content.Elements, args.Fields, columns)
	if err != nil {
		return nil, err
	}
	if err := cmp.Or(inherited(element, values), unshown(values, element), d.mayGive(u, content.Elements, values)); err != nil {
		return nil, err
	}
	language, err := d.languageLine(ctx, element)
	if err != nil {
		return nil, err
	}
	c := changingElement{element: element, page: page, values: values}
	return c.plan(d, language), nil
}

// inherited refuses fields that a translation takes from the element in the
// default language.
func inherited(element content.Record, values []fieldValue) error {
	for _, v := range values {
		if v.Inherited && element.Origin > 0 {
			return refuse("A translation takes the field %q from the default language: change content element %d instead.", v.Name, element.Origin)
		}
	}
	return nil
}

// changingElement is a call that may be carried out.
type changingElement struct {
	element, page content.Record
	values        []fieldValue
}

func (c changingElement) plan(d desk, language imprimatur.Text) *plan {
	p := &plan{seen: content.Versions{}, report: c.report}
	p.seen.Add(c.element, c.page)
	if fields := fieldsOf(c.changed()); len(fields) > 0 {
		p.changes = []content.Change{{Op: content.Update, Table: content.Elements, UID: c.element.UID, Fields: fields}}
	}
	kind := c.element.Text(content.ColumnKind)
	p.lines = append([]imprimatur.Text{catalogue.Heading(catalogue.HeadingUpdateElement)}, d.elementLines(c.element)...)
	p.lines = append(p.lines, locationLine(c.page), language)
	lines, whole := d.fieldLines(content.Elements, kind, c.values, c.element)
	p.lines = append(p.lines, lines...)
	p.lines = append(p.lines, catalogue.TechnicalLines([]imprimatur.Phrase{
		technicalRecord(c.element), uid(catalogue.TechnicalPage, c.page.UID), uid(catalogue.TechnicalLanguage, c.element.Language),
		phrase(catalogue.TechnicalContentType, map[string]any{"type": kind}),
		technicalFields(fieldNames(c.values)),
	}, whole)...)
	return p
}

// changed are the values that the element does not have already.
func (c changingElement) changed() []fieldValue {
	return slices.DeleteFunc(slices.Clone(c.values), func(v fieldValue) bool { return v.same(c.element) })
}

// report reads back which fields took.
func (c changingElement) report(ctx context.Context, d desk, _ content.Outcome) (imprimatur.Result, error) {
	where := fmt.Sprintf("content element %d %s", c.element.UID, titled(c.element.Text(fieldHeader)))
	changed := c.changed()
	if len(changed) == 0 {
		return imprimatur.Result{Content: fmt.Sprintf("Nothing to change: %s has these values already.", where)}, nil
	}
	next := "It shows wherever the element does; nothing else is needed."
	if c.element.Hidden() {
		next = "The element is still hidden."
	}
	return d.updated(ctx, c.element.Ref(), where, fieldsOf(changed), next)
}
