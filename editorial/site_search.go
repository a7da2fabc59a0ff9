package editorial

import (
	"context"
	"errors"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
)

// Bounds of site_search.
const (
	maxSources   = 8
	maxTerms     = 12
	maxSiteItems = 2000 // items of elements that one call goes through, of each table
)

type siteRequest struct {
	Question string `json:"question" is:"min=2,max=300" about:"What you want to know, in the words that the website may use"`
	Language *int64 `json:"language" is:"min=0" about:"Only sources in this language; in all if left out"`
	Limit    *int64 `json:"limit" is:"min=1,max=8" about:"How many sources; 8 if left out"`
}

func (d desk) siteSearch() imprimatur.Tool {
	return reader(d, reading[siteRequest]{
		name: "site_search", group: groupSite, neutral: noSource, read: desk.siteSources,
		description: "Finds public pages of the website that speak of a question, the best first, each with its source id, address and a passage. site_fetch_source shows the text of one. It answers only what everybody may read there.",
	})
}

func (d desk) siteSources(ctx context.Context, _ imprimatur.User, args siteRequest) (string, error) {
	terms := termsOf(args.Question)
	if len(terms) == 0 {
		return "", refuse("The question must hold a word of at least 3 letters.")
	}
	ix := newSiteIndex(d, terms)
	whole, err := ix.fill(ctx)
	if err != nil {
		return "", err
	}
	var a answer
	found, limit := 0, orDefault(args.Limit, maxSources)
	for _, hit := range ix.ranked() {
		if found == limit {
			break
		}
		if args.Language != nil && hit.language != *args.Language {
			continue
		}
		s, err := d.source(ctx, hit.page, hit.language)
		if errors.Is(err, content.ErrNotFound) {
			continue
		}
		if err != nil {
			return "", err
		}
		address, err := d.address(ctx, s)
		if err != nil {
			return "", err
		}
		found++
		a.addf("%d. %s %s · %s\n   %s", found, s.id(), titled(s.title), address, passage(s, ix.byWeight()))
	}
	if found == 0 {
		a.closing("No public page speaks of this.")
	}
	if !whole {
		a.closing("The website is too large: only a part of it was looked at.")
	}
	return a.String(), nil
}

// termsOf are the words of a question to look for, each once.
func termsOf(question string) []string {
	var terms []string
	for _, word := range strings.FieldsFunc(folded(question), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if utf8.RuneCountInString(word) > 2 && !slices.Contains(terms, word) && len(terms) < maxTerms {
			terms = append(terms, word)
		}
	}
	return terms
}

// passage is the part of a source that speaks of the first term that it holds.
func passage(s source, terms []string) string {
	for _, term := range terms {
		for _, text := range s.texts {
			text = strings.Join(strings.Fields(text), " ")
			if at := wordAt(folded(text), term); at >= 0 {
				return window(text, utf8.RuneCountInString(folded(text)[:at]), utf8.RuneCountInString(term))
			}
		}
	}
	if len(s.texts) == 0 {
		return "(no text)"
	}
	return excerpt(s.texts[0], excerptLength)
}

// wordAt is where a word of a text begins like a term; -1 if none does.
func wordAt(text, term string) int {
	for from := 0; ; {
		at := strings.Index(text[from:], term)
		if at < 0 {
			return -1
		}
		at += from
		if before, _ := utf8.DecodeLastRuneInString(text[:at]); !unicode.IsLetter(before) && !unicode.IsDigit(before) {
			return at
		}
		from = at + len(term)
	}
}
