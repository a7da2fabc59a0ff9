// Package contenttest makes a small repository for tests: two websites in three
// languages, files in two storages, and people with differing rights.
package contenttest

import (
	"context"
	"database/sql"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pressly/goose/v3"
	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
)

// Pages of the seed. The tree, by sorting:
//
//	1 Museum (root of a website)
//	  10 Visit
//	    11 Opening hours   hidden, with a German (90) and a French (91) translation
//	    12 Team            the same title as 22
//	  20 Collection        edited by "collection" alone
//	    21 a title of 130 characters
//	    22 Team
//	    23 a title with a no-break space
//	  30 Archive           folder, nobody but its owner sees it
//	2 Shop (root of another website)
//	  40 Books
const (
	Museum       int64 = 1
	Shop         int64 = 2
	Visit        int64 = 10
	OpeningHours int64 = 11
	VisitTeam    int64 = 12
	Collection   int64 = 20
	LongTitle    int64 = 21
	OtherTeam    int64 = 22
	BlankTitle   int64 = 23
	Archive      int64 = 30
	Books        int64 = 40
	HoursGerman  int64 = 90
	HoursFrench  int64 = 91
)

// Content elements, on page Visit unless said otherwise.
const (
	Intro         int64 = 40 // text, column 0
	Gallery       int64 = 41 // textmedia, column 0: field assets
	Picture       int64 = 42 // image, column 1: field image, one file
	Poster        int64 = 43 // textpic, column 100
	Downloads     int64 = 44 // uploads: field media, hidden
	IntroGerman   int64 = 45 // German translation of Intro
	OnCollection  int64 = 46 // text on page Collection
	Locked        int64 = 47 // text, edit lock
	Unknown       int64 = 48 // of a type that the schema does not know
	NewsItem      int64 = 60 // in table news, on page Visit
	PictureLinked int64 = 70 // the reference in Picture
)

// Files.
const (
	Hall     int64 = 7  // media:/pictures/hall.jpg, with metadata
	Door     int64 = 8  // media:/pictures/door.png
	Plan     int64 = 9  // media:/documents/plan.docx
	Lost     int64 = 10 // media:/pictures/lost.jpg, missing
	Private  int64 = 11 // media:/private/vault.jpg
	Vault    int64 = 12 // vault:/seal.jpg, in a storage that is not in use
	HallMeta int64 = 80
)

// Site is the seeded repository and the people who work on it.
type Site struct {
	*content.Repository
	DB *sql.DB // the writer

	Admin  imprimatur.User // German
	Editor imprimatur.User // English; group editing, all of website 1 but Collection and Archive
	German imprimatur.User // like Editor, German
	French imprimatur.User // like Editor, French, which has no catalogue
	Plain  imprimatur.User // like Editor, without a language setting and without any field grant
	Reader imprimatur.User // may read, not write
	Nobody imprimatur.User // enabled, without any right
}

// Options bend the seed. The zero value is what most tests want.
type Options struct {
	Hook content.Hook // in force after the seed was written
	// Large adds the pages and records of Enlarge, which take a moment.
	Large bool
}

// Now is the clock of the seed.
func Now() time.Time { return time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC) }

// Open makes a SQLite database in a temporary folder and fills it.
func Open(t testing.TB, o Options) *Site {
	t.Helper()
	db := Database(t)
	return On(t, db, reader(t, db), o)
}

// On fills a database that has the tables of the repository and nothing in
// them.
func On(t testing.TB, writer, reader *sql.DB, o Options) *Site {
	t.Helper()
	cfg := content.Config{
		Writer: writer, Reader: reader, Schema: Schema(t), Storages: imprimatur.Set{"media"}, Now: Now,
	}
	repo, err := content.Open(cfg)
	if err != nil {
		t.Fatalf("opening the repository: %v", err)
	}
	Fill(t, repo)
	if o.Large {
		Enlarge(t, repo)
	}
	cfg.Hook = o.Hook
	if repo, err = content.Open(cfg); err != nil {
		t.Fatalf("opening the repository: %v", err)
	}
	s := People()
	s.Repository, s.DB = repo, writer
	return &s
}

const pragmas = "?_txlock=immediate&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=busy_timeout(5000)"

