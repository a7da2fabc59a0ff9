package engine_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/store"
)

func (s *stage) doNote(o order) error {
	id, err := o.number(1)
	if err != nil {
		return err
	}
	s.world.edit(id, o.word(2))
	s.secret(o.word(2))
	return nil
}

func (s *stage) doTouch(o order) error {
	id, err := o.number(1)
	if err != nil {
		return err
	}
	s.world.mu.Lock()
	text := s.world.notes[id].text
	s.world.mu.Unlock()
	s.world.edit(id, text)
	return nil
}

func (s *stage) doRemove(o order) error {
	id, err := o.number(1)
	if err != nil {
		return err
	}
	s.world.mu.Lock()
	defer s.world.mu.Unlock()
	delete(s.world.notes, id)
	return nil
}

func (s *stage) doHide(o order) error {
	id, err := o.number(1)
	if err != nil {
		return err
	}
	s.world.mu.Lock()
	defer s.world.mu.Unlock()
	s.world.hidden[fmt.Sprintf("%d %s", id, o.word(2))] = o.words[0] == "hide"
	return nil
}

func (s *stage) doBreak(o order) error {
	s.world.mu.Lock()
	defer s.world.mu.Unlock()
	s.world.hidden["broken "+o.word(1)] = true
	return nil
}

func (s *stage) doClock(o order) error {
	d, err := time.ParseDuration(strings.TrimPrefix(o.word(1), "+"))
	if err != nil {
		return err
	}
	s.clock.Add(d.Milliseconds())
	return nil
}

// doSweep lets another process come and go: it looks for lapsed runs when it
// starts.
func (s *stage) doSweep(order) error {
	other, err := store.Open(s.ctx, s.config())
	if err != nil {
		return err
	}
	e, err := s.hire(other)
	if err != nil {
		return err
	}
	if err := e.Close(s.ctx); err != nil {
		return err
	}
	return other.Close()
}

// doRestart ends the process and starts another, whose tools may differ.
func (s *stage) doRestart(o order) error {
	s.close()
	list := func(key string) []string { return strings.Split(o.options[key], ",") }
	s.variant = variant{list("without"), list("plain"), list("reworded")}
	s.off = nil
	if off := o.options["off"]; off != "" {
		s.off = imprimatur.Set(strings.Split(off, ","))
	}
	if name := o.options["agents"]; name != "" {
		s.employ(section(s.archive, name))
	}
	s.open()
	s.start()
	return nil
}

// forbidden are the statements that a trigger can make fail, by what people
// would call them.
var forbidden = map[string]string{
	"pause":   "BEFORE UPDATE ON runs WHEN NEW.status = 'waiting_for_approval' AND OLD.status = 'running'",
	"settle":  "BEFORE UPDATE ON runs WHEN NEW.status IN ('completed', 'failed') AND OLD.status = 'running'",
	"records": "BEFORE INSERT ON records",
	"claim":   "BEFORE UPDATE ON runs WHEN NEW.status = 'running' AND OLD.status = 'waiting_for_approval'",
	"begin":   "BEFORE INSERT ON runs",
	"damaged": "BEFORE UPDATE ON runs WHEN OLD.id = 'run-1'",
}

// triggerOf says when a statement of this kind is met.
func triggerOf(kind string) string {
	if on, ok := forbidden[kind]; ok {
		return on
	}
	return "BEFORE INSERT ON events WHEN NEW.kind = '" + kind + "'"
}

func (s *stage) doForbid(o order) error {
	kind := o.word(1)
	statement := "DROP TRIGGER forbid_" + kind
	if o.words[0] == "forbid" {
		statement = "CREATE TRIGGER forbid_" + kind + " " + triggerOf(kind) + " BEGIN SELECT RAISE(ABORT, 'forbidden'); END"
	}
	if s.file == "" {
		statement = triggerForPostgres(kind, statement)
	}
	_, err := s.store.Writer().ExecContext(s.ctx, statement)
	return err
}

