package main

import (
	"time"

	"github.com/imprimatur-dev/imprimatur"
)

type denyCmd struct {
	remote
	Reason string `placeholder:"TEXT" help:"Why, for the agent."`
	Retry  bool   `help:"The agent may try again another way."`
	JSON   bool   `name:"json" help:"Print the run as JSON."`
	ID     string `arg:"" name:"run" help:"Id of the run."`
}

// Example implements exampled.
func (denyCmd) Example() string { return `imprimatur deny RUN --reason "Wrong picture" --retry` }

// Run denies the turn that waits now. It needs no terminal: a denial writes
// nothing.
func (c *denyCmd) Run(a *app) error {
	api, err := c.dial(a)
	if err != nil {
		return err
	}
	card, err := api.Card(a.ctx, c.ID)
	if err != nil {
		return err
	}
	run, err := api.Decide(a.ctx, c.ID, imprimatur.Decision{
		Verdict: imprimatur.Deny, TurnDigest: card.TurnDigest, Reason: c.Reason, Retry: c.Retry,
	}, time.Minute)
	if err != nil {
		return err
	}
	if c.JSON {
		return a.json(run)
	}
	a.say("Denied. Nothing of what it asked for was written.")
	printOutcome(a, run)
	return nil
}
