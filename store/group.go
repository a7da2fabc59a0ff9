package store

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"

	"github.com/imprimatur-dev/imprimatur"
)

// Group is a group as the file of "group apply" describes it. What is absent
// is not allowed; "*" allows all.
type Group struct {
	Name      string `yaml:"name" json:"name"`
	Grants    Names  `yaml:"grants" json:"grants,omitempty"`
	Tables    Tables `yaml:"tables" json:"tables"`
	Languages Names  `yaml:"languages" json:"languages,omitempty"`
	Fields    Names  `yaml:"fields" json:"fields,omitempty"`
	Values    Names  `yaml:"values" json:"values,omitempty"`
	PageTypes Names  `yaml:"page_types" json:"page_types,omitempty"`
	Mounts    Mounts `yaml:"mounts" json:"mounts"`
}

// Tables names the tables that may be read and those that may be written.
type Tables struct {
	Select Names `yaml:"select" json:"select,omitempty"`
	Modify Names `yaml:"modify" json:"modify,omitempty"`
}

// Mounts names where members enter the trees of pages and of files.
type Mounts struct {
	Pages Names `yaml:"pages" json:"pages,omitempty"` // uids in decimal
	Files Names `yaml:"files" json:"files,omitempty"` // "storage:/folder/"
}

// Names is a list of names in a file, or "*" alone.
type Names []string

// UnmarshalYAML reads a list, or the one word "*".
func (n *Names) UnmarshalYAML(unmarshal func(any) error) error {
	var word string
	if unmarshal(&word) == nil {
		if word != imprimatur.All {
			return fmt.Errorf("a list is wanted, or %q", imprimatur.All)
		}
		*n = Names{word}
		return nil
	}
	var list []string
	if err := unmarshal(&list); err != nil {
		return err
	}
	*n = list
	return nil
}

// The forms of names in a group.
var (
	decimal   = regexp.MustCompile(`^(0|[1-9][0-9]{0,17})$`)
	word      = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
	fieldForm = regexp.MustCompile(`^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$`)
	valueForm = regexp.MustCompile(`^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*\.[^\s\pC]+$`)
	mountForm = regexp.MustCompile(`^[a-z][a-z0-9_-]*:/([^\pC]*/)?$`)
	grantForm = regexp.MustCompile(`^` + string(imprimatur.GrantApprove) + `$`)
)

// Rights returns what the group allows, sorted. It answers a *Refusal that
// names group, key and entry of the first mistake.
func (g Group) Rights() (imprimatur.Rights, error) {
	var grants imprimatur.Set
	var r imprimatur.Rights
	for _, part := range []struct {
		key  string
		from Names
		form *regexp.Regexp
		to   *imprimatur.Set
	}{
		{"grants", g.Grants, grantForm, &grants},
		{"tables.select", g.Tables.Select, word, &r.Select},
		{"tables.modify", g.Tables.Modify, word, &r.Modify},
		{"languages", g.Languages, decimal, &r.Languages},
		{"fields", g.Fields, fieldForm, &r.Fields},
		{"values", g.Values, valueForm, &r.Values},
		{"page_types", g.PageTypes, word, &r.PageTypes},
		{"mounts.pages", g.Mounts.Pages, decimal, &r.Pages},
		{"mounts.files", g.Mounts.Files, mountForm, &r.Files},
	} {
		for _, entry := range part.from {
			if entry != imprimatur.All && (!part.form.MatchString(entry) || !storable(entry)) {
				return imprimatur.Rights{}, imprimatur.BadRequest("group %q: %s: %q is not known here", g.Name, part.key, entry)
			}
		}
		*part.to = union(nil, imprimatur.Set(part.from))
	}
	r.Grants = grantsOf(grants)
	return r, nil
}

// grantsOf writes "*" out: a grant that a later program brings is to be given
// by a person, not by an old file.
func grantsOf(names imprimatur.Set) []imprimatur.Grant {
	if names.Has(string(imprimatur.GrantApprove)) {
		return []imprimatur.Grant{imprimatur.GrantApprove}
	}
	return nil
}

