package main

import (
	"bufio"
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/internal/pgtest"
	"github.com/imprimatur-dev/imprimatur/store"
)

const nodeConfig = `
listen: 127.0.0.1:0
seal: none
content: {storages: {media: ./media}}
models:
  desk: {kind: scripted, script: ./script.yaml}
tools:
  editorial: {enabled: true}
agents:
  editor: {model: desk, system: You edit a website.}
`

const nodeScript = `
- turns:
    - calls: [{tool: update_page_metadata, arguments: {uid: 1, description: Open on Mondays}}]
    - text: It is written.
`

const nodeExport = `<?xml version="1.0" encoding="utf-8" standalone="yes" ?>
<T3RecordDocument><records type="array">
<tablerow index="pages:1" type="array"><fieldlist index="data" type="array"><field index="uid" type="integer">1</field><field index="pid" type="integer">0</field><field index="doktype" type="integer">1</field><field index="title">Museum</field><field index="slug">/</field></fieldlist></tablerow>
</records></T3RecordDocument>
`

// newNodes fills a new PostgreSQL by commands and serves it twice.
func newNodes(t *testing.T) (here, there *site, config string) {
	t.Helper()
	here = &site{t: t, dir: t.TempDir(), tokens: map[string]string{}}
	// The address of the server is free until it serves; links need one before.
	database := "database: " + pgtest.Start(t)
	config = here.file("imprimatur.yaml", database+nodeConfig)
	here.file("link.yaml", database+nodeConfig+"url: http://desk.test\n")
	here.file("script.yaml", nodeScript)
	here.command("user", "add", "anna", "--admin", "--config", config)
	here.command("content", "import", here.file("export.xml", nodeExport), "--owner", "anna", "--config", config)
	here.tokens["anna"] = here.command("token", "create", "--user", "anna", "--config", config)
	there = &site{t: t, dir: here.dir, tokens: here.tokens}
	here.serve(config)
	there.serve(config)
	return here, there, config
}

// hears follows what changes on a server, as one who is signed in.
func (s *site) hears(ctx context.Context, c *http.Client) <-chan string {
	s.t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+"/api/v1/events", nil)
	if err != nil {
		s.t.Fatal(err)
	}
	res, err := c.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	lines := bufio.NewScanner(res.Body)
	if !lines.Scan() {
		s.t.Fatalf("the stream of changes did not begin: %d, %v", res.StatusCode, lines.Err())
	}
	heard := make(chan string)
	go func() {
		defer res.Body.Close()
		defer close(heard)
		for lines.Scan() {
			if id, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				select {
				case heard <- id:
				case <-ctx.Done():
					return
				}
			}
		}
	}()
	return heard
}

// Somebody signs in at one server. Their session holds at the other, where the
// card of a run appears that the first server began, the news of it comes by
// itself, and the approval is taken. The write is there for both.
func TestTwoServersOnOnePostgreSQLAreOneDesk(t *testing.T) {
	t.Parallel()
	here, there, config := newNodes(t)
	c := browser(t)
	link := here.command("user", "link", "anna", "--config", filepath.Join(here.dir, "link.yaml"))
	if status, body := fetched(t, c, http.MethodPost, here.url+link[strings.Index(link, "/login/"):], nil, url.Values{}); status != http.StatusOK {
		t.Fatalf("signing in: %d\n%s", status, body)
	}
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	heard := there.hears(ctx, c)
	var run imprimatur.Run
	if code := here.call("anna", http.MethodPost, "/runs", map[string]any{"agent": "editor", "prompt": "Say when it is open."}, &run); code != http.StatusOK || run.Status != imprimatur.StatusWaiting {
		t.Fatalf("%d, %+v", code, run)
	}
	if id := <-heard; id != run.ID {
		t.Fatalf("the other server tells of %q, not of %s", id, run.ID)
	}
	status, page := fetched(t, c, http.MethodGet, there.url+"/runs/"+run.ID, nil, nil)
	if status != http.StatusOK || !strings.Contains(page, "Open on Mondays") {
		t.Fatalf("the card there: %d\n%s", status, page)
	}
	form := url.Values{"verdict": {"approve"}}
	for _, field := range regexp.MustCompile(`name="(turn_digest|picture_digest)" value="([0-9a-f]{64})"`).FindAllStringSubmatch(page, -1) {
		form.Set(field[1], field[2])
	}
	if status, page = fetched(t, c, http.MethodPost, there.url+"/runs/"+run.ID+"/decide", nil, form); status != http.StatusOK {
		t.Fatalf("approving there: %d\n%s", status, page)
	}
	for id := range heard { // until it has ended
		if code := here.call("anna", http.MethodGet, "/runs/"+id, nil, &run); code != http.StatusOK {
			t.Fatalf("%d, %+v", code, run)
		}
		if run.Status.Final() {
			break
		}
	}
	if run.Status != imprimatur.StatusCompleted {
		t.Fatalf("the run is %s, %s", run.Status, run.Reason)
	}
	if shown := here.command("content", "show", "pages", "1", "--config", config); !strings.Contains(shown, "description: Open on Mondays") {
		t.Errorf("the page reads\n%s", shown)
	}
}

