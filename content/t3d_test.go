package content

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur/internal/realdata"
)

// export wraps rows into an export without a header; the first row begins on
// line 3.
func export(rows ...string) string {
	return "<T3RecordDocument>\n<records type=\"array\">\n" + strings.Join(rows, "\n") + "\n</records>\n</T3RecordDocument>\n"
}

// tablerow writes one row; every column is "name=value", and "name=NULL" has
// none.
func tablerow(table string, uid int, columns ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<tablerow index="%s:%d" type="array"><fieldlist index="data" type="array"><field index="uid" type="integer">%d</field>`, table, uid, uid)
	for _, c := range columns {
		name, value, _ := strings.Cut(c, "=")
		if value == "NULL" {
			fmt.Fprintf(&b, `<field index="%s" type="NULL"></field>`, name)
			continue
		}
		fmt.Fprintf(&b, `<field index="%s">%s</field>`, name, value)
	}
	b.WriteString(`</fieldlist><related index="rels" type="array"></related></tablerow>`)
	return b.String()
}

func parse(text string) (*t3dFile, error) {
	file, err := readT3D(context.Background(), strings.NewReader(text), 1<<20)
	if err != nil {
		return nil, err
	}
	return file, file.check()
}

func TestBrokenExportIsRefusedWithLineAndReason(t *testing.T) {
	t.Parallel()
	page := tablerow("pages", 1, "pid=0", "title=Home")
	store := tablerow("sys_file_storage", 1, "name=fileadmin")
	file := store + tablerow("sys_file", 1, "storage=1", "identifier=/a.png", "name=a.png", "size=1")
	deep := strings.Repeat("<a>", 300) + strings.Repeat("</a>", 300)
	for name, test := range map[string]struct {
		text   string
		line   int
		reason string
	}{
		"empty":                      {"", 1, "holds no XML"},
		"not XML":                    {"hello", 1, "begins with text"},
		"another root":               {"<rss></rss>", 1, "no TYPO3 export"},
		"truncated":                  {export(page)[:120], 3, "not well-formed XML: unexpected EOF"},
		"wrong end":                  {"<T3RecordDocument>\n<records></record></T3RecordDocument>", 2, "closed by"},
		"no records":                 {"<T3RecordDocument>\n</T3RecordDocument>", 2, `no section "records"`},
		"records twice":              {"<T3RecordDocument><records></records>\n<records></records></T3RecordDocument>", 2, "there twice"},
		"unknown section":            {"<T3RecordDocument>\n<extras></extras></T3RecordDocument>", 2, "unknown section"},
		"something after the end":    {export(page) + "<more/>", 6, "after the end"},
		"text between rows":          {export("stray", page), 2, "text between"},
		"document type":              {"<!DOCTYPE a [<!ENTITY b \"c\">]>\n" + export(page), 1, "entities are not accepted"},
		"entity":                     {export(tablerow("pages", 1, "pid=0", "title=&bomb;")), 3, "invalid character entity"},
		"nesting":                    {"<T3RecordDocument><header>" + deep + "</header></T3RecordDocument>", 1, "nested more than"},
		"invalid UTF-8":              {export(tablerow("pages", 1, "pid=0", "title=\xff")), 3, "invalid UTF-8"},
		"control character":          {export(tablerow("pages", 1, "pid=0", "title=\x01")), 3, "illegal character"},
		"another encoding":           {`<?xml version="1.0" encoding="iso-8859-1"?>` + export(page), 1, "not in UTF-8"},
		"another charset":            {"<T3RecordDocument>\n<header><charset>latin1</charset></header></T3RecordDocument>", 2, "not in UTF-8"},
		"namespace":                  {`<T3RecordDocument xmlns="urn:x"><records/></T3RecordDocument>`, 1, "namespace"},
		"duplicate uid":              {export(page, page), 4, "row pages:1 is there twice, first on line 3"},
		"row without uid":            {export(`<tablerow index="pages:0"></tablerow>`), 3, "not table:uid"},
		"row with a forged table":    {export(`<tablerow index="pa ges:1"></tablerow>`), 3, "not table:uid"},
		"uid differs":                {export(strings.Replace(page, `"integer">1<`, `"integer">2<`, 1)), 3, "says its uid is"},
		"no field list":              {export(`<tablerow index="pages:1"></tablerow>`), 3, "0 field lists"},
		"column twice":               {export(tablerow("pages", 1, "pid=0", "pid=0")), 3, "column pid twice"},
		"field in field":             {export(tablerow("pages", 1, "pid=0", "title=<b>x</b>")), 3, "where text belongs"},
		"unknown type":               {export(strings.Replace(page, `"integer"`, `"object"`, 1)), 3, "unknown type"},
		"number that is none":        {export(strings.Replace(page, `"integer">1<`, `"integer">1.5<`, 1)), 3, "not a whole number"},
		"structural text":            {export(tablerow("pages", 1, "pid=home")), 3, "column \"pid\" of row pages:1"},
		"NULL with a value":          {export(strings.Replace(page, `"integer">1<`, `"NULL">1<`, 1)), 3, "NULL and yet"},
		"base64 that is none":        {export(strings.Replace(page, `<field index="title">`, `<field index="title" base64="1">!`, 1)), 3, "base64"},
		"parent missing":             {export(tablerow("pages", 2, "pid=1")), 3, "below page 1, which the export does not hold"},
		"cycle":                      {export(tablerow("pages", 1, "pid=2"), tablerow("pages", 2, "pid=1")), 3, "cycle"},
		"page below itself":          {export(tablerow("pages", 1, "pid=1")), 3, "cycle"},
		"element without page":       {export(tablerow("tt_content", 1, "pid=9")), 3, "page 9, which the export does not hold"},
		"element below no page":      {export(tablerow("tt_content", 1, "pid=0")), 3, "page 0, which"},
		"translation of nothing":     {export(page, tablerow("pages", 2, "pid=0", "sys_language_uid=1", "l10n_parent=7")), 4, "translates row 7"},
		"translation without source": {export(page, tablerow("pages", 2, "pid=0", "sys_language_uid=1")), 4, "translates no page"},
		"two translations into one language": {export(page, tablerow("pages", 2, "pid=0", "sys_language_uid=1", "l10n_parent=1"),
			tablerow("pages", 3, "pid=0", "sys_language_uid=1", "l10n_parent=1")), 5, "into language 1, as row pages:2 does"},
		"translation elsewhere": {
			export(page, tablerow("pages", 2, "pid=1", "sys_language_uid=1", "l10n_parent=1")), 4,
			"does not stand where that page stands",
		},
		"original in the default language": {export(page, tablerow("pages", 2, "pid=0", "l10n_parent=1")), 4, "in language 0 and yet"},
		"translation of a translation": {export(page,
			tablerow("tt_content", 1, "pid=1"), tablerow("tt_content", 2, "pid=1", "sys_language_uid=1", "l18n_parent=1"),
			tablerow("tt_content", 3, "pid=1", "sys_language_uid=2", "l18n_parent=2")), 6, "a translation itself"},
		"reference to no file":   {export(page, tablerow("sys_file_reference", 1, "uid_local=3", "uid_foreign=1", "tablenames=pages", "fieldname=media")), 4, "file 3, which"},
		"reference of no record": {export(page, file, tablerow("sys_file_reference", 1, "uid_local=1", "uid_foreign=8", "tablenames=pages", "fieldname=media")), 5, `row 8 of table "pages"`},
		"reference of no field":  {export(page, file, tablerow("sys_file_reference", 1, "uid_local=1", "uid_foreign=1", "tablenames=pages")), 5, "field \"\""},
		"metadata of no file":    {export(tablerow("sys_file_metadata", 1, "file=1")), 3, "file 1, which"},
		"metadata twice":         {export(file, tablerow("sys_file_metadata", 1, "file=1"), tablerow("sys_file_metadata", 2, "file=1")), 5, "again"},
		"file outside":           {export(store + tablerow("sys_file", 1, "storage=1", "identifier=/../key", "name=key")), 3, "no path inside"},
		"two files in one place": {export(file, tablerow("sys_file", 2, "storage=1", "identifier=/a.png", "name=a.png")), 4, "identifier of row sys_file:1"},
		"file in no storage":     {export(tablerow("sys_file", 1, "storage=1", "identifier=/a", "name=a")), 3, "storage 1, which"},
		"two storages": {
			export(file, tablerow("sys_file_storage", 2), tablerow("sys_file", 2, "storage=2", "identifier=/b", "name=b")), 5,
			"in another storage than row sys_file:1",
		},
		"row the header lacks": {
			strings.Replace(export(page), "<records", `<header><records><table index="pages"><rec index="2"/></table></records></header><records`, 1), 3,
			"not among the rows",
		},
		"row the header has": {
			strings.Replace(export(page), "<records", "<header><records><table index=\"pages\"><rec index=\"1\"/>\n<rec index=\"2\"/></table></records></header><records", 1), 3,
			`lists row "pages:2"`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := parse(test.text)
			var refusal *ImportError
			if !errors.As(err, &refusal) {
				t.Fatalf("error is %v, not an ImportError", err)
			}
			if refusal.Line != test.line || !strings.Contains(refusal.Reason, test.reason) {
				t.Errorf("refused with %q, want line %d and %q", refusal.Error(), test.line, test.reason)
			}
		})
	}
}

func TestExportLargerThanTheLimitIsRefused(t *testing.T) {
	t.Parallel()
	_, err := readT3D(context.Background(), strings.NewReader(export(tablerow("pages", 1, "pid=0"))), 50)
	if err == nil || !strings.Contains(err.Error(), "larger than 50 bytes") {
		t.Errorf("error is %v", err)
	}
}

func TestErrorOfTheReaderIsNoRefusal(t *testing.T) {
	t.Parallel()
	broken := errors.New("cable pulled")
	_, err := readT3D(context.Background(), io.MultiReader(strings.NewReader("<T3RecordDocument>"), iotest.ErrReader(broken)), 1<<20)
	var refusal *ImportError
	if !errors.Is(err, broken) || errors.As(err, &refusal) {
		t.Errorf("error is %v", err)
	}
}

func TestTreeDeeperThanTheLimitIsRefusedAsDeep(t *testing.T) {
	t.Parallel()
	var rows []string
	for uid := MaxRootline + 1; uid > 0; uid-- {
		rows = append(rows, tablerow("pages", uid, fmt.Sprintf("pid=%d", uid-1)))
	}
	if _, err := parse(export(rows...)); err == nil || !strings.Contains(err.Error(), "pages deep") {
		t.Errorf("error is %v", err)
	}
	if _, err := parse(export(rows[1:]...)); err != nil {
		t.Errorf("a tree as deep as allowed: %v", err)
	}
}

func TestValuesKeepWhatTheExportSays(t *testing.T) {
	t.Parallel()
	file, err := parse(export(
		tablerow("pages", 1, "pid=0", "title= a &amp; &lt;b&gt;\n", "abstract=NULL", "description=") + "\n" +
			strings.Replace(tablerow("pages", 2, "pid=0", "title=Z3LDvG4="), `<field index="title"`, `<field index="title" base64="1"`, 1)))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]any{}
	for _, column := range []string{"title", "abstract", "description", "keywords"} {
		if v, ok := file.row("pages", 1).Values[column]; ok {
			got[column] = [2]any{v.Text, v.Null}
		}
	}
	want := map[string]any{"title": [2]any{" a & <b>\n", false}, "abstract": [2]any{"", true}, "description": [2]any{"", false}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if text := file.row("pages", 2).text("title"); text != "grün" {
		t.Errorf("base64 value is %q", text)
	}
}

func TestRealExportReadsWhole(t *testing.T) {
	t.Parallel()
	f, err := os.Open(realdata.Dir(t, "typo3-introduction", "data.xml"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	file, err := readT3D(context.Background(), f, 1<<28)
	if err != nil {
		t.Fatal(err)
	}
	if err := file.check(); err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for _, row := range file.Rows {
		counts[row.Table]++
	}
	for table, want := range map[string]int{t3dPages: 85, t3dContent: 226, t3dFiles: 80, t3dMetadata: 80, t3dReferences: 163, t3dStorages: 1} {
		if counts[table] != want {
			t.Errorf("%d rows of %s, want %d", counts[table], table, want)
		}
	}
	if len(file.Rows) != 706 || file.Bodies != 0 {
		t.Errorf("%d rows, %d bodies", len(file.Rows), file.Bodies)
	}
}
