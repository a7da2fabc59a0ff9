// Package client talks to the HTTP API of a running imprimatur: the desk for
// programs, and what its own command line uses.
//
// A no of the server comes back as the *imprimatur.Refusal that it was there,
// with the current card where the run still waits.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/imprimatur-dev/imprimatur"
)

// maxAnswer bounds what is read of one answer, in bytes.
const maxAnswer = 64 << 20

// Config says which server, and who is asking.
type Config struct {
	Server string       // address, "https://imprimatur.example.org"
	Token  string       // of a person, an agent or a service account
	HTTP   *http.Client // nil: one without a deadline that follows no redirect
}

// Client is a caller of one server. It is safe for concurrent use.
type Client struct {
	base  *url.URL
	token string
	http  *http.Client
}

// New checks the configuration. Nothing is sent.
func New(c Config) (*Client, error) {
	base, err := url.Parse(strings.TrimSuffix(c.Server, "/"))
	switch {
	case err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https":
		return nil, fmt.Errorf("server %q is not an http or https address", c.Server)
	case c.Token == "":
		return nil, errors.New("a token is needed")
	case strings.ContainsFunc(c.Token, func(r rune) bool { return r <= ' ' || r > '~' }):
		return nil, errors.New("the token holds characters that no token has")
	}
	out := &Client{base: base, token: c.Token, http: c.HTTP}
	if out.http == nil {
		// A redirect would take the token, or a decision, elsewhere.
		out.http = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	}
	return out, nil
}

// Fault is an answer that is neither what was asked for nor a refusal.
type Fault struct {
	Status int // HTTP
	Title  string
	Detail string
}

// Error implements error.
func (f *Fault) Error() string {
	s := fmt.Sprintf("the server answered %d %s", f.Status, f.Title)
	if f.Detail != "" {
		s += ": " + f.Detail
	}
	return s
}

// Run starts a run and waits for at most wait, in whole seconds up to 300, for
// it to end or pause. 0 returns as soon as it is stored.
func (c *Client) Run(ctx context.Context, start imprimatur.Start, wait time.Duration) (imprimatur.Run, error) {
	r, err := c.startRequest(ctx, start, "", waitQuery(wait))
	if err != nil {
		return imprimatur.Run{}, err
	}
	return answer[imprimatur.Run](c, r)
}

// Enqueue stores a run for a worker and waits like Run; mostly there is nothing
// to wait for, and wait is 0.
func (c *Client) Enqueue(ctx context.Context, start imprimatur.Start, wait time.Duration) (imprimatur.Run, error) {
	r, err := c.startRequest(ctx, start, "queue", waitQuery(wait))
	if err != nil {
		return imprimatur.Run{}, err
	}
	return answer[imprimatur.Run](c, r)
}

// Decide decides what a card shows and waits like Run.
func (c *Client) Decide(ctx context.Context, run string, d imprimatur.Decision, wait time.Duration) (imprimatur.Run, error) {
	r, err := c.decideRequest(ctx, run, d, waitQuery(wait))
	if err != nil {
		return imprimatur.Run{}, err
	}
	return answer[imprimatur.Run](c, r)
}

// Cancel ends a run that is alive.
func (c *Client) Cancel(ctx context.Context, run string) (imprimatur.Run, error) {
	return send[imprimatur.Run](ctx, c, http.MethodPost, runPath(run, "cancel"), nil, nil)
}

// Note puts on record what came of a call whose outcome is unknown.
func (c *Client) Note(ctx context.Context, run string, n imprimatur.Note) error {
	r, err := c.request(ctx, http.MethodPost, runPath(run, "note"), nil, struct {
		Call  string           `json:"call"`
		Found imprimatur.Found `json:"found"`
	}{n.Call, n.Found})
	if err != nil {
		return err
	}
	_, err = c.exchange(r, http.StatusNoContent)
	return err
}

// Status returns a run.
func (c *Client) Status(ctx context.Context, run string) (imprimatur.Run, error) {
	return send[imprimatur.Run](ctx, c, http.MethodGet, runPath(run, ""), nil, nil)
}

// Card returns the card of a run as this caller may see it.
func (c *Client) Card(ctx context.Context, run string) (imprimatur.Card, error) {
	return send[imprimatur.Card](ctx, c, http.MethodGet, runPath(run, "card"), nil, nil)
}

// Events returns at most 1,000 events whose sequence is greater than after,
// ascending; -1 asks from the first.
func (c *Client) Events(ctx context.Context, run string, after int64) ([]imprimatur.Event, error) {
	query := url.Values{"after": {strconv.FormatInt(after, 10)}}
	return send[[]imprimatur.Event](ctx, c, http.MethodGet, runPath(run, "events"), query, nil)
}

// Tools returns what the caller's runs are offered; agent narrows it to one
// agent, empty means none in particular.
func (c *Client) Tools(ctx context.Context, agent string) ([]imprimatur.OfferedTool, error) {
	query := url.Values{}
	if agent != "" {
		query.Set("agent", agent)
	}
	return send[[]imprimatur.OfferedTool](ctx, c, http.MethodGet, "/tools", query, nil)
}

