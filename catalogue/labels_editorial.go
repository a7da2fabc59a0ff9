package catalogue

import "github.com/imprimatur-dev/imprimatur"

// Headings of the editorial tools: the action, without placeholders.
const (
	HeadingAttachFile   imprimatur.Label = "preview.heading.attach_file_to_content_element"
	HeadingPageMetadata imprimatur.Label = "preview.heading.update_page_metadata"
)

// Lines of attach_file_to_content_element.
const (
	AttachCount       imprimatur.Label = "preview.attach_file.count"       // name, current, proposed
	AttachNewFile     imprimatur.Label = "preview.attach_file.new_file"    // name, proposed, path
	AttachFilesName   imprimatur.Label = "preview.attach_file.files_name"  // of the line AttachCount
	AttachNewFileName imprimatur.Label = "preview.attach_file.new_name"    // of the line AttachNewFile
	AttachTitle       imprimatur.Label = "preview.attach_file.title"       // names of the texts given
	AttachAlternative imprimatur.Label = "preview.attach_file.alternative" //
	AttachDescription imprimatur.Label = "preview.attach_file.description" //
)

// Names of the page fields that update_page_metadata sets.
const (
	PageTitle              imprimatur.Label = "preview.page_field.title"
	PageSubtitle           imprimatur.Label = "preview.page_field.subtitle"
	PageNavTitle           imprimatur.Label = "preview.page_field.nav_title"
	PageAbstract           imprimatur.Label = "preview.page_field.abstract"
	PageDescription        imprimatur.Label = "preview.page_field.description"
	PageKeywords           imprimatur.Label = "preview.page_field.keywords"
	PageSEOTitle           imprimatur.Label = "preview.page_field.seo_title"
	PageOGTitle            imprimatur.Label = "preview.page_field.og_title"
	PageOGDescription      imprimatur.Label = "preview.page_field.og_description"
	PageTwitterTitle       imprimatur.Label = "preview.page_field.twitter_title"
	PageTwitterDescription imprimatur.Label = "preview.page_field.twitter_description"
	PageTwitterCard        imprimatur.Label = "preview.page_field.twitter_card"
)

func editorialLabels() []imprimatur.Label {
	return []imprimatur.Label{
		HeadingAttachFile, HeadingPageMetadata,
		AttachCount, AttachNewFile, AttachFilesName, AttachNewFileName,
		AttachTitle, AttachAlternative, AttachDescription,
		PageTitle, PageSubtitle, PageNavTitle, PageAbstract, PageDescription, PageKeywords,
		PageSEOTitle, PageOGTitle, PageOGDescription, PageTwitterTitle, PageTwitterDescription, PageTwitterCard,
	}
}
