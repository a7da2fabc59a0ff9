package imprimatur_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur"
)

// Proves runtime 68.
func TestARequestComesBackAsItWas(t *testing.T) {
	t.Parallel()
	for _, want := range []imprimatur.Request{
		{Prompt: "Announce the tours."},
		{Prompt: "Zeige „das Boot“\n\u202e!", Allowed: &[]string{}, MaxRounds: 20},
		{Prompt: "x", Allowed: &[]string{"get_pagetree", "copy_record"}, MaxRounds: 1},
	} {
		b, err := want.Encode()
		if err != nil {
			t.Fatal(err)
		}
		got, err := imprimatur.DecodeRequest(b)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
}

// Proves runtime 67, 70.
func TestNothingAboutADamagedRequestIsGuessed(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		``, `null`, `[]`, `{}`, `{"prompt":"x","max_rounds":0}`, `{"allowedToolNames":null,"max_rounds":0}`, `{"allowedToolNames":null,"prompt":"","max_rounds":0}`,
		`{"allowedToolNames":"copy_record","prompt":"x","max_rounds":0}`, `{"allowedToolNames":[1],"prompt":"x","max_rounds":0}`,
		`{"allowedToolNames":null,"prompt":"x","max_rounds":-1}`, `{"allowedToolNames":null,"prompt":7,"max_rounds":0}`, `{"allowedToolNames":null,"prompt":"x"`,
	} {
		if r, err := imprimatur.DecodeRequest([]byte(text)); !errors.Is(err, imprimatur.ErrCorrupt) {
			t.Errorf("%s is read as %+v, %v", text, r, err)
		}
	}
}

func TestAListOfNoToolsIsNeverReadAsNoConstraint(t *testing.T) {
	t.Parallel()
	var none []string
	b, err := imprimatur.Request{Prompt: "x", Allowed: &none}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := imprimatur.DecodeRequest(b); err != nil || got.Allowed == nil || len(*got.Allowed) != 0 {
		t.Errorf("a request without tools comes back as %+v, %v", got, err)
	}
	if b, err = (imprimatur.Suspended{Allowed: &none}).Encode(); err != nil {
		t.Fatal(err)
	}
	if got, _, err := imprimatur.DecodeSuspended(b, nil); err != nil || got.Allowed == nil || len(*got.Allowed) != 0 {
		t.Errorf("a state without tools comes back with %v, %v", got.Allowed, err)
	}
}
