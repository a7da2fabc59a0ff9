package editorial

import (
	"context"
	"fmt"
	"slices"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/content"
)

// The lines of copy_record, and what is held against them afterwards.

// pathLines is how many paths of translations have a line of their own.
const pathLines = 5

func (c copying) lines(ctx context.Context, d desk) ([]imprimatur.Text, error) {
	language, err := d.languageLine(ctx, c.Record)
	if err != nil {
		return nil, err
	}
	heading := catalogue.HeadingCopyElement
	if c.page() {
		heading = catalogue.HeadingCopyPage
	}
	lines := append([]imprimatur.Text{catalogue.Heading(heading)}, c.objectLines(d)...)
	if c.page() {
		paths, err := c.pathLines(ctx, d)
		if err != nil {
			return nil, err
		}
		lines = append(lines, paths...)
	}
	lines = append(lines, c.locationLine(), language, c.targetLine(d))
	lines = append(lines, c.along(d)...)
	visibility := catalogue.HiddenAtFirst
	if len(c.doom.Translations) > 0 {
		visibility = catalogue.RecordAllHidden
	}
	return append(lines,
		consequence(catalogue.Visibility, words(visibility)),
		catalogue.Technical(c.technical()...),
	), nil
}

// pathLines are the paths that the copied page and its translations get.
func (c copying) pathLines(ctx context.Context, d desk) ([]imprimatur.Text, error) {
	lines := []imprimatur.Text{pathLine(c.paths[0])}
	for i, t := range c.doom.Translations[:min(len(c.doom.Translations), pathLines)] {
		language, _, err := d.repo.LanguageLabel(ctx, t.Language)
		if err != nil {
			return nil, err
		}
		name := phrase(catalogue.RecordPathIn, map[string]any{"language": language})
		lines = append(lines, givenAs(name, catalogue.Quoted(c.paths[i+1])))
	}
	if more := len(c.doom.Translations) - pathLines; more > 0 {
		lines = append(lines, imprimatur.Text{Role: imprimatur.RoleField, Phrase: phrase(catalogue.RecordMorePaths, map[string]any{"count": more})})
	}
	return lines, nil
}

func (c copying) targetLine(d desk) imprimatur.Text {
	if c.page() {
		return catalogue.Named(imprimatur.RoleWhere, catalogue.RecordCopyTo, places(underPage(c.target), d.behind(c.anchor, catalogue.FirstSubpage)))
	}
	return catalogue.Named(imprimatur.RoleWhere, catalogue.RecordCopyTo, places(onPage(c.target), d.place(c.column, c.anchor)))
}

// along says what is copied with it, and where that comes.
func (c copying) along(d desk) []imprimatur.Text {
	var lines []imprimatur.Text
	with := slices.Concat(c.doom.Contents, c.doom.Owned)
	if c.page() || len(with) > 0 {
		lines = append(lines, consequence(catalogue.RecordCopiedWith, d.tally(with)))
	}
	if c.page() {
		lines = append(lines, consequence(catalogue.Subpages, words(catalogue.RecordNotCopied)))
	}
	switch n := len(c.doom.Translations); {
	case n == 0:
		lines = append(lines, consequence(catalogue.Translations, words(catalogue.None)))
	case c.page():
		lines = append(lines, consequence(catalogue.Translations, phrase(catalogue.ElementCopiedAlong, map[string]any{"count": n})))
	default:
		lines = append(lines, consequence(catalogue.Translations, phrase(catalogue.RecordCopiedBehind, map[string]any{"count": n})))
	}
	if n := len(c.doom.References); n > 0 {
		lines = append(lines, consequence(catalogue.RecordFiles, phrase(catalogue.RecordFilesCopied, map[string]any{"count": n})))
	}
	return lines
}

func (c copying) technical() []imprimatur.Phrase {
	parts := []imprimatur.Phrase{technicalRecord(c.Record), c.aboveUID(), uid(catalogue.TechnicalLanguage, c.Language), uid(catalogue.TechnicalTargetPage, c.target.UID)}
	if !c.page() {
		parts = append(parts, phrase(catalogue.TechnicalTargetColumn, map[string]any{"number": c.column}))
	}
	if c.anchor.UID != 0 {
		parts = append(parts, uid(catalogue.TechnicalAnchor, c.anchor.UID))
	}
	if len(c.doom.Translations) > 0 {
		parts = append(parts, uids(catalogue.TechnicalTranslation, c.doom.Translations))
	}
	return parts
}

// differs says in which way a copy is not what was shown; nothing where it is.
// created is how many rows were made for it.
func (c copying) differs(d desk, made content.Doom, created int) string {
	originals, copies := c.doom.All(), made.All()
	if len(copies) != len(originals) || created != len(originals) {
		return fmt.Sprintf("The copy would have come out with %d records instead of %d.", max(created, len(copies)), len(originals))
	}
	var names []string
	for i, rec := range copies {
		t, _ := d.repo.Schema().Table(rec.Table)
		if c.placed(i) && rec.Int(t.HiddenField) == 0 {
			return "The copy or one of its translations would have come out visible."
		}
		names = append(names, c.bent(t, i, originals[i], rec)...)
	}
	slices.Sort(names)
	if names = slices.Compact(names); len(names) > 0 {
		return fmt.Sprintf("The copy would have come out with another value of %s.", firstFew(names))
	}
	return ""
}

// placed reports whether the i-th of all rows is the record or a translation of
// it. What lies on a page or belongs to an element is copied as it is.
func (c copying) placed(i int) bool { return i <= len(c.doom.Translations) }

// bent names the columns in which a copied row, the i-th of all, is neither
// like its original nor as the call would have it.
func (c copying) bent(t *content.Table, i int, original, made content.Record) []string {
	want := map[string]any{}
	if c.placed(i) {
		want[t.HiddenField] = int64(1)
		if c.page() {
			want[content.ColumnSlug] = c.paths[i]
		} else {
			want[content.ColumnPosition] = c.column
		}
	}
	return slices.DeleteFunc(altered(original, made), func(name string) bool {
		column, _ := t.Column(name)
		wanted, differs := want[name]
		pointer := column.Name == content.ColumnOwner && t.Name == content.FileReferences || t.Owner != nil && column.Name == t.Owner.Column
		return pointer || column.Type == content.TypeFile || differs && made.Fields[name] == wanted
	})
}
