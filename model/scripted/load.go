package scripted

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/model"
)

// maxScript is the largest script that is read.
const maxScript = 4 << 20

// Load reads a script. It is strict: an unknown or repeated key, a bad
// expression, an unknown class, an entry or turn that says nothing, arguments
// that are no mapping, are errors that begin with "line N:". The caller knows
// the name of the file.
func Load(r io.Reader) (*Model, error) {
	root, err := document(r)
	if err != nil {
		return nil, err
	}
	if root.Kind != yaml.SequenceNode {
		return nil, at(root, "the script is not a list of entries")
	}
	if len(root.Content) == 0 {
		return nil, at(root, "the script has no entry")
	}
	m := &Model{}
	for _, node := range root.Content {
		e, err := readEntry(node)
		if err != nil {
			return nil, err
		}
		m.entries = append(m.entries, e)
	}
	return m, nil
}

func document(r io.Reader) (*yaml.Node, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxScript+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("read script: %w", err)
	case len(text) > maxScript:
		return nil, fmt.Errorf("the script is larger than %d bytes", maxScript)
	}
	dec := yaml.NewDecoder(bytes.NewReader(text))
	var doc, more yaml.Node
	switch err := dec.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return nil, errors.New("line 1: the script is empty")
	case err != nil:
		return nil, fmt.Errorf("parse script: %w", err)
	}
	switch err := dec.Decode(&more); {
	case err == nil:
		return nil, at(&more, "a second document; a script is one")
	case !errors.Is(err, io.EOF):
		return nil, fmt.Errorf("parse script: %w", err)
	}
	if len(doc.Content) == 0 {
		return nil, errors.New("line 1: the script is empty")
	}
	return doc.Content[0], nil
}

func readEntry(node *yaml.Node) (entry, error) {
	fields, err := mapping(node, "an entry", "when", "turns")
	if err != nil {
		return entry{}, err
	}
	when, err := pattern(fields["when"])
	if err != nil {
		return entry{}, err
	}
	list := fields["turns"]
	if list == nil {
		return entry{}, at(node, "an entry without turns")
	}
	if list.Kind != yaml.SequenceNode || len(list.Content) == 0 {
		return entry{}, at(list, "turns is not a list of at least one turn")
	}
	e := entry{when: when}
	for i, n := range list.Content {
		t, err := readTurn(n, i+1)
		if err != nil {
			return entry{}, err
		}
		e.turns = append(e.turns, t)
	}
	return e, nil
}

func pattern(node *yaml.Node) (*regexp.Regexp, error) {
	if node == nil {
		return regexp.MustCompile(`.*`), nil // a constant that compiles
	}
	text, err := textOf(node, "when")
	if err != nil {
		return nil, err
	}
	re, err := regexp.Compile(text)
	if err != nil {
		return nil, at(node, "when is not a regular expression: %w", err)
	}
	return re, nil
}

func readTurn(node *yaml.Node, number int) (turn, error) {
	fields, err := mapping(node, "a turn", "text", "calls", "error", "tokens")
	if err != nil {
		return turn{}, err
	}
	if fault := fields["error"]; fault != nil {
		if len(fields) > 1 {
			return turn{}, at(node, "a turn with an error holds something else as well")
		}
		class, err := readClass(fault)
		return turn{class: class}, err
	}
	if fields["text"] == nil && fields["calls"] == nil {
		return turn{}, at(node, "a turn without text, calls or error")
	}
	answer := model.Response{Finish: model.FinishStop}
	if text := fields["text"]; text != nil {
		if answer.Text, err = textOf(text, "text"); err != nil {
			return turn{}, err
		}
	}
	if calls := fields["calls"]; calls != nil {
		answer.Finish = model.FinishCalls
		if answer.Calls, err = readCalls(calls, number); err != nil {
			return turn{}, err
		}
	}
	answer.Tokens, err = readTokens(fields["tokens"])
	return turn{answer: answer}, err
}

var classes = []model.Class{
	model.ClassConnection, model.ClassRateLimit, model.ClassServer, model.ClassAuth,
	model.ClassConfiguration, model.ClassClient, model.ClassUnknown,
}

func readClass(node *yaml.Node) (model.Class, error) {
	fields, err := mapping(node, "an error", "class")
	if err != nil {
		return "", err
	}
	value := fields["class"]
	if value == nil {
		return "", at(node, "an error without class")
	}
	text, err := textOf(value, "class")
	if err != nil {
		return "", err
	}
	if !slices.Contains(classes, model.Class(text)) {
		return "", at(value, "unknown class %q; known are %q", text, classes)
	}
	return model.Class(text), nil
}

func readTokens(node *yaml.Node) (imprimatur.Tokens, error) {
	out := defaultTokens()
	if node == nil {
		return out, nil
	}
	fields, err := mapping(node, "tokens", "prompt", "completion")
	if err != nil {
		return imprimatur.Tokens{}, err
	}
	for key, into := range map[string]*int64{"prompt": &out.Prompt, "completion": &out.Completion} {
		value := fields[key]
		if value == nil {
			continue
		}
		n, err := strconv.ParseUint(value.Value, 10, 32)
		if err != nil || value.Kind != yaml.ScalarNode {
			return imprimatur.Tokens{}, at(value, "tokens: %s is not a count", key)
		}
		*into = int64(n)
	}
	out.Total = out.Prompt + out.Completion
	return out, nil
}

func readCalls(node *yaml.Node, turn int) ([]model.Call, error) {
	if node.Kind != yaml.SequenceNode || len(node.Content) == 0 {
		return nil, at(node, "calls is not a list of at least one call")
	}
	var calls []model.Call
	for i, n := range node.Content {
		call, err := readCall(n, callID(turn, i+1))
		if err != nil {
			return nil, err
		}
		calls = append(calls, call)
	}
	return calls, nil
}

// readCall keeps an id that is written, even an empty or a repeated one:
// models send such, and what is done about it is for the loop to show.
func readCall(node *yaml.Node, id string) (model.Call, error) {
	fields, err := mapping(node, "a call", "tool", "id", "arguments", "raw")
	if err != nil {
		return model.Call{}, err
	}
	call := model.Call{ID: id, Arguments: json.RawMessage(`{}`)}
	if fields["tool"] == nil {
		return model.Call{}, at(node, "a call without tool")
	}
	if call.Name, err = textOf(fields["tool"], "tool"); err != nil {
		return model.Call{}, err
	}
	if call.Name == "" {
		return model.Call{}, at(fields["tool"], "a call without tool")
	}
	if given := fields["id"]; given != nil {
		if call.ID, err = textOf(given, "id"); err != nil {
			return model.Call{}, err
		}
	}
	call.Arguments, err = readArguments(node, fields["arguments"], fields["raw"])
	return call, err
}

func readArguments(call, arguments, raw *yaml.Node) (json.RawMessage, error) {
	switch {
	case arguments != nil && raw != nil:
		return nil, at(call, "a call has either arguments or raw")
	case raw != nil:
		text, err := textOf(raw, "raw")
		return json.RawMessage(text), err
	case arguments == nil:
		return json.RawMessage(`{}`), nil
	case arguments.Kind != yaml.MappingNode:
		return nil, at(arguments, "arguments is not a mapping")
	}
	return appendJSON(nil, arguments)
}
