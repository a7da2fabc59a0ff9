package content_test

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
)

// everything reads every live row, by what it is called.
func everything(t *testing.T, s *contenttest.Site) map[content.Ref]content.Record {
	t.Helper()
	all := map[content.Ref]content.Record{}
	for _, table := range s.Schema().Tables {
		records, err := s.All(t.Context(), table.Name)
		if err != nil {
			t.Fatal(err)
		}
		for _, rec := range records {
			all[rec.Ref()] = rec
		}
	}
	return all
}

// sound names whatever is wrong with what is in a repository: the tree, the
// translations, the counts, the paths, the order, and the index of links.
func sound(t *testing.T, s *contenttest.Site) []string {
	t.Helper()
	all := everything(t, s)
	var wrong []string
	say := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	for _, rec := range all {
		if rec.Table == content.Pages {
			if _, err := s.Rootline(t.Context(), rec.UID); err != nil {
				say("%s has no way to the root: %v", rec.Ref(), err)
			}
		} else if _, there := all[content.Ref{Table: content.Pages, UID: rec.PID}]; rec.PID != 0 && !there {
			say("%s lies on page %d, which is gone", rec.Ref(), rec.PID)
		}
		if origin, there := all[content.Ref{Table: rec.Table, UID: rec.Origin}]; rec.Origin != 0 && (!there || origin.PID != rec.PID || origin.Origin != 0) {
			say("%s translates %d, and that is %v", rec.Ref(), rec.Origin, origin)
		}
	}
	wrong = append(wrong, soundCounts(s.Schema(), all)...)
	wrong = append(wrong, soundNames(all)...)
	wrong = append(wrong, soundLinks(t, s, all)...)
	slices.Sort(wrong)
	return wrong
}

// soundCounts compares the fields that count with the rows they count.
func soundCounts(schema *content.Schema, all map[content.Ref]content.Record) (wrong []string) {
	counts := map[string]int64{}
	for _, rec := range all {
		table, _ := schema.Table(rec.Table)
		switch {
		case rec.Table == content.FileReferences:
			counts[fmt.Sprint(rec.Text("owner_table"), ":", rec.Int("owner"), " ", rec.Text("owner_field"))]++
		case table.Owner != nil:
			counts[fmt.Sprint(table.Owner.Table, ":", rec.Int(table.Owner.Column), " ", table.Owner.Field)]++
		}
	}
	counting := map[string]bool{}
	for _, table := range schema.Tables {
		if table.Owner != nil {
			counting[table.Owner.Table+" "+table.Owner.Field] = true
		}
	}
	for _, rec := range all {
		table, _ := schema.Table(rec.Table)
		for _, c := range table.Columns {
			key := fmt.Sprint(rec.Ref(), " ", c.Name)
			if (c.Type == content.TypeFile || counting[rec.Table+" "+c.Name]) && rec.Int(c.Name) != counts[key] {
				wrong = append(wrong, fmt.Sprintf("%s says %d and has %d", key, rec.Int(c.Name), counts[key]))
			}
			delete(counts, key)
		}
	}
	for key, n := range counts {
		wrong = append(wrong, fmt.Sprintf("%d rows belong to %s, which is gone", n, key))
	}
	return wrong
}

// soundNames looks for paths and languages that are there twice.
func soundNames(all map[content.Ref]content.Record) (wrong []string) {
	slugs, languages := map[string]content.Ref{}, map[string]content.Ref{}
	for _, rec := range all {
		slug := fmt.Sprint(rec.Language, rec.Text("slug"))
		if other, twice := slugs[slug]; twice && rec.Table == content.Pages && rec.Text("slug") != "/" {
			wrong = append(wrong, fmt.Sprintf("%s and %s have the path %s", rec.Ref(), other, slug))
		}
		if rec.Table == content.Pages {
			slugs[slug] = rec.Ref()
		}
		language := fmt.Sprint(rec.Table, rec.Origin, rec.Language)
		if other, twice := languages[language]; twice && rec.Origin != 0 {
			wrong = append(wrong, fmt.Sprintf("%s and %s are the same translation", rec.Ref(), other))
		}
		if rec.Origin != 0 {
			languages[language] = rec.Ref()
		}
	}
	return wrong
}

var pageLink = regexp.MustCompile(`t3://page\?uid=(\d+)(?:#(\d+))?`)

// soundLinks compares what the index of links answers with what the columns say.
func soundLinks(t *testing.T, s *contenttest.Site, all map[content.Ref]content.Record) (wrong []string) {
	t.Helper()
	want := map[content.Ref]map[content.Ref]bool{}
	for _, rec := range all {
		table, _ := s.Schema().Table(rec.Table)
		for _, c := range table.Columns {
			var to []content.Ref
			if c.Type == content.TypeRelation && (table.Owner == nil || c.Name != table.Owner.Column) {
				to = c.Refs(rec.Fields[c.Name])
			}
			for _, m := range pageLink.FindAllStringSubmatch(rec.Text(c.Name), -1) {
				page, _ := strconv.ParseInt(m[1], 10, 64)
				to = append(to, content.Ref{Table: content.Pages, UID: page})
				if anchor, _ := strconv.ParseInt(m[2], 10, 64); anchor != 0 {
					to = append(to, content.Ref{Table: content.Elements, UID: anchor})
				}
			}
			for _, ref := range to {
				if want[ref] == nil {
					want[ref] = map[content.Ref]bool{}
				}
				if ref != rec.Ref() {
					want[ref][rec.Ref()] = true
				}
			}
		}
	}
	for ref := range all {
		got, err := s.Incoming(t.Context(), []content.Ref{ref})
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(want[ref]) {
			wrong = append(wrong, fmt.Sprintf("%v refer to %s, and not %v", slices.Collect(maps.Keys(want[ref])), ref, got))
		}
		for _, from := range got {
			if !want[ref][from] {
				wrong = append(wrong, fmt.Sprintf("%s does not refer to %s", from, ref))
			}
		}
	}
	return wrong
}

// keep applies a change set and says whether it was refused; nothing may be
// broken after it.
func keep(t *testing.T, s *contenttest.Site, change content.Change) bool {
	t.Helper()
	out, err := s.Apply(context.Background(), s.Admin, content.ChangeSet{Changes: []content.Change{change}})
	if err != nil {
		t.Fatalf("%+v: %v", change, err)
	}
	return len(out.Complaints) == 0
}
