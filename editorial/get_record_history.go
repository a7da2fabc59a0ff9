package editorial

import (
	"cmp"
	"context"
	"fmt"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
)

// defaultEntries is how many entries of a history a call sees that does not say.
const defaultEntries = 10

type historyRequest struct {
	Table string `json:"table" is:"min=1,max=64" about:"Table of the record"`
	UID   int64  `json:"uid" is:"min=1" about:"UID of the record"`
	Field string `json:"field" is:"optional,max=64" about:"Only what happened to this column"`
	Limit *int64 `json:"limit" is:"min=1,max=20" about:"How many entries; 10 if left out"`
}

func (d desk) getRecordHistory() imprimatur.Tool {
	return reader(d, reading[historyRequest]{
		name: "get_record_history", group: groupContent, neutral: noRecord, read: desk.history,
		description: "Shows what happened to a record, the newest first: when, by whom, and from which value to which, each cut at 120 characters.",
	})
}

func (d desk) history(ctx context.Context, u imprimatur.User, args historyRequest) (string, error) {
	t, err := d.table(u, args.Table, noRecord)
	if err != nil {
		return "", err
	}
	rec, err := d.repo.Row(ctx, content.Ref{Table: args.Table, UID: args.UID})
	if err == nil {
		err = shows(ctx, d.repo.Sight(u), rec)
	}
	if err != nil {
		return "", neutrally(err, noRecord)
	}
	limit := orDefault(args.Limit, defaultEntries)
	var entries []content.Entry
	if args.Field == "" {
		entries, err = d.repo.History(ctx, rec.Ref(), limit)
	} else {
		if c, ok := t.Column(args.Field); (!ok || !leaves(c)) && !placeColumns[args.Field] {
			return "", noColumn(t, args.Field)
		}
		entries, err = d.repo.HistoryOf(ctx, rec.Ref(), args.Field, limit)
	}
	if err != nil {
		return "", err
	}
	var a answer
	a.closing("History of %s %s", rec.Ref(), d.headlined(rec))
	for _, e := range entries {
		a.addf("- %s", happened(t, e))
	}
	if len(entries) == 0 {
		a.closing("Nothing is noted.")
	}
	return a.String(), nil
}

// shows answers content.ErrNotFound for a record that does not come into view.
func shows(ctx context.Context, sight *content.Sight, rec content.Record) error {
	ok, err := sight.Shows(ctx, rec)
	if err == nil && !ok {
		return content.ErrNotFound
	}
	return err
}

// placeColumns are what the history notes besides the columns of the schema.
var placeColumns = map[string]bool{"pid": true, "sorting": true}

func happened(t *content.Table, e content.Entry) string {
	line := fmt.Sprintf("%s, %s: %s", moment(e.At), cmp.Or(excerpt(e.By.Name, excerptLength), fmt.Sprintf("user %d", e.By.ID)), e.Op)
	if e.Field == "" {
		return line
	}
	line += " " + e.Field
	if c, ok := t.Column(e.Field); (!ok || !leaves(c)) && !placeColumns[e.Field] {
		return line + " (not shown)"
	}
	return line + ": " + noted(e.Old) + " → " + noted(e.New)
}

func noted(value *string) string {
	if value == nil || *value == "" {
		return "(nothing)"
	}
	return "“" + excerpt(*value, excerptLength) + "”"
}
