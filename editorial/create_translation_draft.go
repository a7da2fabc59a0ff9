package editorial

import (
	"context"
	"fmt"
	"slices"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/content"
)

// newTranslation is a page or content element to be translated.
type newTranslation struct {
	Table     string `json:"table" is:"one=pages|content" about:"pages for a page, content for a content element"`
	UID       int64  `json:"uid" is:"min=1" about:"UID of the page or content element in the default language"`
	Language  int64  `json:"language" is:"min=1" about:"UID of the language to translate into"`
	Overwrite bool   `json:"overwrite" is:"optional" about:"true discards a translation into this language that is there already; left out, such a call is refused"`
}

// createTranslationDraft creates the hidden translation of a page or element.
func (d desk) createTranslationDraft() imprimatur.Tool {
	return writer(d, definition[newTranslation]{
		name: "create_translation_draft",
		description: "Creates the translation of one page or content element: a copy in another language, always hidden and linked to the original, with its texts as they are. " +
			"Translate them afterwards with update_content_element or update_page_metadata. The content of a page is not translated along. A person must approve the call.",
		effect: imprimatur.NonIdempotentWrite,
		plan:   desk.planTranslation,
	})
}

func (d desk) planTranslation(ctx context.Context, u imprimatur.User, args newTranslation) (*plan, error) {
	t, err := d.translatable(ctx, u, args)
	if err != nil {
		return nil, err
	}
	if t.original.Origin > 0 {
		return nil, refuse("%s %d is a translation itself: name %s %d, which is in the default language.",
			capital(noun(t.original)), t.original.UID, noun(t.original), t.original.Origin)
	}
	if t.original.Language < 0 {
		return nil, refuse("%s %d is for all languages and has no translations.", capital(noun(t.original)), t.original.UID)
	}
	if t.original.Language > 0 {
		return nil, refuse("%s %d stands for itself in language %d: only what is in the default language is translated.",
			capital(noun(t.original)), t.original.UID, t.original.Language)
	}
	var installed bool
	if t.language, installed, err = d.repo.LanguageLabel(ctx, args.Language); err != nil {
		return nil, err
	}
	if !installed {
		return nil, refuse("There is no language %d.", args.Language)
	}
	if err := d.readExisting(ctx, u, &t); err != nil {
		return nil, err
	}
	if err := d.readCopied(ctx, u, &t); err != nil {
		return nil, err
	}
	return t.plan(ctx, d)
}

// translatable returns the record that a call names, if the user may translate
// it into this language.
func (d desk) translatable(ctx context.Context, u imprimatur.User, args newTranslation) (t translating, err error) {
	neutral := noElement
	t.args = args
	if args.Table == content.Pages {
		neutral = noPage
		t.original, err = d.editablePage(ctx, u, args.UID, neutral)
		t.page = t.original
	} else {
		t.original, t.page, err = d.editableElement(ctx, u, args.UID, neutral)
	}
	if err == nil && !content.MayUseLanguage(u, args.Language) {
		err = refuseNeutrally(neutral)
	}
	return t, err
}

// translating is a call that may be carried out.
type translating struct {
	args           newTranslation
	original, page content.Record
	language       imprimatur.ByLanguage
	existing       content.Doom     // zero where there is no translation yet
	files, owned   []content.Record // copied along
	path           string           // URL path of a translated page
}

func (t translating) plan(ctx context.Context, d desk) (*plan, error) {
	p := &plan{seen: content.Versions{}, report: t.report, changes: t.changes()}
	p.seen.Add(t.original, t.page)
	p.seen.Add(slices.Concat(t.files, t.owned)...)
	root, found, err := d.repo.SiteRoot(ctx, t.page.UID)
	if err != nil {
		return nil, err
	}
	p.lines = append(p.lines, catalogue.Heading(catalogue.HeadingTranslate))
	if t.args.Table == content.Pages {
		p.lines = append(p.lines, pageLine(t.original))
	} else {
		p.lines = append(append(p.lines, d.elementLines(t.original)...), locationLine(t.page))
	}
	p.lines = append(p.lines,
		catalogue.Named(imprimatur.RoleWhere, catalogue.TranslationLanguage, t.language),
		catalogue.Named(imprimatur.RoleWhere, catalogue.WhereNew, words(catalogue.TranslationCopy)))
	if t.path != "" {
		p.lines = append(p.lines, pathLine(t.path))
	}
	p.lines = append(p.lines, t.copiedLines(d)...)
	p.lines = append(p.lines, hiddenLine())
	parts := []imprimatur.Phrase{technicalRecord(t.original), uid(catalogue.TechnicalLanguage, t.args.Language)}
	if t.args.Table != content.Pages {
		parts = append(parts, uid(catalogue.TechnicalPage, t.page.UID))
	}
	if t.existing.Record.UID != 0 {
		p.seen.Add(t.existing.All()...)
		p.lines = append(p.lines, t.discardLines(d)...)
		parts = append(parts, uid(catalogue.TechnicalExisting, t.existing.Record.UID))
	}
	if found {
		p.seen.Add(root)
		parts = append(parts, uid(catalogue.PageSiteRoot, root.UID))
	}
	p.lines = append(p.lines, sentence(catalogue.TranslationImpact, nil), catalogue.Technical(parts...))
	return p, nil
}

