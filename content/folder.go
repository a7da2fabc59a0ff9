package content

import (
	"context"
	"database/sql"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/imprimatur-dev/imprimatur"
)

//go:embed folder.sql
var folderSQL string

var (
	sqlInsertFile      = statement(folderSQL, "insert file")
	sqlInsertFolder    = statement(folderSQL, "insert folder")
	sqlStorages        = statement(folderSQL, "storages")
	sqlFolder          = statement(folderSQL, "folder")
	sqlFolders         = statement(folderSQL, "folders")
	sqlFilesInFolder   = statement(folderSQL, "files")
	sqlReferencesAfter = statement(folderSQL, "references to file")
)

// Folder is a place for files in a storage. Its path begins and ends with a
// slash.
type Folder struct{ Storage, Path string }

// folderOf is the folder that a file with this identifier lies in.
func folderOf(identifier string) string {
	if at := strings.LastIndexByte(identifier, '/'); at >= 0 {
		return identifier[:at+1]
	}
	return "/"
}

// parentOf is the folder that a folder lies in; empty for a topmost one.
func parentOf(folder string) string {
	inner := folder[:len(folder)-1]
	return inner[:strings.LastIndexByte(inner, '/')+1]
}

// indexFile notes where a new file lies, and the folders on the way there.
func indexFile(ctx context.Context, tx *sql.Tx, rec Record) error {
	storage, identifier := rec.Text(ColumnStorage), rec.Text(ColumnIdentifier)
	folder := folderOf(identifier)
	if _, err := tx.ExecContext(ctx, sqlInsertFile, rec.UID, storage, identifier, folder); err != nil {
		return err
	}
	for folder != "" {
		parent := parentOf(folder)
		done, err := tx.ExecContext(ctx, sqlInsertFolder, storage, folder, parent)
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n == 0 {
			return err // it was there, and so are those above it
		}
		folder = parent
	}
	return nil
}

// Storages returns the names of the storages that hold files which the user may
// read or could, in alphabetical order, at most limit.
func (r reads) Storages(ctx context.Context, u imprimatur.User, limit int) ([]string, error) {
	all, err := collect(ctx, r.q, scanText, sqlStorages)
	if err != nil {
		return nil, fmt.Errorf("read storages: %w", err)
	}
	all = slices.DeleteFunc(all, func(name string) bool { return !r.MayOpenFolder(u, Folder{name, "/"}) })
	slices.Sort(all)
	return all[:min(len(all), limit)], nil
}

func scanText(rows *sql.Rows) (string, error) {
	var s string
	err := rows.Scan(&s)
	return s, err
}

// Mounts are the folders of a storage that the user may read, with everything
// below them, by path. One that lies in another is left out.
func (r reads) Mounts(u imprimatur.User, storage string) []Folder {
	if !r.storages.Has(storage) || !MaySelect(u, Files) {
		return nil
	}
	if isAdmin(u) || u.Rights.Files.Has(imprimatur.All) {
		return []Folder{{storage, "/"}}
	}
	var paths []string
	for _, mount := range u.Rights.Files {
		if name, path, ok := strings.Cut(mount, ":"); ok && name == storage && strings.HasPrefix(path, "/") {
			paths = append(paths, strings.TrimSuffix(path, "/")+"/")
		}
	}
	slices.Sort(paths)
	var mounts []Folder
	for _, path := range paths {
		if n := len(mounts); n == 0 || !strings.HasPrefix(path, mounts[n-1].Path) {
			mounts = append(mounts, Folder{storage, path})
		}
	}
	return mounts
}

// MayOpenFolder reports whether a folder lies in a mount of the user, or on the
// way to one: then only that way is to be seen in it.
func (r reads) MayOpenFolder(u imprimatur.User, f Folder) bool {
	return slices.ContainsFunc(r.Mounts(u, f.Storage), func(m Folder) bool {
		return strings.HasPrefix(f.Path, m.Path) || strings.HasPrefix(m.Path, f.Path)
	})
}

// Folders returns the folders in a folder that the user may open, by path, at
// most limit. ErrNotFound answers a folder that is not there or that the user
// may not open.
func (r reads) Folders(ctx context.Context, u imprimatur.User, in Folder, limit int) ([]string, error) {
	if !r.MayOpenFolder(u, in) {
		return nil, ErrNotFound
	}
	if ok, err := r.isFolder(ctx, in); err != nil || !ok {
		return nil, orNotFound(err)
	}
	mounts := r.Mounts(u, in.Storage)
	if slices.ContainsFunc(mounts, func(m Folder) bool { return strings.HasPrefix(in.Path, m.Path) }) {
		all, err := collect(ctx, r.q, scanText, sqlFolders, in.Path, in.Storage, limit)
		if err != nil {
			return nil, fmt.Errorf("read folders of %s: %w", in.Storage, err)
		}
		slices.Sort(all)
		return all, nil
	}
	return r.ways(ctx, in, mounts)
}

// ways are the folders in a folder that lead to a mount.
func (r reads) ways(ctx context.Context, in Folder, mounts []Folder) ([]string, error) {
	var all []string
	for _, m := range mounts {
		rest, ok := strings.CutPrefix(m.Path, in.Path)
		if !ok {
			continue
		}
		step, _, _ := strings.Cut(rest, "/")
		next := Folder{in.Storage, in.Path + step + "/"}
		there, err := r.isFolder(ctx, next)
		if err != nil {
			return nil, err
		}
		if there && !slices.Contains(all, next.Path) {
			all = append(all, next.Path)
		}
	}
	return all, nil
}

func (r reads) isFolder(ctx context.Context, f Folder) (bool, error) {
	var n int
	if err := r.q.QueryRowContext(ctx, sqlFolder, f.Storage, f.Path).Scan(&n); err != nil {
		return false, fmt.Errorf("find a folder of %s: %w", f.Storage, err)
	}
	return n > 0, nil
}

func orNotFound(err error) error {
	if err == nil {
		return ErrNotFound
	}
	return err
}

// FilesIn returns the next live files in a folder behind a uid, by uid, at most
// limit. It asks nothing about a user.
func (r reads) FilesIn(ctx context.Context, f Folder, after int64, limit int) ([]Record, error) {
	all, err := collect(ctx, r.q, scanRecords, sqlFilesInFolder, f.Path, f.Storage, after, limit)
	if err != nil {
		return nil, fmt.Errorf("read files in a folder of %s: %w", f.Storage, err)
	}
	return all, nil
}

// ReferencesAfter returns the next live references to a file behind a uid, by
// uid, at most limit. It asks nothing about a user.
func (r reads) ReferencesAfter(ctx context.Context, file, after int64, limit int) ([]Record, error) {
	all, err := collect(ctx, r.q, scanRecords, sqlReferencesAfter, file, after, limit)
	if err != nil {
		return nil, fmt.Errorf("read references to file %d: %w", file, err)
	}
	return all, nil
}

// MetadataOf returns what describes a file, by language. It asks nothing about
// a user.
func (r reads) MetadataOf(ctx context.Context, file int64) ([]Record, error) {
	all, err := collect(ctx, r.q, scanRecords, sqlMetadata, file)
	if err != nil {
		return nil, fmt.Errorf("read metadata of file %d: %w", file, err)
	}
	return all, nil
}
