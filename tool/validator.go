package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/imprimatur-dev/imprimatur"
)

// maxReasons bounds how many faults of one call are named.
const maxReasons = 5

// Validator holds arguments against the schema of a tool.
type Validator struct {
	schema  *jsonschema.Schema
	allowed []string // names of the arguments, sorted
	strict  bool     // no arguments but these
}

// Compile reads the JSON Schema of a tool's arguments, which must describe an
// object. A reference to a schema elsewhere is refused: what a tool accepts is
// part of its identity and must not depend on a network.
func Compile(schema json.RawMessage) (*Validator, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return nil, fmt.Errorf("read schema: %w", err)
	}
	root, ok := doc.(map[string]any)
	if !ok || root["type"] != "object" {
		return nil, errors.New(`read schema: it must have the type "object"`)
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(nowhere{})
	const here = "mem:///arguments"
	if err := c.AddResource(here, doc); err != nil {
		return nil, fmt.Errorf("read schema: %w", err)
	}
	compiled, err := c.Compile(here)
	if err != nil {
		return nil, fmt.Errorf("compile schema: %w", err)
	}
	v := &Validator{schema: compiled, strict: root["additionalProperties"] == false}
	if properties, ok := root["properties"].(map[string]any); ok {
		for name := range properties {
			v.allowed = append(v.allowed, name)
		}
	}
	slices.Sort(v.allowed)
	return v, nil
}

// nowhere loads no schema from anywhere.
type nowhere struct{}

// Load implements jsonschema.URLLoader.
func (nowhere) Load(string) (any, error) { return nil, errors.New("schemas elsewhere are not loaded") }

// Check says in English everything that is wrong with the arguments, or "". It
// names arguments and limits, never the values that were given.
func (v *Validator) Check(args json.RawMessage) string {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(args))
	object, ok := doc.(map[string]any)
	if err != nil || !ok {
		return "The arguments must be one JSON object."
	}
	if unknown := v.unknown(object); unknown != "" {
		return unknown
	}
	if !modest(doc) {
		return "A number in the arguments is too long or has too large an exponent."
	}
	var invalid *jsonschema.ValidationError
	switch err := v.schema.Validate(doc); {
	case err == nil:
		return ""
	case errors.As(err, &invalid):
		return sentences(reasons(invalid))
	default:
		return "The arguments could not be checked."
	}
}

// modest reports whether every number is one that may be computed with: the
// value of 1e999999999 would fill the memory.
func modest(doc any) bool {
	switch v := doc.(type) {
	case json.Number:
		mantissa, exponent, _ := strings.Cut(strings.ToLower(string(v)), "e")
		return len(mantissa) <= 100 && len(exponent) <= 4
	case map[string]any:
		for _, member := range v {
			if !modest(member) {
				return false
			}
		}
	case []any:
		for _, member := range v {
			if !modest(member) {
				return false
			}
		}
	}
	return true
}

// unknown refuses the whole call for an argument that is none, and names those
// there are: a model that guessed a name would otherwise believe it took.
func (v *Validator) unknown(object map[string]any) string {
	if !v.strict {
		return ""
	}
	var names []string
	for name := range object {
		if !slices.Contains(v.allowed, name) {
			names = append(names, `"`+Echo(name)+`"`)
		}
	}
	if len(names) == 0 {
		return ""
	}
	slices.Sort(names)
	allowed := "This tool takes none."
	if len(v.allowed) > 0 {
		allowed = "Allowed: " + strings.Join(v.allowed, ", ") + "."
	}
	names = slices.Compact(names)
	return fmt.Sprintf("Unknown argument %s. %s", strings.Join(names[:min(len(names), maxReasons)], ", "), allowed)
}

var notPlain = regexp.MustCompile(`[^A-Za-z0-9_]`)

// Echo is a name that a model made up, in a form that is safe to repeat to it:
// letters, digits and underscores, at most 64.
func Echo(name string) string { return imprimatur.Cut(notPlain.ReplaceAllString(name, ""), 64) }

// reasons collects the innermost faults, in the order of their places.
func reasons(e *jsonschema.ValidationError) []string {
	if len(e.Causes) == 0 {
		return []string{reason(e)}
	}
	if _, ok := e.ErrorKind.(*kind.Enum); ok {
		return []string{reason(e)}
	}
	var all []string
	for _, cause := range e.Causes {
		all = append(all, reasons(cause)...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func sentences(all []string) string {
	cut := all[:min(len(all), maxReasons)]
	return strings.Join(cut, " ")
}

// reason says one fault.
func reason(e *jsonschema.ValidationError) string {
	where := "The arguments"
	if len(e.InstanceLocation) > 0 {
		var names []string
		for _, part := range e.InstanceLocation {
			names = append(names, Echo(part))
		}
		where = `The argument "` + strings.Join(names, ".") + `"`
	}
	switch k := e.ErrorKind.(type) {
	case *kind.Required:
		var missing []string
		for _, name := range k.Missing {
			missing = append(missing, `"`+name+`"`)
		}
		slices.Sort(missing)
		if len(e.InstanceLocation) == 0 {
			return "Missing argument " + strings.Join(missing, ", ") + "."
		}
		return where + " lacks " + strings.Join(missing, ", ") + "."
	case *kind.Type:
		return fmt.Sprintf("%s must be %s, not %s.", where, typeNames(k.Want), typeNames([]string{k.Got}))
	case *kind.MaxLength:
		return fmt.Sprintf("%s has %d characters; at most %d are allowed.", where, k.Got, k.Want)
	case *kind.MinLength:
		if k.Got == 0 {
			return where + " must not be empty."
		}
		return fmt.Sprintf("%s has %d characters; at least %d are needed.", where, k.Got, k.Want)
	case *kind.Minimum:
		return fmt.Sprintf("%s must be at least %s.", where, k.Want.RatString())
	case *kind.Maximum:
		return fmt.Sprintf("%s must be at most %s.", where, k.Want.RatString())
	case *kind.Enum:
		return fmt.Sprintf("%s must be one of %s.", where, oneOf(k.Want))
	case *kind.MaxItems:
		return fmt.Sprintf("%s has %d entries; at most %d are allowed.", where, k.Got, k.Want)
	case *kind.MinItems:
		return fmt.Sprintf("%s has %d entries; at least %d are needed.", where, k.Got, k.Want)
	case *kind.MaxProperties:
		return fmt.Sprintf("%s has %d entries; at most %d are allowed.", where, k.Got, k.Want)
	case *kind.MinProperties:
		return fmt.Sprintf("%s has %d entries; at least %d are needed.", where, k.Got, k.Want)
	default:
		return where + " does not fit the schema of this tool."
	}
}

func typeNames(types []string) string {
	names := map[string]string{
		"string": "text", "integer": "a whole number", "number": "a number", "boolean": "true or false",
		"object": "an object", "array": "a list", "null": "null",
	}
	var all []string
	for _, t := range types {
		all = append(all, names[t])
	}
	return strings.Join(all, " or ")
}

func oneOf(values []any) string {
	var all []string
	for _, v := range values {
		word := fmt.Sprintf("%v", v)
		if word == "" {
			word = `""`
		}
		all = append(all, word)
	}
	return strings.Join(all, ", ")
}