// triggerForPostgres writes the statement of a trigger as PostgreSQL reads it.
// The error that it raises is that of a constraint, as on SQLite.
func triggerForPostgres(kind, statement string) string {
	const body = " BEGIN SELECT RAISE(ABORT, 'forbidden'); END"
	if table := regexp.MustCompile(` ON (\w+)`).FindString(triggerOf(kind)); strings.HasPrefix(statement, "DROP") {
		return statement + table
	}
	statement = strings.TrimSuffix(statement, body)
	head, when, conditional := strings.Cut(statement, " WHEN ")
	head += " FOR EACH ROW"
	if conditional {
		head += " WHEN (" + when + ")"
	}
	return `CREATE OR REPLACE FUNCTION forbid() RETURNS trigger LANGUAGE plpgsql AS
		$$ BEGIN RAISE EXCEPTION USING ERRCODE = 'check_violation', MESSAGE = 'forbidden'; END $$;
		` + head + " EXECUTE FUNCTION forbid()"
}

// bytesLiteral is a literal of bytes as SQLite reads it.
var bytesLiteral = regexp.MustCompile(`\bx'([0-9a-f]*)'`)

func (s *stage) doSQL(o order) error {
	statement := o.word(1)
	if s.file == "" {
		statement = bytesLiteral.ReplaceAllString(statement, `'\x$1'`)
	}
	_, err := s.store.Writer().ExecContext(s.ctx, statement)
	return err
}

func (s *stage) doOn(o order) error {
	if _, err := s.store.Run(s.ctx, o.word(1)); err != nil {
		return err
	}
	s.run = o.word(1)
	return nil
}

// doExpect looks whether things are as they should be.
func (s *stage) doExpect(o order) error {
	o.words = o.words[1:]
	look := s.looks()[o.word(0)]
	if look == nil {
		return fmt.Errorf("nothing is known to expect of %q", o.word(0))
	}
	return look(o)
}

func same[T comparable](what string, got, want T) error {
	if got != want {
		return fmt.Errorf("%s is %v, want %v", what, got, want)
	}
	return nil
}

func sameNumber(what string, got int, o order, i int) error {
	want, err := o.number(i)
	if err != nil {
		return err
	}
	return same(what, got, want)
}

func sameList[T ~string](what string, got []T, want []string) error {
	var plain []string
	for _, g := range got {
		plain = append(plain, string(g))
	}
	if !slices.Equal(plain, want) {
		return fmt.Errorf("%s: got %s, want %s", what, strings.Join(plain, " "), strings.Join(want, " "))
	}
	return nil
}

// ofRow makes a look at the stored row.
func (s *stage) ofRow(f func(o order, r store.Row) error) func(order) error {
	return func(o order) error {
		r, err := s.store.Run(s.ctx, s.run)
		if err != nil {
			return err
		}
		return f(o, r)
	}
}

func (s *stage) looks() map[string]func(order) error {
	all := s.worldLooks()
	for name, look := range map[string]func(o order, r store.Row) error{
		"status":    func(o order, r store.Row) error { return same("status", string(r.Status), o.word(1)) },
		"reason":    func(o order, r store.Row) error { return same("reason", string(r.Reason), o.word(1)) },
		"class":     func(o order, r store.Row) error { return same("error class", r.ErrorClass, o.word(1)) },
		"rounds":    func(o order, r store.Row) error { return sameNumber("rounds", r.Rounds, o, 1) },
		"tokens":    func(o order, r store.Row) error { return sameNumber("tokens", int(r.Tokens.Total), o, 1) },
		"truncated": func(_ order, r store.Row) error { return same("truncated", r.Truncated, true) },
		"whole":     func(_ order, r store.Row) error { return same("truncated", r.Truncated, false) },
		"claim":     func(o order, r store.Row) error { return same("kind of claim", string(r.Claim.Kind()), o.word(1)) },
		"text": func(o order, r store.Row) error {
			out, _, err := s.store.Outcome(s.ctx, r.ID)
			if err != nil {
				return err
			}
			return same("text", out.Text, o.word(1))
		},
	} {
		all[name] = s.ofRow(look)
	}
	for name, look := range map[string]func(o order, r imprimatur.Run) error{
		"back":  func(_ order, r imprimatur.Run) error { return same("back", r.Back, true) },
		"fresh": func(_ order, r imprimatur.Run) error { return same("back", r.Back, false) },
		"stale": func(o order, r imprimatur.Run) error {
			var marks []string
			for _, m := range r.Stale {
				marks = append(marks, fmt.Sprintf("%d=%s", m.Index, m.Kind))
			}
			return sameList("stale", marks, o.words[1:])
		},
	} {
		all[name] = func(o order) error {
			chief, err := s.actor("chief")
			if err != nil {
				return err
			}
			run, err := s.engine.Status(s.ctx, chief, s.run)
			if err != nil {
				return err
			}
			return look(o, run)
		}
	}
	return all
}
