package editorial

import (
	"context"
	"errors"
	"fmt"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/content"
)

// socialImage is an image that is to represent a page where it is shared.
type socialImage struct {
	Page    int64  `json:"page" is:"min=1" about:"UID of the page, in the default language"`
	Field   string `json:"field" is:"one=og_image|twitter_image" about:"og_image for social networks in general, twitter_image for X"`
	File    int64  `json:"file" is:"min=1" about:"UID of the file"`
	Replace bool   `json:"replace" is:"optional" about:"true removes the image that is there; left out, a field that holds one is refused"`
}

// setPageSocialImage puts an image into a field that holds one.
func (d desk) setPageSocialImage() imprimatur.Tool {
	return writer(d, definition[socialImage]{
		name: "set_page_social_image",
		description: "Sets the image of one page for social networks or for X. The file has to be in the repository already and stays as it is. " +
			"A person must approve the call.",
		effect: imprimatur.NonIdempotentWrite,
		plan:   desk.planSocialImage,
	})
}

func (d desk) planSocialImage(ctx context.Context, u imprimatur.User, args socialImage) (*plan, error) {
	page, err := d.editablePage(ctx, u, args.Page, noPageOrFile)
	if err != nil {
		return nil, err
	}
	file, err := d.usableFile(ctx, u, args.File, noPageOrFile)
	if err != nil {
		return nil, err
	}
	if !content.MayModify(u, content.FileReferences) {
		return nil, refuseNeutrally(noPageOrFile)
	}
	if page.Origin > 0 {
		return nil, refuse("Page %d is a translation of page %d: only a page in the default language can be given an image here.", page.UID, page.Origin)
	}
	field, err := d.imageField(ctx, u, page, file, args.Field)
	if err != nil {
		return nil, err
	}
	s := sharing{page: page, file: file, field: field}
	if err := s.current(ctx, d); err != nil {
		return nil, err
	}
	if err := s.mayReplace(ctx, d, u, args.Replace); err != nil {
		return nil, err
	}
	return s.plan(), nil
}

// imageField is the field that a call names, if the user may set it and it
// takes the file.
func (d desk) imageField(ctx context.Context, u imprimatur.User, page, file content.Record, name string) (content.Column, error) {
	field, ok := d.repo.Schema().Column(content.Pages, name)
	if !ok || field.Type != content.TypeFile {
		return content.Column{}, refuse("This installation has no field %s.", name)
	}
	if err := d.grants(u, content.Pages, []string{name}); err != nil {
		return content.Column{}, err
	}
	if err := d.pageForm(ctx, page.Text(content.ColumnPageType), page, nil, []content.Column{field}); err != nil {
		return content.Column{}, err
	}
	return field, accepts(field, file)
}

// sharing is a call that may be carried out.
type sharing struct {
	page, file content.Record
	field      content.Column
	references []content.Record // in the field so far
	translated []content.Record // references of translations, which go with them
	owners     []content.Record // the translations of the page that have these
	images     []content.Record // files of the references, as far as they are there
}

// current reads what is in the field.
func (s *sharing) current(ctx context.Context, d desk) (err error) {
	if s.references, err = d.repo.References(ctx, s.page.Ref(), s.field.Name); err != nil {
		return err
	}
	for _, ref := range s.references {
		image, err := d.repo.Row(ctx, content.Ref{Table: content.Files, UID: ref.Int(content.ColumnFile)})
		if err != nil && !errors.Is(err, content.ErrNotFound) {
			return err
		}
		s.images = append(s.images, image)
		translated, err := d.repo.Translations(ctx, ref.Ref())
		if err != nil {
			return err
		}
		s.translated = append(s.translated, translated...)
	}
	for _, ref := range s.translated {
		owner, err := d.repo.Row(ctx, content.Ref{Table: ref.Text(content.ColumnOwnerTable), UID: ref.Int(content.ColumnOwner)})
		if err != nil && !errors.Is(err, content.ErrNotFound) {
			return err
		}
		s.owners = append(s.owners, owner)
	}
	return nil
}

// mayReplace refuses a field that is occupied, and one whose image is that of a
// translation that the user may not change.
func (s *sharing) mayReplace(ctx context.Context, d desk, u imprimatur.User, replace bool) error {
	if len(s.references) == 1 && s.references[0].Int(content.ColumnFile) == s.file.UID {
		return refuse("The field %s of page %d holds this file already. Nothing was written.", s.field.Name, s.page.UID)
	}
	if len(s.references) > 0 && !replace {
		return refuse("The field %s of page %d holds an image already, %s: set replace to true to remove it.",
			s.field.Name, s.page.UID, titled(s.images[0].Text("name")))
	}
	var closed []content.Record
	for i, ref := range s.translated {
		if !d.repo.MayEditRecord(u, ref) || s.owners[i].UID != 0 && !d.repo.MayEditRecord(u, s.owners[i]) {
			closed = append(closed, ref)
		}
	}
	if len(closed) == 0 {
		return nil
	}
	names, err := d.languageNames(ctx, closed)
	if err != nil {
		return err
	}
	return refuse("Translations that the user this run acts for may not change use the current image: %s. Nothing was written.", names)
}

