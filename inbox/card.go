package inbox

import (
	"slices"
	"strconv"
	"strings"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/internal/web"
)

// cardView is a card as the page lays it out: the same facts in a fixed order.
type cardView struct {
	Run      string
	Calls    []callView
	Many     bool
	Ran      []ranView
	Words    []web.Bit // the agent's own
	Back     bool      // some call came back
	Restless bool
	Blind    bool // some call can be judged by its arguments alone
	Record   bool // shown after the fact: nothing can be decided
	Form     *formView
	Warnings []string // ids of the warnings, for the description of the decision
}

// ranView is a call that was carried out before the turn came back.
type ranView struct {
	Tool toolName
	OK   bool
}

// callView is one call. What it has to say stands in the groups in which the
// page shows it; every line of the preview is in exactly one of them.
type callView struct {
	Number       int // from 1
	Index        int
	ID           string
	Wire         string
	Name         toolName
	Title        string // the published heading; empty: Name stands for it
	Lang         string // of the lines, where it is not the language of the page
	Effect       imprimatur.Effect
	State        previewState
	Stale        imprimatur.MarkKind
	Gone         []lineView // earlier lines that nothing replaced
	Restless     bool
	Refused      string
	Facts        []lineView
	Fields       []lineView
	Texts        []lineView
	Consequences []lineView
	Warnings     []lineView
	Technical    []lineView
	Arguments    argumentsView
}

// previewState says what stands where the preview of a call would.
type previewState string

const (
	shown     previewState = "shown"
	none      previewState = "none" // the tool has none
	failed    previewState = "failed"
	withheld  previewState = "withheld"
	outOfDate previewState = "out_of_date"
	refusing  previewState = "refusing" // it says that the call would be refused
)

// lineView is one line.
type lineView struct {
	ID       string
	Role     imprimatur.Role
	Label    []web.Bit
	Text     []web.Bit  // the line, without its label where that stands before it
	Current  []web.Span // with the words marked that go
	Proposed []web.Span // with the words marked that come
	From     int        // the first character that changes, where that is all the parts leave out; else 0
	Whole    []web.Bit  // the line, where its parts do not say all of it
	Fresh    bool       // the line is new since the picture that was approved
	Was      *wasView
}

// wasView is what a line said in the picture that was approved.
type wasView struct {
	Current, Proposed, Whole []web.Bit
}

func (v *cardView) add(call callView) {
	v.Calls = append(v.Calls, call)
	v.Back = v.Back || call.Stale != ""
	v.Restless = v.Restless || call.Restless
	v.Blind = v.Blind || call.State == none || call.State == failed
	for _, w := range call.Warnings {
		v.Warnings = append(v.Warnings, w.ID)
	}
}

// newCard lays a card out for whoever reads v.
func newCard(v *web.Visit, card imprimatur.Card) *cardView {
	out := &cardView{Run: card.Run, Many: len(card.Calls) > 1, Record: card.Status != imprimatur.StatusWaiting}
	if card.Words != "" {
		out.Words = web.Bits(v.Words, card.Words) // bound like a line when it was stored
	}
	for _, ran := range card.Ran {
		out.Ran = append(out.Ran, ranView{nameOf(v.Words, ran.Tool), ran.OK})
	}
	for i, call := range card.Calls {
		out.add(newCall(v, card.Run, i+1, call))
	}
	return out
}

func newCall(v *web.Visit, run string, number int, call imprimatur.CardCall) callView {
	out := callView{
		Number: number, Index: call.Index, ID: call.ID, Wire: call.Tool, Name: nameOf(v.Words, call.Tool), Title: call.Title,
		Effect: call.Effect, State: stateOf(call.Preview), Stale: call.Stale, Restless: call.Restless, Refused: call.Refused,
		Arguments: newArguments(v.Words, run, call),
	}
	if call.Preview == nil {
		return out
	}
	lines := call.Preview.Lines
	if call.Title != "" && len(lines) > 0 {
		lines = lines[1:] // the heading stands above
	}
	if call.Preview.Language != v.Words.Lang() {
		out.Lang = call.Preview.Language
	}
	layout := layout{words: v.Words, printed: v.Printer(call.Preview.Language), prefix: "call-" + strconv.Itoa(number)}
	was := slices.DeleteFunc(slices.Clone(call.Was), func(l imprimatur.Line) bool { return l.Role == imprimatur.RoleHeading && call.Title == l.Text })
	old, fresh, gone := pairLines(lines, was)
	for i, line := range lines {
		out.place(layout.line(i, line, old[i], fresh[i]))
	}
	for i, line := range gone {
		out.Gone = append(out.Gone, layout.line(len(lines)+i, line, nil, false))
	}
	return out
}

func stateOf(p *imprimatur.CardPreview) previewState {
	switch {
	case p == nil:
		return none
	case p.Withheld:
		return withheld
	case p.OutOfDate:
		return outOfDate
	case p.Failed:
		return failed
	case len(p.Lines) > 0 && p.Lines[0].Role == imprimatur.RoleRefusal:
		return refusing
	default:
		return shown
	}
}

