package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/internal/realdata"
	"github.com/imprimatur-dev/imprimatur/store"
)

const realConfig = `
listen: 127.0.0.1:0
database: sqlite:site.db
seal: {keyset: ./keyset.json}
content: {storages: {media: ./media}}
models:
  desk: {kind: scripted, script: ./script.yaml}
tools:
  editorial: {enabled: true}
agents:
  editor: {model: desk, system: You edit a website.}
`

// The element is one of the export's lists of downloads, and has no file yet.
const realScript = `
- when: download
  turns:
    - calls: [{tool: get_page_content, arguments: {uid: %d}}]
    - text: The list has no file yet.
      calls: [{tool: attach_file_to_content_element, arguments: {content_element: 116, file: %d, field: media}}]
    - text: The file is in the list.
`

const realRights = `
groups:
  - name: editing
    grants: [agent_approve]
    tables: {select: [pages, content, files, file_metadata, languages], modify: [pages, content, file_references]}
    languages: "*"
    fields: "*"
    values: "*"
    mounts: {pages: [%d], files: ["media:/"]}
pages:
  - {page: %d, subtree: true, owner: jana, group: editing, bits: {owner: "*", group: [show, edit, content], everybody: []}}
`

// site is the real export behind a running server.
type site struct {
	t      *testing.T
	dir    string
	repo   *content.Repository
	url    string
	tokens map[string]string
}

// command runs one command line and returns what it printed.
func (s *site) command(args ...string) string {
	s.t.Helper()
	var out, talk bytes.Buffer
	a := &app{in: os.Stdin, out: &out, err: &talk, env: os.LookupEnv}
	if code := a.run(context.Background(), args); code != 0 {
		s.t.Fatalf("imprimatur %s: exit %d\n%s", strings.Join(args, " "), code, talk.String())
	}
	return strings.TrimSpace(out.String())
}

