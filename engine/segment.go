package engine

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/internal/loop"
	"github.com/imprimatur-dev/imprimatur/store"
)

// segment is one process-bound execution of a run. It holds the run's claim
// until it pauses, settles, or finds that it lost it.
type segment struct {
	engine *Engine
	run    string
	claim  imprimatur.Claim
	wait   imprimatur.Wait
	done   chan struct{} // closed at the end; lost may be read then
	lost   bool          // somebody else has the run

	queued   bool // a worker's: what failed may start over
	requeued bool // it does; read once done

	mu      sync.Mutex // of what follows: the heartbeat comes from beside
	buffer  []store.Draft
	renewed time.Time
}

func (e *Engine) newSegment(run string, kind imprimatur.ClaimKind, wait imprimatur.Wait) *segment {
	nonce := strings.ToLower(rand.Text()[:12])
	return &segment{
		engine: e, run: run, claim: imprimatur.NewClaim(kind, e.host, os.Getpid(), nonce), wait: wait,
		done: make(chan struct{}), renewed: time.Now(),
	}
}

// launch runs a segment on a context that no caller's ends. fn is the loop;
// whatever becomes of it, the segment ends as one of the outcomes in settle.go.
func (e *Engine) launch(ctx context.Context, seg *segment, fn func(context.Context) (loop.Result, error)) {
	ctx = context.WithoutCancel(ctx)
	e.segments.Go(func() {
		defer close(seg.done)
		beat, stop := context.WithCancel(ctx)
		var beating sync.WaitGroup
		beating.Go(func() { seg.heartbeat(beat) })
		var result loop.Result
		err := guarded(func() (err error) {
			seg.begun()
			result, err = fn(ctx)
			return err
		})
		stop()
		beating.Wait()
		seg.end(ctx, result, err)
	})
}

func (s *segment) begun() {
	if s.wait.Begun != nil {
		s.wait.Begun(s.run)
	}
}

// errPanicked is a segment that died; what killed it stands in the log.
var errPanicked = errors.New("segment panicked")

// guarded runs fn and turns its panic into an error: the run is then settled
// like after any other failure.
func guarded(fn func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("%w: %v\n%s", errPanicked, v, debug.Stack())
		}
	}()
	return fn()
}

// await waits for a segment as long as its caller wants to, and returns the run
// as that caller may see it. The segment goes on either way.
func (e *Engine) await(ctx context.Context, actor imprimatur.Actor, seg *segment) (imprimatur.Run, error) {
	if seg.wait.For > 0 {
		timer := time.NewTimer(seg.wait.For)
		defer timer.Stop()
		select {
		case <-seg.done:
			if seg.lost {
				return imprimatur.Run{}, imprimatur.Refused(imprimatur.CodeLeaseLost, seg.run)
			}
		case <-timer.C:
		case <-ctx.Done():
		}
	}
	row, err := e.store.Run(context.WithoutCancel(ctx), seg.run)
	if err != nil {
		return imprimatur.Run{}, e.unavailable(ctx, seg.run, err)
	}
	run, err := e.present(context.WithoutCancel(ctx), actor, row)
	if err != nil {
		e.log.ErrorContext(ctx, "run could not be shown", slog.String("run", seg.run), slog.Any("error", err))
	}
	return run, err
}
