package openai_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/model"
	"github.com/imprimatur-dev/imprimatur/model/openai"
)

// outcome is what became of one call, and what the model reads about it.
type outcome struct {
	name    string
	result  string
	isError bool
	refused imprimatur.CallRefusal
	raw     string // the arguments as the model wrote them
}

var outcomes = []outcome{
	{name: "approved", result: "Attached."},
	{name: "approved and silent", result: ""},
	{name: "approved and failed", result: "The tool failed.", isError: true},
	{name: "denied", result: "Not executed. A person refused: not this picture. Do not try again.", isError: true},
	{name: "unknown", result: "There is no such tool.", isError: true},
	{
		name: "refused", result: "The arguments are not one JSON object.", isError: true,
		refused: imprimatur.RefusedNotJSON, raw: `{"uid": <&> "ä"`,
	},
	{
		name: "refused for a key twice", result: "A key stands twice.", isError: true,
		refused: imprimatur.RefusedDuplicate, raw: `{"a":1,"a":2}`,
	},
	{
		name: "refused as empty", result: "The arguments are not one JSON object.", isError: true,
		refused: imprimatur.RefusedNotJSON, raw: ``,
	},
}

// call is the pending call as it is stored once it was accepted or refused.
func (o outcome) call(t *testing.T, id string) imprimatur.ToolCall {
	t.Helper()
	call := imprimatur.ToolCall{ID: id, Name: "attach", Refused: o.refused, Arguments: json.RawMessage(`{"file":9007199254740993}`)}
	if o.refused == "" {
		return call
	}
	text, err := json.Marshal(o.raw)
	if err != nil {
		t.Fatalf("encoding raw arguments: %v", err)
	}
	call.Arguments = text
	return call
}

func (o outcome) argumentText() string {
	switch {
	case o.refused == "":
		return `{"file":9007199254740993}`
	case o.raw == "":
		return `{}`
	}
	return o.raw
}

// turnOf is one assistant message and its results, in the order given.
func turnOf(t *testing.T, number int, text string, outcomes ...outcome) []imprimatur.Message {
	t.Helper()
	turn := imprimatur.Message{Role: imprimatur.FromAssistant, Text: text}
	var results []imprimatur.Message
	for i, o := range outcomes {
		id := fmt.Sprintf("call-%d-%d", number, i+1)
		turn.Calls = append(turn.Calls, o.call(t, id))
		results = append(results, imprimatur.Message{Role: imprimatur.FromTool, CallID: id, Text: o.result, IsError: o.isError})
	}
	return append([]imprimatur.Message{turn}, results...)
}

// Proves field 50.
func TestWhateverWasDecidedEveryCallGoesOutWithItsOneResult(t *testing.T) {
	t.Parallel()
	bothWays(t, func(t *testing.T, cfg openai.Config) {
		bodies := make(chan []byte, 1)
		cfg.BaseURL = serve(t, func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			bodies <- body
			if cfg.Stream {
				_, _ = io.WriteString(w, stream(saying, stopped, usageOnly, end))
			} else {
				_, _ = io.WriteString(w, whole(`{"content":"a"}`, `"stop"`))
			}
		})
		m := mustNew(t, cfg)
		send := func(t *testing.T, messages []imprimatur.Message) []chatMessage {
			t.Helper()
			if _, err := m.Complete(t.Context(), model.Request{System: "Be kind.", Messages: messages}); err != nil {
				t.Fatalf("Complete: %v", err)
			}
			return validMessages(t, <-bodies)
		}
		// Three calls of a turn, each with each outcome; then a second turn of
		// one call, so that a turn follows a turn.
		for _, first := range outcomes {
			for _, second := range outcomes {
				for _, third := range outcomes {
					messages := []imprimatur.Message{{Role: imprimatur.FromUser, Text: "Attach the pictures."}}
					messages = append(messages, turnOf(t, 1, "", first, second, third)...)
					messages = append(messages, turnOf(t, 2, "Once more.", third)...)
					sent := send(t, messages)
					name := first.name + ", " + second.name + ", " + third.name
					if len(sent) != len(messages)+1 {
						t.Fatalf("%s: %d messages sent, want %d", name, len(sent), len(messages)+1)
					}
					var got []string
					for _, call := range sent[2].ToolCalls {
						got = append(got, call.Function.Arguments)
					}
					want := []string{first.argumentText(), second.argumentText(), third.argumentText()}
					if diff := cmp.Diff(want, got); diff != "" {
						t.Errorf("%s: arguments differ (-want +got):\n%s", name, diff)
					}
				}
			}
		}
	})
}

