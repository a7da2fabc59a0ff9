package editorial_test

import (
	"slices"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/content"
)

func elementPromises() map[string]promises {
	return map[string]promises{
		"create_content_element_draft": {argRef(content.Pages, "page"), newElementPromises()},
		"update_content_element": {argRef(content.Elements, "uid"), map[imprimatur.Label]promise{
			anyHeading:                  heading(catalogue.HeadingUpdateElement),
			catalogue.ObjectContent:     object(catalogue.ObjectContent),
			catalogue.ObjectContentType: elementType,
			catalogue.WhereLocation:     location,
			catalogue.WhereLanguage:     language,
			schemaField: func(a *account) string {
				column := a.schemaColumn(a.was())
				return a.becomes(a.line.Label, a.was(), a.is(), column)
			},
		}},
		"move_content_element":     {argRef(content.Elements, "uid"), movedElementPromises()},
		"create_translation_draft": {argTable("uid"), translationPromises()},
	}
}

func newElementPromises() map[imprimatur.Label]promise {
	twin := func(label imprimatur.Label, hidden int64) promise {
		return func(a *account) string {
			made := a.made(content.Elements)
			a.expect(len(a.before.records(content.Elements, having("pid", a.about.UID), func(r *storedRow) bool {
				return a.kind(r) == a.kind(made) && collapsed(r.field("header")) == collapsed(made.field("header")) && r.count("hidden") == hidden
			})) > 0, "there is none")
			return a.warning(label)
		}
	}
	return map[imprimatur.Label]promise{
		anyHeading: heading(catalogue.HeadingCreateElement),
		catalogue.WhereLocation: func(a *account) string {
			a.announce(a.made(content.Elements), a.about.UID)
			return a.named(catalogue.WhereLocation, a.onPage(a.about.UID))
		},
		catalogue.ObjectContentType: func(a *account) string {
			made := a.made(content.Elements)
			a.cover(made, inFields+content.ColumnKind)
			return a.named(catalogue.ObjectContentType, a.kindLabel(made))
		},
		schemaField: func(a *account) string {
			made := a.made(content.Elements)
			column := a.schemaColumn(made)
			if !made.has(column) && column == "bodytext" {
				return a.say(catalogue.FieldNew, "name", a.line.Label, "proposed", a.say(catalogue.ElementNotGiven))
			}
			return a.given(a.line.Label, made, column)
		},
		catalogue.WhereLanguage: func(a *account) string {
			made := a.made(content.Elements)
			a.inLanguage(made, a.arg("language"), 0)
			if made.number("language") == 0 {
				return a.named(catalogue.WhereLanguage, a.say(catalogue.LanguageDefault))
			}
			return a.named(catalogue.WhereLanguage, a.languageName(made.number("language")))
		},
		catalogue.WherePosition: func(a *account) string {
			made := a.made(content.Elements)
			a.cover(made, inFields+content.ColumnPosition)
			return a.named(catalogue.WherePosition, a.say(catalogue.Places,
				"where", a.column(made.count(content.ColumnPosition)),
				"position", a.position(made, a.arg("after_content_uid"), catalogue.FirstElement)))
		},
		catalogue.Visibility:        func(a *account) string { return a.hiddenAtFirst(a.made(content.Elements)) },
		catalogue.ElementImpact:     heading(catalogue.ElementImpact),
		catalogue.ElementTwin:       twin(catalogue.ElementTwin, 0),
		catalogue.ElementHiddenTwin: twin(catalogue.ElementHiddenTwin, 1),
	}
}

func movedElementPromises() map[imprimatur.Label]promise {
	return map[imprimatur.Label]promise{
		anyHeading:                  heading(catalogue.HeadingMoveElement),
		catalogue.ObjectContent:     object(catalogue.ObjectContent),
		catalogue.ObjectContentType: elementType,
		catalogue.WhereLanguage:     language,
		catalogue.WhereCurrently: func(a *account) string {
			return a.named(catalogue.WhereCurrently, a.say(catalogue.Places,
				"where", a.onPage(a.was().number("pid")), "position", a.column(a.was().count(content.ColumnPosition))))
		},
		catalogue.WhereNew: func(a *account) string {
			a.expect(a.is().number("pid") == a.arg("target_page"), "it is on page %d", a.is().number("pid"))
			a.cover(a.is(), "pid")
			return a.named(catalogue.WhereNew, a.elementPlace(a.is(), a.arg("after_content_uid")))
		},
		catalogue.ElementThereAlready: nothingChanged(catalogue.ElementThereAlready),
		catalogue.Translations: func(a *account) string {
			rows := a.after.records(content.Elements, having("origin", a.about.UID))
			for _, r := range rows {
				a.expect(r.number("pid") == a.is().number("pid") && r.count(content.ColumnPosition) == a.is().count(content.ColumnPosition), "%s stayed behind", r.key)
				a.directlyAfter(r, a.is())
				a.cover(r, "pid", inFields+content.ColumnPosition)
				a.place(r)
			}
			return a.movesAlong(catalogue.Translations, len(rows))
		},
		catalogue.ElementFiles: func(a *account) string {
			return a.movesAlong(catalogue.ElementFiles, a.followed(func(table string) bool { return table == content.FileReferences }))
		},
		catalogue.ElementRecords: func(a *account) string {
			return a.movesAlong(catalogue.ElementRecords, a.followed(func(table string) bool {
				t, _ := a.schema.Table(table)
				return t.Owner != nil
			}))
		},
	}
}

func (a *account) movesAlong(name imprimatur.Label, n int) string {
	return a.named(name, a.say(catalogue.ElementMovesAlong, "count", n))
}

