package inbox_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/imprimatur-dev/imprimatur"
)

func event(n int64, kind imprimatur.EventKind, payload string) imprimatur.Event {
	return imprimatur.Event{Run: "r", Sequence: n, Kind: kind, At: *at(0), Payload: json.RawMessage(payload)}
}

// everything is a record with every kind of event, and with what no event of
// ours says.
func everything() []imprimatur.Event {
	return []imprimatur.Event{
		event(0, imprimatur.EventContext, `{"max_rounds":5,"tools":["delete_record","shout"]}`),
		event(1, imprimatur.EventGovernance, `{"tool":"shout","reason":"requiresAdmin"}`),
		event(2, imprimatur.EventRequest, `{"round":1,"prompt":"SECRET"}`),
		event(3, imprimatur.EventModel, `{"calls":["delete_record","shout"],"finish":"tool_calls","round":1,"tokens":{"total":15},"text":"SECRET"}`),
		event(4, imprimatur.EventApproval, `{"by":{"id":3,"name":"Jana Roth"},"verdict":"approve"}`),
		event(5, imprimatur.EventStale, `{"calls":[{"index":0,"id":"c","kind":"changed"},{"index":1,"id":"d","kind":"gone"}]}`),
		event(6, imprimatur.EventGovernance, `{"refused":"self_approval","by":{"id":3,"name":"Jana Roth"}}`),
		event(7, imprimatur.EventApproval, `{"by":{"id":2,"name":"Petra Lang"},"verdict":"approve","reason":"SECRET"}`),
		event(8, imprimatur.EventStart, `{"call":"c","tool":"delete_record","effect":"non_idempotent_write","arguments":{"x":"SECRET"}}`),
		event(9, imprimatur.EventTool, `{"call":"c","tool":"delete_record","ok":true,"ms":12,"result":"SECRET"}`),
		event(10, imprimatur.EventTool, `{"call":"d","tool":"shout","ok":false,"ms":3}`),
		event(11, imprimatur.EventModel, `{"calls":[],"tokens":{"total":7}}`),
		event(12, imprimatur.EventApproval, `{"by":{"id":0,"name":"nightly"},"verdict":"deny"}`),
		event(13, imprimatur.EventGovernance, `{"reason":"connection","requeued":2}`),
		event(14, imprimatur.EventSettled, `{"status":"failed","reason":"outcome_unknown"}`),
		event(15, imprimatur.EventTool, `{"call":"c","tool":"shout","ok":true,"late":true}`),
		event(16, imprimatur.EventOutcome, `{"call":"c","found":"unclear","by":{"id":2,"name":"Petra Lang"}}`),
		event(17, "something_else", `{"text":"SECRET"}`),
	}
}

func timelineOf(n *html.Node) bool { return attr(n, "id") == "timeline" }

// Whatever stands in an event besides what its kind is known to say stays where
// it is.
//
// Proves tools 136; runtime 207.
func TestTheTimelineSaysWhatHappenedAndHoldsNoContent(t *testing.T) {
	t.Parallel()
	run := everyRun()["completed"]
	run.Owner = imprimatur.By{ID: jana.ID, Name: jana.Name}
	d := &desk{runs: map[string]imprimatur.Run{"r": run}, events: everything()}
	a := newSite(t, d, session(petra)).get("/runs/r")
	checkPage(t, a, "en")
	section := one(t, a.page, timelineOf)
	inOrder(t, content(section), "2 tools on offer, at most 5 rounds.", "shout was not offered (requiresAdmin)", "Round 1: the model was asked.",
		"The model asks for: Delete page or content element, shout (15 tokens).", "Jana Roth approved.", "for themselves",
		"Back again: what call 1 shows had changed.", "Back again: the tool of call 2 was gone.", "Jana Roth was refused:",
		"Petra Lang approved.", "a second person", "Delete page or content element: about to write.", "Delete page or content element: done, 12 ms.",
		"shout: not done, 3 ms.", "The model answered (7 tokens).", "nightly denied.", "The run starts over, for the 2. time (connection).",
		"The end: Failed.", "shout: reported done, after the run was given up.", "Petra Lang noted: it cannot be told.")
	if strings.Contains(a.text, "SECRET") {
		t.Error("the timeline shows what was asked, read, said or written")
	}
}

