package editorial_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
)

// What holds for all tools for files.

// neutralFor are the neutral refusals of the tools for files.
var neutralFor = map[string]string{
	attachToRecord: "Record or file not found or not permitted.",
	replaceFile:    "File reference, content element or file not found or not permitted.",
	setAlternative: "File not found or not permitted.",
	fileMetadata:   "File not found or not permitted.",
}

// without is a user who lacks one right.
func without(u imprimatur.User, change func(r *imprimatur.Rights)) imprimatur.User {
	r := u.Rights
	for _, set := range []*imprimatur.Set{&r.Select, &r.Modify, &r.Languages, &r.Fields, &r.Values, &r.Pages, &r.Files} {
		*set = slices.Clone(*set)
	}
	change(&r)
	u.Rights = r
	return u
}

func takeFrom(set *imprimatur.Set, name string) {
	*set = slices.DeleteFunc(*set, func(s string) bool { return s == name })
}

// Who may make a call may read its preview, and nobody else.
func TestToolsForFilesAskForEveryRightAndSoDoTheirPreviews(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	lacking := func(set func(r *imprimatur.Rights) *imprimatur.Set, name string) imprimatur.User {
		return without(s.Editor, func(r *imprimatur.Rights) { takeFrom(set(r), name) })
	}
	modify := func(r *imprimatur.Rights) *imprimatur.Set { return &r.Modify }
	fields := func(r *imprimatur.Rights) *imprimatur.Set { return &r.Fields }
	files := func(r *imprimatur.Rights) *imprimatur.Set { return &r.Files }
	viewers := map[string]imprimatur.User{
		"administrator": s.Admin, "editor": s.Editor, "colleague": s.German, "reader": s.Reader, "nobody": s.Nobody, "no user": {},
		"without news":       lacking(modify, "news"),
		"without references": lacking(modify, content.FileReferences),
		"without metadata":   lacking(modify, content.FileMetadata),
		"without elements":   lacking(modify, content.Elements),
		"without image":      lacking(fields, "content.image"),
		"without the title":  lacking(fields, "file_metadata.title"),
		"without pictures":   lacking(files, "media:/pictures/"),
		"without default language": without(s.Editor, func(r *imprimatur.Rights) {
			r.Languages = imprimatur.Set{"1"}
		}),
		"without pages":    without(s.Editor, func(r *imprimatur.Rights) { r.Pages = nil }),
		"without the type": lacking(func(r *imprimatur.Rights) *imprimatur.Set { return &r.Values }, "content.type.image"),
	}
	may := map[string][]string{
		attachToRecord: {"administrator", "editor", "colleague", "without metadata", "without elements", "without image", "without the title", "without the type"},
		replaceFile:    {"administrator", "editor", "colleague", "without metadata", "without news", "without the title"},
		setAlternative: {"administrator", "editor", "colleague", "without news", "without references", "without elements", "without image", "without the title", "without pages", "without the type"},
		fileMetadata:   {"administrator", "editor", "colleague", "without news", "without references", "without elements", "without image", "without pages", "without the type"},
	}
	granted := map[string]string{
		replaceFile + "/without image":      "The user this run acts for may not change image of content. Nothing was written.",
		fileMetadata + "/without the title": "The user this run acts for may not change title of file_metadata. Nothing was written.",
	}
	for name, args := range map[string]string{
		attachToRecord: `{"file":8,"record":60,"table":"news"}`,
		replaceFile:    `{"action":"replace","file":8,"reference":70}`,
		setAlternative: `{"alternative":"x","uid":7}`,
		fileMetadata:   `{"title":"x","uid":7}`,
	} {
		for who, u := range viewers {
			want := slices.Contains(may[name], who)
			if got := mayRead(t, s, name, args, u); got != want {
				t.Errorf("%s, %s: may read the preview: %v", name, who, got)
			}
			if want {
				continue
			}
			sentence, ok := granted[name+"/"+who]
			if !ok {
				sentence = neutralFor[name]
			}
			if got := s.refusal(t, u, name, args); got != sentence {
				t.Errorf("%s, %s: %q", name, who, got)
			}
		}
	}
}

