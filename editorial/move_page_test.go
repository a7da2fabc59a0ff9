package editorial_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
)

const movePage = "move_page"

func TestAPageMovesWithWhatIsOnItAndBelowIt(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	const args = `{"after_page_uid":40,"parent":2,"uid":10}`
	lines, _ := s.preview(t, s.Admin, movePage, args)
	for _, want := range []string{
		"Seite: „Visit“", "Derzeit: unter „Museum“", "Neu: unter „Shop“, direkt nach „Books“",
		"Ebenfalls verschoben: ihr Inhalt; Übersetzungen: keine; Unterseiten: 2", "URL-Pfad: unverändert, „/visit“",
		"Wichtig: Die Seite wechselt zu einer anderen Website.",
		"Seiten-UID 10, UID der bisherigen übergeordneten Seite 1, UID der übergeordneten Seite 2",
		"bisherige Startseiten-UID 1, Startseiten-UID 2",
	} {
		if !has(lines, want) {
			t.Errorf("no line %q in\n%s", want, text(lines))
		}
	}
	result := s.approve(t, s.Admin, movePage, args)
	if w := result.Wrote; w == nil || *w != (imprimatur.Written{Table: content.Pages, UID: 10, Kind: "updated", Complete: true}) {
		t.Errorf("wrote %+v", w)
	}
	if want := "Moved page 10 “Visit” under page 2 “Shop”. Content, translations and subpages moved along; the URL path is the same as before."; result.Content != want {
		t.Errorf("the model reads %q, want %q", result.Content, want)
	}
	if got, want := s.below(t, contenttest.Shop), []int64{40, 10}; !slices.Equal(got, want) {
		t.Errorf("subpages %v, want %v", got, want)
	}
	page := s.page(t, contenttest.Visit)
	if page.Text("slug") != "/visit" || s.page(t, contenttest.OpeningHours).PID != contenttest.Visit || s.element(t, contenttest.Intro).PID != contenttest.Visit {
		t.Errorf("page %+v", page)
	}
}

func TestTranslationsMoveAlong(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	const args = `{"parent":40,"uid":11}`
	if lines, _ := s.preview(t, s.Admin, movePage, args); !has(lines, "Übersetzungen: 2; Unterseiten: keine") {
		t.Error(text(lines))
	}
	s.approve(t, s.Admin, movePage, args)
	for _, uid := range []int64{contenttest.OpeningHours, contenttest.HoursGerman, contenttest.HoursFrench} {
		if got := s.page(t, uid).PID; got != contenttest.Books {
			t.Errorf("page %d is under page %d", uid, got)
		}
	}
}

// Proves tools 92.
func TestAMoveWithinTheParentTakesOnlyTheRightToEdit(t *testing.T) {
	t.Parallel()
	const neutral = "Page not found or not permitted."
	const within, elsewhere = `{"parent":10,"uid":12}`, `{"parent":1,"uid":12}`
	for name, test := range map[string]struct {
		page       content.Bits // on the page itself
		target     content.Bits // on the page to move under
		onTarget   int64
		args, want string
	}{
		"within, edit alone":         {content.BitShow | content.BitEdit, content.BitShow, contenttest.Visit, within, ""},
		"within, without edit":       {content.AllBits &^ content.BitEdit, content.AllBits, contenttest.Visit, within, neutral},
		"within, parent out of view": {content.AllBits, content.AllBits &^ content.BitShow, contenttest.Visit, within, neutral},
		"elsewhere, delete and new":  {content.BitShow | content.BitDelete, content.BitShow | content.BitNew, contenttest.Museum, elsewhere, ""},
		"elsewhere, without delete":  {content.AllBits &^ content.BitDelete, content.AllBits, contenttest.Museum, elsewhere, neutral},
		"elsewhere, without new":     {content.AllBits, content.AllBits &^ content.BitNew, contenttest.Museum, elsewhere, neutral},
		"page out of view":           {content.AllBits &^ content.BitShow, content.AllBits, contenttest.Museum, elsewhere, neutral},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, contenttest.Options{})
			s.rights(t, contenttest.VisitTeam, test.page)
			s.rights(t, test.onTarget, test.target)
			if test.want == "" {
				s.approve(t, s.Editor, movePage, test.args)
			} else if got := s.refusal(t, s.Editor, movePage, test.args); got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}

