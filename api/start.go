package api

import (
	"context"
	"crypto/sha256"
	"fmt"
	"strings"

	"github.com/imprimatur-dev/imprimatur"
)

// startBody is the body of POST /runs.
type startBody struct {
	Agent     string    `json:"agent" doc:"Name of the agent."`
	Prompt    string    `json:"prompt" doc:"What the agent is asked to do."`
	Tools     *[]string `json:"tools,omitempty" doc:"Narrows the agent's tools to these; an empty list offers none."`
	MaxRounds *int      `json:"max_rounds,omitempty" minimum:"1" maximum:"20" doc:"Most rounds of a segment; the agent's own limit where absent."`
	Mode      string    `json:"mode,omitempty" enum:"sync,queue" doc:"Whether the run begins at once, or when a worker takes it."`
}

// The modes of a run: at once, or when a worker takes it.
const (
	modeSync  = "sync"
	modeQueue = "queue"
)

// start is POST /runs.
func (s *surface) start(c *call) error {
	var b startBody
	if err := c.body(&b); err != nil {
		return err
	}
	patience := int64(defaultWait)
	if b.Mode == modeQueue {
		patience = 0
	}
	wait, waitErr := c.wait(patience)
	start, err := b.start()
	if err != nil {
		return err
	}
	if start.Key, err = c.idempotencyKey(); err != nil {
		return err
	}
	if start.Key != "" {
		same, err := encode(b)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(same)
		start.Body = sum[:]
	}
	if b.Mode == modeQueue {
		switch {
		case c.wantsStream():
			return imprimatur.BadRequest(`mode "queue" has no stream: a worker carries the run out; ask for application/json`)
		case waitErr != nil:
			return waitErr
		}
		return c.answerRun(s.Engine.Enqueue(c.r.Context(), c.actor, start, wait))
	}
	run := func(ctx context.Context, w imprimatur.Wait) (imprimatur.Run, error) {
		return s.Engine.Run(ctx, c.actor, start, w)
	}
	if c.wantsStream() {
		return s.stream(c, run)
	}
	if waitErr != nil {
		return waitErr
	}
	return c.answerRun(run(c.r.Context(), wait))
}

func (b startBody) start() (imprimatur.Start, error) {
	start := imprimatur.Start{Agent: b.Agent, Prompt: b.Prompt, Tools: b.Tools}
	switch {
	case b.Agent == "":
		return start, imprimatur.BadRequest(`field "agent" is missing`)
	case strings.TrimSpace(b.Prompt) == "":
		return start, imprimatur.BadRequest(`field "prompt" is missing`)
	case b.Mode != "" && b.Mode != modeSync && b.Mode != modeQueue:
		return start, imprimatur.BadRequest(`field "mode" must be "sync" or "queue"`)
	}
	if b.MaxRounds != nil {
		if *b.MaxRounds < 1 || *b.MaxRounds > imprimatur.MaxRounds {
			return start, imprimatur.BadRequest(`field "max_rounds" must be a whole number from 1 to %d`, imprimatur.MaxRounds)
		}
		start.MaxRounds = *b.MaxRounds
	}
	return start, nil
}

// idempotencyKey reads the header of that name: visible ASCII.
func (c *call) idempotencyKey() (string, error) {
	values := c.r.Header.Values("Idempotency-Key")
	if len(values) == 0 {
		return "", nil
	}
	key := values[0]
	hidden := strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' })
	if len(values) > 1 || key == "" || len(key) > maxKey || hidden {
		return "", imprimatur.BadRequest("Idempotency-Key must be one value of 1 to %d visible ASCII characters", maxKey)
	}
	return key, nil
}

// answerRun answers with the run of a verb, or returns its error.
func (c *call) answerRun(run imprimatur.Run, err error) error {
	if err != nil {
		return err
	}
	if run.ID == "" {
		return fmt.Errorf("%s answered without a run", c.r.Pattern)
	}
	tidyRun(&run)
	return c.answer(run)
}
