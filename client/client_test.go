package client_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/client"
)

// seen is a request as the server got it.
type seen struct{ Method, Path, Body, Accept, Token, Key string }

// answering is a client of a server that answers everything the same way.
func answering(t *testing.T, status int, media, body string) (*client.Client, *seen) {
	t.Helper()
	var got seen
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		got = seen{r.Method, r.URL.RequestURI(), string(b), r.Header.Get("Accept"), r.Header.Get("Authorization"), r.Header.Get("Idempotency-Key")}
		w.Header().Set("Content-Type", media)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(server.Close)
	c, err := client.New(client.Config{Server: server.URL + "/", Token: "imp_p_x"})
	if err != nil {
		t.Fatal(err)
	}
	return c, &got
}

func TestEveryCallAsksForWhatItSays(t *testing.T) {
	t.Parallel()
	const run = `{"id":"r1","status":"completed","text":"done","stale":[]}`
	tests := map[string]struct {
		answer string
		ask    func(*client.Client) (any, error)
		want   seen
		got    any
	}{
		"run": {run, func(c *client.Client) (any, error) {
			r, err := c.Run(t.Context(), imprimatur.Start{Agent: "a", Prompt: "p", Tools: &[]string{}, MaxRounds: 3, Key: "k"}, 90*time.Second)
			return r.Text, err
		}, seen{"POST", "/api/v1/runs?wait=90", `{"agent":"a","prompt":"p","tools":[],"max_rounds":3}`, "application/json", "Bearer imp_p_x", "k"}, "done"},
		"approve": {run, func(c *client.Client) (any, error) {
			r, err := c.Decide(t.Context(), "r/1", imprimatur.Decision{Verdict: imprimatur.Approve, TurnDigest: "t", PictureDigest: "p"}, 0)
			return r.Status, err
		}, seen{"POST", "/api/v1/runs/r%2F1/decision?wait=0", `{"verdict":"approve","turn_digest":"t","picture_digest":"p"}`, "application/json", "Bearer imp_p_x", ""}, imprimatur.StatusCompleted},
		"deny": {run, func(c *client.Client) (any, error) {
			r, err := c.Decide(t.Context(), "r1", imprimatur.Decision{Verdict: imprimatur.Deny, TurnDigest: "t", Reason: "no", Retry: true}, time.Second)
			return r.ID, err
		}, seen{"POST", "/api/v1/runs/r1/decision?wait=1", `{"verdict":"deny","turn_digest":"t","reason":"no","retry":true}`, "application/json", "Bearer imp_p_x", ""}, "r1"},
		"cancel": {run, func(c *client.Client) (any, error) { r, err := c.Cancel(t.Context(), "r1"); return r.ID, err }, seen{"POST", "/api/v1/runs/r1/cancel", "", "application/json", "Bearer imp_p_x", ""}, "r1"},
		"status": {run, func(c *client.Client) (any, error) { r, err := c.Status(t.Context(), "r1"); return r.ID, err }, seen{"GET", "/api/v1/runs/r1", "", "application/json", "Bearer imp_p_x", ""}, "r1"},
		"card": {`{"run":"r1","turn_digest":"t"}`, func(c *client.Client) (any, error) {
			card, err := c.Card(t.Context(), "r1")
			return card.TurnDigest, err
		}, seen{"GET", "/api/v1/runs/r1/card", "", "application/json", "Bearer imp_p_x", ""}, "t"},
		"events": {`[{"run":"r1","sequence":4,"kind":"settled","at":"2026-01-02T03:04:05.006Z","payload":{}}]`, func(c *client.Client) (any, error) {
			events, err := c.Events(t.Context(), "r1", 3)
			return []any{len(events), events[0].Sequence, events[0].At.UnixMilli()}, err
		}, seen{"GET", "/api/v1/runs/r1/events?after=3", "", "application/json", "Bearer imp_p_x", ""}, []any{1, int64(4), int64(1767323045006)}},
		"tools": {`[{"name":"x","offered":true}]`, func(c *client.Client) (any, error) {
			tools, err := c.Tools(t.Context(), "a b")
			return tools[0].Name, err
		}, seen{"GET", "/api/v1/tools?agent=a+b", "", "application/json", "Bearer imp_p_x", ""}, "x"},
		"list": {`{"runs":[` + run + `],"next_cursor":"n","total":120}`, func(c *client.Client) (any, error) {
			l, err := c.List(t.Context(), imprimatur.Filter{Status: imprimatur.StatusWaiting, Agent: "a", Tool: "t", Back: true, Mine: true, Decided: true, Query: "q", Cursor: "c", Limit: 9})
			return []any{len(l.Runs), l.Next, l.Total}, err
		}, seen{"GET", "/api/v1/runs?agent=a&back=true&cursor=c&decided=me&limit=9&mine=true&q=q&status=waiting_for_approval&tool=t", "", "application/json", "Bearer imp_p_x", ""}, []any{1, "n", 120}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, got := answering(t, 200, "application/json", tt.answer)
			answer, err := tt.ask(c)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, *got); diff != "" {
				t.Errorf("asked (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.got, answer); diff != "" {
				t.Errorf("answered (-want +got):\n%s", diff)
			}
		})
	}
}

