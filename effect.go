package imprimatur

// Effect is what a tool does to the world outside the run. It is declared,
// never inferred.
type Effect string

// The effects of tools. An undeclared effect is read_only; the effect of a
// name nobody knows is non_idempotent_write.
const (
	ReadOnly           Effect = "read_only"
	IdempotentWrite    Effect = "idempotent_write"
	NonIdempotentWrite Effect = "non_idempotent_write"
)

// Writes reports whether the effect changes something. Whatever is not
// known to be read-only counts as a write.
func (e Effect) Writes() bool { return e != ReadOnly }

// Repeatable reports whether running the call a second time is safe.
func (e Effect) Repeatable() bool { return e == ReadOnly || e == IdempotentWrite }

// Valid reports whether e is one of the three effects.
func (e Effect) Valid() bool {
	return e == ReadOnly || e == IdempotentWrite || e == NonIdempotentWrite
}
