package content

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/imprimatur-dev/imprimatur"
)

//go:embed page.sql
var pageSQL string

var (
	sqlPageRights    = statement(pageSQL, "rights")
	sqlSetPageRights = statement(pageSQL, "set rights")
	sqlBranch        = statement(pageSQL, "branch")
	sqlTree          = statement(pageSQL, "tree")
)

// MaxRootline bounds the way from a page to the root.
const MaxRootline = 100

// Node is one page of a tree listing.
type Node struct {
	Record
	Depth int // 0 for where the listing starts
}

// Tree lists the pages a user may see from a page down, that page first,
// children behind their parent by sorting. Root 0 starts at the user's page
// mounts, for administrators and users of all pages at the top. A page that the
// user may not see hides what is below it. Translations are not listed; hidden
// pages are. Depth 0 lists the start alone.
func (r reads) Tree(ctx context.Context, u imprimatur.User, root int64, depth int) ([]Node, error) {
	if !MaySelect(u, Pages) || !MayUseLanguage(u, 0) {
		return nil, nil // none of them is one that Page would answer
	}
	if root == 0 && !isAdmin(u) && !u.Rights.Pages.Has(imprimatur.All) {
		return r.mounts(ctx, u, depth)
	}
	if root != 0 {
		if _, err := r.Page(ctx, u, root); errors.Is(err, ErrNotFound) {
			return nil, nil
		} else if err != nil {
			return nil, err
		}
	}
	return r.subtree(ctx, u, root, depth)
}

// mounts lists the trees of the user's page mounts, by their number.
func (r reads) mounts(ctx context.Context, u imprimatur.User, depth int) ([]Node, error) {
	var uids []int64
	for _, mount := range u.Rights.Pages {
		if uid, err := strconv.ParseInt(mount, 10, 64); err == nil && uid > 0 {
			uids = append(uids, uid)
		}
	}
	slices.Sort(uids)
	var nodes []Node
	listed := map[int64]bool{}
	for _, uid := range slices.Compact(uids) {
		more, err := r.subtree(ctx, u, uid, depth)
		if err != nil {
			return nil, err
		}
		for _, n := range more {
			if !listed[n.UID] {
				listed[n.UID] = true
				nodes = append(nodes, n)
			}
		}
	}
	return nodes, nil
}

// treeRow is a page with its rights.
type treeRow struct {
	page   Record
	rights PageRights
}

// subtree lists below a start that lies within the user's mounts.
func (r reads) subtree(ctx context.Context, u imprimatur.User, root int64, depth int) ([]Node, error) {
	rows, err := collect(ctx, r.q, scanTreeRow, sqlTree, root, min(max(depth, 0), MaxRootline))
	if err != nil {
		return nil, fmt.Errorf("read page tree below %d: %w", root, err)
	}
	children := map[int64][]Record{}
	var starts []Record
	for _, row := range rows {
		switch {
		case !isAdmin(u) && !row.rights.allows(u, BitShow):
		case row.page.UID == root || root == 0 && row.page.PID == 0:
			starts = append(starts, row.page)
		default:
			children[row.page.PID] = append(children[row.page.PID], row.page)
		}
	}
	var nodes []Node
	var walk func(pages []Record, level int)
	walk = func(pages []Record, level int) {
		for _, p := range pages {
			nodes = append(nodes, Node{p, level})
			if level < depth {
				walk(children[p.UID], level+1)
			}
		}
	}
	walk(starts, 0)
	return nodes, nil
}

func scanTreeRow(rows *sql.Rows) (treeRow, error) {
	var t treeRow
	rec, err := scanRecord(appended{rows, []any{&t.rights.Owner, &t.rights.Group, &t.rights.OwnerMay, &t.rights.GroupMay, &t.rights.EverybodyMay}})
	t.page = rec
	return t, err
}

// appended scans further columns behind those of a record.
type appended struct {
	scanner
	more []any
}

func (a appended) Scan(dest ...any) error { return a.scanner.Scan(append(dest, a.more...)...) }

// Rootline returns the page and the pages above it, the root last. A page
// translation stands for its default-language page. It asks nothing about a
// user, and ErrNotFound answers a line that is broken, circular or longer than
// MaxRootline.
func (r reads) Rootline(ctx context.Context, page int64) ([]Record, error) {
	var line []Record
	uid := page
	for range MaxRootline + 1 { // one more for a translation
		if uid == 0 {
			return line, nil
		}
		rec, err := r.live(ctx, Ref{Pages, uid})
		if err != nil {
			return nil, err
		}
		if rec.Origin > 0 {
			uid = rec.Origin
			continue
		}
		line = append(line, rec)
		uid = rec.PID
	}
	return nil, ErrNotFound
}

// Subpages returns the uids of all live pages below a page, nearest first,
// translations excluded. It asks nothing about a user.
func (r reads) Subpages(ctx context.Context, page int64) ([]int64, error) {
	uids, err := collect(ctx, r.q, func(rows *sql.Rows) (int64, error) {
		var uid, depth int64
		err := rows.Scan(&uid, &depth)
		return uid, err
	}, sqlBranch, page, MaxRootline)
	if err != nil {
		return nil, fmt.Errorf("read branch of page %d: %w", page, err)
	}
	return slices.DeleteFunc(uids, func(uid int64) bool { return uid == page }), nil
}

// PageRights returns who may do what with a page; the zero value where nothing
// was set.
func (r reads) PageRights(ctx context.Context, page int64) (PageRights, error) {
	var p PageRights
	err := r.q.QueryRowContext(ctx, sqlPageRights, page).Scan(&p.Owner, &p.Group, &p.OwnerMay, &p.GroupMay, &p.EverybodyMay)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return PageRights{}, fmt.Errorf("read rights of page %d: %w", page, err)
	}
	return p, nil
}

// SetPageRights replaces the rights of a page, or of the page and all below it,
// and returns how many pages that were. ErrNotFound answers a root that is no
// live default-language page.
func (r *Repository) SetPageRights(ctx context.Context, root int64, subtree bool, rights PageRights) (int, error) {
	var n int
	err := r.write(ctx, func(ctx context.Context, tx *sql.Tx, _ int64) error {
		in := r.within(tx)
		page, err := in.live(ctx, Ref{Pages, root})
		if err != nil {
			return err
		}
		if page.Origin > 0 {
			return ErrNotFound
		}
		pages := []int64{root}
		if subtree {
			below, err := in.Subpages(ctx, root)
			if err != nil {
				return err
			}
			pages = append(pages, below...)
		}
		n = len(pages)
		for _, uid := range pages {
			if err := setPageRights(ctx, tx, uid, rights); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	return n, nil
}

func setPageRights(ctx context.Context, tx *sql.Tx, page int64, p PageRights) error {
	_, err := tx.ExecContext(ctx, sqlSetPageRights, page, p.Owner, p.Group, int64(p.OwnerMay), int64(p.GroupMay), int64(p.EverybodyMay))
	if err != nil {
		return fmt.Errorf("set rights of page %d: %w", page, err)
	}
	return nil
}

// within returns the same questions, asked of a transaction.
func (r reads) within(tx *sql.Tx) reads { return reads{q: tx, schema: r.schema, storages: r.storages} }
