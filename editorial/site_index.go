package editorial

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/imprimatur-dev/imprimatur/content"
)

// sourceKey names a source.
type sourceKey struct{ page, language int64 }

// siteElement is a public element as far as the index needs it.
type siteElement struct {
	rec   content.Record // without what is long
	terms []bool         // those that it speaks of, with its items
}

// siteIndex holds, for one question, which public pages speak of which terms.
// Nothing that is not public counts.
type siteIndex struct {
	d            desk
	terms        []string
	pages        map[int64]content.Record
	translations map[sourceKey]content.Record
	elements     map[int64]*siteElement
	order        []int64 // of the elements
	weights      []float64
}

// siteHit is a source and how well it fits.
type siteHit struct {
	sourceKey
	score float64
}

func newSiteIndex(d desk, terms []string) *siteIndex {
	return &siteIndex{
		d: d, terms: terms, pages: map[int64]content.Record{}, translations: map[sourceKey]content.Record{}, elements: map[int64]*siteElement{},
	}
}

// fill goes through the website, and reports whether that was all of it.
func (ix *siteIndex) fill(ctx context.Context) (whole bool, err error) {
	whole = true
	through := func(table string, most int, visit func(content.Record)) {
		if err != nil {
			return
		}
		w := walker{left: most}
		err = w.walk(ix.d.inTable(ctx, table), func(rec content.Record) (bool, error) {
			visit(rec)
			return true, nil
		})
		whole = whole && w.ended
	}
	through(content.Pages, maxWalk, ix.addPage)
	through(content.Elements, maxWalk, ix.addElement)
	for i := range ix.d.repo.Schema().Tables {
		if t := &ix.d.repo.Schema().Tables[i]; t.Owner != nil && t.Owner.Table == content.Elements && tableLeaves(t) {
			items := map[int64]content.Record{}
			through(t.Name, maxSiteItems, func(item content.Record) { items[item.UID] = item })
			for _, item := range items {
				if origin, ok := items[item.Origin]; item.Origin == 0 || ok && !restricted(origin) && !t.Hides(origin) {
					ix.addItem(t, item)
				}
			}
		}
	}
	return whole, err
}

func (ix *siteIndex) addPage(rec content.Record) {
	if rec.Origin > 0 {
		ix.translations[sourceKey{rec.Origin, rec.Language}] = rec
		return
	}
	ix.pages[rec.UID] = rec
}

func (ix *siteIndex) addElement(rec content.Record) {
	if restricted(rec) {
		return
	}
	terms := ix.termsIn(ix.d.textOf(rec))
	rec.Fields = map[string]any{content.ColumnKind: rec.Text(content.ColumnKind)}
	ix.elements[rec.UID] = &siteElement{rec, terms}
	ix.order = append(ix.order, rec.UID)
}

func (ix *siteIndex) addItem(t *content.Table, item content.Record) {
	e, ok := ix.elements[item.Int(t.Owner.Column)]
	if !ok || !publicItem(t, item, e.rec) || !slices.Contains(ix.d.itemTables(e.rec), t) {
		return
	}
	join(e.terms, ix.termsIn(ix.d.textOf(item)))
}

// termsIn reports which terms a text speaks of.
func (ix *siteIndex) termsIn(text string) []bool {
	text = folded(text)
	in := make([]bool, len(ix.terms))
	for i, term := range ix.terms {
		in[i] = wordAt(text, term) >= 0
	}
	return in
}

func join(to, from []bool) {
	for i, holds := range from {
		to[i] = to[i] || holds
	}
}

// sources are the public ones, by page and language.
func (ix *siteIndex) sources() map[sourceKey]content.Record {
	all := map[sourceKey]content.Record{}
	for uid, page := range ix.pages {
		if _, public := publicLine(ix.line(uid)); public && page.Int("no_search") == 0 && inDefaultLanguage(page) {
			all[sourceKey{uid, 0}] = page
		}
	}
	for key, rec := range ix.translations {
		page, ok := ix.pages[key.page]
		if _, public := publicLine(ix.line(key.page)); ok && public && page.Int("no_search") == 0 && !restricted(rec) {
			all[key] = rec
		}
	}
	return all
}

// line is the rootline of a page, as far as its pages were read.
func (ix *siteIndex) line(uid int64) []content.Record {
	var line []content.Record
	for range content.MaxRootline {
		page, ok := ix.pages[uid]
		if !ok {
			break
		}
		line = append(line, page)
		uid = page.PID
	}
	return line
}

// ranked lists the sources that speak of a term, the best first. A term counts
// the more the fewer sources speak of it, and twice in a title.
func (ix *siteIndex) ranked() []siteHit {
	sources := ix.sources()
	titles, texts := map[sourceKey][]bool{}, map[sourceKey][]bool{}
	onPage := map[int64][]sourceKey{}
	for key, rec := range sources {
		onPage[key.page] = append(onPage[key.page], key)
		titles[key] = ix.termsIn(rec.Text("title"))
		texts[key] = ix.termsIn(ix.d.introduction(rec))
		join(texts[key], titles[key])
	}
	for _, uid := range ix.order {
		e := ix.elements[uid]
		if !ix.shown(e.rec) {
			continue
		}
		for _, key := range onPage[e.rec.PID] {
			if e.rec.Language == key.language || e.rec.Language == -1 {
				join(texts[key], e.terms)
			}
		}
	}
	ix.weigh(texts)
	var hits []siteHit
	for key := range sources {
		hit := siteHit{sourceKey: key}
		for i, weight := range ix.weights {
			if texts[key][i] {
				hit.score += weight
			}
			if titles[key][i] {
				hit.score += weight
			}
		}
		if hit.score > 0 {
			hits = append(hits, hit)
		}
	}
	slices.SortFunc(hits, func(a, b siteHit) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.page, b.page), cmp.Compare(a.language, b.language))
	})
	return hits
}

// shown reports whether the page of an element shows it, and the element that
// it is a translation of is public as well.
func (ix *siteIndex) shown(e content.Record) bool {
	if !ownContent(ix.pages[e.PID]) {
		return false
	}
	if e.Origin == 0 {
		return true
	}
	origin, ok := ix.elements[e.Origin]
	return ok && origin.rec.PID == e.PID
}

func (ix *siteIndex) weigh(texts map[sourceKey][]bool) {
	ix.weights = make([]float64, len(ix.terms))
	for i := range ix.terms {
		n := 0
		for _, in := range texts {
			if in[i] {
				n++
			}
		}
		if n > 0 {
			ix.weights[i] = math.Log(1 + float64(len(texts))/float64(n))
		}
	}
}

// byWeight lists the terms, the rarest first.
func (ix *siteIndex) byWeight() []string {
	at := make([]int, len(ix.terms))
	for i := range at {
		at[i] = i
	}
	slices.SortStableFunc(at, func(a, b int) int { return cmp.Compare(ix.weights[b], ix.weights[a]) })
	terms := make([]string, len(at))
	for i, n := range at {
		terms[i] = ix.terms[n]
	}
	return terms
}
