package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Claims are the places that prove each number, sorted.
type claims map[number][]string

// collect reads every test file and every scenario file below root.
func collect(root string) (claims, []string, error) {
	found := claims{}
	var problems []string
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if name := entry.Name(); path != root && (strings.HasPrefix(name, ".") || name == "node_modules") {
				return fs.SkipDir
			}
			return nil
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return fmt.Errorf("name %s: %w", path, err)
		}
		name = filepath.ToSlash(name)
		switch {
		case strings.HasSuffix(name, "_test.go") && !strings.Contains(name, "testdata/"):
			return found.readTests(path, name, &problems)
		case strings.HasPrefix(name, "engine/testdata/") && strings.HasSuffix(name, ".txtar"):
			return found.readScenarioFile(path, name, &problems)
		}
		return nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("collect claims: %w", err)
	}
	for n := range found {
		slices.Sort(found[n])
		found[n] = slices.Compact(found[n])
	}
	return found, problems, nil
}

// proves finds a line that looks like a claim, so that a misspelt one is
// reported instead of passed over.
var proves = regexp.MustCompile(`^Proves:? `)

func (c claims) readTests(path, name string, problems *[]string) error {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	tests := map[*ast.CommentGroup]string{}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Doc != nil && f.Recv == nil && isTest(f.Name.Name) {
			tests[f.Doc] = f.Name.Name
		}
	}
	for _, comments := range file.Comments {
		for _, comment := range comments.List {
			line := strings.TrimSpace(strings.TrimPrefix(comment.Text, "//"))
			if !proves.MatchString(line) {
				continue
			}
			where := fmt.Sprintf("%s:%d", name, files.Position(comment.Pos()).Line)
			test, ok := tests[comments]
			if !ok {
				*problems = append(*problems, where+": this claim stands above no test")
				continue
			}
			text, ok := strings.CutPrefix(line, "Proves ")
			text, dot := strings.CutSuffix(text, ".")
			if !ok || !dot {
				*problems = append(*problems, where+": a claim has the form \"Proves runtime 1, 2; tools 3.\"")
				continue
			}
			c.add(text, fmt.Sprintf("`%s` in %s", test, name), where, problems)
		}
	}
	return nil
}

func isTest(name string) bool {
	return strings.HasPrefix(name, "Test") || strings.HasPrefix(name, "Fuzz") || strings.HasPrefix(name, "Benchmark") || strings.HasPrefix(name, "Example")
}

// readScenarioFile reads the head of a scenario file: what stands before the
// first of its files.
func (c claims) readScenarioFile(path, name string, problems *[]string) error {
	content, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	claimed := false
	lines := bufio.NewScanner(bytes.NewReader(content))
	for i := 1; lines.Scan(); i++ {
		line := strings.TrimSpace(lines.Text())
		if strings.HasPrefix(line, "-- ") {
			break
		}
		if text, ok := strings.CutPrefix(line, "proves:"); ok {
			claimed = true
			c.add(strings.TrimSuffix(strings.TrimSpace(text), "."), name, fmt.Sprintf("%s:%d", name, i), problems)
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	if !claimed {
		*problems = append(*problems, name+": the head has no line \"proves:\"")
	}
	return nil
}

// add records the claims of one line.
func (c claims) add(text, place, where string, problems *[]string) {
	numbers, err := parseClaim(text)
	if err != nil {
		*problems = append(*problems, fmt.Sprintf("%s: %v", where, err))
	}
	for _, n := range numbers {
		c[n] = append(c[n], place)
	}
}

// parseClaim reads "runtime 97, 98; tools 12; field 55".
func parseClaim(text string) ([]number, error) {
	var numbers []number
	for part := range strings.SplitSeq(text, ";") {
		set, rest, ok := strings.Cut(strings.TrimSpace(part), " ")
		if !ok || !slices.Contains([]string{"runtime", "tools", "field"}, set) {
			return numbers, fmt.Errorf("%q names no set: runtime, tools or field", strings.TrimSpace(part))
		}
		for digits := range strings.SplitSeq(rest, ",") {
			n, err := strconv.Atoi(strings.TrimSpace(digits))
			if errors.Is(err, strconv.ErrSyntax) || n <= 0 {
				return numbers, fmt.Errorf("%q is no number of a scenario", strings.TrimSpace(digits))
			}
			numbers = append(numbers, number{set, n})
		}
	}
	return numbers, nil
}
