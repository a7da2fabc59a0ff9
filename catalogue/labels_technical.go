package catalogue

import "github.com/imprimatur-dev/imprimatur"

// The technical line and its parts: what support needs, and what tells two
// records with one title apart.
const (
	// TechnicalDetails takes parts; use Technical.
	TechnicalDetails imprimatur.Label = "preview.technical.line"

	TechnicalRecord        imprimatur.Label = "preview.technical.record"         // table, uid
	TechnicalPage          imprimatur.Label = "preview.technical.page"           // uid
	TechnicalParent        imprimatur.Label = "preview.technical.parent"         // uid
	TechnicalFormer        imprimatur.Label = "preview.technical.former"         // uid of the former parent
	TechnicalAnchor        imprimatur.Label = "preview.technical.anchor"         // uid
	TechnicalExisting      imprimatur.Label = "preview.technical.existing"       // uid of what is there already
	TechnicalFile          imprimatur.Label = "preview.technical.file"           // uid
	TechnicalCurrentFile   imprimatur.Label = "preview.technical.current_file"   // uid of the file that goes
	TechnicalTranslatedIn  imprimatur.Label = "preview.technical.translated_in"  // uids of translated content elements
	TechnicalReference     imprimatur.Label = "preview.technical.reference"      // uid
	TechnicalTranslation   imprimatur.Label = "preview.technical.translations"   // uids
	TechnicalSubpages      imprimatur.Label = "preview.technical.subpages"       // uids
	TechnicalUIDs          imprimatur.Label = "preview.technical.uids"           // uids, as text
	TechnicalMoreUIDs      imprimatur.Label = "preview.technical.more_uids"      // uids, count of those that do not stand there
	TechnicalColumn        imprimatur.Label = "preview.technical.column"         // number
	TechnicalLanguage      imprimatur.Label = "preview.technical.language"       // uid
	TechnicalContentType   imprimatur.Label = "preview.technical.content_type"   // type
	TechnicalField         imprimatur.Label = "preview.technical.field"          // field
	TechnicalFields        imprimatur.Label = "preview.technical.fields"         // fields
	TechnicalWhole         imprimatur.Label = "preview.technical.whole"          // field, two lengths, two hashes
	TechnicalCurrentPage   imprimatur.Label = "preview.technical.current_page"   // uid
	TechnicalTargetPage    imprimatur.Label = "preview.technical.target_page"    // uid
	TechnicalCurrentColumn imprimatur.Label = "preview.technical.current_column" // number
	TechnicalTargetColumn  imprimatur.Label = "preview.technical.target_column"  // number
	TechnicalClass         imprimatur.Label = "preview.technical.class"          // class of an error
)

func technicalLabels() []imprimatur.Label {
	return []imprimatur.Label{
		TechnicalDetails, TechnicalRecord, TechnicalPage, TechnicalParent, TechnicalFormer, TechnicalAnchor, TechnicalExisting,
		TechnicalFile, TechnicalCurrentFile, TechnicalTranslatedIn, TechnicalReference, TechnicalTranslation, TechnicalSubpages, TechnicalUIDs, TechnicalMoreUIDs, TechnicalColumn,
		TechnicalLanguage,
		TechnicalContentType, TechnicalField, TechnicalFields, TechnicalWhole, TechnicalClass,
		TechnicalCurrentPage, TechnicalTargetPage, TechnicalCurrentColumn, TechnicalTargetColumn,
	}
}
