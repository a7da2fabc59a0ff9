package openai_test

import (
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/model"
	"github.com/imprimatur-dev/imprimatur/model/openai"
)

// key is the API key of these tests; it must not come back in any error.
const key = "sk-very-secret"

func mustNew(t *testing.T, cfg openai.Config) *openai.Model {
	t.Helper()
	m, err := openai.New(cfg)
	if err != nil {
		t.Fatalf("New: %v", err)
	}
	return m
}

func serve(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return server.URL
}

// answering is a server that gives one answer to everybody.
func answering(t *testing.T, status int, contentType, body string) string {
	t.Helper()
	return serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	})
}

func hello() model.Request {
	return model.Request{Messages: []imprimatur.Message{{Role: imprimatur.FromUser, Text: "hello"}}}
}

// failure is the error of Complete, which has to be of the one type, and to
// come alone.
func failure(t *testing.T, got model.Response, err error) *model.Error {
	t.Helper()
	var failure *model.Error
	if !errors.As(err, &failure) {
		t.Fatalf("got %+v and error %v, want a *model.Error", got, err)
	}
	if diff := cmp.Diff(model.Response{}, got); diff != "" {
		t.Errorf("an answer came with the error:\n%s", diff)
	}
	return failure
}

// quiet swallows what a test server says about handshakes that fail on purpose.
func quiet() *log.Logger { return log.New(io.Discard, "", 0) }
