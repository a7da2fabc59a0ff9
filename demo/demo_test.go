package demo_test

import (
	"bytes"
	"errors"
	"image"
	_ "image/png" // the format of the pictures
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/demo"
)

// waiting are the kinds whose cards wait for somebody.
var waiting = slices.Concat(alterable, []demo.Kind{demo.Failed, demo.Withheld, demo.Back})

// alterable are those that wait and have something behind them that a colleague
// may change and the approver may decide.
var alterable = []demo.Kind{
	demo.SmallEdit, demo.LongText, demo.Relative, demo.TwoCalls, demo.Hostile,
	demo.Element, demo.NewPage, demo.Moved, demo.Translated, demo.NewRecord, demo.Described, demo.Published, demo.Deleted,
}

func text(lines []imprimatur.Line) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l.Text + "\n")
	}
	return b.String()
}

func TestEveryKindOfCardIsThereInTheLanguageOfTheEditor(t *testing.T) {
	t.Parallel()
	w := open(t, t.TempDir(), demo.Options{})
	list, err := w.Waiting(t.Context(), session(w.Approver), imprimatur.Filter{Status: imprimatur.StatusWaiting})
	must(t, err)
	if list.Total != len(waiting) {
		t.Errorf("%d runs wait, want %d", list.Total, len(waiting))
	}
	says := map[demo.Kind][]string{
		demo.SmallEdit: {"Öffnungszeiten und Führungen", "Wann das Museum geöffnet ist."},
		demo.LongText:  {"derzeit (nichts), vorgeschlagen „Danach lag für einige Jahre das Rettungsboot der Insel im Erdgeschoss."},
		demo.Relative:  {"derzeit 0, danach 1"},
		demo.TwoCalls:  {"wie der Hafen klingt, wenn niemand da ist.", "derzeit 0, danach 1", "moon.png"},
		demo.Failed:    {"silence"},
		demo.Hostile:   {`\u{202E}`, `\u{00A0}`, `\u{200B}`, `\u{2066}`, `\u{00AD}`, "S\u0441hiffe"},
		demo.Withheld:  {"Nur für das Büro."},
		demo.Back:      {"derzeit 1, danach 2"},
		demo.Element:   {"Inhaltselement: „Eintritt“", "derzeit „Erwachsene 8 Ermäßigt 5 Bis 16 Jahre frei“, vorgeschlagen „Erwachsene 9 Ermäßigt 6 Bis 16 Jahre frei“"},
		demo.NewPage: {
			"Ort: unter „The long ferry“", "Seitentitel: „The log books of the ferry“",
			"URL-Pfad: „/exhibitions/the-long-ferry/the-log-books-of-the-ferry“", "Sichtbarkeit: zunächst verborgen",
		},
		demo.Moved: {
			"Derzeit: unter „Collection“", "Neu: unter „Exhibitions“, direkt nach „Lighthouse and light“", "Übersetzungen: 1; Unterseiten: 1",
			"URL-Pfad: unverändert, „/collection/nets-and-knots“",
		},
		demo.Translated: {"„The sextant of the harbour master“", "Zielsprache: Deutsch", "Dateien: 1, wird ebenfalls kopiert", "Sichtbarkeit: zunächst verborgen"},
		demo.NewRecord: {
			"Nachricht (Ankündigung)", "Ort: auf der Seite „News“", "Was stattfindet: „Knot workshop in the net loft“",
			"Wann es stattfindet: „2026-09-12 12:00:00 UTC“", "Sichtbarkeit: zunächst verborgen",
		},
		demo.Described: {"Datei: „map.png“", "derzeit „A simple map of the island with harbour and lighthouse.“, vorgeschlagen „Map of Ebbenholm: a path leads"},
		demo.Published: {"Seite: „Schulklassen“", "Sprache: Übersetzung (Deutsch)", "derzeit verborgen, vorgeschlagen sichtbar"},
		demo.Deleted: {
			"Seite: „Message in a bottle“", "Unterseiten: 1 und 1 Übersetzung davon", "Inhaltselement: 6", "Verwendungen von Dateien: 1",
			"1 anderer Datensatz verweist auf das, was gelöscht wird.", "Wiederherstellbar: ja",
		},
	}
	for _, k := range waiting {
		card := w.card(t, w.Admin, k)
		if card.Status != imprimatur.StatusWaiting || card.Owner.ID != w.Editor.ID || card.Words == "" {
			t.Errorf("%s: status %s, owner %v, words %q", k, card.Status, card.Owner, card.Words)
		}
		all := ""
		for _, call := range card.Calls {
			if call.Preview == nil || call.Preview.Language != "de" {
				t.Fatalf("%s: a preview is not in German: %+v", k, call.Preview)
			}
			if failed := k == demo.Failed; call.Preview.Failed != failed || (call.Title == "") != failed {
				t.Errorf("%s: failed %v, title %q", k, call.Preview.Failed, call.Title)
			}
			all += text(call.Preview.Lines)
		}
		for _, want := range says[k] {
			if !strings.Contains(all, want) {
				t.Errorf("%s does not say %q:\n%s", k, want, all)
			}
		}
	}
	if n := len(w.card(t, w.Admin, demo.TwoCalls).Calls); n != 2 {
		t.Errorf("%d calls in the turn of two", n)
	}
}

