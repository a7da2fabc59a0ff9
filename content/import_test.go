package content_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
	"github.com/imprimatur-dev/imprimatur/internal/realdata"
)

// emptyRepo is a repository without any row, whose storages are in use.
func emptyRepo(t testing.TB, storages ...string) *contenttest.Site {
	t.Helper()
	if storages == nil {
		storages = []string{"media"}
	}
	db := contenttest.Database(t)
	repo, err := content.Open(content.Config{Writer: db, Reader: db, Storages: storages, Now: contenttest.Now})
	if err != nil {
		t.Fatalf("opening the repository: %v", err)
	}
	s := contenttest.People()
	s.Repository, s.DB = repo, db
	return &s
}

// xmlDoc wraps rows into an export; the first row is on line 3.
func xmlDoc(rows ...string) string {
	return "<T3RecordDocument>\n<records type=\"array\">\n" + strings.Join(rows, "\n") + "\n</records>\n</T3RecordDocument>\n"
}

// xmlRow writes a row; columns are "name=value", "name=NULL" has no value.
func xmlRow(table string, uid int, columns ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<tablerow index="%s:%d"><fieldlist index="data"><field index="uid" type="integer">%d</field>`, table, uid, uid)
	for _, c := range columns {
		name, value, _ := strings.Cut(c, "=")
		if value == "NULL" {
			fmt.Fprintf(&b, `<field index="%s" type="NULL"/>`, name)
			continue
		}
		fmt.Fprintf(&b, `<field index="%s">%s</field>`, name, value)
	}
	return b.String() + `</fieldlist></tablerow>`
}

// smallSite is an export of a page with text, a picture and a translation, and
// of what must stay out.
func smallSite() []string {
	return []string{
		xmlRow("tt_content", 5, "pid=2", "CType=image", "colPos=1", "sorting=20", "image=9", "header=Picture", "tstamp=1700000000", "crdate=1600000000"),
		xmlRow("pages", 2, "pid=1", "doktype=1", "title=Below", "slug=/below", "sorting=10", "shortcut=1", "hidden=1", "abstract=NULL", "description="),
		xmlRow("pages", 1, "pid=0", "doktype=4", "title=Top", "slug=/", "sorting=256", "shortcut=2", "is_siteroot=1"),
		xmlRow("pages", 3, "pid=1", "doktype=1", "title=Unten", "sys_language_uid=1", "l10n_parent=2"),
		xmlRow("tt_content", 6, "pid=2", "CType=text", "sorting=10", "header_link=2#5 _blank", "bodytext=&lt;a href=\"t3://page?uid=1#5\"&gt;x&lt;/a&gt; t3://file?uid=7"),
		xmlRow("tt_content", 7, "pid=2", "CType=shortcut", "sorting=30", "records=5,pages_1,tt_content_6", "pages=1, 2", "tx_site_mood=calm"),
		xmlRow("sys_file_storage", 1, "name=fileadmin", "driver=Local"),
		xmlRow("sys_file", 7, "storage=1", "identifier=/pictures/hall.jpg", "name=hall.jpg", "extension=jpg", "sha1=aa", "missing=0", "size=12"),
		xmlRow("sys_file", 8, "storage=1", "identifier=/x.png", "name=x.png", "extension=png", "sha1=bb", "missing=0"),
		xmlRow("sys_file_metadata", 1, "file=7", "title=Hall", "language=", "alternative=NULL"),
		xmlRow("sys_file_reference", 1, "pid=2", "uid_local=8", "uid_foreign=5", "tablenames=tt_content", "fieldname=image", "sorting_foreign=2"),
		xmlRow("sys_file_reference", 2, "pid=2", "uid_local=7", "uid_foreign=5", "tablenames=tt_content", "fieldname=image", "sorting_foreign=1", "title=NULL", "description="),
		xmlRow("fe_users", 1, "username=someone", "password=secret"),
	}
}

func german() []content.Language {
	return []content.Language{{ID: 1, Code: "de", Label: imprimatur.ByLanguage{"en": "German"}}}
}

func importText(s *contenttest.Site, text string, o content.ImportOptions) (content.ImportSummary, error) {
	return s.Import(context.Background(), strings.NewReader(text), o)
}

func mustImport(t *testing.T, s *contenttest.Site, text string, o content.ImportOptions) content.ImportSummary {
	t.Helper()
	sum, err := importText(s, text, o)
	if err != nil {
		t.Fatalf("importing: %v", err)
	}
	balanced(t, sum)
	return sum
}

// balanced checks that a summary accounts for every row.
func balanced(t testing.TB, sum content.ImportSummary) {
	t.Helper()
	rows, imported := 0, 0
	for _, table := range sum.Tables {
		out := 0
		for _, l := range table.LeftOut {
			if out += l.Rows; l.Reason == "" || l.Rows == 0 {
				t.Errorf("%s: %d rows left out for reason %q", table.Source, l.Rows, l.Reason)
			}
		}
		if table.Rows != table.Imported+out {
			t.Errorf("%s: %d rows, %d came in and %d did not", table.Source, table.Rows, table.Imported, out)
		}
		rows, imported = rows+table.Rows, imported+table.Imported
		for _, c := range table.Columns {
			if c.Fate == content.FateOut && c.Reason == "" || c.Fate != content.FateOut && c.Into == "" {
				t.Errorf("%s.%s is not accounted for: %+v", table.Source, c.Source, c)
			}
		}
	}
	if rows != sum.Rows || imported != sum.Imported {
		t.Errorf("the tables have %d rows, %d of them imported; the summary says %d and %d", rows, imported, sum.Rows, sum.Imported)
	}
}

// refused checks that an import is refused and writes nothing.
func refused(t *testing.T, s *contenttest.Site, text string, o content.ImportOptions, line int, reason string) {
	t.Helper()
	before := snapshot(t, s)
	_, err := importText(s, text, o)
	var refusal *content.ImportError
	if !errors.As(err, &refusal) || refusal.Line != line || !strings.Contains(refusal.Reason, reason) {
		t.Errorf("error is %v, want line %d and %q", err, line, reason)
	}
	same(t, snapshot(t, s), before)
}

func TestImportKeepsUidsOrderNullAndLinks(t *testing.T) {
	t.Parallel()
	s := emptyRepo(t)
	owner := s.Editor
	sum := mustImport(t, s, xmlDoc(smallSite()...), content.ImportOptions{Languages: german(), Owner: owner})
	same(t, sum.Renumbered, nil)
	same(t, sum.Imported, 12)

	nodes, err := s.Tree(context.Background(), s.Admin, 0, 9)
	if err != nil {
		t.Fatal(err)
	}
	same(t, titles(nodes), []string{"Top", "  Below"})

	page := read(t, s, content.Pages, 2)
	same(t, page.Text(content.ColumnPageType), content.PageStandard)
	same(t, page.Hidden(), true)
	_, abstract := page.Fields["abstract"]
	description, given := page.Fields["description"]
	same(t, []any{abstract, given, description}, []any{false, true, ""})

	translation := read(t, s, content.Pages, 3)
	same(t, []int64{translation.Origin, translation.Language, translation.PID}, []int64{2, 1, 1})
	label, installed, err := s.LanguageLabel(context.Background(), 1)
	if err != nil || !installed || label["en"] != "German" {
		t.Errorf("language 1 is %v, %v, %v", label, installed, err)
	}

	element := read(t, s, content.Elements, 5)
	same(t, []int64{element.Int("image"), element.PID, element.Int(content.ColumnPosition)}, []int64{2, 2, 1})
	same(t, [2]int64{element.Created.Unix(), element.Changed.Unix()}, [2]int64{1600000000, 1700000000})
	same(t, references(t, s, content.Ref{Table: content.Elements, UID: 5}, "image"), []int64{7, 8})
	refs, err := s.References(context.Background(), content.Ref{Table: content.Elements, UID: 5}, "image")
	if err != nil {
		t.Fatal(err)
	}
	_, title := refs[0].Fields["title"]
	text, given := refs[0].Fields["description"]
	same(t, []any{title, given, text}, []any{false, true, ""})
	same(t, refs[0].PID, int64(2))

	link := read(t, s, content.Elements, 6)
	same(t, link.Text("header_link"), "2#5 _blank")
	same(t, read(t, s, content.Elements, 7).Text(content.ColumnExtra), `{"tx_site_mood":"calm"}`)
	same(t, read(t, s, content.Files, 7).Text(content.ColumnStorage), "media")

	rights, err := s.PageRights(context.Background(), 2)
	if err != nil {
		t.Fatal(err)
	}
	same(t, rights, content.PageRights{Owner: owner.ID, OwnerMay: content.AllBits})
}

func TestImportedFieldsTakeFilesLikeAnyOther(t *testing.T) {
	t.Parallel()
	s := emptyRepo(t)
	mustImport(t, s, xmlDoc(smallSite()...), content.ImportOptions{Languages: german()})
	out, err := s.Apply(context.Background(), s.Admin, content.ChangeSet{Changes: []content.Change{
		content.Attach(content.Ref{Table: content.Elements, UID: 5}, "image", 8, nil),
	}})
	if err != nil || len(out.Complaints) > 0 {
		t.Fatalf("attaching: %v %v", err, out.Complaints)
	}
	same(t, references(t, s, content.Ref{Table: content.Elements, UID: 5}, "image"), []int64{7, 8, 8})
	same(t, out.Created, []content.Ref{{Table: content.FileReferences, UID: 3}})
	same(t, read(t, s, content.Elements, 5).Int("image"), int64(3))
}

func TestImportWithoutOwnerIsForAdministratorsAlone(t *testing.T) {
	t.Parallel()
	s := emptyRepo(t)
	mustImport(t, s, xmlDoc(smallSite()...), content.ImportOptions{Languages: german()})
	if _, err := s.Page(context.Background(), s.Editor, 1); !errors.Is(err, content.ErrNotFound) {
		t.Errorf("an editor reads a page nobody gave them: %v", err)
	}
	entries, err := s.History(context.Background(), content.Ref{Table: content.Pages, UID: 1}, 9)
	if err != nil || len(entries) != 1 {
		t.Fatalf("history: %v %v", entries, err)
	}
	same(t, entries[0].By.Name, "system")
}

func TestImportIntoARepositoryRenumbersWhatIsTakenAndFollowsIt(t *testing.T) {
	t.Parallel()
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		importRenumbers(t, contenttest.Open(t, contenttest.Options{}))
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		t.Parallel()
		importRenumbers(t, onPostgres(t, contenttest.Options{}))
	})
}

func importRenumbers(t *testing.T, s *contenttest.Site) {
	t.Helper()
	rows := smallSite()
	for i := range rows {
		rows[i] = strings.ReplaceAll(rows[i], "/pictures/hall.jpg", "/new/hall.jpg")
	}
	sum := mustImport(t, s, xmlDoc(rows...), content.ImportOptions{Languages: german()})
	here := map[string]int64{}
	for _, r := range sum.Renumbered {
		here[fmt.Sprintf("%s:%d", r.Table, r.From)] = r.To
	}
	top, below, file := here["pages:1"], here["pages:2"], here["files:7"]
	if top == 0 || below == 0 || file == 0 {
		t.Fatalf("pages 1 and 2 and file 7 are there, and yet not renumbered: %v", here)
	}
	same(t, read(t, s, content.Pages, contenttest.Museum).Text("title"), "Museum")
	page := read(t, s, content.Pages, below)
	same(t, []int64{page.PID, page.Int("shortcut")}, []int64{top, top})
	same(t, read(t, s, content.Pages, 3).Origin, below)
	link := read(t, s, content.Elements, 6)
	same(t, link.Text("header_link"), fmt.Sprintf("%d#5 _blank", below))
	same(t, link.Text("bodytext"), fmt.Sprintf(`<a href="t3://page?uid=%d#5">x</a> t3://file?uid=%d`, top, file))
	list := read(t, s, content.Elements, 7)
	same(t, list.Text("records"), fmt.Sprintf("5,pages_%d,content_6", top))
	same(t, list.Text("pages"), fmt.Sprintf("%d, %d", top, below))
	same(t, references(t, s, content.Ref{Table: content.Elements, UID: 5}, "image"), []int64{file, here["files:8"]})
	out, err := s.Apply(context.Background(), s.Admin, content.ChangeSet{Changes: []content.Change{
		{Op: content.Create, Table: content.Pages, Key: "new", PID: top, Fields: map[string]any{"title": "Later"}},
	}})
	if err != nil || len(out.Complaints) > 0 {
		t.Fatalf("creating a page after the import: %v %v", err, out.Complaints)
	}
	if out.IDs["new"] <= below {
		t.Errorf("a new page gets number %d, page %d came in before", out.IDs["new"], below)
	}
}

