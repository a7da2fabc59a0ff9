package engine_test

// Scenarios: each testdata/*.txtar tells what people and an agent do, and says
// what must come of it. A file is read like this.
//
// Its head says in prose which rule it shows, and in one line which numbered
// scenarios it proves:
//
//	proves: runtime 142, 143; tools 24
//
// Its sections are
//
//	script.yaml     what the model answers (package model/scripted)
//	agents.yaml     the agents; without it "editor" has every tool
//	world           one note a line: 7 "its text"
//	steps           what happens, one step a line
//	events          golden: the record of the current run at the end
//	transcript      golden: what the model was last told, and what it said
//	card.json       golden: what the step "card NAME" saw; "card NAME as" has
//	card-as.json    this section
//
// Golden sections are rewritten by
//
//	go test ./engine -run TestScenarios -update
//
// Digests stand in them as digest-1, digest-2 …, durations as 0.
//
// People: jana edits, petra holds the approve grant, chief administers, mia
// holds nothing. bot and bot2 are agent tokens of jana. svc is a service
// account with every scope; svc-read, svc-approve and svc-cancel have one,
// svc-none has none. nobody is nobody. The clock stands still until it is told
// otherwise. Texts are quoted like in Go; "ab"*9 repeats. # begins a comment.
//
// Steps that ask the engine for something end in "=> code" where it refuses,
// and in "=> code tool" where the refusal names a tool:
//
//	run NAME AGENT "prompt" [rounds=N] [tools=a,b] [tools=] [key=K]
//	approve NAME [turn=…] [picture=…] [seen] [session]
//	deny NAME ["reason"] [retry] [turn=…] [picture=…] [seen]
//	enqueue NAME AGENT "prompt" […]    the same for a worker
//	cancel NAME
//	found NAME CALL F       note what came of a call of unknown outcome
//	look NAME               fetch the card and remember it as seen
//	card NAME [as]          the same, held against a golden section
//	status NAME             read the run
//	events NAME after=N     read its record
//	list NAME [waiting] [run…]     the runs listed must be exactly these
//
// A decision names the digests of a card that is fetched for it; with "seen"
// those that were seen last. turn and picture take none, wrong, upper, or the
// name of a run whose last seen digests are used. "session" decides as the
// person was when they last looked.
//
// Steps that change the world around:
//
//	note N "text"           edit or make a note
//	touch N                 raise its version alone
//	remove N                delete it
//	hide N NAME|* / unhide N NAME|*   who may not read it
//	break NAME              MayRead fails for this viewer of "show"
//	lang NAME tag / disable NAME / enable NAME / admin NAME / grant NAME
//	clock +20m
//	sweep                   another process starts, sweeps and stops
//	work OUTCOME            a worker looks at the run, and this comes of it
//	reap N [returned=N] [requeued=N] [buried=N] [skipped=N]
//	fail CLASS N            the next N calls of the model fail
//	queue away / queue back    wake-ups cannot be stored
//	restart [without=tool] [plain=tool] [reworded=tool] [off=tool] [agents=section]
//	forbid KIND / allow KIND      events of this kind cannot be stored; begin,
//	                        claim, pause, settle and records forbid those
//	state PATH JSON         change the sealed state of the run that waits
//	sql "statement"
//	on RUN                  make this run the current one
//	when POINT: step; step  do this at the next: model, execute TOOL,
//	                        preview TOOL, step KIND
//	panic "text"            only inside when
//
// Steps that look, all about the current run:
//
//	expect status S | reason R | class C | claim KIND | text "…"
//	expect rounds N | tokens N
//	expect truncated | whole | back | fresh
//	expect note N "text" | no note N
//	expect executed TOOL N | previewed TOOL N | asked N
//	expect stale [index=kind …]
//	expect kinds KIND …     of the whole record
//	expect count KIND N
//	expect observed KIND …  what the observer of the last step was shown
//	expect may NAME [approve] [deny] [cancel] [note]
//	expect unknown NAME [CALL [late] [F …]] …   on the card and, where NAME may
//	                        see it, of the run
//	expect refusal NAME code|none     that the card announces
//	expect shows NAME INDEX "text"    a line of the call's preview
//	expect hides NAME INDEX "text"
//	expect told CALL "part"           of the result the model got
//	expect log "part" | quiet "part"  in the log
//	expect nowhere "part"             neither log, nor file, nor record
//	expect column NAME "value"        of the row of the run
//	expect attribution A
//	expect woken [run=after …]    what workers were told since the last look

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the golden sections of the scenarios")

