package content

import "slices"

// images are the files that an image column takes.
func images() []string { return []string{"gif", "jpg", "jpeg", "png", "svg", "webp", "avif"} }

// assets are the files that a media column takes.
func assets() []string {
	return append(images(), "mp4", "webm", "ogg", "mp3", "wav", "flac", "m4a", "youtube", "vimeo")
}

// DefaultSchema returns the schema of the built-in tables, with labels in
// English and German. Every call makes a new one.
func DefaultSchema() *Schema {
	tables := []Table{
		pagesTable(), elementsTable(), filesTable(), fileMetadataTable(), fileReferencesTable(), storagesTable(), languagesTable(),
		groupsTable(), categoriesTable(),
	}
	tables = append(tables, itemTables()...)
	for i := range tables {
		// What an import brings along and no column here takes.
		extra := text("extra", "Further imported values", "Weitere übernommene Werte")
		tables[i].Columns = append(tables[i].Columns, readOnly(extra)...)
	}
	return &Schema{Tables: tables}
}

func input(name, en, de string, max int) Column {
	return Column{Name: name, Label: label(en, de), Type: TypeInput, Max: max}
}

func text(name, en, de string) Column { return of(TypeText, name, en, de) }

func check(name, en, de string) Column {
	return Column{Name: name, Label: label(en, de), Type: TypeCheck}
}

func number(name, en, de string) Column {
	return Column{Name: name, Label: label(en, de), Type: TypeNumber, Integer: true}
}

func datetime(name, en, de string) Column {
	return Column{Name: name, Label: label(en, de), Type: TypeDatetime}
}

func choice(name, en, de string, items ...Item) Column {
	return Column{Name: name, Label: label(en, de), Type: TypeSelect, Items: items}
}

func item(value, en, de string) Item { return Item{value, label(en, de)} }

func files(name, en, de string, extensions []string, max int) Column {
	return Column{Name: name, Label: label(en, de), Type: TypeFile, Extensions: extensions, MaxItems: max}
}

func of(t ColumnType, name, en, de string) Column {
	return Column{Name: name, Label: label(en, de), Type: t}
}

// granted marks columns that need a field grant.
func granted(columns ...Column) []Column {
	for i := range columns {
		columns[i].Exclude = true
	}
	return columns
}

// open marks a column that takes values beyond its items.
func open(c Column) Column { c.Open = true; return c }

func initial(c Column, value any) Column { c.Default = value; return c }

func required(c Column) Column { c.Required = true; return c }

// to is a relation to one record of a table.
func to(target, name, en, de string) Column {
	c := of(TypeRelation, name, en, de)
	c.Target = target
	return c
}

// list is a relation to any number of records of a table.
func list(target, name, en, de string) Column {
	c := to(target, name, en, de)
	c.Many = true
	return c
}

// inherited marks the columns with these names as the same in every language.
func inherited(columns []Column, names ...string) []Column {
	for i := range columns {
		columns[i].Inherited = columns[i].Inherited || slices.Contains(names, columns[i].Name)
	}
	return columns
}

// elsewhere is a select column whose items the installation makes.
func elsewhere(name, en, de string) Column {
	c := open(choice(name, en, de))
	c.Dynamic = true
	return c
}

func categories() Column {
	c := list(Categories, ColumnCategories, "Categories", "Kategorien")
	c.Inherited = true
	return c
}

func readOnly(columns ...Column) []Column {
	for i := range columns {
		columns[i].ReadOnly = true
	}
	return columns
}

func filesTable() Table {
	return Table{
		Name: Files, Label: label("File", "Datei"), LabelField: "name", RootLevel: true, ReadOnly: true,
		Columns: readOnly(
			required(input(ColumnStorage, "Storage", "Speicher", 64)),
			required(input(ColumnIdentifier, "Path", "Pfad", 512)),
			required(input("name", "File name", "Dateiname", 255)),
			input("extension", "File extension", "Dateiendung", 32),
			input("mime_type", "Media type", "Medientyp", 255),
			number("size", "Size in bytes", "Größe in Bytes"),
			input("sha1", "Checksum (SHA-1)", "Prüfsumme (SHA-1)", 40),
			check(ColumnMissing, "File is missing", "Datei fehlt"),
		),
	}
}