// Database makes an empty database with the tables of the repository and
// returns its single writer.
func Database(t testing.TB) *sql.DB {
	t.Helper()
	db := open(t, filepath.Join(t.TempDir(), "content.db"))
	db.SetMaxOpenConns(1)
	p, err := goose.NewProvider(goose.DialectSQLite3, db, content.Migrations(), goose.WithDisableGlobalRegistry(true))
	if err != nil {
		t.Fatalf("reading migrations: %v", err)
	}
	if _, err := p.Up(context.Background()); err != nil {
		t.Fatalf("migrating: %v", err)
	}
	return db
}

// reader opens the file of a writer once more.
func reader(t testing.TB, writer *sql.DB) *sql.DB {
	t.Helper()
	var seq int
	var name, file string
	if err := writer.QueryRowContext(t.Context(), "PRAGMA database_list").Scan(&seq, &name, &file); err != nil {
		t.Fatalf("finding the database file: %v", err)
	}
	return open(t, file)
}

func open(t testing.TB, file string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+file+pragmas)
	if err != nil {
		t.Fatalf("opening the database: %v", err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Errorf("closing the database: %v", err)
		}
	})
	return db
}

// People returns a site without a repository.
func People() Site {
	editing := imprimatur.Rights{
		Select:    imprimatur.Set{content.Pages, content.Elements, content.Files, content.FileMetadata, content.Languages},
		Modify:    imprimatur.Set{content.Pages, content.Elements, content.FileReferences, content.FileMetadata, "news", "exhibits", "venues", "memos", "secrets", "statistics", "plans"},
		Languages: imprimatur.Set{"0", "1"},
		Fields: imprimatur.Set{
			"pages.description", "pages.nav_title", "pages.subtitle", "pages.abstract", "pages.keywords", "pages.seo_title",
			"pages.og_title", "pages.og_description", "pages.twitter_title", "pages.twitter_description", "pages.twitter_card",
			"pages.og_image", "pages.twitter_image",
			"pages.hidden", "content.image", "content.assets", "content.hidden", "content.subheader", "file_metadata.alternative",
			"file_metadata.title", "file_metadata.description", "file_metadata.copyright", "news.teaser",
		},
		Values:    imprimatur.Set{"content.type.text", "content.type.textmedia", "content.type.image", "content.type.textpic", "content.type.header"},
		PageTypes: imprimatur.Set{content.PageStandard},
		Pages:     imprimatur.Set{"1"},
		Files:     imprimatur.Set{"media:/pictures/", "media:/documents"},
	}
	plain := editing
	plain.Fields = nil
	reading := imprimatur.Rights{Select: editing.Select, Languages: editing.Languages, Pages: editing.Pages, Files: editing.Files}
	user := func(id int64, name, lang string, r imprimatur.Rights, groups ...string) imprimatur.User {
		return imprimatur.User{ID: id, Name: name, Lang: lang, Enabled: true, Version: 1, Groups: groups, Rights: r}
	}
	s := Site{
		Admin:  user(1, "root", "de", imprimatur.Rights{}),
		Editor: user(2, "editor_en", "en", editing, "editing"),
		German: user(3, "editor_de", "de", editing, "editing"),
		French: user(4, "editor_fr", "fr", editing, "editing"),
		Plain:  user(5, "editor_none", "", plain, "editing"),
		Reader: user(6, "reader", "de", reading, "editing"),
		Nobody: user(7, "nobody", "en", imprimatur.Rights{}),
	}
	s.Admin.Admin = true
	return s
}

// Long is the title of page LongTitle, 130 characters.
func Long() string { return strings.Repeat("A very long title ", 7) + "ends" }

// Set applies a change set and fails the test on any complaint.
func Set(t testing.TB, repo *content.Repository, u imprimatur.User, changes ...content.Change) content.Outcome {
	t.Helper()
	out, err := repo.Apply(context.Background(), u, content.ChangeSet{Changes: changes})
	if err != nil {
		t.Fatalf("applying a change set: %v", err)
	}
	if len(out.Complaints) > 0 {
		t.Fatalf("applying a change set: %+v", out.Complaints)
	}
	return out
}
