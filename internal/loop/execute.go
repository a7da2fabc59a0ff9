package loop

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/imprimatur-dev/imprimatur"
)

// retries is how often a write whose picture still holds is tried again when
// it met a state that moved.
const retries = 3

// outcome is what a call came to, as the model reads it.
type outcome struct {
	result imprimatur.Result
	ms     int64
	ran    bool // the tool was entered
}

func refused(format string, args ...any) outcome {
	return outcome{result: imprimatur.Result{Content: fmt.Sprintf(format, args...), IsError: true}}
}

// denial frames a person's no. Their own words come last, so that nothing of
// ours reads as part of them.
func denial(tool, reason string, retry bool) outcome {
	text := fmt.Sprintf("A person denied the call of %s. It was not executed. Do not try it again.", tool)
	if retry {
		text = fmt.Sprintf("A person denied the call of %s. It was not executed. You may try again in another way.", tool)
	}
	if reason != "" {
		text += " Their reason: " + reason
	}
	return outcome{result: imprimatur.Result{Content: text, IsError: true}}
}

// execute runs the calls of a turn in order and answers each in the
// transcript. It returns the rest of the turn where a write met a state that
// nobody was shown; what ran before it stays.
func (l *Loop) execute(ctx context.Context, s *imprimatur.Suspended, tokens map[int]any) (*Paused, error) {
	var own []any
	announced := false // the next write is on record already
	for i, c := range s.Calls {
		out, err := l.try(ctx, s, i, c, tokens[i], own, announced)
		if errors.Is(err, imprimatur.ErrMoved) {
			return l.rest(ctx, *s, i), nil
		}
		if err != nil {
			return nil, err
		}
		if out.result.Token != nil {
			own = append(own, out.result.Token)
		}
		if out.ran {
			s.Ran = append(s.Ran, imprimatur.Ran{ID: c.ID, Tool: c.Name, OK: !out.result.IsError})
		}
		var next *imprimatur.ToolCall
		if announced = l.wrote(c, out) && i+1 < len(s.Calls) && l.writes(s.Calls[i+1]); announced {
			next = &s.Calls[i+1]
		}
		if err := l.answer(ctx, s, c, out, next); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// refuse is why a call cannot run, whatever its tool would say.
func (l *Loop) refuse(c imprimatur.ToolCall) (outcome, bool) {
	_, known := l.Tools[c.Name]
	switch {
	case !known:
		return refused("There is no tool named %s.", c.Name), true
	case !l.Offered[c.Name]:
		return refused("The tool %s is not offered to this run.", c.Name), true
	case c.Refused != "":
		return refused("The arguments were not accepted: they must be one JSON object in valid UTF-8, without duplicate keys, of at most 1 MiB and 64 levels (%s). Nothing was executed.", c.Refused), true
	}
	return outcome{}, false
}

// writes reports whether a call will run and write.
func (l *Loop) writes(c imprimatur.ToolCall) bool {
	_, no := l.refuse(c)
	return !no && l.Tools[c.Name].Effect.Writes()
}

// wrote reports whether a call ran that writes.
func (l *Loop) wrote(c imprimatur.ToolCall, out outcome) bool {
	return out.ran && l.Tools[c.Name].Effect.Writes()
}

// try runs one call, if it may run at all. It returns imprimatur.ErrMoved where
// the write met a state whose picture is not the approved one.
func (l *Loop) try(ctx context.Context, s *imprimatur.Suspended, i int, c imprimatur.ToolCall, token any, own []any, announced bool) (outcome, error) {
	if out, no := l.refuse(c); no {
		return out, nil
	}
	d := l.Tools[c.Name]
	if d.Effect.Writes() && !announced {
		if err := l.Recorder.Before(ctx, c, d.Effect); err != nil {
			return outcome{}, err
		}
	}
	call := l.call(c)
	call.Token, call.Own = token, own
	begun := time.Now()
	for try := 0; ; try++ {
		res, err := l.invoke(ctx, d, call)
		if !errors.Is(err, imprimatur.ErrMoved) || !d.Effect.Writes() {
			return outcome{result: l.bounded(ctx, c, res, err), ms: time.Since(begun).Milliseconds(), ran: true}, nil
		}
		now, holds := l.holds(ctx, s, i, c, d)
		if !holds || try == retries {
			return outcome{}, imprimatur.ErrMoved
		}
		call.Token = now
	}
}

// holds takes the picture of one call once more, after its write met another
// state, and reports whether it is the approved one.
func (l *Loop) holds(ctx context.Context, s *imprimatur.Suspended, i int, c imprimatur.ToolCall, d imprimatur.Descriptor) (token any, ok bool) {
	shown := imprimatur.PreviewOf(s.Previews, i, c.Name)
	if d.Previewer == nil || shown == nil {
		return nil, false
	}
	now, token := l.preview(ctx, d, i, c, again)
	return token, imprimatur.Compare(shown, now) == imprimatur.Same
}

// answer appends the result of a call to the transcript and records the step,
// together with the announcement of the write that follows at once, if one does.
func (l *Loop) answer(ctx context.Context, s *imprimatur.Suspended, c imprimatur.ToolCall, out outcome, next *imprimatur.ToolCall) error {
	res := out.result
	s.Messages = append(s.Messages, imprimatur.Message{
		Role: imprimatur.FromTool, CallID: c.ID, Text: res.Content, IsError: res.IsError,
	})
	payload := imprimatur.ToolPayload{
		Call: c.ID, Tool: c.Name, OK: !res.IsError, Ms: out.ms, Bytes: len(res.Content), Wrote: res.Wrote,
	}
	if next == nil {
		return l.step(ctx, imprimatur.EventTool, s.Rounds, payload, l.wrote(c, out))
	}
	step, err := stepOf(imprimatur.EventTool, s.Rounds, payload)
	if err != nil {
		return err
	}
	return l.Recorder.Between(ctx, step, *next, l.Tools[next.Name].Effect)
}

// rest is what remains of a turn whose call at index met a state that moved:
// that call and those after it, counted from nought, with new pictures.
func (l *Loop) rest(ctx context.Context, s imprimatur.Suspended, index int) *Paused {
	old := s
	s.Calls = append([]imprimatur.ToolCall{}, old.Calls[index:]...)
	s.Previews, s.Was, s.Bounces = nil, nil, nil
	mark := imprimatur.Mark{Index: 0, ID: s.Calls[0].ID, Kind: imprimatur.MarkMoved}
	for i, c := range s.Calls {
		shown := imprimatur.PreviewOf(old.Previews, index+i, c.Name)
		d := l.Tools[c.Name]
		if c.Refused == "" && l.Offered[c.Name] && d.Previewer != nil {
			p, _ := l.preview(ctx, d, i, c, again)
			s.Previews = append(s.Previews, p)
			if i == 0 && shown != nil {
				was := *shown
				was.Index = 0
				s.Was = append(s.Was, was)
			}
		}
		if n := old.Bounces[index+i]; n > 0 && i > 0 {
			s.Bounces = setBounce(s.Bounces, i, n)
		}
	}
	s.Bounces = setBounce(s.Bounces, 0, old.Bounces[index]+1)
	l.warnRestless(ctx, s.Calls[0], s.Bounces[0])
	l.Log.InfoContext(ctx, "turn moved between check and write", slog.String("run", l.Run), slog.String("call", mark.ID))
	return &Paused{State: s, Marks: []imprimatur.Mark{mark}}
}

func setBounce(m map[int]int, i, n int) map[int]int {
	if m == nil {
		m = map[int]int{}
	}
	m[i] = n
	return m
}
