package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"modernc.org/sqlite"

	"github.com/imprimatur-dev/imprimatur/internal/seal"
)

// Config says which database to open and how.
type Config struct {
	// Database is "sqlite:PATH", or the URL of a PostgreSQL database
	// ("postgres://…").
	Database string
	// Keyset seals what is stored, as made by seal.NewKeyset. Either this or
	// Unsealed has to be given.
	Keyset []byte
	// Unsealed stores everything in clear. It excludes Keyset.
	Unsealed bool
	// Migrations are those of other rooms that keep tables in this database.
	// The store's own come first.
	Migrations []MigrationSet
	// Migrate applies outstanding migrations to a database that is older than
	// the program. Without it such a database is refused. A new database is
	// always migrated.
	Migrate bool
	// Connector wraps the driver, first the writer's, then the reader's; nil
	// leaves it as it is. Tests put a faulty driver under the store.
	Connector func(driver.Connector) driver.Connector
	// Logger gets what nobody waits for; nil discards it.
	Logger *slog.Logger
	// Now replaces the clock of the database; nil keeps it.
	Now func() time.Time
	// NewID makes the ids of runs and tokens; nil means 26 random characters.
	NewID func() string
}

// Store keeps everything that outlives a process. It is safe for concurrent
// use. The zero value is not usable; Open makes one.
type Store struct {
	writer, reader *sql.DB
	sealer         *seal.Sealer
	log            *slog.Logger
	clock          func() time.Time // nil: the database's
	newID          func() string
	path           string // of the SQLite file; empty on PostgreSQL
	known          []knownSet
	condition      condition
	uses           uses
}

// Open opens the database, migrates it if it is new, and proves that the keyset
// is the one it was first opened with. It answers a *SchemaError for a database
// that is older or newer than the program.
func Open(ctx context.Context, cfg Config) (*Store, error) {
	sealer, err := cfg.sealer()
	if err != nil {
		return nil, err
	}
	s := &Store{sealer: sealer, log: cfg.Logger, clock: cfg.Now, newID: cfg.NewID}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.newID == nil {
		s.newID = func() string { return strings.ToLower(rand.Text()) }
	}
	if err := s.connect(cfg); err != nil {
		return nil, err
	}
	if err := s.prepare(ctx, cfg); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (cfg Config) sealer() (*seal.Sealer, error) {
	switch {
	case len(cfg.Keyset) > 0 && cfg.Unsealed:
		return nil, errors.New("open store: a keyset and unsealed storage exclude each other")
	case cfg.Unsealed:
		return seal.Unsealed(), nil
	case len(cfg.Keyset) == 0:
		return nil, errors.New("open store: neither a keyset nor unsealed storage was asked for")
	}
	sealer, err := seal.Open(cfg.Keyset)
	if err != nil {
		return nil, fmt.Errorf("open store: %w", err)
	}
	return sealer, nil
}

// prepare brings a database that answers into the state that the program needs.
func (s *Store) prepare(ctx context.Context, cfg Config) error {
	if err := s.reach(ctx); err != nil {
		return fmt.Errorf("open database: %w", err)
	}
	if err := s.migrate(ctx, cfg.Migrations, cfg.Migrate); err != nil {
		return err
	}
	return s.checkCanary(ctx)
}

// reach makes the first connection. Programs that open a new SQLite file at the
// same time are in each other's way while it becomes what they want it to be,
// and SQLite does not wait then, whatever it is told.
func (s *Store) reach(ctx context.Context) error {
	until := time.Now().Add(restart)
	for {
		err := s.writer.PingContext(ctx)
		if err == nil || !busy(err) || time.Now().After(until) {
			return err
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return err
		}
	}
}

// Close saves what SaveUses would and closes both pools. It waits for
// transactions that are under way.
func (s *Store) Close() error {
	saved := s.SaveUses(context.Background())
	return errors.Join(saved, s.reader.Close(), s.writer.Close())
}

// Writer is the pool that may write. On SQLite it is a single connection whose
// transactions begin immediate. It belongs to the store: do not close it.
func (s *Store) Writer() *sql.DB { return s.writer }

// Reader is a pool that refuses to write. It belongs to the store: do not close
// it.
func (s *Store) Reader() *sql.DB { return s.reader }

// connect makes the two pools, without reaching for the database.
func (s *Store) connect(cfg Config) error {
	var writer, reader driver.Connector
	var writers int
	var err error
	kind, rest, _ := strings.Cut(cfg.Database, ":")
	switch kind {
	case "sqlite":
		writers = 1
		s.path, writer, reader, err = sqliteConnectors(rest, cfg.Now)
	case "postgres", "postgresql":
		writers = 4 * max(4, runtime.NumCPU())
		writer, reader, err = postgresConnectors(cfg.Database)
	default:
		return errors.New(`open store: the database must be "sqlite:PATH" or "postgres://…"`)
	}
	if err != nil {
		return err
	}
	if cfg.Connector != nil {
		writer, reader = cfg.Connector(writer), cfg.Connector(reader)
	}
	s.writer, s.reader = sql.OpenDB(writer), sql.OpenDB(reader)
	s.writer.SetMaxOpenConns(writers)
	s.writer.SetMaxIdleConns(writers)
	readers := max(4, runtime.NumCPU())
	s.reader.SetMaxOpenConns(readers)
	s.reader.SetMaxIdleConns(readers)
	return nil
}

// sqliteConnectors opens the file twice: once for the single writer, once for
// the readers, which WAL lets go on while it writes.
func sqliteConnectors(path string, clock func() time.Time) (string, driver.Connector, driver.Connector, error) {
	if path == "" || strings.HasPrefix(path, ":") || strings.HasPrefix(path, "file:") {
		return "", nil, nil, errors.New(`open store: "sqlite:" needs the path of a file`)
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return "", nil, nil, fmt.Errorf("open store: find the database file: %w", err)
	}
	if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
		return "", nil, nil, errors.New("open store: the folder of the database file does not exist")
	}
	if err := createPrivate(path); err != nil {
		return "", nil, nil, fmt.Errorf("open store: create the database file: %w", err)
	}
	d := &sqlite.Driver{}
	d.MustRegisterScalarFunction("db_now", 0, func(*sqlite.FunctionContext, []driver.Value) (driver.Value, error) {
		if clock != nil {
			return clock().UnixMilli(), nil
		}
		return time.Now().UnixMilli(), nil
	})
	d.MustRegisterCollationUtf8("C", strings.Compare)
	dsn := func(mode string, q url.Values) driver.Connector {
		q.Set("mode", mode)
		q.Set("_busy_timeout", "8000") // below the limit of a transaction
		q.Set("_dqs", "0")
		return sqliteConnector{d, "file://" + (&url.URL{Path: path}).EscapedPath() + "?" + q.Encode()}
	}
	writer := dsn("rwc", url.Values{
		"_txlock": {"immediate"}, "_journal_mode": {"WAL"}, "_synchronous": {"FULL"}, "_foreign_keys": {"1"},
	})
	return path, writer, dsn("ro", url.Values{"_query_only": {"1"}}), nil
}