// ill is a database that has some trouble.
type ill store.Trouble

func (i ill) Ready(context.Context) store.Trouble { return store.Trouble(i) }

func TestReadinessSaysInASentenceWhatIsWrong(t *testing.T) {
	t.Parallel()
	for trouble, want := range map[store.Trouble]struct {
		code int
		text string
	}{
		store.NoTrouble: {200, "ready\n"},
		store.DiskFull:  {503, "disk_full: The disk of the database is full: nothing can be stored until there is room.\n"},
		store.Shutdown:  {503, "shutdown: The database is shutting down or starting up, or an administrator ended the connection.\n"},
	} {
		mux := http.NewServeMux()
		health(mux, ill(trouble))
		for path, want := range map[string]struct {
			code int
			text string
		}{"/readyz": want, "/livez": {200, "alive\n"}} {
			w := httptest.NewRecorder()
			mux.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
			if w.Code != want.code || w.Body.String() != want.text {
				t.Errorf("%s with %q: %d %q", path, trouble, w.Code, w.Body)
			}
		}
	}
}

// The second server is told in a sentence, and the first one is not disturbed.
func TestASecondServerOnOneFileIsRefused(t *testing.T) {
	t.Parallel()
	s := &site{t: t, dir: t.TempDir(), tokens: map[string]string{}}
	config := s.file("imprimatur.yaml", "database: sqlite:one.db"+nodeConfig)
	s.file("script.yaml", nodeScript)
	s.serve(config)
	var talk strings.Builder
	a := &app{in: os.Stdin, out: &talk, err: &talk, env: func(string) (string, bool) { return "", false }}
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
	defer stop()
	if code := a.run(ctx, []string{"serve", "--config", config}); code != exitError {
		t.Errorf("the second server ends with %d", code)
	}
	if !strings.Contains(talk.String(), "another imprimatur already serves this database file") {
		t.Errorf("it says %q", talk.String())
	}
	if status, body := fetched(t, browser(t), http.MethodGet, s.url+"/readyz", nil, nil); status != http.StatusOK || body != "ready\n" {
		t.Errorf("the first one: %d %q", status, body)
	}
}

// A program that is older than its database neither starts nor goes on unheard.
func TestANewerSchemaIsRefusedAndSeenWhileServing(t *testing.T) {
	t.Parallel()
	s := &site{t: t, dir: t.TempDir(), tokens: map[string]string{}}
	config := s.file("imprimatur.yaml", "database: sqlite:newer.db"+nodeConfig)
	s.file("script.yaml", nodeScript)
	s.serve(config)
	other, err := store.Open(t.Context(), store.Config{Database: "sqlite:" + filepath.Join(s.dir, "newer.db"), Unsealed: true})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if _, err := other.Writer().ExecContext(t.Context(), "INSERT INTO version_store (version_id, is_applied) VALUES (9999, 1)"); err != nil {
		t.Fatal(err)
	}
	status, body := fetched(t, browser(t), http.MethodGet, s.url+"/readyz", nil, nil)
	if status != http.StatusServiceUnavailable || body != "newer_schema: The database is newer than this program: use a newer imprimatur.\n" {
		t.Errorf("%d %q", status, body)
	}
	var talk strings.Builder
	a := &app{in: os.Stdin, out: &talk, err: &talk, env: func(string) (string, bool) { return "", false }}
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
	defer stop()
	for _, line := range []string{"serve", "user list", "migrate", "doctor"} {
		talk.Reset()
		if code := a.run(ctx, append(strings.Fields(line), "--config", config)); code != exitError || !strings.Contains(talk.String(), "newer than this program") {
			t.Errorf("%s: %d, %s", line, code, talk.String())
		}
	}
}
