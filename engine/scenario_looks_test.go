package engine_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/imprimatur-dev/imprimatur"
)

func (s *stage) worldLooks() map[string]func(order) error {
	return map[string]func(order) error{
		"note": func(o order) error {
			id, err := o.number(1)
			if err != nil {
				return err
			}
			s.world.mu.Lock()
			defer s.world.mu.Unlock()
			return same("note", s.world.notes[id].text, o.word(2))
		},
		"no": func(o order) error {
			id, err := o.number(2)
			if err != nil {
				return err
			}
			s.world.mu.Lock()
			defer s.world.mu.Unlock()
			_, there := s.world.notes[id]
			return same("there is a note", there, false)
		},
		"executed": func(o order) error {
			s.world.mu.Lock()
			defer s.world.mu.Unlock()
			return sameNumber("executed "+o.word(1), s.world.executed[o.word(1)], o, 2)
		},
		"previewed": func(o order) error {
			s.world.mu.Lock()
			defer s.world.mu.Unlock()
			return sameNumber("previewed "+o.word(1), s.world.previewed[o.word(1)], o, 2)
		},
		"asked":       func(o order) error { return sameNumber("asked", s.model.count(), o, 1) },
		"kinds":       func(o order) error { return sameList("kinds", s.kinds(), o.words[1:]) },
		"count":       s.expectCount,
		"observed":    s.expectObserved,
		"may":         s.expectMay,
		"unknown":     s.expectUnknown,
		"refusal":     s.expectRefusal,
		"shows":       s.expectLine,
		"hides":       s.expectLine,
		"told":        s.expectTold,
		"log":         func(o order) error { return s.expectLog(o.word(1), true) },
		"quiet":       func(o order) error { return s.expectLog(o.word(1), false) },
		"nowhere":     s.expectNowhere,
		"column":      s.expectColumn,
		"attribution": s.expectAttribution,
		"woken":       s.expectWoken,
	}
}

// record is everything on record about the current run.
func (s *stage) record(run string) []imprimatur.Event {
	events, err := s.store.Events(s.ctx, run, -1)
	if err != nil {
		s.fault("read the record: %v", err)
	}
	return events
}

func (s *stage) kinds() []imprimatur.EventKind {
	var kinds []imprimatur.EventKind
	for _, e := range s.record(s.run) {
		kinds = append(kinds, e.Kind)
	}
	return kinds
}

func (s *stage) expectCount(o order) error {
	n := 0
	for _, k := range s.kinds() {
		if string(k) == o.word(1) {
			n++
		}
	}
	return sameNumber("events of kind "+o.word(1), n, o, 2)
}

func (s *stage) expectObserved(o order) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return sameList("observed", s.observed, o.words[1:])
}

// cardFor is the card as somebody sees it now.
func (s *stage) cardFor(name string) (imprimatur.Card, error) {
	actor, err := s.actor(name)
	if err != nil {
		return imprimatur.Card{}, err
	}
	return s.engine.Card(s.ctx, actor, s.run)
}

func (s *stage) expectMay(o order) error {
	card, err := s.cardFor(o.word(1))
	if err != nil {
		return err
	}
	var may []string
	for _, verb := range []struct {
		name string
		may  bool
	}{{"approve", card.May.Approve}, {"deny", card.May.Deny}, {"cancel", card.May.Cancel}, {"note", card.May.Note}} {
		if verb.may {
			may = append(may, verb.name)
		}
	}
	return sameList("may", may, o.words[2:])
}

// expectUnknown holds card and run against what nobody knows; a run that may
// not be seen says nothing.
func (s *stage) expectUnknown(o order) error {
	actor, err := s.actor(o.word(1))
	if err != nil {
		return err
	}
	card, err := s.engine.Card(s.ctx, actor, s.run)
	if err != nil {
		return err
	}
	if err := sameList("unknown on the card", flat(card.Unknown), o.words[2:]); err != nil {
		return err
	}
	var no *imprimatur.Refusal
	run, err := s.engine.Status(s.ctx, actor, s.run)
	switch {
	case errors.As(err, &no) && no.Code == imprimatur.CodeNotFound:
		return nil
	case err != nil:
		return err
	}
	return sameList("unknown of the run", flat(run.Unknown), o.words[2:])
}

// flat writes calls of unknown outcome as their ids, each followed by "late"
// where its tool reported, and by what was found.
func flat(unknown []imprimatur.Unknown) []string {
	var words []string
	for _, u := range unknown {
		words = append(words, u.Call)
		if u.Late != nil {
			words = append(words, "late")
		}
		for _, n := range u.Notes {
			words = append(words, string(n.Found))
		}
	}
	return words
}

