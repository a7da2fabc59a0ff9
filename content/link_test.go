package content_test

import (
	"errors"
	"testing"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
)

func incoming(t *testing.T, s *contenttest.Site, of ...content.Ref) []string {
	t.Helper()
	from, err := s.Incoming(t.Context(), of)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, ref := range from {
		names = append(names, ref.String())
	}
	return names
}

func TestWhateverRefersToARecordIsFound(t *testing.T) {
	t.Parallel()
	team, intro := content.Ref{Table: "pages", UID: contenttest.VisitTeam}, content.Ref{Table: "content", UID: contenttest.Intro}
	hall, news := content.Ref{Table: "files", UID: contenttest.Hall}, content.Ref{Table: "news", UID: contenttest.NewsItem}
	for _, c := range []struct {
		column, value string
		of            content.Ref
		found         bool
	}{
		{"bodytext", `<a href="t3://page?uid=12">Team</a>`, team, true},
		{"bodytext", `<a href="t3://page?uid=12&amp;_language=1#40">Team</a>`, team, true},
		{"bodytext", `<a href="t3://page?type=98&amp;uid=12#c40">Team</a>`, intro, true},
		{"bodytext", `<a href="t3://file?uid=7">Hall</a>`, hall, true},
		{"bodytext", `<a href="t3://record?identifier=news&amp;uid=60">News</a>`, news, true},
		{"bodytext", `<a href="t3://record?identifier=nothing&amp;uid=60">News</a>`, news, false},
		{"bodytext", `<a href="t3://page?uid=current">Team</a> t3://page?uid=120 12`, team, false},
		{"bodytext", `<a href="t3://page?uid=9999999999999999999#%zz">Team</a>`, team, false},
		{"header_link", "t3://page?uid=12 _blank", team, true},
		{"header_link", "12", team, true},
		{"header_link", "12#c40 - - Title", intro, true},
		{"header_link", "file:7", hall, true},
		{"header_link", "https://museum.example/12", team, false},
		{"pages", "11,12", team, true},
		{"pages", "112", team, false},
		{"records", "40", intro, true},
	} {
		s := contenttest.Open(t, contenttest.Options{})
		before := incoming(t, s, c.of)
		contenttest.Set(t, s.Repository, s.Admin, update("content", contenttest.Gallery, map[string]any{c.column: c.value}))
		want := before
		if c.found {
			want = append([]string{"content:41"}, before...)
		}
		same(t, incoming(t, s, c.of), want)
		contenttest.Set(t, s.Repository, s.Admin, update("content", contenttest.Gallery, map[string]any{c.column: ""}))
		same(t, incoming(t, s, c.of), before)
	}
}

func TestWhatRefersFromWithinOrIsGoneDoesNotCount(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	team := content.Ref{Table: "pages", UID: contenttest.VisitTeam}
	hall := content.Ref{Table: "files", UID: contenttest.Hall}
	gallery := content.Ref{Table: "content", UID: contenttest.Gallery}
	contenttest.Set(t, s.Repository, s.Admin, update("content", contenttest.Gallery, map[string]any{"pages": "12", "bodytext": `t3://page?uid=10#41`}))
	same(t, incoming(t, s, team), []string{"content:41"})
	same(t, incoming(t, s, team, gallery), nil)
	same(t, incoming(t, s, gallery), nil)
	contenttest.Set(t, s.Repository, s.Admin, remove("content", contenttest.Gallery))
	same(t, incoming(t, s, team), nil)
	contenttest.Set(t, s.Repository, s.Admin, content.Change{Op: content.Restore, Table: "content", UID: contenttest.Gallery})
	same(t, incoming(t, s, team), []string{"content:41"})
	if from := incoming(t, s, hall); len(from) == 0 || from[0] != "file_metadata:80" {
		t.Errorf("to the file refer %v", from)
	}
	same(t, incoming(t, s, content.Ref{Table: "pages", UID: 4711}), nil)
}

