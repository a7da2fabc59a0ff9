package contenttest_test

import (
	"context"
	"slices"
	"testing"

	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
)

func TestTheLargeSeedIsWhatItsCommentsSay(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{Large: true})
	nodes, err := s.Tree(context.Background(), s.Editor, contenttest.Museum, content.MaxRootline)
	if err != nil {
		t.Fatal(err)
	}
	children, titles := map[int64]int{}, map[string][]int64{}
	for _, n := range nodes {
		children[n.PID]++
		titles[n.Text("title")] = append(titles[n.Text("title")], n.UID)
	}
	below, err := s.Tree(context.Background(), s.Editor, contenttest.Catalogue, content.MaxRootline)
	if err != nil {
		t.Fatal(err)
	}
	if len(nodes) < 80 || children[contenttest.Halls] != 16 || len(below) != 60 {
		t.Errorf("%d pages, %d below Halls, %d in the branch of the catalogue", len(nodes), children[contenttest.Halls], len(below))
	}
	if same := titles["Hall 3"]; !slices.Equal(same, []int64{contenttest.ThirdHall, contenttest.HiddenHall}) {
		t.Errorf("pages called Hall 3: %v", same)
	}
	accordion, err := s.Record(context.Background(), s.Editor, content.Elements, contenttest.Accordion)
	if err != nil || accordion.Int("accordion_items") != 2 {
		t.Errorf("%v, %v", accordion.Fields, err)
	}
	for _, draft := range []content.Ref{
		{Table: content.Pages, UID: contenttest.PageDraft},
		{Table: content.Elements, UID: contenttest.ElementDraft},
		{Table: content.Elements, UID: contenttest.NewDraft},
	} {
		if _, err := s.Row(context.Background(), draft); err == nil {
			t.Errorf("%s is live", draft)
		}
	}
}

func TestTheTablesOfTheExtensionDifferInWhatTheyAreFor(t *testing.T) {
	t.Parallel()
	s := contenttest.Schema(t)
	for table, files := range map[string]int{"exhibits": 2, "news": 1, "venues": 0, "memos": 0} {
		described, ok := s.Table(table)
		if !ok {
			t.Fatalf("there is no table %s", table)
		}
		n := 0
		for _, c := range described.Columns {
			if c.Type == content.TypeFile {
				n++
			}
		}
		if n != files {
			t.Errorf("%s has %d file fields, want %d", table, n, files)
		}
		if (described.HiddenField == "") != (table == "memos") {
			t.Errorf("%s is hidden by %q", table, described.HiddenField)
		}
	}
}
