package imprimaturtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
)

// Case is one call of a previewing tool whose preview succeeds, and what is
// around it. Tool, Catalogue, Args and User are needed; what else is given is
// checked.
type Case struct {
	Tool      imprimatur.Tool
	Catalogue *catalogue.Catalogue
	Args      string          // a JSON object
	User      imprimatur.User // whom the call acts for
	// Again are the same tool over the same records, brought about in another
	// way: another clock, rows in another order, another repository object.
	Again []imprimatur.Tool
	// Viewers may read the preview or not: the tool is held to what its preview
	// does for them.
	Viewers []imprimatur.User
	// Refused are arguments that have to be refused, in groups of one and the
	// same sentence.
	Refused [][]string
	// Move changes something that the preview displays. The call must not be
	// carried out on the earlier picture then.
	Move func()
	// State is everything the tool might write, in any form; it must be the
	// same before and after whatever is not carried out.
	State func() string
	// Untechnical marks a tool whose preview has no technical line, because it
	// is about no record.
	Untechnical bool
	// Public marks a tool whose preview shows nothing but the arguments: anybody
	// may read it.
	Public bool
	// Allowed are words with an underscore that the lines may hold, because
	// they are values.
	Allowed []string
}

// Check holds a call against the contract of previews. It leaves the state as
// Move left it: nothing is carried out.
func Check(t testing.TB, c Case) {
	t.Helper()
	previewer, ok := c.Tool.(imprimatur.Previewer)
	if !ok {
		t.Fatalf("%s has no preview", c.Tool.Spec().Name)
	}
	if _, err := imprimatur.Describe(c.Tool); err != nil {
		t.Error(err)
	}
	before := c.state()
	lines, _ := c.preview(t, c.Tool, c.User, c.Args)
	c.shape(t, lines)
	c.names(t, lines)
	c.repeats(t, lines)
	c.viewers(t, previewer)
	c.refusals(t)
	if after := c.state(); after != before {
		t.Errorf("the preview of %s writes:\n%s", c.name(), cmp.Diff(before, after))
	}
	c.moved(t)
}

func (c Case) name() string { return c.Tool.Spec().Name + " " + c.Args }

func (c Case) state() string {
	if c.State == nil {
		return ""
	}
	return c.State()
}

func (c Case) call(u imprimatur.User, args string) imprimatur.Call {
	return imprimatur.Call{Run: "run", ID: "call-1-1", User: u, Args: json.RawMessage(args)}
}

// preview takes a picture as the engine does.
func (c Case) preview(t testing.TB, tool imprimatur.Tool, u imprimatur.User, args string) ([]imprimatur.Line, any) {
	t.Helper()
	picture, err := tool.(imprimatur.Previewer).Preview(t.Context(), c.call(u, args))
	if err != nil {
		t.Fatalf("previewing %s: %v", c.name(), err)
	}
	lines, cut := imprimatur.Bound(c.Catalogue.Printer(u.Lang).Lines(picture.Lines))
	if cut > 0 {
		t.Errorf("%s: %d lines do not fit a card", c.name(), cut)
	}
	return lines, picture.Token
}

func refusal(lines []imprimatur.Line) bool {
	return len(lines) > 0 && lines[0].Role == imprimatur.RoleRefusal
}

// shape checks heading and technical line, in every language there is.
func (c Case) shape(t testing.TB, lines []imprimatur.Line) {
	t.Helper()
	if len(lines) == 0 || refusal(lines) {
		t.Fatalf("%s is not previewed but refused: %v", c.name(), lines)
	}
	for _, lang := range c.Catalogue.Languages() {
		u := c.User
		u.Lang = lang
		lines, _ := c.preview(t, c.Tool, u, c.Args)
		for i, l := range lines {
			if c.Catalogue.IsHeading(l.Text, lang) != (i == 0) {
				t.Errorf("%s, %s: line %d, %q: the first line is a heading, and no other", c.name(), lang, i, l.Text)
			}
			if n := len([]rune(l.Text)); n >= imprimatur.MaxLineRunes && !c.Untechnical {
				t.Errorf("%s, %s: line %d has %d characters and was cut", c.name(), lang, i, n)
			}
		}
		last := lines[len(lines)-1]
		if technical := last.Role == imprimatur.RoleTechnical; technical == c.Untechnical {
			t.Errorf("%s, %s: the last line is %q", c.name(), lang, last.Text)
		}
	}
}

