package catalogue

import "github.com/imprimatur-dev/imprimatur"

// Headings: the action, without placeholders, as the first line of a preview
// says it.
const (
	HeadingCreatePage     imprimatur.Label = "preview.heading.create_page_draft"
	HeadingMovePage       imprimatur.Label = "preview.heading.move_page"
	HeadingPageMetadata   imprimatur.Label = "preview.heading.update_page_metadata"
	HeadingSocialOG       imprimatur.Label = "preview.heading.set_page_social_image.og"
	HeadingSocialX        imprimatur.Label = "preview.heading.set_page_social_image.x"
	HeadingCreateElement  imprimatur.Label = "preview.heading.create_content_element_draft"
	HeadingUpdateElement  imprimatur.Label = "preview.heading.update_content_element"
	HeadingMoveElement    imprimatur.Label = "preview.heading.move_content_element"
	HeadingAttachFile     imprimatur.Label = "preview.heading.attach_file_to_content_element"
	HeadingAttachToRecord imprimatur.Label = "preview.heading.attach_file_to_record"
	HeadingRemoveFile     imprimatur.Label = "preview.heading.replace_file_reference.remove"
	HeadingReplaceFile    imprimatur.Label = "preview.heading.replace_file_reference.replace"
	HeadingAlternative    imprimatur.Label = "preview.heading.set_file_alternative_text"
	HeadingFileMetadata   imprimatur.Label = "preview.heading.update_file_metadata"
	HeadingCopyPage       imprimatur.Label = "preview.heading.copy_record.page"
	HeadingCopyElement    imprimatur.Label = "preview.heading.copy_record.content"
	HeadingPublishPage    imprimatur.Label = "preview.heading.publish_record.page"
	HeadingPublishElement imprimatur.Label = "preview.heading.publish_record.content"
	HeadingDeletePage     imprimatur.Label = "preview.heading.delete_record.page"
	HeadingDeleteElement  imprimatur.Label = "preview.heading.delete_record.content"
	HeadingCreateRecord   imprimatur.Label = "preview.heading.create_record_draft"
	HeadingTranslate      imprimatur.Label = "preview.heading.create_translation_draft"
	HeadingFetch          imprimatur.Label = "preview.heading.fetch_external_url"
)

func headingLabels() []imprimatur.Label {
	return []imprimatur.Label{
		HeadingCreatePage, HeadingMovePage, HeadingPageMetadata, HeadingSocialOG, HeadingSocialX,
		HeadingCreateElement, HeadingUpdateElement, HeadingMoveElement,
		HeadingAttachFile, HeadingAttachToRecord, HeadingRemoveFile, HeadingReplaceFile,
		HeadingAlternative, HeadingFileMetadata,
		HeadingCopyPage, HeadingCopyElement, HeadingPublishPage, HeadingPublishElement,
		HeadingDeletePage, HeadingDeleteElement, HeadingCreateRecord, HeadingTranslate, HeadingFetch,
	}
}
