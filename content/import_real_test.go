package content_test

import (
	"cmp"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
	"github.com/imprimatur-dev/imprimatur/internal/realdata"
)

// plainRow is a row as a reader that knows nothing of imports sees it; nil is
// NULL.
type plainRow map[string]*string

func (r plainRow) text(column string) string {
	if r[column] == nil {
		return ""
	}
	return *r[column]
}

func (r plainRow) number(column string) int64 {
	n, _ := strconv.ParseInt(r.text(column), 10, 64)
	return n
}

// plainExport reads the real export once more, independently of the import.
func plainExport(t *testing.T) map[string]plainRow {
	t.Helper()
	data, err := os.ReadFile(realdata.Dir(t, "typo3-introduction", "data.xml"))
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Rows []struct {
			Name   string `xml:"index,attr"`
			Fields []struct {
				Name string `xml:"index,attr"`
				Type string `xml:"type,attr"`
				Text string `xml:",chardata"`
			} `xml:"fieldlist>field"`
		} `xml:"records>tablerow"`
	}
	if err := xml.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	rows := map[string]plainRow{}
	for _, r := range doc.Rows {
		row := plainRow{}
		for _, f := range r.Fields {
			if f.Type == "NULL" {
				row[f.Name] = nil
				continue
			}
			row[f.Name] = &f.Text
		}
		rows[r.Name] = row
	}
	return rows
}

// called is what tables of the export are called here.
var called = map[string]string{
	"tt_content": content.Elements, "sys_category": content.Categories, "be_groups": content.Groups,
	"tx_bootstrappackage_accordion_item": "accordion_items", "tx_bootstrappackage_card_group_item": "card_group_items",
	"tx_bootstrappackage_carousel_item": "carousel_items", "tx_bootstrappackage_icon_group_item": "icon_group_items",
	"tx_bootstrappackage_tab_item": "tab_items", "tx_bootstrappackage_timeline_item": "timeline_items",
}

