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
	// Yes and No are what a switch is set to.
	Yes imprimatur.Label = "preview.value.yes"
	No  imprimatur.Label = "preview.value.no"
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
	ObjectRecord      imprimatur.Label = "preview.object.record"
	ObjectRecordType  imprimatur.Label = "preview.object.record_type"
	ObjectFile        imprimatur.Label = "preview.object.file"
	// TypedTable takes table and type: what records are called and of which
	// kind they are.
	TypedTable imprimatur.Label = "preview.object.typed_table"

	WhereLocation  imprimatur.Label = "preview.where.location"
	WhereLanguage  imprimatur.Label = "preview.where.language"
	WhereField     imprimatur.Label = "preview.where.field"
	WherePosition  imprimatur.Label = "preview.where.position"
	WhereCurrently imprimatur.Label = "preview.where.currently"
	WhereNew       imprimatur.Label = "preview.where.new"
	// OnPage and UnderPage take page; TopLevel is above all pages.
	OnPage    imprimatur.Label = "preview.where.on_page"
	UnderPage imprimatur.Label = "preview.where.under_page"
	TopLevel  imprimatur.Label = "preview.where.top_level"
	// Places takes two places, where and position, one within the other.
	Places imprimatur.Label = "preview.where.places"

	// FirstSubpage and FirstElement are positions; DirectlyAfter
	// takes record.
	FirstSubpage  imprimatur.Label = "preview.position.first_subpage"
	FirstElement  imprimatur.Label = "preview.position.first_element"
	DirectlyAfter imprimatur.Label = "preview.position.after"

	LanguageDefault imprimatur.Label = "preview.language.default"
	LanguageAll     imprimatur.Label = "preview.language.all"
	// LanguageTranslation takes language.
	LanguageTranslation imprimatur.Label = "preview.language.translation"
	// ColumnNumbered takes number, ColumnNamed takes name.
	ColumnNumbered imprimatur.Label = "preview.column.numbered"
	ColumnNamed    imprimatur.Label = "preview.column.named"

	Visibility    imprimatur.Label = "preview.visibility.name"
	HiddenAtFirst imprimatur.Label = "preview.visibility.hidden_at_first"

	Translations imprimatur.Label = "preview.along.translations" // name of a line
	Subpages     imprimatur.Label = "preview.along.subpages"     // name of a line
	// Important takes text: a warning.
	Important imprimatur.Label = "preview.line.important"
)

func sharedLabels() []imprimatur.Label {
	return []imprimatur.Label{
		imprimatur.LabelVerbatim, imprimatur.LabelRefusal, imprimatur.LabelNeutralRefusal,
		Separator, Empty, Nothing, None, Yes, No, QuotedText, CutText, ItemWithValue, NamedLine,
		FieldNew, FieldUnchanged, FieldChange, FieldChangedFrom,
		ObjectPage, ObjectContent, ObjectContentType, ObjectRecord, ObjectRecordType, ObjectFile, TypedTable,
		WhereLocation, WhereLanguage, WhereField, WherePosition, WhereCurrently, WhereNew,
		OnPage, UnderPage, TopLevel, Places,
		FirstSubpage, FirstElement, DirectlyAfter,
		LanguageDefault, LanguageAll, LanguageTranslation, ColumnNumbered, ColumnNamed,
		Visibility, HiddenAtFirst, Translations, Subpages, Important,
	}
}
