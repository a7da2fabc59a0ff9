package fetch

import (
	"os"
	"strings"
	"testing"
)

// corpus reads addresses and whether they may be asked.
func corpus(t testing.TB) map[string]bool {
	t.Helper()
	data, err := os.ReadFile("testdata/addresses.tsv")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]bool{}
	for line := range strings.Lines(string(data)) {
		parts := strings.SplitN(strings.TrimSuffix(line, "\n"), "\t", 3)
		if len(parts) == 3 {
			all[parts[2]] = parts[0] == "yes"
		}
	}
	return all
}

func TestEveryAddressOfTheCorpusGetsItsVerdict(t *testing.T) {
	t.Parallel()
	all := corpus(t)
	if len(all) < 150 {
		t.Errorf("%d addresses are too few", len(all))
	}
	for raw, want := range all {
		a, why := parse(raw)
		if (why == "") != want {
			t.Errorf("%s: %q, host %q", raw, why, a.host)
		}
	}
}

func FuzzAddress(f *testing.F) {
	for raw := range corpus(f) {
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		a, why := parse(raw)
		if why != "" {
			return
		}
		again, why := parse(a.url.String())
		if why != "" || again.host != a.host {
			t.Errorf("%q is asked at %q, which reads %q: %s", raw, a.host, again.host, why)
		}
	})
}

func TestListsNameHostsAndWhatIsBelowThem(t *testing.T) {
	t.Parallel()
	list := []string{"example.org", "*.example.com"}
	for host, want := range map[string]bool{
		"example.org": true, "www.example.org": false, "www.example.com": true, "a.b.example.com": true,
		"example.com": false, "notexample.com": false, "example.org.evil.net": false,
	} {
		if matches(list, host) != want {
			t.Errorf("%s: %v", host, !want)
		}
	}
}
