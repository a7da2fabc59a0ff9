package editorial_test

import (
	"database/sql"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
)

const attach = "attach_file_to_content_element"

// Proves tools 24, 25; runtime 242.
func TestAFileAttachedByAColleagueChangesThePicture(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	const args = `{"content_element":42,"file":8}`
	shown, _ := s.preview(t, s.German, attach, args)
	contenttest.Set(t, s.Repository, s.Editor, content.Attach(content.Ref{Table: content.Elements, UID: contenttest.Picture}, "image", contenttest.Hall, nil))
	now, token := s.preview(t, s.German, attach, args)
	if imprimatur.Compare(&imprimatur.Preview{Lines: shown}, imprimatur.Preview{Lines: now}) != imprimatur.Changed {
		t.Fatal("the picture is the same")
	}
	if !has(shown, "derzeit 1, danach 2;") || !has(now, "derzeit 2, danach 3;") {
		t.Errorf("the lines do not count:\n%s\n%s", text(shown), text(now))
	}
	result, err := s.execute(t, s.German, attach, args, token)
	if err != nil || result.IsError {
		t.Fatalf("%s %v", result.Content, err)
	}
	if got, want := s.files(t, contenttest.Picture, "image"), []int64{contenttest.Hall, contenttest.Hall, contenttest.Door}; !slices.Equal(got, want) {
		t.Errorf("files %v, want %v", got, want)
	}
	want := &imprimatur.Written{Table: content.FileReferences, UID: result.Wrote.UID, Kind: "created", Complete: true}
	if diff := cmp.Diff(want, result.Wrote); diff != "" {
		t.Error(diff)
	}
	if n := s.element(t, contenttest.Picture).Int("image"); n != 3 {
		t.Errorf("the element counts %d files", n)
	}
}

// Proves tools 30, 31.
func TestWhatThePictureDoesNotShowDoesNotChangeIt(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	const args = `{"content_element":42,"file":8}`
	shown, old := s.preview(t, s.Editor, attach, args)
	s.change(t, content.Elements, contenttest.Picture, map[string]any{"subheader": "Edited meanwhile"})
	now, _ := s.preview(t, s.Editor, attach, args)
	if diff := cmp.Diff(shown, now); diff != "" {
		t.Fatalf("the picture moved: %s", diff)
	}
	if result, err := s.execute(t, s.Editor, attach, args, old); err != nil || result.IsError {
		t.Errorf("with the token of the first picture: %s %v", result.Content, err)
	}
	if got, want := s.files(t, contenttest.Picture, "image"), []int64{contenttest.Hall, contenttest.Door}; !slices.Equal(got, want) {
		t.Errorf("files %v, want %v", got, want)
	}
}

// What the picture shows is compared inside the write.
//
// Proves tools 24, 32.
func TestAWriteThatMeetsAnotherStateHasNoEffect(t *testing.T) {
	t.Parallel()
	const args = `{"content_element":42,"file":8}`
	for name, meanwhile := range map[string]func(t *testing.T, s *stage){
		"a file was attached": func(t *testing.T, s *stage) {
			contenttest.Set(t, s.Repository, s.Editor, content.Attach(content.Ref{Table: content.Elements, UID: contenttest.Picture}, "image", contenttest.Hall, nil))
		},
		"a file was removed": func(t *testing.T, s *stage) {
			contenttest.Set(t, s.Repository, content.System(), content.Change{Op: content.Delete, Table: content.FileReferences, UID: contenttest.PictureLinked})
		},
		"the element was renamed": func(t *testing.T, s *stage) {
			s.change(t, content.Elements, contenttest.Picture, map[string]any{"header": "New"})
		},
		"the element was deleted": func(t *testing.T, s *stage) {
			contenttest.Set(t, s.Repository, content.System(), content.Change{Op: content.Delete, Table: content.Elements, UID: contenttest.Picture})
		},
		"the page was renamed": func(t *testing.T, s *stage) {
			s.change(t, content.Pages, contenttest.Visit, map[string]any{"title": "Come and see"})
		},
		"the file was renamed": func(t *testing.T, s *stage) {
			s.change(t, content.Files, contenttest.Door, map[string]any{"name": "gate.png"})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, contenttest.Options{})
			_, token := s.preview(t, s.Editor, attach, args)
			meanwhile(t, s)
			before := s.history(t)
			result, err := s.execute(t, s.Editor, attach, args, token)
			if !errors.Is(err, imprimatur.ErrMoved) {
				t.Errorf("%+v %v", result, err)
			}
			if after := s.history(t); after != before {
				t.Errorf("%d entries of history", after-before)
			}
		})
	}
}

