package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
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
	file    string // as it was named
	pairs   []pair
	found   mistakes
	schemas fs.FS // brought along by the demonstration, before content.schemas
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
