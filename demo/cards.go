package demo

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/imprimatur-dev/imprimatur"
)

// Desk is what the museum asks of the engine.
type Desk interface {
	Run(ctx context.Context, actor imprimatur.Actor, start imprimatur.Start, wait imprimatur.Wait) (imprimatur.Run, error)
	Card(ctx context.Context, actor imprimatur.Actor, run string) (imprimatur.Card, error)
	Decide(ctx context.Context, actor imprimatur.Actor, run string, decision imprimatur.Decision, wait imprimatur.Wait) (imprimatur.Run, error)
}

// Kind names one of the runs that the inbox begins with.
type Kind string

// The kinds. All but Written wait for a decision.
const (
	SmallEdit  Kind = "small_edit" // title and description of a page
	LongText   Kind = "long_text"  // one sentence more inside a long text
	Relative   Kind = "relative"   // a file attached: from none to one
	TwoCalls   Kind = "two_calls"  // a description and a picture in one turn
	Element    Kind = "element"    // the text of a content element
	NewPage    Kind = "new_page"   // a page that is not there yet
	Moved      Kind = "moved"      // a page with its subpage, to another place
	Translated Kind = "translated" // a content element that lacks its translation
	NewRecord  Kind = "new_record" // a record of the museum's own table
	Described  Kind = "described"  // what a picture shows, for those who do not see it
	Published  Kind = "published"  // a hidden page made visible
	Deleted    Kind = "deleted"    // a page, and all that goes with it
	Failed     Kind = "failed"     // a preview that could not be taken
	Hostile    Kind = "hostile"    // characters that nobody sees, or that lie
	Withheld   Kind = "withheld"   // a page that the approver may not read
	Back       Kind = "back"       // approved, but somebody was quicker
	Written    Kind = "written"    // approved and done
	Foreign    Kind = "foreign"    // a small edit in a language that was added
)

// start is a run that somebody asks for.
type start struct {
	kind   Kind
	prompt string
	then   func(*Museum, context.Context, Desk, imprimatur.Run) error // nil: it waits as it is
	as     imprimatur.User
}

func (m *Museum) starts() []start {
	all := []start{
		{Written, "Nenne in der Beschreibung der Anreise auch den Fahrradverleih.", (*Museum).approve, m.Editor},
		{Back, "Zeig bei den Muscheln ein Bild.", (*Museum).outrun, m.Editor},
		{SmallEdit, "Die Seite „Öffnungszeiten“ soll auch die Führungen nennen, im Titel und in der Beschreibung.", nil, m.Editor},
		{LongText, "In der Zusammenfassung der Hausgeschichte fehlt der Satz über das Rettungsboot.", nil, m.Editor},
		{Relative, "Die Ausstellung „Leuchtturm und Licht“ braucht ein Bild.", nil, m.Editor},
		{TwoCalls, "Kündige die Nacht am Anleger an: eine bessere Beschreibung und ein Bild.", nil, m.Editor},
		{Element, "Der Eintritt kostet ab dieser Saison 9, ermäßigt 6. Ändere die Preise auf der deutschen Seite.", nil, m.Editor},
		{NewPage, "Die Logbücher sollen eine eigene Seite unter „Die lange Fähre“ bekommen, vorerst verborgen.", nil, m.Editor},
		{Moved, "„Netze und Knoten“ gehört jetzt zu den Ausstellungen, gleich hinter „Leuchtturm und Licht“.", nil, m.Editor},
		{Translated, "Bei den Instrumenten ist der Sextant noch nicht übersetzt. Lege die deutsche Fassung an.", nil, m.Editor},
		{NewRecord, "Bereite unter „Neues“ die Ankündigung der Knotenwerkstatt am 12. September vor.", nil, m.Editor},
		{Described, "Der Alternativtext der Inselkarte soll sagen, was auf ihr zu sehen ist.", nil, m.Editor},
		{Published, "Die deutsche Seite „Schulklassen“ ist geprüft. Mach sie sichtbar.", nil, m.Editor},
		{Deleted, "Die Ausstellung „Flaschenpost“ ist abgebaut. Lösche ihre Seite mit allem, was daran hängt.", nil, m.Editor},
		{Failed, "Schreib auf die Anzeige am Anleger, dass die letzte Fähre um 18 Uhr geht.", nil, m.Editor},
		{Hostile, "Übernimm Titel, Beschreibung und Schlagwörter der Schiffe, die das Schifffahrtsamt geschickt hat.", nil, m.Editor},
		{Withheld, "Beschreibe die Seite „Unterlagen des Vorstands“ genauer.", nil, m.Editor},
	}
	if m.French.Exists() {
		all = append(all, start{Foreign, "La page « Opening hours » doit annoncer les visites en français du dimanche.", nil, m.French})
	}
	return all
}

