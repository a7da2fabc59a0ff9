package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/internal/pgtest"
)

// queued is a small site whose agent asks for one write, on a database.
func queued(t *testing.T, database string) (s *site, config string) {
	t.Helper()
	s = &site{t: t, dir: t.TempDir(), tokens: map[string]string{}}
	return s, s.found("database: " + database + nodeConfig)
}

// found begins a small site with this configuration.
func (s *site) found(text string) (config string) {
	s.t.Helper()
	config = s.file("imprimatur.yaml", text)
	s.file("script.yaml", nodeScript)
	s.command("user", "add", "anna", "--admin", "--config", config)
	s.command("content", "import", s.file("export.xml", nodeExport), "--owner", "anna", "--config", config)
	s.tokens["anna"] = s.command("token", "create", "--user", "anna", "--config", config)
	return config
}

// enqueue leaves a run to a worker and returns its id.
func (s *site) enqueue() string {
	s.t.Helper()
	return s.command("run", "--queue", "--server", s.url, "--token", s.tokens["anna"], "--agent", "editor", "Say when it is open.")
}

// until follows a run until it has a status.
func (s *site) until(run string, want imprimatur.Status) imprimatur.Run {
	s.t.Helper()
	ctx, stop := context.WithTimeout(s.t.Context(), time.Minute)
	defer stop()
	changes := s.hears(ctx, &http.Client{Transport: bearer(s.tokens["anna"])})
	for {
		var got imprimatur.Run
		if code := s.call("anna", http.MethodGet, "/runs/"+run, nil, &got); code != http.StatusOK {
			s.t.Fatalf("%d", code)
		}
		if got.Status == want {
			return got
		}
		if _, more := <-changes; !more || got.Status.Final() {
			s.t.Fatalf("the run is %s, %s; want %s", got.Status, got.Reason, want)
		}
	}
}

// bearer is a token that goes with every request.
type bearer string

// RoundTrip implements http.RoundTripper.
func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

// approve approves what a run waits with, and returns what became of it.
func (s *site) approve(run imprimatur.Run) imprimatur.Run {
	s.t.Helper()
	var got imprimatur.Run
	decision := map[string]any{"verdict": "approve", "turn_digest": run.Card.TurnDigest, "picture_digest": run.Card.PictureDigest}
	if code := s.call("anna", http.MethodPost, "/runs/"+run.ID+"/decision", decision, &got); code != http.StatusOK {
		s.t.Fatalf("approve: %d, %+v", code, got)
	}
	return got
}

// A run is left to the workers inside the server: it waits like any other, and
// what is approved is written once.
//
// Proves runtime 2, 8.
func TestAServerWorksOnWhatIsQueued(t *testing.T) {
	t.Parallel()
	for name, database := range map[string]func(*testing.T) string{
		"sqlite": func(*testing.T) string { return "sqlite:imprimatur.db" }, "postgresql": func(t *testing.T) string { return pgtest.Start(t) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, config := queued(t, database(t))
			s.serve(config)
			waiting := s.until(s.enqueue(), imprimatur.StatusWaiting)
			if got := s.approve(waiting); got.Status != imprimatur.StatusCompleted {
				t.Errorf("it is %s, %s", got.Status, got.Reason)
			}
			if shown := s.command("content", "show", "pages", "1", "--config", config); !strings.Contains(shown, "description: Open on Mondays") {
				t.Errorf("the page reads\n%s", shown)
			}
			var got imprimatur.Run
			ask := map[string]any{"agent": "editor", "prompt": "Say when it is open.", "mode": "queue"}
			if code := s.call("anna", http.MethodPost, "/runs?wait=60", ask, &got); code != http.StatusOK || got.Status != imprimatur.StatusWaiting {
				t.Errorf("whoever waits for it gets %d, %s", code, got.Status)
			}
		})
	}
}

// A server without workers leaves its runs to those of other processes, on
// PostgreSQL. A SQLite file has one process that serves or works.
func TestAProcessOfItsOwnWorksOnWhatIsQueued(t *testing.T) {
	t.Parallel()
	s, config := queued(t, pgtest.Start(t))
	s.serve(s.file("pages.yaml", read(t, config)+"workers: 0\n"))
	run := s.enqueue()
	if got := s.until(run, imprimatur.StatusQueued); got.StartedAt != nil {
		t.Errorf("somebody has it already: %+v", got)
	}
	worker := s.worker(config)
	waiting := s.until(run, imprimatur.StatusWaiting)
	if err := worker.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := worker.Wait(); err != nil {
		t.Errorf("a worker that is told to end: %v\n%s", err, worker.Stderr)
	}
	if got := s.approve(waiting); got.Status != imprimatur.StatusCompleted {
		t.Errorf("it is %s, %s", got.Status, got.Reason)
	}
}

