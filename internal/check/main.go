// Command check is how this project tests itself, on a developer's machine and
// in CI alike:
//
//	go run ./internal/check            install or name what tests need, then go test ./...
//	go run ./internal/check -run Card  the same with flags for go test
//	go run ./internal/check lint       golangci-lint, in the version written in this package
//	go run ./internal/check fmt        the same, to put files into form
//	go run ./internal/check fuzz 5s    each fuzz target for that long
//
// With CI=true a test that skips is a failure, and the race detector is on
// where there is a C compiler for it.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "check:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	verb := "test"
	if len(args) > 0 && !strings.ContainsAny(args[0], "-./") {
		verb, args = args[0], args[1:]
	}
	switch verb {
	case "test":
		return test(ctx, args)
	case "lint":
		return linter(ctx, "run", args)
	case "fmt":
		return linter(ctx, "fmt", args)
	case "fuzz":
		return fuzz(ctx, args)
	default:
		return fmt.Errorf("unknown verb %q: test, lint, fmt or fuzz", verb)
	}
}

// strict reports whether nothing may be left out.
func strict() bool { return os.Getenv("CI") == "true" }
