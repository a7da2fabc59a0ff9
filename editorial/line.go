package editorial

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/tool"
)

// The lines and parts of lines that the tools share, in the order of a preview:
// heading, object, where, current and new, consequences, technical details.

func phrase(label imprimatur.Label, values map[string]any) imprimatur.Phrase {
	return imprimatur.Phrase{Label: label, Values: values}
}

// words is a phrase without values.
func words(label imprimatur.Label) imprimatur.Phrase { return imprimatur.Phrase{Label: label} }

// quotedLabel is what the schema calls something, in quotation marks.
func quotedLabel(texts imprimatur.ByLanguage) imprimatur.Phrase {
	return phrase(catalogue.QuotedText, map[string]any{"text": texts})
}

func pageLine(page content.Record) imprimatur.Text {
	return catalogue.Named(imprimatur.RoleObject, catalogue.ObjectPage, catalogue.Quoted(page.Text("title")))
}

func (d desk) elementLines(element content.Record) []imprimatur.Text {
	return []imprimatur.Text{
		catalogue.Named(imprimatur.RoleObject, catalogue.ObjectContent, catalogue.Quoted(element.Text("header"))),
		d.contentTypeLine(element.Text(content.ColumnKind)),
	}
}

func (d desk) contentTypeLine(kind string) imprimatur.Text {
	return catalogue.Named(imprimatur.RoleObject, catalogue.ObjectContentType, d.repo.Schema().KindLabel(content.Elements, kind))
}

// recordLines name a record of any table: what it is called, and what kind it
// is of.
func (d desk) recordLines(rec content.Record) []imprimatur.Text {
	return []imprimatur.Text{
		catalogue.Named(imprimatur.RoleObject, catalogue.ObjectRecord, catalogue.Quoted(d.repo.Schema().Title(rec))),
		d.recordTypeLine(rec.Table, d.repo.Schema().KindOf(rec)),
	}
}

func (d desk) recordTypeLine(table, kind string) imprimatur.Text {
	var value any = d.repo.Schema().TableLabel(table)
	if kind != "" {
		value = phrase(catalogue.TypedTable, map[string]any{"table": value, "type": d.repo.Schema().KindLabel(table, kind)})
	}
	return catalogue.Named(imprimatur.RoleObject, catalogue.ObjectRecordType, value)
}

func fileLine(file content.Record) imprimatur.Text {
	return catalogue.Named(imprimatur.RoleObject, catalogue.ObjectFile, catalogue.Quoted(file.Text("name")))
}

func locationLine(page content.Record) imprimatur.Text {
	return catalogue.Named(imprimatur.RoleWhere, catalogue.WhereLocation, onPage(page))
}

func onPage(page content.Record) imprimatur.Phrase {
	return phrase(catalogue.OnPage, map[string]any{"page": catalogue.Quoted(page.Text("title"))})
}

// underPage is where a page lies: under its parent; the zero record stands for
// the level above all pages.
func underPage(parent content.Record) imprimatur.Phrase {
	if parent.UID == 0 {
		return words(catalogue.TopLevel)
	}
	return phrase(catalogue.UnderPage, map[string]any{"page": catalogue.Quoted(parent.Text("title"))})
}

// behind is a position: directly after a record, or first where the record is
// the zero value.
func (d desk) behind(after content.Record, first imprimatur.Label) imprimatur.Phrase {
	if after.UID == 0 {
		return words(first)
	}
	return phrase(catalogue.DirectlyAfter, map[string]any{"record": catalogue.Quoted(d.repo.Schema().Title(after))})
}

// places joins where something is and at which position there.
func places(where, position any) imprimatur.Phrase {
	return phrase(catalogue.Places, map[string]any{"where": where, "position": position})
}

// column is what a content column is called: by its name, else its number.
func (d desk) column(number int64) imprimatur.Phrase {
	if name, ok := d.repo.Schema().ContentColumn(number); ok {
		return phrase(catalogue.ColumnNamed, map[string]any{"name": quotedLabel(name)})
	}
	return phrase(catalogue.ColumnNumbered, map[string]any{"number": number})
}

// languageLine says which language a record is in.
func (d desk) languageLine(ctx context.Context, rec content.Record) (imprimatur.Text, error) {
	language := words(catalogue.LanguageDefault)
	switch {
	case rec.Language < 0:
		language = words(catalogue.LanguageAll)
	case rec.Language > 0:
		name, _, err := d.repo.LanguageLabel(ctx, rec.Language)
		if err != nil {
			return imprimatur.Text{}, err
		}
		language = phrase(catalogue.LanguageTranslation, map[string]any{"language": name})
	}
	return catalogue.Named(imprimatur.RoleWhere, catalogue.WhereLanguage, language), nil
}