// patience is how long Fill waits for one run. The agent follows a script and
// answers at once.
const patience = 30 * time.Second

// Fill starts the runs that the inbox begins with and returns their ids. What
// an earlier process has started is left as it is.
func (m *Museum) Fill(ctx context.Context, desk Desk) (map[Kind]string, error) {
	runs, err := m.begun()
	if err != nil {
		return nil, err
	}
	for _, s := range m.starts() {
		if runs[s.kind] != "" {
			continue
		}
		id, err := m.begin(ctx, desk, s)
		if err != nil {
			return nil, fmt.Errorf("start the run %s: %w", s.kind, err)
		}
		runs[s.kind] = id
		if err := m.note(runs); err != nil {
			return nil, err
		}
	}
	return runs, nil
}

// begin starts one run. The key makes it the same run if an earlier process
// was interrupted right here.
func (m *Museum) begin(ctx context.Context, desk Desk, s start) (string, error) {
	body := sha256.Sum256([]byte(s.prompt))
	run, err := desk.Run(ctx, at(s.as), imprimatur.Start{
		Agent: AgentName, Prompt: s.prompt, Key: "demo/" + string(s.kind), Body: body[:],
	}, imprimatur.Wait{For: patience})
	if err == nil && s.then != nil && run.Status == imprimatur.StatusWaiting && !run.Back {
		err = s.then(m, ctx, desk, run)
	}
	return run.ID, err
}

// approve decides a run as the approver, who saw its card.
func (m *Museum) approve(ctx context.Context, desk Desk, run imprimatur.Run) error {
	card, err := desk.Card(ctx, at(m.Approver), run.ID)
	if err != nil {
		return err
	}
	return m.decide(ctx, desk, card)
}

// outrun approves what somebody changed after it was looked at, so that it is
// back again.
func (m *Museum) outrun(ctx context.Context, desk Desk, run imprimatur.Run) error {
	card, err := desk.Card(ctx, at(m.Approver), run.ID)
	if err != nil {
		return err
	}
	if err := m.Change(ctx, desk, at(m.Approver), run.ID); err != nil {
		return err
	}
	return m.decide(ctx, desk, card)
}

func (m *Museum) decide(ctx context.Context, desk Desk, card imprimatur.Card) error {
	_, err := desk.Decide(ctx, at(m.Approver), card.Run, imprimatur.Decision{
		Verdict: imprimatur.Approve, TurnDigest: card.TurnDigest, PictureDigest: card.PictureDigest,
	}, imprimatur.Wait{For: patience})
	return err
}

// begun reads which runs there are already.
func (m *Museum) begun() (map[Kind]string, error) {
	runs := map[Kind]string{}
	data, err := os.ReadFile(m.notes())
	if errors.Is(err, fs.ErrNotExist) {
		return runs, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &runs)
	}
	if err != nil {
		return nil, fmt.Errorf("read which runs were started: %w", err)
	}
	return runs, nil
}

func (m *Museum) note(runs map[Kind]string) error {
	data, err := json.Marshal(runs)
	if err == nil {
		err = put(m.notes(), data)
	}
	if err != nil {
		return fmt.Errorf("note which runs were started: %w", err)
	}
	return nil
}

func (m *Museum) notes() string { return filepath.Join(m.dir, "runs.json") }
