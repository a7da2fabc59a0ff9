package catalogue

import "github.com/imprimatur-dev/imprimatur"

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

// Lines about creating and moving pages.
const (
	PageURLPath       imprimatur.Label = "preview.page.url_path"       // name of a line
	PagePathUnchanged imprimatur.Label = "preview.page.path_unchanged" // path
	PageType          imprimatur.Label = "preview.page.type"           // name of a line
	PageNavSame       imprimatur.Label = "preview.page.nav_same"
	PageDraft         imprimatur.Label = "preview.page.draft"

	PageSameTitle       imprimatur.Label = "preview.page.same_title"
	PageSameTitleHidden imprimatur.Label = "preview.page.same_title_hidden"

	PageUnderUnseen imprimatur.Label = "preview.page.under_unseen"

	PageAlong      imprimatur.Label = "preview.page.along"       // name of a line
	PageAlongParts imprimatur.Label = "preview.page.along_parts" // translations, subpages
	PageMoreThan   imprimatur.Label = "preview.page.more_than"   // number
	PageInPlace    imprimatur.Label = "preview.page.in_place"

	PageLeavesWebsite  imprimatur.Label = "preview.page.leaves_website"
	PageJoinsWebsite   imprimatur.Label = "preview.page.joins_website"
	PageChangesWebsite imprimatur.Label = "preview.page.changes_website"
	PageSiteRoot       imprimatur.Label = "preview.page.site_root"        // uid, in the technical line
	PageFormerSiteRoot imprimatur.Label = "preview.page.former_site_root" // uid, in the technical line
)

// Lines about the image that represents a page where it is shared.
const (
	PageNoImage              imprimatur.Label = "preview.page.no_image"
	PageMoreImages           imprimatur.Label = "preview.page.more_images"           // names, count of the rest
	PageImageRemoved         imprimatur.Label = "preview.page.image_removed"         // count
	PageTranslatedImages     imprimatur.Label = "preview.page.translated_images"     // name of a line
	PageCurrentReferences    imprimatur.Label = "preview.page.current_references"    // uids, in the technical line
	PageTranslatedReferences imprimatur.Label = "preview.page.translated_references" // uids, in the technical line
)

func pageLabels() []imprimatur.Label {
	return []imprimatur.Label{
		PageTitle, PageSubtitle, PageNavTitle, PageAbstract, PageDescription, PageKeywords,
		PageSEOTitle, PageOGTitle, PageOGDescription, PageTwitterTitle, PageTwitterDescription, PageTwitterCard,
		PageURLPath, PagePathUnchanged, PageType, PageNavSame, PageDraft, PageSameTitle, PageSameTitleHidden,
		PageUnderUnseen, PageAlong, PageAlongParts, PageMoreThan, PageInPlace,
		PageLeavesWebsite, PageJoinsWebsite, PageChangesWebsite, PageSiteRoot, PageFormerSiteRoot,
		PageNoImage, PageMoreImages, PageImageRemoved, PageTranslatedImages, PageCurrentReferences, PageTranslatedReferences,
	}
}
