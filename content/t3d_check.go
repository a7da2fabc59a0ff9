package content

import (
	"path"
	"slices"
	"strings"
)

// Tables of an export that come in.
const (
	t3dPages      = "pages"
	t3dContent    = "tt_content"
	t3dFiles      = "sys_file"
	t3dMetadata   = "sys_file_metadata"
	t3dReferences = "sys_file_reference"
	t3dStorages   = "sys_file_storage"
	t3dGroups     = "be_groups"
	t3dCategories = "sys_category"

	t3dAccordion = "tx_bootstrappackage_accordion_item"
	t3dCards     = "tx_bootstrappackage_card_group_item"
	t3dCarousel  = "tx_bootstrappackage_carousel_item"
	t3dIcons     = "tx_bootstrappackage_icon_group_item"
	t3dTabs      = "tx_bootstrappackage_tab_item"
	t3dTimeline  = "tx_bootstrappackage_timeline_item"
)

// t3dItems are the tables of items that content elements own; the column of
// tt_content that counts them is called like the table.
var t3dItems = []string{t3dAccordion, t3dCards, t3dCarousel, t3dIcons, t3dTabs, t3dTimeline}

// t3dElement is the column of an item that names its content element.
const t3dElement = "tt_content"

// itemNumbers are the whole numbers that hold items together.
var itemNumbers = []string{"pid", t3dElement, "sys_language_uid", "l10n_parent", "t3ver_wsid", "deleted", "sorting", "crdate", "tstamp"}

// t3dStructure lists, by table, the whole numbers that hold rows together.
var t3dStructure = map[string][]string{
	t3dPages:      {"pid", "sys_language_uid", "l10n_parent", "t3ver_wsid", "deleted", "sorting", "crdate", "tstamp"},
	t3dContent:    {"pid", "sys_language_uid", "l18n_parent", "t3ver_wsid", "deleted", "sorting", "crdate", "tstamp"},
	t3dFiles:      {"storage", "tstamp"},
	t3dMetadata:   {"file", "sys_language_uid", "l10n_parent", "t3ver_wsid", "crdate", "tstamp"},
	t3dReferences: {"pid", "uid_local", "uid_foreign", "sorting_foreign", "sys_language_uid", "l10n_parent", "t3ver_wsid", "deleted", "crdate", "tstamp"},
	t3dStorages:   {"deleted", "crdate", "tstamp"},
	t3dGroups:     {"deleted", "crdate", "tstamp"},
	t3dCategories: {"pid", "sys_language_uid", "l10n_parent", "t3ver_wsid", "deleted", "sorting", "crdate", "tstamp"},
	t3dAccordion:  itemNumbers, t3dCards: itemNumbers, t3dCarousel: itemNumbers, t3dIcons: itemNumbers, t3dTabs: itemNumbers, t3dTimeline: itemNumbers,
}

// t3dPointers are the columns of translations that name their original.
var t3dPointers = map[string]string{
	t3dPages: "l10n_parent", t3dContent: "l18n_parent", t3dMetadata: "l10n_parent", t3dReferences: "l10n_parent", t3dCategories: "l10n_parent",
	t3dAccordion: "l10n_parent", t3dCards: "l10n_parent", t3dCarousel: "l10n_parent", t3dIcons: "l10n_parent", t3dTabs: "l10n_parent", t3dTimeline: "l10n_parent",
}

// number returns a column of t3dStructure, which check has proven to be a
// whole number or empty.
func (r *t3dRow) number(column string) int64 {
	n, _ := r.int(column)
	return n
}

// original returns the uid of the row that this one translates, or 0.
func (r *t3dRow) original() int64 { return r.number(t3dPointers[r.Table]) }

// refuse makes a refusal that points at a column of the row.
func (r *t3dRow) refuse(column, format string, args ...any) error {
	line := r.Values[column].Line
	if line == 0 {
		line = r.Line
	}
	return refuseAt(line, "row "+r.key().String()+" "+format, args...)
}

