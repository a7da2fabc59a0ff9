package editorial

import (
	"context"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/content"
)

// The lines and parts of lines that the tools share, in the order of a preview:
// heading, object, where, current and new, consequences, technical details.

func phrase(label imprimatur.Label, values map[string]any) imprimatur.Phrase {
	return imprimatur.Phrase{Label: label, Values: values}
}

func pageLine(page content.Record) imprimatur.Text {
	return catalogue.Named(imprimatur.RoleObject, catalogue.ObjectPage, catalogue.Quoted(page.Text("title")))
}

func (d desk) elementLines(element content.Record) []imprimatur.Text {
	kind := d.repo.Schema().KindLabel(content.Elements, element.Text(content.ColumnKind))
	return []imprimatur.Text{
		catalogue.Named(imprimatur.RoleObject, catalogue.ObjectContent, catalogue.Quoted(element.Text("header"))),
		catalogue.Named(imprimatur.RoleObject, catalogue.ObjectContentType, kind),
	}
}

func locationLine(page content.Record) imprimatur.Text {
	return catalogue.Named(imprimatur.RoleWhere, catalogue.WhereLocation,
		phrase(catalogue.OnPage, map[string]any{"page": catalogue.Quoted(page.Text("title"))}))
}

// languageLine says which language a record is in.
func (d desk) languageLine(ctx context.Context, rec content.Record) (imprimatur.Text, error) {
	language := phrase(catalogue.LanguageDefault, nil)
	switch {
	case rec.Language < 0:
		language = phrase(catalogue.LanguageAll, nil)
	case rec.Language > 0:
		name, _, err := d.repo.LanguageLabel(ctx, rec.Language)
		if err != nil {
			return imprimatur.Text{}, err
		}
		language = phrase(catalogue.LanguageTranslation, map[string]any{"language": name})
	}
	return catalogue.Named(imprimatur.RoleWhere, catalogue.WhereLanguage, language), nil
}

// given is the line of a value that a call gives where none was before.
func given(name imprimatur.Label, value string) imprimatur.Text {
	return imprimatur.Text{Role: imprimatur.RoleField, Phrase: phrase(catalogue.FieldNew, map[string]any{
		"name": phrase(name, nil), "proposed": catalogue.Quoted(value),
	})}
}

// uid is the part of the technical line that names a record of a kind.
func uid(label imprimatur.Label, uid int64) imprimatur.Phrase {
	return phrase(label, map[string]any{"uid": uid})
}

func technicalRecord(rec content.Record) imprimatur.Phrase {
	return phrase(catalogue.TechnicalRecord, map[string]any{"table": rec.Table, "uid": rec.UID})
}
