// Command guards takes guards out of the source, one at a time, and demands
// that a test turns red for each. A guard nobody would miss is either not
// tested or not needed.
//
//	go run ./internal/guards            all guards of guards.toml
//	go run ./internal/guards digest     those whose names contain the word
//	go run ./internal/guards -short     without those marked long
//
// The tree itself is never touched: a removal is an overlay (go help build).
// The last line is "N of N guards"; anything less exits with 1.
package main

import (
	"context"
	_ "embed"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/BurntSushi/toml"
)

//go:embed guards.toml
var guardsText string

// A Guard is a piece of source whose absence a test must notice. Where the
// same is asked in two places, both edits together are the guard.
type Guard struct {
	Name     string   // what it guards, in a few words
	Edits    []Edit   // that take it out
	Packages []string // of the tests
	Run      string   // which tests, as for go test -run
	Long     bool     // left to the long tier
}

// An Edit is one change of the source.
type Edit struct {
	File string // relative to the module
	Old  string // as it stands there, exactly once
	New  string // what stands there without the guard
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	short := flag.Bool("short", false, "leave out guards marked long")
	flag.Parse()
	if err := run(ctx, os.Stdout, flag.Arg(0), *short); err != nil {
		fmt.Fprintln(os.Stderr, "guards:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer, word string, short bool) error {
	all, err := read(guardsText)
	if err != nil {
		return err
	}
	var guards []Guard
	for _, g := range all {
		if strings.Contains(g.Name, word) && !(short && g.Long) {
			guards = append(guards, g)
		}
	}
	scratch, err := os.MkdirTemp("", "guards")
	if err != nil {
		return fmt.Errorf("make a scratch directory: %w", err)
	}
	defer func() { _ = os.RemoveAll(scratch) }() // it is of no use to anybody
	c := checker{root: ".", scratch: scratch, out: out}
	missed := c.check(ctx, guards)
	fmt.Fprintf(out, "%d of %d guards\n", len(guards)-missed, len(guards))
	if missed > 0 || len(guards) == 0 {
		return fmt.Errorf("%d removals were noticed by nobody, of %d", missed, len(guards))
	}
	return nil
}

// read decodes a list of guards and refuses one that is not whole.
func read(text string) ([]Guard, error) {
	var list struct {
		Guards []Guard `toml:"guard"`
	}
	meta, err := toml.Decode(text, &list)
	if err != nil {
		return nil, fmt.Errorf("read the guards: %w", err)
	}
	if left := meta.Undecoded(); len(left) > 0 {
		return nil, fmt.Errorf("read the guards: unknown key %s", left[0])
	}
	names := map[string]bool{}
	for i, g := range list.Guards {
		whole := g.Name != "" && !names[g.Name] && len(g.Edits) > 0 && len(g.Packages) > 0 && g.Run != ""
		for _, e := range g.Edits {
			whole = whole && e.File != "" && e.Old != "" && e.Old != e.New
		}
		if !whole {
			return nil, fmt.Errorf("guard %d (%s) lacks something, or its name stands twice", i+1, g.Name)
		}
		names[g.Name] = true
	}
	return list.Guards, nil
}

// patience bounds one run of go test.
const patience = 5 * time.Minute
