package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// maxConfig bounds the configuration file, in bytes.
const maxConfig = 1 << 20

// environment is what the process was given; tests hand in their own.
type environment func(name string) (string, bool)

// mistakes are everything that is wrong with a configuration, in the order of
// the file.
type mistakes []mistake

type mistake struct {
	source source
	text   string
	served bool // it matters to a server only
}

// Error lists the mistakes, one a line.
func (m mistakes) Error() string {
	lines := make([]string, len(m))
	for i, one := range m {
		lines[i] = one.text
	}
	return strings.Join(lines, "\n")
}

// loaded is a configuration and where it came from.
type loaded struct {
	config
	file  string // as it was named
	pairs []pair
	found mistakes
}

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

// loadConfig reads the file, then the environment on top of it. A file that
// cannot be read at all is an error; everything else that is wrong is returned
// at once, as mistakes.
func loadConfig(file string, env environment) (*loaded, error) {
	l, err := readConfig(file, env)
	if err == nil && len(l.found) > 0 {
		return nil, l.found
	}
	return l, err
}

// loadBeside reads the configuration for a command beside the server. The keys
// of models are the server’s alone: whoever adds a person need not have them.
func loadBeside(file string, env environment) (*loaded, error) {
	l, err := readConfig(file, env)
	if err != nil {
		return nil, err
	}
	l.found = slices.DeleteFunc(l.found, func(m mistake) bool { return m.served })
	if len(l.found) > 0 {
		return nil, l.found
	}
	return l, nil
}

func readConfig(file string, env environment) (*loaded, error) {
	if file == "" {
		return nil, usageError{`no configuration: name one with --config FILE or IMPRIMATUR_CONFIG`}
	}
	text, err := readBounded(file)
	if err != nil {
		return nil, fmt.Errorf("read configuration: %w", err)
	}
	l := &loaded{file: file}
	if l.decode(text, &l.config) {
		l.environment(reflect.ValueOf(&l.config).Elem(), "IMPRIMATUR", env)
		l.check(env)
	}
	slices.SortStableFunc(l.found, func(a, b mistake) int { return cmp.Compare(a.source.line, b.source.line) })
	return l, nil
}

func readBounded(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxConfig+1))
	if err == nil && len(b) > maxConfig {
		err = fmt.Errorf("%s is larger than %d bytes", name, maxConfig)
	}
	return b, err
}

// wrong notes a mistake with the place it was made.
func (l *loaded) wrong(s source, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	switch {
	case s.origin != "":
		text = s.origin + ": " + text
	case s.line > 0:
		text = fmt.Sprintf("%s:%d: %s", l.file, s.line, text)
	default:
		text = l.file + ": " + text
	}
	if !slices.ContainsFunc(l.found, func(m mistake) bool { return m.text == text }) {
		l.found = append(l.found, mistake{source: s, text: text})
	}
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

// environment overlays what variables say: prefix and the path of a key in
// capitals, joined by "_". The same name with _FILE names a file that holds
// the value. Models, agents and storages have to be in the file first.
func (l *loaded) environment(group reflect.Value, prefix string, env environment) {
	for i := range group.NumField() {
		name, _, _ := strings.Cut(group.Type().Field(i).Tag.Get("yaml"), ",")
		if name == "" {
			continue
		}
		l.overlay(group.Field(i), prefix+"_"+variable(name), env)
	}
}

func (l *loaded) overlay(field reflect.Value, name string, env environment) {
	if _, ok := field.Interface().(later); ok {
		return
	}
	if o, ok := field.Addr().Interface().(overridable); ok {
		text, set, err := fromEnvironment(name, env)
		if set && err == nil {
			err = o.override(text, name)
		}
		if err != nil {
			l.found = append(l.found, mistake{source: source{origin: name}, text: err.Error()})
		}
	}
	switch {
	case field.Kind() == reflect.Map:
		for _, key := range field.MapKeys() {
			entry := reflect.New(field.Type().Elem()).Elem()
			entry.Set(field.MapIndex(key))
			if entry.Kind() == reflect.Pointer && entry.IsNil() {
				continue
			}
			if entry.Kind() == reflect.Pointer {
				l.environment(entry.Elem(), name+"_"+variable(key.String()), env)
			} else {
				l.overlay(entry, name+"_"+variable(key.String()), env)
			}
			field.SetMapIndex(key, entry)
		}
	case field.Kind() == reflect.Struct && !strings.HasPrefix(field.Type().Name(), "value["):
		l.environment(field, name, env)
	}
}

func variable(key string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, strings.ToUpper(key))
}

// fromEnvironment reads a variable, or the file that its _FILE names. An empty
// one is not set.
func fromEnvironment(name string, env environment) (text string, set bool, err error) {
	text, _ = env(name)
	file, _ := env(name + "_FILE")
	set, fromFile := text != "", file != ""
	switch {
	case set && fromFile:
		return "", true, fmt.Errorf("%s and %s_FILE are both set", name, name)
	case !fromFile:
		return text, set, nil
	}
	b, err := readBounded(file)
	if err != nil {
		return "", true, fmt.Errorf("%s_FILE: %w", name, err)
	}
	return strings.TrimRight(string(b), "\r\n"), true, nil
}

// path resolves the name of a file: beside the configuration where it stands
// in the file, in the working directory where it comes from elsewhere.
func (l *loaded) path(v value[string]) string {
	if filepath.IsAbs(v.V) || v.source.origin != "" {
		return v.V
	}
	return filepath.Join(filepath.Dir(l.file), v.V)
}

// why says what is wrong with a file without repeating its name.
func why(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err.Error()
	}
	return err.Error()
}