func TestTheApproverMayDecideAllButWhatIsWithheld(t *testing.T) {
	t.Parallel()
	w := open(t, t.TempDir(), demo.Options{})
	for _, k := range waiting {
		card := w.card(t, w.Approver, k)
		withheld := k == demo.Withheld
		if card.May.Approve == withheld || !card.May.Deny {
			t.Errorf("%s: may %+v, refusal %q", k, card.May, card.Refusal)
		}
		for _, call := range card.Calls {
			if call.Preview.Withheld != withheld {
				t.Errorf("%s: withheld %v", k, call.Preview.Withheld)
			}
			if withheld && call.Preview.Language != "en" {
				t.Errorf("the withheld line is in %q", call.Preview.Language)
			}
		}
	}
	if card := w.card(t, w.Admin, demo.Withheld); !card.May.Approve || card.Calls[0].Preview.Withheld {
		t.Errorf("the administrator: may %+v", card.May)
	}
}

func TestTheCardThatIsBackShowsBothStates(t *testing.T) {
	t.Parallel()
	w := open(t, t.TempDir(), demo.Options{})
	call := w.card(t, w.Approver, demo.Back).Calls[0]
	if call.Stale != imprimatur.MarkChanged || !strings.Contains(text(call.Was), "derzeit 0, danach 1") {
		t.Errorf("stale %q, was:\n%s", call.Stale, text(call.Was))
	}
	run, err := w.Status(t.Context(), session(w.Editor), w.runs[demo.Back])
	must(t, err)
	if !run.Back || len(run.Stale) != 1 {
		t.Errorf("run: back %v, stale %v", run.Back, run.Stale)
	}
}

func TestTheChangeBehindACardBringsItBackOnceAndThenItIsWrittenOnce(t *testing.T) {
	t.Parallel()
	w := open(t, t.TempDir(), demo.Options{})
	for _, k := range alterable {
		seen := w.card(t, w.Approver, k)
		must(t, w.Change(t.Context(), w, session(w.Approver), w.runs[k]))
		if run := w.approve(t, seen); run.Status != imprimatur.StatusWaiting || !run.Back {
			t.Fatalf("%s: the approval of the old card left the run %s, back %v", k, run.Status, run.Back)
		}
		again := w.card(t, w.Approver, k)
		if again.Calls[0].Stale != imprimatur.MarkChanged || len(again.Calls[0].Was) == 0 {
			t.Errorf("%s: the card is not marked: %+v", k, again.Calls[0])
		}
		if run := w.approve(t, again); run.Status != imprimatur.StatusCompleted || run.Text == "" {
			t.Errorf("%s: the second approval left the run %s (%s)", k, run.Status, run.Reason)
		}
	}
	// What the agent asked for is there once, behind what the colleague added.
	if got := w.files(t, 210); len(got) != 2 || got[1] != 1 || got[0] == 1 {
		t.Errorf("files of the lighthouse: %v", got)
	}
	if got := w.files(t, 240); !slices.Equal(got, []int64{8}) {
		t.Errorf("files of the night at the pier: %v", got)
	}
	page, err := w.repo.Page(t.Context(), w.Editor, 1011)
	must(t, err)
	if page.Text("title") != "Öffnungszeiten und Führungen" {
		t.Errorf("title %q", page.Text("title"))
	}
	w.wrote(t)
}

