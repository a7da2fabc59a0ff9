package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// shown is a demonstration that runs, as its first line describes it.
type shown struct {
	URL   string  `json:"url"`
	Users []guest `json:"users"`

	line string
	stop func() int
	rest *bytes.Buffer // what it printed behind the first line; complete once it ended
}

// show starts a demonstration and reads its first line.
func show(t *testing.T, args ...string) *shown {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	reader, writer := io.Pipe()
	var talk bytes.Buffer
	code := make(chan int, 1)
	go func() {
		a := &app{in: os.Stdin, out: writer, err: &talk, env: func(string) (string, bool) { return "", false }}
		code <- a.run(ctx, append([]string{"demo", "--no-open", "--json"}, args...))
		writer.Close()
	}()
	lines := bufio.NewReader(reader)
	first, err := lines.ReadString('\n')
	s := &shown{line: first, rest: &bytes.Buffer{}}
	if err == nil {
		d := json.NewDecoder(strings.NewReader(first))
		d.DisallowUnknownFields()
		err = d.Decode(s)
	}
	ended := false
	s.stop = func() int {
		if ended {
			return 0
		}
		ended = true
		cancel()
		_, _ = io.Copy(s.rest, lines)
		return <-code
	}
	t.Cleanup(func() { s.stop() })
	if err != nil {
		s.stop()
		t.Fatalf("first line %q: %v\n%s", first, err, &talk)
	}
	return s
}

// browser is somebody at a browser of their own.
func browser(t *testing.T) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &http.Client{Jar: jar}
}

func fetched(t *testing.T, c *http.Client, method, address string, header http.Header, form url.Values) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	if header != nil {
		r.Header = header
	}
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	answer, err := c.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(body)
}

// signIn uses a link as often as somebody likes.
func (s *shown) signIn(t *testing.T, user int) *http.Client {
	t.Helper()
	c := browser(t)
	if status, body := fetched(t, c, http.MethodPost, s.Users[user].SignIn, nil, url.Values{}); status != http.StatusOK {
		t.Fatalf("signing in: %d\n%s", status, body)
	}
	return c
}

// run finds the run of a kind in the folder of the demonstration.
func runOf(t *testing.T, dir, kind string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "runs.json"))
	if err != nil {
		t.Fatal(err)
	}
	runs := map[string]string{}
	if err := json.Unmarshal(data, &runs); err != nil || runs[kind] == "" {
		t.Fatalf("no run %s in %s: %v", kind, data, err)
	}
	return runs[kind]
}

var demoLine = regexp.MustCompile(`^\{"url":"http://127\.0\.0\.1:[0-9]+","users":\[(\{"id":[0-9]+,"name":"[^"]+","lang":"(de|en)","admin":(true|false),"sign_in":"http[^"]+","token":"imp_p_[^"]+"\},?){3}\]\}\n$`)

// Not parallel: it sets where temporary folders are made.
func TestDemoLeavesNothingBehind(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	s := show(t, "--lang", "de")
	if !demoLine.MatchString(s.line) {
		t.Errorf("first line %q", s.line)
	}
	if there, err := os.ReadDir(temporary); err != nil || len(there) != 1 {
		t.Errorf("while it runs: %v %v", there, err)
	}
	if u := s.Users; u[0].Lang != "de" || u[0].Admin || u[1].Lang != "en" || u[1].Admin || u[2].Lang != "de" || !u[2].Admin {
		t.Errorf("people: %+v", u)
	}
	if code := s.stop(); code != exitOK || s.rest.Len() > 0 {
		t.Errorf("exit code %d, printed %q", code, s.rest)
	}
	if there, err := os.ReadDir(temporary); err != nil || len(there) != 0 {
		t.Errorf("left behind: %v %v", there, err)
	}
}

