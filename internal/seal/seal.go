// Package seal encrypts what is kept at rest. A sealed value is bound to the
// place it was written for, so that it opens nowhere else.
package seal

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/keyset"
	tinkpb "github.com/tink-crypto/tink-go/v2/proto/tink_go_proto"
	"github.com/tink-crypto/tink-go/v2/tink"
)

// Every stored value begins with one of these, so that neither kind is ever
// taken for the other.
const (
	markSealed = 'S' // followed by what Tink made: version, key id, nonce, ciphertext
	markClear  = 'C' // followed by the plaintext
)

// prefix is the length of Tink's own: a version byte and the key id.
const prefix = 5

var (
	// ErrNoKey says that a value is sealed and that this process has no key.
	ErrNoKey = errors.New("the value is sealed and there is no key")
	// ErrNotSealed says that a value is in clear where only sealed ones count.
	ErrNotSealed = errors.New("the value is not sealed")
	// ErrForged says that a value was changed, cut, moved from another place,
	// or sealed with a key that this keyset does not hold.
	ErrForged = errors.New("the value does not open here")
)

// Sealer seals and opens values. It is safe for concurrent use. The zero value
// has no key and refuses both.
type Sealer struct {
	aead    tink.AEAD
	clear   bool
	primary uint32
}

// Primary is the id of the key that seals; 0 where none does.
func (s *Sealer) Primary() uint32 { return s.primary }

// NewKeyset makes a keyset of one XChaCha20-Poly1305 key, as Tink's JSON in
// clear. Whoever holds these bytes reads everything.
func NewKeyset() ([]byte, error) {
	handle, err := keyset.NewHandle(aead.XChaCha20Poly1305KeyTemplate())
	if err != nil {
		return nil, fmt.Errorf("make key: %w", err)
	}
	return write(handle)
}

// Open returns the sealer of a keyset that NewKeyset made. Every key of it
// opens, its primary seals.
func Open(keys []byte) (*Sealer, error) {
	handle, err := parse(keys)
	if err != nil {
		return nil, err
	}
	for _, key := range handle.KeysetInfo().GetKeyInfo() {
		if key.GetOutputPrefixType() != tinkpb.OutputPrefixType_TINK {
			return nil, fmt.Errorf("read keyset: key %d leaves no key id in what it seals", key.GetKeyId())
		}
	}
	primitive, err := aead.New(handle)
	if err != nil {
		return nil, fmt.Errorf("use keyset: %w", err)
	}
	return &Sealer{aead: primitive, primary: handle.KeysetInfo().GetPrimaryKeyId()}, nil
}

// Unsealed returns a sealer that keeps values in clear. It opens no sealed one.
func Unsealed() *Sealer { return &Sealer{clear: true} }

// Associated names the place of a value: the run, the column, and the sequence
// of the event that was written in the same transaction. A sealed value opens
// under the very same words only.
func Associated(run, column string, sequence int64) string {
	return fmt.Sprintf("run:%s|col:%s|seq:%d|v1", run, column, sequence)
}

// Seal returns what is to be stored for plaintext at the place associated. The
// same input gives other bytes each time. Empty stays empty.
func (s *Sealer) Seal(plaintext []byte, associated string) ([]byte, error) {
	switch {
	case len(plaintext) == 0:
		return nil, nil
	case s.clear:
		return append([]byte{markClear}, plaintext...), nil
	case s.aead == nil:
		return nil, ErrNoKey
	}
	sealed, err := s.aead.Encrypt(plaintext, []byte(associated))
	if err != nil {
		return nil, fmt.Errorf("seal a value: %w", err)
	}
	return append([]byte{markSealed}, sealed...), nil
}

// Open returns the plaintext of a value stored at the place associated. A
// sealing store refuses a value in clear with ErrNotSealed, a store in clear a
// sealed one with ErrNoKey; anything else that does not open is ErrForged.
func (s *Sealer) Open(value []byte, associated string) ([]byte, error) {
	if len(value) == 0 {
		return nil, nil
	}
	switch mark, rest := value[0], value[1:]; {
	case mark == markClear && s.clear:
		return bytes.Clone(rest), nil
	case mark == markClear:
		return nil, ErrNotSealed
	case mark != markSealed:
		return nil, ErrForged
	case s.aead == nil:
		return nil, ErrNoKey
	default:
		plaintext, err := s.aead.Decrypt(rest, []byte(associated))
		if err != nil {
			return nil, ErrForged
		}
		return plaintext, nil
	}
}

// KeyID returns the id of the key that sealed a value; false for one in clear
// and for one too short to have been sealed.
func KeyID(value []byte) (uint32, bool) {
	if len(value) < 1+prefix || value[0] != markSealed {
		return 0, false
	}
	return binary.BigEndian.Uint32(value[2 : 1+prefix]), true
}