func (s *sharing) plan() *plan {
	p := &plan{seen: content.Versions{}, report: s.report, lines: s.lines()}
	p.seen.Add(s.page, s.file)
	p.seen.Add(s.references...)
	p.seen.Add(s.translated...)
	for _, image := range s.images {
		if image.UID != 0 {
			p.seen.Add(image)
		}
	}
	for _, ref := range s.references {
		p.changes = append(p.changes, content.Change{Op: content.Delete, Table: ref.Table, UID: ref.UID})
	}
	p.changes = append(p.changes, content.Attach(s.page.Ref(), s.field.Name, s.file.UID, nil))
	return p
}

func (s *sharing) lines() []imprimatur.Text {
	heading := catalogue.HeadingSocialOG
	if s.field.Name == "twitter_image" {
		heading = catalogue.HeadingSocialX
	}
	lines := []imprimatur.Text{
		catalogue.Heading(heading),
		pageLine(s.page),
		catalogue.Named(imprimatur.RoleWhere, catalogue.WhereLanguage, words(catalogue.LanguageDefault)),
		catalogue.Named(imprimatur.RoleField, catalogue.WhereCurrently, s.currently()),
		newFileLine(s.file),
	}
	technical := []imprimatur.Phrase{uid(catalogue.TechnicalPage, s.page.UID), uid(catalogue.TechnicalFile, s.file.UID)}
	if n := len(s.references); n > 0 {
		lines = append(lines, important(catalogue.PageImageRemoved, map[string]any{"count": n}))
		technical = append(technical, uids(catalogue.PageCurrentReferences, s.references))
	}
	if n := len(s.translated); n > 0 {
		lines = append(lines, consequence(catalogue.PageTranslatedImages, n))
		technical = append(technical, uids(catalogue.PageTranslatedReferences, s.translated))
	}
	technical = append(technical, phrase(catalogue.TechnicalField, map[string]any{"field": s.field.Name}))
	return append(lines, catalogue.Technical(technical...))
}

// namedImages is how many current images a line names.
const namedImages = 3

// currently is what is in the field.
func (s *sharing) currently() any {
	if len(s.images) == 0 {
		return words(catalogue.PageNoImage)
	}
	var names []imprimatur.Phrase
	for _, image := range s.images[:min(len(s.images), namedImages)] {
		names = append(names, catalogue.Quoted(image.Text("name")))
	}
	if more := len(s.images) - namedImages; more > 0 {
		return phrase(catalogue.PageMoreImages, map[string]any{"names": names, "count": more})
	}
	return names
}

// report reads back: the field holds the new file, and nothing else.
func (s *sharing) report(ctx context.Context, d desk, out content.Outcome) (imprimatur.Result, error) {
	if len(out.Created) == 0 {
		return imprimatur.Result{}, undo("The repository left the field %s as it is.", s.field.Name)
	}
	ref := out.Created[0]
	refs, err := d.repo.References(ctx, s.page.Ref(), s.field.Name)
	if err != nil {
		return imprimatur.Result{}, fmt.Errorf("read back the image: %w", err)
	}
	switch {
	case len(refs) != 1 || refs[0].Ref() != ref:
		return imprimatur.Result{}, undo("The field %s would have held something besides the file.", s.field.Name)
	case refs[0].Int(content.ColumnFile) != s.file.UID:
		return imprimatur.Result{}, undo("The field %s would have got another file.", s.field.Name)
	}
	if err := textsTook(refs[0], nil); err != nil {
		return imprimatur.Result{}, err
	}
	if err := d.counted(ctx, s.page.Ref(), s.field.Name, 1); err != nil {
		return imprimatur.Result{}, err
	}
	text := fmt.Sprintf("Set file %d %s as %s of %s: file reference %d.",
		s.file.UID, titled(s.file.Text("name")), s.field.Name, pageNamed(s.page), ref.UID)
	if len(s.references) > 0 {
		text += " The image that was there is removed from the page; its file stays."
	}
	return imprimatur.Result{
		Wrote:   &imprimatur.Written{Table: ref.Table, UID: ref.UID, Kind: "created", Complete: true},
		Content: text,
	}, nil
}
