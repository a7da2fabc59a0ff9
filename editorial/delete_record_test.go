package editorial_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
)

const remove = "delete_record"

func removePage(uid int64) string {
	return fmt.Sprintf(`{"include_subpages":true,"table":"pages","uid":%d}`, uid)
}

func removeElement(uid int64) string { return fmt.Sprintf(`{"table":"content","uid":%d}`, uid) }

// gone are the rows that are there before and not after, and others are the
// other rows that differ.
func gone(t *testing.T, s *stage, before map[content.Ref]string) (gone, others []content.Ref) {
	t.Helper()
	after := s.dump(t)
	for _, ref := range differing(before, after) {
		if strings.Replace(before[ref], "deleted false", "deleted true", 1) == after[ref] {
			gone = append(gone, ref)
		} else {
			others = append(others, ref)
		}
	}
	return gone, others
}

// Proves tools 99.
func TestADeletedPageTakesAlongWhatItsCardCounts(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	r := furnished(t, s)
	cards(t, s, "rooms", remove, removePage(r.page))
	before := s.dump(t)
	result := s.approve(t, curator(s), remove, removePage(r.page))
	taken, others := gone(t, s, before)
	// The page, its translation, 3 subpages, a translation of one, 5 records on
	// the first page and 1 on another, 2 file references.
	if len(taken) != 14 || len(others) != 0 {
		t.Errorf("%d rows are deleted: %v; other rows changed: %v", len(taken), taken, others)
	}
	if diff := cmp.Diff(&imprimatur.Written{Table: content.Pages, UID: r.page, Kind: "deleted", Complete: true}, result.Wrote); diff != "" {
		t.Error(diff)
	}
	if want := fmt.Sprintf("Deleted page %d “Rooms” with 13 records that belonged to it or lay on it. A person can bring it back.", r.page); result.Content != want {
		t.Errorf("%q, want %q", result.Content, want)
	}
	contenttest.Set(t, s.Repository, s.Admin, content.Change{Op: content.Restore, Table: content.Pages, UID: r.page})
	if left := differing(before, s.dump(t)); len(left) != 0 {
		t.Errorf("what was restored differs: %v", left)
	}
	s.refusal(t, s.Nobody, remove, removePage(r.page))
}

