package editorial

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/content"
)

// newRecord is a record to be created.
type newRecord struct {
	Table  string         `json:"table" is:"min=1,max=64" about:"Table of the record; not pages and not content, which have tools of their own"`
	Page   int64          `json:"pid" is:"min=1" about:"UID of the page it lies on, in the default language"`
	Fields fieldsArgument `json:"fields" is:"min=1,max=12" about:"Values by field, each a text, a number, or true or false; the field that tells the type of the record selects which others there are"`
}

// createRecordDraft adds a record of an installation's own table, hidden.
func (d desk) createRecordDraft() imprimatur.Tool {
	return writer(d, definition[newRecord]{
		name: "create_record_draft",
		description: "Creates one record of any table but pages and content on a page, in the default language, hidden. Visibility, times, files and relations " +
			"to other records stay for a person to set. A person must approve the call.",
		effect: imprimatur.NonIdempotentWrite,
		plan:   desk.planRecordDraft,
	})
}

// creators are the tools that create records of tables which this one leaves to
// them.
var creators = map[string]string{
	content.Pages:          "Pages are created with create_page_draft.",
	content.Elements:       "Content elements are created with create_content_element_draft.",
	content.FileReferences: "Files are added with attach_file_to_content_element or attach_file_to_record.",
}

func (d desk) planRecordDraft(ctx context.Context, u imprimatur.User, args newRecord) (*plan, error) {
	t, err := d.draftTable(args.Table)
	if err != nil {
		return nil, err
	}
	page, err := d.recordPage(ctx, u, t, args.Page)
	if err != nil {
		return nil, err
	}
	kind, fields, err := d.recordKind(ctx, u, t, page, args.Fields)
	if err != nil {
		return nil, err
	}
	columns, err := d.formColumns(ctx, t.Name, kind, page.UID)
	if err != nil {
		return nil, err
	}
	values, err := d.fieldValues(t.Name, fields, columns)
	if err != nil {
		return nil, err
	}
	c := creatingRecord{t, page, kind, values}
	if err := c.complete(columns); err != nil {
		return nil, err
	}
	if err := d.mayGive(u, t.Name, values); err != nil {
		return nil, err
	}
	return c.plan(d), nil
}

// draftTable returns a table whose records an agent may prepare.
func (d desk) draftTable(name string) (*content.Table, error) {
	if !tableName.MatchString(name) {
		return nil, refuse("The argument %q must be the name of a table: small letters, digits and underscores.", "table")
	}
	if other, ok := creators[name]; ok {
		return nil, refuse("%s", other)
	}
	t, _ := d.repo.Schema().Table(name)
	switch {
	case t == nil || !d.ordinary(name) || t.HideTable || d.noDrafts.Has(name):
		return nil, refuse("Records of the table %s cannot be created with this tool.", echo(name))
	case t.Owner != nil:
		return nil, refuse("Records of the table %q belong to a record of %q and cannot be created alone.", name, t.Owner.Table)
	case t.HiddenField == "":
		return nil, refuse("Records of the table %q cannot be hidden, so there are no drafts of them.", name)
	}
	return t, nil
}

// recordPage returns a page that the user may create records of a table on.
func (d desk) recordPage(ctx context.Context, u imprimatur.User, t *content.Table, uid int64) (content.Record, error) {
	page, err := d.pageWith(ctx, u, uid, content.BitContent, noPage)
	switch {
	case err != nil:
		return page, err
	case page.Origin > 0:
		return page, refuse("Page %d is a translation of page %d. Records lie on the page in the default language: name page %d.", page.UID, page.Origin, page.Origin)
	case !content.MayModify(u, t.Name):
		return page, refuse("The user this run acts for may not change records of the table %q. Nothing was written.", t.Name)
	}
	return page, d.grants(u, t.Name, []string{t.HiddenField})
}

// recordKind returns the kind of the new record, the one given or else the
// default of its table, and the fields without it.
func (d desk) recordKind(ctx context.Context, u imprimatur.User, t *content.Table, page content.Record, args fieldsArgument) (string, fieldsArgument, error) {
	if t.TypeField == "" {
		return "", args, nil
	}
	column, _ := t.Column(t.TypeField)
	kind, _ := column.Default.(string)
	raw, given := args[column.Name]
	if given {
		if err := json.Unmarshal(raw, &kind); err != nil || jsonKind(raw) != "text" {
			return "", nil, refuse("The field %q must be text, not %s.", column.Name, jsonKind(raw))
		}
	}
	var kinds []string
	for _, k := range t.Types {
		kinds = append(kinds, k.Value)
	}
	switch {
	case kind == "" && !given:
		return "", nil, refuse("The field %q is required.", column.Name)
	case !slices.Contains(kinds, kind):
		return "", nil, refuse("The field %q must be one of %s.", column.Name, quotedList(kinds))
	}
	form, err := d.repo.Form(ctx, t.Name, kind, page.UID)
	if err != nil {
		return "", nil, err
	}
	narrowed, shown := form.Column(column.Name)
	switch {
	case shown && slices.Contains(narrowed.Removed, kind), given && shown && narrowed.ReadOnly:
		return "", nil, refuse("Records of the type %q are not offered on page %d.", kind, page.UID)
	case given && !d.repo.MayUseField(u, t.Name, column.Name), !d.repo.MayUseValue(u, t.Name, column.Name, kind):
		return "", nil, refuse("The user this run acts for may not create records of the type %q. Nothing was written.", kind)
	}
	rest := maps.Clone(args)
	delete(rest, column.Name)
	return kind, rest, nil
}

