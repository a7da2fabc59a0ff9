package scripted

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// at is an error with the line it is about.
func at(node *yaml.Node, format string, args ...any) error {
	return fmt.Errorf("line %d: "+format, append([]any{node.Line}, args...)...)
}

// mapping returns the values of a mapping that holds nothing but known keys,
// each once.
func mapping(node *yaml.Node, what string, known ...string) (map[string]*yaml.Node, error) {
	if node.Kind != yaml.MappingNode {
		return nil, at(node, "%s is not a mapping", what)
	}
	out := make(map[string]*yaml.Node, len(node.Content)/2)
	for pair := range slices.Chunk(node.Content, 2) {
		key := pair[0]
		if key.Kind != yaml.ScalarNode || !slices.Contains(known, key.Value) {
			return nil, at(key, "%s has an unknown key %q; known are %s", what, key.Value, strings.Join(known, ", "))
		}
		if out[key.Value] != nil {
			return nil, at(key, "%s has the key %q twice", what, key.Value)
		}
		out[key.Value] = pair[1]
	}
	return out, nil
}

// textOf returns a scalar as it is written. Numbers and dates are texts here;
// null is not.
func textOf(node *yaml.Node, what string) (string, error) {
	if node.Kind != yaml.ScalarNode || node.ShortTag() == "!!null" || node.ShortTag() == "!!binary" {
		return "", at(node, "%s is not a text", what)
	}
	return node.Value, nil
}

// appendJSON writes a value as JSON: keys in the order of the script, numbers
// as they stand there. What JSON cannot write so is an error, never a guess.
func appendJSON(out []byte, node *yaml.Node) ([]byte, error) {
	switch node.Kind {
	case yaml.MappingNode:
		return appendObject(out, node)
	case yaml.SequenceNode:
		return appendArray(out, node)
	case yaml.ScalarNode:
		return appendScalar(out, node)
	default:
		return nil, at(node, "aliases are not allowed in arguments")
	}
}

func appendObject(out []byte, node *yaml.Node) ([]byte, error) {
	out = append(out, '{')
	seen := make(map[string]bool, len(node.Content)/2)
	for pair := range slices.Chunk(node.Content, 2) {
		key := pair[0]
		switch {
		case key.Kind != yaml.ScalarNode || key.ShortTag() == "!!merge":
			return nil, at(key, "a key in arguments is not a text")
		case seen[key.Value]:
			return nil, at(key, "the key %q twice; write raw to send that", key.Value)
		}
		if len(seen) > 0 {
			out = append(out, ',')
		}
		seen[key.Value] = true
		out = append(appendText(out, key.Value), ':')
		var err error
		if out, err = appendJSON(out, pair[1]); err != nil {
			return nil, err
		}
	}
	return append(out, '}'), nil
}

func appendArray(out []byte, node *yaml.Node) ([]byte, error) {
	out = append(out, '[')
	for i, item := range node.Content {
		if i > 0 {
			out = append(out, ',')
		}
		var err error
		if out, err = appendJSON(out, item); err != nil {
			return nil, err
		}
	}
	return append(out, ']'), nil
}

func appendScalar(out []byte, node *yaml.Node) ([]byte, error) {
	switch tag := node.ShortTag(); tag {
	case "!!null":
		return append(out, "null"...), nil
	case "!!bool":
		word := strings.ToLower(node.Value)
		if word != "true" && word != "false" {
			return nil, at(node, "%s is neither true nor false", node.Value)
		}
		return append(out, word...), nil
	case "!!int", "!!float":
		if !json.Valid([]byte(node.Value)) || !strings.ContainsAny(node.Value[:1], "-0123456789") {
			return nil, at(node, "%s is a number that JSON cannot write; quote it, or write raw", node.Value)
		}
		return append(out, node.Value...), nil
	case "!!str", "!!timestamp":
		return appendText(out, node.Value), nil
	default:
		return nil, at(node, "a value of type %s has no place in arguments", tag)
	}
}

// appendText leaves <, > and & as they are.
func appendText(out []byte, s string) []byte {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if enc.Encode(s) != nil {
		panic("unreachable: a Go string always encodes")
	}
	return append(out, bytes.TrimSuffix(buf.Bytes(), []byte("\n"))...)
}
