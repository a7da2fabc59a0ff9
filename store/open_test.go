package store_test

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/imprimatur-dev/imprimatur/internal/faultsql"
	"github.com/imprimatur-dev/imprimatur/internal/seal"
	"github.com/imprimatur-dev/imprimatur/store"
)

func keyset(t *testing.T) []byte {
	t.Helper()
	keys, err := seal.NewKeyset()
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

// reopen opens a store and closes it again.
func reopen(t *testing.T, cfg store.Config) error {
	t.Helper()
	s, err := store.Open(t.Context(), cfg)
	if err != nil {
		return err
	}
	return s.Close()
}

func TestOpenMigratesANewDatabaseAndOpensItAgain(t *testing.T) {
	t.Parallel()
	store.EachDatabase(t, func(t *testing.T, database string) {
		for range 2 {
			if err := reopen(t, store.Config{Database: database, Keyset: keyset0}); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// keyset0 is one keyset for tests that need the same twice.
var keyset0 = func() []byte {
	keys, err := seal.NewKeyset()
	if err != nil {
		panic(err)
	}
	return keys
}()

func TestOpenTakesAPathWithAnyCharacters(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a b?c#d%20&mode=memory é.db")
	if err := reopen(t, store.Config{Database: "sqlite:" + path, Unsealed: true}); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("others may read the database: %v", info.Mode())
	}
	if files, err := filepath.Glob(filepath.Join(filepath.Dir(path), ".*")); err != nil || len(files) > 0 {
		t.Errorf("left behind: %v, %v", files, err)
	}
}

func TestOpenRefusesWhatItWasNotAskedForInSoManyWords(t *testing.T) {
	t.Parallel()
	file := "sqlite:" + filepath.Join(t.TempDir(), "x.db")
	for name, c := range map[string]struct {
		cfg  store.Config
		says string
	}{
		"neither key nor unsealed": {store.Config{Database: file}, "neither"},
		"both":                     {store.Config{Database: file, Keyset: keyset0, Unsealed: true}, "exclude"},
		"a broken keyset":          {store.Config{Database: file, Keyset: []byte("{")}, "keyset"},
		"no database":              {store.Config{Unsealed: true}, "sqlite:PATH"},
		"another database":         {store.Config{Database: "mysql://u:sup3rsecret@h/d", Unsealed: true}, "sqlite:PATH"},
		"a malformed URL":          {store.Config{Database: "postgres://u:sup3rsecret@h:port/d", Unsealed: true}, "malformed"},
		"no path":                  {store.Config{Database: "sqlite:", Unsealed: true}, "path"},
		"memory":                   {store.Config{Database: "sqlite::memory:", Unsealed: true}, "path"},
		"no folder":                {store.Config{Database: "sqlite:" + filepath.Join(t.TempDir(), "no", "x.db"), Unsealed: true}, "folder"},
		"a set without a name":     {store.Config{Database: file, Unsealed: true, Migrations: []store.MigrationSet{{}}}, "name"},
	} {
		err := reopen(t, c.cfg)
		if err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "sup3rsecret") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAnotherKeysetIsRefusedAtStart(t *testing.T) {
	t.Parallel()
	store.EachDatabase(t, func(t *testing.T, database string) {
		if err := reopen(t, store.Config{Database: database, Keyset: keyset0}); err != nil {
			t.Fatal(err)
		}
		for name, cfg := range map[string]store.Config{
			"another keyset": {Database: database, Keyset: keyset(t)},
			"in clear":       {Database: database, Unsealed: true},
		} {
			if err := reopen(t, cfg); !errors.Is(err, store.ErrWrongKey) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if err := reopen(t, store.Config{Database: database, Keyset: keyset0}); err != nil {
			t.Errorf("the right keyset: %v", err)
		}
	})
}

func TestDatabaseInClearIsRefusedWithAKeyset(t *testing.T) {
	t.Parallel()
	database := "sqlite:" + filepath.Join(t.TempDir(), "t.db")
	if err := reopen(t, store.Config{Database: database, Unsealed: true}); err != nil {
		t.Fatal(err)
	}
	if err := reopen(t, store.Config{Database: database, Keyset: keyset0}); !errors.Is(err, store.ErrWrongKey) {
		t.Errorf("a keyset for a database in clear: %v", err)
	}
}

// room is a set of migrations of another room, with n files.
func room(n int) store.MigrationSet {
	files := fstest.MapFS{}
	for i := range n {
		name := []string{"0001_a.sql", "0002_b.sql"}[i]
		files[name] = &fstest.MapFile{Data: []byte("-- +goose Up\nCREATE TABLE room_" + name[5:6] + " (id BIGINT PRIMARY KEY);\n")}
	}
	return store.MigrationSet{Name: "room", FS: files}
}

func TestOlderDatabaseIsMigratedByMigrateOnlyAndANewerOneRefused(t *testing.T) {
	t.Parallel()
	store.EachDatabase(t, func(t *testing.T, database string) {
		cfg := func(n int) store.Config {
			return store.Config{Database: database, Unsealed: true, Migrations: []store.MigrationSet{room(n)}}
		}
		if err := reopen(t, cfg(1)); err != nil {
			t.Fatal(err)
		}
		var schema *store.SchemaError
		if err := reopen(t, cfg(2)); !errors.As(err, &schema) || !schema.Older() || !strings.Contains(err.Error(), "imprimatur migrate") {
			t.Errorf("an older database: %v", err)
		}
		if err := store.Migrate(t.Context(), cfg(2)); err != nil {
			t.Fatalf("migrate: %v", err)
		}
		if err := reopen(t, cfg(2)); err != nil {
			t.Errorf("after migrate: %v", err)
		}
		for name, open := range map[string]func() error{
			"open":    func() error { return reopen(t, cfg(1)) },
			"migrate": func() error { return store.Migrate(t.Context(), cfg(1)) },
		} {
			if err := open(); !errors.As(err, &schema) || schema.Older() || schema.Set != "room" || schema.Have != 2 || schema.Want != 1 {
				t.Errorf("%s a newer database: %v", name, err)
			}
		}
	})
}

func TestRoomThatCameLaterNeedsMigrate(t *testing.T) {
	t.Parallel()
	database := "sqlite:" + filepath.Join(t.TempDir(), "t.db")
	if err := reopen(t, store.Config{Database: database, Unsealed: true}); err != nil {
		t.Fatal(err)
	}
	cfg := store.Config{Database: database, Unsealed: true, Migrations: []store.MigrationSet{room(1)}}
	var schema *store.SchemaError
	if err := reopen(t, cfg); !errors.As(err, &schema) || !schema.Older() {
		t.Fatalf("a room that is new to the database: %v", err)
	}
	if err := store.Migrate(t.Context(), cfg); err != nil {
		t.Error(err)
	}
}

func TestTwoProgramsMayOpenANewDatabaseAtOnce(t *testing.T) {
	t.Parallel()
	store.EachDatabase(t, func(t *testing.T, database string) {
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				if err := reopen(t, store.Config{Database: database, Keyset: keyset0}); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
	})
}

func TestReaderDoesNotWrite(t *testing.T) {
	t.Parallel()
	store.EachDatabase(t, func(t *testing.T, database string) {
		s := store.MustOpen(t, store.Config{Database: database})
		if _, err := s.Reader().ExecContext(t.Context(), "DELETE FROM canary"); err == nil {
			t.Error("the reader deleted a row")
		}
		if _, err := s.Writer().ExecContext(t.Context(), "UPDATE canary SET id = 1"); err != nil {
			t.Error(err)
		}
	})
}

func TestOneServerPerFile(t *testing.T) {
	t.Parallel()
	database := "sqlite:" + filepath.Join(t.TempDir(), "t.db")
	first, second := store.MustOpen(t, store.Config{Database: database}), store.MustOpen(t, store.Config{Database: database})
	unlock, err := first.Lock()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := second.Lock(); !errors.Is(err, store.ErrLocked) {
		t.Errorf("the second lock: %v", err)
	}
	if _, err := second.AddUser(t.Context(), store.NewUser{Name: "by a command"}); err != nil {
		t.Errorf("a command beside the server: %v", err)
	}
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
	unlock, err = second.Lock()
	if err != nil {
		t.Fatalf("after unlock: %v", err)
	}
	if err := unlock(); err != nil {
		t.Error(err)
	}
}

func TestManyMayServeOnePostgreSQL(t *testing.T) {
	t.Parallel()
	store.EachDatabase(t, func(t *testing.T, database string) {
		if strings.HasPrefix(database, "sqlite:") {
			return // TestOneServerPerFile
		}
		s := store.MustOpen(t, store.Config{Database: database})
		for range 2 {
			if _, err := s.Lock(); err != nil {
				t.Error(err)
			}
		}
	})
}

func TestBothDatabasesOrderTextByBytesAndTellTheTime(t *testing.T) {
	t.Parallel()
	store.EachDatabase(t, func(t *testing.T, database string) {
		s := store.MustOpen(t, store.Config{Database: database})
		for _, db := range []*sql.DB{s.Writer(), s.Reader()} {
			var less bool
			if err := db.QueryRowContext(t.Context(), `SELECT CAST('B' AS TEXT) COLLATE "C" < 'a'`).Scan(&less); err != nil || !less {
				t.Errorf("B is not before a: %v", err)
			}
			var now int64
			if err := db.QueryRowContext(t.Context(), "SELECT db_now()").Scan(&now); err != nil {
				t.Fatal(err)
			}
			if off := time.Since(time.UnixMilli(now)); off.Abs() > time.Minute {
				t.Errorf("the database is off by %v", off)
			}
		}
	})
}

func TestTransactionIsAllOrNothing(t *testing.T) {
	t.Parallel()
	store.EachDatabase(t, func(t *testing.T, database string) {
		clock := time.UnixMilli(1_700_000_000_123)
		s := store.MustOpen(t, store.Config{Database: database, Now: func() time.Time { return clock }})
		add := func(ctx context.Context, tx *sql.Tx, value string) error {
			_, err := tx.ExecContext(ctx, "INSERT INTO sequences (name, last) VALUES ($1, 0)", value)
			return err
		}
		broken := errors.New("broken")
		err := s.Write(t.Context(), func(ctx context.Context, tx *sql.Tx, now int64) error {
			if now != clock.UnixMilli() {
				t.Errorf("now = %d", now)
			}
			return errors.Join(add(ctx, tx, "error"), broken)
		})
		if !errors.Is(err, broken) {
			t.Errorf("Write = %v", err)
		}
		func() {
			defer func() {
				if recover() == nil {
					t.Error("the panic was swallowed")
				}
			}()
			_ = s.Write(t.Context(), func(ctx context.Context, tx *sql.Tx, _ int64) error {
				if err := add(ctx, tx, "panic"); err != nil {
					t.Error(err)
				}
				panic("broken")
			})
		}()
		ctx, cancel := context.WithCancel(t.Context())
		err = s.Write(ctx, func(ctx context.Context, tx *sql.Tx, _ int64) error {
			cancel()
			return add(ctx, tx, "cancelled in the middle")
		})
		if err != nil {
			t.Errorf("a transaction whose caller went away: %v", err)
		}
		if err := s.Write(ctx, func(context.Context, *sql.Tx, int64) error { return nil }); !errors.Is(err, context.Canceled) {
			t.Errorf("a transaction of a caller who is gone: %v", err)
		}
		var names string
		if err := s.Reader().QueryRowContext(t.Context(), "SELECT MAX(name) FROM sequences").Scan(&names); err != nil || names != "cancelled in the middle" {
			t.Errorf("stored: %q, %v", names, err)
		}
	})
}

func TestFaultAnywhereInATransactionLeavesTheWriterUsable(t *testing.T) {
	t.Parallel()
	store.EachDatabase(t, func(t *testing.T, database string) {
		var faults faultsql.Injector
		s := store.MustOpen(t, store.Config{Database: database, Connector: faults.WrapFirst})
		name := func(mode faultsql.Mode, at int) string { return mode.String() + string(rune('0'+at)) }
		write := func(value string) error {
			return s.Write(t.Context(), func(ctx context.Context, tx *sql.Tx, _ int64) error {
				for _, q := range []string{"INSERT INTO sequences (name, last) VALUES ($1, 0)", "UPDATE sequences SET last = 2 WHERE name = $1"} {
					if _, err := tx.ExecContext(ctx, q, value); err != nil {
						return err
					}
				}
				return nil
			})
		}
		const commit = 5 // begin, now, two statements, commit
		for _, mode := range faultsql.Modes() {
			for at := 1; at <= commit; at++ {
				faults.Arm(faultsql.Fault{At: at, Mode: mode}, faultsql.Fault{At: 1, Match: "ROLLBACK", Mode: faultsql.Before})
				err := write(name(mode, at))
				if err == nil || errors.Is(err, store.ErrCommitUnknown) != (at == commit) {
					t.Errorf("%s at %d: %v", mode, at, err)
				}
				faults.Disarm()
				var last sql.NullInt64
				if err := s.Reader().QueryRowContext(t.Context(), "SELECT MAX(last) FROM sequences WHERE name = $1", name(mode, at)).Scan(&last); err != nil {
					t.Fatal(err)
				}
				kept := at == commit && (mode == faultsql.After || mode == faultsql.AfterCut)
				if last.Valid != kept || kept && last.Int64 != 2 {
					t.Errorf("%s at %d: stored %v", mode, at, last)
				}
				if err := write(name(mode, at) + "again"); err != nil {
					t.Fatalf("the transaction after %s at %d: %v", mode, at, err)
				}
			}
		}
	})
}
