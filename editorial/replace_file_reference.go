package editorial

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
)

// replacement is what becomes of a file in a field of a content element.
type replacement struct {
	Reference   int64   `json:"reference" is:"min=1" about:"UID of the file reference"`
	Action      string  `json:"action" is:"one=replace|remove" about:"Whether another file takes its place, or none"`
	File        *int64  `json:"file" is:"min=1" about:"UID of the new file; with replace only"`
	Title       *string `json:"title" is:"max=1000" about:"Title of the new file in this place; with replace only; left out, the file's own applies"`
	Alternative *string `json:"alternative" is:"max=1000" about:"Alternative text of the new file in this place; with replace only; left out, the file's own applies"`
	Description *string `json:"description" is:"max=1000" about:"Description of the new file in this place; with replace only; left out, the file's own applies"`
}

// replaceFileReference puts another file in the place of one, or takes it away.
func (d desk) replaceFileReference() imprimatur.Tool {
	return writer(d, definition[replacement]{
		name: "replace_file_reference",
		description: "Replaces a file in a content element by another one in the same place, or removes it there. The file itself stays. " +
			"Nothing of the old reference is carried over: give the texts that the new file is to have in this place. A person must approve the call.",
		effect: imprimatur.NonIdempotentWrite,
		plan:   desk.planReplacement,
	})
}

const actionReplace = "replace"

// wrong says what is wrong with the arguments in themselves.
func (r replacement) wrong() error {
	var given []string
	if r.File != nil {
		given = append(given, "file")
	}
	texts := placeTexts(r.Title, r.Alternative, r.Description)
	for _, known := range textsOfPlace {
		text, ok := texts[known.column]
		if ok {
			given = append(given, known.column)
		}
		if strings.ContainsRune(text, 0) {
			return refuse("The argument %q holds a character that cannot be stored.", known.column)
		}
	}
	switch {
	case r.Action == actionReplace && r.File == nil:
		return refuse("The argument %q is needed to replace a file.", "file")
	case r.Action != actionReplace && len(given) > 0:
		return refuse("Removing a file takes no %s; leave that out, or use the action replace.", listed(given))
	}
	return nil
}

func (d desk) planReplacement(ctx context.Context, u imprimatur.User, args replacement) (*plan, error) {
	if err := args.wrong(); err != nil {
		return nil, err
	}
	r := replacing{texts: placeTexts(args.Title, args.Alternative, args.Description)}
	if err := d.findReference(ctx, u, args, &r); err != nil {
		return nil, neutrally(err, noReferenceElementOrFile)
	}
	if err := d.mayReplace(ctx, u, &r); err != nil {
		return nil, err
	}
	return r.plan(ctx, d)
}

// findReference resolves the records of a call. What is not there or may not be
// changed is one and the same answer.
func (d desk) findReference(ctx context.Context, u imprimatur.User, args replacement, r *replacing) error {
	var err error
	if r.reference, err = d.repo.Record(ctx, u, content.FileReferences, args.Reference); err != nil {
		return err
	}
	if r.reference.Text(content.ColumnOwnerTable) != content.Elements || !d.repo.MayEditRecord(u, r.reference) {
		return content.ErrNotFound
	}
	r.element, r.page, err = d.editableElement(ctx, u, r.reference.Int(content.ColumnOwner), noReferenceElementOrFile)
	if err != nil {
		return err
	}
	// One that is lost is what people want to replace.
	if r.current, err = d.repo.File(ctx, u, r.reference.Int(content.ColumnFile)); err != nil || args.File == nil {
		return err
	}
	file, err := d.usableFile(ctx, u, *args.File, noReferenceElementOrFile)
	r.file = &file
	return err
}

// mayReplace refuses what the records are there for and this call is not, and
// completes it.
func (d desk) mayReplace(ctx context.Context, u imprimatur.User, r *replacing) error {
	named := r.reference.Text(content.ColumnOwnerField)
	fields, names, err := d.fileFields(ctx, content.Elements, r.element.Text(content.ColumnKind), r.page.UID, elementFiles...)
	if err != nil {
		return err
	}
	i := slices.Index(names, named)
	switch {
	case !slices.Contains(elementFiles, named):
		return refuse("This file stands in the field %s; only files in %s can be replaced or removed.", named, listed(elementFiles))
	case i < 0:
		return refuse("Content elements of this type have no field %s that could be changed on this page.", named)
	}
	r.field = fields[i]
	if err := d.grants(u, content.Elements, []string{named}); err != nil {
		return err
	}
	if err := d.translatedReferences(ctx, u, r); err != nil {
		return err
	}
	if r.file != nil && r.file.UID == r.current.UID {
		return refuse("File %d is the one that stands there already.", r.file.UID)
	}
	if r.file != nil {
		if err := accepts(r.field, *r.file); err != nil {
			return err
		}
	}
	r.there, err = d.repo.References(ctx, r.element.Ref(), named)
	r.at = slices.IndexFunc(r.there, func(ref content.Record) bool { return ref.UID == r.reference.UID })
	if err == nil && r.at < 0 {
		return fmt.Errorf("find file reference %d in its field: %w", r.reference.UID, content.ErrNotFound)
	}
	return err
}

// translatedReferences finds the references in translations, which go along,
// and refuses where the user may not change one of those.
func (d desk) translatedReferences(ctx context.Context, u imprimatur.User, r *replacing) error {
	var err error
	if r.translated, err = d.repo.Translations(ctx, r.reference.Ref()); err != nil {
		return err
	}
	for _, ref := range r.translated {
		owner := content.Ref{Table: ref.Text(content.ColumnOwnerTable), UID: ref.Int(content.ColumnOwner)}
		rec, err := d.repo.Row(ctx, owner)
		if err != nil && !errors.Is(err, content.ErrNotFound) {
			return err
		}
		orphan := err != nil
		if !d.repo.MayEditRecord(u, ref) || !orphan && !d.repo.MayEditRecord(u, rec) || orphan && !u.Admin {
			return refuse("The file stands in a translation (language %d) as well, which the user this run acts for may not change. Nothing was written.", ref.Language)
		}
		if !orphan {
			r.owners = append(r.owners, rec)
		}
	}
	return nil
}
