package canon_test

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/imprimatur-dev/imprimatur/internal/canon"
)

//go:embed testdata/vectors.tsv
var vectors string

// The digests that approvals are bound to are taken over these bytes: a vector
// that changes makes every stored approval stale.
func TestFrozenVectors(t *testing.T) {
	t.Parallel()
	n := 0
	for line := range strings.Lines(vectors) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		n++
		fields := strings.Split(line, "\t")
		if len(fields) != 3 {
			t.Fatalf("vector %d has %d fields", n, len(fields))
		}
		got, err := canon.Value([]byte(fields[0]))
		if err != nil {
			t.Errorf("vector %d: %v", n, err)
			continue
		}
		if string(got) != fields[1] {
			t.Errorf("vector %d:\ngot  %s\nwant %s", n, got, fields[1])
		}
		if sum := sha256.Sum256(got); hex.EncodeToString(sum[:]) != fields[2] {
			t.Errorf("vector %d: SHA-256 %x, want %s", n, sum, fields[2])
		}
	}
	if n < 12 {
		t.Errorf("only %d vectors were read", n)
	}
}
