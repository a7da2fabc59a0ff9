package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/imprimatur-dev/imprimatur"
)

// plain makes a text that others wrote safe to print: whatever a terminal
// would obey or a reader could not see is written out, line breaks and tabs
// included. Everything that did not come from this program goes through it.
func plain(s string) string { return escaped(s, false) }

// paragraphs is plain for a text of several lines.
func paragraphs(s string) string { return escaped(s, true) }

func escaped(s string, lines bool) string {
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(s, "\uFFFD") {
		switch {
		case r == '\n' && lines:
			b.WriteRune(r)
		case r == '\n' || r == '\t' || imprimatur.Invisible(r):
			fmt.Fprintf(&b, `\u{%X}`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// spoken is a text of the catalogue for a terminal, whose fonts know one space.
func spoken(s string) string {
	return strings.Map(func(r rune) rune {
		if imprimatur.NoBreak(r) {
			return ' '
		}
		return r
	}, s)
}

// counted is a number of things, in words.
func counted(n int64, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.FormatInt(n, 10) + " " + thing + "s"
}

// screen is what a person before the command reads: stderr, or their terminal
// where stderr goes elsewhere. It reports false where nobody can be asked.
func (a *app) screen() (w io.Writer, done func() error, ok bool) {
	if !term.IsTerminal(int(a.in.Fd())) {
		return nil, nil, false
	}
	if err, isFile := a.err.(*os.File); isFile && term.IsTerminal(int(err.Fd())) {
		return err, func() error { return nil }, true
	}
	tty, err := os.OpenFile("/dev/tty", os.O_WRONLY, 0)
	if err != nil {
		return nil, nil, false
	}
	return tty, tty.Close, true
}

// interactive reports whether a person sits before the command.
func (a *app) interactive() bool {
	_, done, ok := a.screen()
	if ok {
		_ = done() // nothing was written
	}
	return ok
}

// printCard shows a card.
func printCard(w io.Writer, c imprimatur.Card) {
	fmt.Fprintf(w, "Run %s · %s\nAgent %s for %s", plain(c.Run), plain(string(c.Status)), plain(c.Agent), plain(c.Owner.Name))
	if c.WaitingSince != nil {
		fmt.Fprintf(w, " · waits since %s", c.WaitingSince.UTC().Format(time.DateTime+"Z"))
	}
	fmt.Fprintln(w)
	if c.Words != "" {
		fmt.Fprintf(w, "The agent says, not bound by anything: “%s”\n", plain(c.Words))
	}
	for _, r := range c.Ran {
		outcome := "ran"
		if !r.OK {
			outcome = "ran and failed"
		}
		fmt.Fprintf(w, "\n%s: %s\n", plain(r.Tool), outcome)
	}
	if c.Unreadable {
		fmt.Fprintln(w, "\nThe state of this run cannot be read.")
	}
	for _, call := range c.Calls {
		printCall(w, call)
	}
	if d := c.Decided; d != nil {
		fmt.Fprintf(w, "\nDecided by %s: %s\n", plain(d.By.Name), plain(string(d.Verdict)))
	}
	for _, u := range c.Unknown {
		printUnknown(w, u)
	}
	if c.Refusal != "" {
		fmt.Fprintf(w, "\nYou cannot approve this. %s (%s)\n", plain(inWords(c.Refusal)), plain(string(c.Refusal)))
	}
	if c.TurnDigest != "" {
		fmt.Fprintf(w, "\nTurn    %s\nPicture %s\n", plain(c.TurnDigest), cmp.Or(plain(c.PictureDigest), "none was shown to you"))
	}
}

func printUnknown(w io.Writer, u imprimatur.Unknown) {
	fmt.Fprintf(w, "\nNobody knows whether %s wrote (call %s).\n", plain(u.Tool), plain(u.Call))
	if u.Late != nil {
		said := "that it had written"
		if !u.Late.OK {
			said = "a failure"
		}
		fmt.Fprintf(w, "    once the run was given up, the tool reported %s\n", said)
	}
	for _, n := range u.Notes {
		fmt.Fprintf(w, "    %s noted at %s: %s\n", plain(n.By.Name), n.At.UTC().Format(time.DateTime+"Z"), plain(string(n.Found)))
	}
}

func printCall(w io.Writer, c imprimatur.CardCall) {
	fmt.Fprintf(w, "\n[%d] %s (%s)\n", c.Index+1, plain(c.Tool), plain(string(c.Effect)))
	if c.Refused != "" {
		fmt.Fprintf(w, "    cannot run: %s\n", plain(c.Refused))
	}
	if c.Stale != "" {
		fmt.Fprintf(w, "    came back: %s\n", plain(string(c.Stale)))
	}
	if c.Restless {
		fmt.Fprintln(w, "    does not hold still: it came back three times in a row")
	}
	if p := c.Preview; p != nil {
		switch {
		case p.Withheld:
			fmt.Fprintln(w, "    withheld from you")
		case p.OutOfDate:
			fmt.Fprintln(w, "    out of date")
		case p.Failed:
			fmt.Fprintln(w, "    the preview failed")
		}
		printLines(w, "    ", p.Lines)
	}
	if len(c.Was) > 0 {
		fmt.Fprintln(w, "    before it came back:")
		printLines(w, "      ", c.Was)
	}
	fmt.Fprintf(w, "    arguments %s\n", plain(string(c.Arguments)))
}

func printLines(w io.Writer, indent string, lines []imprimatur.Line) {
	for _, l := range lines {
		text := paragraphs(spoken(l.Text))
		if l.Role == imprimatur.RoleWarning {
			text = "! " + text
		}
		fmt.Fprintln(w, indent+strings.ReplaceAll(text, "\n", "\n"+indent))
	}
}

// printRun shows a run.
func printRun(w io.Writer, r imprimatur.Run) {
	fmt.Fprintf(w, "Run %s · %s", plain(r.ID), plain(string(r.Status)))
	if r.Reason != "" && string(r.Reason) != string(r.Status) {
		fmt.Fprintf(w, " (%s)", plain(string(r.Reason)))
	}
	fmt.Fprintf(w, "\nAgent %s for %s · %s · %s\n", plain(r.Agent), plain(r.Owner.Name), counted(int64(r.Rounds), "round"), counted(r.Tokens.Total, "token"))
	if r.Status == imprimatur.StatusWaiting && len(r.Tools) > 0 {
		names := make([]string, len(r.Tools))
		for i, t := range r.Tools {
			names[i] = plain(t)
		}
		fmt.Fprintf(w, "Asks for %s\n", strings.Join(names, ", "))
	}
	for _, u := range r.Unknown {
		printUnknown(w, u)
	}
	if r.Text != "" {
		fmt.Fprintf(w, "\n%s\n", paragraphs(r.Text))
	}
}
