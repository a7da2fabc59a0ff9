package contenttest

import (
	"database/sql"
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// Explain returns the steps in which SQLite carries out a statement whose
// arguments are $1 and so on.
func Explain(t testing.TB, db *sql.DB, statement string) []string {
	t.Helper()
	var args []any
	for strings.Contains(statement, fmt.Sprintf("$%d", len(args)+1)) {
		args = append(args, 1)
	}
	rows, err := db.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+statement, args...)
	if err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	defer rows.Close()
	var steps []string
	for rows.Next() {
		var id, parent, unused int64
		var detail string
		if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
			t.Fatal(err)
		}
		steps = append(steps, detail)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return steps
}

var (
	searchStep = regexp.MustCompile(`^SEARCH (\S+) .*\(([^()]*)\)`)
	// narrow is an equation that few rows fulfil, however large the site.
	narrow = regexp.MustCompile(`\b(uid|pid|page|origin|draft_of|slug|deleted|owner_uid|file_uid|to_uid|identifier|folder|parent|path|rowid|id)=\?`)
	// found is what a statement goes through that it found itself, and the two
	// tables with a row for each table and each language.
	found = regexp.MustCompile(`^SCAN (b|branch|\(.*|content_ids\b.*|content_languages\b.*|.*CONSTANT ROW.*)$`)
)

// GrowsWithTheSite reports whether a step of Explain goes through more rows the
// larger a site is: a table or an index from end to end, or all rows of one
// table of the schema.
func GrowsWithTheSite(step string) bool {
	if s := searchStep.FindStringSubmatch(step); s != nil {
		return s[1] != "content_ids" && !narrow.MatchString(s[2])
	}
	return strings.HasPrefix(step, "SCAN ") && !found.MatchString(step)
}
