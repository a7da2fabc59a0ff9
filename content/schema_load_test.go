package content_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
)

func schemaFiles(files ...string) fs.FS {
	dir := fstest.MapFS{}
	for i := 0; i+1 < len(files); i += 2 {
		dir[files[i]] = &fstest.MapFile{Data: []byte(files[i+1])}
	}
	return dir
}

const eventsFile = `
[labels.events]
en = "Event"
de = "Veranstaltung"
fr = "Événement"

[[table]]
name = "events"
label = "label:events"
label_field = "title"
type_field = "kind"
hidden_field = "hidden"
translated = true
sorted = true

[[table.column]]
name = "title"
type = "input"
label = {en = "Title:", de = "Titel:", fr = "Titre :"}
required = true
max = 120

[[table.column]]
name = "kind"
type = "select"
label = "Kind"
default = "talk"
exclude = true
auth_mode = true
item = [
	{value = "talk", label = {en = "Talk", de = "Vortrag"}},
	{value = "film", label = "16:9"},
]

[[table.column]]
name = "hidden"
type = "check"
label = {en = "Hidden", de = "Verborgen"}
default = true

[[table.column]]
name = "places"
type = "number"
integer = true
min = 1
max = 500
inherited = true
when = {column = "kind", values = ["talk"]}

[[table.column]]
name = "poster"
type = "file"
extensions = ["png"]
max_items = 1

[[table.column]]
name = "near"
type = "relation"
target = "places"
many = true

[[table.column]]
name = "layout"
type = "select"
dynamic = true

[[table.type]]
value = "talk"
label = {en = "Talk", de = "Vortrag"}
columns = ["title", "places", "poster"]
labels = {title = {en = "Subject", de = "Thema"}}

[[table]]
name = "rooms"
label_field = "name"
admin_only = true

[[table.column]]
name = "name"
type = "input"

[[table.column]]
name = "event"
type = "relation"
target = "events"

[[table.column]]
name = "size"
type = "text"
rich = true
read_only = true
`

const placesFile = `[[table]]
name = "places"
label = "Places"
sensitive = true
read_only = true
hide_table = true
root_level = true
[[table.column]]
name = "chairs"
type = "number"
integer = true
[[table.column]]
name = "shade"
type = "radio"
open = true
[[table]]
name = "chairs"
owner = {table = "places", column = "place", field = "chairs"}
[[table.column]]
name = "place"
type = "relation"
target = "places"
`

