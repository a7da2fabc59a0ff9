package openai_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/imprimatur-dev/imprimatur/model"
	"github.com/imprimatur-dev/imprimatur/model/openai"
)

// bothWays runs a test for whole and for streamed answers.
func bothWays(t *testing.T, run func(t *testing.T, cfg openai.Config)) {
	t.Helper()
	for _, stream := range []bool{false, true} {
		t.Run(fmt.Sprintf("stream=%t", stream), func(t *testing.T) {
			t.Parallel()
			run(t, openai.Config{APIKey: key, Model: "m", Stream: stream})
		})
	}
}

func TestAStatusDecidesTheClass(t *testing.T) {
	t.Parallel()
	tests := []struct {
		status int
		class  model.Class
		retry  bool
	}{
		{http.StatusBadRequest, model.ClassClient, false},
		{http.StatusUnauthorized, model.ClassAuth, false},
		{http.StatusForbidden, model.ClassAuth, false},
		{http.StatusNotFound, model.ClassClient, false},
		{http.StatusUnprocessableEntity, model.ClassClient, false},
		{http.StatusTooManyRequests, model.ClassRateLimit, true},
		{http.StatusInternalServerError, model.ClassServer, true},
		{http.StatusBadGateway, model.ClassServer, true},
		{http.StatusServiceUnavailable, model.ClassServer, true},
	}
	bodies := map[string]struct{ body, says string }{
		"an error object": {`{"error":{"message":"that went wrong","type":"x","param":null,"code":null}}`, "that went wrong"},
		"an error text":   {`{"error":"that went wrong"}`, "that went wrong"},
		"a flat error":    {`{"object":"error","message":"that went wrong","code":40303}`, "that went wrong"},
		"a page":          {`<html><body>Bad gateway</body></html>`, "(no message)"},
		"nothing":         {``, "(no message)"},
	}
	for _, tt := range tests {
		for name, answer := range bodies {
			t.Run(fmt.Sprintf("%d with %s", tt.status, name), func(t *testing.T) {
				t.Parallel()
				bothWays(t, func(t *testing.T, cfg openai.Config) {
					cfg.BaseURL = answering(t, tt.status, "application/json", answer.body)
					got, err := mustNew(t, cfg).Complete(t.Context(), hello())
					f := failure(t, got, err)
					if f.Class != tt.class || f.Status != tt.status || f.Class.Retryable() != tt.retry {
						t.Errorf("class %s, status %d, retryable %t; want %s, %d, %t", f.Class, f.Status, f.Class.Retryable(), tt.class, tt.status, tt.retry)
					}
					if !strings.Contains(err.Error(), answer.says) {
						t.Errorf("error %q does not say %q", err, answer.says)
					}
				})
			})
		}
	}
}

func TestAnErrorBehindAGoodStatusIsAnError(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, body string
		class      model.Class
	}{
		{"with a number as code", `{"error":{"code":429,"message":"slow down"}}`, model.ClassRateLimit},
		{"with a number in words", `{"error":{"code":"503","message":"slow down"}}`, model.ClassServer},
		{"of a bad gateway", `{"error":{"code":502,"message":"slow down"},"choices":[]}`, model.ClassServer},
		{"of a rate", `{"error":{"type":"requests","code":"rate_limit_exceeded","message":"slow down"}}`, model.ClassRateLimit},
		{"of a quota", `{"error":{"type":"insufficient_quota","message":"slow down"}}`, model.ClassRateLimit},
		{"of a key", `{"error":{"type":"invalid_request_error","code":"invalid_api_key","message":"slow down"}}`, model.ClassAuth},
		{"of a request", `{"error":{"type":"invalid_request_error","message":"slow down"}}`, model.ClassClient},
		{"of a server", `{"error":{"type":"server_error","message":"slow down"}}`, model.ClassServer},
		{"of a crowd", `{"error":{"type":"overloaded_error","message":"slow down"}}`, model.ClassServer},
		{"of no known kind", `{"error":{"message":"slow down"}}`, model.ClassUnknown},
		{"as a text", `{"error":"slow down"}`, model.ClassUnknown},
		{"as the whole body", `{"object":"error","message":"slow down","type":"BadRequestError","code":400}`, model.ClassClient},
		{"beside an answer", `{"error":{"code":500,"message":"slow down"},` + whole(`{"content":"a"}`, `"stop"`)[1:], model.ClassServer},
	}
	forms := map[string]func(body string) (contentType, answer string){
		"in one piece": func(body string) (string, string) { return "application/json", body },
		"indented": func(body string) (string, string) {
			return "application/json", strings.ReplaceAll(body, ",", ",\n  ") + "\n"
		},
	}
	streamForms := map[string]func(body string) (contentType, answer string){
		"as the first event": func(body string) (string, string) { return "text/event-stream", stream(body, end) },
		"behind a piece":     func(body string) (string, string) { return "text/event-stream", stream(saying, body, end) },
		"as an error event": func(body string) (string, string) {
			return "text/event-stream", stream(saying) + "event: error\n" + stream(body)
		},
		"behind a finish":     func(body string) (string, string) { return "text/event-stream", stream(saying, stopped, body, end) },
		"as a last half line": func(body string) (string, string) { return "text/event-stream", stream(saying) + "data: " + body },
	}
	check := func(stream bool, form func(string) (string, string), body string, class model.Class) func(*testing.T) {
		return func(t *testing.T) {
			t.Parallel()
			contentType, answer := form(body)
			url := answering(t, 200, contentType, answer)
			got, err := mustNew(t, openai.Config{BaseURL: url, APIKey: key, Model: "m", Stream: stream}).Complete(t.Context(), hello())
			f := failure(t, got, err)
			if f.Class != class || f.Status != 200 {
				t.Errorf("class %s, status %d; want %s, 200: %v", f.Class, f.Status, class, err)
			}
			if !strings.Contains(err.Error(), "slow down") {
				t.Errorf("error %q does not say what the server said", err)
			}
		}
	}
	for _, tt := range tests {
		for name, form := range forms {
			t.Run(tt.name+", whole, "+name, check(false, form, tt.body, tt.class))
			t.Run(tt.name+", stream, "+name, check(true, form, tt.body, tt.class))
		}
		for name, form := range streamForms {
			t.Run(tt.name+", stream, "+name, check(true, form, tt.body, tt.class))
		}
	}
}