// TestScenarios plays every file of testdata on both databases. What each proves
// stands in its head. A short run, one that neither CI=true nor
// IMPRIMATUR_TESTS=long asks for everything, plays one in three on PostgreSQL,
// each time others.
func TestScenarios(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("find scenarios: %v", errors.Join(err, errors.New("none")))
	}
	everything := os.Getenv("CI") == "true" || os.Getenv("IMPRIMATUR_TESTS") == "long"
	turn := rand.IntN(3)
	for i, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			play := func(t *testing.T, database string) { playFile(t, file, database) }
			if everything || i%3 == turn {
				databases(t, play)
			} else {
				play(t, "sqlite:"+filepath.Join(t.TempDir(), "scenario.db"))
			}
		})
	}
}

func playFile(t *testing.T, file, database string) {
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	archive := txtar.Parse(raw)
	s := newStageOn(t, database, section(archive, "script.yaml"), section(archive, "agents.yaml"), archive, nil)
	for n, line := range strings.Split(section(archive, "world"), "\n") {
		if fields := s.words(line); len(fields) > 0 {
			if err := s.step("note " + line); err != nil {
				t.Fatalf("world, line %d: %v", n+1, err)
			}
		}
	}
	for n, line := range strings.Split(section(archive, "steps"), "\n") {
		if err := s.step(line); err != nil {
			t.Fatalf("steps, line %d: %s\n%v", n+1, line, err)
		}
		if faults := s.takeFaults(); len(faults) > 0 {
			t.Fatalf("steps, line %d: %s\n%s", n+1, line, strings.Join(faults, "\n"))
		}
	}
	if left := s.world.left(); len(left) > 0 {
		t.Errorf("never reached: %s", strings.Join(left, ", "))
	}
	s.checkInvariants()
	s.checkGoldens(file, archive)
}

func section(a *txtar.Archive, name string) string {
	for _, f := range a.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}

// checkGoldens compares the golden sections of a file, or rewrites them.
func (s *stage) checkGoldens(file string, a *txtar.Archive) {
	s.t.Helper()
	wanted := map[string]func() string{"events": s.renderEvents, "transcript": s.renderTranscript}
	for name, text := range s.cards {
		wanted[name] = func() string { return text }
		if section(a, name) == "" && !*update {
			s.t.Errorf("the file has no section %s; run with -update", name)
		}
		if !slices.ContainsFunc(a.Files, func(f txtar.File) bool { return f.Name == name }) {
			a.Files = append(a.Files, txtar.File{Name: name})
		}
	}
	changed := false
	for i, f := range a.Files {
		render := wanted[f.Name]
		if render == nil {
			if strings.HasPrefix(f.Name, "card") {
				s.t.Errorf("no step fills the section %s", f.Name)
			}
			continue
		}
		got := s.mask(render())
		if got == string(f.Data) {
			continue
		}
		if !*update {
			s.t.Errorf("section %s:\n%s", f.Name, diff(string(f.Data), got))
			continue
		}
		a.Files[i].Data, changed = []byte(got), true
	}
	if changed && !s.t.Failed() {
		if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
			s.t.Error(err)
		}
	}
}

// diff shows the first line that differs, with what stands around it.
func diff(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range max(len(w), len(g)) {
		line := func(lines []string) string {
			if i < len(lines) {
				return lines[i]
			}
			return "(end)"
		}
		if line(w) != line(g) {
			return fmt.Sprintf("line %d\n want %s\n got  %s\nall of it:\n%s", i+1, line(w), line(g), got)
		}
	}
	return "only the end differs"
}

// lockedBuffer is a log that several goroutines write.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}
