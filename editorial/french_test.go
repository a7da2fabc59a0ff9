package editorial_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
)

// A language that comes as files alone prints every card, whole.
//
// Proves tools 44, 56, 57, 64; runtime 236, 241.
func TestPreviewsReadAsAFrenchEditorWrites(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	languages := os.DirFS("../languages")
	schema, err := contenttest.Schema(t).Translated(languages)
	if err != nil {
		t.Fatal(err)
	}
	s = with(t, s.Site, reopened(t, s, schema))
	c, err := catalogue.New(languages)
	if err != nil {
		t.Fatal(err)
	}
	s.catalogue = c
	for name, example := range examples {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lines, _ := s.preview(t, s.French, example.tool, example.args)
			for i, l := range lines {
				if c.IsHeading(l.Text, "fr") != (i == 0) {
					t.Errorf("line %d, %q, is a heading or is none against the rule", i, l.Text)
				}
			}
			golden(t, filepath.Join("testdata", example.tool, name+".fr.txt"), text(lines), true)
		})
	}
}
