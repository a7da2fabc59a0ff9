package editorial_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
)

const socialImage = "set_page_social_image"

// images lists the files in an image field of a page.
func (s *stage) images(t *testing.T, page int64, field string) []int64 {
	t.Helper()
	refs, err := s.References(t.Context(), content.Ref{Table: content.Pages, UID: page}, field)
	if err != nil {
		t.Fatal(err)
	}
	var files []int64
	for _, ref := range refs {
		files = append(files, ref.Int(content.ColumnFile))
	}
	if n := s.page(t, page).Int(field); n != int64(len(files)) {
		t.Errorf("page %d counts %d files in %s, not %d", page, n, field, len(files))
	}
	return files
}

// hang puts an image into a field of a page and returns the reference.
func (s *stage) hang(t *testing.T, page int64, field string, file int64) int64 {
	t.Helper()
	out := contenttest.Set(t, s.Repository, content.System(), content.Attach(content.Ref{Table: content.Pages, UID: page}, field, file, nil))
	return out.Created[0].UID
}

func TestAPageGetsAnImageForSharing(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	u := s.Editor
	const args = `{"field":"og_image","file":7,"page":10}`
	if lines, _ := s.preview(t, u, socialImage, args); lines[0].Text != "Set image for sharing (Open Graph)" || !has(lines, "Currently: no image") ||
		!has(lines, "New file: “hall.jpg”, stored at “media:/pictures/hall.jpg”") || has(lines, "Important") {
		t.Error(text(lines))
	}
	result := s.approve(t, u, socialImage, args)
	w := result.Wrote
	if w == nil || w.Table != content.FileReferences || w.Kind != "created" || !w.Complete {
		t.Fatalf("wrote %+v", w)
	}
	if want := "Set file 7 “hall.jpg” as og_image of page 10 “Visit”: file reference " + itoa(w.UID) + "."; result.Content != want {
		t.Errorf("the model reads %q, want %q", result.Content, want)
	}
	if got := s.images(t, contenttest.Visit, "og_image"); !slices.Equal(got, []int64{contenttest.Hall}) {
		t.Errorf("images %v", got)
	}
	s.approve(t, u, socialImage, `{"field":"twitter_image","file":8,"page":10,"replace":true}`)
	if got := s.images(t, contenttest.Visit, "twitter_image"); !slices.Equal(got, []int64{contenttest.Door}) {
		t.Errorf("images %v", got)
	}
}

