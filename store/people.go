package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/mail"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/internal/lang"
)

var peopleSQL = load("people.sql")

// ErrNameTaken says that there is a user of this name already.
var ErrNameTaken = errors.New("there is a user of this name already")

// ErrNoUser says that there is no such user.
var ErrNoUser = errors.New("no such user")

// NewUser describes a user who is to be added.
type NewUser struct {
	Name   string // unique, compared byte by byte after trimming and NFC
	Email  string // may be empty
	Lang   string // BCP 47; empty means English
	Admin  bool
	Groups []string // names of groups that exist
}

// UserChange says what of a user changes; nil leaves it.
type UserChange struct {
	Email   *string
	Lang    *string
	Admin   *bool
	Enabled *bool
	Groups  *[]string // replaces all memberships
}

// User reads a user with the rights of their groups. Somebody who does not
// exist is the zero user.
func (s *Store) User(ctx context.Context, id int64) (imprimatur.User, error) {
	return s.userTx(ctx, s.reader, id)
}

// userTx is User through a transaction.
func (s *Store) userTx(ctx context.Context, q querier, id int64) (imprimatur.User, error) {
	return oneUser(ctx, q, "User", id)
}

// UserByName reads a user by name. Somebody who does not exist is the zero
// user.
func (s *Store) UserByName(ctx context.Context, name string) (imprimatur.User, error) {
	return oneUser(ctx, s.reader, "UserByName", tidy(name))
}

// Users reads everybody, by name.
func (s *Store) Users(ctx context.Context) ([]imprimatur.User, error) {
	return readUsers(ctx, s.reader, "Users")
}

func oneUser(ctx context.Context, q querier, statement string, key any) (imprimatur.User, error) {
	if text, ok := key.(string); ok && !storable(text) {
		return imprimatur.User{}, nil
	}
	found, err := readUsers(ctx, q, statement, key)
	if err != nil || len(found) == 0 {
		return imprimatur.User{}, err
	}
	return found[0], nil
}

// readUsers reads rows of users and their groups, those of a user together.
func readUsers(ctx context.Context, q querier, statement string, args ...any) ([]imprimatur.User, error) {
	rows, err := q.QueryContext(ctx, peopleSQL.get(statement), args...)
	if err != nil {
		return nil, fmt.Errorf("read users: %w", err)
	}
	defer rows.Close()
	var all []imprimatur.User
	for rows.Next() {
		var u imprimatur.User
		var group sql.NullString
		var rights []byte
		if err := rows.Scan(&u.ID, &u.Name, &u.Email, &u.Lang, &u.Admin, &u.Enabled, &u.Version, &group, &rights); err != nil {
			return nil, fmt.Errorf("read users: %w", err)
		}
		if n := len(all); n == 0 || all[n-1].ID != u.ID {
			all = append(all, u)
		}
		if !group.Valid {
			continue
		}
		var allowed imprimatur.Rights
		if err := json.Unmarshal(rights, &allowed); err != nil {
			return nil, fmt.Errorf("read the rights of group %s: %w", group.String, err)
		}
		last := &all[len(all)-1]
		last.Groups = append(last.Groups, group.String)
		last.Rights = merge(last.Rights, allowed)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read users: %w", err)
	}
	return all, nil
}

// AddUser adds a user, enabled. It answers ErrNameTaken, or a *Refusal that
// names what is wrong.
func (s *Store) AddUser(ctx context.Context, n NewUser) (imprimatur.User, error) {
	n.Name = tidy(n.Name)
	if err := cmp.Or(checkName("name", n.Name), checkEmail(n.Email), checkLang(n.Lang)); err != nil {
		return imprimatur.User{}, err
	}
	var added imprimatur.User
	err := s.administer(ctx, func(ctx context.Context, tx *sql.Tx, now int64) error {
		id, err := nextID(ctx, tx, "users")
		if err != nil {
			return err
		}
		result, err := tx.ExecContext(ctx, peopleSQL.get("AddUser"), id, n.Name, n.Email, n.Lang, bit(n.Admin), now)
		if err != nil {
			return err
		}
		if one, err := affected(result); err != nil || !one {
			return cmp.Or(err, ErrNameTaken)
		}
		if err := join(ctx, tx, id, n.Groups); err != nil {
			return err
		}
		added, err = s.userTx(ctx, tx, id)
		return err
	})
	if err != nil {
		return imprimatur.User{}, fmt.Errorf("add user: %w", err)
	}
	return added, nil
}