func TestEachRightThatAMoveTakesIsAskedFor(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	const neutral = "Page not found or not permitted."
	const args = `{"parent":1,"uid":12}`
	for name, takeAway := range map[string]func(r *imprimatur.Rights){
		"table":      func(r *imprimatur.Rights) { r.Modify = drop(r.Modify, content.Pages) },
		"language":   func(r *imprimatur.Rights) { r.Languages = drop(r.Languages, "0") },
		"page mount": func(r *imprimatur.Rights) { r.Pages = imprimatur.Set{"10"} },
	} {
		if got := s.refusal(t, lacking(s.Editor, takeAway), movePage, args); got != neutral {
			t.Errorf("%s: %q", name, got)
		}
	}
	s.change(t, content.Pages, contenttest.VisitTeam, map[string]any{"editlock": 1})
	if got := s.refusal(t, s.Editor, movePage, args); got != neutral {
		t.Errorf("locked: %q", got)
	}
	s.change(t, content.Pages, contenttest.VisitTeam, map[string]any{"editlock": 0})
	if got := s.refusal(t, s.Reader, movePage, args); got != neutral {
		t.Errorf("reader: %q", got)
	}
	want := "The page has translations that the user this run acts for may not change: French. Nothing was written."
	if got := s.refusal(t, s.Editor, movePage, `{"parent":1,"uid":11}`); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	french := s.Editor
	french.Rights.Languages = imprimatur.Set{"0", "1", "2"}
	s.approve(t, french, movePage, `{"parent":1,"uid":11}`)
	s.agrees(t, movePage, args, `{"after_page_uid":10,"uid":12}`, `{"parent":2,"uid":12}`, `{"parent":10,"uid":22}`, `{"parent":12,"uid":11}`)
}

// Proves tools 90, 91.
func TestAPageThatCannotMoveIsRefusedWhole(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	const neutral = `Page not found or not permitted.`
	for args, want := range map[string]string{
		`{"uid":12}`:                                 `Name parent, after_page_uid or both.`,
		`{"parent":1}`:                               `Missing argument "uid".`,
		`{"parent":12,"uid":12}`:                     `A page cannot be moved under itself.`,
		`{"after_page_uid":12,"uid":12}`:             `A page cannot be moved behind itself.`,
		`{"parent":0,"uid":12}`:                      `The argument "parent" must be at least 1.`,
		`{"after_page_uid":0,"parent":10,"uid":12}`:  `The argument "after_page_uid" must be at least 1.`,
		`{"parent":"1","uid":12}`:                    `The argument "parent" must be a whole number, not text.`,
		`{"parent":1.5,"uid":12}`:                    `The argument "parent" must be a whole number, not a number.`,
		`{"parent":1,"slug":"/x","uid":12}`:          `Unknown argument "slug". Allowed: after_page_uid, parent, uid.`,
		`{"parent":1,"uid":true}`:                    `The argument "uid" must be a whole number, not true or false.`,
		`{"after_page_uid":10,"parent":10,"uid":12}`: `There is no page 10 directly under page 10 to come after.`,
		`{"after_page_uid":30,"parent":1,"uid":12}`:  `There is no page 30 directly under page 1 to come after.`,
		`{"after_page_uid":1,"uid":12}`:              `Page 1 is at the top level, where no page can be moved to.`,
		`{"after_page_uid":90,"uid":12}`:             `Page 90 is a translation of page 11: name that page.`,
		`{"parent":90,"uid":12}`:                     `Page 90 is a translation of page 11: name that page.`,
		`{"parent":10,"uid":90}`:                     `Page 90 is a translation and moves along with page 11: name that page.`,
		`{"parent":12,"uid":90}`:                     `Page 90 is a translation and moves along with page 11: name that page.`,
		`{"parent":10,"uid":1}`:                      `Page 1 is the home page of a website and cannot be moved.`,
		`{"parent":12,"uid":10}`:                     `Page 12 is below page 10: a page cannot be moved into its own branch.`,
		`{"after_page_uid":12,"uid":10}`:             `Page 10 is below page 10: a page cannot be moved into its own branch.`,
		`{"parent":999,"uid":12}`:                    neutral,
		`{"parent":1,"uid":999}`:                     neutral,
		`{"after_page_uid":999,"uid":12}`:            neutral,
		`{"after_page_uid":30,"uid":12}`:             neutral,
		`{"after_page_uid":22,"uid":12}`:             neutral,
		`{"parent":2,"uid":12}`:                      neutral,
		`{"parent":10,"uid":20}`:                     neutral,
		`{"parent":10,"uid":30}`:                     neutral,
		`{"parent":10,"uid":91}`:                     neutral,
		`{"parent":20,"uid":12}`:                     neutral,
	} {
		if got := s.refusal(t, s.Editor, movePage, args); got != want {
			t.Errorf("%s:\n%q, want\n%q", args, got, want)
		}
	}
}

