package content

import "strings"

// Tables of an export that come in.
const (
	t3dPages      = "pages"
	t3dContent    = "tt_content"
	t3dFiles      = "sys_file"
	t3dMetadata   = "sys_file_metadata"
	t3dReferences = "sys_file_reference"
	t3dStorages   = "sys_file_storage"
)

// t3dMaxTree bounds how deep pages may be nested.
const t3dMaxTree = 99

// t3dStructure lists, by table, the whole numbers that hold rows together.
var t3dStructure = map[string][]string{
	t3dPages:      {"pid", "sys_language_uid", "l10n_parent", "t3ver_wsid", "deleted", "hidden", "sorting"},
	t3dContent:    {"pid", "sys_language_uid", "l18n_parent", "t3ver_wsid", "deleted", "hidden", "sorting", "colPos"},
	t3dFiles:      {"storage", "size", "missing"},
	t3dMetadata:   {"file", "sys_language_uid", "l10n_parent", "t3ver_wsid"},
	t3dReferences: {"pid", "uid_local", "uid_foreign", "sorting_foreign", "sys_language_uid", "l10n_parent", "t3ver_wsid", "deleted", "hidden"},
	t3dStorages:   {},
}

// number returns a column of t3dStructure, which check has proven to be a
// whole number or empty.
func (r *t3dRow) number(column string) int64 {
	n, _ := r.int(column)
	return n
}

// draft reports whether the row belongs to a workspace.
func (r *t3dRow) draft() bool { return r.number("t3ver_wsid") != 0 }

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
func (f *t3dFile) check() error {
	for _, row := range f.Rows {
		for _, column := range t3dStructure[row.Table] {
			if _, err := row.int(column); err != nil {
				return err
			}
		}
	}
	files, metadata := map[string]*t3dRow{}, map[[2]int64]*t3dRow{}
	for _, row := range f.Rows {
		if row.draft() {
			continue
		}
		var err error
		switch row.Table {
		case t3dPages:
			err = f.checkPage(row)
		case t3dContent:
			err = f.checkElement(row)
		case t3dFiles:
			err = f.checkFile(row, files)
		case t3dMetadata:
			err = f.checkMetadata(row, metadata)
		case t3dReferences:
			err = f.checkReference(row)
		}
		if err != nil {
			return err
		}
	}
	return f.checkTree()
}

// live returns a row that comes in, or nothing.
func (f *t3dFile) live(table string, uid int64) *t3dRow {
	row := f.row(table, uid)
	if row == nil || row.draft() {
		return nil
	}
	return row
}

func (f *t3dFile) checkPage(row *t3dRow) error {
	pid := row.number("pid")
	if pid != 0 && f.live(t3dPages, pid) == nil {
		return row.refuse("pid", "stands below page %d, which the export does not hold", pid)
	}
	if parent := f.live(t3dPages, pid); parent != nil && parent.number("sys_language_uid") != 0 {
		return row.refuse("pid", "stands below page %d, which is a translation", pid)
	}
	language := row.number("sys_language_uid")
	if language < 0 {
		return row.refuse("sys_language_uid", "is in language %d, which a page cannot be in", language)
	}
	if err := f.checkTranslation(row, "l10n_parent"); err != nil {
		return err
	}
	if language == 0 {
		return nil
	}
	original := f.live(t3dPages, row.number("l10n_parent"))
	if original == nil {
		return row.refuse("l10n_parent", "is in language %d and translates no page", language)
	}
	if original.number("pid") != pid {
		return row.refuse("pid", "translates page %d and does not stand where that page stands", original.UID)
	}
	return nil
}

// checkTranslation checks the pointer of a translation to its original.
func (f *t3dFile) checkTranslation(row *t3dRow, pointer string) error {
	original, language := row.number(pointer), row.number("sys_language_uid")
	if original == 0 {
		return nil
	}
	if language <= 0 {
		return row.refuse(pointer, "is in language %d and yet translates row %d", language, original)
	}
	of := f.live(row.Table, original)
	if of == nil {
		return row.refuse(pointer, "translates row %d, which the export does not hold", original)
	}
	if of.number("sys_language_uid") > 0 {
		return row.refuse(pointer, "translates row %d, which is a translation itself", original)
	}
	return nil
}

