package editorial_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
)

const publish = "publish_record"

// Proves tools 44, 84, 112, 113.
func TestPublishingClearsTheHiddenColumnAndNothingElse(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	s.change(t, content.Elements, contenttest.IntroGerman, map[string]any{"hidden": 1})
	for name, c := range map[string]struct {
		args string
		ref  content.Ref
		want string
	}{
		"page":                   {`{"table":"pages","uid":11}`, content.Ref{Table: content.Pages, UID: contenttest.OpeningHours}, "Made page 11 “Opening hours” visible."},
		"translation of element": {`{"table":"content","uid":45}`, content.Ref{Table: content.Elements, UID: contenttest.IntroGerman}, "Made content element 45 “Willkommen” visible."},
	} {
		before := s.dump(t)
		was, err := s.Row(t.Context(), c.ref)
		if err != nil {
			t.Fatal(err)
		}
		result := s.approve(t, s.Editor, publish, c.args)
		if result.Content != c.want {
			t.Errorf("%s: %q", name, result.Content)
		}
		if diff := cmp.Diff(&imprimatur.Written{Table: c.ref.Table, UID: c.ref.UID, Kind: "updated", Complete: true}, result.Wrote); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if diff := cmp.Diff([]content.Ref{c.ref}, differing(before, s.dump(t))); diff != "" {
			t.Errorf("%s: other rows changed: %s", name, diff)
		}
		now, err := s.Row(t.Context(), c.ref)
		if err != nil {
			t.Fatal(err)
		}
		was.Fields["hidden"] = int64(0)
		if diff := cmp.Diff(was.Fields, now.Fields); diff != "" {
			t.Errorf("%s: other columns changed: %s", name, diff)
		}
	}
}

// Proves tools 112.
func TestPublishingWhatIsVisibleWritesNothing(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	before := s.history(t)
	result := s.approve(t, s.German, publish, `{"table":"content","uid":40}`)
	if result.Wrote != nil || result.Token != nil || s.history(t) != before {
		t.Errorf("%+v, %d entries of history", result, s.history(t)-before)
	}
	if want := "Nothing to change: content element 40 “Welcome” is visible already."; result.Content != want {
		t.Errorf("%q, want %q", result.Content, want)
	}
	if lines, _ := s.preview(t, s.German, publish, `{"table":"content","uid":40}`); !has(lines, "Bereits sichtbar; es ändert sich nichts.") {
		t.Errorf("the card does not say so:\n%s", text(lines))
	}
}

// Proves tools 84, 113.
func TestWhatKeepsVisitorsAwayAllTheSameIsShown(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	start := time.Date(2020, 5, 1, 8, 30, 0, 0, time.FixedZone("CEST", 7200)).Unix()
	stop := time.Date(2040, 12, 31, 23, 59, 59, 0, time.UTC).Unix()
	s.change(t, content.Pages, contenttest.HoursGerman, map[string]any{"hidden": 1, "starttime": start, "endtime": stop, "fe_group": "3,0,-2"})
	const args = `{"table":"pages","uid":90}`
	cards(t, s, "restricted", publish, args)
	lines, _ := s.preview(t, s.German, publish, args)
	for _, part := range []string{"2020-05-01 06:30:00 UTC", "2040-12-31 23:59:59 UTC"} {
		if !has(lines, part) {
			t.Errorf("%q is not shown:\n%s", part, text(lines))
		}
	}
	result := s.approve(t, s.Editor, publish, args)
	for _, part := range []string{"start time: 2020-05-01 06:30:00 UTC.", "stop time: 2040-12-31 23:59:59 UTC.", "certain user groups", "pages 11, is still hidden."} {
		if !strings.Contains(result.Content, part) {
			t.Errorf("%q is not told: %s", part, result.Content)
		}
	}
	s.change(t, content.Pages, contenttest.HoursGerman, map[string]any{"hidden": 1, "starttime": 0, "endtime": 0, "fe_group": "0"})
	s.change(t, content.Pages, contenttest.OpeningHours, map[string]any{"hidden": 0})
	if lines, _ := s.preview(t, s.German, publish, args); has(lines, "Wichtig") {
		t.Errorf("there are warnings:\n%s", text(lines))
	}
}

// The same record reads the same whatever the clock says.
//
// Proves tools 84.
func TestAPublicationDoesNotDependOnTheClock(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	s.change(t, content.Pages, contenttest.OpeningHours, map[string]any{"starttime": contenttest.Now().Unix() + 60})
	const args = `{"table":"pages","uid":11}`
	first, _ := s.preview(t, s.Editor, publish, args)
	later, err := content.Open(content.Config{
		Writer: s.DB, Reader: s.DB, Schema: contenttest.Schema(t), Storages: imprimatur.Set{"media"},
		Now: func() time.Time { return contenttest.Now().AddDate(1, 0, 0) },
	})
	if err != nil {
		t.Fatal(err)
	}
	second, _ := with(t, s.Site, later).preview(t, s.Editor, publish, args)
	if diff := cmp.Diff(first, second); diff != "" {
		t.Error(diff)
	}
}