// Two appends of one turn both run, although the first moves what the second
// was read from; a stranger's write between them stops the second.
//
// Proves tools 25, 26.
func TestTwoAttachmentsOfOneTurnBothRun(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	const one, two, three = `{"content_element":41,"file":7}`, `{"content_element":41,"file":8,"title":"x"}`, `{"content_element":41,"file":7,"title":"y"}`
	var tokens []any
	for _, args := range []string{one, two, three} {
		_, token := s.preview(t, s.Editor, attach, args)
		tokens = append(tokens, token)
	}
	first, err := s.execute(t, s.Editor, attach, one, tokens[0])
	if err != nil || first.IsError || first.Token == nil {
		t.Fatalf("%+v %v", first, err)
	}
	second, err := s.execute(t, s.Editor, attach, two, tokens[1], first.Token)
	if err != nil || second.IsError {
		t.Fatalf("%+v %v", second, err)
	}
	if got, want := s.files(t, contenttest.Gallery, "assets"), []int64{7, 8}; !slices.Equal(got, want) {
		t.Errorf("files %v, want %v", got, want)
	}
	s.change(t, content.Elements, contenttest.Gallery, map[string]any{"header": "Pictures"})
	if _, err := s.execute(t, s.Editor, attach, three, tokens[2], first.Token, second.Token); !errors.Is(err, imprimatur.ErrMoved) {
		t.Errorf("after a stranger: %v", err)
	}
}

// What an earlier call of the turn brought about is for the model to deal with:
// the field is full after the first of two approved calls.
func TestARefusalThatTheTurnItselfBroughtAboutGoesToTheModel(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	full := with(t, s.Site, oneFile(t, s))
	const one, two = `{"content_element":41,"file":7}`, `{"content_element":41,"file":8}`
	_, firstToken := full.preview(t, s.Editor, attach, one)
	_, secondToken := full.preview(t, s.Editor, attach, two)
	first, err := full.execute(t, s.Editor, attach, one, firstToken)
	if err != nil || first.IsError {
		t.Fatalf("%+v %v", first, err)
	}
	second, err := full.execute(t, s.Editor, attach, two, secondToken, first.Token)
	if err != nil || !second.IsError || second.Content != "The field assets takes at most 1 files and has 1." {
		t.Errorf("%+v %v", second, err)
	}
}

// Proves tools 32, 33, 52, 65.
func TestADeletedTargetIsANeutralRefusalAndStaysOne(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	const args = `{"content_element":42,"file":8}`
	contenttest.Set(t, s.Repository, content.System(), content.Change{Op: content.Delete, Table: content.Elements, UID: contenttest.Picture})
	if got := s.refusal(t, s.German, attach, args); got != "Content element or file not found or not permitted." {
		t.Errorf("%q", got)
	}
	// A refusal that was approved and no longer holds is another picture.
	_, token := s.preview(t, s.German, attach, args)
	contenttest.Set(t, s.Repository, content.System(), content.Change{Op: content.Restore, Table: content.Elements, UID: contenttest.Picture})
	before := s.history(t)
	if result, err := s.execute(t, s.German, attach, args, token); !errors.Is(err, imprimatur.ErrMoved) || s.history(t) != before {
		t.Errorf("%+v %v", result, err)
	}
	if picture, err := s.tools[attach].(imprimatur.Previewer).Preview(t.Context(), call(s.German, `{"content_element":999,"file":8}`)); err != nil || picture.Lines[0].Label != imprimatur.LabelNeutralRefusal {
		t.Errorf("the refusal is not marked as neutral: %+v %v", picture, err)
	}
}