// place puts a line into the group in which it is shown. What has no group of
// its own is a text: no line is ever left out.
func (c *callView) place(l lineView) {
	switch l.Role {
	case imprimatur.RoleObject, imprimatur.RoleWhere:
		c.Facts = append(c.Facts, l)
	case imprimatur.RoleField:
		c.Fields = append(c.Fields, l)
	case imprimatur.RoleConsequence:
		c.Consequences = append(c.Consequences, l)
	case imprimatur.RoleWarning:
		c.Warnings = append(c.Warnings, l)
	case imprimatur.RoleTechnical:
		c.Technical = append(c.Technical, l)
	default:
		c.Texts = append(c.Texts, l)
	}
}

// layout lays lines out. The words of the page name invisible characters;
// printed knows how the lines were printed.
type layout struct {
	words   *catalogue.Printer
	printed *catalogue.Printer
	prefix  string
}

func (l layout) line(i int, line imprimatur.Line, old *imprimatur.Line, fresh bool) lineView {
	out := lineView{ID: l.prefix + "-line-" + strconv.Itoa(i+1), Role: line.Role, Label: l.bits(line.Label), Text: l.bits(line.Text), Fresh: fresh}
	rest, named := strings.CutPrefix(line.Text, l.name(line.Label))
	switch line.Role {
	case imprimatur.RoleObject, imprimatur.RoleWhere:
		if line.Label == "" || !named {
			out.Label = nil
		} else {
			out.Text = l.bits(rest)
		}
	case imprimatur.RoleField:
		out.Current, out.Proposed = l.parts(line)
		switch {
		case l.complete(line):
		case l.from(line) > 0:
			out.From = l.from(line)
		case line.Current == "" && line.Proposed != "" && strings.Contains(rest, line.Proposed):
			out.Proposed = []web.Span{{Bits: l.bits(rest)}} // it stands beside nothing: no need to say it twice
		default:
			out.Whole = l.bits(short(line, rest))
		}
	}
	if old != nil {
		out.Was = l.was(line, *old)
	}
	return out
}

// name is how a line begins that has this label: in French a blank stands
// before the colon.
func (l layout) name(label string) string {
	const value = "."
	return strings.TrimSuffix(l.printed.Say(catalogue.NamedLine, map[string]any{"name": label, "value": value}), value)
}

func (l layout) bits(text string) []web.Bit { return web.Bits(l.words, text) }

func (l layout) parts(line imprimatur.Line) (current, proposed []web.Span) {
	whole := func(s string, mark web.Mark) []web.Span {
		if l.nothing(s) {
			mark = "" // the word for nothing is no word of the text
		}
		return []web.Span{{Bits: l.bits(s), Mark: mark}}
	}
	switch {
	case line.Current != "" && line.Proposed != "":
		if l.nothing(line.Current) || l.nothing(line.Proposed) {
			return whole(line.Current, web.Removed), whole(line.Proposed, web.Added)
		}
		return change(l.words, line.Current, line.Proposed)
	case line.Current != "":
		return whole(line.Current, ""), nil
	case line.Proposed != "":
		return nil, whole(line.Proposed, "")
	default:
		return nil, nil
	}
}

// nothing reports whether a part of a line says that there is no text.
func (l layout) nothing(part string) bool {
	return part == l.printed.Say(catalogue.Empty, nil) || part == l.printed.Say(catalogue.Nothing, nil)
}

// complete reports whether label, current and proposed say all that the line
// says: it is exactly what one of the plain texts makes of them.
func (l layout) complete(line imprimatur.Line) bool {
	values := map[string]any{"name": line.Label, "current": line.Current, "proposed": line.Proposed}
	label := catalogue.FieldChange
	switch {
	case line.Proposed == "":
		label = catalogue.FieldUnchanged
	case line.Current == "":
		label = catalogue.FieldNew
	}
	return l.printed.Say(label, values) == line.Text
}

// from is the position that a line names besides its parts, where it is
// exactly what one of the plain texts makes of them; else 0.
func (l layout) from(line imprimatur.Line) int {
	if line.Current == "" || line.Proposed == "" {
		return 0
	}
	values := map[string]any{"name": line.Label, "current": line.Current, "proposed": line.Proposed}
	for _, digits := range strings.FieldsFunc(line.Text, func(r rune) bool { return r < '0' || r > '9' }) {
		n, err := strconv.Atoi(digits)
		values["position"] = n
		if err == nil && l.printed.Say(catalogue.FieldChangedFrom, values) == line.Text {
			return n
		}
	}
	return 0
}

// longPart is how many characters of a part stand again in the whole line.
const longPart = 40

// short is the text of a line with those parts left out that stand beside it anyway and
// are too long to be read twice.
func short(line imprimatur.Line, text string) string {
	for _, part := range []string{line.Current, line.Proposed} {
		if imprimatur.Cut(part, longPart) != part {
			text = strings.Replace(text, part, "…", 1)
		}
	}
	return text
}

// was says what a line replaced: its parts where these moved, else the whole.
func (l layout) was(now, old imprimatur.Line) *wasView {
	out := &wasView{}
	if now.Role == imprimatur.RoleField {
		if old.Current != now.Current && old.Current != "" && now.Current != "" {
			out.Current = l.bits(old.Current)
		}
		if old.Proposed != now.Proposed && old.Proposed != "" && now.Proposed != "" {
			out.Proposed = l.bits(old.Proposed)
		}
	}
	if out.Current == nil && out.Proposed == nil {
		out.Whole = l.bits(old.Text)
	}
	return out
}