// Proves runtime 62.
func TestWorkersAndLooksThatCannotBeMeantAreRefused(t *testing.T) {
	t.Parallel()
	s, config := queued(t, "sqlite:imprimatur.db")
	idle := s.file("idle.yaml", read(t, config)+"workers: 0\n")
	s.serve(config)
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"work", "--config", config}, exitError, "already serves"},
		{[]string{"work", "--config", idle}, exitUsage, "workers is 0"},
		{[]string{"reap", "--limit", "0", "--config", config}, exitUsage, "--limit must be at least 1"},
		{[]string{"reap", "--limit", "-3", "--config", config}, exitUsage, "--limit"},
		{[]string{"reap", "--limit", "many", "--config", config}, exitUsage, "--limit"},
	} {
		if code, said := command(t, c.args...); code != c.code || !strings.Contains(said, c.says) {
			t.Errorf("%v: exit %d\n%s", c.args, code, said)
		}
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// worker starts a process that works until the test ends.
func (s *site) worker(config string) *exec.Cmd {
	s.t.Helper()
	program, err := os.Executable() // TestMain makes it the program under this name
	if err != nil {
		s.t.Fatal(err)
	}
	link := filepath.Join(s.t.TempDir(), "imprimatur")
	if err := os.Symlink(program, link); err != nil {
		s.t.Fatal(err)
	}
	cmd := exec.CommandContext(context.Background(), link, "work", "--config", config)
	cmd.Env, cmd.Stderr = os.Environ(), &bytes.Buffer{}
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() {
		if cmd.ProcessState == nil {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}
	})
	return cmd
}

// provider is a model behind HTTP that holds its first caller up.
func provider(t *testing.T) (url string, asked <-chan struct{}) {
	t.Helper()
	first, ended := make(chan struct{}, 1), make(chan struct{})
	var calls atomic.Int64
	answers := []string{
		`{"role": "assistant", "content": "", "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "update_page_metadata", "arguments": "{\"uid\": 1, \"description\": \"Open on Mondays\"}"}}]}`,
		`{"role": "assistant", "content": "It is written."}`,
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return
		}
		n := calls.Add(1) - 1
		if n == 0 {
			first <- struct{}{}
			<-ended
			return
		}
		finish := []string{"tool_calls", "stop"}[min(n, 2)-1]
		fmt.Fprintf(w, `{"id": "a", "object": "chat.completion", "choices": [{"index": 0, "finish_reason": %q, "message": %s}], "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}}`, finish, answers[min(n, 2)-1])
	}))
	t.Cleanup(func() { close(ended); server.Close() })
	return server.URL, first
}

// A worker is killed while the model thinks. Nobody can tell before its lease
// lapses; then one look puts the run back, and another worker carries it out
// from its prompt.
//
// Proves runtime 54; field 31.
func TestAWorkerThatIsKilledIsReplaced(t *testing.T) {
	t.Parallel()
	address, asked := provider(t)
	s, config := queued(t, pgtest.Start(t))
	config = s.file("imprimatur.yaml", strings.Replace(read(t, config), "{kind: scripted, script: ./script.yaml}", fmt.Sprintf("{kind: openai, base_url: %q, model: any}", address+"/v1"), 1))
	s.serve(s.file("pages.yaml", read(t, config)+"workers: 0\n"))
	run := s.enqueue()
	lost := s.worker(config)
	<-asked
	if err := lost.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = lost.Wait() // it was killed
	if got := s.command("reap", "--config", config); got != "requeued 0\nreturned 0\nfailed 0\nskipped 0" {
		t.Errorf("before the lease lapses: %s", got)
	}
	s.lapse(config, run)
	if got := s.command("reap", "--config", config); got != "requeued 1\nreturned 0\nfailed 0\nskipped 0" {
		t.Errorf("once it has: %s", got)
	}
	s.worker(config)
	if got := s.approve(s.until(run, imprimatur.StatusWaiting)); got.Status != imprimatur.StatusCompleted {
		t.Errorf("it is %s, %s", got.Status, got.Reason)
	}
}

// lapse has the lease of a run end.
func (s *site) lapse(config, run string) {
	s.t.Helper()
	cfg, err := loadConfig(config, os.LookupEnv)
	if err != nil {
		s.t.Fatal(err)
	}
	b, err := openBase(s.t.Context(), cfg, slog.New(slog.DiscardHandler))
	if err != nil {
		s.t.Fatal(err)
	}
	if _, err := b.store.Writer().ExecContext(s.t.Context(), "UPDATE runs SET lease = 1 WHERE id = $1 AND lease > 0", run); err != nil {
		s.t.Error(err)
	}
	if err := b.store.Close(); err != nil {
		s.t.Error(err)
	}
}
