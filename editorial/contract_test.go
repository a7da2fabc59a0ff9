package editorial_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
	"github.com/imprimatur-dev/imprimatur/imprimaturtest"
)

// contentTables are those that a tool writes to.
var contentTables = []string{
	"content_records", "content_references", "content_files", "content_file_metadata", "content_page_rights",
	"content_links", "content_languages", "content_history",
}

// shuffled is a stage with the same records, whose rows lie in another order
// and whose clock shows another time.
func shuffled(t *testing.T) *stage {
	t.Helper()
	s := open(t, contenttest.Options{})
	for _, table := range contentTables {
		for _, statement := range []string{
			"CREATE TEMP TABLE shuffled AS SELECT * FROM " + table + " ORDER BY random()",
			"DELETE FROM " + table, "INSERT INTO " + table + " SELECT * FROM shuffled", "DROP TABLE shuffled",
		} {
			if _, err := s.DB.Exec(statement); err != nil {
				t.Fatalf("%s: %v", statement, err)
			}
		}
	}
	return with(t, s.Site, reopened(t, s, s.Schema()))
}

// everything is all there is in the repository, history included.
func (s *stage) everything(t *testing.T) string {
	t.Helper()
	var lines []string
	for _, table := range contentTables {
		lines = append(lines, s.table(t, table)...)
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// table is every row of a table, as text.
func (s *stage) table(t *testing.T, table string) (lines []string) {
	t.Helper()
	rows, err := s.DB.Query("SELECT * FROM " + table)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	values := make([]any, len(columns))
	for i := range values {
		values[i] = new(any)
	}
	for rows.Next() {
		if err := rows.Scan(values...); err != nil {
			t.Fatal(err)
		}
		line := table
		for _, v := range values {
			line += fmt.Sprintf("|%v", *v.(*any))
		}
		lines = append(lines, line)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return lines
}

// rename gives every record another name, past the repository.
func (s *stage) rename(t *testing.T) {
	t.Helper()
	for table, column := range map[string]string{content.Pages: "title", content.Elements: "header", content.Files: "name", "news": "title"} {
		_, err := s.DB.Exec(`UPDATE content_records SET version = version + 1,
			fields = json_set(fields, '$.' || $1, json_extract(fields, '$.' || $1) || ', renamed') WHERE tab = $2 AND json_extract(fields, '$.' || $1) <> ''`, column, table)
		if err != nil {
			t.Fatal(err)
		}
	}
}

// unreachable are arguments of each tool that have to be refused in one and the
// same sentence: a record that is not there, and one that the editor may not
// have.
func unreachable() map[string][]string {
	return map[string][]string{
		"create_page_draft":              {`{"parent":9999,"title":"x"}`, `{"parent":30,"title":"x"}`, `{"parent":20,"title":"x"}`},
		"move_page":                      {`{"parent":10,"uid":9999}`, `{"parent":10,"uid":30}`},
		"update_page_metadata":           {`{"nav_title":"x","uid":9999}`, `{"nav_title":"x","uid":30}`, `{"nav_title":"x","uid":91}`},
		"set_page_social_image":          {`{"field":"og_image","file":7,"page":9999}`, `{"field":"og_image","file":7,"page":30}`, `{"field":"og_image","file":9999,"page":10}`, `{"field":"og_image","file":12,"page":10}`},
		"create_content_element_draft":   {`{"header":"x","page":9999,"type":"text"}`, `{"header":"x","page":30,"type":"text"}`},
		"update_content_element":         {`{"fields":{"header":"x"},"uid":9999}`, `{"fields":{"header":"x"},"uid":46}`, `{"fields":{"header":"x"},"uid":47}`},
		"move_content_element":           {`{"target_page":10,"uid":9999}`, `{"target_page":10,"uid":46}`},
		"attach_file_to_content_element": {`{"content_element":9999,"file":7}`, `{"content_element":46,"file":7}`, `{"content_element":41,"file":9999}`, `{"content_element":41,"file":12}`, `{"content_element":41,"file":10}`},
		"attach_file_to_record":          {`{"file":7,"record":9999,"table":"news"}`, `{"file":9999,"record":60,"table":"news"}`, `{"file":12,"record":60,"table":"news"}`},
		"replace_file_reference":         {`{"action":"remove","reference":9999}`, `{"action":"replace","file":12,"reference":70}`, `{"action":"replace","file":9999,"reference":70}`},
		"set_file_alternative_text":      {`{"alternative":"x","uid":9999}`, `{"alternative":"x","uid":12}`, `{"alternative":"x","uid":11}`, `{"alternative":"x","uid":8}`},
		"update_file_metadata":           {`{"title":"x","uid":9999}`, `{"title":"x","uid":12}`, `{"title":"x","uid":11}`, `{"title":"x","uid":8}`},
		"copy_record":                    {`{"table":"pages","target_page":10,"uid":9999}`, `{"table":"pages","target_page":10,"uid":30}`, `{"table":"pages","target_page":30,"uid":12}`},
		"publish_record":                 {`{"table":"pages","uid":9999}`, `{"table":"pages","uid":30}`},
		"delete_record":                  {`{"table":"pages","uid":9999}`, `{"table":"pages","uid":30}`, `{"table":"pages","uid":20}`},
		"create_record_draft":            {`{"fields":{"title":"x"},"pid":9999,"table":"news"}`, `{"fields":{"title":"x"},"pid":30,"table":"news"}`},
		"create_translation_draft":       {`{"language":1,"table":"content","uid":9999}`, `{"language":1,"table":"content","uid":46}`},
	}
}

// Proves tools 44, 52, 64, 65, 66, 68; runtime 236.
func TestEveryToolKeepsTheContractOfPreviews(t *testing.T) {
	t.Parallel()
	languages := imprimaturtest.Catalogue(t, []imprimatur.Label{catalogue.TechnicalRecord}, nil)
	again := shuffled(t)
	refused := unreachable()
	checked := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(examples)) {
		example := examples[name]
		if raced && checked[example.tool] {
			continue // one call of each tool is enough to find a race
		}
		checked[example.tool] = true
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, contenttest.Options{})
			groups, ok := refused[example.tool]
			if !ok {
				t.Errorf("nothing is out of reach of %s", example.tool)
			}
			imprimaturtest.Check(t, imprimaturtest.Case{
				Tool: s.tools[example.tool], Catalogue: languages, Args: example.args, User: s.German,
				Again:   []imprimatur.Tool{again.tools[example.tool]},
				Viewers: []imprimatur.User{s.Admin, s.Editor, s.Plain, s.Reader, s.Nobody},
				Refused: [][]string{groups},
				Move:    func() { s.rename(t) },
				State:   func() string { return s.everything(t) },
			})
		})
	}
}

// Proves tools 47.
func TestPreviewsAreTheSameInAnotherProcess(t *testing.T) {
	t.Parallel()
	imprimaturtest.Elsewhere(t, func() string {
		s := open(t, contenttest.Options{})
		var b strings.Builder
		for _, name := range slices.Sorted(maps.Keys(examples)) {
			lines, _ := s.preview(t, s.German, examples[name].tool, examples[name].args)
			fmt.Fprintf(&b, "%s\n%s\n", name, text(lines))
		}
		return b.String()
	})
}
