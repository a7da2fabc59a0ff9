package imprimatur

import (
	"encoding/json"
	"fmt"

	"github.com/imprimatur-dev/imprimatur/internal/canon"
)

// Request is what a queued run was asked to do, until a worker takes it up. Who
// asked is on the run's row, and with which rights it acts is read when it is
// taken up: never more than they are then.
type Request struct {
	Prompt    string
	Allowed   *[]string // tools the run may use; nil: no constraint of its own; empty: none
	MaxRounds int       // of its segments; 0: as many as its agent
}

// storedRequest is a request as it is kept. The constraint is always there, so
// that one that got lost is told from none.
type storedRequest struct {
	Prompt    *string   `json:"prompt"`
	Allowed   *[]string `json:"allowedToolNames"`
	MaxRounds int       `json:"max_rounds"`
}

// Encode returns the stored form. Invalid UTF-8 is replaced.
func (r Request) Encode() ([]byte, error) {
	b, err := canon.Marshal(storedRequest{&r.Prompt, noNil(r.Allowed), r.MaxRounds})
	if err != nil {
		return nil, fmt.Errorf("encode request: %w", err)
	}
	return b, nil
}

// noNil is a constraint whose list is there: a pointer to a nil slice would be
// written as null, and read as no constraint at all.
func noNil(names *[]string) *[]string {
	if names != nil && *names == nil {
		return &[]string{}
	}
	return names
}

// DecodeRequest reads a stored request. Nothing about it is guessed: where a
// part is missing or malformed it returns ErrCorrupt, so that no run does more
// than it was asked for.
func DecodeRequest(b []byte) (Request, error) {
	var fields map[string]json.RawMessage
	var s storedRequest
	if json.Unmarshal(b, &fields) != nil || json.Unmarshal(b, &s) != nil {
		return Request{}, ErrCorrupt
	}
	if _, there := fields["allowedToolNames"]; !there || s.Prompt == nil || *s.Prompt == "" || s.MaxRounds < 0 {
		return Request{}, ErrCorrupt
	}
	return Request{*s.Prompt, s.Allowed, s.MaxRounds}, nil
}
