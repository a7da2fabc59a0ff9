package editorial_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
)

// stored is everything that the content database holds, row by row.
func (s *stage) stored(t *testing.T) []string {
	t.Helper()
	return strings.Split(s.everything(t), "\n")
}

// takenBack expects a call whose write comes out wrong to say so and to leave
// nothing behind.
func (s *stage) takenBack(t *testing.T, u imprimatur.User, tool, args, want string) {
	t.Helper()
	before := s.stored(t)
	_, token := s.preview(t, u, tool, args)
	result, err := s.execute(t, u, tool, args, token)
	if err != nil || !result.IsError || result.Wrote != nil || result.Token != nil || result.Content != want {
		t.Errorf("%s %s: %+v %v, want %q", tool, args, result, err, want)
	}
	if diff := cmp.Diff(before, s.stored(t)); diff != "" {
		t.Errorf("%s %s left something behind: %s", tool, args, diff)
	}
}

// matrix takes one right after the other from an editor who may make the call,
// and compares the refusals. The viewer gate says the same as the plan.
func (s *stage) matrix(t *testing.T, may imprimatur.User, tool, args string, without map[string]func(u *imprimatur.User), want map[string]string) {
	t.Helper()
	if lines, _ := s.preview(t, may, tool, args); !catalogue.IsHeading(lines[0].Text, may.Lang) || !mayRead(t, s, tool, args, may) {
		t.Fatalf("with every right: %s", text(lines))
	}
	for name, take := range without {
		u := may
		u.Rights = copied(may.Rights)
		take(&u)
		if got := s.refusal(t, u, tool, args); got != want[name] {
			t.Errorf("%s without %s: %q, want %q", tool, name, got, want[name])
		}
		if mayRead(t, s, tool, args, u) {
			t.Errorf("%s without %s: the preview may be read", tool, name)
		}
	}
	if len(without) != len(want) {
		t.Errorf("%d rights and %d refusals", len(without), len(want))
	}
}

func copied(r imprimatur.Rights) imprimatur.Rights {
	for _, set := range []*imprimatur.Set{&r.Select, &r.Modify, &r.Languages, &r.Fields, &r.Values, &r.PageTypes, &r.Pages, &r.Files} {
		*set = slices.Clone(*set)
	}
	return r
}

func dropped(set imprimatur.Set, names ...string) imprimatur.Set {
	return slices.DeleteFunc(slices.Clone(set), func(name string) bool { return slices.Contains(names, name) })
}

// allFields is an editor with the grants for every column of content elements.
func allFields(s *stage, u imprimatur.User) imprimatur.User {
	u.Rights = copied(u.Rights)
	table, _ := s.Schema().Table(content.Elements)
	for _, c := range table.Columns {
		u.Rights.Fields = append(u.Rights.Fields, "content."+c.Name)
	}
	for _, k := range table.Types {
		u.Rights.Values = append(u.Rights.Values, "content.type."+k.Value)
	}
	return u
}

// configure narrows the forms of a page and of what is below it.
func (s *stage) configure(t *testing.T, page int64, configuration string) {
	t.Helper()
	s.change(t, content.Pages, page, map[string]any{content.ColumnConfiguration: configuration})
}

// shape holds a card against the bounds that everything on it must survive.
func shape(t *testing.T, lines []imprimatur.Line) {
	t.Helper()
	if len(lines) > imprimatur.MaxLines || lines[len(lines)-1].Role != imprimatur.RoleTechnical {
		t.Errorf("%d lines:\n%s", len(lines), text(lines))
	}
	for i, l := range lines {
		if n := len([]rune(l.Text)); n >= imprimatur.MaxLineRunes {
			t.Errorf("line %d has %d characters", i, n)
		}
	}
}

// withElement opens a repository whose schema has one more content type,
// "report", with twelve long texts and the columns that tests ask for.
func withElement(t *testing.T, more ...content.Column) *stage {
	t.Helper()
	schema := contenttest.Schema(t)
	table, _ := schema.Table(content.Elements)
	columns := []string{content.ColumnKind, content.ColumnPosition, "header"}
	for i := range 12 {
		more = append(more, content.Column{
			Name: fmt.Sprintf("paragraph_of_the_report_%02d", i+1), Label: content.Literal(fmt.Sprintf("Paragraph %d", i+1)), Type: content.TypeText,
		})
	}
	for _, c := range more {
		table.Columns = append(table.Columns, c)
		columns = append(columns, c.Name)
	}
	table.Types = append(table.Types, content.Type{Value: "report", Label: content.Literal("Report"), Columns: append(columns, content.ColumnHidden)})
	s := open(t, contenttest.Options{})
	site := *s.Site
	site.Repository = reopened(t, s, schema)
	return with(t, &site, site.Repository)
}

// paragraphs is a fields object of n texts.
func paragraphs(n, length int) string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf(`"paragraph_of_the_report_%02d":%q`, i+1, strings.Repeat("ä", length)))
	}
	return "{" + strings.Join(all, ",") + "}"
}

// holds carries a call out after something changed meanwhile: what its card
// shows keeps it from being written, and nothing else does.
func holds(t *testing.T, tool, args string, meanwhile func(t *testing.T, s *stage), moved bool) {
	t.Helper()
	s := open(t, contenttest.Options{})
	_, token := s.preview(t, s.Editor, tool, args)
	meanwhile(t, s)
	before := s.stored(t)
	result, err := s.execute(t, s.Editor, tool, args, token)
	if errors.Is(err, imprimatur.ErrMoved) != moved || !moved && (err != nil || result.IsError) {
		t.Errorf("%+v %v", result, err)
	}
	if moved != cmp.Equal(before, s.stored(t)) {
		t.Errorf("written: %v", !moved)
	}
}
