package editorial_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
)

func (s *stage) read(t *testing.T, u imprimatur.User, tool, args string) string {
	t.Helper()
	result, err := s.execute(t, u, tool, args, nil)
	if err != nil {
		t.Fatalf("reading %s %s: %v", tool, args, err)
	}
	if result.Wrote != nil || result.Token != nil {
		t.Errorf("%s %s wrote", tool, args)
	}
	return result.Content
}

func TestThePageTreeIsThatOfTheUser(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	want := `[1] “Museum” (standard)
  [10] “Visit” (standard)
    [12] “Team” (standard)
  [20] “Collection” (standard)
    [21] “` + imprimatur.Cut(contenttest.Long(), 120) + `…” (standard)
    [22] “Team” (standard)
    [23] “No\u{00A0}break” (standard)
`
	if diff := cmp.Diff(want, s.read(t, s.Editor, "get_pagetree", `{}`)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff("[10] “Visit” (standard)\n", s.read(t, s.Editor, "get_pagetree", `{"depth":0,"rootUid":10}`)); diff != "" {
		t.Error(diff)
	}
	if got := s.read(t, s.Admin, "get_pagetree", `{"depth":1}`); !strings.Contains(got, "  [30] “Archive” (folder)") || !strings.Contains(got, "[40] “Books”") {
		t.Errorf("the administrator sees\n%s", got)
	}
	for args, want := range map[string]string{
		`{"rootUid":30}`:    "Page not found or not permitted.",
		`{"rootUid":999}`:   "Page not found or not permitted.",
		`{"rootUid":11}`:    "Page not found or not permitted.",
		`{"depth":6}`:       `The argument "depth" must be at most 5.`,
		`{"rootUid":-1}`:    `The argument "rootUid" must be at least 0.`,
		`{"root":1}`:        `Unknown argument "root". Allowed: depth, include_hidden, rootUid.`,
		`{"rootUid":"ten"}`: `The argument "rootUid" must be a whole number, not text.`,
	} {
		if got := s.read(t, s.Editor, "get_pagetree", args); got != want {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
}

func TestThePageContentIsThatOfTheUser(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	want := `Page [10] “Visit” (standard), language 0
Column 0 (Normal)
- [40] text “Welcome”: We are open. Come in.
- [41] textmedia “Gallery” · files in assets: 0
- [47] text “Imprint”
- [48] thirdparty_map “Map”
Column 1 (Left)
- [42] image (without a title) · files in image: 1
Column 100
- [43] textpic “Poster” · files in image: 0
`
	if diff := cmp.Diff(want, s.read(t, s.Editor, "get_page_content", `{"uid":10}`)); diff != "" {
		t.Error(diff)
	}
	if got := s.read(t, s.Admin, "get_page_content", `{"uid":10}`); !strings.Contains(got, "- [44] uploads “Downloads” (hidden) · files in media: 0") {
		t.Errorf("the administrator sees\n%s", got)
	}
	if diff := cmp.Diff("Page [10] “Visit” (standard), language 1\nColumn 0 (Normal)\n- [45] text “Willkommen”\n",
		s.read(t, s.Editor, "get_page_content", `{"language":1,"uid":10}`)); diff != "" {
		t.Error(diff)
	}
	for args, want := range map[string]string{
		`{"uid":30}`:              "Page not found or not permitted.",
		`{"uid":999}`:             "Page not found or not permitted.",
		`{"language":2,"uid":10}`: "Page not found or not permitted.",
		`{"uid":90}`:              "Page 90 is a translation. Read page 11 with language 1.",
		`{"uid":12}`:              "Page [12] “Team” (standard), language 0\nThere are no content elements on it in this language.\n",
		`{}`:                      `Missing argument "uid".`,
	} {
		if got := s.read(t, s.Editor, "get_page_content", args); got != want {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
}

func TestAPageWithManyElementsIsCut(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	var changes []content.Change
	for range 101 {
		changes = append(changes, content.Change{
			Op: content.Create, Table: content.Elements, PID: contenttest.VisitTeam, After: content.Last,
			Fields: map[string]any{"type": "text", "header": strings.Repeat("h", 130), "bodytext": "<p>" + strings.Repeat("ä", 250), "hidden": 0},
		})
	}
	contenttest.Set(t, s.Repository, content.System(), changes...)
	got := s.read(t, s.Editor, "get_page_content", `{"uid":12}`)
	if strings.Count(got, "\n- [") != 100 || !strings.Contains(got, "… and 1 more elements.") {
		t.Errorf("%d elements", strings.Count(got, "\n- ["))
	}
	if !strings.Contains(got, "“"+strings.Repeat("h", 120)+"…”: "+strings.Repeat("ä", 200)+"…\n") {
		t.Error("long values are not cut")
	}
}

func TestTextIsReadWithoutTags(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	for body, want := range map[string]string{
		`<p>One</p><p>two</p>`:                  "One two",
		`a<br>b<br/>c`:                          "a b c",
		`<ul><li>x</li><li><b>y</b>z</li></ul>`: "x yz",
		`1 < 2 &amp; 3 &gt; 2`:                  "1 < 2 & 3 > 2",
		`a<script>alert("<p>")</SCRIPT >b`:      "ab",
		`a<!-- > hidden --> b`:                  "a b",
		`open <a href="x`:                       "open",
		`<style>p{}`:                            "",
		"line\n\n\tbreak":                       "line break",
		`&lt;b&gt; stays`:                       "<b> stays",
		"zero\u200bwidth":                       `zero\u{200B}width`,
	} {
		s.change(t, content.Elements, contenttest.Intro, map[string]any{"bodytext": body})
		got := s.read(t, s.Editor, "get_page_content", `{"uid":10}`)
		line, _, _ := strings.Cut(got[strings.Index(got, "- [40]"):], "\n")
		wantLine := "- [40] text “Welcome”"
		if want != "" {
			wantLine += ": " + want
		}
		if line != wantLine {
			t.Errorf("%q reads %q, want %q", body, line, wantLine)
		}
	}
}
