package api_test

import (
	"bufio"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur"
)

func waitingRun() imprimatur.Run {
	return imprimatur.Run{ID: "r1", Status: imprimatur.StatusWaiting, Agent: "editor", CreatedAt: imprimatur.Millis(1_700_000_000_123)}
}

func card() imprimatur.Card {
	return imprimatur.Card{
		Run: "r1", Status: imprimatur.StatusWaiting, TurnDigest: "t", PictureDigest: "p",
		Calls: []imprimatur.CardCall{{ID: "c1", Tool: "attach", Arguments: json.RawMessage(`{"a":"<b>","n":9007199254740993}`), Preview: &imprimatur.CardPreview{Language: "de"}}},
	}
}

func TestStartReachesTheEngineAsItWasAsked(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		query, body string
		want        asked
	}{
		"least":                  {"", `{"agent":"editor","prompt":"hello"}`, asked{Start: imprimatur.Start{Agent: "editor", Prompt: "hello"}, Wait: time.Minute}},
		"no waiting":             {"?wait=0", `{"agent":"editor","prompt":"hello","mode":"sync"}`, asked{Start: imprimatur.Start{Agent: "editor", Prompt: "hello"}}},
		"all":                    {"?wait=300", `{"agent":"editor","prompt":"hello","tools":["a","b"],"max_rounds":20}`, asked{Start: imprimatur.Start{Agent: "editor", Prompt: "hello", Tools: &[]string{"a", "b"}, MaxRounds: 20}, Wait: 5 * time.Minute}},
		"no tools":               {"", `{"agent":"editor","prompt":"hello","tools":[]}`, asked{Start: imprimatur.Start{Agent: "editor", Prompt: "hello", Tools: &[]string{}}, Wait: time.Minute}},
		"queued":                 {"", `{"agent":"editor","prompt":"hello","mode":"queue"}`, asked{Verb: "enqueue", Start: imprimatur.Start{Agent: "editor", Prompt: "hello"}}},
		"queued, and waited for": {"?wait=5", `{"agent":"editor","prompt":"hello","mode":"queue"}`, asked{Verb: "enqueue", Start: imprimatur.Start{Agent: "editor", Prompt: "hello"}, Wait: 5 * time.Second}},
		"blanks stay":            {"", `{"agent":"editor","prompt":" hello\n"}`, asked{Start: imprimatur.Start{Agent: "editor", Prompt: " hello\n"}, Wait: time.Minute}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := &fake{run: waitingRun()}
			got := do(t, serve(t, f), request{method: "POST", path: "/api/v1/runs" + tt.query, body: tt.body})
			tt.want.Actor = "jana"
			if tt.want.Verb == "" {
				tt.want.Verb = "run"
			}
			if diff := cmp.Diff(tt.want, f.last()); diff != "" {
				t.Errorf("asked (-want +got):\n%s", diff)
			}
			var run map[string]any
			if err := json.Unmarshal(got.body, &run); err != nil || got.status != 200 {
				t.Fatalf("%d %s: %v", got.status, got.body, err)
			}
			if run["created_at"] != "2023-11-14T22:13:20.123Z" || run["status"] != "waiting_for_approval" {
				t.Errorf("run %s", got.body)
			}
			if stale, ok := run["stale"].([]any); !ok || len(stale) != 0 {
				t.Errorf("stale is %v, want an empty list", run["stale"])
			}
		})
	}
}

func TestAnIdempotencyKeyStandsForWhatIsAskedNotForItsBytes(t *testing.T) {
	t.Parallel()
	f := &fake{run: waitingRun()}
	server := serve(t, f)
	ask := func(body string) imprimatur.Start {
		do(t, server, request{method: "POST", path: "/api/v1/runs", body: body, headers: []string{"Idempotency-Key: k-1"}})
		return f.last().Start
	}
	first := ask(`{"agent":"editor","prompt":"hello"}`)
	same := ask(`{ "prompt": "hello", "agent": "editor" }`)
	other := ask(`{"agent":"editor","prompt":"goodbye"}`)
	if first.Key != "k-1" || len(first.Body) != 32 {
		t.Errorf("key %q with a hash of %d bytes", first.Key, len(first.Body))
	}
	if string(first.Body) != string(same.Body) || string(first.Body) == string(other.Body) {
		t.Error("the hash does not follow what is asked")
	}
}

func TestADecisionNamesBothDigests(t *testing.T) {
	t.Parallel()
	f := &fake{run: waitingRun()}
	server := serve(t, f)
	do(t, server, request{method: "POST", path: "/api/v1/runs/r1/decision?wait=2", body: `{"verdict":"approve","turn_digest":"t","picture_digest":"p"}`})
	want := asked{Verb: "decide", Actor: "jana", Run: "r1", Decision: imprimatur.Decision{Verdict: imprimatur.Approve, TurnDigest: "t", PictureDigest: "p"}, Wait: 2 * time.Second}
	if diff := cmp.Diff(want, f.last()); diff != "" {
		t.Errorf("approve (-want +got):\n%s", diff)
	}
	do(t, server, request{method: "POST", path: "/api/v1/runs/r1/decision?wait=0", body: `{"verdict":"deny","turn_digest":"t","reason":" not this one ","retry":true}`})
	want = asked{Verb: "decide", Actor: "jana", Run: "r1", Decision: imprimatur.Decision{Verdict: imprimatur.Deny, TurnDigest: "t", Reason: "not this one", Retry: true}}
	if diff := cmp.Diff(want, f.last()); diff != "" {
		t.Errorf("deny (-want +got):\n%s", diff)
	}
}