func TestATranscriptThatEndsWithTextOrAUserIsSentToo(t *testing.T) {
	t.Parallel()
	bodies := make(chan []byte, 1)
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		bodies <- body
		_, _ = io.WriteString(w, whole(`{"content":"a"}`, `"stop"`))
	})
	_, err := mustNew(t, openai.Config{BaseURL: url + "/v1/", APIKey: key, Model: "m"}).Complete(t.Context(), model.Request{
		Messages: []imprimatur.Message{
			{Role: imprimatur.FromUser}, {Role: imprimatur.FromAssistant}, {Role: imprimatur.FromUser, Text: "<go> & on"},
		},
		Tools: []imprimatur.Spec{
			{Name: "f", Description: "Does f.", Schema: json.RawMessage(`{"type":"object","properties":{"n":{"maximum":9007199254740993}}}`)},
			{Name: "g"},
		},
	})
	if err != nil {
		t.Fatalf("Complete: %v", err)
	}
	body := <-bodies
	var got any
	dec := json.NewDecoder(strings.NewReader(string(body)))
	dec.UseNumber()
	if err := dec.Decode(&got); err != nil {
		t.Fatalf("parsing request: %v", err)
	}
	want := map[string]any{
		"model": "m", "stream": false,
		"messages": []any{
			map[string]any{"role": "user", "content": "(empty)"},
			map[string]any{"role": "assistant", "content": "(empty)"},
			map[string]any{"role": "user", "content": "<go> & on"},
		},
		"tools": []any{
			map[string]any{"type": "function", "function": map[string]any{"name": "f", "description": "Does f.", "parameters": map[string]any{
				"type": "object", "properties": map[string]any{"n": map[string]any{"maximum": json.Number("9007199254740993")}},
			}}},
			map[string]any{"type": "function", "function": map[string]any{"name": "g", "parameters": map[string]any{
				"type": "object", "properties": map[string]any{},
			}}},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("request differs (-want +got):\n%s", diff)
	}
}

// Proves field 50.
func TestATranscriptThatDoesNotPairIsNotSent(t *testing.T) {
	t.Parallel()
	user := imprimatur.Message{Role: imprimatur.FromUser, Text: "hello"}
	asks := func(ids ...string) imprimatur.Message {
		msg := imprimatur.Message{Role: imprimatur.FromAssistant}
		for _, id := range ids {
			msg.Calls = append(msg.Calls, imprimatur.ToolCall{ID: id, Name: "f", Arguments: json.RawMessage(`{}`)})
		}
		return msg
	}
	answers := func(id string) imprimatur.Message {
		return imprimatur.Message{Role: imprimatur.FromTool, CallID: id, Text: "done"}
	}
	tests := []struct {
		name     string
		messages []imprimatur.Message
		says     string
	}{
		{"no result at the end", []imprimatur.Message{user, asks("a")}, `call "a" has no result`},
		{"one result of two", []imprimatur.Message{user, asks("a", "b"), answers("a")}, `call "b" has no result`},
		{"a turn before the result", []imprimatur.Message{user, asks("a"), asks("b"), answers("a"), answers("b")}, `call "a" has no result`},
		{"a person before the result", []imprimatur.Message{user, asks("a"), user, answers("a")}, `call "a" has no result`},
		{"a result twice", []imprimatur.Message{user, asks("a"), answers("a"), answers("a")}, `a second result for "a"`},
		{"a result of another turn", []imprimatur.Message{user, asks("a"), answers("a"), asks("b"), answers("b"), answers("a")}, `a result for "a"`},
		{"a result without a turn", []imprimatur.Message{user, answers("a")}, `a result for "a"`},
		{"two calls of one id", []imprimatur.Message{user, asks("a", "a"), answers("a"), answers("a")}, `two calls have the id "a"`},
		{"a call without id", []imprimatur.Message{user, asks(""), answers("")}, "a call has no id"},
		{"an unknown role", []imprimatur.Message{{Role: "system", Text: "x"}}, `unknown role "system"`},
	}
	url := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("a request was made") })
	m := mustNew(t, openai.Config{BaseURL: url, Model: "m"})
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := m.Complete(t.Context(), model.Request{Messages: tt.messages})
			if f := failure(t, got, err); f.Class != model.ClassClient || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("%v; want class client_error and %q", err, tt.says)
			}
		})
	}
}

