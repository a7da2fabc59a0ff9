package imprimatur

import "encoding/json"

// Card is everything a person is shown about a run that waits, as data. Every
// surface shows the same card; only the words around it differ.
type Card struct {
	Run           string     `json:"run"`
	Status        Status     `json:"status"`
	Agent         string     `json:"agent"`
	Owner         By         `json:"owner"`
	WaitingSince  *Time      `json:"waiting_since"`
	TurnDigest    string     `json:"turn_digest"`
	PictureDigest string     `json:"picture_digest"`
	May           May        `json:"may"`
	Refusal       Code       `json:"refusal,omitempty"` // that an approval by this caller would get
	Words         string     `json:"words,omitempty"`   // the agent's own, not bound
	Ran           []Ran      `json:"ran"`               // calls of the turn that already ran
	Calls         []CardCall `json:"calls"`
	Unreadable    bool       `json:"unreadable"`
	Decided       *Decided   `json:"decided,omitempty"`
	Unknown       []Unknown  `json:"unknown,omitempty"` // calls that may have written, or not
}

// May says what this caller may do with the run.
type May struct {
	Approve bool `json:"approve"`
	Deny    bool `json:"deny"`
	Cancel  bool `json:"cancel"`
	Note    bool `json:"note"` // what came of a call whose outcome is unknown
}

// Ran is a call of a turn that was executed before the turn came back.
type Ran struct {
	ID   string `json:"id"`
	Tool string `json:"tool"`
	OK   bool   `json:"ok"`
}

// CardCall is one pending call.
type CardCall struct {
	Index     int             `json:"index"`
	ID        string          `json:"id"`
	Tool      string          `json:"tool"`
	Title     string          `json:"title,omitempty"` // the first line, where it is a published heading
	Effect    Effect          `json:"effect"`
	Arguments json.RawMessage `json:"arguments"`
	Refused   string          `json:"refused,omitempty"` // why the call can never run, in the caller's language
	Stale     MarkKind        `json:"stale,omitempty"`
	Restless  bool            `json:"restless,omitempty"` // it came back three times in a row: it does not hold still
	Was       []Line          `json:"was,omitempty"`      // the lines that were replaced
	Preview   *CardPreview    `json:"preview,omitempty"`
}

// CardPreview is a preview as this caller may see it.
type CardPreview struct {
	Language  string `json:"language"`
	Failed    bool   `json:"failed"`
	Withheld  bool   `json:"withheld"`
	OutOfDate bool   `json:"out_of_date"`
	Lines     []Line `json:"lines"`
}

// MarkKind says why a call brought its turn back.
type MarkKind string

// The kinds of marks (rulings §4).
const (
	MarkChanged     MarkKind = "changed"      // the lines differ
	MarkFailed      MarkKind = "failed"       // the preview could not be taken again
	MarkGone        MarkKind = "gone"         // the tool is gone, or previews no more
	MarkToolChanged MarkKind = "tool_changed" // the tool is not the one it was
	MarkMoved       MarkKind = "moved"        // the write met another state
	MarkLost        MarkKind = "lost"         // the segment was lost before anything ran
)

// Mark marks a call of the pending list.
type Mark struct {
	Index int      `json:"index"`
	ID    string   `json:"id"`
	Kind  MarkKind `json:"kind"`
}

// Shown is the sealed record of one decision: what was on the card and what
// was said (rulings §12).
type Shown struct {
	Calls         []ToolCall `json:"calls"`
	Previews      []Preview  `json:"previews"`
	Was           []Preview  `json:"was,omitempty"`
	Marks         []Mark     `json:"marks,omitempty"`
	Ran           []Ran      `json:"ran,omitempty"`
	Words         string     `json:"words,omitempty"`
	TurnDigest    string     `json:"turn_digest"`
	PictureDigest string     `json:"picture_digest"`
	Decided       Decided    `json:"decided"`
	Reason        string     `json:"reason,omitempty"`
	Retry         bool       `json:"retry,omitempty"`
	WaitingSince  Time       `json:"waiting_since"`
}

// Outcome is the sealed record of what came out of a run.
type Outcome struct {
	Text string `json:"text"`
}