// A refusal travels with its own status, and with the card where the run still
// waits; a client can tell every 409 apart.
//
// Proves runtime 222; tools 140.
func TestRefusalsKeepCodeCardAndWhoWasFirst(t *testing.T) {
	t.Parallel()
	for _, code := range imprimatur.Codes() {
		t.Run(string(code), func(t *testing.T) {
			t.Parallel()
			current := card()
			no := &imprimatur.Refusal{Code: code, Run: "r1"}
			if code.CarriesCard() {
				no.Card = &current
			}
			if code == imprimatur.CodeAlreadyResuming {
				no.Decided = &imprimatur.Decided{By: imprimatur.By{ID: 2, Name: "anna"}, Verdict: imprimatur.Approve, At: imprimatur.Millis(1)}
			}
			for _, accept := range []string{"application/json", "application/x-ndjson"} {
				got := do(t, serve(t, &fake{err: no}), request{
					method: "POST", path: "/api/v1/runs/r1/decision", body: `{"verdict":"deny","turn_digest":"t"}`, headers: []string{"Accept: " + accept},
				})
				p := got.problem(t)
				if p.Code() != code || got.status != code.Status() || p.Run != "r1" || p.Title == "" || p.Detail == "" {
					t.Errorf("%s: got %d %+v", accept, got.status, p)
				}
				if (p.Card != nil) != code.CarriesCard() || (p.Decided != nil) != (no.Decided != nil) {
					t.Errorf("%s: card %v, decided %v", accept, p.Card, p.Decided)
				}
				if p.Card != nil && p.Card.Ran == nil {
					t.Errorf("%s: an empty list is null", accept)
				}
			}
		})
	}
}

func TestTheCardIsTheBytesItsTagNames(t *testing.T) {
	t.Parallel()
	f := &fake{card: card(), run: waitingRun()}
	f.card.May.Approve = true
	server := serve(t, f)
	first := do(t, server, request{method: "GET", path: "/api/v1/runs/r1/card"})
	tag := first.header.Get("ETag")
	if first.status != 200 || tag == "" {
		t.Fatalf("got %d with tag %q", first.status, tag)
	}
	if !strings.Contains(string(first.body), `"arguments":{"a":"<b>","n":9007199254740993}`) {
		t.Errorf("arguments are not the canonical bytes: %s", first.body)
	}
	again := do(t, server, request{method: "GET", path: "/api/v1/runs/r1/card", headers: []string{`If-None-Match: "other", W/` + tag}})
	if again.status != http.StatusNotModified || len(again.body) != 0 {
		t.Errorf("unchanged: got %d with %d bytes", again.status, len(again.body))
	}
	decide := func(tag string) answer {
		return do(t, server, request{method: "POST", path: "/api/v1/runs/r1/decision", body: `{"verdict":"approve","turn_digest":"t"}`, headers: []string{"If-Match: " + tag}})
	}
	for _, good := range []string{tag, "*"} {
		if got := decide(good); got.status != 200 {
			t.Errorf("If-Match %s: got %d", good, got.status)
		}
	}
	before := len(f.asked)
	for _, bad := range []string{`"other"`, "W/" + tag, "junk"} {
		got := decide(bad)
		if p := got.problem(t); p.Code() != imprimatur.CodeStalePicture || p.Card == nil {
			t.Errorf("If-Match %s: got %d %s", bad, got.status, p.Type)
		}
	}
	for _, a := range f.asked[before:] {
		if a.Verb == "decide" {
			t.Error("a decision about another card reached the engine")
		}
	}
	denial := do(t, server, request{method: "POST", path: "/api/v1/runs/r1/decision", body: `{"verdict":"deny","turn_digest":"t"}`, headers: []string{`If-Match: "other"`}})
	if denial.status != 200 {
		t.Errorf("a denial of another card: got %d", denial.status)
	}
}

