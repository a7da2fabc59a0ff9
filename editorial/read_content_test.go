package editorial_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
)

func TestRecordsAreReadWithTheirValues(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{Large: true})
	for args, want := range map[string]string{
		`{"table":"news","uid":60,"fields":"title, day,pictures"}`: `- [60] “Reopened” on page 10, language 0
  title: Reopened
  day: (no value)
  pictures: 0 files
`,
		`{"table":"content","pid":10,"where_equals":{"type":"text","column":0,"language":0},"fields":"bodytext"}`: `- [40] “Welcome” on page 10, language 0
  bodytext: <p>We are open.</p><p>Come in.</p>
- [47] “Imprint” on page 10, language 0
  bodytext: (no value)
`,
		`{"table":"content","where_equals":{"origin":4e1,"language":1.0},"fields":"type"}`: "- [45] “Willkommen” on page 10, language 1, translation of 40\n  type: text\n",
		`{"table":"content","where_equals":{"origin":1e400}}`:                              "No records of content that you may read fit.\n",
		`{"table":"content","where_equals":{"origin":40},"fields":"type"}`:                 "- [45] “Willkommen” on page 10, language 1, translation of 40\n  type: text\n",
		`{"table":"pages","pid":10,"fields":"slug"}`: `- [11] “Opening hours” below page 10, language 0 (hidden)
  slug: /visit/opening-hours
- [12] “Team” below page 10, language 0
  slug: /visit/team
- [90] “Öffnungszeiten” below page 10, language 1, translation of 11
  slug: /visit/oeffnungszeiten
`,
		`{"table":"exhibits","where_equals":{"hidden":true}}`:                     "No records of exhibits that you may read fit.\n", // loans need a grant to edit
		`{"table":"venues","where_equals":{"title":"Courtyard"}}`:                 "- [63] “Courtyard” on page 101\n",
		`{"table":"venues","where_equals":{"title":"court%"}}`:                    "No records of venues that you may read fit.\n",
		`{"table":"venues","uid":63,"pid":10}`:                                    "Record not found or not permitted.",
		`{"table":"content","uid":44}`:                                            "Record not found or not permitted.", // hidden, and not to be edited
		`{"table":"content","uid":9999}`:                                          "Record not found or not permitted.",
		`{"table":"secrets","uid":65}`:                                            "Record not found or not permitted.",
		`{"table":"nothing","uid":1}`:                                             "Record not found or not permitted.",
		`{"table":"nothing"}`:                                                     "Table not found or not permitted.",
		`{"table":"content","pid":30}`:                                            "No records of content that you may read fit.\n",
		`{"table":"content","pid":9999}`:                                          "No records of content that you may read fit.\n",
		`{"table":"venues","where_equals":{"title":["x"]}}`:                       `The value of "title" in where_equals must be text, a number, or true or false.`,
		`{"table":"venues","where_equals":{"uid":1}}`:                             `There is no column "uid" of venues to read; get_table_schema names those there are.`,
		`{"table":"venues","where_equals":{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1}}`: `The argument "where_equals" has 6 entries; at most 5 are allowed.`,
		`{"table":"venues","limit":51}`:                                           `The argument "limit" must be at most 50.`,
		`{"table":"venues","offset":10001}`:                                       `The argument "offset" must be at most 10000.`,
	} {
		if diff := cmp.Diff(want, s.read(t, s.Editor, "read_records", args)); diff != "" {
			t.Errorf("%s: %s", args, diff)
		}
	}
	if got := s.read(t, s.Admin, "read_records", `{"table":"content","uid":44,"fields":"type"}`); got != "- [44] “Downloads” on page 10, language 0 (hidden)\n  type: uploads\n" {
		t.Errorf("an administrator reads %s", got)
	}
}

func TestRecordsArePaged(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{Large: true})
	if got := s.read(t, s.Editor, "read_records", `{"table":"pages"}`); strings.Count(got, "- [") != 20 || !strings.HasSuffix(got, "There are more; go on with offset 20.\n") {
		t.Errorf("without a limit: %s", got)
	}
	whole := s.read(t, s.Editor, "read_records", `{"table":"pages","limit":50,"offset":50,"fields":"title"}`)
	var parts strings.Builder
	for offset := 50; offset < 100; offset += 7 {
		got := s.read(t, s.Editor, "read_records", fmt.Sprintf(`{"table":"pages","limit":7,"offset":%d,"fields":"title"}`, offset))
		rest, note, _ := strings.Cut(got, "There are more; go on with offset ")
		parts.WriteString(rest)
		if note != "" && note != fmt.Sprintf("%d.\n", offset+7) {
			t.Errorf("after offset %d go on with %s", offset, note)
		}
	}
	whole, _, _ = strings.Cut(whole, "There are more")
	if !strings.HasPrefix(parts.String(), whole) || strings.Count(whole, "- [") < 30 {
		t.Errorf("the parts are not the whole:\n%s\n%s", parts.String(), whole)
	}
	if got := s.read(t, s.Editor, "read_records", `{"table":"pages","offset":10000}`); got != "No records of pages that you may read fit.\n" {
		t.Errorf("behind the last one: %s", got)
	}
}

