package editorial_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
)

const replaceFile = "replace_file_reference"

var linkedPicture = content.Ref{Table: content.Elements, UID: contenttest.Picture}

// three gives the picture two more files and returns all references, in order.
func (s *stage) three(t *testing.T) []content.Record {
	t.Helper()
	for range 2 {
		contenttest.Set(t, s.Repository, s.Editor, content.Attach(linkedPicture, "image", contenttest.Hall, nil))
	}
	refs, err := s.References(t.Context(), linkedPicture, "image")
	if err != nil {
		t.Fatal(err)
	}
	return refs
}

// translate makes a German version of the picture, whose file belongs to the
// default-language one, and returns the element and that reference.
func (s *stage) translate(t *testing.T) (element int64, reference content.Ref) {
	t.Helper()
	out := contenttest.Set(t, s.Repository, content.System(), content.Change{
		Op: content.Localize, Table: content.Elements, UID: contenttest.Picture, Language: 1, Fields: map[string]any{"header": "Bild"},
	})
	if len(out.Created) != 2 || out.Created[0].Table != content.Elements || out.Created[1].Table != content.FileReferences {
		t.Fatalf("localised %v", out.Created)
	}
	return out.Created[0].UID, out.Created[1]
}

// Proves tools 119.
func TestAReplacedFileKeepsItsPlaceAndNothingElse(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	s.change(t, content.FileReferences, contenttest.PictureLinked, map[string]any{"title": "Hall", "link": "https://example.org", "crop": "{}", "hidden": 1})
	s.three(t)
	const args = `{"action":"replace","file":8,"reference":70,"title":"Door"}`
	lines, _ := s.preview(t, s.Editor, replaceFile, args)
	for _, want := range []string{
		"Position: file 1 of 3", "Title: currently “Hall”, proposed “Door”",
		"Alternative text: that of the file itself; “The hall at noon” is not carried over", "Description: that of the file itself",
		"Not carried over: “Link”, “Image section”", "Important: the current file is hidden here, the new one will be visible.",
	} {
		if !has(lines, want) {
			t.Errorf("no line says %q:\n%s", want, text(lines))
		}
	}
	result := s.approve(t, s.Editor, replaceFile, args)
	if got, want := s.files(t, contenttest.Picture, "image"), []int64{contenttest.Door, contenttest.Hall, contenttest.Hall}; !slices.Equal(got, want) {
		t.Errorf("files %v, want %v", got, want)
	}
	rec := s.row(t, content.FileReferences, result.Wrote.UID)
	want := map[string]any{"owner_table": "content", "owner": contenttest.Picture, "owner_field": "image", "file": contenttest.Door, "title": "Door"}
	if diff := cmp.Diff(want, rec.Fields); diff != "" {
		t.Errorf("carried over: %s", diff)
	}
	if n := s.element(t, contenttest.Picture).Int("image"); n != 3 {
		t.Errorf("the element counts %d files", n)
	}
	if !strings.Contains(result.Content, "Replaced file 7 “hall.jpg” by file 8 “door.png” in content element 42 (without a title), field image") {
		t.Errorf("the model reads %q", result.Content)
	}
}

func TestEveryPlaceIsKept(t *testing.T) {
	t.Parallel()
	for i := range 3 {
		s := open(t, contenttest.Options{})
		refs := s.three(t)
		s.approve(t, s.Editor, replaceFile, onReference("replace", refs[i].UID, `,"file":8`))
		want := []int64{contenttest.Hall, contenttest.Hall, contenttest.Hall}
		want[i] = contenttest.Door
		if got := s.files(t, contenttest.Picture, "image"); !slices.Equal(got, want) {
			t.Errorf("files %v, want %v", got, want)
		}
	}
}

func onReference(action string, reference int64, more string) string {
	return `{"action":"` + action + `","reference":` + strconv.FormatInt(reference, 10) + more + `}`
}

func TestARemovedFileStaysInTheStorage(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	refs := s.three(t)
	before := s.row(t, content.Files, contenttest.Hall)
	result := s.approve(t, s.Editor, replaceFile, onReference("remove", refs[1].UID, ""))
	if got, want := s.files(t, contenttest.Picture, "image"), []int64{contenttest.Hall, contenttest.Hall}; !slices.Equal(got, want) {
		t.Errorf("files %v, want %v", got, want)
	}
	if diff := cmp.Diff(before.Fields, s.row(t, content.Files, contenttest.Hall).Fields); diff != "" {
		t.Error(diff)
	}
	want := &imprimatur.Written{Table: content.FileReferences, UID: refs[1].UID, Kind: "deleted", Complete: true}
	if diff := cmp.Diff(want, result.Wrote); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(result.Content, "which now has 2 files. The file itself is still there.") {
		t.Errorf("the model reads %q", result.Content)
	}
}

