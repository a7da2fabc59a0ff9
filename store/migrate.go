package store

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"

	"github.com/pressly/goose/v3"
)

//go:embed migration/*.sql
var ownMigrations embed.FS

//go:embed postgres/*.sql
var postgresMigrations embed.FS

// MigrationSet is the schema of one room: numbered files of SQL, forward only,
// the same text for both databases.
type MigrationSet struct {
	Name string // lower-case letters; numbers are counted for each name apart
	FS   fs.FS  // holds NNNN_words.sql at its root
}

// SchemaError says that a database does not fit the program.
type SchemaError struct {
	Set        string // whose tables
	Have, Want int64  // versions of the database and of the program
}

func (e *SchemaError) Error() string {
	if e.Have < e.Want {
		return fmt.Sprintf("the database is older than this program (%s %d, not %d): run imprimatur migrate", e.Set, e.Have, e.Want)
	}
	return fmt.Sprintf("the database is newer than this program (%s %d, not %d): use a newer imprimatur", e.Set, e.Have, e.Want)
}

// Older reports whether "imprimatur migrate" would help.
func (e *SchemaError) Older() bool { return e.Have < e.Want }

// Migrate brings the database up to date: what the command migrate does.
func Migrate(ctx context.Context, cfg Config) error {
	cfg.Migrate = true
	s, err := Open(ctx, cfg)
	if err != nil {
		return err
	}
	return s.Close()
}

// migrate applies what a new database lacks, or any database if force is set.
func (s *Store) migrate(ctx context.Context, extra []MigrationSet, force bool) (err error) {
	sets, err := s.sets(extra)
	if err != nil {
		return err
	}
	if s.known, err = s.wanted(sets); err != nil {
		return err
	}
	behind, _, err := s.compare(ctx)
	if err != nil || behind == nil {
		return err
	}
	if !behind.Older() {
		return behind
	}
	// Another program may be migrating right now. Whoever is second waits and
	// finds nothing left to do.
	unlock, err := s.lockSchema(ctx)
	if err != nil {
		return fmt.Errorf("wait to migrate: %w", err)
	}
	defer func() { err = errors.Join(err, unlock()) }()
	behind, empty, err := s.compare(ctx)
	if err != nil || behind == nil {
		return err
	}
	if !behind.Older() || !empty && !force {
		return behind
	}
	if empty {
		if err := s.refuseForeign(ctx); err != nil {
			return err
		}
	}
	return s.apply(ctx, sets)
}

// ErrForeign says that a database holds tables of another program.
var ErrForeign = errors.New("the database holds tables of another program")

// refuseForeign looks at a database without any table of ours, before anything
// is made in it.
func (s *Store) refuseForeign(ctx context.Context) error {
	count := "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND substr(name, 1, 7) <> 'sqlite_'"
	if s.path == "" {
		// What an extension brought along belongs to nobody.
		count = `SELECT count(*) FROM pg_catalog.pg_class c WHERE c.relkind IN ('r', 'p')
			AND c.relnamespace = (SELECT oid FROM pg_catalog.pg_namespace WHERE nspname = current_schema())
			AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')`
	}
	var tables int
	err := s.reader.QueryRowContext(ctx, count).Scan(&tables)
	if err != nil {
		return fmt.Errorf("look at the tables of the database: %w", err)
	}
	if tables > 0 {
		return ErrForeign
	}
	return nil
}

// schemaLock is the number of the advisory lock under which a PostgreSQL is
// migrated; it has no meaning.
const schemaLock = 0x696d7072

// lockSchema keeps other programs from migrating until unlock is called.
func (s *Store) lockSchema(ctx context.Context) (unlock func() error, err error) {
	if s.path != "" {
		return lockFolder(ctx, filepath.Dir(s.path))
	}
	conn, err := s.writer.Conn(ctx)
	if err != nil {
		return nil, err
	}
	// A migration may take longer than anybody else waits for a lock.
	if _, err := conn.ExecContext(ctx, "SET lock_timeout = 0"); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	if _, err := conn.ExecContext(ctx, "SELECT pg_advisory_lock($1)", schemaLock); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return func() error {
		ctx := context.WithoutCancel(ctx)
		_, err := conn.ExecContext(ctx, "SELECT pg_advisory_unlock($1)", schemaLock)
		_, reset := conn.ExecContext(ctx, "RESET lock_timeout")
		return errors.Join(err, reset, conn.Close())
	}, nil
}

