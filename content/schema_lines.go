package content

import (
	"bytes"
	"regexp"
)

// schemaLines are the lines of the headers of a schema file, so that a complaint
// can say where; 0 stands for one that is written otherwise.
type schemaLines struct {
	tables         []int
	columns, kinds [][]int // by table
}

var tableHeader = regexp.MustCompile(`^\s*\[\[\s*table\s*(?:\.\s*(column|type)\s*)?\]\]`)

// findLines looks for the headers.
func findLines(text []byte) (l schemaLines) {
	for i, line := range bytes.Split(text, []byte("\n")) {
		m := tableHeader.FindSubmatch(line)
		if m == nil {
			continue
		}
		last := len(l.tables) - 1
		switch what := string(m[1]); {
		case what == "":
			l.tables = append(l.tables, i+1)
			l.columns, l.kinds = append(l.columns, nil), append(l.kinds, nil)
		case last < 0:
		case what == "column":
			l.columns[last] = append(l.columns[last], i+1)
		default:
			l.kinds[last] = append(l.kinds[last], i+1)
		}
	}
	return l
}

// table is the line of the i-th table.
func (l schemaLines) table(i int) int {
	if i < len(l.tables) {
		return l.tables[i]
	}
	return 0
}

// column is the line of the n-th of so many columns of the i-th table.
func (l schemaLines) column(i, n, of int) int { return l.part(l.columns, i, n, of) }

// kind is the line of the n-th of so many forms of the i-th table.
func (l schemaLines) kind(i, n, of int) int { return l.part(l.kinds, i, n, of) }

func (l schemaLines) part(lines [][]int, i, n, of int) int {
	if i >= len(lines) || len(lines[i]) != of {
		return l.table(i)
	}
	return lines[i][n]
}

// lineOfKey is the first line that sets a key, 0 if none does so plainly.
func lineOfKey(text []byte, key string) int {
	form, err := regexp.Compile(`(^|[\s,{.\["])` + regexp.QuoteMeta(key) + `["\s]*[=\]]`)
	if err != nil {
		return 0
	}
	for i, line := range bytes.Split(text, []byte("\n")) {
		if form.Match(line) {
			return i + 1
		}
	}
	return 0
}

// tooDeep finds a nesting that no schema has and that would cost the parser its
// stack, or its time: brackets within brackets, and parts of a key.
func tooDeep(text []byte) (line int, deep bool) {
	const most = 32
	depth, parts := 0, 0
	line = 1
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\n':
			line, parts = line+1, 0
		case '=', ',':
			parts = 0
		case '.':
			parts++
		case '[', '{':
			depth++
		case ']', '}':
			depth = max(0, depth-1)
		case '#':
			for i+1 < len(text) && text[i+1] != '\n' {
				i++
			}
		case '"', '\'':
			end := endOfText(text, i)
			line += bytes.Count(text[i:end], []byte("\n"))
			i = end - 1
		}
		if depth > most || parts > most {
			return line, true
		}
	}
	return 0, false
}

// endOfText returns where the text that begins at i ends.
func endOfText(text []byte, i int) int {
	quote := text[i : i+1]
	if three := bytes.Repeat(quote, 3); bytes.HasPrefix(text[i:], three) {
		quote = three
	}
	for at := i + len(quote); at < len(text); at++ {
		switch {
		case bytes.HasPrefix(text[at:], quote):
			return at + len(quote)
		case text[at] == '\\' && quote[0] == '"':
			at++
		case text[at] == '\n' && len(quote) == 1:
			return at // it does not end, which the parser will say
		}
	}
	return len(text)
}