func TestListsArePagedByCursorAndLink(t *testing.T) {
	t.Parallel()
	run := waitingRun()
	c := card()
	run.Card = &c
	f := &fake{list: imprimatur.List{Runs: []imprimatur.Run{run}, Next: "c2&x", Total: 120}}
	got := do(t, serve(t, f), request{method: "GET", path: "/api/v1/runs?status=waiting_for_approval&agent=editor&tool=attach&back=1&mine=true&decided=me&q=a%26b&limit=7&cursor=c1"})
	want := asked{Verb: "list", Actor: "jana", Filter: imprimatur.Filter{
		Status: imprimatur.StatusWaiting, Agent: "editor", Tool: "attach", Back: true, Mine: true, Decided: true, Query: "a&b", Cursor: "c1", Limit: 7,
	}}
	if diff := cmp.Diff(want, f.last()); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
	if strings.Contains(string(got.body), `"card"`) || !strings.Contains(string(got.body), `"next_cursor":"c2&x"`) {
		t.Errorf("body %s", got.body)
	}
	if link := got.header.Get("Link"); !strings.HasPrefix(link, "<"+address+"/api/v1/runs?") || !strings.Contains(link, "cursor=c2%26x") || !strings.HasSuffix(link, `; rel="next"`) {
		t.Errorf("Link %q", link)
	}
	empty := do(t, serve(t, &fake{}), request{method: "GET", path: "/api/v1/runs"})
	if string(empty.body) != `{"runs":[],"next_cursor":""}`+"\n" || empty.header.Get("Link") != "" {
		t.Errorf("empty list: %s, Link %q", empty.body, empty.header.Get("Link"))
	}
}

func TestReadingRoutesAskForWhatTheirPathNames(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		path string
		want asked
		body string
	}{
		"run":          {"/runs/r1", asked{Verb: "status", Run: "r1"}, ""},
		"odd id":       {"/runs/a%2Fb%20c", asked{Verb: "status", Run: "a/b c"}, ""},
		"events":       {"/runs/r1/events", asked{Verb: "events", Run: "r1", After: -1}, "[]\n"},
		"events after": {"/runs/r1/events?after=41", asked{Verb: "events", Run: "r1", After: 41}, "[]\n"},
		"tools":        {"/tools", asked{Verb: "tools"}, "[]\n"},
		"agent tools":  {"/tools?agent=editor", asked{Verb: "tools", Agent: "editor"}, "[]\n"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := &fake{run: waitingRun()}
			got := do(t, serve(t, f), request{method: "GET", path: "/api/v1" + tt.path})
			tt.want.Actor = "jana"
			if diff := cmp.Diff(tt.want, f.last()); diff != "" || got.status != 200 {
				t.Errorf("%d, asked (-want +got):\n%s", got.status, diff)
			}
			if tt.body != "" && string(got.body) != tt.body {
				t.Errorf("body %q", got.body)
			}
		})
	}
}

// Proves field 83.
func TestGetAndHeadReachNoVerbThatMoves(t *testing.T) {
	t.Parallel()
	f := &fake{run: waitingRun(), card: card(), watch: make(chan string)}
	close(f.watch)
	server := serve(t, f)
	open := do(t, server, request{method: "GET", path: "/openapi.json", anonymous: true})
	var document struct {
		Paths map[string]map[string]any `json:"paths"`
	}
	if err := json.Unmarshal(open.body, &document); err != nil || len(document.Paths) < 8 {
		t.Fatalf("%d paths: %v", len(document.Paths), err)
	}
	for path := range document.Paths {
		for _, method := range []string{"GET", "HEAD"} {
			do(t, server, request{method: method, path: "/api/v1" + strings.ReplaceAll(path, "{id}", "r1")})
			if verb := f.last().Verb; verb == "run" || verb == "decide" || verb == "cancel" {
				t.Errorf("%s %s reached %s", method, path, verb)
			}
		}
	}
}

func TestChangesAreIdsAndAHeartbeat(t *testing.T) {
	t.Parallel()
	f := &fake{watch: make(chan string, 1)}
	server := serve(t, f)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/api/v1/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer jana")
	resp, err := server.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if got := resp.Header.Get("Content-Type"); got != "text/event-stream" {
		t.Fatalf("media type %q", got)
	}
	if got := resp.Header.Get("X-Accel-Buffering"); got != "no" {
		t.Errorf("X-Accel-Buffering %q", got)
	}
	lines := bufio.NewScanner(resp.Body)
	await := func(want string) {
		t.Helper()
		for lines.Scan() {
			if lines.Text() == want {
				return
			}
		}
		t.Fatalf("the stream ended before %q", want)
	}
	await(":")
	f.watch <- "r7"
	await("data: r7")
	close(f.watch)
	for lines.Scan() {
		if s := lines.Text(); s != "" && s != ":" {
			t.Errorf("after the end: %q", s)
		}
	}
}

func TestANoteIsTakenDownWithoutAnAnswer(t *testing.T) {
	t.Parallel()
	f := &fake{}
	got := do(t, serve(t, f), request{method: "POST", path: "/api/v1/runs/r1/note", body: `{"call":"c1","found":"did_not_happen"}`})
	want := asked{Verb: "note", Actor: "jana", Run: "r1", Note: imprimatur.Note{Call: "c1", Found: imprimatur.FoundNothing}}
	if diff := cmp.Diff(want, f.last()); diff != "" || got.status != 204 || len(got.body) > 0 {
		t.Errorf("%d %q, asked (-want +got):\n%s", got.status, got.body, diff)
	}
	f = &fake{err: imprimatur.Refused(imprimatur.CodeNotUnknown, "r1")}
	if got := do(t, serve(t, f), request{method: "POST", path: "/api/v1/runs/r1/note", body: `{"call":"c1","found":"happened"}`}); got.status != 409 {
		t.Errorf("%d %s", got.status, got.body)
	}
}
