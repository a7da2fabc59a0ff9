package web_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"golang.org/x/net/html"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/internal/web"
)

var texts = sync.OnceValues(func() (*catalogue.Catalogue, error) { return catalogue.New() })

func words(t *testing.T) *catalogue.Catalogue {
	t.Helper()
	c, err := texts()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var tom = imprimatur.User{ID: 4, Name: "Tom Weiß", Enabled: true}

// patience is how long the bodies of these tests may take.
const patience = 200 * time.Millisecond

// stage is a site with one route that answers as a test says.
type stage struct {
	handler http.Handler
	actor   imprimatur.Actor
	auth    error
	answer  func(http.ResponseWriter, *http.Request, *web.Visit) error
	log     bytes.Buffer
}

func newStage(t *testing.T) *stage {
	t.Helper()
	s := &stage{
		actor:  imprimatur.Actor{Credential: imprimatur.CredentialSession, User: tom},
		answer: func(http.ResponseWriter, *http.Request, *web.Visit) error { return nil },
	}
	site, err := web.New(web.Config{
		URL: "https://desk.example/", Catalogue: words(t), Log: slog.New(slog.NewTextHandler(&s.log, nil)),
		Authenticate: func(*http.Request) (imprimatur.Actor, error) { return s.actor, s.auth },
		Patience:     patience,
	})
	if err != nil {
		t.Fatal(err)
	}
	handle := func(w http.ResponseWriter, r *http.Request, v *web.Visit) error { return s.answer(w, r, v) }
	mux := http.NewServeMux()
	site.Mount(mux, site.Routes()...)
	site.Mount(mux, web.Route{Pattern: "GET /page", Handle: handle}, web.Route{Pattern: "POST /page", Handle: handle}, web.Route{Pattern: "GET /open", Open: true, Handle: handle})
	mux.HandleFunc("/api/v1/runs", func(w http.ResponseWriter, r *http.Request) {
		if err := s.answer(w, r, nil); err != nil {
			site.Fail(w, r, err)
		}
	})
	s.handler = site.Guard(mux)
	return s
}

func (s *stage) ask(method, path string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, nil)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	return w
}

func (s *stage) fails(err error) {
	s.answer = func(http.ResponseWriter, *http.Request, *web.Visit) error { return err }
}

func title(t *testing.T, w *httptest.ResponseRecorder) string {
	t.Helper()
	page, err := html.Parse(strings.NewReader(w.Body.String()))
	if err != nil {
		t.Fatal(err)
	}
	for n := range page.Descendants() {
		if n.Data == "title" && n.FirstChild != nil {
			return n.FirstChild.Data
		}
	}
	return ""
}

// Proves runtime 222.
func TestEveryRefusalHasItsOwnAnswerInEveryLanguage(t *testing.T) {
	t.Parallel()
	for _, lang := range []string{"en", "de"} {
		said := map[string]imprimatur.Code{}
		for _, code := range imprimatur.Codes() {
			s := newStage(t)
			s.fails(fmt.Errorf("decide: %w", imprimatur.Refused(code, "r1")))
			w := s.ask("POST", "/api/v1/runs", "Accept-Language", lang)
			var p web.Problem
			if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil {
				t.Fatalf("%s: %v", code, err)
			}
			if w.Code != code.Status() || p.Status != w.Code || w.Header().Get("Content-Type") != "application/problem+json" {
				t.Errorf("%s: status %d, %s", code, w.Code, w.Header().Get("Content-Type"))
			}
			if want := "https://desk.example/docs/refusals/" + string(code); p.Type != want || p.Code() != code || p.Run != "r1" {
				t.Errorf("%s: type %q, run %q", code, p.Type, p.Run)
			}
			if other, twice := said[p.Detail]; twice || p.Detail == "" || p.Title == "" || strings.Contains(p.Detail, "refusal.") {
				t.Errorf("%s says %q, as does %s", code, p.Detail, other)
			}
			said[p.Detail] = code

			s.auth = &imprimatur.Refusal{Code: imprimatur.CodeUnauthenticated} // the pages are public
			doc := s.ask("GET", "/docs/refusals/"+string(code), "Accept-Language", lang)
			if doc.Code != http.StatusOK || !strings.Contains(doc.Body.String(), html.EscapeString(p.Title)) || doc.Header().Get("Content-Language") != lang {
				t.Errorf("%s: page %d in %q", code, doc.Code, doc.Header().Get("Content-Language"))
			}
		}
	}
}

