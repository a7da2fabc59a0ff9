package catalogue

import (
	"slices"

	"github.com/imprimatur-dev/imprimatur"
)

// Labels is the closed list: every label that the program's own tools, cards
// and refusals use, sorted. Labels of the surfaces ("ui.") stand in their own
// files and are held against what pages and programs use.
func Labels() []imprimatur.Label {
	all := slices.Concat(sharedLabels(), cardLabels(), technicalLabels(), headingLabels(),
		pageLabels(), elementLabels(), recordLabels(), fileLabels(), fetchLabels(), refusalLabels())
	slices.Sort(all)
	return all
}
