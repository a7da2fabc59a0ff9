package account_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/account"
	"github.com/imprimatur-dev/imprimatur/store"
)

const right = "correct horse battery"

// password gives Jana the right password.
func (h *house) password() {
	h.Helper()
	proof, err := account.NewPassword(right)
	if err != nil {
		h.Fatal(err)
	}
	if err := h.store.SetPassword(h.Context(), h.jana.ID, proof); err != nil {
		h.Fatal(err)
	}
}

func (h *house) login(form url.Values) *http.Response {
	h.Helper()
	r := httptest.NewRequest(http.MethodPost, "/login", strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := httptest.NewRecorder()
	h.handler.ServeHTTP(w, r)
	return w.Result()
}

func (h *house) as(password string) *http.Response {
	h.Helper()
	return h.login(url.Values{"name": {h.jana.Name}, "password": {password}})
}

func TestWhoKnowsNameAndPasswordIsSignedIn(t *testing.T) {
	t.Parallel()
	h := newHouse(t, true)
	h.password()
	r := h.login(url.Values{"name": {" " + h.jana.Name + " "}, "password": {right}, "next": {"/runs/r1"}})
	if r.StatusCode != http.StatusSeeOther || r.Header.Get("Location") != "/runs/r1" || len(r.Cookies()) != 1 || !strings.HasPrefix(r.Cookies()[0].Name, "__Host-") {
		t.Fatalf("%d to %q with %v", r.StatusCode, r.Header.Get("Location"), r.Cookies())
	}
	if h.ask("GET", "/", r.Cookies()); h.came.User.ID != h.jana.ID || h.came.Credential != imprimatur.CredentialSession {
		t.Errorf("%+v came in", h.came)
	}
}

// Whatever is wrong, the answer is the same, byte for byte but for the name.
func TestWhatIsWrongWithASignInIsNotSaid(t *testing.T) {
	t.Parallel()
	h := newHouse(t, false)
	h.password()
	off, yes := false, store.NewUser{Name: "Gone"}
	gone, err := h.store.AddUser(t.Context(), yes)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.store.AddUser(t.Context(), store.NewUser{Name: "Without"}); err != nil {
		t.Fatal(err)
	}
	proof, err := account.NewPassword(right)
	if err == nil {
		err = h.store.SetPassword(t.Context(), gone.ID, proof)
	}
	if err == nil {
		_, err = h.store.ChangeUser(t.Context(), gone.ID, store.UserChange{Enabled: &off})
	}
	if err != nil {
		t.Fatal(err)
	}
	var first string
	for _, c := range []struct{ name, password string }{
		{h.jana.Name, "wrong horse battery"},
		{h.jana.Name, ""},
		{"Nobody", right},
		{"Gone", right},
		{"Without", right},
		{"Without", ""},
		{"\x00", right},
		{h.jana.Name, strings.Repeat("x", 2000)},
	} {
		r := h.login(url.Values{"name": {c.name}, "password": {c.password}})
		_, whole := text(t, r)
		if first == "" {
			first = whole
		}
		if r.StatusCode != http.StatusUnprocessableEntity || len(r.Cookies()) > 0 || whole != first || !strings.Contains(whole, "Name or password is wrong") {
			t.Errorf("%q: %d %s", c.name, r.StatusCode, whole)
		}
	}
}

// After five failures each further one doubles the wait, whoever tries; the right
// password does not help meanwhile, and a link does.
func TestWhoFailsOftenWaits(t *testing.T) {
	t.Parallel()
	h := newHouse(t, false)
	h.password()
	for range 5 {
		if r := h.as("wrong horse battery"); r.StatusCode != http.StatusUnprocessableEntity {
			t.Fatalf("%d", r.StatusCode)
		}
	}
	for _, wait := range []time.Duration{time.Second, 2 * time.Second, 4 * time.Second} {
		if r := h.as(right); r.StatusCode != http.StatusTooManyRequests || r.Header.Get("Retry-After") == "" {
			t.Fatalf("before %s are over: %d", wait, r.StatusCode)
		}
		h.now = h.now.Add(wait)
		if r := h.as("wrong horse battery"); r.StatusCode != http.StatusUnprocessableEntity {
			t.Fatalf("after %s: %d", wait, r.StatusCode)
		}
	}
	if cookies := h.signIn(); len(cookies) != 1 {
		t.Error("a link no longer works")
	}
	h.now = h.now.Add(15 * time.Minute)
	if r := h.as(right); r.StatusCode != http.StatusSeeOther {
		t.Fatalf("the right one, later: %d", r.StatusCode)
	}
	if r := h.as("wrong horse battery"); r.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("what failed before still counts: %d", r.StatusCode)
	}
}

func TestManyTriesAtOnceAreNoMoreThanFive(t *testing.T) {
	t.Parallel()
	h := newHouse(t, false)
	h.password()
	counts := map[int]int{}
	var mu sync.Mutex
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			r := h.as("wrong horse battery")
			mu.Lock()
			defer mu.Unlock()
			counts[r.StatusCode]++
		})
	}
	all.Wait()
	if counts[http.StatusUnprocessableEntity] != 5 || counts[http.StatusTooManyRequests] != 15 {
		t.Errorf("%v", counts)
	}
}

func TestASignInLeadsNowhereElse(t *testing.T) {
	t.Parallel()
	h := newHouse(t, false)
	h.password()
	for _, next := range []string{"//evil.example", "https://evil.example", "/runs/../login", "/runs/\\\\evil", "/logout", "runs/r", "/runs/ r", "/runs/" + strings.Repeat("x", 600)} {
		r := h.login(url.Values{"name": {h.jana.Name}, "password": {right}, "next": {next}})
		if where := r.Header.Get("Location"); where != "/" {
			t.Errorf("%q leads to %q", next, where)
		}
	}
	for name, form := range map[string]url.Values{
		"a field too many": {"name": {"x"}, "password": {"y"}, "admin": {"1"}}, "a name twice": {"name": {"x", "z"}, "password": {"y"}},
	} {
		if r := h.login(form); r.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: %d", name, r.StatusCode)
		}
	}
}

func TestAPasswordIsLongEnoughAndNotTooLong(t *testing.T) {
	t.Parallel()
	for password, want := range map[string]error{
		"elevenchars": account.ErrShort, "twelve chars": nil, "ääääääääääää": nil, strings.Repeat("x", 1024): nil, strings.Repeat("x", 1025): account.ErrLong,
	} {
		proof, err := account.NewPassword(password)
		if !errors.Is(err, want) || (err == nil) != strings.HasPrefix(proof, "$argon2id$v=19$m=19456,t=2,p=1$") {
			t.Errorf("%d bytes: %q, %v", len(password), proof, err)
		}
	}
	one, err := account.NewPassword(right)
	if err != nil {
		t.Fatal(err)
	}
	if other, err := account.NewPassword(right); err != nil || one == other || strings.Contains(one, "horse") {
		t.Errorf("the same password gives the same proof, or is in it: %v", err)
	}
}