func fileMetadataTable() Table {
	return Table{
		Name: FileMetadata, Label: label("File metadata", "Dateimetadaten"), LabelField: "title",
		RootLevel: true, Translated: true,
		Columns: append(readOnly(required(to(Files, ColumnFile, "File", "Datei"))), append(granted(
			input("title", "Title", "Titel", 255),
			text("alternative", "Alternative text", "Alternativtext"),
			text("description", "Description", "Beschreibung"),
			text("caption", "Caption", "Bildunterschrift"),
			input("copyright", "Copyright", "Urheberrecht", 255),
			input("creator", "Creator", "Urheberin oder Urheber", 255),
			input("publisher", "Publisher", "Herausgeber", 255),
			input("source", "Source", "Quelle", 255),
			input("keywords", "Keywords", "Schlagwörter", 1000),
			input("download_name", "Name for downloads", "Name beim Herunterladen", 255),
			input("creator_tool", "Made with", "Erstellt mit", 255),
			input("location_country", "Country", "Land", 255),
			input("location_region", "Region", "Region oder Bundesland", 255),
			input("location_city", "City", "Ort", 255),
			input("latitude", "Latitude", "Geografische Breite", 32),
			input("longitude", "Longitude", "Geografische Länge", 32),
			open(choice("status", "Status", "Bearbeitungsstand",
				item("", "None", "Keiner"), item("1", "OK", "In Ordnung"), item("2", "Pending", "In Arbeit"), item("3", "Under review", "In Prüfung"))),
			number("ranking", "Ranking", "Rang"),
			text("note", "Note", "Notiz"),
			datetime("content_creation_date", "Content created", "Inhalt erstellt am"),
			datetime("content_modification_date", "Content changed", "Inhalt geändert am"),
			check("visible", "Visible", "Sichtbar"),
			categories(),
		), readOnly(
			number("width", "Width", "Breite"),
			number("height", "Height", "Höhe"),
			input("unit", "Unit", "Einheit", 32),
			number("duration", "Duration in seconds", "Dauer in Sekunden"),
			input("color_space", "Colour space", "Farbraum", 32),
			number("pages", "Number of pages", "Anzahl der Seiten"),
			input("spoken_language", "Language of the file", "Sprache der Datei", 32),
		)...)...),
	}
}

func fileReferencesTable() Table {
	return Table{
		Name: FileReferences, Label: label("File reference", "Dateiverweis"), LabelField: "title",
		HiddenField: ColumnHidden, Translated: true,
		Columns: []Column{
			required(input(ColumnOwnerTable, "Table", "Tabelle", 64)),
			required(of(TypeRelation, ColumnOwner, "Record", "Datensatz")),
			required(input(ColumnOwnerField, "Field", "Feld", 64)),
			required(to(Files, ColumnFile, "File", "Datei")),
			check(ColumnHidden, "Hidden", "Verborgen"),
			text("title", "Title", "Titel"),
			text("alternative", "Alternative text", "Alternativtext"),
			text("description", "Description", "Beschreibung"),
			of(TypeLink, "link", "Link", "Verknüpfung"),
			text("crop", "Image section", "Bildausschnitt"),
			check("autoplay", "Start playing by itself", "Automatisch abspielen"),
		},
	}
}

func storagesTable() Table {
	return Table{
		Name: Storages, Label: label("File storage", "Dateispeicher"), LabelField: "name", RootLevel: true, AdminOnly: true,
		Columns: []Column{
			required(input("name", "Name", "Name", 64)),
			text("description", "Description", "Beschreibung"),
			input("driver", "Driver", "Treiber", 64),
			check("is_public", "Public", "Öffentlich"),
			check("is_writable", "Writable", "Beschreibbar"),
			check("is_online", "Online", "Erreichbar"),
		},
	}
}

func languagesTable() Table {
	return Table{
		Name: Languages, Label: label("Language", "Sprache"), LabelField: "title", RootLevel: true, AdminOnly: true,
		Columns: []Column{
			input("code", "Language code", "Sprachkürzel", 35),
			input("title", "Name", "Name", 255),
		},
	}
}
