package content_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
)

func titles(nodes []content.Node) []string {
	var all []string
	for _, n := range nodes {
		title := n.Text("title")
		for range n.Depth {
			title = "  " + title
		}
		all = append(all, title)
	}
	return all
}

func TestTreeListsWhatTheUserMaySeeInOrder(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	elsewhere := s.Editor
	elsewhere.Rights.Pages = imprimatur.Set{"40", "12", "10", "no number"}
	translator := s.Editor
	translator.Rights.Languages = imprimatur.Set{"1"}
	disabled := s.Admin
	disabled.Enabled = false
	for _, c := range []struct {
		name  string
		user  imprimatur.User
		root  int64
		depth int
		want  []string
	}{
		{"administrator, whole tree", s.Admin, 0, 5, []string{
			"Museum", "  Visit", "    Opening hours", "    Team", "  Collection", "    " + contenttest.Long(), "    Team", "    No\u00A0break",
			"  Archive", "Shop", "  Books",
		}},
		{"editor sees mounts, hidden pages and what everybody may see", s.Editor, 0, 1, []string{"Museum", "  Visit", "  Collection"}},
		{"mounts by number, each page once", elsewhere, 0, 5, []string{"Visit", "  Opening hours", "  Team", "Books"}},
		{"from a page", s.Editor, contenttest.Visit, 3, []string{"Visit", "  Opening hours", "  Team"}},
		{"depth 0", s.Editor, contenttest.Visit, 0, []string{"Visit"}},
		{"outside the mounts", s.Editor, contenttest.Shop, 3, nil},
		{"no page", s.Admin, 4711, 3, nil},
		{"without table right", s.Nobody, 0, 3, nil},
		{"without the default language", translator, 0, 3, nil},
		{"disabled administrator", disabled, 0, 3, nil},
		{"nobody at all", imprimatur.User{}, 0, 3, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			nodes, err := s.Tree(context.Background(), c.user, c.root, c.depth)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, titles(nodes)); diff != "" {
				t.Errorf("tree (-want +got):\n%s", diff)
			}
		})
	}
}
