package content

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// maxConfiguration bounds the configuration of a page, in bytes.
const maxConfiguration = 64 << 10

// configuration is what a page says about the forms on it and below, by table
// and column.
type configuration map[string]map[string]narrowing

// narrowing is what it says about one column. It only ever takes away.
type narrowing struct {
	hidden, readOnly bool
	remove           []string // values of items
}

// parseConfiguration reads what the column configuration holds, as in
// {"content": {"subheader": {"hidden": true}}}. Its errors are sentences for
// whoever wrote it.
func parseConfiguration(text string) (configuration, error) {
	c := configuration{}
	if strings.TrimSpace(text) == "" {
		return c, nil
	}
	if len(text) > maxConfiguration {
		return nil, fmt.Errorf("the configuration is longer than %d bytes", maxConfiguration)
	}
	d := json.NewDecoder(strings.NewReader(text))
	err := jsonMembers(d, "the configuration", func(table string) error {
		c[table] = map[string]narrowing{}
		return jsonMembers(d, shortened(table), func(column string) error {
			n, err := parseNarrowing(d, shortened(table)+"."+shortened(column))
			c[table][column] = n
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows the configuration")
	}
	return c, nil
}

func parseNarrowing(d *json.Decoder, at string) (n narrowing, err error) {
	return n, jsonMembers(d, at, func(key string) error {
		var into any
		wanted := "true or false"
		switch key {
		case "hidden":
			into = &n.hidden
		case "read_only":
			into = &n.readOnly
		case "remove":
			into, wanted = &n.remove, "a list of texts"
		default:
			return fmt.Errorf("%s: there is no key %q; the keys are hidden, read_only and remove", at, shortened(key))
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return errJSON
		}
		if string(raw) == "null" || json.Unmarshal(raw, into) != nil {
			return fmt.Errorf("%s.%s must be %s", at, key, wanted)
		}
		return nil
	})
}

var errJSON = errors.New("the configuration is no well-formed JSON")

// jsonMembers reads an object and calls fn for each key, which reads the value.
func jsonMembers(d *json.Decoder, what string, fn func(key string) error) error {
	token, err := d.Token()
	if err != nil {
		return errJSON
	}
	if token != json.Delim('{') {
		return fmt.Errorf("%s must be an object", what)
	}
	seen := map[string]bool{}
	for d.More() {
		token, err := d.Token()
		key, ok := token.(string)
		if err != nil || !ok {
			return errJSON
		}
		if seen[key] {
			return fmt.Errorf("%s has the key %q twice", what, shortened(key))
		}
		seen[key] = true
		if err := fn(key); err != nil {
			return err
		}
	}
	if _, err := d.Token(); err != nil {
		return errJSON
	}
	return nil
}

// shortened makes a name from outside fit into a sentence.
func shortened(name string) string {
	const most = 64
	if runes := []rune(name); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return name
}

// check says what the configuration names and the schema does not have.
func (c configuration) check(s *Schema) error {
	for _, table := range sortedKeys(c) {
		t, ok := s.Table(table)
		if !ok {
			return fmt.Errorf("there is no table %q", shortened(table))
		}
		for _, name := range sortedKeys(c[table]) {
			column, ok := t.Column(name)
			if !ok {
				return fmt.Errorf("there is no column %q in %s", shortened(name), table)
			}
			for _, value := range c[table][name].remove {
				switch {
				case column.Type != TypeSelect && column.Type != TypeRadio:
					return fmt.Errorf("%s.%s has no items that could be removed", table, name)
				case !column.Open && !column.Dynamic && !slices.ContainsFunc(column.Items, func(i Item) bool { return i.Value == value }):
					return fmt.Errorf("%s.%s has no item %q", table, name, shortened(value))
				}
			}
		}
	}
	return nil
}

// beyond says what is wrong with a stored value that a column alone cannot
// tell, or nothing.
func (s *Schema) beyond(table, column string, value any) string {
	if table != Pages || column != ColumnConfiguration {
		return ""
	}
	c, err := parseConfiguration(asText(value))
	if err == nil {
		err = c.check(s)
	}
	if err != nil {
		return err.Error()
	}
	return ""
}
