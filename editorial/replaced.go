package editorial

import (
	"context"
	"fmt"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/content"
)

// replacing is a file that may give way to another one, or to none.
type replacing struct {
	reference, element, page content.Record
	current                  content.Record
	file                     *content.Record // nil: it is removed
	field                    content.Column
	there                    []content.Record // references in the field
	at                       int              // its place among them
	texts                    map[string]string
	translated               []content.Record // references that go along
	owners                   []content.Record // what those belong to; one that is gone is not among them
}

func (r replacing) plan(ctx context.Context, d desk) (*plan, error) {
	language, err := d.languageLine(ctx, r.element)
	if err != nil {
		return nil, err
	}
	p := &plan{seen: content.Versions{}, report: r.report, changes: r.changes()}
	p.seen.Add(r.element, r.page, r.current)
	p.seen.Add(r.there...)
	p.seen.Add(r.translated...)
	p.seen.Add(r.owners...)
	heading := catalogue.HeadingRemoveFile
	if r.file != nil {
		heading = catalogue.HeadingReplaceFile
		p.seen.Add(*r.file)
	}
	p.lines = append([]imprimatur.Text{catalogue.Heading(heading)}, d.elementLines(r.element)...)
	p.lines = append(p.lines, locationLine(r.page), language, d.fieldLine(r.element, r.field), r.positionLine(), r.currentLine())
	var whole []imprimatur.Phrase
	if r.file == nil {
		p.lines = append(p.lines, r.removalLines()...)
	} else {
		p.lines = append(p.lines, newFileLine(*r.file))
		var texts []imprimatur.Text
		texts, whole = r.textLines()
		p.lines = append(append(p.lines, texts...), r.lostLines(d)...)
	}
	p.lines = append(p.lines, r.translatedLine())
	p.lines = append(p.lines, catalogue.TechnicalLines(r.technical(), whole)...)
	return p, nil
}

func (r replacing) changes() []content.Change {
	changes := []content.Change{{Op: content.Delete, Table: content.FileReferences, UID: r.reference.UID}}
	if r.file != nil {
		attach := content.Attach(r.element.Ref(), r.field.Name, r.file.UID, r.texts)
		attach.After = r.reference.UID
		changes = append(changes, attach)
	}
	return changes
}

func (r replacing) positionLine() imprimatur.Text {
	return catalogue.Named(imprimatur.RoleWhere, catalogue.WherePosition,
		phrase(catalogue.FilePosition, map[string]any{"number": r.at + 1, "total": len(r.there)}))
}

func (r replacing) currentLine() imprimatur.Text {
	return imprimatur.Text{Role: imprimatur.RoleField, Phrase: phrase(catalogue.FileCurrent, map[string]any{
		"name":    words(catalogue.FileCurrentName),
		"current": catalogue.Quoted(r.current.Text("name")), "path": catalogue.Quoted(stored(r.current)),
	})}
}

func (r replacing) removalLines() []imprimatur.Text {
	return []imprimatur.Text{
		{Role: imprimatur.RoleField, Phrase: phrase(catalogue.FileCount, map[string]any{
			"name": words(catalogue.AttachFilesName), "current": len(r.there), "proposed": len(r.there) - 1,
		})},
		sentence(catalogue.FileStays, nil),
	}
}

// textLines say of each text what the new file has in this place, and what is
// lost. whole are the parts of the technical line that bind what the lines do
// not show in full.
func (r replacing) textLines() (lines []imprimatur.Text, whole []imprimatur.Phrase) {
	for _, known := range textsOfPlace {
		proposed, given := r.texts[known.column]
		_, had := r.reference.Fields[known.column]
		f := catalogue.Field{Name: words(known.name), Column: known.column, Current: r.reference.Text(known.column), Proposed: proposed}
		own := imprimatur.Text{Role: imprimatur.RoleField, Phrase: phrase(catalogue.FileOwnText, map[string]any{"name": f.Name})}
		switch {
		case given && had:
			lines, whole = append(lines, f.Line()), append(whole, f.Technical()...)
		case given:
			lines = append(lines, givenAs(f.Name, catalogue.Quoted(proposed)))
		case had:
			own.Phrase = phrase(catalogue.FileTextDropped, map[string]any{"name": f.Name, "current": catalogue.Quoted(f.Current)})
			lines = append(lines, own)
		default:
			lines = append(lines, own)
		}
	}
	return lines, whole
}

// settings are the columns of a reference that say how its file shows.
var settings = []string{"link", "crop", "autoplay"}