func TestTheLongTextGainsOneSentence(t *testing.T) {
	t.Parallel()
	w := open(t, t.TempDir(), demo.Options{})
	before, err := w.repo.Page(t.Context(), w.Editor, 1042)
	must(t, err)
	w.approve(t, w.card(t, w.Approver, demo.LongText))
	after, err := w.repo.Page(t.Context(), w.Editor, 1042)
	must(t, err)
	const sentence = "Danach lag für einige Jahre das Rettungsboot der Insel im Erdgeschoss. "
	if got := strings.Replace(after.Text("abstract"), sentence, "", 1); got != before.Text("abstract") || got == after.Text("abstract") {
		t.Errorf("more than one sentence changed:\n%s", after.Text("abstract"))
	}
}

// The sign has a preview once it was written on, and is not overwritten by an
// approval that saw another text.
func TestTheSignShowsWhatItSaysOnceItWasWrittenOn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	w := open(t, dir, demo.Options{})
	if run := w.approve(t, w.card(t, w.Approver, demo.Failed)); run.Status != imprimatur.StatusCompleted {
		t.Fatalf("run %s (%s)", run.Status, run.Reason)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "sign.txt")); err != nil || string(got) != "Letzte Fähre heute um 18 Uhr" {
		t.Errorf("sign %q %v", got, err)
	}
	run, err := w.Run(t.Context(), session(w.Editor), imprimatur.Start{Agent: demo.AgentName, Prompt: "Anzeige am Anleger"}, imprimatur.Wait{For: time.Minute})
	must(t, err)
	if title := run.Card.Calls[0].Title; title != "Auf die Anzeige am Anleger schreiben" {
		t.Errorf("title %q of\n%s", title, text(run.Card.Calls[0].Preview.Lines))
	}
	seen := *run.Card
	must(t, os.WriteFile(filepath.Join(dir, "sign.txt"), []byte("Sturmwarnung"), 0o600))
	if run := w.approve(t, seen); run.Status != imprimatur.StatusWaiting {
		t.Errorf("run %s although the sign says something else", run.Status)
	}
}

func TestChangeIsForPeopleWhoSeeACardThatWaits(t *testing.T) {
	t.Parallel()
	w := open(t, t.TempDir(), demo.Options{})
	stranger := session(imprimatur.User{ID: 99, Name: "Nobody", Enabled: true})
	agent := imprimatur.Actor{Credential: imprimatur.CredentialAgent, User: w.Editor, Token: "x"}
	for name, test := range map[string]struct {
		actor imprimatur.Actor
		run   string
		want  imprimatur.Code
	}{
		"stranger":          {stranger, w.runs[demo.Relative], imprimatur.CodeNotFound},
		"agent":             {agent, w.runs[demo.Relative], imprimatur.CodeAccessDenied},
		"nobody":            {imprimatur.Actor{}, w.runs[demo.Relative], imprimatur.CodeAccessDenied},
		"no such run":       {session(w.Admin), "x", imprimatur.CodeNotFound},
		"decided":           {session(w.Admin), w.runs[demo.Written], imprimatur.CodeNotWaiting},
		"nothing behind it": {session(w.Admin), w.runs[demo.Failed], imprimatur.CodeBadRequest},
	} {
		var no *imprimatur.Refusal
		if err := w.Change(t.Context(), w, test.actor, test.run); !errors.As(err, &no) || no.Code != test.want {
			t.Errorf("%s: %v, want %s", name, err, test.want)
		}
	}
	if got := w.files(t, 210); len(got) != 0 {
		t.Errorf("files %v after refused changes", got)
	}
}

