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

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
)

// what a colleague changed.
type what string

const (
	aFile what = "file"
	aText what = "text"
)

// Changed is a change behind a card that the card does not show yet.
type Changed struct {
	what    what
	picture string // digest of the picture that was shown then
}

// The tools whose calls Change knows.
const (
	toolAttach   = "attach_file_to_content_element"
	toolMetadata = "update_page_metadata"
)

// Change makes, as the administrator, a change to what the card of a run shows,
// so that an approval of that card comes back. It answers a *Refusal for a run
// that the actor may not see, one that does not wait, and one whose card shows
// nothing that could be changed.
func (m *Museum) Change(ctx context.Context, desk Desk, actor imprimatur.Actor, run string) error {
	if !actor.Person() {
		return &imprimatur.Refusal{Code: imprimatur.CodeAccessDenied}
	}
	if _, err := desk.Card(ctx, actor, run); err != nil {
		return err
	}
	card, err := desk.Card(ctx, at(m.Admin), run)
	if err != nil {
		return err
	}
	if card.Status != imprimatur.StatusWaiting {
		return imprimatur.Refused(imprimatur.CodeNotWaiting, run)
	}
	for _, call := range card.Calls {
		change, how, err := m.alter(ctx, call)
		if err != nil {
			return fmt.Errorf("change the record behind run %s: %w", run, err)
		}
		if how == "" {
			continue
		}
		if err := m.apply(ctx, m.Admin, change); err != nil {
			return fmt.Errorf("change the record behind run %s: %w", run, err)
		}
		m.mu.Lock()
		m.changed[run] = Changed{how, pictureOf(card)}
		m.mu.Unlock()
		return nil
	}
	return imprimatur.BadRequest("run: there is nothing behind its card that could be changed here")
}

// pictureOf tells one showing of a turn from another.
func pictureOf(card imprimatur.Card) string { return card.TurnDigest + card.PictureDigest }

// alter finds a change to something that the card shows of this call; the empty
// what means that there is none.
func (m *Museum) alter(ctx context.Context, call imprimatur.CardCall) (content.Change, what, error) {
	if !alterable(call) {
		return content.Change{}, "", nil
	}
	var change content.Change
	var how what
	var err error
	switch call.Tool {
	case toolAttach:
		change, how, err = m.alterFiles(ctx, call.Arguments)
	case toolMetadata:
		change, how, err = m.alterText(ctx, call.Arguments)
	}
	if errors.Is(err, content.ErrNotFound) {
		return content.Change{}, "", nil // somebody deleted it, which is a change too
	}
	return change, how, err
}

func alterable(call imprimatur.CardCall) bool {
	return call.Refused == "" && (call.Tool == toolAttach || call.Tool == toolMetadata)
}

// alterFiles adds another picture to the field that the call is about.
func (m *Museum) alterFiles(ctx context.Context, arguments json.RawMessage) (content.Change, what, error) {
	var args struct {
		Element int64  `json:"content_element"`
		File    int64  `json:"file"`
		Field   string `json:"field"`
	}
	if json.Unmarshal(arguments, &args) != nil {
		return content.Change{}, "", nil // the tool refuses these arguments
	}
	element, err := m.repo.Record(ctx, m.Admin, content.Elements, args.Element)
	if err != nil {
		return content.Change{}, "", err
	}
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

// alterText edits one of the texts that the call is about.
func (m *Museum) alterText(ctx context.Context, arguments json.RawMessage) (content.Change, what, error) {
	var uid struct {
		UID int64 `json:"uid"`
	}
	var args map[string]json.RawMessage
	if json.Unmarshal(arguments, &uid) != nil || json.Unmarshal(arguments, &args) != nil {
		return content.Change{}, "", nil // the tool refuses these arguments
	}
	page, err := m.repo.Record(ctx, m.Admin, content.Pages, uid.UID)
	if err != nil {
		return content.Change{}, "", err
	}
	column, ok := m.textOf(slices.Sorted(maps.Keys(args)))
	if !ok {
		return content.Change{}, "", nil
	}
	return content.Change{
		Op: content.Update, Table: content.Pages, UID: page.UID,
		Fields: map[string]any{column.Name: edited(page, column)},
	}, aText, nil
}

// textOf chooses a text among columns: a description rather than a title.
func (m *Museum) textOf(names []string) (content.Column, bool) {
	for _, name := range append([]string{"description", "abstract"}, names...) {
		c, ok := m.repo.Schema().Column(content.Pages, name)
		if ok && slices.Contains(names, name) && (c.Type == content.TypeInput || c.Type == content.TypeText) {
			return c, true
		}
	}
	return content.Column{}, false
}

var edition = regexp.MustCompile(` \((?:Fassung|version) [0-9]+\)$`)

// edited is a text as a colleague leaves it: no two versions are alike.
func edited(page content.Record, column content.Column) string {
	note := " (version %d)"
	if page.Language == german {
		note = " (Fassung %d)"
	}
	note = fmt.Sprintf(note, page.Version+1)
	text := edition.ReplaceAllString(page.Text(column.Name), "")
	return imprimatur.Cut(text, cmp.Or(column.Max, 2000)-len(note)) + note
}
