package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/internal/web"
)

// call is one request on its way.
type call struct {
	w     http.ResponseWriter
	r     *http.Request
	actor imprimatur.Actor
	query url.Values
}

// begin asks who is calling and reads the query, which may hold the named
// parameters once each and nothing else. Identity comes first: a stranger
// learns nothing about what is wrong with a request.
func (s *surface) begin(w http.ResponseWriter, r *http.Request, allowed []string) (*call, error) {
	c := &call{w: w, r: r}
	var err error
	if c.actor, err = s.Authenticate(r); err != nil {
		return c, err
	}
	if c.query, err = url.ParseQuery(r.URL.RawQuery); err != nil {
		return c, imprimatur.BadRequest("the query string is malformed")
	}
	for name, values := range c.query {
		if !slices.Contains(allowed, name) {
			return c, imprimatur.BadRequest("unknown parameter %q", imprimatur.Cut(name, 64))
		}
		if len(values) > 1 {
			return c, imprimatur.BadRequest("parameter %q is given twice", name)
		}
	}
	return c, nil
}

// run is the id in the path.
func (c *call) run() string { return c.r.PathValue("id") }

// body reads the JSON object of the request into v.
func (c *call) body(v any) error { return web.DecodeBody(c.w, c.r, maxBody, v) }

// noBody refuses a body that says anything; none, or an empty object, is fine.
func (c *call) noBody() error {
	if c.r.Body == nil || c.r.Body == http.NoBody || c.r.ContentLength == 0 {
		return nil
	}
	return c.body(&struct{}{})
}

// number reads a parameter that is a whole number from low to high.
func (c *call) number(name string, otherwise, low, high int64) (int64, error) {
	if !c.query.Has(name) {
		return otherwise, nil
	}
	text := c.query.Get(name)
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < low || n > high || strings.HasPrefix(text, "+") {
		return 0, imprimatur.BadRequest("%s must be a whole number from %d to %d", name, low, high)
	}
	return n, nil
}

// flag reads a parameter that is true or false; absent is false.
func (c *call) flag(name string) (bool, error) {
	switch {
	case !c.query.Has(name):
		return false, nil
	case slices.Contains([]string{"true", "1"}, c.query.Get(name)):
		return true, nil
	case slices.Contains([]string{"false", "0"}, c.query.Get(name)):
		return false, nil
	}
	return false, imprimatur.BadRequest("%s must be true or false", name)
}

// text reads a parameter of at most limit characters; absent is empty.
func (c *call) text(name string, limit int) (string, error) {
	s := c.query.Get(name)
	if imprimatur.Cut(s, limit) != s {
		return "", imprimatur.BadRequest("%s has more than %d characters", name, limit)
	}
	return s, nil
}

// defaultWait is how long a caller waits who does not say, in seconds.
const defaultWait = 60

// wait reads how long the caller waits, in seconds.
func (c *call) wait(otherwise int64) (imprimatur.Wait, error) {
	seconds, err := c.number("wait", otherwise, 0, 300)
	return imprimatur.Wait{For: time.Duration(seconds) * time.Second}, err
}

// wantsStream reports whether the caller asks for newline-delimited JSON.
func (c *call) wantsStream() bool {
	for _, line := range c.r.Header.Values("Accept") {
		for entry := range strings.SplitSeq(line, ",") {
			media, params, err := mime.ParseMediaType(entry)
			never := params["q"] != "" && strings.Trim(params["q"], "0.") == ""
			if err == nil && media == mediaStream && !never {
				return true
			}
		}
	}
	return false
}

// answer writes v as JSON with status 200.
func (c *call) answer(v any) error {
	b, err := encode(v)
	if err != nil {
		return err
	}
	c.w.Header().Set("Content-Type", "application/json")
	_, _ = c.w.Write(b) // a client that is gone needs no answer
	return nil
}

// encode returns v as JSON. What was stored canonically stays as it is.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("encode answer: %w", err)
	}
	return b.Bytes(), nil
}
