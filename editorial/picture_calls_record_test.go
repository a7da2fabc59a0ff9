package editorial_test

import (
	"fmt"
	"strings"

	"github.com/imprimatur-dev/imprimatur/content"
)

// Calls of the tools for files and records, and the texts of all calls.

// placed are texts of a file in one place, some of them.
func (c *caller) placed(args map[string]any) map[string]any {
	for _, name := range []string{"title", "alternative", "description"} {
		if c.chance(2) {
			args[name] = c.line(true)
		}
	}
	return args
}

func (c *caller) elementFile() map[string]any {
	fields := map[string]string{"textpic": "image", "textmedia": "assets", "image": "image", "uploads": "media", "gallery": "image"}
	row := c.one(content.Elements, func(r *storedRow) bool { return fields[r.field(content.ColumnKind)] != "" })
	args := map[string]any{"content_element": row.uid(), "file": c.image().uid()}
	if c.chance(2) {
		args["field"] = fields[row.field(content.ColumnKind)]
	}
	return c.placed(args)
}

func (c *caller) recordFile() map[string]any {
	table := pick(c, "news", "exhibits")
	row := c.one(table)
	args := map[string]any{"table": table, "record": row.uid(), "file": c.image().uid()}
	if table == "exhibits" {
		args["field"] = "pictures"
	}
	return c.placed(args)
}

func (c *caller) replacement() map[string]any {
	ref := c.one(content.FileReferences, func(r *storedRow) bool { return r.field(content.ColumnOwnerTable) == content.Elements })
	if t := c.one(content.FileReferences, translated); t != nil && c.chance(3) {
		ref = c.s.row(content.FileReferences, t.number("origin"))
	}
	args := map[string]any{"reference": ref.uid(), "action": pick(c, "replace", "remove")}
	if args["action"] == "replace" {
		args["file"] = c.image().uid()
		c.placed(args)
	}
	return args
}

func (c *caller) alternative() map[string]any {
	about := c.one(content.FileMetadata)
	return map[string]any{"uid": about.count(content.ColumnFile), "alternative": c.varied(about, "alternative")}
}

func (c *caller) fileMetadata() map[string]any {
	about := c.one(content.FileMetadata)
	args := map[string]any{"uid": about.count(content.ColumnFile)}
	for range 1 + c.IntN(3) {
		name := pick(c, "title", "description", "copyright")
		args[name] = c.varied(about, name)
	}
	return args
}

func (c *caller) newRecord() map[string]any {
	table := pick(c, "news", "exhibits", "venues")
	t, _ := c.schema.Table(table)
	fields := map[string]any{t.LabelField: c.short()}
	if table == "news" {
		fields["kind"] = pick(c, "article", "link")
		if fields["kind"] == "article" && c.chance(2) {
			fields["teaser"] = c.line(true)
		}
	}
	if table == "exhibits" {
		for _, name := range []string{"since", "story", "height"} {
			if column, _ := t.Column(name); c.chance(2) {
				fields[name] = c.value(column, nil)
			}
		}
		if c.chance(3) {
			delete(fields, "height")
			fields["kind"], fields["lender"] = "loan", c.line(true)
		}
	}
	return map[string]any{"table": table, "pid": c.one(content.Pages, original).uid(), "fields": fields}
}

func (c *caller) copied() map[string]any {
	table := pick(c, content.Pages, content.Elements)
	row := c.one(table, original)
	if t := c.one(table, translated); t != nil && c.chance(3) {
		row = c.s.row(table, t.number("origin"))
	}
	args := map[string]any{"table": table, "uid": row.uid(), "target_page": c.one(content.Pages, original).uid()}
	if beside := c.one(table, original, having("language", row.number("language")), belowTop); c.chance(2) {
		args["target_page"], args["after_uid"] = beside.number("pid"), beside.uid()
	}
	if table == content.Elements && c.chance(3) {
		args["column"] = pick(c, 0, 1, 3, 7)
	}
	return args
}

func (c *caller) published() map[string]any {
	table := pick(c, content.Pages, content.Elements)
	row := c.one(table, hidden)
	if row == nil || c.chance(5) {
		row = c.one(table)
	}
	return map[string]any{"table": table, "uid": row.uid()}
}

// deleted spares the upper part of the tree, so that there is something left.
func (c *caller) deleted() map[string]any {
	table := pick(c, content.Pages, content.Elements, content.Elements)
	row := c.one(table)
	if t := c.one(table, translated); t != nil && c.chance(3) {
		row = pick(c, t, c.s.row(table, t.number("origin")))
	}
	args := map[string]any{"table": table, "uid": row.uid()}
	below := len(c.s.records(content.Pages, original, having("pid", row.uid())))
	if table == content.Pages && below <= 3 {
		args["include_subpages"] = !c.chance(4)
	}
	return args
}

var someWords = strings.Fields("Opening hours of the great hall and tickets for groups who come on a Sunday Grüße aus Überlingen à bientôt since then we show every picture of the old town")

func (c *caller) words(n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = pick(c, someWords...)
	}
	return strings.Join(words, " ")
}

func (c *caller) short() string { return fmt.Sprintf("%s %d", c.words(3), c.IntN(1000)) }

// line is a text of one line, empty at times where it may be.
func (c *caller) line(empty bool) string {
	switch n := c.IntN(8); {
	case n == 0 && empty:
		return ""
	case n == 1:
		return c.words(25) // more than a line shows
	case n == 2:
		return c.words(2) + "\u200b" + c.words(2)
	}
	return c.short()
}

// varied is a value for a column of a row: another one, the same, or one that
// differs in little.
func (c *caller) varied(row *storedRow, column string) string {
	now := []rune(row.field(column))
	at := c.IntN(len(now) + 1)
	limit := 250
	switch n := c.IntN(8); {
	case len(now) > limit && column != "bodytext":
	case n == 0:
		return string(now)
	case n == 1 && len(now) < 200:
		return string(now) + " " + c.words(10)
	case n == 2 || n == 3:
		return string(now[:at]) + c.words(1) + string(now[at:])
	case n == 4 && len(now) < 200:
		return string(now[:at]) + "\u00ad" + string(now[at:])
	case n == 5 && len(now) < 200:
		return strings.ReplaceAll(string(now), "e", "e\u0301") + "  "
	}
	return c.line(true)
}
