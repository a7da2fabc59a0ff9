package account_test

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/account"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/internal/web"
	"github.com/imprimatur-dev/imprimatur/store"
)

var texts = sync.OnceValues(func() (*catalogue.Catalogue, error) { return catalogue.New() })

// house is the pages for signing in over a real store, and one page that says
// who came in.
type house struct {
	*testing.T
	store   *store.Store
	account *account.Account
	handler http.Handler
	now     time.Time
	jana    imprimatur.User
	came    imprimatur.Actor
}

func newHouse(t *testing.T, secure bool) *house {
	t.Helper()
	h := &house{T: t, now: time.Now()}
	var err error
	h.store, err = store.Open(t.Context(), store.Config{
		Database: "sqlite:" + filepath.Join(t.TempDir(), "test.db"), Unsealed: true, Now: func() time.Time { return h.now },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.store.Close() })
	words, err := texts()
	if err != nil {
		t.Fatal(err)
	}
	if h.jana, err = h.store.AddUser(t.Context(), store.NewUser{Name: "Jana <b>Roth</b>", Lang: "de"}); err != nil {
		t.Fatal(err)
	}
	if h.account, err = account.New(account.Config{Store: h.store, Catalogue: words, Secure: secure}); err != nil {
		t.Fatal(err)
	}
	address := "http://desk.example"
	if secure {
		address = "https://desk.example"
	}
	site, err := web.New(web.Config{URL: address, Catalogue: words, Authenticate: h.account.Authenticate})
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	site.Mount(mux, h.account.Routes()...)
	site.Mount(mux, web.Route{Pattern: "GET /{$}", Handle: func(_ http.ResponseWriter, _ *http.Request, v *web.Visit) error {
		h.came = v.Actor
		return nil
	}})
	h.handler = site.Guard(mux)
	return h
}

func (h *house) ask(method, path string, cookies []*http.Cookie, headers ...string) *http.Response {
	h.Helper()
	r := httptest.NewRequest(method, path, nil)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	for _, c := range cookies {
		r.AddCookie(c)
	}
	w := httptest.NewRecorder()
	h.handler.ServeHTTP(w, r)
	return w.Result()
}

func (h *house) link(lasting bool) string {
	h.Helper()
	secret, err := h.store.CreateLink(h.Context(), store.NewLink{User: h.jana.ID, Lasting: lasting})
	if err != nil {
		h.Fatal(err)
	}
	return "/login/" + secret
}

// signIn returns the cookies of a new session.
func (h *house) signIn() []*http.Cookie {
	h.Helper()
	r := h.ask("POST", h.link(true), nil)
	if r.StatusCode != http.StatusSeeOther || len(r.Cookies()) != 1 {
		h.Fatalf("sign in: %d, %v", r.StatusCode, r.Cookies())
	}
	return r.Cookies()
}

