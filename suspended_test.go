package imprimatur_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur"
)

func fullState() imprimatur.Suspended {
	calls := []imprimatur.ToolCall{
		call("a", "read", `{"uid":7}`),
		{ID: "b", Name: "write", Identity: "builtin/write/1", Arguments: json.RawMessage(`"{\"x\":1,\"x\":2}"`), Refused: imprimatur.RefusedDuplicate},
	}
	return imprimatur.Suspended{
		Messages: []imprimatur.Message{
			{Role: imprimatur.FromUser, Text: "Über <das> & mehr"},
			{Role: imprimatur.FromAssistant, Text: "I shall.", Calls: calls},
			{Role: imprimatur.FromTool, CallID: "z", Text: "no", IsError: true},
		},
		Calls: calls, Rounds: 3, Tokens: imprimatur.Tokens{Prompt: 100, Completion: 20, Total: 120},
		Allowed: &[]string{"read", "write"}, MaxRounds: 7,
		Previews: []imprimatur.Preview{{Index: 1, Tool: "write", Language: "de", Lines: []imprimatur.Line{{Role: imprimatur.RoleField, Text: "t", Label: "l", Current: "c", Proposed: "p"}}}},
		Was:      []imprimatur.Preview{{Index: 1, Tool: "write", Language: "de", Failed: true, Neutral: true, Lines: []imprimatur.Line{{Role: imprimatur.RoleText, Text: "old"}}}},
		Bounces:  map[int]int{1: 2}, Words: "because", Ran: []imprimatur.Ran{{ID: "q", Tool: "write", OK: true}},
	}
}

// Proves runtime 97, 105.
func TestAStateComesBackAsItWas(t *testing.T) {
	t.Parallel()
	marks := []imprimatur.Mark{{Index: 1, ID: "b", Kind: imprimatur.MarkChanged}}
	for name, change := range map[string]func(*imprimatur.Suspended){
		"whole":         func(*imprimatur.Suspended) {},
		"no constraint": func(s *imprimatur.Suspended) { s.Allowed = nil },
		"no tools":      func(s *imprimatur.Suspended) { s.Allowed = &[]string{} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := fullState()
			change(&want)
			b, err := want.Encode()
			if err != nil {
				t.Fatal(err)
			}
			got, gotMarks, err := imprimatur.DecodeSuspended(b, marks)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(marks, gotMarks); diff != "" {
				t.Error(diff)
			}
			if imprimatur.TurnDigest(got.Calls) != imprimatur.TurnDigest(want.Calls) || imprimatur.PictureDigest(got.Calls, got.Previews) != imprimatur.PictureDigest(want.Calls, want.Previews) {
				t.Error("the digests changed on the way")
			}
		})
	}
}

