// Package model is the port to language models. Each adapter is a package of
// its own beside it.
package model

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/imprimatur-dev/imprimatur"
)

// Model answers one request. Implementations are safe for concurrent use.
//
// Complete returns an error of type *Error for every failure it can name; it
// never returns a Response whose finish reason it did not see.
type Model interface {
	Complete(ctx context.Context, req Request) (Response, error)
}

// Request is one round: the whole transcript and the tools on offer.
type Request struct {
	System   string
	Messages []imprimatur.Message
	Tools    []imprimatur.Spec
}

// Response is what the model answered. Calls carry their arguments as the
// model wrote them; the loop accepts or refuses them (rulings §3).
type Response struct {
	Text   string
	Calls  []Call
	Finish Finish
	Tokens imprimatur.Tokens
}

// Call is a tool call as the model asked for it.
type Call struct {
	ID        string
	Name      string
	Arguments json.RawMessage // raw, possibly not JSON at all
}

// Finish says why the model stopped.
type Finish string

// The finish reasons.
const (
	FinishStop   Finish = "stop"
	FinishCalls  Finish = "tool_calls"
	FinishLength Finish = "length"
	FinishFilter Finish = "content_filter"
)

// Class sorts failures; it decides what may be tried again.
type Class string

// The failure classes of runtime §1.
const (
	ClassConnection    Class = "connection"
	ClassRateLimit     Class = "rate_limit"
	ClassServer        Class = "server_error"
	ClassAuth          Class = "auth"
	ClassConfiguration Class = "configuration"
	ClassClient        Class = "client_error"
	ClassUnknown       Class = "unknown"
)

// Retryable reports whether the same request may succeed later.
func (c Class) Retryable() bool {
	return c == ClassConnection || c == ClassRateLimit || c == ClassServer
}

// Error is a failure of a provider. Its text may hold what the provider said;
// it goes to the log, never to the model, a client or the database.
type Error struct {
	Class  Class
	Status int // HTTP status, 0 where there was none
	Err    error
}

// Error implements error.
func (e *Error) Error() string {
	if e.Status != 0 {
		return fmt.Sprintf("model: %s (status %d): %v", e.Class, e.Status, e.Err)
	}
	return fmt.Sprintf("model: %s: %v", e.Class, e.Err)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }
