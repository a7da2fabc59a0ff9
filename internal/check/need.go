package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A need is a program that tests start and that Go does not bring along.
type need struct {
	name   string
	why    string
	names  []string // of the program, as looked up in PATH
	places []string // where it also may be, as patterns of filepath.Glob
	debian string   // the package that brings it
}

func needs() []need {
	return []need{{
		name:   "PostgreSQL",
		why:    "the decision transaction is tested on a temporary cluster",
		names:  []string{"initdb"},
		places: []string{"/usr/lib/postgresql/*/bin/initdb"},
		debian: "postgresql",
	}, {
		name:   "Chromium",
		why:    "the pages are used in a real browser",
		names:  []string{"chromium", "chromium-browser", "google-chrome"},
		places: []string{"/usr/bin/chromium"},
		debian: "chromium",
	}}
}

func (n need) present() bool {
	for _, name := range n.names {
		if _, err := exec.LookPath(name); err == nil {
			return true
		}
	}
	for _, pattern := range n.places {
		if found, err := filepath.Glob(pattern); err == nil && len(found) > 0 {
			return true
		}
	}
	return false
}

func missing(all []need) []need {
	var gone []need
	for _, n := range all {
		if !n.present() {
			gone = append(gone, n)
		}
	}
	return gone
}

// provide installs what is missing where it may (root on Debian) and names the
// rest. Missing programs are an error only where nothing may be left out:
// elsewhere the tests that need them skip and say so.
func provide(ctx context.Context) error {
	gone := missing(needs())
	if len(gone) == 0 {
		return nil
	}
	if mayInstall() {
		if err := install(ctx, gone); err != nil {
			fmt.Fprintln(os.Stderr, "check:", err)
		}
		gone = missing(needs())
	}
	for _, n := range gone {
		fmt.Fprintf(os.Stderr, "check: %s is missing (%s). On Debian: apt-get install %s\n", n.name, n.why, n.debian)
	}
	if len(gone) > 0 && strict() {
		return fmt.Errorf("%d programs that tests need are missing", len(gone))
	}
	return nil
}

func mayInstall() bool {
	if os.Geteuid() != 0 {
		return false
	}
	if _, err := os.Stat("/etc/debian_version"); err != nil {
		return false
	}
	_, err := exec.LookPath("apt-get")
	return err == nil
}

func install(ctx context.Context, gone []need) error {
	var packages []string
	for _, n := range gone {
		packages = append(packages, n.debian)
	}
	fmt.Fprintln(os.Stderr, "check: installing", strings.Join(packages, " "))
	for _, args := range [][]string{
		{"update", "-q"},
		append([]string{"install", "-y", "-q", "--no-install-recommends"}, packages...),
	} {
		cmd := exec.CommandContext(ctx, "apt-get", args...)
		cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
		cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("apt-get %s: %w", args[0], err)
		}
	}
	return nil
}
