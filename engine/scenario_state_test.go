package engine_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/imprimatur-dev/imprimatur/internal/seal"
	"github.com/imprimatur-dev/imprimatur/store"
)

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
