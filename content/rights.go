package content

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/imprimatur-dev/imprimatur"
)

// isAdmin reports whether the user may do everything. A disabled user may
// nothing, whatever else they are.
func isAdmin(u imprimatur.User) bool { return u.Exists() && u.Enabled && u.Admin }

// may answers for everybody who is not an administrator from a set of rights.
func may(u imprimatur.User, set imprimatur.Set, name string) bool {
	return isAdmin(u) || u.Exists() && u.Enabled && set.Has(name)
}

// MaySelect reports whether the user may read the table at all; whoever may
// change it may read it.
func MaySelect(u imprimatur.User, table string) bool {
	return may(u, u.Rights.Select, table) || MayModify(u, table)
}

// MayModify reports whether the user may write to the table at all.
func MayModify(u imprimatur.User, table string) bool { return may(u, u.Rights.Modify, table) }

// MayUseLanguage reports whether the user may work in a language. What is for
// all languages (-1) takes the default language.
func MayUseLanguage(u imprimatur.User, language int64) bool {
	return may(u, u.Rights.Languages, strconv.FormatInt(max(language, 0), 10))
}

// MayUsePageType reports whether the user may create pages of this type.
func MayUsePageType(u imprimatur.User, pageType string) bool {
	return may(u, u.Rights.PageTypes, pageType)
}

// MayUseField reports whether the user may write a column: columns that need a
// grant, by grant; read-only ones, administrators alone. A column that the
// schema does not know is nobody's.
func (r reads) MayUseField(u imprimatur.User, table, column string) bool {
	c, ok := r.schema.Column(table, column)
	switch {
	case !ok || !u.Exists() || !u.Enabled:
		return false
	case u.Admin:
		return true
	case c.ReadOnly:
		return false
	default:
		return !c.Exclude || u.Rights.Fields.Has(table+"."+column)
	}
}

// MayUseValue reports whether the user may use a value of a column whose values
// need a grant; other columns take any.
func (r reads) MayUseValue(u imprimatur.User, table, column, value string) bool {
	c, ok := r.schema.Column(table, column)
	if !ok || !u.Exists() || !u.Enabled {
		return false
	}
	return u.Admin || !c.AuthMode || value == "" || u.Rights.Values.Has(table+"."+column+"."+value)
}

// MayEditRecord is the right to change a record as such: its table, its
// language, each of its values that needs a grant, and no edit lock. The bits
// of the page are a question of their own.
func (r reads) MayEditRecord(u imprimatur.User, rec Record) bool {
	if isAdmin(u) {
		return true
	}
	t, ok := r.schema.Table(rec.Table)
	if !ok || t.AdminOnly || t.ReadOnly || !MayModify(u, rec.Table) || !MayUseLanguage(u, rec.Language) || rec.Int(ColumnEditLock) != 0 {
		return false
	}
	for _, c := range t.Columns {
		if c.AuthMode && !r.MayUseValue(u, rec.Table, c.Name, rec.Text(c.Name)) {
			return false
		}
	}
	return true
}

// allows reports whether the rights of a page give the user a bit, as owner, by
// a group, or as everybody.
func (p PageRights) allows(u imprimatur.User, bit Bits) bool {
	if !u.Exists() || !u.Enabled {
		return false
	}
	return p.EverybodyMay.Has(bit) || p.Owner == u.ID && p.OwnerMay.Has(bit) ||
		p.Group != "" && slices.Contains(u.Groups, p.Group) && p.GroupMay.Has(bit)
}

// MayOnPage reports whether the user may do something with a page: it lies
// within a page mount and its rights say so. A page translation has the rights
// of its default-language page; page 0, the level above all sites, is for
// administrators. A page that is not there allows nothing.
func (r reads) MayOnPage(ctx context.Context, u imprimatur.User, page int64, bit Bits) (bool, error) {
	if page == 0 {
		return isAdmin(u), nil
	}
	line, err := r.Rootline(ctx, page)
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if isAdmin(u) {
		return true, nil
	}
	if !slices.ContainsFunc(line, func(p Record) bool { return may(u, u.Rights.Pages, strconv.FormatInt(p.UID, 10)) }) {
		return false, nil
	}
	rights, err := r.PageRights(ctx, line[0].UID)
	return err == nil && rights.allows(u, bit), err
}

// MayRead reports whether the user may read a record: its table, its language,
// and the page it lies on, the file it describes, or the record it belongs to.
func (r reads) MayRead(ctx context.Context, u imprimatur.User, rec Record) (bool, error) {
	if !MaySelect(u, rec.Table) || rec.Deleted {
		return false, nil
	}
	t, ok := r.schema.Table(rec.Table)
	if !ok || (t.AdminOnly || t.Sensitive) && !isAdmin(u) {
		return false, nil
	}
	if t.Translated && !MayUseLanguage(u, rec.Language) {
		return false, nil
	}
	switch rec.Table {
	case Pages:
		return r.MayOnPage(ctx, u, rec.UID, BitShow)
	case Files:
		return r.MayUseFile(u, rec), nil
	case FileMetadata:
		return r.mayReadOther(ctx, u, Ref{Files, rec.Int(ColumnFile)})
	case FileReferences:
		return r.mayReadOther(ctx, u, Ref{rec.Text(ColumnOwnerTable), rec.Int(ColumnOwner)})
	case Storages:
		return r.storages.Has(rec.Text("name")), nil
	}
	return r.MayOnPage(ctx, u, rec.PID, BitShow)
}

// mayReadOther asks about the record that another one belongs to.
func (r reads) mayReadOther(ctx context.Context, u imprimatur.User, ref Ref) (bool, error) {
	if ref.Table == FileReferences {
		return false, nil
	}
	_, err := r.Record(ctx, u, ref.Table, ref.UID)
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// MayUseFile reports whether a file is in a storage that is in use and under a
// file mount of the user, and the user may read files. It is built for exactly
// this user.
func (r reads) MayUseFile(u imprimatur.User, file Record) bool {
	storage, identifier := file.Text(ColumnStorage), file.Text(ColumnIdentifier)
	if file.Table != Files || file.Deleted || storage == "" || !r.storages.Has(storage) || !MaySelect(u, Files) {
		return false
	}
	if isAdmin(u) {
		return true
	}
	return slices.ContainsFunc(u.Rights.Files, func(mount string) bool { return underMount(mount, storage, identifier) })
}

// underMount reports whether a mount "storage:/folder/" holds the file.
func underMount(mount, storage, identifier string) bool {
	if mount == imprimatur.All {
		return true
	}
	name, folder, ok := strings.Cut(mount, ":")
	if !ok || name != storage || !strings.HasPrefix(folder, "/") {
		return false
	}
	return strings.HasPrefix(identifier, strings.TrimSuffix(folder, "/")+"/")
}
