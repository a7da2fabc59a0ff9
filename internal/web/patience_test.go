package web_test

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/internal/web"
)

// begun sends the beginning of a request and nothing more, and returns the
// status of the answer once the server has closed the connection.
func begun(t *testing.T, address, head string) int {
	t.Helper()
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(50 * patience)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(conn, head); err != nil {
		t.Fatal(err)
	}
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatalf("no answer: %v", err)
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		t.Fatal(err)
	}
	if n, err := conn.Read(make([]byte, 1)); n > 0 || !errors.Is(err, io.EOF) {
		t.Errorf("the connection is still open: %d bytes, %v", n, err)
	}
	return answer.StatusCode
}

func TestABodyThatDoesNotComeIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.answer = func(w http.ResponseWriter, r *http.Request, _ *web.Visit) error {
		switch {
		case r.Header.Get("Content-Type") == "application/json":
			return web.DecodeBody(w, r, 4096, &sample{})
		case r.Header.Get("Content-Type") != "":
			if err := r.ParseForm(); err != nil {
				return imprimatur.BadRequest("the form is malformed")
			}
		}
		_, err := io.WriteString(w, strings.Repeat("an answer that does not fit a buffer ", 1000))
		return err
	}
	server := httptest.NewServer(s.handler)
	t.Cleanup(server.Close)
	for name, c := range map[string]struct {
		head string
		want int
	}{
		"that nobody reads":     {"POST /page HTTP/1.1\r\nContent-Length: 1000\r\n", http.StatusOK},
		"of a page that is get": {"GET /open HTTP/1.1\r\nContent-Length: 1000\r\n", http.StatusOK},
		"at no address":         {"POST /nowhere HTTP/1.1\r\nTransfer-Encoding: chunked\r\n", http.StatusNotFound},
		"that is a form":        {"POST /page HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n", http.StatusBadRequest},
		"that is JSON":          {"POST /api/v1/runs HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n", http.StatusBadRequest},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := begun(t, server.Listener.Addr().String(), c.head+"Host: desk.example\r\n\r\nver"); got != c.want {
				t.Errorf("answered %d, want %d", got, c.want)
			}
		})
	}
}

func TestAnAnswerMayTakeLongerThanItsBody(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.answer = func(w http.ResponseWriter, r *http.Request, _ *web.Visit) error {
		if err := web.DecodeBody(w, r, 4096, &sample{}); err != nil {
			return err
		}
		select {
		case <-r.Context().Done():
			return r.Context().Err()
		case <-time.After(2 * patience):
			return nil
		}
	}
	server := httptest.NewServer(s.handler)
	t.Cleanup(server.Close)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/api/v1/runs", strings.NewReader(`{"name":"x"}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	answer, err := server.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Errorf("answered %d", answer.StatusCode)
	}
}
