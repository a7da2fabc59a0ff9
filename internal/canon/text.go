package canon

import (
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// text reads a string, from quote to quote, and returns what it says.
func (s *scanner) text() ([]byte, error) {
	s.pos++
	var text []byte
	for {
		if s.pos >= len(s.in) {
			return nil, s.fail(ErrSyntax, "a string does not end")
		}
		switch c := s.in[s.pos]; {
		case c == '"':
			s.pos++
			return text, nil
		case c < ' ':
			return nil, s.fail(ErrSyntax, "a control character in a string")
		case c == '\\':
			r, err := s.escape()
			if err != nil {
				return nil, err
			}
			text = utf8.AppendRune(text, r)
		case c < utf8.RuneSelf:
			text = append(text, c)
			s.pos++
		default:
			r, size := utf8.DecodeRune(s.in[s.pos:])
			if r == utf8.RuneError && size == 1 && !s.lenient {
				return nil, s.fail(ErrEncoding, "invalid UTF-8")
			}
			text = utf8.AppendRune(text, r)
			s.pos += size
		}
	}
}

// escape reads one escape, or the two that make a surrogate pair.
func (s *scanner) escape() (rune, error) {
	if s.pos+1 >= len(s.in) {
		return 0, s.fail(ErrSyntax, "a string does not end")
	}
	c := s.in[s.pos+1]
	if c == 'u' {
		return s.unicodeEscape()
	}
	var r rune
	switch c {
	case '"', '\\', '/':
		r = rune(c)
	case 'b':
		r = '\b'
	case 'f':
		r = '\f'
	case 'n':
		r = '\n'
	case 'r':
		r = '\r'
	case 't':
		r = '\t'
	default:
		return 0, s.fail(ErrSyntax, "an unknown escape")
	}
	s.pos += 2
	return r, nil
}

func (s *scanner) unicodeEscape() (rune, error) {
	r, ok := s.hex(s.pos)
	if !ok {
		return 0, s.fail(ErrSyntax, "an escape without four hexadecimal digits")
	}
	if !utf16.IsSurrogate(r) {
		s.pos += 6
		return r, nil
	}
	if low, ok := s.hex(s.pos + 6); ok {
		if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
			s.pos += 12
			return pair, nil
		}
	}
	if !s.lenient {
		return 0, s.fail(ErrEncoding, "half of a surrogate pair")
	}
	s.pos += 6
	return utf8.RuneError, nil
}

// hex reads the escape \uXXXX at i.
func (s *scanner) hex(i int) (rune, bool) {
	if i+6 > len(s.in) || s.in[i] != '\\' || s.in[i+1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(s.in[i+2:i+6]), 16, 16)
	return rune(n), err == nil
}

const hexDigits = "0123456789abcdef"

// appendString appends text as a JSON string with the escapes that JSON
// demands and no other.
func appendString(out, text []byte) []byte {
	out = append(out, '"')
	for i := 0; i < len(text); {
		c := text[i]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRune(text[i:])
			out = utf8.AppendRune(out, r)
			i += size
			continue
		}
		switch {
		case c == '"' || c == '\\':
			out = append(out, '\\', c)
		case c == '\b':
			out = append(out, `\b`...)
		case c == '\f':
			out = append(out, `\f`...)
		case c == '\n':
			out = append(out, `\n`...)
		case c == '\r':
			out = append(out, `\r`...)
		case c == '\t':
			out = append(out, `\t`...)
		case c < ' ':
			out = append(out, `\u00`...)
			out = append(out, hexDigits[c>>4], hexDigits[c&0xf])
		default:
			out = append(out, c)
		}
		i++
	}
	return append(out, '"')
}
