package editorial_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
)

func TestStoragesAndFoldersAreThoseOfTheMounts(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	const none = "Folder not found or not permitted."
	for _, c := range []struct {
		user             imprimatur.User
		tool, args, want string
	}{
		{s.Editor, "list_storages", `{}`, "- media: /documents/ and /pictures/\n"},
		{s.Admin, "list_storages", `{}`, "- media: /\n"},
		{s.Editor, "browse_folder", `{"storage":"media"}`, "Folder media:/\n- /documents/\n- /pictures/\nThere are no files in it that you may read.\n"},
		{s.Admin, "browse_folder", `{"storage":"media","folder":"/"}`, "Folder media:/\n- /documents/\n- /pictures/\n- /private/\nThere are no files in it that you may read.\n"},
		{s.Editor, "browse_folder", `{"storage":"media","folder":"pictures"}`, `Folder media:/pictures/
- [7] “hall.jpg”, 1007 bytes, at media:/pictures/hall.jpg
- [8] “door.png”, 1008 bytes, at media:/pictures/door.png
- [10] “lost.jpg”, 1010 bytes, at media:/pictures/lost.jpg (missing)
`},
		{s.Editor, "browse_folder", `{"storage":"media","folder":"/pictures/","limit":1,"after_uid":7}`, `Folder media:/pictures/
- [8] “door.png”, 1008 bytes, at media:/pictures/door.png
Ended at file 8; to go on, ask again with after_uid 8.
`},
		{s.Admin, "browse_folder", `{"storage":"media","folder":"/private/"}`, "Folder media:/private/\n- [11] “vault.jpg”, 1011 bytes, at media:/private/vault.jpg\n"},
		{s.Editor, "browse_folder", `{"storage":"media","folder":"/private/"}`, none},
		{s.Editor, "browse_folder", `{"storage":"media","folder":"/pictures/../private/"}`, none},
		{s.Editor, "browse_folder", `{"storage":"media","folder":"/nowhere/"}`, none},
		{s.Admin, "browse_folder", `{"storage":"vault"}`, none},
		{s.Admin, "browse_folder", `{"storage":"nothing"}`, none},
	} {
		if diff := cmp.Diff(c.want, s.read(t, c.user, c.tool, c.args)); diff != "" {
			t.Errorf("%s %s for %s: %s", c.tool, c.args, c.user.Name, diff)
		}
	}
}

// An answer that is full says where it ended: no file is left out in between.
func TestFilesThatDoNotFitAreGoneOnWith(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	long := strings.Repeat("\u9928", 240) // three bytes each
	var changes []content.Change
	for i := range 100 {
		name := fmt.Sprintf("%03d%s.jpg", i, long)
		changes = append(changes, content.Change{Op: content.Create, Table: content.Files, Fields: map[string]any{
			"storage": "media", "identifier": "/pictures/long/" + name, "name": name, "extension": "jpg", "size": 1,
		}})
	}
	contenttest.Set(t, s.Repository, content.System(), changes...)
	listed, after := 0, int64(0)
	for range 10 {
		got := s.read(t, s.Editor, "browse_folder", fmt.Sprintf(`{"storage":"media","folder":"/pictures/long/","after_uid":%d}`, after))
		listed += strings.Count(got, "- [")
		_, end, more := strings.Cut(got, "Ended at file ")
		if len(got) > 61_000 {
			t.Errorf("an answer has %d bytes", len(got))
		}
		if !more {
			break
		}
		if _, err := fmt.Sscanf(end, "%d;", &after); err != nil {
			t.Fatal(err)
		}
	}
	if listed != 100 {
		t.Errorf("%d of 100 files are listed", listed)
	}
}

func TestFilesAreFoundWithinTheMounts(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	const hall, lost = "- [7] “hall.jpg”, 1007 bytes, at media:/pictures/hall.jpg\n", "- [10] “lost.jpg”, 1010 bytes, at media:/pictures/lost.jpg (missing)\n"
	const plan = "- [9] “plan.docx”, 1009 bytes, at media:/documents/plan.docx\n"
	const none = "No file that you may read is called so.\n"
	for args, want := range map[string]string{
		`{"query":".JPG"}`:                     hall + lost,
		`{"query":"jp","extension":".JPG"}`:    hall + lost,
		`{"query":"documents/"}`:               plan,
		`{"query":"pl","extension":"docx"}`:    plan,
		`{"query":"pl","extension":"jpg"}`:     none,
		`{"query":"vault"}`:                    none,
		`{"query":"private"}`:                  none,
		`{"query":"ha%"}`:                      none,
		`{"query":".jpg","limit":1}`:           hall + "Ended at file 7; to go on, ask again with after_uid 7.\n",
		`{"query":".jpg","after_uid":7}`:       lost,
		`{"query":".jpg","storage":"media"}`:   hall + lost,
		`{"query":".jpg","storage":"vault"}`:   "Storage not found or not permitted.",
		`{"query":".jpg","storage":"nothing"}`: "Storage not found or not permitted.",
		`{"query":"j"}`:                        `The argument "query" has 1 characters; at least 2 are needed.`,
	} {
		if diff := cmp.Diff(want, s.read(t, s.Editor, "search_files", args)); diff != "" {
			t.Errorf("%s: %s", args, diff)
		}
	}
	for args, want := range map[string]string{
		`{}`: lost, `{"storage":"media","limit":50}`: lost, `{"after_uid":10}`: "No file that you may read is missing.\n",
		`{"storage":"vault"}`: "Storage not found or not permitted.", `{"limit":51}`: `The argument "limit" must be at most 50.`,
	} {
		if diff := cmp.Diff(want, s.read(t, s.Editor, "find_missing_files", args)); diff != "" {
			t.Errorf("%s: %s", args, diff)
		}
	}
}

