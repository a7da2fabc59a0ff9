package api

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/imprimatur-dev/imprimatur"
)

const (
	mediaStream  = "application/x-ndjson"
	mediaEvents  = "text/event-stream"
	minLine      = 4096           // bytes of a line, its newline included; what buffers on the way holds back less
	wholeSegment = 24 * time.Hour // longer than any segment lives
)

// verb is a verb of the engine that runs a segment.
type verb func(context.Context, imprimatur.Wait) (imprimatur.Run, error)

// stream answers with newline-delimited JSON: context, one line a step, and
// exactly one line that ends it. Nothing is written before the row, or the
// decision, is committed, so that a refusal is still a problem. The segment
// never waits for a slow client longer than once.
func (s *surface) stream(c *call, run verb) error {
	lines := &lines{w: c.w, out: http.NewResponseController(c.w)}
	done, err := run(c.r.Context(), imprimatur.Wait{For: wholeSegment, Begun: lines.begin, Step: lines.step})
	if err != nil {
		id, begun := lines.giveUp()
		if !begun {
			return err
		}
		s.Log.ErrorContext(c.r.Context(), "stream ended early", slog.String("run", id), slog.Any("error", err))
		done = s.afterFault(c, id)
		lines.end("error", done)
		return nil
	}
	lines.begin(done.ID) // where it had already run: a repeated idempotency key
	lines.end(ending(done.Status), done)
	return nil
}

// afterFault is the run as it can still be shown.
func (s *surface) afterFault(c *call, id string) imprimatur.Run {
	run, err := s.Engine.Status(context.WithoutCancel(c.r.Context()), c.actor, id)
	if err != nil {
		return imprimatur.Run{ID: id}
	}
	return run
}

// ending names the event that ends a stream. A run that is still alive, but no
// longer this segment's, ends with an error.
func ending(status imprimatur.Status) string {
	switch status {
	case imprimatur.StatusCompleted:
		return "done"
	case imprimatur.StatusWaiting:
		return "awaiting_approval"
	case imprimatur.StatusCancelled:
		return "cancelled"
	case imprimatur.StatusFailed, imprimatur.StatusRunning, imprimatur.StatusQueued, imprimatur.StatusInput:
		return "error"
	}
	return "error"
}

// lines writes the lines of one stream. The engine calls from the segment,
// which outlives the request: nothing is written after end.
type lines struct {
	w   http.ResponseWriter
	out *http.ResponseController

	mu    sync.Mutex
	id    string
	ended bool // or the client is gone
}

// giveUp returns the run the stream began with. A stream that did not begin
// never does after this: the answer is somebody else's now.
func (l *lines) giveUp() (id string, begun bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended = l.ended || l.id == ""
	return l.id, l.id != ""
}

func (l *lines) begin(run string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.id != "" || l.ended {
		return
	}
	l.id = run
	h := l.w.Header()
	h.Set("Content-Type", mediaStream)
	h.Set("Cache-Control", "no-cache, no-transform")
	h.Set("X-Accel-Buffering", "no")
	l.write(struct {
		Event string `json:"event"`
		Run   string `json:"run"`
	}{"context", run})
}

func (l *lines) step(step imprimatur.Step) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.id == "" {
		return
	}
	line := map[string]any{}
	var payload map[string]json.RawMessage
	if json.Unmarshal(step.Payload, &payload) == nil {
		for k, v := range payload {
			line[k] = v
		}
	}
	line["event"], line["kind"], line["round"] = "step", step.Kind, step.Round
	l.write(line)
}

func (l *lines) end(event string, run imprimatur.Run) {
	l.mu.Lock()
	defer l.mu.Unlock()
	tidyRun(&run)
	l.write(struct {
		Event string         `json:"event"`
		Run   imprimatur.Run `json:"run"`
	}{event, run})
	l.ended = true
}

// write sends one line, padded, so that nothing on the way holds it back. The
// caller holds mu.
func (l *lines) write(v any) {
	if l.ended {
		return
	}
	line, err := padded(v)
	if err != nil || !send(l.w, l.out, line) {
		l.ended = true
	}
}

func padded(v any) (string, error) {
	b, err := encode(v)
	if err != nil {
		return "", fmt.Errorf("encode line: %w", err)
	}
	b = bytes.TrimSuffix(b, []byte("\n"))
	if missing := minLine - 1 - len(b); missing > 0 {
		b = append(b, bytes.Repeat([]byte(" "), missing)...)
	}
	return string(append(b, '\n')), nil
}
