package content

import (
	"fmt"
	"strings"
)

// Bits are what somebody may do with a page.
type Bits uint8

// The bits of a page.
const (
	BitShow    Bits = 1  // see it
	BitEdit    Bits = 2  // change its properties
	BitDelete  Bits = 4  // delete or move it
	BitNew     Bits = 8  // create pages below it
	BitContent Bits = 16 // change what lies on it
	AllBits    Bits = 31
)

var bitNames = []struct {
	name string
	bit  Bits
}{{"show", BitShow}, {"edit", BitEdit}, {"delete", BitDelete}, {"new", BitNew}, {"content", BitContent}}

// ParseBits reads the names show, edit, delete, new and content; "*" is all of
// them.
func ParseBits(names []string) (Bits, error) {
	var b Bits
next:
	for _, name := range names {
		if name == "*" {
			b |= AllBits
			continue
		}
		for _, known := range bitNames {
			if name == known.name {
				b |= known.bit
				continue next
			}
		}
		return 0, fmt.Errorf("no page right %q: show, edit, delete, new, content or *", name)
	}
	return b, nil
}

// Has reports whether all of want are set.
func (b Bits) Has(want Bits) bool { return b&want == want }

// String lists the names of the bits, or "none".
func (b Bits) String() string {
	var names []string
	for _, known := range bitNames {
		if b.Has(known.bit) {
			names = append(names, known.name)
		}
	}
	if names == nil {
		return "none"
	}
	return strings.Join(names, ", ")
}

// PageRights say who may do what with a page. The zero value lets nobody but
// administrators near it.
type PageRights struct {
	Owner        int64  // user id; 0 is nobody
	Group        string // name; empty is none
	OwnerMay     Bits
	GroupMay     Bits
	EverybodyMay Bits
}
