package content_test

import (
	"context"
	"errors"
	"testing"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
)

func TestPageRightsCountForOwnerGroupAndEverybodyWithinTheMount(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	ctx := context.Background()
	disabled := func(u imprimatur.User) imprimatur.User { u.Enabled = false; return u }
	everywhere := s.Editor
	everywhere.Rights.Pages = imprimatur.Set{"*"}
	owner := everywhere
	owner.ID = 99
	if _, err := s.SetPageRights(ctx, contenttest.Shop, false, content.PageRights{
		Owner: 2, OwnerMay: content.BitEdit, Group: "editing", GroupMay: content.BitShow, EverybodyMay: content.BitNew,
	}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		user imprimatur.User
		page int64
		bit  content.Bits
		want bool
	}{
		{"administrator", s.Admin, contenttest.Archive, content.BitDelete, true},
		{"administrator at the root", s.Admin, 0, content.BitNew, true},
		{"administrator on a missing page", s.Admin, 4711, content.BitShow, false},
		{"disabled administrator", disabled(s.Admin), contenttest.Visit, content.BitShow, false},
		{"group", s.Editor, contenttest.Visit, content.BitContent, true},
		{"group, disabled", disabled(s.Editor), contenttest.Visit, content.BitContent, false},
		{"group on a translation", s.Editor, contenttest.HoursGerman, content.BitEdit, true},
		{"everybody may show", s.Editor, contenttest.Collection, content.BitShow, true},
		{"everybody may not edit", s.Editor, contenttest.Collection, content.BitEdit, false},
		{"owned by another", s.Editor, contenttest.Archive, content.BitShow, false},
		{"owned by the user", owner, contenttest.Archive, content.BitDelete, true},
		{"root level", s.Editor, 0, content.BitNew, false},
		{"outside the mount", s.Editor, contenttest.Books, content.BitShow, false},
		{"all mounts, everybody", everywhere, contenttest.Books, content.BitShow, true},
		{"owner bit", everywhere, contenttest.Shop, content.BitEdit, true},
		{"group bit", everywhere, contenttest.Shop, content.BitShow, true},
		{"everybody bit", everywhere, contenttest.Shop, content.BitNew, true},
		{"no bit", everywhere, contenttest.Shop, content.BitDelete, false},
		{"several bits of several", everywhere, contenttest.Shop, content.BitEdit | content.BitShow, false},
		{"a user without rights", s.Nobody, contenttest.Visit, content.BitShow, false},
		{"nobody", imprimatur.User{}, contenttest.Shop, content.BitNew, false},
		{"nobody who claims to be admin", imprimatur.User{Admin: true, Enabled: true}, contenttest.Shop, content.BitNew, false},
	} {
		got, err := s.MayOnPage(ctx, c.user, c.page, c.bit)
		if err != nil || got != c.want {
			t.Errorf("%s: %v, %v; want %v", c.name, got, err, c.want)
		}
	}
}

