package editorial

import (
	"context"
	"fmt"
	"slices"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/content"
)

// attachment is a file to be added to a field of a content element.
type attachment struct {
	Element     int64   `json:"content_element" is:"min=1" about:"UID of the content element"`
	File        int64   `json:"file" is:"min=1" about:"UID of the file"`
	Field       string  `json:"field" is:"optional,one=image|assets|media" about:"Field that gets the file; may be left out where the type of the element offers exactly one"`
	Title       *string `json:"title" is:"max=1000" about:"Title of the file in this place; left out, the file's own applies"`
	Alternative *string `json:"alternative" is:"max=1000" about:"Alternative text of the file in this place; left out, the file's own applies"`
	Description *string `json:"description" is:"max=1000" about:"Description of the file in this place; left out, the file's own applies"`
}

// attachable are the fields that the tool knows, of those a type may offer.
var attachable = []string{"image", "assets", "media"}

// attachFileToContentElement adds a file to a field of a content element: the
// relative write of S184, which is right only for the number of files that was
// shown.
func (d desk) attachFileToContentElement() imprimatur.Tool {
	return writer(d, definition[attachment]{
		name: "attach_file_to_content_element",
		description: "Adds a file that is in the repository already to a content element, behind the files it has. " +
			"It changes neither the file nor the files that are there. A person must approve the call.",
		effect: imprimatur.NonIdempotentWrite,
		plan:   d.planAttachment,
	})
}

func (d desk) planAttachment(ctx context.Context, u imprimatur.User, args attachment) (*plan, error) {
	element, page, err := d.editableElement(ctx, u, args.Element, noElementOrFile)
	if err != nil {
		return nil, err
	}
	file, err := d.usableFile(ctx, u, args.File, noElementOrFile)
	if err != nil {
		return nil, err
	}
	if !content.MayModify(u, content.FileReferences) {
		return nil, &refused{sentence: noElementOrFile, neutral: true}
	}
	field, err := d.attachableField(element, args.Field)
	if err != nil {
		return nil, err
	}
	if err := d.grants(u, content.Elements, []string{field.Name}); err != nil {
		return nil, err
	}
	if !field.Accepts(file.Text("extension")) {
		return nil, refuse("The field %s does not take this file; it takes %s.", field.Name, listed(field.Extensions))
	}
	there, err := d.repo.References(ctx, element.Ref(), field.Name)
	if err != nil {
		return nil, err
	}
	if field.MaxItems > 0 && len(there) >= field.MaxItems {
		return nil, refuse("The field %s takes at most %d files and has %d.", field.Name, field.MaxItems, len(there))
	}
	a := attaching{d, u, args, element, page, file, field, len(there)}
	return a.plan(ctx)
}

// attachableField chooses the field: the one named, or the only one there is.
func (d desk) attachableField(element content.Record, named string) (content.Column, error) {
	kind := element.Text(content.ColumnKind)
	var offered []content.Column
	var names []string
	for _, c := range d.repo.Schema().FileColumns(content.Elements, kind) {
		if slices.Contains(attachable, c.Name) {
			offered, names = append(offered, c), append(names, c.Name)
		}
	}
	switch {
	case len(offered) == 0:
		return content.Column{}, refuse("Content elements of this type have no field for files.")
	case named == "" && len(offered) > 1:
		return content.Column{}, refuse("This content element has several fields for files: name %s as field.", listed(names))
	case named == "":
		return offered[0], nil
	}
	i := slices.Index(names, named)
	if i < 0 {
		return content.Column{}, refuse("Content elements of this type have no field %s; they have %s.", named, listed(names))
	}
	return offered[i], nil
}

// attaching is a call that may be carried out.
type attaching struct {
	desk
	user                imprimatur.User
	args                attachment
	element, page, file content.Record
	field               content.Column
	there               int // files in the field
}

func (a attaching) plan(ctx context.Context) (*plan, error) {
	language, err := a.languageLine(ctx, a.element)
	if err != nil {
		return nil, err
	}
	p := &plan{seen: content.Versions{}, report: a.report}
	p.seen.Add(a.element, a.page, a.file)
	p.changes = []content.Change{content.Attach(a.element.Ref(), a.field.Name, a.file.UID, a.texts())}
	p.lines = append(p.lines, catalogue.Heading(catalogue.HeadingAttachFile))
	p.lines = append(p.lines, a.elementLines(a.element)...)
	p.lines = append(p.lines, locationLine(a.page), language)
	p.lines = append(p.lines, a.fileLines()...)
	p.lines = append(p.lines, catalogue.Technical(
		technicalRecord(a.element), uid(catalogue.TechnicalPage, a.page.UID), uid(catalogue.TechnicalLanguage, a.element.Language),
		phrase(catalogue.TechnicalContentType, map[string]any{"type": a.element.Text(content.ColumnKind)}),
		phrase(catalogue.TechnicalField, map[string]any{"field": a.field.Name}),
		uid(catalogue.TechnicalFile, a.file.UID),
	))
	return p, nil
}

