package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/store"
)

type tokenCmd struct {
	Create tokenCreateCmd `cmd:"" help:"Create a token and print it, this once."`
	List   tokenListCmd   `cmd:"" help:"List whose tokens there are and when they were used."`
	Revoke tokenRevokeCmd `cmd:"" help:"Revoke a token for good."`
}

type tokenCreateCmd struct {
	local
	User    string   `xor:"whose" placeholder:"NAME" help:"Whose token."`
	Agent   bool     `help:"An agent's: drives runs as the user with the tools named, decides nothing."`
	Tool    []string `placeholder:"NAME" help:"Tool of an agent token; may be repeated."`
	Service string   `xor:"whose" placeholder:"NAME" help:"A service account's."`
	Scope   []string `placeholder:"SCOPE" help:"agent:read, agent:approve or agent:cancel; may be repeated."`
	JSON    bool     `name:"json" help:"Print JSON."`
}

// Example implements exampled.
func (tokenCreateCmd) Example() string {
	return "imprimatur token create --user jana --config imprimatur.yaml\n" +
		"imprimatur token create --user jana --agent --tool get_page_content \\\n    --config imprimatur.yaml\n" +
		"imprimatur token create --service nightly --scope agent:read \\\n    --config imprimatur.yaml"
}

// wanted is what is asked for, or a usage error.
func (c *tokenCreateCmd) wanted() (store.NewToken, error) {
	n := store.NewToken{Service: c.Service, Tools: c.Tool}
	for _, s := range c.Scope {
		n.Scopes = append(n.Scopes, imprimatur.Scope(s))
	}
	switch {
	case (c.User == "") == (c.Service == ""):
		return n, usageError{"either --user or --service is needed"}
	case c.Service != "" && (c.Agent || len(c.Tool) > 0):
		return n, usageError{"--agent and --tool belong to --user"}
	case c.Service != "" && len(c.Scope) == 0:
		return n, usageError{"a service account needs --scope"}
	case c.User != "" && len(c.Scope) > 0:
		return n, usageError{"--scope belongs to --service"}
	case c.Agent && len(c.Tool) == 0:
		return n, usageError{"an agent token names its tools: --tool NAME"}
	case !c.Agent && len(c.Tool) > 0:
		return n, usageError{"--tool belongs to --agent"}
	case c.Service != "":
		n.Kind = store.TokenService
	case c.Agent:
		n.Kind = store.TokenAgent
	default:
		n.Kind = store.TokenPerson
	}
	return n, nil
}

// Run creates a token.
func (c *tokenCreateCmd) Run(a *app) error {
	n, err := c.wanted()
	if err != nil {
		return err
	}
	for _, name := range c.Tool {
		if known := toolNames(); !slices.Contains(known, name) {
			return fmt.Errorf("there is no tool named %q; there are %s", name, strings.Join(known, ", "))
		}
	}
	return c.with(a, func(ctx context.Context, b *base) error {
		if c.User != "" {
			u, err := b.user(ctx, c.User)
			if err != nil {
				return err
			}
			n.User = u.ID
		}
		id, token, err := b.store.CreateToken(ctx, n)
		if err != nil {
			return err
		}
		if c.JSON {
			return a.jsonLine(struct {
				ID    string `json:"id"`
				Token string `json:"token"`
			}{id, token})
		}
		fmt.Fprintln(a.out, token)
		return nil
	})
}

type tokenListCmd struct {
	local
	User string `placeholder:"NAME" help:"Only this user's."`
	JSON bool   `name:"json" help:"Print JSON."`
}

// Example implements exampled.
func (tokenListCmd) Example() string { return "imprimatur token list --config imprimatur.yaml" }

// Run lists tokens.
func (c *tokenListCmd) Run(a *app) error {
	return c.with(a, func(ctx context.Context, b *base) error {
		var id int64
		if c.User != "" {
			u, err := b.user(ctx, c.User)
			if err != nil {
				return err
			}
			id = u.ID
		}
		tokens, err := b.store.Tokens(ctx, id)
		if err != nil {
			return err
		}
		if c.JSON {
			return a.json(append([]store.Token{}, tokens...))
		}
		table := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
		for _, t := range tokens {
			whose, what := t.User.Name, strings.Join(t.Tools, ",")
			if t.Kind == store.TokenService {
				whose = t.Service
			}
			for _, s := range t.Scopes {
				what += " " + string(s)
			}
			state := "never used"
			if t.LastUsed != nil {
				state = "used " + t.LastUsed.UTC().Format(time.DateOnly)
			}
			if t.Revoked != nil {
				state = "revoked " + t.Revoked.UTC().Format(time.DateOnly)
			}
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", plain(t.ID), t.Kind, plain(whose), plain(strings.TrimSpace(what)), state)
		}
		return table.Flush()
	})
}

type tokenRevokeCmd struct {
	local
	ID string `arg:"" help:"Id of the token, from token list."`
}

// Example implements exampled.
func (tokenRevokeCmd) Example() string {
	return "imprimatur token revoke ID --config imprimatur.yaml"
}

// Run revokes a token.
func (c *tokenRevokeCmd) Run(a *app) error {
	return c.with(a, func(ctx context.Context, b *base) error {
		err := b.store.RevokeToken(ctx, c.ID)
		if errors.Is(err, store.ErrNoToken) {
			return fmt.Errorf("there is no token with the id %q", c.ID)
		}
		if err != nil {
			return err
		}
		a.say("Token %s is revoked.", plain(c.ID))
		return nil
	})
}
