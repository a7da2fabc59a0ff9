package imprimatur

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"

	"github.com/imprimatur-dev/imprimatur/internal/canon"
)

// Domains keep the two guarantees apart: a digest of one kind is never equal
// to one of the other.
const (
	turnDomain    = "imprimatur/turn/v1"
	pictureDomain = "imprimatur/picture/v1"
	callDomain    = "imprimatur/call/v1"
)

// TurnDigest names the calls that a decision is about: id, name and canonical
// arguments, in order, and nothing else (S132). It is lowercase hex.
func TurnDigest(calls []ToolCall) string {
	b := []byte{'['}
	for i, c := range calls {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, canonicalCall(c)...)
	}
	return digest(turnDomain, append(b, ']'))
}

// CallDigest names one call.
func CallDigest(c ToolCall) string { return digest(callDomain, canonicalCall(c)) }

// PictureDigest names what was shown for the calls: the identity of each tool
// and the stored preview of each call, in the order of the calls.
func PictureDigest(calls []ToolCall, previews []Preview) string {
	type shown struct {
		Index  int    `json:"index"`
		Tool   string `json:"tool"`
		Lines  []Line `json:"lines"`
		Failed bool   `json:"failed"`
	}
	type entry struct {
		Identity string `json:"identity"`
		Preview  *shown `json:"preview"`
	}
	entries := make([]entry, len(calls))
	for i, c := range calls {
		entries[i].Identity = c.Identity
		if p := PreviewOf(previews, i, c.Name); p != nil {
			entries[i].Preview = &shown{p.Index, p.Tool, p.Lines, p.Failed}
		}
	}
	b, err := canon.Marshal(entries)
	if err != nil {
		// Unreachable: the entries hold strings, ints and bools only. A value
		// that no decision can name keeps the run waiting.
		return ""
	}
	return digest(pictureDomain, b)
}

// PreviewOf returns the preview that was stored for the call at index, nil
// when there is none. One stored under another tool's name was not shown.
func PreviewOf(previews []Preview, index int, tool string) *Preview {
	for i := range previews {
		if previews[i].Index == index && previews[i].Tool == tool {
			return &previews[i]
		}
	}
	return nil
}

// EqualDigest compares in constant time. An empty digest equals nothing.
func EqualDigest(a, b string) bool {
	return a != "" && subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1
}

func digest(domain string, b []byte) string {
	h := sha256.New()
	h.Write([]byte(domain))
	h.Write([]byte{'\n'})
	h.Write(b)
	return hex.EncodeToString(h.Sum(nil))
}

// canonicalCall never fails: arguments that are not JSON, which acceptance
// rules out but a damaged row may hold, stand as one string.
func canonicalCall(c ToolCall) []byte {
	args, err := canon.Value(c.Arguments)
	if err != nil {
		args = canon.String(string(c.Arguments))
	}
	b := append([]byte(`{"arguments":`), args...)
	b = append(b, `,"id":`...)
	b = append(b, canon.String(c.ID)...)
	b = append(b, `,"name":`...)
	b = append(b, canon.String(c.Name)...)
	return append(b, '}')
}
