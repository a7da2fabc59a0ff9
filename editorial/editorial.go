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
	groupFiles     = "files"
	groupSite      = "rag"
	groupEditing   = "editing"
)

// desk is what all tools work on.
type desk struct {
	repo     *content.Repository
	noDrafts imprimatur.Set
	sites    map[int64]string
}

// Options narrow the tools. The zero value narrows nothing.
type Options struct {
	// NoDrafts are tables that create_record_draft leaves alone, besides those
	// that the schema closes; "*" is every table.
	NoDrafts imprimatur.Set
	// Sites are the addresses of the websites, such as https://museum.example/,
	// by the page that is their root. Without them resolve_url takes paths
	// alone.
	Sites map[int64]string
}

// Tools makes every editorial tool over a repository: first those that read,
// then those that write.
func Tools(repo *content.Repository) []imprimatur.Tool { return ToolsWith(repo, Options{}) }

// ToolsWith is Tools, narrowed.
func ToolsWith(repo *content.Repository, o Options) []imprimatur.Tool {
	d := desk{repo: repo, noDrafts: o.NoDrafts, sites: o.Sites}
	return []imprimatur.Tool{
		// structure
		d.getPagetree(),
		d.listTables(),
		d.getTableSchema(),
		d.validateSchema(),
		d.resolveURL(),
		// content
		d.getPageContent(),
		d.readRecords(),
		d.searchRecords(),
		d.getRecordHistory(),
		// files
		d.listStorages(),
		d.browseFolder(),
		d.searchFiles(),
		d.getFileReferences(),
		d.findMissingFiles(),
		d.readFileMeta(),
		// the public website
		d.siteSearch(),
		d.siteFetchSource(),

		// pages
		d.createPageDraft(),
		d.movePage(),
		d.setPageSocialImage(),
		d.updatePageMetadata(),
		// content elements
		d.createContentElementDraft(),
		d.updateContentElement(),
		d.moveContentElement(),
		d.createTranslationDraft(),
		d.attachFileToContentElement(),
		// records of any table
		d.createRecordDraft(),
		d.copyRecord(),
		d.publishRecord(),
		d.deleteRecord(),
		// files
		d.attachFileToRecord(),
		d.replaceFileReference(),
		d.setFileAlternativeText(),
		d.updateFileMetadata(),
	}
}
