// Package queue wakes workers. A job says "look at run X", nothing more: the
// run's row is the truth, so a job that is lost, late or there twice does no
// harm.
package queue

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverdatabasesql"
	"github.com/riverqueue/river/riverdriver/riversqlite"

	"github.com/imprimatur-dev/imprimatur/engine"
	"github.com/imprimatur-dev/imprimatur/store"
)

// Engine is what jobs ask for.
type Engine interface {
	Work(ctx context.Context, run string) (engine.Worked, error)
	Reap(ctx context.Context, limit int) (engine.Reaped, error)
}

// Config says where the jobs lie and who works on them.
type Config struct {
	Store *store.Store // required; its database holds the jobs
	// Database is the one that Store was opened with. On PostgreSQL a
	// connection of its own listens for new jobs there.
	Database string
	Workers  int           // runs at a time in this process; 0: 2
	Reap     time.Duration // between two looks for lapsed leases; 0: a minute
	Logger   *slog.Logger  // nil: slog.Default
}

// Queue puts jobs in and, once started, works them off. Make one with New.
type Queue struct {
	client *river.Client[*sql.Tx]
	listen *pgxpool.Pool // nil on SQLite
	log    *slog.Logger
	engine Engine
}

// DefaultWorkers is how many runs one process works on at a time.
const DefaultWorkers = 2

// stuck is after how long a job whose worker never reported back is worked on
// again. A worker that merely takes long is not disturbed: whoever looks again
// finds the run taken. One that died before it took the run is replaced.
const stuck = 5 * time.Minute

// New returns a queue that takes jobs. Nothing is worked on before Start. It
// connects to nothing.
func New(c Config) (*Queue, error) {
	q := &Queue{log: c.Logger}
	if q.log == nil {
		q.log = slog.Default()
	}
	driver, err := q.driver(c)
	if err != nil {
		return nil, err
	}
	workers := river.NewWorkers()
	river.AddWorker(workers, &advancer{queue: q})
	river.AddWorker(workers, &reaper{queue: q})
	q.client, err = river.NewClient(driver, &river.Config{
		Queues:  map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: cmp.Or(c.Workers, DefaultWorkers)}},
		Workers: workers, Logger: q.log, JobTimeout: -1, RescueStuckJobsAfter: stuck,
		MaxAttempts: endless, RetryPolicy: untiring{},
		PeriodicJobs: []*river.PeriodicJob{river.NewPeriodicJob(
			river.PeriodicInterval(cmp.Or(c.Reap, time.Minute)),
			func() (river.JobArgs, *river.InsertOpts) { return reap{}, &river.InsertOpts{MaxAttempts: 1} }, nil,
		)},
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("queue: %w", err), q.Close())
	}
	return q, nil
}

func (q *Queue) driver(c Config) (riverdriver.Driver[*sql.Tx], error) {
	if strings.HasPrefix(c.Database, "sqlite:") {
		return riversqlite.New(c.Store.Writer()), nil
	}
	listen, err := pgxpool.ParseConfig(c.Database)
	if err != nil {
		return nil, errors.New("queue: the address of the database cannot be read")
	}
	listen.MinConns, listen.MaxConns = 0, 1
	if q.listen, err = pgxpool.NewWithConfig(context.Background(), listen); err != nil {
		return nil, fmt.Errorf("queue: %w", err)
	}
	return riverdatabasesql.NewWithPgxListener(c.Store.Writer(), q.listen), nil
}

// Wake puts a job in that has somebody look at the run, at once or after a
// while. It is part of the transaction that made the run worth looking at, and
// fits engine.Config.Wake.
func (q *Queue) Wake(ctx context.Context, tx *sql.Tx, run string, after time.Duration) error {
	opts := &river.InsertOpts{}
	if after > 0 {
		opts.ScheduledAt = time.Now().Add(after) //nolint:forbidigo // the queue compares it with its own clock, and a look too early or too late does no harm
	}
	if _, err := q.client.InsertTx(ctx, tx, advance{Run: run}, opts); err != nil {
		return fmt.Errorf("wake a worker for run %s: %w", run, err)
	}
	return nil
}

// Start works on jobs until Stop. The context's end does not stop it.
func (q *Queue) Start(ctx context.Context, e Engine) error {
	q.engine = e
	if err := q.client.Start(context.WithoutCancel(ctx)); err != nil {
		return fmt.Errorf("start workers: %w", err)
	}
	return nil
}

// Stop takes on nothing more and waits for what is worked on, as long as ctx
// allows. Jobs that still run then are found by the lease of their run.
func (q *Queue) Stop(ctx context.Context) error {
	if err := q.client.Stop(ctx); err != nil {
		return fmt.Errorf("stop workers: %w", err)
	}
	return nil
}

// Close lets the connection that listens go. Stop comes first.
func (q *Queue) Close() error {
	if q.listen != nil {
		q.listen.Close()
	}
	return nil
}
