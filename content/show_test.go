package content_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
)

func TestShowHasTheShapeOfTheContract(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	contenttest.Set(t, s.Repository, s.Admin, content.Attach(content.Ref{Table: "news", UID: contenttest.NewsItem}, "pictures", contenttest.Door, nil))
	shown, err := s.Show(context.Background(), s.Editor, "news", contenttest.NewsItem)
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(shown)
	if err != nil {
		t.Fatal(err)
	}
	same(t, string(got), `{"table":"news","uid":60,"pid":10,"fields":{"contact":null,"day":null,"hidden":0,"kind":"article","language":0,`+
		`"origin":0,"pictures":1,"price":null,"size":"s","sorting":256,"teaser":null,"tint":null,"title":"Reopened","top":null,"version":2},`+
		`"files":{"pictures":[{"reference":71,"file":8,"name":"door.png"}]}}`)
	if _, err := s.Show(context.Background(), s.Editor, "pages", contenttest.Archive); !errors.Is(err, content.ErrNotFound) {
		t.Errorf("a forbidden page: %v", err)
	}
	if shown, err := s.Show(context.Background(), s.Admin, "languages", 1); err != nil || shown.Fields["code"] != "de" {
		t.Errorf("a language: %+v, %v", shown, err)
	}
}

func TestLanguagesAreNamedInTheLanguagesOfUsers(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	ctx := context.Background()
	if err := s.SetLanguage(ctx, content.Language{ID: 3, Code: "da"}); err != nil {
		t.Fatal(err)
	}
	if err := s.SetLanguage(ctx, content.Language{ID: 2, Code: "fr", Label: imprimatur.ByLanguage{"en": "French (France)"}}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		id        int64
		language  string
		want      string
		installed bool
	}{
		{1, "de", "Deutsch", true}, {1, "fr", "German", true}, {2, "de", "French (France)", true}, {3, "de", "da", true}, {9, "de", "9", false},
	} {
		label, installed, err := s.LanguageLabel(ctx, c.id)
		if err != nil || content.In(label, c.language) != c.want || installed != c.installed {
			t.Errorf("language %d: %v, %v, %v", c.id, label, installed, err)
		}
	}
	for _, bad := range []content.Language{{ID: -1}, {ID: 4, Code: "\xff"}, {ID: 4, Label: imprimatur.ByLanguage{"en": "\x00"}}} {
		if err := s.SetLanguage(ctx, bad); err == nil {
			t.Errorf("%+v was accepted", bad)
		}
	}
}

func TestARepositoryNeedsBothPoolsAndASoundSchema(t *testing.T) {
	t.Parallel()
	db := contenttest.Database(t)
	if _, err := content.Open(content.Config{Writer: db}); err == nil {
		t.Error("opened without a pool to read")
	}
	if _, err := content.Open(content.Config{Writer: db, Reader: db, Schema: &content.Schema{Tables: []content.Table{{Name: "!"}}}}); err == nil {
		t.Error("opened with a broken schema")
	}
	if _, err := content.Open(content.Config{Writer: db, Reader: db}); err != nil {
		t.Errorf("opening with the default schema: %v", err)
	}
}