// check refuses a file whose rows do not hang together: a row that names one
// that is not there, a tree with a cycle, a translation of a translation.
// Rows that are deleted or drafts are not asked, nor is what depends on them:
// they stay out, each with its reason.
func (f *t3dFile) check() error {
	for _, row := range f.Rows {
		for _, column := range t3dStructure[row.Table] {
			if _, err := row.int(column); err != nil {
				return err
			}
		}
	}
	steps := []func(*t3dRow) error{f.checkTargets, f.checkTree, newT3DChecker(f).row}
	for _, step := range steps {
		for _, row := range f.Rows {
			if t3dStructure[row.Table] == nil || row.gone() != "" {
				continue
			}
			if err := step(row); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkTargets refuses a row that names another which the file does not hold.
func (f *t3dFile) checkTargets(row *t3dRow) error {
	targets := targetsOf(row)
	for _, t := range targets {
		uid := row.number(t.column)
		atTop := uid == 0 && (row.Table == t3dPages || row.Table == t3dCategories)
		if f.row(t.table, uid) == nil && !atTop {
			return row.refuse(t.column, "%s %d, which the export does not hold", t.verb, uid)
		}
	}
	if row.Table != t3dReferences {
		return nil
	}
	if table := row.text("tablenames"); f.row(table, row.number("uid_foreign")) == nil {
		return row.refuse("uid_foreign", "belongs to row %d of table %s, which the export does not hold", row.number("uid_foreign"), t3dQuote(table))
	}
	return nil
}

// t3dTarget is a column of a row that names another row.
type t3dTarget struct{ column, verb, table string }

// targetsOf returns what a row cannot be without.
func targetsOf(row *t3dRow) []t3dTarget {
	targets := map[string][]t3dTarget{
		t3dPages:      {{"pid", "stands below page", t3dPages}},
		t3dContent:    {{"pid", "stands on page", t3dPages}},
		t3dFiles:      {{"storage", "lies in storage", t3dStorages}},
		t3dMetadata:   {{"file", "describes file", t3dFiles}},
		t3dReferences: {{"uid_local", "refers to file", t3dFiles}},
		t3dCategories: {{"pid", "stands on page", t3dPages}},
	}[row.Table]
	if slices.Contains(t3dItems, row.Table) {
		targets = []t3dTarget{{"pid", "stands on page", t3dPages}, {t3dElement, "belongs to element", t3dContent}}
	}
	if pointer := t3dPointers[row.Table]; pointer != "" && row.original() != 0 {
		targets = append(targets, t3dTarget{pointer, "translates row", row.Table})
	}
	return targets
}

// checkTree follows a page to the top.
func (f *t3dFile) checkTree(row *t3dRow) error {
	if row.Table != t3dPages {
		return nil
	}
	seen := map[int64]bool{}
	for at := row; at != nil; at = f.row(t3dPages, at.number("pid")) {
		if seen[at.UID] {
			return at.refuse("pid", "stands below itself: the page tree has a cycle")
		}
		if seen[at.UID] = true; len(seen) > MaxRootline {
			return row.refuse("pid", "stands more than %d pages deep", MaxRootline)
		}
	}
	return nil
}

// t3dChecker remembers what no two rows may share.
type t3dChecker struct {
	*t3dFile
	translations map[t3dTranslation]*t3dRow
	places       map[string]*t3dRow   // files by identifier
	described    map[[2]int64]*t3dRow // metadata by file and language
	storage      *t3dRow              // first file, whose storage the others share
}

type t3dTranslation struct {
	table              string
	original, language int64
}

func newT3DChecker(f *t3dFile) *t3dChecker {
	return &t3dChecker{f, map[t3dTranslation]*t3dRow{}, map[string]*t3dRow{}, map[[2]int64]*t3dRow{}, nil}
}

// row checks one row that comes in; what it names is there.
func (c *t3dChecker) row(row *t3dRow) error {
	if reason := c.leftOut(row); reason != "" {
		return nil
	}
	if row.Table == t3dFiles {
		return c.file(row)
	}
	if row.Table == t3dStorages || row.Table == t3dGroups {
		return nil
	}
	if err := c.language(row); err != nil {
		return err
	}
	switch row.Table {
	case t3dPages:
		return c.page(row)
	case t3dMetadata:
		return c.metadata(row)
	case t3dReferences:
		if !t3dName(row.text("fieldname")) {
			return row.refuse("fieldname", "belongs to the field %s, which is none", t3dQuote(row.text("fieldname")))
		}
		return nil
	case t3dCategories:
		if row.number("pid") == 0 {
			return nil
		}
	}
	return c.onPage(row, row.number("pid"))
}

// language checks the language of a row and its pointer to an original.
func (c *t3dChecker) language(row *t3dRow) error {
	language, original, pointer := row.number("sys_language_uid"), row.original(), t3dPointers[row.Table]
	if language < -1 || language == -1 && row.Table == t3dPages {
		return row.refuse("sys_language_uid", "is in language %d, which is none", language)
	}
	if original == 0 {
		return nil
	}
	if language <= 0 {
		return row.refuse(pointer, "is in language %d and yet translates row %d", language, original)
	}
	if c.t3dFile.row(row.Table, original).number("sys_language_uid") > 0 {
		return row.refuse(pointer, "translates row %d, which is a translation itself", original)
	}
	key := t3dTranslation{row.Table, original, language}
	if before := c.translations[key]; before != nil {
		return row.refuse(pointer, "translates row %d into language %d, as row %s does", original, language, before.key())
	}
	c.translations[key] = row
	return nil
}

func (c *t3dChecker) page(row *t3dRow) error {
	pid, language := row.number("pid"), row.number("sys_language_uid")
	if pid != 0 {
		if err := c.onPage(row, pid); err != nil {
			return err
		}
	}
	if language == 0 {
		return nil
	}
	if row.original() == 0 {
		return row.refuse("l10n_parent", "is in language %d and translates no page", language)
	}
	if original := c.t3dFile.row(t3dPages, row.original()); original.number("pid") != pid {
		return row.refuse("pid", "translates page %d and does not stand where that page stands", original.UID)
	}
	return nil
}

func (c *t3dChecker) onPage(row *t3dRow, pid int64) error {
	if c.t3dFile.row(t3dPages, pid).number("sys_language_uid") != 0 {
		return row.refuse("pid", "stands on page %d, which is a translation", pid)
	}
	return nil
}

func (c *t3dChecker) file(row *t3dRow) error {
	place := row.text("identifier")
	if !strings.HasPrefix(place, "/") || path.Clean(place) != place || place == "/" || strings.ContainsAny(place, "\\\r\n") {
		return row.refuse("identifier", "has the identifier %s, which is no path inside a storage", t3dQuote(place))
	}
	if row.text("name") == "" {
		return row.refuse("name", "has no file name")
	}
	if c.storage != nil && c.storage.number("storage") != row.number("storage") {
		return row.refuse("storage", "lies in another storage than row %s: an import takes the files of one storage", c.storage.key())
	}
	c.storage = row
	if before := c.places[place]; before != nil {
		return row.refuse("identifier", "has the identifier of row %s", before.key())
	}
	c.places[place] = row
	return nil
}

func (c *t3dChecker) metadata(row *t3dRow) error {
	key := [2]int64{row.number("file"), row.number("sys_language_uid")}
	if key[1] < 0 {
		return row.refuse("sys_language_uid", "is in language %d, which is none", key[1])
	}
	if before := c.described[key]; before != nil {
		return row.refuse("file", "describes the file and language of row %s again", before.key())
	}
	c.described[key] = row
	return nil
}
