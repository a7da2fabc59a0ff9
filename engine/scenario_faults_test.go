package engine_test

import (
	"context"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/engine"
	"github.com/imprimatur-dev/imprimatur/internal/faultsql"
	"github.com/imprimatur-dev/imprimatur/model"
	"github.com/imprimatur-dev/imprimatur/policy"
	"github.com/imprimatur-dev/imprimatur/store"
)

const oneWrite = `
- turns:
  - calls: [{tool: read_note, arguments: {id: 7}}]
  - calls: [{tool: append_note, arguments: {id: 7, text: "and a little more"}}]
  - text: It is written.
`

// play does steps one after the other.
func (s *stage) play(steps ...string) {
	s.t.Helper()
	for _, line := range steps {
		if err := s.step(line); err != nil {
			s.t.Fatalf("%s\n%v", line, err)
		}
	}
	for _, f := range s.takeFaults() {
		s.t.Error(f)
	}
}

// secondConnector puts faults under the second pool that a store opens, the
// one that reads.
func secondConnector(faults *faultsql.Injector) func(driver.Connector) driver.Connector {
	opened := 0
	return func(c driver.Connector) driver.Connector {
		if opened++; opened == 2 {
			return faults.Wrap(c)
		}
		return c
	}
}

// Proves runtime 26.
func TestACancellationProbeThatFailsStopsNothing(t *testing.T) {
	t.Parallel()
	faults := &faultsql.Injector{}
	s := newStage(t, oneWrite, "", nil, secondConnector(faults))
	s.play(`note 7 "a note"`)
	const probe = "SELECT status, claim FROM runs"
	faults.Arm(
		faultsql.Fault{Match: probe, At: 1, Mode: faultsql.Before}, faultsql.Fault{Match: probe, At: 2, Mode: faultsql.After},
		faultsql.Fault{Match: probe, At: 3, Mode: faultsql.Cut}, faultsql.Fault{Match: probe, At: 4, Mode: faultsql.Before},
	)
	s.play(`run jana editor "Write although nobody can look."`, "expect status waiting_for_approval", "approve jana", "expect status completed", "expect executed append_note 1")
	if fired := faults.Fired(); fired != 4 {
		t.Errorf("%d probes failed, want 4", fired)
	}
	if !strings.Contains(s.log.String(), "run could not be looked at") {
		t.Error("nothing in the log says so")
	}
	s.checkInvariants()
}

// A run is begun, paused, approved and settled, and each statement of the
// writer fails once, in each way that a statement can. Whatever becomes of the
// run then, it ends, the write happens at most once, and never without its
// approval and its announcement on record.
//
// Proves runtime 4, 20, 33, 38, 120, 139, 169; field 31, 34, 86.
func TestNoFaultWritesTwiceOrUnheard(t *testing.T) {
	t.Parallel()
	for _, mode := range faultsql.Modes() {
		t.Run(mode.String(), func(t *testing.T) {
			t.Parallel()
			faults := &faultsql.Injector{}
			s := newStage(t, oneWrite, "", nil, faults.WrapFirst)
			ends := map[string]int{}
			for at := 1; ; at++ {
				s.play(`note 7 "a note"`)
				s.world.executed["append_note"], s.run = 0, ""
				faults.Arm(faultsql.Fault{At: at, Mode: mode})
				s.attempt(`run jana editor "Write, whatever fails."`)
				s.attempt("approve jana")
				fired := faults.Fired()
				faults.Disarm()
				ends[s.bringToItsEnd(at)]++
				if fired == 0 {
					break
				}
			}
			s.checkInvariants()
			t.Log(ends)
			if ends["completed"] == 0 || len(ends) < 2 {
				t.Errorf("the runs ended as %v", ends)
			}
		})
	}
}

// attempt does a step that may be refused, if it is refused as people are.
func (s *stage) attempt(line string) {
	s.t.Helper()
	o, err := parseOrder(line)
	if err != nil {
		s.t.Fatal(err)
	}
	var no *imprimatur.Refusal
	if err := s.asks()[o.words[0]](o); err != nil && !errors.As(err, &no) {
		s.t.Errorf("%s: %v", line, err)
	}
}