// union merges two lists of names: sorted, each once, "*" alone.
func union(a, b imprimatur.Set) imprimatur.Set {
	all := slices.Concat(a, b)
	if len(all) == 0 {
		return nil
	}
	if slices.Contains(all, imprimatur.All) {
		return imprimatur.Set{imprimatur.All}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// merge returns what either of two groups allows.
func merge(a, b imprimatur.Rights) imprimatur.Rights {
	grants := slices.Concat(a.Grants, b.Grants)
	slices.Sort(grants)
	return imprimatur.Rights{
		Grants:    slices.Compact(grants),
		Select:    union(a.Select, b.Select),
		Modify:    union(a.Modify, b.Modify),
		Languages: union(a.Languages, b.Languages),
		Fields:    union(a.Fields, b.Fields),
		Values:    union(a.Values, b.Values),
		PageTypes: union(a.PageTypes, b.PageTypes),
		Pages:     union(a.Pages, b.Pages),
		Files:     union(a.Files, b.Files),
	}
}

// GroupRights is a group as it is stored.
type GroupRights struct {
	Name   string            `json:"name"`
	Rights imprimatur.Rights `json:"rights"`
}

// Groups reads every group, by name.
func (s *Store) Groups(ctx context.Context) ([]GroupRights, error) {
	rows, err := s.reader.QueryContext(ctx, peopleSQL.get("Groups"))
	if err != nil {
		return nil, fmt.Errorf("read groups: %w", err)
	}
	defer rows.Close()
	var all []GroupRights
	for rows.Next() {
		var g GroupRights
		var rights []byte
		if err := rows.Scan(&g.Name, &rights); err != nil {
			return nil, fmt.Errorf("read groups: %w", err)
		}
		if err := json.Unmarshal(rights, &g.Rights); err != nil {
			return nil, fmt.Errorf("read the rights of group %s: %w", g.Name, err)
		}
		all = append(all, g)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read groups: %w", err)
	}
	return all, nil
}

// ApplyGroups replaces the groups that are given and leaves others alone: all
// of them or, at the first mistake, none. A group that changes raises the
// rights version of its members.
func (s *Store) ApplyGroups(ctx context.Context, groups []Group) error {
	wanted := map[string][]byte{}
	var names []string
	for _, g := range groups {
		g.Name = tidy(g.Name)
		if err := checkName("the name of a group", g.Name); err != nil {
			return err
		}
		if _, twice := wanted[g.Name]; twice {
			return imprimatur.BadRequest("group %q is there twice", g.Name)
		}
		rights, err := g.Rights()
		if err != nil {
			return err
		}
		text, err := json.Marshal(rights)
		if err != nil {
			return fmt.Errorf("write the rights of group %s: %w", g.Name, err)
		}
		wanted[g.Name] = text
		names = append(names, g.Name)
	}
	err := s.administer(ctx, func(ctx context.Context, tx *sql.Tx, _ int64) error {
		for _, name := range names {
			if err := putGroup(ctx, tx, name, wanted[name]); err != nil {
				return fmt.Errorf("group %s: %w", name, err)
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("apply groups: %w", err)
	}
	return nil
}

func putGroup(ctx context.Context, tx *sql.Tx, name string, rights []byte) error {
	id, old, err := findGroup(ctx, tx, name)
	if err != nil {
		return err
	}
	if id == 0 {
		if id, err = nextID(ctx, tx, "groups"); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, peopleSQL.get("AddGroup"), id, name, rights)
		return err
	}
	if bytes.Equal(old, rights) {
		return nil
	}
	if _, err := tx.ExecContext(ctx, peopleSQL.get("SetGroup"), rights, id); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, peopleSQL.get("TouchMembers"), id)
	return err
}

// findGroup finds a group. The id of no group is 0.
func findGroup(ctx context.Context, tx *sql.Tx, name string) (id int64, rights []byte, err error) {
	if !storable(name) {
		return 0, nil, nil
	}
	err = tx.QueryRowContext(ctx, peopleSQL.get("Group"), name).Scan(&id, &rights)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil, nil
	}
	return id, rights, err
}
