package content_test

import (
	"context"
	"testing"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
)

func references(t *testing.T, s *contenttest.Site, of content.Ref, field string) (files []int64) {
	t.Helper()
	refs, err := s.References(context.Background(), of, field)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range refs {
		files = append(files, r.Int("file"))
	}
	return files
}

func TestAFileIsAttachedLastAndCounted(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	picture := content.Ref{Table: "content", UID: contenttest.Picture}
	before := read(t, s, "content", contenttest.Picture)
	change := content.Attach(picture, "image", contenttest.Door, map[string]string{"title": "The door", "alternative": ""})
	change.Key = "new"
	out := contenttest.Set(t, s.Repository, s.Editor, change)

	after := read(t, s, "content", contenttest.Picture)
	same(t, after.Int("image"), int64(2))
	same(t, after.Version, before.Version+1)
	same(t, references(t, s, picture, "image"), []int64{contenttest.Hall, contenttest.Door})
	reference := read(t, s, "file_references", out.IDs["new"])
	same(t, reference.Text("title"), "The door")
	if _, set := reference.Fields["description"]; set {
		t.Error("a text that was not given has a value")
	}
	if value, set := reference.Fields["alternative"]; !set || value != "" {
		t.Errorf("the empty text is %v", value)
	}
	same(t, out.Versions, content.Versions{reference.Ref(): 1, picture: after.Version})
	same(t, out.Created, []content.Ref{reference.Ref()})
}

// Proves tools 117, 118.
func TestAFileThatMayNotBeAttachedIsRefused(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	const neutral = "not found or not permitted"
	picture := content.Ref{Table: "content", UID: contenttest.Picture}
	noReferences := s.Editor
	noReferences.Rights.Modify = imprimatur.Set{"pages", "content"}
	for _, c := range []struct {
		name  string
		user  imprimatur.User
		to    content.Ref
		field string
		file  int64
		want  string
	}{
		{"outside the mounts", s.Editor, picture, "image", contenttest.Private, neutral},
		{"in a storage that is not in use", s.Admin, picture, "image", contenttest.Vault, neutral},
		{"missing on disk", s.Editor, picture, "image", contenttest.Lost, neutral},
		{"no such file", s.Editor, picture, "image", 4711, neutral},
		{"of a kind the field does not take", s.Editor, picture, "image", contenttest.Plan, "file: the field does not take files of this kind"},
		{"to an element on a page without the right", s.Editor, content.Ref{Table: "content", UID: contenttest.OnCollection}, "image", contenttest.Hall, neutral},
		{"to a locked element", s.Editor, content.Ref{Table: "content", UID: contenttest.Locked}, "image", contenttest.Hall, neutral},
		{"to nothing", s.Editor, content.Ref{Table: "content", UID: 4711}, "image", contenttest.Hall, neutral},
		{"to a field for text", s.Editor, picture, "header", contenttest.Hall, "owner_field: the table has no field of this name for files"},
		{"to no field", s.Editor, picture, "", contenttest.Hall, "owner_field: a value is required"},
		{"without the right to make references", noReferences, picture, "image", contenttest.Hall, neutral},
		{"as a reader", s.Reader, picture, "image", contenttest.Hall, neutral},
		{"as nobody", imprimatur.User{}, picture, "image", contenttest.Hall, neutral},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := complaints(t, s, c.user, content.Attach(c.to, c.field, c.file, nil))
			if len(got) == 0 || got[0] != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestAFieldTakesNoMoreFilesThanItsBound(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	news := content.Ref{Table: "news", UID: contenttest.NewsItem}
	attach := content.Attach(news, "pictures", contenttest.Hall, nil)
	contenttest.Set(t, s.Repository, s.Editor, attach, attach)
	same(t, complaints(t, s, s.Editor, attach), []string{"owner_field: the field takes at most 2 files"})
}

func TestAReferenceBelongsToItsRecordForGood(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	same(t, complaints(t, s, s.Editor, update("file_references", contenttest.PictureLinked, map[string]any{"file": contenttest.Door, "owner": contenttest.Gallery})),
		[]string{"owner: the value of this column cannot change", "file: the value of this column cannot change"})
	contenttest.Set(t, s.Repository, s.Editor, update("file_references", contenttest.PictureLinked, map[string]any{"alternative": "Noon"}))
	same(t, read(t, s, "file_references", contenttest.PictureLinked).Text("alternative"), "Noon")
}

func TestAPageTakesFilesWithItsOwnRight(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	u := s.Editor
	u.Rights.Fields = append(imprimatur.Set{"pages.og_image"}, u.Rights.Fields...)
	visit := content.Ref{Table: "pages", UID: contenttest.Visit}
	contenttest.Set(t, s.Repository, u, content.Attach(visit, "og_image", contenttest.Hall, nil))
	same(t, read(t, s, "pages", contenttest.Visit).Int("og_image"), int64(1))
	same(t, complaints(t, s, u, content.Attach(content.Ref{Table: "pages", UID: contenttest.Collection}, "og_image", contenttest.Hall, nil)),
		[]string{"not found or not permitted"})
}

func TestMetadataOfAFileIsFoundByLanguage(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	ctx := context.Background()
	meta, err := s.Metadata(ctx, contenttest.Hall, 0)
	if err != nil || meta.Text("title") != "The great hall" {
		t.Errorf("%v, %v", meta, err)
	}
	if _, err := s.Metadata(ctx, contenttest.Hall, 1); err == nil {
		t.Error("found metadata in a language that has none")
	}
	contenttest.Set(t, s.Repository, s.Editor, update("file_metadata", contenttest.HallMeta, map[string]any{"alternative": "Columns", "caption": "dropped"}))
	meta, err = s.Metadata(ctx, contenttest.Hall, 0)
	if err != nil {
		t.Fatal(err)
	}
	same(t, []string{meta.Text("alternative"), meta.Text("caption")}, []string{"Columns", ""})
	to, err := s.ReferencesTo(ctx, contenttest.Hall)
	if err != nil || len(to) != 1 || to[0].UID != contenttest.PictureLinked {
		t.Errorf("references to the file: %v, %v", to, err)
	}
	file, err := s.FileAt(ctx, "media", "/pictures/hall.jpg")
	if err != nil || file.UID != contenttest.Hall {
		t.Errorf("file by place: %v, %v", file, err)
	}
}
