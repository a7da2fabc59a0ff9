package imprimatur

// Found is what somebody found who looked whether a write happened.
type Found string

// What may be found (rulings §9).
const (
	FoundHappened Found = "happened"
	FoundNothing  Found = "did_not_happen"
	FoundUnclear  Found = "unclear"
)

// Findings lists everything that may be found.
func Findings() []Found { return []Found{FoundHappened, FoundNothing, FoundUnclear} }

// Note says what somebody found about one call of a run whose outcome is
// unknown. It changes nothing but the record.
type Note struct {
	Call  string // id
	Found Found
}

// Unknown is a call of which nobody knows whether it wrote: the run broke off
// between its start and its end.
type Unknown struct {
	Call  string  `json:"call"`
	Tool  string  `json:"tool"`
	Late  *Ran    `json:"late,omitempty"` // what its tool reported once the run was given up
	Notes []Noted `json:"notes"`          // oldest first
}

// Noted is a note on record.
type Noted struct {
	Found Found `json:"found"`
	By    By    `json:"by"`
	At    Time  `json:"at"`
}
