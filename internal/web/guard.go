package web

import (
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"

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
		inner.ServeHTTP(w, r)
	})
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
