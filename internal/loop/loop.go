// Package loop runs the rounds of one segment: it asks the model, stops before
// the first turn that needs a person, takes the pictures such a turn is judged
// by, takes them again when it was approved, and executes the calls. It never
// touches the store.
package loop

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/internal/canon"
	"github.com/imprimatur-dev/imprimatur/model"
)

// The two ways in which a segment loses its run. Neither is a failure: whoever
// gets one stops and settles nothing.
var (
	ErrCancelled = errors.New("the run was cancelled")
	ErrLost      = errors.New("the run is held by somebody else")
)

// Recorder is what the loop tells as it goes.
type Recorder interface {
	// Before is called before a write is entered and returns only once that is
	// on record. Any error means that the tool must not be entered.
	Before(ctx context.Context, call imprimatur.ToolCall, effect imprimatur.Effect) error
	// Record is called after every step. wrote says that the step is a write
	// that was executed: an error then means that it is not on record.
	Record(ctx context.Context, step imprimatur.Step, wrote bool) error
	// Between is Record of a write that was executed, and Before of the one
	// that follows it at once. Any error means that this one must not be
	// entered.
	Between(ctx context.Context, step imprimatur.Step, next imprimatur.ToolCall, effect imprimatur.Effect) error
}

// Loop is one segment of a run. Every field is required unless it says
// otherwise.
type Loop struct {
	Run      string
	Model    model.Model
	System   string                           // may be empty
	Tools    map[string]imprimatur.Descriptor // every tool there is
	Offered  map[string]bool                  // those this run may use
	Pictured map[string]bool                  // those whose pictures are taken again; a superset of Offered
	User     imprimatur.User                  // whom the run acts for; nobody where the account is gone or disabled
	Printer  *catalogue.Printer               // of that user's language
	Recorder Recorder
	Log      *slog.Logger
	Rounds   int   // that this segment may take
	Budget   int64 // tokens that the run may take in all; 0: no limit
}

// Result is how a segment stopped without failing: *Finished or *Paused.
type Result interface{ stopped() }

// Finished is a run that came to its end.
type Finished struct {
	Text      string
	Reason    imprimatur.Reason
	Truncated bool
	Rounds    int
	Tokens    imprimatur.Tokens
}

// Paused is a run that waits for a decision. With Marks it is the same turn
// as before: an approval did not hold.
type Paused struct {
	State imprimatur.Suspended
	Marks []imprimatur.Mark
}

func (*Finished) stopped() {}
func (*Paused) stopped()   {}

// Begin starts a run. allowed and maxRounds are the run's own constraints, to
// be found again when it resumes.
func (l *Loop) Begin(ctx context.Context, prompt string, allowed *[]string, maxRounds int) (Result, error) {
	s := imprimatur.Suspended{
		Messages: []imprimatur.Message{{Role: imprimatur.FromUser, Text: prompt}},
		Allowed:  allowed, MaxRounds: maxRounds,
	}
	return l.rounds(ctx, s)
}

// Approved goes on after an approval: the pictures of the whole turn are taken
// again, and only if none moved do its calls run. The calls named in forced
// bring the turn back whatever their pictures say.
func (l *Loop) Approved(ctx context.Context, s imprimatur.Suspended, forced []int) (Result, error) {
	back, tokens := l.repreview(ctx, s, forced)
	if back != nil {
		return back, nil
	}
	moved, err := l.execute(ctx, &s, tokens)
	if err != nil || moved != nil {
		return moved.result(), err
	}
	return l.rounds(ctx, l.answered(s))
}

// Denied goes on after a denial: every pending call is answered with the
// refusal, and nothing is executed.
func (l *Loop) Denied(ctx context.Context, s imprimatur.Suspended, reason string, retry bool) (Result, error) {
	for _, c := range s.Calls {
		if err := l.answer(ctx, &s, c, denial(c.Name, reason, retry), nil); err != nil {
			return nil, err
		}
	}
	return l.rounds(ctx, l.answered(s))
}

// result keeps a nil *Paused from becoming a Result that is not nil.
func (p *Paused) result() Result {
	if p == nil {
		return nil
	}
	return p
}

// rounds asks the model until it has no more calls, a turn needs a person, or
// the segment has used up what it may take.
func (l *Loop) rounds(ctx context.Context, s imprimatur.Suspended) (Result, error) {
	for taken := 0; ; taken++ {
		if l.Budget > 0 && s.Tokens.Total >= l.Budget {
			return finish(s, lastText(s.Messages), imprimatur.ReasonBudget), nil
		}
		if taken >= l.Rounds && len(l.Offered) > 0 {
			return l.close(ctx, s)
		}
		s.Rounds++
		res, err := l.ask(ctx, &s, s.Rounds, l.specs())
		if err != nil {
			return nil, err
		}
		if len(res.Calls) == 0 || len(l.Offered) == 0 {
			return finish(s, res.Text, imprimatur.ReasonCompleted), nil
		}
		s.Calls = l.accept(s, res.Calls)
		s.Messages = append(s.Messages, imprimatur.Message{Role: imprimatur.FromAssistant, Text: res.Text, Calls: s.Calls})
		if l.needsPerson(s.Calls) {
			return l.suspend(ctx, s, res.Text), nil
		}
		if moved, err := l.execute(ctx, &s, nil); err != nil || moved != nil {
			return moved.result(), err
		}
		s = l.answered(s)
	}
}

