package queue

import (
	"database/sql"
	"fmt"
	"io/fs"
	"strings"
	"testing/fstest"

	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverdatabasesql"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"

	"github.com/imprimatur-dev/imprimatur/store"
)

// Migrations are the tables that jobs lie in, for the database of store.Config.
func Migrations(database string) (store.MigrationSet, error) {
	var driver riverdriver.Driver[*sql.Tx] = riverdatabasesql.New(nil)
	if strings.HasPrefix(database, "sqlite:") {
		driver = riversqlite.New(nil)
	}
	m, err := rivermigrate.New(driver, nil)
	if err != nil {
		return store.MigrationSet{}, fmt.Errorf("read the tables of the queue: %w", err)
	}
	return store.MigrationSet{Name: "queue", FS: files(m.AllVersions())}, nil
}

// schemaMark stands before every name, for those who keep the tables in a
// schema of their own.
const schemaMark = "/* TEMPLATE: schema */"

// files are migrations as the store reads them.
func files(versions []rivermigrate.Migration) fs.FS {
	all := fstest.MapFS{}
	for _, v := range versions {
		name := fmt.Sprintf("%04d_river.sql", v.Version)
		text := "-- +goose Up\n-- +goose StatementBegin\n" + strings.ReplaceAll(v.SQLUp, schemaMark, "") + "\n-- +goose StatementEnd\n"
		all[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o444}
	}
	return all
}
