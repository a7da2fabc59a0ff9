package content_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
)

// siteOfItems is an export with an element of two items, categories and a group.
func siteOfItems(more ...string) string {
	const card = "tx_bootstrappackage_card_group_item"
	rows := []string{
		xmlRow("pages", 1, "pid=0", "doktype=1", "title=Top", "categories=1"),
		xmlRow("pages", 2, "pid=1", "doktype=1", "title=Below", "deleted=1"),
		xmlRow("tt_content", 40, "pid=1", "CType=card_group", "categories=7", "selected_categories=3,4", card+"=5"),
		xmlRow("tt_content", 41, "pid=1", "CType=text", "t3ver_wsid=1"),
		xmlRow(card, 1, "pid=1", "tt_content=40", "header=One", "link=1#40", "image=9", "sorting=2", "tx_mood=calm"),
		xmlRow(card, 2, "pid=1", "tt_content=40", "header=Two", "sorting=1"),
		xmlRow(card, 3, "pid=1", "tt_content=40", "header=Gone", "deleted=1"),
		xmlRow(card, 4, "pid=1", "tt_content=40", "header=Draft", "t3ver_wsid=1"),
		xmlRow(card, 5, "pid=1", "tt_content=41", "header=Of a draft"),
		xmlRow(card, 6, "pid=2", "tt_content=40", "header=Elsewhere"),
		xmlRow("sys_file_storage", 1, "name=fileadmin"),
		xmlRow("sys_file", 7, "storage=1", "identifier=/new/x.png", "name=x.png", "extension=png", "sha1=aa"),
		xmlRow("sys_file_reference", 90, "pid=1", "uid_local=7", "uid_foreign=1", "tablenames="+card, "fieldname=image"),
		xmlRow("sys_category", 4, "pid=0", "title=Sub", "parent=3", "items=1"),
		category(3, [3]any{"pages", 1, "categories"}, [3]any{"tt_content", 40, "categories"}, [3]any{"tt_content", 41, "categories"},
			[3]any{"pages", 1, "tx_other"}, [3]any{"fe_users", 1, "categories"}, [3]any{"pages", 1, "categories"}),
		xmlRow("be_groups", 2, "pid=0", "title=Editors", "subgroup=3", "db_mountpoints=1", "tables_modify=pages,tt_content", "TSconfig=x = 1"),
		xmlRow("be_groups", 3, "pid=0", "title=All"),
	}
	return xmlDoc(append(rows, more...)...)
}

// category writes a category with its assignments: table, uid and column.
func category(uid int, assigned ...[3]any) string {
	elements := ""
	for i, a := range assigned {
		elements += fmt.Sprintf(`<element index="%d"><id>%d</id><table>%s</table><fieldname>%s</fieldname></element>`, i, a[1], a[0], a[2])
	}
	return fmt.Sprintf(`<tablerow index="sys_category:%d"><fieldlist index="data"><field index="uid">%d</field><field index="pid">0</field>`+
		`<field index="title">Category</field><field index="items">9</field></fieldlist><related index="rels"><field index="items"><type>db</type>`+
		`<relations index="itemArray">%s</relations></field></related></tablerow>`, uid, uid, elements)
}

func TestImportTakesItemsCategoriesAndGroups(t *testing.T) {
	t.Parallel()
	s := emptyRepo(t)
	sum := mustImport(t, s, siteOfItems(), content.ImportOptions{})
	element := read(t, s, content.Elements, 40)
	same(t, []string{element.Text("categories"), element.Text("selected_categories"), read(t, s, content.Pages, 1).Text("categories")}, []string{"3", "3,4", "3"})
	same(t, element.Int("card_group_items"), int64(2))
	item := read(t, s, "card_group_items", 1)
	same(t, []int64{item.PID, item.Int("element"), item.Int("image"), item.Sorting}, []int64{1, 40, 1, 2})
	same(t, references(t, s, item.Ref(), "image"), []int64{7})
	same(t, item.Text(content.ColumnExtra), `{"tx_mood":"calm"}`)
	same(t, read(t, s, content.Categories, 4).Int("parent"), int64(3))
	group := read(t, s, content.Groups, 2)
	same(t, []string{group.Text("subgroups"), group.Text("page_mounts"), group.Text("tables_modify")}, []string{"3", "1", "pages,tt_content"})
	out := map[string]int{}
	for _, table := range sum.Tables {
		for _, l := range table.LeftOut {
			out[table.Source+": "+l.Reason] += l.Rows
		}
	}
	const card = "tx_bootstrappackage_card_group_item"
	same(t, out, map[string]int{
		"pages: deleted in the export": 1, "tt_content: draft of a workspace": 1, card + ": deleted in the export": 1,
		card + ": draft of a workspace": 1, card + ": belongs to a row that stays out": 1, card + ": lies on a page that stays out": 1,
	})
	same(t, sum.Notes, []string{
		"1 files came in as records: the export holds no file bodies.",
		"3 assignments of categories stayed out: the records are not here, or have no column for them.",
		"1 counts of files in fields were put right.",
		"1 counts of items in elements were put right.",
		"1 counts of categories were put right.",
	})
}

