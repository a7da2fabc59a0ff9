package editorial_test

import (
	"slices"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/content"
)

func pagePromises() map[string]promises {
	return map[string]promises{
		"create_page_draft":     {argRef(content.Pages, "parent"), newPagePromises()},
		"move_page":             {argRef(content.Pages, "uid"), movedPagePromises()},
		"set_page_social_image": {argRef(content.Pages, "page"), socialPromises()},
		"update_page_metadata":  {argRef(content.Pages, "uid"), metadataPromises()},
	}
}

func newPagePromises() map[imprimatur.Label]promise {
	page := func(says func(a *account, page *storedRow) string) promise {
		return func(a *account) string {
			if made := a.made(content.Pages); made != nil {
				return says(a, made)
			}
			return ""
		}
	}
	return map[imprimatur.Label]promise{
		anyHeading: heading(catalogue.HeadingCreatePage),
		catalogue.WhereLocation: page(func(a *account, page *storedRow) string {
			a.announce(page, a.about.UID)
			return a.named(catalogue.WhereLocation, a.underPage(a.about.UID))
		}),
		catalogue.PageTitle: page(func(a *account, page *storedRow) string {
			return a.given(a.say(catalogue.PageTitle), page, "title")
		}),
		catalogue.PageURLPath: page(func(a *account, page *storedRow) string {
			return a.path(a.say(catalogue.PageURLPath), page)
		}),
		catalogue.PageNavTitle: page(func(a *account, page *storedRow) string {
			if page.has("nav_title") {
				return a.given(a.say(catalogue.PageNavTitle), page, "nav_title")
			}
			return a.say(catalogue.FieldNew, "name", a.say(catalogue.PageNavTitle), "proposed", a.say(catalogue.PageNavSame))
		}),
		catalogue.PageType: page(func(a *account, page *storedRow) string {
			a.cover(page, inFields+content.ColumnPageType)
			return a.say(catalogue.FieldNew, "name", a.say(catalogue.PageType), "proposed", a.kindLabel(page))
		}),
		catalogue.WhereLanguage: page(func(a *account, page *storedRow) string {
			a.inLanguage(page, 0, 0)
			return a.named(catalogue.WhereLanguage, a.language(0))
		}),
		catalogue.WherePosition: page(func(a *account, page *storedRow) string {
			return a.named(catalogue.WherePosition, a.position(page, a.arg("after_page_uid"), catalogue.FirstSubpage))
		}),
		catalogue.Visibility: page((*account).hiddenAtFirst),
		catalogue.PageDraft: page(func(a *account, page *storedRow) string {
			for _, r := range a.after[recordTable] {
				a.expect(!r.live() || r.number("pid") != page.uid(), "%s lies on it", r.key)
			}
			return a.say(catalogue.PageDraft)
		}),
		catalogue.PageSameTitle:       sameTitle(catalogue.PageSameTitle, 0),
		catalogue.PageSameTitleHidden: sameTitle(catalogue.PageSameTitleHidden, 1),
	}
}

// path accounts for the path of a new page, which no other page has.
func (a *account) path(name string, page *storedRow) string {
	if page == nil {
		return ""
	}
	others := a.after.records(content.Pages, having("language", page.number("language")), func(r *storedRow) bool {
		return r != page && r.field(content.ColumnSlug) == page.field(content.ColumnSlug)
	})
	a.expect(len(others) == 0 || page.field(content.ColumnSlug) == "/", "another page has the path")
	a.cover(page, inFields+content.ColumnSlug)
	return a.say(catalogue.FieldNew, "name", name, "proposed", a.quoted(page.field(content.ColumnSlug)))
}

// sameTitle is the warning about a page beside the new one.
func sameTitle(label imprimatur.Label, hidden int64) promise {
	return func(a *account) string {
		beside := a.before.records(content.Pages, having("pid", a.about.UID), having("origin", 0), having(inFields+"hidden", hidden),
			func(r *storedRow) bool { return r.field("title") == a.argText("title") })
		a.expect(len(beside) > 0, "there is none")
		return a.warning(label)
	}
}

func movedPagePromises() map[imprimatur.Label]promise {
	return map[imprimatur.Label]promise{
		anyHeading:           heading(catalogue.HeadingMovePage),
		catalogue.ObjectPage: object(catalogue.ObjectPage),
		catalogue.WhereCurrently: func(a *account) string {
			return a.named(catalogue.WhereCurrently, a.underPage(a.was().number("pid")))
		},
		catalogue.WhereNew: func(a *account) string {
			a.cover(a.is(), "pid")
			return a.named(catalogue.WhereNew, a.say(catalogue.Places,
				"where", a.underPage(a.is().number("pid")), "position", a.position(a.is(), a.arg("after_page_uid"), catalogue.FirstSubpage)))
		},
		catalogue.PageInPlace:        nothingChanged(catalogue.PageInPlace),
		catalogue.PageAlong:          alongWithPage,
		catalogue.PageURLPath:        pathUnchanged,
		catalogue.PageLeavesWebsite:  otherWebsite(catalogue.PageLeavesWebsite),
		catalogue.PageJoinsWebsite:   otherWebsite(catalogue.PageJoinsWebsite),
		catalogue.PageChangesWebsite: otherWebsite(catalogue.PageChangesWebsite),
	}
}