func (s *stage) expectRefusal(o order) error {
	card, err := s.cardFor(o.word(1))
	if err != nil {
		return err
	}
	want := o.word(2)
	if want == "none" {
		want = ""
	}
	return same("refusal", string(card.Refusal), want)
}

// expectLine looks for a line of a preview, whole.
func (s *stage) expectLine(o order) error {
	card, err := s.cardFor(o.word(1))
	if err != nil {
		return err
	}
	i, err := o.number(2)
	if err != nil {
		return err
	}
	if i >= len(card.Calls) {
		return fmt.Errorf("the card has %d calls", len(card.Calls))
	}
	var lines []string
	if p := card.Calls[i].Preview; p != nil {
		for _, l := range p.Lines {
			lines = append(lines, l.Text)
		}
	}
	found := false
	for _, l := range lines {
		found = found || l == o.word(3)
	}
	if found != (o.word(0) == "shows") {
		return fmt.Errorf("the preview reads:\n%s", strings.Join(lines, "\n"))
	}
	return nil
}

// expectTold looks at what the model got as the result of a call.
func (s *stage) expectTold(o order) error {
	req, _ := s.model.transcript()
	for _, m := range req.Messages {
		if m.Role == imprimatur.FromTool && m.CallID == o.word(1) {
			if !strings.Contains(m.Text, o.word(2)) {
				return fmt.Errorf("the model was told %q", m.Text)
			}
			return nil
		}
	}
	return errors.New("the model was told nothing about this call")
}

func (s *stage) expectLog(part string, there bool) error {
	if log := s.log.String(); strings.Contains(log, part) != there {
		return fmt.Errorf("the log reads:\n%s", log)
	}
	return nil
}

// expectNowhere looks for a text in everything that is stored.
func (s *stage) expectNowhere(o order) error {
	if strings.Contains(s.log.String(), o.word(1)) {
		return errors.New("it stands in the log")
	}
	return s.stored(o.word(1))
}

// stored answers an error where the database holds a text in clear: SQLite in
// its files, PostgreSQL in any column of its tables.
func (s *stage) stored(text string) error {
	if s.file == "" {
		return s.storedInTables(text)
	}
	for _, name := range []string{s.file, s.file + "-wal"} {
		raw, err := os.ReadFile(name)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		if bytes.Contains(raw, []byte(text)) {
			return fmt.Errorf("%q stands in clear in the database", text)
		}
	}
	return nil
}

func (s *stage) storedInTables(text string) error {
	tx, err := s.store.Reader().BeginTx(s.ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var everything []byte
	if _, err := tx.ExecContext(s.ctx, "SET LOCAL xmlbinary = hex"); err != nil {
		return err
	}
	if err := tx.QueryRowContext(s.ctx, "SELECT database_to_xml(true, false, '')::text").Scan(&everything); err != nil {
		return err
	}
	var escaped bytes.Buffer
	if err := xml.EscapeText(&escaped, []byte(text)); err != nil {
		return err
	}
	for _, form := range []string{text, escaped.String(), fmt.Sprintf("%X", text)} {
		if bytes.Contains(everything, []byte(form)) {
			return fmt.Errorf("%q stands in clear in the database", text)
		}
	}
	return nil
}

func (s *stage) expectColumn(o order) error {
	var got []byte
	row := s.store.Reader().QueryRowContext(s.ctx, "SELECT "+o.word(1)+" FROM runs WHERE id = $1", s.run)
	if err := row.Scan(&got); err != nil {
		return err
	}
	if got == nil {
		got = []byte("null")
	}
	return same(o.word(1), string(got), o.word(2))
}

// expectAttribution reads who approved out of the record alone.
func (s *stage) expectAttribution(o order) error {
	row, err := s.store.Run(s.ctx, s.run)
	if err != nil {
		return err
	}
	// An approval that brought the turn back counts only if a call of it ran.
	var all []imprimatur.Attribution
	ran := true
	for _, e := range s.record(s.run) {
		switch p := payload(e).(type) {
		case imprimatur.ApprovalPayload:
			if ran = p.Verdict != imprimatur.Approve; !ran {
				all = append(all, imprimatur.Attribute(p.By.ID, row.Owner.ID))
			}
		case imprimatur.ToolPayload:
			ran = true
		case imprimatur.StalePayload:
			if !ran {
				all = all[:len(all)-1]
			}
		}
	}
	return same("attribution", string(imprimatur.Collapse(all)), o.word(1))
}
