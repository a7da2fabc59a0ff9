package loop

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/internal/canon"
	"github.com/imprimatur-dev/imprimatur/model"
)

const (
	maxRaw  = 64 << 10 // bytes of refused arguments that are kept
	maxName = 128      // characters of a tool name or call id
)

// accept takes the calls of a turn, once: from here on their canonical bytes
// are what is shown, hashed and executed (rulings §3).
func (l *Loop) accept(s imprimatur.Suspended, calls []model.Call) []imprimatur.ToolCall {
	seen := map[string]bool{}
	for _, m := range s.Messages {
		for _, c := range m.Calls {
			seen[c.ID] = true
		}
	}
	accepted := make([]imprimatur.ToolCall, len(calls))
	for i, c := range calls {
		name := callName(c.Name)
		args, refused := arguments(c.Arguments)
		accepted[i] = imprimatur.ToolCall{
			ID: freshID(c.ID, s.Rounds, i+1, seen), Name: name, Identity: l.Tools[name].Identity, Arguments: args, Refused: refused,
		}
	}
	return accepted
}

// freshID keeps the model's id of a call unless it is empty, too long or was
// used before in this run; results are paired by it.
func freshID(id string, round, n int, seen map[string]bool) string {
	id = storable(id)
	for ; id == "" || seen[id] || len(id) > maxName; n++ {
		id = fmt.Sprintf("call-%d-%d", round, n)
	}
	seen[id] = true
	return id
}

// callName is a tool's name as the model wrote it. What a reader cannot see in
// it is written out: no tool has such a name, and a card, a list or a terminal
// that prints it must read as it is.
func callName(name string) string {
	visible := strings.ReplaceAll(imprimatur.BoundText(storable(name), true), "\n", `\u{A}`)
	return cmp.Or(imprimatur.Cut(visible, maxName), "unnamed")
}

// storable is a text as every database takes it.
func storable(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}

// arguments returns the canonical bytes of one JSON object, or why there is
// none and the raw text as one JSON string.
func arguments(raw []byte) ([]byte, imprimatur.CallRefusal) {
	if len(strings.TrimSpace(string(raw))) == 0 {
		return []byte("{}"), ""
	}
	object, err := canon.Object(raw)
	if err == nil {
		return object, ""
	}
	text := strings.ToValidUTF8(string(raw), "\uFFFD")
	if len(text) > maxRaw {
		text = fmt.Sprintf("%d bytes, sha256:%x", len(raw), sha256.Sum256(raw))
	}
	return canon.String(text), refusal(err)
}

func refusal(err error) imprimatur.CallRefusal {
	switch {
	case errors.Is(err, canon.ErrDuplicate):
		return imprimatur.RefusedDuplicate
	case errors.Is(err, canon.ErrEncoding):
		return imprimatur.RefusedEncoding
	case errors.Is(err, canon.ErrTooLarge):
		return imprimatur.RefusedTooLarge
	default:
		return imprimatur.RefusedNotJSON
	}
}

func sortedKeys(m map[string]bool) []string {
	return slices.Sorted(maps.Keys(m))
}
