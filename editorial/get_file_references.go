package editorial

import (
	"context"
	"errors"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
)

// maxReferences is how many references to one file a call goes through.
const maxReferences = 1000

type fileReferencesRequest struct {
	UID   int64  `json:"uid" is:"min=1" about:"UID of the file"`
	Limit *int64 `json:"limit" is:"min=1,max=50" about:"How many places; 50 if left out"`
	After int64  `json:"after_uid" is:"optional,min=0" about:"UID of the reference that an earlier answer ended with"`
}

func (d desk) getFileReferences() imprimatur.Tool {
	return reader(d, reading[fileReferencesRequest]{
		name: "get_file_references", group: groupFiles, neutral: noFile, read: desk.fileReferences,
		description: "Lists the records that hold a file, with the field and the UID of the reference. Places that you may not see are left out.",
	})
}

func (d desk) fileReferences(ctx context.Context, u imprimatur.User, args fileReferencesRequest) (string, error) {
	file, err := d.repo.File(ctx, u, args.UID)
	if err != nil {
		return "", neutrally(err, noFile)
	}
	var a answer
	a.closing("File [%d] %s", file.UID, fileFacts(file))
	sight, limit, found := d.repo.Sight(u), orDefault(args.Limit, 50), 0
	w := walker{left: maxReferences, last: content.Record{UID: args.After}}
	err = w.walk(func(after content.Record, limit int) ([]content.Record, error) {
		return d.repo.ReferencesAfter(ctx, file.UID, after.UID, limit)
	}, func(ref content.Record) (bool, error) {
		owner, ok, err := d.holder(ctx, u, sight, ref)
		if err != nil || !ok {
			return true, err
		}
		found++
		a.addf("- %s %s · field %s · reference %d%s", owner.Ref(), d.placed(owner), excerpt(ref.Text(content.ColumnOwnerField), excerptLength), ref.UID, hiddenMark(ref))
		return found < limit, nil
	})
	switch {
	case err != nil:
		return "", err
	case !w.ended:
		a.closing("Ended at reference %d; to go on, ask again with after_uid %d.", w.last.UID, w.last.UID)
	case found == 0:
		a.closing("No record that you may read holds it.")
	}
	return a.String(), nil
}

// holder returns the record that holds a file by a reference, if it comes into
// view.
func (d desk) holder(ctx context.Context, u imprimatur.User, sight *content.Sight, ref content.Record) (content.Record, bool, error) {
	of := content.Ref{Table: ref.Text(content.ColumnOwnerTable), UID: ref.Int(content.ColumnOwner)}
	if t, ok := d.repo.Schema().Table(of.Table); !ok || !tableLeaves(t) || !content.MaySelect(u, of.Table) {
		return content.Record{}, false, nil
	}
	owner, err := d.repo.Row(ctx, of)
	if errors.Is(err, content.ErrNotFound) {
		return owner, false, nil
	}
	if err != nil {
		return owner, false, err
	}
	ok, err := sight.Shows(ctx, owner)
	if err == nil && ok && ref.Hidden() {
		ok, err = sight.MayEdit(ctx, owner)
	}
	return owner, ok, err
}
