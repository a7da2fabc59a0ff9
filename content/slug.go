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
	base := "/"
	if rec.PID != 0 {
		parent, err := w.live(ctx, Ref{Pages, rec.PID})
		if err != nil {
			return fmt.Errorf("read the parent of a new page: %w", err)
		}
		base = strings.TrimSuffix(parent.Text(ColumnSlug), "/") + "/" + Slug(rec.Text("title"))
	} else if rec.Int(ColumnSiteRoot) == 0 {
		base += Slug(rec.Text("title"))
	}
	if base == "/" {
		rec.Fields[ColumnSlug] = base // every website has one
		return nil
	}
	for n := range maxSlugTries {
		slug := base
		if n > 0 {
			slug = fmt.Sprintf("%s-%d", base, n)
		}
		var taken int64
		if err := w.tx.QueryRowContext(ctx, sqlSlug, slug, rec.Language, rec.UID).Scan(&taken); err != nil {
			return fmt.Errorf("look for the path of a page: %w", err)
		}
		if taken == 0 {
			rec.Fields[ColumnSlug] = slug
			return nil
		}
	}
	rec.Fields[ColumnSlug] = fmt.Sprintf("%s-%d", base, rec.UID)
	return nil
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