func TestAPageThatIsThereAlreadyIsNotWritten(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	before := s.history(t)
	for _, args := range []string{`{"after_page_uid":11,"uid":12}`, `{"parent":1,"uid":10}`} {
		if lines, _ := s.preview(t, s.Editor, movePage, args); !has(lines, "The page is there already; nothing changes.") {
			t.Error(text(lines))
		}
		if result := s.approve(t, s.Editor, movePage, args); result.Wrote != nil || !strings.HasPrefix(result.Content, "Nothing to change: page 1") {
			t.Errorf("%+v", result)
		}
	}
	s.approve(t, s.Editor, movePage, `{"parent":10,"uid":12}`)
	if got, want := s.below(t, contenttest.Visit), []int64{12, 11}; !slices.Equal(got, want) {
		t.Errorf("subpages %v, want %v", got, want)
	}
	once := s.history(t)
	s.approve(t, s.Editor, movePage, `{"parent":10,"uid":12}`)
	if once == before || s.history(t) != once {
		t.Errorf("history %d, %d, %d", before, once, s.history(t))
	}
}

// Proves tools 93.
func TestAMoveAcrossWebsitesSaysWhatBecomesOfTheAddress(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	outside := s.child(t, 0, content.Last, map[string]any{"title": "Store room", "hidden": 0})
	leaves := `{"parent":` + itoa(outside) + `,"uid":12}`
	lines, _ := s.preview(t, s.Admin, movePage, leaves)
	if !has(lines, "Wichtig: Die Seite verlässt ihre Website und hat danach keine Adresse mehr.") || !has(lines, "bisherige Startseiten-UID 1") || has(lines, ", Startseiten-UID") {
		t.Error(text(lines))
	}
	s.approve(t, s.Admin, movePage, leaves)
	joins := `{"parent":2,"uid":12}`
	lines, _ = s.preview(t, s.Admin, movePage, joins)
	if !has(lines, "Wichtig: Die Seite wird Teil einer Website.") || !has(lines, ", Startseiten-UID 2") || has(lines, "bisherige Startseiten-UID") {
		t.Error(text(lines))
	}
	stays := `{"after_page_uid":12,"uid":40}`
	s.approve(t, s.Admin, movePage, joins)
	if lines, _ = s.preview(t, s.Admin, movePage, stays); has(lines, "Wichtig") || !has(lines, ", Startseiten-UID 2") {
		t.Error(text(lines))
	}
}

func TestSubpagesAreCountedUpToAHundred(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	branch := func(n int) {
		changes := make([]content.Change, n)
		for i := range changes {
			changes[i] = content.Change{Op: content.Create, Table: content.Pages, PID: contenttest.VisitTeam, After: content.Last, Fields: map[string]any{"title": "x"}}
		}
		contenttest.Set(t, s.Repository, content.System(), changes...)
	}
	const args = `{"parent":1,"uid":12}`
	branch(100)
	if lines, _ := s.preview(t, s.Editor, movePage, args); !has(lines, "subpages: 100") || has(lines, "more than") {
		t.Error(text(lines))
	}
	branch(1)
	if lines, _ := s.preview(t, s.Editor, movePage, args); !has(lines, "subpages: more than 100") {
		t.Error(text(lines))
	}
	s.approve(t, s.Editor, movePage, args)
}

