package engine_test

import (
	"context"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/engine"
	"github.com/imprimatur-dev/imprimatur/internal/pgtest"
)

// together is how many cycles run at once where one does not run alone.
const together = 8

// measured are the databases that are measured.
var measured = map[string]func(b *testing.B) string{
	"sqlite":     func(b *testing.B) string { return "sqlite:" + filepath.Join(b.TempDir(), "office.db") },
	"postgresql": func(b *testing.B) string { return pgtest.Start(b) },
}

// BenchmarkCyclesTogether takes as many cycles, from a prompt to the end, one
// after another and all at once. The metric gain says how many times as many
// are done in the same time at once; alone/s and together/s are what was done.
func BenchmarkCyclesTogether(b *testing.B) {
	for name, place := range measured {
		b.Run(name, func(b *testing.B) {
			o := newOffice(b, place(b))
			var alone, atOnce time.Duration
			cycles := 0
			for b.Loop() {
				begun := time.Now()
				for range together {
					o.approve(b, o.waiting(b, "stamp it"))
				}
				alone += time.Since(begun)
				begun = time.Now()
				var all sync.WaitGroup
				for range together {
					all.Go(func() { o.approve(b, o.waiting(b, "stamp it")) })
				}
				all.Wait()
				atOnce += time.Since(begun)
				cycles += together
			}
			b.ReportMetric(float64(cycles)/alone.Seconds(), "alone/s")
			b.ReportMetric(float64(cycles)/atOnce.Seconds(), "together/s")
			b.ReportMetric(alone.Seconds()/atOnce.Seconds(), "gain")
		})
	}
}

// inTurn approves a run of one office and one of another in turn, and reports
// as the metric ratio how much longer the second takes.
func inTurn(b *testing.B, offices ...*office) {
	took := make([]time.Duration, len(offices))
	for b.Loop() {
		for i, o := range offices {
			run := o.waiting(b, "stamp it")
			begun := time.Now()
			o.approve(b, run)
			took[i] += time.Since(begun)
		}
	}
	b.ReportMetric(took[1].Seconds()/took[0].Seconds(), "ratio")
}

// BenchmarkApproveLong approves after a transcript of 1 KB, and of 200 KB.
func BenchmarkApproveLong(b *testing.B) {
	for name, place := range measured {
		b.Run(name, func(b *testing.B) {
			inTurn(b, talkingOn(b, place(b), talker{1_000, 1, 1}), talkingOn(b, place(b), talker{200_000, 1, 1}))
		})
	}
}

// BenchmarkApproveMany approves a turn of one call, and of 16.
func BenchmarkApproveMany(b *testing.B) {
	for name, place := range measured {
		b.Run(name, func(b *testing.B) {
			inTurn(b, talkingOn(b, place(b), talker{10, 1, 1}), talkingOn(b, place(b), talker{10, 1, 16}))
		})
	}
}

// BenchmarkListAmongMany lists 50 that wait of 10,000, of 100,000, and of
// 100,000 runs of which nine in ten are settled. The metrics are the times of
// the second and the third over that of the first.
func BenchmarkListAmongMany(b *testing.B) {
	few, _ := crowd(b, 10_000)
	many, _ := crowd(b, 100_000)
	settled, _ := crowd(b, 10_000)
	_, err := settled.store.Writer().ExecContext(context.Background(), `
		WITH RECURSIVE more(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM more WHERE n < 9)
		INSERT INTO runs (id, status, reason, agent, owner_id, owner_name, search, created_at, finished_at)
		SELECT runs.id || '/' || more.n, 'completed', 'completed', agent, owner_id, owner_name, search, created_at, created_at + 1
		FROM runs, more`)
	if err != nil {
		b.Fatal(err)
	}
	took := make([]time.Duration, 3)
	for b.Loop() {
		for i, o := range []*office{few, many, settled} {
			begun := time.Now()
			list, err := o.Waiting(context.Background(), o.chief, imprimatur.Filter{Status: imprimatur.StatusWaiting})
			took[i] += time.Since(begun)
			if err != nil || len(list.Runs) != 50 {
				b.Fatalf("%d runs, %v", len(list.Runs), err)
			}
		}
	}
	b.ReportMetric(took[1].Seconds()/took[0].Seconds(), "of-100000")
	b.ReportMetric(took[2].Seconds()/took[0].Seconds(), "with-settled")
}

// BenchmarkManyWaiting starts an engine over 10,000 runs that wait, and over
// one. The metrics are what that takes beyond the latter.
func BenchmarkManyWaiting(b *testing.B) {
	one, _ := crowd(b, 1)
	many, _ := crowd(b, 10_000)
	took, memory, goroutines := make([]time.Duration, 2), make([]int64, 2), make([]int, 2)
	for b.Loop() {
		for i, o := range []*office{one, many} {
			before, running := inUse(), runtime.NumGoroutine()
			begun := time.Now()
			e, err := engine.New(context.Background(), o.config)
			if err != nil {
				b.Fatal(err)
			}
			took[i] += time.Since(begun)
			memory[i] += inUse() - before
			goroutines[i] += runtime.NumGoroutine() - running
			if err := e.Close(context.Background()); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(memory[1]-memory[0])/float64(b.N)/(1<<20), "MB")
	b.ReportMetric(float64(goroutines[1]-goroutines[0])/float64(b.N), "goroutines")
	b.ReportMetric(took[1].Seconds()/took[0].Seconds(), "restart-ratio")
}

// inUse is how many bytes of the heap are in use.
func inUse() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
