package editorial_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
	"github.com/imprimatur-dev/imprimatur/internal/realdata"
)

var seedFlag = flag.Uint64("seed", 20260314, "where the random calls of the tools begin")

// allPromises are what the lines of every tool that writes say.
func allPromises() map[string]promises {
	all := map[string]promises{}
	for _, some := range []map[string]promises{pagePromises(), elementPromises(), recordPromises(), filePromises()} {
		maps.Copy(all, some)
	}
	return all
}

// picture is a copy of the real website on which calls are made, one a turn.
type picture struct {
	*site
	*caller
	user     imprimatur.User
	printer  *catalogue.Printer
	promises map[string]promises
	settled  func(a *account) // is called with each call that adds up; nil for nothing
}

// What the card of a call shows is what the call writes: every row and column
// that differs afterwards is accounted for by a line, by the source that a line
// declares, or by bookkeeping; and every line says what the database says.
//
// Proves tools 72, 79, 85, 108, 111, 112, 119.
func TestThePictureIsTheWrite(t *testing.T) {
	t.Parallel()
	t.Logf("-seed %d", *seedFlag)
	people := contenttest.People()
	times := 9
	if raced {
		times = 1
	}
	for i, run := range []struct {
		name  string
		user  imprimatur.User
		times int
	}{
		{"administrator", english(), times},
		{"editor", fullyGranted(people.Editor), times},
		{"German", people.Admin, max(times/2, 1)},
	} {
		t.Run(run.name, func(t *testing.T) {
			t.Parallel()
			p := openPicture(t, run.user, *seedFlag+uint64(i))
			done := p.walk(t, run.times)
			p.sameIndex(t)
			t.Logf("carried out, of calls made: %v", done)
		})
	}
}

// walk makes calls of every tool, in random order, until each was carried out
// so many times.
func (p *picture) walk(t *testing.T, times int) map[string]string {
	t.Helper()
	done, tries := map[string]int{}, map[string]int{}
	left := p.sortedNames()
	for len(left) > 0 {
		i := p.IntN(len(left))
		tool := left[i]
		tries[tool]++
		findings, ok := p.turn(t, tool, p.calls()[tool]())
		if len(findings) > 0 {
			t.Fatalf("-seed %d: %s", *seedFlag, strings.Join(findings, "\n"))
		}
		if ok {
			done[tool]++
		}
		if tries[tool] > 40*times {
			t.Errorf("%s was carried out %d times only in %d calls", tool, done[tool], tries[tool])
			done[tool] = times
		}
		if done[tool] >= times {
			left = slices.Delete(left, i, i+1)
		}
	}
	told := map[string]string{}
	for tool, n := range tries {
		told[tool] = fmt.Sprintf("%d/%d", done[tool], n)
	}
	return told
}

// turn takes the picture of a call, carries it out, and returns what its card
// and the database do not agree on. It reports whether the call was not refused.
func (p *picture) turn(t *testing.T, tool string, args map[string]any) (findings []string, ok bool) {
	t.Helper()
	encoded, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	call := callOf(p.user, string(encoded))
	shown, err := p.tools[tool].(imprimatur.Previewer).Preview(t.Context(), call)
	if err != nil {
		t.Fatalf("previewing %s %s: %v", tool, encoded, err)
	}
	call.Token = shown.Token
	lines, _ := imprimatur.Bound(p.printer.Lines(shown.Lines))
	result, err := p.tools[tool].Execute(t.Context(), call)
	if err != nil {
		t.Fatalf("executing %s %s: %v", tool, encoded, err)
	}
	before := p.s
	if p.s, err = readState(t.Context(), p.store.Writer(), before); err != nil {
		t.Fatal(err)
	}
	a := &account{
		tool: tool, schema: p.schema, printer: p.printer, user: p.user, args: args, before: before, after: p.s,
		texts: shown.Lines, lines: lines,
	}
	switch refused := lines[0].Role == imprimatur.RoleRefusal; {
	case refused || result.IsError:
		a.expect(refused && result.IsError, "then %q", result.Content)
		a.changes = changesBetween(before, p.s)
		a.covered = map[cell]bool{}
		a.unaccounted()
		findings = a.findings
	default:
		ok, findings = true, a.settle(p.promises[tool])
		if p.settled != nil && len(findings) == 0 {
			p.settled(a)
		}
	}
	if len(findings) > 0 {
		findings = append([]string{fmt.Sprintf("%s %s", tool, encoded), text(lines)}, findings...)
	}
	return findings, ok
}

// pictureDatabase is a file with the real website and what else the tools need
// to work on, made once.
var pictureDatabase = struct {
	sync.Once
	file string
}{}

// openPicture opens a copy of the website for a user.
func openPicture(t *testing.T, u imprimatur.User, seed uint64) *picture {
	t.Helper()
	export := realdata.Dir(t, "typo3-introduction", "data.xml")
	realDatabase.Do(func() { importReal(t, export) })
	pictureDatabase.Do(func() {
		pictureDatabase.file = filepath.Join(filepath.Dir(realDatabase.file), "picture.db")
		preparePicture(t, copyFile(t, realDatabase.file, pictureDatabase.file))
	})
	p := &picture{
		site:     openSite(t, copyFile(t, pictureDatabase.file, filepath.Join(t.TempDir(), "picture.db"))),
		caller:   &caller{Rand: rand.New(rand.NewPCG(seed, seed)), schema: contenttest.Schema(t)}, //nolint:gosec // repeatable on purpose
		user:     u,
		promises: allPromises(),
	}
	c, err := catalogue.New()
	if err != nil {
		t.Fatal(err)
	}
	p.printer = c.Printer(u.Lang)
	if p.s, err = readState(t.Context(), p.store.Writer(), nil); err != nil {
		t.Fatal(err)
	}
	return p
}

// fullyGranted may do everything that an editor can be allowed.
func fullyGranted(u imprimatur.User) imprimatur.User {
	all := imprimatur.Set{imprimatur.All}
	u.Rights = imprimatur.Rights{Select: all, Modify: all, Languages: all, Fields: all, Values: all, PageTypes: all, Pages: all, Files: all}
	return u
}

// sameIndex makes the index of links anew and expects it to be what it was.
func (p *picture) sameIndex(t *testing.T) {
	t.Helper()
	if _, err := p.store.Writer().ExecContext(t.Context(), "INSERT INTO content_ids (tab, last) VALUES ('unlinked', 1)"); err != nil {
		t.Fatal(err)
	}
	if err := p.repo.IndexLinks(t.Context()); err != nil {
		t.Fatal(err)
	}
	after, err := readState(t.Context(), p.store.Writer(), p.s)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(changesBetween(p.s, after)); n > 0 {
		t.Errorf("%d entries of the index of links were wrong", n)
	}
}

// Every tool that writes is among those whose cards are held against the
// database.
func TestEveryToolThatWritesIsAccountedFor(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	known, calls := allPromises(), (&caller{}).calls()
	for name, tool := range s.tools {
		writes := tool.(imprimatur.Effector).Effect().Writes()
		if _, ok := known[name]; ok != writes || (calls[name] != nil) != writes {
			t.Errorf("%s writes: %v; its lines are known: %v, calls are made: %v", name, writes, ok, calls[name] != nil)
		}
	}
	for name := range known {
		if s.tools[name] == nil {
			t.Errorf("there is no tool %s", name)
		}
	}
}
