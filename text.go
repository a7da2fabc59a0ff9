package imprimatur

// Label is the id of a catalogue entry.
type Label string

// Labels that the words themselves need; the rest stand in package catalogue.
const (
	// LabelVerbatim prints its value "text" as it is.
	LabelVerbatim Label = "verbatim"
	// LabelRefusal prints its value "text", a refusal in English.
	LabelRefusal Label = "refusal"
	// LabelNeutralRefusal is a refusal that tells nothing about the record: the
	// same string for missing, forbidden and deleted.
	LabelNeutralRefusal Label = "refusal.neutral"
)

// ByLanguage is a text by language tag. "en" is what every other language
// falls back to; without it, or for an empty map, the value is empty.
type ByLanguage map[string]string

// Escaped is a text in which what a reader cannot see is written out already,
// as Visible does it.
type Escaped string

// Phrase is a label and the values its placeholders take. A value is a string
// (shown as it is), an Escaped, an int or int64, a ByLanguage, a Phrase, or a []Phrase
// (joined with the language's own separator). An int named "count" picks the
// plural form.
type Phrase struct {
	Label  Label
	Values map[string]any
}

// Text is one line as a tool describes it: labels and values, never a
// sentence. The engine prints it in the acting user's language (S213).
//
// Whatever the label, the values named "name", "current" and "proposed" also
// become the parts of the printed line.
type Text struct {
	Role Role
	Phrase
}

// Refuse is the picture of a call that cannot be carried out: the English
// sentence that Execute would give the model.
func Refuse(sentence string) Picture {
	return Picture{Lines: []Text{{Role: RoleRefusal, Phrase: Phrase{LabelRefusal, map[string]any{"text": sentence}}}}}
}

// RefuseNeutrally is Refuse for a sentence that gives nothing away about the
// record it concerns.
func RefuseNeutrally(sentence string) Picture {
	return Picture{Lines: []Text{{Role: RoleRefusal, Phrase: Phrase{LabelNeutralRefusal, map[string]any{"text": sentence}}}}}
}
