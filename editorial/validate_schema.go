package editorial

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
)

// maxFindings is how many oddities are told.
const maxFindings = 100

type validateRequest struct {
	Table string `json:"table" is:"optional,max=64" about:"Table to look at; all that you may read if left out"`
}

func (d desk) validateSchema() imprimatur.Tool {
	return reader(d, reading[validateRequest]{
		name: "validate_schema", group: groupStructure, neutral: noTable, read: desk.oddities,
		description: "Looks for what is odd in the description of tables: labels that are missing or refer to nothing, values that cannot be told apart, kinds that cannot be chosen, columns that no form shows. It shows no records.",
	})
}

// oddities are not faults: a schema with faults does not open.
func (d desk) oddities(_ context.Context, u imprimatur.User, args validateRequest) (string, error) {
	tables := d.tables(u)
	if args.Table != "" {
		t, err := d.table(u, args.Table, noTable)
		if err != nil {
			return "", err
		}
		tables = []*content.Table{t}
	}
	if len(tables) == 0 {
		return "", refuseNeutrally(noTable)
	}
	var all []string
	for _, t := range tables {
		all = append(all, oddTable(d.repo.Schema(), t)...)
	}
	var a answer
	a.closing("Looked at %d tables.", len(tables))
	for i, one := range all {
		if i == maxFindings || !a.addf("- %s", one) {
			a.closing("… and %d more.", len(all)-i)
			break
		}
	}
	if len(all) == 0 {
		a.closing("Nothing is odd.")
	}
	return a.String(), nil
}

func oddTable(s *content.Schema, t *content.Table) (all []string) {
	say := func(format string, args ...any) { all = append(all, t.Name+fmt.Sprintf(format, args...)) }
	if problem := oddLabel(s, t.Label); problem != "" {
		say(": %s", problem)
	}
	for _, c := range t.Columns {
		if problem := oddLabel(s, c.Label); problem != "" {
			say(".%s: %s", c.Name, problem)
		}
		for _, twice := range sameLabels(s, t.Name, c) {
			say(".%s: %s", c.Name, twice)
		}
		shown := func(k content.Type) bool { return slices.Contains(k.Columns, c.Name) }
		if c.Required && len(t.Types) > 0 && !slices.ContainsFunc(t.Types, shown) {
			say(".%s: it is required, and no form shows it", c.Name)
		}
	}
	kind, _ := t.Column(t.TypeField)
	for _, k := range t.Types {
		offered := func(i content.Item) bool { return i.Value == k.Value }
		if !kind.Dynamic && !slices.ContainsFunc(kind.Items, offered) {
			say(": the kind %s has a form, and %s does not offer it", k.Value, kind.Name)
		}
	}
	for _, item := range kind.Items {
		if _, ok := t.Kind(item.Value); !ok && len(t.Types) > 0 {
			say(".%s: it offers %s, which has no form", kind.Name, item.Value)
		}
	}
	return all
}

// oddLabel says why a label shows as a bare name, or nothing.
func oddLabel(s *content.Schema, l content.Label) string {
	switch {
	case l.Reference != "" && len(s.Labels[l.Reference]) == 0:
		return fmt.Sprintf("its label refers to %s, which is nothing", l.Reference)
	case l.Reference == "" && len(l.Text) == 0:
		return "it has no label"
	default:
		return ""
	}
}

// sameLabels names values of a column that people cannot tell apart.
func sameLabels(s *content.Schema, table string, c content.Column) (all []string) {
	values := map[string][]string{}
	var labels []string
	for _, item := range c.Items {
		label := content.In(s.ItemLabel(table, c.Name, item.Value), "en")
		if len(values[label]) == 0 {
			labels = append(labels, label)
		}
		values[label] = append(values[label], item.Value)
	}
	for _, label := range labels {
		if len(values[label]) > 1 {
			all = append(all, fmt.Sprintf("the values %s are all called “%s”", strings.Join(values[label], ", "), excerpt(label, excerptLength)))
		}
	}
	return all
}
