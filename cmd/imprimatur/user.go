package main

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/imprimatur-dev/imprimatur/store"
)

type userCmd struct {
	Add     userAddCmd     `cmd:"" help:"Add a person."`
	List    userListCmd    `cmd:"" help:"List people."`
	Disable userDisableCmd `cmd:"" help:"Disable a person: tokens and sessions stop working, runs come back."`
	Link    userLinkCmd    `cmd:"" help:"Make a one-time sign-in link, valid for 15 minutes."`

	Password userPasswordCmd `cmd:"" help:"Give a person a password, or take it away."`
}

type userAddCmd struct {
	local
	Email string   `placeholder:"EMAIL" help:"E-mail address."`
	Lang  string   `placeholder:"LANG" help:"Language, for instance de; English where absent."`
	Admin bool     `help:"May do everything."`
	Group []string `placeholder:"GROUP" help:"Group; may be repeated."`
	JSON  bool     `name:"json" help:"Print JSON."`
	Name  string   `arg:"" help:"Name, unique."`
}

// Example implements exampled.
func (userAddCmd) Example() string {
	return "imprimatur user add jana --config imprimatur.yaml --lang de --group editing"
}

// Run adds a user.
func (c *userAddCmd) Run(a *app) error {
	return c.with(a, func(ctx context.Context, b *base) error {
		u, err := b.store.AddUser(ctx, store.NewUser{Name: c.Name, Email: c.Email, Lang: c.Lang, Admin: c.Admin, Groups: c.Group})
		if err != nil {
			return err
		}
		if c.JSON {
			return a.jsonLine(struct {
				ID   int64  `json:"id"`
				Name string `json:"name"`
			}{u.ID, u.Name})
		}
		fmt.Fprintf(a.out, "%d\t%s\n", u.ID, plain(u.Name))
		return nil
	})
}

type userListCmd struct {
	local
	JSON bool `name:"json" help:"Print JSON."`
}

// Example implements exampled.
func (userListCmd) Example() string { return "imprimatur user list --config imprimatur.yaml" }

// userRow is a user as commands print it.
type userRow struct {
	ID      int64    `json:"id"`
	Name    string   `json:"name"`
	Email   string   `json:"email"`
	Lang    string   `json:"lang"`
	Admin   bool     `json:"admin"`
	Enabled bool     `json:"enabled"`
	Groups  []string `json:"groups"`
}

// Run lists users.
func (c *userListCmd) Run(a *app) error {
	return c.with(a, func(ctx context.Context, b *base) error {
		users, err := b.store.Users(ctx)
		if err != nil {
			return err
		}
		rows := make([]userRow, len(users))
		for i, u := range users {
			rows[i] = userRow{u.ID, u.Name, u.Email, u.Lang, u.Admin, u.Enabled, append([]string{}, u.Groups...)}
		}
		if c.JSON {
			return a.json(rows)
		}
		table := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
		for _, u := range rows {
			var marks []string
			if u.Admin {
				marks = append(marks, "admin")
			}
			if !u.Enabled {
				marks = append(marks, "disabled")
			}
			fmt.Fprintf(table, "%d\t%s\t%s\t%s\t%s\t%s\n", u.ID, plain(u.Name), plain(u.Email), plain(u.Lang), plain(strings.Join(u.Groups, ",")), strings.Join(marks, ","))
		}
		return table.Flush()
	})
}

type userDisableCmd struct {
	local
	Name string `arg:"" help:"Name."`
}

// Example implements exampled.
func (userDisableCmd) Example() string {
	return "imprimatur user disable jana --config imprimatur.yaml"
}

// Run disables a user.
func (c *userDisableCmd) Run(a *app) error {
	return c.with(a, func(ctx context.Context, b *base) error {
		u, err := b.user(ctx, c.Name)
		if err != nil {
			return err
		}
		enabled := false
		if _, err := b.store.ChangeUser(ctx, u.ID, store.UserChange{Enabled: &enabled}); err != nil {
			return err
		}
		a.say("%s is disabled.", plain(u.Name))
		return nil
	})
}

type userLinkCmd struct {
	local
	JSON bool   `name:"json" help:"Print JSON."`
	Name string `arg:"" help:"Name."`
}

// Example implements exampled.
func (userLinkCmd) Example() string { return "imprimatur user link jana --config imprimatur.yaml" }

// Run prints a link that signs the user in once.
func (c *userLinkCmd) Run(a *app) error {
	return c.with(a, func(ctx context.Context, b *base) error {
		address, err := b.cfg.publicURL()
		if err != nil {
			return err
		}
		u, err := b.user(ctx, c.Name)
		if err != nil {
			return err
		}
		if !u.Enabled {
			return fmt.Errorf("user %q is disabled", c.Name)
		}
		secret, err := b.store.CreateLink(ctx, store.NewLink{User: u.ID})
		if err != nil {
			return err
		}
		link := address + "/login/" + secret
		if c.JSON {
			return a.jsonLine(struct {
				URL string `json:"url"`
			}{link})
		}
		fmt.Fprintln(a.out, link)
		return nil
	})
}

// publicURL is the address of the server where the configuration knows it.
func (l *loaded) publicURL() (string, error) {
	if l.URL.Set {
		return strings.TrimSuffix(l.URL.V, "/"), nil
	}
	listen := l.Listen.V
	if !l.Listen.Set {
		listen = defaultListen
	}
	if strings.HasSuffix(listen, ":0") {
		return "", fmt.Errorf("the address of the server is not known: set url in %s", l.file)
	}
	return "http://" + listen, nil
}
