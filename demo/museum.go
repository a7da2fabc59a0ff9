package demo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/store"
)

// Museum is the website and its people. It is safe for concurrent use.
type Museum struct {
	// Editor (German) is whom the agent acts for; Approver (English) may read
	// and decide what the agent asks for, the papers of the board excepted;
	// Admin may everything and is the colleague who changes things.
	Editor, Approver, Admin imprimatur.User
	// French reads French, where the installation does; else nobody.
	French imprimatur.User

	dir  string
	repo *content.Repository

	mu      sync.Mutex
	changed map[string]Changed // by run, while the process lives
}

// Options bend a museum. The zero value is a good one.
type Options struct {
	Lang string // of the administrator; empty: English
	// Languages are those that the installation adds to the program's.
	Languages []string
}

// Seed puts the museum into a store and a repository that work on one database
// and know the table of Schemas, and its pictures into the folder dir/media. It may be called again on what an
// earlier process left there: nothing is doubled, and nothing that people
// changed is put back.
func Seed(ctx context.Context, repo *content.Repository, st *store.Store, dir string, o Options) (*Museum, error) {
	m := &Museum{dir: dir, repo: repo, changed: map[string]Changed{}}
	if err := m.invite(ctx, st, o); err != nil {
		return nil, err
	}
	sizes, err := paint(dir)
	if err != nil {
		return nil, err
	}
	_, err = repo.Record(ctx, content.System(), content.Pages, home)
	switch {
	case err == nil:
		return m, nil
	case !errors.Is(err, content.ErrNotFound):
		return nil, fmt.Errorf("look for the museum: %w", err)
	}
	if err := m.build(ctx, sizes); err != nil {
		return nil, fmt.Errorf("build the museum: %w", err)
	}
	return m, nil
}

// build writes the whole website at once.
func (m *Museum) build(ctx context.Context, sizes map[string]int64) error {
	for _, l := range []content.Language{
		{ID: english, Code: "en", Label: imprimatur.ByLanguage{"en": "English", "de": "Englisch"}},
		{ID: german, Code: "de", Label: imprimatur.ByLanguage{"en": "German", "de": "Deutsch"}},
	} {
		if err := m.repo.SetLanguage(ctx, l); err != nil {
			return err
		}
	}
	changes := fileChanges(sizes)
	for _, p := range pages() {
		changes = append(changes, p.changes()...)
	}
	changes = append(changes, newsChanges()...)
	return m.apply(ctx, content.System(), changes...)
}

// apply writes all changes or none, and takes every complaint for an error.
func (m *Museum) apply(ctx context.Context, as imprimatur.User, changes ...content.Change) error {
	out, err := m.repo.Apply(ctx, as, content.ChangeSet{Changes: changes})
	if err != nil {
		return err
	}
	if len(out.Complaints) > 0 {
		c := out.Complaints[0]
		return fmt.Errorf("%s %d: %s", c.Table, c.UID, c)
	}
	return nil
}

// Languages of the website.
const (
	english int64 = 0
	german  int64 = 1
)

// page is one page of the website with its translation, whose number is
// translated(uid).
type page struct {
	uid, parent int64
	en, de      words
	office      bool // for the office alone
	unfinished  bool // its translation is hidden still
	elements    []element
}

// words are the texts of a page in one language.
type words struct{ title, description, abstract string }

// element is a content element with its translation; the zero prose: none.
type element struct {
	uid      int64
	kind     string // text, textpic, image, bullets, quote, textteaser
	en, de   prose
	pictures []int64
}

// prose is what an element says in one language: a header and paragraphs, or
// the lines of a list.
type prose struct{ header, body string }

// translated is the number of the German translation of a page or an element.
func translated(uid int64) int64 { return uid + 1000 }

func (p page) changes() []content.Change {
	group := groupEditing
	if p.office {
		group = groupOffice
	}
	create := content.Change{Op: content.Create, Table: content.Pages, UID: p.uid, PID: p.parent, After: content.Last, Fields: p.en.fields(), Rights: rights(group)}
	if p.uid == home {
		create.Fields[content.ColumnSiteRoot] = 1
	}
	translation := content.Change{
		Op: content.Create, Table: content.Pages, UID: translated(p.uid), Language: german, Origin: p.uid, After: content.Last, Fields: p.de.fields(),
	}
	if p.unfinished {
		translation.Fields[content.ColumnHidden] = 1
	}
	changes := []content.Change{create, translation}
	for _, e := range p.elements {
		changes = append(changes, e.changes(p.uid)...)
	}
	return changes
}

func (w words) fields() map[string]any {
	return map[string]any{"title": w.title, "description": w.description, "abstract": w.abstract, content.ColumnHidden: 0}
}

func (e element) changes(page int64) []content.Change {
	create := func(uid int64, text prose) content.Change {
		return content.Change{
			Op: content.Create, Table: content.Elements, UID: uid, PID: page, After: content.Last,
			Fields: map[string]any{content.ColumnKind: e.kind, "header": text.header, "bodytext": e.body(text)},
		}
	}
	changes := []content.Change{create(e.uid, e.en)}
	if e.de != (prose{}) {
		translation := create(translated(e.uid), e.de)
		translation.Language, translation.Origin = german, e.uid
		changes = append(changes, translation)
	}
	for _, file := range e.pictures {
		changes = append(changes, content.Attach(content.Ref{Table: content.Elements, UID: e.uid}, "image", file, nil))
	}
	return changes
}

// body is what is stored: paragraphs as HTML, lists as their lines.
func (e element) body(text prose) string {
	if e.kind == "bullets" || text.body == "" {
		return text.body
	}
	paragraphs := slices.DeleteFunc(strings.Split(text.body, "\n"), func(s string) bool { return s == "" })
	return "<p>" + strings.Join(paragraphs, "</p>\n<p>") + "</p>"
}

func fileChanges(sizes map[string]int64) []content.Change {
	var changes []content.Change
	for _, p := range pictures() {
		changes = append(changes,
			content.Change{Op: content.Create, Table: content.Files, UID: p.uid, Fields: map[string]any{
				content.ColumnStorage: Storage, content.ColumnIdentifier: "/pictures/" + p.name,
				"name": p.name, "extension": "png", "mime_type": "image/png", "size": sizes[p.name],
			}},
			p.metadata(0, p.en, english, 0),
			p.metadata(translated(p.uid), p.de, german, p.uid),
		)
	}
	return changes
}

func (p picture) metadata(uid int64, d described, language, origin int64) content.Change {
	return content.Change{
		Op: content.Create, Table: content.FileMetadata, UID: cmp.Or(uid, p.uid), Language: language, Origin: origin,
		Fields: map[string]any{
			content.ColumnFile: p.uid, "title": d.title, "alternative": d.alternative,
			"creator": "Imprimatur", "width": width, "height": height,
		},
	}
}
