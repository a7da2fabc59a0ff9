package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/internal/pgtest"
)

// thinker is a model behind HTTP that thinks until it may answer. It asks for
// one write, and ends once it has the result.
type thinker struct {
	url    string
	asked  chan struct{} // one for each time it was asked
	answer chan struct{} // closed: it answers at once
	calls  atomic.Int64
}

func newThinker(t *testing.T) *thinker {
	t.Helper()
	m := &thinker{asked: make(chan struct{}, 100), answer: make(chan struct{})}
	server := httptest.NewServer(http.HandlerFunc(m.serve))
	t.Cleanup(server.Close)
	m.url = server.URL + "/v1"
	return m
}

func (m *thinker) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	m.calls.Add(1)
	m.asked <- struct{}{}
	select {
	case <-m.answer:
	case <-r.Context().Done(): // whoever asked is gone
		return
	}
	finish, message := "tool_calls", `{"role": "assistant", "content": "", "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "update_page_metadata", "arguments": "{\"uid\": 1, \"description\": \"Open on Mondays\"}"}}]}`
	if bytes.Contains(body, []byte(`"role":"tool"`)) {
		finish, message = "stop", `{"role": "assistant", "content": "It is written."}`
	}
	fmt.Fprintf(w, `{"id": "a", "object": "chat.completion", "choices": [{"index": 0, "finish_reason": %q, "message": %s}], "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}}`, finish, message)
}

// await returns once the model was asked so many times more.
func (m *thinker) await(t *testing.T, times int) {
	t.Helper()
	for range times {
		select {
		case <-m.asked:
		case <-time.After(time.Minute):
			t.Fatal("the model is not asked")
		}
	}
}

// thoughtful is a small site on a database whose servers work on one run at a
// time, and whose agent thinks with m.
func thoughtful(t *testing.T, database string, m *thinker) (s *site, config string) {
	t.Helper()
	s, config = queued(t, database)
	model := fmt.Sprintf("{kind: openai, base_url: %q, model: any}", m.url)
	return s, s.file("imprimatur.yaml", strings.Replace(read(t, config), "{kind: scripted, script: ./script.yaml}", model, 1)+"workers: 1\n")
}

// onBoth runs a test on a SQLite file and on a PostgreSQL.
func onBoth(t *testing.T, test func(t *testing.T, database string)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { t.Parallel(); test(t, "sqlite:imprimatur.db") })
	t.Run("postgresql", func(t *testing.T) { t.Parallel(); test(t, pgtest.Start(t)) })
}

// process serves s in a process of its own. Its log ends when it does.
func (s *site) process(config string) (serving *exec.Cmd, log *bufio.Scanner) {
	s.t.Helper()
	program, err := os.Executable() // TestMain makes it the program under this name
	if err != nil {
		s.t.Fatal(err)
	}
	link := filepath.Join(s.t.TempDir(), "imprimatur")
	if err := os.Symlink(program, link); err != nil {
		s.t.Fatal(err)
	}
	cmd := exec.CommandContext(context.Background(), link, "serve", "--json", "--config", config)
	out, err := cmd.StdoutPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	said, err := cmd.StderrPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() {
		if cmd.ProcessState == nil {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}
	})
	var first struct{ URL string }
	if err := json.NewDecoder(out).Decode(&first); err != nil {
		s.t.Fatal(err)
	}
	s.url = first.URL
	return cmd, bufio.NewScanner(said)
}

// Two servers with one worker each think about two runs at once, so each of
// them has one; either takes the approval of what the other began.
//
// Proves runtime 3.
func TestTwoServersShareWhatIsQueued(t *testing.T) {
	t.Parallel()
	m := newThinker(t)
	here, config := thoughtful(t, pgtest.Start(t), m)
	there := &site{t: t, dir: here.dir, tokens: here.tokens}
	here.serve(config)
	there.serve(config)
	runs := []string{here.enqueue(), here.enqueue()}
	m.await(t, 2)
	close(m.answer)
	var waiting []imprimatur.Run
	for _, run := range runs {
		waiting = append(waiting, there.until(run, imprimatur.StatusWaiting))
	}
	if n := m.calls.Load(); n != 2 {
		t.Errorf("the model was asked %d times for two runs", n)
	}
	if got := there.approve(waiting[0]); got.Status != imprimatur.StatusCompleted {
		t.Errorf("the first is %s, %s", got.Status, got.Reason)
	}
	// What the second showed has changed: it comes back, wherever it is approved.
	if got := here.approve(waiting[1]); got.Status != imprimatur.StatusWaiting || len(got.Stale) != 1 {
		t.Errorf("the second is %s, %s, stale %v", got.Status, got.Reason, got.Stale)
	}
}

// A server is told to end while its worker waits for a model and another run
// is queued. It lets the first reach its card and ends well; the next server
// finds both, and neither is begun twice.
func TestAServerThatIsToldToEndLosesNothing(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, database string) {
		m := newThinker(t)
		s, config := thoughtful(t, database, m)
		serving, log := s.process(config)
		runs := []string{s.enqueue(), s.enqueue()}
		m.await(t, 1)
		if err := serving.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		ending := false
		for !ending && log.Scan() {
			ending = strings.Contains(log.Text(), `"msg":"ending"`)
		}
		if !ending {
			t.Fatalf("it does not say that it ends: %v", log.Err())
		}
		close(m.answer)
		for log.Scan() { // until it has ended
		}
		if err := serving.Wait(); err != nil {
			t.Errorf("it ended with %v", err)
		}
		s.serve(config)
		for _, run := range runs {
			s.until(run, imprimatur.StatusWaiting)
		}
		if n := m.calls.Load(); n != 2 {
			t.Errorf("the model was asked %d times for two runs", n)
		}
	})
}

// A server is killed while its worker waits for a model. Once the lease has
// lapsed, the next server takes the run up when it starts, by itself.
//
// Proves runtime 54.
func TestAServerThatIsKilledIsReplacedByTheNext(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, database string) {
		m := newThinker(t)
		s, config := thoughtful(t, database, m)
		serving, log := s.process(config)
		run := s.enqueue()
		m.await(t, 1)
		if err := serving.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		for log.Scan() { // until it is gone
		}
		_ = serving.Wait() // it was killed
		s.lapse(config, run)
		close(m.answer)
		s.serve(config)
		if got := s.approve(s.until(run, imprimatur.StatusWaiting)); got.Status != imprimatur.StatusCompleted {
			t.Errorf("it is %s, %s", got.Status, got.Reason)
		}
		if shown := s.command("content", "show", "pages", "1", "--config", config); !strings.Contains(shown, "description: Open on Mondays") {
			t.Errorf("the page reads\n%s", shown)
		}
	})
}