func realImport(t *testing.T) (*contenttest.Site, content.ImportSummary) {
	t.Helper()
	file, err := os.Open(realdata.Dir(t, "typo3-introduction", "data.xml"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	s := emptyRepo(t)
	sum, err := s.Import(context.Background(), file, content.ImportOptions{
		Owner: s.Editor, Languages: append(german(), content.Language{ID: 2, Code: "da"}),
	})
	if err != nil {
		t.Fatal(err)
	}
	balanced(t, sum)
	return s, sum
}

func TestRealExportComesInWithEveryRowAccountedFor(t *testing.T) {
	t.Parallel()
	s, sum := realImport(t)
	imported, out := map[string]int{}, map[string]int{}
	for _, table := range sum.Tables {
		if table.Imported > 0 {
			imported[table.Table] = table.Imported
		}
		for _, l := range table.LeftOut {
			out[table.Source] += l.Rows
		}
	}
	same(t, sum.Rows, 706)
	same(t, sum.Languages, []int64{0, 1, 2})
	same(t, imported, map[string]int{
		"pages": 85, "content": 226, "files": 80, "file_metadata": 80, "file_references": 163, "storages": 1, "groups": 3, "categories": 2,
		"accordion_items": 5, "card_group_items": 16, "carousel_items": 9, "icon_group_items": 12, "tab_items": 5, "timeline_items": 13,
	})
	same(t, out, map[string]int{
		"fe_groups": 1, "fe_users": 1, "sys_file_collection": 1, "sys_template": 2, "tx_impexp_presets": 1,
	})
	same(t, sum.Notes, []string{
		"80 files came in as records: the export holds no file bodies.",
		"3 file references belong to rows that wait for a later version.",
	})
	kinds, columns, translated := map[string]bool{}, map[int64]bool{}, 0
	elements, err := s.All(context.Background(), content.Elements)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range elements {
		kinds[e.Text(content.ColumnKind)], columns[e.Int(content.ColumnPosition)] = true, true
		if e.Origin > 0 {
			translated++
		}
	}
	same(t, []int{len(kinds), len(columns), translated}, []int{43, 9, 4})
}

func TestRealExportLosesNoColumnInSilence(t *testing.T) {
	t.Parallel()
	_, sum := realImport(t)
	out, extra := map[string]string{}, map[string]int{}
	reported := map[string]map[string]bool{}
	for _, table := range sum.Tables {
		reported[table.Source] = map[string]bool{}
		for _, c := range table.Columns {
			reported[table.Source][c.Source] = true
			switch {
			case c.Fate == content.FateOut && c.Values > 0:
				out[table.Source+"."+c.Source] = c.Reason
			case c.Fate == content.FateExtra && c.Values > 0:
				extra[table.Source+"."+c.Source] = c.Values
			}
			if c.Kept > 0 {
				t.Errorf("%s.%s: %d values do not fit", table.Source, c.Source, c.Kept)
			}
		}
	}
	const rights, bookkeeping = "rights of pages are given here: the owner by flag, groups by applying them", "bookkeeping of the other system"
	const assigned, location = "what belongs to a category stands in the records here", "where files lie is set by configuration here"
	same(t, out, map[string]string{
		"pages.SYS_LASTCHANGED": bookkeeping, "pages.l10n_diffsource": bookkeeping, "pages.tx_impexp_origuid": bookkeeping,
		"pages.perms_userid": rights, "pages.perms_groupid": rights, "pages.perms_user": rights, "pages.perms_group": rights,
		"sys_category.items": assigned, "sys_category.l10n_diffsource": bookkeeping,
		"tx_bootstrappackage_accordion_item.l10n_diffsource": bookkeeping, "tx_bootstrappackage_card_group_item.l10n_diffsource": bookkeeping,
		"tx_bootstrappackage_carousel_item.l10n_diffsource": bookkeeping, "tx_bootstrappackage_icon_group_item.l10n_diffsource": bookkeeping,
		"tx_bootstrappackage_tab_item.l10n_diffsource": bookkeeping, "tx_bootstrappackage_timeline_item.l10n_diffsource": bookkeeping,
		"tx_bootstrappackage_icon_group_item.t3_origuid": bookkeeping,
		"tt_content.l18n_diffsource":                     bookkeeping, "tt_content.tx_impexp_origuid": bookkeeping,
		"sys_file.creation_date": bookkeeping, "sys_file.modification_date": bookkeeping, "sys_file.last_indexed": bookkeeping,
		"sys_file.identifier_hash": bookkeeping, "sys_file.folder_hash": bookkeeping, "sys_file.type": bookkeeping,
		"sys_file_metadata.l10n_diffsource": bookkeeping, "sys_file_reference.l10n_diffsource": bookkeeping,
		"sys_file_storage.name": "the storage is called otherwise here", "sys_file_storage.configuration": location,
		"sys_file_storage.is_browsable": location, "sys_file_storage.is_default": location, "sys_file_storage.auto_extract_metadata": location,
	})
	same(t, extra, map[string]int{"pages.l10n_source": 2, "pages.l10n_state": 2, "tt_content.l10n_source": 4, "be_groups.workspace_perms": 2})
	for name, row := range plainExport(t) {
		table, _, _ := strings.Cut(name, ":")
		for column := range row {
			if cs := reported[table]; len(cs) > 0 && !cs[column] {
				t.Errorf("%s.%s is not in the summary", table, column)
			}
		}
	}
}

// TestRealExportKeepsEveryValue compares each value of each imported row with
// what another reader finds in the export: text for text, NULL for NULL.
func TestRealExportKeepsEveryValue(t *testing.T) {
	t.Parallel()
	s, sum := realImport(t)
	plain := plainExport(t)
	translated := map[string]map[string]string{
		"doktype":    {"1": content.PageStandard, "4": content.PageShortcut, "254": content.PageFolder, "199": content.PageSeparator},
		"tablenames": called,
	}
	compared := 0
	for _, table := range sum.Tables {
		if table.Imported == 0 {
			continue
		}
		records, err := s.All(context.Background(), table.Table)
		if err != nil {
			t.Fatal(err)
		}
		same(t, len(records), table.Imported)
		for _, rec := range records {
			name := fmt.Sprintf("%s:%d", table.Source, rec.UID)
			compared += compareRow(t, name, plain[name], rec, table.Columns, translated)
		}
	}
	if compared < 15000 {
		t.Errorf("only %d values were compared", compared)
	}
}

func compareRow(t *testing.T, name string, row plainRow, rec content.Record, columns []content.ImportedColumn, translated map[string]map[string]string) (n int) {
	t.Helper()
	extra := map[string]string{}
	if text := rec.Text(content.ColumnExtra); text != "" {
		if err := json.Unmarshal([]byte(text), &extra); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range columns {
		want := row[c.Source]
		var got *string
		switch c.Fate {
		case content.FateColumn:
			if _, ok := rec.Fields[c.Into]; ok {
				text := rec.Text(c.Into)
				got = &text
			}
		case content.FateExtra:
			if text, ok := extra[c.Source]; ok {
				got = &text
			}
		default:
			continue
		}
		n++
		if c.Into == content.ColumnCategories { // a list here, its length there
			text := strconv.Itoa(len(strings.FieldsFunc(rec.Text(c.Into), func(r rune) bool { return r == ',' })))
			got = &text
		}
		if want != nil {
			if name, ok := translated[c.Source][*want]; ok {
				want = &name
			}
		}
		if (got == nil) != (want == nil) || got != nil && *got != *want {
			t.Errorf("%s.%s is %v, want %v", name, c.Source, show(got), show(want))
		}
	}
	return n
}

func show(s *string) string {
	if s == nil {
		return "NULL"
	}
	return fmt.Sprintf("%.80q", *s)
}

func TestRealExportKeepsTheTreeInOrder(t *testing.T) {
	t.Parallel()
	s, _ := realImport(t)
	type page struct{ uid, sorting int64 }
	children := map[int64][]page{}
	for name, row := range plainExport(t) {
		if strings.HasPrefix(name, "pages:") && row.number("sys_language_uid") == 0 {
			children[row.number("pid")] = append(children[row.number("pid")], page{row.number("uid"), row.number("sorting")})
		}
	}
	var want []string
	var walk func(pid int64, depth int)
	walk = func(pid int64, depth int) {
		slices.SortFunc(children[pid], func(a, b page) int { return cmp.Or(cmp.Compare(a.sorting, b.sorting), cmp.Compare(a.uid, b.uid)) })
		for _, p := range children[pid] {
			want = append(want, fmt.Sprintf("%d/%d", depth, p.uid))
			walk(p.uid, depth+1)
		}
	}
	walk(0, 0)
	if len(want) != 83 {
		t.Fatalf("%d pages in the tree of the export", len(want))
	}
	for range 2 {
		nodes, err := s.Tree(context.Background(), s.Admin, 0, content.MaxRootline)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, n := range nodes {
			got = append(got, fmt.Sprintf("%d/%d", n.Depth, n.UID))
		}
		same(t, got, want)
	}
}

func TestRealExportKeepsFilesInTheOrderOfTheirFields(t *testing.T) {
	t.Parallel()
	s, _ := realImport(t)
	type ref struct{ sorting, uid, file int64 }
	fields := map[string][]ref{}
	for name, row := range plainExport(t) {
		if strings.HasPrefix(name, "sys_file_reference:") {
			field := fmt.Sprintf("%s:%d:%s", row.text("tablenames"), row.number("uid_foreign"), row.text("fieldname"))
			fields[field] = append(fields[field], ref{row.number("sorting_foreign"), row.number("uid"), row.number("uid_local")})
		}
	}
	several := 0
	for field, refs := range fields {
		parts := strings.Split(field, ":")
		owner := content.Ref{Table: cmp.Or(called[parts[0]], parts[0])}
		owner.UID, _ = strconv.ParseInt(parts[1], 10, 64)
		slices.SortFunc(refs, func(a, b ref) int { return cmp.Or(cmp.Compare(a.sorting, b.sorting), cmp.Compare(a.uid, b.uid)) })
		var want []int64
		for _, r := range refs {
			want = append(want, r.file)
		}
		same(t, references(t, s, owner, parts[2]), want)
		if len(refs) > 1 {
			several++
		}
		if _, known := s.Schema().Table(owner.Table); known {
			same(t, read(t, s, owner.Table, owner.UID).Int(parts[2]), int64(len(refs)))
		} else if owner.Table != "sys_file_collection" {
			t.Errorf("%s holds files and did not come in", owner.Table)
		}
	}
	if several < 10 {
		t.Errorf("only %d fields hold several files", several)
	}
}

func TestRealExportLinksTranslations(t *testing.T) {
	t.Parallel()
	s, _ := realImport(t)
	for _, c := range []struct {
		of   content.Ref
		want map[int64]int64 // uid by language
	}{
		{content.Ref{Table: content.Pages, UID: 10}, map[int64]int64{1: 8, 2: 9}},
		{content.Ref{Table: content.Elements, UID: 204}, map[int64]int64{1: 203, 2: 202}},
		{content.Ref{Table: content.Elements, UID: 201}, map[int64]int64{1: 200, 2: 199}},
	} {
		translations, err := s.Translations(context.Background(), c.of)
		if err != nil {
			t.Fatal(err)
		}
		got := map[int64]int64{}
		for _, tr := range translations {
			got[tr.Language] = tr.UID
			same(t, tr.PID, read(t, s, c.of.Table, c.of.UID).PID)
		}
		same(t, got, c.want)
	}
}

// TestRealExportOffersFieldsForFiles names elements of the export that a test
// of attaching can count on: which fields their forms offer, and how many files
// are in them.
func TestRealExportOffersFieldsForFiles(t *testing.T) {
	t.Parallel()
	s, _ := realImport(t)
	elements, err := s.All(context.Background(), content.Elements)
	if err != nil {
		t.Fatal(err)
	}
	offers := map[string]map[int64]int64{}
	for _, e := range elements {
		for _, c := range s.Schema().FileColumns(content.Elements, e.Text(content.ColumnKind)) {
			if offers[c.Name] == nil {
				offers[c.Name] = map[int64]int64{}
			}
			offers[c.Name][e.UID] = e.Int(c.Name)
		}
	}
	same(t, offers["media"], map[int64]int64{116: 0, 117: 0, 118: 0, 119: 0, 120: 0})
	same(t, offers["assets"], map[int64]int64{92: 2, 111: 1, 112: 1, 113: 1, 114: 1, 126: 4, 127: 3})
	same(t, offers["image"], map[int64]int64{
		2: 1, 5: 1, 9: 1, 10: 1, 105: 6, 106: 1, 107: 1, 108: 1, 109: 1, 122: 4, 123: 6, 197: 2, 198: 2, 223: 1,
	})
}

func TestRealExportKeepsWhatElementsOwnAndWhatBelongsToCategories(t *testing.T) {
	t.Parallel()
	s, _ := realImport(t)
	counted := map[string]int64{}
	elements, err := s.All(context.Background(), content.Elements)
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range s.Schema().Tables {
		if table.Owner == nil {
			continue
		}
		items, err := s.All(context.Background(), table.Name)
		if err != nil {
			t.Fatal(err)
		}
		of := map[int64]int64{}
		for _, item := range items {
			of[item.Int(table.Owner.Column)]++
			same(t, item.PID, read(t, s, content.Elements, item.Int(table.Owner.Column)).PID)
		}
		for _, e := range elements {
			same(t, e.Int(table.Owner.Field), of[e.UID])
			counted[table.Name] += e.Int(table.Owner.Field)
		}
	}
	same(t, counted, map[string]int64{
		"accordion_items": 5, "card_group_items": 16, "carousel_items": 9, "icon_group_items": 12, "tab_items": 5, "timeline_items": 13,
	})
	same(t, []string{
		read(t, s, content.Pages, 65).Text("categories"), read(t, s, content.Elements, 226).Text("categories"), read(t, s, content.Elements, 11).Text("categories"),
	}, []string{"1", "1", "1"})
	group := read(t, s, content.Groups, 3)
	same(t, []string{group.Text("title"), group.Text("subgroups"), group.Text("page_mounts")}, []string{"Advanced editors", "2,1", "1"})
	if _, err := s.Record(context.Background(), s.Editor, content.Groups, 3); !errors.Is(err, content.ErrNotFound) {
		t.Errorf("an editor reads a group: %v", err)
	}
}

func TestRealExportLeavesNoSecretAndNoTypoScriptBehind(t *testing.T) {
	t.Parallel()
	s, _ := realImport(t)
	plain := plainExport(t)
	for name, column := range map[string]string{
		"fe_users:1": "password", "sys_template:1": "config", "sys_template:2": "constants", "tx_impexp_presets:1": "preset_data",
	} {
		secret := plain[name].text(column)
		if len(secret) < 20 {
			t.Fatalf("%s.%s of the export is %q", name, column, secret)
		}
		quoted, err := json.Marshal(secret[:20])
		if err != nil {
			t.Fatal(err)
		}
		var found int
		err = s.DB.QueryRow("SELECT COUNT(*) FROM content_records WHERE instr(fields, $1) > 0 OR instr(fields, $2) > 0",
			secret[:20], strings.Trim(string(quoted), `"`)).Scan(&found)
		if err != nil {
			t.Fatal(err)
		}
		if found > 0 {
			t.Errorf("%s.%s came in", name, column)
		}
	}
}
