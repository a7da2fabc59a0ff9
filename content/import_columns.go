package content

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// ColumnExtra holds what a row of an export had besides the columns of the
// schema: a JSON object of text, by the names of the export. No form shows it,
// and editors cannot write it. What it says of other records, it says with the
// uids of the export.
const ColumnExtra = "extra"

// Why columns stay out.
const (
	outRights     = "rights of pages are given here: the owner by flag, groups by applying them"
	outVersion    = "workspaces stay out"
	outTypoScript = "TypoScript means nothing here"
	outBookkeep   = "bookkeeping of the other system"
	outName       = "the storage is called otherwise here"
	outLocation   = "where files lie is set by configuration here"
	outAssigned   = "what belongs to a category stands in the records here"
)

// importTable says how the rows of one table come in. Columns it does not name
// go into the column of the same name, or into ColumnExtra if there is none.
type importTable struct {
	into   string
	record map[string]string // columns that are part of every record, and which
	rename map[string]string
	out    map[string]string // columns that stay out, and why
}

var importTables = map[string]importTable{
	t3dPages: {
		into: Pages,
		record: map[string]string{
			"uid": "uid", "pid": "pid", "sorting": "sorting", "sys_language_uid": "language", "l10n_parent": "origin",
			"crdate": "created", "tstamp": "changed", "deleted": "deleted",
		},
		rename: map[string]string{
			"extendToSubpages": "extend_to_subpages", "lastUpdated": "last_updated", "newUntil": "new_until", "rowDescription": "notes",
		},
		out: withVersions(map[string]string{
			"perms_userid": outRights, "perms_groupid": outRights, "perms_user": outRights, "perms_group": outRights, "perms_everybody": outRights,
			"TSconfig": outTypoScript, "tsconfig_includes": outTypoScript,
			"l10n_diffsource": outBookkeep, "tx_impexp_origuid": outBookkeep, "SYS_LASTCHANGED": outBookkeep,
		}),
	},
	t3dContent: {
		into: Elements,
		record: map[string]string{
			"uid": "uid", "pid": "pid", "sorting": "sorting", "sys_language_uid": "language", "l18n_parent": "origin",
			"crdate": "created", "tstamp": "changed", "deleted": "deleted",
		},
		rename: map[string]string{
			"CType": ColumnKind, "colPos": ColumnPosition, "pi_flexform": "flexform", "rowDescription": "notes",
			"sectionIndex": "section_index", "linkToTop": "link_to_top",
			"tx_bootstrappackage_accordion_item": "accordion_items", "tx_bootstrappackage_card_group_item": "card_group_items",
			"tx_bootstrappackage_carousel_item": "carousel_items", "tx_bootstrappackage_icon_group_item": "icon_group_items",
			"tx_bootstrappackage_tab_item": "tab_items", "tx_bootstrappackage_timeline_item": "timeline_items",
		},
		out: withVersions(map[string]string{
			"l18n_diffsource": outBookkeep, "tx_impexp_origuid": outBookkeep,
		}),
	},
	t3dFiles: {
		into:   Files,
		record: map[string]string{"uid": "uid", "pid": "pid", "tstamp": "changed", "storage": ColumnStorage},
		out: map[string]string{
			"last_indexed": outBookkeep, "identifier_hash": outBookkeep, "folder_hash": outBookkeep, "metadata": outBookkeep,
			"creation_date": outBookkeep, "modification_date": outBookkeep, "type": outBookkeep,
		},
	},
	t3dMetadata: {
		into: FileMetadata,
		record: map[string]string{
			"uid": "uid", "pid": "pid", "sys_language_uid": "language", "l10n_parent": "origin", "crdate": "created", "tstamp": "changed",
		},
		rename: map[string]string{"language": "spoken_language"},
		out:    withVersions(map[string]string{"l10n_diffsource": outBookkeep}),
	},
	t3dReferences: {
		into: FileReferences,
		record: map[string]string{
			"uid": "uid", "pid": "pid", "sorting_foreign": "sorting", "sys_language_uid": "language", "l10n_parent": "origin",
			"crdate": "created", "tstamp": "changed", "deleted": "deleted",
		},
		rename: map[string]string{
			"uid_local": ColumnFile, "uid_foreign": ColumnOwner, "tablenames": ColumnOwnerTable, "fieldname": ColumnOwnerField,
		},
		out: withVersions(map[string]string{"l10n_diffsource": outBookkeep, "table_local": outBookkeep}),
	},
	t3dStorages: {
		into:   Storages,
		record: map[string]string{"uid": "uid", "pid": "pid", "crdate": "created", "tstamp": "changed", "deleted": "deleted"},
		out: map[string]string{
			"name": outName, "configuration": outLocation, "processingfolder": outLocation, "is_browsable": outLocation,
			"is_default": outLocation, "auto_extract_metadata": outLocation,
		},
	},
	t3dCategories: {
		into: Categories,
		record: map[string]string{
			"uid": "uid", "pid": "pid", "sorting": "sorting", "sys_language_uid": "language", "l10n_parent": "origin",
			"crdate": "created", "tstamp": "changed", "deleted": "deleted",
		},
		out: withVersions(map[string]string{"items": outAssigned, "l10n_diffsource": outBookkeep}),
	},
	t3dGroups: {
		into:   Groups,
		record: map[string]string{"uid": "uid", "pid": "pid", "crdate": "created", "tstamp": "changed", "deleted": "deleted"},
		rename: map[string]string{
			"subgroup": "subgroups", "db_mountpoints": "page_mounts", "file_mountpoints": "file_mounts", "pagetypes_select": "page_types",
			"non_exclude_fields": "fields", "explicit_allowdeny": "values", "allowed_languages": "languages", "groupMods": "modules",
			"category_perms": "category_mounts",
		},
		out: map[string]string{"TSconfig": outTypoScript},
	},
	t3dAccordion: itemsInto("accordion_items"),
	t3dCards:     itemsInto("card_group_items"),
	t3dCarousel:  itemsInto("carousel_items"),
	t3dIcons:     itemsInto("icon_group_items"),
	t3dTabs:      itemsInto("tab_items"),
	t3dTimeline:  itemsInto("timeline_items"),
}