func TestDemoShowsABounceInTheBrowser(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := show(t, "--data", dir)
	s.signIn(t, 1)
	alice := s.signIn(t, 1) // the link works again
	run := s.URL + "/runs/" + runOf(t, dir, "relative")

	status, page := fetched(t, alice, http.MethodGet, s.URL+"/", nil, nil)
	if status != http.StatusOK || !strings.Contains(page, "This is the demonstration.") {
		t.Errorf("inbox: %d\n%s", status, page)
	}
	status, page = fetched(t, alice, http.MethodGet, run, nil, nil)
	if status != http.StatusOK || !strings.Contains(page, "Change it as Thore Lund") || !strings.Contains(page, "derzeit 0, danach 1") && !strings.Contains(page, "danach") {
		t.Errorf("card: %d\n%s", status, page)
	}
	decision := url.Values{"verdict": {"approve"}}
	for _, name := range []string{"turn_digest", "picture_digest"} {
		m := regexp.MustCompile(`name="` + name + `" value="([^"]+)"`).FindStringSubmatch(page)
		if m == nil {
			t.Fatalf("the card has no %s:\n%s", name, page)
		}
		decision.Set(name, m[1])
	}
	status, page = fetched(t, alice, http.MethodPost, s.URL+"/demo/change", nil, url.Values{"run": {runOf(t, dir, "relative")}})
	if status != http.StatusOK || !strings.Contains(page, "Thore Lund has just added a picture") {
		t.Errorf("after the change: %d\n%s", status, page)
	}
	status, page = fetched(t, alice, http.MethodPost, run+"/decide", nil, decision)
	if status != http.StatusOK || !strings.Contains(page, "The card is back because the record changed.") {
		t.Errorf("after the approval: %d\n%s", status, page)
	}
}

func TestDemoChangesNothingForStrangers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := show(t, "--data", dir)
	run := runOf(t, dir, "relative")
	card := func() string {
		_, body := fetched(t, browser(t), http.MethodGet, s.URL+"/api/v1/runs/"+run+"/card", http.Header{"Authorization": {"Bearer " + s.Users[2].Token}}, nil)
		return body
	}
	before := card()
	if !strings.Contains(before, "lighthouse.png") {
		t.Fatalf("the token does not show the card: %s", before)
	}
	form := url.Values{"run": {run}}
	alice := s.signIn(t, 1)
	for name, test := range map[string]struct {
		client *http.Client
		method string
		header http.Header
		form   url.Values
		want   int
	}{
		"nobody":          {browser(t), http.MethodPost, http.Header{}, form, http.StatusUnauthorized},
		"another site":    {alice, http.MethodPost, http.Header{"Sec-Fetch-Site": {"cross-site"}}, form, http.StatusForbidden},
		"foreign origin":  {alice, http.MethodPost, http.Header{"Origin": {"https://elsewhere.example"}}, form, http.StatusForbidden},
		"by a link":       {alice, http.MethodGet, http.Header{}, nil, http.StatusMethodNotAllowed},
		"no run":          {alice, http.MethodPost, http.Header{}, url.Values{}, http.StatusNotFound},
		"a run too many":  {alice, http.MethodPost, http.Header{}, url.Values{"run": {strings.Repeat("x", 8<<10)}}, http.StatusRequestEntityTooLarge},
		"nothing there":   {alice, http.MethodPost, http.Header{}, url.Values{"run": {runOf(t, dir, "failed")}}, http.StatusBadRequest},
		"decided already": {alice, http.MethodPost, http.Header{}, url.Values{"run": {runOf(t, dir, "written")}}, http.StatusConflict},
	} {
		if status, body := fetched(t, test.client, test.method, s.URL+"/demo/change", test.header, test.form); status != test.want {
			t.Errorf("%s: %d, want %d\n%s", name, status, test.want, body)
		}
	}
	if after := card(); after != before {
		t.Errorf("the card is another one now:\n%s", after)
	}
}

func TestDemoGoesOnWithItsFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first := show(t, "--data", dir)
	run := runOf(t, dir, "hostile")
	old := first.Users[1].Token
	if code := first.stop(); code != exitOK {
		t.Fatalf("exit code %d", code)
	}
	second := show(t, "--data", dir)
	if got := runOf(t, dir, "hostile"); got != run {
		t.Errorf("run %s, then %s", run, got)
	}
	status, body := fetched(t, second.signIn(t, 0), http.MethodGet, second.URL+"/", nil, nil)
	if status != http.StatusOK || !strings.Contains(body, "Das ist die Vorführung.") || strings.Count(body, run) == 0 {
		t.Errorf("inbox of the editor: %d\n%s", status, body)
	}
	status, _ = fetched(t, browser(t), http.MethodGet, second.URL+"/api/v1/runs", http.Header{"Authorization": {"Bearer " + old}}, nil)
	if status != http.StatusUnauthorized {
		t.Errorf("a token of the first demonstration: %d", status)
	}
	link := second.URL + strings.TrimPrefix(first.Users[1].SignIn, first.URL)
	if status, _ = fetched(t, browser(t), http.MethodPost, link, nil, nil); status == http.StatusOK {
		t.Error("a link of the first demonstration still signs in")
	}
}

