package main

import "github.com/imprimatur-dev/imprimatur"

type noteCmd struct {
	remote
	ID    string           `arg:"" name:"run" help:"Id of the run."`
	Call  string           `arg:"" help:"Id of the call; the card shows it."`
	Found imprimatur.Found `arg:"" enum:"happened,did_not_happen,unclear" help:"What you found: happened, did_not_happen or unclear."`
}

// Example implements exampled.
func (noteCmd) Example() string { return "imprimatur note RUN CALL did_not_happen" }

// Run puts down what somebody found who looked whether a write happened.
func (c *noteCmd) Run(a *app) error {
	api, err := c.dial(a)
	if err != nil {
		return err
	}
	if err := api.Note(a.ctx, c.ID, imprimatur.Note{Call: c.Call, Found: c.Found}); err != nil {
		return err
	}
	a.say("Noted. Nothing was written or repeated.")
	return nil
}
