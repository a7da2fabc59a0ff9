package engine_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/engine"
	"github.com/imprimatur-dev/imprimatur/store"
)

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
	databases(t, func(t *testing.T, database string) {
		s := newStageOn(t, database, oneWrite, "", nil, nil)
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
	})
}

// Whoever watches decides the moment they hear of a card. A decision is a row,
// so it is never too early.
//
// Proves field 40.
func TestADecisionIsNeverTooEarly(t *testing.T) {
	t.Parallel()
	databases(t, func(t *testing.T, database string) {
		s := newStageOn(t, database, oneWrite, "", nil, nil)
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
	})
}

// What one server does is heard of at another, and only by whoever may see it.
func TestChangesAreHeardOfAtEveryServer(t *testing.T) {
	t.Parallel()
	databases(t, func(t *testing.T, database string) {
		s := newStageOn(t, database, oneWrite, "", nil, nil)
		s.play(`note 7 "a note"`, `run jana editor "A run that nobody watches."`)
		before := s.run
		other := s.otherServer()
		ctx, stop := context.WithTimeout(s.ctx, time.Minute)
		defer stop()
		watch := func(name string) <-chan string {
			actor, err := s.actor(name)
			if err != nil {
				t.Fatal(err)
			}
			heard, err := other.Watch(ctx, actor)
			if err != nil {
				t.Fatal(err)
			}
			return heard
		}
		jana, mia := watch("jana"), watch("mia")
		s.play(`run jana editor "Write for all the world to hear."`)
		hear := func(status imprimatur.Status) {
			t.Helper()
			for {
				select {
				case id := <-jana:
					if id == before {
						t.Fatalf("%s did not change", before)
					}
					row, err := s.store.Run(ctx, id)
					if err != nil {
						t.Fatal(err)
					}
					if row.Status == status {
						return
					}
				case id, open := <-mia:
					t.Fatalf("mia hears of %q, %v", id, open)
				}
			}
		}
		hear(imprimatur.StatusWaiting)
		s.play("approve jana")
		hear(imprimatur.StatusCompleted)
		s.play(`run mia editor "Write what is hers alone."`)
		if id := <-mia; id != s.run {
			t.Errorf("mia hears of %q", id)
		}
	})
}

// Proves field 55.
func TestAStateOfTwentyMegabytesResumes(t *testing.T) {
	t.Parallel()
	databases(t, func(t *testing.T, database string) {
		calls := 420
		if raced {
			calls = 42
		}
		var script strings.Builder
		script.WriteString("- turns:\n  - calls:\n")
		for range calls {
			script.WriteString("    - {tool: large, arguments: {bytes: 50000, of: \"x\"}}\n")
		}
		script.WriteString("  - calls: [{tool: append_note, arguments: {id: 7, text: \"after all that\"}}]\n  - text: Done.\n")
		s := newStageOn(t, database, script.String(), "", nil, nil)
		s.play(`note 7 "a note"`, `run jana editor "Read a lot, then write."`, "expect status waiting_for_approval")
		var size int
		if err := s.store.Reader().QueryRowContext(s.ctx, "SELECT length(state) FROM runs").Scan(&size); err != nil {
			t.Fatal(err)
		}
		if size < calls*48_000 {
			t.Errorf("the state has %d bytes", size)
		}
		s.play("restart", "approve jana", "expect status completed", `expect note 7 "a note after all that"`)
	})
}

// An engine that was closed begins nothing: what came too late is refused, and
// is there for the next one.
func TestAClosedEngineBeginsNothing(t *testing.T) {
	t.Parallel()
	databases(t, func(t *testing.T, database string) {
		s := newStageOn(t, database, oneWrite, "", nil, nil)
		s.play(`note 7 "a note"`, `run jana editor "Write after the next start."`)
		other := s.otherServer()
		s.engine, other = other, s.engine
		if err := other.Close(s.ctx); err != nil {
			t.Fatal(err)
		}
		open := s.engine
		s.engine = other
		s.play(`run jana editor "Begin too late." => state_unavailable`, "approve jana => state_unavailable", "expect status waiting_for_approval")
		s.engine = open
		s.play("approve jana", "expect status completed", "expect executed append_note 1")
	})
}
