package importtest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Module is the path of the module whose rooms these are.
const Module = "github.com/imprimatur-dev/imprimatur"

// A Package is what the check needs to know of one.
type Package struct {
	Path    string   // import path
	Imports []string // import paths, tests left out
}

// Violations returns a sentence for each import that the table does not allow
// and for each package of ours that stands in no room, sorted.
func Violations(table []Room, packages []Package) []string {
	var found []string
	for _, p := range packages {
		path := relative(p.Path)
		room, ok := roomOf(table, path)
		if !ok {
			found = append(found, fmt.Sprintf("%s stands in no room", path))
			continue
		}
		for _, imported := range p.Imports {
			if !allowed(room, imported) {
				found = append(found, fmt.Sprintf("%s imports %s", path, imported))
			}
		}
	}
	slices.Sort(found)
	return found
}

func allowed(room Room, imported string) bool {
	if imported == Module || strings.HasPrefix(imported, Module+"/") {
		path := relative(imported)
		return slices.ContainsFunc(room.Ours, func(pattern string) bool { return covers(pattern, path) })
	}
	if first, _, _ := strings.Cut(imported, "/"); !strings.Contains(first, ".") {
		return true // standard library
	}
	return slices.ContainsFunc(room.Others, func(other string) bool { return covers(other+"/...", imported) })
}

// roomOf returns the room whose path says most about the package.
func roomOf(table []Room, path string) (Room, bool) {
	var rooms []Room
	for _, room := range table {
		if covers(room.Path, path) {
			rooms = append(rooms, room)
		}
	}
	if len(rooms) == 0 {
		return Room{}, false
	}
	return slices.MaxFunc(rooms, func(a, b Room) int { return cmp.Compare(len(a.Path), len(b.Path)) }), true
}

// covers reports whether path is the pattern, or below it where it ends in /...
func covers(pattern, path string) bool {
	stem, below := strings.CutSuffix(pattern, "/...")
	return path == stem || below && strings.HasPrefix(path, stem+"/")
}

// relative returns the path inside the module, "." for its root.
func relative(importPath string) string {
	return cmp.Or(strings.TrimPrefix(strings.TrimPrefix(importPath, Module), "/"), ".")
}
