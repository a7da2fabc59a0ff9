package queue_test

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/imprimatur-dev/imprimatur/engine"
	"github.com/imprimatur-dev/imprimatur/internal/pgtest"
	"github.com/imprimatur-dev/imprimatur/queue"
	"github.com/imprimatur-dev/imprimatur/store"
)

// patience bounds every wait of these tests.
const patience = 30 * time.Second

// fake counts what it is asked for.
type fake struct {
	mu     sync.Mutex
	worked map[string]int
	fail   map[string]int // how often a run's store is away
	looks  chan string    // a run that was looked at
	reaps  chan int
	hold   chan struct{} // where not nil, work ends when this closes
}

func newFake() *fake {
	return &fake{worked: map[string]int{}, fail: map[string]int{}, looks: make(chan string, 100), reaps: make(chan int, 100)}
}

func (f *fake) Work(_ context.Context, run string) (engine.Worked, error) {
	f.mu.Lock()
	f.worked[run]++
	failing := f.worked[run] <= f.fail[run]
	f.mu.Unlock()
	f.looks <- run
	if f.hold != nil {
		<-f.hold
	}
	if failing {
		return "", errors.New("the store is away")
	}
	return engine.WorkDone, nil
}

func (f *fake) Reap(_ context.Context, limit int) (engine.Reaped, error) {
	f.reaps <- limit
	return engine.Reaped{}, nil
}

func (f *fake) times(run string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.worked[run]
}

// await returns the next run that is looked at.
func (f *fake) await(t *testing.T) string {
	t.Helper()
	select {
	case run := <-f.looks:
		return run
	case <-time.After(patience):
		t.Fatal("nobody looked at a run")
		return ""
	}
}

// on runs a test on both databases.
func on(t *testing.T, test func(t *testing.T, database string)) {
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		test(t, "sqlite:"+filepath.Join(t.TempDir(), "jobs.db"))
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		t.Parallel()
		test(t, pgtest.Start(t))
	})
}

// open opens a database with the tables of the queue.
func open(t *testing.T, database string) *store.Store {
	t.Helper()
	tables, err := queue.Migrations(database)
	if err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(t.Context(), store.Config{Database: database, Unsealed: true, Migrations: []store.MigrationSet{tables}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// node is a process that may work.
func node(t *testing.T, database string, s *store.Store, c queue.Config) *queue.Queue {
	t.Helper()
	c.Store, c.Database, c.Logger = s, database, slog.New(slog.DiscardHandler)
	q, err := queue.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := q.Close(); err != nil {
			t.Error(err)
		}
	})
	return q
}

func start(t *testing.T, q *queue.Queue, f *fake) {
	t.Helper()
	if err := q.Start(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := q.Stop(ctx); err != nil {
			t.Error(err)
		}
	})
}

// put puts a job in, in a transaction that ends as fn says.
func put(t *testing.T, s *store.Store, q *queue.Queue, run string, after time.Duration, end func(*sql.Tx) error) {
	t.Helper()
	tx, err := s.Writer().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	err = errors.Join(q.Wake(t.Context(), tx, run, after), end(tx))
	if err != nil {
		t.Fatal(err)
	}
}

// Proves runtime 2, 63.
func TestAJobIsPartOfTheTransactionThatPutItIn(t *testing.T) {
	t.Parallel()
	on(t, func(t *testing.T, database string) {
		s, f := open(t, database), newFake()
		q := node(t, database, s, queue.Config{})
		put(t, s, q, "never", 0, (*sql.Tx).Rollback)
		put(t, s, q, "first", 0, (*sql.Tx).Commit)
		start(t, q, f)
		put(t, s, q, "second", 0, (*sql.Tx).Commit)
		got := map[string]bool{f.await(t): true, f.await(t): true}
		if !got["first"] || !got["second"] || f.times("never") > 0 {
			t.Errorf("looked at %v, and %d times at what was rolled back", got, f.times("never"))
		}
	})
}

