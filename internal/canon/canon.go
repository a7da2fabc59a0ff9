// Package canon turns JSON into the one form of it that is shown, hashed,
// validated and executed.
//
// Two texts have the same canonical bytes exactly if they hold the same value,
// numbers compared as they were written: 1 and 1.0 differ, and so do
// 9007199254740992 and 9007199254740993. In the canonical form keys are sorted
// by their UTF-8 bytes, numbers stand verbatim, strings carry only the escapes
// that JSON demands, and there is no whitespace.
//
// A text that two readers could read differently (duplicate keys, invalid
// UTF-8, lone surrogates, something behind the value) is refused, never
// repaired, because a person approves these bytes and a tool executes them.
package canon

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// The limits of Object and Value.
const (
	MaxBytes  = 1 << 20 // of the text as it comes in
	MaxLevels = 64      // of objects and arrays, the outermost counted as one
)

// The reasons for a refusal. Every error of Object and Value is one of them
// for errors.Is.
var (
	// ErrNotObject means that Object met something other than an object.
	ErrNotObject = errors.New("not a JSON object")
	// ErrSyntax means that the text is not exactly one JSON value.
	ErrSyntax = errors.New("not valid JSON")
	// ErrDuplicate means that an object has the same key twice, escapes
	// resolved.
	ErrDuplicate = errors.New("duplicate key")
	// ErrEncoding means invalid UTF-8, or half a surrogate pair in an escape.
	ErrEncoding = errors.New("not valid Unicode")
	// ErrTooLarge means more than MaxBytes bytes or MaxLevels levels.
	ErrTooLarge = errors.New("too large")
)

// An Error says where in the text the refusal stands. It unwraps to one of the
// sentinels above.
type Error struct {
	Offset int    // bytes before the place
	Reason error  // one of the sentinels
	Detail string // what was found or expected; may be empty
}

// Error names the reason, the detail and the place.
func (e *Error) Error() string {
	if e.Detail == "" {
		return fmt.Sprintf("%v at byte %d", e.Reason, e.Offset)
	}
	return fmt.Sprintf("%v at byte %d: %s", e.Reason, e.Offset, e.Detail)
}

// Unwrap returns the sentinel.
func (e *Error) Unwrap() error { return e.Reason }

// Object returns the canonical bytes of raw, which must be exactly one JSON
// object. It does not keep or change raw.
func Object(raw []byte) ([]byte, error) {
	// The size comes first, so that an oversized text costs nothing.
	if len(raw) <= MaxBytes {
		i := skipSpace(raw, 0)
		if i == len(raw) || raw[i] != '{' {
			return nil, &Error{Offset: i, Reason: ErrNotObject}
		}
	}
	return Value(raw)
}

// Value returns the canonical bytes of raw, which must be exactly one JSON
// value of any kind. It does not keep or change raw.
func Value(raw []byte) ([]byte, error) {
	if len(raw) > MaxBytes {
		return nil, &Error{
			Offset: MaxBytes, Reason: ErrTooLarge,
			Detail: fmt.Sprintf("%d bytes, at most %d are accepted", len(raw), MaxBytes),
		}
	}
	return canonical(scanner{in: raw, levels: MaxLevels})
}

// Marshal returns the canonical bytes of a Go value, encoded by encoding/json.
// It is for values of our own making and has no limit of size or levels beyond
// that encoder's. Invalid UTF-8 and lone surrogates become U+FFFD. It fails
// where encoding/json fails, and for a json.RawMessage with duplicate keys.
func Marshal(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("encode %T: %w", v, err)
	}
	out, err := canonical(scanner{in: buf.Bytes(), levels: maxEncoderLevels, lenient: true})
	if err != nil {
		return nil, fmt.Errorf("encode %T: %w", v, err)
	}
	return out, nil
}

// String returns s as a canonical JSON string. Invalid UTF-8 becomes U+FFFD.
func String(s string) []byte {
	return appendString(make([]byte, 0, len(s)+2), []byte(s))
}

// maxEncoderLevels is what encoding/json itself allows.
const maxEncoderLevels = 10_000

func canonical(s scanner) ([]byte, error) {
	s.out = make([]byte, 0, len(s.in))
	s.space()
	if err := s.value(0); err != nil {
		return nil, err
	}
	s.space()
	if s.pos < len(s.in) {
		return nil, s.fail(ErrSyntax, "something follows the value")
	}
	return s.out, nil
}
