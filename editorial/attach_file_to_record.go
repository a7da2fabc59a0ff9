package editorial

import (
	"context"
	"regexp"
	"slices"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/content"
)

// recordAttachment is a file to be added to a field of a record.
type recordAttachment struct {
	Table       string  `json:"table" is:"min=1,max=64" about:"Table of the record; not pages and not content, which have tools of their own"`
	Record      int64   `json:"record" is:"min=1" about:"UID of the record, in the default language"`
	File        int64   `json:"file" is:"min=1" about:"UID of the file"`
	Field       *string `json:"field" is:"min=1,max=64" about:"Field that gets the file; may be left out where the table has exactly one for files"`
	Title       *string `json:"title" is:"max=1000" about:"Title of the file in this place; left out, the file's own applies"`
	Alternative *string `json:"alternative" is:"max=1000" about:"Alternative text of the file in this place; left out, the file's own applies"`
	Description *string `json:"description" is:"max=1000" about:"Description of the file in this place; left out, the file's own applies"`
}

// attachFileToRecord adds a file to a field of a record of an installation's
// own table.
func (d desk) attachFileToRecord() imprimatur.Tool {
	return writer(d, definition[recordAttachment]{
		name: "attach_file_to_record",
		description: "Adds a file that is in the repository already to a record of any table but pages and content, behind the files it has. " +
			"The record may be hidden. It changes neither the file nor the files that are there. A person must approve the call.",
		effect: imprimatur.NonIdempotentWrite,
		plan:   desk.planRecordAttachment,
	})
}

var tableName = regexp.MustCompile(`^[a-z0-9_]{1,64}$`)

func (d desk) planRecordAttachment(ctx context.Context, u imprimatur.User, args recordAttachment) (*plan, error) {
	switch {
	case !tableName.MatchString(args.Table):
		return nil, refuse("The argument %q must be the name of a table: small letters, digits and underscores.", "table")
	case args.Table == content.Pages:
		return nil, refuse("Files are not attached to pages with this tool; set_page_social_image sets the images of a page.")
	case args.Table == content.Elements:
		return nil, refuse("Files are attached to content elements with attach_file_to_content_element.")
	}
	rec, page, err := d.editableRecord(ctx, u, content.Ref{Table: args.Table, UID: args.Record}, noRecordOrFile)
	if err != nil {
		return nil, err
	}
	file, err := d.usableFile(ctx, u, args.File, noRecordOrFile)
	if err != nil {
		return nil, err
	}
	if !content.MayModify(u, content.FileReferences) || !d.ordinary(args.Table) || rec.Language != 0 {
		return nil, refuseNeutrally(noRecordOrFile)
	}
	field, err := d.recordField(ctx, rec, args.Field)
	if err != nil {
		return nil, err
	}
	a, err := d.attachable(ctx, u, attaching{
		owner: rec, page: page, file: file, field: field,
		texts: placeTexts(args.Title, args.Alternative, args.Description),
	})
	if err != nil {
		return nil, err
	}
	return a.plan(ctx, d, catalogue.HeadingAttachToRecord, d.recordLines(rec))
}

// ordinary reports whether a table is one that people fill: what runs the
// installation is no place for files, not even for administrators.
func (d desk) ordinary(table string) bool {
	t, ok := d.repo.Schema().Table(table)
	return ok && !t.Sensitive && !t.AdminOnly && !t.ReadOnly && !t.RootLevel
}

// recordField chooses the field: the one named, which the form of the record
// must offer, or the only one that the table has.
func (d desk) recordField(ctx context.Context, rec content.Record, named *string) (content.Column, error) {
	offered, names, err := d.fileFields(ctx, rec.Table, d.repo.Schema().KindOf(rec), rec.PID)
	if err != nil {
		return content.Column{}, err
	}
	t, _ := d.repo.Schema().Table(rec.Table)
	all := slices.DeleteFunc(slices.Clone(t.Columns), func(c content.Column) bool { return c.Type != content.TypeFile })
	switch {
	case len(offered) == 0:
		return content.Column{}, refuse("Records of this type have no field for files.")
	case named == nil && len(all) > 1:
		return content.Column{}, refuse("This table has several fields for files: name one as field; this record has %s.", listed(names))
	case named == nil:
		return offered[0], nil
	}
	i := slices.Index(names, *named)
	if i < 0 {
		return content.Column{}, refuse("Records of this type have no field %s for files; they have %s.", echo(*named), listed(names))
	}
	return offered[i], nil
}
