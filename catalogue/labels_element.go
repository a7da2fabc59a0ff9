package catalogue

import "github.com/imprimatur-dev/imprimatur"

// Lines about content elements, and about translations of pages and elements.
const (
	ElementImpact     imprimatur.Label = "preview.element.impact"
	ElementTwin       imprimatur.Label = "preview.element.twin"        // a warning
	ElementHiddenTwin imprimatur.Label = "preview.element.hidden_twin" // a warning

	ElementNotGiven     imprimatur.Label = "preview.element.not_given" // of a text
	ElementThereAlready imprimatur.Label = "preview.element.there_already"
	ElementFiles        imprimatur.Label = "preview.element.files"        // name of a line
	ElementRecords      imprimatur.Label = "preview.element.records"      // name of a line
	ElementMovesAlong   imprimatur.Label = "preview.element.moves_along"  // count
	ElementCopiedAlong  imprimatur.Label = "preview.element.copied_along" // count

	TranslationLanguage      imprimatur.Label = "preview.element.target_language" // name of a line
	TranslationCopy          imprimatur.Label = "preview.element.linked_copy"
	TranslationTexts         imprimatur.Label = "preview.element.texts"     // name of a line
	TranslationInherited     imprimatur.Label = "preview.element.inherited" // name of a line
	TranslationMoreNames     imprimatur.Label = "preview.element.more"      // names, count of those that do not stand there
	TranslationDiscarded     imprimatur.Label = "preview.element.discarded" // record; a warning
	TranslationDiscardedWith imprimatur.Label = "preview.element.discarded_with"
	TranslationDiscardedRest imprimatur.Label = "preview.element.discarded_along" // count
	TranslationImpact        imprimatur.Label = "preview.element.translation_impact"
)

func elementLabels() []imprimatur.Label {
	return []imprimatur.Label{
		ElementImpact, ElementTwin, ElementHiddenTwin,
		ElementNotGiven, ElementThereAlready, ElementFiles, ElementRecords, ElementMovesAlong, ElementCopiedAlong,
		TranslationLanguage, TranslationCopy, TranslationTexts, TranslationInherited, TranslationMoreNames,
		TranslationDiscarded, TranslationDiscardedWith, TranslationDiscardedRest, TranslationImpact,
	}
}
