package editorial_test

import (
	"fmt"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/content"
)

// How a row belongs to the page that is deleted.
const (
	subpages        kin = "subpage"
	subpageVersions kin = "translation of a subpage"
	lying           kin = "lies there"
)

func deletePromises() map[imprimatur.Label]promise {
	goes := func(name imprimatur.Label) promise {
		return func(a *account) string {
			a.taken(itself)
			return object(name)(a)
		}
	}
	return map[imprimatur.Label]promise{
		anyHeading:                  headingBy(ifPage(catalogue.HeadingDeletePage, catalogue.HeadingDeleteElement)),
		catalogue.ObjectPage:        goes(catalogue.ObjectPage),
		catalogue.ObjectContent:     goes(catalogue.ObjectContent),
		catalogue.ObjectContentType: elementType,
		catalogue.WhereLocation:     location,
		catalogue.WhereLanguage:     language,
		catalogue.Translations: func(a *account) string {
			return a.named(catalogue.Translations, a.deletedAlong(len(a.taken(translations))))
		},
		catalogue.Subpages: func(a *account) string {
			pages, versions := len(a.taken(subpages)), len(a.taken(subpageVersions))
			if versions > 0 {
				return a.named(catalogue.Subpages, a.say(catalogue.RecordSubpagesAlong, "subpages", pages, "count", versions))
			}
			return a.named(catalogue.Subpages, a.deletedAlong(pages))
		},
		catalogue.RecordStored: func(a *account) string {
			return a.named(catalogue.RecordStored, a.tally(a.taken(lying)))
		},
		catalogue.RecordStoredOnAll: func(a *account) string {
			return a.named(catalogue.RecordStoredOnAll, a.tally(a.taken(lying)))
		},
		catalogue.RecordDeletedWith: func(a *account) string {
			return a.named(catalogue.RecordDeletedWith, a.tally(a.taken(others)))
		},
		catalogue.RecordFiles: func(a *account) string {
			return a.named(catalogue.RecordFiles, a.say(catalogue.RecordFilesRemoved, "count", len(a.taken(files))))
		},
		catalogue.RecordInLanguage: stayingElements,
		catalogue.RecordIncoming: func(a *account) string {
			a.expect(a.incoming() == 0, "there are %d", a.incoming())
			return a.named(catalogue.RecordIncoming, a.say(catalogue.None))
		},
		catalogue.RecordReferred: func(a *account) string {
			return a.warning(catalogue.RecordReferred, "count", a.incoming())
		},
		catalogue.RecordRecoverable: recoverable,
	}
}

func (a *account) deletedAlong(n int) string {
	if n == 0 {
		return a.say(catalogue.None)
	}
	return a.say(catalogue.RecordDeletedAlong, "count", n)
}

// stayingElements are those that a deleted translation of a page leaves.
func stayingElements(a *account) string {
	rows := a.after.records(content.Elements, having("pid", a.was().number("origin")), having("language", a.was().number("language")))
	for _, r := range rows {
		a.expect(a.before[recordTable][r.key] == r, "%s is not as it was", r.key)
	}
	if len(rows) == 0 {
		return a.named(catalogue.RecordInLanguage, a.say(catalogue.None))
	}
	return a.named(catalogue.RecordInLanguage, a.say(catalogue.RecordStay, "count", len(rows)))
}

// incoming counts the records that stay and refer to one that goes.
func (a *account) incoming() int {
	gone := map[string]bool{}
	for _, r := range a.gone() {
		gone[r.key] = true
	}
	from := map[string]bool{}
	for _, l := range a.before["content_links"] {
		key, to := recordKey(l.ref()), fmt.Sprintf("%s/%d", l.text("to_tab"), l.number("to_uid"))
		if l.number("kind") == 0 && gone[to] && !gone[key] && a.before[recordTable][key].live() {
			from[key] = true
		}
	}
	return len(from)
}

// taken are the deleted rows that belong to the record of the call in this way,
// which it accounts for.
func (a *account) taken(k kin) []*storedRow {
	gone := map[string]*storedRow{}
	for _, r := range a.gone() {
		gone[r.key] = r
	}
	var rows []*storedRow
	for _, r := range a.gone() {
		if a.kinOf(r, gone) == k {
			a.cover(a.after[recordTable][r.key], "deleted")
			rows = append(rows, r)
		}
	}
	return rows
}

// kinOf says how a deleted row belongs to the record of the call; nothing for
// one that does not.
func (a *account) kinOf(r *storedRow, gone map[string]*storedRow) kin {
	in := func(table string, uid int64) *storedRow {
		return gone[recordKey(content.Ref{Table: table, UID: uid})]
	}
	table := r.tab()
	origin, owner := in(table, r.number("origin")), a.owner(r)
	switch {
	case r.ref() == a.about:
		return itself
	case table == a.about.Table && r.number("origin") == a.about.UID:
		return translations
	case table == content.Pages && r.number("origin") == 0 && in(content.Pages, r.number("pid")) != nil:
		return subpages
	case table == content.Pages && origin != nil && a.kinOf(origin, gone) == subpages:
		return subpageVersions
	case table == content.Pages:
		return ""
	case table == content.FileReferences && (in(owner.Table, owner.UID) != nil || origin != nil):
		return files
	case table == content.FileReferences:
		return ""
	case a.about.Table == content.Pages && (in(content.Pages, r.number("pid")) != nil || origin != nil && a.kinOf(origin, gone) == lying):
		return lying
	case in(owner.Table, owner.UID) != nil, origin != nil && a.kinOf(origin, gone) == others:
		return others
	}
	return ""
}

// recoverable holds that everything went under one number, and that nothing
// stayed that makes no sense without it.
func recoverable(a *account) string {
	gone := map[string]bool{}
	for _, r := range a.gone() {
		gone[r.key] = true
		a.expect(a.after[recordTable][r.key].number("deleted") == a.is().number("deleted"), "%s went by itself", r.key)
	}
	stranded := func(table string, uid int64) bool { return gone[recordKey(content.Ref{Table: table, UID: uid})] }
	for _, r := range a.after[recordTable] {
		owner := a.owner(r)
		lies := r.tab() != content.FileReferences && stranded(content.Pages, r.number("pid")) // a file goes with its owner
		lost := stranded(r.tab(), r.number("origin")) || lies || stranded(owner.Table, owner.UID)
		a.expect(!r.live() || !lost, "%s stayed behind", r.key)
	}
	return a.named(catalogue.RecordRecoverable, a.say(catalogue.Yes))
}
