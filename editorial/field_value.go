package editorial

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/imprimatur-dev/imprimatur/content"
)

// Bounds of texts that the schema does not bound, in characters.
const (
	maxFieldText = 20000 // of several lines
	maxFieldLine = 2000
)

// readField reads one value, or says what is wrong with it.
func readField(c content.Column, raw json.RawMessage) (v fieldValue, problem string) {
	value, problem := decodeField(c, raw)
	if problem != "" {
		return v, problem
	}
	text, isText := value.(string)
	if isText {
		if problem := badFieldText(c, text); problem != "" {
			return v, problem
		}
	}
	stored, problem := c.Stored(value)
	switch {
	case problem != "" && isText && isChoice(c):
		return v, "must be one of " + quotedList(values(c))
	case problem != "":
		return v, "cannot take this value: " + problem
	case isText && fmt.Sprint(stored) != text:
		return v, fmt.Sprintf("cannot take this value: it would be stored as %q", fmt.Sprint(stored))
	}
	return fieldValue{c, stored}, ""
}

// decodeField takes a value of the JSON type that the column asks for, and
// coerces none.
func decodeField(c content.Column, raw json.RawMessage) (value any, problem string) {
	kind := jsonKind(raw)
	switch {
	case c.Type == content.TypeCheck && kind != "true or false":
		return nil, "must be true or false, not " + kind
	case c.Type == content.TypeNumber && kind != "a number":
		return nil, "must be a number, not " + kind
	case c.Type == content.TypeDatetime && kind != "text" && kind != "a number":
		return nil, fmt.Sprintf("must be a date and time such as %q, not %s", "2026-03-14T09:30:00Z", kind)
	case c.Type != content.TypeCheck && c.Type != content.TypeNumber && c.Type != content.TypeDatetime && kind != "text":
		return nil, "must be text, not " + kind
	case kind == "a number":
		return string(raw), ""
	}
	if err := json.Unmarshal(raw, &value); err != nil {
		return nil, "cannot be read"
	}
	if text, ok := value.(string); ok && c.Type == content.TypeDatetime {
		return readTime(text)
	}
	return value, ""
}

// jsonKind says of what type a JSON value is.
func jsonKind(raw json.RawMessage) string {
	switch raw[0] {
	case '"':
		return "text"
	case '{':
		return "an object"
	case '[':
		return "a list"
	case 't', 'f':
		return "true or false"
	case 'n':
		return "null"
	default:
		return "a number"
	}
}

// readTime reads a date and time, as seconds since 1970; an empty text is none.
func readTime(text string) (seconds any, problem string) {
	if text == "" {
		return int64(0), ""
	}
	t, err := time.Parse(time.RFC3339, text)
	switch {
	case err != nil:
		return nil, fmt.Sprintf("must be a date and time such as %q", "2026-03-14T09:30:00Z")
	case t.Nanosecond() != 0:
		return nil, "cannot take fractions of a second"
	case t.Unix() <= 0:
		return nil, "cannot take a time before 1970"
	}
	return t.Unix(), ""
}

// badFieldText says what is wrong with a text that a schema would let through.
func badFieldText(c content.Column, text string) string {
	limit := maxFieldLine
	if c.Type == content.TypeText {
		limit = maxFieldText
	}
	n := utf8.RuneCountInString(text)
	switch {
	case c.Max == 0 && n > limit:
		return fmt.Sprintf("has %d characters; at most %d are allowed", n, limit)
	case strings.ContainsRune(text, 0):
		return "holds a character that cannot be stored"
	case c.Required && strings.TrimSpace(text) == "":
		return "must not be empty"
	case isText(c) && c.Max > 0 && n > c.Max:
		return fmt.Sprintf("has %d characters; at most %d are allowed", n, c.Max)
	case c.Type == content.TypeInput && strings.ContainsAny(text, "\r\n\t"):
		return "must be a single line, without tabs"
	case isChoice(c) && !slices.ContainsFunc(c.Items, func(i content.Item) bool { return i.Value == text }):
		return "must be one of " + quotedList(values(c))
	}
	return ""
}

func isText(c content.Column) bool {
	return c.Type == content.TypeInput || c.Type == content.TypeText || c.Type == content.TypeEmail || c.Type == content.TypeColor
}

func isChoice(c content.Column) bool {
	return c.Type == content.TypeSelect || c.Type == content.TypeRadio
}

func quotedList(texts []string) string {
	all := make([]string, len(texts))
	for i, text := range texts {
		all[i] = strconv.Quote(text)
	}
	return strings.Join(all, ", ")
}
