package editorial_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
	"github.com/imprimatur-dev/imprimatur/editorial"
	"github.com/imprimatur-dev/imprimatur/tool/fetch"
)

// The table of tools in the documentation is that of the program.
func TestTheListOfToolsIsTheOneInTheDocumentation(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../docs/tools.md")
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for line := range strings.SplitSeq(string(text), "\n") {
		cells := strings.Split(line, " | ")
		if name, ok := strings.CutPrefix(cells[0], "| `"); ok && len(cells) == 6 {
			if strings.TrimSuffix(cells[5], " |") == "" {
				t.Errorf("%s says nothing", name)
			}
			listed = append(listed, strings.TrimSuffix(name, "`")+" | "+strings.Join(cells[1:5], " | "))
		}
	}
	web, err := fetch.New(fetch.Config{})
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, tool := range append(editorial.Tools(contenttest.Open(t, contenttest.Options{}).Repository), web) {
		d, err := imprimatur.Describe(tool)
		if err != nil {
			t.Fatal(err)
		}
		yes := map[bool]string{true: "yes", false: "no"}
		want = append(want, fmt.Sprintf("%s | %s | %s | %s | %s", d.Spec.Name, d.Group, strings.ReplaceAll(string(d.Effect), "_", " "), yes[d.Previewer != nil], yes[d.Approval]))
	}
	if diff := cmp.Diff(want, listed); diff != "" {
		t.Error(diff)
	}
}
