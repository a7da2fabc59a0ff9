package engine_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/internal/seal"
	"github.com/imprimatur-dev/imprimatur/store"
)

// cutWord takes the first word off a line. Quotes may stand inside a word, as
// in key="a b".
func cutWord(line string) (word, rest string, err error) {
	var b strings.Builder
	for line != "" && line[0] != ' ' && line[0] != '\t' {
		if line[0] != '"' {
			b.WriteByte(line[0])
			line = line[1:]
			continue
		}
		quoted, err := strconv.QuotedPrefix(line)
		if err != nil {
			return "", "", errors.New("a quote that does not end")
		}
		text, err := strconv.Unquote(quoted)
		if err != nil {
			return "", "", err
		}
		line = line[len(quoted):]
		if times, ok := strings.CutPrefix(line, "*"); ok {
			digits := len(times) - len(strings.TrimLeft(times, "0123456789"))
			n, err := strconv.Atoi(times[:digits])
			if err != nil {
				return "", "", errors.New("a repeat without number")
			}
			text, line = strings.Repeat(text, n), times[digits:]
		}
		b.WriteString(text)
	}
	return b.String(), line, nil
}

// order is one step: words, options of the form key=value, and the refusal
// that is expected.
type order struct {
	words   []string
	options map[string]string
	refusal []string // code and, where given, tool
}

func (o order) word(i int) string {
	if i < len(o.words) {
		return o.words[i]
	}
	return ""
}

func (o order) number(i int) (int, error) {
	n, err := strconv.Atoi(o.word(i))
	if err != nil {
		return 0, fmt.Errorf("word %d of the step is to be a number, it is %q", i+1, o.word(i))
	}
	return n, nil
}

// has reports whether one of the words after the name is this one.
func (o order) has(word string) bool { return len(o.words) > 2 && slices.Contains(o.words[2:], word) }

func parseOrder(line string) (order, error) {
	words, err := cutWords(line)
	if err != nil {
		return order{}, err
	}
	o := order{options: map[string]string{}}
	if i := slices.Index(words, "=>"); i >= 0 {
		words, o.refusal = words[:i], words[i+1:]
		if len(o.refusal) == 0 || len(o.refusal) > 2 {
			return order{}, errors.New("after => stands a code, and a tool where the refusal names one")
		}
	}
	for i, w := range words {
		key, value, ok := strings.Cut(w, "=")
		if ok && i > 0 && slices.Contains([]string{"turn", "picture", "rounds", "tools", "key", "after", "without", "plain", "reworded", "off", "agents"}, key) {
			o.options[key] = value
			continue
		}
		o.words = append(o.words, w)
	}
	return o, nil
}

// step does what one line says.
func (s *stage) step(line string) error {
	if head, rest, ok := strings.Cut(strings.TrimSpace(line), ": "); ok && strings.HasPrefix(head, "when ") {
		return s.when(strings.TrimPrefix(head, "when "), rest)
	}
	o, err := parseOrder(line)
	if err != nil || len(o.words) == 0 {
		return err
	}
	if ask := s.asks()[o.words[0]]; ask != nil {
		return s.judge(o, ask(o))
	}
	if o.refusal != nil {
		return errors.New("this step refuses nothing")
	}
	do := s.deeds()[o.words[0]]
	if do == nil {
		return fmt.Errorf("there is no step %q", o.words[0])
	}
	return do(o)
}

// judge holds an answer against the refusal that is expected.
func (s *stage) judge(o order, err error) error {
	var no *imprimatur.Refusal
	switch {
	case !errors.As(err, &no) && err != nil:
		return err
	case o.refusal == nil && no != nil:
		return fmt.Errorf("refused: %w", no)
	case o.refusal != nil && no == nil:
		return fmt.Errorf("not refused, want %s", o.refusal[0])
	case o.refusal != nil && string(no.Code) != o.refusal[0]:
		return fmt.Errorf("refused with %s, want %s", no.Code, o.refusal[0])
	case len(o.refusal) == 2 && no.Tool != o.refusal[1]:
		return fmt.Errorf("the refusal names the tool %q, want %q", no.Tool, o.refusal[1])
	}
	return nil
}

// when orders steps for the next time a point is reached.
func (s *stage) when(point, steps string) error {
	s.world.mu.Lock()
	defer s.world.mu.Unlock()
	s.world.hooks[point] = append(s.world.hooks[point], func() {
		for line := range strings.SplitSeq(steps, "; ") {
			if text, ok := strings.CutPrefix(line, "panic "); ok {
				panic(text)
			}
			if err := s.step(line); err != nil {
				s.fault("when %s: %s: %v", point, line, err)
			}
		}
	})
	return nil
}

