package openai_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/model"
	"github.com/imprimatur-dev/imprimatur/model/openai"
)

const (
	saying    = `{"choices":[{"index":0,"delta":{"role":"assistant","content":"Let "}}]}`
	more      = `{"choices":[{"index":0,"delta":{"content":"me.\u00e4"},"finish_reason":null}],"usage":null}`
	callOne   = `{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":""}}]}}]}`
	callTwo   = `{"choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"id":"b","type":"function","function":{"name":"g","arguments":"{"}}]}}]}`
	restOne   = `{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"x\":1}"}}]}}]}`
	restTwo   = `{"choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"function":{"arguments":"}"}}]}}]}`
	finished  = `{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`
	stopped   = `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`
	usageOnly = `{"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":3,"total_tokens":10}}`
	end       = `[DONE]`
)

// stream makes server-sent events of data lines.
func stream(data ...string) string {
	return "data: " + strings.Join(data, "\n\ndata: ") + "\n\n"
}

var twoCalls = model.Response{
	Text: "Let me.ä", Finish: model.FinishCalls,
	Calls: []model.Call{
		{ID: "a", Name: "f", Arguments: json.RawMessage(`{"x":1}`)},
		{ID: "b", Name: "g", Arguments: json.RawMessage(`{}`)},
	},
	Tokens: imprimatur.Tokens{Prompt: 7, Completion: 3, Total: 10},
}

func streaming(t *testing.T, url string) *openai.Model {
	t.Helper()
	return mustNew(t, openai.Config{BaseURL: url, APIKey: key, Model: "m", Stream: true})
}

func TestStreamsAreMergedWhateverTheirDialect(t *testing.T) {
	t.Parallel()
	tokens := imprimatur.Tokens{Prompt: 7, Completion: 3, Total: 10}
	calls := func(calls ...model.Call) model.Response {
		return model.Response{Finish: model.FinishCalls, Tokens: tokens, Calls: calls}
	}
	delta := func(call string) string {
		return `{"choices":[{"index":0,"delta":{"tool_calls":[` + call + `]}}]}`
	}
	f := model.Call{ID: "a", Name: "f", Arguments: json.RawMessage(`{"x":1}`)}
	g := model.Call{ID: "b", Name: "g", Arguments: json.RawMessage(`{"y":2}`)}
	tests := []struct {
		name, body string
		want       model.Response
	}{
		{"pieces of two calls in turn", stream(saying, more, callOne, callTwo, restOne, restTwo, finished, usageOnly, end), twoCalls},
		{"the second call comes first", stream(saying, more, callTwo, callOne, restTwo, restOne, finished, usageOnly, end), twoCalls},
		{"line ends of another system", strings.ReplaceAll(stream(saying, more, callOne, callTwo, restOne, restTwo, finished, usageOnly, end), "\n", "\r\n"), twoCalls},
		{"comments, ids, other events and empty data", ": warming up\n\nid: 4\nretry: 10\nevent: message\n" +
			strings.ReplaceAll(stream(saying, more, callOne, callTwo, restOne, restTwo, finished, usageOnly, end), "\n\n", "\n\n: still here\n\ndata:\n\n"), twoCalls},
		{"no space and no empty line", "data:" + strings.Join([]string{saying, more, callOne, callTwo, restOne, restTwo, finished, usageOnly, end}, "\ndata:") + "\n", twoCalls},
		{"many comments", strings.Repeat(": processing\n\n", 2000) + stream(saying, more, callOne, callTwo, restOne, restTwo, finished, usageOnly, end), twoCalls},
		{"usage beside the finish reason, and no end mark", stream(saying, more, callOne, callTwo, restOne, restTwo,
			strings.TrimSuffix(finished, "}")+`,"usage":{"prompt_tokens":7,"completion_tokens":3}}`), twoCalls},
		{"no usage at all", stream(saying, stopped, end), model.Response{Text: "Let ", Finish: model.FinishStop}},
		{
			"the last usage counts", stream(`{"choices":[{"delta":{"content":"a"}}],"usage":{"prompt_tokens":7,"completion_tokens":1}}`, stopped, usageOnly, end),
			model.Response{Text: "a", Finish: model.FinishStop, Tokens: tokens},
		},
		{"error is null", stream(`{"error":null,`+saying[1:], stopped, usageOnly, end), model.Response{Text: "Let ", Finish: model.FinishStop, Tokens: tokens}},
		{
			"a refusal is text", stream(`{"choices":[{"delta":{"refusal":"No"}}]}`, `{"choices":[{"delta":{"refusal":"."}}]}`, stopped, usageOnly, end),
			model.Response{Text: "No.", Finish: model.FinishStop, Tokens: tokens},
		},
		{
			"other choices are left out", stream(`{"choices":[{"index":1,"delta":{"content":"b"},"finish_reason":"length"}]}`, saying, stopped, usageOnly, end),
			model.Response{Text: "Let ", Finish: model.FinishStop, Tokens: tokens},
		},
		{
			"what lies behind the end mark is not read", stream(saying, stopped, usageOnly, end, `{"error":{"message":"late"}}`),
			model.Response{Text: "Let ", Finish: model.FinishStop, Tokens: tokens},
		},
		{"one index for all", stream(
			delta(`{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\""}}`), delta(`{"index":0,"function":{"arguments":":1}"}}`),
			delta(`{"index":0,"id":"b","function":{"name":"g","arguments":"{\"y\""}}`), delta(`{"index":0,"function":{"arguments":":2}"}}`),
			finished, usageOnly, end), calls(f, g)},
		{"no index, ids in every piece", stream(
			delta(`{"id":"a","function":{"name":"f","arguments":"{\"x\""}}`), delta(`{"id":"b","function":{"name":"g","arguments":"{\"y\""}}`),
			delta(`{"id":"a","function":{"arguments":":1}"}}`), delta(`{"id":"b","function":{"arguments":":2}"}}`),
			finished, usageOnly, end), calls(f, g)},
		{"no index, ids in the first piece", stream(
			delta(`{"id":"a","function":{"name":"f","arguments":"{\"x\""}}`), delta(`{"function":{"arguments":":1}"}}`),
			delta(`{"id":"b","function":{"name":"g","arguments":"{\"y\""}}`), delta(`{"function":{"arguments":":2}"}}`),
			finished, usageOnly, end), calls(f, g)},
		{"neither index nor id", stream(
			delta(`{"function":{"name":"f","arguments":"{\"x\""}}`), delta(`{"function":{"arguments":":1}"}}`),
			delta(`{"function":{"name":"f","arguments":"{\"y\":2}"}}`),
			finished, usageOnly, end), calls(model.Call{Name: "f", Arguments: f.Arguments}, model.Call{Name: "f", Arguments: g.Arguments})},
		{"the name again in every piece, another id", stream(
			delta(`{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\""}}`), delta(`{"index":0,"id":"a","function":{"name":"f","arguments":":1}"}}`),
			finished, usageOnly, end), calls(f)},
		{"a new id without a name is the same call", stream(
			delta(`{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\""}}`), delta(`{"index":0,"id":"z","function":{"arguments":":1}"}}`),
			finished, usageOnly, end), calls(f)},
		{"enormous and negative indexes", stream(
			delta(`{"index":9223372036854775807,"id":"b","function":{"name":"g","arguments":"{\"y\":2}"}}`),
			delta(`{"index":-9223372036854775808,"id":"a","function":{"name":"f","arguments":"{\"x\":1}"}}`),
			finished, usageOnly, end), calls(f, g)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			url := answering(t, 200, "text/event-stream", tt.body)
			got, err := streaming(t, url).Complete(t.Context(), hello())
			if err != nil {
				t.Fatalf("Complete: %v", err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("answer differs (-want +got):\n%s", diff)
			}
		})
	}
}

