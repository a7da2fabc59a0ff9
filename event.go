package imprimatur

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
)

// EventKind names what happened.
type EventKind string

// The kinds of events. Steps come from the loop; the rest are written by the
// transitions themselves.
const (
	EventContext    EventKind = "context"    // what the run was offered
	EventRequest    EventKind = "request"    // a round began
	EventModel      EventKind = "llm"        // the model answered
	EventStart      EventKind = "start"      // a write is about to run
	EventTool       EventKind = "tool"       // a call ended
	EventApproval   EventKind = "approval"   // somebody decided
	EventStale      EventKind = "stale"      // an approval came back
	EventGovernance EventKind = "governance" // something was refused
	EventOutcome    EventKind = "outcome"    // somebody found out what an unknown write did
	EventSettled    EventKind = "settled"    // the run ended
)

// Event is one entry of a run's record. Payloads hold names, counts and
// digests; never arguments, values, preview lines or reasons.
type Event struct {
	Run      string          `json:"run"`
	Sequence int64           `json:"sequence"` // from 0, without gaps
	Kind     EventKind       `json:"kind"`
	At       Time            `json:"at"`
	Payload  json.RawMessage `json:"payload"`
}

// Chain returns the head of a run's chain after the event: a hash over the
// head before it and everything the event says. The head of an empty chain is
// empty.
func Chain(head []byte, e Event) []byte {
	h := sha256.New()
	h.Write([]byte("imprimatur/event/v1"))
	part := func(b []byte) {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(b)))
		h.Write(n[:])
		h.Write(b)
	}
	number := func(i int64) {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(i))
		h.Write(n[:])
	}
	part(head)
	part([]byte(e.Run))
	number(e.Sequence)
	part([]byte(e.Kind))
	number(e.At.UnixMilli())
	part(e.Payload)
	return h.Sum(nil)
}

// The payloads, by kind.
type (
	// ContextPayload says what a run was offered, and its limits.
	ContextPayload struct {
		Tools          []string `json:"tools"`
		MaxRounds      int      `json:"max_rounds"`
		MaxTokensTotal int64    `json:"max_tokens_total,omitempty"`
	}
	// RequestPayload opens a round.
	RequestPayload struct {
		Round int `json:"round"`
	}
	// ModelPayload is what came back from the model, without its words.
	ModelPayload struct {
		Round  int      `json:"round"`
		Finish string   `json:"finish"`
		Tokens Tokens   `json:"tokens"`
		Calls  []string `json:"calls"`
	}
	// StartPayload precedes every write.
	StartPayload struct {
		Call   string `json:"call"`
		Tool   string `json:"tool"`
		Effect Effect `json:"effect"`
		Digest string `json:"call_digest"`
	}
	// ToolPayload ends every call. Late marks a write whose segment had lost
	// the run by then.
	ToolPayload struct {
		Call  string   `json:"call"`
		Tool  string   `json:"tool"`
		OK    bool     `json:"ok"`
		Ms    int64    `json:"ms"`
		Bytes int      `json:"bytes"`
		Wrote *Written `json:"wrote,omitempty"`
		Late  bool     `json:"late,omitempty"`
	}
	// ApprovalPayload is a decision.
	ApprovalPayload struct {
		Verdict       Verdict    `json:"verdict"`
		By            By         `json:"by"`
		Credential    Credential `json:"credential"`
		TurnDigest    string     `json:"turn_digest"`
		PictureDigest string     `json:"picture_digest"`
	}
	// StalePayload names the calls that brought a turn back.
	StalePayload struct {
		Calls []Mark `json:"calls"`
	}
	// GovernancePayload is a no: of a decision, of a tool that was asked for,
	// or of a failure as an end. Of the last, Reason is the class and Requeued
	// how often the run has started over, this time included.
	GovernancePayload struct {
		Refused  Code   `json:"refused,omitempty"`
		Tool     string `json:"tool,omitempty"`
		Reason   string `json:"reason,omitempty"`
		Requeued int    `json:"requeued,omitempty"`
		By       *By    `json:"by,omitempty"`
	}
	// OutcomePayload is what somebody found who looked whether a write of unknown
	// outcome happened.
	OutcomePayload struct {
		Call  string `json:"call"`
		Found Found  `json:"found"`
		By    By     `json:"by"`
	}
	// SettledPayload closes the record.
	SettledPayload struct {
		Status Status `json:"status"`
		Reason Reason `json:"reason"`
		By     *By    `json:"by,omitempty"`
	}
)
