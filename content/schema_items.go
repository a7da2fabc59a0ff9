package content

// itemTables are the records that the elements of the usual theme package
// consist of.
func itemTables() []Table {
	return []Table{
		itemTable("accordion_items", "Accordion item", "Akkordeon-Eintrag", withMedia()...),
		itemTable("card_group_items", "Card", "Karte",
			input("subheader", "Subheader", "Unterüberschrift", 255),
			files("image", "Image", "Bild", images(), 1),
			body(),
			of(TypeLink, "link", "Link", "Verknüpfung"),
			input("link_title", "Text of the link", "Text der Verknüpfung", 255),
			input("link_icon_set", "Icon set of the link", "Symbolsatz der Verknüpfung", 255),
			input("link_icon_identifier", "Icon of the link", "Symbol der Verknüpfung", 255),
			files("link_icon", "Icon file of the link", "Symboldatei der Verknüpfung", images(), 1),
			input("link_class", "Style of the link", "Stil der Verknüpfung", 60),
		),
		carouselTable(),
		itemTable("icon_group_items", "Icon of a group", "Symbol einer Gruppe",
			input("subheader", "Subheader", "Unterüberschrift", 255),
			body(),
			of(TypeLink, "link", "Link", "Verknüpfung"),
			input("icon_set", "Icon set", "Symbolsatz", 255),
			input("icon_identifier", "Icon", "Symbol", 255),
			files("icon_file", "Icon file", "Symboldatei", images(), 1),
		),
		itemTable("tab_items", "Tab", "Registerkarte", withMedia()...),
		itemTable("timeline_items", "Timeline entry", "Eintrag der Zeitleiste",
			input("date", "Date", "Datum", 32),
			body(),
			input("icon_set", "Icon set", "Symbolsatz", 255),
			input("icon_identifier", "Icon", "Symbol", 255),
			files("icon_file", "Icon file", "Symboldatei", images(), 1),
			files("image", "Image", "Bild", assets(), 1),
		),
	}
}

// itemTable is a table of items that content elements own; the column there
// that counts them is called like the table.
func itemTable(name, en, de string, columns ...Column) Table {
	columns = append([]Column{
		required(to(Elements, ColumnElement, "Content element", "Inhaltselement")),
		input("header", "Header", "Überschrift", 255),
	}, columns...)
	return Table{
		Name: name, Label: label(en, de), LabelField: "header", HiddenField: ColumnHidden,
		Columns: append(columns,
			check(ColumnHidden, "Hidden", "Verborgen"),
			datetime("starttime", "Publish from", "Veröffentlichen ab"),
			datetime("endtime", "Publish until", "Veröffentlichen bis"),
		),
		Translated: true, Sorted: true, Owner: &Owner{Elements, ColumnElement, name},
	}
}

func body() Column {
	c := text("bodytext", "Text", "Text")
	c.Rich = true
	return c
}

func withMedia() []Column {
	return inherited([]Column{
		body(),
		files("media", "Media", "Medien", assets(), 0),
		open(choice("mediaorient", "Position of the media", "Position der Medien",
			item("left", "Left", "Links"), item("right", "Right", "Rechts"), item("top", "Top", "Oben"), item("bottom", "Bottom", "Unten"))),
		number("imagecols", "Number of columns", "Anzahl der Spalten"),
		check("image_zoom", "Enlarge on click", "Bei Klick vergrößern"),
	}, "mediaorient", "imagecols", "image_zoom")
}

func carouselTable() Table {
	kinds := []Item{
		item("header", "Header", "Überschrift"), item("text", "Text", "Text"),
		item("text_and_image", "Text and image", "Text und Bild"), item("background_image", "Background image", "Hintergrundbild"),
		item("call_to_action", "Call to action", "Handlungsaufforderung"), item("html", "HTML", "HTML-Code"),
	}
	level := func(name, en, de string) Column {
		return open(choice(name, en, de,
			item("1", "Level 1", "Ebene 1"), item("2", "Level 2", "Ebene 2"), item("3", "Level 3", "Ebene 3"),
			item("4", "Level 4", "Ebene 4"), item("5", "Level 5", "Ebene 5")))
	}
	action := input("button_text", "Text of the button", "Text der Schaltfläche", 255)
	action.When = &Condition{Column: "item_type", Values: []string{"call_to_action"}}
	picture := files("image", "Image", "Bild", images(), 1)
	picture.When = &Condition{Column: "item_type", Values: []string{"text_and_image"}}
	return itemTable("carousel_items", "Slide", "Karussell-Eintrag",
		initial(open(choice("item_type", "Type", "Typ", kinds...)), "header"),
		elsewhere("layout", "Layout", "Layout"),
		level("header_layout", "Header type", "Art der Überschrift"),
		open(choice("header_position", "Header alignment", "Ausrichtung der Überschrift",
			item("", "Default", "Standard"), item("left", "Left", "Links"), item("center", "Centre", "Zentriert"), item("right", "Right", "Rechts"))),
		input("header_class", "Style of the header", "Stil der Überschrift", 255),
		input("subheader", "Subheader", "Unterüberschrift", 255),
		level("subheader_layout", "Subheader type", "Art der Unterüberschrift"),
		input("subheader_class", "Style of the subheader", "Stil der Unterüberschrift", 255),
		input("nav_title", "Navigation title", "Navigationstitel", 255),
		action,
		body(),
		picture,
		of(TypeLink, "link", "Link", "Verknüpfung"),
		of(TypeColor, "text_color", "Text colour", "Textfarbe"),
		of(TypeColor, "background_color", "Background colour", "Hintergrundfarbe"),
		files("background_image", "Background image", "Hintergrundbild", images(), 1),
		of(TypeFlex, "background_image_options", "Options of the background image", "Optionen des Hintergrundbilds"),
	)
}
