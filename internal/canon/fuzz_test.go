package canon_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"testing"

	"github.com/imprimatur-dev/imprimatur/internal/canon"
)

// decode reads the value of a text with its numbers as they were written.
func decode(text []byte) (any, error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, errors.New("something follows")
	}
	return v, nil
}

func FuzzCanonicalBytes(f *testing.F) {
	f.Add([]byte(`{"b":[1.0,-0e+1,null],"a":"\ud83d\ude00<"}`), []byte(`{"a":"😀<","b":[1.0,-0e+1,null]}`))
	f.Add([]byte(`{"a":1,"\u0061":2}`), []byte(`{"a":2}`))
	f.Add([]byte("\"\xff\""), []byte(`"\ud800"`))
	f.Add([]byte(`9007199254740993`), []byte(`9007199254740992`))
	f.Add([]byte(`[[[[]]],{"":{}}]`), []byte(` [ [ [ [ ] ] ] , { "" : { } } ] `))
	f.Add([]byte(`1 2`), []byte(`{"a":1}}`))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		canonA, errA := canon.Value(a)
		canonB, errB := canon.Value(b)
		if errA != nil {
			return
		}
		valueA, err := decode(a)
		if err != nil {
			t.Fatalf("%q is accepted, encoding/json says %v", a, err)
		}
		again, err := canon.Value(canonA)
		if err != nil || !bytes.Equal(again, canonA) {
			t.Fatalf("%q becomes %q, and that %q, %v", a, canonA, again, err)
		}
		back, err := decode(canonA)
		if err != nil || !reflect.DeepEqual(back, valueA) {
			t.Fatalf("%q becomes %q, another value (%v)", a, canonA, err)
		}
		marshalled, err := canon.Marshal(json.RawMessage(a))
		if err != nil || !bytes.Equal(marshalled, canonA) {
			t.Fatalf("%q becomes %q as a raw message, %v", a, marshalled, err)
		}
		if errB != nil {
			return
		}
		valueB, err := decode(b)
		if err != nil {
			t.Fatalf("%q is accepted, encoding/json says %v", b, err)
		}
		if reflect.DeepEqual(valueA, valueB) != bytes.Equal(canonA, canonB) {
			t.Fatalf("%q and %q become %q and %q", a, b, canonA, canonB)
		}
	})
}
