package editorial

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/content"
)

// textsOfPlace are the texts that a file may have in one place, in the order of
// the lines, and what people call them.
var textsOfPlace = []struct {
	column string
	name   imprimatur.Label
}{
	{"title", catalogue.FileTitle},
	{"alternative", catalogue.FileAlternative},
	{"description", catalogue.FileDescription},
}

// placeTexts are the texts that a call gives a file in one place, by column.
func placeTexts(title, alternative, description *string) map[string]string {
	texts := map[string]string{}
	for name, text := range map[string]*string{"title": title, "alternative": alternative, "description": description} {
		if text != nil {
			texts[name] = *text
		}
	}
	return texts
}

// attaching is a file that may be added to a field of a record.
type attaching struct {
	owner, page, file content.Record
	field             content.Column
	there             []content.Record  // references in the field
	texts             map[string]string // those that the call gives, by column
}

// attachable completes a call whose records are there and may be changed, or
// refuses it because of the field.
func (d desk) attachable(ctx context.Context, u imprimatur.User, a attaching) (attaching, error) {
	if err := d.grants(u, a.owner.Table, []string{a.field.Name}); err != nil {
		return a, err
	}
	if err := accepts(a.field, a.file); err != nil {
		return a, err
	}
	var err error
	if a.there, err = d.repo.References(ctx, a.owner.Ref(), a.field.Name); err != nil {
		return a, err
	}
	if a.field.MaxItems > 0 && len(a.there) >= a.field.MaxItems {
		return a, refuse("The field %s takes at most %d files and has %d.", a.field.Name, a.field.MaxItems, len(a.there))
	}
	return a, nil
}

// fileFields are the fields for files that the form of a record of this kind on
// this page offers, in its order, and their names; of those with the names that
// are given, if any are.
func (d desk) fileFields(ctx context.Context, table, kind string, page int64, known ...string) (fields []content.Column, names []string, err error) {
	form, err := d.repo.Form(ctx, table, kind, page)
	if err != nil {
		return nil, nil, err
	}
	for _, c := range form.Columns {
		if c.Type == content.TypeFile && !c.ReadOnly && (len(known) == 0 || slices.Contains(known, c.Name)) {
			fields, names = append(fields, c), append(names, c.Name)
		}
	}
	return fields, names, nil
}

// accepts refuses a file of a kind that the field does not take.
func accepts(field content.Column, file content.Record) error {
	if field.Accepts(file.Text("extension")) {
		return nil
	}
	return refuse("The field %s does not take this file; it takes %s.", field.Name, listed(field.Extensions))
}

// plan shows the call: what names the record, where that is, and what it gets.
// kind is a part of the technical details that only some records have.
func (a attaching) plan(ctx context.Context, d desk, heading imprimatur.Label, object []imprimatur.Text, kind ...imprimatur.Phrase) (*plan, error) {
	language, err := d.languageLine(ctx, a.owner)
	if err != nil {
		return nil, err
	}
	p := &plan{seen: content.Versions{}, report: a.report}
	p.seen.Add(a.owner, a.page, a.file)
	p.seen.Add(a.there...)
	p.changes = []content.Change{content.Attach(a.owner.Ref(), a.field.Name, a.file.UID, a.texts)}
	p.lines = append([]imprimatur.Text{catalogue.Heading(heading)}, object...)
	p.lines = append(p.lines, locationLine(a.page), language)
	p.lines = append(p.lines, a.fileLines(d)...)
	technical := append([]imprimatur.Phrase{
		technicalRecord(a.owner), uid(catalogue.TechnicalPage, a.page.UID), uid(catalogue.TechnicalLanguage, a.owner.Language),
	}, kind...)
	p.lines = append(p.lines, catalogue.Technical(append(technical,
		phrase(catalogue.TechnicalField, map[string]any{"field": a.field.Name}), uid(catalogue.TechnicalFile, a.file.UID))...))
	return p, nil
}

func (a attaching) fileLines(d desk) []imprimatur.Text {
	lines := []imprimatur.Text{
		d.fieldLine(a.owner, a.field),
		{Role: imprimatur.RoleField, Phrase: phrase(catalogue.AttachCount, map[string]any{
			"name": words(catalogue.AttachFilesName), "current": len(a.there), "proposed": len(a.there) + 1,
		})},
		newFileLine(a.file),
	}
	for _, known := range textsOfPlace {
		if text, ok := a.texts[known.column]; ok {
			lines = append(lines, given(known.name, text))
		}
	}
	return lines
}

