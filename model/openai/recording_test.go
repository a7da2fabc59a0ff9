package openai_test

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/internal/realdata"
	"github.com/imprimatur-dev/imprimatur/model"
	"github.com/imprimatur-dev/imprimatur/model/openai"
)

// recording is what the files hold, as far as it matters here.
type recording struct {
	Interactions []struct {
		Request  struct{ Body string }
		Response struct {
			Body    string
			Code    int
			Headers http.Header
		}
	}
}

// Proves field 50.
func TestRecordedTrafficComesOutAsRecorded(t *testing.T) {
	t.Parallel()
	root := realdata.Dir(t, "model-traffic")
	tests := []struct {
		server string
		files  []string
	}{
		{"groq-kimi-k2", []string{"simple", "tool", "multi_tool"}},
		{"llama-cpp-gpt-oss", []string{"simple", "tool"}}, // it has no multi_tool
		{"openai-gpt-4o", []string{"simple", "tool", "multi_tool"}},
		{"openai-gpt-5", []string{"simple", "tool", "multi_tool"}},
	}
	for _, tt := range tests {
		t.Run(tt.server, func(t *testing.T) {
			t.Parallel()
			var want []string
			for _, name := range tt.files {
				want = append(want, name+".yaml", name+"_streaming.yaml")
			}
			slices.Sort(want)
			if diff := cmp.Diff(want, filesIn(t, filepath.Join(root, tt.server))); diff != "" {
				t.Errorf("the recordings are not those this test knows (-want +got):\n%s", diff)
			}
			for _, file := range want {
				t.Run(file, func(t *testing.T) {
					t.Parallel()
					replay(t, filepath.Join(root, tt.server, file), strings.HasSuffix(file, "_streaming.yaml"))
				})
			}
		})
	}
}

func filesIn(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatalf("listing recordings: %v", err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func replay(t *testing.T, path string, stream bool) {
	rec := readRecording(t, path)
	position := make(chan int, len(rec.Interactions)) // what the server answers, in order
	for i := range rec.Interactions {
		position <- i
	}
	sent := make(chan string, len(rec.Interactions))
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		sent <- string(body)
		answer := rec.Interactions[<-position].Response
		for name, values := range answer.Headers {
			w.Header()[name] = values
		}
		w.WriteHeader(answer.Code)
		_, _ = io.WriteString(w, answer.Body)
	})
	for i, interaction := range rec.Interactions {
		asked := object(t, interaction.Request.Body)
		m := mustNew(t, openai.Config{BaseURL: url, Model: str(asked["model"]), Stream: stream})
		got, err := m.Complete(t.Context(), requestOf(t, asked))
		if err != nil {
			t.Fatalf("interaction %d: %v", i, err)
		}
		if diff := cmp.Diff(recordedAnswer(t, interaction.Response.Body, stream), got); diff != "" {
			t.Errorf("interaction %d: answer differs from the recording (-want +got):\n%s", i, diff)
		}
		if diff := cmp.Diff(essence(asked, stream), essence(object(t, <-sent), stream)); diff != "" {
			t.Errorf("interaction %d: we asked something else (-recorded +sent):\n%s", i, diff)
		}
	}
}

func readRecording(t *testing.T, path string) recording {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("reading recording: %v", err)
	}
	var rec recording
	if err := yaml.Unmarshal(raw, &rec); err != nil {
		t.Fatalf("parsing recording: %v", err)
	}
	if len(rec.Interactions) == 0 {
		t.Fatal("a recording without interactions")
	}
	return rec
}

func object(t *testing.T, text string) map[string]any {
	t.Helper()
	var out map[string]any
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatalf("parsing %.80q: %v", text, err)
	}
	return out
}

// essence keeps of a request what this adapter decides: the model, the
// messages, the tools, and how the answer shall come. Limits and the thoughts
// that some clients send back are other clients' business.
func essence(request map[string]any, stream bool) map[string]any {
	out := map[string]any{"model": request["model"], "stream": request["stream"] == true}
	if stream {
		out["stream_options"] = request["stream_options"]
	}
	var messages []any
	for _, m := range list(request["messages"]) {
		delete(m, "reasoning_content")
		messages = append(messages, m)
	}
	out["messages"] = messages
	var tools []any
	for _, tool := range list(request["tools"]) {
		function := tool["function"].(map[string]any)
		if function["strict"] == false {
			delete(function, "strict") // the default
		}
		tools = append(tools, tool)
	}
	out["tools"] = tools
	return out
}

