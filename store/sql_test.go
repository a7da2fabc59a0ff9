package store

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEveryStatementThatIsNamedIsThereAndEveryOneThereIsNamed(t *testing.T) {
	t.Parallel()
	var code strings.Builder
	sources, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, source := range sources {
		if strings.HasSuffix(source, "_test.go") {
			continue
		}
		text, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		code.Write(text)
	}
	files, err := fs.Glob(statements, "*.sql")
	if err != nil || len(files) == 0 {
		t.Fatalf("no statements: %v", err)
	}
	for _, file := range files {
		c := load(file)
		variable := strings.TrimSuffix(file, ".sql") + "SQL"
		for name := range c {
			if !strings.Contains(code.String(), `"`+name+`"`) {
				t.Errorf("%s: nobody runs %s", file, name)
			}
		}
		for _, used := range regexp.MustCompile(variable+`\.get\("(\w+)"\)`).FindAllStringSubmatch(code.String(), -1) {
			if _, ok := c[used[1]]; !ok {
				t.Errorf("%s: there is no statement %s", file, used[1])
			}
		}
	}
}

func TestParseSplitsAFileAtItsNames(t *testing.T) {
	t.Parallel()
	got, err := parse("-- About all.\n\n-- About A.\n-- name: A\nSELECT 1;\n\n-- About B.\n-- name: B\nSELECT 2 -- two\nFROM b\n")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(catalog{"A": "SELECT 1", "B": "SELECT 2 -- two\nFROM b"}, got); diff != "" {
		t.Error(diff)
	}
	for name, text := range map[string]string{
		"twice":     "-- name: A\nSELECT 1\n-- name: A\nSELECT 2",
		"empty":     "-- name: A\n\n-- name: B\nSELECT 2",
		"last one":  "-- name: A\nSELECT 1\n-- name: B\n-- nothing",
		"no name":   "-- name:\nSELECT 1",
		"semicolon": "-- name: A\n;",
	} {
		if c, err := parse(text); err == nil {
			t.Errorf("%s: parsed as %v", name, c)
		}
	}
}
