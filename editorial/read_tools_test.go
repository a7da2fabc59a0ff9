package editorial_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
)

// readingTool is a tool that only reads: its group, what it answers where there
// is nothing to be seen, and a call that an administrator may make.
type readingTool struct{ group, neutral, args string }

func readingTools() map[string]readingTool {
	const (
		page    = "Page not found or not permitted."
		record  = "Record not found or not permitted."
		table   = "Table not found or not permitted."
		file    = "File not found or not permitted."
		storage = "Storage not found or not permitted."
		folder  = "Folder not found or not permitted."
		source  = "Source not found or not permitted."
	)
	return map[string]readingTool{
		"get_pagetree":        {"structure", page, `{}`},
		"list_tables":         {"structure", table, `{}`},
		"get_table_schema":    {"structure", table, `{"table":"content"}`},
		"validate_schema":     {"structure", table, `{"table":"content"}`},
		"resolve_url":         {"structure", page, `{"url":"/visit"}`},
		"get_page_content":    {"content", page, `{"uid":10}`},
		"read_records":        {"content", table, `{"pid":10,"table":"content"}`},
		"search_records":      {"content", table, `{"query":"hall"}`},
		"get_record_history":  {"content", record, `{"table":"content","uid":40}`},
		"list_storages":       {"files", storage, `{}`},
		"browse_folder":       {"files", folder, `{"folder":"/pictures/","storage":"media"}`},
		"search_files":        {"files", file, `{"query":"hall"}`},
		"get_file_references": {"files", file, `{"uid":7}`},
		"find_missing_files":  {"files", file, `{}`},
		"read_file_meta":      {"files", file, `{"uid":7}`},
		"site_search":         {"rag", source, `{"question":"Are you open?"}`},
		"site_fetch_source":   {"rag", source, `{"source_id":"page:10"}`},
	}
}

func TestToolsThatReadNeedNoApproval(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	known := readingTools()
	for name, tool := range s.tools {
		d, err := imprimatur.Describe(tool)
		if err != nil {
			t.Fatal(err)
		}
		want, reads := known[name]
		switch {
		case reads != (d.Effect == imprimatur.ReadOnly):
			t.Errorf("%s has the effect %s", name, d.Effect)
		case reads && (d.Previewer != nil || d.Approval || d.AdminOnly || d.Group != want.group):
			t.Errorf("%s is declared as %+v", name, d)
		}
	}
	for name := range known {
		if s.tools[name] == nil {
			t.Errorf("there is no %s", name)
		}
	}
}

func TestWithoutARightNothingIsRead(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	disabled := s.Admin
	disabled.Enabled = false
	for name, tool := range readingTools() {
		for _, u := range []imprimatur.User{{}, {Admin: true, Enabled: true}, disabled, s.Nobody} {
			if tool.group == "rag" && u.ID == s.Nobody.ID {
				continue // what everybody reads
			}
			result, err := s.execute(t, u, name, tool.args, nil)
			if err != nil || !result.IsError || result.Content != tool.neutral {
				t.Errorf("%s for user %d: %q %v", name, u.ID, result.Content, err)
			}
		}
		if result, err := s.execute(t, s.Admin, name, tool.args, nil); err != nil || result.IsError {
			t.Errorf("%s is refused to an administrator, which proves nothing: %q %v", name, result.Content, err)
		}
	}
}

// Whoever asks, and however: what is secret, for administrators, a draft or
// deleted does not leave.
func TestWhatMustStayDoes(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{Large: true})
	contenttest.Set(t, s.Repository, content.System(),
		content.Change{Op: content.Create, Table: "internals", UID: 70, PID: contenttest.FirstHall, Fields: map[string]any{"title": "Alarm of the internals"}},
		content.Change{Op: content.Delete, Table: "memos", UID: contenttest.Memo})
	var calls [][2]string
	add := func(tool, format string, args ...any) {
		calls = append(calls, [2]string{tool, fmt.Sprintf(format, args...)})
	}
	for _, table := range []string{"secrets", "plans", "internals", "memos", "groups", "languages", "storages", "content", "pages"} {
		add("read_records", `{"table":%q}`, table)
		add("read_records", `{"table":%q,"pid":101}`, table)
		for _, uid := range []int64{64, 65, 67, 70, 901, 902, 903} {
			add("read_records", `{"table":%q,"uid":%d}`, table, uid)
			add("get_record_history", `{"table":%q,"uid":%d}`, table, uid)
		}
		add("get_table_schema", `{"table":%q}`, table)
		add("search_records", `{"query":"not yet","table":%q}`, table)
	}
	for _, query := range []string{"alarm", "plumber", "ground floor", "great halls", "better questions", "not yet"} {
		add("search_records", `{"query":%q}`, query)
		add("site_search", `{"question":%q}`, query)
	}
	add("get_pagetree", `{"include_hidden":true,"depth":5}`)
	add("list_tables", `{}`)
	add("get_file_references", `{"uid":12}`)
	add("search_files", `{"query":"seal"}`)
	add("browse_folder", `{"storage":"vault"}`)
	stays := []string{
		"Code of the alarm", "Ground floor", "Alarm of the internals", "Ask the plumber", "Great halls", "Better questions", "Not yet", "seal.jpg",
		"“Secret”", "“Floor plan”", "“Internal record”",
	}
	for _, u := range []imprimatur.User{s.Admin, s.Editor} {
		for _, c := range calls {
			result, err := s.execute(t, u, c[0], c[1], nil)
			if err != nil {
				t.Errorf("%s %s: %v", c[0], c[1], err)
			}
			for _, secret := range stays {
				if strings.Contains(result.Content, secret) {
					t.Errorf("%s %s for %s tells\n%s", c[0], c[1], u.Name, result.Content)
				}
			}
		}
	}
}