func TestImportUsesFilesAndStoragesThatAreThereAlready(t *testing.T) {
	t.Parallel()
	s := emptyRepo(t)
	text := xmlDoc(smallSite()...)
	mustImport(t, s, text, content.ImportOptions{Languages: german()})
	sum := mustImport(t, s, text, content.ImportOptions{Languages: german()})
	for _, table := range sum.Tables {
		switch table.Source {
		case "sys_file", "sys_file_storage", "sys_file_metadata":
			same(t, table.Imported, 0)
		case "pages", "tt_content", "sys_file_reference":
			same(t, table.Imported, table.Rows)
		}
	}
	var second int64
	for _, r := range sum.Renumbered {
		if r.Table == content.Elements && r.From == 5 {
			second = r.To
		}
	}
	same(t, references(t, s, content.Ref{Table: content.Elements, UID: second}, "image"), []int64{7, 8})
	if text := sum.Text(); !strings.Contains(text, "2 pages have a path that another page has already") {
		t.Errorf("the summary says nothing of paths that are taken:\n%s", text)
	}
}

func TestImportIsRefusedWhereItDoesNotFit(t *testing.T) {
	t.Parallel()
	other := strings.ReplaceAll(xmlDoc(smallSite()...), ">aa<", ">cc<")
	for _, c := range []struct {
		name   string
		site   func(testing.TB) *contenttest.Site
		text   string
		opt    content.ImportOptions
		line   int
		reason string
	}{
		{"language without a name", empty, xmlDoc(smallSite()...), content.ImportOptions{}, 6, "is in language 1, which has no name"},
		{"language named twice", empty, xmlDoc(smallSite()...), content.ImportOptions{Languages: append(german(), german()...)}, 0, "named twice"},
		{"language below 0", empty, xmlDoc(), content.ImportOptions{Languages: []content.Language{{ID: -2}}}, 0, "language -2"},
		{"language that is another one here", seeded, xmlDoc(smallSite()...), content.ImportOptions{Languages: []content.Language{{ID: 1, Code: "da"}}}, 0, `is "de" here and not "da"`},
		{"storage not in use", empty, xmlDoc(smallSite()...), content.ImportOptions{Languages: german(), Storage: "vault"}, 0, `"vault" is not in use`},
		{"another file at the place", seeded, other, content.ImportOptions{Languages: german()}, 10, `"/pictures/hall.jpg", where another file`},
		{"larger than the limit", empty, xmlDoc(smallSite()...), content.ImportOptions{Languages: german(), Limit: 100}, 0, "larger than 100 bytes"},
		{"truncated", seeded, xmlDoc(smallSite()...)[:900], content.ImportOptions{Languages: german()}, 5, "unexpected EOF"},
		{"broken at the very end", empty, xmlDoc(smallSite()...) + "&", content.ImportOptions{Languages: german()}, 18, "not well-formed"},
		{
			"last row names a row that is missing", seeded, xmlDoc(append(smallSite(), xmlRow("tt_content", 99, "pid=98"))...),
			content.ImportOptions{Languages: german()},
			16, "page 98, which the export does not hold",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			refused(t, c.site(t), c.text, c.opt, c.line, c.reason)
		})
	}
}

