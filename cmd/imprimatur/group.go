package main

import (
	"context"
	"errors"
	"fmt"

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
		a.say("%d groups are applied, and the rights of %d pages.", len(file.Groups), pages)
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
		if _, err := g.Rights(); err != nil {
			return nil, err
		}
		known[g.Name] = true
	}
	rights := make([]content.PageRights, len(file.Pages))
	for i, p := range file.Pages {
		if !known[p.Group] {
			return nil, fmt.Errorf("page %d: there is no group named %q", p.Page, p.Group)
		}
		if rights[i], err = b.pageRights(ctx, p); err != nil {
			return nil, fmt.Errorf("page %d: %w", p.Page, err)
		}
	}
	return rights, nil
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