// Proves tools 135.
func TestATimelineIsForThoseWhoSeeTheRun(t *testing.T) {
	t.Parallel()
	d := &desk{cards: map[string]imprimatur.Card{"r": edit(t, "r", "en")}, events: everything()}
	a := newSite(t, d, session(petra)).get("/runs/r")
	if checkPage(t, a, "en"); strings.Contains(a.text, `id="timeline"`) || d.count("events") > 0 {
		t.Error("who holds the grant alone is shown what happened")
	}
}

func TestATimelineThatCannotBeReadCostsNothingElse(t *testing.T) {
	t.Parallel()
	d := &desk{runs: map[string]imprimatur.Run{"r": everyRun()["completed"]}, record: errors.New("SELECT went wrong")}
	a := newSite(t, d, session(petra)).get("/runs/r")
	checkPage(t, a, "en")
	if a.StatusCode != http.StatusOK || !strings.Contains(content(one(t, a.page, timelineOf)), "cannot be shown") || strings.Contains(a.text, "SELECT") {
		t.Errorf("status %d", a.StatusCode)
	}
}

func TestALongTimelineIsReadPageByPage(t *testing.T) {
	t.Parallel()
	d := &desk{runs: map[string]imprimatur.Run{"r": everyRun()["completed"]}}
	for n := range int64(450) {
		d.events = append(d.events, event(n, imprimatur.EventRequest, fmt.Sprintf(`{"round":%d}`, n)))
	}
	s := newSite(t, d, session(petra))
	path, seen := "/runs/r", 0
	for path != "" {
		a := s.get(path)
		checkPage(t, a, "en")
		section := one(t, a.page, timelineOf)
		seen += strings.Count(content(section), "the model was asked")
		path = ""
		if next := all(section, func(n *html.Node) bool { return strings.Contains(attr(n, "href"), "after=") }); len(next) > 0 {
			path, _, _ = strings.Cut(attr(next[0], "href"), "#")
		}
	}
	if seen != 450 {
		t.Errorf("%d of 450 entries were shown", seen)
	}
	for _, after := range []string{"soon", "-2", "1.5", "99999999999999999999"} {
		if a := s.get("/runs/r?after=" + after); a.StatusCode != http.StatusBadRequest {
			t.Errorf("after=%s: status %d", after, a.StatusCode)
		}
	}
}

func TestARecordIsExportedWhole(t *testing.T) {
	t.Parallel()
	d := &desk{runs: map[string]imprimatur.Run{"r": everyRun()["completed"]}, events: everything()}
	s := newSite(t, d, session(petra))
	a := s.get("/runs/r/events.jsonl")
	lines := strings.Split(strings.TrimSpace(a.text), "\n")
	if a.StatusCode != http.StatusOK || a.Header.Get("Content-Type") != "application/x-ndjson" || len(lines) != len(d.events) {
		t.Fatalf("status %d, %s, %d lines", a.StatusCode, a.Header.Get("Content-Type"), len(lines))
	}
	for i, line := range lines {
		var e imprimatur.Event
		if err := json.Unmarshal([]byte(line), &e); err != nil || e.Sequence != int64(i) {
			t.Errorf("line %d is %s, %v", i, line, err)
		}
	}
	d.record = imprimatur.Refused(imprimatur.CodeNotFound, "r")
	if a := s.get("/runs/r/events.jsonl"); a.StatusCode != http.StatusNotFound {
		t.Errorf("who may not see it gets %d", a.StatusCode)
	}
}
