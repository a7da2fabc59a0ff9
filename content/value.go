package content

import (
	"strings"
	"unicode/utf8"
)

// badText says in English what is wrong with a text that cannot be stored, or
// nothing.
func badText(s string) string {
	switch {
	case !utf8.ValidString(s):
		return "the text is not valid UTF-8"
	case strings.ContainsRune(s, 0):
		return "the text holds a NUL character"
	default:
		return ""
	}
}