func TestLongValuesAndLongAnswersAreCut(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	var changes []content.Change
	fields := map[string]any{"type": "text", "hidden": 0}
	for _, c := range []string{"bodytext", "teaser", "notes", "header", "subheader", "quote_source", "table_caption"} {
		fields[c] = strings.Repeat("ä\u200b", 120)
	}
	for range 50 {
		changes = append(changes, content.Change{Op: content.Create, Table: content.Elements, PID: contenttest.VisitTeam, After: content.Last, Fields: fields})
	}
	contenttest.Set(t, s.Repository, content.System(), changes...)
	got := s.read(t, s.Editor, "read_records", `{"table":"content","pid":12,"limit":50}`)
	n := strings.Count(got, "- [")
	if n == 0 || n >= 50 || len(got) > 61_000 || !strings.HasSuffix(got, fmt.Sprintf("There are more; go on with offset %d.\n", n)) {
		t.Errorf("%d records in %d bytes", n, len(got))
	}
	for line := range strings.SplitSeq(got, "\n") {
		if _, value, ok := strings.Cut(line, "bodytext: "); ok && utf8.RuneCountInString(value) != 301 {
			t.Errorf("a value has %d characters", utf8.RuneCountInString(value))
		}
	}
}

func TestATextIsFoundWhereverItStands(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{Large: true})
	long := "<p>" + strings.Repeat("word ", 60) + "the <b>NEEDLE</b> of 100% pure_gold " + strings.Repeat("hay ", 60) + "</p>"
	s.change(t, content.Elements, contenttest.OnCollection, map[string]any{"bodytext": long})
	const nothing = "Nothing that you may read holds this text.\n"
	const needle = "content:46 “Pieces” on page 20, language 0 · bodytext: …"
	for args, want := range map[string]string{
		`{"query":"needle","table":"content"}`:      "",
		`{"query":"the  needle OF"}`:                "",
		`{"query":"100% Pure_Gold"}`:                "",
		`{"query":"100_"}`:                          nothing,
		`{"query":"n%e"}`:                           nothing,
		`{"query":"word<"}`:                         nothing,
		`{"query":"<b>"}`:                           nothing,
		`{"query":"ÖFFNUNGS","table":"pages"}`:      "pages:90 “Öffnungszeiten” below page 10, language 1, translation of 11 · title: Öffnungszeiten\n",
		`{"query":"horaires"}`:                      nothing, // in a language that the editor may not use
		`{"query":"downloads"}`:                     nothing, // hidden
		`{"query":"opening hours","table":"pages"}`: "pages:11 “Opening hours” below page 10, language 0 (hidden) · title: Opening hours\n",
		`{"query":"needle","table":"news"}`:         nothing,
		`{"query":"needle","table":"secrets"}`:      "Table not found or not permitted.",
		`{"query":"x"}`:                             `The argument "query" has 1 characters; at least 2 are needed.`,
		`{"query":"x       "}`:                      "The query must have at least 2 characters besides blanks.",
		`{"query":"team","after":"pages"}`:          `The argument "after" must be what an earlier answer to the same search says, as table:uid.`,
		`{"query":"team","after":"secrets:1"}`:      `The argument "after" must be what an earlier answer to the same search says, as table:uid.`,
	} {
		got := s.read(t, s.Editor, "search_records", args)
		if want == "" {
			if !strings.HasPrefix(got, needle) || !strings.Contains(got, "the NEEDLE of") || strings.Count(got, "\n") != 1 {
				t.Errorf("%s finds\n%s", args, got)
			}
			continue
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", args, diff)
		}
	}
	query := strings.TrimSpace(strings.Repeat("needle ", 14)) // 97 characters
	contenttest.Set(t, s.Repository, content.System(), content.Change{
		Op: content.Update, Table: content.Elements, UID: contenttest.Intro,
		Fields: map[string]any{"bodytext": strings.Repeat("before ", 20) + query + strings.Repeat(" after", 20)},
	})
	if got := s.read(t, s.Editor, "search_records", `{"table":"content","query":"`+query+`"}`); !strings.Contains(got, query) {
		t.Errorf("what was looked for is cut: %s", got)
	}
	_, excerpt, _ := strings.Cut(s.read(t, s.Editor, "search_records", `{"query":"the needle"}`), "bodytext: ")
	if n := utf8.RuneCountInString(strings.Trim(excerpt, "…\n")); n != 120 {
		t.Errorf("the excerpt has %d characters: %s", n, excerpt)
	}
}