// Proves tools 118, 120.
func TestWhatMayNotBeToldApartIsRefusedAlike(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	for name, args := range map[string]string{
		"missing file":             `{"content_element":42,"file":10}`,
		"file outside the mounts":  `{"content_element":42,"file":11}`,
		"file in a closed storage": `{"content_element":42,"file":12}`,
		"unindexed file":           `{"content_element":42,"file":999}`,
		"unknown element":          `{"content_element":999,"file":8}`,
		"element on another page":  `{"content_element":46,"file":8}`,
		"locked element":           `{"content_element":47,"file":8}`,
		"type without a grant":     `{"content_element":48,"file":8}`,
		"neither":                  `{"content_element":999,"file":999}`,
		"no field, no file":        `{"content_element":40,"file":11}`,
	} {
		if got := s.refusal(t, s.Editor, attach, args); got != "Content element or file not found or not permitted." {
			t.Errorf("%s: %q", name, got)
		}
	}
	if got := s.refusal(t, s.Reader, attach, `{"content_element":42,"file":8}`); got != "Content element or file not found or not permitted." {
		t.Errorf("reader: %q", got)
	}
	wide := s.Editor
	wide.Rights.Files = imprimatur.Set{imprimatur.All}
	for name, u := range map[string]imprimatur.User{"editor of all files": wide, "administrator": s.Admin} {
		if got := s.refusal(t, u, attach, `{"content_element":42,"file":12}`); got != "Content element or file not found or not permitted." {
			t.Errorf("a closed storage, %s: %q", name, got)
		}
	}
	noReferences := s.Editor
	noReferences.Rights.Modify = slices.DeleteFunc(slices.Clone(s.Editor.Rights.Modify), func(table string) bool { return table == content.FileReferences })
	if got := s.refusal(t, noReferences, attach, `{"content_element":42,"file":8}`); got != "Content element or file not found or not permitted." {
		t.Errorf("without the right to file references: %q", got)
	}
	// The approver's wider mounts do not count for the call.
	if !mayRead(t, s, attach, `{"content_element":42,"file":11}`, s.Admin) {
		t.Error("an administrator may not read the preview")
	}
}

// Proves tools 116, 117.
func TestAFieldMustBeOfferedAndTakeTheFile(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	for args, want := range map[string]string{
		`{"content_element":42,"file":9}`:                     `The field image does not take this file; it takes gif, jpg, jpeg, png, svg, webp and avif.`,
		`{"content_element":42,"field":"assets","file":8}`:    `Content elements of this type have no field assets; they have image.`,
		`{"content_element":40,"file":8}`:                     `Content elements of this type have no field for files.`,
		`{"content_element":42,"field":"icon_file","file":8}`: `The argument "field" must be one of image, assets, media.`,
		`{"content_element":42,"file":8,"hidden":true}`:       `Unknown argument "hidden". Allowed: alternative, content_element, description, field, file, title.`,
	} {
		if got := s.refusal(t, s.Editor, attach, args); got != want {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
	if got, want := s.refusal(t, s.Plain, attach, `{"content_element":42,"file":8}`), `The user this run acts for may not change image of content. Nothing was written.`; got != want {
		t.Errorf("without a grant: %q, want %q", got, want)
	}
	several := with(t, s.Site, twoFields(t, s))
	if got, want := several.refusal(t, s.Editor, attach, `{"content_element":42,"file":8}`), `This content element has several fields for files: name image and assets as field.`; got != want {
		t.Errorf("several fields: %q, want %q", got, want)
	}
	several.approve(t, s.Editor, attach, `{"content_element":42,"field":"assets","file":8}`)
}

// twoFields opens the repository of s once more, with a type that offers two
// fields for files.
func twoFields(t *testing.T, s *stage) *content.Repository {
	t.Helper()
	schema := contenttest.Schema(t)
	table, _ := schema.Table(content.Elements)
	for i, kind := range table.Types {
		if kind.Value == "image" {
			table.Types[i].Columns = append(slices.Clone(kind.Columns), "assets")
		}
	}
	return reopened(t, s, schema)
}

// oneFile opens the repository of s once more, with a field assets that takes a
// single file.
func oneFile(t *testing.T, s *stage) *content.Repository {
	t.Helper()
	schema := contenttest.Schema(t)
	table, _ := schema.Table(content.Elements)
	for i, c := range table.Columns {
		if c.Name == "assets" {
			table.Columns[i].MaxItems = 1
		}
	}
	return reopened(t, s, schema)
}

func reopened(t *testing.T, s *stage, schema *content.Schema) *content.Repository {
	t.Helper()
	var seq int
	var name, file string
	if err := s.DB.QueryRow("PRAGMA database_list").Scan(&seq, &name, &file); err != nil {
		t.Fatal(err)
	}
	reader, err := sql.Open("sqlite", "file:"+file+"?_pragma=busy_timeout(5000)")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := reader.Close(); err != nil {
			t.Error(err)
		}
	})
	repo, err := content.Open(content.Config{Writer: s.DB, Reader: reader, Schema: schema, Storages: imprimatur.Set{"media"}, Now: contenttest.Now})
	if err != nil {
		t.Fatal(err)
	}
	return repo
}

