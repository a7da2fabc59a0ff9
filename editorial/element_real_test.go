package editorial_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
)

// Whatever a card of a real element promises can be carried out, and what is
// refused is refused in preview and write alike.
func TestEveryElementOfARealWebsiteCanBeEdited(t *testing.T) {
	t.Parallel()
	s := realStage(t)
	elements, err := s.All(t.Context(), content.Elements)
	if err != nil {
		t.Fatal(err)
	}
	done, refused := map[string]int{}, map[string]int{}
	for i, e := range elements {
		if i%3 != 0 {
			continue
		}
		target := elements[(i*7+3)%len(elements)]
		language := int64(i%4 + 1)
		for _, c := range []struct {
			tool string
			args map[string]any
		}{
			{updateElement, map[string]any{"uid": e.UID, "fields": map[string]any{"header": fmt.Sprintf("Edited %d", i), "subheader": strings.Repeat("s ", i%120), "header_layout": "3"}}},
			{moveElement, map[string]any{"uid": e.UID, "target_page": target.PID, "after_content_uid": target.UID}},
			{moveElement, map[string]any{"uid": e.UID, "target_page": e.PID, "column": i % 3}},
			{translate, map[string]any{"table": content.Elements, "uid": e.UID, "language": language}},
			{translate, map[string]any{"table": content.Elements, "uid": e.UID, "language": language, "overwrite": true}},
			{createElement, map[string]any{"page": e.PID, "type": e.Text("type"), "header": "New", "language": max(e.Language, 0), "after_content_uid": e.UID}},
		} {
			if s.tryOut(t, s.Admin, c.tool, args(t, c.args)) {
				done[c.tool]++
			} else {
				refused[c.tool]++
			}
		}
	}
	for _, tool := range []string{updateElement, moveElement, translate, createElement} {
		if done[tool] < 20 || refused[tool] == 0 {
			t.Errorf("%s: %d carried out, %d refused: not the real export", tool, done[tool], refused[tool])
		}
	}
}

// tryOut previews a call and carries it out, and reports whether it was not
// refused.
func (s *stage) tryOut(t *testing.T, u imprimatur.User, tool, args string) bool {
	t.Helper()
	lines, token := s.preview(t, u, tool, args)
	result, err := s.execute(t, u, tool, args, token)
	if lines[0].Role == imprimatur.RoleRefusal {
		if err != nil || !result.IsError || result.Content != lines[0].Text {
			t.Errorf("%s %s: refused as %q, then %+v %v", tool, args, lines[0].Text, result, err)
		}
		return false
	}
	checkShape(t, lines, u.Lang)
	if err != nil || result.IsError {
		t.Errorf("%s %s: %+v %v", tool, args, result, err)
	}
	return true
}