func TestWhatMayNotBeReadIsNotFound(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	contenttest.Set(t, s.Repository, s.Admin, content.Change{Op: content.Delete, Table: "content", UID: contenttest.Unknown})
	for _, c := range []struct {
		name  string
		user  imprimatur.User
		table string
		uid   int64
		want  bool
	}{
		{"a page", s.Editor, "pages", contenttest.Visit, true},
		{"a hidden page", s.Editor, "pages", contenttest.OpeningHours, true},
		{"a page of somebody else", s.Editor, "pages", contenttest.Archive, false},
		{"a page outside the mounts", s.Editor, "pages", contenttest.Books, false},
		{"a translation in an allowed language", s.Editor, "pages", contenttest.HoursGerman, true},
		{"a translation in another language", s.Editor, "pages", contenttest.HoursFrench, false},
		{"a missing page", s.Editor, "pages", 4711, false},
		{"an element", s.Editor, "content", contenttest.Intro, true},
		{"an element on a page everybody may see", s.Editor, "content", contenttest.OnCollection, true},
		{"a deleted element", s.Admin, "content", contenttest.Unknown, false},
		{"a file under a mount", s.Editor, "files", contenttest.Hall, true},
		{"a file under a mount without a last slash", s.Editor, "files", contenttest.Plan, true},
		{"a file beside the mounts", s.Editor, "files", contenttest.Private, false},
		{"the same file, for an administrator", s.Admin, "files", contenttest.Private, true},
		{"a file in a storage that is not in use, for an administrator", s.Admin, "files", contenttest.Vault, false},
		{"metadata of a file", s.Editor, "file_metadata", contenttest.HallMeta, true},
		{"a reference of an element", s.Editor, "file_references", contenttest.PictureLinked, true},
		{"a reference, without the table right", s.Reader, "file_references", contenttest.PictureLinked, false},
		{"a table of an extension", s.Editor, "news", contenttest.NewsItem, true},
		{"the same, without the table right", s.Reader, "news", contenttest.NewsItem, false},
		{"a language", s.Editor, "languages", 1, true},
		{"no language", s.Editor, "languages", 9, false},
		{"storages, for an editor", s.Editor, "storages", 1, false},
		{"no table", s.Admin, "users", 1, false},
		{"a table name that is no text", s.Admin, "pages\x00", 1, false},
		{"anything, without rights", s.Nobody, "pages", contenttest.Visit, false},
	} {
		rec, err := s.Record(context.Background(), c.user, c.table, c.uid)
		switch {
		case c.want && (err != nil || rec.UID != c.uid):
			t.Errorf("%s: %v, %v", c.name, rec.Ref(), err)
		case !c.want && !errors.Is(err, content.ErrNotFound):
			t.Errorf("%s: %v, want not found", c.name, err)
		}
	}
}

func TestFileMountsDoNotMatchByPrefixOfAName(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	file, err := s.File(context.Background(), s.Admin, contenttest.Hall)
	if err != nil {
		t.Fatal(err)
	}
	for mount, want := range map[string]bool{
		"media:/": true, "media:/pictures/": true, "media:/pictures": true, "*": true,
		"media:/pic": false, "media:/pictures/hall": false, "media:": false, "media:pictures/": false, "vault:/": false, "": false, "/": false, "media": false,
	} {
		u := s.Editor
		u.Rights.Files = imprimatur.Set{mount}
		if got := s.MayUseFile(u, file); got != want {
			t.Errorf("mount %q: %v, want %v", mount, got, want)
		}
	}
}

