package imprimatur

// Verdict is yes or no, and nothing else is either.
type Verdict string

// The verdicts.
const (
	Approve Verdict = "approve"
	Deny    Verdict = "deny"
)

// Valid reports whether v is one of the two.
func (v Verdict) Valid() bool { return v == Approve || v == Deny }

// Decision is what a person decided about one turn, and what they saw when
// they did (rulings §2).
type Decision struct {
	Verdict       Verdict
	TurnDigest    string // of the calls; both verdicts need it
	PictureDigest string // of the previews; an approval needs it
	Reason        string // of a denial, for the model; at most MaxReason characters
	Retry         bool   // of a denial: the agent may try again another way
}

// Decided says who decided a turn, and when.
type Decided struct {
	By      By      `json:"by"`
	Verdict Verdict `json:"verdict"`
	At      Time    `json:"at"`
}

// Attribution relates whoever approved to whoever the run acts for. It is a
// readout and decides nothing.
type Attribution string

// The attributions.
const (
	AttributedSelf         Attribution = "self"
	AttributedSecondPerson Attribution = "secondPerson"
	AttributedNoInitiator  Attribution = "initiatorUnknown"
	AttributedNobody       Attribution = "unresolved"
)

// Attribute relates the decider's user id to the owner's. The decider is asked
// first, and 0 never equals 0.
func Attribute(decider, owner int64) Attribution {
	switch {
	case decider <= 0:
		return AttributedNobody
	case owner <= 0:
		return AttributedNoInitiator
	case decider == owner:
		return AttributedSelf
	default:
		return AttributedSecondPerson
	}
}

// Collapse returns the attribution that stands for several approvals of one
// run, the least reassuring first; none gives the empty one.
func Collapse(all []Attribution) Attribution {
	for _, a := range []Attribution{AttributedSelf, AttributedNobody, AttributedNoInitiator, AttributedSecondPerson} {
		for _, b := range all {
			if a == b {
				return a
			}
		}
	}
	return ""
}