// asks are the steps that ask the engine for something.
func (s *stage) asks() map[string]func(order) error {
	return map[string]func(order) error{
		"run": s.doRun, "approve": s.doDecide, "deny": s.doDecide, "cancel": s.doCancel,
		"card": s.doCard, "look": s.doCard, "status": s.doStatus, "events": s.doEvents, "list": s.doList,
	}
}

// deeds are all other steps.
func (s *stage) deeds() map[string]func(order) error {
	return map[string]func(order) error{
		"note": s.doNote, "touch": s.doTouch, "remove": s.doRemove, "hide": s.doHide, "unhide": s.doHide, "break": s.doBreak,
		"lang": s.doPerson, "disable": s.doPerson, "enable": s.doPerson, "admin": s.doPerson, "grant": s.doPerson,
		"clock": s.doClock, "sweep": s.doSweep, "restart": s.doRestart, "forbid": s.doForbid, "allow": s.doForbid,
		"state": s.doState, "sql": s.doSQL, "on": s.doOn, "expect": s.doExpect,
	}
}

func (s *stage) wait() imprimatur.Wait {
	s.mu.Lock()
	s.observed = nil
	s.mu.Unlock()
	return imprimatur.Wait{For: time.Minute, Step: func(step imprimatur.Step) {
		s.mu.Lock()
		s.observed = append(s.observed, step.Kind)
		s.mu.Unlock()
		s.world.at("step " + string(step.Kind))
	}}
}

func (s *stage) doRun(o order) error {
	actor, err := s.actor(o.word(1))
	if err != nil {
		return err
	}
	start := imprimatur.Start{Agent: o.word(2), Prompt: o.word(3), Key: o.options["key"], Body: []byte(o.word(3))}
	s.secret(start.Prompt)
	if list, ok := o.options["tools"]; ok {
		names := []string{}
		if list != "" {
			names = strings.Split(list, ",")
		}
		start.Tools = &names
	}
	if n, ok := o.options["rounds"]; ok {
		if start.MaxRounds, err = strconv.Atoi(n); err != nil {
			return err
		}
	}
	wait := s.wait()
	wait.Begun = func(run string) { s.run = run }
	run, err := s.engine.Run(s.ctx, actor, start, wait)
	if err == nil {
		s.run = run.ID
	}
	return err
}

func (s *stage) doDecide(o order) error {
	actor, err := s.actor(o.word(1))
	if err != nil {
		return err
	}
	d := imprimatur.Decision{Verdict: imprimatur.Verdict(o.words[0]), Retry: o.has("retry")}
	for _, w := range o.words[min(2, len(o.words)):] {
		if w != "retry" && w != "seen" && w != "session" {
			d.Reason = w
			s.secret(w)
		}
	}
	card := s.seen[o.word(1)+" "+s.run]
	if !o.has("seen") {
		if card, err = s.look(actor); err != nil && card.TurnDigest == "" {
			card = imprimatur.Card{}
		}
	}
	if o.has("session") {
		actor = s.session[o.word(1)]
	}
	d.TurnDigest = s.digest(o.options["turn"], card.TurnDigest, func(c imprimatur.Card) string { return c.TurnDigest })
	d.PictureDigest = s.digest(o.options["picture"], card.PictureDigest, func(c imprimatur.Card) string { return c.PictureDigest })
	before := s.frozen()
	_, err = s.engine.Decide(s.ctx, actor, s.run, d, s.wait())
	s.checkRefused(actor, err, before)
	return err
}

// digest is what a decision names where the step says so, else own.
func (s *stage) digest(how, own string, of func(imprimatur.Card) string) string {
	switch how {
	case "":
		return own
	case "none":
		return ""
	case "wrong":
		return strings.Repeat("0", 64)
	case "upper":
		return strings.ToUpper(own)
	default:
		return of(s.last[how])
	}
}

// look fetches a card without remembering it as seen by its reader.
func (s *stage) look(actor imprimatur.Actor) (imprimatur.Card, error) {
	card, err := s.engine.Card(s.ctx, actor, s.run)
	if err == nil && card.PictureDigest != "" {
		s.last[s.run] = card
	}
	return card, err
}

func (s *stage) doCard(o order) error {
	actor, err := s.actor(o.word(1))
	if err != nil {
		return err
	}
	card, err := s.look(actor)
	if err != nil {
		return err
	}
	s.seen[o.word(1)+" "+s.run], s.session[o.word(1)] = card, actor
	if o.words[0] == "look" {
		return nil
	}
	name := "card.json"
	if o.word(2) != "" {
		name = "card-" + o.word(2) + ".json"
	}
	text, err := json.MarshalIndent(card, "", "\t")
	s.cards[name] = string(text) + "\n"
	return err
}