func (a attaching) fileLines() []imprimatur.Text {
	label := a.repo.Schema().ColumnLabel(content.Elements, a.element.Text(content.ColumnKind), a.field.Name)
	lines := []imprimatur.Text{
		catalogue.Named(imprimatur.RoleWhere, catalogue.WhereField, label),
		{Role: imprimatur.RoleField, Phrase: phrase(catalogue.AttachCount, map[string]any{
			"name": phrase(catalogue.AttachFilesName, nil), "current": a.there, "proposed": a.there + 1,
		})},
		{Role: imprimatur.RoleField, Phrase: phrase(catalogue.AttachNewFile, map[string]any{
			"name":     phrase(catalogue.AttachNewFileName, nil),
			"proposed": catalogue.Quoted(a.file.Text("name")), "path": catalogue.Quoted(stored(a.file)),
		})},
	}
	for _, text := range []struct {
		name  imprimatur.Label
		given *string
	}{
		{catalogue.AttachTitle, a.args.Title},
		{catalogue.AttachAlternative, a.args.Alternative},
		{catalogue.AttachDescription, a.args.Description},
	} {
		if text.given != nil {
			lines = append(lines, given(text.name, *text.given))
		}
	}
	return lines
}

// stored is where a file lies.
func stored(file content.Record) string {
	return file.Text(content.ColumnStorage) + ":" + file.Text(content.ColumnIdentifier)
}

// texts are those that the call gives, by column.
func (a attaching) texts() map[string]string {
	texts := map[string]string{}
	for name, text := range map[string]*string{
		"title": a.args.Title, "alternative": a.args.Alternative, "description": a.args.Description,
	} {
		if text != nil {
			texts[name] = *text
		}
	}
	return texts
}

// report reads back. A reference that did not come out as approved is taken
// away again.
func (a attaching) report(ctx context.Context, out content.Outcome) imprimatur.Result {
	if len(out.Created) == 0 {
		return imprimatur.Result{IsError: true, Content: fmt.Sprintf("The file was not attached: the repository left the field %s as it is.", a.field.Name)}
	}
	wrote := &imprimatur.Written{Table: content.FileReferences, UID: out.Created[0].UID, Kind: "created"}
	refs, err := a.repo.References(ctx, a.element.Ref(), a.field.Name)
	if err != nil {
		return imprimatur.Result{IsError: true, Wrote: wrote, Token: out.Versions, Content: fmt.Sprintf(
			"The file was attached to content element %d, but it could not be read back. Look at the element before you go on.", a.element.UID)}
	}
	at := slices.IndexFunc(refs, func(r content.Record) bool { return r.UID == wrote.UID })
	wrong := a.wrong(refs, at)
	if wrong == "" {
		wrong = a.misplaced(ctx, out, len(refs), at)
	}
	if wrong != "" {
		return a.undo(ctx, out, wrong)
	}
	wrote.Complete = true
	return imprimatur.Result{Wrote: wrote, Content: fmt.Sprintf(
		"Attached file %d %s to content element %d %s: reference %d, number %d of the files in the field %s. It is visible wherever the element is.",
		a.file.UID, titled(a.file.Text("name")), a.element.UID, titled(a.element.Text("header")), wrote.UID, at+1, a.field.Name)}
}

// wrong says what did not come out as approved. Files that others added or
// removed since are no fault of this write.
func (a attaching) wrong(refs []content.Record, at int) string {
	if at < 0 {
		return "the reference is not in the field"
	}
	if refs[at].Int(content.ColumnFile) != a.file.UID {
		return "it came out with another file"
	}
	for _, name := range []string{"title", "alternative", "description"} {
		if text, ok := a.texts()[name]; ok && refs[at].Text(name) != text {
			return "the " + name + " did not take"
		}
	}
	return ""
}

// misplaced says that the reference did not become the last of one more than
// was shown. It asks only while nobody wrote to the element after us.
func (a attaching) misplaced(ctx context.Context, out content.Outcome, refs, at int) string {
	now, err := a.repo.Record(ctx, a.user, content.Elements, a.element.UID)
	switch {
	case err != nil:
		return "the content element could not be read back"
	case now.Version != out.Versions[a.element.Ref()]:
		return ""
	case now.Int(a.field.Name) != int64(a.there)+1:
		return fmt.Sprintf("the content element counts %d files instead of %d", now.Int(a.field.Name), a.there+1)
	case refs != a.there+1 || at != refs-1:
		return "it did not come last"
	}
	return ""
}

// undo takes the new reference away, as the same user, and says so.
func (a attaching) undo(ctx context.Context, out content.Outcome, wrong string) imprimatur.Result {
	ref := out.Created[0]
	undone, err := a.repo.Apply(ctx, a.user, content.ChangeSet{
		Changes: []content.Change{{Op: content.Delete, Table: ref.Table, UID: ref.UID}},
		Expect:  content.Versions{ref: out.Versions[ref]},
	})
	if err != nil || len(undone.Complaints) > 0 || undone.Versions[ref] != 0 {
		return imprimatur.Result{
			IsError: true, Token: out.Versions, Wrote: &imprimatur.Written{Table: ref.Table, UID: ref.UID, Kind: "created"},
			Content: fmt.Sprintf("The file was attached, but %s, and it COULD NOT be taken away again. Reference %d needs a person.", wrong, ref.UID),
		}
	}
	return imprimatur.Result{IsError: true, Token: undone.Versions, Content: fmt.Sprintf("The file was attached, but %s, so it was taken away again. Nothing remains of it.", wrong)}
}
