package inbox_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/inbox"
)

func approval() url.Values {
	return url.Values{"verdict": {"approve"}, "turn_digest": {"turn-digest"}, "picture_digest": {"picture-digest"}, "reason": {""}}
}

func denial(reason string) url.Values {
	f := approval()
	f.Set("verdict", "deny")
	f.Set("reason", reason)
	return f
}

// follow posts a form and opens the page it leads to, as a browser does.
func follow(t *testing.T, s *site, path string, form url.Values) answer {
	t.Helper()
	a := s.post(path, form)
	if a.StatusCode != http.StatusSeeOther {
		t.Fatalf("status %d: %s", a.StatusCode, a.text)
	}
	to, fragment, _ := strings.Cut(a.Header.Get("Location"), "#")
	if fragment != "outcome" {
		t.Errorf("the browser goes to %q", a.Header.Get("Location"))
	}
	s.cookies = a.Cookies()
	return s.get(to)
}

func ended(status imprimatur.Status) func(string, imprimatur.Decision) (imprimatur.Run, error) {
	return func(run string, _ imprimatur.Decision) (imprimatur.Run, error) {
		return imprimatur.Run{ID: run, Status: status}, nil
	}
}

// Proves tools 126; field 7.
func TestTheFormIsTheDecisionAndNothingElse(t *testing.T) {
	t.Parallel()
	with := func(f url.Values, name, value string) url.Values {
		f.Set(name, value)
		return f
	}
	for name, test := range map[string]struct {
		form url.Values
		want imprimatur.Decision
	}{
		"approve": {approval(), imprimatur.Decision{Verdict: imprimatur.Approve, TurnDigest: "turn-digest", PictureDigest: "picture-digest"}},
		"approve with a reason begun and left": {
			with(denial("no"), "verdict", "approve"),
			imprimatur.Decision{Verdict: imprimatur.Approve, TurnDigest: "turn-digest", PictureDigest: "picture-digest"},
		},
		"deny": {denial(" wrong\r\nsection "), imprimatur.Decision{Verdict: imprimatur.Deny, TurnDigest: "turn-digest", PictureDigest: "picture-digest", Reason: "wrong\nsection"}},
		"deny and let it try again": {
			with(denial(""), "retry", "yes"),
			imprimatur.Decision{Verdict: imprimatur.Deny, TurnDigest: "turn-digest", PictureDigest: "picture-digest", Retry: true},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := &desk{decide: ended(imprimatur.StatusCompleted)}
			s := newSite(t, d, session(petra), func(c *inbox.Config) { c.Wait = 3 * time.Second })
			if a := s.post("/runs/r/decide", test.form); a.StatusCode != http.StatusSeeOther {
				t.Fatalf("status %d", a.StatusCode)
			}
			if diff := cmp.Diff(test.want, d.decision); diff != "" {
				t.Error(diff)
			}
			if d.wait.For != 3*time.Second {
				t.Errorf("waited %v", d.wait.For)
			}
		})
	}
}

// Proves field 7.
func TestAFormThatSaysMoreOrLessDecidesNothing(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		form   string
		media  string
		status int
	}{
		"arguments":       {"verdict=approve&turn_digest=a&arguments=%7B%7D", "application/x-www-form-urlencoded", 400},
		"a field twice":   {"verdict=deny&verdict=approve&turn_digest=a", "application/x-www-form-urlencoded", 400},
		"no verdict":      {"turn_digest=a", "application/x-www-form-urlencoded", 400},
		"another verdict": {"verdict=yes&turn_digest=a", "application/x-www-form-urlencoded", 400},
		"bad encoding":    {"verdict=%zz", "application/x-www-form-urlencoded", 400},
		"bad UTF-8":       {"verdict=deny&reason=%ff", "application/x-www-form-urlencoded", 400},
		"JSON":            {`{"verdict":"approve"}`, "application/json", 415},
		"no media type":   {"verdict=approve", "", 415},
		"too large":       {"verdict=deny&reason=" + strings.Repeat("x", 70_000), "application/x-www-form-urlencoded", 413},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := &desk{}
			s := newSite(t, d, session(petra))
			r := httptest.NewRequest(http.MethodPost, "/runs/r/decide", strings.NewReader(test.form))
			if test.media != "" {
				r.Header.Set("Content-Type", test.media)
			}
			a := s.do(r)
			if a.StatusCode != test.status {
				t.Errorf("status %d, want %d", a.StatusCode, test.status)
			}
			checkPage(t, a, "en")
			if d.count("decide") != 0 {
				t.Error("something was decided")
			}
		})
	}
}

