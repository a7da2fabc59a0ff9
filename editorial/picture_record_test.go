package editorial_test

import (
	"cmp"
	"slices"
	"strings"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/content"
)

func recordPromises() map[string]promises {
	return map[string]promises{
		"create_record_draft": {argTable("record"), newRecordPromises()},
		"copy_record":         {argTable("uid"), copyPromises()},
		"publish_record":      {argTable("uid"), publishPromises()},
		"delete_record":       {argTable("uid"), deletePromises()},
	}
}

func newRecordPromises() map[imprimatur.Label]promise {
	record := func(says func(a *account, rec *storedRow) string) promise {
		return func(a *account) string {
			if made := a.made(a.argText("table")); made != nil {
				return says(a, made)
			}
			return ""
		}
	}
	return map[imprimatur.Label]promise{
		anyHeading: heading(catalogue.HeadingCreateRecord),
		catalogue.ObjectRecordType: record(func(a *account, rec *storedRow) string {
			if t, _ := a.schema.Table(a.argText("table")); t.TypeField != "" {
				a.cover(rec, inFields+t.TypeField)
			}
			return a.recordType(rec)
		}),
		catalogue.WhereLocation: record(func(a *account, rec *storedRow) string {
			a.announce(rec, a.arg("pid"))
			if t, _ := a.schema.Table(a.argText("table")); !t.Translated {
				a.inLanguage(rec, 0, 0)
			}
			return a.named(catalogue.WhereLocation, a.onPage(a.arg("pid")))
		}),
		catalogue.WhereLanguage: record(func(a *account, rec *storedRow) string {
			a.inLanguage(rec, 0, 0)
			return a.named(catalogue.WhereLanguage, a.language(0))
		}),
		schemaField: record(func(a *account, rec *storedRow) string {
			return a.given(a.line.Label, rec, a.schemaColumn(rec))
		}),
		catalogue.Visibility:  record((*account).hiddenAtFirst),
		catalogue.RecordDraft: heading(catalogue.RecordDraft),
	}
}

// theCopy is a promise about the copy of the record of a call.
func theCopy(says func(a *account, p copyPair) string) promise {
	return func(a *account) string {
		if pairs := a.copies(false); len(pairs) > 0 {
			return says(a, pairs[0])
		}
		return ""
	}
}

func copyPromises() map[imprimatur.Label]promise {
	like := func(name imprimatur.Label) promise {
		return theCopy(func(a *account, p copyPair) string {
			a.coverCopy(p)
			return object(name)(a)
		})
	}
	return map[imprimatur.Label]promise{
		anyHeading:                  headingBy(ifPage(catalogue.HeadingCopyPage, catalogue.HeadingCopyElement)),
		catalogue.ObjectPage:        like(catalogue.ObjectPage),
		catalogue.ObjectContent:     like(catalogue.ObjectContent),
		catalogue.ObjectContentType: elementType,
		catalogue.PageURLPath: theCopy(func(a *account, p copyPair) string {
			return a.path(a.say(catalogue.PageURLPath), p.to)
		}),
		catalogue.RecordPathIn:  pathOfTranslation,
		catalogue.WhereLocation: location,
		catalogue.WhereLanguage: theCopy(func(a *account, p copyPair) string {
			a.inLanguage(p.to, a.was().number("language"), 0)
			return language(a)
		}),
		catalogue.RecordCopyTo: theCopy(copyPlace),
		catalogue.RecordCopiedWith: func(a *account) string {
			return a.named(catalogue.RecordCopiedWith, a.tally(a.copiedWhole(others)))
		},
		catalogue.Subpages: func(a *account) string {
			a.expect(len(a.allMade(content.Pages)) == 1+len(a.copiesOf(false, translations)), "some are")
			return a.named(catalogue.Subpages, a.say(catalogue.RecordNotCopied))
		},
		catalogue.Translations: theCopy(copiedTranslations),
		catalogue.RecordFiles: func(a *account) string {
			return a.named(catalogue.RecordFiles, a.say(catalogue.RecordFilesCopied, "count", len(a.copiedWhole(files))))
		},
		catalogue.Visibility: theCopy(func(a *account, p copyPair) string {
			label := catalogue.HiddenAtFirst
			for _, t := range a.copiesOf(false, translations) {
				label = catalogue.RecordAllHidden
				a.hiddenAtFirst(t.to)
			}
			a.hiddenAtFirst(p.to)
			return a.named(catalogue.Visibility, a.say(label))
		}),
	}
}

func copyPlace(a *account, p copyPair) string {
	a.expect(p.to.number("pid") == a.arg("target_page"), "it is on page %d", p.to.number("pid"))
	a.cover(p.to, "pid")
	if a.about.Table == content.Pages {
		return a.named(catalogue.RecordCopyTo, a.say(catalogue.Places,
			"where", a.underPage(p.to.number("pid")), "position", a.position(p.to, a.arg("after_uid"), catalogue.FirstSubpage)))
	}
	return a.named(catalogue.RecordCopyTo, a.elementPlace(p.to, a.arg("after_uid")))
}

