package catalogue

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"

	"github.com/imprimatur-dev/imprimatur"
)

// maxFile bounds one catalogue file, in bytes. The largest of ours is a tenth
// of it.
const maxFile = 512 << 10

// Namespaces of labels outside the closed list.
const (
	surfaces     = "ui." // texts of pages, API and command line
	installation = "x."  // labels an installation adds
)

// forms are the plural forms a text may have (CLDR). A text without plurals
// has "other" alone.
var forms = []string{"zero", "one", "two", "few", "many", "other"}

// text is one entry in one language: its plural forms, and what they take.
type text struct {
	forms   map[string]string
	plural  bool
	takes   []string // placeholders of the form "other", sorted, repeated as they stand
	printed message
}

// loader gathers languages and everything that is wrong with them.
type loader struct {
	texts    map[string]map[imprimatur.Label]text
	surfaces []imprimatur.Label // what the program's own English has under ui.
	faults   []string
}

func (l *loader) fault(format string, args ...any) {
	l.faults = append(l.faults, fmt.Sprintf(format, args...))
}

// err is all faults as one error, sorted, or nil.
func (l *loader) err() error {
	slices.Sort(l.faults)
	var all []error
	for _, f := range slices.Compact(l.faults) {
		all = append(all, errors.New(f))
	}
	return errors.Join(all...)
}

// load reads every catalogue file of f; origin names f in complaints.
func (l *loader) load(origin string, f fs.FS) {
	for _, pattern := range []string{"*.toml", "ui/*.toml"} {
		names, err := fs.Glob(f, pattern)
		if err != nil {
			l.fault("catalogue %s: %v", origin, err)
			continue
		}
		slices.Sort(names)
		for _, name := range names {
			data, err := readBounded(f, name)
			if err != nil {
				l.fault("catalogue file %s: %v", name, err)
				continue
			}
			l.file(name, data)
		}
	}
}

// readBounded reads a file, never more than maxFile of it.
func readBounded(f fs.FS, name string) ([]byte, error) {
	file, err := f.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxFile {
		return nil, fmt.Errorf("larger than %d bytes", maxFile)
	}
	return data, nil
}

// file takes up the entries of one file. Its name says the language.
func (l *loader) file(name string, data []byte) {
	base := strings.TrimSuffix(path.Base(name), ".toml")
	tag, err := language.Parse(base)
	if err != nil || tag == language.Und {
		l.fault("catalogue file %s: %q is not a language", name, base)
		return
	}
	var entries map[string]any
	if deep(data) {
		l.fault("catalogue file %s: nested too deeply", name)
		return
	}
	if err := toml.Unmarshal(data, &entries); err != nil {
		l.fault("catalogue file %s: %v", name, err)
		return
	}
	if l.texts == nil {
		l.texts = map[string]map[imprimatur.Label]text{}
	}
	into := l.texts[tag.String()]
	if into == nil {
		into = map[imprimatur.Label]text{}
		l.texts[tag.String()] = into
	}
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		t, err := newText(entries[key])
		switch _, twice := into[imprimatur.Label(key)]; {
		case err != nil:
			l.fault("catalogue file %s: %q %v", name, key, err)
		case twice:
			l.fault("catalogue file %s: %q is given twice in this language", name, key)
		}
		// Kept even when faulty, so that it is not reported as missing as well.
		into[imprimatur.Label(key)] = t
	}
}

// deep reports a nesting that no catalogue has and that would cost the parser
// its stack, or its time: brackets in a row, and parts of a key.
func deep(data []byte) bool {
	const tooMany = 64
	run, parts, value := 0, 0, false
	for _, b := range data {
		switch b {
		case '[', '{':
			run++
		case ']', '}':
			run = 0
		case '.':
			if !value {
				parts++
			}
		case '=':
			value = true
		case '\n':
			run, parts, value = 0, 0, false
		}
		if run > tooMany || parts > tooMany {
			return true
		}
	}
	return false
}

// newText reads one entry: a text, or a table of plural forms.
func newText(entry any) (text, error) {
	switch e := entry.(type) {
	case string:
		return parseText(map[string]string{"other": e}, false)
	case map[string]any:
		all := map[string]string{}
		for _, form := range slices.Sorted(maps.Keys(e)) {
			s, ok := e[form].(string)
			if !ok || !slices.Contains(forms, form) {
				return text{}, fmt.Errorf("has %q, which is no text of a plural form", form)
			}
			all[form] = s
		}
		return parseText(all, true)
	default:
		return text{}, errors.New("is neither a text nor a table of plural forms")
	}
}