var setName = regexp.MustCompile(`^[a-z]+$`)

func (s *Store) sets(extra []MigrationSet) ([]MigrationSet, error) {
	own, err := fs.Sub(ownMigrations, "migration")
	if err != nil {
		return nil, fmt.Errorf("find migrations: %w", err)
	}
	sets := []MigrationSet{{Name: "store", FS: own}}
	if s.path == "" {
		functions, err := fs.Sub(postgresMigrations, "postgres")
		if err != nil {
			return nil, fmt.Errorf("find migrations: %w", err)
		}
		sets = []MigrationSet{{Name: "postgres", FS: functions}, sets[0]}
	}
	seen := map[string]bool{"store": true, "postgres": true}
	for _, set := range extra {
		if !setName.MatchString(set.Name) || seen[set.Name] {
			return nil, fmt.Errorf("migrations need a name of their own, not %q", set.Name)
		}
		seen[set.Name] = true
	}
	return append(sets, extra...), nil
}

// knownSet is a set of migrations and the version that the program wants.
type knownSet struct {
	MigrationSet
	want int64
}

func (s *Store) wanted(sets []MigrationSet) ([]knownSet, error) {
	known := make([]knownSet, len(sets))
	for i, set := range sets {
		p, err := s.provider(set)
		if err != nil {
			return nil, err
		}
		known[i].MigrationSet = set
		for _, source := range p.ListSources() {
			known[i].want = max(known[i].want, source.Version)
		}
	}
	return known, nil
}

// compare returns the first set whose version is not the program's, newer ones
// first, and whether the database has no table of ours at all.
func (s *Store) compare(ctx context.Context) (differs *SchemaError, empty bool, err error) {
	empty = true
	for _, set := range s.known {
		e := &SchemaError{Set: set.Name, Want: set.want}
		if e.Have, err = s.version(ctx, s.writer, set.table()); err != nil {
			return nil, false, err
		}
		empty = empty && e.Have == 0
		if e.Have > e.Want || e.Have < e.Want && differs == nil {
			differs = e
		}
		if e.Have > e.Want {
			return differs, false, nil
		}
	}
	return differs, empty, nil
}

// version reads the version of a set, kept in table, without making anything.
func (s *Store) version(ctx context.Context, q querier, table string) (int64, error) {
	exists := "SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = $1"
	if s.path == "" {
		exists = "SELECT COUNT(*) FROM pg_catalog.pg_class WHERE oid = to_regclass($1)"
	}
	var n, version int64
	if err := q.QueryRowContext(ctx, exists, table).Scan(&n); err != nil {
		return 0, fmt.Errorf("look for %s: %w", table, err)
	}
	if n == 0 {
		return 0, nil
	}
	err := q.QueryRowContext(ctx, "SELECT COALESCE(MAX(version_id), 0) FROM "+table).Scan(&version)
	if err != nil {
		return 0, fmt.Errorf("read %s: %w", table, err)
	}
	return version, nil
}

func (set MigrationSet) table() string { return "version_" + set.Name }

func (s *Store) apply(ctx context.Context, sets []MigrationSet) error {
	for _, set := range sets {
		p, err := s.provider(set)
		if err != nil {
			return err
		}
		if _, err := p.Up(ctx); err != nil {
			return fmt.Errorf("migrate %s: %w", set.Name, err)
		}
	}
	return nil
}

func (s *Store) provider(set MigrationSet) (*goose.Provider, error) {
	dialect := goose.DialectSQLite3
	if s.path == "" {
		dialect = goose.DialectPostgres
	}
	p, err := goose.NewProvider(dialect, s.writer, set.FS,
		goose.WithTableName(set.table()), goose.WithDisableGlobalRegistry(true), goose.WithSlog(s.log))
	if err != nil {
		return nil, fmt.Errorf("read migrations of %s: %w", set.Name, err)
	}
	return p, nil
}
