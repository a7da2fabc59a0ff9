// Package lang picks a language out of those there are: the lookup of RFC 4647,
// section 3.4, and the Accept-Language header of RFC 9110.
package lang

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// MaxTag is the longest tag that Valid accepts, in characters.
const MaxTag = 64

// maxRanges bounds how much of an Accept-Language header is read. Real ones
// have a handful.
const maxRanges = 64

// wellFormed is the syntax of a language tag (RFC 5646, section 2.1) without
// the registered exceptions and without tags that are private altogether.
var wellFormed = regexp.MustCompile(`(?i)^` +
	`(?:[a-z]{2,3}(?:-[a-z]{3}){0,3}|[a-z]{4,8})` + // language
	`(?:-[a-z]{4})?` + // script
	`(?:-(?:[a-z]{2}|[0-9]{3}))?` + // region
	`(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*` + // variants
	`(?:-[0-9a-wyz](?:-[a-z0-9]{2,8})+)*` + // extensions
	`(?:-x(?:-[a-z0-9]{1,8})+)?$`) // private use

// Valid reports whether tag is a well-formed language tag such as "de",
// "de-AT" or "zh-Hant-TW". Whether anybody speaks it is not looked up.
func Valid(tag string) bool {
	return len(tag) <= MaxTag && wellFormed.MatchString(tag)
}

// Match returns the element of have that fits want best: want itself, else
// want with subtags taken off its end until one is there ("de-AT" finds "de",
// "de" does not find "de-AT"). Case does not count. Without a match, for an
// empty want and for "*", it returns "".
func Match(want string, have []string) string {
	for want != "" {
		for _, tag := range have {
			if strings.EqualFold(tag, want) {
				return tag
			}
		}
		want = shorten(want)
	}
	return ""
}

// shorten takes the last subtag off, and a single character that would then be
// last: that only introduced what followed it.
func shorten(tag string) string {
	for {
		end := strings.LastIndexByte(tag, '-')
		if end < 0 {
			return ""
		}
		tag = tag[:end]
		if last := tag[strings.LastIndexByte(tag, '-')+1:]; len(last) > 1 {
			return tag
		}
	}
}

// A weighted language range of an Accept-Language header.
type weighted struct {
	tag     string
	quality int // thousandths
}

// Preferred returns the element of have that the reader of an Accept-Language
// header wants most, or "" if the header names none of them: a header that is
// empty, unreadable or content with anything ("*") expresses no wish. Elements
// that are malformed are passed over; a language with q=0 is never returned.
func Preferred(acceptLanguage string, have []string) string {
	ranges := parse(acceptLanguage)
	refused := func(tag string) bool {
		return slices.ContainsFunc(ranges, func(r weighted) bool {
			return r.quality == 0 && strings.EqualFold(r.tag, tag)
		})
	}
	have = slices.DeleteFunc(slices.Clone(have), refused)
	for _, r := range ranges {
		if r.quality == 0 {
			break
		}
		if tag := Match(r.tag, have); tag != "" {
			return tag
		}
	}
	return ""
}

// parse returns the ranges of the header, most wanted first and otherwise in
// the order in which they stand.
func parse(header string) []weighted {
	var ranges []weighted
	for element := range strings.SplitSeq(header, ",") {
		tag, parameters, _ := strings.Cut(element, ";")
		tag = strings.Trim(tag, " \t")
		quality, ok := parseQuality(parameters)
		if !ok || !Valid(tag) {
			continue
		}
		if ranges = append(ranges, weighted{tag, quality}); len(ranges) == maxRanges {
			break
		}
	}
	slices.SortStableFunc(ranges, func(a, b weighted) int { return cmp.Compare(b.quality, a.quality) })
	return ranges
}

// parseQuality reads "q=0.8" as 800. No parameter means 1000.
func parseQuality(parameters string) (thousandths int, ok bool) {
	parameters = strings.Trim(parameters, " \t")
	if parameters == "" {
		return 1000, true
	}
	name, value, _ := strings.Cut(parameters, "=")
	whole, fraction, _ := strings.Cut(value, ".")
	if !strings.EqualFold(name, "q") || whole != "0" && whole != "1" || len(fraction) > 3 {
		return 0, false
	}
	n, err := strconv.ParseUint(whole+(fraction + "000")[:3], 10, 16)
	return int(n), err == nil && n <= 1000
}
