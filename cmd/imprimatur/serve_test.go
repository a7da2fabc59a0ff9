package main

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
)

func TestServingEndsWithWhatIsUnderWay(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	entered, leave := make(chan struct{}), make(chan struct{})
	mux := http.NewServeMux()
	mux.HandleFunc("/slow", func(w http.ResponseWriter, _ *http.Request) {
		close(entered)
		<-leave
		_, _ = io.WriteString(w, "written")
	})
	mux.HandleFunc("/stream", func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "open\n")
		w.(http.Flusher).Flush()
		<-r.Context().Done() // as the stream of changes: it ends with the server
	})
	ended := make(chan error, 1)
	go func() { ended <- serveHTTP(ctx, listener, mux, slog.New(slog.DiscardHandler)) }()

	get := func(path string) *http.Response {
		req, err := http.NewRequestWithContext(context.WithoutCancel(ctx), http.MethodGet, "http://"+listener.Addr().String()+path, nil)
		if err != nil {
			t.Error(err)
			return nil
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Error(err)
			return nil
		}
		return resp
	}
	stream := get("/stream")
	defer stream.Body.Close()
	if line, err := bufio.NewReader(stream.Body).ReadString('\n'); err != nil || line != "open\n" {
		t.Fatalf("%q, %v", line, err)
	}
	answer := make(chan string, 1)
	go func() {
		resp := get("/slow")
		if resp == nil {
			answer <- ""
			return
		}
		defer resp.Body.Close()
		b, _ := io.ReadAll(resp.Body)
		answer <- string(b)
	}()
	<-entered
	stop()
	if _, err := io.Copy(io.Discard, stream.Body); err != nil {
		t.Errorf("the stream was cut: %v", err)
	}
	close(leave)
	if got := <-answer; got != "written" {
		t.Errorf("a request that was under way got %q", got)
	}
	if err := <-ended; err != nil {
		t.Errorf("serving ended with %v", err)
	}
}

func TestLogsAreJSONUnlessAPersonReadsThem(t *testing.T) {
	t.Parallel()
	f, err := os.CreateTemp(t.TempDir(), "log")
	if err != nil {
		t.Fatal(err)
	}
	logger(f, slog.LevelWarn).InfoContext(t.Context(), "not this")
	logger(f, slog.LevelWarn).WarnContext(t.Context(), "this")
	b, err := os.ReadFile(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	if text := string(b); !strings.HasPrefix(text, "{") || strings.Contains(text, "not this") || !strings.Contains(text, `"msg":"this"`) {
		t.Errorf("log %q", text)
	}
}
