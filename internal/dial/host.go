package dial

import (
	"net/netip"
	"slices"
	"strings"
)

// Bounds of names (RFC 1035).
const (
	maxName  = 253
	maxLabel = 63
)

// inside lists names that lead into a network and not onto the internet, with
// all names below them.
var inside = []string{
	"alt", "arpa", "corp", "domain", "example", "home", "internal", "intranet", "invalid", "lan", "local",
	"localdomain", "localhost", "mail", "onion", "private", "test",
	"metadata.goog", "metadata.tencentyun.com",
}

// Host brings a host into its one form: a name in lower case without the dot
// at its end, an address of IPv4 as four decimal numbers, one of IPv6 without
// brackets and shortened. Everything else that some program takes for a host
// is a *Refused: other ways to write numbers, names of one label, names that
// only networks of their own know, zones, other scripts.
func Host(s string) (string, error) {
	bad := &Refused{NoHost, s}
	if inner, ok := strings.CutPrefix(s, "["); ok {
		inner, ok = strings.CutSuffix(inner, "]")
		if !ok || !strings.Contains(inner, ":") {
			return "", bad
		}
		s = inner
	}
	if strings.Contains(s, ":") {
		a, err := netip.ParseAddr(s)
		if err != nil || a.Zone() != "" {
			return "", bad
		}
		return a.String(), nil
	}
	name := strings.TrimSuffix(strings.ToLower(s), ".")
	labels := strings.Split(name, ".")
	if len(name) > maxName || slices.ContainsFunc(labels, func(l string) bool { return !label(l) }) {
		return "", bad
	}
	if numeric(labels[len(labels)-1]) {
		a, err := netip.ParseAddr(name)
		if err != nil {
			return "", bad
		}
		return a.String(), nil
	}
	below := func(top string) bool { return name == top || strings.HasSuffix(name, "."+top) }
	if len(labels) == 1 || slices.ContainsFunc(inside, below) {
		return "", &Refused{NotPublic, s}
	}
	return name, nil
}

// label reports whether s can stand between the dots of a name.
func label(s string) bool {
	if s == "" || len(s) > maxLabel || s[0] == '-' || s[len(s)-1] == '-' {
		return false
	}
	return strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-_") == ""
}

// numeric reports whether the last label makes browsers take the whole host for
// an address of IPv4: digits, or hexadecimal digits behind 0x.
func numeric(s string) bool {
	if hex, ok := strings.CutPrefix(s, "0x"); ok {
		return strings.Trim(hex, "0123456789abcdef") == ""
	}
	return strings.Trim(s, "0123456789") == ""
}