func (s *stage) doCancel(o order) error {
	actor, err := s.actor(o.word(1))
	if err != nil {
		return err
	}
	_, err = s.engine.Cancel(s.ctx, actor, s.run)
	return err
}

func (s *stage) doStatus(o order) error {
	actor, err := s.actor(o.word(1))
	if err != nil {
		return err
	}
	_, err = s.engine.Status(s.ctx, actor, s.run)
	return err
}

func (s *stage) doEvents(o order) error {
	actor, err := s.actor(o.word(1))
	if err != nil {
		return err
	}
	after, err := strconv.ParseInt(o.options["after"], 10, 64)
	if err != nil {
		return err
	}
	events, err := s.engine.Events(s.ctx, actor, s.run, after)
	for i, e := range events {
		if e.Sequence != after+1+int64(i) {
			return fmt.Errorf("event %d of the answer has the sequence %d", i, e.Sequence)
		}
	}
	return err
}

func (s *stage) doList(o order) error {
	actor, err := s.actor(o.word(1))
	if err != nil {
		return err
	}
	var filter imprimatur.Filter
	want := o.words[min(2, len(o.words)):]
	if len(want) > 0 && want[0] == "waiting" {
		filter.Status, want = imprimatur.StatusWaiting, want[1:]
	}
	list, err := s.engine.Waiting(s.ctx, actor, filter)
	if err != nil {
		return err
	}
	var got []string
	for _, r := range list.Runs {
		got = append(got, r.ID)
	}
	if !slices.Equal(got, want) {
		return fmt.Errorf("listed are %v, want %v", got, want)
	}
	return nil
}

// doState changes the sealed state of the run that waits: PATH leads through
// objects and lists, as in callPreviews.0.tool; the JSON "drop" removes what
// is there.
func (s *stage) doState(o order) error {
	var sealed []byte
	var sequence int64
	row := s.store.Reader().QueryRowContext(s.ctx, "SELECT state, state_sequence FROM runs WHERE id = $1", s.run)
	if err := row.Scan(&sealed, &sequence); err != nil {
		return err
	}
	sealer, err := seal.Open(s.keys)
	if err != nil {
		return err
	}
	where := seal.Associated(s.run, "state", sequence)
	plain, err := sealer.Open(sealed, where)
	if err != nil {
		return err
	}
	if o.word(1) == "replace" {
		plain = []byte(o.word(2))
	} else {
		var state any
		if err := json.Unmarshal(plain, &state); err != nil {
			return err
		}
		if state, err = set(state, strings.Split(o.word(1), "."), o.word(2)); err != nil {
			return err
		}
		if plain, err = json.Marshal(state); err != nil {
			return err
		}
	}
	if sealed, err = sealer.Seal(plain, where); err != nil {
		return err
	}
	_, err = s.store.Writer().ExecContext(s.ctx, "UPDATE runs SET state = $1 WHERE id = $2", sealed, s.run)
	return err
}

// set returns v with the value at path replaced.
func set(v any, path []string, to string) (any, error) {
	if len(path) == 0 {
		var value any
		err := json.Unmarshal([]byte(to), &value)
		return value, err
	}
	switch v := v.(type) {
	case map[string]any:
		if len(path) == 1 && to == "drop" {
			delete(v, path[0])
			return v, nil
		}
		inner, err := set(v[path[0]], path[1:], to)
		v[path[0]] = inner
		return v, err
	case []any:
		i, err := strconv.Atoi(path[0])
		if err != nil || i < 0 || i > len(v) {
			return nil, fmt.Errorf("there is no entry %s", path[0])
		}
		if i == len(v) {
			v = append(v, nil)
		}
		v[i], err = set(v[i], path[1:], to)
		return v, err
	default:
		return nil, fmt.Errorf("nothing lies below %s", path[0])
	}
}

func (s *stage) doPerson(o order) error {
	u, err := s.store.UserByName(s.ctx, o.word(1))
	if err != nil || !u.Exists() {
		return fmt.Errorf("there is nobody called %s: %w", o.word(1), err)
	}
	yes, no := true, false
	tag := o.word(2)
	groups := []string{"approvers"}
	change := map[string]store.UserChange{
		"lang": {Lang: &tag}, "disable": {Enabled: &no}, "enable": {Enabled: &yes}, "admin": {Admin: &yes}, "grant": {Groups: &groups},
	}[o.words[0]]
	if o.words[0] == "admin" && tag == "off" {
		change.Admin = &no
	}
	if o.words[0] == "grant" && tag == "off" {
		change.Groups = &[]string{}
	}
	_, err = s.store.ChangeUser(s.ctx, u.ID, change)
	return err
}
