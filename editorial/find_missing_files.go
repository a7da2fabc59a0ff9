package editorial

import (
	"context"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
)

type missingRequest struct {
	Storage string `json:"storage" is:"optional,max=64" about:"Only in this storage"`
	Limit   *int64 `json:"limit" is:"min=1,max=50" about:"How many files; 50 if left out"`
	After   int64  `json:"after_uid" is:"optional,min=0" about:"UID of the file that an earlier answer ended with"`
}

func (d desk) findMissingFiles() imprimatur.Tool {
	return reader(d, reading[missingRequest]{
		name: "find_missing_files", group: groupFiles, neutral: noFile, read: desk.missingFiles,
		description: "Lists files that are known and no longer where they should be. A long search ends early and says where to go on.",
	})
}

func (d desk) missingFiles(ctx context.Context, u imprimatur.User, args missingRequest) (string, error) {
	return d.filesWhere(ctx, u, args.Storage, orDefault(args.Limit, 50), args.After, "No file that you may read is missing.",
		func(file content.Record) bool { return file.Int(content.ColumnMissing) != 0 })
}