// creatingRecord is a call that may be carried out.
type creatingRecord struct {
	table  *content.Table
	page   content.Record
	kind   string
	values []fieldValue
}

// complete refuses a record that lacks what it needs, and values that its form
// would not show.
func (c creatingRecord) complete(columns []content.Column) error {
	rec := content.Record{Table: c.table.Name, Fields: map[string]any{}}
	if c.table.TypeField != "" {
		rec.Fields[c.table.TypeField] = c.kind
	}
	if err := missing(columns, c.values, rec); err != nil {
		return err
	}
	for _, column := range c.table.Columns {
		offered := slices.ContainsFunc(columns, func(o content.Column) bool { return o.Name == column.Name })
		if column.Required && column.Default == nil && !offered && column.Name != c.table.TypeField {
			return refuse("Records of the table %q need the field %q, which cannot be set with this tool.", c.table.Name, column.Name)
		}
	}
	return unshown(c.values, rec)
}

func (c creatingRecord) plan(d desk) *plan {
	p := &plan{seen: content.Versions{}, report: c.report}
	p.seen.Add(c.page)
	p.changes = []content.Change{{
		Op: content.Create, Table: c.table.Name, PID: c.page.UID, After: content.Last, Fields: c.fields(),
	}}
	p.lines = append(p.lines, catalogue.Heading(catalogue.HeadingCreateRecord), d.recordTypeLine(c.table.Name, c.kind), locationLine(c.page))
	if c.table.Translated {
		p.lines = append(p.lines, catalogue.Named(imprimatur.RoleWhere, catalogue.WhereLanguage, words(catalogue.LanguageDefault)))
	}
	fields, whole := d.fieldLines(c.table.Name, c.kind, c.values, content.Record{Table: c.table.Name})
	p.lines = append(p.lines, fields...)
	p.lines = append(p.lines, hiddenLine(), sentence(catalogue.RecordDraft, nil))
	p.lines = append(p.lines, catalogue.TechnicalLines(c.technical(), whole)...)
	return p
}

func (c creatingRecord) technical() []imprimatur.Phrase {
	parts := []imprimatur.Phrase{phrase(catalogue.RecordTable, map[string]any{"table": c.table.Name})}
	if c.kind != "" {
		parts = append(parts, phrase(catalogue.RecordType, map[string]any{"type": c.kind}))
	}
	return append(parts, uid(catalogue.TechnicalPage, c.page.UID), technicalFields(slices.Sorted(maps.Keys(c.fields()))))
}

// fields are the columns that the call sets.
func (c creatingRecord) fields() map[string]any {
	fields := fieldsOf(c.values)
	fields[c.table.HiddenField] = int64(1)
	if c.table.TypeField != "" {
		fields[c.table.TypeField] = c.kind
	}
	return fields
}

// report reads back. A record that is anything but what was shown is taken
// back.
func (c creatingRecord) report(ctx context.Context, d desk, out content.Outcome) (imprimatur.Result, error) {
	if len(out.Created) == 0 {
		return imprimatur.Result{}, undo("The repository did not create the record.")
	}
	rec, err := d.repo.Row(ctx, out.Created[0])
	if err != nil {
		return imprimatur.Result{}, fmt.Errorf("read back the new record: %w", err)
	}
	bent := d.bent(rec, c.fields())
	switch {
	case rec.Int(c.table.HiddenField) == 0:
		return imprimatur.Result{}, undo("The record would have come out visible.")
	case rec.PID != c.page.UID || rec.Language != 0 || rec.Origin != 0:
		return imprimatur.Result{}, undo("The record would have come out at another place.")
	case len(bent) > 0:
		return imprimatur.Result{}, undo("The record would have come out with another value of %s.", listed(bent))
	}
	return imprimatur.Result{
		Wrote: &imprimatur.Written{Table: rec.Table, UID: rec.UID, Kind: "created", Complete: true},
		Content: fmt.Sprintf("Created %s on %s, hidden. It shows to nobody until a person makes it visible.",
			d.named(rec), pageNamed(c.page)),
	}, nil
}
