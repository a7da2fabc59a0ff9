package editorial_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
	"github.com/imprimatur-dev/imprimatur/editorial"
)

func TestHiddenPagesAreListedForThoseWhoMayEditThem(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	const with, without = "[10] “Visit” (standard)\n  [11] “Opening hours” (standard) (hidden)\n  [12] “Team” (standard)\n", "[10] “Visit” (standard)\n  [12] “Team” (standard)\n"
	for _, c := range []struct {
		user imprimatur.User
		args string
		want string
	}{
		{s.Editor, `{"include_hidden":true,"rootUid":10}`, with},
		{s.Admin, `{"include_hidden":true,"rootUid":10}`, with},
		{s.Editor, `{"include_hidden":false,"rootUid":10}`, without},
		{s.Reader, `{"include_hidden":true,"rootUid":10}`, without},
		{s.Reader, `{"include_hidden":true,"rootUid":11}`, "Page not found or not permitted."},
	} {
		if diff := cmp.Diff(c.want, s.read(t, c.user, "get_pagetree", c.args)); diff != "" {
			t.Errorf("%s %s: %s", c.user.Name, c.args, diff)
		}
	}
}

func TestAHiddenPageIsReadByThoseWhoMayEditIt(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	call := fmt.Sprintf(`{"uid":%d}`, contenttest.OpeningHours)
	if got := s.read(t, s.Editor, "get_page_content", call); !strings.HasPrefix(got, "Page [11] “Opening hours” (standard), language 0 (hidden)\n") {
		t.Errorf("who may edit it reads %s", got)
	}
	if got := s.read(t, s.Reader, "get_page_content", call); got != "Page not found or not permitted." {
		t.Errorf("who may not edit it reads %s", got)
	}
}

func TestTablesAreThoseThatTheUserMayRead(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	want := `- pages “Page”: 58 columns, named by title, kinds in doktype, hidden by hidden, translatable, in an order, read-only
`
	if diff := cmp.Diff(want, s.read(t, s.Reader, "list_tables", `{"filter":"PAGE"}`)); diff != "" {
		t.Error(diff)
	}
	names := func(u imprimatur.User) (all []string) {
		for line := range strings.SplitSeq(strings.TrimSpace(s.read(t, u, "list_tables", `{}`)), "\n") {
			name, _, _ := strings.Cut(strings.TrimPrefix(line, "- "), " ")
			all = append(all, name)
		}
		return all
	}
	if diff := cmp.Diff([]string{"content", "file_metadata", "files", "pages"}, names(s.Reader)); diff != "" {
		t.Error(diff)
	}
	admins := names(s.Admin)
	for _, table := range []string{"secrets", "plans", "internals", "groups", "storages", "languages"} {
		for _, name := range admins {
			if name == table {
				t.Errorf("%s is listed", table)
			}
		}
		if got := s.read(t, s.Admin, "get_table_schema", `{"table":"`+table+`"}`); got != "Table not found or not permitted." {
			t.Errorf("%s is described: %s", table, got)
		}
	}
	if got := s.read(t, s.Reader, "get_table_schema", `{"table":"news"}`); got != "Table not found or not permitted." {
		t.Errorf("news is described to somebody who may not read it: %s", got)
	}
}

func TestASchemaIsDescribedInEnglish(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	want := `Table news “News item”: 11 columns, named by title, kinds in kind, hidden by hidden, translatable, in an order
- title “Headline”: input; required; at most 100 characters
- kind “Kind”: select; one of article “Article”, link “Article”, wide “16:9”
- teaser “teaser”: text; you may not change it
- price “price”: number; from 1 to 1000
- contact “contact”: email
- tint “tint”: color
- day “day”: datetime
- top “top”: check
- size “size”: radio; one of s “s”, l “l”
- hidden “Hidden”: check
- pictures “Pictures”: file; at most 2 files; takes jpg, png
Kind article “Article”: title, teaser, pictures
Kind link “Article”: title
`
	german := s.Plain
	german.Lang = "de"
	if diff := cmp.Diff(want, s.read(t, german, "get_table_schema", `{"table":"news"}`)); diff != "" {
		t.Error(diff)
	}
	got := s.read(t, s.Admin, "get_table_schema", `{"table":"exhibits"}`)
	for _, line := range []string{
		"- lender “Lent by”: input; only where kind is loan\n", "- room “Room”: select; takes other values as well\n",
		"- related “Related exhibits”: relation; refers to exhibits; any number of them\n", "- options “Options”: flex; never shown\n",
		"- since “Here since”: datetime; the same in every language\n", "- story “Story”: text; HTML\n",
	} {
		if !strings.Contains(got, line) {
			t.Errorf("%q is not in\n%s", line, got)
		}
	}
}