// Two at once would work on one folder.
func TestDemoHasItsFolderForItself(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	show(t, "--data", dir)
	var out, talk bytes.Buffer
	a := &app{in: os.Stdin, out: &out, err: &talk, env: func(string) (string, bool) { return "", false }}
	if code := a.run(t.Context(), []string{"demo", "--no-open", "--json", "--data", dir}); code != exitError || out.Len() > 0 || talk.Len() == 0 {
		t.Errorf("exit code %d, printed %q and %q", code, &out, &talk)
	}
}

func TestDemoTellsPeopleHowToGetIn(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	var talk bytes.Buffer
	out := &gate{want: "entfernt alles.", reached: cancel}
	a := &app{in: os.Stdin, out: out, err: &talk, env: func(string) (string, bool) { return "", false }}
	if code := a.run(ctx, []string{"demo", "--lang", "de"}); code != exitOK {
		t.Fatalf("exit code %d: %s", code, &talk)
	}
	said := out.String()
	for _, want := range []string{"Hafenmuseum Ebbenholm", "Wiebke Harms", "/login/", "„Change it as Thore Lund“", "models: {local:", "imprimatur serve", "curl "} {
		if !strings.Contains(said, want) {
			t.Errorf("it does not say %q:\n%s", want, said)
		}
	}
	if n := strings.Count(said, "/login/"); n != 3 {
		t.Errorf("%d links", n)
	}
}

// gate collects what is printed, and says when a text was.
type gate struct {
	bytes.Buffer
	want    string
	reached func()
}

func (g *gate) Write(b []byte) (int, error) {
	n, err := g.Buffer.Write(b)
	if strings.Contains(g.String(), g.want) {
		g.reached()
	}
	return n, err
}

// Proves runtime 236.
func TestDemoSpeaksALanguageThatIsDroppedIn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := show(t, "--data", dir, "--catalogues", filepath.Join("..", "..", "languages"))
	if len(s.Users) != 4 || s.Users[3].Lang != "fr" {
		t.Fatalf("people: %+v", s.Users)
	}
	french := s.signIn(t, 3)
	status, page := fetched(t, french, http.MethodGet, s.URL+"/", nil, nil)
	if status != http.StatusOK || !strings.Contains(page, `lang="fr"`) || !strings.Contains(page, "exécutions atten"+"dent une décision") {
		t.Errorf("inbox: %d\n%s", status, page)
	}
	status, page = fetched(t, french, http.MethodGet, s.URL+"/runs/"+runOf(t, dir, "foreign"), nil, nil)
	for _, want := range []string{"Modifier les métadonnées d’une page", "Méta-description", "When the museum is open. Guided tours in French every Sunday.", "Approuver"} {
		if status != http.StatusOK || !strings.Contains(page, want) {
			t.Errorf("the card does not say %q: %d\n%s", want, status, page)
		}
	}
	if strings.Contains(page, "U+00A0") || strings.Contains(page, "U+202F") {
		t.Errorf("the typography of the language stands out:\n%s", page)
	}
	// What others wrote is read in the language that it was written in.
	status, page = fetched(t, french, http.MethodGet, s.URL+"/runs/"+runOf(t, dir, "relative"), nil, nil)
	if status != http.StatusOK || !strings.Contains(page, "derzeit 0, danach 1") || !strings.Contains(page, "Approuver") {
		t.Errorf("a German card: %d\n%s", status, page)
	}
}

func TestDemoNamesAFolderOfLanguagesThatIsNotThere(t *testing.T) {
	t.Parallel()
	var out, talk bytes.Buffer
	a := &app{in: os.Stdin, out: &out, err: &talk, env: func(string) (string, bool) { return "", false }}
	code := a.run(t.Context(), []string{"demo", "--no-open", "--json", "--data", t.TempDir(), "--catalogues", "nowhere"})
	if code != exitError || out.Len() > 0 || !strings.Contains(talk.String(), "--catalogues: nowhere: no such file or directory") {
		t.Errorf("exit code %d, printed %q and %q", code, &out, &talk)
	}
}
