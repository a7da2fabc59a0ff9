package editorial

import (
	"context"
	"fmt"
	"strings"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/content"
)

// describing is a call that may change what describes a file.
type describing struct {
	file    content.Record
	about   content.Record // the row that describes it in the default language
	columns []content.Column
	texts   map[string]string // by column
}

// badFileText refuses a text that the column cannot hold, or not as it is.
func badFileText(c content.Column, text string) error {
	if c.Type == content.TypeInput && strings.ContainsAny(text, "\r\n\t") {
		return refuse("The argument %q must be a single line, without tabs.", c.Name)
	}
	if _, problem := c.Stored(text); problem != "" {
		return refuse("The argument %q cannot take this value: %s.", c.Name, problem)
	}
	return nil
}

// planDescription resolves and authorises a call that changes what describes a
// file in the default language. A file that nothing describes is refused like
// one that is not there: describing it anew would be another write than the one
// that is shown.
func (d desk) planDescription(ctx context.Context, u imprimatur.User, heading imprimatur.Label, uid int64, columns []content.Column, texts map[string]string) (*plan, error) {
	file, err := d.usableFile(ctx, u, uid, noFile)
	if err != nil {
		return nil, err
	}
	about, err := d.repo.Metadata(ctx, file.UID, 0)
	if err == nil && !d.repo.MayEditRecord(u, about) {
		err = content.ErrNotFound
	}
	if err != nil {
		return nil, neutrally(err, noFile)
	}
	var names []string
	for _, c := range columns {
		names = append(names, c.Name)
	}
	if err := d.grants(u, content.FileMetadata, names); err != nil {
		return nil, err
	}
	return describing{file, about, columns, texts}.plan(ctx, d, heading)
}

func (e describing) plan(ctx context.Context, d desk, heading imprimatur.Label) (*plan, error) {
	language, err := d.languageLine(ctx, e.about)
	if err != nil {
		return nil, err
	}
	p := &plan{seen: content.Versions{}, report: e.report}
	p.seen.Add(e.file, e.about)
	if fields := e.different(); len(fields) > 0 {
		p.changes = []content.Change{{Op: content.Update, Table: content.FileMetadata, UID: e.about.UID, Fields: fields}}
	}
	p.lines = []imprimatur.Text{catalogue.Heading(heading), fileLine(e.file), language}
	var names []string
	var whole []imprimatur.Phrase
	for _, c := range e.columns {
		f := catalogue.Field{Name: words(fileTextName(c.Name)), Column: c.Name, Current: e.about.Text(c.Name), Proposed: e.texts[c.Name]}
		p.lines, whole, names = append(p.lines, f.Line()), append(whole, f.Technical()...), append(names, c.Name)
	}
	p.lines = append(p.lines, catalogue.TechnicalLines([]imprimatur.Phrase{
		uid(catalogue.TechnicalFile, e.file.UID), technicalRecord(e.about), technicalFields(names),
	}, whole)...)
	return p, nil
}

func fileTextName(column string) imprimatur.Label {
	for _, known := range textsOfPlace {
		if known.column == column {
			return known.name
		}
	}
	return catalogue.FileCopyright
}

// different are the values that the row does not have yet.
func (e describing) different() map[string]any {
	fields := map[string]any{}
	for _, c := range e.columns {
		if e.about.Text(c.Name) != e.texts[c.Name] {
			fields[c.Name] = e.texts[c.Name]
		}
	}
	return fields
}

// report reads back which texts took.
func (e describing) report(ctx context.Context, d desk, _ content.Outcome) (imprimatur.Result, error) {
	where := fmt.Sprintf("file %d %s", e.file.UID, titled(e.file.Text("name")))
	if len(e.different()) == 0 {
		return imprimatur.Result{Content: fmt.Sprintf("Nothing to change: %s has these values already.", where)}, nil
	}
	want := map[string]any{}
	for _, c := range e.columns {
		want[c.Name] = e.texts[c.Name]
	}
	return d.updated(ctx, e.about.Ref(), where, want, "It shows wherever the file stands without a text of its own; nothing else is needed.")
}