func TestADecisionFromAnotherSiteIsRefused(t *testing.T) {
	t.Parallel()
	for _, headers := range []map[string]string{{"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://evil.example"}} {
		d := &desk{}
		s := newSite(t, d, session(petra))
		r := httptest.NewRequest(http.MethodPost, "/runs/r/decide", strings.NewReader(approval().Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		for name, value := range headers {
			r.Header.Set(name, value)
		}
		if a := s.do(r); a.StatusCode != http.StatusForbidden || d.count("decide") != 0 {
			t.Errorf("%v: status %d", headers, a.StatusCode)
		}
	}
}

// Proves tools 126, 130, 144; runtime 231.
func TestWhatCameOfADecisionIsSaidOnce(t *testing.T) {
	t.Parallel()
	back := func(run string, _ imprimatur.Decision) (imprimatur.Run, error) {
		return imprimatur.Run{ID: run, Status: imprimatur.StatusWaiting, Back: true, Stale: []imprimatur.Mark{{Kind: imprimatur.MarkChanged}}}, nil
	}
	moved := func(run string, _ imprimatur.Decision) (imprimatur.Run, error) {
		return imprimatur.Run{ID: run, Status: imprimatur.StatusWaiting, Back: true, Stale: []imprimatur.Mark{{Kind: imprimatur.MarkMoved}}}, nil
	}
	for name, test := range map[string]struct {
		form   url.Values
		decide func(string, imprimatur.Decision) (imprimatur.Run, error)
		want   string
	}{
		"approved, finished": {approval(), ended(imprimatur.StatusCompleted), "Approved. The agent has finished"},
		"approved, failed":   {approval(), ended(imprimatur.StatusFailed), "You approved, but the run broke off"},
		"approved, running":  {approval(), ended(imprimatur.StatusRunning), "Approved. The agent goes on"},
		"approved, next":     {approval(), ended(imprimatur.StatusWaiting), "already waiting with its next step"},
		"back":               {approval(), back, "Nothing was written: the run is back again. The card says why."},
		"back on the way":    {approval(), moved, "back again before everything was done"},
		"denied, finished":   {denial("x"), ended(imprimatur.StatusCompleted), "Denied. Nothing was written; the agent was told"},
		"denied, running":    {denial("x"), ended(imprimatur.StatusRunning), "Denied. Nothing was written; the agent is told"},
		"denied, next":       {denial("x"), ended(imprimatur.StatusWaiting), "already waiting with another step"},
		"denied, failed":     {denial("x"), ended(imprimatur.StatusFailed), "the run then broke off"},
		"cancelled":          {approval(), ended(imprimatur.StatusCancelled), "The run is cancelled"},
		"nobody knows":       {approval(), ended("half done"), "What came of your decision is not known"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := &desk{decide: test.decide, cards: map[string]imprimatur.Card{"r": edit(t, "r", "en"), "other": edit(t, "other", "en")}}
			s := newSite(t, d, session(petra))
			a := follow(t, s, "/runs/r/decide", test.form)
			checkPage(t, a, "en")
			note := one(t, a.page, func(n *html.Node) bool { return attr(n, "id") == "outcome" })
			if !strings.Contains(content(note), test.want) || attr(note, "role") != "status" || attr(note, "tabindex") != "-1" {
				t.Errorf("the page says %q, want %q", content(note), test.want)
			}
			if left := a.Cookies(); len(left) != 1 || left[0].MaxAge >= 0 {
				t.Errorf("the note is not forgotten: %v", left)
			}
			if strings.Contains(s.get("/runs/other").text, `id="outcome"`) {
				t.Error("another run shows the note")
			}
			s.cookies = nil
			if strings.Contains(s.get("/runs/r").text, `id="outcome"`) {
				t.Error("the note is said again")
			}
		})
	}
}

func TestANoteThatABrowserMadeUpIsNotShown(t *testing.T) {
	t.Parallel()
	s := newSite(t, &desk{cards: map[string]imprimatur.Card{"r": edit(t, "r", "en")}}, session(petra))
	for _, value := range []string{"x", "e30", "eyJydW4iOiJyIiwia2luZCI6IngifQ", "eyJydW4iOiJyIiwiY29kZSI6IngifQ"} {
		s.cookies = []*http.Cookie{{Name: "imprimatur_note", Value: value}}
		if a := s.get("/runs/r"); a.StatusCode != http.StatusOK || strings.Contains(a.text, `id="outcome"`) {
			t.Errorf("%s: status %d", value, a.StatusCode)
		}
	}
}

// Proves field 27.
func TestEveryRefusedDecisionHasItsOwnSentence(t *testing.T) {
	t.Parallel()
	said := map[string]imprimatur.Code{}
	for _, code := range imprimatur.Codes() {
		d := &desk{
			cards: map[string]imprimatur.Card{"r": edit(t, "r", "en")},
			decide: func(run string, _ imprimatur.Decision) (imprimatur.Run, error) {
				return imprimatur.Run{}, imprimatur.Refused(code, run)
			},
		}
		a := newSite(t, d, session(petra)).post("/runs/r/decide", denial("my reason"))
		checkPage(t, a, "en")
		if a.StatusCode != code.Status() {
			t.Errorf("%s: status %d, want %d", code, a.StatusCode, code.Status())
		}
		note := content(one(t, a.page, func(n *html.Node) bool { return attr(n, "id") == "outcome" }))
		if other, twice := said[note]; twice {
			t.Errorf("%s and %s say the same: %s", code, other, note)
		}
		said[note] = code
		if typed := one(t, a.page, element("textarea")); content(typed) != "my reason" || !has(one(t, a.page, class("deny")), "open") {
			t.Errorf("%s: what was typed is lost", code)
		}
	}
}

// Proves field 25, 28.
func TestWhoIsTooLateLearnsWhoDecided(t *testing.T) {
	t.Parallel()
	for _, code := range []imprimatur.Code{imprimatur.CodeNotWaiting, imprimatur.CodeAlreadyResuming} {
		card := everyCard(t, "en")["record: approve"]
		d := &desk{cards: map[string]imprimatur.Card{"r": card}, decide: func(run string, _ imprimatur.Decision) (imprimatur.Run, error) {
			return imprimatur.Run{}, imprimatur.Refused(code, run)
		}}
		a := follow(t, newSite(t, d, session(petra)), "/runs/r/decide", approval())
		note := one(t, a.page, func(n *html.Node) bool { return attr(n, "id") == "outcome" })
		if got, want := content(note), "Tom Weiß was faster and approved this on 30 Nov 2026, 11:59. Your own decision wrote nothing."; got != want {
			t.Errorf("%s: %q, want %q", code, got, want)
		}
	}
}

func TestWhoDecidesTwiceIsNotToldOfSomebodyFaster(t *testing.T) {
	t.Parallel()
	for verdict, want := range map[imprimatur.Verdict]string{
		imprimatur.Approve: "You had already approved this on 30 Nov 2026, 11:59. This second time had no effect.",
		imprimatur.Deny:    "You had already denied this on 30 Nov 2026, 11:59. This second time had no effect.",
	} {
		card := everyCard(t, "en")["record: "+string(verdict)]
		card.Decided.By = imprimatur.By{ID: petra.ID, Name: petra.Name}
		d := &desk{cards: map[string]imprimatur.Card{"r": card}, decide: func(run string, _ imprimatur.Decision) (imprimatur.Run, error) {
			return imprimatur.Run{}, imprimatur.Refused(imprimatur.CodeNotWaiting, run)
		}}
		a := follow(t, newSite(t, d, session(petra)), "/runs/r/decide", approval())
		if got := content(one(t, a.page, func(n *html.Node) bool { return attr(n, "id") == "outcome" })); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestATooLongReasonIsKeptAndNothingIsDecided(t *testing.T) {
	t.Parallel()
	d := &desk{cards: map[string]imprimatur.Card{"r": edit(t, "r", "en")}}
	reason := strings.Repeat("ä", imprimatur.MaxReason+1)
	form := denial(reason)
	form.Set("retry", "yes")
	a := newSite(t, d, session(petra)).post("/runs/r/decide", form)
	checkPage(t, a, "en")
	if a.StatusCode != http.StatusUnprocessableEntity || d.count("decide") != 0 {
		t.Fatalf("status %d", a.StatusCode)
	}
	field := one(t, a.page, element("textarea"))
	if content(field) != reason || attr(field, "aria-invalid") != "true" || !strings.Contains(attr(field, "aria-describedby"), "reason-error") {
		t.Error("what was typed is lost, or not marked")
	}
	inOrder(t, body(t, a), "The reason has 2001 characters; up to 2000 are allowed", "Nothing has been decided yet")
	if !has(one(t, a.page, func(n *html.Node) bool { return attr(n, "name") == "retry" }), "checked") {
		t.Error("the box is empty again")
	}
	d.decide = ended(imprimatur.StatusCompleted)
	if a := newSite(t, d, session(petra)).post("/runs/r/decide", denial(reason[:len("ä")*imprimatur.MaxReason])); a.StatusCode != http.StatusSeeOther {
		t.Errorf("a reason of exactly %d characters: status %d", imprimatur.MaxReason, a.StatusCode)
	}
}

func TestAFaultIsAnsweredWithoutItsText(t *testing.T) {
	t.Parallel()
	secret := errors.New("SELECT password FROM /var/lib/imprimatur.db")
	d := &desk{
		cards:  map[string]imprimatur.Card{"r": edit(t, "r", "en")},
		decide: func(string, imprimatur.Decision) (imprimatur.Run, error) { return imprimatur.Run{}, secret },
		cancel: func(string) (imprimatur.Run, error) { return imprimatur.Run{}, secret },
	}
	s := newSite(t, d, session(petra))
	pages := []answer{s.post("/runs/r/decide", approval()), s.post("/runs/r/cancel", nil)}
	d.fault = secret
	pages = append(pages, s.get("/runs/r"), s.get("/runs/r/arguments/0"))
	for _, a := range pages {
		if a.StatusCode != http.StatusInternalServerError || strings.Contains(a.text, "SELECT") || strings.Contains(a.text, "/var") {
			t.Errorf("status %d: %s", a.StatusCode, a.text)
		}
		checkPage(t, a, "en")
	}
}

func TestARunCanBeCancelled(t *testing.T) {
	t.Parallel()
	d := &desk{runs: map[string]imprimatur.Run{"r": everyRun()["running"]}, cancel: func(run string) (imprimatur.Run, error) {
		return imprimatur.Run{ID: run, Status: imprimatur.StatusCancelled}, nil
	}}
	s := newSite(t, d, session(petra))
	one(t, s.get("/runs/r").page, func(n *html.Node) bool { return attr(n, "action") == "/runs/r/cancel" })
	d.runs["r"] = everyRun()["cancelled"]
	inOrder(t, body(t, follow(t, s, "/runs/r/cancel", nil)), "The run is cancelled. Nothing more will be written.", "Cancelled")
	gone := everyRun()["cancelled"]
	gone.Reason, gone.Calls, gone.Tools = imprimatur.ReasonCancelled, 1, []string{"update_page_metadata"}
	d.runs["r"] = gone
	inOrder(t, body(t, s.get("/runs/r")), "Cancelled", "1 call", "Change page metadata", "What came of it", "Somebody cancelled the run.")
	gone.Calls, gone.Tools = 2, []string{"update_page_metadata", "shout"}
	d.runs["r"] = gone
	inOrder(t, body(t, s.get("/runs/r")), "Cancelled", "2 calls", "2 calls in one step", "Somebody cancelled the run.")
	d.cancel = func(run string) (imprimatur.Run, error) {
		return imprimatur.Run{}, imprimatur.Refused(imprimatur.CodeFinished, run)
	}
	inOrder(t, body(t, follow(t, s, "/runs/r/cancel", nil)), "This run is over, so it can no longer be cancelled. Nothing changed.")
}

func TestWhatSomebodyMayNotSeeIsNotThere(t *testing.T) {
	t.Parallel()
	s := newSite(t, &desk{}, session(petra))
	a := s.get("/runs/elsewhere")
	checkPage(t, a, "en")
	if a.StatusCode != http.StatusNotFound {
		t.Errorf("status %d", a.StatusCode)
	}
	if strings.Contains(a.text, `href="/runs/elsewhere"`) {
		t.Error("the page leads to itself")
	}
	unknown := s.get("/nowhere")
	if unknown.StatusCode != http.StatusNotFound || !strings.Contains(unknown.text, "There is nothing here, or nothing that you may see") {
		t.Errorf("an unknown address: %d", unknown.StatusCode)
	}
}

// Proves field 22.
func TestOnlyPeopleReachThePages(t *testing.T) {
	t.Parallel()
	d := &desk{cards: map[string]imprimatur.Card{"r": edit(t, "r", "en")}}
	agent := imprimatur.Actor{Credential: imprimatur.CredentialAgent, User: petra, Token: "t"}
	service := imprimatur.Actor{Credential: imprimatur.CredentialService, Service: "ci", Scopes: imprimatur.Scopes()}
	for _, who := range []imprimatur.Actor{agent, service} {
		s := newSite(t, d, who)
		for _, a := range []answer{s.get("/"), s.get("/runs/r"), s.get("/runs/r/arguments/0"), s.post("/runs/r/decide", approval()), s.post("/runs/r/cancel", nil)} {
			if a.StatusCode != http.StatusForbidden {
				t.Errorf("%s: status %d", who.Credential, a.StatusCode)
			}
		}
	}
	nobody := newSite(t, d, imprimatur.Actor{})
	nobody.auth = &imprimatur.Refusal{Code: imprimatur.CodeUnauthenticated}
	if a := nobody.get("/runs/r"); a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/login?next=%2Fruns%2Fr" {
		t.Errorf("nobody: %d %s", a.StatusCode, a.Header.Get("Location"))
	}
	if a := nobody.post("/runs/r/decide", approval()); a.StatusCode != http.StatusUnauthorized {
		t.Errorf("nobody decides: %d", a.StatusCode)
	}
	if len(d.asked) != 0 {
		t.Errorf("the engine was asked: %v", d.asked)
	}
}

func TestTheStripPostsTheRunToItsOwner(t *testing.T) {
	t.Parallel()
	d := &desk{cards: map[string]imprimatur.Card{"r": edit(t, "r", "en")}}
	s := newSite(t, d, session(petra), func(c *inbox.Config) {
		c.Strip = func(_ context.Context, who imprimatur.Actor, run string) (inbox.Strip, bool) {
			return inbox.Strip{Text: "Try <this>, " + who.User.Name, Action: "/demo/change", Button: "Change it"}, run != ""
		}
	})
	a := s.get("/runs/r")
	checkPage(t, a, "en")
	strip := one(t, a.page, class("strip"))
	form := one(t, strip, element("form"))
	if content(strip) != "Try <this>, Petra LangChange it" || attr(form, "action") != "/demo/change" || attr(one(t, form, element("input")), "value") != "r" {
		t.Errorf("the strip: %s", content(strip))
	}
	if len(all(s.get("/").page, class("strip"))) != 0 {
		t.Error("the list has a strip")
	}
}
