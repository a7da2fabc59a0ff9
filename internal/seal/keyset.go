package seal

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/insecurecleartextkeyset"
	"github.com/tink-crypto/tink-go/v2/keyset"
)

// Keys are the ids of a keyset's keys, oldest first, and which of them seals.
func Keys(keys []byte) (ids []uint32, primary uint32, err error) {
	handle, err := parse(keys)
	if err != nil {
		return nil, 0, err
	}
	info := handle.KeysetInfo()
	for _, key := range info.GetKeyInfo() {
		ids = append(ids, key.GetKeyId())
	}
	return ids, info.GetPrimaryKeyId(), nil
}

// AddKey returns the keyset with one more key, the last, which opens and does
// not seal yet.
func AddKey(keys []byte) ([]byte, error) {
	return edit(keys, func(m *keyset.Manager) error {
		_, err := m.Add(aead.XChaCha20Poly1305KeyTemplate())
		return err
	})
}

// Promote returns the keyset with its last key sealing. It is the same keyset
// where that one seals already.
func Promote(keys []byte) ([]byte, error) {
	ids, primary, err := Keys(keys)
	if err != nil {
		return nil, err
	}
	last := ids[len(ids)-1]
	if last == primary {
		return keys, nil
	}
	return edit(keys, func(m *keyset.Manager) error { return m.SetPrimary(last) })
}

// DropKeys returns the keyset without some of its keys. The one that seals
// cannot be dropped.
func DropKeys(keys []byte, drop []uint32) ([]byte, error) {
	return edit(keys, func(m *keyset.Manager) error {
		for _, id := range slices.Compact(slices.Sorted(slices.Values(drop))) {
			if err := m.Delete(id); err != nil {
				return err
			}
		}
		return nil
	})
}

func parse(keys []byte) (*keyset.Handle, error) {
	handle, err := insecurecleartextkeyset.Read(keyset.NewJSONReader(bytes.NewReader(keys)))
	if err != nil {
		// Not wrapped: a parser may quote what it read, and that is the key.
		return nil, errors.New("read keyset: it is not a Tink keyset in JSON")
	}
	return handle, nil
}

func write(handle *keyset.Handle) ([]byte, error) {
	var out bytes.Buffer
	if err := insecurecleartextkeyset.Write(handle, keyset.NewJSONWriter(&out)); err != nil {
		return nil, fmt.Errorf("write keyset: %w", err)
	}
	return append(out.Bytes(), '\n'), nil
}

func edit(keys []byte, change func(*keyset.Manager) error) ([]byte, error) {
	handle, err := parse(keys)
	if err != nil {
		return nil, err
	}
	m := keyset.NewManagerFromHandle(handle)
	if err := change(m); err != nil {
		return nil, fmt.Errorf("change keyset: %w", err)
	}
	if handle, err = m.Handle(); err != nil {
		return nil, fmt.Errorf("change keyset: %w", err)
	}
	return write(handle)
}