func empty(t testing.TB) *contenttest.Site { return emptyRepo(t) }

func seeded(t testing.TB) *contenttest.Site { return contenttest.Open(t, contenttest.Options{}) }

func TestDeletedRowsAndDraftsStayOutWithWhatDependsOnThem(t *testing.T) {
	t.Parallel()
	s := emptyRepo(t)
	sum := mustImport(t, s, xmlDoc(append(smallSite(),
		xmlRow("pages", 20, "pid=1", "title=Gone", "deleted=1"),
		xmlRow("pages", 21, "pid=20", "title=Below gone"),
		xmlRow("pages", 22, "pid=1", "title=Weg", "sys_language_uid=1", "l10n_parent=20"),
		xmlRow("tt_content", 20, "pid=21", "CType=text"),
		xmlRow("tt_content", 21, "pid=2", "CType=text", "t3ver_wsid=1", "t3ver_oid=6"),
		xmlRow("sys_file_reference", 20, "uid_local=8", "uid_foreign=21", "tablenames=tt_content", "fieldname=image"),
		xmlRow("sys_file_reference", 21, "uid_local=8", "uid_foreign=1", "tablenames=fe_users", "fieldname=image"),
		xmlRow("sys_file_reference", 22, "uid_local=8", "uid_foreign=5", "tablenames=tt_content", "fieldname=image", "deleted=1"),
		xmlRow("tx_site_item", 1, "pid=2"),
		xmlRow("sys_file_reference", 23, "uid_local=8", "uid_foreign=1", "tablenames=tx_site_item", "fieldname=image"),
	)...), content.ImportOptions{Languages: german()})
	got := map[string]int{}
	for _, table := range sum.Tables {
		for _, l := range table.LeftOut {
			got[table.Source+": "+l.Reason] = l.Rows
		}
	}
	same(t, got, map[string]int{
		"fe_users: front-end users and their groups stay out": 1,
		"pages: deleted in the export":                        1,
		"pages: lies on a page that stays out":                1,
		"pages: translates a row that stays out":              1,
		"sys_file_reference: belongs to a row that stays out": 2,
		"sys_file_reference: deleted in the export":           1,
		"tt_content: draft of a workspace":                    1,
		"tt_content: lies on a page that stays out":           1,
		"tx_site_item: there is no table for these rows yet":  1,
	})
	same(t, read(t, s, content.Elements, 5).Int("image"), int64(2))
	same(t, references(t, s, content.Ref{Table: "tx_site_item", UID: 1}, "image"), []int64{8})
}

