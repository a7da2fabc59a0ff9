package editorial

import (
	"html"
	"strings"
)

// apart are the tags that set what they enclose apart from its surroundings:
// without them there is a blank, so that words do not run together.
var apart = map[string]bool{
	"address": true, "article": true, "aside": true, "blockquote": true, "br": true, "dd": true, "div": true,
	"dl": true, "dt": true, "figcaption": true, "figure": true, "footer": true, "h1": true, "h2": true, "h3": true,
	"h4": true, "h5": true, "h6": true, "header": true, "hr": true, "li": true, "main": true, "nav": true, "ol": true,
	"p": true, "pre": true, "section": true, "table": true, "td": true, "th": true, "tr": true, "ul": true,
}

// plain is the text of HTML without its tags, without scripts and styles, with
// characters in place of their entities. It is for reading, not for display: a
// page must escape it like any text.
func plain(s string) string {
	var b strings.Builder
	for s != "" {
		text, rest, found := strings.Cut(s, "<")
		b.WriteString(html.UnescapeString(text))
		if !found {
			break
		}
		if !opensTag(rest) {
			b.WriteByte('<')
			s = rest
			continue
		}
		tag, after, closed := strings.Cut(rest, ">")
		if !closed {
			break
		}
		name := tagName(tag)
		if apart[name] {
			b.WriteByte(' ')
		}
		s = after
		if name == "script" || name == "style" {
			s = behind(s, "</"+name)
		}
		if strings.HasPrefix(tag, "!--") {
			s = behindComment(rest)
		}
	}
	return b.String()
}

// opensTag reports whether a "<" before s begins a tag; "a < b" does not.
func opensTag(s string) bool {
	if s == "" {
		return false
	}
	c := s[0] | 0x20
	return c >= 'a' && c <= 'z' || s[0] == '/' || s[0] == '!' || s[0] == '?'
}

func tagName(tag string) string {
	tag = strings.TrimPrefix(tag, "/")
	end := strings.IndexFunc(tag, func(r rune) bool { return r == ' ' || r == '\t' || r == '\n' || r == '\r' || r == '/' })
	if end >= 0 {
		tag = tag[:end]
	}
	return strings.ToLower(tag)
}

// behind is what follows the end tag that begins like this; nothing where it
// never ends.
func behind(s, end string) string {
	for at := range len(s) - len(end) + 1 {
		if strings.EqualFold(s[at:at+len(end)], end) {
			_, after, _ := strings.Cut(s[at:], ">")
			return after
		}
	}
	return ""
}

func behindComment(s string) string {
	_, after, _ := strings.Cut(s, "-->")
	return after
}
