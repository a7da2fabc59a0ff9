package openai

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"

	wire "github.com/sashabaranov/go-openai"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/model"
)

// readWhole reads an answer that comes in one piece. It stops behind the JSON
// value: a server that keeps the connection open is not waited for.
func (m *Model) readWhole(resp *http.Response) (model.Response, error) {
	var raw json.RawMessage
	if err := json.NewDecoder(resp.Body).Decode(&raw); err != nil {
		return model.Response{}, m.unreadable(resp.StatusCode, err)
	}
	if failure := m.disguised(resp.StatusCode, raw); failure != nil {
		return model.Response{}, failure
	}
	var body wire.ChatCompletionResponse
	if err := json.Unmarshal(raw, &body); err != nil {
		return model.Response{}, fault(model.ClassServer, resp.StatusCode, "decode answer: %w", err)
	}
	for _, choice := range body.Choices {
		if choice.Index == 0 {
			return m.answerOf(resp.StatusCode, choice, &body.Usage)
		}
	}
	return model.Response{}, fault(model.ClassServer, resp.StatusCode, "the answer holds no choice")
}

func (m *Model) unreadable(status int, err error) *model.Error {
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, io.EOF):
		return fault(model.ClassServer, status, "the answer is empty")
	case errors.As(err, &syntax):
		return fault(model.ClassServer, status, "the answer is not JSON: %w", err)
	default:
		return m.broken(status, "read answer", err)
	}
}

// answerOf makes the response of a message that is whole.
func (m *Model) answerOf(status int, choice wire.ChatCompletionChoice, usage *wire.Usage) (model.Response, error) {
	finish, failure := m.finishOf(status, choice.FinishReason)
	if failure != nil {
		return model.Response{}, failure
	}
	if finish == model.FinishCalls && len(choice.Message.ToolCalls) == 0 {
		return model.Response{}, fault(model.ClassServer, status, "the model stopped for tool calls and made none")
	}
	return model.Response{
		Text:   textOf(choice.Message),
		Calls:  callsOf(choice.Message.ToolCalls),
		Finish: finish,
		Tokens: tokensOf(usage),
	}, nil
}

// finishOf maps a stop reason. One that nobody knows is a failure: it may mean
// that the answer is not what the model wanted to say.
func (m *Model) finishOf(status int, reason wire.FinishReason) (model.Finish, *model.Error) {
	switch reason {
	case wire.FinishReasonStop:
		return model.FinishStop, nil
	case wire.FinishReasonToolCalls, wire.FinishReasonFunctionCall:
		return model.FinishCalls, nil
	case wire.FinishReasonLength, "model_length":
		return model.FinishLength, nil
	case wire.FinishReasonContentFilter:
		return model.FinishFilter, nil
	case "":
		return "", fault(model.ClassServer, status, "the answer has no finish reason")
	case "error":
		return "", fault(model.ClassServer, status, "the model stopped with an error")
	default:
		return "", fault(model.ClassUnknown, status, "unknown finish reason %q", m.said(string(reason)))
	}
}

// textOf is what the model says to the person. A refusal of the model is text
// like any other; what it thought by itself is not.
func textOf(msg wire.ChatCompletionMessage) string {
	text := msg.Content
	if text == "" && len(msg.MultiContent) > 0 {
		parts := make([]string, len(msg.MultiContent))
		for i, part := range msg.MultiContent {
			parts[i] = part.Text
		}
		text = strings.Join(parts, "")
	}
	if text == "" {
		return msg.Refusal
	}
	return text
}

func callsOf(calls []wire.ToolCall) []model.Call {
	if len(calls) == 0 {
		return nil
	}
	out := make([]model.Call, len(calls))
	for i, call := range calls {
		out[i] = model.Call{ID: call.ID, Name: call.Function.Name, Arguments: json.RawMessage(call.Function.Arguments)}
	}
	return out
}

// tokensOf never counts below nought: a token budget hangs on it. Servers that
// report no usage count as nought.
func tokensOf(usage *wire.Usage) imprimatur.Tokens {
	if usage == nil {
		return imprimatur.Tokens{}
	}
	t := imprimatur.Tokens{
		Prompt:     max(0, int64(usage.PromptTokens)),
		Completion: max(0, int64(usage.CompletionTokens)),
		Total:      max(0, int64(usage.TotalTokens)),
	}
	if t.Total == 0 {
		t.Total = t.Prompt + t.Completion
	}
	return t
}