// followed counts the rows of tables that went to the page of the call as what
// belongs to its element, and accounts for them.
func (a *account) followed(table func(string) bool) int {
	along := map[string]bool{recordKey(a.about): true}
	for _, r := range a.after.records(content.Elements, having("origin", a.about.UID)) {
		along[r.key] = true
	}
	n := 0
	for grown := true; grown; {
		grown = false
		for key, r := range a.after[recordTable] {
			if along[key] || !r.live() || !along[recordKey(a.owner(r))] {
				continue
			}
			along[key], grown = true, true
			a.expect(!table(r.tab()) || r.number("pid") == a.is().number("pid"), "%s stayed behind", key)
			if table(r.tab()) {
				a.cover(r, "pid")
				n++
			}
		}
	}
	return n
}

// owner is the record that another one belongs to.
func (a *account) owner(r *storedRow) content.Ref {
	t, _ := a.schema.Table(r.tab())
	switch {
	case t.Name == content.FileReferences:
		return content.Ref{Table: r.field(content.ColumnOwnerTable), UID: r.count(content.ColumnOwner)}
	case t.Owner != nil:
		return content.Ref{Table: t.Owner.Table, UID: r.count(t.Owner.Column)}
	}
	return content.Ref{}
}

func translationPromises() map[imprimatur.Label]promise {
	root := func(a *account) copyPair { return append(a.copiesOf(true, itself), copyPair{})[0] }
	return map[imprimatur.Label]promise{
		anyHeading:                  heading(catalogue.HeadingTranslate),
		catalogue.ObjectPage:        object(catalogue.ObjectPage),
		catalogue.ObjectContent:     object(catalogue.ObjectContent),
		catalogue.ObjectContentType: elementType,
		catalogue.WhereLocation:     location,
		catalogue.TranslationLanguage: func(a *account) string {
			return a.named(catalogue.TranslationLanguage, a.languageName(root(a).to.number("language")))
		},
		catalogue.WhereNew: func(a *account) string {
			a.coverTranslation(root(a), a.arg("language"))
			a.place(root(a).to)
			a.directlyAfter(root(a).to, a.is())
			return a.named(catalogue.WhereNew, a.say(catalogue.TranslationCopy))
		},
		catalogue.PageURLPath: func(a *account) string { return a.path(a.say(catalogue.PageURLPath), root(a).to) },
		catalogue.TranslationTexts: func(a *account) string {
			return a.named(catalogue.TranslationTexts, a.columnNames(func(c content.Column) bool {
				text := c.Type == content.TypeInput || c.Type == content.TypeText
				return text && root(a).to.field(c.Name) != "" && root(a).to.value(c.Name) == a.was().value(c.Name)
			}))
		},
		catalogue.TranslationInherited: func(a *account) string {
			return a.named(catalogue.TranslationInherited, a.columnNames(func(c content.Column) bool {
				return c.Inherited && !root(a).to.has(c.Name) && a.was().field(c.Name) != ""
			}))
		},
		catalogue.ElementFiles:             translatedAlong(catalogue.ElementFiles, files),
		catalogue.ElementRecords:           translatedAlong(catalogue.ElementRecords, others),
		catalogue.Visibility:               func(a *account) string { return a.hiddenAtFirst(root(a).to) },
		catalogue.TranslationDiscarded:     discarded,
		catalogue.TranslationDiscardedWith: discardedWith,
		catalogue.TranslationImpact:        heading(catalogue.TranslationImpact),
	}
}

func translatedAlong(name imprimatur.Label, k kin) promise {
	return func(a *account) string {
		pairs := a.copiesOf(true, k)
		for _, p := range pairs {
			a.coverTranslation(p, a.arg("language"))
		}
		return a.named(name, a.say(catalogue.ElementCopiedAlong, "count", len(pairs)))
	}
}

// columnNames are what columns of the form of the record are called, of those
// that are wanted: six of them, and how many more.
func (a *account) columnNames(wanted func(content.Column) bool) any {
	t, _ := a.schema.Table(a.about.Table)
	k, _ := t.Kind(a.kind(a.was()))
	var names []imprimatur.Phrase
	for _, name := range k.Columns {
		if c, _ := t.Column(name); wanted(c) {
			names = append(names, imprimatur.Phrase{Label: catalogue.QuotedText, Values: map[string]any{"text": a.schema.ColumnLabel(t.Name, k.Value, name)}})
		}
	}
	if more := len(names) - 6; more > 0 {
		return a.say(catalogue.TranslationMoreNames, "names", names[:6], "count", more)
	}
	return names
}

// discarded is the translation that was there: it is deleted, with what
// belongs to it.
func discarded(a *account) string {
	for _, r := range a.gone() {
		if r.tab() == a.about.Table && r.number("origin") == a.about.UID && r.number("language") == a.arg("language") {
			a.cover(a.after[recordTable][r.key], "deleted")
			return a.warning(catalogue.TranslationDiscarded, "record", a.title(r))
		}
	}
	a.find("%q: no translation was deleted", a.line.Text)
	return ""
}

func discardedWith(a *account) string {
	gone := a.gone()
	n := 0
	for _, r := range gone {
		belongs := slices.ContainsFunc(gone, func(o *storedRow) bool {
			return a.owner(r) == o.ref() || r.tab() == o.tab() && r.number("origin") == o.uid() && r.number("origin") != a.about.UID
		})
		if belongs {
			a.cover(a.after[recordTable][r.key], "deleted")
			n++
		}
	}
	return a.named(catalogue.TranslationDiscardedWith, a.say(catalogue.TranslationDiscardedRest, "count", n))
}
