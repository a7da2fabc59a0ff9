package editorial

import (
	"context"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/tool"
)

// defaultRecords is how many records a listing shows where a call does not say.
const defaultRecords = 20

type recordsRequest struct {
	Table  string         `json:"table" is:"min=1,max=64" about:"Table to read; list_tables names them"`
	UID    int64          `json:"uid" is:"optional,min=1" about:"UID of one record"`
	PID    *int64         `json:"pid" is:"min=0" about:"UID of the page that the records lie on; for pages, of the page above them"`
	Where  map[string]any `json:"where_equals" is:"optional,max=5" about:"Values that columns must have, by column; also language and origin"`
	Fields string         `json:"fields" is:"optional,max=1000" about:"Columns to show, with commas between them; if left out, all that have a value"`
	Limit  *int64         `json:"limit" is:"min=1,max=50" about:"How many records; 20 if left out"`
	Offset int            `json:"offset" is:"optional,min=0,max=10000" about:"How many records to leave out at the beginning"`
}

func (d desk) readRecords() imprimatur.Tool {
	return reader(d, reading[recordsRequest]{
		name: "read_records", group: groupContent, neutral: noTable, read: desk.records,
		description: "Shows records of a table with their values, each cut at 300 characters: one by its UID, those on a page in their order, or all by UID. Hidden records are there for those who may edit them. Credentials, plug-in options and configuration are never shown.",
	})
}

func (d desk) records(ctx context.Context, u imprimatur.User, args recordsRequest) (string, error) {
	neutral := noTable
	if args.UID > 0 {
		neutral = noRecord
	}
	t, err := d.table(u, args.Table, neutral)
	if err != nil {
		return "", err
	}
	shown, err := chosen(t, args.Fields)
	if err != nil {
		return "", err
	}
	where, err := conditions(t, args.Where)
	if err != nil {
		return "", err
	}
	l := &recordList{d: d, shown: shown, all: args.Fields == "", limit: orDefault(args.Limit, defaultRecords), skip: args.Offset}
	w := walker{left: 2 * maxWalk} // so that the last offset can be reached
	err = w.walk(d.recordsOf(ctx, args), func(rec content.Record) (bool, error) {
		if args.UID > 0 && args.PID != nil && rec.PID != *args.PID || !where.hold(rec) {
			return true, nil
		}
		ok, err := l.sight(u).Shows(ctx, rec)
		if err != nil || !ok {
			return true, err
		}
		return l.add(rec), nil
	})
	switch {
	case err != nil:
		return "", err
	case l.count == 0 && args.UID > 0:
		return "", refuseNeutrally(noRecord)
	}
	return l.text(args, w), nil
}

// recordsOf reads what a call is about: one record, a page, or a table.
func (d desk) recordsOf(ctx context.Context, args recordsRequest) func(content.Record, int) ([]content.Record, error) {
	switch {
	case args.UID > 0:
		return func(after content.Record, _ int) ([]content.Record, error) {
			rec, err := d.repo.Row(ctx, content.Ref{Table: args.Table, UID: args.UID})
			if err != nil || after.UID != 0 {
				return nil, neutrally(err, noRecord)
			}
			return []content.Record{rec}, nil
		}
	case args.PID != nil:
		return d.onPage(ctx, args.Table, *args.PID)
	default:
		return d.inTable(ctx, args.Table)
	}
}

// chosen are the columns that a call wants to see; all that may leave where it
// names none.
func chosen(t *content.Table, names string) ([]content.Column, error) {
	if names == "" {
		return slices.DeleteFunc(slices.Clone(t.Columns), func(c content.Column) bool { return !leaves(c) }), nil
	}
	var columns []content.Column
	for name := range strings.SplitSeq(names, ",") {
		c, ok := t.Column(strings.TrimSpace(name))
		if !ok || !leaves(c) {
			return nil, noColumn(t, name)
		}
		columns = append(columns, c)
	}
	return columns, nil
}

