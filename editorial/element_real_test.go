package editorial_test

import (
	"fmt"
	"strconv"
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

func TestEveryPageOfARealWebsiteCanBeTranslated(t *testing.T) {
	t.Parallel()
	s := realStage(t)
	pages, err := s.All(t.Context(), content.Pages)
	if err != nil {
		t.Fatal(err)
	}
	done := 0
	for i, page := range pages {
		for _, overwrite := range []bool{false, true} {
			if s.tryOut(t, s.Admin, translate, args(t, map[string]any{"table": content.Pages, "uid": page.UID, "language": i%4 + 1, "overwrite": overwrite})) {
				done++
			}
		}
	}
	if done < 20 {
		t.Errorf("%d pages: not the real export", done)
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

// bareRow is a record as it stands in the database, without what is bookkeeping:
// versions, times and the sorting of siblings.
type bareRow struct {
	pid, language, origin, deleted int64
	fields                         string
}

func (s *stage) bareRows(t *testing.T) map[content.Ref]bareRow {
	t.Helper()
	rows, err := s.DB.Query("SELECT tab, uid, pid, language, origin, deleted, fields FROM content_records")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	all := map[content.Ref]bareRow{}
	for rows.Next() {
		var ref content.Ref
		var r bareRow
		if err := rows.Scan(&ref.Table, &ref.UID, &r.pid, &r.language, &r.origin, &r.deleted, &r.fields); err != nil {
			t.Fatal(err)
		}
		all[ref] = r
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// The rows that a write touches are those that its card counts.
func TestWritesTouchTheRowsThatTheirCardsCount(t *testing.T) {
	t.Parallel()
	s := realStage(t)
	u := s.Admin
	u.Lang = "en"
	elements, err := s.All(t.Context(), content.Elements)
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for i, e := range elements {
		if e.Origin != 0 || i%5 != 0 {
			continue
		}
		target := elements[(i*3+1)%len(elements)]
		for _, c := range []struct {
			tool string
			args map[string]any
			// lines whose numbers count the rows that change, appear and go,
			// beyond the one that the call is about
			changed, added, gone []string
		}{
			{updateElement, map[string]any{"uid": e.UID, "fields": map[string]any{"header": "Edited"}}, nil, nil, nil},
			{moveElement, map[string]any{"uid": e.UID, "target_page": target.PID, "column": 7}, []string{"Translations: ", "Files: ", "Records that belong to it: "}, nil, nil},
			{translate, map[string]any{"table": content.Elements, "uid": e.UID, "language": i%4 + 1, "overwrite": true}, nil, []string{"Files: ", "Records that belong to it: "}, []string{"Files and records of the existing translation: "}},
		} {
			call := args(t, c.args)
			lines, token := s.preview(t, u, c.tool, call)
			if lines[0].Role == imprimatur.RoleRefusal {
				continue
			}
			tried++
			before := s.bareRows(t)
			if result, err := s.execute(t, u, c.tool, call, token); err != nil || result.IsError {
				t.Fatalf("%s %s: %+v %v", c.tool, call, result, err)
			}
			changed, added, gone := differenceOf(before, s.bareRows(t))
			wantChanged, wantAdded, wantGone := countedBy(lines, c.changed), countedBy(lines, c.added), countedBy(lines, c.gone)
			switch {
			case c.tool != translate:
				wantChanged++
			case has(lines, "is discarded"):
				wantAdded, wantGone = wantAdded+1, wantGone+1
			default:
				wantAdded++
			}
			if changed != wantChanged || added != wantAdded || gone != wantGone {
				t.Errorf("%s %s: %d rows changed, %d came, %d went; the card:\n%s", c.tool, call, changed, added, gone, text(lines))
			}
		}
	}
	if tried < 60 {
		t.Errorf("%d calls: not the real export", tried)
	}
}

func differenceOf(before, after map[content.Ref]bareRow) (changed, added, gone int) {
	for ref, now := range after {
		old, was := before[ref]
		switch {
		case !was:
			added++
		case old.deleted != now.deleted:
			gone++
		case old != now:
			changed++
		}
	}
	return changed, added, gone
}

// counted adds up the numbers of lines that begin like this.
func countedBy(lines []imprimatur.Line, beginnings []string) (sum int) {
	for _, l := range lines {
		for _, beginning := range beginnings {
			if rest, ok := strings.CutPrefix(l.Text, beginning); ok {
				number, _, _ := strings.Cut(rest, ",")
				n, err := strconv.Atoi(number)
				if err != nil {
					return -1
				}
				sum += n
			}
		}
	}
	return sum
}
