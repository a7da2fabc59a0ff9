// Package faultsql puts faults under database/sql, where the code above cannot
// tell them from real ones. It wraps the connectors of modernc's SQLite and of
// pgx, numbers what passes, and fails the statement that a test names.
package faultsql

import (
	"context"
	"database/sql/driver"
	"errors"
	"strings"
	"sync"
)

// Mode is what becomes of the statement that a fault meets.
type Mode int

// The modes. None of them answers driver.ErrBadConn, at which database/sql
// would quietly try again.
const (
	// Before fails the statement; the database never sees it.
	Before Mode = iota + 1
	// After runs the statement and then reports a failure. At a commit: what
	// was asked for is there, and the answer says it is not.
	After
	// Cut closes the connection instead of running the statement. An open
	// transaction is lost with it.
	Cut
	// AfterCut runs the statement and then closes the connection. At a commit
	// the acknowledgement is lost.
	AfterCut
	// Late runs the statement and holds the answer back until Release is
	// closed.
	Late
	// Cancel calls Do and then runs the statement as if nothing had happened.
	// Do is the cancel function of the context that is under test.
	Cancel
)

// Modes lists those that need no more than a number: a sweep runs them all.
func Modes() []Mode { return []Mode{Before, After, Cut, AfterCut} }

func (m Mode) String() string {
	names := []string{"none", "before", "after", "cut", "applied then cut", "late", "cancelled"}
	if m < 0 || int(m) >= len(names) {
		return "unknown"
	}
	return names[m]
}

var (
	// ErrInjected is the failure of Before and After.
	ErrInjected = errors.New("injected fault")
	// ErrCut is the failure of a connection that was cut.
	ErrCut = errors.New("injected fault: connection lost")
)

// Fault names one statement and what becomes of it.
type Fault struct {
	// At counts from 1 the statements since Arm whose text contains Match.
	At int
	// Match narrows the count; empty counts all. Begin, commit and rollback
	// have the texts BEGIN, COMMIT and ROLLBACK.
	Match string
	Mode  Mode
	// Do is called before anything else, if not nil.
	Do func()
	// Release ends the wait of Late.
	Release <-chan struct{}
}

// Statement is one statement that passed.
type Statement struct {
	Text  string // BEGIN, COMMIT, ROLLBACK, or SQL as it was given
	Fault Mode   // zero: none
}

// Injector is one plan of faults for any number of connections. It is safe for
// concurrent use. The zero value injects nothing and counts.
type Injector struct {
	mu      sync.Mutex
	faults  []armed
	log     []Statement
	commits int
	rows    int
	wrapped bool
}

type armed struct {
	Fault
	seen  int
	fired bool
}

// Wrap puts the injector under a connector.
func (i *Injector) Wrap(c driver.Connector) driver.Connector { return connector{c, i} }

// WrapFirst puts the injector under the first connector it is given and leaves
// the others alone: of a store, the writer.
func (i *Injector) WrapFirst(c driver.Connector) driver.Connector {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.wrapped {
		return c
	}
	i.wrapped = true
	return i.Wrap(c)
}

// Arm forgets what passed so far and waits for the statements that the faults
// name. Each fault fires once.
func (i *Injector) Arm(faults ...Fault) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.faults, i.log, i.commits, i.rows = nil, nil, 0, 0
	for _, f := range faults {
		i.faults = append(i.faults, armed{Fault: f})
	}
}

// Disarm injects nothing any more; the counts stay.
func (i *Injector) Disarm() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.faults = nil
}

// Fired reports how many faults met their statement since Arm. A sweep ends
// when a number no longer meets one.
func (i *Injector) Fired() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	n := 0
	for _, s := range i.log {
		if s.Fault != 0 {
			n++
		}
	}
	return n
}

// Statements returns what passed since Arm, in order.
func (i *Injector) Statements() []Statement {
	i.mu.Lock()
	defer i.mu.Unlock()
	return append([]Statement(nil), i.log...)
}

// Commits returns how many commits reached the database since Arm, whether or
// not they were acknowledged. A statement that writes outside of a transaction
// is a commit of its own.
func (i *Injector) Commits() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.commits
}

// Rows returns how many rows were read from the database since Arm.
func (i *Injector) Rows() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.rows
}

// pass notes a statement and returns the fault that meets it.
func (i *Injector) pass(text string) Fault {
	i.mu.Lock()
	defer i.mu.Unlock()
	var met Fault
	for n := range i.faults {
		f := &i.faults[n]
		if !strings.Contains(text, f.Match) {
			continue
		}
		if f.seen++; f.seen == f.At && !f.fired && met.Mode == 0 {
			f.fired, met = true, f.Fault
		}
	}
	i.log = append(i.log, Statement{text, met.Mode})
	return met
}

func (i *Injector) committed() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.commits++
}

func (i *Injector) read() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.rows++
}

type connector struct {
	inner driver.Connector
	i     *Injector
}

func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	inner, err := c.inner.Connect(ctx)
	if err != nil {
		return nil, err
	}
	wrapped := &conn{inner: inner.(full), i: c.i}
	if checker, ok := inner.(driver.NamedValueChecker); ok {
		return checkingConn{wrapped, checker}, nil
	}
	return wrapped, nil
}

func (c connector) Driver() driver.Driver { return c.inner.Driver() }
