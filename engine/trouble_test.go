package engine_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/internal/pgtest"
	"github.com/imprimatur-dev/imprimatur/store"
)

// wordyWrite is oneWrite with so many words that a decision about it takes pages
// of its own.
func wordyWrite() string {
	return strings.Replace(oneWrite, "  - calls: [{tool: append_note", "  - text: "+strings.Repeat("Here is why. ", 1000)+"\n    calls: [{tool: append_note", 1)
}

// The disk is full after each number of pages there is room for, somewhere
// between an approval and the end of its run. Who decides is told; once there
// is room again everything goes on, and the write happens once at most.
func TestAFullDiskLosesNoApprovalAndWritesNothingTwice(t *testing.T) {
	t.Parallel()
	s := newStage(t, wordyWrite(), "", nil, nil)
	s.play(`sql "CREATE TABLE filler (b BLOB)"`)
	ends := map[string]int{}
	for room := range 12 {
		s.play(`note 7 "a note"`, fmt.Sprintf(`run jana editor "Write in the room of %d pages."`, room))
		s.world.executed["append_note"] = 0
		s.fill(room)
		before := s.log.String()
		s.attempt("approve jana")
		row, err := s.store.Run(s.ctx, s.run)
		if err != nil {
			t.Fatal(err)
		}
		said := strings.TrimPrefix(s.log.String(), before)
		if row.Status != imprimatur.StatusCompleted && !strings.Contains(said, store.DiskFull.String()) {
			t.Errorf("room of %d: the run is %s, and the log says\n%s", room, row.Status, said)
		}
		s.play(`sql "PRAGMA max_page_count = 1000000"`, `sql "DELETE FROM filler"`)
		ends[string(row.Status)+", then "+s.bringToItsEnd(room)]++
	}
	s.checkInvariants()
	t.Log(ends)
	if ends["completed, then completed"] == 0 || ends["waiting_for_approval, then completed"] == 0 {
		t.Errorf("the disk was never full, or always: %v", ends)
	}
}

// fill leaves room for so many pages, and no more.
func (s *stage) fill(room int) {
	s.t.Helper()
	var pages int
	if err := s.store.Writer().QueryRowContext(s.ctx, "PRAGMA page_count").Scan(&pages); err != nil {
		s.t.Fatal(err)
	}
	s.play(fmt.Sprintf(`sql "PRAGMA max_page_count = %d"`, pages+room))
	for err := error(nil); err == nil; {
		_, err = s.store.Writer().ExecContext(s.ctx, "INSERT INTO filler (b) VALUES (zeroblob(4000))")
	}
	s.play(fmt.Sprintf(`sql "DELETE FROM filler WHERE rowid IN (SELECT rowid FROM filler ORDER BY rowid DESC LIMIT %d)"`, room))
}

// onPostgres sets a stage on a PostgreSQL, and returns a statement for whoever
// administers it.
func onPostgres(t *testing.T, database string) (s *stage, administer func(statement string)) {
	t.Helper()
	s = newStageOn(t, database, oneWrite, "", nil, nil)
	// Who reads takes a new connection each time: one that was ended a moment
	// ago would be an answer of its own.
	s.store.Reader().SetMaxIdleConns(0)
	conn, err := pgx.Connect(s.ctx, database)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return s, func(statement string) {
		if _, err := conn.Exec(s.ctx, statement); err != nil {
			s.fault("%s: %v", statement, err)
		}
	}
}

// others ends every other connection to the database, as an administrator does
// who restarts it.
const others = "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"

// An administrator ends every connection, at each place where the way of a
// decision leaves the database. What was approved is written once and on
// record.
func TestAnAdministratorWhoEndsEveryConnectionLosesNoApproval(t *testing.T) {
	t.Parallel()
	for _, point := range []string{"preview append_note", "execute append_note", "model", "step tool"} {
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			s, administer := onPostgres(t, pgtest.Start(t))
			s.play(`note 7 "a note"`, `run jana editor "Write, whoever ends what."`)
			s.world.mu.Lock()
			met := false
			s.world.hooks[point] = []func(){func() { met = true; administer(others) }}
			s.world.mu.Unlock()
			s.attempt("approve jana")
			if !met {
				t.Fatal("the connections were never ended")
			}
			if end := s.bringToItsEnd(0); end != "completed" {
				t.Errorf("the run ends as %s", end)
			}
			s.play("expect executed append_note 1", "expect count approval 1", `expect note 7 "a note and a little more"`)
			s.checkInvariants()
		})
	}
}

// The database can only be read while somebody approves: they are told, and the
// card waits until it can be written again.
func TestAnApprovalOfADatabaseThatCanOnlyBeReadWaits(t *testing.T) {
	t.Parallel()
	databases(t, func(t *testing.T, database string) {
		var s *stage
		readOnly := func(on bool) {
			if _, err := s.store.Writer().ExecContext(s.ctx, fmt.Sprintf("PRAGMA query_only = %t", on)); err != nil {
				t.Fatal(err)
			}
		}
		if strings.HasPrefix(database, "sqlite:") {
			s = newStageOn(t, database, oneWrite, "", nil, nil)
		} else {
			var administer func(string)
			s, administer = onPostgres(t, database)
			name := database[strings.LastIndex(database, "/")+1 : strings.Index(database, "?")]
			readOnly = func(on bool) {
				// It holds for sessions that begin.
				administer(fmt.Sprintf("ALTER DATABASE %s SET default_transaction_read_only = %t", name, on))
				administer(others)
			}
		}
		s.play(`note 7 "a note"`, `run jana editor "Write what only may be read."`)
		readOnly(true)
		s.attempt("approve jana")
		s.play("expect status waiting_for_approval", "expect executed append_note 0", fmt.Sprintf("expect log %q", store.ReadOnly.String()))
		if got := s.store.Ready(s.ctx); got != store.ReadOnly {
			t.Errorf("readiness is %q", got)
		}
		readOnly(false)
		s.play("approve jana", "expect status completed", "expect executed append_note 1")
		s.checkInvariants()
	})
}
