package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/internal/loop"
	"github.com/imprimatur-dev/imprimatur/policy"
	"github.com/imprimatur-dev/imprimatur/store"
)

// maxPrompt is how many bytes a prompt may have.
const maxPrompt = 256 << 10

// Run starts a run and waits for its first segment as long as wait says. The
// run that comes back may be in any status. It returns a *imprimatur.Refusal
// where nothing was started; a run that cannot be stored does not run.
func (e *Engine) Run(ctx context.Context, actor imprimatur.Actor, start imprimatur.Start, wait imprimatur.Wait) (imprimatur.Run, error) {
	if !e.enter() {
		return imprimatur.Run{}, &imprimatur.Refusal{Code: imprimatur.CodeStateUnavailable}
	}
	defer e.segments.Done()
	agent, err := e.admit(actor, start)
	if err != nil {
		return imprimatur.Run{}, err
	}
	allowed := narrow(start.Tools, actor)
	offered, refused := e.offer(agent, allowed, actor.User)
	refused = append(refused, beyond(agent, actor, start.Tools)...)
	maxRounds := min(start.MaxRounds, imprimatur.MaxRounds)
	seg := e.newSegment(e.store.NewID(), imprimatur.ClaimInteractive, wait)
	begun := store.Begun{
		ID: seg.run, Agent: agent.Name, Owner: imprimatur.By{ID: actor.User.ID, Name: actor.User.Name},
		Claim: seg.claim, Lease: e.lease.Milliseconds(), Events: beginning(agent, offered, refused, maxRounds),
	}
	if actor.Credential == imprimatur.CredentialAgent {
		begun.StartedBy = actor.Token
	}
	if start.Key != "" {
		if begun.Key, err = store.KeyOf(actor, start.Key, "POST /runs", start.Body); err != nil {
			return imprimatur.Run{}, err
		}
	}
	id, err := e.store.Begin(ctx, begun)
	if errors.Is(err, store.ErrKeyReused) {
		return imprimatur.Run{}, &imprimatur.Refusal{Code: imprimatur.CodeKeyReused}
	}
	if errors.Is(err, store.ErrCommitUnknown) {
		// Read back by run and claim, never repeated.
		var mine bool
		if mine, err = e.store.Claimed(context.WithoutCancel(ctx), seg.run, seg.claim); err == nil && !mine {
			err = store.ErrCommitUnknown
		}
		id = seg.run
	}
	if err != nil {
		return imprimatur.Run{}, e.unavailable(ctx, seg.run, err)
	}
	if id != seg.run {
		if wait.Begun != nil {
			wait.Begun(id)
		}
		return e.Status(ctx, actor, id)
	}
	for _, g := range refused {
		e.notOffered(ctx, seg.run, g)
	}
	l := e.loop(seg, agent, actor.User, offered)
	l.Rounds = rounds(agent, maxRounds)
	e.launch(ctx, seg, func(ctx context.Context) (loop.Result, error) {
		return l.Begin(ctx, start.Prompt, allowed, maxRounds)
	})
	return e.await(ctx, actor, seg)
}

func (e *Engine) notOffered(ctx context.Context, run string, g imprimatur.GovernancePayload) {
	e.log.InfoContext(ctx, "tool not offered", slog.String("run", run), slog.String("tool", g.Tool), slog.String("reason", g.Reason))
}

// admit checks what a caller asks for, before anything is stored.
func (e *Engine) admit(actor imprimatur.Actor, start imprimatur.Start) (imprimatur.Agent, error) {
	if !actor.MayStart() {
		return imprimatur.Agent{}, &imprimatur.Refusal{Code: imprimatur.CodeAccessDenied}
	}
	agent, ok := e.agents[start.Agent]
	switch {
	case start.Agent == "":
		return agent, imprimatur.BadRequest("agent: name the agent that shall run")
	case !ok:
		return agent, &imprimatur.Refusal{Code: imprimatur.CodeUnknownAgent, Detail: "agent: there is no such agent"}
	case start.Prompt == "":
		return agent, imprimatur.BadRequest("prompt: say what the agent shall do")
	case !utf8.ValidString(start.Prompt):
		return agent, imprimatur.BadRequest("prompt: it is not valid UTF-8")
	case len(start.Prompt) > maxPrompt:
		return agent, &imprimatur.Refusal{Code: imprimatur.CodeTooLarge, Detail: fmt.Sprintf("prompt: at most %d bytes", maxPrompt)}
	case start.MaxRounds < 0:
		return agent, imprimatur.BadRequest("max_rounds: it is not negative")
	}
	if start.Tools != nil {
		for _, name := range *start.Tools {
			if _, known := e.tools[name]; !known {
				return agent, &imprimatur.Refusal{Code: imprimatur.CodeUnknownTool, Tool: imprimatur.Cut(imprimatur.Visible(name), 64), Detail: "tools: there is no such tool"}
			}
		}
	}
	return agent, nil
}

