// Package openai speaks to any server with an OpenAI-compatible chat
// completions endpoint: OpenAI, Ollama, vLLM, llama.cpp, Mistral, Groq,
// OpenRouter and others.
//
// The wire types are those of github.com/sashabaranov/go-openai. The exchange
// itself is done here, because the client of that library takes an error that
// comes with status 200 for an answer, swallows error events in a stream and
// cannot tell a stream that was cut from one that ended. For a call that a
// person is going to approve, half an answer is no answer.
package openai

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode"

	"github.com/imprimatur-dev/imprimatur/model"
)

// What a Config means where it is zero.
const (
	DefaultBaseURL          = "https://api.openai.com/v1"
	DefaultTimeout          = 5 * time.Minute
	DefaultMaxResponseBytes = 8 << 20
)

// Config says which server and which model. It is read once, by New.
type Config struct {
	// BaseURL is the address under which "/chat/completions" lies. Empty means
	// DefaultBaseURL. It must be http or https, without user, query or fragment.
	BaseURL string
	// APIKey is sent as a bearer token; empty sends none. It never stands in an
	// error.
	APIKey string
	// Model is the server's name of the model; required.
	Model string
	// Stream asks for the answer in pieces. What Complete returns is the same.
	Stream bool
	// HTTPClient makes the requests. Nil means a client that uses no proxy,
	// whatever the environment says. Redirects are never followed, so that
	// neither key nor transcript goes anywhere but to BaseURL.
	HTTPClient *http.Client
	// Timeout bounds one answer, from the request to its last byte. 0 means
	// DefaultTimeout.
	Timeout time.Duration
	// MaxResponseBytes bounds the body of one answer, uncompressed. 0 means
	// DefaultMaxResponseBytes.
	MaxResponseBytes int64
}

// Model is one model of one server. It is safe for concurrent use.
type Model struct {
	endpoint string
	key      string
	name     string
	stream   bool
	client   *http.Client
	timeout  time.Duration
	maxBytes int64
}

// New checks the configuration; it does not contact the server. Every error is
// a *model.Error of class configuration.
func New(cfg Config) (*Model, error) {
	endpoint, err := endpointOf(cmp.Or(cfg.BaseURL, DefaultBaseURL))
	switch {
	case err != nil:
		return nil, misconfigured(err)
	case strings.TrimSpace(cfg.Model) == "":
		return nil, misconfigured(errors.New("the model has no name"))
	case strings.ContainsFunc(cfg.APIKey, unicode.IsControl):
		return nil, misconfigured(errors.New("the API key holds a control character, perhaps a line end"))
	case cfg.Timeout < 0:
		return nil, misconfigured(errors.New("the timeout is negative"))
	case cfg.MaxResponseBytes < 0:
		return nil, misconfigured(errors.New("the limit for the size of an answer is negative"))
	}
	return &Model{
		endpoint: endpoint,
		key:      cfg.APIKey,
		name:     cfg.Model,
		stream:   cfg.Stream,
		client:   clientFrom(cfg.HTTPClient),
		timeout:  cmp.Or(cfg.Timeout, DefaultTimeout),
		maxBytes: cmp.Or(cfg.MaxResponseBytes, DefaultMaxResponseBytes),
	}, nil
}

// endpointOf never repeats the address in its error: it may hold a password.
func endpointOf(base string) (string, error) {
	u, err := url.Parse(base)
	switch {
	case err != nil:
		return "", errors.New("the base URL is not a URL")
	case u.Scheme != "http" && u.Scheme != "https":
		return "", errors.New("the base URL does not begin with http:// or https://")
	case u.Hostname() == "":
		return "", errors.New("the base URL names no host")
	case u.User != nil:
		return "", errors.New("the base URL holds a user or password; use the API key")
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return "", errors.New("the base URL has a query or a fragment")
	}
	return u.JoinPath("chat", "completions").String(), nil
}

func clientFrom(given *http.Client) *http.Client {
	client := &http.Client{Transport: &http.Transport{
		Proxy:               nil,
		ForceAttemptHTTP2:   true,
		TLSHandshakeTimeout: 10 * time.Second,
		IdleConnTimeout:     90 * time.Second,
		MaxIdleConnsPerHost: 4,
	}}
	if given != nil {
		shallow := *given
		client = &shallow
	}
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return client
}

// Complete sends the transcript and returns the whole answer. Every error is a
// *model.Error; where the caller's context ended, it wraps that context's error.
//
// With finish reason length or content_filter the last call may be incomplete;
// whether its arguments are a JSON object is for the caller to see.
func (m *Model) Complete(ctx context.Context, req model.Request) (model.Response, error) {
	body, err := m.encode(req)
	if err != nil {
		return model.Response{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, m.timeout)
	defer cancel()
	resp, err := m.post(ctx, body)
	if err != nil {
		return model.Response{}, err
	}
	defer resp.Body.Close() //nolint:errcheck // what was to be read has been read
	if m.stream {
		return m.readStream(resp)
	}
	return m.readWhole(resp)
}

var _ model.Model = (*Model)(nil)
