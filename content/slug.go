package content

import (
	"context"
	"fmt"
	"strings"
	"unicode"
)

// maxSlugTries bounds the search for a free path.
const maxSlugTries = 1000

// slugOf returns what a page is found by.
func (w *write) slugOf(rec Record) string {
	if rec.Table != Pages {
		return ""
	}
	return rec.Text(ColumnSlug)
}

// giveSlug makes a path out of the path of the parent and the title, with a
// number behind it if that path is taken.
func (w *write) giveSlug(ctx context.Context, rec *Record) error {
	root := rec.PID == 0 && rec.Int(ColumnSiteRoot) != 0
	if rec.PID == 0 && rec.Origin != 0 {
		origin, err := w.live(ctx, Ref{Pages, rec.Origin})
		if err != nil {
			return fmt.Errorf("read what a new page translates: %w", err)
		}
		root = origin.Int(ColumnSiteRoot) != 0
	}
	slug := "/" // every website has one
	var err error
	if !root {
		slug, err = w.NextSlug(ctx, rec.PID, rec.Text("title"), rec.Language, rec.UID)
	}
	rec.Fields[ColumnSlug] = slug
	return err
}

// NextSlug returns the path that a page below parent gets: that of the parent
// and the title, with a number behind it where a live page in this language
// other than self has that path. self is 0 for a page that is not there yet. It
// asks nothing about a user.
func (r reads) NextSlug(ctx context.Context, parent int64, title string, language, self int64) (string, error) {
	base := "/" + Slug(title)
	if parent != 0 {
		page, err := r.live(ctx, Ref{Pages, parent})
		if err != nil {
			return "", fmt.Errorf("read the parent of a page: %w", err)
		}
		base = strings.TrimSuffix(page.Text(ColumnSlug), "/") + base
	}
	for n := range maxSlugTries {
		slug := base
		if n > 0 {
			slug = fmt.Sprintf("%s-%d", base, n)
		}
		var taken int64
		if err := r.q.QueryRowContext(ctx, sqlSlug, slug, language, self).Scan(&taken); err != nil {
			return "", fmt.Errorf("look for the path of a page: %w", err)
		}
		if taken == 0 {
			return slug, nil
		}
	}
	return fmt.Sprintf("%s-%d", base, self), nil
}

// transliterated are letters that a path writes in another way than by leaving
// the mark out.
var transliterated = strings.NewReplacer(
	"ä", "ae", "ö", "oe", "ü", "ue", "ß", "ss", "æ", "ae", "ø", "oe", "å", "aa", "œ", "oe", "þ", "th", "ð", "d",
	"á", "a", "à", "a", "â", "a", "ã", "a", "ç", "c", "č", "c", "ć", "c", "ď", "d", "é", "e", "è", "e", "ê", "e", "ë", "e", "ě", "e", "ę", "e",
	"í", "i", "ì", "i", "î", "i", "ï", "i", "ł", "l", "ñ", "n", "ń", "n", "ň", "n", "ó", "o", "ò", "o", "ô", "o", "õ", "o", "ř", "r",
	"š", "s", "ś", "s", "ť", "t", "ú", "u", "ù", "u", "û", "u", "ů", "u", "ý", "y", "ÿ", "y", "ž", "z", "ź", "z", "ż", "z", "ą", "a",
)

// Slug returns the part of a path that a title makes: lower-case letters and
// digits of any script, joined by hyphens, at most 100 characters; "page" for a
// title that has none.
func Slug(title string) string {
	var b strings.Builder
	n := 0
	gap := false
	for _, r := range transliterated.Replace(strings.ToLower(title)) {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			gap = n > 0
			continue
		}
		if n >= 100 {
			break
		}
		if gap {
			b.WriteByte('-')
			gap = false
			n++
		}
		b.WriteRune(r)
		n++
	}
	if n == 0 {
		return "page"
	}
	return b.String()
}
