package editorial_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
)

const setAlternative = "set_file_alternative_text"

// about returns what describes a file in a language.
func (s *stage) about(t *testing.T, file, language int64) content.Record {
	t.Helper()
	rec, err := s.Metadata(t.Context(), file, language)
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

func TestTheAlternativeTextInTheDefaultLanguageChangesAndNothingElse(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	contenttest.Set(t, s.Repository, content.System(), content.Change{
		Op: content.Create, Table: content.FileMetadata, Language: 1, Origin: contenttest.HallMeta,
		Fields: map[string]any{"file": contenttest.Hall, "alternative": "Eine hohe Halle"},
	})
	before, german := s.about(t, contenttest.Hall, 0), s.about(t, contenttest.Hall, 1)
	result := s.approve(t, s.Editor, setAlternative, `{"alternative":"A hall","uid":7}`)
	after := s.about(t, contenttest.Hall, 0)
	before.Fields["alternative"] = "A hall"
	if diff := cmp.Diff(before.Fields, after.Fields); diff != "" {
		t.Error(diff)
	}
	if now := s.about(t, contenttest.Hall, 1); now.Version != german.Version || now.Text("alternative") != "Eine hohe Halle" {
		t.Errorf("the translation changed: %v", now.Fields)
	}
	want := &imprimatur.Written{Table: content.FileMetadata, UID: contenttest.HallMeta, Kind: "updated", Complete: true}
	if diff := cmp.Diff(want, result.Wrote); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(result.Content, "file 7 “hall.jpg”") {
		t.Errorf("the model reads %q", result.Content)
	}
}

func TestAnEmptyAlternativeTextIsOneToo(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	s.approve(t, s.Editor, setAlternative, `{"alternative":"","uid":7}`)
	if got := s.about(t, contenttest.Hall, 0).Text("alternative"); got != "" {
		t.Errorf("the text is %q", got)
	}
}

func TestAnAlternativeTextThatIsThereAlreadyIsNotWritten(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	before := s.history(t)
	result := s.approve(t, s.Editor, setAlternative, `{"alternative":"A high hall with stone columns","uid":7}`)
	if result.Wrote != nil || s.history(t) != before || !strings.HasPrefix(result.Content, "Nothing to change") {
		t.Errorf("%+v", result)
	}
}

// Two texts of one turn: the second one holds.
func TestTwoAlternativeTextsOfOneTurnBothRun(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{})
	const one, two = `{"alternative":"one","uid":7}`, `{"alternative":"two","uid":7}`
	_, first := s.preview(t, s.Editor, setAlternative, one)
	_, second := s.preview(t, s.Editor, setAlternative, two)
	result, err := s.execute(t, s.Editor, setAlternative, one, first)
	if err != nil || result.IsError {
		t.Fatalf("%+v %v", result, err)
	}
	if result, err := s.execute(t, s.Editor, setAlternative, two, second, result.Token); err != nil || result.IsError {
		t.Fatalf("%+v %v", result, err)
	}
	if got := s.about(t, contenttest.Hall, 0).Text("alternative"); got != "two" {
		t.Errorf("the text is %q", got)
	}
}

func TestAnAlternativeTextThatWasBentIsTakenBack(t *testing.T) {
	t.Parallel()
	s := open(t, contenttest.Options{Hook: func(_ content.Op, row content.Ref, _ content.Record, fields map[string]any) {
		if row.Table == content.FileMetadata {
			fields["alternative"] = "bent"
		}
	}})
	before := s.history(t)
	_, token := s.preview(t, s.Editor, setAlternative, `{"alternative":"x","uid":7}`)
	result, err := s.execute(t, s.Editor, setAlternative, `{"alternative":"x","uid":7}`, token)
	if err != nil || !result.IsError || result.Wrote != nil || s.history(t) != before ||
		result.Content != "The repository did not take alternative of file 7 “hall.jpg”. Nothing was written." {
		t.Errorf("%+v %v", result, err)
	}
	if got := s.about(t, contenttest.Hall, 0).Text("alternative"); got != "A high hall with stone columns" {
		t.Errorf("the text is %q", got)
	}
}