func TestAToolWithoutAReadableSchemaIsNotOffered(t *testing.T) {
	t.Parallel()
	url := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("a request was made") })
	req := hello()
	req.Tools = []imprimatur.Spec{{Name: "f", Schema: json.RawMessage(`{"type":`)}}
	got, err := mustNew(t, openai.Config{BaseURL: url, Model: "m"}).Complete(t.Context(), req)
	if f := failure(t, got, err); f.Class != model.ClassConfiguration || !strings.Contains(err.Error(), `"f"`) {
		t.Errorf("%v; want class configuration and the name of the tool", err)
	}
}

func TestHeadersAndPathAreThoseOfTheProtocol(t *testing.T) {
	t.Parallel()
	for _, k := range []string{key, ""} {
		t.Run("key="+k, func(t *testing.T) {
			t.Parallel()
			bothWays(t, func(t *testing.T, cfg openai.Config) {
				seen := make(chan *http.Request, 1)
				cfg.APIKey = k
				cfg.BaseURL = serve(t, func(_ http.ResponseWriter, r *http.Request) { seen <- r }) + "/openai/v1/"
				_, _ = mustNew(t, cfg).Complete(t.Context(), hello())
				r := <-seen
				got := map[string]string{
					"method": r.Method, "path": r.URL.Path, "type": r.Header.Get("Content-Type"),
					"accept": r.Header.Get("Accept"), "authorization": r.Header.Get("Authorization"),
				}
				want := map[string]string{
					"method": "POST", "path": "/openai/v1/chat/completions", "type": "application/json",
					"accept":        map[bool]string{false: "application/json", true: "text/event-stream"}[cfg.Stream],
					"authorization": map[bool]string{false: "", true: "Bearer " + k}[k != ""],
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("request differs (-want +got):\n%s", diff)
				}
			})
		})
	}
}

// The environment is of the whole process, so this test does not run beside
// others.
func TestTheProxyOfTheEnvironmentIsNotUsed(t *testing.T) {
	t.Setenv("HTTP_PROXY", serve(t, func(http.ResponseWriter, *http.Request) { t.Error("the proxy was asked") }))
	url := answering(t, 200, "application/json", whole(`{"content":"a"}`, `"stop"`))
	// net/http never asks a proxy for a loopback address; this one is not known as such.
	url = strings.Replace(url, "127.0.0.1", "0.0.0.0", 1)
	if _, err := mustNew(t, openai.Config{BaseURL: url, Model: "m"}).Complete(t.Context(), hello()); err != nil {
		t.Errorf("Complete: %v", err)
	}
}

// chatMessage is a message as a strict server reads it.
type chatMessage struct {
	Role       string     `json:"role"`
	Content    *string    `json:"content"`
	ToolCallID string     `json:"tool_call_id"`
	ToolCalls  []chatCall `json:"tool_calls"`
}

type chatCall struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

// validMessages applies the rules of the strictest servers to a request: known
// fields only, no message without content or calls, every call with an id, a
// type, a name and arguments, and directly behind it exactly one result.
func validMessages(t *testing.T, body []byte) []chatMessage {
	t.Helper()
	var top struct{ Messages json.RawMessage }
	if err := json.Unmarshal(body, &top); err != nil {
		t.Fatalf("parsing request: %v", err)
	}
	dec := json.NewDecoder(strings.NewReader(string(top.Messages)))
	dec.DisallowUnknownFields()
	var messages []chatMessage
	if err := dec.Decode(&messages); err != nil {
		t.Fatalf("parsing messages: %v", err)
	}
	open := map[string]int{}
	for i, msg := range messages {
		if msg.Content == nil && len(msg.ToolCalls) == 0 || msg.Content != nil && *msg.Content == "" {
			t.Errorf("message %d has no content", i)
		}
		if msg.Role != "tool" && len(open) > 0 {
			t.Errorf("message %d of role %s comes before the results of %v", i, msg.Role, open)
		}
		switch msg.Role {
		case "system":
			if i != 0 {
				t.Errorf("message %d is a system message", i)
			}
		case "tool":
			if open[msg.ToolCallID] != 1 {
				t.Errorf("message %d answers %q, which is not open", i, msg.ToolCallID)
			}
			delete(open, msg.ToolCallID)
		case "assistant":
			for _, call := range msg.ToolCalls {
				if call.ID == "" || call.Type != "function" || call.Function.Name == "" || call.Function.Arguments == "" {
					t.Errorf("message %d has an incomplete call %+v", i, call)
				}
				open[call.ID]++
			}
		case "user":
		default:
			t.Errorf("message %d has the role %q", i, msg.Role)
		}
	}
	if len(open) > 0 {
		t.Errorf("the request ends before the results of %v", open)
	}
	return messages
}
