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
)

// found makes calls of a tool until one is carried out, and returns what its
// card and the database do not agree on.
func (p *picture) found(t *testing.T, tool string, args func() map[string]any) []string {
	t.Helper()
	for range 60 {
		findings, ok := p.turn(t, tool, args())
		if ok || len(findings) > 0 {
			return findings
		}
	}
	t.Fatalf("no call of %s was carried out", tool)
	return nil
}

// finds expects a finding with these words.
func finds(t *testing.T, findings []string, want string) {
	t.Helper()
	if !strings.Contains(strings.Join(findings, "\n"), want) {
		t.Errorf("nothing about %q among the findings:\n%s", want, strings.Join(findings, "\n"))
	}
}

// A website whose installation, or database, writes more than the tools ask
// for.
func TestWhateverIsWrittenBesidesIsFound(t *testing.T) {
	t.Parallel()
	more := func(op content.Op, table, column string) content.Hook {
		return func(o content.Op, row content.Ref, _ content.Record, fields map[string]any) {
			if o == op && row.Table == table {
				fields[column] = "slipped in"
			}
		}
	}
	for name, bent := range map[string]struct {
		tool    string
		hook    content.Hook
		trigger string // a statement that is carried out after a write to what it names
		want    string
	}{
		"a column of an element": {"update_content_element", more(content.Update, content.Elements, "notes"), "", "fields.notes of content_records content/"},
		"a column of a page":     {"update_page_metadata", more(content.Update, content.Pages, "author"), "", "fields.author of content_records pages/"},
		"what describes a file":  {"set_file_alternative_text", more(content.Update, content.FileMetadata, "note"), "", "fields.note of content_records file_metadata/"},
		"a column of a new file": {"attach_file_to_record", more(content.Create, content.FileReferences, "crop"), "", "fields.crop of content_records file_references/"},
		"a column of a translated file": {
			"create_translation_draft", more(content.Localize, content.FileReferences, "crop"), "", "there is no copy of file_references",
		},
		"a moved element": {"move_content_element", more(content.Move, content.Elements, "notes"), "", "fields.notes of content_records content/"},
		"the rights of a page": {
			"create_page_draft", nil, "INSERT ON content_page_rights BEGIN UPDATE content_page_rights SET everybody_may = 31 WHERE page = NEW.page", "everybody_may of content_page_rights",
		},
		"another record": {
			"publish_record", nil, "UPDATE ON content_records WHEN NEW.tab IN ('pages', 'content') BEGIN UPDATE content_records SET pid = 1 WHERE tab = 'categories'", "pid of content_records categories/",
		},
		"a page more": {
			"delete_record", nil, "UPDATE ON content_records WHEN NEW.deleted > 0 BEGIN UPDATE content_records SET deleted = NEW.deleted WHERE tab = 'venues'", "deleted of content_records venues/",
		},
		"the order of siblings": {
			"update_content_element", nil, "UPDATE ON content_records WHEN NEW.tab = 'content' BEGIN UPDATE content_records SET sorting = 100000 - sorting WHERE tab = 'pages'", "stand in another order",
		},
		"a file": {
			"attach_file_to_record", nil, "INSERT ON content_references BEGIN UPDATE content_files SET folder = '/elsewhere/' WHERE uid = NEW.file_uid", "folder of content_files",
		},
		"the index of files": {
			"attach_file_to_record", nil, "INSERT ON content_references BEGIN UPDATE content_references SET file_uid = 0 WHERE uid = NEW.uid", "file_uid of content_references",
		},
		"a language": {
			"update_file_metadata", nil, "UPDATE ON content_records BEGIN UPDATE content_languages SET code = 'xx' WHERE id = 2", "code of content_languages",
		},
		"history that is changed": {
			"update_page_metadata", nil, "INSERT ON content_history BEGIN UPDATE content_history SET new = 'nothing' WHERE id = NEW.id", "the history says",
		},
		"history that is lost": {
			"update_page_metadata", nil, "INSERT ON content_history BEGIN DELETE FROM content_history WHERE id = NEW.id", "the history does not tell",
		},
		"history that was there": {
			"update_page_metadata", nil, "INSERT ON content_history BEGIN UPDATE content_history SET user_name = 'nobody' WHERE id = 1", "history is written over",
		},
		"a row that vanishes": {
			"update_page_metadata", nil, "UPDATE ON content_records BEGIN DELETE FROM content_records WHERE tab = 'venues'", "is gone from the database",
		},
		"numbers that are wasted": {
			"create_record_draft", nil, "INSERT ON content_records BEGIN UPDATE content_ids SET last = last + 1 WHERE tab = NEW.tab", "last of content_ids",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := openPicture(t, english(), *seedFlag)
			if bent.hook != nil {
				p.bend(t, bent.hook)
			}
			if bent.trigger != "" {
				if _, err := p.store.Writer().ExecContext(t.Context(), "CREATE TRIGGER bent AFTER "+bent.trigger+"; END"); err != nil {
					t.Fatal(err)
				}
			}
			finds(t, p.found(t, bent.tool, p.telling(bent.tool)), bent.want)
		})
	}
}

func english() imprimatur.User {
	u := contenttest.People().Admin
	u.Lang = "en"
	return u
}

// bend opens the repository of a website once more, with a hook.
func (p *picture) bend(t *testing.T, hook content.Hook) {
	t.Helper()
	repo, err := content.Open(content.Config{
		Writer: p.store.Writer(), Reader: p.store.Reader(), Schema: p.schema, Storages: imprimatur.Set{"media"}, Hook: hook,
	})
	if err != nil {
		t.Fatal(err)
	}
	p.repo, p.tools = repo, toolsOf(repo)
}

