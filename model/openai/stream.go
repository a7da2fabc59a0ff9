package openai

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"

	wire "github.com/sashabaranov/go-openai"

	"github.com/imprimatur-dev/imprimatur/model"
)

// readStream reads an answer that comes in pieces. It is whole when the finish
// reason was seen and, behind it, either the end mark or the usage: anything
// less may have been cut.
func (m *Model) readStream(resp *http.Response) (model.Response, error) {
	status := resp.StatusCode
	in := events{r: bufio.NewReader(resp.Body)}
	var got merge
	for {
		ev, err := in.next()
		if err != nil {
			if got.whole() {
				return m.answerOf(status, got.choice(), got.usage)
			}
			return model.Response{}, m.cut(status, &in, err)
		}
		if string(ev.data) == "[DONE]" {
			return m.answerOf(status, got.choice(), got.usage)
		}
		if failure := m.add(status, &got, ev); failure != nil {
			return model.Response{}, failure
		}
	}
}

func (m *Model) add(status int, got *merge, ev event) *model.Error {
	if failure := m.disguised(status, ev.data); failure != nil {
		return failure
	}
	if ev.name == "error" {
		return fault(model.ClassServer, status, "the server reported an error in the stream: %s", m.said(string(ev.data)))
	}
	var chunk wire.ChatCompletionStreamResponse
	if err := json.Unmarshal(ev.data, &chunk); err != nil {
		return fault(model.ClassServer, status, "decode part of the answer: %w", err)
	}
	got.add(chunk)
	return nil
}

// cut names the end of a stream that is not whole.
func (m *Model) cut(status int, in *events, err error) *model.Error {
	if !errors.Is(err, io.EOF) {
		return m.broken(status, "read stream", err)
	}
	if failure := m.disguised(status, in.stray); failure != nil {
		return failure
	}
	if in.seen || len(bytes.TrimSpace(in.stray)) == 0 {
		return fault(model.ClassConnection, status, "read stream: %w", io.ErrUnexpectedEOF)
	}
	return fault(model.ClassServer, status, "the answer is no event stream")
}

// event is one data line and the name of the event it belongs to.
type event struct {
	name string
	data []byte
}

// events reads server-sent events. Each data line counts as an event, since
// not every server puts an empty line behind it. A last line without its line
// end is not an event: it may be half of one.
type events struct {
	r     *bufio.Reader
	name  string
	seen  bool   // a data line
	stray []byte // the beginning of what is no field of an event
}

func (e *events) next() (event, error) {
	for {
		line, err := e.r.ReadBytes('\n')
		if err != nil {
			e.unfinished(line)
			return event{}, err
		}
		line = bytes.TrimRight(line, "\r\n")
		field, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimSpace(value)
		switch string(field) {
		case "data":
			e.seen = true
			if len(value) == 0 && e.name != "error" {
				continue // some servers keep the connection warm like this
			}
			return event{name: e.name, data: value}, nil
		case "event":
			e.name = string(value)
		case "": // the end of an event, or a comment
			if len(line) == 0 {
				e.name = ""
			}
		default:
			e.lost(line)
		}
	}
}

// unfinished keeps a last line only to see whether it tells of an error.
func (e *events) unfinished(line []byte) {
	if data, found := bytes.CutPrefix(line, []byte("data:")); found {
		e.seen, line = true, data
	}
	e.lost(line)
}

func (e *events) lost(line []byte) {
	if room := maxErrorBody - len(e.stray); room > 0 {
		e.stray = append(e.stray, line[:min(room, len(line))]...)
		e.stray = append(e.stray, '\n')
	}
}

// merge puts the pieces of one message together.
type merge struct {
	text, refusal strings.Builder
	calls         []*part
	finish        wire.FinishReason
	usage         *wire.Usage
}

// part is one call as far as it came.
type part struct {
	index     int
	id, name  string
	arguments strings.Builder
}

func (g *merge) add(chunk wire.ChatCompletionStreamResponse) {
	if chunk.Usage != nil {
		g.usage = chunk.Usage
	}
	for _, choice := range chunk.Choices {
		if choice.Index != 0 {
			continue
		}
		g.text.WriteString(choice.Delta.Content)
		g.refusal.WriteString(choice.Delta.Refusal)
		for _, delta := range choice.Delta.ToolCalls {
			g.call(delta)
		}
		if choice.FinishReason != "" {
			g.finish = choice.FinishReason
		}
	}
}

func (g *merge) call(delta wire.ToolCall) {
	p := g.find(delta)
	if p == nil {
		p = &part{index: g.indexOf(delta)}
		g.calls = append(g.calls, p)
	}
	if p.id == "" {
		p.id = delta.ID
	}
	if p.name != delta.Function.Name { // some servers repeat the name in every piece
		p.name += delta.Function.Name
	}
	p.arguments.WriteString(delta.Function.Arguments)
}

// find returns the call that a piece belongs to, or nil where it begins one:
// the last call with its index. Some servers give every call of a turn the
// same index; there another id together with a name begins a call.
func (g *merge) find(delta wire.ToolCall) *part {
	if delta.Index == nil {
		return g.findUnnumbered(delta)
	}
	for _, p := range slices.Backward(g.calls) {
		if p.index != *delta.Index {
			continue
		}
		if delta.ID != "" && p.id != "" && p.id != delta.ID && delta.Function.Name != "" {
			return nil
		}
		return p
	}
	return nil
}

// findUnnumbered goes by the id; a piece with neither id nor name goes on with
// the last call.
func (g *merge) findUnnumbered(delta wire.ToolCall) *part {
	if len(g.calls) == 0 || delta.ID == "" && delta.Function.Name != "" {
		return nil
	}
	if delta.ID == "" {
		return g.calls[len(g.calls)-1]
	}
	for _, p := range g.calls {
		if p.id == delta.ID {
			return p
		}
	}
	return nil
}

func (g *merge) indexOf(delta wire.ToolCall) int {
	if delta.Index != nil {
		return *delta.Index
	}
	next := 0
	for _, p := range g.calls {
		next = max(next, p.index+1)
	}
	return next
}

// whole reports whether nothing that matters can be missing any more.
func (g *merge) whole() bool { return g.finish != "" && g.usage != nil }

func (g *merge) choice() wire.ChatCompletionChoice {
	slices.SortStableFunc(g.calls, func(a, b *part) int { return cmp.Compare(a.index, b.index) })
	msg := wire.ChatCompletionMessage{Content: g.text.String(), Refusal: g.refusal.String()}
	for _, p := range g.calls {
		msg.ToolCalls = append(msg.ToolCalls, wire.ToolCall{
			ID: p.id, Function: wire.FunctionCall{Name: p.name, Arguments: p.arguments.String()},
		})
	}
	return wire.ChatCompletionChoice{Message: msg, FinishReason: g.finish}
}
