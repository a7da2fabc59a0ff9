package imprimatur

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/imprimatur-dev/imprimatur/internal/canon"
)

// Suspended is a run that waits: all that is needed to go on.
type Suspended struct {
	Messages  []Message // ends with the assistant message that asked for Calls
	Calls     []ToolCall
	Dropped   int // pending entries that could not be read; each counts as a write
	Rounds    int
	Tokens    Tokens
	Allowed   *[]string // the run's own constraint; nil: none; empty: no tools
	MaxRounds int       // explicit cap of the run; 0: the agent's
	Previews  []Preview
	Was       []Preview   // lines that the last bounce replaced; never compared or hashed
	Bounces   map[int]int // by index: how often in a row the call brought the turn back
	Words     string
	Ran       []Ran
}

// ErrCorrupt is returned for a state that is not readable at all.
var ErrCorrupt = errors.New("suspended state is unreadable")

// The stored form. Its names are those of the records; fields may be added.
type storedState struct {
	Messages   []Message     `json:"messages"`
	Calls      []storedCall  `json:"pendingCalls"`
	Iterations int           `json:"iterations"`
	Prompt     int64         `json:"promptTokens"`
	Completion int64         `json:"completionTokens"`
	Total      int64         `json:"totalTokens"`
	Allowed    *[]string     `json:"allowedToolNames"`
	Options    storedOptions `json:"options"`
	Previews   []Preview     `json:"callPreviews"`
	Was        []Preview     `json:"replacedPreviews,omitempty"`
	Bounces    map[int]int   `json:"bounces,omitempty"`
	Words      string        `json:"words,omitempty"`
	Ran        []Ran         `json:"ran,omitempty"`
}

type storedOptions struct {
	MaxRounds int `json:"max_rounds,omitempty"`
}

type storedCall struct {
	ID       string         `json:"id"`
	Type     string         `json:"type"`
	Function storedFunction `json:"function"`
	Identity string         `json:"identity,omitempty"`
	Refused  CallRefusal    `json:"refused,omitempty"`
}

type storedFunction struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

// MarshalJSON writes a call in the form in which the transcript and the
// pending list hold it.
func (c ToolCall) MarshalJSON() ([]byte, error) { return json.Marshal(c.stored()) }

func (c ToolCall) stored() storedCall {
	args := c.Arguments
	if len(args) == 0 {
		args = json.RawMessage("{}")
	}
	return storedCall{c.ID, "function", storedFunction{c.Name, args}, c.Identity, c.Refused}
}

// UnmarshalJSON reads the stored form of a call. Id and name must not be
// empty. Arguments are an object, or a string that holds one; an absent or
// malformed string means no arguments.
func (c *ToolCall) UnmarshalJSON(b []byte) error {
	var s storedCall
	if err := json.Unmarshal(b, &s); err != nil {
		return fmt.Errorf("tool call: %w", err)
	}
	if s.ID == "" || s.Function.Name == "" {
		return errors.New("tool call: id and name must not be empty")
	}
	*c = ToolCall{ID: s.ID, Name: s.Function.Name, Identity: s.Identity, Refused: s.Refused}
	if s.Refused == "" {
		c.Arguments = objectArguments(s.Function.Arguments)
		return nil
	}
	text := string(s.Function.Arguments)
	_ = json.Unmarshal(s.Function.Arguments, &text) // what is no string stays as it is written
	c.Arguments = canon.String(text)
	return nil
}

func objectArguments(raw json.RawMessage) json.RawMessage {
	var text string
	if json.Unmarshal(raw, &text) == nil && text != "" {
		raw = json.RawMessage(text)
	}
	object, err := canon.Object(raw)
	if err != nil {
		return json.RawMessage("{}")
	}
	return object
}

// Encode returns the stored form. Invalid UTF-8 is replaced, never an error.
func (s Suspended) Encode() ([]byte, error) {
	stored := storedState{
		Messages: s.Messages, Iterations: s.Rounds, Prompt: s.Tokens.Prompt, Completion: s.Tokens.Completion,
		Total: s.Tokens.Total, Allowed: noNil(s.Allowed), Options: storedOptions{s.MaxRounds}, Previews: s.Previews, Was: s.Was,
		Bounces: s.Bounces, Words: s.Words, Ran: s.Ran, Calls: make([]storedCall, len(s.Calls)),
	}
	for i, c := range s.Calls {
		stored.Calls[i] = c.stored()
	}
	b, err := canon.Marshal(stored)
	if err != nil {
		return nil, fmt.Errorf("encode suspended state: %w", err)
	}
	return b, nil
}

