package tool

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// Schema derives the JSON Schema of a tool's arguments from a struct.
//
// Every exported field is an argument, named by its json tag. A pointer is an
// argument that may be absent, as is one with the tag option optional; all
// others are required. The tag "is" bounds the value, the tag "about" describes
// it to the model:
//
//	UID   int64   `json:"uid" is:"min=1" about:"UID of the page"`
//	Title *string `json:"title" is:"max=255" about:"New title"`
//	Field string  `json:"field" is:"optional,one=image|assets" about:"Where to"`
//
// min and max bound the size of a number and the number of characters of a
// text. Arguments are strings, integers, booleans, and maps of any values.
func Schema[A any]() (json.RawMessage, error) {
	t := reflect.TypeFor[A]()
	if t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("derive schema: %s is no struct", t)
	}
	properties := map[string]any{}
	required := []string{}
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || name == "" || name == "-" {
			return nil, fmt.Errorf("derive schema: %s.%s has no name", t, f.Name)
		}
		property, optional, err := property(f)
		if err != nil {
			return nil, fmt.Errorf("derive schema: %s.%s: %w", t, f.Name, err)
		}
		properties[name] = property
		if !optional {
			required = append(required, name)
		}
	}
	return json.Marshal(map[string]any{
		"type": "object", "properties": properties, "required": required, "additionalProperties": false,
	})
}

// property describes one argument.
func property(f reflect.StructField) (property map[string]any, optional bool, err error) {
	property = map[string]any{}
	typ := f.Type
	if typ.Kind() == reflect.Pointer {
		optional, typ = true, typ.Elem()
	}
	lower, upper := "minimum", "maximum"
	switch typ.Kind() {
	case reflect.String:
		property["type"] = "string"
		lower, upper = "minLength", "maxLength"
	case reflect.Int, reflect.Int64:
		property["type"] = "integer"
	case reflect.Bool:
		property["type"] = "boolean"
	case reflect.Map:
		property["type"] = "object"
		lower, upper = "minProperties", "maxProperties"
	default:
		return nil, false, fmt.Errorf("an argument cannot be %s", f.Type)
	}
	if about := f.Tag.Get("about"); about != "" {
		property["description"] = about
	}
	rules := f.Tag.Get("is")
	if rules == "" {
		return property, optional, nil
	}
	for rule := range strings.SplitSeq(rules, ",") {
		key, value, _ := strings.Cut(rule, "=")
		switch key {
		case "optional":
			optional = true
		case "one":
			property["enum"] = strings.Split(value, "|")
		case "min", "max":
			n, err := strconv.ParseInt(value, 10, 64)
			if err != nil {
				return nil, false, fmt.Errorf("%q is no bound", rule)
			}
			property[map[string]string{"min": lower, "max": upper}[key]] = n
		default:
			return nil, false, fmt.Errorf("no rule is called %q", rule)
		}
	}
	return property, optional, nil
}