// ChangeUser changes a user and raises their rights version, whatever changed.
// It answers ErrNoUser, or a *Refusal that names what is wrong.
func (s *Store) ChangeUser(ctx context.Context, id int64, c UserChange) (imprimatur.User, error) {
	if c.Email != nil {
		if err := checkEmail(*c.Email); err != nil {
			return imprimatur.User{}, err
		}
	}
	if c.Lang != nil {
		if err := checkLang(*c.Lang); err != nil {
			return imprimatur.User{}, err
		}
	}
	var changed imprimatur.User
	err := s.administer(ctx, func(ctx context.Context, tx *sql.Tx, _ int64) error {
		result, err := tx.ExecContext(ctx, peopleSQL.get("ChangeUser"), c.Email, c.Lang, optionalBit(c.Admin), optionalBit(c.Enabled), id)
		if err != nil {
			return err
		}
		if one, err := affected(result); err != nil || !one {
			return cmp.Or(err, ErrNoUser)
		}
		if c.Groups != nil {
			if _, err := tx.ExecContext(ctx, peopleSQL.get("LeaveGroups"), id); err != nil {
				return err
			}
			if err := join(ctx, tx, id, *c.Groups); err != nil {
				return err
			}
		}
		changed, err = s.userTx(ctx, tx, id)
		return err
	})
	if err != nil {
		return imprimatur.User{}, fmt.Errorf("change user %d: %w", id, err)
	}
	return changed, nil
}

// administer is write for changes of people, which never overlap.
func (s *Store) administer(ctx context.Context, fn func(ctx context.Context, tx *sql.Tx, now int64) error) error {
	return s.write(ctx, func(ctx context.Context, tx *sql.Tx, now int64) error {
		if _, err := tx.ExecContext(ctx, peopleSQL.get("HoldPeople")); err != nil {
			return err
		}
		return fn(ctx, tx, now)
	})
}

// join adds a user who is in no group to these. Whoever calls it raises the
// version.
func join(ctx context.Context, tx *sql.Tx, id int64, groups []string) error {
	names := make([]string, 0, len(groups))
	for _, name := range groups {
		names = append(names, tidy(name))
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		group, _, err := findGroup(ctx, tx, name)
		if err != nil {
			return err
		}
		if group == 0 {
			return imprimatur.BadRequest("there is no group %q", name)
		}
		if _, err := tx.ExecContext(ctx, peopleSQL.get("JoinGroup"), id, group); err != nil {
			return err
		}
	}
	return nil
}

// tidy is the one form in which a name is stored and looked up.
func tidy(name string) string { return norm.NFC.String(strings.TrimSpace(name)) }

// storable reports whether both databases take the text.
func storable(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsRune(text, 0)
}

const longestName = 100 // characters

func checkName(field, name string) error {
	switch {
	case name == "":
		return imprimatur.BadRequest("%s is empty", field)
	case !utf8.ValidString(name):
		return imprimatur.BadRequest("%s is not UTF-8", field)
	case utf8.RuneCountInString(name) > longestName:
		return imprimatur.BadRequest("%s is longer than %d characters", field, longestName)
	case strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsGraphic(r) }):
		return imprimatur.BadRequest("%s holds an invisible character", field)
	}
	return nil
}

func checkEmail(email string) error {
	if email == "" {
		return nil
	}
	if parsed, err := mail.ParseAddress(email); err != nil || parsed.Address != email || len(email) > 254 || !storable(email) {
		return imprimatur.BadRequest("email is not an address")
	}
	return nil
}

func checkLang(tag string) error {
	if tag != "" && !lang.Valid(tag) {
		return imprimatur.BadRequest("lang is not a language tag such as \"de\" or \"de-AT\"")
	}
	return nil
}
