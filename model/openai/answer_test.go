package openai_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/model"
	"github.com/imprimatur-dev/imprimatur/model/openai"
)

// whole wraps a message into an answer.
func whole(message, finish string) string {
	return `{"choices":[{"index":0,"message":` + message + `,"finish_reason":` + finish + `}],` +
		`"usage":{"prompt_tokens":7,"completion_tokens":3,"total_tokens":10}}`
}

func TestWholeAnswersAreReadAsTheyAreMeant(t *testing.T) {
	t.Parallel()
	tokens := imprimatur.Tokens{Prompt: 7, Completion: 3, Total: 10}
	tests := []struct {
		name, body string
		want       model.Response
	}{
		{"stopped", whole(`{"content":"a"}`, `"stop"`), model.Response{Text: "a", Finish: model.FinishStop, Tokens: tokens}},
		{"cut by length", whole(`{"content":"a"}`, `"length"`), model.Response{Text: "a", Finish: model.FinishLength, Tokens: tokens}},
		{"cut by the length of the model", whole(`{"content":"a"}`, `"model_length"`), model.Response{Text: "a", Finish: model.FinishLength, Tokens: tokens}},
		{"filtered", whole(`{"content":""}`, `"content_filter"`), model.Response{Finish: model.FinishFilter, Tokens: tokens}},
		{"empty, but stopped", whole(`{"content":null}`, `"stop"`), model.Response{Finish: model.FinishStop, Tokens: tokens}},
		{"a refusal is text", whole(`{"content":null,"refusal":"I won't."}`, `"stop"`), model.Response{Text: "I won't.", Finish: model.FinishStop, Tokens: tokens}},
		{"thoughts are not text", whole(`{"content":"a","reasoning_content":"hm"}`, `"stop"`), model.Response{Text: "a", Finish: model.FinishStop, Tokens: tokens}},
		{"text in parts", whole(`{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}`, `"stop"`), model.Response{Text: "ab", Finish: model.FinishStop, Tokens: tokens}},
		{"error is null", `{"error":null,` + whole(`{"content":"a"}`, `"stop"`)[1:], model.Response{Text: "a", Finish: model.FinishStop, Tokens: tokens}},
		{
			"only the first choice counts", `{"choices":[{"index":1,"message":{"content":"b"},"finish_reason":"stop"},{"index":0,"message":{"content":"a"},"finish_reason":"stop"}]}`,
			model.Response{Text: "a", Finish: model.FinishStop},
		},
		{
			"text and calls, arguments as they are written",
			whole(`{"content":"a","tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{\"n\": 9007199254740993, \"n\": 1.50}"}},{"id":"","type":"function","function":{"name":"g","arguments":"{oops"}}]}`, `"tool_calls"`),
			model.Response{Text: "a", Finish: model.FinishCalls, Tokens: tokens, Calls: []model.Call{
				{ID: "1", Name: "f", Arguments: json.RawMessage(`{"n": 9007199254740993, "n": 1.50}`)},
				{Name: "g", Arguments: json.RawMessage(`{oops`)},
			}},
		},
		{
			"calls although it stopped", whole(`{"tool_calls":[{"id":"1","function":{"name":"f"}}]}`, `"stop"`),
			model.Response{Finish: model.FinishStop, Tokens: tokens, Calls: []model.Call{{ID: "1", Name: "f", Arguments: json.RawMessage{}}}},
		},
		{
			"a total that is missing is the sum", `{"choices":[{"message":{"content":"a"},"finish_reason":"stop"}],"usage":{"prompt_tokens":7,"completion_tokens":3}}`,
			model.Response{Text: "a", Finish: model.FinishStop, Tokens: tokens},
		},
		{
			"no usage is nought", `{"choices":[{"message":{"content":"a"},"finish_reason":"stop"}]}`,
			model.Response{Text: "a", Finish: model.FinishStop},
		},
		{
			"usage below nought is nought", `{"choices":[{"message":{"content":"a"},"finish_reason":"stop"}],"usage":{"prompt_tokens":-9,"completion_tokens":3,"total_tokens":-6}}`,
			model.Response{Text: "a", Finish: model.FinishStop, Tokens: imprimatur.Tokens{Completion: 3, Total: 3}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			url := answering(t, 200, "application/json", tt.body)
			got, err := mustNew(t, openai.Config{BaseURL: url, Model: "m"}).Complete(t.Context(), hello())
			if err != nil {
				t.Fatalf("Complete: %v", err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("answer differs (-want +got):\n%s", diff)
			}
		})
	}
}
