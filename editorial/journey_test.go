package editorial_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/imprimaturtest"
	"github.com/imprimatur-dev/imprimatur/store"
)

// Execute implements imprimatur.Tool.
func (g *gated) Execute(ctx context.Context, call imprimatur.Call) (imprimatur.Result, error) {
	if before := g.gate.before; before != nil && call.ID == second {
		g.gate.before = nil
		before()
	}
	return g.previewing.Execute(ctx, call)
}

// second is the call of a turn of two that somebody comes before.
const second = "call-1-2"

// change is a write by somebody else, while a card waits.
type change struct {
	table  string
	uid    int64
	fields map[string]any
}

func (c change) of() content.Change {
	return content.Change{Op: content.Update, Table: c.table, UID: c.uid, Fields: c.fields}
}

// journey is a call on the real website, something that its card shows, and
// something that it does not.
type journey struct {
	args                 func(in subjects) string
	relevant, irrelevant func(in subjects) content.Change
}

func titled(table, column string, uid func(in subjects) int64) func(in subjects) content.Change {
	return func(in subjects) content.Change {
		return change{table, uid(in), map[string]any{column: "Changed meanwhile"}}.of()
	}
}

// notes is a column that no card shows.
func notes(table string, uid func(in subjects) int64) func(in subjects) content.Change {
	return titled(table, "notes", uid)
}

func aPage(in subjects) int64    { return in.page }
func aParent(in subjects) int64  { return in.parent }
func aHidden(in subjects) int64  { return in.hidden }
func aText(in subjects) int64    { return in.element }
func aPicture(in subjects) int64 { return in.withFiles }

func journeys() map[string]journey {
	ofPage, ofElement := notes(content.Pages, aPage), notes(content.Elements, aText)
	return map[string]journey{
		"create_page_draft": {
			func(in subjects) string { return fmt.Sprintf(`{"parent":%d,"title":"Press"}`, in.parent) },
			titled(content.Pages, "title", aParent), notes(content.Pages, aParent),
		},
		"move_page": {
			func(in subjects) string { return fmt.Sprintf(`{"after_page_uid":%d,"uid":%d}`, in.sibling, in.page) },
			titled(content.Pages, "title", func(in subjects) int64 { return in.sibling }), ofPage,
		},
		"update_page_metadata": {
			func(in subjects) string { return fmt.Sprintf(`{"nav_title":"Short","uid":%d}`, in.page) },
			titled(content.Pages, "nav_title", aPage), titled(content.Pages, "subtitle", aPage),
		},
		"set_page_social_image": {
			func(in subjects) string {
				return fmt.Sprintf(`{"field":"og_image","file":%d,"page":%d}`, in.file, in.page)
			},
			titled(content.Pages, "title", aPage), ofPage,
		},
		"create_content_element_draft": {
			func(in subjects) string {
				return fmt.Sprintf(`{"after_content_uid":%d,"bodytext":"Come in.","header":"Welcome","page":%d,"type":"text"}`, in.other, in.target)
			},
			titled(content.Elements, "header", func(in subjects) int64 { return in.other }),
			notes(content.Elements, func(in subjects) int64 { return in.other }),
		},
		"update_content_element": {
			func(in subjects) string {
				return fmt.Sprintf(`{"fields":{"bodytext":"<p>New</p>"},"uid":%d}`, in.element)
			},
			titled(content.Elements, "bodytext", aText), titled(content.Elements, "subheader", aText),
		},
		"move_content_element": {
			func(in subjects) string { return fmt.Sprintf(`{"target_page":%d,"uid":%d}`, in.target, in.element) },
			titled(content.Pages, "title", func(in subjects) int64 { return in.target }), ofElement,
		},
		"attach_file_to_content_element": {
			func(in subjects) string {
				return fmt.Sprintf(`{"content_element":%d,"field":"image","file":%d}`, in.withFiles, in.file)
			},
			func(in subjects) content.Change {
				return content.Attach(content.Ref{Table: content.Elements, UID: in.withFiles}, in.field, in.another, nil)
			}, titled(content.Elements, "bodytext", aPicture),
		},
		"attach_file_to_record": {
			func(in subjects) string {
				return fmt.Sprintf(`{"file":%d,"record":%d,"table":"news"}`, in.file, in.news)
			},
			func(in subjects) content.Change {
				return content.Attach(content.Ref{Table: "news", UID: in.news}, "pictures", in.another, nil)
			}, titled("news", "teaser", func(in subjects) int64 { return in.news }),
		},
		"replace_file_reference": {
			func(in subjects) string { return fmt.Sprintf(`{"action":"remove","reference":%d}`, in.reference) },
			func(in subjects) content.Change {
				return content.Attach(content.Ref{Table: content.Elements, UID: in.withFiles}, in.field, in.another, nil)
			}, titled(content.Elements, "bodytext", aPicture),
		},
		"set_file_alternative_text": {
			func(in subjects) string { return fmt.Sprintf(`{"alternative":"A door","uid":%d}`, in.file) },
			described("alternative"), described("copyright"),
		},
		"update_file_metadata": {
			func(in subjects) string { return fmt.Sprintf(`{"title":"The door","uid":%d}`, in.file) },
			described("title"), described("alternative"),
		},
		"copy_record": {
			func(in subjects) string {
				return fmt.Sprintf(`{"table":"content","target_page":%d,"uid":%d}`, in.target, in.element)
			},
			titled(content.Elements, "header", aText), ofElement,
		},
		"publish_record": {
			func(in subjects) string { return fmt.Sprintf(`{"table":"pages","uid":%d}`, in.hidden) },
			titled(content.Pages, "title", aHidden), notes(content.Pages, aHidden),
		},
		"delete_record": {
			func(in subjects) string { return fmt.Sprintf(`{"table":"pages","uid":%d}`, in.page) },
			func(in subjects) content.Change {
				return content.Change{Op: content.Create, Table: "news", PID: in.page, Fields: map[string]any{"title": "One more"}}
			}, ofPage,
		},
		"create_record_draft": {
			func(in subjects) string {
				return fmt.Sprintf(`{"fields":{"title":"Closed"},"pid":%d,"table":"news"}`, in.page)
			},
			titled(content.Pages, "title", aPage), ofPage,
		},
		"create_translation_draft": {
			func(in subjects) string { return fmt.Sprintf(`{"language":3,"table":"content","uid":%d}`, in.element) },
			titled(content.Elements, "header", aText), ofElement,
		},
		// A pure function of address and language: what changes is the language of
		// the person, which TestEveryToolBouncesAndApproves sees to.
		"fetch_external_url": {
			func(subjects) string { return `{"url":"https://example.org/?q=1"}` },
			nil, ofPage,
		},
	}
}

