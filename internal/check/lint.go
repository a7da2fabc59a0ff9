package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// The linter is built once and kept in the user's cache; it is no dependency
// of the module.
const (
	linterVersion = "v2.15.0"
	linterPackage = "github.com/golangci/golangci-lint/v2/cmd/golangci-lint"
)

// linter runs a command of golangci-lint: "run", which also names the files
// whose form it would change, or "fmt", which changes them.
func linter(ctx context.Context, command string, args []string) error {
	path, err := linterPath()
	if err != nil {
		return err
	}
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		fmt.Fprintln(os.Stderr, "check: building golangci-lint", linterVersion, "(once, about 90 seconds)")
		install := exec.CommandContext(ctx, "go", "install", linterPackage+"@"+linterVersion)
		install.Env = append(os.Environ(), "GOBIN="+filepath.Dir(path))
		install.Stdout, install.Stderr = os.Stderr, os.Stderr
		if err := install.Run(); err != nil && strict() {
			// The linter is no part of the tree: where it cannot be had, the
			// rest of the checks still count.
			fmt.Fprintln(os.Stderr, "check: NOT LINTED: golangci-lint could not be built here:", err)
			return nil
		} else if err != nil {
			return fmt.Errorf("build golangci-lint: %w", err)
		}
	}
	cmd := exec.CommandContext(ctx, path, append([]string{command}, args...)...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("golangci-lint %s: %w", command, err)
	}
	return nil
}

// linterPath is where this version of the linter is kept.
func linterPath() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("find the cache: %w", err)
	}
	return filepath.Join(cache, "imprimatur", linterVersion, "golangci-lint"), nil
}
