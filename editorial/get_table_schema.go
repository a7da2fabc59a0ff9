package editorial

import (
	"context"
	"fmt"
	"strings"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
)

// Bounds of get_table_schema.
const (
	maxColumns = 300
	maxItems   = 60 // of one column
)

type tableRequest struct {
	Table string `json:"table" is:"min=1,max=64" about:"Table to describe; list_tables names them"`
}

func (d desk) getTableSchema() imprimatur.Tool {
	return reader(d, reading[tableRequest]{
		name: "get_table_schema", group: groupStructure, neutral: noTable, read: desk.schemaOf,
		description: "Describes a table: its columns with type, label, bounds and values, and the columns of each kind of record. It shows no records.",
	})
}

func (d desk) schemaOf(_ context.Context, u imprimatur.User, args tableRequest) (string, error) {
	t, err := d.table(u, args.Table, noTable)
	if err != nil {
		return "", err
	}
	var a answer
	a.closing("Table %s “%s”: %s", t.Name, d.english(d.repo.Schema().TableLabel(t.Name)), traits(u, t))
	for i, c := range t.Columns {
		if i == maxColumns || !a.addf("- %s", d.columnTraits(u, t, c)) {
			a.closing("… and %d more columns.", len(t.Columns)-i)
			break
		}
	}
	for i, k := range t.Types {
		label := d.english(d.repo.Schema().KindLabel(t.Name, k.Value))
		if !a.addf("Kind %s “%s”: %s", k.Value, label, strings.Join(k.Columns, ", ")) {
			a.closing("… and %d more kinds.", len(t.Types)-i)
			break
		}
	}
	return a.String(), nil
}

func (d desk) columnTraits(u imprimatur.User, t *content.Table, c content.Column) string {
	has := []string{string(c.Type)}
	add := func(holds bool, format string, args ...any) {
		if holds {
			has = append(has, fmt.Sprintf(format, args...))
		}
	}
	add(c.Rich, "HTML")
	add(c.Required, "required")
	add(c.Type == content.TypeNumber && (c.Min != 0 || c.Max != 0), "from %d to %d", c.Min, c.Max)
	add(c.Type != content.TypeNumber && c.Max > 0, "at most %d characters", c.Max)
	add(c.Target != "", "refers to %s", c.Target)
	add(c.Many, "any number of them")
	add(c.MaxItems > 0, "at most %d files", c.MaxItems)
	add(len(c.Extensions) > 0, "takes %s", strings.Join(c.Extensions, ", "))
	add(c.Inherited, "the same in every language")
	if c.When != nil {
		add(true, "only where %s is %s", c.When.Column, strings.Join(c.When.Values, " or "))
	}
	add(len(c.Items) > 0, "one of %s", d.items(t.Name, c))
	add(c.Dynamic || c.Open, "takes other values as well")
	add(!leaves(c), "never shown")
	add(!d.repo.MayUseField(u, t.Name, c.Name), "you may not change it")
	return fmt.Sprintf("%s “%s”: %s", c.Name, d.english(d.repo.Schema().ColumnLabel(t.Name, "", c.Name)), strings.Join(has, "; "))
}

func (d desk) items(table string, c content.Column) string {
	var all []string
	for _, item := range c.Items[:min(len(c.Items), maxItems)] {
		value := item.Value
		if value == "" {
			value = "(empty)"
		}
		all = append(all, fmt.Sprintf("%s “%s”", value, d.english(d.repo.Schema().ItemLabel(table, c.Name, item.Value))))
	}
	if more := len(c.Items) - maxItems; more > 0 {
		all = append(all, fmt.Sprintf("%d more", more))
	}
	return strings.Join(all, ", ")
}
