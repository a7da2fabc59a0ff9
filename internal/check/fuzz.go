package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"
)

// A target is one fuzz function.
type target struct{ pkg, name string }

// fuzz runs every target of the module for a while, each in turn: go test
// fuzzes one at a time.
func fuzz(ctx context.Context, args []string) error {
	length := 10 * time.Second
	if len(args) > 0 {
		var err error
		if length, err = time.ParseDuration(args[0]); err != nil {
			return fmt.Errorf("how long: %w", err)
		}
	}
	listed, err := output(ctx, "go", "test", "-list", "^Fuzz", "./...")
	if err != nil {
		return err
	}
	targets := parseTargets(listed)
	if len(targets) == 0 {
		return errors.New("there is no fuzz target")
	}
	for _, t := range targets {
		fmt.Printf("fuzz %s %s\n", t.pkg, t.name)
		cmd := exec.CommandContext(ctx, "go", "test", "-run", "^$", "-fuzz", "^"+t.name+"$", "-fuzztime", length.String(),
			"-fuzzminimizetime", "1s", t.pkg) // the default would spend the whole time on one input
		var said bytes.Buffer
		cmd.Stdout, cmd.Stderr = io.MultiWriter(os.Stdout, &said), os.Stderr
		if err := cmd.Run(); err != nil && !onlyOutOfTime(said.String()) {
			return fmt.Errorf("fuzz %s: %w", t.name, err)
		}
	}
	return nil
}

// onlyOutOfTime reports whether a target failed by nothing but the end of its
// time: go test calls it a failure when that comes while it makes an input
// smaller. An input that fails is always written down and named.
func onlyOutOfTime(said string) bool {
	return strings.Contains(said, "\n    context deadline exceeded\n") && !strings.Contains(said, "Failing input")
}

var (
	listedPackage = regexp.MustCompile(`^ok\s+(\S+)`)
	listedTarget  = regexp.MustCompile(`^Fuzz\w+$`)
)

// parseTargets reads the output of go test -list: the names of a package's
// targets, then the line of the package.
func parseTargets(lines []string) []target {
	var targets []target
	var names []string
	for _, line := range lines {
		if m := listedPackage.FindStringSubmatch(line); m != nil {
			for _, name := range names {
				targets = append(targets, target{m[1], name})
			}
			names = nil
		} else if listedTarget.MatchString(line) {
			names = append(names, line)
		}
	}
	return targets
}

// output runs a command and returns the lines it prints.
func output(ctx context.Context, name string, args ...string) ([]string, error) {
	var stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", name, err, stderr.String())
	}
	return strings.FieldsFunc(string(out), func(r rune) bool { return r == '\n' }), nil
}
