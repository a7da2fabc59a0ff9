package editorial

import (
	"context"
	"strings"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
)

type fileSearchRequest struct {
	Query     string `json:"query" is:"min=2,max=100" about:"Part of the path or name; upper and lower case are the same"`
	Storage   string `json:"storage" is:"optional,max=64" about:"Only in this storage"`
	Extension string `json:"extension" is:"optional,max=32" about:"Only files with this extension, without dot"`
	Limit     *int64 `json:"limit" is:"min=1,max=50" about:"How many files; 20 if left out"`
	After     int64  `json:"after_uid" is:"optional,min=0" about:"UID of the file that an earlier answer ended with"`
}

func (d desk) searchFiles() imprimatur.Tool {
	return reader(d, reading[fileSearchRequest]{
		name: "search_files", group: groupFiles, neutral: noFile, read: desk.fileSearch,
		description: "Finds files by a part of their path or name. Wildcards are not special. A long search ends early and says where to go on.",
	})
}

func (d desk) fileSearch(ctx context.Context, u imprimatur.User, args fileSearchRequest) (string, error) {
	query, extension := folded(args.Query), strings.TrimPrefix(folded(args.Extension), ".")
	return d.filesWhere(ctx, u, args.Storage, orDefault(args.Limit, defaultRecords), args.After, "No file that you may read is called so.",
		func(file content.Record) bool {
			return strings.Contains(folded(file.Text(content.ColumnIdentifier)+"\n"+file.Text("name")), query) &&
				(extension == "" || folded(file.Text("extension")) == extension)
		})
}

// filesWhere lists files for which something holds, in one storage or in all.
func (d desk) filesWhere(ctx context.Context, u imprimatur.User, storage string, limit int, after int64, none string, holds func(content.Record) bool) (string, error) {
	if storage != "" && len(d.repo.Mounts(u, storage)) == 0 {
		return "", refuseNeutrally(noStorage)
	}
	if !content.MaySelect(u, content.Files) {
		return "", refuseNeutrally(noFile)
	}
	var a answer
	f := fileList{limit: limit, answer: &a}
	w := walker{left: maxWalk, last: content.Record{UID: after}}
	err := w.walk(d.inTable(ctx, content.Files), func(file content.Record) (bool, error) {
		if storage != "" && file.Text(content.ColumnStorage) != storage || !holds(file) {
			return true, nil
		}
		return f.add(d, u, file), nil
	})
	if err != nil {
		return "", err
	}
	f.close(w, none)
	return a.String(), nil
}
