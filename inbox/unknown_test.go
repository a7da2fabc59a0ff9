package inbox_test

import (
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/imprimatur-dev/imprimatur"
)

// lost is a run that broke off inside a write, as its card shows it.
func lost(t *testing.T, unknown imprimatur.Unknown, may bool) imprimatur.Card {
	c := edit(t, "r", "en")
	c.Status, c.May = imprimatur.StatusFailed, imprimatur.May{Note: may}
	c.Refusal, c.TurnDigest, c.PictureDigest = "", "", ""
	c.Decided = &imprimatur.Decided{By: imprimatur.By{ID: 2, Name: "Petra Lang"}, Verdict: imprimatur.Approve, At: *at(0)}
	c.Unknown = []imprimatur.Unknown{unknown}
	return c
}

func noteForm(n *html.Node) bool { return attr(n, "action") == "/runs/r/note" }

// Whoever may only see the card is told, too, that nobody knows what happened,
// and notes what they found.
func TestWhatNobodyKnowsIsSaidAndCanBeNoted(t *testing.T) {
	t.Parallel()
	open := imprimatur.Unknown{Call: "call-1", Tool: "delete_record", Notes: []imprimatur.Noted{}}
	d := &desk{cards: map[string]imprimatur.Card{"r": lost(t, open, true)}}
	s := newSite(t, d, session(petra))
	a := s.get("/runs/r")
	checkPage(t, a, "en")
	inOrder(t, body(t, a), "Failed", "The write may have happened, or not.", "call-1", "Have you looked?", "It was written", "It was not written", "It cannot be told")
	one(t, a.page, noteForm)
	open.Late = &imprimatur.Ran{ID: "call-1", Tool: "delete_record", OK: true}
	open.Notes = []imprimatur.Noted{{Found: imprimatur.FoundNothing, By: imprimatur.By{ID: 2, Name: "Petra Lang"}, At: *at(0)}}
	d.cards["r"] = lost(t, open, true)
	a = follow(t, s, "/runs/r/note", url.Values{"call": {"call-1"}, "found": {"did_not_happen"}})
	checkPage(t, a, "en")
	inOrder(t, body(t, a), "Noted. Nothing was written or repeated.", "the tool reported that it had written", "Petra Lang noted: it was not written.")
	if want := (imprimatur.Note{Call: "call-1", Found: imprimatur.FoundNothing}); d.found != want {
		t.Errorf("noted %+v, want %+v", d.found, want)
	}
	open.Late.OK = false
	d.cards["r"] = lost(t, open, true)
	inOrder(t, body(t, s.get("/runs/r")), "the tool reported a failure")
	d.refused = imprimatur.Refused(imprimatur.CodeNotUnknown, "r")
	inOrder(t, body(t, follow(t, s, "/runs/r/note", url.Values{"call": {"call-2"}, "found": {"happened"}})), "Nothing was noted.")
}

func TestWhatNobodyKnowsIsReadByThoseWhoMayNotNote(t *testing.T) {
	t.Parallel()
	d := &desk{cards: map[string]imprimatur.Card{"r": lost(t, imprimatur.Unknown{Call: "call-1", Tool: "shout"}, false)}}
	a := newSite(t, d, session(jana)).get("/runs/r")
	checkPage(t, a, "de")
	if text := body(t, a); !strings.Contains(text, "Vielleicht wurde geschrieben, vielleicht nicht.") || strings.Contains(text, "Haben Sie nachgesehen?") {
		t.Errorf("the page says\n%s", text)
	}
}

func TestAFormOfANoteThatSaysMoreIsRefused(t *testing.T) {
	t.Parallel()
	for name, form := range map[string]url.Values{
		"a field too many": {"call": {"c"}, "found": {"happened"}, "verdict": {"approve"}},
		"twice":            {"call": {"c", "d"}, "found": {"happened"}},
		"no text":          {"call": {"\xff"}, "found": {"happened"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := &desk{cards: map[string]imprimatur.Card{"r": lost(t, imprimatur.Unknown{Call: "c", Tool: "shout"}, true)}}
			a := newSite(t, d, session(petra)).post("/runs/r/note", form)
			if checkPage(t, a, "en"); a.StatusCode != 400 || d.count("note") != 0 {
				t.Errorf("status %d, noted %d times", a.StatusCode, d.count("note"))
			}
		})
	}
}
