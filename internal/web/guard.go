package web

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/imprimatur-dev/imprimatur"
)

// policy is what a browser may do with a page: show it with our own stylesheet
// and send its forms back to us.
const policy = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

// Guard stands in front of everything: it refuses what comes from another
// site, tells browsers what they may not do, and answers addresses that lead
// nowhere. A panic below it, which no known input causes, is logged and
// answered as a fault.
func (s *Site) Guard(mux *http.ServeMux) http.Handler {
	crossing := http.NewCrossOriginProtection()
	crossing.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.Fail(w, r, &imprimatur.Refusal{Code: imprimatur.CodeAccessDenied, Detail: "the request came from another site"})
	}))
	inner := crossing.Handler(s.known(mux))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Frame-Options", "DENY")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		// Not no-referrer: with it browsers send "Origin: null" with our own
		// forms, and the protection above could not tell them from foreign ones.
		h.Set("Referrer-Policy", "same-origin")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cache-Control", "no-store")
		defer func() {
			if p := recover(); p != nil {
				if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) {
					panic(p) // net/http's own way to cut a connection
				}
				s.Fail(w, r, fmt.Errorf("panic: %v\n%s", p, debug.Stack()))
			}
		}()
		s.bePatient(w, r)
		inner.ServeHTTP(w, r)
	})
}

// bePatient bounds how long a client may take to send its body, whoever reads
// it: the server itself waits for the rest of one that nobody read, before the
// answer leaves. The bound is for the body alone: in place after its end, it
// would cut off a request that waits for its answer.
func (s *Site) bePatient(w http.ResponseWriter, r *http.Request) {
	if r.Body == nil || r.Body == http.NoBody {
		return
	}
	conn := http.NewResponseController(w)
	// A writer without deadlines is a test's.
	_ = conn.SetReadDeadline(time.Now().Add(s.patience))
	r.Body = &timedBody{r.Body, conn}
}

// timedBody is a body with a deadline that goes with its last byte.
type timedBody struct {
	io.ReadCloser
	conn *http.ResponseController
}

// Read implements io.Reader.
func (b *timedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		_ = b.conn.SetReadDeadline(time.Time{})
	}
	return n, err
}

// known answers what no route knows in our own way, and leaves the rest, wrong
// methods included, to mux.
func (s *Site) known(mux *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if h, pattern := mux.Handler(r); pattern == "" {
			var only status
			h.ServeHTTP(&only, r)
			if only == http.StatusNotFound {
				s.Fail(w, r, &imprimatur.Refusal{Code: imprimatur.CodeNotFound})
				return
			}
		}
		mux.ServeHTTP(w, r)
	})
}

// status listens to an answer for its status alone.
type status int

func (s *status) Header() http.Header         { return http.Header{} }
func (s *status) WriteHeader(code int)        { *s = status(code) }
func (s *status) Write(b []byte) (int, error) { return len(b), nil }