// Proves tools 118, 120.
func TestFilesThatMayNotBeToldApartAreRefusedAlike(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	for what, uid := range map[string]string{"missing": "10", "outside the mounts": "11", "in a closed storage": "12", "not indexed": "999"} {
		for name, args := range map[string]string{
			attachToRecord: `{"file":` + uid + `,"record":60,"table":"news"}`,
			replaceFile:    `{"action":"replace","file":` + uid + `,"reference":70}`,
			setAlternative: `{"alternative":"x","uid":` + uid + `}`,
			fileMetadata:   `{"title":"x","uid":` + uid + `}`,
		} {
			if got := s.refusal(t, s.Editor, name, args); got != neutralFor[name] {
				t.Errorf("%s, %s: %q", name, what, got)
			}
		}
	}
	for name, args := range map[string]string{
		setAlternative: `{"alternative":"x","uid":8}`, fileMetadata: `{"title":"x","uid":8}`,
	} {
		if got := s.refusal(t, s.Admin, name, args); got != neutralFor[name] {
			t.Errorf("%s, without metadata: %q", name, got)
		}
	}
	if _, err := s.Metadata(t.Context(), contenttest.Door, 0); !errors.Is(err, content.ErrNotFound) {
		t.Errorf("metadata was created: %v", err)
	}
}

// A change to something that is displayed stops the write; one to anything else
// does not.
//
// Proves tools 24, 30, 31.
func TestWritesOfFilesHoldToWhatWasShown(t *testing.T) {
	t.Parallel()
	type change struct {
		name  string
		moved bool
		do    func(t *testing.T, s *stage)
	}
	set := func(table string, uid int64, fields map[string]any) func(t *testing.T, s *stage) {
		return func(t *testing.T, s *stage) { s.change(t, table, uid, fields) }
	}
	attached := func(to content.Ref, field string) func(t *testing.T, s *stage) {
		return func(t *testing.T, s *stage) {
			contenttest.Set(t, s.Repository, content.System(), content.Attach(to, field, contenttest.Hall, nil))
		}
	}
	news, picture := content.Ref{Table: "news", UID: contenttest.NewsItem}, content.Ref{Table: content.Elements, UID: contenttest.Picture}
	renamedFile := change{"the file is renamed", true, set(content.Files, contenttest.Door, map[string]any{"name": "gate.png"})}
	renamedPage := change{"the page is renamed", true, set(content.Pages, contenttest.Visit, map[string]any{"title": "Come"})}
	for tool, test := range map[string]struct {
		args    string
		changes []change
	}{
		attachToRecord: {`{"file":8,"record":60,"table":"news"}`, []change{
			renamedFile, renamedPage,
			{"another file is added", true, attached(news, "pictures")},
			{"the record is renamed", true, set("news", contenttest.NewsItem, map[string]any{"title": "Closed"})},
			{"the record changes elsewhere", false, set("news", contenttest.NewsItem, map[string]any{"teaser": "Soon"})},
			{"the record is hidden", false, set("news", contenttest.NewsItem, map[string]any{"hidden": 1})},
			{"the page changes elsewhere", false, set(content.Pages, contenttest.Visit, map[string]any{"abstract": "x"})},
		}},
		replaceFile: {`{"action":"replace","file":8,"reference":70}`, []change{
			renamedFile, renamedPage,
			{"another file is added", true, attached(picture, "image")},
			{"the old file is renamed", true, set(content.Files, contenttest.Hall, map[string]any{"name": "room.jpg"})},
			{"its text changes", true, set(content.FileReferences, contenttest.PictureLinked, map[string]any{"alternative": "x"})},
			{"it gets a link", true, set(content.FileReferences, contenttest.PictureLinked, map[string]any{"link": "https://example.org"})},
			{"it is hidden", true, set(content.FileReferences, contenttest.PictureLinked, map[string]any{"hidden": 1})},
			{"the element gets a header", true, set(content.Elements, contenttest.Picture, map[string]any{"header": "x"})},
			{"the element changes elsewhere", false, set(content.Elements, contenttest.Picture, map[string]any{"subheader": "x"})},
		}},
		setAlternative: {`{"alternative":"x","uid":7}`, []change{
			{"the text changes", true, set(content.FileMetadata, contenttest.HallMeta, map[string]any{"alternative": "y"})},
			{"the file is renamed", true, set(content.Files, contenttest.Hall, map[string]any{"name": "room.jpg"})},
			{"the title changes", false, set(content.FileMetadata, contenttest.HallMeta, map[string]any{"title": "y"})},
			{"the file grows", false, set(content.Files, contenttest.Hall, map[string]any{"size": 5})},
		}},
		fileMetadata: {`{"title":"x","uid":7}`, []change{
			{"the title changes", true, set(content.FileMetadata, contenttest.HallMeta, map[string]any{"title": "y"})},
			{"the alternative changes", false, set(content.FileMetadata, contenttest.HallMeta, map[string]any{"alternative": "y"})},
		}},
	} {
		for _, c := range test.changes {
			t.Run(tool+", "+c.name, func(t *testing.T) {
				t.Parallel()
				s := open(t, contenttest.Options{})
				shown, token := s.preview(t, s.Editor, tool, test.args)
				c.do(t, s)
				before := s.history(t)
				result, err := s.execute(t, s.Editor, tool, test.args, token)
				if !c.moved {
					if err != nil || result.IsError {
						t.Errorf("%+v %v", result, err)
					}
					return
				}
				if !errors.Is(err, imprimatur.ErrMoved) || s.history(t) != before {
					t.Errorf("%+v %v", result, err)
				}
				if now, _ := s.preview(t, s.Editor, tool, test.args); cmp.Equal(shown, now) {
					t.Error("the picture is the same")
				}
			})
		}
	}
}

