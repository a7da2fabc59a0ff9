// Package account knows who is asking: people by the session of their browser
// or by a token of their own, agents and service accounts by theirs. It has the
// pages on which people sign in and out.
package account

import (
	"embed"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/alexedwards/scs/v2"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/internal/web"
	"github.com/imprimatur-dev/imprimatur/store"
)

// sessionLife is how long a person stays signed in, whatever they do: a working
// day.
const sessionLife = 12 * time.Hour

// userKey is what a session holds: the id of a user, and nothing else.
const userKey = "user"

// Config is what an Account needs.
type Config struct {
	Store     *store.Store         // required
	Catalogue *catalogue.Catalogue // required
	Secure    bool                 // the public address is https: cookies are bound to it
}

// Account is sessions, tokens and the pages for signing in.
type Account struct {
	store       *store.Store
	catalogue   *catalogue.Catalogue
	sessions    *scs.SessionManager
	login, link *web.Template
	stretching  chan struct{} // passwords that are compared at a time: each takes 19 MiB
}

//go:embed page
var pages embed.FS

// New checks the configuration and reads the templates.
func New(c Config) (*Account, error) {
	if c.Store == nil || c.Catalogue == nil {
		return nil, errors.New("account: a store and a catalogue are needed")
	}
	// No idle timeout: it would write to the store whenever a page is looked at.
	sessions := scs.New()
	sessions.Store = c.Store.Sessions()
	sessions.Lifetime = sessionLife
	sessions.Cookie.Secure = c.Secure
	sessions.Cookie.Name = "imprimatur_session"
	if c.Secure {
		sessions.Cookie.Name = "__Host-imprimatur_session"
	}
	a := &Account{store: c.Store, catalogue: c.Catalogue, sessions: sessions, stretching: make(chan struct{}, 2)}
	var err error
	if a.login, err = web.Parse(pages, "page/login.tmpl"); err != nil {
		return nil, err
	}
	if a.link, err = web.Parse(pages, "page/link.tmpl"); err != nil {
		return nil, err
	}
	return a, nil
}

// Authenticate implements web.Authenticate. A bearer token goes before a
// session: a program that sends a wrong one is nobody, whatever cookies it has.
func (a *Account) Authenticate(r *http.Request) (imprimatur.Actor, error) {
	who, ok, err := a.token(r)
	if err == nil && !ok && r.Header.Get("Authorization") == "" {
		who, ok, err = a.session(r)
	}
	switch {
	case err != nil:
		return imprimatur.Actor{}, fmt.Errorf("authenticate: %w", err)
	case !ok:
		return imprimatur.Actor{}, &imprimatur.Refusal{Code: imprimatur.CodeUnauthenticated}
	}
	who.Lang = web.Language(who.User.Lang, r, a.catalogue.Languages())
	return who, nil
}

func (a *Account) token(r *http.Request) (who imprimatur.Actor, ok bool, err error) {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return imprimatur.Actor{}, false, nil
	}
	return a.store.Authenticate(r.Context(), strings.TrimSpace(token))
}

// session finds the person of a session, with the rights they have now.
func (a *Account) session(r *http.Request) (who imprimatur.Actor, ok bool, err error) {
	cookie, err := r.Cookie(a.sessions.Cookie.Name)
	if err != nil {
		return imprimatur.Actor{}, false, nil
	}
	ctx, err := a.sessions.Load(r.Context(), cookie.Value)
	if err != nil {
		return imprimatur.Actor{}, false, fmt.Errorf("load session: %w", err)
	}
	id := a.sessions.GetInt64(ctx, userKey)
	if id == 0 {
		return imprimatur.Actor{}, false, nil
	}
	u, err := a.store.User(ctx, id)
	if err != nil || !u.Enabled {
		return imprimatur.Actor{}, false, err
	}
	return imprimatur.Actor{Credential: imprimatur.CredentialSession, User: u}, true, nil
}
