package editorial_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
	"github.com/imprimatur-dev/imprimatur/internal/realdata"
)

// Everything of a real website can be read, one record after the other, and
// every search finds its way through it.
func TestEverythingOfARealWebsiteIsRead(t *testing.T) {
	t.Parallel()
	s := realStage(t)
	read := 0
	for _, table := range s.Schema().Tables {
		if table.AdminOnly || table.Sensitive || table.HideTable {
			continue
		}
		records, err := s.All(t.Context(), table.Name)
		if err != nil {
			t.Fatal(err)
		}
		for _, rec := range records {
			of := map[string]any{"table": table.Name, "uid": rec.UID}
			got, err := s.execute(t, s.Admin, "read_records", args(t, of), nil)
			if err != nil || got.IsError && table.Name != content.FileReferences || strings.Contains(got.Content, "extra:") || strings.Contains(got.Content, "flexform:") {
				t.Errorf("%s reads %v\n%s", rec.Ref(), err, got.Content)
			}
			if history := s.read(t, s.Admin, "get_record_history", args(t, of)); !got.IsError && !strings.HasPrefix(history, "History of "+rec.Ref().String()) {
				t.Errorf("%s has the history\n%s", rec.Ref(), history)
			}
			read++
		}
		title := ""
		if len(records) > 0 {
			title = s.Schema().Title(records[0])
		}
		if title = strings.TrimSpace(title); len(title) >= 2 && len(title) <= 100 && !strings.Contains(title, "<") {
			if got := s.read(t, s.Admin, "search_records", args(t, map[string]any{"table": table.Name, "query": title})); !strings.HasPrefix(got, table.Name+":") {
				t.Errorf("%q is not found in %s: %s", title, table.Name, got)
			}
		}
	}
	if read < 500 {
		t.Errorf("%d records were read: not the real export", read)
	}
	s.readRealFiles(t)
}

// readRealFiles walks down from the storages to every file.
func (s *stage) readRealFiles(t *testing.T) {
	t.Helper()
	files, err := s.All(t.Context(), content.Files)
	if err != nil {
		t.Fatal(err)
	}
	var listed strings.Builder
	for line := range strings.SplitSeq(strings.TrimSpace(s.read(t, s.Admin, "list_storages", `{}`)), "\n") {
		storage, _, _ := strings.Cut(strings.TrimPrefix(line, "- "), ":")
		for todo := []string{"/"}; len(todo) > 0; todo = todo[1:] {
			got := s.read(t, s.Admin, "browse_folder", args(t, map[string]any{"storage": storage, "folder": todo[0]}))
			listed.WriteString(got)
			for line := range strings.SplitSeq(got, "\n") {
				if folder, ok := strings.CutPrefix(line, "- /"); ok {
					todo = append(todo, "/"+folder)
				}
			}
		}
	}
	for _, file := range files {
		if !s.MayUseFile(s.Admin, file) {
			continue
		}
		of := args(t, map[string]any{"uid": file.UID})
		for _, got := range []string{s.read(t, s.Admin, "read_file_meta", of), s.read(t, s.Admin, "get_file_references", of)} {
			line, _, _ := strings.Cut(strings.TrimPrefix(got, "File "), "\n")
			if !strings.HasPrefix(got, "File [") || !strings.Contains(listed.String(), "- "+line+"\n") {
				t.Errorf("file %d is not in its folder: %s", file.UID, got)
			}
		}
	}
	if strings.Count(listed.String(), "- [") < 20 {
		t.Errorf("these are all files:\n%s", listed.String())
	}
}

// The calls by which tools are measured read something on the real website too.
func TestTheProbesReadARealWebsite(t *testing.T) {
	t.Parallel()
	realDatabase.Do(func() { importReal(t, realdata.Dir(t, "typo3-introduction", "data.xml")) })
	s := openSite(t, copyFile(t, realDatabase.file, t.TempDir()+"/real.db"))
	probes := readProbes()
	for _, tool := range slices.Sorted(maps.Keys(probes)) {
		for _, args := range probes[tool] {
			if _, refused := s.look(t, tool, callOf(contenttest.People().Admin, args(realDatabase.in))); refused {
				t.Errorf("%s is refused: %s", tool, args(realDatabase.in))
			}
		}
	}
}
