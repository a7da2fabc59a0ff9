package contenttest

import (
	"database/sql"
	_ "embed"
	"strings"
	"testing"

	"github.com/imprimatur-dev/imprimatur/content"
)

//go:embed generate.sql
var generateSQL string

// Generated is the uid of the first generated row of each table. The page of
// this uid has the other generated pages below it.
const Generated int64 = 10_000_000

// Size is how large a generated branch is. Everything but pages and content
// elements follows from it: see Generate.
type Size struct {
	Pages   int64 // in the default language, at least 1
	PerPage int64 // content elements on each, in the default language, at least 1
}

// Elements is the number of content elements in the default language.
func (s Size) Elements() int64 { return s.Pages * s.PerPage }

// Generate adds a branch below a page to a SQLite file that holds a repository
// with the language 1 and that nobody has open. Ten pages lie below each, with
// rights for the group "editing". The rest is in the proportion of a real
// website: of four elements, three hold a picture and the fourth owns an item of
// an accordion; every fourth links to a page; for every third there is a file
// with its metadata; of fifty pages and of fifty elements, one is translated.
// Nothing outside of the branch is changed or linked to.
//
// The rows are those that the repository would write, without history. They are
// written directly and in one transaction, without a journal: a file in which
// that fails is of no use any more.
func Generate(t testing.TB, file string, below int64, size Size) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+file+"?_pragma=journal_mode(OFF)&_pragma=synchronous(OFF)&_pragma=cache_size(-400000)")
	if err != nil {
		t.Fatalf("opening the database: %v", err)
	}
	defer func() {
		if err := db.Close(); err != nil {
			t.Errorf("closing the database: %v", err)
		}
	}()
	tx, err := db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatalf("beginning: %v", err)
	}
	for statement := range strings.SplitSeq(strings.TrimSpace(generateSQL), ";\n") {
		if _, err := tx.ExecContext(t.Context(), statement, size.arguments(below)...); err != nil {
			t.Fatalf("generating: %v: %s", err, statement)
		}
	}
	if err := tx.Commit(); err != nil {
		t.Fatalf("committing: %v", err)
	}
}

// arguments are what generate.sql counts with.
func (s Size) arguments(below int64) []any {
	const text = "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore et dolore magna aliqua."
	items := s.Elements() / 4
	return []any{
		sql.Named("first", Generated), sql.Named("below", below), sql.Named("at", Now().UnixMilli()),
		sql.Named("text", text), sql.Named("all", int64(content.AllBits)),
		sql.Named("pages", s.Pages), sql.Named("each", s.PerPage), sql.Named("elements", s.Elements()),
		sql.Named("items", items), sql.Named("references", s.Elements()-items), sql.Named("files", (s.Elements()+2)/3),
		sql.Named("most", max(s.Pages, s.Elements())),
	}
}
