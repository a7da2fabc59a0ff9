package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/client"
)

type runCmd struct {
	remote
	Agent     string   `required:"" placeholder:"NAME" help:"Agent that carries it out."`
	Tool      []string `placeholder:"NAME" help:"Offer only this tool; may be repeated."`
	MaxRounds int      `placeholder:"N" help:"Most rounds before it has to end."`
	JSON      bool     `name:"json" help:"Print the run as JSON."`
	Queue     bool     `help:"Leave it to a worker: print its id and do not follow it."`
	Prompt    string   `arg:"" help:"What is asked of the agent."`
}

// Example implements exampled.
func (runCmd) Example() string {
	return `imprimatur run --agent editor "Add the ferry to the opening hours"`
}

// Run starts the run and follows it.
func (c *runCmd) Run(a *app) error {
	api, err := c.dial(a)
	if err != nil {
		return err
	}
	start := imprimatur.Start{Agent: c.Agent, Prompt: c.Prompt, MaxRounds: c.MaxRounds}
	if len(c.Tool) > 0 {
		start.Tools = &c.Tool
	}
	if c.Queue {
		return c.enqueue(a, api, start)
	}
	run, err := api.RunLive(a.ctx, start, a.live())
	if err != nil {
		return cut(err, run)
	}
	return c.outcome(a, run, c.JSON)
}

func (c *runCmd) enqueue(a *app, api *client.Client, start imprimatur.Start) error {
	run, err := api.Enqueue(a.ctx, start, 0)
	switch {
	case err != nil:
		return err
	case c.JSON:
		return a.json(run)
	}
	fmt.Fprintln(a.out, plain(run.ID))
	a.say("It is queued: %s", plain(c.link(run.ID)))
	return nil
}

// cut says that a run goes on although its stream ended.
func cut(err error, run imprimatur.Run) error {
	if errors.Is(err, client.ErrCut) && run.ID != "" {
		return errors.New("the connection ended before the run did; see imprimatur runs show " + run.ID)
	}
	return err
}

// outcome prints what became of a run and says it by the exit code, too.
func (r remote) outcome(a *app, run imprimatur.Run, asJSON bool) error {
	if asJSON {
		if err := a.json(run); err != nil {
			return err
		}
	} else {
		printOutcome(a, run)
	}
	switch run.Status {
	case imprimatur.StatusCompleted:
		return nil
	case imprimatur.StatusWaiting:
		a.say("It waits for a decision: %s", plain(r.link(run.ID)))
		return ended{code: exitWaiting}
	case imprimatur.StatusRunning, imprimatur.StatusQueued, imprimatur.StatusInput:
		return ended{exitWaiting, "It has not ended yet: imprimatur runs show " + run.ID}
	case imprimatur.StatusFailed, imprimatur.StatusCancelled:
		return ended{code: exitError}
	}
	return ended{code: exitError}
}

func printOutcome(a *app, run imprimatur.Run) {
	if run.Status == imprimatur.StatusWaiting && run.Card != nil {
		printCard(a.out, *run.Card)
		return
	}
	if run.Status == imprimatur.StatusCompleted && strings.TrimSpace(run.Text) != "" {
		a.say("Run %s completed.", plain(run.ID))
		_, _ = a.out.Write([]byte(paragraphs(run.Text) + "\n"))
		return
	}
	printRun(a.out, run)
}
