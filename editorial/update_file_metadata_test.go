package editorial_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
)

const fileMetadata = "update_file_metadata"

func TestOnlyTheFieldsOfTheCallChange(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	before := s.about(t, contenttest.Hall, 0)
	s.approve(t, s.Editor, fileMetadata, `{"copyright":"City museum","title":"","uid":7}`)
	before.Fields["copyright"], before.Fields["title"] = "City museum", ""
	if diff := cmp.Diff(before.Fields, s.about(t, contenttest.Hall, 0).Fields); diff != "" {
		t.Error(diff)
	}
	shown, _ := s.preview(t, s.Editor, fileMetadata, `{"description":"Built in 1889","uid":7}`)
	if has(shown, "Title") || has(shown, "Copyright") || !has(shown, "Description: currently (empty), proposed “Built in 1889”") {
		t.Errorf("the lines are\n%s", text(shown))
	}
}

// 127 characters of two bytes each, and one more of one.
func TestATitleMayHave255Bytes(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	title := strings.Repeat("ä", 127) + "x"
	s.approve(t, s.Editor, fileMetadata, `{"title":"`+title+`","uid":7}`)
	if got := s.about(t, contenttest.Hall, 0).Text("title"); got != title {
		t.Errorf("the title is %q", got)
	}
}

// Proves tools 105.
func TestWithoutOneOfTheGrantsNothingIsWritten(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	got := s.refusal(t, s.Plain, fileMetadata, `{"copyright":"x","description":"y","title":"z","uid":7}`)
	if want := "The user this run acts for may not change copyright, description and title of file_metadata. Nothing was written."; got != want {
		t.Errorf("%q", got)
	}
}

func TestAnInstallationWithoutCopyrightHasNoSuchArgument(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	schema := contenttest.Schema(t)
	table, _ := schema.Table(content.FileMetadata)
	table.Columns = slices.DeleteFunc(table.Columns, func(c content.Column) bool { return c.Name == "copyright" })
	bare := with(t, s.Site, reopened(t, s, schema))
	if got, want := bare.refusal(t, s.Editor, fileMetadata, `{"copyright":"x","uid":7}`), `Unknown argument "copyright". Allowed: description, title, uid.`; got != want {
		t.Errorf("%q", got)
	}
}

// What took only in part stays, and the model learns which half.
func TestFileMetadataThatTookInPartIsNamed(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{Hook: func(_ content.Op, row content.Ref, old content.Record, fields map[string]any) {
		if row.Table == content.FileMetadata {
			fields["title"] = old.Fields["title"]
		}
	}})
	const args = `{"description":"Built in 1889","title":"x","uid":7}`
	_, token := s.preview(t, s.Editor, fileMetadata, args)
	result, err := s.execute(t, s.Editor, fileMetadata, args, token)
	if err != nil || !result.IsError || result.Wrote == nil || result.Wrote.Complete ||
		!strings.HasPrefix(result.Content, "In part: description of file 7 “hall.jpg” changed, but the repository did not take title.") {
		t.Errorf("%+v %v", result, err)
	}
}
