package editorial

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
)

type searchRequest struct {
	Query string `json:"query" is:"min=2,max=100" about:"Text to look for, as it is; upper and lower case are the same"`
	Table string `json:"table" is:"optional,max=64" about:"Table to look in; all that you may read if left out"`
	Limit *int64 `json:"limit" is:"min=1,max=50" about:"How many records; 20 if left out"`
	After string `json:"after" is:"optional,max=100" about:"Where an earlier answer says that it ended, as table:uid"`
}

func (d desk) searchRecords() imprimatur.Tool {
	return reader(d, reading[searchRequest]{
		name: "search_records", group: groupContent, neutral: noTable, read: desk.search,
		description: "Finds records that hold a text in one of their text columns: each as table:uid with its title, page and 120 characters around the text. Wildcards are not special. A long search ends early and says where to go on.",
	})
}

func (d desk) search(ctx context.Context, u imprimatur.User, args searchRequest) (string, error) {
	query := folded(strings.Join(strings.Fields(args.Query), " "))
	if utf8.RuneCountInString(query) < 2 {
		return "", refuse("The query must have at least 2 characters besides blanks.")
	}
	tables := d.tables(u)
	if args.Table != "" {
		t, err := d.table(u, args.Table, noTable)
		if err != nil {
			return "", err
		}
		tables = []*content.Table{t}
	}
	if len(tables) == 0 {
		return "", refuseNeutrally(noTable)
	}
	tables, from, err := goOn(tables, args.After)
	if err != nil {
		return "", err
	}
	var a answer
	sight, limit, found := d.repo.Sight(u), orDefault(args.Limit, defaultRecords), 0
	w := walker{left: maxWalk, last: content.Record{UID: from}}
	for _, t := range tables {
		err := w.walk(d.inTable(ctx, t.Name), func(rec content.Record) (bool, error) {
			column, text, ok := match(t, rec, query)
			if !ok {
				return true, nil
			}
			if ok, err := sight.Shows(ctx, rec); err != nil || !ok {
				return true, err
			}
			found++
			a.addf("%s %s · %s: %s", t.Name+":"+strconv.FormatInt(rec.UID, 10), d.placed(rec), column, text)
			return found < limit, nil
		})
		if err != nil {
			return "", err
		}
		if !w.ended {
			a.closing("Ended at %s:%d; to go on, ask again with after %q.", t.Name, w.last.UID, fmt.Sprintf("%s:%d", t.Name, w.last.UID))
			return a.String(), nil
		}
		w.ended, w.last = false, content.Record{}
	}
	if found == 0 {
		a.closing("Nothing that you may read holds this text.")
	}
	return a.String(), nil
}

// placed is headline without the number.
func (d desk) placed(rec content.Record) string {
	_, rest, _ := strings.Cut(d.headline(rec), "] ")
	return rest
}

// goOn leaves out what an earlier answer has gone through.
func goOn(tables []*content.Table, after string) ([]*content.Table, int64, error) {
	if after == "" {
		return tables, 0, nil
	}
	name, digits, _ := strings.Cut(after, ":")
	uid, err := strconv.ParseInt(digits, 10, 64)
	at := slices.IndexFunc(tables, func(t *content.Table) bool { return t.Name == name })
	if err != nil || uid < 0 || at < 0 {
		return nil, 0, refuse("The argument %q must be what an earlier answer to the same search says, as table:uid.", "after")
	}
	return tables[at:], uid, nil
}

// searchable are the columns that hold texts.
var searchable = []content.ColumnType{content.TypeInput, content.TypeText, content.TypeEmail, content.TypeSlug, content.TypeLink}

// match finds a text, in lower case, in the columns of a record and cuts out
// what stands around it.
func match(t *content.Table, rec content.Record, query string) (column, around string, ok bool) {
	for _, c := range t.Columns {
		if !slices.Contains(searchable, c.Type) || !leaves(c) {
			continue
		}
		text := rec.Text(c.Name)
		if c.Rich {
			text = plain(text)
		}
		text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "\uFFFD")), " ")
		lower := folded(text)
		if at := strings.Index(lower, query); at >= 0 {
			return c.Name, window(text, utf8.RuneCountInString(lower[:at]), utf8.RuneCountInString(query)), true
		}
	}
	return "", "", false
}

// folded is a text in lower case, character by character.
func folded(s string) string { return strings.Map(unicode.ToLower, s) }

// window cuts excerptLength characters out of a text around a part of it, which
// is among them as far as it fits.
func window(text string, at, length int) string {
	const most = 40 // before the part, unless the text ends soon
	runes := []rune(text)
	end := min(at+length, len(runes))
	room := max(min(most, excerptLength-shownLength(runes[at:end])), excerptLength-shownLength(runes[at:min(at+excerptLength, len(runes))]))
	start := at
	for start > 0 {
		if room -= shownLength(runes[start-1 : start]); room < 0 {
			break
		}
		start--
	}
	cut := excerpt(string(runes[start:]), excerptLength)
	if start > 0 {
		cut = "…" + cut
	}
	return cut
}

// shownLength is how many characters a part of a text takes at most where what
// cannot be seen is written out.
func shownLength(part []rune) int {
	s := string(part)
	return utf8.RuneCountInString(imprimatur.Visible(s)) + strings.Count(s, `\`)
}