// narrow is the run's own constraint: what was asked for, within what an agent
// token names. Nil is none.
func narrow(asked *[]string, actor imprimatur.Actor) *[]string {
	if actor.Credential != imprimatur.CredentialAgent {
		return asked
	}
	names := []string{}
	for _, name := range actor.Tools {
		if asked == nil || slices.Contains(*asked, name) {
			names = append(names, name)
		}
	}
	return &names
}

// offer returns the tools that a run may use: those of its agent, within the
// run's own constraint, that policy grants to the user. What was asked for by
// name and refused comes back too.
func (e *Engine) offer(agent imprimatur.Agent, allowed *[]string, user imprimatur.User) (map[string]bool, []imprimatur.GovernancePayload) {
	asked := slices.Sorted(maps.Keys(e.tools))
	if agent.Tools != nil {
		asked = slices.Compact(slices.Sorted(slices.Values(*agent.Tools)))
	}
	named := agent.Tools != nil || allowed != nil
	offered := map[string]bool{}
	var refused []imprimatur.GovernancePayload
	for _, name := range asked {
		if allowed != nil && !slices.Contains(*allowed, name) {
			continue
		}
		why := e.policy.Check(policy.Question{Tool: e.tools[name], User: user})
		if why == "" {
			offered[name] = true
		} else if named {
			refused = append(refused, imprimatur.GovernancePayload{Tool: name, Reason: string(why)})
		}
	}
	return offered, refused
}

// Why a tool is not offered that policy would have granted.
const (
	notInAgent = "notInAgent"
	notInToken = "notInToken"
)

// beyond says which tools a caller asked for by name that agent or token do not
// have.
func beyond(agent imprimatur.Agent, actor imprimatur.Actor, asked *[]string) []imprimatur.GovernancePayload {
	if asked == nil {
		return nil
	}
	var refused []imprimatur.GovernancePayload
	for _, name := range slices.Compact(slices.Sorted(slices.Values(*asked))) {
		switch {
		case agent.Tools != nil && !slices.Contains(*agent.Tools, name):
			refused = append(refused, imprimatur.GovernancePayload{Tool: name, Reason: notInAgent})
		case actor.Credential == imprimatur.CredentialAgent && !slices.Contains(actor.Tools, name):
			refused = append(refused, imprimatur.GovernancePayload{Tool: name, Reason: notInToken})
		}
	}
	return refused
}

func beginning(agent imprimatur.Agent, offered map[string]bool, refused []imprimatur.GovernancePayload, maxRounds int) []store.Draft {
	drafts := []store.Draft{{Kind: imprimatur.EventContext, Payload: imprimatur.ContextPayload{
		Tools: append([]string{}, slices.Sorted(maps.Keys(offered))...), MaxRounds: rounds(agent, maxRounds), MaxTokensTotal: agent.MaxTokensTotal,
	}}}
	return append(drafts, governance(refused)...)
}

func governance(refused []imprimatur.GovernancePayload) (drafts []store.Draft) {
	for _, g := range refused {
		drafts = append(drafts, store.Draft{Kind: imprimatur.EventGovernance, Payload: g})
	}
	return drafts
}

// rounds is how many rounds one segment may take: the run's own cap, which
// survives a pause, before the agent's, before the default.
func rounds(agent imprimatur.Agent, explicit int) int {
	switch {
	case explicit > 0:
		return min(explicit, imprimatur.MaxRounds)
	case agent.MaxRounds > 0:
		return min(agent.MaxRounds, imprimatur.MaxRounds)
	default:
		return imprimatur.DefaultRounds
	}
}
