package demo_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/demo"
)

func TestTheNewsHaveATableOfTheirOwnInThreeLanguages(t *testing.T) {
	t.Parallel()
	tables, labels, err := content.LoadSchemas(demo.Schemas())
	must(t, err)
	s, err := content.DefaultSchema().With(tables, labels)
	must(t, err)
	for _, table := range tables {
		for _, language := range []string{"en", "de", "fr"} {
			if s.TableLabel(table.Name)[language] == "" {
				t.Errorf("%s has no label in %s", table.Name, language)
			}
			for _, c := range table.Columns {
				if s.ColumnLabel(table.Name, "", c.Name)[language] == "" {
					t.Errorf("%s.%s has no label in %s", table.Name, c.Name, language)
				}
				for _, i := range c.Items {
					if s.ItemLabel(table.Name, c.Name, i.Value)[language] == "" {
						t.Errorf("%s.%s=%s has no label in %s", table.Name, c.Name, i.Value, language)
					}
				}
			}
			for _, k := range table.Types {
				for name, l := range k.Overrides {
					if l.Text[language] == "" {
						t.Errorf("%s: %s is not called anything in %s in the form of %s", table.Name, name, language, k.Value)
					}
				}
			}
		}
	}
	if title := s.ColumnLabel("news", "announcement", "title"); title["de"] != "Was stattfindet" {
		t.Errorf("the title of an announcement is called %v", title)
	}
	if files := s.FileColumns("news", "article"); len(files) != 1 || files[0].Name != "images" {
		t.Errorf("files go into %v", files)
	}
}

func TestTheEditorSeesTheNewsAndTheirPictures(t *testing.T) {
	t.Parallel()
	w := open(t, t.TempDir(), demo.Options{})
	got := map[string][]string{}
	for _, uid := range []int64{1, 1001, 2, 1002, 3, 1003} {
		item, err := w.repo.Show(t.Context(), w.Editor, "news", uid)
		must(t, err)
		kind := item.Fields["type"].(string)
		got[kind] = append(got[kind], item.Fields["title"].(string))
		for _, f := range item.Files["images"] {
			got[kind] = append(got[kind], f.Name)
		}
	}
	want := map[string][]string{
		"article":      {"The Marie Tide is afloat again", "ship.png", "Die Marie Tide schwimmt wieder"},
		"announcement": {"Long evening of the lamps", "Langer Abend der Lampen"},
		"link":         {"Timetable of the ferry", "Fahrplan der Fähre"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("news (-want +got):\n%s", diff)
	}
}
