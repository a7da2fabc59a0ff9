package editorial

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/content"
)

// Columns that keep something from visitors although it is not hidden.
const (
	columnStart  = "starttime"
	columnStop   = "endtime"
	columnGroups = "fe_group"
)

// publishRecord makes one page or content element visible, and nothing else.
func (d desk) publishRecord() imprimatur.Tool {
	return writer(d, definition[recordArgs]{
		name: "publish_record",
		description: "Makes one hidden page or content element, or a hidden translation of one, visible. It changes nothing else: publishing times, user groups, " +
			"subpages and other languages stay as they are. A person must approve the call.",
		effect: imprimatur.IdempotentWrite,
		plan:   desk.planPublication,
	})
}

func (d desk) planPublication(ctx context.Context, u imprimatur.User, args recordArgs) (*plan, error) {
	rec, err := d.editable(ctx, u, content.Ref{Table: args.Table, UID: args.UID}, content.BitEdit)
	if err != nil {
		return nil, err
	}
	if err := d.grants(u, args.Table, []string{content.ColumnHidden}); err != nil {
		return nil, err
	}
	p := publishing{surrounded: rec}
	if rec.Origin > 0 {
		if p.origin, err = d.repo.Row(ctx, content.Ref{Table: args.Table, UID: rec.Origin}); err != nil {
			return nil, err
		}
	}
	return p.plan(ctx, d)
}

// publishing is a call that may be carried out.
type publishing struct {
	surrounded
	origin content.Record // default-language version; the zero record where there is no other
}

func (p publishing) plan(ctx context.Context, d desk) (*plan, error) {
	language, err := d.languageLine(ctx, p.Record)
	if err != nil {
		return nil, err
	}
	made := &plan{seen: content.Versions{}, report: p.report}
	p.add(made.seen)
	if p.origin.UID != 0 {
		made.seen.Add(p.origin)
	}
	if p.Hidden() {
		made.changes = []content.Change{{
			Op: content.Update, Table: p.Table, UID: p.UID, Fields: map[string]any{content.ColumnHidden: 0},
		}}
	}
	heading := catalogue.HeadingPublishElement
	if p.page() {
		heading = catalogue.HeadingPublishPage
	}
	made.lines = append(made.lines, catalogue.Heading(heading))
	made.lines = append(made.lines, p.objectLines(d)...)
	made.lines = append(made.lines, p.locationLine(), language)
	made.lines = append(made.lines, p.visibility())
	made.lines = append(made.lines, p.restrictions()...)
	made.lines = append(made.lines, catalogue.Technical(p.technical()...))
	return made, nil
}

// visibility is what the call changes, or that there is nothing to change.
func (p publishing) visibility() imprimatur.Text {
	if !p.Hidden() {
		return sentence(catalogue.RecordVisibleAlready, nil)
	}
	return imprimatur.Text{Role: imprimatur.RoleField, Phrase: phrase(catalogue.FieldChange, map[string]any{
		"name": words(catalogue.Visibility), "current": words(catalogue.RecordHidden), "proposed": words(catalogue.RecordVisible),
	})}
}

// restrictions keep visitors from seeing the record all the same. Whether a
// time has come is for the reader to say: the lines do not depend on the clock.
func (p publishing) restrictions() []imprimatur.Text {
	var lines []imprimatur.Text
	if start := p.Int(columnStart); start != 0 {
		lines = append(lines, important(catalogue.RecordStart, map[string]any{"time": dateTime(start)}))
	}
	if stop := p.Int(columnStop); stop != 0 {
		lines = append(lines, important(catalogue.RecordStop, map[string]any{"time": dateTime(stop)}))
	}
	if len(p.groups()) > 0 {
		lines = append(lines, important(catalogue.RecordGroups, nil))
	}
	if p.origin.UID != 0 && p.origin.Hidden() {
		lines = append(lines, important(catalogue.RecordOriginHidden, nil))
	}
	return lines
}

// groups are the user groups that the record is for, as stored; none is
// everybody.
func (p publishing) groups() []string {
	return slices.DeleteFunc(strings.Split(p.Text(columnGroups), ","), func(g string) bool {
		g = strings.TrimSpace(g)
		return g == "" || g == "0"
	})
}

func (p publishing) technical() []imprimatur.Phrase {
	parts := []imprimatur.Phrase{
		technicalRecord(p.Record), p.aboveUID(), uid(catalogue.TechnicalLanguage, p.Language),
		phrase(catalogue.TechnicalField, map[string]any{"field": content.ColumnHidden}),
	}
	if p.origin.UID != 0 {
		parts = append(parts, uid(catalogue.RecordOrigin, p.origin.UID))
	}
	if groups := p.groups(); len(groups) > 0 {
		parts = append(parts, phrase(catalogue.RecordGroupUIDs, map[string]any{"uids": excerpt(strings.Join(groups, ", "), excerptLength)}))
	}
	return parts
}

// report reads back. The sentence for the model repeats what still keeps
// visitors away.
func (p publishing) report(ctx context.Context, d desk, _ content.Outcome) (imprimatur.Result, error) {
	if !p.Hidden() {
		return imprimatur.Result{Content: fmt.Sprintf("Nothing to change: %s is visible already.%s", d.named(p.Record), p.stillKept())}, nil
	}
	now, err := d.repo.Row(ctx, p.Ref())
	if err != nil {
		return imprimatur.Result{}, fmt.Errorf("read back what was made visible: %w", err)
	}
	names := slices.DeleteFunc(altered(p.Record, now), func(name string) bool { return name == content.ColumnHidden })
	switch {
	case now.Hidden():
		return imprimatur.Result{}, undo("The repository left %s hidden.", d.named(p.Record))
	case len(names) > 0:
		return imprimatur.Result{}, undo("The repository would have changed %s of %s as well.", listed(names), d.named(p.Record))
	}
	return imprimatur.Result{
		Wrote:   &imprimatur.Written{Table: p.Table, UID: p.UID, Kind: "updated", Complete: true},
		Content: fmt.Sprintf("Made %s visible.%s", d.named(p.Record), p.stillKept()),
	}, nil
}

func (p publishing) stillKept() string {
	var b strings.Builder
	if start := p.Int(columnStart); start != 0 {
		fmt.Fprintf(&b, " It has a start time: %s.", dateTime(start))
	}
	if stop := p.Int(columnStop); stop != 0 {
		fmt.Fprintf(&b, " It has a stop time: %s.", dateTime(stop))
	}
	if len(p.groups()) > 0 {
		b.WriteString(" It shows to certain user groups only.")
	}
	if p.origin.UID != 0 && p.origin.Hidden() {
		fmt.Fprintf(&b, " Its version in the default language, %s %d, is still hidden.", p.origin.Table, p.origin.UID)
	}
	return b.String()
}
