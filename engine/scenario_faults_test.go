package engine_test

import (
	"database/sql/driver"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/engine"
	"github.com/imprimatur-dev/imprimatur/internal/faultsql"
	"github.com/imprimatur-dev/imprimatur/model"
	"github.com/imprimatur-dev/imprimatur/policy"
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
	databases(t, func(t *testing.T, database string) {
		faults := &faultsql.Injector{}
		s := newStageOn(t, database, oneWrite, "", nil, secondConnector(faults))
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
	})
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
			databases(t, func(t *testing.T, database string) {
				faults := &faultsql.Injector{}
				s := newStageOn(t, database, oneWrite, "", nil, faults.WrapFirst)
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
		switch row.Status {
		case imprimatur.StatusWaiting:
			s.attempt("approve jana")
		case imprimatur.StatusQueued:
			if _, err := s.engine.Work(s.ctx, s.run); err != nil {
				s.t.Errorf("statement %d: work: %v", at, err)
			}
		case imprimatur.StatusRunning:
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
