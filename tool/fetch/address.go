package fetch

import (
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/internal/dial"
)

// maxAddress bounds an address, in characters: as many as a line of a card
// shows, so that nothing of it is hidden. It holds none that would be written
// out as an escape and so take up the room of many.
const maxAddress = 400

// Why addresses are refused, in English, for the model and the card.
const (
	notAnAddress = "The address is not one of a page on the internet. Give a whole address that begins with https:// or http://."
	tooLong      = "The address is longer than 400 characters."
	credentials  = "The address holds a user name or a password. Give it without."
	otherPort    = "Only the usual ports can be used. Give the address without a port."
	notPublic    = "The address is not a public one on the internet."
	notAllowed   = "Pages of this host may not be fetched here."
)

// address is where a call goes, checked as far as that can be done without
// looking anything up.
type address struct {
	url  *url.URL
	host string // in its one form: lower case, ASCII
}

// parse reads an address, or says why nothing can be fetched from there.
func parse(raw string) (address, string) {
	if len([]rune(raw)) > maxAddress {
		return address{}, tooLong
	}
	for _, r := range raw {
		if r <= ' ' || r == '\\' || r == utf8.RuneError || !unicode.IsPrint(r) || imprimatur.Invisible(r) {
			return address{}, notAnAddress
		}
	}
	u, err := url.Parse(raw)
	_, rest, _ := strings.Cut(raw, "//")
	authority, _, _ := strings.Cut(strings.NewReplacer("?", "/", "#", "/").Replace(rest), "/")
	switch {
	case strings.Contains(authority, "%"): // written in another way than it is meant
		return address{}, notAnAddress
	case err != nil || u.Opaque != "" || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return address{}, notAnAddress
	case u.User != nil:
		return address{}, credentials
	}
	standard := map[string]string{"http": "80", "https": "443"}[u.Scheme]
	if port := u.Port(); port != "" && port != standard || strings.HasSuffix(u.Host, ":") {
		return address{}, otherPort
	}
	host, why := hostOf(u.Hostname())
	if why != "" {
		return address{}, why
	}
	u.Host = host
	if strings.Contains(host, ":") {
		u.Host = "[" + host + "]"
	}
	u.Fragment, u.RawFragment = "", ""
	return address{u, host}, ""
}

// hostOf brings the host of an address into its one form.
func hostOf(name string) (string, string) {
	if !strings.Contains(name, ":") {
		ascii, err := idna.Lookup.ToASCII(name)
		if err != nil {
			return "", notAnAddress
		}
		name = ascii
	}
	host, err := dial.Host(name)
	if err != nil {
		return "", notPublic
	}
	if a, err := netip.ParseAddr(host); err == nil && !dial.Public(a) {
		return "", notPublic
	}
	return host, ""
}

// matches reports whether a list names a host: "example.org" itself,
// "*.example.org" every name below it.
func matches(list []string, host string) bool {
	return slices.ContainsFunc(list, func(entry string) bool {
		if below, ok := strings.CutPrefix(entry, "*."); ok {
			return strings.HasSuffix(host, "."+below)
		}
		return entry == host
	})
}