func text(t *testing.T, r *http.Response) (title, whole string) {
	t.Helper()
	page, err := html.Parse(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	for n := range page.Descendants() {
		if n.Type == html.TextNode {
			if n.Parent.Data == "title" {
				title = n.Data
			}
			whole += n.Data + " "
		}
		if n.Data == "b" {
			t.Error("a name became markup")
		}
	}
	return title, strings.Join(strings.Fields(whole), " ")
}

// Proves field 83.
func TestALinkSignsInOnceAndOnlyByItsButton(t *testing.T) {
	t.Parallel()
	h := newHouse(t, false)
	path := h.link(false)
	for range 3 { // a mail scanner, a preview, the person
		for _, method := range []string{"GET", "HEAD"} {
			if r := h.ask(method, path, nil); r.StatusCode != http.StatusOK || len(r.Cookies()) != 0 {
				t.Fatalf("%s: %d %v", method, r.StatusCode, r.Cookies())
			}
		}
	}
	title, whole := text(t, h.ask("GET", path, nil))
	if !strings.HasPrefix(title, "Anmelden") || !strings.Contains(whole, "als Jana <b>Roth</b> an") {
		t.Errorf("the page is not in the language of its person: %q %q", title, whole)
	}
	r := h.ask("POST", path, nil)
	if r.StatusCode != http.StatusSeeOther || r.Header.Get("Location") != "/" {
		t.Fatalf("sign in: %d", r.StatusCode)
	}
	c := r.Cookies()[0]
	if c.Name != "imprimatur_session" || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Secure || c.Path != "/" {
		t.Errorf("cookie %+v", c)
	}
	if r := h.ask("GET", "/", r.Cookies()); r.StatusCode != http.StatusOK || h.came.User.ID != h.jana.ID || h.came.Credential != imprimatur.CredentialSession || h.came.Lang != "de" {
		t.Errorf("%d, %+v", r.StatusCode, h.came)
	}
	for _, method := range []string{"POST", "GET"} {
		r := h.ask(method, path, nil, "Accept-Language", "en")
		if title, _ := text(t, r); r.StatusCode != http.StatusGone || len(r.Cookies()) != 0 || !strings.HasPrefix(title, "Problem: This link no longer works") {
			t.Errorf("%s again: %d %q", method, r.StatusCode, title)
		}
	}
}

func TestALinkEndsAfterFifteenMinutes(t *testing.T) {
	t.Parallel()
	h := newHouse(t, false)
	path := h.link(false)
	h.now = h.now.Add(15 * time.Minute)
	for _, method := range []string{"GET", "POST"} {
		if r := h.ask(method, path, nil); r.StatusCode != http.StatusGone {
			t.Errorf("%s: %d", method, r.StatusCode)
		}
	}
	if r := h.ask("POST", "/login/nothing-of-ours", nil); r.StatusCode != http.StatusGone {
		t.Errorf("an invented link: %d", r.StatusCode)
	}
}

func TestSigningInFromAnotherSiteIsRefused(t *testing.T) {
	t.Parallel()
	h := newHouse(t, false)
	path := h.link(false)
	if r := h.ask("POST", path, nil, "Sec-Fetch-Site", "cross-site"); r.StatusCode != http.StatusForbidden || len(r.Cookies()) != 0 {
		t.Errorf("%d", r.StatusCode)
	}
	if r := h.ask("POST", path, nil, "Sec-Fetch-Site", "same-origin"); r.StatusCode != http.StatusSeeOther {
		t.Errorf("the link was used up: %d", r.StatusCode)
	}
}

func TestCookiesAreBoundToAnHTTPSAddress(t *testing.T) {
	t.Parallel()
	c := newHouse(t, true).signIn()[0]
	if c.Name != "__Host-imprimatur_session" || !c.Secure || !c.HttpOnly || c.Path != "/" || c.Domain != "" || c.SameSite != http.SameSiteLaxMode {
		t.Errorf("cookie %+v", c)
	}
}

func TestSigningInRenewsTheSession(t *testing.T) {
	t.Parallel()
	h := newHouse(t, false)
	before := h.signIn()
	again := h.ask("POST", h.link(true), before).Cookies()
	if before[0].Value == again[0].Value {
		t.Error("the session goes on under its old token")
	}
	if r := h.ask("GET", "/", before); r.StatusCode != http.StatusSeeOther || r.Header.Get("Location") != "/login" {
		t.Errorf("the old token: %d", r.StatusCode)
	}
	planted := []*http.Cookie{{Name: "imprimatur_session", Value: "planted"}}
	if got := h.ask("POST", h.link(true), planted).Cookies()[0].Value; got == "planted" {
		t.Error("a token that somebody else chose became a session")
	}
}

func TestSigningOutEndsTheSession(t *testing.T) {
	t.Parallel()
	h := newHouse(t, false)
	cookies := h.signIn()
	r := h.ask("POST", "/logout", cookies)
	if r.StatusCode != http.StatusSeeOther || r.Header.Get("Location") != "/login" || len(r.Cookies()) != 1 || r.Cookies()[0].MaxAge >= 0 {
		t.Errorf("%d %v", r.StatusCode, r.Cookies())
	}
	if r := h.ask("GET", "/", cookies); r.StatusCode != http.StatusSeeOther {
		t.Errorf("still signed in: %d", r.StatusCode)
	}
	if r := h.ask("GET", "/logout", cookies); r.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("a link signs out: %d", r.StatusCode)
	}
	if r := h.ask("POST", "/logout", nil); r.StatusCode != http.StatusSeeOther {
		t.Errorf("nobody signs out: %d", r.StatusCode)
	}
}

