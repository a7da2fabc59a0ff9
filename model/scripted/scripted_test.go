package scripted_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/model"
	"github.com/imprimatur-dev/imprimatur/model/scripted"
)

const museum = `
- when: opening hours
  turns:
    - calls: [{tool: get_page_content, arguments: {uid: 12}}]
    - text: The element has no picture yet.
      calls:
        - {tool: attach, arguments: {content_element: 40, file: 7, field: image}}
        - {tool: attach, id: mine, arguments: {file: 8}}
      tokens: {prompt: 120, completion: 8}
    - text: The picture is in place.
- when: broken
  turns:
    - error: {class: rate_limit}
- turns:
    - text: Anything else.
`

func load(t *testing.T, script string) *scripted.Model {
	t.Helper()
	m, err := scripted.Load(strings.NewReader(script))
	if err != nil {
		t.Fatalf("loading the script: %v", err)
	}
	return m
}

func user(text string) imprimatur.Message {
	return imprimatur.Message{Role: imprimatur.FromUser, Text: text}
}

func assistant() imprimatur.Message {
	return imprimatur.Message{Role: imprimatur.FromAssistant, Text: "whatever"}
}

func result() imprimatur.Message {
	return imprimatur.Message{Role: imprimatur.FromTool, CallID: "call-1-1", Text: "done"}
}

