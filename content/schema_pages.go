package content

// The page types that the repository treats as such.
const (
	PageStandard    = "standard"
	PageLink        = "link"
	PageShortcut    = "shortcut"
	PageUserSection = "user_section"
	PageMount       = "mount"
	PageSeparator   = "separator"
	PageFolder      = "folder"
)

func pageTypes() []Item {
	return []Item{
		item(PageStandard, "Standard", "Standardseite"),
		item(PageLink, "Link to external URL", "Link zu externer URL"),
		item(PageShortcut, "Shortcut", "Verweis auf andere Seite"),
		item(PageUserSection, "Section for editors", "Bereich für die Redaktion"),
		item(PageMount, "Mount point", "Einstiegspunkt"),
		item(PageSeparator, "Menu separator", "Trennzeichen im Menü"),
		item(PageFolder, "Folder", "Ordner"),
	}
}

func pagesTable() Table {
	pageType := initial(choice(ColumnPageType, "Page type", "Seitentyp", pageTypes()...), PageStandard)
	columns := []Column{
		pageType,
		required(input("title", "Page title", "Seitentitel", 255)),
		of(TypeSlug, ColumnSlug, "URL path", "URL-Pfad"),
	}
	columns[2].Max = 2000
	columns[2].Exclude = true
	columns = append(columns, granted(pageTexts()...)...)
	columns = append(columns, granted(pageSettings()...)...)
	columns = inherited(columns, ColumnSiteRoot, "extend_to_subpages", "php_tree_stop", "module", "layout", "backend_layout",
		"backend_layout_next_level", "l18n_cfg", "cache_timeout", "cache_tags", ColumnConfiguration)
	form := []string{
		ColumnPageType, "title", ColumnSlug, "nav_title", "subtitle", "abstract", "description", "keywords", "author", "author_email",
		"seo_title", "og_title", "og_description", "og_image", "twitter_title", "twitter_description", "twitter_image", "twitter_card",
		ColumnHidden, "nav_hide", "media", "nav_icon", "thumbnail",
	}
	types := make([]Type, 0, len(pageTypes()))
	for _, p := range pageTypes() {
		types = append(types, Type{Value: p.Value, Label: p.Label, Columns: form})
	}
	return Table{
		Name: Pages, Label: label("Page", "Seite"), LabelField: "title", TypeField: ColumnPageType,
		HiddenField: ColumnHidden, Columns: columns, Types: types, Translated: true, Sorted: true,
	}
}

func pageTexts() []Column {
	return []Column{
		input("nav_title", "Navigation title", "Navigationstitel", 255),
		input("subtitle", "Subtitle", "Untertitel", 255),
		text("abstract", "Abstract", "Zusammenfassung"),
		text("description", "Description", "Beschreibung"),
		text("keywords", "Keywords", "Schlagwörter"),
		input("author", "Author", "Autorin oder Autor", 255),
		of(TypeEmail, "author_email", "Author’s e-mail", "E-Mail der Autorin oder des Autors"),
		input("seo_title", "Title for search engines", "Titel für Suchmaschinen", 255),
		input("og_title", "Title for social media", "Titel für soziale Medien", 255),
		text("og_description", "Description for social media", "Beschreibung für soziale Medien"),
		files("og_image", "Image for social media", "Bild für soziale Medien", images(), 1),
		input("twitter_title", "Title for X (Twitter)", "Titel für X (Twitter)", 255),
		text("twitter_description", "Description for X (Twitter)", "Beschreibung für X (Twitter)"),
		files("twitter_image", "Image for X (Twitter)", "Bild für X (Twitter)", images(), 1),
		initial(choice("twitter_card", "Card on X (Twitter)", "Darstellung auf X (Twitter)",
			item("", "Not set", "Nicht festgelegt"),
			item("summary", "Summary", "Kurzfassung"),
			item("summary_large_image", "Summary with a large image", "Kurzfassung mit großem Bild"),
			item("player", "Player", "Abspieler"),
			item("app", "App", "Anwendung")), "summary"),
	}
}

