package web_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/internal/web"
)

// sample has a field of every type that a body may hold.
type sample struct {
	Name  string          `json:"name"`
	Count *int            `json:"count,omitempty"`
	Loud  bool            `json:"loud"`
	List  *[]string       `json:"list"`
	Any   json.RawMessage `json:"any"`
}

func decode(body string, v any) error {
	r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json; charset=UTF-8")
	return web.DecodeBody(httptest.NewRecorder(), r, 4096, v)
}

func TestDecodeBodyReadsEveryTypeOfField(t *testing.T) {
	t.Parallel()
	var got sample
	if err := decode(` {"name":"\u00fc","count":3,"loud":true,"list":[],"any":[null,{"a":1}]} `, &got); err != nil {
		t.Fatal(err)
	}
	three := 3
	want := sample{Name: "ü", Count: &three, Loud: true, List: &[]string{}, Any: json.RawMessage(`[null,{"a":1}]`)}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestDecodeBodyWritesNothingWhereOneFieldIsWrong(t *testing.T) {
	t.Parallel()
	got := sample{Name: "before"}
	err := decode(`{"name":"after","loud":"yes"}`, &got)
	var no *imprimatur.Refusal
	if !errors.As(err, &no) || no.Detail != `field "loud" must be true or false` {
		t.Errorf("got %v", err)
	}
	if got.Name != "before" {
		t.Errorf("half of it was written: %+v", got)
	}
}

func FuzzDecodeBody(f *testing.F) {
	f.Add(`{"name":"x","list":["a"],"any":{"a":{"b":[1,2,{}]}}}`)
	f.Add(`{"name":"x","name":"y"}`)
	f.Add(`{"any":{"a":1,"\u0061":2}}`)
	f.Fuzz(func(t *testing.T, body string) {
		var got sample
		err := decode(body, &got)
		var no *imprimatur.Refusal
		if err != nil && !errors.As(err, &no) {
			t.Fatalf("%v is no refusal", err)
		}
		if err != nil {
			return
		}
		// What is accepted means the same to the standard decoder.
		var same sample
		d := json.NewDecoder(strings.NewReader(body))
		d.DisallowUnknownFields()
		if err := d.Decode(&same); err != nil {
			t.Fatalf("accepted what is no JSON of this shape: %v", err)
		}
		if _, err := d.Token(); !errors.Is(err, io.EOF) {
			t.Fatal("accepted something after the object")
		}
		if same.Any == nil {
			same.Any = got.Any // null, which the field's owner judges
		}
		if diff := cmp.Diff(same, got); diff != "" {
			t.Errorf("means something else (-standard +ours):\n%s", diff)
		}
	})
}