func TestAnExplanationCanBeReadInAnotherLanguage(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	w := s.ask("GET", "/docs/refusals/finished?lang=de", "Accept-Language", "en")
	if !strings.HasPrefix(title(t, w), "Erklärt: Bereits beendet") {
		t.Errorf("title %q", title(t, w))
	}
	if w := s.ask("GET", "/docs/refusals/finished?lang=xx", "Accept-Language", "en"); w.Header().Get("Content-Language") != "en" {
		t.Errorf("language %q", w.Header().Get("Content-Language"))
	}
	if w := s.ask("GET", "/docs/refusals/nothing"); w.Code != http.StatusNotFound {
		t.Errorf("an unknown code: %d", w.Code)
	}
}

func TestAProblemCarriesCardAndDecider(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	at := imprimatur.Time{Time: time.Date(2026, 11, 30, 10, 58, 0, 0, time.UTC)}
	s.fails(&imprimatur.Refusal{
		Code: imprimatur.CodeAlreadyResuming, Run: "r1", Card: &imprimatur.Card{Run: "r1"}, Detail: "field \"x\" is odd",
		Decided: &imprimatur.Decided{By: imprimatur.By{ID: 9, Name: "P. Lang"}, Verdict: imprimatur.Approve, At: at},
	})
	var p web.Problem
	if err := json.Unmarshal(s.ask("POST", "/api/v1/runs").Body.Bytes(), &p); err != nil {
		t.Fatal(err)
	}
	if p.Card == nil || p.Card.Run != "r1" || p.Decided == nil || p.Decided.By.Name != "P. Lang" || !strings.HasPrefix(p.Detail, "field \"x\" is odd. ") {
		t.Errorf("%+v", p)
	}
	w := s.ask("GET", "/page")
	for _, want := range []string{"Approved by", "P. Lang", "30 Nov 2026", "field &#34;x&#34; is odd", `href="/runs/r1"`} {
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

func TestAFaultIsLoggedWholeAndToldToNobody(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.fails(errors.New("SELECT secret FROM /var/lib/x"))
	for _, path := range []string{"/api/v1/runs", "/page"} {
		w := s.ask("GET", path)
		if w.Code != http.StatusInternalServerError || strings.Contains(w.Body.String(), "SELECT") {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	if n := strings.Count(s.log.String(), "SELECT secret FROM /var/lib/x"); n != 2 {
		t.Errorf("logged %d times:\n%s", n, &s.log)
	}
	s.answer = func(http.ResponseWriter, *http.Request, *web.Visit) error { panic("SELECT again") }
	if w := s.ask("GET", "/page"); w.Code != http.StatusInternalServerError || strings.Contains(w.Body.String(), "SELECT") || !strings.Contains(s.log.String(), "SELECT again") {
		t.Errorf("a panic: %d", w.Code)
	}
}

func TestABodyThatIsTooLargeIsARefusal(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.fails(fmt.Errorf("read form: %w", &http.MaxBytesError{Limit: 1}))
	if w := s.ask("POST", "/page"); w.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("status %d", w.Code)
	}
}

func TestEveryAnswerTellsBrowsersWhatTheyMayNotDo(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for _, path := range []string{"/page", "/open", "/nowhere", "/api/v1/runs", "/docs/refusals/finished", "/asset/imprimatur.css"} {
		h := s.ask("GET", path).Header()
		for name, want := range map[string]string{
			"Content-Security-Policy":    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
			"X-Frame-Options":            "DENY",
			"Cross-Origin-Opener-Policy": "same-origin", "Referrer-Policy": "same-origin", "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store",
		} {
			if h.Get(name) != want {
				t.Errorf("%s: %s is %q", path, name, h.Get(name))
			}
		}
	}
}

func TestWhatComesFromAnotherSiteIsRefused(t *testing.T) {
	t.Parallel()
	reached := false
	s := newStage(t)
	s.answer = func(http.ResponseWriter, *http.Request, *web.Visit) error { reached = true; return nil }
	for _, headers := range [][]string{{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"}, {"Origin", "https://evil.example"}, {"Origin", "null"}} {
		for _, path := range []string{"/page", "/api/v1/runs"} {
			if w := s.ask("POST", path, headers...); w.Code != http.StatusForbidden || reached {
				t.Errorf("%v to %s: %d", headers, path, w.Code)
			}
		}
	}
	for _, headers := range [][]string{{"Sec-Fetch-Site", "same-origin"}, {"Origin", "http://example.com"}, nil} {
		reached = false
		if s.ask("POST", "/page", headers...); !reached {
			t.Errorf("%v was refused", headers)
		}
	}
}

func TestAddressesThatLeadNowhere(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	if w := s.ask("GET", "/nowhere"); w.Code != http.StatusNotFound || !strings.HasPrefix(title(t, w), "Problem: Not found") {
		t.Errorf("a page: %d %q", w.Code, title(t, w))
	}
	if w := s.ask("GET", "/api/v1/nothing"); w.Code != http.StatusNotFound || w.Header().Get("Content-Type") != web.ProblemType {
		t.Errorf("the API: %d %s", w.Code, w.Header().Get("Content-Type"))
	}
	if w := s.ask("DELETE", "/page"); w.Code != http.StatusMethodNotAllowed || !strings.Contains(w.Header().Get("Allow"), "POST") {
		t.Errorf("another method: %d, allowed %q", w.Code, w.Header().Get("Allow"))
	}
	for _, path := range []string{"/asset/seal.svg/x", "/asset/none.css", "/asset/..%2fpage%2frefusal.tmpl", "/asset/_frame.tmpl"} {
		if w := s.ask("GET", path); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}

func TestOpenPagesAreOpenAndOthersAreForPeople(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		actor             imprimatur.Actor
		auth              error
		get, post, public int
	}{
		"a session":       {imprimatur.Actor{Credential: imprimatur.CredentialSession, User: tom}, nil, 200, 200, 200},
		"a person token":  {imprimatur.Actor{Credential: imprimatur.CredentialPerson, User: tom}, nil, 200, 200, 200},
		"an agent":        {imprimatur.Actor{Credential: imprimatur.CredentialAgent, User: tom}, nil, 403, 403, 200},
		"a service":       {imprimatur.Actor{Credential: imprimatur.CredentialService, Service: "ci"}, nil, 403, 403, 200},
		"disabled":        {imprimatur.Actor{Credential: imprimatur.CredentialSession, User: imprimatur.User{ID: 4}}, nil, 403, 403, 200},
		"nobody":          {imprimatur.Actor{}, &imprimatur.Refusal{Code: imprimatur.CodeUnauthenticated}, 303, 401, 200},
		"the store fails": {imprimatur.Actor{}, errors.New("gone"), 500, 500, 500},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			s.actor, s.auth = test.actor, test.auth
			if got := [3]int{s.ask("GET", "/page").Code, s.ask("POST", "/page").Code, s.ask("GET", "/open").Code}; got != [3]int{test.get, test.post, test.public} {
				t.Errorf("%v", got)
			}
			if got := s.ask("HEAD", "/page").Code; got != test.get {
				t.Errorf("HEAD answers %d, GET %d", got, test.get)
			}
		})
	}
}

func TestLanguageIsTheSettingElseTheBrowsersElseEnglish(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ setting, header, want string }{
		{"de", "en", "de"}, {"de-AT", "en", "de"}, {"", "fr, de;q=0.8", "de"}, {"fr", "de", "de"}, {"fr", "", "en"}, {"", "", "en"},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Header.Set("Accept-Language", test.header)
		if got := web.Language(test.setting, r, []string{"de", "en"}); got != test.want {
			t.Errorf("setting %q, header %q: %q, want %q", test.setting, test.header, got, test.want)
		}
	}
}

func TestAssetsMayBeKeptUnderTheirVersion(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	page := s.ask("GET", "/docs/refusals/finished").Body.String()
	for file, kind := range map[string]string{"imprimatur.css": "text/css; charset=utf-8", "seal.svg": "image/svg+xml"} {
		_, rest, ok := strings.Cut(page, "/asset/"+file+"?v=")
		v, _, _ := strings.Cut(rest, `"`)
		w := s.ask("GET", "/asset/"+file+"?v="+v)
		if !ok || w.Code != http.StatusOK || w.Header().Get("Content-Type") != kind || !strings.Contains(w.Header().Get("Cache-Control"), "immutable") {
			t.Errorf("%s: %d %v", file, w.Code, w.Header())
		}
	}
	if got := s.ask("GET", "/asset/imprimatur.css?v=old").Header().Get("Cache-Control"); got != "no-store" {
		t.Errorf("another version may be kept: %q", got)
	}
	if n := len(s.ask("GET", "/asset/imprimatur.css").Body.Bytes()); n > 24<<10 {
		t.Errorf("the stylesheet has %d bytes", n)
	}
}

func TestTheStylesheetNeitherCutsTextsNorAsksOthers(t *testing.T) {
	t.Parallel()
	css := newStage(t).ask("GET", "/asset/imprimatur.css").Body.String()
	for _, word := range []string{"ellipsis", "line-clamp", "@import", "url(", "http"} {
		if strings.Contains(css, word) {
			t.Errorf("the stylesheet says %q", word)
		}
	}
	for _, want := range []string{"prefers-reduced-motion", "forced-colors", ":focus-visible", "light-dark("} {
		if !strings.Contains(css, want) {
			t.Errorf("the stylesheet lacks %q", want)
		}
	}
}

func TestNewRefusesWhatCannotWork(t *testing.T) {
	t.Parallel()
	nobody := func(*http.Request) (imprimatur.Actor, error) { return imprimatur.Actor{}, nil }
	for name, c := range map[string]web.Config{
		"no address": {Catalogue: words(t), Authenticate: nobody}, "not http": {URL: "ftp://x", Catalogue: words(t), Authenticate: nobody},
		"a path": {URL: "https://x/y", Catalogue: words(t), Authenticate: nobody}, "no texts": {URL: "https://x", Authenticate: nobody}, "no way in": {URL: "https://x", Catalogue: words(t)},
	} {
		if _, err := web.New(c); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
	if _, err := web.Parse(fstest.MapFS{"a.tmpl": {Data: []byte("{{")}}, "a.tmpl"); err == nil {
		t.Error("a broken template was accepted")
	}
	if _, err := web.Parse(fstest.MapFS{}, "a.tmpl"); err == nil {
		t.Error("a template that is not there was accepted")
	}
}

func TestAPageThatCannotBeRenderedIsAFault(t *testing.T) {
	t.Parallel()
	broken, err := web.Parse(fstest.MapFS{"a.tmpl": {Data: []byte(`{{define "main"}}<p>half{{.Nothing}}{{end}}`)}}, "a.tmpl")
	if err != nil {
		t.Fatal(err)
	}
	s := newStage(t)
	s.answer = func(w http.ResponseWriter, r *http.Request, v *web.Visit) error {
		return v.Render(w, r, http.StatusOK, broken, v.Page("x"))
	}
	if w := s.ask("GET", "/page"); w.Code != http.StatusInternalServerError || strings.Contains(w.Body.String(), "half") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}
