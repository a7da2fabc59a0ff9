package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"strings"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/queue"
	"github.com/imprimatur-dev/imprimatur/store"
)

// local is how a command opens the database directly.
type local struct {
	Config string `env:"IMPRIMATUR_CONFIG" placeholder:"FILE" help:"Configuration file."`
}

// base is what every command that opens the database works on.
type base struct {
	cfg   *loaded
	store *store.Store
	repo  *content.Repository
}

// open reads the configuration and opens what it names. A new database is
// migrated, an older one refused.
func (l local) open(ctx context.Context, a *app, log *slog.Logger) (*base, error) {
	cfg, err := loadBeside(l.Config, a.env)
	if err != nil {
		return nil, err
	}
	return openBase(ctx, cfg, log)
}

func openBase(ctx context.Context, cfg *loaded, log *slog.Logger) (*base, error) {
	sc, err := cfg.store(log)
	if err != nil {
		return nil, err
	}
	described, err := cfg.schema()
	if err != nil {
		return nil, err
	}
	s, err := store.Open(ctx, sc)
	var schema *store.SchemaError
	if errors.As(err, &schema) && schema.Have < schema.Want {
		return nil, fmt.Errorf("the database is older than this program; run: imprimatur migrate --config %s", cfg.file)
	}
	if err != nil {
		return nil, fmt.Errorf("database %s: %w", cfg.databaseName(), err)
	}
	repo, err := content.Open(content.Config{Writer: s.Writer(), Reader: s.Reader(), Schema: described, Storages: cfg.storages()})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open content repository: %w", err), s.Close())
	}
	if err := repo.IndexLinks(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("open content repository: %w", err), s.Close())
	}
	return &base{cfg, s, repo}, nil
}

// store is how the configuration wants the store opened.
func (l *loaded) store(log *slog.Logger) (store.Config, error) {
	keys, err := l.keyset()
	if err != nil {
		return store.Config{}, fmt.Errorf("read keyset: %w", err)
	}
	jobs, err := queue.Migrations(l.database())
	if err != nil {
		return store.Config{}, err
	}
	return store.Config{
		Database: l.database(), Keyset: keys, Unsealed: l.Seal.None, Logger: log,
		Migrations: []store.MigrationSet{{Name: content.MigrationName, FS: content.Migrations()}, jobs},
	}, nil
}

// workers is how many queued runs this process works on at a time.
func (l *loaded) workers() int {
	if !l.Workers.Set {
		return queue.DefaultWorkers
	}
	return l.Workers.V
}

// onPostgres reports whether the database is a PostgreSQL.
func (l *loaded) onPostgres() bool {
	kind, _, _ := strings.Cut(l.Database.V, ":")
	return l.Database.Set && (kind == "postgres" || kind == "postgresql")
}

// databaseName is the address of the database as people may read it: that of a
// PostgreSQL may hold a password, in more than one place.
func (l *loaded) databaseName() string {
	if !l.onPostgres() {
		return l.database()
	}
	u, err := url.Parse(l.Database.V)
	if err != nil {
		return "postgres"
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

// database is the address of the database, its file resolved.
func (l *loaded) database() string {
	if l.onPostgres() {
		return l.Database.V
	}
	v := l.Database
	if !v.Set {
		v.V = defaultDatabase
	}
	v.V = strings.TrimPrefix(v.V, "sqlite:")
	return "sqlite:" + l.path(v)
}

// storages names the file storages in use.
func (l *loaded) storages() imprimatur.Set {
	var names imprimatur.Set
	for name := range l.Content.Storages {
		names = append(names, name)
	}
	return names
}

// with opens the database for one command and closes it again.
func (l local) with(a *app, do func(ctx context.Context, b *base) error) error {
	b, err := l.open(a.ctx, a, slog.New(slog.NewTextHandler(a.err, &slog.HandlerOptions{Level: slog.LevelWarn})))
	if err != nil {
		return err
	}
	return errors.Join(do(a.ctx, b), b.store.Close())
}

// user finds a person by name.
func (b *base) user(ctx context.Context, name string) (imprimatur.User, error) {
	u, err := b.store.UserByName(ctx, name)
	if err != nil {
		return u, err
	}
	if !u.Exists() {
		return u, fmt.Errorf("there is no user named %q", name)
	}
	return u, nil
}

// acting is whom a command of the content repository works as: the operator,
// who may do everything, unless somebody is named.
func (b *base) acting(ctx context.Context, name string) (imprimatur.User, error) {
	if name == "" {
		return content.System(), nil
	}
	u, err := b.user(ctx, name)
	if err == nil && !u.Enabled {
		err = fmt.Errorf("user %q is disabled", name)
	}
	return u, err
}

// openFile opens a file that a person named.
func openFile(name string) (*os.File, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("open %s: %s", name, why(err))
	}
	return f, nil
}