// alongWithPage counts what went along, and holds that it is there: translations
// on the new page, everything else where it was.
func alongWithPage(a *account) string {
	versions := a.after.records(content.Pages, having("origin", a.about.UID))
	for _, t := range versions {
		a.expect(t.number("pid") == a.is().number("pid"), "%s stayed behind", t.key)
		a.cover(t, "pid")
	}
	below := 0
	for next := []int64{a.about.UID}; len(next) > 0; next = next[1:] {
		for key, r := range a.before[recordTable] {
			if !r.live() || r.number("pid") != next[0] {
				continue
			}
			a.expect(a.after[recordTable][key] == r, "%s did not come along as it was", key)
			if r.tab() == content.Pages && r.number("origin") == 0 {
				next, below = append(next, r.uid()), below+1
			}
		}
	}
	return a.named(catalogue.PageAlong, a.say(catalogue.PageAlongParts, "translations", a.countOrNone(len(versions)), "subpages", a.countOrNone(below)))
}

func (a *account) countOrNone(n int) any {
	switch {
	case n == 0:
		return a.say(catalogue.None)
	case n > 100:
		return a.say(catalogue.PageMoreThan, "number", 100)
	}
	return n
}

func pathUnchanged(a *account) string {
	a.expect(a.was().field(content.ColumnSlug) == a.is().field(content.ColumnSlug), "it is another one")
	if a.is().field(content.ColumnSlug) == "" {
		return a.named(catalogue.PageURLPath, a.say(catalogue.None))
	}
	return a.named(catalogue.PageURLPath, a.say(catalogue.PagePathUnchanged, "path", a.quoted(a.is().field(content.ColumnSlug))))
}

// otherWebsite is the warning that a page changes websites.
func otherWebsite(label imprimatur.Label) promise {
	return func(a *account) string {
		from, to := siteOf(a.before, a.about.UID), siteOf(a.after, a.about.UID)
		want := catalogue.PageChangesWebsite
		switch {
		case to == 0:
			want = catalogue.PageLeavesWebsite
		case from == 0:
			want = catalogue.PageJoinsWebsite
		}
		a.expect(from != to && want == label, "from website %d to %d", from, to)
		return a.warning(label)
	}
}

func siteOf(s state, page int64) int64 {
	for page != 0 {
		row := s.row(content.Pages, page)
		if row.count(content.ColumnSiteRoot) != 0 {
			return page
		}
		page = row.number("pid")
	}
	return 0
}

func socialPromises() map[imprimatur.Label]promise {
	field := func(a *account) string { return a.argText("field") }
	return map[imprimatur.Label]promise{
		anyHeading: headingBy(func(a *account) imprimatur.Label {
			if field(a) == "og_image" {
				return catalogue.HeadingSocialOG
			}
			return catalogue.HeadingSocialX
		}),
		catalogue.ObjectPage:        object(catalogue.ObjectPage),
		catalogue.WhereLanguage:     language,
		catalogue.WhereCurrently:    currentImages,
		catalogue.AttachNewFileName: newFile(field),
		catalogue.PageImageRemoved: func(a *account) string {
			n := a.removed(func(r *storedRow) bool { return slices.Contains(filesIn(a.before, a.about, field(a)), r) })
			a.expect(len(filesIn(a.after, a.about, field(a))) == 1, "there is more than the new one")
			return a.warning(catalogue.PageImageRemoved, "count", n)
		},
		catalogue.PageTranslatedImages: func(a *account) string {
			return a.named(catalogue.PageTranslatedImages, a.removed(func(r *storedRow) bool {
				origin := a.before.row(content.FileReferences, r.number("origin"))
				return origin != nil && slices.Contains(filesIn(a.before, a.about, field(a)), origin)
			}))
		},
	}
}

// currentImages names what was in the field.
func currentImages(a *account) string {
	var names []imprimatur.Phrase
	for _, ref := range filesIn(a.before, a.about, a.argText("field")) {
		names = append(names, imprimatur.Phrase{
			Label: catalogue.QuotedText, Values: map[string]any{"text": imprimatur.Escaped(a.unquoted(a.fileName(ref.count(content.ColumnFile))))},
		})
	}
	switch {
	case len(names) == 0:
		return a.named(catalogue.WhereCurrently, a.say(catalogue.PageNoImage))
	case len(names) > 3:
		return a.named(catalogue.WhereCurrently, a.say(catalogue.PageMoreImages, "names", names[:3], "count", len(names)-3))
	}
	return a.named(catalogue.WhereCurrently, names)
}

func metadataPromises() map[imprimatur.Label]promise {
	lines := map[imprimatur.Label]promise{
		anyHeading:              heading(catalogue.HeadingPageMetadata),
		catalogue.ObjectPage:    object(catalogue.ObjectPage),
		catalogue.WhereLanguage: language,
	}
	for label, column := range map[imprimatur.Label]string{
		catalogue.PageTitle: "title", catalogue.PageSubtitle: "subtitle", catalogue.PageNavTitle: "nav_title",
		catalogue.PageAbstract: "abstract", catalogue.PageDescription: "description", catalogue.PageKeywords: "keywords",
		catalogue.PageSEOTitle: "seo_title", catalogue.PageOGTitle: "og_title", catalogue.PageOGDescription: "og_description",
		catalogue.PageTwitterTitle: "twitter_title", catalogue.PageTwitterDescription: "twitter_description", catalogue.PageTwitterCard: "twitter_card",
	} {
		lines[label] = fieldOf(label, column)
	}
	return lines
}
