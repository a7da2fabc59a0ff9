package editorial_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
	"github.com/imprimatur-dev/imprimatur/internal/realdata"
)

// realStage is a stage with the real export.
func realStage(t *testing.T) *stage {
	t.Helper()
	file, err := os.Open(realdata.Dir(t, "typo3-introduction", "data.xml"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := file.Close(); err != nil {
			t.Error(err)
		}
	})
	people := contenttest.People()
	site := &people
	site.DB = contenttest.Database(t)
	s := &stage{Site: site}
	site.Repository = reopened(t, s, contenttest.Schema(t))
	_, err = site.Import(t.Context(), file, content.ImportOptions{Languages: realLanguages()})
	if err != nil {
		t.Fatal(err)
	}
	return with(t, site, site.Repository)
}

// realLanguages names the languages of the export.
func realLanguages() []content.Language {
	return []content.Language{
		{ID: 1, Code: "de", Label: imprimatur.ByLanguage{"en": "German", "de": "Deutsch"}},
		{ID: 2, Code: "da", Label: imprimatur.ByLanguage{"en": "Danish", "de": "Dänisch"}},
		{ID: 3, Code: "pl", Label: imprimatur.ByLanguage{"en": "Polish", "de": "Polnisch"}},
		{ID: 4, Code: "es", Label: imprimatur.ByLanguage{"en": "Spanish", "de": "Spanisch"}},
	}
}

func args(t *testing.T, values map[string]any) string {
	t.Helper()
	b, err := json.Marshal(values)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Every page and every element of a real website can be read and previewed,
// and whatever is refused is refused in one English sentence.
//
// Proves tools 73, 74, 78.
func TestARealWebsiteCanBeReadAndPreviewed(t *testing.T) {
	t.Parallel()
	s := realStage(t)
	pages, err := s.All(t.Context(), content.Pages)
	if err != nil {
		t.Fatal(err)
	}
	technical := map[string]int64{}
	for _, page := range pages {
		if page.Origin == 0 {
			got := s.read(t, s.Admin, "get_page_content", args(t, map[string]any{"uid": page.UID}))
			if !strings.HasPrefix(got, "Page [") || strings.Contains(got, "<p>") {
				t.Errorf("page %d reads\n%s", page.UID, got)
			}
		}
		lines, _ := s.preview(t, s.Admin, metadata, args(t, map[string]any{"uid": page.UID, "description": strings.Repeat("Neu ", 50), "nav_title": "Neu"}))
		checkShape(t, lines, "de")
		last := lines[len(lines)-1].Text
		if other, twice := technical[last]; twice {
			t.Errorf("pages %d and %d share a technical line: %s", other, page.UID, last)
		}
		technical[last] = page.UID
	}
	previewed, refused := s.previewAttachments(t)
	if len(pages) < 50 || previewed < 20 || refused < 20 {
		t.Errorf("%d pages, %d attachments previewed, %d refused: not the real export", len(pages), previewed, refused)
	}
}

// previewAttachments previews a file for every element, in both languages.
func (s *stage) previewAttachments(t *testing.T) (previewed, refused int) {
	t.Helper()
	elements, err := s.All(t.Context(), content.Elements)
	if err != nil {
		t.Fatal(err)
	}
	files, err := s.All(t.Context(), content.Files)
	if err != nil {
		t.Fatal(err)
	}
	english := s.Admin
	english.Lang = "en"
	for i, element := range elements {
		call := args(t, map[string]any{"content_element": element.UID, "file": files[i%len(files)].UID, "alternative": "Ein Bild"})
		for _, u := range []imprimatur.User{s.Admin, english} {
			lines, _ := s.preview(t, u, attach, call)
			if lines[0].Role == imprimatur.RoleRefusal {
				if len(lines) != 1 || !strings.HasSuffix(lines[0].Text, ".") {
					t.Errorf("element %d: %s", element.UID, text(lines))
				}
				refused++
				continue
			}
			checkShape(t, lines, u.Lang)
			previewed++
		}
	}
	return previewed, refused
}