func TestWhatIsNoAnswerIsAnError(t *testing.T) {
	t.Parallel()
	page := `<!doctype html><title>Sign in</title><p data-x="y">Please: sign in</p>`
	tests := []struct {
		name, body string
		stream     bool
		class      model.Class
		says       string
	}{
		{"nothing", "", false, model.ClassServer, "the answer is empty"},
		{"only space", "\n\n", false, model.ClassServer, "the answer is empty"},
		{"a page", page, false, model.ClassServer, "the answer is not JSON"},
		{"a list", `[]`, false, model.ClassServer, "decode answer"},
		{"null", `null`, false, model.ClassServer, "the answer holds no choice"},
		{"an empty object", `{}`, false, model.ClassServer, "the answer holds no choice"},
		{"no choices", `{"choices":[],"usage":{"prompt_tokens":1}}`, false, model.ClassServer, "the answer holds no choice"},
		{"choices of a wrong type", `{"choices":{"a":1}}`, false, model.ClassServer, "decode answer"},
		{"arguments of a wrong type", whole(`{"tool_calls":[{"id":"a","function":{"name":"f","arguments":{"x":1}}}]}`, `"tool_calls"`), false, model.ClassServer, "decode answer"},
		{"no finish reason", whole(`{"content":"a"}`, `null`), false, model.ClassServer, "the answer has no finish reason"},
		{"an empty finish reason", whole(`{"content":"a"}`, `""`), false, model.ClassServer, "the answer has no finish reason"},
		{"an error as finish reason", whole(`{"content":"a"}`, `"error"`), false, model.ClassServer, "the model stopped with an error"},
		{"an unknown finish reason", whole(`{"content":"a"}`, `"tired"`), false, model.ClassUnknown, `unknown finish reason "tired"`},
		{"calls that are not there", whole(`{"content":"a"}`, `"tool_calls"`), false, model.ClassServer, "made none"},

		{"nothing, streamed", "", true, model.ClassConnection, "unexpected EOF"},
		{"only comments", ": a\n\n: b\n\n", true, model.ClassConnection, "unexpected EOF"},
		{"a page, streamed", page, true, model.ClassServer, "the answer is no event stream"},
		{"a whole answer where a stream was asked for", whole(`{"content":"a"}`, `"stop"`), true, model.ClassServer, "the answer is no event stream"},
		{"only the end mark", stream(end), true, model.ClassServer, "the answer has no finish reason"},
		{"no choices, streamed", stream(usageOnly, end), true, model.ClassServer, "the answer has no finish reason"},
		{"no finish reason, streamed", stream(saying, more, usageOnly, end), true, model.ClassServer, "the answer has no finish reason"},
		{"a finish reason and nothing behind it", stream(saying, stopped), true, model.ClassConnection, "unexpected EOF"},
		{"an error as finish reason, streamed", stream(saying, strings.Replace(stopped, "stop", "error", 1), end), true, model.ClassServer, "the model stopped with an error"},
		{"an unknown finish reason, streamed", stream(saying, strings.Replace(stopped, "stop", "tired", 1), end), true, model.ClassUnknown, `unknown finish reason "tired"`},
		{"calls that are not there, streamed", stream(saying, finished, usageOnly, end), true, model.ClassServer, "made none"},
		{"a piece that is not JSON", stream(saying, "{oops", stopped, end), true, model.ClassServer, "decode part of the answer"},
		{"a piece of a wrong type", stream(saying, `{"choices":"none"}`, stopped, end), true, model.ClassServer, "decode part of the answer"},
		{"an error event in plain words", stream(saying) + "event: error\n" + stream("the\x07engine stalled") + stream(stopped, usageOnly, end), true, model.ClassServer, "the engine stalled"},
		{"an error event with a bare message", "event: error\n" + stream(`{"message":"the engine stalled"}`), true, model.ClassServer, "the engine stalled"},
		{"an error event without data", stream(saying, stopped, usageOnly) + "event: error\ndata:\n\n", true, model.ClassServer, "(no message)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			url := answering(t, 200, "text/html", tt.body)
			got, err := mustNew(t, openai.Config{BaseURL: url, Model: "m", Stream: tt.stream}).Complete(t.Context(), hello())
			f := failure(t, got, err)
			if f.Class != tt.class || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("%v; want class %s and %q", err, tt.class, tt.says)
			}
		})
	}
}

