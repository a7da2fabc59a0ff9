package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/store"
)

type groupCmd struct {
	Apply groupApplyCmd `cmd:"" help:"Replace the groups and page rights that a file names."`
}

type groupApplyCmd struct {
	local
	File string `arg:"" help:"The file."`
}

// Example implements exampled.
func (groupApplyCmd) Example() string {
	return "imprimatur group apply groups.yaml --config imprimatur.yaml"
}

// groupFile is the file of "group apply".
type groupFile struct {
	Groups []store.Group `yaml:"groups"`
	Pages  []pageEntry   `yaml:"pages"`
}

type pageEntry struct {
	Page    int64    `yaml:"page"`
	Subtree bool     `yaml:"subtree"`
	Owner   string   `yaml:"owner"`
	Group   string   `yaml:"group"`
	Bits    pageBits `yaml:"bits"`
}

type pageBits struct {
	Owner     store.Names `yaml:"owner"`
	Group     store.Names `yaml:"group"`
	Everybody store.Names `yaml:"everybody"`
}

// Run applies the file. All of it is judged before anything is written.
func (c *groupApplyCmd) Run(a *app) error {
	text, err := readBounded(c.File)
	if err != nil {
		return fmt.Errorf("read %s: %s", c.File, why(err))
	}
	file, err := parseGroups(c.File, text)
	if err != nil {
		return err
	}
	return c.with(a, func(ctx context.Context, b *base) error {
		rights, err := b.judge(ctx, file)
		if err != nil {
			return fmt.Errorf("%s: %w", c.File, err)
		}
		if err := b.store.ApplyGroups(ctx, file.Groups); err != nil {
			return err
		}
		pages := 0
		for i, p := range file.Pages {
			n, err := b.repo.SetPageRights(ctx, p.Page, p.Subtree, rights[i])
			if err != nil {
				return fmt.Errorf("set rights of page %d: %w", p.Page, err)
			}
			pages += n
		}
		a.say("Applied: %s, and the rights of %s.", counted(int64(len(file.Groups)), "group"), counted(int64(pages), "page"))
		return nil
	})
}

// parseGroups reads the file strictly. Mistakes name the file, known as name,
// and the line.
func parseGroups(name string, text []byte) (groupFile, error) {
	var file groupFile
	l := loaded{file: name}
	if !l.decode(text, &file) || len(l.found) > 0 {
		return file, l.found
	}
	if len(file.Groups)+len(file.Pages) == 0 {
		return file, fmt.Errorf("%s: names no group and no page", name)
	}
	return file, nil
}

// judge turns the entries of pages into rights, and refuses what does not
// exist.
func (b *base) judge(ctx context.Context, file groupFile) ([]content.PageRights, error) {
	known := map[string]bool{"": true}
	existing, err := b.store.Groups(ctx)
	if err != nil {
		return nil, err
	}
	for _, g := range existing {
		known[g.Name] = true
	}
	for _, g := range file.Groups {
		if err := b.judgeGroup(g); err != nil {
			return nil, err
		}
		known[g.Name] = true
	}
	rights := make([]content.PageRights, len(file.Pages))
	seen := map[int64]bool{}
	for i, p := range file.Pages {
		if seen[p.Page] {
			return nil, fmt.Errorf("page %d is there twice", p.Page)
		}
		seen[p.Page] = true
		if !known[p.Group] {
			return nil, fmt.Errorf("page %d: there is no group named %q", p.Page, p.Group)
		}
		if rights[i], err = b.pageRights(ctx, p); err != nil {
			return nil, fmt.Errorf("page %d: %w", p.Page, err)
		}
	}
	return rights, nil
}

// judgeGroup refuses names that mean nothing here: a right that is misspelt
// would be one that nobody has.
func (b *base) judgeGroup(g store.Group) error {
	rights, err := g.Rights()
	var no *imprimatur.Refusal
	if errors.As(err, &no) {
		return errors.New(no.Detail)
	}
	if err != nil {
		return err
	}
	schema := b.repo.Schema()
	for _, part := range []struct {
		key   string
		names imprimatur.Set
		known func(name string) bool
	}{
		{"tables.select", rights.Select, func(name string) bool { _, ok := schema.Table(name); return ok }},
		{"tables.modify", rights.Modify, func(name string) bool { _, ok := schema.Table(name); return ok }},
		{"fields", rights.Fields, func(name string) bool { return hasColumn(schema, name) }},
		{"values", rights.Values, func(name string) bool { return hasColumn(schema, name) }},
		{"mounts.files", rights.Files, func(name string) bool {
			storage, _, _ := strings.Cut(name, ":")
			return b.cfg.storages().Has(storage)
		}},
	} {
		for _, name := range part.names {
			if name != imprimatur.All && !part.known(name) {
				return fmt.Errorf("group %q: %s: %q is not known here", g.Name, part.key, name)
			}
		}
	}
	return nil
}

// hasColumn reports whether a name that begins with table.column names one.
func hasColumn(schema *content.Schema, name string) bool {
	table, column, _ := strings.Cut(name, ".")
	column, _, _ = strings.Cut(column, ".")
	_, ok := schema.Column(table, column)
	return ok
}

func (b *base) pageRights(ctx context.Context, p pageEntry) (content.PageRights, error) {
	r := content.PageRights{Group: p.Group}
	if page, err := b.repo.Page(ctx, content.System(), p.Page); err != nil {
		return r, err
	} else if page.Language != 0 {
		return r, errors.New("is a translation; it has the rights of its original")
	}
	if p.Owner != "" {
		u, err := b.user(ctx, p.Owner)
		if err != nil {
			return r, err
		}
		r.Owner = u.ID
	}
	for _, bits := range []struct {
		names store.Names
		into  *content.Bits
	}{{p.Bits.Owner, &r.OwnerMay}, {p.Bits.Group, &r.GroupMay}, {p.Bits.Everybody, &r.EverybodyMay}} {
		parsed, err := content.ParseBits(bits.names)
		if err != nil {
			return r, err
		}
		*bits.into = parsed
	}
	return r, nil
}
