package content_test

import (
	"context"
	"testing"

	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
)

func TestSetNamesWhatDidNotTake(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	fields, err := content.ParseFields([]string{"title=A=B", "description=x", "hidden=1"})
	if err != nil {
		t.Fatal(err)
	}
	out, untouched, err := s.Set(context.Background(), s.Plain, "pages", contenttest.Visit, fields)
	if err != nil || len(out.Complaints) > 0 {
		t.Fatalf("%+v, %v", out, err)
	}
	same(t, untouched, []string{"description", "hidden"})
	same(t, read(t, s, "pages", contenttest.Visit).Text("title"), "A=B")

	out, untouched, err = s.Set(context.Background(), s.Editor, "pages", contenttest.Visit, map[string]any{"title": "", "hidden": "maybe"})
	if err != nil || untouched != nil || len(out.Complaints) != 2 {
		t.Fatalf("%+v, %v, %v", out, untouched, err)
	}
	same(t, []string{out.Complaints[0].String(), out.Complaints[1].String()}, []string{"hidden: the value is not a whole number", "title: a value is required"})
	same(t, content.Complaint{Text: "why"}.String(), "why")
}

func TestFieldsOfACommandAreOnePairEach(t *testing.T) {
	t.Parallel()
	for _, bad := range [][]string{{"title"}, {"=x"}, {"a=1", "a=2"}} {
		if fields, err := content.ParseFields(bad); err == nil {
			t.Errorf("%q became %v", bad, fields)
		}
	}
}
