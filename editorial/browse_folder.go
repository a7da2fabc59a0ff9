package editorial

import (
	"context"
	"fmt"
	"strings"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
)

// maxFolders is how many folders of a folder are listed.
const maxFolders = 100

type folderRequest struct {
	Storage string `json:"storage" is:"min=1,max=64" about:"Storage; list_storages names them"`
	Folder  string `json:"folder" is:"optional,max=512" about:"Path of the folder, such as /pictures/; the topmost one if left out"`
	Limit   *int64 `json:"limit" is:"min=1,max=100" about:"How many files; 100 if left out"`
	After   int64  `json:"after_uid" is:"optional,min=0" about:"UID of the file that an earlier answer ended with"`
}

func (d desk) browseFolder() imprimatur.Tool {
	return reader(d, reading[folderRequest]{
		name: "browse_folder", group: groupFiles, neutral: noFolder, read: desk.folder,
		description: "Lists the folders and files in a folder of a storage, files by UID with their size. Only what you may read is there.",
	})
}

func (d desk) folder(ctx context.Context, u imprimatur.User, args folderRequest) (string, error) {
	folder := content.Folder{Storage: args.Storage, Path: "/"}
	if path := strings.Trim(args.Folder, "/"); path != "" {
		folder.Path = "/" + path + "/"
	}
	folders, err := d.repo.Folders(ctx, u, folder, maxFolders+1)
	if err != nil {
		return "", neutrally(err, noFolder)
	}
	var a answer
	a.closing("Folder %s:%s", folder.Storage, excerpt(folder.Path, cellLength))
	for i, path := range folders {
		if i == maxFolders || a.Len() > maxAnswer/2 { // files need room as well
			a.closing("… and further folders, which are not listed.")
			break
		}
		a.addf("- %s", excerpt(path, cellLength))
	}
	f := fileList{limit: orDefault(args.Limit, 100), answer: &a}
	w := walker{left: maxWalk, last: content.Record{UID: args.After}}
	err = w.walk(func(after content.Record, limit int) ([]content.Record, error) {
		return d.repo.FilesIn(ctx, folder, after.UID, limit)
	}, func(file content.Record) (bool, error) { return f.add(d, u, file), nil })
	if err != nil {
		return "", err
	}
	f.close(w, "There are no files in it that you may read.")
	return a.String(), nil
}

// fileList is a listing of files as it grows.
type fileList struct {
	limit, count int
	last         int64 // file listed
	full         bool
	answer       *answer
}

// add lists a file that the user may read, or reports that the listing is full.
func (l *fileList) add(d desk, u imprimatur.User, file content.Record) bool {
	if !d.repo.MayUseFile(u, file) {
		return true
	}
	if l.full = !l.answer.addf("- [%d] %s", file.UID, fileFacts(file)); l.full {
		return false
	}
	l.count, l.last = l.count+1, file.UID
	return l.count < l.limit
}

// close says where a listing ended.
func (l *fileList) close(w walker, none string) {
	switch {
	case l.full:
		l.answer.closing("Ended at file %d; to go on, ask again with after_uid %d.", l.last, l.last)
	case !w.ended:
		l.answer.closing("Ended at file %d; to go on, ask again with after_uid %d.", w.last.UID, w.last.UID)
	case l.count == 0:
		l.answer.closing("%s", none)
	}
}

// fileFacts is a file for the model.
func fileFacts(file content.Record) string {
	line := fmt.Sprintf("%s, %d bytes, at %s", titled(file.Text("name")), file.Int("size"), excerpt(stored(file), cellLength))
	if file.Int(content.ColumnMissing) != 0 {
		line += " (missing)"
	}
	return line
}
