package contenttest

import (
	"fmt"
	"testing"

	"github.com/imprimatur-dev/imprimatur/content"
)

// Pages of the large seed, below Museum and behind its other pages but Adrift:
//
//	1 Museum
//	  100 Halls            with a German translation (190)
//	    101 … 112 Hall 1 to Hall 12, the first with elements
//	    113 Hall 3         the same title, hidden
//	    114, 115, 116      a link, a shortcut to Hall 1, a mount point
//	  200 Catalogue        59 pages in three levels below it
//	    201 … 206          Letters
//	      210 … 262        their entries
//	3 Adrift               on no website
const (
	Adrift       int64 = 3
	Halls        int64 = 100
	FirstHall    int64 = 101
	ThirdHall    int64 = 103
	LastHall     int64 = 112
	HiddenHall   int64 = 113
	LinkPage     int64 = 114
	ShortcutPage int64 = 115
	MountPage    int64 = 116
	HallsGerman  int64 = 190
	Catalogue    int64 = 200
	FirstLetter  int64 = 201
	LastLetter   int64 = 206
	FirstEntry   int64 = 210
	LastEntry    int64 = 262
)

// Records of the large seed, on page FirstHall.
const (
	Accordion       int64 = 120 // with two items and a German translation
	Pointing        int64 = 121 // a text that links to OpeningHours and to Intro
	ForAll          int64 = 122 // for all languages
	HighUp          int64 = 123 // in column 100
	AccordionGerman int64 = 125
	FirstItem       int64 = 130 // in table accordion_items, with a picture
	SecondItem      int64 = 131
	Themes          int64 = 140 // a category
	Exhibit         int64 = 61  // in table exhibits, two pictures
	HiddenExhibit   int64 = 62  // hidden
	Venue           int64 = 63  // in table venues
	Memo            int64 = 64  // in table memos
	Secret          int64 = 65  // in table secrets
	Statistic       int64 = 66  // in table statistics
	FloorPlan       int64 = 67  // in table plans
	PageDraft       int64 = 901 // draft of page Halls
	ElementDraft    int64 = 902 // draft of Accordion
	NewDraft        int64 = 903 // an element that only a draft workspace has
	DraftWorkspace  int64 = 1
)

// Enlarge adds to a filled repository what large sites have: many pages, deep
// branches, items that elements own, links between records, drafts.
func Enlarge(t testing.TB, repo *content.Repository) {
	t.Helper()
	Set(t, repo, content.System(), largePages()...)
	Set(t, repo, content.System(), largeRecords()...)
	Set(t, repo, content.System(), records()...)
	Set(t, repo, content.System(), drafts()...)
}

func largePages() []content.Change {
	page := func(uid, pid int64, title string, more map[string]any) content.Change {
		rights := content.PageRights{Group: "editing", GroupMay: content.AllBits}
		fields := map[string]any{"title": title, "hidden": 0}
		for name, value := range more {
			fields[name] = value
		}
		return content.Change{Op: content.Create, Table: content.Pages, UID: uid, PID: pid, After: content.Last, Fields: fields, Rights: &rights}
	}
	changes := []content.Change{page(Adrift, 0, "Adrift", nil), page(Halls, Museum, "Halls", nil)}
	for uid := FirstHall; uid <= LastHall; uid++ {
		changes = append(changes, page(uid, Halls, fmt.Sprintf("Hall %d", uid-FirstHall+1), nil))
	}
	changes = append(changes,
		page(HiddenHall, Halls, "Hall 3", map[string]any{"hidden": 1}),
		page(LinkPage, Halls, "Elsewhere", map[string]any{"doktype": content.PageLink, "url": "https://museum.example/"}),
		page(ShortcutPage, Halls, "The way in", map[string]any{"doktype": content.PageShortcut, "shortcut": FirstHall}),
		page(MountPage, Halls, "The shop", map[string]any{"doktype": content.PageMount, "mount_pid": Shop}),
		content.Change{
			Op: content.Create, Table: content.Pages, UID: HallsGerman, Language: 1, Origin: Halls, After: content.Last,
			Fields: map[string]any{"title": "Säle", "hidden": 0},
		},
		page(Catalogue, Museum, "Catalogue", nil),
	)
	for uid := FirstLetter; uid <= LastLetter; uid++ {
		changes = append(changes, page(uid, Catalogue, "Letter "+string(rune('A'+uid-FirstLetter)), nil))
	}
	for uid := FirstEntry; uid <= LastEntry; uid++ {
		letter := FirstLetter + (uid-FirstEntry)%(LastLetter-FirstLetter+1)
		changes = append(changes, page(uid, letter, fmt.Sprintf("Entry %d", uid-FirstEntry+1), nil))
	}
	return changes
}