func TestReferencesInTranslationsAreCountedAndGoAlong(t *testing.T) {
	t.Parallel()
	for action, test := range map[string]struct{ more, line string }{
		"remove":  {"", "File in translations: removed from one translation as well"},
		"replace": {`,"file":8`, "File in translations: removed from one translation as well, which does not get the new file"},
	} {
		s := open(t, contenttest.Options{})
		call := onReference(action, contenttest.PictureLinked, test.more)
		if lines, _ := s.preview(t, s.Editor, replaceFile, call); !has(lines, "File in translations: none") {
			t.Errorf("%s: the lines are\n%s", action, text(lines))
		}
		german, translated := s.translate(t)
		lines, token := s.preview(t, s.Editor, replaceFile, call)
		if !has(lines, test.line) || !has(lines, "translation UIDs "+strconv.FormatInt(translated.UID, 10)+", translated content element UIDs "+strconv.FormatInt(german, 10)) {
			t.Errorf("%s: the lines are\n%s", action, text(lines))
		}
		if result, err := s.execute(t, s.Editor, replaceFile, call, token); err != nil || result.IsError {
			t.Errorf("%s: %+v %v", action, result, err)
		}
		if got := s.files(t, german, "image"); len(got) > 0 || s.element(t, german).Int("image") != 0 {
			t.Errorf("%s: the translation has the files %v", action, got)
		}
	}
}

// A translation that the user may not change keeps the file where it is.
//
// Proves tools 101.
func TestATranslationThatMayNotBeChangedKeepsTheFile(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	s.translate(t)
	english := without(s.Editor, func(r *imprimatur.Rights) { r.Languages = imprimatur.Set{"0"} })
	got := s.refusal(t, english, replaceFile, `{"action":"remove","reference":70}`)
	if want := "The file stands in a translation (language 1) as well, which the user this run acts for may not change. Nothing was written."; got != want {
		t.Errorf("%q", got)
	}
	s.approve(t, s.Editor, replaceFile, `{"action":"remove","reference":70}`)
}

// A lost file can be replaced; it cannot be what replaces.
func TestALostFileCanBeReplacedAndRemoved(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	s.change(t, content.Files, contenttest.Hall, map[string]any{"missing": 1})
	s.approve(t, s.Editor, replaceFile, `{"action":"replace","file":8,"reference":70}`)
}

// Proves tools 117, 120.
func TestAReferenceThatCannotBeReplacedIsRefused(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	const neutral = "File reference, content element or file not found or not permitted."
	attach := func(to content.Ref, field string, file int64) int64 {
		return contenttest.Set(t, s.Repository, content.System(), content.Attach(to, field, file, nil)).Created[0].UID
	}
	for call, want := range map[string]string{
		onReference("remove", 999, ""):                                            neutral,
		onReference("remove", attach(newsItem, "pictures", contenttest.Hall), ""): neutral,
		onReference("remove", attach(content.Ref{Table: content.Pages, UID: contenttest.Visit}, "og_image", contenttest.Hall), ""):              neutral,
		onReference("remove", attach(content.Ref{Table: content.Elements, UID: contenttest.OnCollection}, "image", contenttest.Hall), ""):       neutral,
		onReference("remove", attach(content.Ref{Table: content.Elements, UID: contenttest.Locked}, "image", contenttest.Hall), ""):             neutral,
		onReference("remove", attach(content.Ref{Table: content.Elements, UID: contenttest.Gallery}, "assets", contenttest.Private), ""):        neutral,
		onReference("remove", attach(content.Ref{Table: content.Elements, UID: contenttest.Gallery}, "background_image", contenttest.Hall), ""): "This file stands in the field background_image; only files in image, assets and media can be replaced or removed.",
		onReference("remove", attach(content.Ref{Table: content.Elements, UID: contenttest.Intro}, "image", contenttest.Hall), ""):              "Content elements of this type have no field image that could be changed on this page.",
		onReference("replace", contenttest.PictureLinked, `,"file":7`):                                                                          "File 7 is the one that stands there already.",
		onReference("replace", contenttest.PictureLinked, `,"file":9`):                                                                          "The field image does not take this file; it takes gif, jpg, jpeg, png, svg, webp and avif.",
	} {
		if got := s.refusal(t, s.Editor, replaceFile, call); got != want {
			t.Errorf("%s: %q, want %q", call, got, want)
		}
	}
	s.change(t, content.Pages, contenttest.Museum, map[string]any{"configuration": `{"content":{"image":{"read_only":true}}}`})
	if got := s.refusal(t, s.Editor, replaceFile, `{"action":"remove","reference":70}`); got != "Content elements of this type have no field image that could be changed on this page." {
		t.Errorf("a closed field: %q", got)
	}
}