// DecodeSuspended reads a stored state field by field: what is malformed
// becomes empty and never stops a resume, so that an older or damaged row
// still waits for its decision. Entries of the pending list that are no calls
// are dropped, and everything that counts by index is carried over to the
// list that survives. Only bytes that are no JSON object are ErrCorrupt.
//
// Marks are stored beside the state and count by the same index; they are
// translated with it.
func DecodeSuspended(b []byte, marks []Mark) (Suspended, []Mark, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(b, &fields); err != nil || fields == nil {
		return Suspended{}, nil, ErrCorrupt
	}
	s := Suspended{
		Messages: readMessages(fields["messages"]),
		Rounds:   int(readInt(fields["iterations"])),
		Tokens: Tokens{
			Prompt: readInt(fields["promptTokens"]), Completion: readInt(fields["completionTokens"]), Total: readInt(fields["totalTokens"]),
		},
		Allowed: readNames(fields["allowedToolNames"]),
		Words:   readString(fields["words"]),
		Ran:     readList[Ran](fields["ran"], func(r Ran) bool { return r.ID != "" }),
	}
	var options map[string]json.RawMessage
	if json.Unmarshal(fields["options"], &options) == nil {
		s.MaxRounds = int(readInt(options["max_rounds"]))
	}
	index := s.readCalls(fields["pendingCalls"])
	s.Previews = readPreviews(fields["callPreviews"], index)
	s.Was = readPreviews(fields["replacedPreviews"], index)
	s.Bounces = readBounces(fields["bounces"], index)
	return s, translate(marks, index), nil
}

// readCalls fills Calls and Dropped and returns, for each index of the raw
// list, the index in Calls; an entry that did not survive has none.
func (s *Suspended) readCalls(raw json.RawMessage) map[int]int {
	var entries []json.RawMessage
	index := map[int]int{}
	if json.Unmarshal(raw, &entries) != nil {
		return index
	}
	for i, e := range entries {
		var c ToolCall
		if json.Unmarshal(e, &c) != nil {
			s.Dropped++
			continue
		}
		index[i] = len(s.Calls)
		s.Calls = append(s.Calls, c)
	}
	return index
}

// readMessages reads a transcript. A call of a message that is none costs only
// itself: results without the message they answer are nothing a model takes.
func readMessages(raw json.RawMessage) []Message {
	type loose struct {
		Message
		Calls json.RawMessage `json:"calls"`
	}
	var messages []Message
	for _, m := range readList[loose](raw, func(m loose) bool { return m.Role != "" }) {
		m.Message.Calls = readList[ToolCall](m.Calls, func(ToolCall) bool { return true })
		messages = append(messages, m.Message)
	}
	return messages
}

func readPreviews(raw json.RawMessage, index map[int]int) []Preview {
	var entries []map[string]json.RawMessage
	var loose []json.RawMessage
	if json.Unmarshal(raw, &loose) != nil {
		return nil
	}
	for _, e := range loose {
		var fields map[string]json.RawMessage
		if json.Unmarshal(e, &fields) == nil {
			entries = append(entries, fields)
		}
	}
	var previews []Preview
	for _, e := range entries {
		var at float64
		if json.Unmarshal(e["index"], &at) != nil || e["index"] == nil || at != math.Trunc(at) {
			continue
		}
		to, survives := index[int(at)]
		p := Preview{
			Index: to, Tool: readString(e["tool"]), Language: readString(e["language"]),
			Lines: readList[Line](e["lines"], func(l Line) bool { return l.Text != "" }),
		}
		_ = json.Unmarshal(e["failed"], &p.Failed)
		_ = json.Unmarshal(e["neutral"], &p.Neutral)
		if survives && p.Tool != "" && len(p.Lines) > 0 {
			previews = append(previews, p)
		}
	}
	return previews
}

func readBounces(raw json.RawMessage, index map[int]int) map[int]int {
	var stored map[int]int
	if json.Unmarshal(raw, &stored) != nil {
		return nil
	}
	var bounces map[int]int
	for from, n := range stored {
		if to, ok := index[from]; ok && n > 0 {
			if bounces == nil {
				bounces = map[int]int{}
			}
			bounces[to] = n
		}
	}
	return bounces
}

func translate(marks []Mark, index map[int]int) []Mark {
	var out []Mark
	for _, m := range marks {
		if to, ok := index[m.Index]; ok {
			m.Index = to
			out = append(out, m)
		}
	}
	return out
}

// readList decodes a list entry by entry and drops those that do not decode
// or do not please keep. What is no list is empty.
func readList[T any](raw json.RawMessage, keep func(T) bool) []T {
	var entries []json.RawMessage
	if json.Unmarshal(raw, &entries) != nil {
		return nil
	}
	var out []T
	for _, e := range entries {
		var v T
		if string(e) != "null" && json.Unmarshal(e, &v) == nil && keep(v) {
			out = append(out, v)
		}
	}
	return out
}

// readNames keeps the difference between no constraint and an empty one.
func readNames(raw json.RawMessage) *[]string {
	var entries []json.RawMessage
	if json.Unmarshal(raw, &entries) != nil || entries == nil {
		return nil
	}
	names := readList[string](raw, func(string) bool { return true })
	names = slices.Clip(append([]string{}, names...))
	return &names
}

func readInt(raw json.RawMessage) int64 {
	var n json.Number
	if json.Unmarshal(raw, &n) != nil || strings.HasPrefix(string(raw), `"`) {
		return 0
	}
	if i, err := n.Int64(); err == nil {
		return max(i, 0)
	}
	return 0
}

func readString(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}