func (f *t3dFile) checkElement(row *t3dRow) error {
	if row.number("sys_language_uid") < -1 {
		return row.refuse("sys_language_uid", "is in language %d, which is none", row.number("sys_language_uid"))
	}
	page := f.live(t3dPages, row.number("pid"))
	if page == nil {
		return row.refuse("pid", "stands on page %d, which the export does not hold", row.number("pid"))
	}
	if page.number("sys_language_uid") != 0 {
		return row.refuse("pid", "stands on page %d, which is a translation", page.UID)
	}
	return f.checkTranslation(row, "l18n_parent")
}

func (f *t3dFile) checkFile(row *t3dRow, seen map[string]*t3dRow) error {
	identifier := row.text("identifier")
	if !strings.HasPrefix(identifier, "/") || strings.HasSuffix(identifier, "/") || t3dEscapes(identifier) {
		return row.refuse("identifier", "has the identifier %s, which is no path inside a storage", t3dQuote(identifier))
	}
	if row.text("name") == "" {
		return row.refuse("name", "has no file name")
	}
	if row.number("size") < 0 {
		return row.refuse("size", "has a size below 0")
	}
	if before := seen[identifier]; before != nil {
		return row.refuse("identifier", "has the identifier of row %s", before.key())
	}
	seen[identifier] = row
	return nil
}

// t3dEscapes reports whether a path has a part that leaves its folder.
func t3dEscapes(path string) bool {
	for part := range strings.SplitSeq(path, "/") {
		if part == ".." || part == "." {
			return true
		}
	}
	return strings.ContainsAny(path, "\\\n\r")
}

func (f *t3dFile) checkMetadata(row *t3dRow, seen map[[2]int64]*t3dRow) error {
	file, language := row.number("file"), row.number("sys_language_uid")
	if f.row(t3dFiles, file) == nil {
		return row.refuse("file", "describes file %d, which the export does not hold", file)
	}
	if language < 0 {
		return row.refuse("sys_language_uid", "is in language %d, which is none", language)
	}
	if before := seen[[2]int64{file, language}]; before != nil {
		return row.refuse("file", "describes the file and language of row %s again", before.key())
	}
	seen[[2]int64{file, language}] = row
	return f.checkTranslation(row, "l10n_parent")
}

func (f *t3dFile) checkReference(row *t3dRow) error {
	if file := row.number("uid_local"); f.row(t3dFiles, file) == nil {
		return row.refuse("uid_local", "refers to file %d, which the export does not hold", file)
	}
	table, uid := row.text("tablenames"), row.number("uid_foreign")
	if f.row(table, uid) == nil {
		return row.refuse("uid_foreign", "belongs to row %s of table %s, which the export does not hold", t3dQuote(row.text("uid_foreign")), t3dQuote(table))
	}
	if f.live(table, uid) == nil {
		return row.refuse("uid_foreign", "is live and belongs to row %s:%d, which is a draft", table, uid)
	}
	if !t3dName(row.text("fieldname")) {
		return row.refuse("fieldname", "belongs to the field %s, which is none", t3dQuote(row.text("fieldname")))
	}
	if row.number("sys_language_uid") < -1 {
		return row.refuse("sys_language_uid", "is in language %d, which is none", row.number("sys_language_uid"))
	}
	return f.checkTranslation(row, "l10n_parent")
}

// checkTree follows every page to the top.
func (f *t3dFile) checkTree() error {
	depth := map[int64]int{0: 0}
	for _, row := range f.Rows {
		if row.Table != t3dPages || row.draft() {
			continue
		}
		var way []*t3dRow
		at := row
		for at != nil && depth[at.UID] == 0 {
			if way = append(way, at); len(way) > t3dMaxTree {
				return f.tooDeep(row)
			}
			at = f.live(t3dPages, at.number("pid"))
		}
		for i := len(way) - 1; i >= 0; i-- {
			if depth[way[i].UID] = depth[way[i].number("pid")] + 1; depth[way[i].UID] > t3dMaxTree {
				return f.tooDeep(way[i])
			}
		}
	}
	return nil
}

// tooDeep tells a cycle from a tree that is merely deep.
func (f *t3dFile) tooDeep(row *t3dRow) error {
	seen := map[int64]bool{}
	for at := row; at != nil; at = f.live(t3dPages, at.number("pid")) {
		if seen[at.UID] {
			return at.refuse("pid", "stands below itself: the page tree has a cycle")
		}
		seen[at.UID] = true
	}
	return row.refuse("pid", "stands more than %d pages deep", t3dMaxTree)
}