func TestTheHintFollowsWhatHappens(t *testing.T) {
	t.Parallel()
	w := open(t, t.TempDir(), demo.Options{})
	hint := func(u imprimatur.User, run string) string {
		h, ok := w.Hint(t.Context(), w, session(u), run)
		return string(h.Label) + map[bool]string{true: " +", false: ""}[h.Button.Label != ""] + map[bool]string{true: "", false: " hidden"}[ok]
	}
	var got []string
	note := func(u imprimatur.User, run string) { got = append(got, hint(u, run)) }
	note(w.Approver, "")
	note(w.Approver, w.runs[demo.Failed])
	note(w.Approver, w.runs[demo.Withheld])
	note(w.Admin, w.runs[demo.Withheld])
	note(imprimatur.User{ID: 99, Enabled: true}, w.runs[demo.Relative])
	for _, k := range []demo.Kind{demo.Relative, demo.SmallEdit, demo.Published, demo.Deleted} {
		note(w.Approver, w.runs[k])
		seen := w.card(t, w.Approver, k)
		must(t, w.Change(t.Context(), w, session(w.Approver), w.runs[k]))
		note(w.Approver, w.runs[k])
		w.approve(t, seen)
		note(w.Approver, w.runs[k])
		w.approve(t, w.card(t, w.Approver, k))
		note(w.Approver, w.runs[k])
	}
	want := []string{
		"ui.demo.list", "ui.demo.failed", "ui.demo.withheld", "ui.demo.card +", " hidden",
		"ui.demo.card +", "ui.demo.changed_file", "ui.demo.back +", "ui.demo.decided",
		"ui.demo.card +", "ui.demo.changed_text", "ui.demo.back +", "ui.demo.decided",
		"ui.demo.card +", "x.demo.changed_text", "ui.demo.back +", "ui.demo.decided",
		"ui.demo.card +", "x.demo.changed_content", "ui.demo.back +", "ui.demo.decided",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestASecondStartFindsEverythingAndDoublesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first := open(t, dir, demo.Options{})
	first.approve(t, first.card(t, first.Approver, demo.SmallEdit))
	count := func(w *world) (n map[string]int) {
		n = map[string]int{}
		for _, table := range []string{content.Pages, content.Elements, content.Files, content.FileMetadata, content.FileReferences} {
			all, err := w.repo.All(t.Context(), table)
			must(t, err)
			n[table] = len(all)
		}
		list, err := w.Waiting(t.Context(), session(w.Admin), imprimatur.Filter{Status: imprimatur.StatusWaiting})
		must(t, err)
		n["waiting"] = list.Total
		return n
	}
	before, runs := count(first), first.runs
	first.end()

	second := open(t, dir, demo.Options{Lang: "de"})
	if diff := cmp.Diff(before, count(second)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(runs, second.runs); diff != "" {
		t.Error(diff)
	}
	page, err := second.repo.Page(t.Context(), second.Editor, 1011)
	must(t, err)
	if page.Text("title") != "Öffnungszeiten und Führungen" {
		t.Errorf("what was approved is gone: %q", page.Text("title"))
	}
	if first.Editor.ID != second.Editor.ID || first.Admin.Lang != "en" || second.Admin.Lang != "de" {
		t.Errorf("people: %+v and %+v", first.Admin, second.Admin)
	}
	if before[content.Pages] < 40 || before[content.Elements] < 40 || before["waiting"] != len(waiting)-1 {
		t.Errorf("the museum is smaller than it should be: %v", before)
	}
}

// An interruption between a run and the note about it starts nothing twice.
func TestAStartThatWasInterruptedGoesOnWithItsRuns(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first := open(t, dir, demo.Options{})
	first.end()
	must(t, os.Remove(filepath.Join(dir, "runs.json")))
	if diff := cmp.Diff(first.runs, open(t, dir, demo.Options{}).runs); diff != "" {
		t.Error(diff)
	}
}

func TestThePicturesAreDrawnAlikeAndDescribed(t *testing.T) {
	t.Parallel()
	one, two := t.TempDir(), t.TempDir()
	w := open(t, one, demo.Options{})
	open(t, two, demo.Options{})
	files, err := w.repo.All(t.Context(), content.Files)
	must(t, err)
	for _, f := range files {
		name := filepath.Join(demo.Storage, f.Text(content.ColumnIdentifier))
		data, err := os.ReadFile(filepath.Join(one, name))
		must(t, err)
		again, err := os.ReadFile(filepath.Join(two, name))
		must(t, err)
		if !bytes.Equal(data, again) || f.Int("size") != int64(len(data)) {
			t.Errorf("%s: %d bytes, %d bytes, stored as %d", name, len(data), len(again), f.Int("size"))
		}
		picture, format, err := image.Decode(bytes.NewReader(data))
		must(t, err)
		if format != "png" || picture.Bounds().Dx() != 480 || picture.Bounds().Dy() != 320 {
			t.Errorf("%s: %s %v", name, format, picture.Bounds())
		}
		for _, language := range []int64{0, 1} {
			if m, err := w.repo.Metadata(t.Context(), f.UID, language); err != nil || m.Text("alternative") == "" {
				t.Errorf("%s has no alternative text in language %d: %v", name, language, err)
			}
		}
	}
	if len(files) < 8 {
		t.Errorf("%d pictures", len(files))
	}
}
