package inbox

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/internal/web"
)

// maxCells bounds the table of a comparison. Parts of lines have at most 500
// characters and stay far below.
const maxCells = 1 << 20

// enough is how much of the longer text two texts must share, in percent, for
// their words to be compared at all. Below it the marks would only be confetti.
const enough = 20

// change marks in two texts the words that one of them does not have. Putting
// the spans of each together gives the text back.
func change(words *catalogue.Printer, before, after string) (was, will []web.Span) {
	a, b := cutWords(before), cutWords(after)
	inA, inB := shared(a, b)
	if !alike(a, inA, after) {
		inA, inB = framed(a, b)
	}
	return spans(words, a, inA, web.Removed), spans(words, b, inB, web.Added)
}

// cutWords cuts a text into words, stretches of blanks, written-out characters
// and single signs. Backslashes stay together: a doubled one says that what
// follows is no escape.
func cutWords(s string) []string {
	var out []string
	for i := 0; i < len(s); {
		if end, _ := web.Escape(s, i); end > i {
			out = append(out, s[i:end])
			i = end
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		end := i + size
		for end < len(s) && kindOf(r) != sign || strings.HasPrefix(s[end:], `\`) && r == '\\' {
			next, size := utf8.DecodeRuneInString(s[end:])
			if kindOf(next) != kindOf(r) {
				break
			}
			end += size
		}
		out = append(out, s[i:end])
		i = end
	}
	return out
}

type kind int

const (
	sign kind = iota
	letter
	blank
)

func kindOf(r rune) kind {
	switch {
	case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r):
		return letter
	case unicode.IsSpace(r):
		return blank
	default:
		return sign
	}
}

// shared reports, for each word of both texts, whether it belongs to the
// longest sequence of words that they have in common.
func shared(a, b []string) (inA, inB []bool) {
	inA, inB = make([]bool, len(a)), make([]bool, len(b))
	lo, hiA, hiB := 0, len(a), len(b)
	for lo < hiA && lo < hiB && a[lo] == b[lo] {
		inA[lo], inB[lo] = true, true
		lo++
	}
	for hiA > lo && hiB > lo && a[hiA-1] == b[hiB-1] {
		hiA, hiB = hiA-1, hiB-1
		inA[hiA], inB[hiB] = true, true
	}
	n, m := hiA-lo, hiB-lo
	if n == 0 || m == 0 || n*m > maxCells {
		return inA, inB
	}
	longest := table(a[lo:hiA], b[lo:hiB])
	for i, j := 0, 0; i < n && j < m; {
		switch {
		case a[lo+i] == b[lo+j]:
			inA[lo+i], inB[lo+j] = true, true
			i, j = i+1, j+1
		case longest[i+1][j] >= longest[i][j+1]:
			i++
		default:
			j++
		}
	}
	return inA, inB
}

// framed shares only the signs that both texts begin and end with, such as
// quotation marks.
func framed(a, b []string) (inA, inB []bool) {
	inA, inB = make([]bool, len(a)), make([]bool, len(b))
	both := func(i, j int) bool { return a[i] == b[j] && kindOf(first(a[i])) == sign }
	lo := 0
	for ; lo < len(a) && lo < len(b) && both(lo, lo); lo++ {
		inA[lo], inB[lo] = true, true
	}
	for i, j := len(a)-1, len(b)-1; i >= lo && j >= lo && both(i, j); i, j = i-1, j-1 {
		inA[i], inB[j] = true, true
	}
	return inA, inB
}

// table holds, for each pair of positions, how long the common sequence of
// what follows is.
func table(a, b []string) [][]int {
	longest := make([][]int, len(a)+1)
	for i := range longest {
		longest[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				longest[i][j] = longest[i+1][j+1] + 1
			} else {
				longest[i][j] = max(longest[i+1][j], longest[i][j+1])
			}
		}
	}
	return longest
}

// alike reports whether the words that two texts share are worth showing.
func alike(a []string, inA []bool, after string) bool {
	total, common := 0, 0
	for i, word := range a {
		if kindOf(first(word)) == letter {
			total += len(word)
			if inA[i] {
				common += len(word)
			}
		}
	}
	letters := 0
	for _, r := range after {
		if kindOf(r) == letter {
			letters += utf8.RuneLen(r)
		}
	}
	return 100*common >= enough*max(total, letters)
}

func first(word string) rune {
	r, _ := utf8.DecodeRuneInString(word)
	return r
}

// spans joins words to stretches that changed and stretches that did not. A
// blank between two changed words changes with them.
func spans(words *catalogue.Printer, list []string, same []bool, mark web.Mark) []web.Span {
	var out []web.Span
	for i := 0; i < len(list); {
		kept := keeps(list, same, i)
		end := i + 1
		for end < len(list) && keeps(list, same, end) == kept {
			end++
		}
		span := web.Span{Bits: web.Bits(words, strings.Join(list[i:end], ""))}
		if !kept {
			span.Mark = mark
		}
		out = append(out, span)
		i = end
	}
	return out
}

func keeps(list []string, same []bool, i int) bool {
	between := i > 0 && i+1 < len(list) && !same[i-1] && !same[i+1]
	return same[i] && !(between && kindOf(first(list[i])) == blank)
}
