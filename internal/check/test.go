package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// test runs go test over the whole module and hands its lines on. Everything
// that is not go test's goes to standard error.
func test(ctx context.Context, args []string) error {
	if err := provide(ctx); err != nil {
		return err
	}
	args = append([]string{"test", "-json", "-timeout", "25m"}, args...)
	env := os.Environ()
	if race := slices.Contains(args, "-race"); !race && strict() && hasCompiler() {
		args = append(args, "-race")
	} else if !race {
		env = append(env, "CGO_ENABLED=0") // as the product is built
	}
	if !slices.ContainsFunc(args, isPackage) {
		args = append(args, "./...")
	}
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Env, cmd.Stderr = env, os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return fmt.Errorf("read from go test: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start go test: %w", err)
	}
	report := newReport(os.Stdout)
	readErr := report.read(out)
	if err := errors.Join(readErr, cmd.Wait()); err != nil {
		fmt.Println("FAIL")
		return fmt.Errorf("go test: %w", err)
	}
	if refused := report.refused(); strict() && len(refused) > 0 {
		return fmt.Errorf("with CI=true nothing may be skipped:\n%s", strings.Join(refused, "\n"))
	}
	return nil
}

func isPackage(arg string) bool { return strings.HasPrefix(arg, "./") || arg == "." }

// hasCompiler reports whether the race detector can be linked.
func hasCompiler() bool {
	_, err := exec.LookPath("gcc")
	return err == nil
}