func TestAReferenceThatDidNotComeOutAsApprovedIsTakenBack(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		bend func(op content.Op, row content.Ref, old content.Record, fields map[string]any)
		want string
	}{
		"a text": {func(op content.Op, row content.Ref, _ content.Record, fields map[string]any) {
			if op == content.Create && row.Table == content.FileReferences {
				fields["alternative"] = "bent"
			}
		}, "The repository did not take the alternative of the file. Nothing was written."},
		"another file": {func(op content.Op, row content.Ref, _ content.Record, fields map[string]any) {
			if op == content.Create && row.Table == content.FileReferences {
				fields["file"] = contenttest.Hall
			}
		}, "The field image would have got another file. Nothing was written."},
		"the count": {func(op content.Op, row content.Ref, old content.Record, fields map[string]any) {
			if op == content.Update && row.Table == content.Elements {
				fields["image"] = old.Fields["image"]
			}
		}, "The record would have counted 1 files instead of 2. Nothing was written."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, contenttest.Options{Hook: test.bend})
			s.takenBack(t, s.Editor, attach, `{"alternative":"The door","content_element":42,"file":8}`, test.want)
		})
	}
}

func TestAReferenceThatDoesNotComeLastIsTakenBack(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	if _, err := s.DB.Exec(`CREATE TRIGGER first AFTER INSERT ON content_records WHEN NEW.tab = 'file_references'
		BEGIN UPDATE content_records SET sorting = -1 WHERE tab = NEW.tab AND uid = NEW.uid; END`); err != nil {
		t.Fatal(err)
	}
	s.takenBack(t, s.Editor, attach, `{"content_element":42,"file":8}`, "The file would not have come last in the field image. Nothing was written.")
}

func TestTextsOfTheReferenceAreThoseOfTheCall(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	result := s.approve(t, s.Editor, attach, `{"alternative":"The door","content_element":42,"description":"","file":8}`)
	rec, err := s.Record(t.Context(), content.System(), content.FileReferences, result.Wrote.UID)
	if err != nil {
		t.Fatal(err)
	}
	if rec.Text("alternative") != "The door" || rec.Text("description") != "" || rec.Fields["title"] != nil {
		t.Errorf("texts %v", rec.Fields)
	}
	if got := result.Content; !strings.Contains(got, "Attached file 8 “door.png” to content element 42 (without a title)") || !strings.Contains(got, "number 2") {
		t.Errorf("the model reads %q", got)
	}
}

func TestAPreviewIsForThoseWhoMightMakeTheCall(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	const args = `{"content_element":42,"file":8}`
	for name, test := range map[string]struct {
		viewer imprimatur.User
		want   bool
	}{
		"administrator": {s.Admin, true}, "another editor": {s.German, true}, "reader": {s.Reader, false},
		"without the grant": {s.Plain, false}, "nobody": {imprimatur.User{}, false},
	} {
		if got := mayRead(t, s, attach, args, test.viewer); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