// Proves tools 99.
func TestTheCardOfADeletedPageHasItsOrder(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	r := furnished(t, s)
	u := curator(s)
	u.Lang = "de"
	lines, _ := s.preview(t, u, remove, removePage(r.page))
	var names []string
	for _, l := range lines {
		name, _, _ := strings.Cut(l.Text, ":")
		names = append(names, name)
		if strings.Contains(strings.ToLower(l.Text), "weiterleitung") {
			t.Errorf("a redirect is spoken of: %s", l.Text)
		}
	}
	want := []string{
		"Seite löschen", "Seite", "Sprache", "Übersetzungen", "Unterseiten", "Auf diesen Seiten gespeicherte Datensätze",
		"Verwendungen von Dateien", "Wichtig", "Wiederherstellbar", "Technische Angaben",
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
}

func TestADeletedElementTakesAlongWhatBelongsToIt(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	r := furnished(t, s)
	cards(t, s, "accordion", remove, removeElement(r.element))
	before := s.dump(t)
	s.approve(t, curator(s), remove, removeElement(r.element))
	if taken, others := gone(t, s, before); len(taken) != 5 || len(others) != 0 {
		t.Errorf("%d rows are deleted: %v; other rows changed: %v", len(taken), taken, others)
	}
}

func TestADeletedTranslationLeavesItsOriginalAndTheContent(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	r := furnished(t, s)
	args := fmt.Sprintf(`{"table":"pages","uid":%d}`, r.german)
	cards(t, s, "translation", remove, args)
	before := s.dump(t)
	s.approve(t, curator(s), remove, args)
	taken, others := gone(t, s, before)
	if diff := cmp.Diff([]content.Ref{{Table: content.Pages, UID: r.german}}, taken); diff != "" || len(others) != 0 {
		t.Errorf("%s; other rows changed: %v", diff, others)
	}
}

// What refers to the record from inside of what is deleted does not count.
func TestReferencesFromElsewhereAreCounted(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	r := furnished(t, s)
	lines, _ := s.preview(t, curator(s), remove, removePage(r.page))
	if !has(lines, "Important: 1 other record refers to what is deleted.") {
		t.Error(text(lines))
	}
	s.make(t, content.Change{Table: content.Pages, PID: contenttest.Museum, Fields: map[string]any{"title": "x", "doktype": "shortcut", "shortcut": r.subpages[0]}})
	lines, _ = s.preview(t, curator(s), remove, removePage(r.page))
	if !has(lines, "Important: 2 other records refer to what is deleted.") {
		t.Error(text(lines))
	}
	s.change(t, content.Elements, contenttest.Intro, map[string]any{"header_link": ""})
	lines, _ = s.preview(t, curator(s), remove, fmt.Sprintf(`{"table":"content","uid":%d}`, r.element))
	if !has(lines, "References from other records: none") {
		t.Error(text(lines))
	}
}

// Proves tools 95, 96, 97.
func TestSubpagesAreDeletedOnlyOnRequestAndNotTooMany(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	r := furnished(t, s)
	if got, want := s.refusal(t, curator(s), remove, fmt.Sprintf(`{"table":"pages","uid":%d}`, r.page)),
		fmt.Sprintf("Page %d has 3 subpages. Set include_subpages to true to delete them with it.", r.page); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := s.refusal(t, curator(s), remove, fmt.Sprintf(`{"include_subpages":false,"table":"pages","uid":%d}`, r.page)),
		fmt.Sprintf("Page %d has 3 subpages. Set include_subpages to true to delete them with it.", r.page); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for value, want := range map[string]string{
		`"true"`: `The argument "include_subpages" must be true or false, not text.`,
		`1`:      `The argument "include_subpages" must be true or false, not a number.`,
	} {
		if got := s.refusal(t, curator(s), remove, fmt.Sprintf(`{"include_subpages":%s,"table":"pages","uid":%d}`, value, r.page)); got != want {
			t.Errorf("%s: %q, want %q", value, got, want)
		}
	}
	parent := r.subpages[2]
	for range 46 {
		s.child(t, parent, 0, map[string]any{"title": "x"})
	}
	if lines, _ := s.preview(t, curator(s), remove, removePage(r.page)); !has(lines, "Subpages: 49 and 1 translation of them, deleted with it") {
		t.Error(text(lines))
	}
	s.child(t, parent, 0, map[string]any{"title": "50"})
	s.preview(t, curator(s), remove, removePage(r.page))
	s.child(t, parent, 0, map[string]any{"title": "51"})
	want := fmt.Sprintf("Page %d has more than 50 subpages; so many cannot be deleted at once.", r.page)
	for _, args := range []string{removePage(r.page), fmt.Sprintf(`{"table":"pages","uid":%d}`, r.page)} {
		if got := s.refusal(t, curator(s), remove, args); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Proves tools 100.
func TestTheTechnicalLineNamesTenSubpages(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	parent := s.child(t, contenttest.Visit, 0, map[string]any{"title": "Twelve"})
	var uids []string
	for range 12 {
		uids = append(uids, itoa(s.child(t, parent, content.Last, map[string]any{"title": "x"})))
	}
	lines, _ := s.preview(t, s.Editor, remove, removePage(parent))
	want := fmt.Sprintf("subpage UIDs %s and 2 more", strings.Join(uids[:10], ", "))
	if last := lines[len(lines)-1].Text; !strings.HasSuffix(last, want) {
		t.Errorf("%q does not end in %q", last, want)
	}
	if !has(lines, "Subpages: 12, deleted with it") {
		t.Error(text(lines))
	}
}

// Proves tools 101.
func TestAPageIsDeletedWholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	const whole = " It is deleted whole or not at all."
	for name, c := range map[string]struct {
		with func(t *testing.T, s *stage, r rooms)
		u    func(u imprimatur.User) imprimatur.User
		want string
	}{
		"a translation": {func(t *testing.T, s *stage, r rooms) {
			s.make(t, content.Change{Table: content.Pages, Language: 2, Origin: r.page, Fields: map[string]any{"title": "Salles"}})
		}, nil, "Something in French would be deleted with it, a language that the user this run acts for may not work in." + whole},
		"content in two languages": {func(t *testing.T, s *stage, r rooms) {
			s.make(t, content.Change{Table: content.Elements, PID: r.subpages[0], Language: 2, Fields: map[string]any{"type": "text"}})
		}, func(u imprimatur.User) imprimatur.User {
			return lacking(u, func(r *imprimatur.Rights) { r.Languages = imprimatur.Set{"0"} })
		}, "Something in German and French would be deleted with it, a language that the user this run acts for may not work in." + whole},
		"records of a table": {nil, func(u imprimatur.User) imprimatur.User {
			return lacking(u, func(r *imprimatur.Rights) { r.Modify = drop(r.Modify, "news", "accordion_items") })
		}, "Records of accordion_items and news would be deleted with it, which the user this run acts for may not change." + whole},
		"file references": {nil, func(u imprimatur.User) imprimatur.User {
			return lacking(u, func(r *imprimatur.Rights) { r.Modify = drop(r.Modify, content.FileReferences) })
		}, "Records of file_references would be deleted with it, which the user this run acts for may not change." + whole},
		"a locked element": {func(t *testing.T, s *stage, r rooms) {
			s.change(t, content.Elements, r.picture, map[string]any{"editlock": 1})
		}, nil, "Something that would be deleted with it may not be changed by the user this run acts for." + whole},
		"a kind of element": {nil, func(u imprimatur.User) imprimatur.User {
			return lacking(u, func(r *imprimatur.Rights) { r.Values = drop(r.Values, "content.type.accordion") })
		}, "Something that would be deleted with it may not be changed by the user this run acts for." + whole},
		"a subpage": {func(t *testing.T, s *stage, r rooms) {
			s.rights(t, r.subpages[1], content.AllBits&^content.BitDelete)
		}, nil, "Page %d has a subpage that the user this run acts for may not delete." + whole},
		"a locked subpage": {func(t *testing.T, s *stage, r rooms) {
			s.change(t, content.Pages, r.subpages[2], map[string]any{"editlock": 1})
		}, nil, "Page %d has a subpage that the user this run acts for may not delete." + whole},
		"a website": {func(t *testing.T, s *stage, r rooms) {
			s.change(t, content.Pages, r.subpages[2], map[string]any{"is_siteroot": 1})
		}, nil, "Page %d has a subpage that is the root of a website. It cannot be deleted with this tool."},
		"drafts": {func(t *testing.T, s *stage, r rooms) {
			s.make(t, content.Change{Table: content.Elements, PID: r.page, Workspace: 1, DraftOf: r.element, Fields: map[string]any{"header": "Secret plan"}})
			s.make(t, content.Change{Table: content.Elements, PID: r.subpages[0], Workspace: 1, Fields: map[string]any{"header": "Secret too"}})
		}, nil, "Draft versions in workspaces would be deleted with it: 2. Publish or discard them first."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, contenttest.Options{})
			r := furnished(t, s)
			u := curator(s)
			if c.with != nil {
				c.with(t, s, r)
			}
			if c.u != nil {
				u = c.u(u)
			}
			want := strings.ReplaceAll(c.want, "%d", itoa(r.page))
			before := s.dump(t)
			if got := s.refusal(t, u, remove, removePage(r.page)); got != want {
				t.Errorf("%q, want %q", got, want)
			}
			if mayRead(t, s, remove, removePage(r.page), u) {
				t.Error("the preview may be read")
			}
			if left := differing(before, s.dump(t)); len(left) != 0 {
				t.Errorf("rows changed: %v", left)
			}
		})
	}
}