func TestAScriptPlaysOneTurnForEachAssistantMessageBefore(t *testing.T) {
	t.Parallel()
	ten5 := imprimatur.Tokens{Prompt: 10, Completion: 5, Total: 15}
	tests := []struct {
		name     string
		messages []imprimatur.Message
		want     model.Response
	}{
		{
			"the first turn, with an id made from turn and place",
			[]imprimatur.Message{user("What are the opening hours?")},
			model.Response{Finish: model.FinishCalls, Tokens: ten5, Calls: []model.Call{
				{ID: "call-1-1", Name: "get_page_content", Arguments: []byte(`{"uid":12}`)},
			}},
		},
		{
			"the second turn, text and calls and own tokens",
			[]imprimatur.Message{user("opening hours"), assistant(), result()},
			model.Response{
				Text: "The element has no picture yet.", Finish: model.FinishCalls,
				Tokens: imprimatur.Tokens{Prompt: 120, Completion: 8, Total: 128},
				Calls: []model.Call{
					{ID: "call-2-1", Name: "attach", Arguments: []byte(`{"content_element":40,"file":7,"field":"image"}`)},
					{ID: "mine", Name: "attach", Arguments: []byte(`{"file":8}`)},
				},
			},
		},
		{
			"results and later user messages do not count",
			[]imprimatur.Message{user("opening hours"), assistant(), result(), result(), user("broken"), assistant(), result()},
			model.Response{Text: "The picture is in place.", Finish: model.FinishStop, Tokens: ten5},
		},
		{
			"a script that has run out",
			[]imprimatur.Message{user("opening hours"), assistant(), assistant(), assistant(), assistant()},
			model.Response{Text: "(end of script)", Finish: model.FinishStop, Tokens: ten5},
		},
		{
			"an entry without when takes what is left",
			[]imprimatur.Message{user("hello")},
			model.Response{Text: "Anything else.", Finish: model.FinishStop, Tokens: ten5},
		},
		{
			"a transcript without a user message is an empty prompt",
			nil,
			model.Response{Text: "Anything else.", Finish: model.FinishStop, Tokens: ten5},
		},
	}
	m := load(t, museum)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := m.Complete(t.Context(), model.Request{Messages: tt.messages})
			if err != nil {
				t.Fatalf("Complete: %v", err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("answer differs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAnErrorTurnFailsWithItsClass(t *testing.T) {
	t.Parallel()
	for _, class := range []model.Class{
		model.ClassConnection, model.ClassRateLimit, model.ClassServer, model.ClassAuth,
		model.ClassConfiguration, model.ClassClient, model.ClassUnknown,
	} {
		t.Run(string(class), func(t *testing.T) {
			t.Parallel()
			m := load(t, "- turns: [{error: {class: "+string(class)+"}}]")
			got, err := m.Complete(t.Context(), model.Request{})
			var failure *model.Error
			if !errors.As(err, &failure) || failure.Class != class {
				t.Fatalf("error %v, want class %s", err, class)
			}
			if diff := cmp.Diff(model.Response{}, got); diff != "" {
				t.Errorf("an answer came with the error:\n%s", diff)
			}
		})
	}
}

func TestAPromptThatNoEntryMatchesEndsAtOnce(t *testing.T) {
	t.Parallel()
	m := load(t, "- {when: '^only this$', turns: [{text: yes}]}")
	got, err := m.Complete(t.Context(), model.Request{Messages: []imprimatur.Message{user("something else")}})
	if err != nil {
		t.Fatalf("Complete: %v", err)
	}
	if got.Text != scripted.End || got.Finish != model.FinishStop {
		t.Errorf("got %q, finish %q", got.Text, got.Finish)
	}
}

func TestArgumentsAreWhatTheScriptSays(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, call, want string }{
		{"none", `{tool: t}`, `{}`},
		{"empty", `{tool: t, arguments: {}}`, `{}`},
		{
			"numbers verbatim", `{tool: t, arguments: {a: 9007199254740993, b: 1.50, c: -0, d: 1e3}}`,
			`{"a":9007199254740993,"b":1.50,"c":-0,"d":1e3}`,
		},
		{
			"every kind", `{tool: t, arguments: {n: null, y: true, N: False, s: "1", l: [1, [x], {}], d: 2024-10-15}}`,
			`{"n":null,"y":true,"N":false,"s":"1","l":[1,["x"],{}],"d":"2024-10-15"}`,
		},
		{"no HTML escaping", `{tool: t, arguments: {"<a>": "b & c"}}`, `{"<a>":"b & c"}`},
		{"keys are texts", `{tool: t, arguments: {1: x, true: y}}`, `{"1":"x","true":"y"}`},
		{"raw, not JSON", `{tool: t, raw: '{"uid": '}`, `{"uid": `},
		{"raw, a key twice", `{tool: t, raw: '{"a":1, "a":2}'}`, `{"a":1, "a":2}`},
		{"raw, empty", `{tool: t, raw: ""}`, ``},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := load(t, "- turns: [{calls: ["+tt.call+"]}]")
			got, err := m.Complete(t.Context(), model.Request{})
			if err != nil {
				t.Fatalf("Complete: %v", err)
			}
			if diff := cmp.Diff(tt.want, string(got.Calls[0].Arguments)); diff != "" {
				t.Errorf("arguments differ (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAnIDThatIsWrittenStaysEvenEmptyOrTwice(t *testing.T) {
	t.Parallel()
	m := load(t, `- turns: [{calls: [{tool: a, id: ""}, {tool: b, id: same}, {tool: c, id: same}, {tool: d}]}]`)
	got, err := m.Complete(t.Context(), model.Request{})
	if err != nil {
		t.Fatalf("Complete: %v", err)
	}
	var ids []string
	for _, call := range got.Calls {
		ids = append(ids, call.ID)
	}
	if diff := cmp.Diff([]string{"", "same", "same", "call-1-4"}, ids); diff != "" {
		t.Errorf("ids differ (-want +got):\n%s", diff)
	}
}

func TestABadScriptIsRefusedWithItsLine(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, script, want string }{
		{"empty", "", "line 1: the script is empty"},
		{"only a comment", "# nothing\n", "the script is empty"},
		{"no list", "when: x\n", "line 1: the script is not a list"},
		{"a list of nothing", "[]", "line 1: the script has no entry"},
		{"not YAML", "- turns: [\n- x: }", "parse script"},
		{"two documents", "- turns: [{text: a}]\n---\n- turns: []\n", "a second document"},
		{"an empty entry", "- turns: [{text: a}]\n-\n", "line 2: an entry is not a mapping"},
		{"an entry that is a text", "- hello\n", "line 1: an entry is not a mapping"},
		{"no turns", "- when: x\n", "line 1: an entry without turns"},
		{"empty turns", "- when: x\n  turns: []\n", "line 2: turns is not a list of at least one"},
		{"turns that are no list", "- turns: {text: a}\n", "line 1: turns is not a list"},
		{"an unknown key of an entry", "- turns: [{text: a}]\n  whenn: x\n", `line 2: an entry has an unknown key "whenn"`},
		{"a key twice", "- turns: [{text: a}]\n  turns: [{text: b}]\n", `line 2: an entry has the key "turns" twice`},
		{"a bad expression", "- when: '('\n  turns: [{text: a}]\n", "line 1: when is not a regular expression"},
		{"when that is a list", "- when: [a]\n  turns: [{text: a}]\n", "line 1: when is not a text"},
		{"when that is null", "- when:\n  turns: [{text: a}]\n", "line 1: when is not a text"},
		{"an empty turn", "- turns:\n    - {}\n", "line 2: a turn without text, calls or error"},
		{"an unknown key of a turn", "- turns:\n    - txet: a\n", `line 2: a turn has an unknown key "txet"`},
		{"text that is a mapping", "- turns:\n    - text: {a: b}\n", "line 2: text is not a text"},
		{"calls that are empty", "- turns:\n    - calls: []\n", "line 2: calls is not a list of at least one"},
		{"calls that are no list", "- turns:\n    - calls: {tool: a}\n", "line 2: calls is not a list"},
		{"a call without tool", "- turns:\n    - calls:\n        - {id: a}\n", "line 3: a call without tool"},
		{"a call with an empty tool", "- turns: [{calls: [{tool: ''}]}]\n", "line 1: a call without tool"},
		{"an unknown key of a call", "- turns: [{calls: [{tool: a, args: {}}]}]\n", `a call has an unknown key "args"`},
		{"arguments that are a list", "- turns:\n    - calls:\n        - tool: a\n          arguments: [1]\n", "line 4: arguments is not a mapping"},
		{"arguments that are null", "- turns: [{calls: [{tool: a, arguments: null}]}]\n", "line 1: arguments is not a mapping"},
		{"arguments and raw", "- turns: [{calls: [{tool: a, arguments: {}, raw: x}]}]\n", "either arguments or raw"},
		{"raw that is a mapping", "- turns: [{calls: [{tool: a, raw: {}}]}]\n", "raw is not a text"},
		{"an argument twice", "- turns: [{calls: [{tool: a, arguments: {x: 1, x: 2}}]}]\n", `the key "x" twice`},
		{"a hexadecimal number", "- turns: [{calls: [{tool: a, arguments: {x: 0x1F}}]}]\n", "0x1F is a number that JSON cannot write"},
		{"infinity", "- turns: [{calls: [{tool: a, arguments: {x: .inf}}]}]\n", "JSON cannot write"},
		{"a number that is none", "- turns: [{calls: [{tool: a, arguments: {x: !!int '[1]'}}]}]\n", "JSON cannot write"},
		{"a boolean that is none", "- turns: [{calls: [{tool: a, arguments: {x: !!bool maybe}}]}]\n", "neither true nor false"},
		{"an own type", "- turns: [{calls: [{tool: a, arguments: {x: !mine y}}]}]\n", "no place in arguments"},
		{"an alias", "- turns: [{calls: [{tool: a, arguments: {x: &x [1], y: *x}}]}]\n", "aliases are not allowed"},
		{"a merge", "- turns: [{calls: [{tool: a, arguments: {<<: {x: 1}}}]}]\n", "a key in arguments is not a text"},
		{"an unknown class", "- turns:\n    - error: {class: tired}\n", `line 2: unknown class "tired"`},
		{"an error without class", "- turns:\n    - error: {}\n", "line 2: an error without class"},
		{"an error that is a text", "- turns:\n    - error: rate_limit\n", "line 2: an error is not a mapping"},
		{"an error with more", "- turns:\n    - error: {class: auth}\n      text: a\n", "line 2: a turn with an error holds something else"},
		{"tokens below nought", "- turns: [{text: a, tokens: {prompt: -1}}]\n", "tokens: prompt is not a count"},
		{"tokens that are a text", "- turns: [{text: a, tokens: {completion: many}}]\n", "tokens: completion is not a count"},
		{"tokens alone", "- turns: [{tokens: {prompt: 1}}]\n", "a turn without text, calls or error"},
		{"too large", "- turns: [{text: '" + strings.Repeat("a", 4<<20) + "'}]\n", "larger than"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m, err := scripted.Load(strings.NewReader(tt.script))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
			if m != nil {
				t.Error("a model came with the error")
			}
		})
	}
}

func TestAReaderThatFailsIsNamed(t *testing.T) {
	t.Parallel()
	broken := errors.New("disk gone")
	if _, err := scripted.Load(failing{broken}); !errors.Is(err, broken) {
		t.Errorf("error %v, want %v", err, broken)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func TestACancelledContextGetsNoAnswer(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := load(t, museum).Complete(ctx, model.Request{})
	var failure *model.Error
	if !errors.As(err, &failure) || !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want a *model.Error that wraps context.Canceled", err)
	}
}

func TestWhatACallerDoesToAnAnswerDoesNotReachTheNext(t *testing.T) {
	t.Parallel()
	m := load(t, museum)
	req := model.Request{Messages: []imprimatur.Message{user("opening hours")}}
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			got, err := m.Complete(t.Context(), req)
			if err != nil {
				t.Errorf("Complete: %v", err)
				return
			}
			if string(got.Calls[0].Arguments) != `{"uid":12}` || got.Calls[0].Name != "get_page_content" {
				t.Errorf("somebody else's change arrived: %s %s", got.Calls[0].Name, got.Calls[0].Arguments)
			}
			got.Calls[0].Name = "spoilt"
			copy(got.Calls[0].Arguments, "spoilt")
		})
	}
	wait.Wait()
}

func FuzzLoadNeverPanics(f *testing.F) {
	f.Add(museum)
	f.Add("- turns: [{calls: [{tool: a, arguments: {x: &x [1], y: *x}}]}]\n")
	f.Add("- turns: [{calls: [{tool: a, raw: '{'}]}]\n")
	f.Fuzz(func(t *testing.T, script string) {
		m, err := scripted.Load(strings.NewReader(script))
		if (m == nil) == (err == nil) {
			t.Fatalf("model %v and error %v", m, err)
		}
		if m == nil {
			return
		}
		if _, err := m.Complete(t.Context(), model.Request{}); err != nil {
			var failure *model.Error
			if !errors.As(err, &failure) {
				t.Fatalf("an error without class: %v", err)
			}
		}
	})
}
