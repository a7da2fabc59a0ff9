package store

import (
	"embed"
	"fmt"
	"strings"
)

//go:embed *.sql
var statements embed.FS

// catalog holds the statements of one .sql file by name. Both databases run
// the same text.
type catalog map[string]string

// load parses an embedded file of statements. A section begins with a line
// "-- name: X" and reaches to the next one. A file that is absent or malformed
// panics: it is part of the program, and every test of the package meets it.
func load(file string) catalog {
	text, err := statements.ReadFile(file)
	if err != nil {
		panic(fmt.Sprintf("store: read statements: %v", err))
	}
	c, err := parse(string(text))
	if err != nil {
		panic(fmt.Sprintf("store: statements of %s: %v", file, err))
	}
	return c
}

// get returns the statement called name. An unknown name panics, because a
// caller names statements by constant and a test walks every name.
func (c catalog) get(name string) string {
	q, ok := c[name]
	if !ok {
		panic("store: no statement named " + name)
	}
	return q
}

const section = "-- name:"

// parse splits a file into its named statements. Comments above a section say
// something about it and are no part of any statement.
func parse(text string) (catalog, error) {
	c := catalog{}
	name, body := "", []string(nil)
	flush := func() error {
		if name == "" {
			return nil
		}
		for len(body) > 0 && isRemark(body[len(body)-1]) {
			body = body[:len(body)-1]
		}
		q := strings.TrimSpace(strings.Join(body, "\n"))
		if q = strings.TrimSuffix(q, ";"); q == "" {
			return fmt.Errorf("statement %s is empty", name)
		}
		if _, twice := c[name]; twice {
			return fmt.Errorf("statement %s is there twice", name)
		}
		c[name] = q
		return nil
	}
	for line := range strings.Lines(text) {
		rest, ok := strings.CutPrefix(strings.TrimSpace(line), section)
		if !ok {
			body = append(body, strings.TrimRight(line, "\n"))
			continue
		}
		if err := flush(); err != nil {
			return nil, err
		}
		if name, body = strings.TrimSpace(rest), nil; name == "" {
			return nil, fmt.Errorf("a section has no name")
		}
	}
	return c, flush()
}

// isRemark reports whether a line is blank or a comment.
func isRemark(line string) bool {
	line = strings.TrimSpace(line)
	return line == "" || strings.HasPrefix(line, "--")
}
