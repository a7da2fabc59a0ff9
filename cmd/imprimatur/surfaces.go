package main

import (
	"context"
	"log/slog"
	"net/http"
	"strings"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/account"
	"github.com/imprimatur-dev/imprimatur/api"
	"github.com/imprimatur-dev/imprimatur/engine"
	"github.com/imprimatur-dev/imprimatur/inbox"
	"github.com/imprimatur-dev/imprimatur/internal/web"
	"github.com/imprimatur-dev/imprimatur/store"
)

// surfacesConfig is what the pages and the API stand on.
type surfacesConfig struct {
	Engine *engine.Engine
	Store  *store.Store
	URL    string // public address, without a slash at the end
	Log    *slog.Logger
	// Strip and Routes are what a demonstration adds to the pages; nil: nothing.
	Strip  func(ctx context.Context, actor imprimatur.Actor, run string) (inbox.Strip, bool)
	Routes []web.Route
}

// surfaces is everything the server answers with, behind one guard.
func surfaces(c surfacesConfig) (http.Handler, error) {
	secure := strings.HasPrefix(c.URL, "https://")
	words := c.Engine.Catalogue()
	people, err := account.New(account.Config{Store: c.Store, Catalogue: words, Secure: secure})
	if err != nil {
		return nil, err
	}
	site, err := web.New(web.Config{URL: c.URL, Catalogue: words, Authenticate: people.Authenticate, Log: c.Log})
	if err != nil {
		return nil, err
	}
	desk, err := inbox.New(inbox.Config{Desk: c.Engine, Secure: secure, Strip: c.Strip})
	if err != nil {
		return nil, err
	}
	programs, err := api.New(api.Config{
		Engine: c.Engine, Authenticate: people.Authenticate, Site: site, URL: c.URL, Log: c.Log,
	})
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	site.Mount(mux, site.Routes()...)
	site.Mount(mux, people.Routes()...)
	site.Mount(mux, desk.Routes()...)
	site.Mount(mux, c.Routes...)
	mux.Handle(api.Prefix+"/", programs)
	mux.Handle("/openapi.json", programs)
	health(mux, c.Store)
	return site.Guard(mux), nil
}
