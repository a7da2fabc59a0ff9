package editorial

import (
	"context"
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

// elementFiles are the fields for files that the tools know, of those that a
// type of content elements may offer.
var elementFiles = []string{"image", "assets", "media"}

// attachFileToContentElement adds a file to a field of a content element: the
// relative write of S184, which is right only for the number of files that was
// shown.
func (d desk) attachFileToContentElement() imprimatur.Tool {
	return writer(d, definition[attachment]{
		name: "attach_file_to_content_element",
		description: "Adds a file that is in the repository already to a content element, behind the files it has. " +
			"It changes neither the file nor the files that are there. A person must approve the call.",
		effect: imprimatur.NonIdempotentWrite,
		plan:   desk.planAttachment,
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
		return nil, refuseNeutrally(noElementOrFile)
	}
	field, err := d.elementField(ctx, element, args.Field)
	if err != nil {
		return nil, err
	}
	a, err := d.attachable(ctx, u, attaching{
		owner: element, page: page, file: file, field: field,
		texts: placeTexts(args.Title, args.Alternative, args.Description),
	})
	if err != nil {
		return nil, err
	}
	return a.plan(ctx, d, catalogue.HeadingAttachFile, d.elementLines(element),
		phrase(catalogue.TechnicalContentType, map[string]any{"type": element.Text(content.ColumnKind)}))
}

// elementField chooses the field: the one named, or the only one there is.
func (d desk) elementField(ctx context.Context, element content.Record, named string) (content.Column, error) {
	offered, names, err := d.fileFields(ctx, content.Elements, element.Text(content.ColumnKind), element.PID, elementFiles...)
	if err != nil {
		return content.Column{}, err
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
