package content

// groupsTable holds the groups of an export as records to look at. They give
// nobody any right: the groups in force are those of the installation.
func groupsTable() Table {
	return Table{
		Name: Groups, Label: label("Imported user group", "Übernommene Benutzergruppe"), LabelField: "title", HiddenField: ColumnHidden,
		RootLevel: true, AdminOnly: true,
		Columns: []Column{
			required(input("title", "Name", "Name", 255)),
			check(ColumnHidden, "Disabled", "Deaktiviert"),
			text("description", "Description", "Beschreibung"),
			list(Groups, "subgroups", "Contains the groups", "Enthält die Gruppen"),
			list(Pages, "page_mounts", "Page trees", "Seitenbäume"),
			text("file_mounts", "Folders", "Ordner"),
			text("file_permissions", "Permitted file operations", "Erlaubte Dateioperationen"),
			text("tables_select", "Tables to read", "Lesbare Tabellen"),
			text("tables_modify", "Tables to change", "Änderbare Tabellen"),
			text("page_types", "Page types", "Seitentypen"),
			text("fields", "Fields to change", "Änderbare Felder"),
			text("values", "Permitted values", "Erlaubte Werte"),
			text("languages", "Permitted languages", "Erlaubte Sprachen"),
			text("modules", "Modules", "Module"),
			list(Categories, "category_mounts", "Category trees", "Kategoriebäume"),
		},
	}
}

func categoriesTable() Table {
	return Table{
		Name: Categories, Label: label("Category", "Kategorie"), LabelField: "title", HiddenField: ColumnHidden,
		Columns: inherited([]Column{
			required(input("title", "Title", "Titel", 255)),
			text("description", "Description", "Beschreibung"),
			to(Categories, "parent", "Parent category", "Übergeordnete Kategorie"),
			check(ColumnHidden, "Hidden", "Verborgen"),
			datetime("starttime", "Publish from", "Veröffentlichen ab"),
			datetime("endtime", "Publish until", "Veröffentlichen bis"),
		}, "parent"),
		Translated: true, Sorted: true,
	}
}
