package editorial

import (
	"context"
	"encoding/json"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/content"
)

// Bounds of what describes a file. A title is bounded in bytes: other programs
// that share the files keep it in a column that counts so.
const (
	maxFileTitle = 255  // bytes
	maxFileText  = 2000 // characters, where the schema has no bound of its own
)

// fileTexts are the columns that update_file_metadata sets, in the order of
// the lines.
var fileTexts = []string{"title", "description", "copyright"}

// updateFileMetadata sets what describes a file, but for the alternative text.
func (d desk) updateFileMetadata() imprimatur.Tool {
	return writer(d, definition[metadata]{
		name: "update_file_metadata",
		description: "Changes the title, description or copyright of one file in the default language. Give only what is to change; " +
			"an empty text clears a field. The alternative text has a tool of its own. A person must approve the call.",
		effect: imprimatur.IdempotentWrite,
		schema: d.fileMetadataSchema(),
		plan:   desk.planFileMetadata,
	})
}

// fileColumns are the fields of the tool that this installation has.
func (d desk) fileColumns() []content.Column {
	var columns []content.Column
	for _, name := range fileTexts {
		c, ok := d.repo.Schema().Column(content.FileMetadata, name)
		if ok && (c.Type == content.TypeInput || c.Type == content.TypeText) {
			columns = append(columns, c)
		}
	}
	return columns
}

func (d desk) fileMetadataSchema() json.RawMessage {
	properties := map[string]any{}
	for _, c := range d.fileColumns() {
		properties[c.Name] = map[string]any{
			"type": "string", "maxLength": maxText(c, maxFileText),
			"description": d.about(content.FileMetadata, c) + " of the file, in the default language",
		}
	}
	return textsOf("UID of the file", properties)
}

func (d desk) planFileMetadata(ctx context.Context, u imprimatur.User, args metadata) (*plan, error) {
	var columns []content.Column
	for _, c := range d.fileColumns() {
		text, ok := args.Texts[c.Name]
		if !ok {
			continue
		}
		if n := len(text); c.Name == "title" && n > maxFileTitle {
			return nil, refuse("The argument %q has %d bytes; at most %d are allowed.", c.Name, n, maxFileTitle)
		}
		if err := badFileText(c, text); err != nil {
			return nil, err
		}
		columns = append(columns, c)
	}
	if len(columns) == 0 {
		return nil, refuse("Name at least one field to change.")
	}
	return d.planDescription(ctx, u, catalogue.HeadingFileMetadata, args.UID, columns, args.Texts)
}
