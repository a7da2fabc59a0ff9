package engine_test

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/engine"
	"github.com/imprimatur-dev/imprimatur/store"
)

// deciders is how many people want to decide one run.
const deciders = 1000

// Whoever decides through whichever node, there is one winner, and everybody
// else is told why they are not.
//
// Proves runtime 3, 10, 121; field 25, 28, 29.
func TestAThousandDecidersOverThreeNodesHaveOneWinner(t *testing.T) {
	t.Parallel()
	repeats := 5
	if os.Getenv("IMPRIMATUR_TESTS") == "long" {
		repeats = 50
	}
	databases(t, func(t *testing.T, database string) {
		o := newOffice(t, database)
		nodes := []*engine.Engine{o.Engine, o.another(t, database), o.another(t, database)}
		for range repeats {
			before := o.stamp.ran.Load()
			run := o.waiting(t, "stamp it")
			winners := storm(t, o, nodes, run)
			if len(winners) != 1 {
				t.Fatalf("%d deciders won", len(winners))
			}
			row, err := o.store.Run(t.Context(), run.ID)
			if err != nil || row.Status != imprimatur.StatusCompleted {
				t.Fatalf("the run is %s, %v", row.Status, err)
			}
			ran := o.stamp.ran.Load() - before
			if approved := winners[0] == imprimatur.Approve; approved != (ran == 1) || ran > 1 {
				t.Fatalf("the winner said %s, and the write ran %d times", winners[0], ran)
			}
			if n := o.approvals(t, run.ID); n != 1 {
				t.Fatalf("%d decisions are on record", n)
			}
		}
	})
}

// another is a further node of the office: on PostgreSQL with connections of
// its own, on SQLite another engine in the process that has the file.
func (o *office) another(t *testing.T, database string) *engine.Engine {
	t.Helper()
	c := o.config
	var err error
	if !strings.HasPrefix(database, "sqlite:") {
		c.Store, err = store.Open(t.Context(), store.Config{Database: database, Keyset: o.keyset, Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := c.Store.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	e, err := engine.New(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return e
}

// storm lets everybody decide at once and returns what the winners said.
func storm(t *testing.T, o *office, nodes []*engine.Engine, run imprimatur.Run) []imprimatur.Verdict {
	t.Helper()
	var all sync.WaitGroup
	var mu sync.Mutex
	var winners []imprimatur.Verdict
	var odd atomic.Pointer[error]
	start := make(chan struct{})
	allowed := []imprimatur.Code{imprimatur.CodeAlreadyResuming, imprimatur.CodeNotWaiting}
	for i := range deciders {
		all.Go(func() {
			<-start
			d := yes(run.Card)
			if i%3 == 0 {
				d = no(run.Card)
			}
			_, err := nodes[i%len(nodes)].Decide(context.Background(), o.chief, run.ID, d, patient)
			var refused *imprimatur.Refusal
			switch {
			case err == nil:
				mu.Lock()
				defer mu.Unlock()
				winners = append(winners, d.Verdict)
			case !errors.As(err, &refused), !slices.Contains(allowed, refused.Code), refused.Decided == nil || refused.Decided.By.Name != "Petra Lang":
				odd.Store(&err)
			}
		})
	}
	close(start)
	all.Wait()
	if err := odd.Load(); err != nil {
		t.Errorf("a loser was told: %v", *err)
	}
	return winners
}