// createPrivate makes an empty file that only its owner may read, unless there
// is one: SQLite by itself would let the umask decide. The file gets its name
// only once it is closed, because closing a file takes away the locks that
// SQLite, elsewhere in this process, holds on it.
func createPrivate(path string) error {
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	file, err := os.CreateTemp(filepath.Dir(path), ".imprimatur-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(file.Name()) }() // by now it has its own name, or is of no use
	if err := file.Close(); err != nil {
		return err
	}
	if err := os.Link(file.Name(), path); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	return nil
}

// sqliteConnector opens connections with a driver of its own, so that its
// functions and its clock are not shared by the process.
type sqliteConnector struct {
	driver *sqlite.Driver
	dsn    string
}

func (c sqliteConnector) Connect(ctx context.Context) (driver.Conn, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return c.driver.Open(c.dsn)
}

func (c sqliteConnector) Driver() driver.Driver { return c.driver }

// How long PostgreSQL lets a transaction wait for a lock, and idle, unless the
// URL says otherwise: below and above the limit of a transaction. Without the
// second, a node that was stopped in the middle would keep its locks.
const (
	lockTimeout = "8000"
	idleTimeout = "60000"
)

func postgresConnectors(dsn string) (writer, reader driver.Connector, err error) {
	w, err := parseAddress(dsn)
	if err != nil {
		return nil, nil, fmt.Errorf("open store: %w", err)
	}
	for name, ms := range map[string]string{"lock_timeout": lockTimeout, "idle_in_transaction_session_timeout": idleTimeout} {
		if w.RuntimeParams[name] == "" {
			w.RuntimeParams[name] = ms
		}
	}
	r := w.Copy()
	r.RuntimeParams["default_transaction_read_only"] = "on"
	return stdlib.GetConnector(*w), stdlib.GetConnector(*r), nil
}

func parseAddress(url string) (*pgx.ConnConfig, error) {
	c, err := pgx.ParseConfig(url)
	if err != nil {
		// Not wrapped: the parser quotes the URL, which may hold a password.
		return nil, errors.New("the URL of the PostgreSQL database is malformed")
	}
	return c, nil
}

// CheckAddress says whether the URL of a PostgreSQL database can be understood.
// It connects nowhere.
func CheckAddress(url string) error {
	_, err := parseAddress(url)
	return err
}

// Fresh reports whether this program has never stored anything in a PostgreSQL
// database. It changes nothing.
func Fresh(ctx context.Context, url string) (bool, error) {
	c, err := parseAddress(url)
	if err != nil {
		return false, err
	}
	db := stdlib.OpenDB(*c)
	s := &Store{writer: db, reader: db}
	version, err := s.version(ctx, db, MigrationSet{Name: "store"}.table())
	err = errors.Join(err, db.Close())
	return err == nil && version == 0, err
}
