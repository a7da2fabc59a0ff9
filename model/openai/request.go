package openai

import (
	"encoding/json"
	"errors"
	"fmt"

	wire "github.com/sashabaranov/go-openai"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/model"
)

// nothing stands where a text is empty: the wire type leaves an empty content
// out, and servers refuse a message without one.
const nothing = "(empty)"

const (
	// noParameters is the schema of a tool that has none.
	noParameters = `{"type":"object","properties":{}}`
	// noArguments stands for arguments that were the empty text, which the wire
	// type leaves out as well.
	noArguments = `{}`
)

func (m *Model) encode(req model.Request) ([]byte, error) {
	messages, err := messagesOf(req)
	if err != nil {
		return nil, &model.Error{Class: model.ClassClient, Err: err}
	}
	tools, err := toolsOf(req.Tools)
	if err != nil {
		return nil, misconfigured(err)
	}
	out := wire.ChatCompletionRequest{Model: m.name, Messages: messages, Tools: tools, Stream: m.stream}
	if m.stream {
		out.StreamOptions = &wire.StreamOptions{IncludeUsage: true}
	}
	body, err := json.Marshal(out)
	if err != nil {
		return nil, &model.Error{Class: model.ClassClient, Err: fmt.Errorf("encode request: %w", err)}
	}
	return body, nil
}

// messagesOf maps the transcript. Servers differ in how they take a call
// without a result, or a result without a call; some refuse, some guess. Such a
// transcript is not sent at all.
func messagesOf(req model.Request) ([]wire.ChatCompletionMessage, error) {
	out := make([]wire.ChatCompletionMessage, 0, len(req.Messages)+1)
	if req.System != "" {
		out = append(out, wire.ChatCompletionMessage{Role: wire.ChatMessageRoleSystem, Content: req.System})
	}
	var open pairing
	for i, msg := range req.Messages {
		if msg.Role != imprimatur.FromTool {
			if err := open.closed(); err != nil {
				return nil, fmt.Errorf("message %d: %w", i, err)
			}
		}
		var err error
		switch msg.Role {
		case imprimatur.FromUser:
			out = append(out, textMessage(wire.ChatMessageRoleUser, msg.Text))
		case imprimatur.FromAssistant:
			open, err = pairingOf(msg.Calls)
			out = append(out, assistantMessage(msg))
		case imprimatur.FromTool:
			err = open.answer(msg.CallID)
			result := textMessage(wire.ChatMessageRoleTool, msg.Text)
			result.ToolCallID = msg.CallID
			out = append(out, result)
		default:
			err = fmt.Errorf("unknown role %q", msg.Role)
		}
		if err != nil {
			return nil, fmt.Errorf("message %d: %w", i, err)
		}
	}
	if err := open.closed(); err != nil {
		return nil, fmt.Errorf("end of transcript: %w", err)
	}
	return out, nil
}

func textMessage(role, text string) wire.ChatCompletionMessage {
	if text == "" {
		text = nothing
	}
	return wire.ChatCompletionMessage{Role: role, Content: text}
}

func assistantMessage(msg imprimatur.Message) wire.ChatCompletionMessage {
	if len(msg.Calls) == 0 {
		return textMessage(wire.ChatMessageRoleAssistant, msg.Text)
	}
	calls := make([]wire.ToolCall, len(msg.Calls))
	for i, call := range msg.Calls {
		calls[i] = wire.ToolCall{
			ID:       call.ID,
			Type:     wire.ToolTypeFunction,
			Function: wire.FunctionCall{Name: call.Name, Arguments: argumentText(call)},
		}
	}
	return wire.ChatCompletionMessage{Role: wire.ChatMessageRoleAssistant, Content: msg.Text, ToolCalls: calls}
}

// argumentText gives the model back what it wrote: the arguments of a refused
// call are stored as one JSON string that holds the raw text.
func argumentText(call imprimatur.ToolCall) string {
	var text string
	if json.Unmarshal(call.Arguments, &text) != nil {
		text = string(call.Arguments)
	}
	if text == "" {
		return noArguments
	}
	return text
}

func toolsOf(specs []imprimatur.Spec) ([]wire.Tool, error) {
	tools := make([]wire.Tool, len(specs))
	for i, spec := range specs {
		schema := spec.Schema
		if len(schema) == 0 {
			schema = json.RawMessage(noParameters)
		}
		if !json.Valid(schema) {
			return nil, fmt.Errorf("the schema of tool %q is not JSON", spec.Name)
		}
		tools[i] = wire.Tool{Type: wire.ToolTypeFunction, Function: &wire.FunctionDefinition{
			Name: spec.Name, Description: spec.Description, Parameters: schema,
		}}
	}
	return tools, nil
}

// pairing holds, per call of the last assistant message, whether its result
// was seen. The zero value waits for nothing.
type pairing map[string]bool

func pairingOf(calls []imprimatur.ToolCall) (pairing, error) {
	p := make(pairing, len(calls))
	for _, call := range calls {
		if call.ID == "" {
			return nil, errors.New("a call has no id")
		}
		if _, twice := p[call.ID]; twice {
			return nil, fmt.Errorf("two calls have the id %q", call.ID)
		}
		p[call.ID] = false
	}
	return p, nil
}

func (p pairing) answer(id string) error {
	answered, asked := p[id]
	if !asked {
		return fmt.Errorf("a result for %q, which the turn before did not ask for", id)
	}
	if answered {
		return fmt.Errorf("a second result for %q", id)
	}
	p[id] = true
	return nil
}

func (p pairing) closed() error {
	for id, answered := range p {
		if !answered {
			return fmt.Errorf("call %q has no result", id)
		}
	}
	return nil
}