// described changes what describes a file.
func described(column string) func(in subjects) content.Change {
	return func(in subjects) content.Change {
		return change{content.FileMetadata, in.file, map[string]any{column: "Changed meanwhile"}}.of()
	}
}

// previewingTools lists the tools that show their calls, by name.
func (o *realOffice) previewingTools(t *testing.T, as imprimatur.Actor) []string {
	t.Helper()
	offered, err := o.Tools(t.Context(), as, imprimaturtest.Agent)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range offered {
		if tool.Previews {
			names = append(names, tool.Name)
		}
	}
	return names
}

// Proves tools 24, 25, 28, 30, 31, 44, 49.
func TestEveryToolBouncesAndApprovesOnTheRealSite(t *testing.T) {
	t.Parallel()
	first := openReal(t)
	tools := first.previewingTools(t, first.Person(t, store.NewUser{Name: "Jana Roth", Admin: true}))
	if len(tools) != 18 {
		t.Errorf("%d tools preview: %v", len(tools), tools)
	}
	table := journeys()
	for i, name := range tools {
		languages := []string{"en", "de"}
		if raced { // every tool in one of them, and both in turn
			languages = languages[i%2 : i%2+1]
		}
		j, ok := table[name]
		if !ok {
			t.Errorf("%s previews and has no journey", name)
			continue
		}
		for _, lang := range languages {
			t.Run(name+"/"+lang, func(t *testing.T) {
				t.Parallel()
				journeyed(t, name, lang, j)
			})
		}
	}
	for name := range table {
		if !slices.Contains(tools, name) {
			t.Errorf("a journey with %s, which no tool is called", name)
		}
	}
}

// journeyed takes a call through a change that its card shows, which brings it
// back with nothing written, and through one that it does not show.
func journeyed(t *testing.T, name, lang string, j journey) {
	o := openReal(t)
	jana := o.Person(t, store.NewUser{Name: "Jana Roth", Lang: lang, Admin: true})
	ask := imprimaturtest.Call{Tool: name, Args: j.args(o.subjects)}

	run := o.Ask(t, jana, ask)
	card := o.waiting(t, jana, run)
	if p := card.Calls[0].Preview; p.Language != lang || p.Failed || p.Lines[0].Role != imprimatur.RoleHeading || card.Calls[0].Title == "" {
		t.Fatalf("the card reads %+v", p)
	}
	if j.relevant != nil {
		o.meanwhile(t, j.relevant(o.subjects))
	} else {
		other := map[string]string{"en": "de", "de": "en"}[lang]
		if _, err := o.Store.ChangeUser(t.Context(), jana.User.ID, store.UserChange{Lang: &other}); err != nil {
			t.Fatal(err)
		}
	}
	before := o.content(t)
	run = o.Approve(t, jana, run.ID)
	card = o.waiting(t, jana, run)
	if !run.Back || card.Calls[0].Stale != imprimatur.MarkChanged || len(card.Calls[0].Was) == 0 {
		t.Fatalf("a change that the card shows leaves it as it was: %+v", card.Calls[0])
	}
	if diff := cmp.Diff(before, o.content(t)); diff != "" {
		t.Fatalf("a card that came back wrote\n%s", diff)
	}
	o.completes(t, jana, run, before)

	o = openReal(t)
	jana = o.Person(t, store.NewUser{Name: "Jana Roth", Lang: lang, Admin: true})
	run = o.Ask(t, jana, ask)
	o.waiting(t, jana, run)
	o.meanwhile(t, j.irrelevant(o.subjects))
	o.completes(t, jana, run, o.content(t))
}

