package content

// Op is what a change does.
type Op string

// The operations of a change.
const (
	Create Op = "create"
	Update Op = "update"
	// Delete is soft. It takes exactly what Deletion returns.
	Delete Op = "delete"
	// Restore brings back one soft-deleted row and everything that went with it,
	// but what belongs to a record that was taken away by itself.
	Restore Op = "restore"
	// Move puts a row on another page or at another place, with its translations
	// and what belongs to it; of a page, the branch comes along. It keeps its uid
	// and its path.
	Move Op = "move"
	// Copy makes new rows of exactly what Copied returns. Translations are
	// hidden in the copy, and pages get new paths.
	Copy Op = "copy"
	// Localize makes the hidden translation of a default-language record, with
	// its file references and the records that belong to it.
	Localize Op = "localize"
)

// Key stands, as value of a field, for the uid that a Create of the same change
// set with this key gets.
type Key string

// Change is one operation on one row.
type Change struct {
	Op    Op
	Table string
	// UID names the row that is changed, moved, copied or translated. On a
	// create it asks for this uid, which only administrators may do; 0 takes the
	// next one.
	UID int64
	// Key names a created row, the copy or the translation inside the change set
	// and in Outcome.IDs.
	Key string
	// PID is the page a row is created on, moved or copied to: for a move, the
	// current one to stay there. ParentKey is that of a page created in the same
	// set.
	PID       int64
	ParentKey string
	// After is the row of the same table and page that a created, moved or
	// copied one comes behind; 0 puts it first, Last last.
	// A file reference comes last for 0 as well, else behind the reference with
	// this uid in the same field, even if that was taken away.
	After int64
	// Language of a created row or a translation, and Origin of a created row.
	// OriginKey is for an origin created in the same set.
	Language  int64
	Origin    int64
	OriginKey string
	// Workspace and DraftOf make a created row one of a draft workspace: a version
	// of the live row DraftOf, or a new one. Only administrators may write them,
	// and nobody sees them but Drafts.
	Workspace, DraftOf int64
	// Fields are the columns to set, those of the moved row, the copy or the
	// translation itself included. Text, int, int64, bool, Key and nil (no
	// value) are understood.
	Fields map[string]any
	// Rights of a created page; only administrators may give them. nil takes
	// those of the parent, with the acting user as owner.
	Rights *PageRights
	// Subpages lets the delete of a page take its subpages along; without it a
	// page that has some is not deleted.
	Subpages bool
}

// Last as Change.After puts a created row behind all others.
const Last int64 = -1

// Attach is the change that adds a file to a field of a record, last, with
// texts of its own (nil for none).
func Attach(to Ref, field string, file int64, texts map[string]string) Change {
	fields := map[string]any{
		ColumnOwnerTable: to.Table, ColumnOwner: to.UID, ColumnOwnerField: field, ColumnFile: file,
	}
	for name, text := range texts {
		fields[name] = text
	}
	return Change{Op: Create, Table: FileReferences, Fields: fields}
}

// ChangeSet is what Apply carries out: all of it, or nothing.
type ChangeSet struct {
	Changes []Change
	// Expect are the versions the rows must have; nil expects nothing.
	Expect Versions
	// Own are versions that earlier writes of the same turn left; each row may
	// have either.
	Own []Versions
}

// Complaint is why a change set was refused. Text is English, without names of
// records that the user may not see.
type Complaint struct {
	Change int // index in the change set
	Table  string
	UID    int64 // 0 for a row that was to be created
	Field  string
	Text   string
}

// Outcome is what Apply did. With complaints nothing was written.
type Outcome struct {
	Complaints []Complaint
	IDs        map[string]int64 // uids by the keys of the changes
	Created    []Ref            // in the order of the changes
	Versions   Versions         // of every row written, parents included
}

// Hook sees every write just before it is stored and may change its fields:
// the seam by which an installation bends what is written. Old is the zero
// value for a new row: one that is created, copied or localized.
type Hook func(op Op, row Ref, old Record, fields map[string]any)