var underscored = regexp.MustCompile(`[A-Za-z0-9]+_[A-Za-z0-9_]+`)

// names finds internal names outside of the technical lines. Values of the call
// may look like some.
func (c Case) names(t testing.TB, lines []imprimatur.Line) {
	t.Helper()
	for _, l := range lines {
		if l.Role == imprimatur.RoleTechnical || c.Untechnical {
			continue
		}
		for _, word := range underscored.FindAllString(l.Text, -1) {
			if !slices.Contains(c.Allowed, word) && !strings.Contains(c.Args, word) {
				t.Errorf("%s: %q names %s", c.name(), l.Text, word)
			}
		}
	}
}

// repeats takes the picture over and over, here and over the other tools.
func (c Case) repeats(t testing.TB, lines []imprimatur.Line) {
	t.Helper()
	for range 10 { // map iteration differs from one time to the next
		if again, _ := c.preview(t, c.Tool, c.User, c.Args); !cmp.Equal(lines, again) {
			t.Fatalf("%s is previewed differently the next time:\n%s", c.name(), cmp.Diff(lines, again))
		}
	}
	for i, tool := range c.Again {
		if again, _ := c.preview(t, tool, c.User, c.Args); !cmp.Equal(lines, again) {
			t.Errorf("%s is previewed differently over the same records (%d):\n%s", c.name(), i, cmp.Diff(lines, again))
		}
	}
}

// viewers holds the question who may read against the plan of the tool.
func (c Case) viewers(t testing.TB, p imprimatur.Previewer) {
	t.Helper()
	for _, viewer := range append([]imprimatur.User{{}, c.User}, c.Viewers...) {
		may, err := p.MayRead(t.Context(), c.call(c.User, c.Args), viewer)
		if err != nil {
			t.Errorf("%s: who may read: %v", c.name(), err)
			continue
		}
		lines, _ := c.preview(t, c.Tool, viewer, c.Args)
		if want := c.Public || !refusal(lines); may != want {
			t.Errorf("%s: %q may read: %v; may make the call: %v", c.name(), viewer.Name, may, want)
		}
	}
}

// refusals expects preview and write to refuse alike.
func (c Case) refusals(t testing.TB) {
	t.Helper()
	for _, group := range c.Refused {
		said := ""
		for _, args := range group {
			lines, token := c.preview(t, c.Tool, c.User, args)
			result, err := c.execute(t.Context(), args, token)
			switch {
			case err != nil:
				t.Errorf("%s %s: %v", c.Tool.Spec().Name, args, err)
			case !refusal(lines) || len(lines) != 1 || !result.IsError || lines[0].Text != imprimatur.Visible(result.Content):
				t.Errorf("%s %s: the card reads %v, the model %q", c.Tool.Spec().Name, args, lines, result.Content)
			case said != "" && said != result.Content:
				t.Errorf("%s %s: %q, where another call reads %q", c.Tool.Spec().Name, args, result.Content, said)
			}
			said = result.Content
		}
	}
}

func (c Case) execute(ctx context.Context, args string, token any) (imprimatur.Result, error) {
	call := c.call(c.User, args)
	call.Token = token
	return c.Tool.Execute(ctx, call)
}

// moved expects a call on an earlier picture to be answered with ErrMoved,
// before any effect.
func (c Case) moved(t testing.TB) {
	t.Helper()
	if c.Move == nil {
		return
	}
	lines, token := c.preview(t, c.Tool, c.User, c.Args)
	c.Move()
	if after, _ := c.preview(t, c.Tool, c.User, c.Args); cmp.Equal(lines, after) {
		t.Errorf("%s displays nothing of the change", c.name())
	}
	before := c.state()
	result, err := c.execute(t.Context(), c.Args, token)
	if !errors.Is(err, imprimatur.ErrMoved) {
		t.Errorf("%s on a state that moved: %v, %s", c.name(), err, fmt.Sprintf("%+v", result))
	}
	if after := c.state(); after != before {
		t.Errorf("%s writes to a state that moved:\n%s", c.name(), cmp.Diff(before, after))
	}
}
