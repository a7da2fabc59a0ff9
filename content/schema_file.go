package content

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/BurntSushi/toml"

	"github.com/imprimatur-dev/imprimatur"
)

// schemaFile is a schema file as it is written.
type schemaFile struct {
	Tables []fileTable                      `toml:"table"`
	Labels map[string]imprimatur.ByLanguage `toml:"labels"`
	lines  schemaLines
}

type fileTable struct {
	Name        string       `toml:"name"`
	Label       fileLabel    `toml:"label"`
	LabelField  string       `toml:"label_field"`
	TypeField   string       `toml:"type_field"`
	HiddenField string       `toml:"hidden_field"`
	Translated  bool         `toml:"translated"`
	Sorted      bool         `toml:"sorted"`
	RootLevel   bool         `toml:"root_level"`
	Sensitive   bool         `toml:"sensitive"`
	AdminOnly   bool         `toml:"admin_only"`
	ReadOnly    bool         `toml:"read_only"`
	HideTable   bool         `toml:"hide_table"`
	Owner       *fileOwner   `toml:"owner"`
	Columns     []fileColumn `toml:"column"`
	Types       []fileType   `toml:"type"`
}

type fileOwner struct {
	Table  string `toml:"table"`
	Column string `toml:"column"`
	Field  string `toml:"field"`
}

type fileColumn struct {
	Name       string         `toml:"name"`
	Label      fileLabel      `toml:"label"`
	Type       string         `toml:"type"`
	Rich       bool           `toml:"rich"`
	Integer    bool           `toml:"integer"`
	Required   bool           `toml:"required"`
	Max        int            `toml:"max"`
	Min        int            `toml:"min"`
	ReadOnly   bool           `toml:"read_only"`
	Exclude    bool           `toml:"exclude"`
	AuthMode   bool           `toml:"auth_mode"`
	Open       bool           `toml:"open"`
	Dynamic    bool           `toml:"dynamic"`
	Items      []fileItem     `toml:"item"`
	Extensions []string       `toml:"extensions"`
	MaxItems   int            `toml:"max_items"`
	Default    any            `toml:"default"`
	Target     string         `toml:"target"`
	Many       bool           `toml:"many"`
	Inherited  bool           `toml:"inherited"`
	When       *fileCondition `toml:"when"`
}

type fileCondition struct {
	Column string   `toml:"column"`
	Values []string `toml:"values"`
}

type fileItem struct {
	Value string    `toml:"value"`
	Label fileLabel `toml:"label"`
}

type fileType struct {
	Value   string               `toml:"value"`
	Label   fileLabel            `toml:"label"`
	Columns []string             `toml:"columns"`
	Labels  map[string]fileLabel `toml:"labels"`
}

// fileLabel is a label as files write it: texts by language, a text for all of
// them, or a reference.
type fileLabel struct{ Label }

// UnmarshalTOML implements toml.Unmarshaler.
func (l *fileLabel) UnmarshalTOML(from any) error {
	texts := imprimatur.ByLanguage{}
	switch from := from.(type) {
	case string:
		if l.Label = ParseLabel(from); l.Reference != "" {
			return nil
		}
		if strings.HasPrefix(from, referencePrefix) {
			return fmt.Errorf("is no reference: after %q stands the key of a label, without blanks", referencePrefix)
		}
		texts = l.Text
	case map[string]any:
		for language, text := range from {
			s, ok := text.(string)
			if !ok {
				return fmt.Errorf("must have a text for each language")
			}
			texts[language] = s
		}
		l.Text = texts
	default:
		return fmt.Errorf(`must be a text, {en = "…", de = "…"}, or "label:KEY"`)
	}
	if problem := badTexts(texts); problem != "" {
		return fmt.Errorf("%s", problem)
	}
	return nil
}

// maxLabel bounds one text of a label, in characters.
const maxLabel = 200

var languageTag = regexp.MustCompile(`^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$`)

