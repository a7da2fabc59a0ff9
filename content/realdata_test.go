package content_test

import (
	"context"
	"os"
	"testing"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
	"github.com/imprimatur-dev/imprimatur/internal/realdata"
)

// imported is a repository that holds the real export, owned by the editor.
func imported(t *testing.T) *contenttest.Site {
	t.Helper()
	path := realdata.Dir(t, "typo3-introduction", "data.xml")
	s := contenttest.People()
	s.DB = contenttest.Database(t)
	repo, err := content.Open(content.Config{Writer: s.DB, Reader: s.DB, Storages: imprimatur.Set{"media"}, Now: contenttest.Now})
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	_, err = repo.Import(context.Background(), file, content.ImportOptions{
		Owner: s.Editor, Languages: []content.Language{{ID: 1, Code: "de"}, {ID: 2, Code: "da"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Repository = repo
	return &s
}

func TestWhatWasImportedCanBeReadAndWrittenLikeAnythingElse(t *testing.T) {
	t.Parallel()
	s := imported(t)
	ctx := context.Background()
	for _, table := range []string{content.Pages, content.Elements} {
		records, err := s.All(ctx, table)
		if err != nil || len(records) == 0 {
			t.Fatalf("%d records in %s, %v", len(records), table, err)
		}
		described, _ := s.Schema().Table(table)
		for _, rec := range records {
			for _, column := range described.Columns {
				if column.Type == content.TypeFile && rec.Int(column.Name) != int64(len(references(t, s, rec.Ref(), column.Name))) {
					t.Errorf("%s.%s counts %d files", rec.Ref(), column.Name, rec.Int(column.Name))
				}
			}
			for name := range rec.Fields {
				if _, known := described.Column(name); !known {
					t.Errorf("%s has a field %s that the schema does not know", rec.Ref(), name)
				}
			}
		}
	}
	files, err := s.All(ctx, content.Files)
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		if _, err := s.Metadata(ctx, file.UID, 0); err != nil {
			t.Errorf("%s: metadata %v", file.Ref(), err)
		}
		if found, err := s.FileAt(ctx, file.Text("storage"), file.Text("identifier")); err != nil || found.UID != file.UID {
			t.Errorf("%s is not found by its place: %v", file.Ref(), err)
		}
	}
	appendToReal(t, s, files)
}

// appendToReal attaches a picture to every element whose form offers images, as
// the owner of the pages.
func appendToReal(t *testing.T, s *contenttest.Site, files []content.Record) {
	t.Helper()
	owner := s.Editor
	owner.Rights.Pages, owner.Rights.Files, owner.Rights.Values = imprimatur.Set{"*"}, imprimatur.Set{"*"}, imprimatur.Set{"*"}
	var picture content.Record
	for _, f := range files {
		if f.Text("extension") == "jpg" {
			picture = f
		}
	}
	elements, err := s.All(context.Background(), content.Elements)
	if err != nil {
		t.Fatal(err)
	}
	attached := 0
	for _, e := range elements {
		if e.Text("type") != "textpic" && e.Text("type") != "image" {
			continue
		}
		before := references(t, s, e.Ref(), "image")
		contenttest.Set(t, s.Repository, owner, content.Attach(e.Ref(), "image", picture.UID, nil))
		same(t, references(t, s, e.Ref(), "image"), append(before, picture.UID))
		attached++
	}
	if attached < 10 {
		t.Errorf("only %d elements take images", attached)
	}
}
