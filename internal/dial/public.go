package dial

import (
	"net/netip"
	"slices"
)

// special lists the networks that look public by their first bits and are not,
// or that lead into another network through a translator. Everything of IPv6
// outside 2000::/3 is not public to begin with: loopback, link-local, unique
// local and site-local addresses, multicast, NAT64 and addresses that carry
// one of IPv4.
var special = func() []netip.Prefix {
	var all []netip.Prefix
	for _, s := range []string{
		"0.0.0.0/8",        // this network
		"10.0.0.0/8",       // private
		"100.64.0.0/10",    // shared by customers of a provider
		"127.0.0.0/8",      // loopback
		"168.63.129.16/32", // the platform, inside one cloud
		"169.254.0.0/16",   // link-local, and metadata of clouds
		"172.16.0.0/12",    // private
		"192.0.0.0/24",     // protocol assignments
		"192.0.2.0/24",     // documentation
		"192.88.99.0/24",   // relays of 6to4
		"192.168.0.0/16",   // private
		"198.18.0.0/15",    // benchmarks
		"198.51.100.0/24",  // documentation
		"203.0.113.0/24",   // documentation
		"224.0.0.0/4",      // multicast
		"240.0.0.0/4",      // reserved, and broadcast

		"2001::/23",     // protocol assignments, Teredo among them
		"2001:db8::/32", // documentation
		"2002::/16",     // 6to4
		"3fff::/20",     // documentation
	} {
		all = append(all, netip.MustParsePrefix(s)) // literals above: they parse
	}
	return all
}()

var global = netip.MustParsePrefix("2000::/3")

// Public reports whether an address belongs to the public internet. An address
// of IPv4 in the form of IPv6 does not, whatever it maps to, nor does one with
// a zone, nor the zero value.
func Public(a netip.Addr) bool {
	if !a.IsValid() || a.Zone() != "" || a.Is6() && (!global.Contains(a) || tunnelled(a)) {
		return false
	}
	return !slices.ContainsFunc(special, func(n netip.Prefix) bool { return n.Contains(a) })
}

// tunnelled reports an ISATAP address: its last four bytes are one of IPv4, in
// whatever network the rest says.
func tunnelled(a netip.Addr) bool {
	b := a.As16()
	return b[8]&^0x03 == 0 && b[9] == 0 && b[10] == 0x5E && b[11] == 0xFE
}
