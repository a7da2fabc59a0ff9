// Package dial connects to addresses that somebody else named: a model, a web
// page, a webhook. It reaches the public internet and nothing behind it.
//
// An address is judged twice: every answer of a look-up before anything is
// dialled, and, in Control, the very address that the socket is about to
// connect to. Whatever happens between the two, the second verdict counts.
package dial

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"syscall"
	"time"
)

// Bounds of one DialContext.
const (
	maxAnswers = 64              // addresses that a name may have
	maxTries   = 4               // of them that are dialled, one after the other
	tryTime    = 5 * time.Second // for each of them
)

// Why is the reason of a refusal.
type Why string

// The reasons.
const (
	NotPublic  Why = "not public"
	NoHost     Why = "no host in its usual form"
	WrongPort  Why = "a port that may not be dialled"
	NotTCP     Why = "not TCP"
	NoAddress  Why = "a name without address"
	ManyAnswer Why = "a name with too many addresses"
)

// Refused is the error of everything that is not dialled. What it names can be
// an address of an internal network: it is for operators.
type Refused struct {
	Why  Why
	What string // the address, name, port or network
}

// Error implements error.
func (r *Refused) Error() string { return fmt.Sprintf("%q is %s", r.What, r.Why) }

// Policy says what may be dialled. The zero value dials public addresses at
// the ports 80 and 443 and looks names up as the system does.
type Policy struct {
	// Ports may be dialled; nil: 80 and 443.
	Ports []uint16
	// Also lists networks that may be dialled although they are not public.
	Also []netip.Prefix
	// Resolver looks names up; nil: net.DefaultResolver.
	Resolver *net.Resolver
}

// Check reports whether one address may be dialled, and if not, as a *Refused,
// why.
func (p Policy) Check(a netip.AddrPort) error {
	if err := p.CheckAddr(a.Addr()); err != nil {
		return err
	}
	return p.checkPort(a.Port())
}

// CheckAddr is Check without the port.
func (p Policy) CheckAddr(a netip.Addr) error {
	also := func(n netip.Prefix) bool { return n.Contains(a) } // never true for one with a zone
	if !Public(a) && !slices.ContainsFunc(p.Also, also) {
		return &Refused{NotPublic, a.String()}
	}
	return nil
}

func (p Policy) checkPort(port uint16) error {
	ports := p.Ports
	if ports == nil {
		ports = []uint16{80, 443}
	}
	if !slices.Contains(ports, port) {
		return &Refused{WrongPort, strconv.Itoa(int(port))}
	}
	return nil
}

// Control is for net.Dialer: it judges the address that a socket is about to
// connect to. It is all that a dialer of somebody else needs to be held by the
// policy.
func (p Policy) Control(network, address string, _ syscall.RawConn) error {
	if network != "tcp4" && network != "tcp6" {
		return &Refused{NotTCP, network}
	}
	a, err := netip.ParseAddrPort(address)
	if err != nil {
		return &Refused{NoHost, address}
	}
	return p.Check(a)
}

// DialContext connects to a host and port, for http.Transport. A name is looked
// up once; one address among its answers that may not be dialled refuses them
// all. What may not be dialled is a *Refused inside the error.
func (p Policy) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	if network != "tcp" && network != "tcp4" && network != "tcp6" {
		return nil, &Refused{NotTCP, network}
	}
	name, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, &Refused{NoHost, address}
	}
	number, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return nil, &Refused{WrongPort, port}
	}
	host, err := Host(name)
	if err != nil {
		return nil, err
	}
	answers, err := p.lookUp(ctx, host)
	if err != nil {
		return nil, err
	}
	for _, a := range answers {
		if err := p.Check(netip.AddrPortFrom(a, uint16(number))); err != nil {
			return nil, fmt.Errorf("dial %s: %w", host, err)
		}
	}
	return p.try(ctx, network, host, answers, uint16(number))
}

// lookUp is every address of a host.
func (p Policy) lookUp(ctx context.Context, host string) ([]netip.Addr, error) {
	if a, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{a}, nil
	}
	// The dot at the end keeps the search domains of the machine out of it.
	answers, err := cmp.Or(p.Resolver, net.DefaultResolver).LookupNetIP(ctx, "ip", host+".")
	var unknown *net.DNSError
	switch {
	case errors.As(err, &unknown) && unknown.IsNotFound || err == nil && len(answers) == 0:
		return nil, &Refused{NoAddress, host}
	case err != nil:
		return nil, fmt.Errorf("look up %s: %w", host, err)
	case len(answers) > maxAnswers:
		return nil, &Refused{ManyAnswer, host}
	}
	for i, a := range answers {
		answers[i] = a.Unmap() // an answer of four bytes may come in sixteen
	}
	return answers, nil
}

// try dials the addresses in their order until one answers.
func (p Policy) try(ctx context.Context, network, host string, answers []netip.Addr, port uint16) (net.Conn, error) {
	dialer := net.Dialer{Timeout: tryTime, Control: p.Control, KeepAlive: -1}
	var failed []error
	for _, a := range answers[:min(len(answers), maxTries)] {
		conn, err := dialer.DialContext(ctx, network, netip.AddrPortFrom(a, port).String())
		if err == nil {
			return conn, nil
		}
		failed = append(failed, err)
		if ctx.Err() != nil {
			break
		}
	}
	return nil, fmt.Errorf("dial %s: %w", host, errors.Join(failed...))
}
