package editorial_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
)

const attachToRecord = "attach_file_to_record"

// filesOf lists the files of a field of a record, in order.
func (s *stage) filesOf(t *testing.T, of content.Ref, field string) []int64 {
	t.Helper()
	refs, err := s.References(t.Context(), of, field)
	if err != nil {
		t.Fatal(err)
	}
	var files []int64
	for _, r := range refs {
		files = append(files, r.Int(content.ColumnFile))
	}
	return files
}

func (s *stage) row(t *testing.T, table string, uid int64) content.Record {
	t.Helper()
	rec, err := s.Row(t.Context(), content.Ref{Table: table, UID: uid})
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

var newsItem = content.Ref{Table: "news", UID: contenttest.NewsItem}

func TestAHiddenRecordGetsAFile(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	s.change(t, "news", contenttest.NewsItem, map[string]any{"hidden": 1})
	result := s.approve(t, s.Editor, attachToRecord, `{"alternative":"","file":8,"record":60,"table":"news","title":"The door"}`)
	rec := s.row(t, content.FileReferences, result.Wrote.UID)
	if rec.Text("title") != "The door" || rec.Fields["alternative"] != "" || rec.Fields["description"] != nil {
		t.Errorf("texts %v", rec.Fields)
	}
	if n := s.row(t, "news", contenttest.NewsItem).Int("pictures"); n != 1 {
		t.Errorf("the record counts %d files", n)
	}
	want := &imprimatur.Written{Table: content.FileReferences, UID: rec.UID, Kind: "created", Complete: true}
	if diff := cmp.Diff(want, result.Wrote); diff != "" {
		t.Error(diff)
	}
	if !strings.HasPrefix(result.Content, "Attached file 8 “door.png” to news record 60 “Reopened”: reference ") || !strings.Contains(result.Content, "number 1 of the files in the field pictures") {
		t.Errorf("the model reads %q", result.Content)
	}
}

func TestTwoFilesForOneRecordInOneTurnBothRunAndAThirdIsTooMany(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	const one, two, three = `{"file":7,"record":60,"table":"news"}`, `{"file":8,"record":60,"table":"news"}`, `{"file":8,"record":60,"table":"news","title":"x"}`
	var tokens, own []any
	for _, args := range []string{one, two, three} {
		_, token := s.preview(t, s.Editor, attachToRecord, args)
		tokens = append(tokens, token)
	}
	for i, args := range []string{one, two} {
		result, err := s.execute(t, s.Editor, attachToRecord, args, tokens[i], own...)
		if err != nil || result.IsError {
			t.Fatalf("%+v %v", result, err)
		}
		own = append(own, result.Token)
	}
	if got, want := s.filesOf(t, newsItem, "pictures"), []int64{7, 8}; !slices.Equal(got, want) {
		t.Errorf("files %v, want %v", got, want)
	}
	result, err := s.execute(t, s.Editor, attachToRecord, three, tokens[2], own...)
	if err != nil || !result.IsError || result.Content != "The field pictures takes at most 2 files and has 2." {
		t.Errorf("%+v %v", result, err)
	}
}

// Proves tools 116, 117, 120.
func TestARecordThatDoesNotTakeTheFileIsRefused(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	german := contenttest.Set(t, s.Repository, content.System(), content.Change{
		Op: content.Create, Table: "news", UID: 61, Language: 1, Origin: contenttest.NewsItem, Fields: map[string]any{"title": "Wieder offen"},
	})
	link := contenttest.Set(t, s.Repository, content.System(), content.Change{
		Op: content.Create, Table: "news", UID: 62, PID: contenttest.Visit, Fields: map[string]any{"title": "Link", "kind": "link"},
	})
	if len(german.Created)+len(link.Created) != 2 {
		t.Fatal("the seed is not complete")
	}
	const neutral = "Record or file not found or not permitted."
	for args, want := range map[string]string{
		`{"file":8,"record":10,"table":"pages"}`:                     "Files are not attached to pages with this tool; set_page_social_image sets the images of a page.",
		`{"file":8,"record":42,"table":"content"}`:                   "Files are attached to content elements with attach_file_to_content_element.",
		`{"file":8,"record":1,"table":"News!"}`:                      `The argument "table" must be the name of a table: small letters, digits and underscores.`,
		`{"file":8,"record":1,"table":"nothing"}`:                    neutral,
		`{"file":8,"record":999,"table":"news"}`:                     neutral,
		`{"file":8,"record":61,"table":"news"}`:                      neutral,
		`{"file":8,"record":70,"table":"file_references"}`:           "Records of this type have no field for files.",
		`{"file":8,"record":80,"table":"file_metadata"}`:             neutral,
		`{"file":8,"record":1,"table":"languages"}`:                  neutral,
		`{"file":8,"record":62,"table":"news"}`:                      "Records of this type have no field for files.",
		`{"field":"title","file":8,"record":60,"table":"news"}`:      `Records of this type have no field "title" for files; they have pictures.`,
		`{"field":"a\u0000\"b","file":8,"record":60,"table":"news"}`: `Records of this type have no field "ab" for files; they have pictures.`,
		`{"file":9,"record":60,"table":"news"}`:                      "The field pictures does not take this file; it takes jpg and png.",
	} {
		if got := s.refusal(t, s.Admin, attachToRecord, args); got != want {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
}

// Two fields of the table, one of them in the form of the record: the field has
// to be named all the same.
func TestAFieldMayBeLeftOutOnlyWhereTheTableHasOne(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	schema := contenttest.Schema(t)
	table, _ := schema.Table("news")
	table.Columns = append(table.Columns, content.Column{Name: "downloads", Type: content.TypeFile})
	two := with(t, s.Site, reopened(t, s, schema))
	got := two.refusal(t, s.Editor, attachToRecord, `{"file":8,"record":60,"table":"news"}`)
	if want := "This table has several fields for files: name one as field; this record has pictures."; got != want {
		t.Errorf("%q", got)
	}
	two.approve(t, s.Editor, attachToRecord, `{"field":"pictures","file":8,"record":60,"table":"news"}`)
}

// The form of the page says what there is, as it does for people.
func TestAFieldThatThePageHidesTakesNoFile(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	for _, configuration := range []string{`{"news":{"pictures":{"hidden":true}}}`, `{"news":{"pictures":{"read_only":true}}}`} {
		s.change(t, content.Pages, contenttest.Museum, map[string]any{"configuration": configuration})
		if got := s.refusal(t, s.Editor, attachToRecord, `{"file":8,"record":60,"table":"news"}`); got != "Records of this type have no field for files." {
			t.Errorf("%s: %q", configuration, got)
		}
	}
}

func TestAFileOfARecordThatDidNotComeOutAsApprovedIsTakenBack(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		bend func(op content.Op, row content.Ref, old content.Record, fields map[string]any)
		want string
	}{
		"another text": {func(op content.Op, row content.Ref, _ content.Record, fields map[string]any) {
			if op == content.Create && row.Table == content.FileReferences {
				fields["title"] = "bent"
			}
		}, "The repository did not take the title of the file. Nothing was written."},
		"a text that nobody gave": {func(op content.Op, row content.Ref, _ content.Record, fields map[string]any) {
			if op == content.Create && row.Table == content.FileReferences {
				fields["description"] = "made up"
			}
		}, "The repository did not take the description of the file. Nothing was written."},
		"another file": {func(op content.Op, row content.Ref, _ content.Record, fields map[string]any) {
			if op == content.Create && row.Table == content.FileReferences {
				fields["file"] = contenttest.Hall
			}
		}, "The field pictures would have got another file. Nothing was written."},
		"another count": {func(op content.Op, row content.Ref, _ content.Record, fields map[string]any) {
			if op == content.Update && row.Table == "news" {
				fields["pictures"] = int64(7)
			}
		}, "The record would have counted 7 files instead of 1. Nothing was written."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, contenttest.Options{Hook: test.bend})
			before := s.history(t)
			const args = `{"file":8,"record":60,"table":"news","title":"The door"}`
			_, token := s.preview(t, s.Editor, attachToRecord, args)
			result, err := s.execute(t, s.Editor, attachToRecord, args, token)
			if err != nil || !result.IsError || result.Wrote != nil || result.Content != test.want {
				t.Errorf("%+v %v", result, err)
			}
			if files := s.filesOf(t, newsItem, "pictures"); len(files) > 0 || s.history(t) != before {
				t.Errorf("left behind: %v", files)
			}
		})
	}
}