func TestAJobOfLaterWaits(t *testing.T) {
	t.Parallel()
	on(t, func(t *testing.T, database string) {
		s, f := open(t, database), newFake()
		q := node(t, database, s, queue.Config{})
		put(t, s, q, "later", time.Hour, (*sql.Tx).Commit)
		put(t, s, q, "now", 0, (*sql.Tx).Commit)
		start(t, q, f)
		if got := f.await(t); got != "now" {
			t.Errorf("looked at %q first", got)
		}
		if n := f.times("later"); n > 0 {
			t.Errorf("looked %d times at what is for later", n)
		}
	})
}

func TestEveryJobIsWorkedOnOnceByOneOfManyNodes(t *testing.T) {
	t.Parallel()
	database := pgtest.Start(t)
	f := newFake()
	var queues []*queue.Queue
	s := open(t, database)
	for range 3 {
		queues = append(queues, node(t, database, open(t, database), queue.Config{Workers: 4}))
	}
	for _, q := range queues {
		start(t, q, f)
	}
	const jobs = 30
	for i := range jobs {
		put(t, s, queues[i%3], "run-"+strings.Repeat("x", i), 0, (*sql.Tx).Commit)
	}
	for range jobs {
		f.await(t)
	}
	for i := range jobs {
		if run := "run-" + strings.Repeat("x", i); f.times(run) != 1 {
			t.Errorf("%s was looked at %d times", run, f.times(run))
		}
	}
}

func TestAJobThatMetNoStoreComesAgain(t *testing.T) {
	t.Parallel()
	on(t, func(t *testing.T, database string) {
		s, f := open(t, database), newFake()
		f.fail["r"] = 1
		q := node(t, database, s, queue.Config{})
		put(t, s, q, "r", 0, (*sql.Tx).Commit)
		start(t, q, f)
		if first, again := f.await(t), f.await(t); first != "r" || again != "r" {
			t.Errorf("looked at %q, then at %q", first, again)
		}
	})
}

// A job that failed so often that others would give it up comes again soon.
func TestNoJobIsGivenUp(t *testing.T) {
	t.Parallel()
	database := pgtest.Start(t)
	s, f := open(t, database), newFake()
	f.fail["r"] = 1
	q := node(t, database, s, queue.Config{})
	put(t, s, q, "r", 0, (*sql.Tx).Commit)
	if _, err := s.Writer().ExecContext(t.Context(), "UPDATE river_job SET attempt = 500"); err != nil {
		t.Fatal(err)
	}
	start(t, q, f)
	f.await(t)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for {
		var state string
		var wait float64
		row := s.Reader().QueryRowContext(ctx, "SELECT state::text, EXTRACT(EPOCH FROM scheduled_at - now())::float8 FROM river_job WHERE kind = 'advance'")
		if err := row.Scan(&state, &wait); err != nil {
			t.Fatal(err)
		}
		if state == "running" {
			continue
		}
		if state != "retryable" || wait > 301 || wait < 200 {
			t.Errorf("after 500 attempts it is %s, to be looked at in %.0f s", state, wait)
		}
		return
	}
}

func TestSomebodyLooksForLapsedLeases(t *testing.T) {
	t.Parallel()
	on(t, func(t *testing.T, database string) {
		s, f := open(t, database), newFake()
		start(t, node(t, database, s, queue.Config{Reap: time.Second}), f)
		for range 2 {
			select {
			case n := <-f.reaps:
				if n < 1 {
					t.Errorf("for %d runs", n)
				}
			case <-time.After(patience):
				t.Fatal("nobody did")
			}
		}
	})
}

func TestStopWaitsForWhatIsWorkedOn(t *testing.T) {
	t.Parallel()
	on(t, func(t *testing.T, database string) {
		s, f := open(t, database), newFake()
		f.hold = make(chan struct{})
		q := node(t, database, s, queue.Config{})
		put(t, s, q, "r", 0, (*sql.Tx).Commit)
		if err := q.Start(t.Context(), f); err != nil {
			t.Fatal(err)
		}
		f.await(t)
		stopped := make(chan error, 1)
		go func() { stopped <- q.Stop(context.Background()) }()
		select {
		case err := <-stopped:
			t.Fatalf("stopped (%v) while a run was worked on", err)
		default:
		}
		close(f.hold)
		select {
		case err := <-stopped:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(patience):
			t.Fatal("it does not stop")
		}
	})
}
