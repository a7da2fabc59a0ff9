package account

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/internal/web"
)

// Routes is the pages for signing in and out.
func (a *Account) Routes() []web.Route {
	return []web.Route{
		{Pattern: "GET /login", Open: true, Handle: a.showLogin},
		{Pattern: "GET /login/{token}", Open: true, Handle: a.showLink},
		{Pattern: "POST /login/{token}", Open: true, Handle: a.signIn},
		{Pattern: "POST /logout", Open: true, Handle: a.signOut},
	}
}

// loginPage says how to get a link.
type loginPage struct{ web.Page }

// linkPage is the page of a link: one button, or that the link no longer works.
type linkPage struct {
	web.Page
	Name  string // whom it signs in
	Token string
	Spent bool
}

func (a *Account) showLogin(w http.ResponseWriter, r *http.Request, v *web.Visit) error {
	return v.Render(w, r, http.StatusOK, a.login, loginPage{v.Page(v.Words.Say("ui.login.title", nil))})
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
	ctx, err := a.load(r)
	if err != nil {
		return err
	}
	if err := a.sessions.RenewToken(ctx); err != nil {
		return fmt.Errorf("renew session: %w", err)
	}
	a.sessions.Put(ctx, userKey, u.ID)
	token, expiry, err := a.sessions.Commit(ctx)
	if err != nil {
		return fmt.Errorf("begin session: %w", err)
	}
	a.sessions.WriteSessionCookie(ctx, w, token, expiry)
	http.Redirect(w, r, "/", http.StatusSeeOther)
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
