package editorial_test

import (
	"path/filepath"
	"testing"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
)

// cost is what passed between a repository and its database.
type cost struct{ statements, rows int }

func (s *site) cost(do func()) cost {
	s.faults.Arm()
	do()
	return cost{len(s.faults.Statements()), s.faults.Rows()}
}

// growing is one site at two sizes: the same records to work on, and around them
// in the second one twenty times as many others.
type growing struct {
	small, large *site
	in           subjects
	texts        map[string]bool // of every statement that passed
	allowed      int             // calls that the editor may make
}

func openGrowing(t *testing.T) *growing {
	t.Helper()
	dir := t.TempDir()
	small, large := filepath.Join(dir, "small.db"), filepath.Join(dir, "large.db")
	g := &growing{in: seed(t, small), texts: map[string]bool{}}
	copyFile(t, small, large)
	contenttest.Generate(t, small, contenttest.Museum, contenttest.Size{Pages: 100, PerPage: 10})
	contenttest.Generate(t, large, contenttest.Museum, contenttest.Size{Pages: 2000, PerPage: 10})
	g.small, g.large = openSite(t, small), openSite(t, large)
	return g
}

// costs does the same on both sites.
func (g *growing) costs(do func(s *site)) (small, large cost) {
	small = g.small.cost(func() { do(g.small) })
	large = g.large.cost(func() { do(g.large) })
	for _, s := range g.large.faults.Statements() {
		g.texts[s.Text] = true
	}
	return small, large
}

// Nothing that a preview or a write reads grows with the site around its record
// or branch: on a site twenty times as large it takes as many statements, which
// find as many rows, each by an index.
func TestNoToolReadsMoreOnALargerSite(t *testing.T) {
	t.Parallel()
	g := openGrowing(t)
	if small, large := g.costs(func(s *site) { everyRow(t, s.repo, content.Pages) }); small.rows >= large.rows/10 || small.statements != 1 {
		t.Fatalf("all pages are %+v and %+v: this counts nothing", small, large)
	}
	clear(g.texts)
	people := contenttest.People()
	table := probes()
	for _, tool := range measured(t, g.large, table) {
		if searches[tool] { // up to a bound: TestALongSearchEndsEarly
			continue
		}
		for _, args := range table[tool] {
			for _, u := range []imprimatur.User{people.Admin, people.Editor} {
				g.compare(t, tool, callOf(u, args(g.in)))
			}
		}
	}
	for text := range g.texts {
		if text == "BEGIN" || text == "ROLLBACK" {
			continue
		}
		for _, step := range contenttest.Explain(t, g.large.store.Writer(), text) {
			if contenttest.GrowsWithTheSite(step) {
				t.Errorf("%s\nin\n%s", step, text)
			}
		}
	}
	if len(g.texts) < 25 || g.allowed < 10 {
		t.Errorf("%d statements passed, %d calls of the editor were allowed: too few for these tools", len(g.texts), g.allowed)
	}
}

// compare holds a call on one site against the same on the other: its preview,
// then its write. An administrator may do all of it.
func (g *growing) compare(t *testing.T, tool string, c imprimatur.Call) {
	t.Helper()
	tokens, refused := map[*site]any{}, map[*site]bool{}
	small, large := g.costs(func(s *site) { tokens[s], refused[s] = s.look(t, tool, c) })
	if small != large {
		t.Errorf("%s for %s reads with the size of the site: %+v, %+v\n%s", tool, c.User.Name, small, large, c.Args)
	}
	if !refused[g.large] && !c.User.Admin {
		g.allowed++
	}
	if !refused[g.large] && g.large.writes(tool) {
		small, large = g.costs(func(s *site) {
			c.Token = tokens[s]
			_, refused[s] = s.carryOut(t, tool, c)
		})
		if small != large {
			t.Errorf("%s for %s writes with the size of the site: %+v, %+v\n%s", tool, c.User.Name, small, large, c.Args)
		}
	}
	if c.User.Admin && (refused[g.small] || refused[g.large]) {
		t.Errorf("%s is refused, which measures nothing\n%s", tool, c.Args)
	}
}
