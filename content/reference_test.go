package content_test

import (
	"fmt"
	"testing"

	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
)

// placed is a file reference that comes behind another one.
func placed(to content.Ref, field string, file, after int64) content.Change {
	c := content.Attach(to, field, file, nil)
	c.After, c.Key = after, "new"
	return c
}

// Proves tools 119.
func TestAFileTakesThePlaceOfAnother(t *testing.T) {
	t.Parallel()
	gallery := content.Ref{Table: content.Elements, UID: contenttest.Gallery}
	for name, gap := range map[string]int{"with room between them": 256, "close together": 1, "all at one place": 0} {
		for i := range 3 {
			t.Run(fmt.Sprintf("%s, number %d", name, i+1), func(t *testing.T) {
				t.Parallel()
				s := contenttest.Open(t, contenttest.Options{})
				var refs []content.Ref
				want := []int64{contenttest.Hall, contenttest.Hall, contenttest.Hall}
				for range want {
					refs = append(refs, contenttest.Set(t, s.Repository, s.Editor, content.Attach(gallery, "assets", contenttest.Hall, nil)).Created[0])
				}
				for at, ref := range refs {
					if _, err := s.DB.Exec("UPDATE content_records SET sorting = $1 WHERE tab = 'file_references' AND uid = $2", at*gap+1, ref.UID); err != nil {
						t.Fatal(err)
					}
				}
				contenttest.Set(t, s.Repository, s.Editor,
					content.Change{Op: content.Delete, Table: content.FileReferences, UID: refs[i].UID},
					placed(gallery, "assets", contenttest.Door, refs[i].UID))
				want[i] = contenttest.Door
				same(t, references(t, s, gallery, "assets"), want)
				same(t, read(t, s, content.Elements, gallery.UID).Int("assets"), int64(3))
			})
		}
	}
}

func TestAFileComesBehindTheOneThatIsNamed(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	picture := content.Ref{Table: content.Elements, UID: contenttest.Picture}
	contenttest.Set(t, s.Repository, s.Editor, content.Attach(picture, "image", contenttest.Hall, nil))
	contenttest.Set(t, s.Repository, s.Editor, placed(picture, "image", contenttest.Door, contenttest.PictureLinked))
	same(t, references(t, s, picture, "image"), []int64{contenttest.Hall, contenttest.Door, contenttest.Hall})

	gallery := content.Ref{Table: content.Elements, UID: contenttest.Gallery}
	for _, after := range []int64{contenttest.PictureLinked, 4711} {
		got := complaints(t, s, s.Editor, placed(gallery, "assets", contenttest.Door, after))
		same(t, got, []string{"the file it should come after is not in the same field"})
	}
}

// A translation counts its own files.
func TestReferencesInTranslationsGoWithTheirOriginAndAreCounted(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	translation := content.Change{
		Op: content.Create, Table: content.Elements, UID: 500, PID: contenttest.Visit, Language: 1, Origin: contenttest.Picture, After: content.Last,
		Fields: map[string]any{"type": "image", "column": 1},
	}
	german := content.Ref{Table: content.Elements, UID: 500}
	contenttest.Set(t, s.Repository, content.System(), translation)
	translated := contenttest.Set(t, s.Repository, content.System(), content.Attach(german, "image", contenttest.Hall, nil)).Created[0]
	if _, err := s.DB.Exec("UPDATE content_records SET origin = $1 WHERE tab = 'file_references' AND uid = $2", contenttest.PictureLinked, translated.UID); err != nil {
		t.Fatal(err)
	}
	linked := content.Change{Op: content.Delete, Table: content.FileReferences, UID: contenttest.PictureLinked}
	out := contenttest.Set(t, s.Repository, s.Editor, linked)
	same(t, references(t, s, german, "image"), []int64(nil))
	same(t, read(t, s, content.Elements, german.UID).Int("image"), int64(0))
	same(t, out.Versions[translated], int64(0))
	linked.Op = content.Restore
	contenttest.Set(t, s.Repository, s.Editor, linked)
	same(t, references(t, s, german, "image"), []int64{contenttest.Hall})
	same(t, read(t, s, content.Elements, german.UID).Int("image"), int64(1))
}