func largeRecords() []content.Change {
	element := func(uid int64, kind, header string, more map[string]any) content.Change {
		fields := map[string]any{"column": 0, "type": kind, "header": header}
		for name, value := range more {
			fields[name] = value
		}
		return content.Change{Op: content.Create, Table: content.Elements, UID: uid, PID: FirstHall, After: content.Last, Fields: fields}
	}
	item := func(uid int64, header string) content.Change {
		return content.Change{
			Op: content.Create, Table: "accordion_items", UID: uid, PID: FirstHall, After: content.Last,
			Fields: map[string]any{"element": Accordion, "header": header, "bodytext": "<p>" + header + "</p>"},
		}
	}
	german := element(AccordionGerman, "accordion", "Fragen", nil)
	german.Language, german.Origin = 1, Accordion
	all := element(ForAll, "header", "Signpost", nil)
	all.Language = -1
	return []content.Change{
		{Op: content.Create, Table: content.Categories, UID: Themes, PID: FirstHall, Fields: map[string]any{"title": "Themes"}},
		element(Accordion, "accordion", "Questions", map[string]any{"categories": fmt.Sprint(Themes)}),
		item(FirstItem, "Where is the lift?"),
		item(SecondItem, "May I take pictures?"),
		german,
		element(Pointing, "text", "Before you come", map[string]any{
			"bodytext":    fmt.Sprintf(`<p><a href="t3://page?uid=%d">Opening hours</a></p>`, OpeningHours),
			"header_link": fmt.Sprintf("t3://page?uid=%d#%d", Visit, Intro),
		}),
		all,
		element(HighUp, "text", "On the ceiling", map[string]any{"column": 100}),
		content.Attach(content.Ref{Table: "accordion_items", UID: FirstItem}, "media", Hall, nil),
		content.Attach(content.Ref{Table: content.Elements, UID: Pointing}, "assets", Door, nil),
	}
}

// drafts are rows that no count and no write may touch.
func drafts() []content.Change {
	draft := func(table string, uid, of int64, fields map[string]any) content.Change {
		return content.Change{Op: content.Create, Table: table, UID: uid, PID: FirstHall, Workspace: DraftWorkspace, DraftOf: of, Fields: fields}
	}
	return []content.Change{
		draft(content.Pages, PageDraft, Halls, map[string]any{"title": "Great halls"}),
		draft(content.Elements, ElementDraft, Accordion, map[string]any{"header": "Better questions"}),
		draft(content.Elements, NewDraft, 0, map[string]any{"type": "text", "header": "Not yet"}),
	}
}

// records are those of the tables of the extension but news.
func records() []content.Change {
	record := func(table string, uid int64, fields map[string]any) content.Change {
		return content.Change{Op: content.Create, Table: table, UID: uid, PID: FirstHall, After: content.Last, Fields: fields}
	}
	exhibit := content.Ref{Table: "exhibits", UID: Exhibit}
	return []content.Change{
		record("exhibits", Exhibit, map[string]any{"name": "Ship's bell", "kind": "object", "page": Collection}),
		record("exhibits", HiddenExhibit, map[string]any{"name": "Sextant", "kind": "loan", "lender": "A captain", "hidden": 1}),
		record("venues", Venue, map[string]any{"title": "Courtyard"}),
		record("memos", Memo, map[string]any{"title": "Ask the plumber"}),
		record("secrets", Secret, map[string]any{"title": "Code of the alarm"}),
		record("statistics", Statistic, map[string]any{"title": "Visitors in March"}),
		record("plans", FloorPlan, map[string]any{"title": "Ground floor"}),
		content.Attach(exhibit, "pictures", Door, nil),
		content.Attach(exhibit, "pictures", Hall, nil),
	}
}
