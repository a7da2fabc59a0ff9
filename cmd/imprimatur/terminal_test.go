package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/imprimatur-dev/imprimatur"
)

// Proves tools 132.
func TestNothingThatOthersWroteReachesTheTerminalAsACommand(t *testing.T) {
	t.Parallel()
	evil := "a\x1b]0;title\x07\x1b[2J\u009b31m\r\u202eright\u200bto\xffleft\tand\u00a0so on"
	card := imprimatur.Card{
		Run: evil, Status: imprimatur.Status(evil), Agent: evil, Owner: imprimatur.By{Name: evil}, TurnDigest: evil, PictureDigest: evil,
		Refusal: imprimatur.Code(evil), Words: evil, Ran: []imprimatur.Ran{{Tool: evil}}, Decided: &imprimatur.Decided{By: imprimatur.By{Name: evil}, Verdict: imprimatur.Verdict(evil)},
		Calls: []imprimatur.CardCall{{
			ID: evil, Tool: evil, Title: evil, Effect: imprimatur.Effect(evil), Arguments: json.RawMessage(evil), Refused: evil,
			Stale: imprimatur.MarkKind(evil), Was: []imprimatur.Line{{Text: evil}}, Preview: &imprimatur.CardPreview{Lines: []imprimatur.Line{{Role: imprimatur.RoleWarning, Text: evil + "\n" + evil}}},
		}},
	}
	var out bytes.Buffer
	printCard(&out, card)
	printRun(&out, imprimatur.Run{
		ID: evil, Status: imprimatur.StatusWaiting, Reason: imprimatur.Reason(evil), Agent: evil, Owner: imprimatur.By{Name: evil}, Tools: []string{evil}, Text: evil,
	})
	a := &app{out: &out, err: &out}
	a.reportRefusal(&imprimatur.Refusal{Code: imprimatur.CodeStaleTurn, Detail: evil, Card: &card, Decided: card.Decided})
	a.live().Step(imprimatur.Step{Kind: imprimatur.EventStart, Payload: json.RawMessage(`{"tool":"x\u001b[2J"}`)})
	for _, r := range out.String() {
		if r != '\n' && imprimatur.Invisible(r) {
			t.Fatalf("%U reached the terminal:\n%q", r, out.String())
		}
	}
	if !strings.Contains(out.String(), `\u{1B}]0;title\u{7}`) || strings.Contains(out.String(), "\xff") {
		t.Errorf("what was hidden is not written out:\n%q", out.String())
	}
}

func TestALineOfText(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{"": "", "plain ünd wide 字": "plain ünd wide 字", "a\nb\tc": `a\u{A}b\u{9}c`, `\u{41}`: `\u{41}`, "\xf0\x28": "\uFFFD("} {
		if got := plain(in); got != want {
			t.Errorf("plain(%q) = %q, want %q", in, got, want)
		}
	}
	if got := paragraphs("a\nb\x1b"); got != "a\nb\\u{1B}" {
		t.Errorf("paragraphs: %q", got)
	}
}

func TestEveryRefusalHasAnExitCode(t *testing.T) {
	t.Parallel()
	want := map[imprimatur.Code]int{
		imprimatur.CodeStaleTurn: 5, imprimatur.CodeStalePicture: 5, imprimatur.CodeAlreadyResuming: 5, imprimatur.CodeNotWaiting: 5,
		imprimatur.CodeLeaseLost: 5, imprimatur.CodeFinished: 5, imprimatur.CodeAccessDenied: 6, imprimatur.CodeOwnCredential: 6,
		imprimatur.CodeSelfApproval: 6, imprimatur.CodeApproverNotPermitted: 6, imprimatur.CodePreviewWithheld: 6, imprimatur.CodeUnauthenticated: 6,
	}
	for _, code := range imprimatur.Codes() {
		expected := 1
		if c, ok := want[code]; ok {
			expected = c
		}
		if got := exitOf(&imprimatur.Refusal{Code: code}); got != expected {
			t.Errorf("%s exits with %d, want %d", code, got, expected)
		}
	}
	denied := &imprimatur.Refusal{Code: imprimatur.CodeNotWaiting, Decided: &imprimatur.Decided{Verdict: imprimatur.Deny}}
	if got := exitOf(denied); got != exitDenied {
		t.Errorf("a run that was denied exits with %d", got)
	}
}

func TestARefusalIsSaidInWords(t *testing.T) {
	t.Parallel()
	var out, talk bytes.Buffer
	printCard(&out, imprimatur.Card{Run: "r", Status: imprimatur.StatusWaiting, TurnDigest: "ab", Refusal: imprimatur.CodeSelfApproval})
	for _, want := range []string{"You cannot approve this. This agent’s runs must be approved by somebody other", "(self_approval)", "Turn    ab"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the card does not say %q:\n%s", want, out.String())
		}
	}
	a := &app{err: &talk}
	for _, code := range imprimatur.Codes() {
		talk.Reset()
		a.report(&imprimatur.Refusal{Code: code})
		if said := talk.String(); len(strings.Fields(said)) < 5 || !strings.HasSuffix(said, " ("+string(code)+")\n") {
			t.Errorf("%s is reported as %q", code, said)
		}
	}
}

func TestARunThatIsOverSaysNothingEmptyOrTwice(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	printCard(&out, imprimatur.Card{Run: "r", Status: imprimatur.StatusCompleted})
	printRun(&out, imprimatur.Run{ID: "r", Status: imprimatur.StatusCompleted, Reason: imprimatur.ReasonCompleted, Rounds: 1, Tokens: imprimatur.Tokens{Total: 2}})
	for _, wrong := range []string{"Turn", "Picture", "(completed)", "1 rounds"} {
		if strings.Contains(out.String(), wrong) {
			t.Errorf("it says %q:\n%s", wrong, out.String())
		}
	}
	if !strings.Contains(out.String(), "1 round · 2 tokens") {
		t.Errorf("it says\n%s", out.String())
	}
}
