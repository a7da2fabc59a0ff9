package api_test

import (
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur/api"
)

var update = flag.Bool("update", false, "write openapi.json anew")

func TestDocumentIsTheCommittedOne(t *testing.T) {
	t.Parallel()
	got, err := api.Document()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("openapi.json", got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("openapi.json is out of date; run go test ./api -run Document -update (-committed +emitted):\n%s", diff)
	}
}