func TestASessionHasTheRightsOfNowAndEndsWithItsUser(t *testing.T) {
	t.Parallel()
	h := newHouse(t, false)
	cookies := h.signIn()
	yes, no := true, false
	if _, err := h.store.ChangeUser(t.Context(), h.jana.ID, store.UserChange{Admin: &yes}); err != nil {
		t.Fatal(err)
	}
	if h.ask("GET", "/", cookies); !h.came.User.Admin {
		t.Error("the session has the rights of yesterday")
	}
	if _, err := h.store.ChangeUser(t.Context(), h.jana.ID, store.UserChange{Enabled: &no}); err != nil {
		t.Fatal(err)
	}
	if r := h.ask("GET", "/", cookies); r.StatusCode != http.StatusSeeOther {
		t.Errorf("a disabled person comes in: %d", r.StatusCode)
	}
	if r := h.ask("POST", h.link(true), nil); r.StatusCode != http.StatusGone {
		t.Errorf("a disabled person signs in: %d", r.StatusCode)
	}
}

// Proves field 22.
func TestTokensOfEachKindAreWhoTheyAre(t *testing.T) {
	t.Parallel()
	h := newHouse(t, false)
	token := func(n store.NewToken) (id, secret string) {
		id, secret, err := h.store.CreateToken(t.Context(), n)
		if err != nil {
			t.Fatal(err)
		}
		return id, secret
	}
	_, person := token(store.NewToken{Kind: store.TokenPerson, User: h.jana.ID})
	_, agent := token(store.NewToken{Kind: store.TokenAgent, User: h.jana.ID, Tools: []string{"get_pagetree"}})
	_, service := token(store.NewToken{Kind: store.TokenService, Service: "ci", Scopes: []imprimatur.Scope{imprimatur.ScopeRead}})
	gone, revoked := token(store.NewToken{Kind: store.TokenPerson, User: h.jana.ID})
	if err := h.store.RevokeToken(t.Context(), gone); err != nil {
		t.Fatal(err)
	}
	cookies := h.signIn()
	for name, test := range map[string]struct {
		header     string
		credential imprimatur.Credential
		page       int
	}{
		"person": {"Bearer " + person, imprimatur.CredentialPerson, 200}, "lower case": {"bearer " + person, imprimatur.CredentialPerson, 200},
		"agent": {"Bearer " + agent, imprimatur.CredentialAgent, 403}, "service": {"Bearer " + service, imprimatur.CredentialService, 403},
		"revoked": {"Bearer " + revoked, "", 303}, "unknown": {"Bearer imp_p_x", "", 303}, "another scheme": {"Basic amFuYTp4", "", 303}, "nothing": {"Bearer", "", 303},
	} {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequest("GET", "/", nil)
			r.Header.Set("Authorization", test.header)
			r.Header.Set("Accept-Language", "de")
			r.AddCookie(cookies[0]) // a session is no second chance
			who, err := h.account.Authenticate(r)
			if who.Credential != test.credential || (err == nil) != (test.credential != "") || err == nil && who.Lang != "de" {
				t.Errorf("%+v, %v", who, err)
			}
			if got := h.ask("GET", "/", cookies, "Authorization", test.header).StatusCode; got != test.page {
				t.Errorf("page: %d, want %d", got, test.page)
			}
		})
	}
}

func TestAStoreThatFailsIsNotNobody(t *testing.T) {
	t.Parallel()
	h := newHouse(t, false)
	cookies := h.signIn()
	if err := h.store.Close(); err != nil {
		t.Fatal(err)
	}
	if r := h.ask("GET", "/", cookies); r.StatusCode != http.StatusInternalServerError {
		t.Errorf("%d", r.StatusCode)
	}
}

func TestTheLoginPageSaysHowToGetALink(t *testing.T) {
	t.Parallel()
	h := newHouse(t, false)
	for lang, want := range map[string]string{"en": "sign in with a link that works once", "de": "mit einem Link, der einmal gilt"} {
		r := h.ask("GET", "/login", nil, "Accept-Language", lang)
		if _, whole := text(t, r); r.StatusCode != http.StatusOK || !strings.Contains(whole, want) || !strings.Contains(whole, "imprimatur user link") {
			t.Errorf("%s: %d %s", lang, r.StatusCode, whole)
		}
	}
	if _, err := account.New(account.Config{}); err == nil {
		t.Error("an account without a store was accepted")
	}
}
