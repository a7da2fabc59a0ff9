package dial_test

import (
	"errors"
	"net"
	"net/netip"
	"sync/atomic"
	"testing"

	"github.com/imprimatur-dev/imprimatur/internal/dial"
)

func TestOnlyAddressesOfTheInternetArePublic(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]bool{
		"8.8.8.8": true, "172.32.0.1": true, "2606:4700:4700::1111": true,
		"127.0.0.1": false, "10.0.0.1": false, "100.64.0.1": false, "169.254.169.254": false, "255.255.255.255": false,
		"::1": false, "::ffff:8.8.8.8": false, "64:ff9b::808:808": false, "2002:808:808::1": false, "2001::1": false,
		"fd00::1": false, "fe80::1": false, "fe80::1%eth0": false, "2606:4700::1%eth0": false, "2a00::5efe:7f00:1": false,
	} {
		if got := dial.Public(netip.MustParseAddr(address)); got != want {
			t.Errorf("%s: %v", address, got)
		}
	}
	if dial.Public(netip.Addr{}) {
		t.Error("no address at all is public")
	}
}

func TestHostsHaveOneForm(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]string{
		"Example.COM.": "example.com", "8.8.8.8": "8.8.8.8", "[2606:4700::0001]": "2606:4700::1", "2606:4700::1": "2606:4700::1",
		"127.1": "", "0x7f.1": "", "2130706433": "", "localhost": "", "a.local": "", "": "", "a..b": "", "[1.1.1.1]": "", "fe80::1%1": "", "bücher.de": "",
	} {
		if got, err := dial.Host(host); got != want || (err != nil) != (want == "") {
			t.Errorf("%s: %q, %v", host, got, err)
		}
	}
}

// The verdict that counts is about the address of the socket: whoever talks a
// dialer past the look-up meets it there.
func TestTheSocketItselfIsHeldByThePolicy(t *testing.T) {
	t.Parallel()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	var accepted atomic.Int64
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return // closed
			}
			accepted.Add(1)
			_ = conn.Close()
		}
	}()
	port := netip.MustParseAddrPort(listener.Addr().String()).Port()
	policy := dial.Policy{Ports: []uint16{port}}
	dialer := net.Dialer{Control: policy.Control}
	for _, d := range []func() (net.Conn, error){
		func() (net.Conn, error) { return dialer.DialContext(t.Context(), "tcp", listener.Addr().String()) },
		func() (net.Conn, error) { return policy.DialContext(t.Context(), "tcp", listener.Addr().String()) },
		func() (net.Conn, error) { return dialer.DialContext(t.Context(), "unix", "/tmp/nothing.sock") },
		func() (net.Conn, error) { return policy.DialContext(t.Context(), "udp", "8.8.8.8:53") },
	} {
		conn, err := d()
		var refused *dial.Refused
		if err == nil || !errors.As(err, &refused) {
			t.Errorf("%v, %v", conn, err)
		}
	}
	if n := accepted.Load(); n != 0 {
		t.Errorf("%d connections came through", n)
	}
	policy.Also = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}
	conn, err := policy.DialContext(t.Context(), "tcp", listener.Addr().String())
	if err != nil {
		t.Fatalf("what the policy names is not reached: %v", err)
	}
	if err := conn.Close(); err != nil {
		t.Error(err)
	}
	var refused *dial.Refused
	if err := policy.Check(netip.MustParseAddrPort("8.8.8.8:22")); !errors.As(err, &refused) || refused.Why != dial.WrongPort {
		t.Errorf("port 22: %v", err)
	}
}