func TestSchemaFilesDescribeTables(t *testing.T) {
	t.Parallel()
	tables, labels, err := content.LoadSchemas(schemaFiles("events.toml", eventsFile, "places.toml", placesFile, "README.md", "no schema"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := content.DefaultSchema().With(tables, labels)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		got        imprimatur.ByLanguage
		en, de, fr string
	}{
		{s.TableLabel("events"), "Event", "Veranstaltung", "Événement"},
		{s.ColumnLabel("events", "", "title"), "Title", "Titel", "Titre"},
		{s.ColumnLabel("events", "talk", "title"), "Subject", "Thema", "Subject"},
		{s.ItemLabel("events", "kind", "film"), "16:9", "16:9", "16:9"},
		{s.ColumnLabel("events", "", "places"), "places", "places", "places"},
	} {
		if diff := cmp.Diff([]string{c.en, c.de, c.fr}, []string{content.In(c.got, "en"), content.In(c.got, "de"), content.In(c.got, "fr-CH")}); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	events, _ := s.Table("events")
	events.Label, events.Types = content.Label{}, nil
	for i := range events.Columns {
		events.Columns[i].Label, events.Columns[i].Items = content.Label{}, nil
	}
	want := content.Table{
		Name: "events", LabelField: "title", TypeField: "kind", HiddenField: "hidden", Translated: true, Sorted: true,
		Columns: []content.Column{
			{Name: "title", Type: "input", Required: true, Max: 120},
			{Name: "kind", Type: "select", Default: "talk", Exclude: true, AuthMode: true},
			{Name: "hidden", Type: "check", Default: int64(1)},
			{Name: "places", Type: "number", Integer: true, Min: 1, Max: 500, Inherited: true, When: &content.Condition{Column: "kind", Values: []string{"talk"}}},
			{Name: "poster", Type: "file", Extensions: []string{"png"}, MaxItems: 1},
			{Name: "near", Type: "relation", Target: "places", Many: true},
			{Name: "layout", Type: "select", Dynamic: true},
		},
	}
	if diff := cmp.Diff(want, *events); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	rooms, _ := s.Table("rooms")
	places, _ := s.Table("places")
	chairs, _ := s.Table("chairs")
	same(t, []bool{rooms.AdminOnly, places.Sensitive, places.ReadOnly, places.HideTable, places.RootLevel}, []bool{true, true, true, true, true})
	same(t, *chairs.Owner, content.Owner{Table: "places", Column: "place", Field: "chairs"})
}

func TestSchemaFilesAreRefusedByFileLineAndReason(t *testing.T) {
	t.Parallel()
	column := func(more string) string {
		return "[[table]]\nname = \"a\"\n[[table.column]]\nname = \"x\"\n" + more + "\n"
	}
	for _, c := range []struct{ name, file, want string }{
		{"no TOML", "a = ", "x.toml:1: a: unexpected EOF"},
		{"a line that breaks off", "[[table]]\nname = \"a", "x.toml:2: "},
		{"a text where a number belongs", column("type = \"input\"\nmax = \"9\""), "x.toml:6: table.column.max: must be a whole number"},
		{"a number where a text belongs", "[[table]]\nname = 1", "x.toml:2: table.name: must be a text"},
		{"a text where yes or no belongs", "[[table]]\nname = \"a\"\nsorted = \"yes\"", "x.toml:3: table.sorted: must be true or false"},
		{"one table that is no list", "[table]\nname = \"a\"", "x.toml:1: table: must be written as [[table]]"},
		{"a number that is too large", column("max = 99999999999999999999"), "x.toml:5: table.column.max: 99999999999999999999 is out of range"},
		{"an unknown key", column("type = \"input\"\ncolour = 9"), `x.toml:6: unknown key "table.column.colour"`},
		{"an unknown group", "[[tables]]\nname = \"a\"", `x.toml:1: unknown key "tables"`},
		{"a key with a capital", "[[table]]\nName = \"a\"", `x.toml:2: unknown key "table.Name"`},
		{"a key twice", "[[table]]\nname = \"a\"\nname = \"b\"", "x.toml:3: table.name: Key 'table.name' has already been defined"},
		{"a table twice", "[[table]]\nname = \"a\"\n[[table]]\nname = \"a\"", `x.toml:3: table "a" is in x.toml already`},
		{"a built-in table", "\n[[table]]\nname = \"pages\"", "x.toml:2: table pages is built in"},
		{"a table without a name", "[[table]]\nsorted = true", `x.toml:1: table "": a name is lower-case letters`},
		{"a column twice", column("type = \"input\"\n[[table.column]]\nname = \"x\"\ntype = \"input\""), "x.toml:3: a.x is there twice"},
		{"an unknown type", column(`type = "blob"`), `x.toml:3: a.x: no type "blob"`},
		{"no type", column(``), `x.toml:3: a.x: no type ""`},
		{"a structural name", "[[table]]\nname = \"a\"\n\n[[table.column]]\nname = \"uid\"\ntype = \"input\"", `x.toml:4: a: a column cannot be called "uid"`},
		{"an item twice", column("type = \"select\"\nitem = [{value = \"a\"}, {value = \"a\"}]"), `x.toml:3: a.x: the item "a" is there twice`},
		{"items of a text", column("type = \"input\"\nitem = [{value = \"a\"}]"), "only a select or radio column has items"},
		{"a default that does not fit", column("type = \"check\"\ndefault = \"maybe\""), "x.toml:3: a.x: the default does not fit"},
		{"a default of another kind", column("type = \"input\"\ndefault = 1.5"), "x.toml:3: a.x: the default is a float64"},
		{"bounds without a value", column("type = \"number\"\nmin = 9\nmax = 1"), "x.toml:3: a.x: the bounds leave no value"},
		{"a target that is not there", column("type = \"relation\"\ntarget = \"nowhere\""), `x.toml:3: a.x: there is no table "nowhere"`},
		{"a target of a text", column("type = \"input\"\ntarget = \"pages\""), "x.toml:3: a.x is no relation"},
		{"a list of nothing", column("type = \"relation\"\nmany = true"), "x.toml:3: a.x is a list of records of no table"},
		{"a condition on nothing", column("type = \"input\"\nwhen = {column = \"y\", values = [\"1\"]}"), `x.toml:3: a.x depends on the column "y"`},
		{"a label field that is missing", "[[table]]\nname = \"a\"\nlabel_field = \"b\"", "x.toml:1: a has no column b"},
		{"a hidden column that hides nothing", column("type = \"input\"") + "[[table]]\nname = \"b\"\nhidden_field = \"h\"\n[[table.column]]\nname = \"h\"\ntype = \"input\"", "b.h hides records and is no check column"},
		{"a form without a type field", column("type = \"input\"\n[[table.type]]\nvalue = \"k\"\ncolumns = [\"x\"]"), "x.toml:1: a has forms and no column"},
		{"a form of missing columns", column("type = \"select\"\n[[table.type]]\nvalue = \"k\"\ncolumns = [\"y\"]"), "form k shows no column y"},
		{"an owner that is not there", "[[table]]\nname = \"a\"\nowner = {table = \"pages\", column = \"x\", field = \"y\"}", "x.toml:1: a: the owner does not stand"},
		{"a reference to nothing", column("type = \"input\"\nlabel = \"label:lost\""), `x.toml:3: there is no label "lost"`},
		{"a reference with a blank", column("type = \"input\"\nlabel = \"label:two words\""), "x.toml:6: table.column.label: is no reference"},
		{"a label that is a number", column("label = 4"), "x.toml:5: table.column.label: must be a text"},
		{"a label of numbers", column("label = {en = 4}"), "x.toml:5: table.column.label: must have a text for each language"},
		{"a label in no language", column("label = {english_text = \"a\"}"), `"english_text" is no language`},
		{"a label with a line break", column("label = \"a\\nb\""), "line break or control character"},
		{"an empty label", column("label = \" \""), "has an empty text for en"},
		{"a label that never ends", column("label = \"" + strings.Repeat("a", 300) + "\""), "more than 200 characters"},
		{"an entry without texts", "[labels]\nx = 1", `x.toml: label "x": has no text`},
		{"an entry in no language", "[labels.x]\n\"1\" = \"a\"", `label "x": "1" is no language`},
		{"bytes that are no text", "[[table]]\nname = \"\xff\"", "x.toml:2: the text is not valid UTF-8"},
		{"a file of more than 1 MiB", "# " + strings.Repeat("x", 1<<20), "x.toml: is larger than 1048576 bytes"},
		{"brackets without an end", "x = " + strings.Repeat("[", 100_000), "x.toml:1: is nested too deeply"},
		{"brackets line by line", "x = " + strings.Repeat("[\n", 100_000), "x.toml:33: is nested too deeply"},
		{"a key of parts without an end", strings.Repeat("a.", 100_000) + "a = 1", "x.toml:1: is nested too deeply"},
		{"a name that floods a sentence", "[[table]]\nname = \"" + strings.Repeat("a", 10_000) + "\"", "a name is lower-case letters"},
	} {
		tables, labels, err := content.LoadSchemas(schemaFiles("x.toml", c.file))
		if err == nil || tables != nil || labels != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
			continue
		}
		for line := range strings.SplitSeq(err.Error(), "\n") {
			if !strings.HasPrefix(line, "x.toml:") || len(line) > 1000 {
				t.Errorf("%s: %.100q of %d bytes does not begin with the file", c.name, line, len(line))
			}
		}
		var one *content.SchemaError
		if !errors.As(err, &one) || one.File != "x.toml" {
			t.Errorf("%s: %T", c.name, err)
		}
	}
}

func TestEverySchemaFileIsHeardAtOnce(t *testing.T) {
	t.Parallel()
	_, _, err := content.LoadSchemas(schemaFiles(
		"a.toml", "[labels.x]\nen = \"X\"\n[[table]]\nname = \"a\"\nlabel_field = \"b\"",
		"b.toml", "[labels.x]\nen = \"Y\"\n[[table]]\nname = \"a\"",
		"c.toml", "y",
	))
	same(t, fmt.Sprint(err), strings.Join([]string{
		"a.toml:3: a has no column b",
		`b.toml: label "x" is in a.toml already`,
		`b.toml:3: table "a" is in a.toml already`,
		"c.toml:1: unexpected EOF; expected key separator '='",
	}, "\n"))
}

func TestAFolderWithoutSchemasIsRefused(t *testing.T) {
	t.Parallel()
	if _, _, err := content.LoadSchemas(schemaFiles("README.md", "nothing")); err == nil || !strings.Contains(err.Error(), "holds no file *.toml") {
		t.Errorf("%v", err)
	}
	if _, _, err := content.LoadSchemas(os.DirFS(t.TempDir() + "/gone")); err == nil {
		t.Error("a folder that is not there was read")
	}
	dir := fstest.MapFS{"x.toml/y": &fstest.MapFile{}}
	if _, _, err := content.LoadSchemas(dir); err == nil || !strings.HasPrefix(err.Error(), "x.toml: ") {
		t.Errorf("a folder called like a file: %v", err)
	}
}

var schemaSentence = regexp.MustCompile(`^x\.toml(:[1-9][0-9]*)?: [^\n]+$`)

func FuzzLoadSchemas(f *testing.F) {
	for _, seed := range []string{
		eventsFile, placesFile, "", "a = ", "[[table]]", "[table]", "[labels]\nx = 1", "[[table]]\nname = \"pages\"",
		"[[table]]\nname = \"a\"\n[[table.column]]\nname = \"x\"\ntype = \"select\"\ndefault = 1\nitem = [{value = \"\"}]",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		tables, labels, err := content.LoadSchemas(schemaFiles("x.toml", string(file)))
		if err != nil {
			for line := range strings.SplitSeq(err.Error(), "\n") {
				if !schemaSentence.MatchString(line) {
					t.Errorf("%q", line)
				}
			}
			return
		}
		s, err := content.DefaultSchema().With(tables, labels)
		if err != nil {
			t.Fatalf("the loaded tables do not hold: %v", err)
		}
		for _, table := range tables {
			if s.TableLabel(table.Name)["en"] == "" {
				t.Errorf("table %s has no name", table.Name)
			}
		}
	})
}

// What docs/schemas.md shows is what can be loaded.
func TestTheSchemaOfTheDocumentationHolds(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../docs/schemas.md")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile("(?s)```toml\n(.*?)```").FindSubmatch(text)
	if m == nil {
		t.Fatal("there is no example")
	}
	tables, labels, err := content.LoadSchemas(schemaFiles("events.toml", string(m[1])))
	if err != nil {
		t.Fatal(err)
	}
	s, err := content.DefaultSchema().With(tables, labels)
	if err != nil {
		t.Fatal(err)
	}
	same(t, s.ColumnLabel("events", "talk", "title")["de"], "Thema")
}