func TestALargeSchemaIsCut(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	wide := content.Table{Name: "wide", Label: content.Literal(strings.Repeat("w", 200))}
	for range 301 {
		wide.Columns = append(wide.Columns, content.Column{Name: "c" + strings.Repeat("x", len(wide.Columns)/26) + string(rune('a'+len(wide.Columns)%26)), Type: content.TypeInput})
	}
	many := content.Column{Name: "choice", Type: content.TypeSelect}
	for i := range 70 {
		many.Items = append(many.Items, content.Item{Value: "v" + strings.Repeat("i", i)})
	}
	schema, err := contenttest.Schema(t).With([]content.Table{wide, {Name: "chosen", Columns: []content.Column{many}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	s = with(t, s.Site, reopened(t, s, schema))
	got := s.read(t, s.Admin, "get_table_schema", `{"table":"wide"}`)
	if strings.Count(got, "\n- ") != 300 || !strings.HasSuffix(got, "… and 1 more columns.\n") || strings.Contains(got, strings.Repeat("w", 121)) {
		t.Errorf("%d columns", strings.Count(got, "\n- "))
	}
	if got := s.read(t, s.Admin, "get_table_schema", `{"table":"chosen"}`); !strings.HasSuffix(got, ", 10 more\n") {
		t.Errorf("the values are not cut: %s", got)
	}
}

func TestOddTablesAreNamed(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	want := `Looked at 1 tables.
- news.kind: the values article, link are all called “Article”
- news.teaser: its label refers to news.lost, which is nothing
- news.price: it has no label
- news.contact: it has no label
- news.tint: it has no label
- news.day: it has no label
- news.top: it has no label
- news.size: it has no label
- news.kind: it offers wide, which has no form
`
	if diff := cmp.Diff(want, s.read(t, s.Editor, "validate_schema", `{"table":"news"}`)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff("Looked at 1 tables.\nNothing is odd.\n", s.read(t, s.Editor, "validate_schema", `{"table":"venues"}`)); diff != "" {
		t.Error(diff)
	}
}

// The built-in tables have nothing odd.
func TestTheBuiltInTablesAreSound(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	s = with(t, s.Site, reopened(t, s, content.DefaultSchema()))
	if got := s.read(t, s.Admin, "validate_schema", `{}`); !strings.HasSuffix(got, "Nothing is odd.\n") {
		t.Error(got)
	}
}

func TestAnAddressNamesItsPage(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{Large: true})
	s.change(t, content.Pages, contenttest.Books, map[string]any{"slug": "/visit"})
	for _, tool := range editorial.ToolsWith(s.Repository, editorial.Options{Sites: map[int64]string{
		contenttest.Museum: "https://museum.example/", contenttest.Shop: "https://Museum.example:443/shop/",
	}}) {
		s.tools[tool.Spec().Name] = tool
	}
	const none = "Page not found or not permitted."
	const foreign = "This address is on none of the websites of this installation."
	const noAddress = `The argument "url" is no address of a page.`
	for url, want := range map[string]string{
		"https://museum.example":                            "Page 1 “Museum”, language 0, website 1\n",
		"https://MUSEUM.example:443/visit/team/?x=1#c12":    "Page 12 “Team”, language 0, website 1\n",
		"http://museum.example/visit/team":                  "Page 12 “Team”, language 0, website 1\n",
		"https://museum.example/visit/opening-hours":        "Page 11 “Opening hours”, language 0, website 1 (hidden)\n",
		"https://museum.example/de/visit/oeffnungszeiten":   "Page 11 “Öffnungszeiten”, language 1 (record 90), website 1\n",
		"https://museum.example/de/visit/team":              "Page 12 “Team”, language 0, website 1\n",
		"https://museum.example/en/visit":                   "Page 10 “Visit”, language 0, website 1\n",
		"https://museum.example/shop/visit":                 none, // Books is not within the mounts
		"https://museum.example/visit":                      "Page 10 “Visit”, language 0, website 1\n",
		"https://museum.example/fr/visit/horaires":          none,
		"https://museum.example/archive":                    none,
		"https://museum.example/nowhere":                    none,
		"https://museum.example/%":                          noAddress,
		"https://museum.example:8443/visit":                 foreign,
		"https://museum.example.evil.example/visit":         foreign,
		"https://evil.example/https://museum.example/visit": foreign,
		"https://museum.example@evil.example/visit":         noAddress,
		"ftp://museum.example/visit":                        `The argument "url" must begin with http://, https:// or /.`,
		"visit/team":                                        `The argument "url" must begin with http://, https:// or /.`,
		"//museum.example/visit":                            `The argument "url" must begin with http://, https:// or /.`,
		"javascript:alert(1)":                               noAddress,
		"/visit/team":                                       "Page 12 “Team”, language 0, website 1\n",
		"/visit/../archive":                                 none,
		"/visit%2Fteam":                                     noAddress,
		"https://museum.example/visit%2fteam":               noAddress,
		"https://mu\u017feum.example/visit":                 foreign, // a letter that is an s to those who ignore case
		"https://museum.example./visit":                     foreign,
		"https://museum.example:80/visit":                   foreign,
		"https://editor:pass@museum.example/visit":          noAddress,
		"https://museum.example/visit/team' OR 1=1 --":      none,
	} {
		if diff := cmp.Diff(want, s.read(t, s.Editor, "resolve_url", args(t, map[string]any{"url": url}))); diff != "" {
			t.Errorf("%s: %s", url, diff)
		}
	}
	if got := s.read(t, s.Admin, "resolve_url", `{"url":"https://museum.example/shop/visit"}`); got != "Page 40 “Books”, language 0, website 2\n" {
		t.Errorf("a website below the path of another one: %s", got)
	}
	if got := s.read(t, s.Admin, "resolve_url", `{"url":"/visit"}`); got != "Page 10 “Visit”, language 0, website 1\nPage 40 “Books”, language 0, website 2\n" {
		t.Errorf("a path of two websites: %s", got)
	}
}

func TestWithoutAddressesOfWebsitesOnlyPathsAreResolved(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	if got := s.read(t, s.Editor, "resolve_url", `{"url":"https://museum.example/visit"}`); got != "This installation does not know the addresses of its websites. Give the path alone, such as /visit/team." {
		t.Error(got)
	}
	if got := s.read(t, s.Editor, "resolve_url", `{"url":"/visit"}`); got != "Page 10 “Visit”, language 0, website 1\n" {
		t.Error(got)
	}
	for _, url := range []string{"https://museum.example/visit", "nonsense", "/%"} {
		if got := s.read(t, s.Nobody, "resolve_url", args(t, map[string]any{"url": url})); got != "Page not found or not permitted." {
			t.Errorf("%s without a right: %s", url, got)
		}
	}
}
