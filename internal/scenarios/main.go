// Command scenarios writes docs/scenarios.md: for every scenario number the
// tests that prove it, the later work that brings it, or why it is not here.
//
//	go run ./internal/scenarios [directory of the module]
//
// A test claims numbers in a line of the comment directly above its function,
//
//	// Proves runtime 97, 98; tools 12; field 55.
//
// and a scenario file of the engine in a line of its head,
//
//	proves: runtime 142, 143; tools 24
//
// It names every claim and every number that is not as it should be, and then
// exits with 1; the test of this package fails for the same reasons.
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// page is where the page stands in the module.
const page = "docs/scenarios.md"

func main() {
	root := "."
	if len(os.Args) > 1 {
		root = os.Args[1]
	}
	if err := run(root); err != nil {
		fmt.Fprintln(os.Stderr, "scenarios:", err)
		os.Exit(1)
	}
}

func run(root string) error {
	text, problems, err := build(root)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(root, page), []byte(text), 0o644); err != nil {
		return fmt.Errorf("write the page: %w", err)
	}
	for _, p := range problems {
		fmt.Fprintln(os.Stderr, p)
	}
	if len(problems) > 0 {
		return fmt.Errorf("%d problems", len(problems))
	}
	return nil
}

// build returns the page for the tree at root and what is wrong with it.
func build(root string) (text string, problems []string, err error) {
	l, err := readList()
	if err != nil {
		return "", nil, err
	}
	claims, problems, err := collect(root)
	if err != nil {
		return "", nil, err
	}
	return write(l, claims), append(problems, judge(l, claims)...), nil
}