func TestADatabaseFromBeforeTheIndexIsReadOnce(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	contenttest.Set(t, s.Repository, content.System(), accordion()...)
	if err := s.IndexLinks(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{"DELETE FROM content_links", "INSERT INTO content_ids (tab, last) VALUES ('unlinked', 1)"} {
		if _, err := s.DB.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	intro := content.Ref{Table: "content", UID: contenttest.Intro}
	if _, err := s.Incoming(t.Context(), []content.Ref{intro}); !errors.Is(err, content.ErrNotIndexed) {
		t.Errorf("nothing refers to it, %v", err)
	}
	if _, err := s.Deletion(t.Context(), intro, false); !errors.Is(err, content.ErrNotIndexed) {
		t.Errorf("foretold without the index, %v", err)
	}
	if err := s.IndexLinks(t.Context()); err != nil {
		t.Fatal(err)
	}
	if wrong := sound(t, s); wrong != nil {
		t.Errorf("%q", wrong)
	}
}

func TestDraftsAreCountedAndOtherwiseNotThere(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{Large: true})
	ctx := t.Context()
	for _, c := range []struct {
		of   []content.Ref
		want int
	}{
		{[]content.Ref{{Table: "content", UID: contenttest.Accordion}}, 1},
		{[]content.Ref{{Table: "pages", UID: contenttest.Halls}}, 1},
		{[]content.Ref{{Table: "pages", UID: contenttest.FirstHall}, {Table: "content", UID: contenttest.Accordion}}, 2},
		{[]content.Ref{{Table: "pages", UID: contenttest.Visit}}, 0},
		{nil, 0},
	} {
		n, err := s.Drafts(ctx, c.of)
		if err != nil || n != c.want {
			t.Errorf("%v: %d and not %d, %v", c.of, n, c.want, err)
		}
	}
	before := snapshot(t, s)
	for _, ref := range []content.Ref{{Table: "pages", UID: contenttest.PageDraft}, {Table: "content", UID: contenttest.ElementDraft}, {Table: "content", UID: contenttest.NewDraft}} {
		gone(t, s, ref.Table, ref.UID)
		if _, err := s.Row(ctx, ref); !errors.Is(err, content.ErrNotFound) {
			t.Errorf("%s: %v", ref, err)
		}
		for _, op := range []content.Op{content.Update, content.Delete, content.Restore, content.Move, content.Copy, content.Localize} {
			same(t, complaints(t, s, s.Admin, content.Change{Op: op, Table: ref.Table, UID: ref.UID, PID: contenttest.Visit, Language: 1}),
				[]string{"not found or not permitted"})
		}
		label := map[string]any{map[string]string{"pages": "title", "content": "header"}[ref.Table]: "New"}
		same(t, complaints(t, s, s.Admin, content.Change{Op: content.Create, Table: ref.Table, UID: ref.UID, PID: contenttest.Visit, Fields: label}),
			[]string{"there is a record with this number already"})
		if out, err := s.Apply(ctx, s.Admin, content.ChangeSet{Expect: content.Versions{ref: 1}}); !errors.Is(err, imprimatur.ErrMoved) {
			t.Errorf("%+v, %v", out, err)
		}
	}
	same(t, snapshot(t, s), before)
	for _, rec := range everything(t, s) {
		if rec.UID >= contenttest.PageDraft && rec.UID <= contenttest.NewDraft {
			t.Errorf("%s is listed", rec.Ref())
		}
	}
	if wrong := sound(t, s); wrong != nil {
		t.Errorf("%q", wrong)
	}
}

func TestOnlyAdministratorsWriteDraftsAndNoneOfFiles(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	draft := content.Change{Op: content.Create, Table: "content", Workspace: 1, DraftOf: contenttest.Intro, Fields: map[string]any{"header": "Draft"}}
	refused := []string{"drafts are written by administrators, in a workspace above 0"}
	same(t, complaints(t, s, s.Editor, draft), refused)
	draft.Workspace = 0
	same(t, complaints(t, s, s.Admin, draft), refused)
	draft.Workspace, draft.DraftOf = 1, 4711
	same(t, complaints(t, s, s.Admin, draft), []string{"not found or not permitted"})
	draft.Table = "file_references"
	same(t, complaints(t, s, s.Admin, draft), []string{"files have no drafts"})
}
