package editorial_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
	"github.com/imprimatur-dev/imprimatur/editorial"
)

const draft = "create_record_draft"

func draftOf(table string, page int64, fields string) string {
	return fmt.Sprintf(`{"fields":{%s},"pid":%d,"table":%q}`, fields, page, table)
}

// collector is the editor who may create exhibits of both kinds.
func collector(s *stage) imprimatur.User {
	return lacking(s.Editor, func(r *imprimatur.Rights) {
		r.Values = append(slices.Clone(r.Values), "exhibits.kind.object", "exhibits.kind.loan")
	})
}

// Proves tools 73, 74.
func TestARecordIsCreatedHiddenAndAsItsCardSays(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	args := draftOf("exhibits", contenttest.VisitTeam, `"kind":"loan","name":"  Ship’s bell","lender":"","since":"1999-12-31T23:00:00+01:00","story":"<p>Old</p>"`)
	cards(t, s, "everything", draft, args)
	before := s.dump(t)
	result := s.approve(t, collector(s), draft, args)
	rows := added(t, s, before)
	if len(rows) != 1 {
		t.Fatalf("%d rows came: %v", len(rows), rows)
	}
	rec := rows[0]
	want := map[string]any{
		"name": "  Ship’s bell", "kind": "loan", "lender": "", "since": int64(946677600), "story": "<p>Old</p>", "hidden": int64(1),
		"pictures": int64(0), "papers": int64(0),
	}
	if diff := cmp.Diff(want, rec.Fields); diff != "" || rec.PID != contenttest.VisitTeam || rec.Language != 0 || rec.Origin != 0 {
		t.Errorf("%s %+v", diff, rec)
	}
	if diff := cmp.Diff(&imprimatur.Written{Table: "exhibits", UID: rec.UID, Kind: "created", Complete: true}, result.Wrote); diff != "" {
		t.Error(diff)
	}
	if want := fmt.Sprintf("Created exhibits record %d “Ship’s bell” on page 12 “Team”, hidden. It shows to nobody until a person makes it visible.", rec.UID); result.Content != want {
		t.Errorf("%q, want %q", result.Content, want)
	}
}

