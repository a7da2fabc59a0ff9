package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
)

// app is one invocation: where it reads and writes.
type app struct {
	in  *os.File
	out io.Writer // data
	err io.Writer // talk
	env environment
	ctx context.Context // of this invocation: it ends with SIGTERM
}

// commands is the command line.
type commands struct {
	Demo    demoCmd    `cmd:"" help:"Show everything on a museum that was made up, without account, model or network."`
	Serve   serveCmd   `cmd:"" help:"Serve the desk: pages and HTTP API."`
	Work    workCmd    `cmd:"" help:"Work on queued runs, without pages."`
	Run     runCmd     `cmd:"" help:"Start a run and follow it until it ends or asks."`
	Runs    runsCmd    `cmd:"" help:"List, show and cancel runs."`
	Card    cardCmd    `cmd:"" help:"Show what a run asks for."`
	Approve approveCmd `cmd:"" help:"Approve what a card shows. Needs a terminal."`
	Deny    denyCmd    `cmd:"" help:"Deny what a card shows."`
	Note    noteCmd    `cmd:"" help:"Note what came of a write whose outcome is unknown."`
	User    userCmd    `cmd:"" help:"Add, list, disable people; sign-in links."`
	Group   groupCmd   `cmd:"" help:"Groups and the rights of pages."`
	Token   tokenCmd   `cmd:"" help:"Tokens of people, agents and service accounts."`
	Key     keyCmd     `cmd:"" help:"Keys that seal what is stored."`
	Content contentCmd `cmd:"" help:"The content repository."`
	Audit   auditCmd   `cmd:"" help:"What auditors need."`
	Reap    reapCmd    `cmd:"" help:"Put right now what lost processes left behind."`
	Purge   purgeCmd   `cmd:"" help:"Delete runs that were kept long enough."`
	Migrate migrateCmd `cmd:"" help:"Bring an older database to this version."`
	Doctor  doctorCmd  `cmd:"" help:"Name every mistake in configuration and database."`
	Openapi openapiCmd `cmd:"" help:"Print the OpenAPI 3.1 document of the HTTP API."`

	Version kong.VersionFlag `help:"Print the version."`
}

// Exit codes (contract §1).
const (
	exitOK      = 0
	exitError   = 1
	exitUsage   = 2
	exitDenied  = 3
	exitStale   = 5
	exitNotMay  = 6
	exitWaiting = 7
)

// usageError is a command line that cannot be carried out as it stands.
type usageError struct{ text string }

// Error implements error.
func (e usageError) Error() string { return e.text }

// ended is a command that did what it was asked and whose outcome is not 0.
type ended struct {
	code int
	text string // for stderr; may be empty
}

// Error implements error.
func (e ended) Error() string { return e.text }

// run carries out one command line and returns its exit code.
func (a *app) run(ctx context.Context, args []string) int {
	a.ctx = ctx
	var c commands
	parser, err := kong.New(&c, kong.Name("imprimatur"), kong.Description("Approvals for AI agents that hold."),
		kong.Writers(a.out, a.err), kong.Help(help), kong.Vars{"version": version()}, kong.UsageOnError())
	if err != nil {
		panic(err) // the commands above are described wrongly: TestHelp shows it
	}
	parsed, err := parser.Parse(args)
	if err != nil {
		fmt.Fprintf(a.err, "imprimatur: %s\nTry imprimatur --help.\n", plain(err.Error()))
		return exitUsage
	}
	return a.report(parsed.Run(a))
}

// report prints an error and returns the exit code it stands for.
func (a *app) report(err error) int {
	var usage usageError
	var end ended
	var no *imprimatur.Refusal
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &end):
		if end.text != "" {
			fmt.Fprintln(a.err, plain(end.text))
		}
		return end.code
	case errors.As(err, &no):
		a.reportRefusal(no)
		return exitOf(no)
	case errors.As(err, &usage):
		fmt.Fprintf(a.err, "imprimatur: %s\n", plain(usage.text))
		return exitUsage
	}
	for line := range strings.Lines(err.Error()) {
		fmt.Fprintf(a.err, "imprimatur: %s\n", plain(strings.TrimRight(line, "\n")))
	}
	return exitError
}

