package catalogue

import "github.com/imprimatur-dev/imprimatur"

// The technical line and its parts: what support needs, and what tells two
// records with one title apart.
const (
	// TechnicalDetails takes parts; use Technical.
	TechnicalDetails imprimatur.Label = "preview.technical.line"

	TechnicalRecord      imprimatur.Label = "preview.technical.record"       // table, uid
	TechnicalPage        imprimatur.Label = "preview.technical.page"         // uid
	TechnicalFile        imprimatur.Label = "preview.technical.file"         // uid
	TechnicalLanguage    imprimatur.Label = "preview.technical.language"     // uid
	TechnicalContentType imprimatur.Label = "preview.technical.content_type" // type
	TechnicalField       imprimatur.Label = "preview.technical.field"        // field
	TechnicalFields      imprimatur.Label = "preview.technical.fields"       // fields
	TechnicalWhole       imprimatur.Label = "preview.technical.whole"        // field, two lengths, two hashes
	TechnicalClass       imprimatur.Label = "preview.technical.class"        // class of an error
)

func technicalLabels() []imprimatur.Label {
	return []imprimatur.Label{
		TechnicalDetails, TechnicalRecord, TechnicalPage, TechnicalFile, TechnicalLanguage,
		TechnicalContentType, TechnicalField, TechnicalFields, TechnicalWhole, TechnicalClass,
	}
}