func TestAHugeAnswerIsGivenUpAtTheLimit(t *testing.T) {
	t.Parallel()
	const limit = 32 << 10
	endless := func(w io.Writer, piece string) {
		for range 64 << 20 / len(piece) {
			if _, err := io.WriteString(w, piece); err != nil {
				return
			}
		}
	}
	tests := []struct {
		name   string
		stream bool
		write  func(w io.Writer)
	}{
		{"a text without end", false, func(w io.Writer) { _, _ = io.WriteString(w, `{"x":"`); endless(w, strings.Repeat("a", 4096)) }},
		{"a text without end, streamed", true, func(w io.Writer) { _, _ = io.WriteString(w, `{"x":"`); endless(w, strings.Repeat("a", 4096)) }},
		{"a line without end", true, func(w io.Writer) { _, _ = io.WriteString(w, "data: "); endless(w, strings.Repeat("a", 4096)) }},
		{"pieces without end", true, func(w io.Writer) { endless(w, "data: "+saying+"\n\n") }},
		{"comments without end", true, func(w io.Writer) { endless(w, strings.Repeat(": waiting\n\n", 400)) }},
	}
	for _, tt := range tests {
		for _, packed := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, packed=%t", tt.name, packed), func(t *testing.T) {
				t.Parallel()
				url := serve(t, func(w http.ResponseWriter, _ *http.Request) {
					if !packed {
						tt.write(w)
						return
					}
					w.Header().Set("Content-Encoding", "gzip")
					z := gzip.NewWriter(w)
					tt.write(z)
					_ = z.Close()
				})
				m := mustNew(t, openai.Config{BaseURL: url, Model: "m", Stream: tt.stream, MaxResponseBytes: limit})
				got, err := m.Complete(t.Context(), hello())
				if f := failure(t, got, err); f.Class != model.ClassUnknown || !strings.Contains(err.Error(), "larger than allowed") {
					t.Errorf("%v, want that it is larger than allowed, and no second try", err)
				}
			})
		}
	}
}

func TestAnAnswerAsLargeAsTheLimitIsRead(t *testing.T) {
	t.Parallel()
	bodies := map[bool]string{false: whole(`{"content":"a"}`, `"stop"`), true: stream(saying, stopped, usageOnly, end)}
	bothWays(t, func(t *testing.T, cfg openai.Config) {
		cfg.BaseURL = answering(t, 200, "application/json", bodies[cfg.Stream])
		cfg.MaxResponseBytes = int64(len(bodies[cfg.Stream]))
		if _, err := mustNew(t, cfg).Complete(t.Context(), hello()); err != nil {
			t.Errorf("an answer of exactly the limit: %v", err)
		}
		cfg.MaxResponseBytes = 64
		if _, err := mustNew(t, cfg).Complete(t.Context(), hello()); err == nil {
			t.Error("an answer over the limit is read")
		}
	})
}

// hanging is a server that writes something and then keeps the connection open
// until the client is gone or the test is over.
func hanging(t *testing.T, status int, body string) string {
	t.Helper()
	done := make(chan struct{})
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
		_ = http.NewResponseController(w).Flush()
		select {
		case <-r.Context().Done():
		case <-done:
		}
	})
	t.Cleanup(func() { close(done) }) // runs before the server is closed
	return url
}

func TestAServerThatDoesNotCloseIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	bodies := map[bool]string{false: whole(`{"content":"a"}`, `"stop"`), true: stream(saying, stopped, usageOnly, end)}
	bothWays(t, func(t *testing.T, cfg openai.Config) {
		cfg.BaseURL = hanging(t, 200, bodies[cfg.Stream])
		cfg.Timeout = time.Minute
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		if got, err := mustNew(t, cfg).Complete(ctx, hello()); err != nil || got.Finish != model.FinishStop {
			t.Errorf("got %+v, %v", got, err)
		}
	})
}

func TestAServerThatStallsIsGivenUp(t *testing.T) {
	t.Parallel()
	bodies := map[bool]string{false: `{"choices":[`, true: stream(saying)}
	bothWays(t, func(t *testing.T, cfg openai.Config) {
		cfg.BaseURL = hanging(t, 200, bodies[cfg.Stream])
		cfg.Timeout = 50 * time.Millisecond
		got, err := mustNew(t, cfg).Complete(t.Context(), hello())
		if f := failure(t, got, err); f.Class != model.ClassConnection || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v, want class connection and the deadline", err)
		}
	})
}

func TestTheCallersContextIsRespected(t *testing.T) {
	t.Parallel()
	bodies := map[bool]string{false: `{"choices":[`, true: stream(saying)}
	t.Run("before", func(t *testing.T) {
		t.Parallel()
		bothWays(t, func(t *testing.T, cfg openai.Config) {
			cfg.BaseURL = serve(t, func(http.ResponseWriter, *http.Request) { t.Error("a request was made") })
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			got, err := mustNew(t, cfg).Complete(ctx, hello())
			if failure(t, got, err); !errors.Is(err, context.Canceled) {
				t.Errorf("%v, want context.Canceled", err)
			}
		})
	})
	t.Run("while the answer comes", func(t *testing.T) {
		t.Parallel()
		bothWays(t, func(t *testing.T, cfg openai.Config) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			gone := make(chan struct{})
			cfg.BaseURL = serve(t, func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.WriteString(w, bodies[cfg.Stream])
				_ = http.NewResponseController(w).Flush()
				cancel()
				<-r.Context().Done()
				close(gone)
			})
			got, err := mustNew(t, cfg).Complete(ctx, hello())
			if failure(t, got, err); !errors.Is(err, context.Canceled) {
				t.Errorf("%v, want context.Canceled", err)
			}
			<-gone
		})
	})
}

func TestAConnectionThatFailsIsAConnectionError(t *testing.T) {
	t.Parallel()
	bothWays(t, func(t *testing.T, cfg openai.Config) {
		closed, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatalf("listening: %v", err)
		}
		cfg.BaseURL = "http://" + closed.Addr().String() + "/v1"
		_ = closed.Close()
		got, err := mustNew(t, cfg).Complete(t.Context(), hello())
		if f := failure(t, got, err); f.Class != model.ClassConnection || f.Status != 0 {
			t.Errorf("refused: %v, want class connection without status", err)
		}

		cfg.BaseURL = serve(t, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
		got, err = mustNew(t, cfg).Complete(t.Context(), hello())
		if f := failure(t, got, err); f.Class != model.ClassConnection {
			t.Errorf("closed without an answer: %v, want class connection", err)
		}

		secure := httptest.NewUnstartedServer(http.NotFoundHandler())
		secure.Config.ErrorLog = quiet()
		secure.StartTLS()
		t.Cleanup(secure.Close)
		cfg.BaseURL = secure.URL
		got, err = mustNew(t, cfg).Complete(t.Context(), hello())
		if f := failure(t, got, err); f.Class != model.ClassConnection {
			t.Errorf("an unknown certificate: %v, want class connection", err)
		}
	})
}

func TestARedirectIsNotFollowed(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusFound, http.StatusTemporaryRedirect, http.StatusPermanentRedirect} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			t.Parallel()
			elsewhere := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("the redirect was followed") })
			url := serve(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, elsewhere, status) })
			m := mustNew(t, openai.Config{BaseURL: url, APIKey: key, Model: "m", HTTPClient: &http.Client{}})
			got, err := m.Complete(t.Context(), hello())
			if f := failure(t, got, err); f.Class != model.ClassConfiguration || f.Status != status {
				t.Errorf("%v, want class configuration", err)
			}
		})
	}
}

