package faultsql_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"modernc.org/sqlite"

	"github.com/imprimatur-dev/imprimatur/internal/faultsql"
	"github.com/imprimatur-dev/imprimatur/internal/pgtest"
)

// both runs a test on a SQLite file and on PostgreSQL, each with the injector
// under it and a table of one number, 0.
func both(t *testing.T, test func(t *testing.T, i *faultsql.Injector, db *sql.DB)) {
	t.Helper()
	connectors := map[string]func(t *testing.T) driver.Connector{
		"sqlite": func(t *testing.T) driver.Connector {
			c, err := sqlite.NewConnector("file:" + filepath.Join(t.TempDir(), "f.db") + "?_txlock=immediate")
			if err != nil {
				t.Fatal(err)
			}
			return c
		},
		"postgres": func(t *testing.T) driver.Connector {
			cfg, err := pgx.ParseConfig(pgtest.Start(t))
			if err != nil {
				t.Fatal(err)
			}
			return stdlib.GetConnector(*cfg)
		},
	}
	for name, connect := range connectors {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := &faultsql.Injector{}
			db := sql.OpenDB(i.Wrap(connect(t)))
			db.SetMaxOpenConns(1)
			t.Cleanup(func() { db.Close() })
			for _, q := range []string{"CREATE TABLE n (id BIGINT PRIMARY KEY, v BIGINT NOT NULL)", "INSERT INTO n VALUES (1, 0)"} {
				if _, err := db.ExecContext(t.Context(), q); err != nil {
					t.Fatal(err)
				}
			}
			test(t, i, db)
		})
	}
}

// add increments the number twice in one transaction: statements 1 to 4.
func add(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "UPDATE n SET v = v + $1 WHERE id = 1", 1); err != nil {
		return err
	}
	var v int64
	if err := tx.QueryRowContext(ctx, "UPDATE n SET v = v + $1 WHERE id = 1 RETURNING v", 1).Scan(&v); err != nil {
		return err
	}
	return tx.Commit()
}

func value(t *testing.T, db *sql.DB) (v int64) {
	t.Helper()
	if err := db.QueryRowContext(t.Context(), "SELECT v FROM n").Scan(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestStatementsAreNumberedAndCommitsCounted(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, i *faultsql.Injector, db *sql.DB) {
		i.Arm()
		if err := add(t.Context(), db); err != nil {
			t.Fatal(err)
		}
		want := []faultsql.Statement{
			{Text: "BEGIN"},
			{Text: "UPDATE n SET v = v + $1 WHERE id = 1"},
			{Text: "UPDATE n SET v = v + $1 WHERE id = 1 RETURNING v"},
			{Text: "COMMIT"},
		}
		if diff := cmp.Diff(want, i.Statements()); diff != "" {
			t.Error(diff)
		}
		if i.Commits() != 1 || i.Fired() != 0 || i.Rows() != 1 {
			t.Errorf("commits %d, fired %d, rows %d", i.Commits(), i.Fired(), i.Rows())
		}
		if _, err := db.ExecContext(t.Context(), "UPDATE n SET v = 0"); err != nil {
			t.Fatal(err)
		}
		if value(t, db) != 0 || i.Commits() != 2 {
			t.Errorf("a write outside of a transaction: %d commits", i.Commits())
		}
	})
}

func TestEachModeAtEachStatementLeavesAllOrNothing(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, i *faultsql.Injector, db *sql.DB) {
		was := value(t, db)
		for _, mode := range faultsql.Modes() {
			for at := 1; at <= 4; at++ {
				i.Arm(faultsql.Fault{At: at, Mode: mode})
				err := add(t.Context(), db)
				if !errors.Is(err, faultsql.ErrInjected) && !errors.Is(err, faultsql.ErrCut) {
					t.Fatalf("%s at %d: %v", mode, at, err)
				}
				if i.Fired() != 1 {
					t.Fatalf("%s at %d: fired %d times", mode, at, i.Fired())
				}
				applied := at == 4 && (mode == faultsql.After || mode == faultsql.AfterCut)
				if applied {
					was += 2
				}
				if i.Disarm(); value(t, db) != was {
					t.Fatalf("%s at %d: the number is %d, not %d", mode, at, value(t, db), was)
				}
				if got := i.Commits() == 1; got != applied {
					t.Errorf("%s at %d: %d commits", mode, at, i.Commits())
				}
			}
		}
		i.Arm(faultsql.Fault{At: 5, Mode: faultsql.Before})
		if err := add(t.Context(), db); err != nil || i.Fired() != 0 {
			t.Errorf("a fault beyond the last statement: %v, fired %d", err, i.Fired())
		}
	})
}

