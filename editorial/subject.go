package editorial

import (
	"context"
	"errors"
	"slices"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
)

// The neutral refusals, one for each subject: the same string for what is
// missing, deleted or forbidden, in reading, preview and write alike.
const (
	noPage                   = "Page not found or not permitted."
	noElement                = "Content element not found or not permitted."
	noRecord                 = "Record not found or not permitted."
	noFile                   = "File not found or not permitted."
	noElementOrFile          = "Content element or file not found or not permitted."
	noPageOrFile             = "Page or file not found or not permitted."
	noRecordOrFile           = "Record or file not found or not permitted."
	noReferenceElementOrFile = "File reference, content element or file not found or not permitted."
	noTable                  = "Table not found or not permitted."
	noStorage                = "Storage not found or not permitted."
	noFolder                 = "Folder not found or not permitted."
	noSource                 = "Source not found or not permitted."
)

// editablePage returns a page, or a translation of one, whose properties the
// user may change.
func (d desk) editablePage(ctx context.Context, u imprimatur.User, uid int64, neutral string) (content.Record, error) {
	page, err := d.repo.Page(ctx, u, uid)
	if err == nil {
		err = d.permit(ctx, u, page, page.UID, content.BitEdit)
	}
	return page, neutrally(err, neutral)
}

// pageWith returns a page, or a translation of one, that the user sees and may
// do this with.
func (d desk) pageWith(ctx context.Context, u imprimatur.User, uid int64, bit content.Bits, neutral string) (content.Record, error) {
	page, err := d.repo.Page(ctx, u, uid)
	if err == nil {
		var ok bool
		if ok, err = d.repo.MayOnPage(ctx, u, page.UID, bit); err == nil && !ok {
			err = content.ErrNotFound
		}
	}
	return page, neutrally(err, neutral)
}

// editableElement returns a content element that the user may change, and the
// page it lies on.
func (d desk) editableElement(ctx context.Context, u imprimatur.User, uid int64, neutral string) (element, page content.Record, err error) {
	return d.editableRecord(ctx, u, content.Ref{Table: content.Elements, UID: uid}, neutral)
}

// editableRecord returns a record on a page that the user may change, and that
// page.
func (d desk) editableRecord(ctx context.Context, u imprimatur.User, ref content.Ref, neutral string) (rec, page content.Record, err error) {
	rec, err = d.repo.Record(ctx, u, ref.Table, ref.UID)
	if err == nil {
		err = d.permit(ctx, u, rec, rec.PID, content.BitContent)
	}
	if err == nil {
		page, err = d.repo.Page(ctx, u, rec.PID)
	}
	return rec, page, neutrally(err, neutral)
}

// usableFile returns a file that the user may read and that is there.
func (d desk) usableFile(ctx context.Context, u imprimatur.User, uid int64, neutral string) (content.Record, error) {
	file, err := d.repo.File(ctx, u, uid)
	if err == nil && file.Int(content.ColumnMissing) != 0 {
		err = content.ErrNotFound
	}
	return file, neutrally(err, neutral)
}

// permit answers content.ErrNotFound where the user may not change the record,
// or may not do this with the page.
func (d desk) permit(ctx context.Context, u imprimatur.User, rec content.Record, page int64, bit content.Bits) error {
	ok, err := d.repo.MayOnPage(ctx, u, page, bit)
	if err != nil {
		return err
	}
	if !ok || !d.repo.MayEditRecord(u, rec) {
		return content.ErrNotFound
	}
	return nil
}

// neutrally turns what may not be told apart into the one refusal for it.
func neutrally(err error, sentence string) error {
	if errors.Is(err, content.ErrNotFound) {
		return refuseNeutrally(sentence)
	}
	return err
}

// refuseNeutrally refuses without giving anything away about the record.
func refuseNeutrally(sentence string) error { return &refused{sentence: sentence, neutral: true} }

// grants refuses a call that sets a column which the user holds no field grant
// for: the write engine would leave it out without a word.
func (d desk) grants(u imprimatur.User, table string, columns []string) error {
	var without []string
	for _, name := range columns {
		if !d.repo.MayUseField(u, table, name) {
			without = append(without, name)
		}
	}
	if len(without) == 0 {
		return nil
	}
	slices.Sort(without)
	return refuse("The user this run acts for may not change %s of %s. Nothing was written.", listed(without), table)
}
