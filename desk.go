package imprimatur

import (
	"encoding/json"
	"time"
)

// Start asks for a run.
type Start struct {
	Agent     string
	Prompt    string
	Tools     *[]string // nil: what the agent has; the list only ever narrows
	MaxRounds int       // 0: the agent's; at most MaxRounds
	Key       string    // idempotency key; empty: none
	Body      []byte    // hash of the request the key stands for
}

// Wait says how long a caller waits for a segment. The zero value does not
// wait: the answer comes as soon as the row, or the decision, is committed.
// The segment goes on when the wait ends, whatever becomes of the caller.
type Wait struct {
	For   time.Duration
	Begun func(run string) // called once the row or the decision is committed; may be nil
	Step  func(Step)       // called for every step, before it is stored; may be nil
}

// Step is what happened inside a segment, as its observer sees it live.
type Step struct {
	Kind    EventKind
	Round   int
	Payload json.RawMessage // of the event kind
}

// Filter chooses runs of a list. The zero value is every run the caller may
// see, newest first.
type Filter struct {
	Status  Status // waiting ones come oldest first, all others newest first
	Ended   bool   // runs that reached a final status; ignored with Status
	Agent   string
	Tool    string // a tool of the turn that waits
	Back    bool   // only turns that came back
	Mine    bool   // only runs that act for the caller
	Decided bool   // only runs the caller decided
	Query   string // part of id, agent, owner or tool, whatever its case
	Cursor  string // of the List before
	Limit   int    // 0: 50; at most 200
}

// MaxTotal is how far the runs of a list are counted.
const MaxTotal = 10_000

// List is one page of runs, without cards. Total counts the runs that the
// filter matches when it asks for waiting ones, MaxTotal of them at most; else
// it is 0.
type List struct {
	Runs  []Run
	Next  string // cursor of the next page; empty on the last
	Total int
}

// OfferedTool is what a caller may know about a tool.
type OfferedTool struct {
	Name             string `json:"name"`
	Group            string `json:"group"`
	Provider         string `json:"provider"`
	Effect           Effect `json:"effect"`
	Previews         bool   `json:"previews"`
	RequiresApproval bool   `json:"requires_approval"`
	Offered          bool   `json:"offered"`
	Reason           string `json:"reason,omitempty"` // why not
}
