package engine_test

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// words cuts a line into words; quoted texts may be repeated: "ab"*3.
func (s *stage) words(line string) []string {
	words, err := cutWords(line)
	if err != nil {
		s.t.Fatalf("%v: %s", err, line)
	}
	return words
}

func cutWords(line string) ([]string, error) {
	var words []string
	for {
		line = strings.TrimLeft(line, " \t")
		if line == "" || line[0] == '#' {
			return words, nil
		}
		word, rest, err := cutWord(line)
		if err != nil {
			return nil, err
		}
		words, line = append(words, word), rest
	}
}

// cutWord takes the first word off a line. Quotes may stand inside a word, as
// in key="a b".
func cutWord(line string) (word, rest string, err error) {
	var b strings.Builder
	for line != "" && line[0] != ' ' && line[0] != '\t' {
		if line[0] != '"' {
			b.WriteByte(line[0])
			line = line[1:]
			continue
		}
		quoted, err := strconv.QuotedPrefix(line)
		if err != nil {
			return "", "", errors.New("a quote that does not end")
		}
		text, err := strconv.Unquote(quoted)
		if err != nil {
			return "", "", err
		}
		line = line[len(quoted):]
		if times, ok := strings.CutPrefix(line, "*"); ok {
			digits := len(times) - len(strings.TrimLeft(times, "0123456789"))
			n, err := strconv.Atoi(times[:digits])
			if err != nil {
				return "", "", errors.New("a repeat without number")
			}
			text, line = strings.Repeat(text, n), times[digits:]
		}
		b.WriteString(text)
	}
	return b.String(), line, nil
}

// order is one step: words, options of the form key=value, and the refusal
// that is expected.
type order struct {
	words   []string
	options map[string]string
	refusal []string // code and, where given, tool
}

func (o order) word(i int) string {
	if i < len(o.words) {
		return o.words[i]
	}
	return ""
}

func (o order) number(i int) (int, error) {
	n, err := strconv.Atoi(o.word(i))
	if err != nil {
		return 0, fmt.Errorf("word %d of the step is to be a number, it is %q", i+1, o.word(i))
	}
	return n, nil
}

// has reports whether one of the words after the name is this one.
func (o order) has(word string) bool { return len(o.words) > 2 && slices.Contains(o.words[2:], word) }

func parseOrder(line string) (order, error) {
	words, err := cutWords(line)
	if err != nil {
		return order{}, err
	}
	o := order{options: map[string]string{}}
	if i := slices.Index(words, "=>"); i >= 0 {
		words, o.refusal = words[:i], words[i+1:]
		if len(o.refusal) == 0 || len(o.refusal) > 2 {
			return order{}, errors.New("after => stands a code, and a tool where the refusal names one")
		}
	}
	for i, w := range words {
		key, value, ok := strings.Cut(w, "=")
		if ok && i > 0 && slices.Contains([]string{"turn", "picture", "rounds", "tools", "key", "after", "without", "plain", "reworded", "off", "agents", "returned", "requeued", "buried", "skipped"}, key) {
			o.options[key] = value
			continue
		}
		o.words = append(o.words, w)
	}
	return o, nil
}
