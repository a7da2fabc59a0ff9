package engine

import (
	"context"
	"log/slog"
	"sync"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/store"
)

// watchers are those who want to hear which runs changed.
type watchers struct {
	mu   sync.Mutex
	all  map[*watcher]struct{}
	poll *poll // while anybody watches
}

// watcher collects ids until its reader takes them: a slow one hears of a run
// once, however often it changed.
type watcher struct {
	actor imprimatur.Actor
	mu    sync.Mutex
	ids   []string
	has   map[string]bool
	wake  chan struct{}
}

// Watch returns the ids of runs that change from now on and that the caller
// may see. What another program on the same database changes is heard of about
// a second later. An id may come twice for one change. The channel is closed
// when ctx ends.
func (e *Engine) Watch(ctx context.Context, actor imprimatur.Actor) (<-chan string, error) {
	w := &watcher{actor: actor, has: map[string]bool{}, wake: make(chan struct{}, 1)}
	known, err := e.store.Changed(ctx) // before anything that w is to hear of
	if err != nil {
		return nil, e.unavailable(ctx, "", err)
	}
	e.join(w, known)
	out := make(chan string)
	go func() {
		defer close(out)
		defer e.leave(w)
		for {
			select {
			case <-ctx.Done():
				return
			case <-w.wake:
			}
			for _, id := range w.take() {
				if !e.stillSees(ctx, actor, id) {
					continue
				}
				select {
				case <-ctx.Done():
					return
				case out <- id:
				}
			}
		}
	}()
	return out, nil
}

// stillSees asks with the rights that the caller has now, not those of when
// they began to watch.
func (e *Engine) stillSees(ctx context.Context, actor imprimatur.Actor, run string) bool {
	row, err := e.store.Run(ctx, run)
	acts := actor.User.Exists()
	if err == nil && acts {
		actor.User, err = e.store.User(ctx, actor.User.ID)
	}
	if err != nil {
		e.log.WarnContext(ctx, "change could not be announced", slog.String("run", run), slog.Any("error", err))
		return false
	}
	return (!acts || actor.User.Enabled) && actor.MaySeeCard(row.Ownership())
}

func (w *watcher) add(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.has[id] {
		w.has[id] = true
		w.ids = append(w.ids, id)
	}
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

func (w *watcher) take() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	ids := w.ids
	w.ids, w.has = nil, map[string]bool{}
	return ids
}

// changed tells everybody who may see the run.
func (e *Engine) changed(row store.Row) {
	e.watchers.mu.Lock()
	defer e.watchers.mu.Unlock()
	if e.watchers.poll != nil {
		e.watchers.poll.told(row.ID, row.NextSequence-1)
	}
	for w := range e.watchers.all {
		if w.actor.MaySeeCard(row.Ownership()) {
			w.add(row.ID)
		}
	}
}

func (e *Engine) changedRun(ctx context.Context, run string) {
	row, err := e.store.Run(ctx, run)
	if err != nil {
		e.log.WarnContext(ctx, "change could not be announced", slog.String("run", run), slog.Any("error", err))
		return
	}
	e.changed(row)
}
