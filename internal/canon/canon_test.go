package canon_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/imprimatur-dev/imprimatur/internal/canon"
)

func TestValueWritesOneFormOfEveryText(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, want string }{
		{"null", `null`, `null`},
		{"true", ` true `, `true`},
		{"false", "\tfalse\n", `false`},
		{"zero", `0`, `0`},
		{"negative zero stays", `-0`, `-0`},
		{"decimal zero stays", `1.0`, `1.0`},
		{"beyond exact floats", `9007199254740993`, `9007199254740993`},
		{"many digits", `123456789012345678901234567890.12345`, `123456789012345678901234567890.12345`},
		{"exponents stay", `[1e2,1E2,1e+2,1e-2,-0.0e00]`, `[1e2,1E2,1e+2,1e-2,-0.0e00]`},
		{"exponent beyond every float", `1e999999`, `1e999999`},
		{"empty string", `""`, `""`},
		{"short escapes", `"\b\f\n\r\t\"\\\/"`, `"\b\f\n\r\t\"\\/"`},
		{"long escapes become short", `"\u0008\u000c\u000A\u000d\u0009\u0022\u005C\u002F"`, `"\b\f\n\r\t\"\\/"`},
		{"control characters", `"\u0000\u001F\u007f"`, "\"\\u0000\\u001f\x7f\""},
		{"letters written as escapes", `"\u0041\u00e4\u20AC"`, `"Aä€"`},
		{"surrogate pair", `"\uD83D\uDE00 \ud83d\ude00"`, `"😀 😀"`},
		{"no HTML escaping", `"<a href='x'>&amp;</a>"`, `"<a href='x'>&amp;</a>"`},
		{"HTML escapes resolved", `"\u003c\u003e\u0026"`, `"<>&"`},
		{"line separators stay raw", `"\u2028\u2029"`, "\"\u2028\u2029\""},
		{"no normalisation", `["\u00e9","e\u0301"]`, "[\"é\",\"e\u0301\"]"},
		{"noncharacters are characters", `"\uffff\ufeff"`, "\"\uffff\ufeff\""},
		{"replacement character is allowed", `"\ufffd"`, `"�"`},
		{"empty array", `[ ]`, `[]`},
		{"empty object", "{\r\n}", `{}`},
		{"arrays keep their order", `[3, 1, 2]`, `[3,1,2]`},
		{"keys are sorted", `{"b":1,"a":2,"c":3}`, `{"a":2,"b":1,"c":3}`},
		{"shorter key first", `{"aa":1,"a":2,"":3}`, `{"":3,"a":2,"aa":1}`},
		{"capitals before small letters", `{"a":1,"B":2,"_":3}`, `{"B":2,"_":3,"a":1}`},
		{"sorted by UTF-8, not by UTF-16", `{"😀":1,"\uffff":2}`, "{\"\uffff\":2,\"😀\":1}"},
		{"sorted after escapes are resolved", `{"\u0062":1,"a":2}`, `{"a":2,"b":1}`},
		{"sorted at every level", `{"z":[{"b":1,"a":{"d":1,"c":2}}],"y":0}`, `{"y":0,"z":[{"a":{"c":2,"d":1},"b":1}]}`},
		{"the same key in two objects", `{"a":{"a":1},"b":{"a":2}}`, `{"a":{"a":1},"b":{"a":2}}`},
		{"white space everywhere", " { \"a\" : [ 1 , { } ] , \"b\" : \"x y\" } ", `{"a":[1,{}],"b":"x y"}`},
		{"64 levels", strings.Repeat("[", 64) + strings.Repeat("]", 64), strings.Repeat("[", 64) + strings.Repeat("]", 64)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, err := canon.Value([]byte(test.in))
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestValueRefusesWhatTwoReadersCouldReadDifferently(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, in string
		want     error
	}{
		{"nothing", ``, canon.ErrSyntax},
		{"white space only", " \n", canon.ErrSyntax},
		{"other white space", "\u00a01", canon.ErrSyntax},
		{"byte order mark", "\ufeff{}", canon.ErrSyntax},
		{"NUL", "\x00", canon.ErrSyntax},
		{"half a word", `tru`, canon.ErrSyntax},
		{"two words in one", `nullnull`, canon.ErrSyntax},
		{"capital word", `True`, canon.ErrSyntax},
		{"not a number", `NaN`, canon.ErrSyntax},
		{"leading zero", `01`, canon.ErrSyntax},
		{"leading plus", `+1`, canon.ErrSyntax},
		{"bare point", `.5`, canon.ErrSyntax},
		{"point without digits", `1.`, canon.ErrSyntax},
		{"exponent without digits", `1e`, canon.ErrSyntax},
		{"exponent with a sign only", `1e+`, canon.ErrSyntax},
		{"minus alone", `-`, canon.ErrSyntax},
		{"hexadecimal", `0x10`, canon.ErrSyntax},
		{"trailing value", `{} {}`, canon.ErrSyntax},
		{"trailing comma in text", `{},`, canon.ErrSyntax},
		{"trailing NUL", "{}\x00", canon.ErrSyntax},
		{"trailing comma in array", `[1,]`, canon.ErrSyntax},
		{"trailing comma in object", `{"a":1,}`, canon.ErrSyntax},
		{"leading comma", `[,1]`, canon.ErrSyntax},
		{"missing comma", `[1 2]`, canon.ErrSyntax},
		{"missing colon", `{"a" 1}`, canon.ErrSyntax},
		{"missing value", `{"a":}`, canon.ErrSyntax},
		{"key without quotes", `{a:1}`, canon.ErrSyntax},
		{"key is a number", `{1:1}`, canon.ErrSyntax},
		{"single quotes", `{'a':1}`, canon.ErrSyntax},
		{"comment", `{/**/}`, canon.ErrSyntax},
		{"open array", `[1`, canon.ErrSyntax},
		{"open object", `{"a":1`, canon.ErrSyntax},
		{"wrong bracket", `[1}`, canon.ErrSyntax},
		{"open string", `"a`, canon.ErrSyntax},
		{"open escape", `"\`, canon.ErrSyntax},
		{"unknown escape", `"\x41"`, canon.ErrSyntax},
		{"short Unicode escape", `"\u12"`, canon.ErrSyntax},
		{"signed Unicode escape", `"\u+123"`, canon.ErrSyntax},
		{"raw newline in string", "\"a\nb\"", canon.ErrSyntax},
		{"raw NUL in string", "\"a\x00b\"", canon.ErrSyntax},
		{"duplicate", `{"a":1,"a":1}`, canon.ErrDuplicate},
		{"duplicate apart", `{"a":1,"b":2,"a":3}`, canon.ErrDuplicate},
		{"duplicate after unescaping", `{"a":1,"\u0061":2}`, canon.ErrDuplicate},
		{"duplicate through a surrogate pair", `{"😀":1,"\ud83d\ude00":2}`, canon.ErrDuplicate},
		{"duplicate empty key", `{"":1,"":2}`, canon.ErrDuplicate},
		{"duplicate far inside", `[{"x":{"a":null,"a":null}}]`, canon.ErrDuplicate},
		{"invalid UTF-8", "\"\xff\"", canon.ErrEncoding},
		{"invalid UTF-8 in a key", "{\"\xc3\x28\":1}", canon.ErrEncoding},
		{"overlong UTF-8", "\"\xc0\xaf\"", canon.ErrEncoding},
		{"surrogate in UTF-8", "\"\xed\xa0\x80\"", canon.ErrEncoding},
		{"beyond Unicode", "\"\xf4\x90\x80\x80\"", canon.ErrEncoding},
		{"cut UTF-8", "\"\xe2\x82\"", canon.ErrEncoding},
		{"lone high surrogate", `"\ud800"`, canon.ErrEncoding},
		{"lone low surrogate", `"\udc00"`, canon.ErrEncoding},
		{"high surrogate before a letter", `"\ud800a"`, canon.ErrEncoding},
		{"two high surrogates", `"\ud800\ud800"`, canon.ErrEncoding},
		{"surrogates the wrong way round", `"\udc00\ud800"`, canon.ErrEncoding},
		{"65 levels", strings.Repeat("[", 65) + strings.Repeat("]", 65), canon.ErrTooLarge},
		{"65 levels of objects", strings.Repeat(`{"a":`, 65) + "1" + strings.Repeat("}", 65), canon.ErrTooLarge},
		{"a byte too much", `"` + strings.Repeat("x", canon.MaxBytes-1) + `"`, canon.ErrTooLarge},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, err := canon.Value([]byte(test.in))
			if !errors.Is(err, test.want) {
				t.Errorf("got %q, %v; want %v", got, err, test.want)
			}
			var place *canon.Error
			if !errors.As(err, &place) || place.Offset > len(test.in) {
				t.Errorf("error %v names no place in the text", err)
			}
		})
	}
}

func TestObjectAcceptsObjectsOnly(t *testing.T) {
	t.Parallel()
	for _, in := range []string{``, ` `, `null`, `[]`, `[{}]`, `"{}"`, `1`, "\ufeff{}", `x{}`} {
		if got, err := canon.Object([]byte(in)); !errors.Is(err, canon.ErrNotObject) {
			t.Errorf("Object(%q) = %q, %v; want %v", in, got, err, canon.ErrNotObject)
		}
	}
	largest := []byte(`{"a":"` + strings.Repeat("x", canon.MaxBytes-len(`{"a":""}`)) + `"}`)
	if got, err := canon.Object(largest); err != nil || !bytes.Equal(got, largest) {
		t.Errorf("an object of exactly MaxBytes: %d bytes, %v", len(got), err)
	}
	if _, err := canon.Object(append(largest, ' ')); !errors.Is(err, canon.ErrTooLarge) {
		t.Errorf("an object of one byte more: %v; want %v", err, canon.ErrTooLarge)
	}
	if _, err := canon.Object(bytes.Repeat([]byte("x"), canon.MaxBytes+1)); !errors.Is(err, canon.ErrTooLarge) {
		t.Errorf("a large text of another kind: %v; want %v", err, canon.ErrTooLarge)
	}
}

func TestErrorNamesPlaceAndKey(t *testing.T) {
	t.Parallel()
	_, err := canon.Object([]byte(`{"uid":1,"x":2,"uid":3}`))
	if err == nil || err.Error() != `duplicate key at byte 15: "uid"` {
		t.Errorf("got %v", err)
	}
	_, err = canon.Object([]byte(`{"a":01}`))
	if err == nil || err.Error() != "not valid JSON at byte 6: expected a comma or '}'" {
		t.Errorf("got %v", err)
	}
}

func TestValueLeavesItsInputAlone(t *testing.T) {
	t.Parallel()
	in := []byte(`{"b":"\u0041","a":1}`)
	kept := bytes.Clone(in)
	out, err := canon.Value(in)
	if err != nil {
		t.Fatal(err)
	}
	clear(out)
	if !bytes.Equal(in, kept) {
		t.Errorf("the input became %q", in)
	}
}

func TestMarshalEncodesGoValues(t *testing.T) {
	t.Parallel()
	type inner struct {
		Z int             `json:"z"`
		A json.RawMessage `json:"a,omitempty"`
	}
	tests := []struct {
		name string
		in   any
		want string
	}{
		{"nil", nil, `null`},
		{"fields are sorted", inner{Z: 1, A: json.RawMessage(`{"b": 1.0, "a": 2}`)}, `{"a":{"a":2,"b":1.0},"z":1}`},
		{"no HTML escaping", "<&>\u2028", "\"<&>\u2028\""},
		{"invalid UTF-8 in a string", "a\xffb", "\"a\ufffdb\""},
		{"invalid UTF-8 in a raw message", json.RawMessage("\"a\xffb\""), "\"a\ufffdb\""},
		{"lone surrogate in a raw message", json.RawMessage(`["\ud800","\udc00x"]`), "[\"\ufffd\",\"\ufffdx\"]"},
		{"map", map[string]int{"b": 1, "a": 2}, `{"a":2,"b":1}`},
		{"more levels than Value accepts", json.RawMessage(strings.Repeat("[", 80) + strings.Repeat("]", 80)), strings.Repeat("[", 80) + strings.Repeat("]", 80)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, err := canon.Marshal(test.in)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestMarshalHasNoLimitOfSize(t *testing.T) {
	t.Parallel()
	in := strings.Repeat("x", 2*canon.MaxBytes)
	got, err := canon.Marshal(in)
	if err != nil || string(got) != `"`+in+`"` {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

func TestMarshalFailsWhereNoJSONExists(t *testing.T) {
	t.Parallel()
	for _, in := range []any{math.NaN(), func() {}, json.RawMessage(`{`)} {
		if got, err := canon.Marshal(in); err == nil {
			t.Errorf("Marshal(%T) = %s", in, got)
		}
	}
	if _, err := canon.Marshal(json.RawMessage(`{"a":1,"a":2}`)); !errors.Is(err, canon.ErrDuplicate) {
		t.Errorf("got %v, want %v", err, canon.ErrDuplicate)
	}
}

func TestStringIsACanonicalValue(t *testing.T) {
	t.Parallel()
	for _, in := range []string{"", "a", `"\/`, "\x00\x1f\x7f\b\f\n\r\t", "äöü€😀", "\u2028<&>", "\xff\xed\xa0\x80"} {
		got := canon.String(in)
		again, err := canon.Value(got)
		if err != nil || !bytes.Equal(again, got) {
			t.Errorf("String(%q) = %s is not canonical: %s, %v", in, got, again, err)
		}
		var back string
		if err := json.Unmarshal(got, &back); err != nil || back != string([]rune(in)) {
			t.Errorf("String(%q) = %s reads back as %q, %v", in, got, back, err)
		}
	}
}