func TestWhatDescribesAFileIsReadInTheLanguagesOfTheUser(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	about := func(language int64, title string) content.Change {
		return content.Change{
			Op: content.Create, Table: content.FileMetadata, Language: language, Origin: contenttest.HallMeta,
			Fields: map[string]any{"file": contenttest.Hall, "title": title, "width": 800},
		}
	}
	contenttest.Set(t, s.Repository, content.System(), about(1, "Der große Saal"), about(2, "La grande salle"))
	want := `File [7] “hall.jpg”, 1007 bytes, at media:/pictures/hall.jpg
Media type: image/jpeg
Language 0
  title: The great hall
  alternative: A high hall with stone columns
Language 1
  title: Der große Saal
  width: 800
`
	if diff := cmp.Diff(want, s.read(t, s.Editor, "read_file_meta", `{"uid":7}`)); diff != "" {
		t.Error(diff)
	}
	for uid, want := range map[int64]string{
		contenttest.Lost:    "File [10] “lost.jpg”, 1010 bytes, at media:/pictures/lost.jpg (missing)\nMedia type: image/jpeg\nNothing that you may read describes it.\n",
		contenttest.Private: "File not found or not permitted.",
		contenttest.Vault:   "File not found or not permitted.",
		999:                 "File not found or not permitted.",
	} {
		if diff := cmp.Diff(want, s.read(t, s.Editor, "read_file_meta", fmt.Sprintf(`{"uid":%d}`, uid))); diff != "" {
			t.Errorf("%d: %s", uid, diff)
		}
	}
}

func TestPlacesOfAFileAreThoseThatTheUserSees(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{Large: true})
	of := func(table string, uid int64, field string) content.Change {
		return content.Attach(content.Ref{Table: table, UID: uid}, field, contenttest.Door, nil)
	}
	out := contenttest.Set(t, s.Repository, content.System(),
		of(content.Elements, contenttest.Downloads, "media"), of(content.Pages, contenttest.Archive, "media"),
		of(content.Pages, contenttest.Visit, "media"), of(content.Pages, contenttest.HoursFrench, "media"))
	want := fmt.Sprintf(`File [8] “door.png”, 1008 bytes, at media:/pictures/door.png
- content:121 “Before you come” on page 101, language 0 · field assets · reference %d
- exhibits:61 “Ship's bell” on page 101, language 0 · field pictures · reference %d
- pages:10 “Visit” below page 1, language 0 · field media · reference %d
`, s.referencesTo(t, contenttest.Door)[0], s.referencesTo(t, contenttest.Door)[1], out.Created[2].UID)
	if diff := cmp.Diff(want, s.read(t, s.Editor, "get_file_references", `{"uid":8}`)); diff != "" {
		t.Error(diff)
	}
	if got := s.read(t, s.Admin, "get_file_references", `{"uid":8}`); strings.Count(got, "- ") != 6 || !strings.Contains(got, "content:44 “Downloads” on page 10, language 0 (hidden)") {
		t.Errorf("the administrator sees\n%s", got)
	}
	got := s.read(t, s.Editor, "get_file_references", `{"uid":8,"limit":1}`)
	first := s.referencesTo(t, contenttest.Door)[0]
	if !strings.HasSuffix(got, fmt.Sprintf("Ended at reference %d; to go on, ask again with after_uid %d.\n", first, first)) {
		t.Errorf("with a limit: %s", got)
	}
	if got := s.read(t, s.Editor, "get_file_references", fmt.Sprintf(`{"uid":8,"after_uid":%d}`, first)); strings.Count(got, "- ") != 2 {
		t.Errorf("behind the first one: %s", got)
	}
	for _, uid := range []int64{contenttest.Private, contenttest.Vault, 999} {
		if got := s.read(t, s.Editor, "get_file_references", fmt.Sprintf(`{"uid":%d}`, uid)); got != "File not found or not permitted." {
			t.Errorf("of file %d: %s", uid, got)
		}
	}
	s.change(t, content.FileReferences, out.Created[2].UID, map[string]any{"hidden": 1})
	reader := s.Reader
	reader.Rights.Select = append(slices.Clone(reader.Rights.Select), content.FileReferences)
	if got := s.read(t, s.Editor, "get_file_references", `{"uid":8}`); !strings.Contains(got, fmt.Sprintf("reference %d (hidden)", out.Created[2].UID)) {
		t.Errorf("a hidden reference for who may edit the page: %s", got)
	}
	if got := s.read(t, reader, "get_file_references", `{"uid":8}`); strings.Contains(got, "pages:10") || !strings.Contains(got, "content:121") {
		t.Errorf("a hidden reference for who may not: %s", got)
	}
	if got := s.read(t, s.Editor, "get_file_references", `{"uid":9}`); !strings.HasSuffix(got, "No record that you may read holds it.\n") {
		t.Errorf("of a file that nobody uses: %s", got)
	}
}

// referencesTo are the uids of the references to a file.
func (s *stage) referencesTo(t *testing.T, file int64) (uids []int64) {
	t.Helper()
	refs, err := s.ReferencesTo(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	for _, ref := range refs {
		uids = append(uids, ref.UID)
	}
	return uids
}
