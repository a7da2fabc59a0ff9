package editorial_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
)

const metadata = "update_page_metadata"

func (s *stage) page(t *testing.T, uid int64) content.Record {
	t.Helper()
	rec, err := s.Page(t.Context(), content.System(), uid)
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// Proves tools 103, 104, 105.
func TestMetadataThatCannotBeSetIsRefusedWhole(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	long := strings.Repeat("ä", 256)
	for args, want := range map[string]string{
		`{"slug":"/x","title":"New","uid":10}`: `Unknown argument "slug". Allowed: abstract, description, keywords, nav_title, og_description, og_title, seo_title, subtitle, title, twitter_card, twitter_description, twitter_title, uid.`,
		`{"title":"","uid":10}`:                `The argument "title" must not be empty.`,
		`{"title":" \n","uid":10}`:             `The argument "title" must not be empty.`,
		`{"title":"` + long + `","uid":10}`:    `The argument "title" has 256 characters; at most 255 are allowed.`,
		`{"title":7,"uid":10}`:                 `The argument "title" must be text, not a number.`,
		`{"title":"two\nlines","uid":10}`:      `The argument "title" must be a single line, without tabs.`,
		`{"abstract":"a\u0000b","uid":10}`:     `The argument "abstract" holds a character that cannot be stored.`,
		`{"twitter_card":"huge","uid":10}`:     `The argument "twitter_card" must be one of "", summary, summary_large_image, player, app.`,
		`{"uid":10}`:                           `Name at least one field to change.`,
		`{"title":"New","uid":20}`:             `Page not found or not permitted.`,
		`{"title":"New","uid":30}`:             `Page not found or not permitted.`,
		`{"title":"New","uid":91}`:             `Page not found or not permitted.`,
		`{"title":"New","uid":2}`:              `Page not found or not permitted.`,
		`{"title":"New","uid":999}`:            `Page not found or not permitted.`,
	} {
		if got := s.refusal(t, s.Editor, metadata, args); got != want {
			t.Errorf("%s:\n%q, want\n%q", args, got, want)
		}
	}
	if got, want := s.refusal(t, s.Plain, metadata, `{"description":"x","title":"New","uid":10}`), "The user this run acts for may not change description of pages. Nothing was written."; got != want {
		t.Errorf("without a grant: %q, want %q", got, want)
	}
	if got := s.page(t, contenttest.Visit).Text("title"); got != "Visit" {
		t.Errorf("title %q", got)
	}
}

// Proves tools 72, 104.
func TestMetadataIsWrittenAsApproved(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	result := s.approve(t, s.Editor, metadata, `{"abstract":"","description":"","title":"Your visit","uid":10}`)
	if got, want := result.Content, "Changed abstract, description and title of page 10 “Visit”. It shows wherever the page does; nothing else is needed."; got != want {
		t.Errorf("the model reads %q, want %q", got, want)
	}
	if w := result.Wrote; w == nil || *w != (imprimatur.Written{Table: content.Pages, UID: 10, Kind: "updated", Complete: true}) {
		t.Errorf("wrote %+v", w)
	}
	page := s.page(t, contenttest.Visit)
	if page.Text("title") != "Your visit" || page.Text("description") != "" || page.Text("slug") != "/visit" {
		t.Errorf("page %v", page.Fields)
	}
	before := s.history(t)
	result = s.approve(t, s.Editor, metadata, `{"title":"Your visit","uid":10}`)
	if result.Wrote != nil || s.history(t) != before || !strings.HasPrefix(result.Content, "Nothing to change") {
		t.Errorf("a repeat wrote: %+v", result)
	}
}

// Proves tools 30, 31; runtime 242.
func TestAPageThatMovedIsNotWritten(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	const args = `{"nav_title":"Visit us","uid":10}`
	shown, token := s.preview(t, s.Editor, metadata, args)
	s.change(t, content.Pages, contenttest.Visit, map[string]any{"keywords": "not shown"})
	now, _ := s.preview(t, s.Editor, metadata, args)
	if imprimatur.Compare(&imprimatur.Preview{Lines: shown}, imprimatur.Preview{Lines: now}) != imprimatur.Same {
		t.Error("what is not shown changed the picture")
	}
	if result, err := s.execute(t, s.Editor, metadata, args, token); err != nil || result.IsError {
		t.Errorf("%+v %v", result, err)
	}
	s.change(t, content.Pages, contenttest.Visit, map[string]any{"nav_title": "Plan your visit"})
	now, _ = s.preview(t, s.Editor, metadata, args)
	if imprimatur.Compare(&imprimatur.Preview{Lines: shown}, imprimatur.Preview{Lines: now}) != imprimatur.Changed {
		t.Error("what is shown changed and the picture did not")
	}
	before := s.history(t)
	if result, err := s.execute(t, s.Editor, metadata, args, token); !errors.Is(err, imprimatur.ErrMoved) || s.history(t) != before {
		t.Errorf("%+v %v", result, err)
	}
}

// Rights of pages have no version: a call that was approved and is refused now
// has another picture all the same.
//
// Proves tools 32.
func TestACallThatWasApprovedAndIsRefusedNowComesBack(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	const args = `{"nav_title":"Visit us","uid":10}`
	_, token := s.preview(t, s.Editor, metadata, args)
	if _, err := s.SetPageRights(t.Context(), contenttest.Visit, false, content.PageRights{}); err != nil {
		t.Fatal(err)
	}
	if result, err := s.execute(t, s.Editor, metadata, args, token); !errors.Is(err, imprimatur.ErrMoved) {
		t.Errorf("%+v %v", result, err)
	}
	if got := s.refusal(t, s.Editor, metadata, args); got != "Page not found or not permitted." {
		t.Errorf("%q", got)
	}
}

// A change beyond what the card shows moves length and hash.
//
// Proves runtime 242; tools 79.
func TestTheTailOfALongValueIsBound(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	args := `{"description":"` + strings.Repeat("a", 500) + `","uid":10}`
	s.change(t, content.Pages, contenttest.Visit, map[string]any{"description": strings.Repeat("b", 400) + "x"})
	shown, _ := s.preview(t, s.Editor, metadata, args)
	s.change(t, content.Pages, contenttest.Visit, map[string]any{"description": strings.Repeat("b", 400) + "y"})
	now, _ := s.preview(t, s.Editor, metadata, args)
	if imprimatur.Compare(&imprimatur.Preview{Lines: shown}, imprimatur.Preview{Lines: now}) != imprimatur.Changed {
		t.Errorf("the tail is not bound:\n%s\n%s", text(shown), text(now))
	}
}

// Proves tools 78.
func TestTwoPagesWithOneTitleDifferInTheTechnicalLine(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	a, _ := s.preview(t, s.Admin, metadata, `{"nav_title":"x","uid":12}`)
	b, _ := s.preview(t, s.Admin, metadata, `{"nav_title":"x","uid":22}`)
	last := len(a) - 1
	if len(a) != len(b) || a[1].Text != b[1].Text || a[last].Text == b[last].Text || !strings.Contains(b[last].Text, "22") {
		t.Errorf("%s\n%s", text(a), text(b))
	}
}

// Proves tools 148.
func TestSeeingAPageIsNotEnoughToReadItsPreview(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	const args = `{"title":"x","uid":20}` // the editor may see this page and not edit it
	if mayRead(t, s, metadata, args, s.Editor) {
		t.Error("the preview is not withheld")
	}
	if !mayRead(t, s, metadata, args, s.Admin) {
		t.Error("the preview is withheld from an administrator")
	}
	if result, err := s.execute(t, s.Editor, "get_page_content", `{"uid":20}`, nil); err != nil || result.IsError {
		t.Errorf("the editor does not see the page: %s %v", result.Content, err)
	}
}

// Proves tools 105.
func TestAFieldThatDidNotTakeIsNeverReportedAsSuccess(t *testing.T) {
	t.Parallel()
	dropping := func(names ...string) contenttest.Options {
		return contenttest.Options{Hook: func(op content.Op, row content.Ref, old content.Record, fields map[string]any) {
			if op != content.Update || row.Table != content.Pages {
				return
			}
			for _, name := range names {
				fields[name] = old.Fields[name]
			}
		}}
	}
	const args = `{"description":"New","title":"New","uid":10}`
	part := open(t, dropping("description"))
	_, token := part.preview(t, part.Editor, metadata, args)
	result, err := part.execute(t, part.Editor, metadata, args, token)
	if want := "In part: title of page 10 “Visit” changed, but the repository did not take description."; err != nil ||
		!result.IsError || result.Content != want || result.Wrote == nil || result.Wrote.Complete {
		t.Errorf("%+v %v, want %q", result, err, want)
	}
	none := open(t, dropping("description", "title"))
	takenBack(t, none, none.Editor, metadata, args, "The repository did not take description and title of page 10 “Visit”.")
}

func TestMetadataKeepsToTheFormsOfThePage(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	s.configured(t, contenttest.Museum, `{"pages":{"keywords":{"hidden":true},"abstract":{"read_only":true},"twitter_card":{"remove":["app"]}}}`)
	for args, want := range map[string]string{
		`{"keywords":"x","uid":10}`:       `The field keywords is not offered on this page. Nothing was written.`,
		`{"abstract":"x","uid":90}`:       `The field abstract is not offered on this page. Nothing was written.`,
		`{"twitter_card":"app","uid":10}`: `The argument "twitter_card" cannot take this value: the value is none of those on offer.`,
	} {
		if got := s.refusal(t, s.Editor, metadata, args); got != want {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
	s.approve(t, s.Editor, metadata, `{"title":"x","twitter_card":"player","uid":10}`)
}

func TestAFieldThatATranslationFollowsIsChangedAtItsOrigin(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	schema := contenttest.Schema(t)
	table, _ := schema.Table(content.Pages)
	for i, c := range table.Columns {
		if c.Name == "keywords" {
			table.Columns[i].Inherited = true
		}
	}
	following := with(t, s.Site, reopened(t, s, schema))
	if got, want := following.refusal(t, s.Editor, metadata, `{"keywords":"x","uid":90}`), "The field keywords of a translation follows page 11: change it there."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	following.approve(t, s.Editor, metadata, `{"keywords":"x","uid":11}`)
}

func TestEachRightThatMetadataTakesIsAskedFor(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	const neutral = "Page not found or not permitted."
	const args = `{"nav_title":"x","uid":90}`
	for name, test := range map[string]struct {
		takeAway func(r *imprimatur.Rights)
		want     string
	}{
		"table":      {func(r *imprimatur.Rights) { r.Modify = drop(r.Modify, content.Pages) }, neutral},
		"language":   {func(r *imprimatur.Rights) { r.Languages = drop(r.Languages, "1") }, neutral},
		"page mount": {func(r *imprimatur.Rights) { r.Pages = nil }, neutral},
		"field":      {func(r *imprimatur.Rights) { r.Fields = nil }, "The user this run acts for may not change nav_title of pages. Nothing was written."},
	} {
		if got := s.refusal(t, lacking(s.Editor, test.takeAway), metadata, args); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
	s.rights(t, contenttest.OpeningHours, content.AllBits&^content.BitEdit)
	if got := s.refusal(t, s.Editor, metadata, args); got != neutral {
		t.Errorf("without the bit: %q", got)
	}
	s.agrees(t, metadata, args, `{"title":"x","uid":10}`, `{"title":"x","uid":20}`, `{"description":"x","uid":10}`)
}

// Proves tools 49, 50.
func TestALabelThatChangesChangesThePicture(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	const args = `{"title":"x","uid":90}`
	german, _ := s.preview(t, s.German, metadata, args)
	english := s.German
	english.Lang = "en"
	if now, _ := s.preview(t, english, metadata, args); imprimatur.Compare(&imprimatur.Preview{Lines: german}, imprimatur.Preview{Lines: now}) != imprimatur.Changed {
		t.Error("another language gives the same picture")
	}
	if err := s.SetLanguage(t.Context(), content.Language{ID: 1, Code: "de", Label: imprimatur.ByLanguage{"en": "German", "de": "Hochdeutsch"}}); err != nil {
		t.Fatal(err)
	}
	if now, _ := s.preview(t, s.German, metadata, args); imprimatur.Compare(&imprimatur.Preview{Lines: german}, imprimatur.Preview{Lines: now}) != imprimatur.Changed {
		t.Error("another name of the language gives the same picture")
	}
}
