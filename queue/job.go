package queue

import (
	"context"
	"log/slog"

	"github.com/riverqueue/river"
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