// accounts is a table that somebody described without a thought of what is in
// it.
func accounts(t *testing.T) *content.Schema {
	t.Helper()
	var columns []content.Column
	for _, name := range guarded {
		columns = append(columns, content.Column{Name: name, Type: content.TypeInput})
	}
	for _, name := range []string{"name", "keywords", "passage", "monkey", "keyvisual", "hashtag"} {
		columns = append(columns, content.Column{Name: name, Type: content.TypeInput})
	}
	columns = append(columns, content.Column{Name: "options", Type: content.TypeFlex}, content.Column{Name: "extra", Type: content.TypeText})
	s, err := contenttest.Schema(t).With([]content.Table{{Name: "accounts", LabelField: "name", Columns: columns}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var guarded = []string{
	"password", "user_passwd", "api_key", "apikey", "access_token", "client_secret", "privatekey_pem", "salt",
	"pass", "credentials", "mfa", "sessionkey", "accesskey", "auth_code", "authcode", "user_pin", "session_key",
}

func TestCredentialsNeverLeave(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	s = with(t, s.Site, reopened(t, s, accounts(t)))
	fields := map[string]any{"name": "Mail", "keywords": "open-1", "passage": "open-2", "monkey": "open-3", "keyvisual": "open-5", "hashtag": "open-6", "options": "sealed", "extra": "sealed"}
	for _, name := range guarded {
		fields[name] = "sealed"
	}
	repo := reopened(t, s, accounts(t))
	contenttest.Set(t, repo, content.System(), content.Change{Op: content.Create, Table: "accounts", UID: 5, PID: contenttest.Visit, Fields: fields})
	changed := map[string]any{"keywords": "open-4"}
	for _, name := range guarded {
		changed[name] = "sealed anew"
	}
	contenttest.Set(t, repo, content.System(), content.Change{Op: content.Update, Table: "accounts", UID: 5, Fields: changed})

	shown := s.read(t, s.Admin, "read_records", `{"table":"accounts"}`)
	shown += s.read(t, s.Admin, "get_record_history", `{"table":"accounts","uid":5,"limit":20}`)
	for _, want := range []string{"keywords: open-4", "passage: open-2", "monkey: open-3", "keyvisual: open-5", "hashtag: open-6", "keywords: “open-1” → “open-4”", "password (not shown)"} {
		if !strings.Contains(shown, want) {
			t.Errorf("%q is not among\n%s", want, shown)
		}
	}
	if strings.Contains(shown, "sealed") {
		t.Errorf("a credential left:\n%s", shown)
	}
	if got := s.read(t, s.Admin, "search_records", `{"query":"sealed"}`); strings.Contains(got, "accounts") {
		t.Errorf("a credential is found: %s", got)
	}
	for _, name := range append(slices.Clone(guarded), "options", "extra", "nothing") {
		want := fmt.Sprintf("There is no column %q of accounts to read; get_table_schema names those there are.", name)
		for _, call := range [][2]string{
			{"read_records", fmt.Sprintf(`{"table":"accounts","fields":"name, %s"}`, name)},
			{"read_records", fmt.Sprintf(`{"table":"accounts","where_equals":{%q:"sealed"}}`, name)},
			{"get_record_history", fmt.Sprintf(`{"table":"accounts","uid":5,"field":%q}`, name)},
		} {
			got := s.read(t, s.Admin, call[0], call[1])
			if diff := cmp.Diff(want, strings.ReplaceAll(got, "  ", " ")); diff != "" {
				t.Errorf("%s: %s", call[1], diff)
			}
		}
	}
}

// A table may name its records by what must not leave, and hide them by a column
// of another name.
func TestARecordIsNotNamedByACredentialAndHiddenByItsOwnColumn(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	schema, err := contenttest.Schema(t).With([]content.Table{{Name: "doors", LabelField: "pass", HiddenField: "disabled", Columns: []content.Column{
		{Name: "pass", Type: content.TypeInput}, {Name: "place", Type: content.TypeInput}, {Name: "disabled", Type: content.TypeCheck},
	}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	repo := reopened(t, s, schema)
	s = with(t, s.Site, repo)
	door := func(uid int64, disabled int) content.Change {
		return content.Change{Op: content.Create, Table: "doors", UID: uid, PID: contenttest.Visit, Fields: map[string]any{"pass": "sealed", "place": "north", "disabled": disabled}}
	}
	contenttest.Set(t, repo, content.System(), door(5, 0), door(6, 1))
	reader := s.Reader
	reader.Rights.Select = imprimatur.Set{imprimatur.All}
	read := func(u imprimatur.User) string {
		return s.read(t, u, "read_records", `{"table":"doors"}`) + s.read(t, u, "search_records", `{"query":"north"}`) + s.read(t, u, "get_record_history", `{"table":"doors","uid":6}`)
	}
	want := "- [5] (without a title) on page 10\n  place: north\ndoors:5 (without a title) on page 10 · place: north\nRecord not found or not permitted."
	if diff := cmp.Diff(want, read(reader)); diff != "" {
		t.Error(diff)
	}
	if got := read(s.Admin); strings.Contains(got, "sealed") || !strings.Contains(got, "- [6] (without a title) on page 10 (hidden)") {
		t.Errorf("an administrator reads\n%s", got)
	}
}

func TestWhatIsReadIsTheSameEveryTime(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{Large: true})
	for name, tool := range readingTools() {
		first := s.read(t, s.Admin, name, tool.args)
		for range 5 {
			if diff := cmp.Diff(first, s.read(t, s.Admin, name, tool.args)); diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
		}
	}
}
