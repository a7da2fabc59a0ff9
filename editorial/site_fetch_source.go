package editorial

import (
	"context"
	"regexp"
	"strconv"
	"strings"

	"github.com/imprimatur-dev/imprimatur"
)

// maxSource is how many characters of a source are shown.
const maxSource = 8000

type sourceRequest struct {
	ID string `json:"source_id" is:"min=1,max=64" about:"Source, as site_search names it, such as page:12"`
}

func (d desk) siteFetchSource() imprimatur.Tool {
	return reader(d, reading[sourceRequest]{
		name: "site_fetch_source", group: groupSite, neutral: noSource, read: desk.sourceText,
		description: "Shows the text of a public page of the website, at most 8000 characters, without tags. It answers only what everybody may read there.",
	})
}

var sourceID = regexp.MustCompile(`^page:([1-9][0-9]{0,17})(?::([1-9][0-9]{0,8}))?$`)

func (d desk) sourceText(ctx context.Context, _ imprimatur.User, args sourceRequest) (string, error) {
	m := sourceID.FindStringSubmatch(args.ID)
	if m == nil {
		return "", refuse("The argument %q must be one that site_search named, such as page:12.", "source_id")
	}
	page, err := strconv.ParseInt(m[1], 10, 64)
	var language int64
	if err == nil && m[2] != "" {
		language, err = strconv.ParseInt(m[2], 10, 64)
	}
	if err != nil {
		return "", err // the expression takes what can be read
	}
	s, err := d.source(ctx, page, language)
	if err != nil {
		return "", neutrally(err, noSource)
	}
	address, err := d.address(ctx, s)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, text := range s.texts {
		for line := range strings.SplitSeq(text, "\n") {
			b.WriteString(excerpt(line, maxSource) + "\n")
		}
		b.WriteString("\n")
	}
	text := strings.TrimSpace(b.String())
	if cut := imprimatur.Cut(text, maxSource); cut != text {
		text = cut + "…"
	}
	if text == "" {
		text = "There is no text on it."
	}
	return s.id() + " " + titled(s.title) + " · " + address + "\n\n" + text + "\n", nil
}
