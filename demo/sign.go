package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/imprimatur-dev/imprimatur"
)

// maxSign is how many characters the sign has.
const maxSign = 60

// sign is a tool of the museum's own: it writes on the sign at the pier. The
// sign cannot be asked what it shows before it was written on for the first
// time, so that the preview of the first call fails.
type sign struct {
	file string
	mu   sync.Mutex
}

// Tools are the museum's own tools, beside those of the program.
func (m *Museum) Tools() []imprimatur.Tool {
	return []imprimatur.Tool{&sign{file: filepath.Join(m.dir, "sign.txt")}}
}

// Spec implements imprimatur.Tool.
func (s *sign) Spec() imprimatur.Spec {
	return imprimatur.Spec{
		Name:        "announce_on_sign",
		Description: "Writes a short text on the sign at the pier and rings the bell there. A person must approve the call.",
		Schema: json.RawMessage(fmt.Sprintf(`{"type":"object","properties":{"text":{"type":"string","minLength":1,"maxLength":%d,`+
			`"description":"What the sign shows, one line"}},"required":["text"],"additionalProperties":false}`, maxSign)),
	}
}

// Effect implements imprimatur.Effector: the bell rings every time.
func (s *sign) Effect() imprimatur.Effect { return imprimatur.NonIdempotentWrite }

// Group implements imprimatur.Grouped.
func (s *sign) Group() string { return "harbour" }

// silence is why a preview of the sign fails.
type silence struct{}

func (silence) Error() string { return "the sign at the pier does not answer" }

// Preview implements imprimatur.Previewer.
func (s *sign) Preview(_ context.Context, call imprimatur.Call) (imprimatur.Picture, error) {
	text, wrong := signText(call)
	if wrong != "" {
		return imprimatur.Refuse(wrong), nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	shown, err := s.read()
	if err != nil {
		return imprimatur.Picture{}, err
	}
	return imprimatur.Picture{Token: shown, Lines: []imprimatur.Text{
		say(imprimatur.RoleHeading, "x.demo.heading.announce_on_sign", nil),
		say(imprimatur.RoleObject, "x.demo.sign", map[string]any{"name": imprimatur.Phrase{Label: "x.demo.place"}}),
		say(imprimatur.RoleField, "x.demo.text", map[string]any{
			"name": imprimatur.Phrase{Label: "x.demo.text_name"}, "current": quoted(shown), "proposed": quoted(text),
		}),
		say(imprimatur.RoleConsequence, "x.demo.bell", nil),
	}}, nil
}

// MayRead implements imprimatur.Previewer: whoever edits may read what the sign
// shows; everybody at the pier can.
func (s *sign) MayRead(_ context.Context, _ imprimatur.Call, viewer imprimatur.User) (bool, error) {
	return viewer.Admin || slices.Contains(viewer.Groups, groupEditing), nil
}

// Execute implements imprimatur.Tool. A sign that shows another text than the
// picture did is left alone.
func (s *sign) Execute(_ context.Context, call imprimatur.Call) (imprimatur.Result, error) {
	text, wrong := signText(call)
	if wrong != "" {
		return imprimatur.Result{IsError: true, Content: wrong}, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if seen, ok := call.Token.(string); ok {
		if shown, err := s.read(); err != nil || shown != seen {
			return imprimatur.Result{}, errors.Join(imprimatur.ErrMoved, err)
		}
	}
	if err := put(s.file, []byte(text)); err != nil {
		return imprimatur.Result{}, fmt.Errorf("write on the sign: %w", err)
	}
	return imprimatur.Result{Content: fmt.Sprintf("The sign shows %q.", text), Token: text}, nil
}

func (s *sign) read() (string, error) {
	data, err := os.ReadFile(s.file)
	if errors.Is(err, fs.ErrNotExist) {
		return "", silence{}
	}
	if err != nil {
		return "", fmt.Errorf("read the sign: %w", err)
	}
	return string(data), nil
}

// signText reads the arguments, or says what is wrong with them.
func signText(call imprimatur.Call) (text, wrong string) {
	var args struct{ Text string }
	d := json.NewDecoder(bytes.NewReader(call.Args))
	d.DisallowUnknownFields()
	switch err := d.Decode(&args); {
	case err != nil:
		return "", "The arguments are one text and nothing else."
	case strings.TrimSpace(args.Text) == "":
		return "", `The argument "text" must not be empty.`
	case utf8.RuneCountInString(args.Text) > maxSign:
		return "", fmt.Sprintf(`The argument "text" has more than %d characters.`, maxSign)
	case strings.ContainsAny(args.Text, "\r\n\t"):
		return "", `The argument "text" must be a single line, without tabs.`
	}
	return args.Text, ""
}

func say(role imprimatur.Role, label imprimatur.Label, values map[string]any) imprimatur.Text {
	return imprimatur.Text{Role: role, Phrase: imprimatur.Phrase{Label: label, Values: values}}
}

func quoted(text string) imprimatur.Phrase {
	return imprimatur.Phrase{Label: "x.demo.quoted", Values: map[string]any{"text": text}}
}