// Proves runtime 98, 99, 101, 228; tools 7, 8, 11, 133.
func TestWhatIsMalformedBecomesEmptyAndCarriesNothingAlong(t *testing.T) {
	t.Parallel()
	const good = `{"id":"g","type":"function","function":{"name":"write","arguments":{"n":1}}}`
	for name, c := range map[string]struct {
		state string
		marks []imprimatur.Mark
		want  imprimatur.Suspended
		left  []imprimatur.Mark
	}{
		"an older row": {
			state: `{"messages":[],"pendingCalls":[` + good + `],"iterations":2,"promptTokens":3,"completionTokens":4}`,
			want:  imprimatur.Suspended{Calls: []imprimatur.ToolCall{{ID: "g", Name: "write", Arguments: json.RawMessage(`{"n":1}`)}}, Rounds: 2, Tokens: imprimatur.Tokens{Prompt: 3, Completion: 4}},
		},
		"every field of the wrong type": {
			state: `{"messages":7,"pendingCalls":{},"iterations":"x","promptTokens":[],"allowedToolNames":"all","options":[],"callPreviews":"p","bounces":[],"words":{},"ran":1}`,
		},
		"preview entries": {
			state: `{"pendingCalls":[` + good + `],"callPreviews":[{"index":"0","tool":"write","lines":["x"]},{"index":0,"tool":"write","lines":{}},{"index":0,"tool":7,"lines":["x"]},{"index":0.5,"tool":"write","lines":["x"]},"no",{"tool":"write","lines":["x"]},{"index":0,"tool":"write","lines":[7,"kept",""],"failed":"yes"}]}`,
			want: imprimatur.Suspended{
				Calls:    []imprimatur.ToolCall{{ID: "g", Name: "write", Arguments: json.RawMessage(`{"n":1}`)}},
				Previews: []imprimatur.Preview{{Tool: "write", Lines: []imprimatur.Line{{Role: imprimatur.RoleText, Text: "kept"}}}},
			},
		},
		"a dropped call takes its preview and mark, others move": {
			state: `{"pendingCalls":["junk",{"id":"","function":{"name":"x"}},` + good + `],"callPreviews":[{"index":0,"tool":"write","lines":["gone"]},{"index":2,"tool":"write","lines":["kept"]}],"bounces":{"0":1,"2":3}}`,
			marks: []imprimatur.Mark{{Index: 0, ID: "j", Kind: imprimatur.MarkChanged}, {Index: 2, ID: "g", Kind: imprimatur.MarkFailed}},
			want: imprimatur.Suspended{
				Calls: []imprimatur.ToolCall{{ID: "g", Name: "write", Arguments: json.RawMessage(`{"n":1}`)}}, Dropped: 2,
				Previews: []imprimatur.Preview{{Tool: "write", Lines: []imprimatur.Line{{Role: imprimatur.RoleText, Text: "kept"}}}},
				Bounces:  map[int]int{0: 3},
			},
			left: []imprimatur.Mark{{Index: 0, ID: "g", Kind: imprimatur.MarkFailed}},
		},
		"arguments as a string": {
			state: `{"pendingCalls":[{"id":"g","function":{"name":"write","arguments":"{\"b\":1,\"a\":2}"}},{"id":"h","function":{"name":"write","arguments":"nonsense"}},{"id":"i","function":{"name":"write"}}]}`,
			want: imprimatur.Suspended{Calls: []imprimatur.ToolCall{
				{ID: "g", Name: "write", Arguments: json.RawMessage(`{"a":2,"b":1}`)},
				{ID: "h", Name: "write", Arguments: json.RawMessage(`{}`)},
				{ID: "i", Name: "write", Arguments: json.RawMessage(`{}`)},
			}},
		},
		"a call that is none, in a message": {
			state: `{"messages":[{"role":"assistant","text":"I shall.","calls":["junk",` + good + `,{"id":""}]},{"role":"tool","call_id":"g","text":"done"},{"role":"assistant","calls":7},"junk"]}`,
			want: imprimatur.Suspended{Messages: []imprimatur.Message{
				{Role: imprimatur.FromAssistant, Text: "I shall.", Calls: []imprimatur.ToolCall{{ID: "g", Name: "write", Arguments: json.RawMessage(`{"n":1}`)}}},
				{Role: imprimatur.FromTool, CallID: "g", Text: "done"},
				{Role: imprimatur.FromAssistant},
			}},
		},
		"names that are no names": {
			state: `{"allowedToolNames":["a",7,null,"b"]}`,
			want:  imprimatur.Suspended{Allowed: &[]string{"a", "b"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, left, err := imprimatur.DecodeSuspended([]byte(c.state), c.marks)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(c.left, left); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestOnlyWhatIsNoObjectIsUnreadable(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"", "null", "7", `"x"`, "[]", "{", `{"a":1} x`, "\x00"} {
		if _, _, err := imprimatur.DecodeSuspended([]byte(s), nil); !errors.Is(err, imprimatur.ErrCorrupt) {
			t.Errorf("DecodeSuspended(%q): %v", s, err)
		}
	}
}

// Proves runtime 106.
func TestInvalidTextIsReplacedAndNeverAnError(t *testing.T) {
	t.Parallel()
	s := fullState()
	s.Messages[0].Text, s.Words = "a\xffb", "\xfe"
	b, err := s.Encode()
	if err != nil {
		t.Fatal(err)
	}
	got, _, err := imprimatur.DecodeSuspended(b, nil)
	if err != nil || got.Messages[0].Text != "a\ufffdb" || got.Words != "\ufffd" {
		t.Errorf("%q, %q, %v", got.Messages[0].Text, got.Words, err)
	}
}

func FuzzDecodeSuspended(f *testing.F) {
	b, err := fullState().Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Add([]byte(`{"pendingCalls":["junk",{"id":"a","function":{"name":"b","arguments":"{}"}}],"callPreviews":[{"index":1,"tool":"b","lines":["x"]}]}`))
	f.Add([]byte(`{"iterations":1e999,"callPreviews":[{"index":1e30,"tool":"b","lines":[{}]}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		marks := []imprimatur.Mark{{Index: 0, ID: "a", Kind: imprimatur.MarkChanged}, {Index: 1 << 40, ID: "b", Kind: imprimatur.MarkLost}}
		s, left, err := imprimatur.DecodeSuspended(b, marks)
		if err != nil {
			if !errors.Is(err, imprimatur.ErrCorrupt) {
				t.Fatal(err)
			}
			return
		}
		for _, m := range left {
			if m.Index < 0 || m.Index >= len(s.Calls) {
				t.Fatalf("mark %+v points nowhere", m)
			}
		}
		for _, p := range s.Previews {
			if p.Index < 0 || p.Index >= len(s.Calls) || p.Tool == "" || len(p.Lines) == 0 {
				t.Fatalf("preview %+v points nowhere", p)
			}
		}
		again, err := s.Encode()
		if err != nil {
			t.Fatal(err)
		}
		back, _, err := imprimatur.DecodeSuspended(again, nil)
		if err != nil || imprimatur.TurnDigest(back.Calls) != imprimatur.TurnDigest(s.Calls) {
			t.Fatalf("what was read back is another turn: %v", err)
		}
	})
}

func TestAClaimKeepsItsNonceWhateverTheHost(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ü-very-long-host.", 20)
	for _, host := range []string{"", "web-01", long, "a:b", "\xff\xfe", strings.Repeat("日", 100)} {
		c := imprimatur.NewClaim(imprimatur.ClaimResume, host, 4711, "abcdefghijkl")
		if n := len([]rune(string(c))); n > 64 || !strings.HasPrefix(string(c), "resume:") || !strings.HasSuffix(string(c), ":4711:abcdefghijkl") || c.Kind() != imprimatur.ClaimResume || strings.Count(string(c), ":") != 3 {
			t.Errorf("claim %q of %d characters", c, n)
		}
	}
}