// lostLines say what the old reference had besides texts.
func (r replacing) lostLines(d desk) []imprimatur.Text {
	var lines []imprimatur.Text
	var lost []imprimatur.Phrase
	for _, name := range settings {
		if text := r.reference.Text(name); text != "" && text != "0" {
			lost = append(lost, quotedLabel(d.repo.Schema().ColumnLabel(content.FileReferences, "", name)))
		}
	}
	if len(lost) > 0 {
		lines = append(lines, consequence(catalogue.FileDropped, lost))
	}
	if r.reference.Hidden() {
		lines = append(lines, important(catalogue.FileAppears, nil))
	}
	return lines
}

// translatedLine counts what goes along in translations.
func (r replacing) translatedLine() imprimatur.Text {
	if len(r.translated) == 0 {
		return consequence(catalogue.FileTranslated, words(catalogue.None))
	}
	label := catalogue.FileTranslatedRemoved
	if r.file != nil {
		label = catalogue.FileTranslatedReplaced
	}
	return consequence(catalogue.FileTranslated, phrase(label, map[string]any{"count": len(r.translated)}))
}

func (r replacing) technical() []imprimatur.Phrase {
	parts := []imprimatur.Phrase{
		technicalRecord(r.element), uid(catalogue.TechnicalPage, r.page.UID), uid(catalogue.TechnicalLanguage, r.element.Language),
		phrase(catalogue.TechnicalField, map[string]any{"field": r.field.Name}),
		uid(catalogue.TechnicalReference, r.reference.UID), uid(catalogue.TechnicalCurrentFile, r.current.UID),
	}
	if r.file != nil {
		parts = append(parts, uid(catalogue.TechnicalFile, r.file.UID))
	}
	if len(r.translated) > 0 {
		parts = append(parts, uids(catalogue.TechnicalTranslation, r.translated))
	}
	if len(r.owners) > 0 {
		parts = append(parts, uids(catalogue.TechnicalTranslatedIn, r.owners))
	}
	return parts
}

// report reads back: the other files stand where they stood, the new one is the
// one that was shown, with no text but those it was given, and the file that
// gave way is still there.
func (r replacing) report(ctx context.Context, d desk, out content.Outcome) (imprimatur.Result, error) {
	now, err := d.repo.References(ctx, r.element.Ref(), r.field.Name)
	if err != nil {
		return imprimatur.Result{}, err
	}
	if err := r.inPlace(now, out); err != nil {
		return imprimatur.Result{}, err
	}
	if err := d.counted(ctx, r.element.Ref(), r.field.Name, len(now)); err != nil {
		return imprimatur.Result{}, err
	}
	left, err := d.repo.Translations(ctx, r.reference.Ref())
	if err != nil {
		return imprimatur.Result{}, err
	}
	if len(left) > 0 {
		return imprimatur.Result{}, undo("The file would have stayed in %d translations.", len(left))
	}
	where := fmt.Sprintf("%s, field %s", d.named(r.element), r.field.Name)
	if r.file == nil {
		return imprimatur.Result{
			Wrote: &imprimatur.Written{Table: content.FileReferences, UID: r.reference.UID, Kind: "deleted", Complete: true},
			Content: fmt.Sprintf("Removed file %d %s from %s, which now has %d files. The file itself is still there.",
				r.current.UID, titled(r.current.Text("name")), where, len(now)),
		}, nil
	}
	return imprimatur.Result{
		Wrote: &imprimatur.Written{Table: content.FileReferences, UID: now[r.at].UID, Kind: "created", Complete: true},
		Content: fmt.Sprintf("Replaced file %d %s by file %d %s in %s: reference %d, number %d of %d. It is visible wherever the content element is.",
			r.current.UID, titled(r.current.Text("name")), r.file.UID, titled(r.file.Text("name")), where, now[r.at].UID, r.at+1, len(now)),
	}, nil
}

// inPlace takes a write back after which the field does not hold what was
// shown.
func (r replacing) inPlace(now []content.Record, out content.Outcome) error {
	want := len(r.there) - 1
	if r.file != nil {
		want++
	}
	if len(now) != want || r.file != nil && len(out.Created) != 1 {
		return undo("The repository did not change the field %s as approved.", r.field.Name)
	}
	i := 0
	for at, before := range r.there {
		switch {
		case at != r.at:
			if now[i].Ref() != before.Ref() {
				return undo("The files of the field %s would have come into another order.", r.field.Name)
			}
		case r.file == nil:
			continue
		case now[i].Ref() != out.Created[0]:
			return undo("The new file would not have come in the place of the old one.")
		case now[i].Int(content.ColumnFile) != r.file.UID:
			return undo("The field %s would have got another file.", r.field.Name)
		default:
			if err := textsTook(now[i], r.texts); err != nil {
				return err
			}
		}
		i++
	}
	return nil
}