// A page whose parent the user may not see does not tell what that is called.
func TestAParentOutOfSightIsNotNamed(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	under := s.child(t, contenttest.Archive, content.Last, map[string]any{"title": "Loan"})
	args := `{"parent":10,"uid":` + itoa(under) + `}`
	lines, _ := s.preview(t, s.Editor, movePage, args)
	if !has(lines, "Currently: under a page that is out of sight") || has(lines, "Archive") {
		t.Error(text(lines))
	}
	s.approve(t, s.Editor, movePage, args)
}

// Proves tools 32.
func TestAMoveWhosePictureChangedIsNotCarriedOut(t *testing.T) {
	t.Parallel()
	remove := func(uid int64) func(*testing.T, *stage) {
		return func(t *testing.T, s *stage) {
			contenttest.Set(t, s.Repository, content.System(), content.Change{Op: content.Delete, Table: content.Pages, UID: uid})
		}
	}
	rename := func(uid int64) func(*testing.T, *stage) {
		return func(t *testing.T, s *stage) { s.change(t, content.Pages, uid, map[string]any{"title": "New"}) }
	}
	movedWhen(t, admin, movePage, `{"after_page_uid":40,"parent":2,"uid":11}`, map[string]func(*testing.T, *stage){
		"the page was renamed":          rename(contenttest.OpeningHours),
		"the former parent was renamed": rename(contenttest.Visit),
		"the parent was renamed":        rename(contenttest.Shop),
		"the page in front was renamed": rename(contenttest.Books),
		"the page was deleted":          remove(contenttest.OpeningHours),
		"the page in front was deleted": remove(contenttest.Books),
		"a translation was deleted":     remove(contenttest.HoursFrench),
		"a subpage appeared": func(t *testing.T, s *stage) {
			s.child(t, contenttest.OpeningHours, content.Last, map[string]any{"title": "x"})
		},
		"the path changed": func(t *testing.T, s *stage) {
			s.change(t, content.Pages, contenttest.OpeningHours, map[string]any{"slug": "/hours"})
		},
		"the website is none any more": func(t *testing.T, s *stage) {
			s.change(t, content.Pages, contenttest.Shop, map[string]any{"is_siteroot": 0})
		},
		"the page was moved by somebody else": func(t *testing.T, s *stage) {
			s.approve(t, s.Admin, movePage, `{"parent":12,"uid":11}`)
		},
	})
}

// Proves tools 30, 31.
func TestAMoveRunsAlthoughSomethingElseChanged(t *testing.T) {
	t.Parallel()
	runsWhen(t, admin, movePage, `{"after_page_uid":40,"parent":2,"uid":11}`, map[string]func(*testing.T, *stage){
		"the page was described": func(t *testing.T, s *stage) {
			s.change(t, content.Pages, contenttest.OpeningHours, map[string]any{"description": "New"})
		},
		"a translation was renamed": func(t *testing.T, s *stage) {
			s.change(t, content.Pages, contenttest.HoursGerman, map[string]any{"title": "Zeiten"})
		},
		"another page appeared": func(t *testing.T, s *stage) {
			s.child(t, contenttest.Shop, content.Last, map[string]any{"title": "Music"})
		},
		"content was added": func(t *testing.T, s *stage) {
			contenttest.Set(t, s.Repository, content.System(), content.Change{
				Op: content.Create, Table: content.Elements, PID: contenttest.OpeningHours, Fields: map[string]any{"type": "text", "header": "x"},
			})
		},
	})
}

func TestTwoMovesOfOneTurnBothRun(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	const first, second = `{"parent":10,"uid":22}`, `{"parent":2,"uid":10}` // the second takes the first along
	_, firstToken := s.preview(t, s.Admin, movePage, first)
	_, secondToken := s.preview(t, s.Admin, movePage, second)
	one, err := s.execute(t, s.Admin, movePage, first, firstToken)
	if err != nil || one.IsError || one.Token == nil {
		t.Fatalf("%+v %v", one, err)
	}
	two, err := s.execute(t, s.Admin, movePage, second, secondToken, one.Token)
	if err != nil || two.IsError {
		t.Fatalf("%+v %v", two, err)
	}
	if got, want := s.below(t, contenttest.Visit), []int64{22, 11, 12}; !slices.Equal(got, want) {
		t.Errorf("subpages %v, want %v", got, want)
	}
}

