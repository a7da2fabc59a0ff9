package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"maps"
	"net"
	"slices"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
	sqlitecode "modernc.org/sqlite/lib"
)

// Trouble is what keeps a database from doing its work, as a word for programs.
// Its String is a sentence for whoever runs the server; neither holds anything
// that is stored. The zero value is none.
type Trouble string

// The troubles.
const (
	NoTrouble      Trouble = ""
	DiskFull       Trouble = "disk_full"
	ReadOnly       Trouble = "read_only"
	LockTimeout    Trouble = "lock_timeout"
	Deadlock       Trouble = "deadlock"
	Serialisation  Trouble = "serialisation_failure"
	Shutdown       Trouble = "shutdown"
	ConnectionLost Trouble = "connection_lost"
	CommitUnknown  Trouble = "commit_unknown"
	TooSlow        Trouble = "timeout"
	Crowded        Trouble = "too_many_connections"
	Forbidden      Trouble = "forbidden"
	Broken         Trouble = "damaged"
	NewerSchema    Trouble = "newer_schema"
	OlderSchema    Trouble = "older_schema"
	SecondServer   Trouble = "second_server"
	Unavailable    Trouble = "unavailable"
)

// String returns the sentence.
func (t Trouble) String() string { return sentences()[t] }

func sentences() map[Trouble]string {
	return map[Trouble]string{
		NoTrouble:      "The database works.",
		DiskFull:       "The disk of the database is full: nothing can be stored until there is room.",
		ReadOnly:       "The database can only be read: nothing can be stored.",
		LockTimeout:    "Another program held the database, or a part of it, for too long.",
		Deadlock:       "Two transactions waited for each other, and the database took one of them back.",
		Serialisation:  "The database took a transaction back, because another one changed what it had read.",
		Shutdown:       "The database is shutting down or starting up, or an administrator ended the connection.",
		ConnectionLost: "The connection to the database was lost.",
		CommitUnknown:  "A commit was sent and its answer was not heard; what was to be stored is read back, not sent again.",
		TooSlow:        "The database did not answer in time.",
		Crowded:        "The database takes no further connection.",
		Forbidden:      "The user of the database may not do what this program needs.",
		Broken:         "The database is damaged, or is none of this program.",
		NewerSchema:    "The database is newer than this program: use a newer imprimatur.",
		OlderSchema:    "The database is older than this program: run imprimatur migrate.",
		SecondServer:   "Another imprimatur already serves this database file.",
		Unavailable:    "The database does not work; the log says more.",
	}
}

// Troubles lists every trouble, by word.
func Troubles() []Trouble {
	all := sentences()
	delete(all, NoTrouble)
	return slices.Sorted(maps.Keys(all))
}

// TroubleOf says which trouble of the database an error tells of. What is not
// the database's, and an error that it alone does not explain, is none.
func TroubleOf(err error) Trouble {
	var schema *SchemaError
	switch {
	case err == nil:
		return NoTrouble
	case errors.As(err, &schema) && schema.Older():
		return OlderSchema
	case schema != nil:
		return NewerSchema
	case errors.Is(err, ErrLocked):
		return SecondServer
	case errors.Is(err, ErrCommitUnknown):
		return CommitUnknown
	}
	var lite *sqlite.Error
	if errors.As(err, &lite) {
		return ofSQLite(lite.Code())
	}
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return ofPostgres(pg.Code)
	}
	return ofConnection(err)
}

func ofSQLite(code int) Trouble {
	switch code & 0xff { // the rest of the code says where it happened
	case sqlitecode.SQLITE_FULL:
		return DiskFull
	case sqlitecode.SQLITE_READONLY, sqlitecode.SQLITE_PERM, sqlitecode.SQLITE_CANTOPEN:
		return ReadOnly
	case sqlitecode.SQLITE_BUSY, sqlitecode.SQLITE_LOCKED:
		return LockTimeout
	case sqlitecode.SQLITE_CORRUPT, sqlitecode.SQLITE_NOTADB:
		return Broken
	case sqlitecode.SQLITE_IOERR, sqlitecode.SQLITE_NOMEM:
		return Unavailable
	case sqlitecode.SQLITE_INTERRUPT:
		return TooSlow
	}
	return NoTrouble
}

// ofPostgres knows the classes of PostgreSQL's table of error codes that are
// not about the statement.
func ofPostgres(code string) Trouble {
	switch code {
	case "53100":
		return DiskFull
	case "25006":
		return ReadOnly
	case "55P03":
		return LockTimeout
	case deadlocked:
		return Deadlock
	case unserialised:
		return Serialisation
	case "57P01", "57P02", "57P03":
		return Shutdown
	case "57014":
		return TooSlow
	case "53300":
		return Crowded
	case "42501":
		return Forbidden
	case "25P03", "57P05":
		return ConnectionLost
	}
	if len(code) < 2 {
		return Unavailable
	}
	switch code[:2] {
	case "08":
		return ConnectionLost
	case "28":
		return Forbidden
	case "XX":
		return Broken
	case "53", "57", "58":
		return Unavailable
	}
	return NoTrouble
}

// ofConnection knows what is said where no database answered.
func ofConnection(err error) Trouble {
	var connect *pgconn.ConnectError
	var network net.Error
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return TooSlow
	case errors.Is(err, driver.ErrBadConn), errors.Is(err, sql.ErrConnDone), errors.Is(err, io.EOF),
		errors.Is(err, io.ErrUnexpectedEOF), errors.As(err, &connect), errors.As(err, &network):
		return ConnectionLost
	}
	return NoTrouble
}

// disconnected reports whether a transaction ended with its connection and
// before its commit was sent.
func disconnected(err error) bool {
	trouble := TroubleOf(err)
	return trouble == ConnectionLost || trouble == Shutdown
}

// SQLSTATEs of a transaction that PostgreSQL took back because of others.
const (
	unserialised = "40001"
	deadlocked   = "40P01"
)

// busy reports whether another program held the SQLite file.
func busy(err error) bool {
	var lite *sqlite.Error
	return errors.As(err, &lite) && lite.Code()&0xff == sqlitecode.SQLITE_BUSY
}

// takenBack reports whether the database itself rolled the transaction back,
// and says so, only because of others: it can be run again from the beginning.
func takenBack(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == unserialised || pg.Code == deadlocked)
}