// Proves tools 88.
func TestToolsForFilesRefuseArgumentsThatDoNotFit(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	for _, c := range []struct{ tool, args, want string }{
		{attachToRecord, `{"file":8,"record":60,"table":"news","hidden":true}`, `Unknown argument "hidden". Allowed: alternative, description, field, file, record, table, title.`},
		{attachToRecord, `{"file":8,"record":60}`, `Missing argument "table".`},
		{attachToRecord, `{"file":0,"record":60,"table":"news"}`, `The argument "file" must be at least 1.`},
		{attachToRecord, `{"file":"8","record":60,"table":"news"}`, `The argument "file" must be a whole number, not text.`},
		{replaceFile, `{"action":"swap","reference":70}`, `The argument "action" must be one of replace, remove.`},
		{replaceFile, `{"action":"replace","reference":70}`, `The argument "file" is needed to replace a file.`},
		{replaceFile, `{"action":"remove","file":8,"reference":70}`, `Removing a file takes no file; leave that out, or use the action replace.`},
		{replaceFile, `{"action":"remove","alternative":"","reference":70,"title":"x"}`, `Removing a file takes no title and alternative; leave that out, or use the action replace.`},
		{replaceFile, `{"action":"replace","file":8,"reference":70,"title":"a\u0000b"}`, `The argument "title" holds a character that cannot be stored.`},
		{setAlternative, `{"uid":7}`, `Missing argument "alternative".`},
		{setAlternative, `{"alternative":"` + strings.Repeat("ä", 1001) + `","uid":7}`, `The argument "alternative" has 1001 characters; at most 1000 are allowed.`},
		{setAlternative, `{"alternative":null,"uid":7}`, `The argument "alternative" must be text, not null.`},
		{setAlternative, `{"alternative":"a\u0000b","uid":7}`, `The argument "alternative" cannot take this value: the text holds a NUL character.`},
		{fileMetadata, `{"uid":7}`, `Name at least one field to change.`},
		{fileMetadata, `{"alternative":"x","uid":7}`, `Unknown argument "alternative". Allowed: copyright, description, title, uid.`},
		{fileMetadata, `{"title":"` + strings.Repeat("ä", 128) + `","uid":7}`, `The argument "title" has 256 bytes; at most 255 are allowed.`},
		{fileMetadata, `{"title":"a\nb","uid":7}`, `The argument "title" must be a single line, without tabs.`},
		{fileMetadata, `{"description":"` + strings.Repeat("x", 2001) + `","uid":7}`, `The argument "description" has 2001 characters; at most 2000 are allowed.`},
		{fileMetadata, `{"copyright":"` + strings.Repeat("x", 256) + `","uid":7}`, `The argument "copyright" has 256 characters; at most 255 are allowed.`},
	} {
		if got := s.refusal(t, s.Editor, c.tool, c.args); got != c.want {
			t.Errorf("%s %.80s: %q, want %q", c.tool, c.args, got, c.want)
		}
	}
}
