package catalogue

import "github.com/imprimatur-dev/imprimatur"

// Values and lines that all tools share.
const (
	// Separator stands between the members of a list.
	Separator imprimatur.Label = "preview.value.separator"
	// Empty is the word for a value without characters, Nothing the one for a
	// changed section without characters, None the one for an absent thing.
	Empty   imprimatur.Label = "preview.value.empty"
	Nothing imprimatur.Label = "preview.value.nothing"
	None    imprimatur.Label = "preview.value.none"
	// QuotedText takes text; use Quoted, which cuts it.
	QuotedText imprimatur.Label = "preview.value.quoted"
	// CutText takes text of which more follows; use Quoted.
	CutText imprimatur.Label = "preview.value.cut"
	// ItemWithValue takes item and value: a choice and what is stored for it.
	ItemWithValue imprimatur.Label = "preview.value.item"

	// NamedLine takes name and value.
	NamedLine imprimatur.Label = "preview.line.named"

	// FieldNew takes name and proposed, FieldUnchanged name and current,
	// FieldChange name, current and proposed, FieldChangedFrom also position.
	FieldNew         imprimatur.Label = "preview.field.new"
	FieldUnchanged   imprimatur.Label = "preview.field.unchanged"
	FieldChange      imprimatur.Label = "preview.field.change"
	FieldChangedFrom imprimatur.Label = "preview.field.changed_from"

	ObjectPage        imprimatur.Label = "preview.object.page"
	ObjectContent     imprimatur.Label = "preview.object.content"
	ObjectContentType imprimatur.Label = "preview.object.content_type"
	ObjectFile        imprimatur.Label = "preview.object.file"

	WhereLocation imprimatur.Label = "preview.where.location"
	WhereLanguage imprimatur.Label = "preview.where.language"
	WhereField    imprimatur.Label = "preview.where.field"
	// OnPage takes page.
	OnPage imprimatur.Label = "preview.where.on_page"

	LanguageDefault imprimatur.Label = "preview.language.default"
	LanguageAll     imprimatur.Label = "preview.language.all"
	// LanguageTranslation takes language.
	LanguageTranslation imprimatur.Label = "preview.language.translation"
	// ColumnNumbered takes number.
	ColumnNumbered imprimatur.Label = "preview.column.numbered"
)

func sharedLabels() []imprimatur.Label {
	return []imprimatur.Label{
		imprimatur.LabelVerbatim, imprimatur.LabelRefusal, imprimatur.LabelNeutralRefusal,
		Separator, Empty, Nothing, None, QuotedText, CutText, ItemWithValue, NamedLine,
		FieldNew, FieldUnchanged, FieldChange, FieldChangedFrom,
		ObjectPage, ObjectContent, ObjectContentType, ObjectFile,
		WhereLocation, WhereLanguage, WhereField, OnPage,
		LanguageDefault, LanguageAll, LanguageTranslation, ColumnNumbered,
	}
}