func TestNoErrorHoldsTheKey(t *testing.T) {
	t.Parallel()
	echo := `{"error":{"message":"Incorrect API key provided: ` + key + `.\nAsk\u0007 again.","type":"` + key + `","code":"` + key + `"}}`
	bothWays(t, func(t *testing.T, cfg openai.Config) {
		for name, url := range map[string]string{
			"refused":               answering(t, 401, "application/json", echo),
			"in a good answer":      answering(t, 200, "application/json", echo),
			"in a stream":           answering(t, 200, "text/event-stream", stream(echo)),
			"in an error event":     answering(t, 200, "text/event-stream", "event: error\n"+stream(key)),
			"as a finish reason":    answering(t, 200, "application/json", whole(`{"content":"a"}`, `"`+key+`"`)),
			"across the cut":        answering(t, 400, "application/json", `{"error":{"message":"`+strings.Repeat("x", 495)+key+`"}}`),
			"a host that is closed": "http://127.0.0.1:1/" + key,
		} {
			cfg.BaseURL = url
			_, err := mustNew(t, cfg).Complete(t.Context(), hello())
			if err == nil {
				t.Fatalf("%s: no error", name)
			}
			if text := err.Error(); strings.Contains(text, "secret") || strings.ContainsAny(text, "\n\a") {
				t.Errorf("%s: the error tells the key, or breaks the line: %q", name, text)
			}
			if len(err.Error()) > 1000 {
				t.Errorf("%s: an error of %d bytes", name, len(err.Error()))
			}
		}
	})
}

func TestABadConfigurationIsRefusedAndNotRepeated(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		cfg  openai.Config
		says string
	}{
		{"no model", openai.Config{}, "the model has no name"},
		{"a blank model", openai.Config{Model: " "}, "the model has no name"},
		{"no URL", openai.Config{Model: "m", BaseURL: "http://secret host/%zz"}, "is not a URL"},
		{"no scheme", openai.Config{Model: "m", BaseURL: "secret.example.org/v1"}, "does not begin with"},
		{"another scheme", openai.Config{Model: "m", BaseURL: "file:///secret"}, "does not begin with"},
		{"no host", openai.Config{Model: "m", BaseURL: "http://"}, "names no host"},
		{"only a port", openai.Config{Model: "m", BaseURL: "http://:80/secret"}, "names no host"},
		{"a password", openai.Config{Model: "m", BaseURL: "https://me:secret@example.org/v1"}, "holds a user or password"},
		{"a query", openai.Config{Model: "m", BaseURL: "https://example.org/v1?key=secret"}, "has a query"},
		{"a fragment", openai.Config{Model: "m", BaseURL: "https://example.org/v1#secret"}, "has a query or a fragment"},
		{"a key of two lines", openai.Config{Model: "m", APIKey: "secret\nX: y"}, "control character"},
		{"a negative timeout", openai.Config{Model: "m", Timeout: -1}, "the timeout is negative"},
		{"a negative limit", openai.Config{Model: "m", MaxResponseBytes: -1}, "is negative"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m, err := openai.New(tt.cfg)
			var failure *model.Error
			if m != nil || !errors.As(err, &failure) || failure.Class != model.ClassConfiguration {
				t.Fatalf("got %v, error %v; want class configuration", m, err)
			}
			if !strings.Contains(err.Error(), tt.says) || strings.Contains(err.Error(), "secret") {
				t.Errorf("error %q; want %q, and nothing of what was given", err, tt.says)
			}
		})
	}
}

func FuzzNoAnswerOfAServerPanicsOrPassesHalf(f *testing.F) {
	f.Add([]byte(whole(`{"content":"a"}`, `"stop"`)), false)
	f.Add([]byte(stream(saying, callOne, restOne, finished, usageOnly, end)), true)
	f.Add([]byte("event: error\ndata: {\"message\":\"x\"}\n\n"), true)
	f.Fuzz(func(t *testing.T, body []byte, stream bool) {
		client := &http.Client{Transport: canned(body)}
		m, err := openai.New(openai.Config{BaseURL: "http://127.0.0.1/v1", Model: "m", Stream: stream, HTTPClient: client})
		if err != nil {
			t.Fatalf("New: %v", err)
		}
		got, err := m.Complete(t.Context(), hello())
		if err != nil {
			failure(t, got, err)
			return
		}
		if got.Finish == "" || got.Tokens.Prompt < 0 || got.Tokens.Completion < 0 || got.Tokens.Total < 0 {
			t.Errorf("half an answer: %+v", got)
		}
	})
}

// canned answers every request with the same body, without a network.
type canned []byte

func (c canned) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(c)), Request: r}, nil
}
