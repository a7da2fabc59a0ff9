package content

import (
	"context"
	"fmt"
	"slices"
)

// Form is what may be filled in for a record of one kind on one page.
type Form struct {
	// Columns are in the order of the form. Those the page hides are absent,
	// items it removes are gone, and those it closes are ReadOnly.
	Columns []Column
}

// Column returns the column called name.
func (f Form) Column(name string) (Column, bool) {
	i := slices.IndexFunc(f.Columns, func(c Column) bool { return c.Name == name })
	if i < 0 {
		return Column{}, false
	}
	return f.Columns[i], true
}

// Form returns the form for records of a kind on a page: that of the schema,
// narrowed by the configurations of the page and of the pages above it. A table
// of one kind has all its columns in the form; a kind that the table does not
// know has none. Page 0 has no configuration. For a page itself, existing or
// about to be, page is that page or the one it will stand below.
//
// ErrNotFound answers a table or page that is not there. It asks nothing about
// a user.
func (r reads) Form(ctx context.Context, table, kind string, page int64) (Form, error) {
	t, ok := r.schema.Table(table)
	if !ok {
		return Form{}, ErrNotFound
	}
	form := t.form(kind)
	if page == 0 {
		return form, nil
	}
	line, err := r.Rootline(ctx, page)
	if err != nil {
		return Form{}, err
	}
	for _, p := range line {
		c, err := parseConfiguration(p.Text(ColumnConfiguration))
		if err != nil {
			return Form{}, fmt.Errorf("read the configuration of page %d: %w", p.UID, err)
		}
		form = form.narrow(c[table])
	}
	return form, nil
}

// form is what the schema offers for a kind.
func (t *Table) form(kind string) Form {
	if len(t.Types) == 0 {
		return Form{slices.Clone(t.Columns)}
	}
	k, _ := t.Kind(kind)
	var form Form
	for _, name := range k.Columns {
		if c, ok := t.Column(name); ok {
			form.Columns = append(form.Columns, c)
		}
	}
	return form
}

// narrow takes from a form what one configuration says.
func (f Form) narrow(by map[string]narrowing) Form {
	var left Form
	for _, c := range f.Columns {
		n := by[c.Name]
		if n.hidden {
			continue
		}
		c.ReadOnly = c.ReadOnly || n.readOnly
		if len(n.remove) > 0 {
			c.Items = slices.DeleteFunc(slices.Clone(c.Items), func(i Item) bool { return slices.Contains(n.remove, i.Value) })
			c.Removed = append(slices.Clone(c.Removed), n.remove...)
		}
		left.Columns = append(left.Columns, c)
	}
	return left
}
