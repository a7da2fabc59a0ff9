package canon

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// A scanner reads one JSON text and writes its canonical form.
type scanner struct {
	in      []byte
	pos     int
	out     []byte
	levels  int  // how deep objects and arrays may nest
	lenient bool // replace what is not Unicode instead of refusing it
}

// A member is one key of an object, with the place of its canonical
// "key":value in the output.
type member struct {
	key        string
	offset     int // of the key in the input
	start, end int
}

func (s *scanner) fail(reason error, detail string) error {
	return &Error{Offset: s.pos, Reason: reason, Detail: detail}
}

func (s *scanner) space() { s.pos = skipSpace(s.in, s.pos) }

func skipSpace(in []byte, i int) int {
	for i < len(in) && (in[i] == ' ' || in[i] == '\t' || in[i] == '\n' || in[i] == '\r') {
		i++
	}
	return i
}

// peek returns the next byte, or 0 at the end. A NUL in the text is never
// valid outside a string, so the two need not be told apart.
func (s *scanner) peek() byte {
	if s.pos < len(s.in) {
		return s.in[s.pos]
	}
	return 0
}

// value reads one value that stands inside depth objects and arrays.
func (s *scanner) value(depth int) error {
	switch c := s.peek(); {
	case c == '{':
		return s.object(depth + 1)
	case c == '[':
		return s.array(depth + 1)
	case c == '"':
		text, err := s.text()
		if err != nil {
			return err
		}
		s.out = appendString(s.out, text)
		return nil
	case c == '-' || '0' <= c && c <= '9':
		return s.number()
	case c == 't':
		return s.word("true")
	case c == 'f':
		return s.word("false")
	case c == 'n':
		return s.word("null")
	default:
		return s.fail(ErrSyntax, "a value is missing")
	}
}

func (s *scanner) word(w string) error {
	if !bytes.HasPrefix(s.in[s.pos:], []byte(w)) {
		return s.fail(ErrSyntax, "a value is missing")
	}
	s.pos += len(w)
	s.out = append(s.out, w...)
	return nil
}

// enter steps over the opening bracket of level depth.
func (s *scanner) enter(depth int) error {
	if depth > s.levels {
		return s.fail(ErrTooLarge, fmt.Sprintf("more than %d levels", s.levels))
	}
	s.out = append(s.out, s.in[s.pos])
	s.pos++
	s.space()
	return nil
}

// next steps over what follows an element: a comma, or the closing bracket,
// which it reports and writes.
func (s *scanner) next(closing byte) (closed bool, err error) {
	s.space()
	switch s.peek() {
	case ',':
		s.pos++
		s.space()
		return false, nil
	case closing:
		s.pos++
		return true, nil
	default:
		return false, s.fail(ErrSyntax, fmt.Sprintf("expected a comma or %q", closing))
	}
}

func (s *scanner) array(depth int) error {
	if err := s.enter(depth); err != nil {
		return err
	}
	closed := s.peek() == ']'
	if closed {
		s.pos++
	}
	for !closed {
		if err := s.value(depth); err != nil {
			return err
		}
		var err error
		if closed, err = s.next(']'); err != nil {
			return err
		}
		if !closed {
			s.out = append(s.out, ',')
		}
	}
	s.out = append(s.out, ']')
	return nil
}

func (s *scanner) object(depth int) error {
	if err := s.enter(depth); err != nil {
		return err
	}
	start := len(s.out)
	closed := s.peek() == '}'
	if closed {
		s.pos++
	}
	var members []member
	for !closed {
		m, err := s.member(depth)
		if err != nil {
			return err
		}
		members = append(members, m)
		if closed, err = s.next('}'); err != nil {
			return err
		}
	}
	if err := s.arrange(start, members); err != nil {
		return err
	}
	s.out = append(s.out, '}')
	return nil
}

func (s *scanner) member(depth int) (member, error) {
	m := member{offset: s.pos, start: len(s.out)}
	if s.peek() != '"' {
		return m, s.fail(ErrSyntax, "expected a key")
	}
	key, err := s.text()
	if err != nil {
		return m, err
	}
	m.key = string(key)
	s.out = append(appendString(s.out, key), ':')
	s.space()
	if s.peek() != ':' {
		return m, s.fail(ErrSyntax, "expected a colon")
	}
	s.pos++
	s.space()
	if err := s.value(depth); err != nil {
		return m, err
	}
	m.end = len(s.out)
	return m, nil
}

// arrange rewrites the output from start on with the members in the order of
// their keys and commas between them.
func (s *scanner) arrange(start int, members []member) error {
	slices.SortFunc(members, func(a, b member) int { return strings.Compare(a.key, b.key) })
	for i := 1; i < len(members); i++ {
		if members[i].key == members[i-1].key {
			return &Error{
				Offset: max(members[i].offset, members[i-1].offset), Reason: ErrDuplicate,
				Detail: fmt.Sprintf("%.60q", members[i].key),
			}
		}
	}
	if len(members) < 2 {
		return nil
	}
	written := slices.Clone(s.out[start:])
	s.out = s.out[:start]
	for i, m := range members {
		if i > 0 {
			s.out = append(s.out, ',')
		}
		s.out = append(s.out, written[m.start-start:m.end-start]...)
	}
	return nil
}

// number copies a number as it stands: the grammar of RFC 8259 allows no
// leading zero, no plus sign and no bare point.
func (s *scanner) number() error {
	start := s.pos
	if s.peek() == '-' {
		s.pos++
	}
	if s.peek() == '0' {
		s.pos++
	} else if err := s.digits(); err != nil {
		return err
	}
	if s.peek() == '.' {
		s.pos++
		if err := s.digits(); err != nil {
			return err
		}
	}
	if c := s.peek(); c == 'e' || c == 'E' {
		s.pos++
		if c := s.peek(); c == '+' || c == '-' {
			s.pos++
		}
		if err := s.digits(); err != nil {
			return err
		}
	}
	s.out = append(s.out, s.in[start:s.pos]...)
	return nil
}

func (s *scanner) digits() error {
	start := s.pos
	for c := s.peek(); '0' <= c && c <= '9'; c = s.peek() {
		s.pos++
	}
	if s.pos == start {
		return s.fail(ErrSyntax, "expected a digit")
	}
	return nil
}
