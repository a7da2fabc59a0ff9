package main

type cardCmd struct {
	remote
	JSON bool   `name:"json" help:"Print JSON."`
	ID   string `arg:"" name:"run" help:"Id of the run."`
}

// Example implements exampled.
func (cardCmd) Example() string { return "imprimatur card RUN" }

// Run shows the card of a run.
func (c *cardCmd) Run(a *app) error {
	api, err := c.dial(a)
	if err != nil {
		return err
	}
	card, err := api.Card(a.ctx, c.ID)
	if err != nil {
		return err
	}
	if c.JSON {
		return a.json(card)
	}
	printCard(a.out, card)
	return nil
}