// A search in parts finds what a search in one does.
func TestASearchGoesOnWhereItEnded(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{Large: true})
	whole := s.read(t, s.Editor, "search_records", `{"query":"hall","limit":50}`)
	var parts strings.Builder
	after := ""
	for range 50 {
		got := s.read(t, s.Editor, "search_records", args(t, map[string]any{"query": "hall", "limit": 3, "after": after}))
		found, next, more := strings.Cut(got, "Ended at ")
		if found != "Nothing that you may read holds this text.\n" {
			parts.WriteString(found)
		}
		if !more {
			break
		}
		after, _, _ = strings.Cut(next, ";")
	}
	if diff := cmp.Diff(whole, parts.String()); diff != "" || strings.Count(whole, "\n") < 15 {
		t.Errorf("%s\n%s", diff, whole)
	}
}

// However large a table is, one call goes through so much of it and no more.
func TestALongSearchEndsEarly(t *testing.T) {
	t.Parallel()
	g := openGrowing(t)
	editor := contenttest.People().Editor
	for tool, c := range map[string]struct {
		args string
		rows int
		want string
	}{
		"search_records": {`{"query":"no such text","table":"content"}`, 10_100, "Ended at content:"},
		"site_search":    {`{"question":"generated"}`, 25_000, "only a part of it was looked at"},
		"read_records":   {`{"table":"content","where_equals":{"header":"no such text"}}`, 20_100, "Stopped after 20000 records"},
	} {
		var content string
		spent := g.large.cost(func() {
			result, err := g.large.tools[tool].Execute(t.Context(), callOf(editor, c.args))
			if err != nil || result.IsError {
				t.Errorf("%s: %q %v", tool, result.Content, err)
			}
			content = result.Content
		})
		if spent.rows > c.rows || spent.statements > 400 || !strings.Contains(content, c.want) {
			t.Errorf("%s took %+v and says\n%s", tool, spent, content)
		}
	}
}

func TestTheHistoryTellsWhoChangedWhat(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	contenttest.Set(t, s.Repository, s.Editor,
		content.Change{Op: content.Update, Table: content.Elements, UID: contenttest.Intro, Fields: map[string]any{"header": "Come in"}},
		content.Change{Op: content.Update, Table: content.Elements, UID: contenttest.Intro, Fields: map[string]any{"bodytext": strings.Repeat("long ", 60)}},
	)
	contenttest.Set(t, s.Repository, s.German, content.Change{Op: content.Update, Table: content.Elements, UID: contenttest.Intro, Fields: map[string]any{"header": ""}})
	cut := strings.TrimSpace(imprimatur.Cut(strings.Repeat("long ", 60), 120))
	header := `- 2026-03-14 09:26 UTC, editor_de: update header: “Come in” → (nothing)
`
	old := "- 2026-03-14 09:26 UTC, editor_en: update header: “Welcome” → “Come in”\n"
	whole := "History of content:40 (without a title)\n" + header +
		"- 2026-03-14 09:26 UTC, editor_en: update bodytext: “<p>We are open.</p><p>Come in.</p>” → “" + cut + " …”\n" +
		old + "- 2026-03-14 09:26 UTC, system: create\n"
	for args, want := range map[string]string{
		`{"table":"content","uid":40}`:                            whole,
		`{"table":"content","uid":40,"limit":1}`:                  "History of content:40 (without a title)\n" + header,
		`{"table":"content","uid":40,"field":"header"}`:           "History of content:40 (without a title)\n" + header + old,
		`{"table":"content","uid":40,"field":"header","limit":1}`: "History of content:40 (without a title)\n" + header,
		`{"table":"content","uid":40,"field":"teaser"}`:           "History of content:40 (without a title)\nNothing is noted.\n",
		`{"table":"content","uid":40,"field":"header'; --"}`:      `There is no column "header" of content to read; get_table_schema names those there are.`,
		`{"table":"content","uid":44}`:                            "Record not found or not permitted.",
		`{"table":"content","uid":9999}`:                          "Record not found or not permitted.",
		`{"table":"pages","uid":30}`:                              "Record not found or not permitted.",
		`{"table":"pages","uid":91}`:                              "Record not found or not permitted.",
		`{"table":"nothing","uid":1}`:                             "Record not found or not permitted.",
		`{"table":"content","uid":40,"limit":21}`:                 `The argument "limit" must be at most 20.`,
	} {
		if diff := cmp.Diff(strings.ReplaceAll(want, " …”", "…”"), strings.ReplaceAll(s.read(t, s.Editor, "get_record_history", args), " …”", "…”")); diff != "" {
			t.Errorf("%s: %s", args, diff)
		}
	}
	contenttest.Set(t, s.Repository, content.System(), content.Change{Op: content.Delete, Table: content.Elements, UID: contenttest.Intro})
	if got := s.read(t, s.Admin, "get_record_history", `{"table":"content","uid":40}`); got != "Record not found or not permitted." {
		t.Errorf("of a deleted record: %s", got)
	}
}
