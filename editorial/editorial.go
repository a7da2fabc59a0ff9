// Package editorial holds the tools with which an agent reads and edits the
// content repository.
//
// A tool is one file: its arguments, and a function that resolves and
// authorises a call once, as a plan. The plan serves the preview, the question
// who else may read it, and the write (plan.go). What the tools have in common
// stands in plan.go, subject.go, line.go and result.go.
package editorial

import (
	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
)

// Groups of these tools.
const (
	groupStructure = "structure"
	groupContent   = "content"
	groupEditing   = "editing"
)

// desk is what all tools work on.
type desk struct{ repo *content.Repository }

// Tools makes every editorial tool over a repository, by name.
func Tools(repo *content.Repository) []imprimatur.Tool {
	d := desk{repo}
	return []imprimatur.Tool{
		d.attachFileToContentElement(),
		d.getPageContent(),
		d.getPagetree(),
		d.updatePageMetadata(),
	}
}