func pageSettings() []Column {
	return []Column{
		initial(check(ColumnHidden, "Page hidden", "Seite verborgen"), int64(1)),
		check("nav_hide", "Not in menus", "Nicht in Menüs"),
		check(ColumnSiteRoot, "Root of a website", "Wurzel einer Website"),
		check(ColumnEditLock, "Only administrators may edit", "Nur für Administratoren bearbeitbar"),
		datetime("starttime", "Publish from", "Veröffentlichen ab"),
		datetime("endtime", "Publish until", "Veröffentlichen bis"),
		input("fe_group", "Access for user groups", "Zugriff für Benutzergruppen", 255),
		check("extend_to_subpages", "Applies to subpages", "Gilt für Unterseiten"),
		files("media", "Media", "Medien", nil, 0),
		files("nav_icon", "Navigation icon", "Navigationssymbol", images(), 1),
		input("nav_icon_set", "Icon set", "Symbolsatz", 255),
		input("nav_icon_identifier", "Icon", "Symbol", 255),
		files("thumbnail", "Preview image", "Vorschaubild", images(), 1),
		of(TypeLink, "url", "Address", "Adresse"),
		input("target", "Link target", "Linkziel", 80),
		to(Pages, "shortcut", "Shortcut target", "Ziel des Verweises"),
		open(choice("shortcut_mode", "Shortcut mode", "Art des Verweises",
			item("0", "Selected page", "Ausgewählte Seite"),
			item("1", "First subpage", "Erste Unterseite"),
			item("2", "Random subpage", "Zufällige Unterseite"),
			item("3", "Parent page", "Übergeordnete Seite"))),
		to(Pages, "content_from_pid", "Show content of", "Inhalt anzeigen von"),
		to(Pages, "mount_pid", "Mounted page", "Eingehängte Seite"),
		check("mount_pid_ol", "Mounted page replaces this one", "Eingehängte Seite ersetzt diese"),
		open(choice("layout", "Layout", "Layout", item("0", "Default", "Standard"))),
		elsewhere("backend_layout", "Page layout", "Seitenlayout"),
		elsewhere("backend_layout_next_level", "Page layout of subpages", "Seitenlayout der Unterseiten"),
		input("module", "Contains records of", "Enthält Datensätze von", 255),
		check("php_tree_stop", "Stop the page tree here", "Seitenbaum hier beenden"),
		check("no_search", "Not in the site’s search", "Nicht in der Suche der Website"),
		check("no_index", "Search engines may not index", "Nicht in Suchmaschinen aufnehmen"),
		check("no_follow", "Search engines may not follow links", "Suchmaschinen sollen Links nicht folgen"),
		indexed(of(TypeLink, "canonical_link", "Canonical address", "Kanonische Adresse")),
		indexed(choice("sitemap_changefreq", "Change frequency for the sitemap", "Änderungshäufigkeit in der Sitemap",
			item("", "Not set", "Nicht festgelegt"), item("always", "Always", "Ständig"), item("hourly", "Hourly", "Stündlich"),
			item("daily", "Daily", "Täglich"), item("weekly", "Weekly", "Wöchentlich"), item("monthly", "Monthly", "Monatlich"),
			item("yearly", "Yearly", "Jährlich"), item("never", "Never", "Nie"))),
		indexed(of(TypeNumber, "sitemap_priority", "Priority in the sitemap", "Priorität in der Sitemap")),
		number("l18n_cfg", "Translation behaviour", "Verhalten bei Übersetzungen"),
		number("cache_timeout", "Cache lifetime in seconds", "Cache-Dauer in Sekunden"),
		input("cache_tags", "Cache tags", "Cache-Markierungen", 255),
		datetime("last_updated", "Last updated", "Zuletzt aktualisiert"),
		datetime("new_until", "New until", "Neu bis"),
		text("notes", "Notes for editors", "Notizen für die Redaktion"),
		configurationColumn(),
		categories(),
	}
}

// indexed limits a column to pages that search engines may take up.
func indexed(c Column) Column {
	c.When = &Condition{Column: "no_index", Values: []string{"", "0"}}
	return c
}

// configurationColumn is what narrows the forms on a page and below it; only
// administrators write it.
func configurationColumn() Column {
	c := text(ColumnConfiguration, "Configuration", "Konfiguration")
	c.ReadOnly = true
	return c
}
