package content_test

import (
	"os"
	"strings"
	"testing"

	"github.com/imprimatur-dev/imprimatur/content/contenttest"
)

// whole are statements that read a whole table and say so: listings, and the
// index of links when it is made for the first time.
var whole = map[string]bool{"record.sql all": true, "import.sql uids": true, "link.sql of table": true, "page.sql tree": true}

func TestNoStatementReadsMoreThanItsRecordPageOrBranch(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	read := 0
	for _, file := range []string{"record.sql", "page.sql", "reference.sql", "link.sql", "draft.sql", "history.sql", "import.sql"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for section := range strings.SplitSeq("\n"+string(text), "\n-- name: ") {
			name, body, ok := strings.Cut(section, "\n")
			if !ok || strings.TrimSpace(body) == "" || whole[file+" "+name] {
				continue
			}
			read++
			for _, step := range explain(t, s, body) {
				if strings.HasPrefix(step, "SCAN ") && !small(step) {
					t.Errorf("%s, %s: %s", file, name, step)
				}
				if strings.Contains(step, "content_records_page (tab=?)") {
					t.Errorf("%s, %s reads a whole table: %s", file, name, step)
				}
			}
		}
	}
	if read < 30 {
		t.Errorf("read %d statements", read)
	}
}

// small reports whether a step goes through something that does not grow with a
// site: what a statement found before.
func small(step string) bool {
	for _, of := range []string{"SCAN b", "SCAN branch", "SCAN (", "SCAN content_ids"} {
		if step == of || strings.HasPrefix(step, of+" ") || of == "SCAN (" && strings.HasPrefix(step, of) {
			return true
		}
	}
	return strings.Contains(step, "CONSTANT ROW")
}

func explain(t *testing.T, s *contenttest.Site, statement string) []string {
	t.Helper()
	args := make([]any, 0, 12)
	for n := 1; n <= 12; n++ {
		if strings.Contains(statement, "$"+string(rune('0'+n))) || n > 9 && strings.Contains(statement, "$1"+string(rune('0'+n-10))) {
			args = append(args, 1)
		}
	}
	rows, err := s.DB.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+statement, args...)
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