func TestTheRecordRightTakesTableLanguageValuesAndLock(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	ctx := context.Background()
	read := func(table string, uid int64) content.Record {
		rec, err := s.Record(ctx, s.Admin, table, uid)
		if err != nil {
			t.Fatal(err)
		}
		return rec
	}
	all := s.Editor
	all.Rights.Languages = imprimatur.Set{"*"}
	for _, c := range []struct {
		name string
		user imprimatur.User
		rec  content.Record
		want bool
	}{
		{"plain", s.Editor, read("content", contenttest.Intro), true},
		{"in German", s.Editor, read("content", contenttest.IntroGerman), true},
		{"in French", s.Editor, read("pages", contenttest.HoursFrench), false},
		{"in French, all languages", all, read("pages", contenttest.HoursFrench), true},
		{"type without a grant", s.Editor, read("content", contenttest.Downloads), false},
		{"unknown type", s.Editor, read("content", contenttest.Unknown), false},
		{"locked", s.Editor, read("content", contenttest.Locked), false},
		{"locked, administrator", s.Admin, read("content", contenttest.Locked), true},
		{"table not modifiable", s.Reader, read("content", contenttest.Intro), false},
		{"table for administrators", s.Editor, read("files", contenttest.Hall), false},
		{"nobody", imprimatur.User{}, read("content", contenttest.Intro), false},
	} {
		if got := s.MayEditRecord(c.user, c.rec); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestFieldGrants(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	for _, c := range []struct {
		user          imprimatur.User
		table, column string
		want          bool
	}{
		{s.Editor, "pages", "title", true},
		{s.Editor, "pages", "description", true},
		{s.Editor, "pages", "slug", false},
		{s.Plain, "pages", "title", true},
		{s.Plain, "pages", "description", false},
		{s.Admin, "pages", "slug", true},
		{s.Editor, "file_metadata", "file", false},
		{s.Admin, "file_metadata", "file", true},
		{s.Admin, "pages", "nothing", false},
		{imprimatur.User{}, "pages", "title", false},
	} {
		if got := s.MayUseField(c.user, c.table, c.column); got != c.want {
			t.Errorf("%s, %s.%s: %v", c.user.Name, c.table, c.column, got)
		}
	}
	if s.MayUseValue(s.Editor, "content", "type", "html") || !s.MayUseValue(s.Editor, "content", "type", "text") || !s.MayUseValue(s.Editor, "content", "header", "x") {
		t.Error("values with and without a grant are mixed up")
	}
}

func TestElementsComeByColumnAndSorting(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	ctx := context.Background()
	uids := func(u imprimatur.User, page, language int64) (all []int64) {
		elements, err := s.Elements(ctx, u, page, language)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range elements {
			all = append(all, e.UID)
		}
		return all
	}
	same(t, uids(s.Editor, contenttest.Visit, 0), []int64{
		contenttest.Intro, contenttest.Gallery, contenttest.Downloads, contenttest.Locked, contenttest.Unknown, contenttest.Picture, contenttest.Poster,
	})
	same(t, uids(s.Editor, contenttest.Visit, 1), []int64{contenttest.IntroGerman})
	for name, ask := range map[string]func() ([]content.Record, error){
		"a language that is not allowed": func() ([]content.Record, error) { return s.Elements(ctx, s.Editor, contenttest.Visit, 2) },
		"a page that is not visible":     func() ([]content.Record, error) { return s.Elements(ctx, s.Editor, contenttest.Archive, 0) },
		"no right at all":                func() ([]content.Record, error) { return s.Elements(ctx, s.Nobody, contenttest.Visit, 0) },
	} {
		if _, err := ask(); !errors.Is(err, content.ErrNotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestRightsOfABranchAreReplacedTogether(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	ctx := context.Background()
	want := content.PageRights{Owner: 5, Group: "editing", OwnerMay: content.AllBits, GroupMay: content.BitShow | content.BitContent}
	if n, err := s.SetPageRights(ctx, contenttest.Collection, true, want); err != nil || n != 4 {
		t.Fatalf("%d pages, %v", n, err)
	}
	for _, page := range []int64{contenttest.Collection, contenttest.LongTitle, contenttest.BlankTitle} {
		if got, err := s.PageRights(ctx, page); err != nil || got != want {
			t.Errorf("page %d: %+v, %v", page, got, err)
		}
	}
	if got, _ := s.PageRights(ctx, contenttest.Visit); got == want {
		t.Error("a page outside the branch changed")
	}
	for _, page := range []int64{0, 4711, contenttest.HoursGerman} {
		if _, err := s.SetPageRights(ctx, page, false, want); !errors.Is(err, content.ErrNotFound) {
			t.Errorf("page %d: %v", page, err)
		}
	}
	if bits, err := content.ParseBits([]string{"show", "content"}); err != nil || bits != content.BitShow|content.BitContent || bits.String() != "show, content" {
		t.Errorf("bits %v, %v", bits, err)
	}
	if bits, err := content.ParseBits([]string{"*"}); err != nil || bits != content.AllBits {
		t.Errorf("all bits %v, %v", bits, err)
	}
	if _, err := content.ParseBits([]string{"show", "fly"}); err == nil {
		t.Error("an unknown right was accepted")
	}
}

func TestRootlineEndsAtTheRoot(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	line, err := s.Rootline(context.Background(), contenttest.HoursGerman)
	if err != nil {
		t.Fatal(err)
	}
	var uids []int64
	for _, p := range line {
		uids = append(uids, p.UID)
	}
	same(t, uids, []int64{contenttest.OpeningHours, contenttest.Visit, contenttest.Museum})
}
