package imprimaturtest_test

import (
	"context"
	"encoding/json"
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/imprimaturtest"
	"github.com/imprimatur-dev/imprimatur/store"
)

// board is a notice board with one line on it.
type board struct {
	text string
	bad  string // which rule the tool over it breaks; empty: none
	n    int
}

// pin replaces the line.
type pin struct{ board *board }

func (p pin) Spec() imprimatur.Spec {
	return imprimatur.Spec{Name: "pin_notice", Description: "Pins a notice.", Schema: json.RawMessage(`{"type":"object"}`)}
}
func (p pin) Effect() imprimatur.Effect { return imprimatur.IdempotentWrite }

type notice struct {
	Text string `json:"text"`
}

func (p pin) read(call imprimatur.Call) (string, bool) {
	var n notice
	if json.Unmarshal(call.Args, &n) != nil || n.Text == "" || !call.User.Enabled {
		return "", false
	}
	return n.Text, true
}

const sorry = "Notice not found or not permitted."

func (p pin) Preview(_ context.Context, call imprimatur.Call) (imprimatur.Picture, error) {
	text, ok := p.read(call)
	if !ok {
		return imprimatur.RefuseNeutrally(sorry), nil
	}
	p.board.n++
	current := p.board.text
	switch p.board.bad {
	case "clock":
		current += strings.Repeat("!", p.board.n)
	case "blind":
		current = ""
	case "writes":
		p.board.text = text
	}
	lines := []imprimatur.Text{
		catalogue.Heading(catalogue.HeadingPageMetadata),
		catalogue.Field{Name: imprimatur.Phrase{Label: catalogue.PageTitle}, Column: "title", Current: current, Proposed: text}.Line(),
		catalogue.Technical(imprimatur.Phrase{Label: catalogue.TechnicalPage, Values: map[string]any{"uid": 1}}),
	}
	switch p.board.bad {
	case "headless":
		lines = lines[1:]
	case "untechnical":
		lines = lines[:2]
	case "names":
		lines[1] = catalogue.Field{Name: "nav_title", Column: "title", Current: current, Proposed: text}.Line()
	}
	return imprimatur.Picture{Lines: lines, Token: p.board.text}, nil
}

func (p pin) MayRead(_ context.Context, _ imprimatur.Call, viewer imprimatur.User) (bool, error) {
	return viewer.Enabled || p.board.bad == "open", nil
}

func (p pin) Execute(_ context.Context, call imprimatur.Call) (imprimatur.Result, error) {
	text, ok := p.read(call)
	switch {
	case !ok && p.board.bad == "chatty":
		return imprimatur.Result{IsError: true, Content: "There is no such notice."}, nil
	case !ok:
		return imprimatur.Result{IsError: true, Content: sorry}, nil
	case call.Token != p.board.text && p.board.bad != "careless":
		return imprimatur.Result{}, imprimatur.ErrMoved
	}
	p.board.text = text
	return imprimatur.Result{Content: "Pinned."}, nil
}

func pinning(t *testing.T, bad string) (imprimaturtest.Case, *board) {
	t.Helper()
	c, err := catalogue.New()
	if err != nil {
		t.Fatal(err)
	}
	b := &board{text: "Closed on Monday", bad: bad}
	return imprimaturtest.Case{
		Tool: pin{b}, Catalogue: c, Args: `{"text":"Closed on Tuesday"}`,
		User:    imprimatur.User{ID: 1, Name: "Jana Roth", Lang: "de", Enabled: true},
		Viewers: []imprimatur.User{{ID: 2, Name: "Gone", Enabled: false}},
		Refused: [][]string{{`{}`, `{"text":""}`}},
		Move:    func() { b.text = "Open every day" },
		State:   func() string { return b.text },
	}, b
}

func TestAGoodToolPassesAndCarriesNothingOut(t *testing.T) {
	t.Parallel()
	c, b := pinning(t, "")
	imprimaturtest.Check(t, c)
	if b.text != "Open every day" {
		t.Errorf("the board reads %q", b.text)
	}
}

// ear hears of failures instead of failing.
type ear struct {
	testing.TB
	failed bool
}

func (e *ear) Error(...any)          { e.failed = true }
func (e *ear) Errorf(string, ...any) { e.failed = true }
func (e *ear) Fatalf(string, ...any) { e.failed = true; runtime.Goexit() }

// Every rule that a tool can break is found: each of these would be a test that
// fails.
func TestEveryBrokenRuleIsFound(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"clock", "blind", "writes", "headless", "untechnical", "names", "open", "chatty", "careless"} {
		t.Run(bad, func(t *testing.T) {
			t.Parallel()
			c, _ := pinning(t, bad)
			e := &ear{TB: t}
			done := make(chan struct{})
			go func() {
				defer close(done)
				imprimaturtest.Check(e, c)
			}()
			if <-done; !e.failed {
				t.Errorf("a tool that breaks the rule %q passes", bad)
			}
		})
	}
}

func TestAnOfficeBouncesAndApproves(t *testing.T) {
	t.Parallel()
	b := &board{text: "Closed on Monday"}
	office := imprimaturtest.Open(t, imprimaturtest.Options{Tools: func(*store.Store) ([]imprimatur.Tool, error) {
		return []imprimatur.Tool{pin{b}}, nil
	}})
	jana := office.Person(t, store.NewUser{Name: "Jana Roth", Lang: "de"})
	run := office.Ask(t, jana, imprimaturtest.Call{Tool: "pin_notice", Args: `{"text":"Closed on Tuesday"}`})
	if run.Status != imprimatur.StatusWaiting {
		t.Fatalf("the run is %s", run.Status)
	}
	b.text = "Open every day"
	if run = office.Approve(t, jana, run.ID); run.Status != imprimatur.StatusWaiting || !run.Back {
		t.Fatalf("the run is %s, back: %v", run.Status, run.Back)
	}
	if run = office.Approve(t, jana, run.ID); run.Status != imprimatur.StatusCompleted || b.text != "Closed on Tuesday" {
		t.Fatalf("the run is %s, the board reads %q", run.Status, b.text)
	}
	if got := office.Results(run); len(got) != 1 || !strings.Contains(got[0], "Pinned.") {
		t.Errorf("the tools answered %q", got)
	}
	run = office.Ask(t, jana, imprimaturtest.Call{Tool: "pin_notice", Args: `{"text":"Closed"}`})
	if run = office.Deny(t, jana, run.ID, "not today"); run.Status != imprimatur.StatusCompleted || b.text != "Closed on Tuesday" {
		t.Errorf("after a denial the run is %s, the board reads %q", run.Status, b.text)
	}
}

var errNone = errors.New("none")

func TestElsewhereComparesTwoProcesses(t *testing.T) {
	t.Parallel()
	imprimaturtest.Elsewhere(t, func() string { return errNone.Error() })
}