// Proves tools 106.
func TestAnImageThatIsThereIsReplacedOnlyOnRequest(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	u := s.Editor
	old := s.hang(t, contenttest.Visit, "og_image", contenttest.Door)
	want := "The field og_image of page 10 holds an image already, “door.png”: set replace to true to remove it."
	for _, args := range []string{`{"field":"og_image","file":7,"page":10}`, `{"field":"og_image","file":7,"page":10,"replace":false}`} {
		if got := s.refusal(t, u, socialImage, args); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	const args = `{"field":"og_image","file":7,"page":10,"replace":true}`
	for _, lang := range []string{"en", "de"} {
		u.Lang = lang
		lines, _ := s.preview(t, u, socialImage, args)
		checkShape(t, lines, lang)
		golden(t, filepath.Join("testdata", socialImage, "replace."+lang+".txt"), text(lines), true)
	}
	result := s.approve(t, u, socialImage, args)
	if got := s.images(t, contenttest.Visit, "og_image"); !slices.Equal(got, []int64{contenttest.Hall}) {
		t.Errorf("images %v: %s", got, result.Content)
	}
	contenttest.Set(t, s.Repository, content.System(), content.Change{Op: content.Delete, Table: content.FileReferences, UID: result.Wrote.UID})
	contenttest.Set(t, s.Repository, content.System(), content.Change{Op: content.Restore, Table: content.FileReferences, UID: old})
	if got := s.images(t, contenttest.Visit, "og_image"); !slices.Equal(got, []int64{contenttest.Door}) {
		t.Errorf("images %v after bringing back the old one", got)
	}
	if got, want := s.refusal(t, u, socialImage, `{"field":"og_image","file":8,"page":10,"replace":true}`), "The field og_image of page 10 holds this file already. Nothing was written."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestImagesThatTranslationsShareGoAlongAndAreCounted(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	u := s.Editor
	s.hang(t, contenttest.Visit, "og_image", contenttest.Door)
	german := contenttest.Set(t, s.Repository, content.System(), content.Change{
		Op: content.Localize, Table: content.Pages, UID: contenttest.Visit, Language: 1, Key: "german",
	}).IDs["german"]
	if got := s.images(t, german, "og_image"); !slices.Equal(got, []int64{contenttest.Door}) {
		t.Fatalf("images of the translation %v", got)
	}
	const args = `{"field":"og_image","file":7,"page":10,"replace":true}`
	for _, lang := range []string{"en", "de"} {
		u.Lang = lang
		lines, _ := s.preview(t, u, socialImage, args)
		checkShape(t, lines, lang)
		golden(t, filepath.Join("testdata", socialImage, "replace_translated."+lang+".txt"), text(lines), true)
	}
	narrow := lacking(u, func(r *imprimatur.Rights) { r.Languages = drop(r.Languages, "1") })
	if got, want := s.refusal(t, narrow, socialImage, args), "Translations that the user this run acts for may not change use the current image: German. Nothing was written."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	s.change(t, content.Pages, german, map[string]any{"editlock": 1})
	if got := s.refusal(t, u, socialImage, args); got != "Translations that the user this run acts for may not change use the current image: German. Nothing was written." {
		t.Errorf("locked: %q", got)
	}
	s.change(t, content.Pages, german, map[string]any{"editlock": 0})
	s.approve(t, u, socialImage, args)
	if got := s.images(t, german, "og_image"); len(got) > 0 {
		t.Errorf("images of the translation %v", got)
	}
	if got := s.images(t, contenttest.Visit, "og_image"); !slices.Equal(got, []int64{contenttest.Hall}) {
		t.Errorf("images %v", got)
	}
}

func TestAnImageThatCannotBeSetIsRefusedWhole(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	const neutral = `Page or file not found or not permitted.`
	for args, want := range map[string]string{
		`{"file":7,"page":10}`:                                              `Missing argument "field".`,
		`{"field":"og_image","page":10}`:                                    `Missing argument "file".`,
		`{"field":"og_image","file":7}`:                                     `Missing argument "page".`,
		`{"field":"media","file":7,"page":10}`:                              `The argument "field" must be one of og_image, twitter_image.`,
		`{"field":"og_image","file":0,"page":10}`:                           `The argument "file" must be at least 1.`,
		`{"field":"og_image","file":"7","page":10}`:                         `The argument "file" must be a whole number, not text.`,
		`{"field":"og_image","file":7,"page":10,"replace":"true"}`:          `The argument "replace" must be true or false, not text.`,
		`{"field":"og_image","file":7,"page":10,"replace":1}`:               `The argument "replace" must be true or false, not a number.`,
		`{"alternative":"x","field":"og_image","file":7,"page":10}`:         `Unknown argument "alternative". Allowed: field, file, page, replace.`,
		`{"field":"og_image","file":9,"page":10}`:                           `The field og_image does not take this file; it takes gif, jpg, jpeg, png, svg, webp and avif.`,
		`{"field":"og_image","file":7,"page":90}`:                           `Page 90 is a translation of page 11: only a page in the default language can be given an image here.`,
		`{"field":"og_image","file":7,"page":91}`:                           neutral,
		`{"field":"og_image","file":7,"page":20}`:                           neutral,
		`{"field":"og_image","file":7,"page":30}`:                           neutral,
		`{"field":"og_image","file":7,"page":999}`:                          neutral,
		`{"field":"og_image","file":10,"page":10}`:                          neutral, // missing
		`{"field":"og_image","file":11,"page":10}`:                          neutral, // outside the mounts
		`{"field":"og_image","file":12,"page":10}`:                          neutral, // in a storage that is not in use
		`{"field":"og_image","file":999,"page":10}`:                         neutral,
		`{"field":"og_image","file":999,"page":90}`:                         neutral,
		`{"field":"twitter_image","file":11,"page":20,"replace":true}`:      neutral,
		`{"field":"twitter_image","file":7,"page":2,"replace":false}`:       neutral,
		`{"field":"twitter_image","file":7,"page":90,"replace":true}`:       `Page 90 is a translation of page 11: only a page in the default language can be given an image here.`,
		`{"field":"twitter_image","file":7,"page":10,"replace":null}`:       `The argument "replace" must be true or false, not null.`,
		`{"field":"twitter_image","file":9223372036854775807,"page":10}`:    neutral,
		`{"field":"twitter_image","file":7,"page":10.5}`:                    `The argument "page" must be a whole number, not a number.`,
		`{"field":["og_image"],"file":7,"page":10}`:                         `The argument "field" must be text, not a list.`,
		`{"field":"og_image","file":7,"hidden":0,"page":10,"replace":true}`: `Unknown argument "hidden". Allowed: field, file, page, replace.`,
	} {
		if got := s.refusal(t, s.Editor, socialImage, args); got != want {
			t.Errorf("%s:\n%q, want\n%q", args, got, want)
		}
	}
}

func TestAnImageIsRefusedWhereTheInstallationOrThePageHasNoFieldForIt(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	const args = `{"field":"twitter_image","file":7,"page":10}`
	schema := contenttest.Schema(t)
	table, _ := schema.Table(content.Pages)
	table.Columns = slices.DeleteFunc(table.Columns, func(c content.Column) bool { return c.Name == "twitter_image" })
	for i := range table.Types {
		table.Types[i].Columns = slices.DeleteFunc(slices.Clone(table.Types[i].Columns), func(name string) bool { return name == "twitter_image" })
	}
	without := with(t, s.Site, reopened(t, s, schema))
	if got := without.refusal(t, s.Editor, socialImage, args); got != "This installation has no field twitter_image." {
		t.Errorf("%q", got)
	}
	s.configured(t, contenttest.Museum, `{"pages":{"twitter_image":{"hidden":true}}}`)
	if got := s.refusal(t, s.Editor, socialImage, args); got != "The field twitter_image is not offered on this page. Nothing was written." {
		t.Errorf("%q", got)
	}
	s.approve(t, s.Editor, socialImage, `{"field":"og_image","file":7,"page":10}`)
}

func TestEachRightThatAnImageTakesIsAskedFor(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	const neutral = "Page or file not found or not permitted."
	const args = `{"field":"og_image","file":7,"page":10}`
	const noGrant = "The user this run acts for may not change og_image of pages. Nothing was written."
	for name, test := range map[string]struct {
		takeAway func(r *imprimatur.Rights)
		want     string
	}{
		"pages":           {func(r *imprimatur.Rights) { r.Modify = drop(r.Modify, content.Pages) }, neutral},
		"file references": {func(r *imprimatur.Rights) { r.Modify = drop(r.Modify, content.FileReferences) }, neutral},
		"files":           {func(r *imprimatur.Rights) { r.Select = drop(r.Select, content.Files) }, neutral},
		"file mount":      {func(r *imprimatur.Rights) { r.Files = nil }, neutral},
		"language":        {func(r *imprimatur.Rights) { r.Languages = drop(r.Languages, "0") }, neutral},
		"page mount":      {func(r *imprimatur.Rights) { r.Pages = nil }, neutral},
		"field":           {func(r *imprimatur.Rights) { r.Fields = drop(r.Fields, "pages.og_image") }, noGrant},
	} {
		if got := s.refusal(t, lacking(s.Editor, test.takeAway), socialImage, args); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
	s.rights(t, contenttest.Visit, content.AllBits&^content.BitEdit)
	if got := s.refusal(t, s.Editor, socialImage, args); got != neutral {
		t.Errorf("without the bit: %q", got)
	}
	s.rights(t, contenttest.Visit, content.BitShow|content.BitEdit)
	s.agrees(t, socialImage, args, `{"field":"og_image","file":11,"page":10}`, `{"field":"og_image","file":7,"page":20}`)
	s.approve(t, s.Editor, socialImage, args)
}

// occupied is what happens before the picture in the tests below.
func occupied(t *testing.T, o contenttest.Options) (*stage, any) {
	t.Helper()
	s := open(t, o)
	s.hang(t, contenttest.Visit, "og_image", contenttest.Door)
	_, token := s.preview(t, s.Editor, socialImage, replaceImage)
	return s, token
}

const replaceImage = `{"field":"og_image","file":7,"page":10,"replace":true}`

// Proves tools 24, 32.
func TestAnImageWhosePictureChangedIsNotSet(t *testing.T) {
	t.Parallel()
	for name, happens := range map[string]func(t *testing.T, s *stage){
		"another image was set": func(t *testing.T, s *stage) {
			s.approve(t, s.Admin, socialImage, `{"field":"og_image","file":11,"page":10,"replace":true}`)
		},
		"the image was removed": func(t *testing.T, s *stage) {
			refs, err := s.References(t.Context(), content.Ref{Table: content.Pages, UID: contenttest.Visit}, "og_image")
			if err != nil {
				t.Fatal(err)
			}
			contenttest.Set(t, s.Repository, content.System(), content.Change{Op: content.Delete, Table: content.FileReferences, UID: refs[0].UID})
		},
		"the current file was renamed": func(t *testing.T, s *stage) {
			s.change(t, content.Files, contenttest.Door, map[string]any{"name": "gate.png"})
		},
		"the new file was renamed": func(t *testing.T, s *stage) {
			s.change(t, content.Files, contenttest.Hall, map[string]any{"name": "foyer.jpg"})
		},
		"the page was renamed": func(t *testing.T, s *stage) {
			s.change(t, content.Pages, contenttest.Visit, map[string]any{"title": "New"})
		},
		"a translation took the image over": func(t *testing.T, s *stage) {
			contenttest.Set(t, s.Repository, content.System(), content.Change{Op: content.Localize, Table: content.Pages, UID: contenttest.Visit, Language: 1})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, token := occupied(t, contenttest.Options{})
			happens(t, s)
			comesBack(t, s, s.Editor, socialImage, replaceImage, token)
		})
	}
}

// Proves tools 30, 31.
func TestAnImageIsSetAlthoughSomethingElseChanged(t *testing.T) {
	t.Parallel()
	s, token := occupied(t, contenttest.Options{})
	s.change(t, content.Pages, contenttest.Visit, map[string]any{"description": "New"})
	s.hang(t, contenttest.Visit, "twitter_image", contenttest.Hall)
	if result, err := s.execute(t, s.Editor, socialImage, replaceImage, token); err != nil || result.IsError {
		t.Errorf("%+v %v", result, err)
	}
}

func TestTwoImagesOfOneTurnAreBothSet(t *testing.T) {
	t.Parallel()
	s, token := occupied(t, contenttest.Options{})
	const other = `{"field":"twitter_image","file":8,"page":10}`
	_, otherToken := s.preview(t, s.Editor, socialImage, other)
	one, err := s.execute(t, s.Editor, socialImage, replaceImage, token)
	if err != nil || one.IsError || one.Token == nil {
		t.Fatalf("%+v %v", one, err)
	}
	two, err := s.execute(t, s.Editor, socialImage, other, otherToken, one.Token)
	if err != nil || two.IsError {
		t.Fatalf("%+v %v", two, err)
	}
	if og, x := s.images(t, contenttest.Visit, "og_image"), s.images(t, contenttest.Visit, "twitter_image"); !slices.Equal(og, []int64{7}) || !slices.Equal(x, []int64{8}) {
		t.Errorf("images %v and %v", og, x)
	}
}

func TestAnImageThatComesOutWrongLeavesTheOldOne(t *testing.T) {
	t.Parallel()
	for want, hook := range map[string]content.Hook{
		"The field og_image would have got another file.": func(op content.Op, row content.Ref, _ content.Record, fields map[string]any) {
			if op == content.Create && row.Table == content.FileReferences {
				fields["file"] = contenttest.Door
			}
		},
		"The record would have counted 0 files instead of 1.": func(op content.Op, row content.Ref, _ content.Record, fields map[string]any) {
			if op == content.Update && row.Table == content.Pages {
				fields["og_image"] = int64(0)
			}
		},
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			s := open(t, contenttest.Options{})
			s.hang(t, contenttest.Visit, "og_image", contenttest.Door)
			hooked := with(t, s.Site, hookedOn(t, s, hook))
			takenBack(t, hooked, s.Editor, socialImage, replaceImage, want)
			if got := s.images(t, contenttest.Visit, "og_image"); !slices.Equal(got, []int64{contenttest.Door}) {
				t.Errorf("images %v", got)
			}
		})
	}
}

// A field may hold more than it takes by now: an import asks no form.
func TestSeveralImagesAreReplacedTogether(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	schema := contenttest.Schema(t)
	table, _ := schema.Table(content.Pages)
	for i, c := range table.Columns {
		if c.Name == "og_image" {
			table.Columns[i].MaxItems = 0
		}
	}
	wide := reopened(t, s, schema)
	for _, file := range []int64{contenttest.Door, contenttest.Private, contenttest.Hall, contenttest.Door} {
		contenttest.Set(t, wide, content.System(), content.Attach(content.Ref{Table: content.Pages, UID: contenttest.Visit}, "og_image", file, nil))
	}
	lines, _ := s.preview(t, s.Editor, socialImage, replaceImage)
	if !has(lines, "Currently: “door.png”, “vault.jpg”, “hall.jpg” and 1 more") || !has(lines, "Important: The 4 current images are removed from the page.") {
		t.Error(text(lines))
	}
	s.approve(t, s.Editor, socialImage, replaceImage)
	if got := s.images(t, contenttest.Visit, "og_image"); !slices.Equal(got, []int64{contenttest.Hall}) {
		t.Errorf("images %v", got)
	}
}
