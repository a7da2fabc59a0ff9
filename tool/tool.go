// Package tool makes tools out of Go functions: the schema is derived from a
// struct of arguments, and a call reaches the function only with arguments that
// fit it.
package tool

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"

	"github.com/imprimatur-dev/imprimatur"
)

// Definition describes a tool whose arguments are an A.
type Definition[A any] struct {
	Name        string // [a-z0-9_]{1,64}
	Description string // one paragraph of English, for the model
	Group       string // default "other"
	// Effect is what a call does to the world; the zero value is read-only.
	Effect imprimatur.Effect
	// Asks makes the tool ask for approval although its effect is no write.
	Asks bool
	// Schema overrides the one that is derived from A.
	Schema json.RawMessage

	// Execute carries out a call. See imprimatur.Tool.
	Execute func(ctx context.Context, call imprimatur.Call, args A) (imprimatur.Result, error)
	// Preview says what a call would do, and MayRead who else may read that.
	// See imprimatur.Previewer. Both or neither.
	Preview func(ctx context.Context, call imprimatur.Call, args A) (imprimatur.Picture, error)
	MayRead func(ctx context.Context, call imprimatur.Call, args A, viewer imprimatur.User) (bool, error)
}

var name = regexp.MustCompile(`^[a-z0-9_]{1,64}$`)

// New makes a tool. Arguments that do not fit the schema are refused whole,
// with the reason, to the model and on the card alike; nothing is coerced.
//
// It panics on a definition that no tool can have: such a mistake is the
// programmer's and shows at the first start.
func New[A any](d Definition[A]) imprimatur.Tool {
	t, err := build(d)
	if err != nil {
		panic(fmt.Sprintf("tool %q: %v", d.Name, err)) // a mistake in the program, found when it starts
	}
	return t
}

func build[A any](d Definition[A]) (imprimatur.Tool, error) {
	d.Effect = cmp.Or(d.Effect, imprimatur.ReadOnly)
	d.Group = cmp.Or(d.Group, "other")
	switch {
	case !name.MatchString(d.Name):
		return nil, fmt.Errorf("the name must match %s", name)
	case d.Description == "":
		return nil, fmt.Errorf("the description is missing")
	case !d.Effect.Valid():
		return nil, fmt.Errorf("no effect is called %q", d.Effect)
	case d.Execute == nil:
		return nil, fmt.Errorf("the function Execute is missing")
	case (d.Preview == nil) != (d.MayRead == nil):
		return nil, fmt.Errorf("the functions Preview and MayRead come together")
	}
	if d.Schema == nil {
		schema, err := Schema[A]()
		if err != nil {
			return nil, err
		}
		d.Schema = schema
	}
	v, err := Compile(d.Schema)
	if err != nil {
		return nil, err
	}
	made := typed[A]{d, v}
	if d.Preview == nil {
		return made, nil
	}
	return previewing[A]{made}, nil
}

// typed is a tool without preview.
type typed[A any] struct {
	d Definition[A]
	v *Validator
}

// Spec implements imprimatur.Tool.
func (t typed[A]) Spec() imprimatur.Spec {
	return imprimatur.Spec{Name: t.d.Name, Description: t.d.Description, Schema: bytes.Clone(t.d.Schema)}
}

// Effect implements imprimatur.Effector.
func (t typed[A]) Effect() imprimatur.Effect { return t.d.Effect }

// RequiresApproval implements imprimatur.Approvable.
func (t typed[A]) RequiresApproval() bool { return t.d.Asks }

// Group implements imprimatur.Grouped.
func (t typed[A]) Group() string { return t.d.Group }

// Execute implements imprimatur.Tool.
func (t typed[A]) Execute(ctx context.Context, call imprimatur.Call) (imprimatur.Result, error) {
	args, wrong := decode[A](t.v, call.Args)
	if wrong != "" {
		return imprimatur.Result{IsError: true, Content: wrong}, nil
	}
	return t.d.Execute(ctx, call, args)
}

// previewing is a tool with a preview.
type previewing[A any] struct{ typed[A] }

// Preview implements imprimatur.Previewer.
func (t previewing[A]) Preview(ctx context.Context, call imprimatur.Call) (imprimatur.Picture, error) {
	args, wrong := decode[A](t.v, call.Args)
	if wrong != "" {
		return imprimatur.Refuse(wrong), nil
	}
	return t.d.Preview(ctx, call, args)
}

// MayRead implements imprimatur.Previewer. What is wrong with arguments anybody
// may read who sees the arguments.
func (t previewing[A]) MayRead(ctx context.Context, call imprimatur.Call, viewer imprimatur.User) (bool, error) {
	args, wrong := decode[A](t.v, call.Args)
	if wrong != "" {
		return true, nil
	}
	return t.d.MayRead(ctx, call, args, viewer)
}

// decode reads arguments, or says what is wrong with them.
func decode[A any](v *Validator, raw json.RawMessage) (args A, wrong string) {
	if wrong := v.Check(raw); wrong != "" {
		return args, wrong
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(&args); err != nil {
		return args, undecodable(err)
	}
	return args, ""
}

// undecodable explains what a schema lets through and Go does not take: 1.0 and
// 1e3 are whole numbers to JSON Schema, and it knows no largest one.
func undecodable(err error) string {
	var mismatch *json.UnmarshalTypeError
	if errors.As(err, &mismatch) && mismatch.Field != "" {
		return fmt.Sprintf("The argument %q must be a whole number, written without fraction and exponent, of at most 18 digits.", Echo(mismatch.Field))
	}
	return "The arguments do not fit this tool."
}