// bringToItsEnd decides and sweeps until a run has ended, and says how it did.
func (s *stage) bringToItsEnd(at int) string {
	s.t.Helper()
	for range 5 {
		row, err := s.store.Run(s.ctx, s.run)
		if err != nil {
			return "never begun"
		}
		switch {
		case row.Status == imprimatur.StatusWaiting:
			s.attempt("approve jana")
		case row.Status == imprimatur.StatusRunning:
			s.play("clock +20m", "sweep")
		default:
			executed, note := s.world.executed["append_note"], s.world.notes[7].text
			if executed > 1 || (note == "a note and a little more") != (executed == 1) {
				s.t.Errorf("statement %d: executed %d times, the note reads %q", at, executed, note)
			}
			if row.Status == imprimatur.StatusCompleted && executed != 1 {
				s.t.Errorf("statement %d: completed, and executed %d times", at, executed)
			}
			return strings.TrimSuffix(string(row.Status)+" "+string(row.Reason), " completed")
		}
	}
	s.t.Errorf("statement %d: the run comes to no end", at)
	return "no end"
}

// otherServer is another process on the same database.
func (s *stage) otherServer() *engine.Engine {
	s.t.Helper()
	opened, err := store.Open(s.ctx, s.config())
	if err != nil {
		s.t.Fatal(err)
	}
	e, err := s.hire(opened)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() {
		if err := errors.Join(e.Close(s.ctx), opened.Close()); err != nil {
			s.t.Error(err)
		}
	})
	return e
}

// Two servers share one database. Everybody decides at once, half of them
// there and half of them here, some yes and some no: one of them is first, and
// what they said is what happened.
//
// Proves runtime 10, 121; field 25, 28, 29.
func TestTwoServersHaveOneWinner(t *testing.T) {
	t.Parallel()
	s := newStage(t, oneWrite, "", nil, nil)
	s.play(`note 7 "a note"`, `run jana editor "Write once for all of you."`)
	other := s.otherServer()
	owner, err := s.actor("jana")
	if err != nil {
		t.Fatal(err)
	}
	card, err := s.engine.Card(s.ctx, owner, s.run)
	if err != nil {
		t.Fatal(err)
	}
	type answer struct {
		verdict imprimatur.Verdict
		err     error
	}
	answers := make(chan answer, 40)
	var all sync.WaitGroup
	for i := range cap(answers) {
		desk, verdict := s.engine, imprimatur.Approve
		if i%2 == 1 {
			desk = other
		}
		if i%3 == 0 {
			verdict = imprimatur.Deny
		}
		all.Go(func() {
			_, err := desk.Decide(s.ctx, owner, s.run, imprimatur.Decision{
				Verdict: verdict, TurnDigest: card.TurnDigest, PictureDigest: card.PictureDigest,
			}, imprimatur.Wait{For: time.Minute})
			answers <- answer{verdict, err}
		})
	}
	all.Wait()
	close(answers)
	var won []imprimatur.Verdict
	for a := range answers {
		var no *imprimatur.Refusal
		switch {
		case a.err == nil:
			won = append(won, a.verdict)
		case !errors.As(a.err, &no) || no.Code != imprimatur.CodeAlreadyResuming && no.Code != imprimatur.CodeNotWaiting:
			t.Errorf("an answer was %v", a.err)
		}
	}
	if len(won) != 1 {
		t.Fatalf("the winners are %v", won)
	}
	want := 0
	if won[0] == imprimatur.Approve {
		want = 1
	}
	s.play("expect status completed", "expect count approval 1", fmt.Sprintf("expect executed append_note %d", want))
	s.checkInvariants()
}

// Whoever watches decides the moment they hear of a card. A decision is a row,
// so it is never too early.
//
// Proves field 40.
func TestADecisionIsNeverTooEarly(t *testing.T) {
	t.Parallel()
	s := newStage(t, oneWrite, "", nil, nil)
	s.play(`note 7 "a note"`)
	owner, err := s.actor("jana")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(s.ctx, time.Minute)
	defer stop()
	changes, err := s.engine.Watch(ctx, owner)
	if err != nil {
		t.Fatal(err)
	}
	run, err := s.engine.Run(ctx, owner, imprimatur.Start{Agent: "editor", Prompt: "Write as soon as somebody says so."}, imprimatur.Wait{})
	if err != nil {
		t.Fatal(err)
	}
	s.run = run.ID
	decided := false
	for id := range changes {
		now, err := s.engine.Status(ctx, owner, id)
		if err != nil {
			t.Fatal(err)
		}
		if now.Card != nil && !decided {
			decided = true
			_, err := s.engine.Decide(ctx, owner, id, imprimatur.Decision{
				Verdict: imprimatur.Approve, TurnDigest: now.Card.TurnDigest, PictureDigest: now.Card.PictureDigest,
			}, imprimatur.Wait{})
			if err != nil {
				t.Fatal(err)
			}
		}
		if now.Status.Final() {
			break
		}
	}
	s.play("expect status completed", "expect executed append_note 1")
}

