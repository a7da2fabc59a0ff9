package demo

import (
	"fmt"
	"maps"
	"time"

	"github.com/imprimatur-dev/imprimatur/content"
)

// tableNews is the museum's own table: schema/news.toml describes it.
const tableNews = "news"

// The page that news lie on, and what they are about.
const (
	newsPage      int64 = 50
	categorySea   int64 = 1
	categoryHouse int64 = 2
)

// newsPages is the page of the news.
func newsPages() []page {
	return []page{{
		uid: newsPage, parent: home,
		en: words{"News", "What is new at the harbour.", ""},
		de: words{"Neues", "Was es am Hafen Neues gibt.", ""},
	}}
}

// newsItem is a record of the table of news with its translation.
type newsItem struct {
	uid      int64
	kind     string
	en, de   words // title, teaser, text
	more     map[string]any
	pictures []int64
}

func newsItems() []newsItem {
	return []newsItem{
		{
			uid: 1, kind: "article", pictures: []int64{pictureShip},
			en: words{
				"The Marie Tide is afloat again", "After two winters on the slip our lugger is back in the harbour basin.",
				"<p>Four hundred people gave money, and eleven of them gave their weekends.</p>",
			},
			de: words{
				"Die Marie Tide schwimmt wieder", "Nach zwei Wintern auf der Helling liegt unser Logger wieder im Hafenbecken.",
				"<p>Vierhundert Leute haben Geld gegeben, und elf von ihnen ihre Wochenenden.</p>",
			},
			more: map[string]any{
				"date":         date(2026, time.April, 18),
				"author_email": "crew@museum.example", "color": "#1f4e79", "priority": 2, content.ColumnCategories: "1,2",
			},
		},
		{
			uid: 2, kind: "announcement",
			en:   words{"Long evening of the lamps", "", "<p>The lighthouse room stays open until midnight.</p>"},
			de:   words{"Langer Abend der Lampen", "", "<p>Der Raum der Leuchttürme bleibt bis Mitternacht offen.</p>"},
			more: map[string]any{"date": date(2026, time.June, 20), "priority": 1},
		},
		{
			uid: 3, kind: "link",
			en:   words{"Timetable of the ferry", "", ""},
			de:   words{"Fahrplan der Fähre", "", ""},
			more: map[string]any{"link": "https://ferry.example/timetable", "date": date(2026, time.March, 1)},
		},
		{
			uid: 4, kind: "link",
			en:   words{"Post from the sea", "", ""},
			de:   words{"Post aus dem Meer", "", ""},
			more: map[string]any{"link": fmt.Sprintf("t3://page?uid=%d", bottle), "date": date(2026, time.January, 10)},
		},
	}
}

func date(year int, month time.Month, day int) int64 {
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix()
}

// newsChanges makes the categories and the news.
func newsChanges() []content.Change {
	category := func(uid int64, title string) content.Change {
		return content.Change{
			Op: content.Create, Table: content.Categories, UID: uid, PID: newsPage, After: content.Last, Fields: map[string]any{"title": title},
		}
	}
	changes := []content.Change{category(categorySea, "The sea"), category(categoryHouse, "The house")}
	for _, n := range newsItems() {
		changes = append(changes, n.changes()...)
	}
	return changes
}

func (n newsItem) changes() []content.Change {
	create := func(uid int64, w words) content.Change {
		fields := map[string]any{"type": n.kind, "title": w.title}
		if w.description != "" {
			fields["teaser"] = w.description
		}
		if w.abstract != "" {
			fields["bodytext"] = w.abstract
		}
		return content.Change{Op: content.Create, Table: tableNews, UID: uid, PID: newsPage, After: content.Last, Fields: fields}
	}
	original, translation := create(n.uid, n.en), create(translated(n.uid), n.de)
	maps.Copy(original.Fields, n.more)
	translation.Language, translation.Origin = german, n.uid
	changes := []content.Change{original, translation}
	for _, file := range n.pictures {
		changes = append(changes, content.Attach(content.Ref{Table: tableNews, UID: n.uid}, "images", file, nil))
	}
	return changes
}
