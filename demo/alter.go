package demo

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
)

// what a colleague changed, as the label that says so.
type what = imprimatur.Label

const (
	aFile    what = "ui.demo.changed_file"
	aPage    what = "ui.demo.changed_text"
	aText    what = "x.demo.changed_text"
	anAddend what = "x.demo.changed_content"
)

// arguments are those that name what a call is about, in any of the tools.
type arguments struct {
	UID     int64                      `json:"uid"`
	Table   string                     `json:"table"`
	Parent  int64                      `json:"parent"`
	Page    int64                      `json:"pid"`
	Element int64                      `json:"content_element"`
	File    int64                      `json:"file"`
	Field   string                     `json:"field"`
	Fields  map[string]json.RawMessage `json:"fields"`
}

// subject is a record that the card of a call shows, and how a colleague
// changes it there.
type subject struct {
	content.Ref
	args    arguments
	written []string // the fields that the call writes, if it names them
	change  what
}

// subjectOf finds the subject of a call; it reports false for a tool that is
// not the website's, and for a call that the tool refuses.
func subjectOf(call imprimatur.CardCall) (subject, bool) {
	var args arguments
	var given map[string]json.RawMessage
	if call.Refused != "" || json.Unmarshal(call.Arguments, &args) != nil || json.Unmarshal(call.Arguments, &given) != nil {
		return subject{}, false
	}
	of := func(table string, uid int64, change what, written ...string) (subject, bool) {
		return subject{content.Ref{Table: table, UID: uid}, args, written, change}, true
	}
	switch call.Tool {
	case "attach_file_to_content_element":
		return of(content.Elements, args.Element, aFile)
	case "update_page_metadata":
		return of(content.Pages, args.UID, aPage, slices.Sorted(maps.Keys(given))...)
	case "update_content_element":
		return of(content.Elements, args.UID, aText, slices.Sorted(maps.Keys(args.Fields))...)
	case "set_file_alternative_text":
		return of(content.Files, args.UID, aText, "alternative")
	case "move_page":
		return of(content.Pages, args.UID, aText)
	case "create_page_draft":
		return of(content.Pages, args.Parent, aText)
	case "create_record_draft":
		return of(content.Pages, args.Page, aText)
	case "create_translation_draft", "publish_record":
		return of(args.Table, args.UID, aText)
	case "delete_record":
		if args.Table == content.Pages {
			return of(content.Pages, args.UID, anAddend)
		}
		return of(args.Table, args.UID, aText)
	default:
		return subject{}, false
	}
}

// alter finds a change to something that the card shows of this call; the empty
// what means that there is none.
func (m *Museum) alter(ctx context.Context, call imprimatur.CardCall) (content.Change, what, error) {
	s, ok := subjectOf(call)
	if !ok {
		return content.Change{}, "", nil
	}
	record, err := m.subject(ctx, s)
	if errors.Is(err, content.ErrNotFound) {
		return content.Change{}, "", nil // somebody deleted it, which is a change too
	}
	if err != nil {
		return content.Change{}, "", err
	}
	switch s.change {
	case aFile:
		return m.anotherFile(ctx, record, s.args)
	case anAddend:
		return anotherElement(record), s.change, nil
	default:
		change, ok := m.anotherText(record, s.written)
		if !ok {
			return content.Change{}, "", nil
		}
		return change, s.change, nil
	}
}

// subject reads the record. What is said of a file stands in its metadata.
func (m *Museum) subject(ctx context.Context, s subject) (content.Record, error) {
	if s.Table == content.Files {
		return m.repo.Metadata(ctx, s.UID, english)
	}
	return m.repo.Record(ctx, m.Admin, s.Table, s.UID)
}

// anotherFile adds another picture to the field that the call is about.
func (m *Museum) anotherFile(ctx context.Context, element content.Record, args arguments) (content.Change, what, error) {
	if args.Field == "" {
		offered := m.repo.Schema().FileColumns(content.Elements, element.Text(content.ColumnKind))
		if len(offered) == 0 {
			return content.Change{}, "", nil
		}
		args.Field = offered[0].Name
	}
	file, err := m.anotherPicture(ctx, element.Ref(), args.Field, args.File)
	return content.Attach(element.Ref(), args.Field, file, nil), aFile, err
}

// anotherPicture is one that the field does not have yet, if there is one left.
func (m *Museum) anotherPicture(ctx context.Context, of content.Ref, field string, not int64) (int64, error) {
	refs, err := m.repo.References(ctx, of, field)
	if err != nil {
		return 0, err
	}
	there := map[int64]bool{not: true}
	for _, ref := range refs {
		there[ref.Int(content.ColumnFile)] = true
	}
	for _, p := range pictures() {
		if !there[p.uid] {
			return p.uid, nil
		}
	}
	return pictureAnchor, nil
}

// anotherElement puts one more content element on a page, or on the page that a
// translation belongs to.
func anotherElement(page content.Record) content.Change {
	return content.Change{
		Op: content.Create, Table: content.Elements, PID: cmp.Or(page.Origin, page.UID), After: content.Last,
		Fields: map[string]any{content.ColumnKind: "text", "header": "To be kept", "bodytext": "<p>The school asked for a copy.</p>"},
	}
}

// anotherText edits one of the texts that the call writes, or else what the
// record is called. It reports false for a record without either.
func (m *Museum) anotherText(record content.Record, written []string) (content.Change, bool) {
	column, ok := m.textOf(record.Table, written)
	return content.Change{
		Op: content.Update, Table: record.Table, UID: record.UID, Fields: map[string]any{column.Name: edited(record, column)},
	}, ok
}

// textOf chooses a text among columns: a description rather than a title.
func (m *Museum) textOf(table string, written []string) (content.Column, bool) {
	order := []string{"description", "abstract"}
	order = slices.DeleteFunc(order, func(name string) bool { return !slices.Contains(written, name) })
	order = append(order, written...)
	if t, ok := m.repo.Schema().Table(table); ok {
		order = append(order, t.LabelField)
	}
	for _, name := range order {
		c, ok := m.repo.Schema().Column(table, name)
		if ok && (c.Type == content.TypeInput || c.Type == content.TypeText) {
			return c, true
		}
	}
	return content.Column{}, false
}

var edition = regexp.MustCompile(` ?\((?:Fassung|version) [0-9]+\)$`)

// edited is a text as a colleague leaves it: no two versions are alike.
func edited(record content.Record, column content.Column) string {
	note := " (version %d)"
	if record.Language == german {
		note = " (Fassung %d)"
	}
	note = fmt.Sprintf(note, record.Version+1)
	text := edition.ReplaceAllString(record.Text(column.Name), "")
	return strings.TrimSpace(imprimatur.Cut(text, cmp.Or(column.Max, 2000)-len(note)) + note)
}
