package content_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
)

// configure sets the configuration of a page and returns the complaints.
func configure(t *testing.T, s *contenttest.Site, u imprimatur.User, page int64, text string) []content.Complaint {
	t.Helper()
	out, err := s.Apply(context.Background(), u, content.ChangeSet{Changes: []content.Change{
		{Op: content.Update, Table: content.Pages, UID: page, Fields: map[string]any{content.ColumnConfiguration: text}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return out.Complaints
}

func form(t *testing.T, s *contenttest.Site, table, kind string, page int64) content.Form {
	t.Helper()
	f, err := s.Form(context.Background(), table, kind, page)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func names(f content.Form) []string {
	var all []string
	for _, c := range f.Columns {
		all = append(all, c.Name)
	}
	return all
}

func TestAFormIsThatOfTheKindInItsOrder(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	same(t, names(form(t, s, "news", "article", contenttest.Visit)), []string{"title", "teaser", "pictures"})
	same(t, names(form(t, s, "news", "nobody knows", contenttest.Visit)), nil)
	all, _ := s.Schema().Table(content.FileMetadata)
	same(t, len(form(t, s, content.FileMetadata, "", 0).Columns), len(all.Columns))
	for _, c := range []struct {
		table string
		page  int64
	}{{"nowhere", contenttest.Visit}, {content.Elements, 4711}} {
		if _, err := s.Form(context.Background(), c.table, "text", c.page); !errors.Is(err, content.ErrNotFound) {
			t.Errorf("%s on page %d: %v", c.table, c.page, err)
		}
	}
}

func TestConfigurationsOfThePagesAboveAddUp(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	for page, text := range map[int64]string{
		contenttest.Museum: `{"content": {"subheader": {"hidden": true}, "type": {"remove": ["html"]}}}`,
		contenttest.Visit: `{"content": {"header_layout": {"read_only": true}, "subheader": {"hidden": false}, "type": {"remove": ["list", "made elsewhere"]}},
			"pages": {"nav_title": {"hidden": true}}}`,
	} {
		if complaints := configure(t, s, s.Admin, page, text); complaints != nil {
			t.Fatal(complaints)
		}
	}
	below := form(t, s, content.Elements, "text", contenttest.OpeningHours)
	if _, there := below.Column("subheader"); there {
		t.Error("a column that a page above hides is in the form")
	}
	if c, _ := below.Column("header_layout"); !c.ReadOnly {
		t.Error("a column that the page above closes can be written")
	}
	kind, _ := below.Column("type")
	for _, item := range kind.Items {
		if item.Value == "html" || item.Value == "list" {
			t.Errorf("the form offers %s", item.Value)
		}
	}
	same(t, len(kind.Removed), 3)
	beside := form(t, s, content.Elements, "text", contenttest.Collection)
	if c, _ := beside.Column("header_layout"); c.ReadOnly {
		t.Error("a configuration reaches a page beside it")
	}
	translation := form(t, s, content.Elements, "text", contenttest.HoursGerman)
	same(t, names(translation), names(below))
	if slices.Contains(names(form(t, s, content.Pages, content.PageStandard, contenttest.Visit)), "nav_title") {
		t.Error("a page is not bound by its own configuration")
	}
	schema, _ := s.Schema().Column(content.Elements, "type")
	if !slices.ContainsFunc(schema.Items, func(i content.Item) bool { return i.Value == "html" }) {
		t.Error("narrowing a form changed the schema")
	}
}

func TestOnlyAdministratorsConfigurePages(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	editor := s.Editor
	editor.Rights.Fields = imprimatur.Set{"*"}
	configure(t, s, editor, contenttest.Visit, `{"content": {"header": {"hidden": true}}}`)
	same(t, read(t, s, content.Pages, contenttest.Visit).Text(content.ColumnConfiguration), "")
}

func TestAConfigurationThatCannotHoldIsRefusedWithTheReason(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	for text, want := range map[string]string{
		`{`:                          "no well-formed JSON",
		`[]`:                         "the configuration must be an object",
		`null`:                       "the configuration must be an object",
		`{} {}`:                      "something follows",
		`{"content": 1}`:             "content must be an object",
		`{"content": {"header": 1}}`: "content.header must be an object",
		`{"content": {"header": {"hidden": "yes"}}}`:                 "content.header.hidden must be true or false",
		`{"content": {"header": {"hidden": null}}}`:                  "content.header.hidden must be true or false",
		`{"content": {"header": {"Hidden": true}}}`:                  `content.header: there is no key "Hidden"`,
		`{"content": {"header": {"hidden": true, "hidden": false}}}`: `content.header has the key "hidden" twice`,
		`{"content": {}, "content": {}}`:                             `the configuration has the key "content" twice`,
		`{"content": {"type": {"remove": "html"}}}`:                  "content.type.remove must be a list of texts",
		`{"tt_content": {}}`:                                         `there is no table "tt_content"`,
		`{"content": {"colour": {}}}`:                                `there is no column "colour" in content`,
		`{"content": {"header": {"remove": ["x"]}}}`:                 "content.header has no items",
		`{"pages": {"doktype": {"remove": ["article"]}}}`:            `pages.doktype has no item "article"`,
		`{"` + strings.Repeat("x", 1000) + `": {}}`:                  "x…",
		strings.Repeat(" ", 64<<10) + `{}`:                           "longer than 65536 bytes",
		strings.Repeat(`{"content":`, 5000):                          "there is no key",
	} {
		complaints := configure(t, s, s.Admin, contenttest.Visit, text)
		if len(complaints) != 1 || complaints[0].Field != content.ColumnConfiguration || !strings.Contains(complaints[0].Text, want) {
			t.Errorf("%.80s: %+v, want %q", text, complaints, want)
		}
		if len(complaints) == 1 && len(complaints[0].Text) > 300 {
			t.Errorf("%.80s: a complaint of %d bytes", text, len(complaints[0].Text))
		}
	}
	same(t, read(t, s, content.Pages, contenttest.Visit).Version, int64(1))
	if complaints := configure(t, s, s.Admin, contenttest.Visit, ` `); complaints != nil {
		t.Errorf("no configuration at all: %v", complaints)
	}
}

func TestAConfigurationThatCannotBeReadLeavesNoForm(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	if _, err := s.DB.Exec(`UPDATE content_records SET fields = '{"configuration":"{"}' WHERE tab = 'pages' AND uid = $1`, contenttest.Museum); err != nil {
		t.Fatal(err)
	}
	_, err := s.Form(context.Background(), content.Elements, "text", contenttest.Visit)
	if err == nil || !strings.Contains(err.Error(), "configuration of page 1") {
		t.Errorf("%v", err)
	}
}

func TestARelationSaysWhatItRefersTo(t *testing.T) {
	t.Parallel()
	many := content.Column{Name: "x", Type: content.TypeRelation, Target: content.Pages, Many: true}
	for _, c := range []struct {
		column content.Column
		value  any
		want   []content.Ref
	}{
		{many, "3, 4,content_7,nonsense,,0,-1", []content.Ref{{Table: "pages", UID: 3}, {Table: "pages", UID: 4}, {Table: "content", UID: 7}}},
		{many, nil, nil},
		{content.Column{Type: content.TypeRelation, Target: content.Pages}, int64(9), []content.Ref{{Table: "pages", UID: 9}}},
		{content.Column{Type: content.TypeRelation, Target: content.Pages}, int64(0), nil},
		{content.Column{Type: content.TypeRelation}, int64(9), nil},
		{content.Column{Type: content.TypeInput}, "9", nil},
	} {
		if diff := cmp.Diff(c.want, c.column.Refs(c.value)); diff != "" {
			t.Errorf("%v (-want +got):\n%s", c.value, diff)
		}
	}
}

func TestAListTakesUidsAndNothingElse(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	set := func(text string) []content.Complaint {
		out, err := s.Apply(context.Background(), s.Admin, content.ChangeSet{Changes: []content.Change{
			{Op: content.Update, Table: content.Elements, UID: contenttest.Intro, Fields: map[string]any{"records": text}},
		}})
		if err != nil {
			t.Fatal(err)
		}
		return out.Complaints
	}
	for _, text := range []string{"40", "40,pages_1, 41", "", "0"} {
		if complaints := set(text); complaints != nil {
			t.Errorf("%q: %v", text, complaints)
		}
	}
	for _, text := range []string{"a", "1,,2", "1;2", "-1", "pages", strings.Repeat("1,", 9000) + "1"} {
		if complaints := set(text); len(complaints) != 1 {
			t.Errorf("%.20q: %v", text, complaints)
		}
	}
}