func TestFaultCountsTheStatementsItMatches(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, i *faultsql.Injector, db *sql.DB) {
		i.Arm(faultsql.Fault{At: 2, Match: "UPDATE n", Mode: faultsql.Before}, faultsql.Fault{At: 1, Match: "ROLLBACK", Mode: faultsql.Cut})
		if err := add(t.Context(), db); !errors.Is(err, faultsql.ErrInjected) {
			t.Fatal(err)
		}
		var met []string
		for _, s := range i.Statements() {
			if s.Fault != 0 {
				met = append(met, s.Text)
			}
		}
		if diff := cmp.Diff([]string{"UPDATE n SET v = v + $1 WHERE id = 1 RETURNING v", "ROLLBACK"}, met); diff != "" {
			t.Error(diff)
		}
		if value(t, db) != 0 {
			t.Errorf("the number is %d", value(t, db))
		}
	})
}

func TestFailedRollbackKeepsTheConnectionOutOfThePool(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, i *faultsql.Injector, db *sql.DB) {
		i.Arm(faultsql.Fault{At: 2, Mode: faultsql.Before}, faultsql.Fault{At: 3, Mode: faultsql.Before})
		if err := add(t.Context(), db); !errors.Is(err, faultsql.ErrInjected) {
			t.Fatal(err)
		}
		if i.Fired() != 2 {
			t.Fatalf("fired %d", i.Fired())
		}
		if err := add(t.Context(), db); err != nil {
			t.Fatalf("the next transaction: %v", err)
		}
		if value(t, db) != 2 {
			t.Errorf("the number is %d", value(t, db))
		}
	})
}

func TestCancelEndsTheContextInTheMiddle(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, i *faultsql.Injector, db *sql.DB) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		i.Arm(faultsql.Fault{At: 2, Mode: faultsql.Cancel, Do: cancel})
		if err := add(ctx, db); err == nil {
			t.Fatal("a transaction whose context ended was committed")
		}
		if value(t, db) != 0 {
			t.Errorf("the number is %d", value(t, db))
		}
	})
}

func TestLateCommitIsThereBeforeItsAnswer(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, i *faultsql.Injector, db *sql.DB) {
		reached, release, answer := make(chan struct{}), make(chan struct{}), make(chan error, 1)
		i.Arm(faultsql.Fault{At: 1, Match: "COMMIT", Mode: faultsql.Late, Release: release, Do: func() { close(reached) }})
		go func() { answer <- add(context.Background(), db) }()
		<-reached
		select {
		case err := <-answer:
			t.Fatalf("answered early: %v", err)
		default:
		}
		close(release)
		if err := <-answer; err != nil {
			t.Fatal(err)
		}
		if i.Commits() != 1 || value(t, db) != 2 {
			t.Errorf("commits %d, number %d", i.Commits(), value(t, db))
		}
	})
}

func TestPreparedStatementsPassTheInjector(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, i *faultsql.Injector, db *sql.DB) {
		st, err := db.PrepareContext(t.Context(), "UPDATE n SET v = $1")
		if err != nil {
			t.Fatal(err)
		}
		defer st.Close()
		i.Arm(faultsql.Fault{At: 1, Mode: faultsql.Before})
		if _, err := st.ExecContext(t.Context(), 7); !errors.Is(err, faultsql.ErrInjected) {
			t.Fatal(err)
		}
		if _, err := st.ExecContext(t.Context(), 8); err != nil {
			t.Fatal(err)
		}
		if value(t, db) != 8 {
			t.Errorf("the number is %d", value(t, db))
		}
	})
}

func TestWrapFirstLeavesTheReaderAlone(t *testing.T) {
	t.Parallel()
	i := &faultsql.Injector{}
	c, err := sqlite.NewConnector("file:" + filepath.Join(t.TempDir(), "f.db"))
	if err != nil {
		t.Fatal(err)
	}
	if i.WrapFirst(c) == c {
		t.Error("the first connector was not wrapped")
	}
	if i.WrapFirst(c) != c {
		t.Error("the second connector was wrapped")
	}
}
