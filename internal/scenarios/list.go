package main

import (
	_ "embed"
	"fmt"

	"github.com/BurntSushi/toml"
)

//go:embed list.toml
var listText string

// A list is list.toml.
type list struct {
	Later  map[string]string
	Groups []group `toml:"group"`
}

type group struct {
	Set       string // runtime, tools or field
	Letter    string
	Title     string
	Later     string
	Not       string
	Scenarios []scenario
}

type scenario struct {
	N      int
	Says   string
	Here   bool
	Later  string
	Not    string
	Ruling bool
	Rest   string
}

// A number names a scenario.
type number struct {
	set string
	n   int
}

func (n number) String() string { return fmt.Sprintf("%s %d", n.set, n.n) }

func readList() (list, error) {
	var l list
	meta, err := toml.Decode(listText, &l)
	if err != nil {
		return list{}, fmt.Errorf("read the list: %w", err)
	}
	if left := meta.Undecoded(); len(left) > 0 {
		return list{}, fmt.Errorf("read the list: unknown key %s", left[0])
	}
	return l, l.complete()
}

// complete gives each scenario what its group says, and refuses a list that
// contradicts itself.
func (l *list) complete() error {
	seen := map[number]bool{}
	for _, g := range l.Groups {
		for i := range g.Scenarios {
			s := &g.Scenarios[i]
			n := number{g.Set, s.N}
			if seen[n] {
				return fmt.Errorf("%s stands twice in the list", n)
			}
			seen[n] = true
			if s.Later == "" && s.Not == "" && !s.Here {
				s.Later, s.Not = g.Later, g.Not
			}
			for _, key := range []string{s.Later, s.Rest} {
				if key != "" && l.Later[key] == "" {
					return fmt.Errorf("%s: no later work is called %q", n, key)
				}
			}
		}
	}
	return nil
}

// due reports whether a test must prove the scenario now.
func (s scenario) due() bool { return s.Later == "" && s.Not == "" }
