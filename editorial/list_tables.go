package editorial

import (
	"context"
	"fmt"
	"strings"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/content"
)

// maxTables is how many tables are listed.
const maxTables = 400

type tablesRequest struct {
	Filter string `json:"filter" is:"optional,max=64" about:"Only tables whose name or label holds this"`
}

func (d desk) listTables() imprimatur.Tool {
	return reader(d, reading[tablesRequest]{
		name: "list_tables", group: groupStructure, neutral: noTable, read: desk.listOfTables,
		description: "Lists the tables whose records you may read, with what they are called and what their records have. It shows no records.",
	})
}

func (d desk) listOfTables(_ context.Context, u imprimatur.User, args tablesRequest) (string, error) {
	var a answer
	listed, wanted := 0, folded(args.Filter)
	for _, t := range d.tables(u) {
		label := d.english(d.repo.Schema().TableLabel(t.Name))
		if !strings.Contains(folded(t.Name+" "+label), wanted) {
			continue
		}
		if listed == maxTables || !a.addf("- %s “%s”: %s", t.Name, label, traits(u, t)) {
			a.closing("There are more; filter them.")
			break
		}
		listed++
	}
	if listed == 0 {
		return "", refuseNeutrally(noTable)
	}
	return a.String(), nil
}

// english is a label for the model.
func (d desk) english(label imprimatur.ByLanguage) string {
	return excerpt(content.In(label, catalogue.English), excerptLength)
}

// traits says what the records of a table have.
func traits(u imprimatur.User, t *content.Table) string {
	has := []string{fmt.Sprintf("%d columns", len(t.Columns))}
	add := func(holds bool, format string, args ...any) {
		if holds {
			has = append(has, fmt.Sprintf(format, args...))
		}
	}
	add(t.LabelField != "", "named by %s", t.LabelField)
	add(t.TypeField != "", "kinds in %s", t.TypeField)
	add(t.HiddenField != "", "hidden by %s", t.HiddenField)
	add(t.Translated, "translatable")
	add(t.Sorted, "in an order")
	add(t.RootLevel, "on no page")
	if t.Owner != nil {
		add(true, "each of a record of %s in %s", t.Owner.Table, t.Owner.Column)
	}
	add(t.ReadOnly || !content.MayModify(u, t.Name), "read-only")
	return strings.Join(has, ", ")
}
