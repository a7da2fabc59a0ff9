package editorial_test

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
	"github.com/imprimatur-dev/imprimatur/internal/realdata"
)

// largeSize is the site that benchmarks hold against the real one.
var largeSize = contenttest.Size{Pages: 100_000, PerPage: 10}

// largeDatabase is a database with the real website and, below its home page, as
// much again as largeSize says. It is made once and goes with realDatabase.
var largeDatabase = struct {
	sync.Once
	file string
	took time.Duration
}{}

// pair are the real site and the large one around the same records.
type pair struct {
	real, large *site
	in          subjects
}

func openPair(b *testing.B) *pair {
	b.Helper()
	export := realdata.Dir(b, "typo3-introduction", "data.xml")
	realDatabase.Do(func() { importReal(b, export) })
	largeDatabase.Do(func() { makeLarge(b) })
	return &pair{openSite(b, copyFile(b, realDatabase.file, filepath.Join(b.TempDir(), "real.db"))), openSite(b, largeDatabase.file), realDatabase.in}
}

func makeLarge(b *testing.B) {
	b.Helper()
	file := copyFile(b, realDatabase.file, filepath.Join(filepath.Dir(realDatabase.file), "large.db"))
	begun := time.Now()
	contenttest.Generate(b, file, homePage(b, file), largeSize)
	largeDatabase.took = time.Since(begun)
	s := openSite(b, file)
	for table, want := range map[string]int64{content.Pages: largeSize.Pages, content.Elements: largeSize.Elements()} {
		var got int64
		err := s.store.Reader().QueryRow("SELECT COUNT(*) FROM content_records WHERE tab = $1 AND language = 0 AND uid >= $2", table, contenttest.Generated).Scan(&got)
		if err != nil || got != want {
			b.Fatalf("%d of %d %s were made, %v", got, want, table, err)
		}
	}
	if err := s.store.Close(); err != nil {
		b.Fatal(err)
	}
	largeDatabase.file = file
}

// homePage is the root of the real website.
func homePage(b *testing.B, file string) int64 {
	b.Helper()
	s := openSite(b, file)
	root, ok, err := s.repo.SiteRoot(b.Context(), realDatabase.in.page)
	if err != nil || !ok {
		b.Fatalf("the home page: %v %v", ok, err)
	}
	if err := s.store.Close(); err != nil {
		b.Fatal(err)
	}
	return root.UID
}

// sides times the same on both sites, by turns, so that what else the machine
// does hits both. It reports the time on each, the ratio of the two, and the
// statements and rows of one call on the large site.
func (p *pair) sides(b *testing.B, do func(s *site) time.Duration) {
	b.Helper()
	do(p.real)
	count := p.large.cost(func() { do(p.large) })
	spent := map[*site]time.Duration{}
	n := 0
	for b.Loop() {
		for _, s := range []*site{p.real, p.large} {
			s.faults.Arm() // so that its log does not grow
			spent[s] += do(s)
		}
		n++
	}
	b.ReportMetric(0, "ns/op") // of both together
	b.ReportMetric(float64(spent[p.real].Nanoseconds())/float64(n), "real-ns/op")
	b.ReportMetric(float64(spent[p.large].Nanoseconds())/float64(n), "large-ns/op")
	b.ReportMetric(spent[p.large].Seconds()/spent[p.real].Seconds(), "large/real")
	b.ReportMetric(float64(count.statements), "statements/op")
	b.ReportMetric(float64(count.rows), "rows/op")
}

// BenchmarkLargeSite makes the large site, once, and says how long that took and
// how large its file is.
func BenchmarkLargeSite(b *testing.B) {
	openPair(b)
	info, err := os.Stat(largeDatabase.file)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(largeDatabase.took.Seconds(), "s-to-make")
	b.ReportMetric(float64(info.Size()>>20), "MB")
}

// BenchmarkPreview takes the picture of one call of each tool, or what it reads,
// on the imported real site and on the same site among 100,000 pages and
// 1,000,000 elements more.
func BenchmarkPreview(b *testing.B) {
	p := openPair(b)
	table := probes()
	for _, tool := range measured(b, p.large, table) {
		b.Run(tool, func(b *testing.B) {
			c := callOf(contenttest.People().Admin, table[tool][0](p.in))
			p.sides(b, func(s *site) time.Duration {
				begun := time.Now()
				if _, refused := s.look(b, tool, c); refused {
					b.Fatalf("%s is refused", tool)
				}
				return time.Since(begun)
			})
		})
	}
}

// BenchmarkExecute carries out one call of each tool that writes on the same two
// sites: it plans, writes and reads back. Then the transaction is taken back, so
// that the next call finds what this one found. That and the commit, which
// depend on the disk, are not in the times; the statements are.
func BenchmarkExecute(b *testing.B) {
	p := openPair(b)
	table := probes()
	for _, tool := range measured(b, p.large, table) {
		if !p.large.writes(tool) {
			continue
		}
		b.Run(tool, func(b *testing.B) {
			c := callOf(contenttest.People().Admin, table[tool][0](p.in))
			p.sides(b, func(s *site) time.Duration {
				took, refused := s.carryOut(b, tool, c)
				if refused {
					b.Fatalf("%s is refused", tool)
				}
				return took
			})
		})
	}
}