// close asks once more without tools, because the segment has no rounds left.
func (l *Loop) close(ctx context.Context, s imprimatur.Suspended) (Result, error) {
	res, err := l.ask(ctx, &s, s.Rounds+1, nil)
	if err != nil {
		return nil, err
	}
	return finish(s, res.Text, imprimatur.ReasonMaxIterations), nil
}

// ask takes one round to the model.
func (l *Loop) ask(ctx context.Context, s *imprimatur.Suspended, round int, tools []imprimatur.Spec) (model.Response, error) {
	if err := l.step(ctx, imprimatur.EventRequest, round, imprimatur.RequestPayload{Round: round}, false); err != nil {
		return model.Response{}, err
	}
	res, err := l.Model.Complete(ctx, model.Request{System: l.System, Messages: s.Messages, Tools: tools})
	if err != nil {
		return model.Response{}, fmt.Errorf("ask model in round %d: %w", round, err)
	}
	s.Tokens = s.Tokens.Add(res.Tokens)
	names := make([]string, len(res.Calls))
	for i, c := range res.Calls {
		names[i] = callName(c.Name)
	}
	return res, l.step(ctx, imprimatur.EventModel, round, imprimatur.ModelPayload{
		Round: round, Finish: string(res.Finish), Tokens: res.Tokens, Calls: names,
	}, false)
}

// needsPerson reports whether a turn stops for a person: one of its offered
// calls does. A turn none of whose calls can run needs nobody.
func (l *Loop) needsPerson(calls []imprimatur.ToolCall) bool {
	needs, runs := false, false
	for _, c := range calls {
		needs = needs || l.Offered[c.Name] && l.Tools[c.Name].Approval
		runs = runs || c.Refused == ""
	}
	return needs && runs
}

// suspend takes the pictures of a turn that needs a person.
func (l *Loop) suspend(ctx context.Context, s imprimatur.Suspended, words string) *Paused {
	s.Previews, s.Was, s.Bounces, s.Ran = nil, nil, nil, nil
	s.Words = imprimatur.Cut(imprimatur.BoundText(words, false), imprimatur.MaxWords)
	for i, c := range s.Calls {
		if d := l.Tools[c.Name]; c.Refused == "" && l.Offered[c.Name] && d.Previewer != nil {
			p, _ := l.preview(ctx, d, i, c, first)
			s.Previews = append(s.Previews, p)
		}
	}
	return &Paused{State: s}
}

// answered makes sure that every call of the transcript has a result, as
// providers demand, and forgets the turn. What is missing by now are calls
// that could not be read back.
func (l *Loop) answered(s imprimatur.Suspended) imprimatur.Suspended {
	has := map[string]bool{}
	var asked []imprimatur.ToolCall
	for _, m := range s.Messages {
		asked = append(asked, m.Calls...)
		if m.Role == imprimatur.FromTool {
			has[m.CallID] = true
		}
	}
	for _, c := range asked {
		if !has[c.ID] {
			s.Messages = append(s.Messages, imprimatur.Message{
				Role: imprimatur.FromTool, CallID: c.ID, IsError: true, Text: "The call could not be read back. It was not executed.",
			})
		}
	}
	s.Calls, s.Previews, s.Was, s.Bounces, s.Ran, s.Words, s.Dropped = nil, nil, nil, nil, nil, "", 0
	return s
}

// specs are the offered tools as the model sees them, in one order.
func (l *Loop) specs() []imprimatur.Spec {
	specs := make([]imprimatur.Spec, 0, len(l.Offered))
	for _, name := range sortedKeys(l.Offered) {
		specs = append(specs, l.Tools[name].Spec)
	}
	return specs
}

func (l *Loop) step(ctx context.Context, kind imprimatur.EventKind, round int, payload any, wrote bool) error {
	step, err := stepOf(kind, round, payload)
	if err != nil {
		return err
	}
	return l.Recorder.Record(ctx, step, wrote)
}

func stepOf(kind imprimatur.EventKind, round int, payload any) (imprimatur.Step, error) {
	b, err := canon.Marshal(payload)
	if err != nil {
		return imprimatur.Step{}, fmt.Errorf("encode %s step: %w", kind, err)
	}
	return imprimatur.Step{Kind: kind, Round: round, Payload: b}, nil
}

func finish(s imprimatur.Suspended, text string, reason imprimatur.Reason) *Finished {
	return &Finished{
		Text: text, Reason: reason, Truncated: reason != imprimatur.ReasonCompleted, Rounds: s.Rounds, Tokens: s.Tokens,
	}
}

func lastText(messages []imprimatur.Message) string {
	for i := len(messages) - 1; i >= 0; i-- {
		if m := messages[i]; m.Role == imprimatur.FromAssistant && m.Text != "" {
			return m.Text
		}
	}
	return ""
}
