package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/imprimatur-dev/imprimatur"
)

// maxDepth bounds how deep the JSON of a body may nest.
const maxDepth = 64

// DecodeBody reads the JSON object that a request carries into v, a pointer to
// a struct. Fields are matched by the exact name of their json tag and are
// flat: strings, numbers, booleans, lists of strings, or json.RawMessage for a
// field its caller judges.
//
// Everything else is a refusal that names what is wrong: another media type
// (unsupported_media_type), more than limit bytes (too_large), and
// bad_request for what is not one JSON object in UTF-8, for an unknown field,
// a field given twice, null, or a value of another type. v is only written
// when all of it is right.
func DecodeBody(w http.ResponseWriter, r *http.Request, limit int64, v any) error {
	if err := jsonMedia(r.Header); err != nil {
		return err
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return &imprimatur.Refusal{Code: imprimatur.CodeTooLarge}
	}
	if err != nil {
		return imprimatur.BadRequest("the body could not be read to its end")
	}
	return decodeObject(body, v)
}

func jsonMedia(h http.Header) error {
	media, params, err := mime.ParseMediaType(h.Get("Content-Type"))
	charset := strings.ToLower(params["charset"])
	if err != nil || media != "application/json" || charset != "" && charset != "utf-8" {
		return &imprimatur.Refusal{Code: imprimatur.CodeUnsupportedMedia, Detail: "Content-Type must be application/json"}
	}
	if e := h.Get("Content-Encoding"); e != "" && !strings.EqualFold(e, "identity") {
		return &imprimatur.Refusal{Code: imprimatur.CodeUnsupportedMedia, Detail: "Content-Encoding is not supported"}
	}
	return nil
}

func decodeObject(body []byte, v any) error {
	if !utf8.Valid(body) {
		return imprimatur.BadRequest("the body is not valid UTF-8")
	}
	fields, err := scanObject(body)
	if err != nil {
		return err
	}
	into := reflect.ValueOf(v).Elem()
	fresh := reflect.New(into.Type()).Elem()
	fresh.Set(into)
	byName := map[string]reflect.Value{}
	for i := range fresh.NumField() {
		name, _, _ := strings.Cut(fresh.Type().Field(i).Tag.Get("json"), ",")
		byName[name] = fresh.Field(i)
	}
	for _, f := range fields {
		field, known := byName[f.name]
		if !known {
			return imprimatur.BadRequest("unknown field %q", imprimatur.Cut(f.name, 64))
		}
		if err := setField(field, f); err != nil {
			return err
		}
	}
	into.Set(fresh)
	return nil
}

type rawField struct {
	name  string
	value json.RawMessage
}

func setField(field reflect.Value, f rawField) error {
	if raw, ok := field.Addr().Interface().(*json.RawMessage); ok {
		*raw = f.value
		return nil
	}
	t := field.Type()
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	wrong := imprimatur.BadRequest("field %q must be %s", f.name, kindName(t))
	if string(f.value) == "null" {
		return wrong
	}
	if t.Kind() == reflect.Slice {
		var entries []json.RawMessage
		if json.Unmarshal(f.value, &entries) != nil {
			return wrong
		}
		for _, e := range entries {
			if string(bytes.TrimSpace(e)) == "null" {
				return wrong
			}
		}
	}
	if json.Unmarshal(f.value, field.Addr().Interface()) != nil {
		return wrong
	}
	return nil
}

func kindName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice:
		return "a list of strings"
	default:
		return "a whole number"
	}
}

// scanObject returns the fields of one JSON object, in order. It reads every
// token, so that a key given twice is seen at any depth.
func scanObject(body []byte) ([]rawField, error) {
	d := json.NewDecoder(bytes.NewReader(body))
	first, err := d.Token()
	if err != nil || first != json.Delim('{') {
		return nil, imprimatur.BadRequest("the body must be one JSON object")
	}
	var fields []rawField
	seen := map[string]bool{}
	for d.More() {
		key, err := d.Token()
		name, ok := key.(string)
		if err != nil || !ok {
			return nil, notJSON(body, d)
		}
		if seen[name] {
			return nil, imprimatur.BadRequest("field %q is given twice", imprimatur.Cut(name, 64))
		}
		seen[name] = true
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, notJSON(body, d)
		}
		if err := scanValue(value); err != nil {
			return nil, err
		}
		fields = append(fields, rawField{name, value})
	}
	if _, err := d.Token(); err != nil {
		return nil, notJSON(body, d)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, imprimatur.BadRequest("there is something after the JSON object")
	}
	return fields, nil
}

func notJSON(body []byte, d *json.Decoder) error {
	at := min(int(d.InputOffset()), len(body))
	return imprimatur.BadRequest("the body is not valid JSON in line %d", 1+bytes.Count(body[:at], []byte("\n")))
}

// scanValue refuses keys given twice, and nesting beyond maxDepth, inside a
// value that is valid JSON.
func scanValue(value json.RawMessage) error {
	type level struct {
		keys map[string]bool // nil: a list
		key  bool            // the next token is a key
	}
	var open []level
	d := json.NewDecoder(bytes.NewReader(value))
	d.UseNumber()
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return imprimatur.BadRequest("the body is not valid JSON")
		}
		if delim, ok := token.(json.Delim); ok {
			switch delim {
			case '{':
				open = append(open, level{keys: map[string]bool{}, key: true})
			case '[':
				open = append(open, level{})
			default:
				open = open[:len(open)-1]
				if n := len(open); n > 0 && open[n-1].keys != nil {
					open[n-1].key = true
				}
			}
			if len(open) > maxDepth {
				return imprimatur.BadRequest("the body nests deeper than %d levels", maxDepth)
			}
			continue
		}
		if len(open) == 0 || open[len(open)-1].keys == nil {
			continue
		}
		top := &open[len(open)-1]
		if top.key {
			name, _ := token.(string)
			if top.keys[name] {
				return imprimatur.BadRequest("key %q is given twice", imprimatur.Cut(name, 64))
			}
			top.keys[name] = true
		}
		top.key = !top.key
	}
}
