package account

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/internal/web"
)

// Routes is the pages for signing in and out.
func (a *Account) Routes() []web.Route {
	return []web.Route{
		{Pattern: "GET /login", Open: true, Handle: a.showLogin},
		{Pattern: "POST /login", Open: true, Handle: a.signInByPassword},
		{Pattern: "GET /login/{token}", Open: true, Handle: a.showLink},
		{Pattern: "POST /login/{token}", Open: true, Handle: a.signIn},
		{Pattern: "POST /logout", Open: true, Handle: a.signOut},
	}
}

// loginPage asks for name and password, and says how to get a link.
type loginPage struct {
	web.Page
	Name  string // as typed
	Next  string // where to go then; empty: the inbox
	Fault string // what is wrong with what was typed; empty: nothing
}

// linkPage is the page of a link: one button, or that the link no longer works.
type linkPage struct {
	web.Page
	Name  string // whom it signs in
	Token string
	Spent bool
}

func (a *Account) showLogin(w http.ResponseWriter, r *http.Request, v *web.Visit) error {
	return a.askAgain(w, r, v, http.StatusOK, loginPage{Next: local(r.URL.Query().Get("next"))})
}

func (a *Account) askAgain(w http.ResponseWriter, r *http.Request, v *web.Visit, status int, page loginPage) error {
	title := v.Words.Say("ui.login.title", nil)
	if page.Fault != "" {
		title = v.Words.Say("ui.title.problem", map[string]any{"title": title})
	}
	page.Page = v.Page(title)
	return v.Render(w, r, status, a.login, page)
}

// local is a path of the inbox that somebody asked for before they signed in;
// anything else is empty.
func local(where string) string {
	if !strings.HasPrefix(where, "/runs/") || path.Clean(where) != where || strings.ContainsFunc(where, func(r rune) bool { return r <= ' ' || r > '~' || r == '\\' }) || len(where) > 500 {
		return ""
	}
	return where
}

// signInByPassword begins a session for whoever knows a name and its password.
// What is wrong is never said: neither whether the name exists nor whether it
// has a password.
func (a *Account) signInByPassword(w http.ResponseWriter, r *http.Request, v *web.Visit) error {
	form, err := web.ReadForm(w, r, "name", "password", "next")
	if err != nil {
		return err
	}
	ctx, page := r.Context(), loginPage{Name: form.Get("name"), Next: local(form.Get("next"))}
	wait, err := a.store.Attempt(ctx, page.Name)
	if err != nil {
		return fmt.Errorf("sign in: %w", err)
	}
	if wait > 0 {
		w.Header().Set("Retry-After", strconv.FormatInt(int64(math.Ceil(wait.Seconds())), 10))
		page.Fault = v.Words.Say("ui.login.too_often", map[string]any{"count": int(math.Ceil(wait.Minutes()))})
		return a.askAgain(w, r, v, http.StatusTooManyRequests, page)
	}
	user, proof, err := a.store.Password(ctx, page.Name)
	if err != nil {
		return fmt.Errorf("sign in: %w", err)
	}
	right, err := a.compare(ctx, proof, form.Get("password"))
	if err != nil {
		return err
	}
	if !right {
		page.Fault = v.Words.Say("ui.login.wrong", nil)
		return a.askAgain(w, r, v, http.StatusUnprocessableEntity, page)
	}
	if err := a.store.SignedIn(ctx, page.Name); err != nil {
		return fmt.Errorf("sign in: %w", err)
	}
	return a.begin(w, r, user, page.Next)
}

// compare holds a password against its proof, a few at a time.
func (a *Account) compare(ctx context.Context, proof, password string) (bool, error) {
	select {
	case a.stretching <- struct{}{}:
	case <-ctx.Done():
		return false, fmt.Errorf("sign in: %w", ctx.Err())
	}
	defer func() { <-a.stretching }()
	return proves(proof, password), nil
}

// showLink only looks: a mail scanner that follows the link must not use it up.
func (a *Account) showLink(w http.ResponseWriter, r *http.Request, v *web.Visit) error {
	token := r.PathValue("token")
	u, ok, err := a.store.LinkUser(r.Context(), token)
	if err != nil {
		return fmt.Errorf("look up sign-in link: %w", err)
	}
	if !ok {
		return a.spent(w, r, v)
	}
	speak(v, u)
	page := linkPage{Name: u.Name, Token: token}
	page.Page = v.Page(v.Words.Say("ui.login.title", nil))
	page.Me = "" // whoever is signed in now is not who this page is about
	return v.Render(w, r, http.StatusOK, a.link, page)
}

func (a *Account) spent(w http.ResponseWriter, r *http.Request, v *web.Visit) error {
	title := v.Words.Say("ui.login.spent_title", nil)
	page := linkPage{Page: v.Page(v.Words.Say("ui.title.problem", map[string]any{"title": title})), Spent: true}
	return v.Render(w, r, http.StatusGone, a.link, page)
}

// speak goes on in the language of the person who is about to sign in.
func speak(v *web.Visit, u imprimatur.User) {
	if u.Lang != "" {
		v.Words = v.Printer(u.Lang)
	}
}

// signIn uses the link up and begins a session under a new token, so that
// whoever knew the old one knows nothing.
func (a *Account) signIn(w http.ResponseWriter, r *http.Request, v *web.Visit) error {
	u, ok, err := a.store.UseLink(r.Context(), r.PathValue("token"))
	if err != nil {
		return fmt.Errorf("use sign-in link: %w", err)
	}
	if !ok {
		return a.spent(w, r, v)
	}
	return a.begin(w, r, u.ID, "")
}

// begin signs a person in and leads them on.
func (a *Account) begin(w http.ResponseWriter, r *http.Request, user int64, next string) error {
	ctx, err := a.load(r)
	if err != nil {
		return err
	}
	if err := a.sessions.RenewToken(ctx); err != nil {
		return fmt.Errorf("renew session: %w", err)
	}
	a.sessions.Put(ctx, userKey, user)
	token, expiry, err := a.sessions.Commit(ctx)
	if err != nil {
		return fmt.Errorf("begin session: %w", err)
	}
	a.sessions.WriteSessionCookie(ctx, w, token, expiry)
	http.Redirect(w, r, cmp.Or(next, "/"), http.StatusSeeOther)
	return nil
}

func (a *Account) signOut(w http.ResponseWriter, r *http.Request, _ *web.Visit) error {
	ctx, err := a.load(r)
	if err != nil {
		return err
	}
	if err := a.sessions.Destroy(ctx); err != nil {
		return fmt.Errorf("end session: %w", err)
	}
	a.sessions.WriteSessionCookie(ctx, w, "", time.Time{})
	http.Redirect(w, r, "/login", http.StatusSeeOther)
	return nil
}

// load reads the session of the request, or begins an empty one.
func (a *Account) load(r *http.Request) (context.Context, error) {
	token := ""
	if cookie, err := r.Cookie(a.sessions.Cookie.Name); err == nil {
		token = cookie.Value
	}
	ctx, err := a.sessions.Load(r.Context(), token)
	if err != nil {
		return nil, fmt.Errorf("load session: %w", err)
	}
	return ctx, nil
}