func copiedTranslations(a *account, root copyPair) string {
	pairs := a.copiesOf(false, translations)
	for _, p := range pairs {
		a.coverWhole(p, a.arg("target_page"))
		a.place(p.to)
	}
	switch {
	case len(pairs) == 0:
		return a.named(catalogue.Translations, a.say(catalogue.None))
	case a.about.Table == content.Pages:
		return a.named(catalogue.Translations, a.say(catalogue.ElementCopiedAlong, "count", len(pairs)))
	}
	for _, p := range pairs {
		a.expect(p.to.count(content.ColumnPosition) == root.to.count(content.ColumnPosition), "%s is in another column", p.to.key)
		a.cover(p.to, inFields+content.ColumnPosition)
		a.directlyAfter(p.to, root.to)
	}
	return a.named(catalogue.Translations, a.say(catalogue.RecordCopiedBehind, "count", len(pairs)))
}

// copiedWhole accounts for the copies of what lies on a page or belongs to a
// record, each of which lies where its original lies: on the copy of that page,
// or on the page of the copied element.
func (a *account) copiedWhole(k kin) []*storedRow {
	var rows []*storedRow
	for _, p := range a.copiesOf(false, k) {
		page := a.arg("target_page")
		if a.about.Table == content.Pages {
			page, _ = a.counterpart(content.Pages, p.from.number("pid"))
		}
		a.coverWhole(p, page)
		rows = append(rows, p.to)
	}
	return rows
}

func pathOfTranslation(a *account) string {
	for _, p := range a.copiesOf(false, translations) {
		if name := a.say(catalogue.RecordPathIn, "language", a.languageName(p.to.number("language"))); name == a.line.Label {
			return a.path(name, p.to)
		}
	}
	return ""
}

// tally counts rows by what their table is called, in the order of the line.
func (a *account) tally(rows []*storedRow) string {
	if len(rows) == 0 {
		return a.say(catalogue.None)
	}
	counts := map[string]int{}
	for _, r := range rows {
		counts[r.tab()]++
	}
	var parts []string
	for table, n := range counts {
		parts = append(parts, a.say(catalogue.RecordCount, "name", a.schema.TableLabel(table), "number", n))
	}
	slices.SortFunc(parts, func(x, y string) int {
		return cmp.Or(cmp.Compare(strings.Index(a.line.Text, x), strings.Index(a.line.Text, y)), cmp.Compare(x, y))
	})
	line := parts[0]
	for _, part := range parts[1:] {
		line = a.say(catalogue.RecordCounts, "first", line, "then", part)
	}
	return line
}

func publishPromises() map[imprimatur.Label]promise {
	restricted := func(label imprimatur.Label, column string) promise {
		return func(a *account) string {
			a.expect(a.is().count(column) != 0, "it has no such time")
			return a.warning(label, "time", utc(a.is().count(column)))
		}
	}
	return map[imprimatur.Label]promise{
		anyHeading:                  headingBy(ifPage(catalogue.HeadingPublishPage, catalogue.HeadingPublishElement)),
		catalogue.ObjectPage:        object(catalogue.ObjectPage),
		catalogue.ObjectContent:     object(catalogue.ObjectContent),
		catalogue.ObjectContentType: elementType,
		catalogue.WhereLocation:     location,
		catalogue.WhereLanguage:     language,
		catalogue.Visibility: func(a *account) string {
			was, is := a.was().count(content.ColumnHidden), a.is().count(content.ColumnHidden)
			a.expect(was == 1 && is == 0, "hidden was %d and is %d", was, is)
			a.cover(a.is(), inFields+content.ColumnHidden)
			return a.say(catalogue.FieldChange, "name", a.say(catalogue.Visibility),
				"current", a.say(catalogue.RecordHidden), "proposed", a.say(catalogue.RecordVisible))
		},
		catalogue.RecordVisibleAlready: nothingChanged(catalogue.RecordVisibleAlready),
		catalogue.RecordStart:          restricted(catalogue.RecordStart, "starttime"),
		catalogue.RecordStop:           restricted(catalogue.RecordStop, "endtime"),
		catalogue.RecordGroups: func(a *account) string {
			a.expect(!slices.Contains([]string{"", "0"}, a.is().field("fe_group")), "it is for everybody")
			return a.warning(catalogue.RecordGroups)
		},
		catalogue.RecordOriginHidden: func(a *account) string {
			a.expect(a.after.row(a.about.Table, a.is().number("origin")).count(content.ColumnHidden) != 0, "it is visible")
			return a.warning(catalogue.RecordOriginHidden)
		},
	}
}