func parseText(all map[string]string, plural bool) (text, error) {
	t := text{forms: all, plural: plural}
	for _, form := range slices.Sorted(maps.Keys(all)) {
		m, err := parseMessage(all[form])
		if err != nil {
			return text{}, err
		}
		if form == "other" {
			t.printed, t.takes = m, m.takes()
		}
	}
	if _, ok := all["other"]; !ok {
		return text{}, errors.New(`lacks the plural form "other"`)
	}
	return t, nil
}

// sealSurfaces notes which labels the surfaces of the program have; later files
// translate these and add none.
func (l *loader) sealSurfaces() {
	for label := range l.texts[English] {
		if strings.HasPrefix(string(label), surfaces) {
			l.surfaces = append(l.surfaces, label)
		}
	}
}

var installed = regexp.MustCompile(`^x\.[a-z0-9_]+(\.[a-z0-9_]+)+$`)

// check compares every language with the labels there must be and every text
// with the English one.
func (l *loader) check() {
	want := map[imprimatur.Label]bool{}
	for _, label := range slices.Concat(Labels(), l.surfaces) {
		want[label] = true
	}
	for _, texts := range l.texts {
		for label := range texts {
			if installed.MatchString(string(label)) {
				want[label] = true
			}
		}
	}
	for tag, texts := range l.texts {
		for label := range want {
			if _, ok := texts[label]; !ok {
				l.fault("catalogue %s: %q is missing", tag, label)
			}
		}
		for label, t := range texts {
			if !want[label] {
				l.fault("catalogue %s: %q is unknown", tag, label)
				continue
			}
			l.checkText(tag, label, t)
		}
	}
}

// checkText holds one text against its English counterpart.
func (l *loader) checkText(tag string, label imprimatur.Label, t text) {
	english, ok := l.texts[English][label]
	if !ok || t.forms == nil || english.forms == nil {
		return
	}
	if !slices.Equal(t.takes, english.takes) {
		l.fault("catalogue %s: %q takes the placeholders %v, in English %v", tag, label, t.takes, english.takes)
	}
	if heading(label) && len(t.takes) > 0 {
		l.fault("catalogue %s: the heading %q takes placeholders", tag, label)
	}
	if t.plural && !slices.Contains(t.takes, "count") {
		l.fault("catalogue %s: %q has plural forms but no {{.count}}", tag, label)
	}
	for form, s := range t.forms {
		m, err := parseMessage(s)
		if err == nil && form != "other" && !slices.Equal(without(m.takes(), "count"), without(t.takes, "count")) {
			l.fault("catalogue %s: the form %q of %q takes other placeholders than the rest", tag, form, label)
		}
	}
}

func without(list []string, what string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return s == what })
}

// build makes the catalogue of languages that passed check.
func (l *loader) build() (*Catalogue, error) {
	c := &Catalogue{
		languages: slices.Sorted(maps.Keys(l.texts)),
		texts:     l.texts,
		localizer: map[string]*i18n.Localizer{},
	}
	for label := range l.texts[English] {
		if heading(label) {
			c.headings = append(c.headings, label)
		}
	}
	slices.Sort(c.headings)
	for _, tag := range c.languages {
		localizer, err := localizer(tag, l.texts[tag])
		if err != nil {
			return nil, err
		}
		c.localizer[tag] = localizer
	}
	return c, nil
}

// localizer knows the plural texts of one language, each by a bundle of its
// own: a bundle of several would go and look in a language nobody asked for.
func localizer(tag string, texts map[imprimatur.Label]text) (*i18n.Localizer, error) {
	parsed, err := language.Parse(tag)
	if err != nil {
		return nil, fmt.Errorf("catalogue %s: %w", tag, err)
	}
	bundle := i18n.NewBundle(parsed)
	var plurals []imprimatur.Label
	for _, label := range slices.Sorted(maps.Keys(texts)) {
		t := texts[label]
		if !t.plural {
			continue
		}
		plurals = append(plurals, label)
		m := &i18n.Message{
			ID: string(label), Zero: t.forms["zero"], One: t.forms["one"], Two: t.forms["two"],
			Few: t.forms["few"], Many: t.forms["many"], Other: t.forms["other"],
		}
		if err := bundle.AddMessages(parsed, m); err != nil {
			return nil, fmt.Errorf("catalogue %s: %w", tag, err)
		}
	}
	loc := i18n.NewLocalizer(bundle, tag)
	for _, label := range plurals {
		for _, n := range samples {
			if _, err := plural(loc, label, n, nil); err != nil {
				return nil, fmt.Errorf("catalogue %s: %q with the count %d: %w", tag, label, n, err)
			}
		}
	}
	return loc, nil
}

// samples are counts that between them need every plural form a language has.
var samples = []int64{0, 1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 14, 20, 21, 22, 25, 81, 100, 101, 102, 103, 111, 1_000_000}
