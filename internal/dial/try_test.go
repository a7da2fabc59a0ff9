package dial

import (
	"errors"
	"net"
	"net/netip"
	"sync/atomic"
	"testing"
)

// What was judged when the name was looked up is judged once more at the
// socket, by the dialer that is used.
func TestTheDialerJudgesWhatItIsAboutToConnectTo(t *testing.T) {
	t.Parallel()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var accepted atomic.Int64
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := listener.Accept()
			if err != nil {
				return // closed
			}
			accepted.Add(1)
			_ = conn.Close()
		}
	}()
	inside := netip.MustParseAddrPort(listener.Addr().String())
	conn, err := Policy{Ports: []uint16{inside.Port()}}.try(t.Context(), "tcp", "example.org", []netip.Addr{inside.Addr()}, inside.Port())
	if refused, ok := errors.AsType[*Refused](err); !ok || refused.Why != NotPublic || conn != nil {
		t.Errorf("%v, %v", conn, err)
	}
	if err := listener.Close(); err != nil {
		t.Error(err)
	}
	<-done
	if n := accepted.Load(); n != 0 {
		t.Errorf("%d connections came through", n)
	}
}
