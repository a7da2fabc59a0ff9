// Package scripted is a model that reads its answers from a file: for demos,
// tests and a first look without any provider.
//
// A script is a YAML list. The first entry whose "when", a regular expression
// (default ".*"), matches the first user message of the run plays its turns in
// order, one for each call of the model:
//
//   - when: opening hours
//     turns:
//   - text: Let me look.
//     calls:
//   - {tool: get_page_content, arguments: {uid: 12}}
//   - {tool: get_page_content, raw: '{"uid": ', id: mine}
//   - text: They are on the page.
//     tokens: {prompt: 120, completion: 8}
//   - turns:
//   - error: {class: rate_limit}
//
// A turn is a text, calls, both, or an error. Arguments are sent with numbers
// as they are written; raw is sent byte for byte, whether it is JSON or not.
// Without tokens a turn counts DefaultPrompt and DefaultCompletion.
//
// The turn is found by counting the assistant messages of the transcript, so a
// run that was resumed, by whatever process, goes on where it was. An error
// leaves no message behind: who tries again meets it again.
package scripted

import (
	"context"
	"fmt"
	"regexp"
	"slices"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/model"
)

// What a turn counts that does not say it.
const (
	DefaultPrompt     = 10
	DefaultCompletion = 5
)

// End is the answer of a script that has run out, or that has no entry for
// this run.
const End = "(end of script)"

// Model plays a script. It never changes, so it is safe for concurrent use.
type Model struct{ entries []entry }

type entry struct {
	when  *regexp.Regexp
	turns []turn
}

// turn is either an answer or, where class is set, a failure.
type turn struct {
	answer model.Response
	class  model.Class
}

// Complete returns the turn that the transcript has reached. Every error is a
// *model.Error.
func (m *Model) Complete(ctx context.Context, req model.Request) (model.Response, error) {
	if err := ctx.Err(); err != nil {
		return model.Response{}, &model.Error{Class: model.ClassConnection, Err: err}
	}
	first, played := progress(req.Messages)
	turns := m.turnsFor(first)
	if played >= len(turns) {
		return model.Response{Text: End, Finish: model.FinishStop, Tokens: defaultTokens()}, nil
	}
	now := turns[played]
	if now.class != "" {
		return model.Response{}, &model.Error{Class: now.class, Err: fmt.Errorf("turn %d of the script is an error", played+1)}
	}
	answer := now.answer
	answer.Calls = slices.Clone(answer.Calls)
	for i := range answer.Calls {
		answer.Calls[i].Arguments = slices.Clone(answer.Calls[i].Arguments)
	}
	return answer, nil
}

func progress(messages []imprimatur.Message) (first string, played int) {
	asked := false
	for _, msg := range messages {
		switch msg.Role {
		case imprimatur.FromUser:
			if !asked {
				first, asked = msg.Text, true
			}
		case imprimatur.FromAssistant:
			played++
		}
	}
	return first, played
}

func (m *Model) turnsFor(prompt string) []turn {
	for _, e := range m.entries {
		if e.when.MatchString(prompt) {
			return e.turns
		}
	}
	return nil
}

func defaultTokens() imprimatur.Tokens {
	return imprimatur.Tokens{Prompt: DefaultPrompt, Completion: DefaultCompletion, Total: DefaultPrompt + DefaultCompletion}
}

// callID is the id of a call that has none: turn and place, both from 1.
func callID(turn, place int) string { return fmt.Sprintf("call-%d-%d", turn, place) }

var _ model.Model = (*Model)(nil)