// Proves field 55.
func TestAStateOfTwentyMegabytesResumes(t *testing.T) {
	t.Parallel()
	var script strings.Builder
	script.WriteString("- turns:\n  - calls:\n")
	for range 420 {
		script.WriteString("    - {tool: large, arguments: {bytes: 50000, of: \"x\"}}\n")
	}
	script.WriteString("  - calls: [{tool: append_note, arguments: {id: 7, text: \"after all that\"}}]\n  - text: Done.\n")
	s := newStage(t, script.String(), "", nil, nil)
	s.play(`note 7 "a note"`, `run jana editor "Read a lot, then write."`, "expect status waiting_for_approval")
	var size int
	if err := s.store.Reader().QueryRowContext(s.ctx, "SELECT length(state) FROM runs").Scan(&size); err != nil {
		t.Fatal(err)
	}
	if size < 20_000_000 {
		t.Errorf("the state has %d bytes", size)
	}
	s.play("restart", "approve jana", "expect status completed", `expect note 7 "a note after all that"`)
}

// Proves runtime 205.
func TestAStatusShowsNeitherStateNorPrompt(t *testing.T) {
	t.Parallel()
	s := newStage(t, oneWrite, "", nil, nil)
	s.play(`note 7 "what the tool read before"`, `run jana editor "A prompt for the model alone."`)
	owner, err := s.actor("jana")
	if err != nil {
		t.Fatal(err)
	}
	run, err := s.engine.Status(s.ctx, owner, s.run)
	if err != nil {
		t.Fatal(err)
	}
	run.Card.Calls = nil // what is asked for is on the card, and only there
	list, err := s.engine.Waiting(s.ctx, owner, imprimatur.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	for _, shown := range []any{run, list} {
		raw, err := json.Marshal(shown)
		if err != nil {
			t.Fatal(err)
		}
		for _, hidden := range []string{"A prompt for", "what the tool read", "and a little more", "messages", "pendingCalls", "state\""} {
			if strings.Contains(string(raw), hidden) {
				t.Errorf("%q is shown by %s", hidden, raw)
			}
		}
	}
}

// Proves runtime 96, 134.
func TestAnEngineDoesNotStartHalf(t *testing.T) {
	t.Parallel()
	s := newStage(t, "", "", nil, nil)
	rules, err := policy.New(policy.Config{})
	if err != nil {
		t.Fatal(err)
	}
	models := map[string]model.Model{"script": s.model}
	agent := imprimatur.Agent{Name: "editor", Model: "script"}
	twice := append(s.world.tools(variant{}), s.world.ping(variant{}))
	wrong := map[string]engine.Config{
		"a store and a policy are required":  {Models: models},
		"a store and a policy are required ": {Store: s.store, Models: models},
		"two tools are named ping":           {Store: s.store, Policy: rules, Models: models, Tools: twice},
		"two agents are named editor":        {Store: s.store, Policy: rules, Models: models, Agents: []imprimatur.Agent{agent, agent}},
		`there is no model named "script"`:   {Store: s.store, Policy: rules, Agents: []imprimatur.Agent{agent}},
		"a lease lasts at least a second":    {Store: s.store, Policy: rules, Lease: time.Millisecond},
		"max_rounds is between 1 and 20":     {Store: s.store, Policy: rules, Models: models, Agents: []imprimatur.Agent{{Name: "a", Model: "script", MaxRounds: 21}}},
	}
	for _, want := range slices.Sorted(maps.Keys(wrong)) {
		e, err := engine.New(s.ctx, wrong[want])
		if err == nil || !strings.Contains(err.Error(), strings.TrimSpace(want)) {
			t.Errorf("error %v, want one that says %q", err, want)
		}
		if e != nil {
			t.Errorf("an engine came with the error %v", err)
		}
	}
}