// badTexts says what is wrong with the texts of a label, or nothing.
func badTexts(texts imprimatur.ByLanguage) string {
	if len(texts) == 0 {
		return "has no text"
	}
	for _, language := range sortedKeys(texts) {
		text := texts[language]
		switch {
		case !languageTag.MatchString(language):
			return fmt.Sprintf("%s is no language", shortQuote(language))
		case strings.TrimSpace(text) == "":
			return fmt.Sprintf("has an empty text for %s", language)
		case utf8.RuneCountInString(text) > maxLabel:
			return fmt.Sprintf("has a text of more than %d characters for %s", maxLabel, language)
		case strings.ContainsFunc(text, unicode.IsControl):
			return fmt.Sprintf("has a line break or control character in the text for %s", language)
		}
	}
	return ""
}

// shortQuote is a name from outside, in quotes, that cannot flood a sentence.
func shortQuote(name string) string { return strconv.Quote(shortened(name)) }

// lineFault is what is wrong in a line; 0 where the line is not known.
type lineFault struct {
	line int
	text string
}

// parseSchemaFile reads the text of one file. Without a file it could not be
// read at all.
func parseSchemaFile(text []byte) (*schemaFile, []lineFault) {
	if line, ok := badUTF8(text); ok {
		return nil, []lineFault{{line, "the text is not valid UTF-8"}}
	}
	if line, ok := tooDeep(text); ok {
		return nil, []lineFault{{line, "is nested too deeply"}}
	}
	var f schemaFile
	meta, err := toml.Decode(string(text), &f)
	if err != nil {
		return nil, []lineFault{tomlFault(err)}
	}
	f.lines = findLines(text)
	var wrong []lineFault
	said := map[string]bool{}
	for _, key := range append(meta.Undecoded(), misspelt(meta.Keys())...) {
		if name := key.String(); !said[name] {
			said[name] = true
			wrong = append(wrong, lineFault{lineOfKey(text, key[len(key)-1]), "unknown key " + shortQuote(name)})
		}
	}
	return &f, wrong
}

// misspelt are keys that the decoder takes although a letter is a capital.
func misspelt(keys []toml.Key) []toml.Key {
	return slices.DeleteFunc(keys, func(key toml.Key) bool {
		return slices.Contains(key, "labels") || slices.Contains(key, "label") || strings.ToLower(key.String()) == key.String()
	})
}

func badUTF8(text []byte) (line int, bad bool) {
	for line, one := range bytes.Split(text, []byte("\n")) {
		if !utf8.Valid(one) || bytes.ContainsRune(one, 0) {
			return line + 1, true
		}
	}
	return 0, false
}

var tomlForm = regexp.MustCompile(`^toml: line (\d+)(?: \(last key "((?s:.*?))"\))?: (?s:(.*))$`)

var tomlTypes = map[string]string{
	"string": "a text", "boolean": "true or false", "integer": "a whole number", "slice": "a list", "map": "a group of keys",
}

// tomlFault says in our words what the decoder says in its own.
func tomlFault(err error) lineFault {
	m := tomlForm.FindStringSubmatch(err.Error())
	if m == nil {
		return lineFault{0, "is no schema file: " + oneLine(err.Error())}
	}
	line, _ := strconv.Atoi(m[1]) // digits, by the expression
	key, text := m[2], m[3]
	if _, want, ok := strings.Cut(text, "destination has type "); ok {
		if in, known := tomlTypes[want]; known {
			want = in
		}
		text = "must be " + want
		if key == "table" {
			text = "must be written as [[table]]"
		}
	} else if strings.HasPrefix(text, "type mismatch for") {
		text = "must be a group of keys"
	}
	if key != "" {
		text = oneLine(key) + ": " + text
	}
	return lineFault{line, oneLine(text)}
}

// oneLine keeps what a decoder says within a line.
func oneLine(s string) string {
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
	const most = 200
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return s
}
