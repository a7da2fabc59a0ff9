package content

import "slices"

// contentTypes are the kinds of content elements and their forms: those of a
// plain installation first, then those of the usual theme package.
func contentTypes() []Type {
	head := []string{ColumnKind, ColumnPosition, "header", "header_layout", "header_position", "date", "header_link", "subheader"}
	form := func(value, en, de string, columns ...string) Type {
		return Type{Value: value, Label: label(en, de), Columns: slices.Concat(head, columns, []string{ColumnHidden})}
	}
	renamed := func(t Type, column, en, de string) Type {
		t.Overrides = map[string]Label{column: label(en, de)}
		return t
	}
	icon := []string{"bodytext", "icon", "icon_set", "icon_file", "icon_position", "icon_size", "icon_type", "icon_color", "icon_background"}
	return slices.Concat([]Type{
		form("header", "Header only", "Nur Überschrift"),
		form("text", "Text", "Text", "bodytext"),
		form("textpic", "Text and images", "Text und Bilder", "bodytext", "image", "imageorient", "imagecols", "image_zoom"),
		form("textmedia", "Text and media", "Text und Medien", "bodytext", "assets", "imageorient", "imagecols", "image_zoom"),
		form("image", "Images only", "Nur Bilder", "image", "imagecols", "image_zoom"),
		renamed(form("bullets", "Bullet list", "Aufzählung", "bodytext", "bullets_type"), "bodytext", "List entries", "Listeneinträge"),
		renamed(form("table", "Table", "Tabelle", "bodytext", "table_caption", "table_class", "cols", "table_header_position", "table_tfoot"), "bodytext", "Table cells", "Tabellenzellen"),
		renamed(form("uploads", "File links", "Dateilinks", "media", "file_collections", "filelink_size", "uploads_description", "uploads_type"), "media", "Files to offer", "Dateien zum Anbieten"),
		form("shortcut", "Insert records", "Datensätze einfügen", "records"),
		form("list", "General plug-in", "Allgemeines Plug-in", "list_type", "flexform", "pages", "recursive"),
		renamed(form("html", "Plain HTML", "Reines HTML", "bodytext"), "bodytext", "HTML code", "HTML-Code"),
		form("div", "Divider", "Trenner"),
		form("felogin_login", "Login form", "Anmeldeformular", "flexform", "pages", "recursive"),
		form("form_formframework", "Form", "Formular", "flexform"),
	}, menuTypes(form), []Type{
		form("accordion", "Accordion", "Akkordeon", "accordion_items"),
		renamed(form("audio", "Audio", "Audio", "assets"), "assets", "Audio file", "Audiodatei"),
		form("card_group", "Card group", "Kartengruppe", "card_group_items"),
		form("carousel", "Carousel", "Karussell", "carousel_items"),
		form("carousel_small", "Small carousel", "Kleines Karussell", "carousel_items"),
		form("carousel_fullscreen", "Full-screen carousel", "Karussell im Vollbild", "carousel_items"),
		form("csv", "Table from a CSV file", "Tabelle aus CSV-Datei", "media", "table_caption", "table_class"),
		form("external_media", "External media", "Externes Medium", "external_media_title", "external_media_source", "external_media_ratio"),
		form("gallery", "Gallery", "Galerie", "image", "file_collections", "imagecols", "aspect_ratio", "items_per_page"),
		form("icon_group", "Icon group", "Symbolgruppe", "icon_group_items"),
		form("listgroup", "List group", "Listengruppe", "bodytext"),
		form("media", "Media", "Medien", "assets", "imagecols"),
		form("panel", "Panel", "Kasten", "bodytext", "panel_class"),
		renamed(form("quote", "Quotation", "Zitat", "bodytext", "quote_source", "quote_link"), "bodytext", "Quotation", "Zitat"),
		form("tab", "Tabs", "Registerkarten", "tab_items"),
		form("textcolumn", "Text in columns", "Text in Spalten", "bodytext"),
		form("texticon", "Text and icon", "Text und Symbol", icon...),
		form("textteaser", "Text with teaser", "Text mit Anreißer", "teaser", "bodytext"),
		form("timeline", "Timeline", "Zeitleiste", "timeline_items"),
		form("social_links", "Social media links", "Verknüpfungen zu sozialen Medien"),
	})
}

func menuTypes(form func(value, en, de string, columns ...string) Type) []Type {
	return []Type{
		form("menu_abstract", "Menu: abstracts of subpages", "Menü: Unterseiten mit Zusammenfassung", "pages"),
		form("menu_categorized_content", "Menu: content by category", "Menü: Inhalte nach Kategorie", "selected_categories", "category_field"),
		form("menu_categorized_pages", "Menu: pages by category", "Menü: Seiten nach Kategorie", "selected_categories", "category_field"),
		form("menu_pages", "Menu: selected pages", "Menü: ausgewählte Seiten", "pages"),
		form("menu_recently_updated", "Menu: recently updated pages", "Menü: kürzlich geänderte Seiten", "pages"),
		form("menu_related_pages", "Menu: related pages", "Menü: verwandte Seiten", "pages"),
		form("menu_section", "Menu: sections of a page", "Menü: Abschnitte einer Seite", "pages"),
		form("menu_section_pages", "Menu: subpages with sections", "Menü: Unterseiten mit Abschnitten", "pages"),
		form("menu_sitemap", "Menu: sitemap", "Menü: Sitemap"),
		form("menu_sitemap_pages", "Menu: sitemap of selected pages", "Menü: Sitemap ausgewählter Seiten", "pages"),
		form("menu_subpages", "Menu: subpages", "Menü: Unterseiten", "pages"),
		form("menu_card_dir", "Menu: cards of subpages", "Menü: Unterseiten als Karten", "pages", "readmore_label"),
		form("menu_card_list", "Menu: cards of selected pages", "Menü: ausgewählte Seiten als Karten", "pages", "readmore_label"),
		form("menu_thumbnail_dir", "Menu: preview images of subpages", "Menü: Vorschaubilder der Unterseiten", "pages"),
		form("menu_thumbnail_list", "Menu: preview images of selected pages", "Menü: Vorschaubilder ausgewählter Seiten", "pages"),
	}
}
