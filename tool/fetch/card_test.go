package fetch

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
)

var update = flag.Bool("update", false, "write the golden files anew")

// Who is asked, and which hosts are allowed, is no part of a card: each example
// reads the same whatever the configuration says.
//
// Proves tools 55, 64, 124.
func TestCardsReadAsAnEditorWrites(t *testing.T) {
	t.Parallel()
	languages, err := catalogue.New(os.DirFS("../../languages"))
	if err != nil {
		t.Fatal(err)
	}
	for name, address := range map[string]string{
		"plain":     "https://example.org/",
		"query":     "https://Example.org/find?user_id=7&name=J%C3%BCrgen",
		"fragment":  "https://example.org/page#section",
		"longest":   "https://example.org/" + strings.Repeat("a", 190) + "?" + strings.Repeat("b", 189),
		"too_long":  "https://example.org/" + strings.Repeat("a", 400),
		"punycode":  "https://bücher.example.org/straße",
		"lookalike": "https://www.аррle.com/",
		"inside":    "http://169.254.169.254/latest",
		"password":  "https://jana:secret@example.org/",
		"redirect":  "https://example.org/go?to=https://elsewhere.example/",
	} {
		for _, lang := range []string{"en", "de", "fr"} {
			t.Run(name+"/"+lang, func(t *testing.T) {
				t.Parallel()
				for _, cfg := range []Config{{}, {Allow: []string{"example.net"}}, {Allow: []string{"*.example.org"}, Unasked: true}} {
					picture, err := made(t, cfg).(imprimatur.Previewer).Preview(t.Context(), call(address))
					if err != nil {
						t.Fatal(err)
					}
					lines, _ := imprimatur.Bound(languages.Printer(lang).Lines(picture.Lines))
					var card strings.Builder
					for _, l := range lines {
						fmt.Fprintf(&card, "%-12s%s\n", l.Role, l.Text)
					}
					golden(t, filepath.Join("testdata", name+"."+lang+".txt"), card.String())
				}
			})
		}
	}
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Error(diff)
	}
}