// given is the line of a value that a call gives where none was before. name is
// a label, or what the schema calls the column.
func given(name any, value string) imprimatur.Text { return givenAs(name, catalogue.Quoted(value)) }

// givenAs is given for a value that is shown as something else than itself.
func givenAs(name, value any) imprimatur.Text {
	if label, ok := name.(imprimatur.Label); ok {
		name = words(label)
	}
	return imprimatur.Text{Role: imprimatur.RoleField, Phrase: phrase(catalogue.FieldNew, map[string]any{
		"name": name, "proposed": value,
	})}
}

// field shows a column of a record and what it is to become, in the words of
// the schema.
func (d desk) field(table, kind string, c content.Column, current, proposed string) catalogue.Field {
	f := catalogue.Field{Name: d.repo.Schema().ColumnLabel(table, kind, c.Name), Column: c.Name, Current: current, Proposed: proposed}
	if c.Type == content.TypeSelect || c.Type == content.TypeRadio {
		f.CurrentItem, f.ProposedItem = d.item(table, c, current), d.item(table, c, proposed)
	}
	return f
}

// hiddenLine says that what is created cannot be seen yet.
func hiddenLine() imprimatur.Text {
	return catalogue.Named(imprimatur.RoleConsequence, catalogue.Visibility, words(catalogue.HiddenAtFirst))
}

// consequence is a line "name: value" about what else happens.
func consequence(name imprimatur.Label, value any) imprimatur.Text {
	return catalogue.Named(imprimatur.RoleConsequence, name, value)
}

// sentence is a consequence in words of its own.
func sentence(label imprimatur.Label, values map[string]any) imprimatur.Text {
	return imprimatur.Text{Role: imprimatur.RoleConsequence, Phrase: phrase(label, values)}
}

// important is a warning.
func important(label imprimatur.Label, values map[string]any) imprimatur.Text {
	return imprimatur.Text{Role: imprimatur.RoleWarning, Phrase: phrase(catalogue.Important, map[string]any{"text": phrase(label, values)})}
}

// uid is the part of the technical line that names a record of a kind.
func uid(label imprimatur.Label, uid int64) imprimatur.Phrase {
	return phrase(label, map[string]any{"uid": uid})
}

// listedUIDs is how many records a technical line names.
const listedUIDs = 10

// uids is the part of the technical line that names several records: the first
// ten, and how many more.
func uids(label imprimatur.Label, records []content.Record) imprimatur.Phrase {
	var numbers []string
	for _, rec := range records[:min(len(records), listedUIDs)] {
		numbers = append(numbers, strconv.FormatInt(rec.UID, 10))
	}
	list := phrase(catalogue.TechnicalUIDs, map[string]any{"uids": strings.Join(numbers, ", ")})
	if more := len(records) - listedUIDs; more > 0 {
		list = phrase(catalogue.TechnicalMoreUIDs, map[string]any{"uids": strings.Join(numbers, ", "), "count": more})
	}
	return phrase(label, map[string]any{"uids": list})
}

func technicalRecord(rec content.Record) imprimatur.Phrase {
	return phrase(catalogue.TechnicalRecord, map[string]any{"table": rec.Table, "uid": rec.UID})
}

// fieldNamesWidth is how many characters of names a technical line takes.
const fieldNamesWidth = 200

// technicalFields names the columns that a call sets: as many as fit, and how
// many more.
func technicalFields(names []string) imprimatur.Phrase {
	fit, width := 0, 0
	for ; fit < len(names); fit++ {
		if width += len(names[fit]) + len(", "); width > fieldNamesWidth {
			break
		}
	}
	list := strings.Join(names[:fit], ", ")
	if more := len(names) - fit; more > 0 {
		return phrase(catalogue.TechnicalFields, map[string]any{
			"fields": phrase(catalogue.TechnicalMoreUIDs, map[string]any{"uids": list, "count": more}),
		})
	}
	return phrase(catalogue.TechnicalFields, map[string]any{"fields": list})
}

// echo is what the model called something, reduced to what a name may hold.
func echo(name string) string { return fmt.Sprintf("%q", tool.Echo(name)) }