func TestImportedItemsAndCategoriesFollowThoseThatGotAnotherNumber(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	first := mustImport(t, s, siteOfItems(), content.ImportOptions{})
	again := mustImport(t, s, siteOfItems(), content.ImportOptions{})
	if len(first.Renumbered) == 0 || len(again.Renumbered) <= len(first.Renumbered) {
		t.Fatalf("%d and %d rows got another number", len(first.Renumbered), len(again.Renumbered))
	}
	here := map[string]int64{}
	for _, r := range again.Renumbered {
		here[fmt.Sprintf("%s:%d", r.Table, r.From)] = r.To
	}
	element := read(t, s, content.Elements, here["content:40"])
	same(t, element.Text("categories"), fmt.Sprint(here["categories:3"]))
	same(t, element.Text("selected_categories"), fmt.Sprintf("%d,%d", here["categories:3"], here["categories:4"]))
	item := read(t, s, "card_group_items", here["card_group_items:1"])
	same(t, []int64{item.PID, item.Int("element")}, []int64{here["pages:1"], here["content:40"]})
	same(t, item.Text("link"), fmt.Sprintf("%d#%d", here["pages:1"], here["content:40"]))
	same(t, len(references(t, s, item.Ref(), "image")), 1)
	same(t, read(t, s, content.Categories, here["categories:4"]).Int("parent"), here["categories:3"])
	group := read(t, s, content.Groups, here["groups:2"])
	same(t, []string{group.Text("subgroups"), group.Text("page_mounts")}, []string{fmt.Sprint(here["groups:3"]), fmt.Sprint(here["pages:1"])})
}

func TestImportRefusesItemsOfNothing(t *testing.T) {
	t.Parallel()
	const tab = "tx_bootstrappackage_tab_item"
	for _, c := range []struct{ row, reason string }{
		{xmlRow(tab, 1, "pid=1", "tt_content=99"), "belongs to element 99, which the export does not hold"},
		{xmlRow(tab, 1, "pid=99", "tt_content=40"), "stands on page 99, which the export does not hold"},
		{xmlRow(tab, 1, "pid=1", "tt_content=x"), "not a whole number"},
		{xmlRow(tab, 1, "pid=1", "tt_content=40", "l10n_parent=5", "sys_language_uid=1"), "translates row 5, which the export does not hold"},
		{xmlRow("sys_category", 9, "pid=99"), "stands on page 99, which the export does not hold"},
	} {
		s := emptyRepo(t)
		_, err := importText(s, siteOfItems(c.row), content.ImportOptions{Languages: german()})
		if err == nil || !strings.Contains(err.Error(), c.reason) {
			t.Errorf("%v, want %q", err, c.reason)
		}
		if all, err := s.All(context.Background(), content.Pages); err != nil || len(all) != 0 {
			t.Errorf("%d pages came in, %v", len(all), err)
		}
	}
}

func TestImportLeavesTheConfigurationOfPagesToThisSide(t *testing.T) {
	t.Parallel()
	s := emptyRepo(t)
	mustImport(t, s, xmlDoc(xmlRow("pages", 1, "pid=0", "doktype=1", "title=Top", "configuration={")), content.ImportOptions{})
	page := read(t, s, content.Pages, 1)
	same(t, []string{page.Text(content.ColumnConfiguration), page.Text(content.ColumnExtra)}, []string{"", `{"configuration":"{"}`})
	same(t, len(form(t, s, content.Elements, "div", 1).Columns) > 0, true)
}
