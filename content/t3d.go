package content

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// t3dFile is a TYPO3 export in XML form (T3D), read whole and well-formed, but
// not yet checked for how its rows hang together.
type t3dFile struct {
	Rows   []*t3dRow // in the order of the file, which is no tree order
	Bodies int       // files whose bytes the export carries
	index  map[t3dKey]*t3dRow
	out    map[*t3dRow]string // why rows stay out, as far as it was asked
}

// t3dKey names a row of an export.
type t3dKey struct {
	Table string
	UID   int64
}

func (k t3dKey) String() string { return fmt.Sprintf("%s:%d", k.Table, k.UID) }

func (f *t3dFile) row(table string, uid int64) *t3dRow { return f.index[t3dKey{table, uid}] }

// t3dReader fills a t3dFile from a t3dCursor.
type t3dReader struct {
	*t3dCursor
	ctx      context.Context
	file     *t3dFile
	declared map[t3dKey]int // rows the header lists, with their lines
}

// readT3D reads an export of at most limit bytes. Whatever is wrong with the
// file comes back as an *ImportError.
func readT3D(ctx context.Context, r io.Reader, limit int64) (*t3dFile, error) {
	counted := &t3dLimit{r: r, left: limit}
	rd := &t3dReader{
		t3dCursor: newT3DCursor(counted), ctx: ctx,
		file:     &t3dFile{index: map[t3dKey]*t3dRow{}, out: map[*t3dRow]string{}},
		declared: map[t3dKey]int{},
	}
	err := rd.document()
	if counted.over {
		return nil, refuseAt(0, "the file is larger than %d bytes", limit)
	}
	if err != nil {
		return nil, err
	}
	if err := rd.checkDeclared(); err != nil {
		return nil, err
	}
	return rd.file, nil
}

// t3dLimit is a reader that fails once more than left bytes were read.
type t3dLimit struct {
	r    io.Reader
	left int64
	over bool
}

func (b *t3dLimit) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	if b.left -= int64(n); b.left < 0 {
		b.over = true
		return 0, errors.New("too large")
	}
	return n, err
}

func (rd *t3dReader) document() error {
	root, err := rd.root()
	if err != nil {
		return err
	}
	if root.Name.Local != "T3RecordDocument" {
		return refuseAt(rd.line, "the root element is %s, not %q: this is no TYPO3 export in XML form", t3dQuote(root.Name.Local), "T3RecordDocument")
	}
	seen := map[string]bool{}
	err = rd.children(root.Name.Local, func(el xml.StartElement) error {
		name := el.Name.Local
		if seen[name] {
			return refuseAt(rd.line, "section %s is there twice", t3dQuote(name))
		}
		seen[name] = true
		return rd.section(el)
	})
	if err != nil {
		return err
	}
	if !seen["records"] {
		return refuseAt(rd.line, "the export has no section %q", "records")
	}
	return rd.nothingMore()
}

func (rd *t3dReader) root() (xml.StartElement, error) {
	for {
		tok, err := rd.next()
		if errors.Is(err, io.EOF) {
			return xml.StartElement{}, refuseAt(rd.line, "the file holds no XML element")
		}
		if err != nil {
			return xml.StartElement{}, err
		}
		if el, ok := tok.(xml.StartElement); ok {
			return el, nil
		}
		if text, ok := tok.(xml.CharData); ok && strings.TrimSpace(strings.TrimPrefix(string(text), "\ufeff")) != "" {
			return xml.StartElement{}, refuseAt(rd.line, "the file begins with text, not with XML")
		}
	}
}

func (rd *t3dReader) nothingMore() error {
	for {
		tok, err := rd.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if text, ok := tok.(xml.CharData); !ok || strings.TrimSpace(string(text)) != "" {
			return refuseAt(rd.line, "there is something after the end of the export")
		}
	}
}

// section reads one child of the root. A section nobody knows is refused:
// what it holds would be lost without a word.
func (rd *t3dReader) section(el xml.StartElement) error {
	switch el.Name.Local {
	case "header":
		return rd.header()
	case "records":
		return rd.children("records", rd.tablerow)
	case "files_fal", "files":
		return rd.children(el.Name.Local, func(xml.StartElement) error { return rd.fileEntry() })
	default:
		return refuseAt(rd.line, "the export has an unknown section %s", t3dQuote(el.Name.Local))
	}
}

// fileEntry reads what the export says of one file's bytes. The facts that
// come in (name, SHA-1, size, type) are columns of the file's row.
func (rd *t3dReader) fileEntry() error {
	return rd.children("file", func(el xml.StartElement) error {
		text, err := rd.text(el.Name.Local)
		if el.Name.Local == "content" && text != "" {
			rd.file.Bodies++
		}
		return err
	})
}

func (rd *t3dReader) header() error {
	return rd.children("header", func(el xml.StartElement) error {
		switch el.Name.Local {
		case "charset":
			charset, err := rd.text("charset")
			if err == nil && !strings.EqualFold(strings.TrimSpace(charset), "utf-8") {
				err = refuseAt(rd.line, "the export says its characters are in %s, not in UTF-8", t3dQuote(charset))
			}
			return err
		case "records":
			return rd.children("records", rd.declaredTable)
		default:
			return rd.skip()
		}
	})
}

func (rd *t3dReader) declaredTable(table xml.StartElement) error {
	return rd.children("table", func(el xml.StartElement) error {
		line := rd.line
		uid, err := t3dUID(t3dAttr(el, "index"))
		if err != nil {
			return refuseAt(line, "the header lists a row %s of table %s, which is no uid", t3dQuote(t3dAttr(el, "index")), t3dQuote(t3dAttr(table, "index")))
		}
		rd.declared[t3dKey{t3dAttr(table, "index"), uid}] = line
		return rd.skip()
	})
}

// checkDeclared compares the rows with those the header lists, where it lists
// any: an export that lost a row on its way is not imported in part.
func (rd *t3dReader) checkDeclared() error {
	if len(rd.declared) == 0 {
		return nil
	}
	for _, row := range rd.file.Rows {
		if _, ok := rd.declared[row.key()]; !ok {
			return refuseAt(row.Line, "row %s is not among the rows the header lists", row.key())
		}
	}
	first := t3dKey{}
	for key, line := range rd.declared {
		if rd.file.index[key] == nil && (first.Table == "" || line < rd.declared[first]) {
			first = key
		}
	}
	if first.Table != "" {
		return refuseAt(rd.declared[first], "the header lists row %s, which the export does not hold", t3dQuote(first.String()))
	}
	return nil
}