func TestTheTypeOfARecordSelectsItsForm(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	for args, want := range map[string]string{
		draftOf("news", 10, `"title":"x","kind":"link","teaser":"y"`):                   `The field "teaser" is not offered here. Offered: title.`,
		draftOf("news", 10, `"title":"x","kind":"wide"`):                                `The field "kind" must be one of "article", "link".`,
		draftOf("news", 10, `"title":"x","kind":""`):                                    `The field "kind" must be one of "article", "link".`,
		draftOf("news", 10, `"title":"x","kind":7`):                                     `The field "kind" must be text, not a number.`,
		draftOf("news", 10, `"title":"x","kind":null`):                                  `The field "kind" must be text, not null.`,
		draftOf("exhibits", 10, `"name":"x","kind":"object","lender":"y"`):              `The field "lender" is not offered here. Offered: height, name, since, story.`,
		draftOf("exhibits", 10, `"name":"x","lender":"y","kind":"loan","height":5`):     `The field "height" is not offered here. Offered: lender, name, since, story.`,
		draftOf("exhibits", 10, `"kind":"object"`):                                      `The field "name" is required.`,
		draftOf("exhibits", 10, `"name":" ","kind":"object"`):                           `The field "name" must not be empty.`,
		draftOf("exhibits", 10, `"name":"`+strings.Repeat("x", 81)+`","kind":"object"`): `The field "name" has 81 characters; at most 80 are allowed.`,
		draftOf("exhibits", 10, `"name":"x","height":"5"`):                              `The field "height" must be a number, not text.`,
		draftOf("exhibits", 10, `"name":"x","height":5001`):                             `The field "height" cannot take this value: the value is above 5000.`,
		draftOf("exhibits", 10, `"name":"x","since":"yesterday"`):                       `The field "since" must be a date and time such as "2026-03-14T09:30:00Z".`,
		draftOf("exhibits", 10, `"name":{"a":1}`):                                       `The field "name" must be text, not an object.`,
		draftOf("venues", 10, `"hidden":false,"title":"x"`):                             `The field "hidden" cannot be set here: what is created is hidden until a person makes it visible.`,
		draftOf("venues", 10, `"pid":1,"title":"x"`):                                    `The field "pid" is not offered here. Offered: title.`,
		draftOf("venues", 10, `"x;DROP TABLE y":1,"title":"x"`):                         `The field "xDROPTABLEy" is not offered here. Offered: title.`,
		draftOf("exhibits", 10, `"name":"x","page":1`):                                  `The field "page" is not offered here. Offered: height, name, since, story.`,
		draftOf("exhibits", 10, `"name":"x","pictures":1`):                              `The field "pictures" is not offered here. Offered: height, name, since, story.`,
		draftOf("exhibits", 10, `"name":"x","inventory":"1"`):                           `The field "inventory" is not offered here. Offered: height, name, since, story.`,
		draftOf("exhibits", 10, `"name":"x","path":"/a"`):                               `The field "path" is not offered here. Offered: height, name, since, story.`,
		draftOf("exhibits", 10, `"name":"x","room":"a"`):                                `The field "room" is not offered here. Offered: height, name, since, story.`,
		draftOf("exhibits", 10, `"name":"x","link":"t3://page?uid=1"`):                  `The field "link" is not offered here. Offered: height, name, since, story.`,
		draftOf("exhibits", 10, `"name":"x","options":"<x/>"`):                          `The field "options" is not offered here. Offered: height, name, since, story.`,
		draftOf("exhibits", 10, `"name":"x","related":"1"`):                             `The field "related" is not offered here. Offered: height, name, since, story.`,
		`{"fields":{},"pid":10,"table":"venues"}`:                                       `The argument "fields" has 0 entries; at least 1 are needed.`,
		`{"fields":[],"pid":10,"table":"venues"}`:                                       `The argument "fields" must be an object, not a list.`,
		`{"fields":{"title":"x"},"table":"venues"}`:                                     `Missing argument "pid".`,
		`{"fields":{"title":"x"},"pid":0,"table":"venues"}`:                             `The argument "pid" must be at least 1.`,
		`{"fields":{"title":"x"},"language":1,"pid":10,"table":"venues"}`:               `Unknown argument "language". Allowed: fields, pid, table.`,
		`{"fields":{` + manyFields(13) + `},"pid":10,"table":"venues"}`:                 `The argument "fields" has 13 entries; at most 12 are allowed.`,
		`{"fields":{"title":"x"},"pid":11,"table":"Venues; --"}`:                        `The argument "table" must be the name of a table: small letters, digits and underscores.`,
		`{"fields":{"title":"x"},"pid":90,"table":"venues"}`:                            `Page 90 is a translation of page 11. Records lie on the page in the default language: name page 11.`,
	} {
		if got := s.refusal(t, collector(s), draft, args); got != want {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
}

func manyFields(n int) string {
	var fields []string
	for i := range n {
		fields = append(fields, fmt.Sprintf(`"field_%d":""`, i))
	}
	return strings.Join(fields, ",")
}

// Proves tools 114.
func TestTablesThatAreNotForThisToolAreRefused(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	for table, want := range map[string]string{
		content.Pages:          `Pages are created with create_page_draft.`,
		content.Elements:       `Content elements are created with create_content_element_draft.`,
		content.FileReferences: `Files are added with attach_file_to_content_element or attach_file_to_record.`,
		"accordion_items":      `Records of the table "accordion_items" belong to a record of "content" and cannot be created alone.`,
		"memos":                `Records of the table "memos" cannot be hidden, so there are no drafts of them.`,
		content.Files:          `Records of the table "files" cannot be created with this tool.`,
		content.FileMetadata:   `Records of the table "file_metadata" cannot be created with this tool.`,
		content.Groups:         `Records of the table "groups" cannot be created with this tool.`,
		content.Storages:       `Records of the table "storages" cannot be created with this tool.`,
		content.Languages:      `Records of the table "languages" cannot be created with this tool.`,
		"secrets":              `Records of the table "secrets" cannot be created with this tool.`,
		"plans":                `Records of the table "plans" cannot be created with this tool.`,
		"internals":            `Records of the table "internals" cannot be created with this tool.`,
		"statistics":           `Records of the table "statistics" cannot be created with this tool.`,
		"no_such_table":        `Records of the table "no_such_table" cannot be created with this tool.`,
	} {
		for _, u := range []imprimatur.User{s.Editor, s.Admin, s.Nobody} {
			if got := s.refusal(t, u, draft, draftOf(table, 10, `"title":"x"`)); got != want {
				t.Errorf("%s for %s: %q, want %q", table, u.Name, got, want)
			}
		}
	}
}

// Proves tools 114.
func TestAnInstallationClosesTablesForDrafts(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	closed := &stage{Site: s.Site, catalogue: s.catalogue, tools: map[string]imprimatur.Tool{}}
	for _, tool := range editorial.ToolsWith(s.Repository, editorial.Options{NoDrafts: imprimatur.Set{"venues"}}) {
		closed.tools[tool.Spec().Name] = tool
	}
	args := draftOf("venues", 10, `"title":"x"`)
	_, token := s.preview(t, s.Editor, draft, args)
	if got, want := closed.refusal(t, s.Editor, draft, args), `Records of the table "venues" cannot be created with this tool.`; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	comesBack(t, closed, s.Editor, draft, args, token)
	closed.approve(t, s.Editor, draft, draftOf("news", 10, `"title":"x"`))
}

func TestARecordThatNeedsMoreThanTheToolGivesIsRefused(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	schema := contenttest.Schema(t)
	venues, _ := schema.Table("venues")
	venues.Columns = append(venues.Columns, content.Column{Name: "page", Type: content.TypeRelation, Target: content.Pages, Required: true})
	if got, want := with(t, s.Site, reopened(t, s, schema)).refusal(t, s.Editor, draft, draftOf("venues", 10, `"title":"x"`)),
		`Records of the table "venues" need the field "page", which cannot be set with this tool.`; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Proves tools 115.
func TestCreatingARecordNeedsEachRight(t *testing.T) {
	t.Parallel()
	const noPage = "Page not found or not permitted."
	args := draftOf("news", contenttest.VisitTeam, `"title":"x","teaser":"y"`)
	exhibit := draftOf("exhibits", contenttest.VisitTeam, `"kind":"object","name":"x"`)
	take := func(f func(r *imprimatur.Rights)) func(*testing.T, *stage) imprimatur.User {
		return func(_ *testing.T, s *stage) imprimatur.User { return lacking(collector(s), f) }
	}
	bits := func(bits content.Bits) func(*testing.T, *stage) imprimatur.User {
		return func(t *testing.T, s *stage) imprimatur.User {
			s.rights(t, contenttest.VisitTeam, bits)
			return collector(s)
		}
	}
	for name, c := range map[string]struct {
		args string
		u    func(*testing.T, *stage) imprimatur.User
		want string
	}{
		"all": {args, take(func(*imprimatur.Rights) {}), ""},
		"read page": {args, take(func(r *imprimatur.Rights) {
			r.Modify, r.Select = drop(r.Modify, "pages"), drop(r.Select, "pages")
		}), noPage},
		"mount":    {args, take(func(r *imprimatur.Rights) { r.Pages = nil }), noPage},
		"content":  {args, bits(content.AllBits &^ content.BitContent), noPage},
		"show":     {args, bits(content.AllBits &^ content.BitShow), noPage},
		"two bits": {args, bits(content.BitShow | content.BitContent), ""},
		"table":    {args, take(func(r *imprimatur.Rights) { r.Modify = drop(r.Modify, "news") }), `The user this run acts for may not change records of the table "news". Nothing was written.`},
		"language": {args, take(func(r *imprimatur.Rights) { r.Languages = imprimatur.Set{"1"} }), noPage},
		"field":    {args, take(func(r *imprimatur.Rights) { r.Fields = drop(r.Fields, "news.teaser") }), "The user this run acts for may not change teaser of news. Nothing was written."},
		"value":    {exhibit, take(func(r *imprimatur.Rights) { r.Values = drop(r.Values, "exhibits.kind.object") }), `The user this run acts for may not create records of the type "object". Nothing was written.`},
		"no value": {exhibit, take(func(*imprimatur.Rights) {}), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, contenttest.Options{})
			u := c.u(t, s)
			if got := mayRead(t, s, draft, c.args, u); got != (c.want == "") {
				t.Errorf("may read the preview: %t", got)
			}
			if c.want == "" {
				s.approve(t, u, draft, c.args)
			} else if got := s.refusal(t, u, draft, c.args); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
	s := open(t, contenttest.Options{})
	neutral(t, s, s.Editor, draft, noPage, map[string]string{
		"missing": draftOf("news", 999, `"title":"x"`), "read-only": draftOf("news", 20, `"title":"x"`), "unseen": draftOf("news", 30, `"title":"x"`),
		"in another language": draftOf("news", 91, `"title":"x"`),
	})
}

// The right to work in the default language is asked for beside that to the
// page, and so is the one to the column that hides.
//
// Proves tools 115.
func TestTheHidingColumnNeedsItsGrant(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	schema := contenttest.Schema(t)
	venues, _ := schema.Table("venues")
	for i := range venues.Columns {
		venues.Columns[i].Exclude = venues.Columns[i].Name == "hidden"
	}
	granted := with(t, s.Site, reopened(t, s, schema))
	args := draftOf("venues", 10, `"title":"x"`)
	if got, want := granted.refusal(t, s.Editor, draft, args), "The user this run acts for may not change hidden of venues. Nothing was written."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	granted.approve(t, lacking(s.Editor, func(r *imprimatur.Rights) { r.Fields = append(slices.Clone(r.Fields), "venues.hidden") }), draft, args)
}

func TestTheFormOfThePageHoldsForNewRecords(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	s.change(t, content.Pages, contenttest.Visit, map[string]any{
		content.ColumnConfiguration: `{"exhibits": {"story": {"hidden": true}, "since": {"read_only": true}, "kind": {"remove": ["loan"]}}}`,
	})
	for args, want := range map[string]string{
		draftOf("exhibits", 12, `"name":"x","kind":"loan"`):     `Records of the type "loan" are not offered on page 12.`,
		draftOf("exhibits", 12, `"name":"x","story":"y"`):       `The field "story" is not offered here. Offered: height, name.`,
		draftOf("exhibits", 12, `"name":"x","since":"2026-01"`): `The field "since" is not offered here. Offered: height, name.`,
		draftOf("exhibits", 12, `"name":"x","kind":"painting"`): `The field "kind" must be one of "object", "loan".`,
	} {
		if got := s.refusal(t, collector(s), draft, args); got != want {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
	s.approve(t, collector(s), draft, draftOf("exhibits", 12, `"name":"x"`))
}

// Proves tools 24, 31, 32.
func TestARecordDraftHoldsToWhatWasShown(t *testing.T) {
	t.Parallel()
	args := draftOf("news", contenttest.VisitTeam, `"title":"x"`)
	movedWhen(t, editor, draft, args, map[string]func(t *testing.T, s *stage){
		"the page was renamed": func(t *testing.T, s *stage) { s.change(t, content.Pages, 12, map[string]any{"title": "x"}) },
		"the page was deleted": func(t *testing.T, s *stage) {
			contenttest.Set(t, s.Repository, s.Admin, content.Change{Op: content.Delete, Table: content.Pages, UID: 12})
		},
		"the page was closed": func(t *testing.T, s *stage) { s.rights(t, 12, content.BitShow) },
		"the form changed": func(t *testing.T, s *stage) {
			s.change(t, content.Pages, 10, map[string]any{content.ColumnConfiguration: `{"news": {"title": {"hidden": true}}}`})
		},
	})
	runsWhen(t, editor, draft, args, map[string]func(t *testing.T, s *stage){
		"another field of the page changed": func(t *testing.T, s *stage) { s.change(t, content.Pages, 12, map[string]any{"subtitle": "x"}) },
		"another record came": func(t *testing.T, s *stage) {
			s.make(t, content.Change{Table: "news", PID: 12, Fields: map[string]any{"title": "x"}})
		},
	})
}

// Proves tools 26; runtime 242.
func TestTwoRecordDraftsOfOneTurnBothRun(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	args := draftOf("news", contenttest.VisitTeam, `"title":"x"`)
	_, one := s.preview(t, s.Editor, draft, args)
	_, two := s.preview(t, s.Editor, draft, args)
	first, err := s.execute(t, s.Editor, draft, args, one)
	if err != nil || first.IsError {
		t.Fatalf("%+v %v", first, err)
	}
	second, err := s.execute(t, s.Editor, draft, args, two, first.Token)
	if err != nil || second.IsError || second.Wrote.UID == first.Wrote.UID {
		t.Errorf("%+v %v", second, err)
	}
}

func TestARecordDraftThatCameOutWrongIsTakenBack(t *testing.T) {
	t.Parallel()
	args := draftOf("news", contenttest.VisitTeam, `"title":"x","teaser":"y"`)
	for name, c := range map[string]struct {
		bend func(fields map[string]any)
		want string
	}{
		"visible":         {func(f map[string]any) { f["hidden"] = int64(0) }, "The record would have come out visible."},
		"without a field": {func(f map[string]any) { delete(f, "teaser"); f["title"] = "X" }, "The record would have come out with another value of title and teaser."},
		"with another":    {func(f map[string]any) { f["contact"] = "a@b.example" }, "The record would have come out with another value of contact."},
		"of another type": {func(f map[string]any) { f["kind"] = "link" }, "The record would have come out with another value of kind."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, whenCreating("news", c.bend))
			takenBack(t, s, s.Editor, draft, args, c.want)
		})
	}
	s := open(t, contenttest.Options{})
	s.trigger(t, "INSERT ON content_records WHEN NEW.tab = 'news'", "UPDATE content_records SET pid = 11 WHERE tab = NEW.tab AND uid = NEW.uid")
	takenBack(t, s, s.Editor, draft, args, "The record would have come out at another place.")
}

// Twelve fields, each longer than a line shows, leave room for what follows.
func TestARecordWithTwelveFieldsFitsOnOneCard(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	schema := contenttest.Schema(t)
	venues, _ := schema.Table("venues")
	venues.Translated = true
	var fields []string
	for i := range 11 {
		name := fmt.Sprintf("text_%d", i)
		venues.Columns = append(venues.Columns, content.Column{Name: name, Type: content.TypeText})
		fields = append(fields, fmt.Sprintf("%q:%q", name, strings.Repeat("ü ", 200)))
	}
	args := draftOf("venues", 12, `"title":"x",`+strings.Join(fields, ","))
	wide := with(t, s.Site, reopened(t, s, schema))
	lines, _ := wide.preview(t, s.German, draft, args)
	checkShape(t, lines, "de")
	if len(lines) != 19 || !catalogue.IsHeading(lines[0].Text, "de") {
		t.Errorf("%d lines:\n%s", len(lines), text(lines))
	}
	wide.approve(t, s.German, draft, args)
}
