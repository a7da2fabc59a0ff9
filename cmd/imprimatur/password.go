package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/term"

	"github.com/imprimatur-dev/imprimatur/account"
)

type userPasswordCmd struct {
	local
	Remove bool   `help:"Take the password away: signing in takes a link then."`
	Name   string `arg:"" help:"Name."`
}

// Example implements exampled.
func (userPasswordCmd) Example() string {
	return "imprimatur user password jana --config imprimatur.yaml"
}

// Help implements kong.HelpProvider.
func (userPasswordCmd) Help() string {
	return "Asks for the password twice at a terminal, without showing it, or reads one line of standard input. It is kept as what proves it, never as it is."
}

// Run keeps what proves a password.
func (c *userPasswordCmd) Run(a *app) error {
	return c.with(a, func(ctx context.Context, b *base) error {
		u, err := b.user(ctx, c.Name)
		if err != nil {
			return err
		}
		proof := ""
		if !c.Remove {
			password, err := a.password()
			if err != nil {
				return err
			}
			if proof, err = account.NewPassword(password); err != nil {
				return err
			}
		}
		if err := b.store.SetPassword(ctx, u.ID, proof); err != nil {
			return err
		}
		if c.Remove {
			a.say("%s has no password.", plain(u.Name))
		} else {
			a.say("%s has a new password.", plain(u.Name))
		}
		return nil
	})
}

// maxTyped bounds what is read of a password, in bytes.
const maxTyped = 4096

// password asks whoever sits at the terminal, or reads a line.
func (a *app) password() (string, error) {
	in := int(a.in.Fd())
	if !term.IsTerminal(in) {
		line, err := bufio.NewReader(io.LimitReader(a.in, maxTyped)).ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return "", fmt.Errorf("read password: %w", err)
		}
		return strings.TrimRight(line, "\r\n"), nil
	}
	fmt.Fprint(a.err, "Password: ")
	first, err := term.ReadPassword(in)
	if err == nil {
		fmt.Fprint(a.err, "\nOnce more: ")
		var second []byte
		if second, err = term.ReadPassword(in); err == nil && string(first) != string(second) {
			err = errors.New("these are two passwords: nothing was changed")
		}
	}
	fmt.Fprintln(a.err)
	return string(first), err
}
