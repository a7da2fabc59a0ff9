package seal_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/imprimatur-dev/imprimatur/internal/seal"
)

const secret = "the suspended turn, with arguments nobody else may read"

func newSealer(t *testing.T) *seal.Sealer {
	t.Helper()
	keys, err := seal.NewKeyset()
	if err != nil {
		t.Fatal(err)
	}
	s, err := seal.Open(keys)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func mustSeal(t *testing.T, s *seal.Sealer, place string) []byte {
	t.Helper()
	value, err := s.Seal([]byte(secret), place)
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// Proves runtime 213.
func TestSealedValueHidesTheTextAndOpensAgain(t *testing.T) {
	t.Parallel()
	s, place := newSealer(t), seal.Associated("r1", "state", 4)
	first, second := mustSeal(t, s, place), mustSeal(t, s, place)
	if first[0] != 'S' {
		t.Errorf("a sealed value begins with %q", first[0])
	}
	if bytes.Contains(first, []byte("arguments")) {
		t.Error("the plaintext is readable in the sealed value")
	}
	if bytes.Equal(first, second) {
		t.Error("sealing the same text twice gave the same bytes")
	}
	for _, value := range [][]byte{first, second} {
		got, err := s.Open(value, place)
		if err != nil || string(got) != secret {
			t.Errorf("Open = %q, %v", got, err)
		}
	}
}

// Proves runtime 214.
func TestValueOpensOnlyWhereItWasSealed(t *testing.T) {
	t.Parallel()
	s := newSealer(t)
	place := seal.Associated("r1", "state", 4)
	value := mustSeal(t, s, place)
	for name, other := range map[string]string{
		"another run":      seal.Associated("r2", "state", 4),
		"another column":   seal.Associated("r1", "request", 4),
		"an older write":   seal.Associated("r1", "state", 3),
		"no place":         "",
		"a newer version":  strings.Replace(place, "|v1", "|v2", 1),
		"a prefix of ours": strings.TrimSuffix(place, "1"),
	} {
		if got, err := s.Open(value, other); !errors.Is(err, seal.ErrForged) || got != nil {
			t.Errorf("%s: Open = %q, %v", name, got, err)
		}
	}
}

// Proves runtime 214.
func TestTamperedOrTruncatedValueDoesNotOpen(t *testing.T) {
	t.Parallel()
	s, place := newSealer(t), seal.Associated("r1", "state", 4)
	value := mustSeal(t, s, place)
	for i := range value {
		bad := bytes.Clone(value)
		bad[i] ^= 0x10
		if got, err := s.Open(bad, place); err == nil {
			t.Fatalf("byte %d changed: opened as %q", i, got)
		}
		if i == 0 {
			continue
		}
		if got, err := s.Open(value[:i], place); err == nil {
			t.Fatalf("cut after %d bytes: opened as %q", i, got)
		}
	}
}

// Proves runtime 214.
func TestAnotherKeysetDoesNotOpen(t *testing.T) {
	t.Parallel()
	place := seal.Associated("r1", "state", 4)
	value := mustSeal(t, newSealer(t), place)
	if _, err := newSealer(t).Open(value, place); !errors.Is(err, seal.ErrForged) {
		t.Errorf("Open with another keyset: %v", err)
	}
}

// Proves runtime 216.
func TestWithoutAKeyNothingIsStoredAndNothingOpened(t *testing.T) {
	t.Parallel()
	var none seal.Sealer
	if value, err := none.Seal([]byte(secret), "p"); !errors.Is(err, seal.ErrNoKey) || value != nil {
		t.Errorf("Seal without a key = %q, %v", value, err)
	}
	sealed := mustSeal(t, newSealer(t), "p")
	for name, s := range map[string]*seal.Sealer{"no key": &none, "unsealed": seal.Unsealed()} {
		if _, err := s.Open(sealed, "p"); !errors.Is(err, seal.ErrNoKey) {
			t.Errorf("%s: Open a sealed value: %v", name, err)
		}
	}
}

// Proves runtime 215.
func TestUnmarkedOrClearValuesAreRefusedByASealingStore(t *testing.T) {
	t.Parallel()
	s := newSealer(t)
	clear, err := seal.Unsealed().Seal([]byte(secret), "p")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Open(clear, "p"); !errors.Is(err, seal.ErrNotSealed) {
		t.Errorf("Open a value in clear: %v", err)
	}
	for _, unmarked := range []string{secret, `{"calls":[]}`, "\x00"} {
		for name, sealer := range map[string]*seal.Sealer{"sealing": s, "unsealed": seal.Unsealed()} {
			if got, err := sealer.Open([]byte(unmarked), "p"); !errors.Is(err, seal.ErrForged) {
				t.Errorf("%s: Open(%q) = %q, %v", name, unmarked, got, err)
			}
		}
	}
	if got, err := seal.Unsealed().Open(clear, "elsewhere"); err != nil || string(got) != secret {
		t.Errorf("unsealed Open = %q, %v", got, err)
	}
}

func TestEmptyStaysEmpty(t *testing.T) {
	t.Parallel()
	for name, s := range map[string]*seal.Sealer{"sealing": newSealer(t), "unsealed": seal.Unsealed(), "no key": {}} {
		for _, empty := range [][]byte{nil, {}} {
			if got, err := s.Seal(empty, "p"); err != nil || len(got) != 0 {
				t.Errorf("%s: Seal(empty) = %q, %v", name, got, err)
			}
			if got, err := s.Open(empty, "p"); err != nil || len(got) != 0 {
				t.Errorf("%s: Open(empty) = %q, %v", name, got, err)
			}
		}
	}
}

func TestKeyIDIsReadableFromASealedValue(t *testing.T) {
	t.Parallel()
	keys, err := seal.NewKeyset()
	if err != nil {
		t.Fatal(err)
	}
	var set struct {
		Primary uint32 `json:"primaryKeyId"`
	}
	if err := json.Unmarshal(keys, &set); err != nil || set.Primary == 0 {
		t.Fatalf("keyset %s: %v", keys, err)
	}
	s, err := seal.Open(keys)
	if err != nil {
		t.Fatal(err)
	}
	if id, ok := seal.KeyID(mustSeal(t, s, "p")); !ok || id != set.Primary {
		t.Errorf("KeyID = %d, %v; the primary is %d", id, ok, set.Primary)
	}
	clear := mustSeal(t, seal.Unsealed(), "p")
	for _, value := range [][]byte{nil, clear, []byte("S\x01ab")} {
		if id, ok := seal.KeyID(value); ok {
			t.Errorf("KeyID(%q) = %d", value, id)
		}
	}
}

func TestBrokenKeysetIsRefusedWithoutQuotingIt(t *testing.T) {
	t.Parallel()
	good, err := seal.NewKeyset()
	if err != nil {
		t.Fatal(err)
	}
	raw := bytes.Replace(good, []byte(`"TINK"`), []byte(`"RAW"`), 1)
	for name, keys := range map[string][]byte{
		"empty": nil, "not JSON": []byte("sup3rsecret"), "another object": []byte(`{"key":"sup3rsecret"}`),
		"cut": good[:len(good)/2], "no key id in its values": raw,
	} {
		s, err := seal.Open(keys)
		if err == nil {
			t.Errorf("%s: opened as %v", name, s)
		} else if strings.Contains(err.Error(), "sup3rsecret") {
			t.Errorf("%s: the error quotes the keyset: %v", name, err)
		}
	}
}

func FuzzOpen(f *testing.F) {
	keys, err := seal.NewKeyset()
	if err != nil {
		f.Fatal(err)
	}
	s, err := seal.Open(keys)
	if err != nil {
		f.Fatal(err)
	}
	value, err := s.Seal([]byte(secret), "p")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(value)
	f.Add([]byte("S"))
	f.Add([]byte("C"))
	f.Fuzz(func(t *testing.T, value []byte) {
		got, err := s.Open(value, "p")
		if err == nil && len(value) > 0 && string(got) != secret {
			t.Errorf("%q opened as %q", value, got)
		}
	})
}