func TestPublishingNeedsEachRight(t *testing.T) {
	t.Parallel()
	const page, element = `{"table":"pages","uid":11}`, `{"table":"content","uid":40}`
	const noPage, noElement = "Page not found or not permitted.", "Content element not found or not permitted."
	for name, c := range map[string]struct {
		args, want string
		without    func(r *imprimatur.Rights)
	}{
		"page, table":    {page, noPage, func(r *imprimatur.Rights) { r.Modify = drop(r.Modify, content.Pages) }},
		"page, mount":    {page, noPage, func(r *imprimatur.Rights) { r.Pages = nil }},
		"page, language": {page, noPage, func(r *imprimatur.Rights) { r.Languages = imprimatur.Set{"1"} }},
		"page, field":    {page, "The user this run acts for may not change hidden of pages. Nothing was written.", func(r *imprimatur.Rights) { r.Fields = drop(r.Fields, "pages.hidden") }},
		"element, table": {element, noElement, func(r *imprimatur.Rights) { r.Modify = drop(r.Modify, content.Elements) }},
		"element, read pages": {element, noElement, func(r *imprimatur.Rights) {
			r.Modify, r.Select = drop(r.Modify, content.Pages), drop(r.Select, content.Pages)
		}},
		"element, value":       {element, noElement, func(r *imprimatur.Rights) { r.Values = drop(r.Values, "content.type.text") }},
		"element, language":    {`{"table":"content","uid":45}`, noElement, func(r *imprimatur.Rights) { r.Languages = imprimatur.Set{"0"} }},
		"element, field":       {element, "The user this run acts for may not change hidden of content. Nothing was written.", func(r *imprimatur.Rights) { r.Fields = drop(r.Fields, "content.hidden") }},
		"nothing is taken":     {element, "", func(*imprimatur.Rights) {}},
		"nothing of a page is": {page, "", func(*imprimatur.Rights) {}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, contenttest.Options{})
			u := lacking(s.Editor, c.without)
			if got := mayRead(t, s, publish, c.args, u); got != (c.want == "") {
				t.Errorf("may read the preview: %t", got)
			}
			if c.want == "" {
				s.approve(t, u, publish, c.args)
			} else if got := s.refusal(t, u, publish, c.args); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
	s := open(t, contenttest.Options{})
	for name, bits := range map[string]content.Bits{"edit": content.AllBits &^ content.BitEdit, "content": content.AllBits &^ content.BitContent} {
		for _, uid := range []int64{contenttest.Visit, contenttest.OpeningHours} {
			s.rights(t, uid, bits)
		}
		if name == "edit" {
			neutral(t, s, s.Editor, publish, noPage, map[string]string{"page": page})
		} else {
			neutral(t, s, s.Editor, publish, noElement, map[string]string{"element": element})
		}
	}
}

func TestWhatCannotBePublishedIsRefused(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	neutral(t, s, s.Editor, publish, "Content element not found or not permitted.", map[string]string{
		"missing": `{"table":"content","uid":999}`, "elsewhere": `{"table":"content","uid":46}`,
		"locked": `{"table":"content","uid":47}`, "of a type without a grant": `{"table":"content","uid":48}`,
	})
	neutral(t, s, s.Editor, publish, "Page not found or not permitted.", map[string]string{
		"missing": `{"table":"pages","uid":999}`, "read-only": `{"table":"pages","uid":20}`,
		"unseen": `{"table":"pages","uid":30}`, "in another language": `{"table":"pages","uid":91}`,
	})
	for args, want := range map[string]string{
		`{"table":"news","uid":60}`:                  `The argument "table" must be one of pages, content.`,
		`{"table":"pages"}`:                          `Missing argument "uid".`,
		`{"table":"pages","uid":0}`:                  `The argument "uid" must be at least 1.`,
		`{"table":"pages","uid":"11"}`:               `The argument "uid" must be a whole number, not text.`,
		`{"table":"pages","uid":11,"hidden":false}`:  `Unknown argument "hidden". Allowed: table, uid.`,
		`{"table":"pages","uid":11,"x</b>y":"ö 日本"}`: `Unknown argument "xby". Allowed: table, uid.`,
	} {
		if got := s.refusal(t, s.Editor, publish, args); got != want {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
}

// Proves tools 24, 31, 32.
func TestAPublicationHoldsToWhatWasShown(t *testing.T) {
	t.Parallel()
	const args = `{"table":"pages","uid":90}`
	hidden := func(t *testing.T) *stage {
		s := open(t, contenttest.Options{})
		s.change(t, content.Pages, contenttest.HoursGerman, map[string]any{"hidden": 1})
		return s
	}
	for name, meanwhile := range map[string]func(t *testing.T, s *stage){
		"renamed":          func(t *testing.T, s *stage) { s.change(t, content.Pages, 90, map[string]any{"title": "Zeiten"}) },
		"parent renamed":   func(t *testing.T, s *stage) { s.change(t, content.Pages, 10, map[string]any{"title": "Come"}) },
		"given a time":     func(t *testing.T, s *stage) { s.change(t, content.Pages, 90, map[string]any{"starttime": 99}) },
		"made visible":     func(t *testing.T, s *stage) { s.change(t, content.Pages, 90, map[string]any{"hidden": 0}) },
		"original visible": func(t *testing.T, s *stage) { s.change(t, content.Pages, 11, map[string]any{"hidden": 0}) },
		"given to a group": func(t *testing.T, s *stage) { s.change(t, content.Pages, 90, map[string]any{"fe_group": "4"}) },
		"deleted": func(t *testing.T, s *stage) {
			contenttest.Set(t, s.Repository, s.Admin, content.Change{Op: content.Delete, Table: content.Pages, UID: 90})
		},
		"locked":            func(t *testing.T, s *stage) { s.change(t, content.Pages, 90, map[string]any{"editlock": 1}) },
		"taken out of view": func(t *testing.T, s *stage) { s.rights(t, contenttest.OpeningHours, 0) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := hidden(t)
			_, token := s.preview(t, s.Editor, publish, args)
			meanwhile(t, s)
			comesBack(t, s, s.Editor, publish, args, token)
		})
	}
	t.Run("changed out of sight", func(t *testing.T) {
		t.Parallel()
		s := hidden(t)
		_, token := s.preview(t, s.Editor, publish, args)
		s.change(t, content.Pages, contenttest.HoursGerman, map[string]any{"subtitle": "x"})
		s.change(t, content.Pages, contenttest.OpeningHours, map[string]any{"title": "x"})
		if result, err := s.execute(t, s.Editor, publish, args, token); err != nil || result.IsError {
			t.Errorf("%+v %v", result, err)
		}
	})
}

// Proves tools 26; runtime 242.
func TestAChangeAndAPublicationOfOneTurnBothRun(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	const rename, show = `{"title":"Hours","uid":11}`, `{"table":"pages","uid":11}`
	_, first := s.preview(t, s.Editor, "update_page_metadata", rename)
	_, second := s.preview(t, s.Editor, publish, show)
	_, third := s.preview(t, s.Editor, publish, show)
	renamed, err := s.execute(t, s.Editor, "update_page_metadata", rename, first)
	if err != nil || renamed.IsError {
		t.Fatalf("%+v %v", renamed, err)
	}
	shown, err := s.execute(t, s.Editor, publish, show, second, renamed.Token)
	if err != nil || shown.IsError || shown.Content != "Made page 11 “Hours” visible." {
		t.Fatalf("%+v %v", shown, err)
	}
	again, err := s.execute(t, s.Editor, publish, show, third, renamed.Token, shown.Token)
	if err != nil || again.IsError || again.Wrote != nil {
		t.Errorf("%+v %v", again, err)
	}
	s.change(t, content.Pages, contenttest.OpeningHours, map[string]any{"hidden": 1, "title": "Times"})
	if _, err := s.execute(t, s.Editor, publish, show, third, renamed.Token, shown.Token); !errors.Is(err, imprimatur.ErrMoved) {
		t.Errorf("after a stranger: %v", err)
	}
}

func TestAPublicationThatCameOutWrongIsTakenBack(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		bend func(fields map[string]any)
		want string
	}{
		"still hidden": {func(f map[string]any) { f["hidden"] = int64(1) }, "The repository left page 11 “Opening hours” hidden."},
		"renamed":      {func(f map[string]any) { f["title"] = "x" }, "The repository would have changed title of page 11 “Opening hours” as well."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, contenttest.Options{Hook: func(op content.Op, _ content.Ref, _ content.Record, fields map[string]any) {
				if op == content.Update {
					c.bend(fields)
				}
			}})
			takenBack(t, s, s.Editor, publish, `{"table":"pages","uid":11}`, c.want)
		})
	}
}

// A parent that is out of sight is not named.
func TestAParentThatTheUserMayNotSeeIsNotNamed(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	u := lacking(s.Editor, func(r *imprimatur.Rights) { r.Pages = imprimatur.Set{"11"} })
	lines, _ := s.preview(t, u, publish, `{"table":"pages","uid":11}`)
	if has(lines, "Visit") || !has(lines, "Location: under a page that is out of sight") {
		t.Error(text(lines))
	}
}
