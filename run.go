package imprimatur

import "time"

// Status is where a run stands. A stored value that is none of these is never
// coerced: such a run can be neither claimed, decided nor settled.
type Status string

// The statuses. The comments say who moves a run there and who moves it on.
const (
	StatusQueued    Status = "queued"               // by enqueue (T2) or a requeue (T10, T11); on by a worker's claim (T3)
	StatusRunning   Status = "running"              // by begin (T1) or a claim (T3, T6, T7); on by its owner, a cancel or the reaper
	StatusWaiting   Status = "waiting_for_approval" // by a pause or a bounce (T4) or the reaper (T13); on by a decision (T6) or a cancel
	StatusInput     Status = "waiting_for_input"    // reserved: nothing leads here yet
	StatusCompleted Status = "completed"            // by its owner (T8); final
	StatusFailed    Status = "failed"               // by its owner (T8) or the reaper (T12); final
	StatusCancelled Status = "cancelled"            // by a cancel (T9); final
)

// Final reports whether nothing leads on from here.
func (s Status) Final() bool {
	return s == StatusCompleted || s == StatusFailed || s == StatusCancelled
}

// Valid reports whether s is a status this program knows.
func (s Status) Valid() bool {
	switch s {
	case StatusQueued, StatusRunning, StatusWaiting, StatusInput, StatusCompleted, StatusFailed, StatusCancelled:
		return true
	}
	return false
}

// Reason is why a run ended; empty while it is alive.
type Reason string

// The termination reasons.
const (
	ReasonCompleted        Reason = "completed"
	ReasonMaxIterations    Reason = "max_iterations"
	ReasonBudget           Reason = "budget_exhausted"
	ReasonProviderFailed   Reason = "provider_failed"
	ReasonCancelled        Reason = "cancelled"
	ReasonRetriesExhausted Reason = "retries_exhausted"
	ReasonNotRetryable     Reason = "not_retryable"
	ReasonOutcomeUnknown   Reason = "outcome_unknown" // a write may have happened
	ReasonAuditFailed      Reason = "audit_failed"    // a write happened that could not be recorded
)

// Transition is one row of the table of transitions.
type Transition struct {
	ID       string   // T1 … T13, the same word in SQL and Go
	From     []Status // none: the run does not exist yet
	To       []Status // one of these
	Trigger  string
	Guard    string // beyond the source status; part of the update's predicate
	Reserved bool   // described by the specification, reached by nothing yet
}

// Transitions returns the table: every way in which a run's status changes.
// Each is one conditional update whose row count is the verdict.
func Transitions() []Transition {
	alive := []Status{StatusQueued, StatusRunning, StatusWaiting, StatusInput}
	running := []Status{StatusRunning}
	const startsOver = "claimed by a worker, request kept, no write begun that is not safe to repeat, requeued less than three times"
	return []Transition{
		{ID: "T1", To: []Status{StatusRunning}, Trigger: "begin"},
		{ID: "T2", To: []Status{StatusQueued}, Trigger: "enqueue"},
		{ID: "T3", From: []Status{StatusQueued}, To: []Status{StatusRunning}, Trigger: "claim by a worker"},
		{ID: "T4", From: running, To: []Status{StatusWaiting}, Trigger: "pause or bounce", Guard: "claim is mine"},
		{ID: "T5", From: running, To: []Status{StatusInput}, Trigger: "pause for input", Guard: "claim is mine", Reserved: true},
		{ID: "T6", From: []Status{StatusWaiting}, To: []Status{StatusRunning}, Trigger: "decision"},
		{ID: "T7", From: []Status{StatusInput}, To: []Status{StatusRunning}, Trigger: "submitted input", Reserved: true},
		{ID: "T8", From: running, To: []Status{StatusCompleted, StatusFailed}, Trigger: "settle", Guard: "claim is mine"},
		{ID: "T9", From: alive, To: []Status{StatusCancelled}, Trigger: "cancel"},
		{ID: "T10", From: running, To: []Status{StatusQueued}, Trigger: "requeue by its worker", Guard: "claim is mine, " + startsOver},
		{ID: "T11", From: running, To: []Status{StatusQueued}, Trigger: "requeue by the reaper", Guard: "lease lapsed, " + startsOver},
		{ID: "T12", From: running, To: []Status{StatusFailed}, Trigger: "dead letter by the reaper", Guard: "lease lapsed"},
		{ID: "T13", From: running, To: []Status{StatusWaiting}, Trigger: "return by the reaper", Guard: "lease lapsed, claimed by an approval, no write begun"},
	}
}

// Limits of runs.
const (
	MaxRounds     = 20               // ceiling of rounds in one segment
	DefaultRounds = 5                // where neither the request nor the agent says
	DefaultLease  = 15 * time.Minute // of a segment
	MaxResult     = 50_000           // bytes of a tool result
	MaxWords      = 500              // characters of the agent's own words on a card
	MaxReason     = 2_000            // characters of a denial's reason
)

// Agent is who a run is: its model, its instructions and what it may use.
type Agent struct {
	Name                  string
	Model                 string
	System                string
	Tools                 *[]string // nil: all that are on; empty: none
	MaxRounds             int       // 0: DefaultRounds
	MaxTokensTotal        int64     // 0: no budget
	RequireSecondApprover bool      // the owner of a run may not approve it
}

// Run is a run as callers see it; which fields are filled depends on the
// caller's rights. It is the shape of the HTTP API.
type Run struct {
	ID           string    `json:"id"`
	Status       Status    `json:"status"`
	Reason       Reason    `json:"reason"`
	Agent        string    `json:"agent"`
	Owner        By        `json:"owner"`
	Rounds       int       `json:"rounds"`
	Truncated    bool      `json:"truncated"`
	Tokens       Tokens    `json:"tokens"`
	Text         string    `json:"text,omitempty"` // the final answer, for those who may see the run
	CreatedAt    Time      `json:"created_at"`
	StartedAt    *Time     `json:"started_at,omitempty"`
	FinishedAt   *Time     `json:"finished_at,omitempty"`
	WaitingSince *Time     `json:"waiting_since,omitempty"`
	Tools        []string  `json:"tools,omitempty"` // of the turn that waits
	Calls        int       `json:"calls,omitempty"`
	Back         bool      `json:"back"` // the turn came back after an approval
	Stale        []Mark    `json:"stale"`
	Card         *Card     `json:"card,omitempty"`
	Unknown      []Unknown `json:"unknown,omitempty"` // calls that may have written, or not, for those who may see the run
}

// Time is a point in time of the database's clock. It reads and writes RFC
// 3339 in UTC with milliseconds.
type Time struct{ time.Time }

const timeLayout = "2006-01-02T15:04:05.000Z07:00"

// Millis returns the Time of ms milliseconds since the epoch.
func Millis(ms int64) Time { return Time{time.UnixMilli(ms).UTC()} }

// MarshalJSON writes milliseconds, always.
func (t Time) MarshalJSON() ([]byte, error) {
	return []byte(`"` + t.UTC().Format(timeLayout) + `"`), nil
}

// UnmarshalJSON reads RFC 3339.
func (t *Time) UnmarshalJSON(b []byte) error { return t.Time.UnmarshalJSON(b) }
