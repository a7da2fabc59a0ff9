package engine

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"time"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/store"
)

// Wake has a worker look at a run, at once or after a while, as part of the
// transaction that made it worth looking at. Its error takes that back.
type Wake func(ctx context.Context, tx *sql.Tx, run string, after time.Duration) error

// Enqueue stores a run for a worker and returns it; where wait says so, it waits
// until the run's first segment has ended. It returns a *imprimatur.Refusal
// where nothing was stored, and no worker is woken then.
func (e *Engine) Enqueue(ctx context.Context, actor imprimatur.Actor, start imprimatur.Start, wait imprimatur.Wait) (imprimatur.Run, error) {
	if !e.enter() {
		return imprimatur.Run{}, &imprimatur.Refusal{Code: imprimatur.CodeStateUnavailable}
	}
	defer e.segments.Done()
	agent, err := e.admit(actor, start)
	if err != nil {
		return imprimatur.Run{}, err
	}
	if e.wake == nil {
		e.log.ErrorContext(ctx, "a run was to be queued, and there is no queue")
		return imprimatur.Run{}, &imprimatur.Refusal{Code: imprimatur.CodeStateUnavailable}
	}
	id, refused := e.store.NewID(), beyond(agent, actor, start.Tools)
	q := store.Enqueued{
		ID: id, Agent: agent.Name, Owner: imprimatur.By{ID: actor.User.ID, Name: actor.User.Name},
		Request: imprimatur.Request{Prompt: start.Prompt, Allowed: narrow(start.Tools, actor), MaxRounds: min(start.MaxRounds, imprimatur.MaxRounds)},
		Events:  governance(refused),
		Wake:    func(ctx context.Context, tx *sql.Tx) error { return e.wake(ctx, tx, id, 0) },
	}
	if actor.Credential == imprimatur.CredentialAgent {
		q.StartedBy = actor.Token
	}
	if start.Key != "" {
		if q.Key, err = store.KeyOf(actor, start.Key, "POST /runs", start.Body); err != nil {
			return imprimatur.Run{}, err
		}
	}
	run, err := e.store.Enqueue(ctx, q)
	switch {
	case errors.Is(err, store.ErrKeyReused):
		return imprimatur.Run{}, &imprimatur.Refusal{Code: imprimatur.CodeKeyReused}
	case errors.Is(err, store.ErrCommitUnknown):
		// Read back by its id, never repeated.
		run = id
	case err != nil:
		return imprimatur.Run{}, e.unavailable(ctx, id, err)
	}
	if wait.Begun != nil {
		wait.Begun(run)
	}
	row, err := e.store.Run(context.WithoutCancel(ctx), run)
	if err != nil {
		return imprimatur.Run{}, e.unavailable(ctx, run, err)
	}
	e.changed(row)
	if wait.For > 0 {
		if row, err = e.outcome(ctx, actor, row, wait.For); err != nil {
			return imprimatur.Run{}, e.unavailable(ctx, run, err)
		}
	}
	return e.present(context.WithoutCancel(ctx), actor, row)
}

// outcome waits until a run is neither queued nor running, as long as the
// caller wants to.
func (e *Engine) outcome(ctx context.Context, actor imprimatur.Actor, row store.Row, patience time.Duration) (store.Row, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	changes, err := e.Watch(ctx, actor)
	if err != nil {
		return row, err
	}
	for {
		now, err := e.store.Run(context.WithoutCancel(ctx), row.ID)
		if err != nil {
			return row, err
		}
		row = now
		if row.Status != imprimatur.StatusQueued && row.Status != imprimatur.StatusRunning {
			return row, nil
		}
		if _, open := <-changes; !open {
			e.log.DebugContext(ctx, "nobody waits for the run any more", slog.String("run", row.ID))
			return row, nil
		}
	}
}
