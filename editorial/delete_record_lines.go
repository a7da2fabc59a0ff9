package editorial

import (
	"context"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/content"
)

// The lines of delete_record, and of copy_record about what comes along.

func (e deleting) lines(ctx context.Context, d desk) ([]imprimatur.Text, error) {
	language, err := d.languageLine(ctx, e.Record)
	if err != nil {
		return nil, err
	}
	heading := catalogue.HeadingDeleteElement
	if e.page() {
		heading = catalogue.HeadingDeletePage
	}
	lines := append([]imprimatur.Text{catalogue.Heading(heading)}, e.objectLines(d)...)
	if !e.page() {
		lines = append(lines, e.locationLine())
	}
	lines = append(lines, language, deletedAlong(catalogue.Translations, len(e.doom.Translations)))
	switch {
	case e.page() && e.Origin > 0:
		lines = append(lines, e.stayingLine())
	case e.page():
		stored := catalogue.RecordStored
		if len(e.doom.Subpages) > 0 {
			stored = catalogue.RecordStoredOnAll
		}
		lines = append(lines, e.subpagesLine(), consequence(stored, d.tally(e.doom.Contents)))
	}
	if owned := e.doom.Owned; len(owned) > 0 {
		lines = append(lines, consequence(catalogue.RecordDeletedWith, d.tally(owned)))
	}
	if n := len(e.doom.References); n > 0 {
		lines = append(lines, consequence(catalogue.RecordFiles, phrase(catalogue.RecordFilesRemoved, map[string]any{"count": n})))
	}
	lines = append(lines, e.incomingLine(), consequence(catalogue.RecordRecoverable, words(catalogue.Yes)))
	return append(lines, catalogue.Technical(e.technical()...)), nil
}

// deletedAlong is a line "name: none" or "name: n, deleted with it".
func deletedAlong(name imprimatur.Label, n int) imprimatur.Text {
	if n == 0 {
		return consequence(name, words(catalogue.None))
	}
	return consequence(name, phrase(catalogue.RecordDeletedAlong, map[string]any{"count": n}))
}

func (e deleting) subpagesLine() imprimatur.Text {
	n := len(e.doom.SubpageTranslations)
	if n == 0 {
		return deletedAlong(catalogue.Subpages, len(e.doom.Subpages))
	}
	return consequence(catalogue.Subpages, phrase(catalogue.RecordSubpagesAlong, map[string]any{
		"subpages": len(e.doom.Subpages), "count": n,
	}))
}

// stayingLine counts what lies on the page in the language of a translation
// that is deleted.
func (e deleting) stayingLine() imprimatur.Text {
	if len(e.staying) == 0 {
		return consequence(catalogue.RecordInLanguage, words(catalogue.None))
	}
	return consequence(catalogue.RecordInLanguage, phrase(catalogue.RecordStay, map[string]any{"count": len(e.staying)}))
}

func (e deleting) incomingLine() imprimatur.Text {
	n := len(e.incoming)
	if n == 0 {
		return consequence(catalogue.RecordIncoming, words(catalogue.None))
	}
	return important(catalogue.RecordReferred, map[string]any{"count": n})
}

func (e deleting) technical() []imprimatur.Phrase {
	parts := []imprimatur.Phrase{technicalRecord(e.Record)}
	if !e.page() {
		parts = append(parts, e.aboveUID())
	}
	parts = append(parts, uid(catalogue.TechnicalLanguage, e.Language))
	if len(e.doom.Translations) > 0 {
		parts = append(parts, uids(catalogue.TechnicalTranslation, e.doom.Translations))
	}
	if len(e.doom.Subpages) > 0 {
		parts = append(parts, uids(catalogue.TechnicalSubpages, e.doom.Subpages))
	}
	return parts
}

// tallied is how many tables a line counts one by one.
const tallied = 8

// tally counts records by table, in the order they come in: "Label: n; Label: n".
func (d desk) tally(records []content.Record) imprimatur.Phrase {
	var tables []string
	counts := map[string]int{}
	for _, rec := range records {
		if counts[rec.Table] == 0 {
			tables = append(tables, rec.Table)
		}
		counts[rec.Table]++
	}
	if len(tables) == 0 {
		return words(catalogue.None)
	}
	var line imprimatur.Phrase
	more := len(records)
	for i, table := range tables[:min(len(tables), tallied)] {
		more -= counts[table]
		line = after(i, line, phrase(catalogue.RecordCount, map[string]any{"name": d.repo.Schema().TableLabel(table), "number": counts[table]}))
	}
	if more > 0 {
		line = after(1, line, phrase(catalogue.RecordCountRest, map[string]any{"number": more}))
	}
	return line
}

// after puts a count behind others.
func after(i int, others, one imprimatur.Phrase) imprimatur.Phrase {
	if i == 0 {
		return one
	}
	return phrase(catalogue.RecordCounts, map[string]any{"first": others, "then": one})
}
