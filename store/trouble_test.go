package store_test

import (
	"bytes"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/imprimatur-dev/imprimatur/internal/faultsql"
	"github.com/imprimatur-dev/imprimatur/internal/pgtest"
	"github.com/imprimatur-dev/imprimatur/store"
)

// heardLog is a log that several goroutines write.
type heardLog struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *heardLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

func (l *heardLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}

// opened opens a store and the log that it writes.
func opened(t *testing.T, cfg store.Config) (*store.Store, *heardLog) {
	t.Helper()
	log := &heardLog{}
	cfg.Logger = slog.New(slog.NewJSONHandler(log, nil))
	return store.MustOpen(t, cfg), log
}

// fails holds a write that did not happen against the trouble it must be of:
// the error, the log and, where it lasts, readiness tell of it.
func fails(t *testing.T, s *store.Store, log *heardLog, err error, want store.Trouble, lasts bool) {
	t.Helper()
	if got := store.TroubleOf(err); got != want {
		t.Errorf("%v tells of %q, want %q", err, got, want)
	}
	if !strings.Contains(log.String(), want.String()) {
		t.Errorf("%q does not stand in the log:\n%s", want, log)
	}
	if got := s.Ready(t.Context()); lasts && got != want {
		t.Errorf("readiness is %q, want %q", got, want)
	} else if !lasts && got != store.NoTrouble {
		t.Errorf("readiness is %q, once it is over", got)
	}
}

