package imprimatur

import "encoding/json"

// Message is one entry of a run's transcript.
type Message struct {
	Role    string     `json:"role"` // user, assistant or tool
	Text    string     `json:"text,omitempty"`
	Calls   []ToolCall `json:"calls,omitempty"`   // of an assistant message
	CallID  string     `json:"call_id,omitempty"` // of a tool message: the call it answers
	IsError bool       `json:"is_error,omitempty"`
}

// Roles of messages.
const (
	FromUser      = "user"
	FromAssistant = "assistant"
	FromTool      = "tool"
)

// ToolCall is one call of a turn, as it was accepted (rulings §3).
type ToolCall struct {
	ID       string
	Name     string
	Identity string // of the tool when the call was accepted; empty for a name nobody knows
	// Arguments are canonical: one JSON object, or, for a refused call, the raw
	// text as one JSON string.
	Arguments json.RawMessage
	// Refused says why the call can never run; empty for a call that can.
	Refused CallRefusal
}

// CallRefusal is why a call was not accepted. A catalogue entry
// "call.refused.<value>" says it to people.
type CallRefusal string

// Why calls are refused at acceptance.
const (
	RefusedNotJSON   CallRefusal = "not_json"  // not one JSON object
	RefusedDuplicate CallRefusal = "duplicate" // a key twice
	RefusedEncoding  CallRefusal = "encoding"  // invalid UTF-8 or a lone surrogate
	RefusedTooLarge  CallRefusal = "too_large" // over 1 MiB or 64 levels
)

// Tokens counts what a model read and wrote.
type Tokens struct {
	Prompt     int64 `json:"prompt"`
	Completion int64 `json:"completion"`
	Total      int64 `json:"total"`
}

// Add returns the sum.
func (t Tokens) Add(u Tokens) Tokens {
	return Tokens{t.Prompt + u.Prompt, t.Completion + u.Completion, t.Total + u.Total}
}
