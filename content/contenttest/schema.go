package contenttest

import (
	"testing"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
)

// Schema is the built-in one with tables of an extension:
//
//	news        awkward labels: one refers to nothing, one holds a colon, two
//	            values share one; one file field, in the form of articles alone
//	exhibits    two file fields, a relation, a list, a select column whose items
//	            come from elsewhere, a column that not every record has
//	venues      no file field
//	memos       no hidden column
//	secrets     sensitive
//	statistics  read-only
//	plans       for administrators
//	internals   not to be listed
func Schema(t testing.TB) *content.Schema {
	t.Helper()
	tables := append([]content.Table{newsTable(), exhibitsTable()}, plainTables()...)
	s, err := content.DefaultSchema().With(tables, map[string]imprimatur.ByLanguage{
		"news":       {"en": "News item", "de": "Nachricht"},
		"news.title": {"en": "Headline:", "de": "Schlagzeile:"},
	})
	if err != nil {
		t.Fatalf("making the schema: %v", err)
	}
	return s
}

func newsTable() content.Table {
	return content.Table{
		Name: "news", Label: content.ParseLabel("label:news"), LabelField: "title", HiddenField: "hidden", TypeField: "kind",
		Translated: true, Sorted: true,
		Columns: []content.Column{
			{Name: "title", Label: content.ParseLabel("label:news.title"), Type: content.TypeInput, Required: true, Max: 100},
			{Name: "kind", Label: content.ParseLabel("Kind:"), Type: content.TypeSelect, Default: "article", Items: []content.Item{
				{Value: "article", Label: content.Literal("Article")},
				{Value: "link", Label: content.Literal("Article")},
				{Value: "wide", Label: content.ParseLabel("16:9")},
			}},
			{Name: "teaser", Label: content.ParseLabel("label:news.lost"), Type: content.TypeText, Exclude: true},
			{Name: "price", Type: content.TypeNumber, Min: 1, Max: 1000},
			{Name: "contact", Type: content.TypeEmail},
			{Name: "tint", Type: content.TypeColor},
			{Name: "day", Type: content.TypeDatetime},
			{Name: "top", Type: content.TypeCheck},
			{Name: "size", Type: content.TypeRadio, Items: []content.Item{{Value: "s"}, {Value: "l"}}, Default: "s"},
			{Name: "hidden", Label: content.Literal("Hidden"), Type: content.TypeCheck, Default: int64(1)},
			{Name: "pictures", Label: content.Literal("Pictures"), Type: content.TypeFile, Extensions: []string{"jpg", "png"}, MaxItems: 2},
		},
		Types: []content.Type{
			{Value: "article", Columns: []string{"title", "teaser", "pictures"}},
			{Value: "link", Columns: []string{"title"}, Overrides: map[string]content.Label{"title": content.Literal("Link text:")}},
		},
	}
}

func labelled(en, de string) content.Label {
	return content.Label{Text: imprimatur.ByLanguage{"en": en, "de": de}}
}

func exhibitsTable() content.Table {
	images := []string{"jpg", "png"}
	return content.Table{
		Name: "exhibits", Label: labelled("Exhibit", "Exponat"), LabelField: "name", HiddenField: "hidden", TypeField: "kind",
		Translated: true, Sorted: true,
		Columns: []content.Column{
			{Name: "name", Label: labelled("Name", "Bezeichnung"), Type: content.TypeInput, Required: true, Max: 80},
			{Name: "kind", Label: labelled("Kind", "Art"), Type: content.TypeSelect, Default: "object", AuthMode: true, Items: []content.Item{
				{Value: "object", Label: labelled("Object", "Gegenstand")},
				{Value: "loan", Label: labelled("Loan", "Leihgabe")},
			}},
			{Name: "lender", Label: labelled("Lent by", "Geliehen von"), Type: content.TypeInput, When: &content.Condition{Column: "kind", Values: []string{"loan"}}},
			{Name: "since", Label: labelled("Here since", "Hier seit"), Type: content.TypeDatetime, Inherited: true},
			{Name: "height", Label: labelled("Height in centimetres", "Höhe in Zentimetern"), Type: content.TypeNumber, Integer: true, Min: 1, Max: 5000},
			{Name: "story", Label: labelled("Story", "Geschichte"), Type: content.TypeText, Rich: true},
			{Name: "room", Label: labelled("Room", "Raum"), Type: content.TypeSelect, Dynamic: true},
			{Name: "page", Label: labelled("Page about it", "Seite darüber"), Type: content.TypeRelation, Target: content.Pages},
			{Name: "related", Label: labelled("Related exhibits", "Verwandte Exponate"), Type: content.TypeRelation, Target: "exhibits", Many: true},
			{Name: "link", Label: labelled("Link", "Verknüpfung"), Type: content.TypeLink},
			{Name: "path", Label: labelled("Path", "Pfad"), Type: content.TypeSlug},
			{Name: "options", Label: labelled("Options", "Optionen"), Type: content.TypeFlex},
			{Name: "inventory", Label: labelled("Inventory number", "Inventarnummer"), Type: content.TypeInput, ReadOnly: true},
			{Name: "hidden", Label: labelled("Hidden", "Verborgen"), Type: content.TypeCheck},
			{Name: "pictures", Label: labelled("Pictures", "Bilder"), Type: content.TypeFile, Extensions: images},
			{Name: "papers", Label: labelled("Papers", "Unterlagen"), Type: content.TypeFile},
		},
		Types: []content.Type{
			{Value: "object", Label: labelled("Object", "Gegenstand"), Columns: []string{
				"name", "kind", "since", "height", "story", "room", "page", "related", "link", "path", "options", "inventory", "hidden", "pictures", "papers",
			}},
			{Value: "loan", Label: labelled("Loan", "Leihgabe"), Columns: []string{"name", "kind", "lender", "since", "story", "hidden", "pictures"}},
		},
	}
}

// plainTables have a title, are hidden by a column and differ in one thing each.
func plainTables() []content.Table {
	plain := func(name, en, de string, bend func(*content.Table)) content.Table {
		t := content.Table{
			Name: name, Label: labelled(en, de), LabelField: "title", HiddenField: "hidden",
			Columns: []content.Column{
				{Name: "title", Label: labelled("Title", "Titel"), Type: content.TypeInput, Required: true, Max: 100},
				{Name: "hidden", Label: labelled("Hidden", "Verborgen"), Type: content.TypeCheck},
			},
		}
		bend(&t)
		return t
	}
	return []content.Table{
		plain("venues", "Venue", "Veranstaltungsort", func(*content.Table) {}),
		plain("memos", "Memo", "Notiz", func(t *content.Table) { t.HiddenField, t.Columns = "", t.Columns[:1] }),
		plain("secrets", "Secret", "Geheimnis", func(t *content.Table) { t.Sensitive = true }),
		plain("statistics", "Statistic", "Statistik", func(t *content.Table) { t.ReadOnly = true }),
		plain("plans", "Floor plan", "Lageplan", func(t *content.Table) { t.AdminOnly = true }),
		plain("internals", "Internal record", "Interner Datensatz", func(t *content.Table) { t.HideTable = true }),
	}
}