func TestValuesThatDoNotFitAreKeptAndReported(t *testing.T) {
	t.Parallel()
	s := emptyRepo(t)
	long := strings.Repeat("ä", 300)
	sum := mustImport(t, s, xmlDoc(
		xmlRow("pages", 1, "pid=0", "title=", "doktype=137", "shortcut=77", "hidden=yes", "nav_title="+long, "notes=mine", "rowDescription=theirs", "extra=odd"),
	), content.ImportOptions{})
	page := read(t, s, content.Pages, 1)
	same(t, page.Text("nav_title"), long)
	same(t, page.Text(content.ColumnPageType), "137")
	same(t, page.Text("notes"), "theirs")
	same(t, page.Int("shortcut"), int64(0))
	same(t, page.Text(content.ColumnExtra), `{"extra":"odd","hidden":"yes","notes":"mine","shortcut":"77"}`)
	same(t, sum.Notes, []string{
		"3 values are kept although the schema would not take them from an editor.",
		"1 pointers to records that did not come in were emptied; their values are kept as extra data.",
	})
}

func TestLanguageFlag(t *testing.T) {
	t.Parallel()
	got, err := content.ParseLanguage("2=Österreichisches Deutsch:de-AT")
	if err != nil {
		t.Fatal(err)
	}
	same(t, got, content.Language{ID: 2, Code: "de-AT", Label: imprimatur.ByLanguage{"en": "Österreichisches Deutsch"}})
	for _, wrong := range []string{"", "1", "1=German", "German:de", "-1=X:de", "1=:de", "1= :de", "1=German:", "1=German:d e", "1=German:de\n", "1=\xff:de", "99999999999=X:de"} {
		if l, err := content.ParseLanguage(wrong); err == nil {
			t.Errorf("%q is taken as %+v", wrong, l)
		}
	}
}

