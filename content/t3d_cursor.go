package content

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// t3dMaxDepth bounds the nesting of elements. The header's page tree takes two
// levels for each level of pages, so this is well above what a site has.
const t3dMaxDepth = 256

// ImportError says why an export was refused as a whole. Line is the line of
// the file the reason was found on, 0 where no single line is to blame.
type ImportError struct {
	Line   int
	Reason string
}

func (e *ImportError) Error() string {
	if e.Line == 0 {
		return e.Reason
	}
	return fmt.Sprintf("line %d: %s", e.Line, e.Reason)
}

// refuseAt makes an ImportError. Names out of the file are quoted and cut by
// the caller with t3dQuote.
func refuseAt(line int, format string, args ...any) error {
	return &ImportError{Line: line, Reason: fmt.Sprintf(format, args...)}
}

// t3dQuote quotes a name out of the file so that it cannot flood or forge a
// message.
func t3dQuote(s string) string {
	const limit = 60
	if len(s) > limit {
		return fmt.Sprintf("%q…", strings.ToValidUTF8(s[:limit], ""))
	}
	return fmt.Sprintf("%q", s)
}

// t3dCursor walks the elements of an export one token at a time. It refuses what
// an export never holds: document types (and with them entities), foreign
// namespaces, and nesting beyond t3dMaxDepth.
type t3dCursor struct {
	dec   *xml.Decoder
	line  int // where the token returned last began
	depth int
}

func newT3DCursor(r io.Reader) *t3dCursor {
	dec := xml.NewDecoder(r)
	dec.Strict = true
	return &t3dCursor{dec: dec}
}

// next returns the next start, end or text token, io.EOF after the last one.
func (c *t3dCursor) next() (xml.Token, error) {
	for {
		c.line, _ = c.dec.InputPos()
		tok, err := c.dec.Token()
		if err != nil {
			return nil, c.explain(err)
		}
		switch t := tok.(type) {
		case xml.StartElement:
			if c.depth++; c.depth > t3dMaxDepth {
				return nil, refuseAt(c.line, "elements are nested more than %d deep", t3dMaxDepth)
			}
			if t.Name.Space != "" {
				return nil, refuseAt(c.line, "element %s is in a namespace, which an export never uses", t3dQuote(t.Name.Local))
			}
			return t, nil
		case xml.EndElement:
			c.depth--
			return t, nil
		case xml.CharData:
			return t, nil
		case xml.Directive:
			return nil, refuseAt(c.line, "document type declarations and entities are not accepted")
		}
	}
}

// explain turns a syntax error into a refusal with its line. What the reader
// itself reports stays an ordinary error.
func (c *t3dCursor) explain(err error) error {
	if errors.Is(err, io.EOF) {
		return io.EOF
	}
	var syntax *xml.SyntaxError
	if errors.As(err, &syntax) {
		return refuseAt(syntax.Line, "not well-formed XML: %s", syntax.Msg)
	}
	if strings.HasPrefix(err.Error(), "xml: encoding ") {
		return refuseAt(c.line, "the export is not in UTF-8")
	}
	return fmt.Errorf("reading the export: %w", err)
}

// children calls each for every child element of the element whose start was
// read last, and returns after its end. each consumes the child through its
// end. Text between children is refused unless it is white space.
func (c *t3dCursor) children(parent string, each func(el xml.StartElement) error) error {
	for {
		tok, err := c.next()
		if err != nil {
			return c.inside(parent, err)
		}
		switch t := tok.(type) {
		case xml.StartElement:
			if err := each(t); err != nil {
				return err
			}
		case xml.EndElement:
			return nil
		case xml.CharData:
			if strings.TrimSpace(string(t)) != "" {
				return refuseAt(c.line, "element %s holds text between its elements", t3dQuote(parent))
			}
		}
	}
}

// text returns the text of the element whose start was read last, through its
// end, white space included.
func (c *t3dCursor) text(parent string) (string, error) {
	var b strings.Builder
	for {
		tok, err := c.next()
		if err != nil {
			return "", c.inside(parent, err)
		}
		switch t := tok.(type) {
		case xml.StartElement:
			return "", refuseAt(c.line, "element %s holds element %s where text belongs", t3dQuote(parent), t3dQuote(t.Name.Local))
		case xml.EndElement:
			return b.String(), nil
		case xml.CharData:
			b.Write(t)
		}
	}
}

// skip consumes the element whose start was read last, through its end.
func (c *t3dCursor) skip() error {
	for open := 1; open > 0; {
		tok, err := c.next()
		if err != nil {
			return c.inside("", err)
		}
		switch tok.(type) {
		case xml.StartElement:
			open++
		case xml.EndElement:
			open--
		}
	}
	return nil
}

// inside makes the end of input inside an element a refusal.
func (c *t3dCursor) inside(parent string, err error) error {
	if errors.Is(err, io.EOF) {
		return refuseAt(c.line, "the file ends inside element %s", t3dQuote(parent))
	}
	return err
}

// t3dAttr returns the attribute of an element, empty where it has none.
func t3dAttr(el xml.StartElement, name string) string {
	for _, a := range el.Attr {
		if a.Name.Space == "" && a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}
