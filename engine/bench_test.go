package engine_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/imprimatur-dev/imprimatur"
)

func benchOffice(b *testing.B) *office {
	return newOffice(b, "sqlite:"+filepath.Join(b.TempDir(), "office.db"))
}

// BenchmarkSuspend takes a run from its prompt to the card that waits.
func BenchmarkSuspend(b *testing.B) {
	o := benchOffice(b)
	for b.Loop() {
		o.waiting(b, "stamp it")
	}
}

// BenchmarkApproveToSettled takes a run that waits from the decision to its
// end.
func BenchmarkApproveToSettled(b *testing.B) {
	o := benchOffice(b)
	for b.Loop() {
		b.StopTimer()
		run := o.waiting(b, "stamp it")
		b.StartTimer()
		o.approve(b, run)
	}
}

func (o *office) approve(b *testing.B, run imprimatur.Run) {
	b.Helper()
	got, err := o.Decide(context.Background(), o.chief, run.ID, yes(run.Card), patient)
	if err != nil || got.Status != imprimatur.StatusCompleted {
		b.Fatalf("%s, %v", got.Status, err)
	}
}

// BenchmarkApprovalCycle takes a run from its prompt through an approval and
// one write to its end, and holds the time against as many bare commits of the
// same database in the same run. The metric commits/op counts the engine's;
// bare-ms is one bare commit, ratio the cycle over commits/op of them.
func BenchmarkApprovalCycle(b *testing.B) {
	o := benchOffice(b)
	if _, err := o.store.Writer().ExecContext(context.Background(), "CREATE TABLE bare (n BIGINT)"); err != nil {
		b.Fatal(err)
	}
	var cycle, bare time.Duration
	commits, n := 0, 0
	for b.Loop() {
		o.faults.Arm()
		begun := time.Now()
		o.approve(b, o.waiting(b, "stamp it"))
		cycle += time.Since(begun)
		took := o.faults.Commits()
		commits += took
		begun = time.Now()
		for range took {
			if _, err := o.store.Writer().ExecContext(context.Background(), "INSERT INTO bare (n) VALUES (1)"); err != nil {
				b.Fatal(err)
			}
		}
		bare += time.Since(begun)
		n++
	}
	b.ReportMetric(float64(commits)/float64(n), "commits/op")
	b.ReportMetric(bare.Seconds()*1000/float64(commits), "bare-ms")
	b.ReportMetric(cycle.Seconds()/bare.Seconds(), "ratio")
}

// crowd is an office with so many runs that wait.
func crowd(b *testing.B, n int) (*office, imprimatur.Run) {
	o := benchOffice(b)
	run := o.waiting(b, "stamp it")
	// Copies stand in every list; only the first can be opened, since a state
	// is sealed to its run.
	_, err := o.store.Writer().ExecContext(context.Background(), `
		WITH RECURSIVE more(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM more WHERE n < $1)
		INSERT INTO runs (id, status, agent, owner_id, owner_name, state, state_sequence, pending, tools, calls, waiting_since, next_sequence, search, created_at)
		SELECT runs.id || '-' || more.n, status, agent, owner_id, owner_name, state, state_sequence, pending, tools, calls,
			waiting_since + more.n, next_sequence, search, created_at + more.n
		FROM runs, more WHERE runs.id = $2`, n-1, run.ID)
	if err != nil {
		b.Fatal(err)
	}
	return o, run
}

// BenchmarkListOfWaiting reads the first page of those who wait.
func BenchmarkListOfWaiting(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		b.Run(fmt.Sprintf("of=%d", n), func(b *testing.B) {
			o, _ := crowd(b, n)
			for b.Loop() {
				list, err := o.Waiting(context.Background(), o.chief, imprimatur.Filter{Status: imprimatur.StatusWaiting})
				if err != nil || list.Total != n || len(list.Runs) != 50 {
					b.Fatalf("%d of %d, %v", len(list.Runs), list.Total, err)
				}
			}
		})
	}
}

// BenchmarkCardAmongWaiting reads one card while others wait.
func BenchmarkCardAmongWaiting(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		b.Run(fmt.Sprintf("of=%d", n), func(b *testing.B) {
			o, run := crowd(b, n)
			for b.Loop() {
				if _, err := o.Card(context.Background(), o.chief, run.ID); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
