package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A checker removes guards from the module at root.
type checker struct {
	root, scratch string
	out           io.Writer
	green         map[string]error // what the tests say with all guards in place
}

// check takes each guard out, prints a line for it, and returns how many
// removals no test noticed or could not be judged.
func (c *checker) check(ctx context.Context, guards []Guard) (missed int) {
	c.green = map[string]error{}
	for _, g := range guards {
		noticed, err := c.remove(ctx, g)
		if err != nil {
			missed++
			fmt.Fprintf(c.out, "MISSED  %s: %v\n", g.Name, err)
			continue
		}
		fmt.Fprintf(c.out, "red     %s: %s\n", g.Name, few(noticed))
	}
	return missed
}

// few names the first tests and counts the others.
func few(names []string) string {
	const most = 3
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// remove returns the tests that fail without the guard, at least one.
func (c *checker) remove(ctx context.Context, g Guard) (noticed []string, err error) {
	if err := c.greenWithout(ctx, g); err != nil {
		return nil, err
	}
	overlay, err := c.overlay(g)
	if err != nil {
		return nil, err
	}
	// What does not compile proves nothing.
	if out, err := c.test(ctx, g, "-overlay", overlay, "-run", "^$"); err != nil {
		return nil, fmt.Errorf("the source without it does not build: %w\n%s", err, tail(out))
	}
	out, err := c.test(ctx, g, "-overlay", overlay, "-run", g.Run)
	if err == nil {
		return nil, errors.New("no test notices")
	}
	if noticed = failed(out); len(noticed) == 0 {
		return nil, fmt.Errorf("the tests broke off: %w\n%s", err, tail(out))
	}
	return noticed, nil
}

// greenWithout runs the tests of g with every guard in place: only then does
// a red one mean anything.
func (c *checker) greenWithout(ctx context.Context, g Guard) error {
	key := g.Run + "\x00" + strings.Join(g.Packages, "\x00")
	err, done := c.green[key]
	if !done {
		var out []byte
		if out, err = c.test(ctx, g, "-run", g.Run, "-v"); err != nil {
			err = fmt.Errorf("its tests are red with the guard in place: %w\n%s", err, tail(failures(out)))
		} else if !bytes.Contains(out, []byte("--- PASS:")) {
			err = errors.New("its tests do not exist, or skip")
		}
		c.green[key] = err
	}
	return err
}

// failures leaves out what a verbose run says about tests that pass.
func failures(out []byte) []byte {
	var kept []byte
	for line := range bytes.Lines(out) {
		if trimmed := bytes.TrimSpace(line); !bytes.HasPrefix(trimmed, []byte("=== ")) && !bytes.HasPrefix(trimmed, []byte("--- PASS:")) {
			kept = append(kept, line...)
		}
	}
	return kept
}

// tail returns the end of a long output.
func tail(out []byte) []byte {
	const most = 2000
	return out[max(0, len(out)-most):]
}

// overlay writes the files of g without the guard, and the overlay that puts
// them in place of the originals.
func (c *checker) overlay(g Guard) (path string, err error) {
	sources := map[string]string{}
	for _, e := range g.Edits {
		original, err := filepath.Abs(filepath.Join(c.root, e.File))
		if err != nil {
			return "", fmt.Errorf("find %s: %w", e.File, err)
		}
		source, edited := sources[original]
		if !edited {
			content, err := os.ReadFile(original)
			if err != nil {
				return "", fmt.Errorf("read %s: %w", e.File, err)
			}
			source = string(content)
		}
		if n := strings.Count(source, e.Old); n != 1 {
			return "", fmt.Errorf("its text stands %d times in %s", n, e.File)
		}
		sources[original] = strings.Replace(source, e.Old, e.New, 1)
	}
	replace := map[string]string{}
	for original, source := range sources {
		without := filepath.Join(c.scratch, fmt.Sprintf("%d%s", len(replace), filepath.Ext(original)))
		if err := os.WriteFile(without, []byte(source), 0o600); err != nil {
			return "", fmt.Errorf("write %s without it: %w", original, err)
		}
		replace[original] = without
	}
	mapping, err := json.Marshal(map[string]map[string]string{"Replace": replace})
	if err != nil {
		return "", fmt.Errorf("write the overlay: %w", err)
	}
	path = filepath.Join(c.scratch, "overlay.json")
	if err := os.WriteFile(path, mapping, 0o600); err != nil {
		return "", fmt.Errorf("write the overlay: %w", err)
	}
	return path, nil
}

func (c *checker) test(ctx context.Context, g Guard, flags ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	args := append([]string{"test", "-count=1", "-timeout", patience.String()}, flags...)
	cmd := exec.CommandContext(ctx, "go", append(args, g.Packages...)...)
	cmd.Dir = c.root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("go test: %w", err)
	}
	return out, err
}

var failedTest = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)`)

// failed returns the tests that failed, sorted; where a part of one failed,
// the part.
func failed(out []byte) []string {
	var names []string
	for _, m := range failedTest.FindAllSubmatch(out, -1) {
		names = append(names, string(m[1]))
	}
	slices.Sort(names)
	names = slices.Compact(names)
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return slices.ContainsFunc(names, func(other string) bool { return strings.HasPrefix(other, name+"/") })
	})
}
