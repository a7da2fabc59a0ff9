package account

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/crypto/argon2"
	"golang.org/x/text/unicode/norm"
)

// The bounds of a password, in characters and in bytes.
const (
	MinPassword = 12
	maxPassword = 1024
)

// Errors of NewPassword.
var (
	ErrShort = fmt.Errorf("a password has at least %d characters", MinPassword)
	ErrLong  = fmt.Errorf("a password has at most %d bytes", maxPassword)
)

// The cost of argon2id: 19 MiB, two passes, one lane.
const (
	memory = 19 * 1024
	passes = 2
	lanes  = 1
	saltOf = 16
	keyOf  = 32
)

// NewPassword returns what proves a password, to be kept in its place.
func NewPassword(password string) (proof string, err error) {
	password = norm.NFC.String(password)
	switch {
	case len([]rune(password)) < MinPassword:
		return "", ErrShort
	case len(password) > maxPassword:
		return "", ErrLong
	}
	salt := make([]byte, saltOf)
	if _, err := rand.Read(salt); err != nil {
		return "", fmt.Errorf("make salt: %w", err)
	}
	return encode(salt, stretch(password, salt)), nil
}

func stretch(password string, salt []byte) []byte {
	return argon2.IDKey([]byte(password), salt, passes, memory, lanes, keyOf)
}

func encode(salt, key []byte) string {
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, memory, passes, lanes,
		base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(key))
}

// nobodys is what a password is held against where there is none, so that a
// name nobody has takes as long as one that somebody has.
var nobodys = encode(make([]byte, saltOf), make([]byte, keyOf))

// proves reports whether a password is the one that the proof was made of.
func proves(proof, password string) bool {
	known := proof != ""
	if !known {
		proof = nobodys
	}
	salt, key, err := decode(proof)
	if err != nil || len(password) > maxPassword {
		return false
	}
	same := subtle.ConstantTimeCompare(key, stretch(norm.NFC.String(password), salt)) == 1
	return known && same
}

// decode reads a proof of this version.
func decode(proof string) (salt, key []byte, err error) {
	var version, m, t, p int
	parts := strings.Split(proof, "$")
	if len(parts) != 6 || parts[1] != "argon2id" {
		return nil, nil, errors.New("no proof of a password")
	}
	if _, err = fmt.Sscanf(parts[2], "v=%d", &version); err == nil {
		_, err = fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &m, &t, &p)
	}
	if err != nil || version != argon2.Version || m != memory || t != passes || p != lanes {
		return nil, nil, errors.New("no proof of this version")
	}
	if salt, err = base64.RawStdEncoding.DecodeString(parts[4]); err != nil {
		return nil, nil, err
	}
	key, err = base64.RawStdEncoding.DecodeString(parts[5])
	return salt, key, err
}
