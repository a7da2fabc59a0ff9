package catalogue

import "github.com/imprimatur-dev/imprimatur"

// Lines about creating, copying, publishing and deleting records.
const (
	RecordDraft imprimatur.Label = "preview.record.draft"
	RecordTable imprimatur.Label = "preview.record.table" // table, in the technical line
	RecordType  imprimatur.Label = "preview.record.type"  // type, in the technical line

	RecordHidden         imprimatur.Label = "preview.record.hidden"
	RecordVisible        imprimatur.Label = "preview.record.visible"
	RecordVisibleAlready imprimatur.Label = "preview.record.visible_already"
	RecordStart          imprimatur.Label = "preview.record.start"         // time; a warning
	RecordStop           imprimatur.Label = "preview.record.stop"          // time; a warning
	RecordGroups         imprimatur.Label = "preview.record.groups"        // a warning
	RecordOriginHidden   imprimatur.Label = "preview.record.origin_hidden" // a warning
	RecordOrigin         imprimatur.Label = "preview.record.origin"        // uid, in the technical line
	RecordGroupUIDs      imprimatur.Label = "preview.record.group_uids"    // uids, in the technical line

	RecordCopyTo       imprimatur.Label = "preview.record.copy_to"     // name of a line
	RecordPathIn       imprimatur.Label = "preview.record.path_in"     // language; name of a line
	RecordMorePaths    imprimatur.Label = "preview.record.more_paths"  // count
	RecordCopiedWith   imprimatur.Label = "preview.record.copied_with" // name of a line
	RecordNotCopied    imprimatur.Label = "preview.record.not_copied"
	RecordCopiedBehind imprimatur.Label = "preview.record.copied_behind" // count
	RecordFilesCopied  imprimatur.Label = "preview.record.files_copied"  // count
	RecordAllHidden    imprimatur.Label = "preview.record.all_hidden"

	RecordDeletedAlong  imprimatur.Label = "preview.record.deleted_along"  // count
	RecordSubpagesAlong imprimatur.Label = "preview.record.subpages_along" // subpages, count of their translations
	RecordStored        imprimatur.Label = "preview.record.stored"         // name of a line
	RecordStoredOnAll   imprimatur.Label = "preview.record.stored_on_all"  // name of a line
	RecordInLanguage    imprimatur.Label = "preview.record.in_language"    // name of a line
	RecordStay          imprimatur.Label = "preview.record.stay"           // count
	RecordDeletedWith   imprimatur.Label = "preview.record.deleted_with"   // name of a line
	RecordFiles         imprimatur.Label = "preview.record.files"          // name of a line
	RecordFilesRemoved  imprimatur.Label = "preview.record.files_removed"  // count
	RecordIncoming      imprimatur.Label = "preview.record.incoming"       // name of a line
	RecordReferred      imprimatur.Label = "preview.record.referred"       // count; a warning
	RecordRecoverable   imprimatur.Label = "preview.record.recoverable"    // name of a line

	RecordCount     imprimatur.Label = "preview.record.count"      // name, number
	RecordCounts    imprimatur.Label = "preview.record.counts"     // first, then
	RecordCountRest imprimatur.Label = "preview.record.count_rest" // number
)

func recordLabels() []imprimatur.Label {
	return []imprimatur.Label{
		RecordDraft, RecordTable, RecordType,
		RecordHidden, RecordVisible, RecordVisibleAlready, RecordStart, RecordStop, RecordGroups, RecordOriginHidden,
		RecordOrigin, RecordGroupUIDs,
		RecordCopyTo, RecordPathIn, RecordMorePaths, RecordCopiedWith, RecordNotCopied, RecordCopiedBehind, RecordFilesCopied, RecordAllHidden,
		RecordDeletedAlong, RecordSubpagesAlong, RecordStored, RecordStoredOnAll, RecordInLanguage, RecordStay, RecordDeletedWith, RecordFiles, RecordFilesRemoved,
		RecordIncoming, RecordReferred, RecordRecoverable,
		RecordCount, RecordCounts, RecordCountRest,
	}
}