// List returns one page of runs. Filter.Ended has no meaning here.
func (c *Client) List(ctx context.Context, f imprimatur.Filter) (imprimatur.List, error) {
	query := url.Values{}
	for name, value := range map[string]string{
		"status": string(f.Status), "agent": f.Agent, "tool": f.Tool, "q": f.Query, "cursor": f.Cursor,
	} {
		if value != "" {
			query.Set(name, value)
		}
	}
	for name, on := range map[string]bool{"back": f.Back, "mine": f.Mine} {
		if on {
			query.Set(name, "true")
		}
	}
	if f.Decided {
		query.Set("decided", "me")
	}
	if f.Limit != 0 {
		query.Set("limit", strconv.Itoa(f.Limit))
	}
	page, err := send[struct {
		Runs  []imprimatur.Run `json:"runs"`
		Next  string           `json:"next_cursor"`
		Total int              `json:"total"`
	}](ctx, c, http.MethodGet, "/runs", query, nil)
	return imprimatur.List{Runs: page.Runs, Next: page.Next, Total: page.Total}, err
}

func waitQuery(wait time.Duration) url.Values {
	return url.Values{"wait": {strconv.FormatInt(int64(wait/time.Second), 10)}}
}

func runPath(run, rest string) string {
	path := "/runs/" + url.PathEscape(run)
	if rest != "" {
		path += "/" + rest
	}
	return path
}

func (c *Client) startRequest(ctx context.Context, s imprimatur.Start, mode string, query url.Values) (*http.Request, error) {
	r, err := c.request(ctx, http.MethodPost, "/runs", query, struct {
		Agent     string    `json:"agent"`
		Prompt    string    `json:"prompt"`
		Tools     *[]string `json:"tools,omitempty"`
		MaxRounds int       `json:"max_rounds,omitempty"`
		Mode      string    `json:"mode,omitempty"`
	}{s.Agent, s.Prompt, s.Tools, s.MaxRounds, mode})
	if err == nil && s.Key != "" {
		r.Header.Set("Idempotency-Key", s.Key)
	}
	return r, err
}

func (c *Client) decideRequest(ctx context.Context, run string, d imprimatur.Decision, query url.Values) (*http.Request, error) {
	return c.request(ctx, http.MethodPost, runPath(run, "decision"), query, struct {
		Verdict imprimatur.Verdict `json:"verdict"`
		Turn    string             `json:"turn_digest"`
		Picture string             `json:"picture_digest,omitempty"`
		Reason  string             `json:"reason,omitempty"`
		Retry   bool               `json:"retry,omitempty"`
	}{d.Verdict, d.TurnDigest, d.PictureDigest, d.Reason, d.Retry})
}

func (c *Client) request(ctx context.Context, method, path string, query url.Values, body any) (*http.Request, error) {
	var content io.Reader
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			return nil, fmt.Errorf("write request: %w", err)
		}
		content = bytes.NewReader(b)
	}
	address := c.base.String() + "/api/v1" + path
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	r, err := http.NewRequestWithContext(ctx, method, address, content)
	if err != nil {
		return nil, fmt.Errorf("build request: %w", err)
	}
	r.Header.Set("Authorization", "Bearer "+c.token)
	r.Header.Set("Accept", "application/json")
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	return r, nil
}

func send[T any](ctx context.Context, c *Client, method, path string, query url.Values, body any) (T, error) {
	r, err := c.request(ctx, method, path, query, body)
	if err != nil {
		var none T
		return none, err
	}
	return answer[T](c, r)
}

// answer carries out a request and reads what it answers.
func answer[T any](c *Client, r *http.Request) (T, error) {
	var out T
	body, err := c.exchange(r, http.StatusOK)
	if err != nil {
		return out, err
	}
	if err := json.Unmarshal(body, &out); err != nil {
		return out, fmt.Errorf("read the answer: it is not from an imprimatur server: %w", err)
	}
	return out, nil
}

// exchange carries out a request and returns what came with the status that was
// hoped for.
func (c *Client) exchange(r *http.Request, hoped int) ([]byte, error) {
	resp, err := c.http.Do(r)
	if err != nil {
		return nil, fmt.Errorf("ask the server: %w", err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err != nil {
		return nil, fmt.Errorf("read the answer: %w", err)
	}
	if resp.StatusCode != hoped {
		return nil, no(resp, body)
	}
	return body, nil
}

// no turns an answer that was not hoped for into the refusal it stands for, or into a
// Fault.
func no(resp *http.Response, body []byte) error {
	fault := &Fault{Status: resp.StatusCode, Title: http.StatusText(resp.StatusCode)}
	var p struct {
		Type    string              `json:"type"`
		Title   string              `json:"title"`
		Detail  string              `json:"detail"`
		Run     string              `json:"run"`
		Card    *imprimatur.Card    `json:"card"`
		Decided *imprimatur.Decided `json:"decided"`
	}
	if json.Unmarshal(body, &p) != nil {
		fault.Detail = "this is not how an imprimatur server answers; is the address right?"
		return fault
	}
	code := imprimatur.Code(p.Type[strings.LastIndexByte(p.Type, '/')+1:])
	if !slices.Contains(imprimatur.Codes(), code) {
		fault.Detail = p.Detail
		return fault
	}
	return &imprimatur.Refusal{Code: code, Run: p.Run, Detail: p.Detail, Card: p.Card, Decided: p.Decided}
}
