package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// judge returns what is wrong: a number that is due and has no test, one that
// is not here and yet claimed, one that nobody knows. A number of later work
// may be claimed: then a part of it is here.
func judge(l list, c claims) []string {
	var problems []string
	known := map[number]bool{}
	for _, g := range l.Groups {
		for _, s := range g.Scenarios {
			n := number{g.Set, s.N}
			known[n] = true
			switch places := c[n]; {
			case s.due() && len(places) == 0:
				problems = append(problems, fmt.Sprintf("%s is due and no test proves it: %s", n, s.Says))
			case s.Not != "" && len(places) > 0:
				problems = append(problems, fmt.Sprintf("%s is not here (%s), and claimed by %s", n, s.Not, strings.Join(places, ", ")))
			}
		}
	}
	for n, places := range c {
		if !known[n] {
			problems = append(problems, fmt.Sprintf("%s is no scenario, and claimed by %s", n, strings.Join(places, ", ")))
		}
	}
	slices.Sort(problems)
	return problems
}

const intro = `# Scenarios

Every scenario of the specification by its number, and the tests that prove it. Written by ` + "`go run ./internal/scenarios`" + `; do not edit. A number marked * is one that a ruling overturned: its test asserts the ruling.

`

// write returns the page.
func write(l list, c claims) string {
	var b strings.Builder
	b.WriteString(intro)
	summary(&b, l, c)
	for _, g := range l.Groups {
		title := g.Title
		if g.Letter != "" {
			title = fmt.Sprintf("%s %s: %s", g.Set, g.Letter, g.Title)
		}
		fmt.Fprintf(&b, "\n## %s\n\n| | scenario | where |\n| --- | --- | --- |\n", title)
		for _, s := range g.Scenarios {
			mark := ""
			if s.Ruling {
				mark = "*"
			}
			fmt.Fprintf(&b, "| %d%s | %s | %s |\n", s.N, mark, s.Says, where(l, s, c[number{g.Set, s.N}]))
		}
	}
	return b.String()
}

func where(l list, s scenario, places []string) string {
	parts := slices.Clone(places)
	rest := cmp.Or(s.Later, s.Rest)
	switch {
	case s.Not != "":
		parts = append(parts, "not here: "+s.Not)
	case s.due() && len(places) == 0:
		parts = append(parts, "**no test**")
	case rest != "" && len(places) == 0:
		return "later: " + l.Later[rest]
	}
	if rest != "" {
		parts = append(parts, "the rest later: "+l.Later[rest])
	}
	return strings.Join(parts, "<br>")
}

// summary writes how many numbers of each set stand where.
func summary(b *strings.Builder, l list, c claims) {
	b.WriteString("| set | proven | proven in part, the rest later | without a test | later | not here |\n| --- | --- | --- | --- | --- | --- |\n")
	for _, set := range []string{"runtime", "tools", "field"} {
		var proven, part, open, later, not int
		for _, g := range l.Groups {
			if g.Set != set {
				continue
			}
			for _, s := range g.Scenarios {
				claimed := len(c[number{set, s.N}]) > 0
				switch {
				case s.Not != "":
					not++
				case s.due() && !claimed:
					open++
				case !claimed:
					later++
				case s.Later != "" || s.Rest != "":
					part++
				default:
					proven++
				}
			}
		}
		fmt.Fprintf(b, "| %s | %d | %d | %d | %d | %d |\n", set, proven, part, open, later, not)
	}
}