// cuts are the ways in which an answer can end early: the server closes as if
// it were done, or the connection breaks under a length that was promised.
var cuts = []struct {
	name  string
	write func(w http.ResponseWriter, body string, upTo int)
}{
	{"ended", func(w http.ResponseWriter, body string, upTo int) { _, _ = io.WriteString(w, body[:upTo]) }},
	{"broken", func(w http.ResponseWriter, body string, upTo int) {
		w.Header().Set("Content-Length", strconv.Itoa(len(body)+1))
		_, _ = io.WriteString(w, body[:upTo])
	}},
}

// cutting is a server that gives the body up to the byte that the path names.
func cutting(t *testing.T, contentType, body string, write func(http.ResponseWriter, string, int)) string {
	t.Helper()
	return serve(t, func(w http.ResponseWriter, r *http.Request) {
		at, err := strconv.Atoi(strings.Split(r.URL.Path, "/")[1])
		if err != nil {
			t.Errorf("path %s: %v", r.URL.Path, err)
		}
		w.Header().Set("Content-Type", contentType)
		write(w, body, at)
	})
}

func TestAStreamThatIsCutAnywhereIsWholeOrNoAnswer(t *testing.T) {
	t.Parallel()
	body := stream(saying, more, callOne, callTwo, restOne, restTwo, finished, usageOnly, end)
	// From here on nothing that matters is missing: usage came behind the
	// finish reason, with the end of its line.
	enough := strings.Index(body, usageOnly) + len(usageOnly) + 1
	for _, cut := range cuts {
		t.Run(cut.name, func(t *testing.T) {
			t.Parallel()
			url := cutting(t, "text/event-stream", body, cut.write)
			for at := range len(body) + 1 {
				m := streaming(t, url+"/"+strconv.Itoa(at))
				got, err := m.Complete(t.Context(), hello())
				if at >= enough {
					if err != nil {
						t.Errorf("cut at %d, behind all that matters: %v", at, err)
					} else if diff := cmp.Diff(twoCalls, got); diff != "" {
						t.Errorf("cut at %d: answer differs (-want +got):\n%s", at, diff)
					}
					continue
				}
				if err == nil {
					t.Fatalf("cut at %d of %d is taken for an answer: %+v", at, len(body), got)
				}
				f := failure(t, got, err)
				want := model.ClassConnection
				if cut.name == "ended" && at > 0 && at < len("data:") {
					want = model.ClassServer // so far it looks like no stream at all
				}
				if f.Class != want {
					t.Errorf("cut at %d: %v, want class %s", at, err, want)
				}
			}
		})
	}
}

func TestAWholeAnswerThatIsCutAnywhereIsNoAnswer(t *testing.T) {
	t.Parallel()
	body := whole(`{"content":"ä","tool_calls":[{"id":"a","function":{"name":"f","arguments":"{\"x\":1}"}}]}`, `"tool_calls"`)
	for _, cut := range cuts {
		t.Run(cut.name, func(t *testing.T) {
			t.Parallel()
			url := cutting(t, "application/json", body, cut.write)
			for at := range len(body) {
				m := mustNew(t, openai.Config{BaseURL: url + "/" + strconv.Itoa(at), Model: "m"})
				got, err := m.Complete(t.Context(), hello())
				if err == nil {
					t.Fatalf("cut at %d of %d is taken for an answer: %+v", at, len(body), got)
				}
				if f := failure(t, got, err); !f.Class.Retryable() {
					t.Errorf("cut at %d: %v, want a class that may be tried again", at, err)
				}
			}
		})
	}
}
