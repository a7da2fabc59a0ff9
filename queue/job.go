package queue

import (
	"context"
	"log/slog"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// advance is a job: look at this run.
type advance struct {
	Run string `json:"run"`
}

// Kind implements river.JobArgs.
func (advance) Kind() string { return "advance" }

type advancer struct {
	river.WorkerDefaults[advance]
	queue *Queue
}

// Work implements river.Worker. Its error means that the store could not be
// asked, and that the job comes again.
func (w *advancer) Work(ctx context.Context, job *river.Job[advance]) error {
	worked, err := w.queue.engine.Work(ctx, job.Args.Run)
	if err != nil {
		return err
	}
	w.queue.log.InfoContext(ctx, "worked on a run", slog.String("run", job.Args.Run), slog.String("outcome", string(worked)))
	return nil
}

// A job that met no store comes again until it meets one: no run is forgotten
// because a database was away for a night.
const (
	endless  = 30_000          // attempts
	lastLook = 5 * time.Minute // between two of them
)

// untiring has a job come again after a second, two, four, and so on, and at
// most lastLook later.
type untiring struct{}

// NextRetry implements river.ClientRetryPolicy.
func (untiring) NextRetry(job *rivertype.JobRow) time.Time {
	wait := lastLook
	if job.Attempt < 9 {
		wait = min(lastLook, time.Second<<max(job.Attempt-1, 0))
	}
	return time.Now().Add(wait) //nolint:forbidigo // the queue compares it with its own clock
}

// reap is a job: look for lapsed leases.
type reap struct{}

// Kind implements river.JobArgs.
func (reap) Kind() string { return "reap" }

// reaped is how many runs one look takes on.
const reaped = 50

type reaper struct {
	river.WorkerDefaults[reap]
	queue *Queue
}

// Work implements river.Worker.
func (w *reaper) Work(ctx context.Context, _ *river.Job[reap]) error {
	_, err := w.queue.engine.Reap(ctx, reaped)
	return err
}
