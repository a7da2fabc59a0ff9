package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/imprimatur-dev/imprimatur"
)

// noting is what came of the command note.
type noting struct {
	exit             int
	out, talk, asked string
}

// note runs the command against a server that answers this way.
func note(t *testing.T, status int, answer string, args ...string) noting {
	t.Helper()
	var got noting
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		got.asked += r.Method + " " + r.URL.Path + " " + string(body)
		w.Header().Set("Content-Type", "application/problem+json")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, answer) // whoever asked may be gone
	}))
	defer server.Close()
	var out, talk bytes.Buffer
	a := &app{in: os.Stdin, out: &out, err: &talk, env: func(string) (string, bool) { return "", false }}
	got.exit = a.run(t.Context(), append([]string{"note", "--server", server.URL, "--token", "imp_p_x"}, args...))
	got.out, got.talk = out.String(), talk.String()
	return got
}

func TestWhatSomebodyFoundIsNotedFromATerminal(t *testing.T) {
	t.Parallel()
	for _, found := range imprimatur.Findings() {
		got := note(t, http.StatusNoContent, "", "r1", "call-1-1", string(found))
		want := `POST /api/v1/runs/r1/note {"call":"call-1-1","found":"` + string(found) + `"}`
		if got.exit != exitOK || got.asked != want || got.out != "" || !strings.Contains(got.talk, "Noted. Nothing was written or repeated.") {
			t.Errorf("%s: got %+v", found, got)
		}
	}
}

func TestANoteThatIsNotTakenSaysWhy(t *testing.T) {
	t.Parallel()
	for code, exit := range map[imprimatur.Code]int{
		imprimatur.CodeNotUnknown: exitError, imprimatur.CodeNotFound: exitError,
		imprimatur.CodeAccessDenied: exitNotMay, imprimatur.CodeOwnCredential: exitNotMay,
	} {
		got := note(t, code.Status(), `{"type":"/docs/refusals/`+string(code)+`"}`, "r1", "call-1-1", "happened")
		if got.exit != exit || !strings.Contains(got.talk, "("+string(code)+")") || strings.Contains(got.talk, "Noted") {
			t.Errorf("%s: got %+v", code, got)
		}
	}
}

func TestANoteThatSaysNothingKnownIsNotSent(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{
		"no word":      {"r1", "call-1-1"},
		"another word": {"r1", "call-1-1", "perhaps"},
		"in capitals":  {"r1", "call-1-1", "HAPPENED"},
		"one too many": {"r1", "call-1-1", "happened", "unclear"},
	} {
		if got := note(t, http.StatusNoContent, "", args...); got.exit != exitUsage || got.asked != "" {
			t.Errorf("%s: got %+v", name, got)
		}
	}
}

func TestTheTerminalSaysWhatNobodyKnowsAndWhatWasFound(t *testing.T) {
	t.Parallel()
	unknown := []imprimatur.Unknown{{
		Call: "call-1-1", Tool: "delete_record", Late: &imprimatur.Ran{ID: "call-1-1", Tool: "delete_record", OK: true},
		Notes: []imprimatur.Noted{{Found: imprimatur.FoundNothing, By: imprimatur.By{ID: 2, Name: "petra\x1b[2J"}, At: imprimatur.Millis(0)}},
	}}
	var card, run bytes.Buffer
	printCard(&card, imprimatur.Card{Run: "r", Status: imprimatur.StatusFailed, Unknown: unknown})
	printRun(&run, imprimatur.Run{ID: "r", Status: imprimatur.StatusFailed, Reason: imprimatur.ReasonOutcomeUnknown, Unknown: unknown})
	for name, said := range map[string]string{"card": card.String(), "run": run.String()} {
		for _, want := range []string{
			"Nobody knows whether delete_record wrote (call call-1-1).", "the tool reported that it had written",
			`petra\u{1B}[2J noted at 1970-01-01 00:00:00Z: did_not_happen`,
		} {
			if !strings.Contains(said, want) {
				t.Errorf("the %s does not say %q:\n%s", name, want, said)
			}
		}
	}
}
