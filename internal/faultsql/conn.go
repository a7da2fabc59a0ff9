package faultsql

import (
	"context"
	"database/sql/driver"
	"strings"
)

// full is what both drivers implement. A wrapper that hid one of these would
// change how database/sql treats the connection.
type full interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
	driver.SessionResetter
}

type conn struct {
	inner full
	i     *Injector
	cut   bool // the inner connection is closed
	stuck bool // a transaction could not be ended: not to be used again
	inTx  bool
}

// checkingConn is a conn whose driver converts arguments itself, as pgx does.
type checkingConn struct {
	*conn
	driver.NamedValueChecker
}

// do runs one statement under the plan. It returns what run returned, or the
// zero value and an injected error. undo releases a result that the caller is
// not going to get.
func do[T any](c *conn, text string, run func() (T, error), undo func(T)) (T, error) {
	var none T
	if c.cut {
		return none, ErrCut
	}
	fault := c.i.pass(text)
	if fault.Do != nil {
		fault.Do()
	}
	switch fault.Mode {
	case Before:
		return none, ErrInjected
	case Cut:
		c.sever()
		return none, ErrCut
	}
	result, err := run()
	if err != nil {
		return none, err
	}
	switch fault.Mode {
	case After:
		undo(result)
		return none, ErrInjected
	case AfterCut:
		undo(result)
		c.sever()
		return none, ErrCut
	case Late:
		<-fault.Release
	}
	return result, nil
}

func (c *conn) sever() {
	c.cut = true
	_ = c.inner.Close() // it is to be gone; how is of no interest
}

// autocommit counts a statement that wrote outside of a transaction.
func (c *conn) autocommit(text string) {
	if c.inTx {
		return
	}
	word, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	switch strings.ToUpper(word) {
	case "INSERT", "UPDATE", "DELETE", "WITH", "CREATE", "DROP", "ALTER":
		c.i.committed()
	}
}

func (c *conn) BeginTx(ctx context.Context, opts driver.TxOptions) (driver.Tx, error) {
	inner, err := do(c, "BEGIN", func() (driver.Tx, error) {
		return c.inner.BeginTx(ctx, opts)
	}, func(tx driver.Tx) { _ = tx.Rollback() })
	if err != nil {
		return nil, err
	}
	c.inTx = true
	return tx{inner, c}, nil
}

// Begin is what database/sql does not call on a connection that has BeginTx.
func (c *conn) Begin() (driver.Tx, error) {
	return c.BeginTx(context.Background(), driver.TxOptions{})
}

func (c *conn) ExecContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	return c.exec(text, func() (driver.Result, error) { return c.inner.ExecContext(ctx, text, args) })
}

func (c *conn) exec(text string, run func() (driver.Result, error)) (driver.Result, error) {
	return do(c, text, func() (driver.Result, error) {
		result, err := run()
		if err == nil {
			c.autocommit(text)
		}
		return result, err
	}, func(driver.Result) {})
}

func (c *conn) QueryContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	return c.query(text, func() (driver.Rows, error) { return c.inner.QueryContext(ctx, text, args) })
}

func (c *conn) query(text string, run func() (driver.Rows, error)) (driver.Rows, error) {
	return do(c, text, func() (driver.Rows, error) {
		inner, err := run()
		if err != nil {
			return nil, err
		}
		c.autocommit(text)
		return rows{inner, c.i}, nil
	}, func(rows driver.Rows) { _ = rows.Close() })
}

// rows counts what is read. It hides what drivers tell of their column types,
// which nobody asks for here.
type rows struct {
	driver.Rows
	i *Injector
}

func (r rows) Next(dest []driver.Value) error {
	err := r.Rows.Next(dest)
	if err == nil {
		r.i.read()
	}
	return err
}

func (c *conn) PrepareContext(ctx context.Context, text string) (driver.Stmt, error) {
	if c.cut {
		return nil, ErrCut
	}
	inner, err := c.inner.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	return stmt{inner.(fullStmt), c, text}, nil
}

func (c *conn) Prepare(text string) (driver.Stmt, error) {
	return c.PrepareContext(context.Background(), text)
}

func (c *conn) Ping(ctx context.Context) error {
	if c.cut {
		return ErrCut
	}
	return c.inner.Ping(ctx)
}

// ResetSession may answer ErrBadConn: it is asked before anything was sent, and
// the pool then takes another connection.
func (c *conn) ResetSession(ctx context.Context) error {
	if !c.IsValid() {
		return driver.ErrBadConn
	}
	return c.inner.ResetSession(ctx)
}

// IsValid keeps a connection that was cut out of the pool.
func (c *conn) IsValid() bool {
	if c.cut || c.stuck {
		return false
	}
	if v, ok := c.inner.(driver.Validator); ok {
		return v.IsValid()
	}
	return true
}

func (c *conn) Close() error {
	if c.cut {
		return nil
	}
	return c.inner.Close()
}

// Unwrap returns the driver's own connection.
func (c *conn) Unwrap() driver.Conn { return c.inner }

type tx struct {
	inner driver.Tx
	c     *conn
}

// Commit rolls back what an injected failure kept from being committed, as the
// drivers themselves do.
func (t tx) Commit() error {
	done := false
	_, err := do(t.c, "COMMIT", func() (struct{}, error) {
		done = true
		err := t.inner.Commit()
		if err == nil {
			t.c.i.committed()
		}
		return struct{}{}, err
	}, func(struct{}) {})
	if !done && !t.c.cut {
		_ = t.inner.Rollback()
	}
	t.c.inTx = false
	return err
}

// Rollback leaves the connection out of the pool if it could not do its work.
func (t tx) Rollback() error {
	done := false
	_, err := do(t.c, "ROLLBACK", func() (struct{}, error) {
		done = true
		return struct{}{}, t.inner.Rollback()
	}, func(struct{}) {})
	t.c.stuck = t.c.stuck || !done
	t.c.inTx = false
	return err
}

type fullStmt interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

type stmt struct {
	fullStmt
	c    *conn
	text string
}

func (s stmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	return s.c.exec(s.text, func() (driver.Result, error) { return s.fullStmt.ExecContext(ctx, args) })
}

func (s stmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	return s.c.query(s.text, func() (driver.Rows, error) { return s.fullStmt.QueryContext(ctx, args) })
}

func (s stmt) Close() error {
	if s.c.cut {
		return nil
	}
	return s.fullStmt.Close()
}