func TestDeletingNeedsEachRight(t *testing.T) {
	t.Parallel()
	const noPage, noElement = "Page not found or not permitted.", "Content element not found or not permitted."
	const page, translation, element = `{"table":"pages","uid":12}`, `{"table":"pages","uid":90}`, `{"table":"content","uid":45}`
	take := func(f func(r *imprimatur.Rights)) func(t *testing.T, s *stage) imprimatur.User {
		return func(_ *testing.T, s *stage) imprimatur.User { return lacking(s.Editor, f) }
	}
	bits := func(page int64, bits content.Bits) func(t *testing.T, s *stage) imprimatur.User {
		return func(t *testing.T, s *stage) imprimatur.User { s.rights(t, page, bits); return s.Editor }
	}
	for name, c := range map[string]struct {
		args string
		u    func(t *testing.T, s *stage) imprimatur.User
		want string
	}{
		"page, all":                 {page, take(func(*imprimatur.Rights) {}), ""},
		"page, table":               {page, take(func(r *imprimatur.Rights) { r.Modify = drop(r.Modify, content.Pages) }), noPage},
		"page, mount":               {page, take(func(r *imprimatur.Rights) { r.Pages = imprimatur.Set{"11"} }), noPage},
		"page, language":            {page, take(func(r *imprimatur.Rights) { r.Languages = imprimatur.Set{"1"} }), noPage},
		"page, bit":                 {page, bits(contenttest.VisitTeam, content.AllBits&^content.BitDelete), noPage},
		"page, bits that do not do": {page, bits(contenttest.VisitTeam, content.BitShow|content.BitDelete), ""},
		"translation, all":          {translation, take(func(*imprimatur.Rights) {}), ""},
		"translation, bit":          {translation, bits(contenttest.OpeningHours, content.AllBits&^content.BitDelete), noPage},
		"translation, language":     {translation, take(func(r *imprimatur.Rights) { r.Languages = imprimatur.Set{"0"} }), noPage},
		"element, all":              {element, take(func(*imprimatur.Rights) {}), ""},
		"element, table":            {element, take(func(r *imprimatur.Rights) { r.Modify = drop(r.Modify, content.Elements) }), noElement},
		"element, language":         {element, take(func(r *imprimatur.Rights) { r.Languages = imprimatur.Set{"0"} }), noElement},
		"element, value":            {element, take(func(r *imprimatur.Rights) { r.Values = nil }), noElement},
		"element, bit":              {element, bits(contenttest.Visit, content.AllBits&^content.BitContent), noElement},
		"element, other bits":       {element, bits(contenttest.Visit, content.BitShow|content.BitContent), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, contenttest.Options{})
			u := c.u(t, s)
			if got := mayRead(t, s, remove, c.args, u); got != (c.want == "") {
				t.Errorf("may read the preview: %t", got)
			}
			if c.want == "" {
				s.approve(t, u, remove, c.args)
			} else if got := s.refusal(t, u, remove, c.args); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestWhatCannotBeDeletedIsRefused(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	neutral(t, s, s.Editor, remove, "Content element not found or not permitted.", map[string]string{
		"missing": removeElement(999), "elsewhere": removeElement(46), "locked": removeElement(47), "of a type without a grant": removeElement(48),
	})
	neutral(t, s, s.Editor, remove, "Page not found or not permitted.", map[string]string{
		"missing": removePage(999), "not to be deleted": removePage(20), "unseen": removePage(30), "in another language": removePage(91), "with subpages": removePage(20),
	})
	for args, want := range map[string]string{
		`{"table":"pages","uid":1}`:                            `Page 1 is the root of a website and cannot be deleted with this tool.`,
		`{"table":"news","uid":60}`:                            `The argument "table" must be one of pages, content.`,
		`{"uid":60}`:                                           `Missing argument "table".`,
		`{"table":"content","uid":-1}`:                         `The argument "uid" must be at least 1.`,
		`{"table":"content","uid":40.5}`:                       `The argument "uid" must be a whole number, not a number.`,
		`{"include_subpages":false,"table":"content","uid":4}`: `The argument "include_subpages" is for pages only.`,
		`{"force":true,"table":"content","uid":40}`:            `Unknown argument "force". Allowed: include_subpages, table, uid.`,
		`{"table":"pages","uid":11}`:                           `Something in French would be deleted with it, a language that the user this run acts for may not work in. It is deleted whole or not at all.`,
	} {
		if got := s.refusal(t, s.Editor, remove, args); got != want {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
}

// Proves tools 24, 31, 32.
func TestADeletionHoldsToWhatWasShown(t *testing.T) {
	t.Parallel()
	change := func(table string, uid func(r rooms) int64, fields map[string]any) func(*testing.T, *stage, rooms) {
		return func(t *testing.T, s *stage, r rooms) { s.change(t, table, uid(r), fields) }
	}
	page := func(r rooms) int64 { return r.page }
	element := func(r rooms) int64 { return r.element }
	for name, c := range map[string]struct {
		happens func(t *testing.T, s *stage, r rooms)
		runs    bool
	}{
		"the page was renamed": {change(content.Pages, page, map[string]any{"title": "x"}), false},
		"a subpage came":       {func(t *testing.T, s *stage, r rooms) { s.child(t, r.page, 0, map[string]any{"title": "x"}) }, false},
		"a news item came": {func(t *testing.T, s *stage, r rooms) {
			s.make(t, content.Change{Table: "news", PID: r.page, Fields: map[string]any{"title": "x"}})
		}, false},
		"a record went": {func(t *testing.T, s *stage, r rooms) {
			contenttest.Set(t, s.Repository, s.Admin, content.Change{Op: content.Delete, Table: "news", UID: r.news})
		}, false},
		"a file was added": {func(t *testing.T, s *stage, r rooms) {
			contenttest.Set(t, s.Repository, s.Admin, content.Attach(content.Ref{Table: content.Elements, UID: r.picture}, "image", 7, nil))
		}, false},
		"a link came": {change(content.Elements, func(rooms) int64 { return contenttest.Gallery }, map[string]any{"header_link": "t3://page?uid=10#45"}), true},
		"a link to it came": {func(t *testing.T, s *stage, r rooms) {
			s.change(t, content.Elements, contenttest.Gallery, map[string]any{"header_link": "t3://page?uid=" + itoa(r.page)})
		}, false},
		"the link went":                {change(content.Elements, func(rooms) int64 { return contenttest.Intro }, map[string]any{"header_link": ""}), false},
		"an element was renamed":       {change(content.Elements, element, map[string]any{"header": "x"}), true},
		"the linking page was renamed": {change(content.Elements, func(rooms) int64 { return contenttest.Intro }, map[string]any{"header": "x"}), true},
		"the page was shown":           {change(content.Pages, page, map[string]any{"hidden": 1, "subtitle": "x"}), true},
		"a draft came": {func(t *testing.T, s *stage, r rooms) {
			s.make(t, content.Change{Table: content.Pages, Workspace: 1, DraftOf: r.page, PID: 10, Fields: map[string]any{"title": "x"}})
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, contenttest.Options{})
			r := furnished(t, s)
			_, token := s.preview(t, curator(s), remove, removePage(r.page))
			c.happens(t, s, r)
			if !c.runs {
				comesBack(t, s, curator(s), remove, removePage(r.page), token)
			} else if result, err := s.execute(t, curator(s), remove, removePage(r.page), token); err != nil || result.IsError {
				t.Errorf("%+v %v", result, err)
			}
		})
	}
}

// An earlier call of the turn accounts for what it took; deleting twice is for
// the model to deal with.
//
// Proves tools 26; runtime 242.
func TestTwoDeletionsOfOneTurnBothRun(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	r := furnished(t, s)
	u := curator(s)
	calls := []string{removeElement(r.picture), removePage(r.page), removePage(r.page)}
	var tokens, own []any
	for _, args := range calls {
		_, token := s.preview(t, u, remove, args)
		tokens = append(tokens, token)
	}
	for i, args := range calls[:2] {
		result, err := s.execute(t, u, remove, args, tokens[i], own...)
		if err != nil || result.IsError {
			t.Fatalf("%s: %+v %v", args, result, err)
		}
		own = append(own, result.Token)
	}
	result, err := s.execute(t, u, remove, calls[2], tokens[2], own...)
	if err != nil || !result.IsError || result.Content != "Page not found or not permitted." {
		t.Errorf("%+v %v", result, err)
	}
}

// A link that an earlier call of the turn took away is accounted for, one that
// a stranger put there is not.
//
// Proves tools 26.
func TestALinkThatTheTurnItselfRemovedDoesNotStopADeletion(t *testing.T) {
	t.Parallel()
	for _, stranger := range []bool{false, true} {
		s := open(t, contenttest.Options{})
		r := furnished(t, s)
		u := curator(s)
		_, first := s.preview(t, u, remove, removeElement(contenttest.Intro))
		_, second := s.preview(t, u, remove, removePage(r.page))
		result, err := s.execute(t, u, remove, removeElement(contenttest.Intro), first)
		if err != nil || result.IsError {
			t.Fatalf("%+v %v", result, err)
		}
		if stranger {
			for _, uid := range []int64{contenttest.Gallery, contenttest.Poster} {
				s.change(t, content.Elements, uid, map[string]any{"header_link": "t3://page?uid=" + itoa(r.page)})
			}
			comesBack(t, s, u, remove, removePage(r.page), second)
			continue
		}
		if result, err := s.execute(t, u, remove, removePage(r.page), second, result.Token); err != nil || result.IsError {
			t.Errorf("%+v %v", result, err)
		}
	}
}

func TestWhatWouldSurviveADeletionIsNamedAndNothingGoes(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	r := furnished(t, s)
	const back = "UPDATE content_records SET deleted = 0 WHERE tab = NEW.tab AND uid = NEW.uid"
	s.trigger(t, "UPDATE ON content_records WHEN NEW.deleted <> 0 AND NEW.tab = 'news'", back)
	takenBack(t, s, curator(s), remove, removePage(r.page),
		fmt.Sprintf("page %d “Rooms” would not have been deleted whole; what would have stayed: news record %d “New rooms”.", r.page, r.news))

	many := open(t, contenttest.Options{})
	parent := many.child(t, contenttest.Visit, 0, map[string]any{"title": "Twelve"})
	var names []string
	for range 12 {
		names = append(names, fmt.Sprintf("page %d “x”", many.child(t, parent, content.Last, map[string]any{"title": "x"})))
	}
	many.trigger(t, "UPDATE ON content_records WHEN NEW.deleted <> 0 AND NEW.pid = "+itoa(parent), back)
	takenBack(t, many, many.Editor, remove, removePage(parent),
		fmt.Sprintf("page %d “Twelve” would not have been deleted whole; what would have stayed: %s and 2 more.", parent, strings.Join(names[:10], ", ")))
}

// Of very many references only the number is bound.
func TestManyReferencesAreCounted(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	var links []content.Change
	for range 101 {
		links = append(links, content.Change{Op: content.Create, Table: content.Elements, PID: contenttest.Visit, Fields: map[string]any{
			"type": "text", "header_link": "t3://page?uid=12",
		}})
	}
	out := contenttest.Set(t, s.Repository, s.Admin, links...)
	const args = `{"table":"pages","uid":12}`
	lines, token := s.preview(t, s.Editor, remove, args)
	if !has(lines, "Important: 101 other records refer to what is deleted.") {
		t.Error(text(lines))
	}
	s.change(t, content.Elements, out.Created[0].UID, map[string]any{"header": "x"})
	s.change(t, content.Elements, out.Created[1].UID, map[string]any{"header_link": ""})
	comesBack(t, s, s.Editor, remove, args, token)
	s.change(t, content.Elements, out.Created[1].UID, map[string]any{"header_link": "t3://page?uid=12"})
	if result, err := s.execute(t, s.Editor, remove, args, token); err != nil || result.IsError {
		t.Errorf("%+v %v", result, err)
	}
}
