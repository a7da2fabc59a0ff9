package engine

import (
	"context"
	"log/slog"
	"maps"
	"time"
)

// pollEvery is how often the database is asked what other programs changed,
// while anybody watches.
const pollEvery = time.Second

// poll looks for changes that another program made. Its maps are guarded by the
// mutex of the watchers.
type poll struct {
	stop context.CancelFunc
	// known is what the last look found, fresh what was told here since it
	// began: for each run the sequence up to which everybody was told.
	known, fresh map[string]int64
}

// join adds a watcher. known is what need not be told, where w is the first.
func (e *Engine) join(w *watcher, known map[string]int64) {
	e.watchers.mu.Lock()
	defer e.watchers.mu.Unlock()
	if e.watchers.all == nil {
		e.watchers.all = map[*watcher]struct{}{}
	}
	e.watchers.all[w] = struct{}{}
	if e.watchers.poll != nil {
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	p := &poll{stop: stop, known: known, fresh: map[string]int64{}}
	e.watchers.poll = p
	go e.follow(ctx, p)
}

// leave removes a watcher; the last one ends the poll.
func (e *Engine) leave(w *watcher) {
	e.watchers.mu.Lock()
	defer e.watchers.mu.Unlock()
	delete(e.watchers.all, w)
	if len(e.watchers.all) == 0 && e.watchers.poll != nil {
		e.watchers.poll.stop()
		e.watchers.poll = nil
	}
}

// follow asks until nobody watches, or the engine is closed. A database that
// does not answer is asked again; of several failures in a row the first is
// logged.
func (e *Engine) follow(ctx context.Context, p *poll) {
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	failing := false
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if !e.enter() {
			return
		}
		err := e.tellChanges(ctx, p)
		e.segments.Done()
		if err != nil && !failing && ctx.Err() == nil {
			e.log.WarnContext(ctx, "changes by other programs could not be looked for", slog.Any("error", err))
		}
		failing = err != nil
	}
}

func (e *Engine) tellChanges(ctx context.Context, p *poll) error {
	e.watchers.mu.Lock()
	maps.Copy(p.known, p.fresh)
	p.fresh = map[string]int64{}
	e.watchers.mu.Unlock()
	found, err := e.store.Changed(ctx)
	if err != nil {
		return err
	}
	e.watchers.mu.Lock()
	var news []string
	for run, sequence := range found {
		before, told := p.known[run]
		if here, ok := p.fresh[run]; ok && here >= sequence || told && before >= sequence {
			continue
		}
		news = append(news, run)
	}
	for run, sequence := range found {
		found[run] = max(sequence, p.known[run])
	}
	p.known = found
	e.watchers.mu.Unlock()
	for _, run := range news {
		e.changedRun(ctx, run)
	}
	return nil
}

// told notes that everybody here heard of a run up to a sequence.
func (p *poll) told(run string, sequence int64) {
	p.fresh[run] = max(sequence, p.fresh[run])
}
