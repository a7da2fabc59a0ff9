package content_test

import (
	"os"
	"strings"
	"testing"

	"github.com/imprimatur-dev/imprimatur/content/contenttest"
)

// whole are statements that read a whole table and say so: listings, the index
// of links when it is made for the first time, and what goes through a table in
// batches.
var whole = map[string]bool{"record.sql all": true, "import.sql uids": true, "link.sql of table": true, "search.sql batch": true}

func TestNoStatementReadsMoreThanItsRecordPageOrBranch(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	read := 0
	for _, file := range []string{"record.sql", "page.sql", "reference.sql", "link.sql", "draft.sql", "history.sql", "import.sql", "search.sql", "folder.sql"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for section := range strings.SplitSeq("\n"+string(text), "\n-- name: ") {
			name, body, ok := strings.Cut(section, "\n")
			if !ok || strings.TrimSpace(body) == "" {
				continue
			}
			read++
			grows := false
			for _, step := range contenttest.Explain(t, s.DB, body) {
				grows = grows || contenttest.GrowsWithTheSite(step)
				if contenttest.GrowsWithTheSite(step) && !whole[file+" "+name] {
					t.Errorf("%s, %s: %s", file, name, step)
				}
			}
			if whole[file+" "+name] && !grows {
				t.Errorf("%s, %s is said to read a whole table, and does not", file, name)
			}
		}
	}
	if read < 30 {
		t.Errorf("read %d statements", read)
	}
}
