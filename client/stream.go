package client

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/imprimatur-dev/imprimatur"
)

// ErrCut is returned when a stream ends before it said how. The run goes on
// without it: ask for its status.
var ErrCut = errors.New("the stream ended early")

// Watcher is told what a stream says. Both functions may be nil.
type Watcher struct {
	Begun func(run string)
	Step  func(imprimatur.Step)
}

// RunLive starts a run and follows it until it ends or pauses. With ErrCut the
// run is the id alone.
func (c *Client) RunLive(ctx context.Context, start imprimatur.Start, w Watcher) (imprimatur.Run, error) {
	r, err := c.startRequest(ctx, start, "", nil)
	if err != nil {
		return imprimatur.Run{}, err
	}
	return c.follow(r, w)
}

// DecideLive decides and follows the run until it ends or pauses again.
func (c *Client) DecideLive(ctx context.Context, run string, d imprimatur.Decision, w Watcher) (imprimatur.Run, error) {
	r, err := c.decideRequest(ctx, run, d, nil)
	if err != nil {
		return imprimatur.Run{}, err
	}
	return c.follow(r, w)
}

func (c *Client) follow(r *http.Request, w Watcher) (imprimatur.Run, error) {
	r.Header.Set("Accept", "application/x-ndjson")
	resp, err := c.http.Do(r)
	if err != nil {
		return imprimatur.Run{}, fmt.Errorf("ask the server: %w", err)
	}
	defer resp.Body.Close()
	media, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if resp.StatusCode != http.StatusOK || media != "application/x-ndjson" {
		body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
		if err != nil {
			return imprimatur.Run{}, fmt.Errorf("read the answer: %w", err)
		}
		return imprimatur.Run{}, no(resp, body)
	}
	return readLines(io.LimitReader(resp.Body, maxAnswer), w)
}

// streamLine is one line of a stream; run is an id in the first and the run in
// the last.
type streamLine struct {
	Event string               `json:"event"`
	Run   json.RawMessage      `json:"run"`
	Kind  imprimatur.EventKind `json:"kind"`
	Round int                  `json:"round"`
}

// readLines reads a stream to its end. A line that is no JSON is skipped.
func readLines(body io.Reader, w Watcher) (imprimatur.Run, error) {
	var run imprimatur.Run
	in := bufio.NewReader(body)
	for {
		text, err := in.ReadBytes('\n')
		var line streamLine
		if json.Unmarshal(text, &line) == nil {
			switch line.Event {
			case "context":
				if json.Unmarshal(line.Run, &run.ID) == nil && w.Begun != nil {
					w.Begun(run.ID)
				}
			case "step":
				if w.Step != nil {
					w.Step(imprimatur.Step{Kind: line.Kind, Round: line.Round, Payload: json.RawMessage(strings.TrimSpace(string(text)))})
				}
			case "done", "awaiting_approval", "cancelled", "error":
				var last imprimatur.Run
				if json.Unmarshal(line.Run, &last) == nil {
					return last, nil
				}
			}
		}
		if err != nil {
			return run, ErrCut
		}
	}
}

// Watch follows which runs change until ctx ends or the server closes; seen is
// called with the id of each.
func (c *Client) Watch(ctx context.Context, seen func(run string)) error {
	r, err := c.request(ctx, http.MethodGet, "/events", nil, nil)
	if err != nil {
		return err
	}
	r.Header.Set("Accept", "text/event-stream")
	resp, err := c.http.Do(r)
	if err != nil {
		return fmt.Errorf("ask the server: %w", err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
		if err != nil {
			return fmt.Errorf("read the answer: %w", err)
		}
		return no(resp, body)
	}
	lines := bufio.NewScanner(resp.Body)
	for lines.Scan() {
		if run, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			seen(run)
		}
	}
	if err := lines.Err(); err != nil && ctx.Err() == nil {
		return fmt.Errorf("follow changes: %w", err)
	}
	return ctx.Err()
}
