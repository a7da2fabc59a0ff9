package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// pair is one key of the file with its value.
type pair struct {
	path  string // of the keys that lead to it, joined by "."
	line  int
	value *yaml.Node
}

// at is where a key stands in the file, by its path.
func (l *loaded) at(path string) source {
	for _, p := range l.pairs {
		if p.path == path {
			return source{line: p.line}
		}
	}
	return source{}
}

// decode reads a file strictly. It reports whether the file was read to its
// end, so that it makes sense to look at what it says.
func (l *loaded) decode(text []byte, into any) (whole bool) {
	var root yaml.Node
	if yaml.Unmarshal(text, &root) == nil {
		l.checkValues(&root, "")
	}
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	err := d.Decode(into)
	var types *yaml.TypeError
	switch {
	case err == nil:
		var more yaml.Node
		if next := d.Decode(&more); !errors.Is(next, io.EOF) {
			l.wrong(source{}, "holds more than one document")
		}
		return true
	case errors.Is(err, io.EOF):
		l.wrong(source{}, "is empty")
	case errors.As(err, &types):
		twice := false // such a group is not read any further
		for _, e := range types.Errors {
			l.wrongType(e)
			twice = twice || strings.HasSuffix(l.found[len(l.found)-1].text, twiceText)
		}
		return !twice && len(root.Content) == 1 && root.Content[0].Kind == yaml.MappingNode
	default:
		l.wrongType(strings.TrimPrefix(err.Error(), "yaml: "))
	}
	return false
}

// twiceText ends what is said about a key that stands there twice.
const twiceText = "stands here for the second time"

// checkValues refuses keys without a value: an empty list and no list at all
// mean different things here, and nothing written means neither.
func (l *loaded) checkValues(n *yaml.Node, path string) {
	for i, child := range n.Content {
		switch {
		case n.Kind != yaml.MappingNode:
			l.checkValues(child, path)
		case i%2 == 1:
			key := n.Content[i-1]
			at := strings.TrimPrefix(path+"."+key.Value, ".")
			l.pairs = append(l.pairs, pair{at, key.Line, child})
			if child.Kind == yaml.ScalarNode && child.ShortTag() == "!!null" {
				l.wrong(source{line: child.Line}, "%s: a value is missing", at)
			}
			l.checkValues(child, at)
		}
	}
}

// keyOf is the key whose value begins on a line, where only one can be meant;
// shown is the beginning of the value as the decoder quotes it.
func (l *loaded) keyOf(line int, shown string) string {
	shown = strings.TrimSuffix(shown, "...")
	found := ""
	for _, p := range l.pairs {
		if p.value.Line != line || (p.value.Kind == yaml.ScalarNode) != (shown != "") || !strings.HasPrefix(p.value.Value, shown) {
			continue
		}
		if found != "" {
			return ""
		}
		found = p.path
	}
	return found
}

var (
	twiceForm   = regexp.MustCompile(`^mapping key (".*") already defined at line (\d+)$`)
	lineForm    = regexp.MustCompile(`^line (\d+): (?s:(.*))$`)
	unknownForm = regexp.MustCompile(`^field (\S+) not found in type \S+$`)
	typeForm    = regexp.MustCompile("^cannot unmarshal (\\S+)(?: `(?s:(.*))`)? into (\\S+)$")
)

// wrongType says in our words what the decoder says in its own.
func (l *loaded) wrongType(text string) {
	var s source
	if m := lineForm.FindStringSubmatch(text); m != nil {
		_, _ = fmt.Sscan(m[1], &s.line) // digits, by the expression
		text = m[2]
	}
	if m := unknownForm.FindStringSubmatch(text); m != nil {
		text = fmt.Sprintf("unknown key %q", m[1])
	} else if m := twiceForm.FindStringSubmatch(text); m != nil {
		text = m[1] + " " + twiceText
	} else if m := typeForm.FindStringSubmatch(text); m != nil {
		text = "must be " + wanted(m[3])
		if m[2] != "" {
			text = fmt.Sprintf("%q ", m[2]) + text
		}
		if key := l.keyOf(s.line, m[2]); key != "" {
			text = key + ": " + text
		}
	}
	l.wrong(s, "%s", text)
}

func wanted(goType string) string {
	switch goType {
	case "string":
		return "a text"
	case "bool":
		return "true or false"
	case "int", "int64":
		return "a whole number"
	case "[]string":
		return "a list of texts"
	default:
		return "a group of keys"
	}
}
