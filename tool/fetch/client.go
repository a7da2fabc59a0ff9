package fetch

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/net/html/charset"

	"github.com/imprimatur-dev/imprimatur/internal/dial"
)

// Bounds of one call.
const (
	maxRedirects = 3
	maxBody      = 2 << 20 // bytes, unpacked
	maxHeader    = 64 << 10
	maxTime      = 20 * time.Second // in total
)

// Why a page could not be fetched. None of it tells what an internal network
// looks like.
const (
	failed       = "The page could not be fetched: the host did not answer as it should."
	tooSlow      = "The page could not be fetched within 20 seconds."
	tooLarge     = "The page is larger than 2 MiB."
	notText      = "What lies there is not a text."
	manyTurns    = "The address leads to another one more than three times."
	turnsAway    = "The address leads to one that may not be fetched."
	turnsUnsafe  = "The address leads from an encrypted to an unencrypted one."
	badCharacter = "The text is in an encoding that cannot be read."
	badPacking   = "The text is packed in a way that cannot be read."
)

// client fetches pages.
type client struct{ cfg Config }

// page is what was fetched.
type page struct {
	from, kind, text string
	cut              bool
}

// may says why a host may not be asked here, or nothing.
func (c client) may(a address) string {
	if matches(c.cfg.Deny, a.host) || len(c.cfg.Allow) > 0 && !matches(c.cfg.Allow, a.host) {
		return notAllowed
	}
	return ""
}

// get fetches a page, from where the address leads. Every address on the way is
// judged like the first.
func (c client) get(ctx context.Context, a address) (page, string) {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(c.cfg.limit, maxTime))
	defer cancel()
	for range maxRedirects + 1 {
		if why := c.may(a); why != "" {
			return page{}, why
		}
		resp, why := c.ask(ctx, a)
		if why != "" {
			return page{}, why
		}
		location := resp.Header.Get("Location")
		if resp.StatusCode < 300 || resp.StatusCode > 399 || location == "" {
			defer resp.Body.Close()
			return read(ctx, a, resp)
		}
		if err := resp.Body.Close(); err != nil {
			return page{}, failed
		}
		if a, why = a.follow(location); why != "" {
			return page{}, why
		}
	}
	return page{}, manyTurns
}

// follow is where an address leads.
func (a address) follow(location string) (address, string) {
	u, err := a.url.Parse(location)
	if err != nil {
		return address{}, turnsAway
	}
	next, why := parse(u.String())
	switch {
	case why != "":
		return address{}, turnsAway
	case a.url.Scheme == "https" && next.url.Scheme != "https":
		return address{}, turnsUnsafe
	}
	return next, ""
}

// ask makes one request, over a connection of its own.
func (c client) ask(ctx context.Context, a address) (*http.Response, string) {
	transport := &http.Transport{
		Proxy: nil, // whatever the environment says
		DialContext: func(ctx context.Context, network, to string) (net.Conn, error) {
			if host, _, err := net.SplitHostPort(to); err == nil && c.cfg.port != "" {
				to = net.JoinHostPort(host, c.cfg.port)
			}
			return c.cfg.dial.DialContext(ctx, network, to)
		},
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:    maxTime / 2,
		ResponseHeaderTimeout:  maxTime / 2,
		MaxResponseHeaderBytes: maxHeader,
		DisableKeepAlives:      true,
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, a.url.String(), nil)
	if err != nil {
		return nil, notAnAddress
	}
	req.Header.Set("User-Agent", "Imprimatur")
	req.Header.Set("Accept", "text/html, application/xhtml+xml, text/*, application/json, application/xml")
	resp, err := transport.RoundTrip(req)
	if err != nil {
		return nil, reason(ctx, err)
	}
	return resp, ""
}

// reason says why a request failed without saying what was met.
func reason(ctx context.Context, err error) string {
	if no, ok := errors.AsType[*dial.Refused](err); ok && no.Why == dial.NotPublic {
		return notPublic
	}
	if ctx.Err() != nil {
		return tooSlow
	}
	return failed
}

// read takes the text out of a response.
func read(ctx context.Context, a address, resp *http.Response) (page, string) {
	if resp.StatusCode != http.StatusOK {
		return page{}, fmt.Sprintf("The page could not be fetched: the host answered with status %d.", resp.StatusCode)
	}
	full := resp.Header.Get("Content-Type")
	kind, params, err := mime.ParseMediaType(full)
	if err != nil && !errors.Is(err, mime.ErrInvalidMediaParameter) || !textual(kind) {
		return page{}, notText
	}
	if packing := resp.Header.Get("Content-Encoding"); packing != "" && !strings.EqualFold(packing, "identity") {
		return page{}, badPacking // the transport unpacks gzip, which is all it asked for
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxBody+1))
	switch {
	case err != nil:
		return page{}, reason(ctx, err)
	case len(body) > maxBody:
		return page{}, tooLarge
	}
	text, ok := decoded(body, full, params["charset"])
	if !ok {
		return page{}, badCharacter
	}
	p := page{from: a.url.String(), kind: kind, text: text}
	if strings.Contains(kind, "html") {
		p.text = readable(p.text)
	}
	p.text, p.cut = bounded(p.text)
	return p, ""
}

// decoded is a body as text, in the encoding that its type or it itself names;
// without a name UTF-8 where it is that throughout.
func decoded(body []byte, kind, label string) (string, bool) {
	if label != "" {
		if e, _ := charset.Lookup(label); e == nil {
			return "", false
		}
	}
	encoding, _, certain := charset.DetermineEncoding(body, kind)
	if !certain && utf8.Valid(body) { // it looked at the beginning only
		return string(body), true
	}
	text, err := encoding.NewDecoder().Bytes(body)
	return string(text), err == nil
}

// textual reports whether a media type is one of text.
func textual(kind string) bool {
	return strings.HasPrefix(kind, "text/") || kind == "application/json" || kind == "application/xml" ||
		kind == "application/xhtml+xml" || strings.HasSuffix(kind, "+json") || strings.HasSuffix(kind, "+xml")
}
