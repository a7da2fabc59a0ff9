package editorial_test

import "fmt"

// searches are the tools that go through a table, and end early where it is
// large.
var searches = map[string]bool{"search_records": true, "search_files": true, "find_missing_files": true, "site_search": true}

// readProbes are the calls of tools that only read by which they are measured.
func readProbes() map[string][]func(in subjects) string {
	same := func(args string) []func(subjects) string {
		return []func(subjects) string{func(subjects) string { return args }}
	}
	about := func(format string, uid func(in subjects) int64) []func(subjects) string {
		return []func(subjects) string{func(in subjects) string { return fmt.Sprintf(format, uid(in)) }}
	}
	file := func(in subjects) int64 { return in.file }
	return map[string][]func(subjects) string{
		"list_tables":         same(`{}`),
		"get_table_schema":    same(`{"table":"content"}`),
		"validate_schema":     same(`{}`),
		"resolve_url":         same(`{"url":"/"}`),
		"read_records":        about(`{"pid":%d,"table":"content"}`, func(in subjects) int64 { return in.target }),
		"search_records":      same(`{"query":"no such text"}`),
		"get_record_history":  about(`{"table":"content","uid":%d}`, func(in subjects) int64 { return in.element }),
		"list_storages":       same(`{}`),
		"browse_folder":       same(`{"storage":"media"}`),
		"search_files":        same(`{"query":"no such file"}`),
		"get_file_references": about(`{"uid":%d}`, file),
		"find_missing_files":  same(`{}`),
		"read_file_meta":      about(`{"uid":%d}`, file),
		"site_search":         same(`{"question":"no such word"}`),
		"site_fetch_source":   about(`{"source_id":"page:%d"}`, func(in subjects) int64 { return in.page }),
	}
}
