package main

import (
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/imprimatur-dev/imprimatur"
)

type runsCmd struct {
	List   runsListCmd   `cmd:"" help:"List runs."`
	Show   runsShowCmd   `cmd:"" help:"Show a run."`
	Cancel runsCancelCmd `cmd:"" help:"Cancel a run."`
}

type runsListCmd struct {
	remote
	Status string `placeholder:"STATUS" help:"Only these, for instance waiting_for_approval."`
	Agent  string `placeholder:"NAME" help:"Only of this agent."`
	Tool   string `placeholder:"NAME" help:"Only those that ask for this tool."`
	Back   bool   `help:"Only those that came back."`
	Mine   bool   `help:"Only mine."`
	Query  string `short:"q" placeholder:"TEXT" help:"Part of id, agent, owner or tool."`
	Limit  int    `default:"50" help:"How many, at most 200."`
	Cursor string `placeholder:"CURSOR" help:"Go on where a list ended."`
	JSON   bool   `name:"json" help:"Print JSON."`
}

// Example implements exampled.
func (runsListCmd) Example() string { return "imprimatur runs list --status waiting_for_approval" }

// Run lists runs.
func (c *runsListCmd) Run(a *app) error {
	api, err := c.dial(a)
	if err != nil {
		return err
	}
	list, err := api.List(a.ctx, imprimatur.Filter{
		Status: imprimatur.Status(c.Status), Agent: c.Agent, Tool: c.Tool, Back: c.Back, Mine: c.Mine, Query: c.Query, Limit: c.Limit, Cursor: c.Cursor,
	})
	if err != nil {
		return err
	}
	if c.JSON {
		return a.json(struct {
			Runs []imprimatur.Run `json:"runs"`
			Next string           `json:"next_cursor"`
		}{list.Runs, list.Next})
	}
	table := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	for _, r := range list.Runs {
		back := ""
		if r.Back {
			back = "back"
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", plain(r.ID), plain(string(r.Status)), plain(r.Agent), plain(r.Owner.Name), r.CreatedAt.UTC().Format(time.DateTime), back)
	}
	if err := table.Flush(); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	if list.Next != "" {
		a.say("There are more: --cursor %s", plain(list.Next))
	}
	return nil
}

type runsShowCmd struct {
	remote
	JSON   bool   `name:"json" help:"Print JSON."`
	Events bool   `help:"Print what happened, too."`
	ID     string `arg:"" name:"run" help:"Id of the run."`
}

// Example implements exampled.
func (runsShowCmd) Example() string { return "imprimatur runs show RUN --events" }

// Run shows one run.
func (c *runsShowCmd) Run(a *app) error {
	api, err := c.dial(a)
	if err != nil {
		return err
	}
	run, err := api.Status(a.ctx, c.ID)
	if err != nil {
		return err
	}
	var events []imprimatur.Event
	for after := int64(-1); c.Events; after = events[len(events)-1].Sequence {
		page, err := api.Events(a.ctx, c.ID, after)
		if err != nil {
			return err
		}
		if len(page) == 0 {
			break
		}
		events = append(events, page...)
	}
	if c.JSON {
		return a.json(struct {
			imprimatur.Run
			Events []imprimatur.Event `json:"events,omitempty"`
		}{run, events})
	}
	printRun(a.out, run)
	for _, e := range events {
		fmt.Fprintf(a.out, "%4d  %s  %-10s %s\n", e.Sequence, e.At.UTC().Format(time.DateTime), plain(string(e.Kind)), plain(string(e.Payload)))
	}
	return nil
}

type runsCancelCmd struct {
	remote
	JSON bool   `name:"json" help:"Print JSON."`
	ID   string `arg:"" name:"run" help:"Id of the run."`
}

// Example implements exampled.
func (runsCancelCmd) Example() string { return "imprimatur runs cancel RUN" }

// Run cancels one run.
func (c *runsCancelCmd) Run(a *app) error {
	api, err := c.dial(a)
	if err != nil {
		return err
	}
	run, err := api.Cancel(a.ctx, c.ID)
	if err != nil {
		return err
	}
	if c.JSON {
		return a.json(run)
	}
	printRun(a.out, run)
	return nil
}