// people counts them.
func people(t *testing.T, s *store.Store) int {
	t.Helper()
	all, err := s.Users(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return len(all)
}

func addPerson(ctx context.Context, s *store.Store, name string) error {
	_, err := s.AddUser(ctx, store.NewUser{Name: name})
	return err
}

// The page about databases has every word and its sentence.
func TestEveryTroubleIsDocumented(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../docs/databases.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, trouble := range store.Troubles() {
		if row := fmt.Sprintf("| `%s` | %s |", string(trouble), trouble); !strings.Contains(string(page), row) {
			t.Errorf("the page lacks %s", row)
		}
	}
}

// A disk that is full: SQLite may not make its file longer.
func TestAFullDiskOfSQLiteLosesNothing(t *testing.T) {
	t.Parallel()
	s, log := opened(t, store.Config{Database: "sqlite:" + filepath.Join(t.TempDir(), "full.db")})
	var pages int
	if err := s.Writer().QueryRowContext(t.Context(), "PRAGMA page_count").Scan(&pages); err != nil {
		t.Fatal(err)
	}
	quota := func(n int) {
		t.Helper()
		if _, err := s.Writer().ExecContext(t.Context(), fmt.Sprintf("PRAGMA max_page_count = %d", n)); err != nil {
			t.Fatal(err)
		}
	}
	quota(pages + 1)
	stored := 0
	var err error
	for ; err == nil && stored < 1000; stored++ {
		err = addPerson(t.Context(), s, fmt.Sprintf("%040d", stored))
	}
	stored-- // the last one was refused
	fails(t, s, log, err, store.DiskFull, true)
	if got := people(t, s); got != stored {
		t.Errorf("%d people are there, %d were stored", got, stored)
	}
	quota(pages + 1000)
	if err := addPerson(t.Context(), s, "there is room again"); err != nil {
		t.Fatal(err)
	}
	if got := people(t, s); got != stored+1 {
		t.Errorf("%d people are there, want %d", got, stored+1)
	}
}

func TestADatabaseThatCanOnlyBeReadStoresNothing(t *testing.T) {
	t.Parallel()
	store.EachDatabase(t, func(t *testing.T, database string) {
		s, log := opened(t, store.Config{Database: database})
		if err := addPerson(t.Context(), s, "before"); err != nil {
			t.Fatal(err)
		}
		lock, unlock := "PRAGMA query_only = 1", "PRAGMA query_only = 0"
		if !strings.HasPrefix(database, "sqlite:") {
			s.Writer().SetMaxOpenConns(1)
			lock, unlock = "SET default_transaction_read_only = on", "SET default_transaction_read_only = off"
		}
		if _, err := s.Writer().ExecContext(t.Context(), lock); err != nil {
			t.Fatal(err)
		}
		fails(t, s, log, addPerson(t.Context(), s, "meanwhile"), store.ReadOnly, true)
		if got := people(t, s); got != 1 {
			t.Errorf("%d people are there", got)
		}
		if _, err := s.Writer().ExecContext(t.Context(), unlock); err != nil {
			t.Fatal(err)
		}
		if err := addPerson(t.Context(), s, "after"); err != nil {
			t.Error(err)
		}
	})
}

// Somebody else holds what a write needs, longer than it waits.
func TestALockThatIsNotGivenBackIsNotWaitedForWithoutEnd(t *testing.T) {
	t.Parallel()
	store.EachDatabase(t, func(t *testing.T, database string) {
		first := store.MustOpen(t, store.Config{Database: database})
		impatient := database
		if !strings.HasPrefix(database, "sqlite:") {
			impatient = withParameter(t, database, "lock_timeout", "50")
		}
		s, log := opened(t, store.Config{Database: impatient})
		if strings.HasPrefix(database, "sqlite:") {
			if _, err := s.Writer().ExecContext(t.Context(), "PRAGMA busy_timeout = 50"); err != nil {
				t.Fatal(err)
			}
		}
		var refused error
		err := first.Write(t.Context(), func(ctx context.Context, tx *sql.Tx, _ int64) error {
			if _, err := tx.ExecContext(ctx, "INSERT INTO sequences (name, last) VALUES ('held', 1)"); err != nil {
				return err
			}
			refused = s.Write(ctx, func(ctx context.Context, tx *sql.Tx, _ int64) error {
				_, err := tx.ExecContext(ctx, "INSERT INTO sequences (name, last) VALUES ('held', 2)")
				return err
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		fails(t, s, log, refused, store.LockTimeout, false)
		var last int
		if err := s.Reader().QueryRowContext(t.Context(), "SELECT last FROM sequences WHERE name = 'held'").Scan(&last); err != nil || last != 1 {
			t.Errorf("the row holds %d, %v", last, err)
		}
	})
}

// withParameter sets a parameter of the session in the URL of a PostgreSQL.
func withParameter(t *testing.T, database, name, value string) string {
	t.Helper()
	u, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	q.Set(name, value)
	u.RawQuery = q.Encode()
	return u.String()
}

// Two transactions raise the same two numbers, each in its own order, and meet
// in between. PostgreSQL takes one of them back; it is run again.
func TestADeadlockIsRunAgain(t *testing.T) {
	t.Parallel()
	s, log := opened(t, store.Config{Database: pgtest.Start(t)})
	numbers(t, s)
	met := newMeeting()
	var both sync.WaitGroup
	for i, order := range [][2]string{{"one", "two"}, {"two", "one"}} {
		both.Go(func() {
			err := s.Write(t.Context(), func(ctx context.Context, tx *sql.Tx, _ int64) error {
				if err := raise(ctx, tx, order[0]); err != nil {
					return err
				}
				met.wait(i)
				return raise(ctx, tx, order[1])
			})
			if err != nil {
				t.Errorf("transaction %d: %v", i, err)
			}
		})
	}
	both.Wait()
	raised(t, s, 2)
	if !strings.Contains(log.String(), `"trouble":"deadlock"`) {
		t.Errorf("no deadlock stands in the log:\n%s", log)
	}
	if got := s.Ready(t.Context()); got != store.NoTrouble {
		t.Errorf("readiness is %q", got)
	}
}

// The database is set up so that transactions must not overtake each other.
// Two read what the other one writes.
func TestASerialisationFailureIsRunAgain(t *testing.T) {
	t.Parallel()
	s, log := opened(t, store.Config{Database: withParameter(t, pgtest.Start(t), "default_transaction_isolation", "serializable")})
	numbers(t, s)
	met := newMeeting()
	var both sync.WaitGroup
	for i := range 2 {
		both.Go(func() {
			err := s.Write(t.Context(), func(ctx context.Context, tx *sql.Tx, _ int64) error {
				var last int
				if err := tx.QueryRowContext(ctx, "SELECT last FROM sequences WHERE name = 'one'").Scan(&last); err != nil {
					return err
				}
				met.wait(i)
				_, err := tx.ExecContext(ctx, "UPDATE sequences SET last = $1 WHERE name = 'one'", last+1)
				return err
			})
			if err != nil {
				t.Errorf("transaction %d: %v", i, err)
			}
		})
	}
	both.Wait()
	var last int
	if err := s.Reader().QueryRowContext(t.Context(), "SELECT last FROM sequences WHERE name = 'one'").Scan(&last); err != nil || last != 2 {
		t.Errorf("two who added one came to %d, %v", last, err)
	}
	if !strings.Contains(log.String(), `"trouble":"serialisation_failure"`) {
		t.Errorf("no such failure stands in the log:\n%s", log)
	}
}

// What fails every time is given up, said, and changes nothing.
func TestATransactionIsNotRunAgainWithoutEnd(t *testing.T) {
	t.Parallel()
	s, log := opened(t, store.Config{Database: pgtest.Start(t)})
	for code, want := range map[string]store.Trouble{"40P01": store.Deadlock, "40001": store.Serialisation} {
		times := 0
		err := s.Write(t.Context(), func(ctx context.Context, tx *sql.Tx, _ int64) error {
			times++
			if err := raise(ctx, tx, code); err != nil {
				return err
			}
			_, err := tx.ExecContext(ctx, "DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '"+code+"'; END $$")
			return err
		})
		fails(t, s, log, err, want, false)
		if times != 4 {
			t.Errorf("it was run %d times", times)
		}
	}
	var n int
	if err := s.Reader().QueryRowContext(t.Context(), "SELECT count(*) FROM sequences WHERE name LIKE '40%'").Scan(&n); err != nil || n != 0 {
		t.Errorf("%d rows are left, %v", n, err)
	}
}

// What PostgreSQL says of its disk, and others like it, in so many codes.
func TestWhatPostgreSQLSaysIsUnderstood(t *testing.T) {
	t.Parallel()
	s, log := opened(t, store.Config{Database: pgtest.Start(t)})
	for code, want := range map[string]store.Trouble{
		"53100": store.DiskFull, "57P01": store.Shutdown, "57P03": store.Shutdown, "53300": store.Crowded, "42501": store.Forbidden,
		"57014": store.TooSlow, "08006": store.ConnectionLost, "28P01": store.Forbidden, "XX001": store.Broken, "58030": store.Unavailable,
	} {
		err := s.Write(t.Context(), func(ctx context.Context, tx *sql.Tx, _ int64) error {
			_, err := tx.ExecContext(ctx, "DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '"+code+"'; END $$")
			return err
		})
		if got := store.TroubleOf(err); got != want || !strings.Contains(log.String(), want.String()) {
			t.Errorf("%s tells of %q, want %q, and the log says\n%s", code, got, want, log)
		}
	}
	if store.TroubleOf(store.ErrNoUser) != store.NoTrouble || store.TroubleOf(nil) != store.NoTrouble {
		t.Error("a refusal counts as trouble")
	}
}

// An administrator ends the connection in the middle of a transaction. It is
// begun again on another one, and happens once.
func TestATransactionOutlivesAnAdministratorWhoEndsItsConnection(t *testing.T) {
	t.Parallel()
	s, log := opened(t, store.Config{Database: pgtest.Start(t)})
	numbers(t, s)
	first := true
	err := s.Write(t.Context(), func(ctx context.Context, tx *sql.Tx, _ int64) error {
		var pid int
		if err := tx.QueryRowContext(ctx, "SELECT pg_backend_pid()").Scan(&pid); err != nil {
			return err
		}
		if err := raise(ctx, tx, "one"); err != nil {
			return err
		}
		if !first {
			return raise(ctx, tx, "two")
		}
		first = false
		var ended bool
		if err := s.Reader().QueryRowContext(ctx, "SELECT pg_terminate_backend($1, 10000)", pid).Scan(&ended); err != nil || !ended {
			t.Errorf("the backend did not end: %v, %v", ended, err)
		}
		return raise(ctx, tx, "two")
	})
	if err != nil {
		t.Fatal(err)
	}
	raised(t, s, 1)
	if l := log.String(); !strings.Contains(l, store.Shutdown.String()) && !strings.Contains(l, store.ConnectionLost.String()) {
		t.Errorf("the log does not say what happened:\n%s", log)
	}
	if got := s.Ready(t.Context()); got != store.NoTrouble {
		t.Errorf("readiness is %q", got)
	}
}

// The connection is cut before a commit, or after it and before its answer.
// Either way the writer is told that it does not know, and reads back.
func TestACutConnectionAtACommitIsSaidToBeUnknown(t *testing.T) {
	t.Parallel()
	for mode, want := range map[faultsql.Mode]int{faultsql.Cut: 0, faultsql.AfterCut: 1} {
		t.Run(mode.String(), func(t *testing.T) {
			t.Parallel()
			store.EachDatabase(t, func(t *testing.T, database string) {
				faults := &faultsql.Injector{}
				s, log := opened(t, store.Config{Database: database, Connector: faults.WrapFirst})
				faults.Arm(faultsql.Fault{Match: "COMMIT", At: 1, Mode: mode})
				err := addPerson(t.Context(), s, "perhaps")
				if !errors.Is(err, store.ErrCommitUnknown) {
					t.Errorf("error %v", err)
				}
				fails(t, s, log, err, store.CommitUnknown, false)
				if got := people(t, s); got != want {
					t.Errorf("%d people are there, want %d", got, want)
				}
			})
		})
	}
}

// A database that is gone is not ready, and is again when it is back.
func TestReadinessFollowsTheDatabase(t *testing.T) {
	t.Parallel()
	database := pgtest.Start(t)
	gate := &gate{}
	s, log := opened(t, store.Config{Database: database, Connector: gate.wrap})
	if got := s.Ready(t.Context()); got != store.NoTrouble {
		t.Fatalf("readiness is %q", got)
	}
	gate.close()
	s.Writer().SetMaxIdleConns(0)
	s.Reader().SetMaxIdleConns(0)
	await(t, s, store.ConnectionLost)
	if !strings.Contains(log.String(), store.ConnectionLost.String()) {
		t.Errorf("the log says\n%s", log)
	}
	gate.open()
	await(t, s, store.NoTrouble)
}

// await asks until readiness is as wanted: an answer is given again for a second.
func await(t *testing.T, s *store.Store, want store.Trouble) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		got := s.Ready(ctx)
		if got == want {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatalf("readiness stays %q, want %q", got, want)
		}
	}
}

// gate lets connections be made, or not.
type gate struct {
	mu   sync.Mutex
	shut bool
}

func (g *gate) wrap(c driver.Connector) driver.Connector { return gated{c, g} }

func (g *gate) set(shut bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.shut = shut
}

func (g *gate) close() { g.set(true) }
func (g *gate) open()  { g.set(false) }

type gated struct {
	driver.Connector
	gate *gate
}

func (g gated) Connect(ctx context.Context) (driver.Conn, error) {
	g.gate.mu.Lock()
	shut := g.gate.shut
	g.gate.mu.Unlock()
	if shut {
		return nil, driver.ErrBadConn
	}
	return g.Connector.Connect(ctx)
}

// numbers makes two numbers, both nought.
func numbers(t *testing.T, s *store.Store) {
	t.Helper()
	if _, err := s.Writer().ExecContext(t.Context(), "INSERT INTO sequences (name, last) VALUES ('one', 0), ('two', 0)"); err != nil {
		t.Fatal(err)
	}
}

func raise(ctx context.Context, tx *sql.Tx, name string) error {
	_, err := tx.ExecContext(ctx, "INSERT INTO sequences (name, last) VALUES ($1, 1) ON CONFLICT (name) DO UPDATE SET last = sequences.last + 1", name)
	return err
}

// raised fails the test unless both numbers are as wanted.
func raised(t *testing.T, s *store.Store, want int) {
	t.Helper()
	var one, two int
	err := s.Reader().QueryRowContext(t.Context(), "SELECT SUM(CASE name WHEN 'one' THEN last ELSE 0 END), SUM(CASE name WHEN 'two' THEN last ELSE 0 END) FROM sequences").Scan(&one, &two)
	if err != nil || one != want || two != want {
		t.Errorf("the numbers are %d and %d, want %d, %v", one, two, want, err)
	}
}

// meeting makes two wait for each other, the first time each of them comes.
type meeting struct{ here [2]chan struct{} }

func newMeeting() *meeting {
	return &meeting{[2]chan struct{}{make(chan struct{}), make(chan struct{})}}
}

func (m *meeting) wait(i int) {
	select {
	case <-m.here[i]: // not the first time
		return
	default:
	}
	close(m.here[i])
	<-m.here[1-i]
}
