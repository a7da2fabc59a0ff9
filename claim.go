package imprimatur

import (
	"strconv"
	"strings"
)

// ClaimKind says which kind of segment holds a run.
type ClaimKind string

// The kinds of segments.
const (
	ClaimInteractive ClaimKind = "interactive" // started by a caller who waits
	ClaimWorker      ClaimKind = "worker"      // taken from the queue
	ClaimResume      ClaimKind = "resume"      // an approval
	ClaimDeny        ClaimKind = "deny"        // a denial
)

// Claim is the identity of one segment, "kind:host:pid:nonce". Every statement
// that only the owner of a run may make carries it.
type Claim string

// maxClaim is the width of a claim in characters; what is cut is the host.
const maxClaim = 64

// NewClaim builds the claim of a segment. The nonce must be fresh for every
// segment: one process runs many.
func NewClaim(kind ClaimKind, host string, pid int, nonce string) Claim {
	host = strings.ReplaceAll(strings.ToValidUTF8(host, ""), ":", "-")
	rest := ":" + strconv.Itoa(pid) + ":" + nonce
	room := max(maxClaim-len(kind)-1-len(rest), 0)
	return Claim(string(kind) + ":" + Cut(host, min(room, len(host))) + rest)
}

// Kind returns the kind of segment the claim belongs to.
func (c Claim) Kind() ClaimKind {
	kind, _, _ := strings.Cut(string(c), ":")
	return ClaimKind(kind)
}
