package content

import "slices"

// Why rows stay out of an import.
const (
	outDeleted    = "deleted in the export"
	outDraft      = "draft of a workspace"
	outPage       = "lies on a page that stays out"
	outOriginal   = "translates a row that stays out"
	outOwner      = "belongs to a row that stays out"
	outFrontEnd   = "front-end users and their groups stay out"
	outBackEnd    = "people are added here by hand, never imported"
	outTemplate   = "templates stay out: TypoScript means nothing here"
	outPreset     = "presets of the export stay out"
	outCollection = "file collections wait for a later version"
	outUnknown    = "there is no table for these rows yet"
	outStorage    = "no file of the export lies there"
	outSameFile   = "the same file is there already"
	outSameStore  = "a storage of this name is there already"
	outDescribed  = "the file that is there already has metadata"
)

// t3dForeign gives the reason for tables that do not come in. Those that come
// in have none; tables that are not listed wait like those of outUnknown.
var t3dForeign = map[string]string{
	"fe_users": outFrontEnd, "fe_groups": outFrontEnd, "fe_sessions": outFrontEnd,
	"be_users": outBackEnd, "be_sessions": outBackEnd,
	"sys_template": outTemplate, "tx_impexp_presets": outPreset,
	"sys_file_collection": outCollection,
	t3dPages:              "", t3dContent: "", t3dFiles: "", t3dMetadata: "", t3dReferences: "", t3dStorages: "", t3dGroups: "", t3dCategories: "",
	t3dAccordion: "", t3dCards: "", t3dCarousel: "", t3dIcons: "", t3dTabs: "", t3dTimeline: "",
}

// foreign returns why the rows of a table do not come in, and whether they
// never will.
func foreign(table string) (reason string, never bool) {
	reason, listed := t3dForeign[table]
	if !listed {
		return outUnknown, false
	}
	switch reason {
	case outFrontEnd, outBackEnd, outTemplate, outPreset:
		return reason, true
	}
	return reason, false
}

// gone returns why a row stays out for its own sake, empty if it does not.
func (r *t3dRow) gone() string {
	switch {
	case r.number("deleted") != 0:
		return outDeleted
	case r.number("t3ver_wsid") != 0:
		return outDraft
	}
	return ""
}

// leftOut returns why a row stays out, for its own sake or for that of a row
// it cannot be without; empty if it comes in. A reference of a row that waits
// for a later version comes in.
func (f *t3dFile) leftOut(row *t3dRow) string {
	if reason, ok := f.out[row]; ok {
		return reason
	}
	f.out[row] = "" // ends a line of rows that depend on each other in a circle
	reason := f.whyOut(row)
	f.out[row] = reason
	return reason
}

func (f *t3dFile) whyOut(row *t3dRow) string {
	if reason, _ := foreign(row.Table); reason != "" {
		return reason
	}
	if reason := row.gone(); reason != "" {
		return reason
	}
	if row.original() != 0 && f.stays(row.Table, row.original()) {
		return outOriginal
	}
	switch row.Table {
	case t3dPages, t3dContent, t3dCategories:
		if f.stays(t3dPages, row.number("pid")) {
			return outPage
		}
	case t3dReferences:
		owner := f.row(row.text("tablenames"), row.number("uid_foreign"))
		if owner == nil {
			return ""
		}
		if reason, never := foreign(owner.Table); never || owner.gone() != "" || reason == "" && f.leftOut(owner) != "" {
			return outOwner
		}
	}
	if slices.Contains(t3dItems, row.Table) {
		switch {
		case f.stays(t3dPages, row.number("pid")):
			return outPage
		case f.stays(t3dContent, row.number(t3dElement)):
			return outOwner
		}
	}
	return ""
}

// stays reports whether the file holds a row that stays out.
func (f *t3dFile) stays(table string, uid int64) bool {
	row := f.row(table, uid)
	return row != nil && f.leftOut(row) != ""
}
