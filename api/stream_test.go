package api_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/imprimatur-dev/imprimatur"
)

// stream sends a start that asks for lines and returns them, parsed.
func stream(t *testing.T, f *fake) (answer, []map[string]any) {
	t.Helper()
	got := do(t, serve(t, f), request{
		method: "POST", path: "/api/v1/runs?wait=junk", body: `{"agent":"editor","prompt":"hello"}`,
		headers: []string{"Accept: application/json;q=0.5, application/x-ndjson"},
	})
	var lines []map[string]any
	for line := range bytes.Lines(got.body) {
		if len(line) < 4096 {
			t.Errorf("a line of %d bytes", len(line))
		}
		var parsed map[string]any
		if err := json.Unmarshal(line, &parsed); err != nil {
			t.Fatalf("line %.80q: %v", line, err)
		}
		lines = append(lines, parsed)
	}
	return got, lines
}

// Proves runtime 223, 226; tools 139.
func TestAStreamIsContextStepsAndOneEnd(t *testing.T) {
	t.Parallel()
	ends := map[imprimatur.Status]string{
		imprimatur.StatusCompleted: "done", imprimatur.StatusWaiting: "awaiting_approval", imprimatur.StatusCancelled: "cancelled",
		imprimatur.StatusFailed: "error", imprimatur.StatusRunning: "error",
	}
	for status, want := range ends {
		t.Run(string(status), func(t *testing.T) {
			t.Parallel()
			run := waitingRun()
			run.Status = status
			c := card()
			run.Card = &c
			got, lines := stream(t, &fake{run: run, begun: "r1", steps: []imprimatur.Step{
				{Kind: imprimatur.EventRequest, Round: 1, Payload: json.RawMessage(`{"round":1}`)},
				{Kind: imprimatur.EventTool, Round: 1, Payload: json.RawMessage(`{"call":"c1","tool":"attach","ok":true,"event":"forged","kind":"forged"}`)},
			}})
			if got.status != 200 || got.header.Get("Content-Type") != "application/x-ndjson" || !strings.Contains(got.header.Get("Cache-Control"), "no-transform") || got.header.Get("X-Accel-Buffering") != "no" {
				t.Errorf("%d %v", got.status, got.header)
			}
			if len(lines) != 4 {
				t.Fatalf("%d lines, want 4: %v", len(lines), lines)
			}
			if lines[0]["event"] != "context" || lines[0]["run"] != "r1" {
				t.Errorf("first line %v", lines[0])
			}
			if lines[2]["event"] != "step" || lines[2]["kind"] != "tool" || lines[2]["round"] != 1.0 || lines[2]["tool"] != "attach" {
				t.Errorf("step %v", lines[2])
			}
			last, _ := lines[3]["run"].(map[string]any)
			if lines[3]["event"] != want || last["id"] != "r1" || last["card"] == nil {
				t.Errorf("last line %v, want %s", lines[3], want)
			}
		})
	}
}

func TestARepeatedKeyStreamsWhatAlreadyHappened(t *testing.T) {
	t.Parallel()
	_, lines := stream(t, &fake{run: waitingRun()})
	if len(lines) != 2 || lines[0]["event"] != "context" || lines[1]["event"] != "awaiting_approval" {
		t.Errorf("lines %v", lines)
	}
}

// Proves runtime 231; tools 144.
func TestAStreamThatBreaksEndsWithAnErrorAndNothingOfTheFault(t *testing.T) {
	t.Parallel()
	got, lines := stream(t, &fake{begun: "r1", err: errors.New("disk full at /secret/path")})
	if len(lines) != 2 || lines[1]["event"] != "error" {
		t.Fatalf("lines %v", lines)
	}
	if run, _ := lines[1]["run"].(map[string]any); run["id"] != "r1" {
		t.Errorf("the last line does not name the run: %v", lines[1])
	}
	if strings.Contains(string(got.body), "secret") {
		t.Error("the fault reached the client")
	}
}

func TestAStreamIsNotSentToWhoRefusesIt(t *testing.T) {
	t.Parallel()
	f := &fake{run: waitingRun(), begun: "r1"}
	got := do(t, serve(t, f), request{
		method: "POST", path: "/api/v1/runs", body: `{"agent":"editor","prompt":"hello"}`, headers: []string{"Accept: application/x-ndjson;q=0.0, */*"},
	})
	if got.header.Get("Content-Type") != "application/json" {
		t.Errorf("media type %q", got.header.Get("Content-Type"))
	}
}

func TestStepsAfterTheAnswerAreDropped(t *testing.T) {
	t.Parallel()
	f := &fake{run: waitingRun(), begun: "r1"}
	f.late = make(chan func(imprimatur.Step), 1)
	_, lines := stream(t, f)
	(<-f.late)(imprimatur.Step{Kind: imprimatur.EventRequest}) // must not touch the answer that is gone
	if len(lines) != 2 {
		t.Errorf("lines %v", lines)
	}
}

func TestASegmentThatBeginsAfterTheAnswerTouchesNothing(t *testing.T) {
	t.Parallel()
	f := &fake{err: errors.New("the store went away"), tardy: make(chan func(string), 1)}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/api/v1/runs", strings.NewReader(`{"agent":"editor","prompt":"hello"}`))
	r.Header.Set("Authorization", "Bearer jana")
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/x-ndjson")
	w := httptest.NewRecorder()
	serve(t, f).Config.Handler.ServeHTTP(w, r)
	problem := w.Body.String()
	(<-f.tardy)("r1") // the answer is gone, its writer perhaps somebody else's
	if w.Code != http.StatusInternalServerError || w.Body.String() != problem || w.Header().Get("Content-Type") != "application/problem+json" {
		t.Errorf("%d, %v, %.200s", w.Code, w.Header(), w.Body)
	}
}