func TestCancelledImportWritesNothing(t *testing.T) {
	t.Parallel()
	s := emptyRepo(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	before := snapshot(t, s)
	if _, err := s.Import(ctx, strings.NewReader(xmlDoc(smallSite()...)), content.ImportOptions{Languages: german()}); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
	same(t, snapshot(t, s), before)
}

// FuzzImport looks for input that panics, or that leaves something behind
// although it was refused.
func FuzzImport(f *testing.F) {
	for _, seed := range []string{
		"", xmlDoc(), xmlDoc(smallSite()...), xmlDoc(smallSite()...)[:1500], siteOfItems(),
		xmlDoc(xmlRow("pages", 1, "pid=1")), xmlDoc(xmlRow("pages", 1, "pid=0", "sys_language_uid=-7")),
		xmlDoc(xmlRow("sys_file_reference", 1, "uid_local=1", "uid_foreign=1", "tablenames=sys_file_reference", "fieldname=a")),
		"<!DOCTYPE x [<!ENTITY a \"b\">]><T3RecordDocument><header/><records/><files_fal/></T3RecordDocument>",
	} {
		f.Add([]byte(seed))
	}
	s := emptyRepo(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 {
			t.Skip("large inputs only slow the search down")
		}
		before := snapshot(t, s)
		sum, err := s.Import(context.Background(), bytes.NewReader(data), content.ImportOptions{Languages: german()})
		after := snapshot(t, s)
		if err != nil {
			same(t, after, before)
			return
		}
		balanced(t, sum)
		same(t, after[0]-before[0], int64(sum.Imported))
	})
}

func BenchmarkImportRealExport(b *testing.B) {
	data, err := os.ReadFile(realdata.Dir(b, "typo3-introduction", "data.xml"))
	if err != nil {
		b.Fatal(err)
	}
	languages := append(german(), content.Language{ID: 2, Code: "da"})
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		b.StopTimer()
		s := emptyRepo(b)
		b.StartTimer()
		if _, err := s.Import(context.Background(), bytes.NewReader(data), content.ImportOptions{Languages: languages}); err != nil {
			b.Fatal(err)
		}
	}
}