func noColumn(t *content.Table, name string) error {
	return refuse("There is no column %q of %s to read; get_table_schema names those there are.", tool.Echo(name), t.Name)
}

// equalities are the values that columns must have.
type equalities []equality

type equality struct {
	column string
	value  string
	number bool // no value is the same as 0
}

func conditions(t *content.Table, where map[string]any) (equalities, error) {
	var all equalities
	for _, name := range slices.Sorted(maps.Keys(where)) {
		value := where[name]
		c, ok := t.Column(name)
		structural := name == "language" || name == "origin"
		if !structural && (!ok || !leaves(c)) {
			return nil, noColumn(t, name)
		}
		e := equality{column: name, number: slices.Contains(numeric, c.Type)}
		switch v := value.(type) {
		case string:
			e.value = v
		case json.Number:
			e.value = whole(v)
		case bool:
			e.value = map[bool]string{true: "1", false: "0"}[v]
		default:
			return nil, refuse("The value of %q in where_equals must be text, a number, or true or false.", tool.Echo(name))
		}
		all = append(all, e)
	}
	return all, nil
}

// whole is a number as it is stored, however it was written: 1e3 and 1000.0 are
// 1000.
func whole(n json.Number) string {
	if i, err := n.Int64(); err == nil {
		return strconv.FormatInt(i, 10)
	}
	const exact = 1 << 53
	if f, err := n.Float64(); err == nil && f == math.Trunc(f) && math.Abs(f) < exact {
		return strconv.FormatInt(int64(f), 10)
	}
	return n.String()
}

var numeric = []content.ColumnType{content.TypeCheck, content.TypeNumber, content.TypeDatetime, content.TypeFile, content.TypeRelation}

func (all equalities) hold(rec content.Record) bool {
	return !slices.ContainsFunc(all, func(e equality) bool { return !e.holds(rec) })
}

func (e equality) holds(rec content.Record) bool {
	switch e.column {
	case "language":
		return strconv.FormatInt(rec.Language, 10) == e.value
	case "origin":
		return strconv.FormatInt(rec.Origin, 10) == e.value
	}
	stored := rec.Text(e.column)
	return stored == e.value || e.number && stored == "" && e.value == "0"
}

// recordList is the listing as it grows.
type recordList struct {
	d           desk
	shown       []content.Column
	all         bool // show what has a value
	limit, skip int
	count       int // listed
	full        bool
	answer      answer
	seen        *content.Sight
}

func (l *recordList) sight(u imprimatur.User) *content.Sight {
	if l.seen == nil {
		l.seen = l.d.repo.Sight(u)
	}
	return l.seen
}

// add lists a record, or reports that the listing is full.
func (l *recordList) add(rec content.Record) bool {
	if l.skip > 0 {
		l.skip--
		return true
	}
	if l.count == l.limit {
		l.full = true
		return false
	}
	var b strings.Builder
	b.WriteString("- " + l.d.headline(rec))
	t, _ := l.d.repo.Schema().Table(rec.Table)
	for _, c := range l.shown {
		value := rec.Text(c.Name)
		switch {
		case l.all && (value == "" || value == "0" || c.Name == t.LabelField || c.Name == t.HiddenField):
		case value == "":
			b.WriteString("\n  " + c.Name + ": (no value)")
		default:
			b.WriteString("\n  " + c.Name + ": " + cell(c, rec))
		}
	}
	if l.count == 0 {
		l.answer.closing("%s", b.String()) // however long it is
	} else if !l.answer.addf("%s", b.String()) {
		l.full = true
		return false
	}
	l.count++
	return true
}

func (l *recordList) text(args recordsRequest, w walker) string {
	if l.count == 0 && !l.full {
		l.answer.closing("No records of %s that you may read fit.", args.Table)
	}
	switch {
	case l.full:
		l.answer.closing("There are more; go on with offset %d.", args.Offset+l.count)
	case !w.ended && args.UID == 0:
		l.answer.closing("Stopped after %d records; ask for those on one page.", 2*maxWalk)
	}
	return l.answer.String()
}