// completes approves, and expects the call to be carried out.
func (o *realOffice) completes(t *testing.T, as imprimatur.Actor, run imprimatur.Run, before string) {
	t.Helper()
	run = o.Approve(t, as, run.ID)
	if run.Status != imprimatur.StatusCompleted {
		t.Fatalf("the run is %s after the approval: %+v", run.Status, o.Look(t, as, run.ID).Calls)
	}
	card := o.Look(t, as, run.ID)
	fetches := card.Calls[0].Effect == imprimatur.ReadOnly
	if !fetches && !card.Ran[len(card.Ran)-1].OK {
		t.Errorf("the call was not carried out: %q", o.Results(run))
	}
	if wrote := o.content(t) != before; wrote == fetches {
		t.Errorf("wrote: %v; the tools answered %q", wrote, o.Results(run))
	}
}

func (o *realOffice) waiting(t *testing.T, as imprimatur.Actor, run imprimatur.Run) imprimatur.Card {
	t.Helper()
	if run.Status != imprimatur.StatusWaiting {
		t.Fatalf("the run is %s: %q", run.Status, o.Results(run))
	}
	return o.Look(t, as, run.ID)
}

// meanwhile writes as somebody else.
func (o *realOffice) meanwhile(t *testing.T, c content.Change) {
	t.Helper()
	out, err := o.repo.Apply(t.Context(), content.System(), content.ChangeSet{Changes: []content.Change{c}})
	if err != nil || len(out.Complaints) > 0 {
		t.Errorf("changing something meanwhile: %v %v", out.Complaints, err)
	}
}

// content is everything there is in the repository.
func (o *realOffice) content(t *testing.T) string {
	t.Helper()
	rows, err := o.Store.Reader().Query("SELECT tab || ':' || uid || ' ' || pid || ' ' || version || ' ' || sorting || ' ' || deleted || ' ' || fields FROM content_records ORDER BY tab, uid")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var b strings.Builder
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			t.Fatal(err)
		}
		b.WriteString(line + "\n")
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Between the last look and the write there is nothing but the write itself:
// what the card shows brings back the rest of the turn, what it does not show
// lets it through.
func TestAChangeBeforeTheWriteMovesTheCallOrGoesUnnoticed(t *testing.T) {
	t.Parallel()
	for name, j := range journeys() {
		if j.relevant == nil {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := openReal(t)
			jana := o.Person(t, store.NewUser{Name: "Jana Roth", Lang: "de", Admin: true})
			calls := []imprimaturtest.Call{
				{Tool: "update_page_metadata", Args: fmt.Sprintf(`{"keywords":"first","uid":%d}`, o.hidden)},
				{Tool: name, Args: j.args(o.subjects)},
			}
			o.moves(t, jana, calls, j)
			o = openReal(t)
			jana = o.Person(t, store.NewUser{Name: "Jana Roth", Lang: "de", Admin: true})
			run := o.Ask(t, jana, calls...)
			o.gate.before = func() { o.meanwhile(t, j.irrelevant(o.subjects)) }
			o.completes(t, jana, run, o.content(t))
		})
	}
}

func (o *realOffice) moves(t *testing.T, jana imprimatur.Actor, calls []imprimaturtest.Call, j journey) {
	t.Helper()
	run := o.Ask(t, jana, calls...)
	before := ""
	o.gate.before = func() {
		o.meanwhile(t, j.relevant(o.subjects))
		before = o.content(t)
	}
	run = o.Approve(t, jana, run.ID)
	card := o.waiting(t, jana, run)
	if len(card.Calls) != 1 || card.Calls[0].Stale != imprimatur.MarkMoved || len(card.Ran) != len(calls)-1 {
		t.Fatalf("%d calls ran and %+v wait", len(card.Ran), card.Calls)
	}
	if diff := cmp.Diff(before, o.content(t)); diff != "" {
		t.Errorf("a call that moved wrote\n%s", diff)
	}
	o.completes(t, jana, run, before)
}