func (s *site) file(name, text string) string {
	s.t.Helper()
	path := filepath.Join(s.dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
	return path
}

func newSite(t *testing.T, data string) *site {
	s := &site{t: t, dir: t.TempDir(), tokens: map[string]string{}}
	config := s.file("imprimatur.yaml", realConfig)
	s.file("script.yaml", "- turns: [{text: Nothing.}]")
	s.command("key", "new", filepath.Join(s.dir, "keyset.json"))
	for name, lang := range map[string]string{"jana": "de", "petra": "en"} {
		s.command("user", "add", name, "--lang", lang, "--config", config)
	}
	s.command("content", "import", data, "--config", config, "--owner", "jana", "--language", "1=German:de", "--language", "2=Danish:da")

	cfg, err := loadConfig(config, os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	b, err := openBase(context.Background(), cfg, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.store.Close(); err != nil {
			t.Error(err)
		}
	})
	s.repo = b.repo
	element := s.element()
	line, err := b.repo.Rootline(context.Background(), element.PID)
	if err != nil {
		t.Fatal(err)
	}
	root := line[len(line)-1].UID
	s.file("script.yaml", fmt.Sprintf(realScript, element.PID, s.files()[0]))
	s.command("group", "apply", s.file("groups.yaml", fmt.Sprintf(realRights, root, root)), "--config", config)
	for _, name := range []string{"jana", "petra"} {
		s.join(b, name)
		s.tokens[name] = s.command("token", "create", "--user", name, "--config", config)
	}
	s.serve(config)
	return s
}

// join puts somebody into the group that edits.
func (s *site) join(b *base, name string) {
	s.t.Helper()
	u, err := b.store.UserByName(context.Background(), name)
	if err != nil {
		s.t.Fatal(err)
	}
	if _, err := b.store.ChangeUser(context.Background(), u.ID, editing()); err != nil {
		s.t.Fatal(err)
	}
}

// serve starts the server in this process and stops it with the test.
func (s *site) serve(config string) {
	ctx, stop := context.WithCancel(context.Background())
	lines, out := io.Pipe()
	done := make(chan int, 1)
	var talk bytes.Buffer
	go func() {
		a := &app{in: os.Stdin, out: out, err: &talk, env: os.LookupEnv}
		done <- a.run(ctx, []string{"serve", "--json", "--config", config})
	}()
	s.t.Cleanup(func() {
		stop()
		if code := <-done; code != 0 {
			s.t.Errorf("serve ended with %d\n%s", code, talk.String())
		}
	})
	var first struct{ URL string }
	if err := json.NewDecoder(lines).Decode(&first); err != nil {
		s.t.Fatal(err)
	}
	go func() { _, _ = io.Copy(io.Discard, lines) }()
	s.url = first.URL
}

func (s *site) element() content.Record {
	s.t.Helper()
	r, err := s.repo.Record(context.Background(), content.System(), content.Elements, 116)
	if err != nil {
		s.t.Fatal(err)
	}
	return r
}

// files are three files of the export that a list of downloads takes.
func (s *site) files() []int64 {
	s.t.Helper()
	all, err := s.repo.All(context.Background(), content.Files)
	if err != nil {
		s.t.Fatal(err)
	}
	var uids []int64
	for _, f := range all {
		uids = append(uids, f.UID)
	}
	slices.Sort(uids)
	return uids[:3]
}

// references are the files of the element's list, in order.
func (s *site) references() []int64 {
	s.t.Helper()
	refs, err := s.repo.References(context.Background(), content.Ref{Table: content.Elements, UID: 116}, "media")
	if err != nil {
		s.t.Fatal(err)
	}
	files := []int64{}
	for _, r := range refs {
		files = append(files, r.Int(content.ColumnFile))
	}
	return files
}

// call asks the API and decodes its answer.
func (s *site) call(who, method, path string, body, answer any) int {
	s.t.Helper()
	b, err := json.Marshal(body)
	if err != nil {
		s.t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(context.Background(), method, s.url+"/api/v1"+path, bytes.NewReader(b))
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+s.tokens[who])
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	if err := json.Unmarshal(text, answer); err != nil {
		s.t.Fatalf("%s %s: %d %s", method, path, res.StatusCode, text)
	}
	return res.StatusCode
}

// count is what the card says about the number of files: now and afterwards.
func count(t *testing.T, lines []imprimatur.Line) (current, proposed string) {
	t.Helper()
	for _, l := range lines {
		if l.Role == imprimatur.RoleField && l.Current != "" && l.Proposed != "" {
			return l.Current, l.Proposed
		}
	}
	t.Fatalf("no line counts files: %+v", lines)
	return "", ""
}

// Proves tools 24, 25, 28, 44; runtime 143, 175.
func TestTheRealSiteIsWrittenAgainstTheStateThatWasShown(t *testing.T) {
	t.Parallel()
	s := newSite(t, realdata.Dir(t, "typo3-introduction", "data.xml"))
	files := s.files()

	var run imprimatur.Run
	if code := s.call("jana", "POST", "/runs", map[string]any{"agent": "editor", "prompt": "Put the file into the download list."}, &run); code != 200 || run.Status != imprimatur.StatusWaiting {
		t.Fatalf("%d, %+v", code, run)
	}
	card := run.Card.Calls[0]
	if now, then := count(t, card.Preview.Lines); now != "0" || then != "1" || card.Preview.Language != "de" {
		t.Errorf("the card says %s → %s in %s", now, then, card.Preview.Language)
	}
	if !catalogue.IsHeading(card.Title, "de") {
		t.Errorf("the title of the card is %q", card.Title)
	}

	// Somebody else is quicker.
	out, err := s.repo.Apply(context.Background(), content.System(), content.ChangeSet{
		Changes: []content.Change{content.Attach(content.Ref{Table: content.Elements, UID: 116}, "media", files[1], nil)},
	})
	if err != nil || len(out.Complaints) > 0 {
		t.Fatalf("%+v, %v", out, err)
	}

	decision := func(c *imprimatur.Card) map[string]any {
		return map[string]any{"verdict": "approve", "turn_digest": c.TurnDigest, "picture_digest": c.PictureDigest}
	}
	var back imprimatur.Run
	if code := s.call("petra", "POST", "/runs/"+run.ID+"/decision", decision(run.Card), &back); code != 200 || back.Status != imprimatur.StatusWaiting {
		t.Fatalf("%d, %+v", code, back)
	}
	if len(back.Stale) != 1 || back.Stale[0].Kind != imprimatur.MarkChanged || !back.Back {
		t.Errorf("the run came back with %+v", back.Stale)
	}
	if got := s.references(); !slices.Equal(got, files[1:2]) {
		t.Fatalf("the approval that did not hold left files %v", got)
	}
	again := back.Card.Calls[0]
	now, then := count(t, again.Preview.Lines)
	was, would := count(t, again.Was)
	if now != "1" || then != "2" || was != "0" || would != "1" {
		t.Errorf("the card says %s → %s where it said %s → %s", now, then, was, would)
	}
	if back.Card.TurnDigest != run.Card.TurnDigest || back.Card.PictureDigest == run.Card.PictureDigest {
		t.Error("the calls are the same and the picture is another")
	}

	// The card that was open before the bounce no longer decides anything.
	var problem struct {
		Type string
		Card *imprimatur.Card
	}
	if code := s.call("petra", "POST", "/runs/"+run.ID+"/decision", decision(run.Card), &problem); code != 409 || !strings.HasSuffix(problem.Type, "/docs/refusals/stale_picture") || problem.Card == nil {
		t.Errorf("%d, %+v", code, problem)
	}

	var done imprimatur.Run
	if code := s.call("petra", "POST", "/runs/"+run.ID+"/decision", decision(back.Card), &done); code != 200 || done.Status != imprimatur.StatusCompleted {
		t.Fatalf("%d, %+v", code, done)
	}
	if got := s.references(); !slices.Equal(got, []int64{files[1], files[0]}) {
		t.Errorf("the files are %v, want exactly one more, last: %d", got, files[0])
	}
	if n := s.element().Int("media"); n != 2 {
		t.Errorf("the element counts %d files", n)
	}
}

func editing() store.UserChange { return store.UserChange{Groups: &[]string{"editing"}} }
