package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/imprimatur-dev/imprimatur"
)

// codeLength is how much of a digest a person types.
const codeLength = 6

type approveCmd struct {
	remote
	JSON bool   `name:"json" help:"Print the run as JSON."`
	ID   string `arg:"" name:"run" help:"Id of the run."`
}

// Example implements exampled.
func (approveCmd) Example() string { return "imprimatur approve RUN" }

// Help implements kong.HelpProvider.
func (approveCmd) Help() string {
	return "Shows the card and asks for the code on it, so that nobody approves what they have not been shown. " +
		"Without a terminal it refuses with exit code 6. Exit code 5: what the card showed moved, and nothing was written."
}

// Run shows the card and approves what was seen.
func (c *approveCmd) Run(a *app) error {
	screen, done, ok := a.screen()
	if !ok {
		return ended{exitNotMay, "imprimatur: approve needs a terminal: a person has to see the card. Open " + c.link(c.ID)}
	}
	defer func() { _ = done() }() // nothing is lost with it: everything on it was written at once
	api, err := c.dial(a)
	if err != nil {
		return err
	}
	card, err := api.Card(a.ctx, c.ID)
	if err != nil {
		return err
	}
	printCard(screen, card)
	switch {
	case card.Status != imprimatur.StatusWaiting:
		return &imprimatur.Refusal{Code: imprimatur.CodeNotWaiting, Run: c.ID, Detail: "the run does not wait for a decision", Decided: card.Decided}
	case card.Refusal != "":
		return ended{exitOf(&imprimatur.Refusal{Code: card.Refusal}), "Nothing was decided."} // the card says why
	}
	code := approvalCode(card)
	fmt.Fprintf(screen, "Code    %s\n\nType the code to approve; anything else leaves it as it is: ", plain(code))
	if typed := readLine(a.in); code == "" || typed != code {
		return ended{exitError, "Nothing was decided."}
	}
	run, err := api.DecideLive(a.ctx, c.ID, imprimatur.Decision{
		Verdict: imprimatur.Approve, TurnDigest: card.TurnDigest, PictureDigest: card.PictureDigest,
	}, a.live())
	if err != nil {
		return cut(err, run)
	}
	return c.decided(a, run, c.JSON)
}

// approvalCode is what a person types: it changes with everything on the card.
func approvalCode(card imprimatur.Card) string {
	return imprimatur.Cut(cmp.Or(card.PictureDigest, card.TurnDigest), codeLength)
}

// readLine reads one short line, without what surrounds it.
func readLine(in io.Reader) string {
	line, _ := bufio.NewReader(io.LimitReader(in, 1024)).ReadString('\n')
	return strings.TrimSpace(line)
}

// decided prints what became of a run after a decision. A turn that came back
// is stale; a new turn that waits is the next card, not a failure of this one.
func (r remote) decided(a *app, run imprimatur.Run, asJSON bool) error {
	if run.Status != imprimatur.StatusWaiting {
		return r.outcome(a, run, asJSON)
	}
	var waits ended
	if err := r.outcome(a, run, asJSON); !errors.As(err, &waits) {
		return err
	}
	if len(run.Stale) > 0 {
		return ended{exitStale, "It came back: what the card showed has moved. Nothing of what is listed was written."}
	}
	return nil
}
