package imprimatur

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/imprimatur-dev/imprimatur/internal/canon"
)

// Spec is what the model is told about a tool. All of it is English.
type Spec struct {
	Name        string          // [a-z0-9_]{1,64}
	Description string          // one paragraph
	Schema      json.RawMessage // JSON Schema of the arguments, an object
}

// Tool is something an agent may call.
//
// Execute returns what the model reads. A call that cannot be carried out is a
// Result with IsError; an error is for the operator's log and reaches the model
// as a generic sentence. Implementations authorise against call.User, never
// against anything ambient.
type Tool interface {
	Spec() Spec
	Execute(ctx context.Context, call Call) (Result, error)
}

// Previewer is a tool that can say what a call would do.
//
// Preview must not write, must authorise against call.User and must be
// deterministic: the same records and the same language give the same lines,
// whatever the process language, the clock or the row order (S184). A refusal
// is a legitimate picture.
//
// MayRead reports whether another user may read the preview of this call.
// "Not there" and "not permitted" are both false.
type Previewer interface {
	Preview(ctx context.Context, call Call) (Picture, error)
	MayRead(ctx context.Context, call Call, viewer User) (bool, error)
}

// Effector is a tool that declares its effect; a tool that does not is read-only.
type Effector interface{ Effect() Effect }

// Approvable is a tool that asks for approval whatever its effect. A tool whose
// effect is a write always asks.
type Approvable interface{ RequiresApproval() bool }

// Grouped is a tool that belongs to a group other than "other".
type Grouped interface{ Group() string }

// Provided is a tool that comes from elsewhere; the provider is part of its
// identity. Tools of this program have the provider "builtin".
type Provided interface{ Provider() string }

// Call is one call of a tool, as it is handed to Preview and Execute.
type Call struct {
	Run   string
	ID    string
	Key   string          // stable over retries of this call, for remote idempotency
	Args  json.RawMessage // canonical bytes of one JSON object: those that were shown
	User  User            // whom the run acts for; never ambient
	Token any             // of the re-preview that was compared; nil when there was none
	Own   []any           // tokens that earlier calls of this turn left
}

// Picture is what a preview shows, and optionally the state it was read from.
// Token is opaque, never shown, stored or hashed; it goes to Execute, which
// compares and sets inside its own write and answers ErrMoved.
type Picture struct {
	Lines []Text
	Token any
}

// Result is the outcome of a call. Token names the state the write left, for
// later calls of the same turn (rulings §5).
type Result struct {
	Content string // English, for the model
	IsError bool
	Wrote   *Written
	Token   any
}

// Written names the record a call wrote.
type Written struct {
	Table    string `json:"table"`
	UID      int64  `json:"uid"`
	Kind     string `json:"kind"` // created, updated or deleted
	Complete bool   `json:"complete"`
}

// ErrMoved is returned by Execute, before any effect, when what the token
// names is not what the write would meet.
var ErrMoved = errors.New("the state behind the preview moved")

// Restricted is a tool that only administrators may be offered.
type Restricted interface{ AdminOnly() bool }

// Descriptor is a tool with every ability looked up once. The zero value is a
// tool nobody knows: its effect is the dangerous one.
type Descriptor struct {
	Tool      Tool
	Spec      Spec
	Provider  string
	Group     string
	Effect    Effect
	Previewer Previewer // nil: the tool does not preview
	Approval  bool      // a call waits for a person
	AdminOnly bool
	Identity  string // of provider, name, description and schema (rulings §3)
}

// BuiltIn is the provider of the tools of this program.
const BuiltIn = "builtin"

// Describe looks up the abilities of a tool. A write always asks for approval.
func Describe(t Tool) (Descriptor, error) {
	d := Descriptor{Tool: t, Spec: t.Spec(), Provider: BuiltIn, Group: "other", Effect: ReadOnly}
	if !toolName(d.Spec.Name) {
		return Descriptor{}, fmt.Errorf("tool %q: a name has 1 to 64 of a-z, 0-9 and _", d.Spec.Name)
	}
	schema, err := canon.Object(d.Spec.Schema)
	if err != nil {
		return Descriptor{}, fmt.Errorf("tool %s: schema: %w", d.Spec.Name, err)
	}
	d.Spec.Schema = schema
	if p, ok := t.(Provided); ok {
		d.Provider = p.Provider()
	}
	if g, ok := t.(Grouped); ok {
		d.Group = g.Group()
	}
	if e, ok := t.(Effector); ok {
		d.Effect = e.Effect()
	}
	if !d.Effect.Valid() {
		return Descriptor{}, fmt.Errorf("tool %s: effect %q is none of the three", d.Spec.Name, d.Effect)
	}
	if a, ok := t.(Approvable); ok {
		d.Approval = a.RequiresApproval()
	}
	d.Approval = d.Approval || d.Effect.Writes()
	if p, ok := t.(Previewer); ok {
		d.Previewer = p
	}
	if r, ok := t.(Restricted); ok {
		d.AdminOnly = r.AdminOnly()
	}
	contract := digest("imprimatur/tool/v1", slices.Concat(
		canon.String(d.Spec.Description), []byte("\n"), schema))
	d.Identity = d.Provider + "/" + d.Spec.Name + "/" + contract
	return d, nil
}

func toolName(s string) bool {
	ok := len(s) >= 1 && len(s) <= 64
	for _, r := range s {
		ok = ok && (r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '_')
	}
	return ok
}
