package content

func elementsTable() Table {
	kinds := contentTypes()
	items := make([]Item, 0, len(kinds))
	for _, k := range kinds {
		items = append(items, Item{k.Value, k.Label})
	}
	kind := open(initial(choice(ColumnKind, "Type", "Typ", items...), "text"))
	kind.AuthMode = true
	body := text("bodytext", "Text", "Text")
	body.Rich = true
	position := open(initial(choice(ColumnPosition, "Column", "Spalte",
		item("0", "Normal", "Normal"), item("1", "Left", "Links"), item("2", "Right", "Rechts"), item("3", "Border", "Rand")), int64(0)))
	position.Integer = true
	columns := []Column{
		kind, position,
		input("header", "Header", "Überschrift", 255),
		body,
	}
	columns = append(columns, granted(contentTexts()...)...)
	columns = append(columns, granted(contentSettings()...)...)
	columns = append(columns, granted(contentAppearance()...)...)
	columns = inherited(columns, "section_index", "link_to_top", "layout", "frame_class", "frame_layout", "frame_options", "space_before_class",
		"space_after_class", "imagewidth", "imageheight", "imageorient", "imagecols", "imageborder", "image_zoom", "aspect_ratio")
	return Table{
		Name: Elements, Label: label("Content element", "Inhaltselement"), LabelField: "header", TypeField: ColumnKind,
		HiddenField: ColumnHidden, Columns: columns, Types: kinds, Translated: true, Sorted: true,
	}
}

func contentTexts() []Column {
	return []Column{
		input("subheader", "Subheader", "Unterüberschrift", 255),
		of(TypeLink, "header_link", "Link of the header", "Verknüpfung der Überschrift"),
		datetime("date", "Date", "Datum"),
		files("image", "Images", "Bilder", images(), 0),
		files("assets", "Media elements", "Medienelemente", assets(), 0),
		files("media", "Files", "Dateien", nil, 0),
		text("teaser", "Teaser", "Anreißer"),
		input("quote_source", "Source of the quotation", "Quelle des Zitats", 255),
		of(TypeLink, "quote_link", "Link to the source", "Verknüpfung zur Quelle"),
		input("table_caption", "Table caption", "Tabellenbeschriftung", 255),
		input("readmore_label", "Label of “read more”", "Beschriftung von „Weiterlesen“", 255),
		input("external_media_title", "Title of the external media", "Titel des externen Mediums", 255),
		of(TypeLink, "external_media_source", "Address of the external media", "Adresse des externen Mediums"),
	}
}

func contentSettings() []Column {
	return []Column{
		check(ColumnHidden, "Element hidden", "Element verborgen"),
		check(ColumnEditLock, "Only administrators may edit", "Nur für Administratoren bearbeitbar"),
		datetime("starttime", "Publish from", "Veröffentlichen ab"),
		datetime("endtime", "Publish until", "Veröffentlichen bis"),
		input("fe_group", "Access for user groups", "Zugriff für Benutzergruppen", 255),
		text("notes", "Notes for editors", "Notizen für die Redaktion"),
		list(Elements, "records", "Records", "Datensätze"),
		list(Pages, "pages", "Pages", "Seiten"),
		number("recursive", "Levels of subpages", "Ebenen von Unterseiten"),
		elsewhere("list_type", "Plug-in", "Plug-in"),
		of(TypeFlex, "flexform", "Plug-in options", "Plug-in-Optionen"),
		list(Categories, "selected_categories", "Selected categories", "Ausgewählte Kategorien"),
		input("category_field", "Category field", "Kategoriefeld", 64),
		input("file_collections", "File collections", "Dateisammlungen", 2000),
		input("file_folder", "Folder", "Ordner", 2000),
		initial(check("section_index", "Show in section menus", "In Abschnittsmenüs anzeigen"), int64(1)),
		check("link_to_top", "Link to the top of the page", "Verknüpfung zum Seitenanfang"),
		number("items_per_page", "Items per page", "Einträge je Seite"),
		categories(),
	}
}

func contentAppearance() []Column {
	return []Column{
		open(choice("header_layout", "Header type", "Art der Überschrift",
			item("0", "Default", "Standard"), item("1", "Level 1", "Ebene 1"), item("2", "Level 2", "Ebene 2"), item("3", "Level 3", "Ebene 3"),
			item("4", "Level 4", "Ebene 4"), item("5", "Level 5", "Ebene 5"), item("100", "Hidden", "Verborgen"))),
		open(choice("header_position", "Header alignment", "Ausrichtung der Überschrift",
			item("", "Default", "Standard"), item("left", "Left", "Links"), item("center", "Centre", "Zentriert"), item("right", "Right", "Rechts"))),
		input("header_class", "Style of the header", "Stil der Überschrift", 255),
		input("subheader_class", "Style of the subheader", "Stil der Unterüberschrift", 255),
		open(choice("layout", "Layout", "Layout", item("0", "Default", "Standard"))),
		open(choice("frame_class", "Frame", "Rahmen", item("default", "Default", "Standard"), item("none", "No frame", "Kein Rahmen"))),
		open(choice("frame_layout", "Frame layout", "Rahmenlayout", item("default", "Default", "Standard"))),
		input("frame_options", "Frame options", "Rahmenoptionen", 255),
		spacing("space_before_class", "Space before", "Abstand davor"),
		spacing("space_after_class", "Space after", "Abstand danach"),
		input("background_color_class", "Background colour", "Hintergrundfarbe", 255),
		files("background_image", "Background image", "Hintergrundbild", images(), 1),
		of(TypeFlex, "background_image_options", "Options of the background image", "Optionen des Hintergrundbilds"),
		number("imagewidth", "Image width", "Bildbreite"),
		number("imageheight", "Image height", "Bildhöhe"),
		open(choice("imageorient", "Position of the images", "Position der Bilder",
			item("0", "Above, centred", "Oben, zentriert"), item("1", "Above, right", "Oben, rechts"), item("2", "Above, left", "Oben, links"),
			item("8", "Below, centred", "Unten, zentriert"), item("9", "Below, right", "Unten, rechts"), item("10", "Below, left", "Unten, links"),
			item("17", "In the text, right", "Im Text, rechts"), item("18", "In the text, left", "Im Text, links"),
			item("25", "Beside the text, right", "Neben dem Text, rechts"), item("26", "Beside the text, left", "Neben dem Text, links"))),
		number("imagecols", "Number of columns", "Anzahl der Spalten"),
		check("imageborder", "Border around images", "Rahmen um Bilder"),
		check("image_zoom", "Enlarge on click", "Bei Klick vergrößern"),
		input("aspect_ratio", "Aspect ratio", "Seitenverhältnis", 32),
		open(choice("bullets_type", "Type of list", "Art der Liste",
			item("0", "Bullets", "Aufzählung"), item("1", "Numbers", "Nummerierung"), item("2", "Definitions", "Begriffe"))),
		number("cols", "Table columns", "Tabellenspalten"),
		input("table_class", "Style of the table", "Stil der Tabelle", 255),
		number("table_delimiter", "Field separator", "Feldtrenner"),
		number("table_enclosure", "Text enclosure", "Textbegrenzer"),
		open(choice("table_header_position", "Header cells", "Kopfzellen",
			item("0", "No header cells", "Keine Kopfzellen"), item("1", "Top", "Oben"), item("2", "Left", "Links"))),
		check("table_tfoot", "Last row is a footer", "Letzte Zeile ist Fußzeile"),
		check("filelink_size", "Show file size", "Dateigröße anzeigen"),
		input("filelink_sorting", "Sort files by", "Dateien sortieren nach", 64),
		input("filelink_sorting_direction", "Sorting direction", "Sortierrichtung", 64),
		check("uploads_description", "Show descriptions", "Beschreibungen anzeigen"),
		open(choice("uploads_type", "Display of files", "Darstellung der Dateien",
			item("0", "File name", "Dateiname"), item("1", "With icon", "Mit Symbol"), item("2", "With preview", "Mit Vorschau"))),
		input("target", "Link target", "Linkziel", 80),
		open(choice("panel_class", "Style of the panel", "Stil des Kastens", item("default", "Default", "Standard"))),
		input("icon", "Icon", "Symbol", 255),
		input("icon_set", "Icon set", "Symbolsatz", 255),
		files("icon_file", "Icon file", "Symboldatei", images(), 1),
		input("icon_position", "Icon position", "Position des Symbols", 64),
		input("icon_size", "Icon size", "Größe des Symbols", 64),
		input("icon_type", "Icon shape", "Form des Symbols", 64),
		of(TypeColor, "icon_color", "Icon colour", "Farbe des Symbols"),
		of(TypeColor, "icon_background", "Icon background", "Hintergrund des Symbols"),
		input("external_media_ratio", "Ratio of the external media", "Verhältnis des externen Mediums", 32),
		number("subitems_header_layout", "Header type of the items", "Art der Überschriften der Einträge"),
		number("accordion_items", "Accordion items", "Akkordeon-Einträge"),
		number("card_group_items", "Cards", "Karten"),
		number("carousel_items", "Slides", "Karussell-Einträge"),
		number("icon_group_items", "Icons of the group", "Symbole der Gruppe"),
		number("tab_items", "Tabs", "Registerkarten"),
		number("timeline_items", "Timeline entries", "Einträge der Zeitleiste"),
	}
}

func spacing(name, en, de string) Column {
	return open(choice(name, en, de,
		item("", "No space", "Kein Abstand"), item("extra-small", "Very small", "Sehr klein"), item("small", "Small", "Klein"),
		item("medium", "Medium", "Mittel"), item("large", "Large", "Groß"), item("extra-large", "Very large", "Sehr groß")))
}