// fieldLine says which field of a record a call is about.
func (d desk) fieldLine(owner content.Record, field content.Column) imprimatur.Text {
	label := d.repo.Schema().ColumnLabel(owner.Table, d.repo.Schema().KindOf(owner), field.Name)
	return catalogue.Named(imprimatur.RoleWhere, catalogue.WhereField, label)
}

// newFileLine names a file that a field gets, and where it lies.
func newFileLine(file content.Record) imprimatur.Text {
	return imprimatur.Text{Role: imprimatur.RoleField, Phrase: phrase(catalogue.AttachNewFile, map[string]any{
		"name":     words(catalogue.AttachNewFileName),
		"proposed": catalogue.Quoted(file.Text("name")), "path": catalogue.Quoted(stored(file)),
	})}
}

// stored is where a file lies.
func stored(file content.Record) string {
	return file.Text(content.ColumnStorage) + ":" + file.Text(content.ColumnIdentifier)
}

// report reads back. A file that did not come last, once, as itself and with
// the texts it was given is taken back.
func (a attaching) report(ctx context.Context, d desk, out content.Outcome) (imprimatur.Result, error) {
	if len(out.Created) == 0 {
		return imprimatur.Result{}, undo("The repository left the field %s as it is.", a.field.Name)
	}
	ref := out.Created[0]
	refs, err := d.repo.References(ctx, a.owner.Ref(), a.field.Name)
	if err != nil {
		return imprimatur.Result{}, err
	}
	last := len(refs) - 1
	switch {
	case last < 0 || refs[last].Ref() != ref || len(refs) != len(a.there)+1:
		return imprimatur.Result{}, undo("The file would not have come last in the field %s.", a.field.Name)
	case refs[last].Int(content.ColumnFile) != a.file.UID:
		return imprimatur.Result{}, undo("The field %s would have got another file.", a.field.Name)
	}
	if err := textsTook(refs[last], a.texts); err != nil {
		return imprimatur.Result{}, err
	}
	if err := d.counted(ctx, a.owner.Ref(), a.field.Name, len(refs)); err != nil {
		return imprimatur.Result{}, err
	}
	return imprimatur.Result{
		Wrote: &imprimatur.Written{Table: ref.Table, UID: ref.UID, Kind: "created", Complete: true},
		Content: fmt.Sprintf("Attached file %d %s to %s: reference %d, number %d of the files in the field %s. It is visible wherever the %s is.",
			a.file.UID, titled(a.file.Text("name")), d.named(a.owner), ref.UID, len(refs), a.field.Name, noun(a.owner)),
	}, nil
}

// named is a record for the model.
func (d desk) named(rec content.Record) string {
	kind := noun(rec)
	if kind == "record" {
		kind = rec.Table + " record"
	}
	return fmt.Sprintf("%s %d %s", kind, rec.UID, titled(d.repo.Schema().Title(rec)))
}

func noun(rec content.Record) string {
	switch rec.Table {
	case content.Elements:
		return "content element"
	case content.Pages:
		return "page"
	default:
		return "record"
	}
}

// capital is a noun as it begins a sentence.
func capital(noun string) string { return strings.ToUpper(noun[:1]) + noun[1:] }

// textsTook takes a write back after which a file has, in its place, other
// texts than it was given, or texts that nobody gave it.
func textsTook(ref content.Record, given map[string]string) error {
	for _, known := range textsOfPlace {
		text, ok := given[known.column]
		if _, has := ref.Fields[known.column]; has != ok || ref.Text(known.column) != text {
			return undo("The repository did not take the %s of the file.", known.column)
		}
	}
	return nil
}

// counted takes a write back after which a record does not know how many files
// its field holds.
func (d desk) counted(ctx context.Context, owner content.Ref, field string, want int) error {
	rec, err := d.repo.Row(ctx, owner)
	if err != nil {
		return err
	}
	if n := rec.Int(field); n != int64(want) {
		return undo("The record would have counted %d files instead of %d.", n, want)
	}
	return nil
}