func TestARefusalComesBackAsTheRefusalItWas(t *testing.T) {
	t.Parallel()
	for _, code := range imprimatur.Codes() {
		body, err := json.Marshal(map[string]any{
			"type": "https://desk.example.org/docs/refusals/" + string(code), "title": "No", "status": code.Status(), "detail": "Because.", "run": "r1",
			"card": imprimatur.Card{Run: "r1", TurnDigest: "t"}, "decided": imprimatur.Decided{By: imprimatur.By{ID: 2, Name: "anna"}, Verdict: imprimatur.Deny, At: imprimatur.Millis(1)},
		})
		if err != nil {
			t.Fatal(err)
		}
		c, _ := answering(t, code.Status(), "application/problem+json", string(body))
		for name, ask := range map[string]func() error{
			"whole": func() error { _, err := c.Status(t.Context(), "r1"); return err },
			"live": func() error {
				_, err := c.DecideLive(t.Context(), "r1", imprimatur.Decision{Verdict: imprimatur.Deny}, client.Watcher{})
				return err
			},
			"watch": func() error { return c.Watch(t.Context(), func(string) {}) },
		} {
			var no *imprimatur.Refusal
			if err := ask(); !errors.As(err, &no) {
				t.Errorf("%s %s: %v is no refusal", name, code, err)
			} else if no.Code != code || no.Run != "r1" || no.Detail != "Because." || no.Card == nil || no.Card.TurnDigest != "t" || no.Decided.By.Name != "anna" {
				t.Errorf("%s %s: got %+v", name, code, no)
			}
		}
	}
}

func TestWhatIsNoAnswerIsAFault(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		status      int
		media, body string
	}{
		"a proxy":          {502, "text/html", "<h1>Bad gateway</h1>"},
		"our own fault":    {500, "application/problem+json", `{"type":"about:blank","title":"Fault","status":500,"detail":"Something broke."}`},
		"an unknown code":  {400, "application/problem+json", `{"type":"https://x/docs/refusals/from_the_future","status":400}`},
		"a redirect":       {302, "text/html", ""},
		"a wrong method":   {405, "application/problem+json", `{"type":"about:blank","status":405}`},
		"a problem no one": {404, "application/problem+json", `[]`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, _ := answering(t, tt.status, tt.media, tt.body)
			_, err := c.Status(t.Context(), "r1")
			var fault *client.Fault
			if !errors.As(err, &fault) || fault.Status != tt.status {
				t.Fatalf("got %v", err)
			}
			if foreign := !strings.HasPrefix(tt.body, "{"); foreign != strings.Contains(err.Error(), "is the address right?") {
				t.Errorf("it says %q", err)
			}
		})
	}
	c, _ := answering(t, 200, "text/html", "<p>hello")
	if _, err := c.Status(t.Context(), "r1"); err == nil {
		t.Error("a page is taken for a run")
	}
}

// Proves tools 141.
func TestAStreamIsReadToItsEndAndNoFurther(t *testing.T) {
	t.Parallel()
	const opening = `{"event":"context","run":"r1"}    ` + "\n" + `<html>` + "\n\n" + `{"event":"step","kind":"tool","round":2,"tool":"x","ok":true}` + "\n"
	c, got := answering(t, 200, "application/x-ndjson", opening+`{"event":"awaiting_approval","run":{"id":"r1","status":"waiting_for_approval","card":{"run":"r1"}}}`+"\n")
	var begun string
	var steps []imprimatur.Step
	watch := client.Watcher{Begun: func(run string) { begun = run }, Step: func(s imprimatur.Step) { steps = append(steps, s) }}
	run, err := c.RunLive(t.Context(), imprimatur.Start{Agent: "a", Prompt: "p"}, watch)
	if err != nil || run.Status != imprimatur.StatusWaiting || run.Card == nil {
		t.Fatalf("%+v, %v", run, err)
	}
	if begun != "r1" || len(steps) != 1 || steps[0].Kind != imprimatur.EventTool || steps[0].Round != 2 || !strings.Contains(string(steps[0].Payload), `"ok":true`) {
		t.Errorf("begun %q, steps %+v", begun, steps)
	}
	if got.Accept != "application/x-ndjson" || got.Path != "/api/v1/runs" {
		t.Errorf("asked %+v", got)
	}

	cut, _ := answering(t, 200, "application/x-ndjson", opening+`{"event":"done","ru`)
	run, err = cut.RunLive(t.Context(), imprimatur.Start{Agent: "a", Prompt: "p"}, client.Watcher{})
	if !errors.Is(err, client.ErrCut) || run.ID != "r1" || run.Status != "" {
		t.Errorf("a stream that was cut: %+v, %v", run, err)
	}
}

func TestChangesAreFollowed(t *testing.T) {
	t.Parallel()
	c, _ := answering(t, 200, "text/event-stream", "retry: 2000\n\n:\n\ndata: r1\n\ndata: r2\n\n")
	var ids []string
	if err := c.Watch(t.Context(), func(run string) { ids = append(ids, run) }); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"r1", "r2"}, ids); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
}

func TestAConfigurationThatCannotWorkIsRefused(t *testing.T) {
	t.Parallel()
	for _, cfg := range []client.Config{
		{},
		{Server: "desk.example.org", Token: "x"},
		{Server: "ftp://desk", Token: "x"},
		{Server: "http://", Token: "x"},
		{Server: "http://desk"},
		{Server: "http://desk", Token: "x\ny"},
		{Server: "http://desk", Token: "ü"},
	} {
		if _, err := client.New(cfg); err == nil {
			t.Errorf("%+v is accepted", cfg)
		}
	}
}