func (a *app) reportRefusal(no *imprimatur.Refusal) {
	text := no.Detail
	if text == "" {
		text = inWords(no.Code)
	}
	fmt.Fprintf(a.err, "imprimatur: %s (%s)\n", plain(text), no.Code)
	if d := no.Decided; d != nil {
		fmt.Fprintf(a.err, "Decided by %s at %s: %s\n", plain(d.By.Name), d.At.UTC().Format("2006-01-02 15:04:05Z"), plain(string(d.Verdict)))
	}
	if no.Card != nil {
		fmt.Fprintln(a.err, "The run still waits. Its card now:")
		printCard(a.err, *no.Card)
	}
}

// inWords says what a refusal means and what can be done about it.
func inWords(code imprimatur.Code) string {
	words, err := catalogue.New()
	if err != nil {
		panic(err) // the built-in texts are whole: the tests of their package prove it
	}
	p := words.Printer(catalogue.English)
	if !p.Has(catalogue.RefusalWhat(code)) { // of a newer server
		return string(code)
	}
	return p.Say(catalogue.RefusalWhat(code), nil) + " " + p.Say(catalogue.RefusalNext(code), nil)
}

// exitOf is the exit code of a refusal.
func exitOf(no *imprimatur.Refusal) int {
	switch no.Code {
	case imprimatur.CodeStaleTurn, imprimatur.CodeStalePicture, imprimatur.CodeAlreadyResuming, imprimatur.CodeNotWaiting,
		imprimatur.CodeLeaseLost, imprimatur.CodeFinished:
		if no.Decided != nil && no.Decided.Verdict == imprimatur.Deny {
			return exitDenied
		}
		return exitStale
	case imprimatur.CodeAccessDenied, imprimatur.CodeOwnCredential, imprimatur.CodeSelfApproval,
		imprimatur.CodeApproverNotPermitted, imprimatur.CodePreviewWithheld, imprimatur.CodeUnauthenticated:
		return exitNotMay
	case imprimatur.CodeBadRequest, imprimatur.CodeBadVerdict, imprimatur.CodeUnknownAgent, imprimatur.CodeUnknownTool,
		imprimatur.CodeNotFound, imprimatur.CodeAgentGone, imprimatur.CodeNotUnknown, imprimatur.CodeKeyReused, imprimatur.CodeTooLarge,
		imprimatur.CodeUnsupportedMedia, imprimatur.CodeCorruptState, imprimatur.CodeNotAuditable, imprimatur.CodeStateUnavailable:
		return exitError
	}
	return exitError
}

// json prints v as one indented JSON value.
func (a *app) json(v any) error {
	e := json.NewEncoder(a.out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return nil
}

// jsonLine prints v as one line of JSON.
func (a *app) jsonLine(v any) error {
	e := json.NewEncoder(a.out)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return nil
}

// say talks to whoever watches.
func (a *app) say(format string, args ...any) { fmt.Fprintf(a.err, format+"\n", args...) }

// version is what the program was built from.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "dev"
}

// exampled is a command that shows how it is used.
type exampled interface{ Example() string }

// help prints an example before everything else, and no line is wider than a
// terminal of 80 columns.
func help(options kong.HelpOptions, ctx *kong.Context) error {
	example := "imprimatur demo\nimprimatur serve --config imprimatur.yaml"
	if node := ctx.Selected(); node != nil {
		example = strings.Join(examples(node), "\n")
	}
	fmt.Fprintf(ctx.Stdout, "Example:\n  %s\n\n", strings.ReplaceAll(example, "\n", "\n  "))
	options.WrapUpperBound = 80
	return kong.DefaultHelpPrinter(options, ctx)
}

// examples are those of a command, or of the commands that it groups.
func examples(node *kong.Node) []string {
	if e, ok := node.Target.Addr().Interface().(exampled); ok {
		return []string{e.Example()}
	}
	var all []string
	for _, child := range node.Children {
		all = append(all, examples(child)...)
	}
	return all
}
