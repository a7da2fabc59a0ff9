package editorial

import (
	"context"
	"slices"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
)

type fileMetaRequest struct {
	UID int64 `json:"uid" is:"min=1" about:"UID of the file"`
}

func (d desk) readFileMeta() imprimatur.Tool {
	return reader(d, reading[fileMetaRequest]{
		name: "read_file_meta", group: groupFiles, neutral: noFile, read: desk.fileMeta,
		description: "Shows a file and what describes it, in each language that you may use: title, alternative text, description, copyright and the like, each cut at 300 characters.",
	})
}

func (d desk) fileMeta(ctx context.Context, u imprimatur.User, args fileMetaRequest) (string, error) {
	file, err := d.repo.File(ctx, u, args.UID)
	if err != nil {
		return "", neutrally(err, noFile)
	}
	described, err := d.repo.MetadataOf(ctx, file.UID)
	if err != nil {
		return "", err
	}
	var a answer
	a.closing("File [%d] %s", file.UID, fileFacts(file))
	if kind := excerpt(file.Text("mime_type"), excerptLength); kind != "" {
		a.closing("Media type: %s", kind)
	}
	columns := d.texts(content.FileMetadata)
	sight := d.repo.Sight(u)
	shown := 0
	for _, about := range described {
		if ok, err := sight.Shows(ctx, about); err != nil {
			return "", err
		} else if !ok {
			continue
		}
		shown++
		a.addf("Language %d", about.Language)
		for _, c := range columns {
			if value := about.Text(c.Name); value != "" && value != "0" {
				if !a.addf("  %s: %s", c.Name, cell(c, about)) {
					a.closing("There is more, which does not fit.")
					return a.String(), nil
				}
			}
		}
	}
	if shown == 0 {
		a.closing("Nothing that you may read describes it.")
	}
	return a.String(), nil
}

// texts are the columns of a table that say something of their own and may
// leave.
func (d desk) texts(table string) []content.Column {
	t, ok := d.repo.Schema().Table(table)
	if !ok {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(t.Columns), func(c content.Column) bool {
		return c.Type == content.TypeRelation || !leaves(c)
	})
}