// copiedLines say what comes along and what stays with the original.
func (t translating) copiedLines(d desk) []imprimatur.Text {
	var lines []imprimatur.Text
	if texts := t.names(d, func(c content.Column) bool {
		return !c.Inherited && (c.Type == content.TypeInput || c.Type == content.TypeText)
	}); texts != nil {
		lines = append(lines, consequence(catalogue.TranslationTexts, named(texts)))
	}
	if inherited := t.names(d, func(c content.Column) bool { return c.Inherited }); inherited != nil {
		lines = append(lines, consequence(catalogue.TranslationInherited, named(inherited)))
	}
	if n := len(t.files); n > 0 {
		lines = append(lines, consequence(catalogue.ElementFiles, phrase(catalogue.ElementCopiedAlong, map[string]any{"count": n})))
	}
	if n := len(t.owned); n > 0 {
		lines = append(lines, consequence(catalogue.ElementRecords, phrase(catalogue.ElementCopiedAlong, map[string]any{"count": n})))
	}
	return lines
}

// names are what the columns of the original that have a value are called, of
// those that are wanted, in the order of its form.
func (t translating) names(d desk, wanted func(content.Column) bool) []imprimatur.Phrase {
	table, _ := d.repo.Schema().Table(t.args.Table)
	kind, _ := table.Kind(d.repo.Schema().KindOf(t.original))
	var names []imprimatur.Phrase
	for _, name := range kind.Columns {
		if c, _ := table.Column(name); wanted(c) && t.original.Text(name) != "" {
			names = append(names, quotedLabel(d.repo.Schema().ColumnLabel(t.args.Table, kind.Value, name)))
		}
	}
	return names
}

// listedNames is how many names of fields a line shows.
const listedNames = 6

// named joins names; beyond six it says how many more there are.
func named(names []imprimatur.Phrase) any {
	more := len(names) - listedNames
	if more <= 0 {
		return names
	}
	return phrase(catalogue.TranslationMoreNames, map[string]any{"names": names[:listedNames], "count": more})
}

func (t translating) discardLines(d desk) []imprimatur.Text {
	title := catalogue.Quoted(d.repo.Schema().Title(t.existing.Record))
	lines := []imprimatur.Text{important(catalogue.TranslationDiscarded, map[string]any{"record": title})}
	if n := len(t.existing.All()) - 1; n > 0 {
		lines = append(lines, consequence(catalogue.TranslationDiscardedWith, phrase(catalogue.TranslationDiscardedRest, map[string]any{"count": n})))
	}
	return lines
}

// translationKey names the new record within the change set.
const translationKey = "translation"

func (t translating) changes() []content.Change {
	localize := content.Change{
		Op: content.Localize, Table: t.args.Table, UID: t.original.UID, Language: t.args.Language, Key: translationKey,
	}
	if t.existing.Record.UID == 0 {
		return []content.Change{localize}
	}
	return []content.Change{{Op: content.Delete, Table: t.args.Table, UID: t.existing.Record.UID}, localize}
}

// report reads back. A translation that did not come out as approved is taken
// back, and with it the discarding of the one that was there.
func (t translating) report(ctx context.Context, d desk, out content.Outcome) (imprimatur.Result, error) {
	uid, created := out.IDs[translationKey]
	if !created {
		return imprimatur.Result{}, undo("The repository did not create the translation.")
	}
	rec, err := d.repo.Row(ctx, content.Ref{Table: t.args.Table, UID: uid})
	if err != nil {
		return imprimatur.Result{}, err
	}
	if wrong, err := t.wrong(ctx, d, rec); err != nil || wrong != "" {
		if err == nil {
			err = undo("%s", wrong)
		}
		return imprimatur.Result{}, err
	}
	discarded := ""
	if t.existing.Record.UID != 0 {
		discarded = fmt.Sprintf(" Discarded %s %d, which can be restored.", noun(t.original), t.existing.Record.UID)
	}
	return imprimatur.Result{
		Wrote: &imprimatur.Written{Table: rec.Table, UID: rec.UID, Kind: "created", Complete: true},
		Content: fmt.Sprintf("Created %s %d %s, the translation of %d into language %d, hidden and with the texts of the original.%s Translate them now; a person makes it visible.",
			noun(t.original), rec.UID, titled(d.repo.Schema().Title(rec)), t.original.UID, t.args.Language, discarded),
	}, nil
}