func TestAMoveThatComesOutWrongIsTakenBack(t *testing.T) {
	t.Parallel()
	const args = `{"parent":1,"uid":12}`
	s := open(t, contenttest.Options{})
	s.trigger(t, "UPDATE ON content_records WHEN NEW.tab = 'pages' AND NEW.uid = 12 AND NEW.version <> OLD.version",
		"UPDATE content_records SET sorting = 100000 WHERE tab = 'pages' AND uid = 12")
	takenBack(t, s, s.Editor, movePage, args, "The page would have come out at another place.")

	bent := open(t, contenttest.Options{Hook: func(_ content.Op, row content.Ref, _ content.Record, fields map[string]any) {
		if row.Table == content.Pages {
			fields["slug"], fields["hidden"] = "/moved", int64(1)
		}
	}})
	takenBack(t, bent, bent.Editor, movePage, args, "The page would have come out with another value of hidden and slug.")
}

func TestATranslationThatStaysBehindIsNamed(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	s.trigger(t, "UPDATE ON content_records WHEN NEW.tab = 'pages' AND NEW.uid = 90 AND NEW.pid <> 10",
		"UPDATE content_records SET pid = 10 WHERE tab = 'pages' AND uid = 90")
	const args = `{"parent":40,"uid":11}`
	_, token := s.preview(t, s.Admin, movePage, args)
	result, err := s.execute(t, s.Admin, movePage, args, token)
	want := "Moved page 11 “Opening hours” under page 40 “Books”, but not completely: these translations stayed behind: German."
	if err != nil || !result.IsError || result.Content != want || result.Wrote == nil || result.Wrote.Complete {
		t.Errorf("%+v %v, want %q", result, err, want)
	}
}

// The lines of a move are labels with values: none of them is a heading but the
// first.
//
// Proves tools 66.
func TestAPageCalledLikeAHeadingMakesNone(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	s.change(t, content.Pages, contenttest.VisitTeam, map[string]any{"title": "Move page"})
	lines, _ := s.preview(t, s.Editor, movePage, `{"parent":1,"uid":12}`)
	for i, l := range lines {
		if catalogue.IsHeading(l.Text, "en") != (i == 0) {
			t.Errorf("line %d: %q", i, l.Text)
		}
	}
}

// A card that says "nothing changes" is no permission to write, even where an
// earlier call of the turn is what there would be to undo.
func TestWhatWasToStayAsItIsIsNotWrittenInItsTurn(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ first, second example }{
		"a page that was there already": {
			example{"move_page", `{"after_page_uid":12,"uid":11}`},
			example{"move_page", `{"parent":10,"uid":11}`},
		},
		"one field of two": {
			example{"update_page_metadata", `{"title":"Hours","uid":11}`},
			example{"update_page_metadata", `{"subtitle":"New","title":"Opening hours","uid":11}`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, contenttest.Options{})
			u := s.Admin
			u.Lang = "en"
			_, first := s.preview(t, u, c.first.tool, c.first.args)
			lines, second := s.preview(t, u, c.second.tool, c.second.args)
			if !has(lines, "nothing changes") && !has(lines, "unchanged") {
				t.Fatalf("the second card promises changes alone:\n%s", text(lines))
			}
			done, err := s.execute(t, u, c.first.tool, c.first.args, first)
			if err != nil || done.IsError || done.Wrote == nil {
				t.Fatalf("%+v %v", done, err)
			}
			before := s.history(t)
			if result, err := s.execute(t, u, c.second.tool, c.second.args, second, done.Token); !errors.Is(err, imprimatur.ErrMoved) {
				t.Errorf("%+v %v", result, err)
			}
			if after := s.history(t); after != before {
				t.Errorf("%d entries of history", after-before)
			}
		})
	}
}
