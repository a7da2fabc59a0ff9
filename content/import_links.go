package content

import (
	"regexp"
	"strconv"
	"strings"
)

var (
	linkURN   = regexp.MustCompile(`t3://(page|file)\?uid=([0-9]{1,18})(#c?([0-9]{1,18}))?`)
	linkPage  = regexp.MustCompile(`^([0-9]{1,18})(#c?([0-9]{1,18}))?( |$)`)
	linkFile  = regexp.MustCompile(`^file:([0-9]{1,18})( |$)`)
	listEntry = regexp.MustCompile(`^(?:([a-z][a-z0-9_]*)_)?([0-9]{1,18})$`)
)

// relink makes what a text says of records follow those that got another uid.
// As long as none did, every text stays as it is; only the tables that entries
// of lists name are called what they are called here.
func (im *importer) relink(c Column, text string) string {
	if c.Many {
		return im.relist(sourceOf(c.Target), text)
	}
	if len(im.moved) == 0 || text == "" || c.storesInteger() {
		return text
	}
	text = linkURN.ReplaceAllStringFunc(text, func(link string) string {
		m := linkURN.FindStringSubmatch(link)
		table := t3dPages
		if m[1] == "file" {
			table = t3dFiles
		}
		return "t3://" + m[1] + "?uid=" + im.renumber(table, m[2]) + im.anchor(m[3], m[4])
	})
	if c.Type != TypeLink {
		return text
	}
	if m := linkPage.FindStringSubmatch(text); m != nil {
		return im.renumber(t3dPages, m[1]) + im.anchor(m[2], m[3]) + m[4] + text[len(m[0]):]
	}
	if m := linkFile.FindStringSubmatch(text); m != nil {
		return "file:" + im.renumber(t3dFiles, m[1]) + m[2] + text[len(m[0]):]
	}
	return text
}

// relist follows the entries of a list, which are of the table source unless
// they name another one; what is no entry stays.
func (im *importer) relist(source, text string) string {
	entries := strings.Split(text, ",")
	for i, entry := range entries {
		m := listEntry.FindStringSubmatch(strings.TrimSpace(entry))
		if m == nil {
			continue
		}
		if m[1] == "" {
			entries[i] = strings.Replace(entry, m[2], im.renumber(source, m[2]), 1)
			continue
		}
		entries[i] = tableHere(m[1]) + "_" + im.renumber(m[1], m[2])
	}
	return strings.Join(entries, ",")
}

// anchor follows the content element that a link jumps to: whole is "#12" or
// "#c12", uid the number in it.
func (im *importer) anchor(whole, uid string) string {
	if whole == "" {
		return ""
	}
	return strings.TrimSuffix(whole, uid) + im.renumber(t3dContent, uid)
}

// renumber returns the uid that a row of the export has here, in digits; a row
// that did not come in keeps its own.
func (im *importer) renumber(table, digits string) string {
	uid, err := strconv.ParseInt(digits, 10, 64)
	if here := im.uids[t3dKey{table, uid}]; err == nil && here != 0 {
		return strconv.FormatInt(here, 10)
	}
	return digits
}
