package main

import (
	"context"
	"fmt"
	"net/http"

	"github.com/imprimatur-dev/imprimatur/store"
)

// readiness says what keeps the database from doing its work.
type readiness interface {
	Ready(ctx context.Context) store.Trouble
}

// health answers whoever watches over the server, without asking who they are:
// GET /livez says that the process answers, GET /readyz whether the database
// does its work, and if not, why, in one sentence.
func health(mux *http.ServeMux, db readiness) {
	mux.HandleFunc("GET /livez", func(w http.ResponseWriter, _ *http.Request) {
		say(w, http.StatusOK, "alive")
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		if trouble := db.Ready(r.Context()); trouble != store.NoTrouble {
			say(w, http.StatusServiceUnavailable, fmt.Sprintf("%s: %s", string(trouble), trouble))
			return
		}
		say(w, http.StatusOK, "ready")
	})
}

func say(w http.ResponseWriter, code int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(code)
	_, _ = fmt.Fprintln(w, text) // whoever asked is gone
}
