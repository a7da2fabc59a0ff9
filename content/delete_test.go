package content_test

import (
	"context"
	"errors"
	"testing"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
)

func remove(table string, uid int64) content.Change {
	return content.Change{Op: content.Delete, Table: table, UID: uid}
}

func gone(t *testing.T, s *contenttest.Site, table string, uid int64) {
	t.Helper()
	if _, err := s.Record(context.Background(), s.Admin, table, uid); !errors.Is(err, content.ErrNotFound) {
		t.Errorf("%s %d is still there (%v)", table, uid, err)
	}
}

func TestADeletedReferenceLeavesTheCountRight(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	out := contenttest.Set(t, s.Repository, s.Editor, remove("file_references", contenttest.PictureLinked))
	same(t, read(t, s, "content", contenttest.Picture).Int("image"), int64(0))
	same(t, out.Versions[content.Ref{Table: "file_references", UID: contenttest.PictureLinked}], int64(0))
	gone(t, s, "file_references", contenttest.PictureLinked)

	contenttest.Set(t, s.Repository, s.Editor, content.Change{Op: content.Restore, Table: "file_references", UID: contenttest.PictureLinked})
	same(t, read(t, s, "content", contenttest.Picture).Int("image"), int64(1))
}

func TestAReferenceInAFieldWithoutAGrantStays(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	before := snapshot(t, s)
	contenttest.Set(t, s.Repository, s.Plain, remove("file_references", contenttest.PictureLinked))
	same(t, snapshot(t, s), before)
}

func TestAnElementTakesTranslationsAndReferencesAlongAndBringsThemBack(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	contenttest.Set(t, s.Repository, s.Editor, remove("content", contenttest.Intro), remove("content", contenttest.Picture))
	for table, uid := range map[string]int64{"content": contenttest.Intro, "file_references": contenttest.PictureLinked} {
		gone(t, s, table, uid)
	}
	gone(t, s, "content", contenttest.IntroGerman)
	same(t, complaints(t, s, s.Editor, remove("content", contenttest.Intro)), []string{"not found or not permitted"})
	same(t, complaints(t, s, s.Editor, content.Change{Op: content.Restore, Table: "content", UID: contenttest.IntroGerman}), []string{"not found or not permitted"})

	contenttest.Set(t, s.Repository, s.Editor, content.Change{Op: content.Restore, Table: "content", UID: contenttest.Intro})
	same(t, read(t, s, "content", contenttest.IntroGerman).Text("header"), "Willkommen")
	same(t, read(t, s, "content", contenttest.Intro).Version, int64(3))
	gone(t, s, "content", contenttest.Picture)
	history, err := s.History(context.Background(), content.Ref{Table: "content", UID: contenttest.Intro}, 10)
	if err != nil {
		t.Fatal(err)
	}
	var ops []content.Op
	for _, e := range history {
		ops = append(ops, e.Op)
	}
	same(t, ops, []content.Op{content.Restore, content.Delete, content.Create})
}

func TestAPageGoesWhollyOrNotAtAll(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	same(t, complaints(t, s, s.Editor, remove("pages", contenttest.Visit)), []string{"the page has subpages (2)"})
	branch := remove("pages", contenttest.Visit)
	branch.Subpages = true
	all := s.Editor
	all.Rights.Values = imprimatur.Set{"*"}
	same(t, complaints(t, s, all, branch), []string{"something on the page may not be deleted"})
	contenttest.Set(t, s.Repository, s.Admin, update("content", contenttest.Locked, map[string]any{"editlock": 0}))
	same(t, complaints(t, s, all, branch), []string{"a subpage or a translation may not be deleted"})
	all.Rights.Languages = imprimatur.Set{"*"}
	contenttest.Set(t, s.Repository, all, branch)
	gone(t, s, "pages", contenttest.OpeningHours)
	gone(t, s, "pages", contenttest.HoursFrench)
	gone(t, s, "content", contenttest.Intro)
	gone(t, s, "news", contenttest.NewsItem)
	gone(t, s, "file_references", contenttest.PictureLinked)
	read(t, s, "content", contenttest.OnCollection)
	same(t, complaints(t, s, s.Admin, content.Change{Op: content.Restore, Table: "content", UID: contenttest.Intro}), []string{"not found or not permitted"})

	contenttest.Set(t, s.Repository, all, content.Change{Op: content.Restore, Table: "pages", UID: contenttest.Visit})
	read(t, s, "pages", contenttest.HoursFrench)
	read(t, s, "news", contenttest.NewsItem)
	same(t, references(t, s, content.Ref{Table: "content", UID: contenttest.Picture}, "image"), []int64{contenttest.Hall})
}

func TestAFileInUseStays(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	same(t, complaints(t, s, s.Admin, remove("files", contenttest.Hall)), []string{"the file is in use"})
	contenttest.Set(t, s.Repository, s.Admin, remove("file_references", contenttest.PictureLinked), remove("files", contenttest.Hall))
	gone(t, s, "files", contenttest.Hall)
	gone(t, s, "file_metadata", contenttest.HallMeta)
	same(t, complaints(t, s, s.Admin, content.Change{Op: content.Restore, Table: "file_references", UID: contenttest.PictureLinked}), []string{"not found or not permitted"})
}
