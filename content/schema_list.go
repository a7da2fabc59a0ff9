package content

import (
	"regexp"
	"strconv"
	"strings"
)

// maxList bounds the text of a list of records, in bytes.
const maxList = 16 << 10

var listed = regexp.MustCompile(`^(?:([a-z][a-z0-9_]{0,63})_)?([1-9][0-9]{0,17})$`)

// Refs returns the records that a relation column refers to, in the order of
// the value. The entries of a list may name another table than Target, as in
// "12,pages_4"; what is no entry is left out. A relation whose target another
// column names has none.
func (c Column) Refs(value any) []Ref {
	if c.Type != TypeRelation || c.Target == "" {
		return nil
	}
	if !c.Many {
		if uid := asInt(value); uid > 0 {
			return []Ref{{c.Target, uid}}
		}
		return nil
	}
	var refs []Ref
	for entry := range strings.SplitSeq(asText(value), ",") {
		if ref, ok := c.entry(entry); ok {
			refs = append(refs, ref)
		}
	}
	return refs
}

// entry reads one entry of a list.
func (c Column) entry(text string) (Ref, bool) {
	m := listed.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return Ref{}, false
	}
	uid, err := strconv.ParseInt(m[2], 10, 64)
	if m[1] == "" {
		m[1] = c.Target
	}
	return Ref{m[1], uid}, err == nil
}

func (c Column) normalList(text string) (any, string) {
	switch {
	case strings.TrimSpace(text) == "" && c.Required:
		return nil, "a value is required"
	case strings.TrimSpace(text) == "", text == "0": // two ways to write no records
		return strings.TrimSpace(text), ""
	case len(text) > maxList:
		return nil, "the list is too long"
	}
	for entry := range strings.SplitSeq(text, ",") {
		if _, ok := c.entry(entry); !ok {
			return nil, "the value is no list of uids with commas between them"
		}
	}
	return text, ""
}
