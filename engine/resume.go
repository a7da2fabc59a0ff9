package engine

import (
	"context"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/internal/loop"
	"github.com/imprimatur-dev/imprimatur/store"
)

// resume prepares the segment that follows a decision: the owner's identity,
// never the decider's, and the tools that policy grants the owner now. Where
// the account is gone or disabled nothing is offered, but the pictures are
// taken again for nobody, so that the turn comes back saying so.
func (e *Engine) resume(ctx context.Context, seg *segment, v view, state imprimatur.Suspended) *loop.Loop {
	owner := v.owner
	offered, refused := e.offer(v.agent, state.Allowed, owner)
	for _, g := range refused {
		e.notOffered(ctx, seg.run, g)
		seg.buffer = append(seg.buffer, store.Draft{Kind: imprimatur.EventGovernance, Payload: g})
	}
	if !owner.Enabled {
		owner = imprimatur.User{Lang: owner.Lang}
	}
	l := e.loop(seg, v.agent, owner, offered)
	if !owner.Exists() {
		l.Pictured = map[string]bool{}
		for name := range e.tools {
			l.Pictured[name] = true
		}
	}
	l.Rounds = rounds(v.agent, state.MaxRounds)
	return l
}

// loop is the part that both ways into a segment share.
func (e *Engine) loop(seg *segment, agent imprimatur.Agent, user imprimatur.User, offered map[string]bool) *loop.Loop {
	return &loop.Loop{
		Run: seg.run, Model: e.models[agent.Model], System: agent.System, Tools: e.tools, Offered: offered, Pictured: offered,
		User: user, Printer: e.catalogue.Printer(user.Lang), Recorder: seg, Log: e.log, Budget: agent.MaxTokensTotal,
	}
}