func list(v any) []map[string]any {
	items, _ := v.([]any)
	var out []map[string]any
	for _, item := range items {
		out = append(out, item.(map[string]any))
	}
	return out
}

func str(v any) string { s, _ := v.(string); return s }

// requestOf is the transcript that a recorded request was made from.
func requestOf(t *testing.T, asked map[string]any) model.Request {
	t.Helper()
	var req model.Request
	for _, m := range list(asked["messages"]) {
		switch m["role"] {
		case "system":
			req.System = str(m["content"])
		case "user":
			req.Messages = append(req.Messages, imprimatur.Message{Role: imprimatur.FromUser, Text: str(m["content"])})
		case "assistant":
			msg := imprimatur.Message{Role: imprimatur.FromAssistant, Text: str(m["content"])}
			for _, c := range list(m["tool_calls"]) {
				f := c["function"].(map[string]any)
				msg.Calls = append(msg.Calls, imprimatur.ToolCall{
					ID: str(c["id"]), Name: str(f["name"]), Arguments: json.RawMessage(str(f["arguments"])),
				})
			}
			req.Messages = append(req.Messages, msg)
		case "tool":
			req.Messages = append(req.Messages, imprimatur.Message{
				Role: imprimatur.FromTool, CallID: str(m["tool_call_id"]), Text: str(m["content"]),
			})
		default:
			t.Fatalf("a recorded message of role %v", m["role"])
		}
	}
	for _, tool := range list(asked["tools"]) {
		f := tool["function"].(map[string]any)
		schema, err := json.Marshal(f["parameters"])
		if err != nil {
			t.Fatalf("encoding recorded schema: %v", err)
		}
		req.Tools = append(req.Tools, imprimatur.Spec{Name: str(f["name"]), Description: str(f["description"]), Schema: schema})
	}
	return req
}

// recordedAnswer reads the answer out of the raw recording, without any code
// of the adapter.
func recordedAnswer(t *testing.T, body string, stream bool) model.Response {
	t.Helper()
	var got struct {
		text, finish string
		calls        []model.Call
		usage        map[string]any
	}
	message := func(m map[string]any) {
		got.text += str(m["content"])
		for place, c := range list(m["tool_calls"]) {
			if index, ok := c["index"].(float64); ok {
				place = int(index)
			}
			for len(got.calls) <= place {
				got.calls = append(got.calls, model.Call{})
			}
			f := c["function"].(map[string]any)
			call := &got.calls[place]
			call.ID += str(c["id"])
			call.Name += str(f["name"])
			call.Arguments = append(call.Arguments, str(f["arguments"])...)
		}
	}
	read := func(raw, key string) {
		top := object(t, raw)
		for _, choice := range list(top["choices"]) {
			message(choice[key].(map[string]any))
			if reason := str(choice["finish_reason"]); reason != "" {
				got.finish = reason
			}
		}
		if usage, ok := top["usage"].(map[string]any); ok {
			got.usage = usage
		}
	}
	if stream {
		for _, line := range strings.Split(body, "\n") {
			if data, ok := strings.CutPrefix(line, "data: "); ok && data != "[DONE]" {
				read(data, "delta")
			}
		}
	} else {
		read(body, "message")
	}
	if got.finish == "" || got.usage == nil || got.text == "" && len(got.calls) == 0 {
		t.Fatal("the recording says less than it should")
	}
	count := func(key string) int64 { return int64(got.usage[key].(float64)) }
	return model.Response{
		Text: got.text, Calls: got.calls, Finish: model.Finish(got.finish),
		Tokens: imprimatur.Tokens{
			Prompt: count("prompt_tokens"), Completion: count("completion_tokens"), Total: count("total_tokens"),
		},
	}
}