// telling are calls of a tool that write.
func (p *picture) telling(tool string) func() map[string]any {
	return func() map[string]any {
		args := p.calls()[tool]()
		switch tool {
		case "update_content_element":
			args["fields"] = map[string]any{"header": p.short()}
		case "update_page_metadata":
			args = map[string]any{"uid": p.one(content.Pages).uid(), "description": p.short()}
		case "set_file_alternative_text":
			args["alternative"] = p.short()
		case "update_file_metadata":
			args["title"] = p.short()
		case "publish_record":
			args = map[string]any{"table": content.Elements, "uid": p.one(content.Elements, hidden).uid()}
		case "create_translation_draft":
			ref := p.one(content.FileReferences, original, func(r *storedRow) bool { return r.field(content.ColumnOwnerTable) == content.Elements })
			args = map[string]any{"table": content.Elements, "uid": ref.count(content.ColumnOwner), "language": 4}
		}
		return args
	}
}

// fewTimes is how often a tool is carried out where much is made of each call.
func fewTimes() int {
	if raced {
		return 1
	}
	return 3
}

// Each line of a card is true, and those about what is written are needed: with
// another text, or without it, a call that was carried out does not add up.
func TestACardThatShowsLessOrElseIsFound(t *testing.T) {
	t.Parallel()
	p := openPicture(t, english(), *seedFlag+1)
	needed := map[imprimatur.Label]bool{}
	p.settled = func(a *account) {
		missed := 0
		for i, text := range a.texts {
			if text.Role == imprimatur.RoleTechnical {
				continue
			}
			if len(a.without(i, "").settle(p.promises[a.tool])) > 0 {
				needed[lineName(text)] = true
				missed++
			}
			if len(a.without(i, a.lines[i].Text+" and more").settle(p.promises[a.tool])) == 0 {
				t.Errorf("%s: the line %q may read otherwise", a.tool, a.lines[i].Text)
			}
		}
		if missed == 0 && len(a.changes) > 0 {
			t.Errorf("%s %v: no line is needed of\n%s", a.tool, a.args, text(a.lines))
		}
	}
	p.walk(t, fewTimes())
	for _, label := range []imprimatur.Label{ // some of what stands on the card of every such write
		catalogue.WhereLocation, catalogue.PageTitle, catalogue.PageURLPath, catalogue.WhereLanguage, catalogue.WherePosition, catalogue.Visibility,
		catalogue.WhereNew, catalogue.AttachNewFileName, schemaField, catalogue.RecordCopyTo, catalogue.FileCurrentName,
	} {
		if !needed[label] && !raced {
			t.Errorf("no call needed its line %s; needed were %v", label, slices.Sorted(maps.Keys(needed)))
		}
	}
}

// without is a call whose card lacks a line, or has another text in its place;
// none of them where there is no such line.
func (a *account) without(i int, instead string) *account {
	b := &account{
		tool: a.tool, schema: a.schema, printer: a.printer, user: a.user, args: a.args, before: a.before, after: a.after,
		texts: slices.Clone(a.texts), lines: slices.Clone(a.lines),
	}
	switch {
	case i < 0:
	case instead == "":
		b.texts, b.lines = slices.Delete(b.texts, i, i+1), slices.Delete(b.lines, i, i+1)
	default:
		b.lines[i].Text = instead
	}
	return b
}

// Whatever else stands in the database after a call, in whichever column, is
// found.
func TestEveryOtherCellIsFound(t *testing.T) {
	t.Parallel()
	p := openPicture(t, english(), *seedFlag+1)
	tried := 0
	p.settled = func(a *account) {
		for range 12 {
			after, what := p.otherwise(a)
			if after == nil {
				continue
			}
			b := a.without(-1, "")
			b.after = after
			tried++
			if len(b.settle(p.promises[a.tool])) == 0 {
				t.Errorf("%s %v: nobody minds %s", a.tool, a.args, what)
			}
		}
	}
	p.walk(t, fewTimes())
	if tried < 100*fewTimes() {
		t.Errorf("%d cells were tried", tried)
	}
}

// otherwise is the state after a call with another value in one cell, more often
// than not of a row that the call wrote.
func (p *picture) otherwise(a *account) (state, string) {
	changes := slices.DeleteFunc(slices.Clone(a.changes), func(c rowChange) bool { return c.after == nil })
	var row *storedRow
	if len(changes) > 0 && !p.chance(3) {
		row = changes[p.IntN(len(changes))].after
	} else {
		tables := slices.Sorted(maps.Keys(a.after))
		rows := a.after[tables[p.IntN(len(tables))]]
		if len(rows) == 0 {
			return nil, ""
		}
		row = rows[pick(p.caller, slices.Sorted(maps.Keys(rows))...)]
	}
	column := pick(p.caller, slices.Sorted(maps.Keys(row.cells))...)
	place := row.table == recordTable && column == "sorting" || row.table == "content_history" && row.text("field") == "sorting" && column != "at"
	if row.table == "content_links" || place || strings.Contains("/"+row.key+"/", "/"+row.text(column)+"/") {
		return nil, "" // the index is held against a new one at the end of a run, gaps between siblings may vary, and keys are names
	}
	cells := maps.Clone(row.cells)
	switch v := row.cells[column].(type) {
	case int64:
		cells[column] = v + 1
	default:
		cells[column] = fmt.Sprint(v, " else")
	}
	other := newStoredRow(row.table, row.key, nil, cells)
	after := maps.Clone(a.after)
	after[row.table] = maps.Clone(after[row.table])
	after[row.table][row.key] = other
	return after, fmt.Sprintf("%s of %s %s: %v instead of %v", column, row.table, row.key, cells[column], row.cells[column])
}