func itemsInto(table string) importTable {
	return importTable{
		into: table,
		record: map[string]string{
			"uid": "uid", "pid": "pid", "sorting": "sorting", "sys_language_uid": "language", "l10n_parent": "origin",
			"crdate": "created", "tstamp": "changed", "deleted": "deleted",
		},
		rename: map[string]string{t3dElement: ColumnElement},
		out:    withVersions(map[string]string{"l10n_diffsource": outBookkeep, "t3_origuid": outBookkeep}),
	}
}

// sourceOf returns the table of the export whose rows come into a table.
func sourceOf(table string) string {
	for _, source := range importOrder {
		if importTables[source].into == table {
			return source
		}
	}
	return ""
}

// withVersions adds the columns by which a row belongs to a workspace.
func withVersions(out map[string]string) map[string]string {
	for _, column := range []string{"t3ver_oid", "t3ver_wsid", "t3ver_state", "t3ver_stage", "t3ver_id", "t3ver_label", "t3ver_count", "t3ver_tstamp", "t3ver_move_id"} {
		out[column] = outVersion
	}
	return out
}

// columnPlan says what becomes of each column of a table, and counts.
type columnPlan struct {
	importTable
	table *Table // nil where the schema has none
	known map[string]*ImportedColumn
}

func newColumnPlan(source string, s *Schema) *columnPlan {
	p := &columnPlan{importTable: importTables[source], known: map[string]*ImportedColumn{}}
	p.table, _ = s.Table(p.into)
	return p
}

// column returns what becomes of a column of the export.
func (p *columnPlan) column(source string) *ImportedColumn {
	if c := p.known[source]; c != nil {
		return c
	}
	c := p.decide(source)
	p.known[source] = &c
	return &c
}

func (p *columnPlan) decide(source string) ImportedColumn {
	if part, ok := p.record[source]; ok {
		return ImportedColumn{Source: source, Into: part, Fate: FateRecord}
	}
	if reason, ok := p.out[source]; ok {
		return ImportedColumn{Source: source, Fate: FateOut, Reason: reason}
	}
	if into := p.here(source); into != "" {
		return ImportedColumn{Source: source, Into: into, Fate: FateColumn}
	}
	return ImportedColumn{Source: source, Into: ColumnExtra, Fate: FateExtra}
}

// here returns the column of the schema that a column of the export goes into,
// empty where there is none. A column that carries by chance the name another
// one is renamed to has none.
func (p *columnPlan) here(source string) string {
	into, renamed := p.rename[source]
	if !renamed {
		for _, taken := range p.rename {
			if taken == source {
				return ""
			}
		}
		into = source
	}
	if p.table == nil || into == ColumnExtra || into == ColumnConfiguration {
		return "" // which are written here alone
	}
	if _, ok := p.table.Column(into); !ok {
		return ""
	}
	return into
}

func (p *columnPlan) report() []ImportedColumn {
	all := make([]ImportedColumn, 0, len(p.known))
	for _, c := range p.known {
		all = append(all, *c)
	}
	slices.SortFunc(all, func(a, b ImportedColumn) int { return cmp.Compare(a.Source, b.Source) })
	return all
}

// pageTypeNames are the page types by the numbers of the export.
var pageTypeNames = map[string]string{
	"1": PageStandard, "3": PageLink, "4": PageShortcut, "6": PageUserSection, "7": PageMount, "199": PageSeparator, "254": PageFolder,
}

// tableHere returns what a table of the export is called here; a table that
// waits for a later version keeps its name.
func tableHere(source string) string {
	if plan, ok := importTables[source]; ok {
		return plan.into
	}
	return source
}

// fieldHere returns what a column of the export is called here.
func fieldHere(source, column string, s *Schema) string {
	if _, ok := importTables[source]; !ok {
		return column
	}
	return cmp.Or(newColumnPlan(source, s).here(column), column)
}

// empty reports whether a value says nothing.
func (v t3dValue) empty() bool { return v.Null || v.Text == "" || v.Text == "0" }

// fit brings a value into the type in which a column stores it; ok is false
// where it cannot be. Regular is false for a value that an editor could not
// have stored.
func (c Column) fit(text string) (stored any, regular, ok bool) {
	normal, problem := c.normal(text)
	if problem == "" {
		return normal, true, true
	}
	if !c.storesInteger() {
		return text, false, true
	}
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	return n, false, err == nil
}

// storesInteger reports whether values of the column are int64.
func (c Column) storesInteger() bool {
	switch c.Type {
	case TypeRelation:
		return !c.Many
	case TypeCheck, TypeDatetime, TypeFile:
		return true
	case TypeNumber, TypeSelect, TypeRadio:
		return c.Integer
	}
	return false
}

// sortedKeys returns the names of a set of values in a fixed order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
