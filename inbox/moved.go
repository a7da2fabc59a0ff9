package inbox

import "github.com/imprimatur-dev/imprimatur"

// pairLines says which earlier line each line replaced. old has one entry per
// line: nil where the line is the same as before or is new; fresh says which
// of the two. gone are the earlier lines that nothing replaced.
func pairLines(now, was []imprimatur.Line) (old []*imprimatur.Line, fresh []bool, gone []imprimatur.Line) {
	old, fresh = make([]*imprimatur.Line, len(now)), make([]bool, len(now))
	if len(was) == 0 {
		return old, fresh, nil
	}
	used, settled := make([]bool, len(was)), make([]bool, len(now))
	take := func(i int, fits func(imprimatur.Line) bool) *imprimatur.Line {
		for j := range was {
			if !used[j] && !settled[i] && fits(was[j]) {
				used[j], settled[i] = true, true
				return &was[j]
			}
		}
		return nil
	}
	for i, line := range now {
		take(i, func(l imprimatur.Line) bool { return l == line })
	}
	for i, line := range now {
		old[i] = take(i, func(l imprimatur.Line) bool { return l.Role == line.Role && l.Label == line.Label })
		fresh[i] = !settled[i]
	}
	for j, line := range was {
		if !used[j] {
			gone = append(gone, line)
		}
	}
	return old, fresh, gone
}