// The second of two removals finds the file gone: that is for the model to deal
// with, since the turn itself brought it about.
func TestAFileIsRemovedOnceInATurn(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	s.three(t)
	const call = `{"action":"remove","reference":70}`
	_, token := s.preview(t, s.Editor, replaceFile, call)
	first, err := s.execute(t, s.Editor, replaceFile, call, token)
	if err != nil || first.IsError {
		t.Fatalf("%+v %v", first, err)
	}
	second, err := s.execute(t, s.Editor, replaceFile, call, token, first.Token)
	if err != nil || !second.IsError || second.Content != "File reference, content element or file not found or not permitted." {
		t.Errorf("%+v %v", second, err)
	}
	if got := s.files(t, contenttest.Picture, "image"); len(got) != 2 {
		t.Errorf("files %v", got)
	}
}

// Two neighbours in one turn, each by another file.
func TestTwoFilesOfOneFieldAreReplacedInOneTurn(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	refs := s.three(t)
	var tokens, own []any
	calls := []string{onReference("replace", refs[0].UID, `,"file":8`), onReference("replace", refs[1].UID, `,"file":8`), onReference("remove", refs[2].UID, "")}
	for _, call := range calls {
		_, token := s.preview(t, s.Editor, replaceFile, call)
		tokens = append(tokens, token)
	}
	for i, call := range calls {
		result, err := s.execute(t, s.Editor, replaceFile, call, tokens[i], own...)
		if err != nil || result.IsError {
			t.Fatalf("%+v %v", result, err)
		}
		own = append(own, result.Token)
	}
	if got, want := s.files(t, contenttest.Picture, "image"), []int64{contenttest.Door, contenttest.Door}; !slices.Equal(got, want) {
		t.Errorf("files %v, want %v", got, want)
	}
}

func TestAReplacementThatDidNotComeOutAsApprovedIsTakenBack(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		call string
		bend func(op content.Op, row content.Ref, old content.Record, fields map[string]any)
		want string
	}{
		"a text is carried over": {`{"action":"replace","file":8,"reference":70}`, func(op content.Op, row content.Ref, _ content.Record, fields map[string]any) {
			if op == content.Create && row.Table == content.FileReferences {
				fields["alternative"] = "The hall at noon"
			}
		}, "The repository did not take the alternative of the file. Nothing was written."},
		"another file": {`{"action":"replace","file":8,"reference":70}`, func(op content.Op, row content.Ref, _ content.Record, fields map[string]any) {
			if op == content.Create && row.Table == content.FileReferences {
				fields["file"] = contenttest.Hall
			}
		}, "The field image would have got another file. Nothing was written."},
		"another count": {`{"action":"remove","reference":70}`, func(op content.Op, row content.Ref, _ content.Record, fields map[string]any) {
			if op == content.Update && row.Table == content.Elements {
				fields["image"] = int64(4)
			}
		}, "The record would have counted 4 files instead of 0. Nothing was written."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, contenttest.Options{Hook: test.bend})
			before := s.history(t)
			_, token := s.preview(t, s.Editor, replaceFile, test.call)
			result, err := s.execute(t, s.Editor, replaceFile, test.call, token)
			if err != nil || !result.IsError || result.Wrote != nil || result.Content != test.want {
				t.Errorf("%+v %v", result, err)
			}
			if got := s.row(t, content.FileReferences, contenttest.PictureLinked); s.history(t) != before || got.Text("alternative") != "The hall at noon" {
				t.Errorf("left behind: %v", got.Fields)
			}
		})
	}
}

func TestANewFileInAnotherPlaceIsTakenBack(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	s.three(t)
	if _, err := s.DB.Exec(`CREATE TRIGGER astray AFTER INSERT ON content_records WHEN NEW.tab = 'file_references'
		BEGIN UPDATE content_records SET sorting = 9999 WHERE tab = NEW.tab AND uid = NEW.uid; END`); err != nil {
		t.Fatal(err)
	}
	const call = `{"action":"replace","file":8,"reference":70}`
	_, token := s.preview(t, s.Editor, replaceFile, call)
	result, err := s.execute(t, s.Editor, replaceFile, call, token)
	if err != nil || !result.IsError || result.Content != "The new file would not have come in the place of the old one. Nothing was written." {
		t.Errorf("%+v %v", result, err)
	}
	if got := s.files(t, contenttest.Picture, "image"); slices.Contains(got, contenttest.Door) {
		t.Errorf("files %v", got)
	}
}
