package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"

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
	Owner     []string `yaml:"owner"`
	Group     []string `yaml:"group"`
	Everybody []string `yaml:"everybody"`
}

// Run applies the file. All of it is judged before anything is written.
func (c *groupApplyCmd) Run(a *app) error {
	text, err := readBounded(c.File)
	if err != nil {
		return fmt.Errorf("read %s: %s", c.File, why(err))
	}
	file, err := parseGroups(text)
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
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

// parseGroups reads the file strictly.
func parseGroups(text []byte) (groupFile, error) {
	var file groupFile
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&file); err != nil && !errors.Is(err, io.EOF) {
		l := loaded{file: "groups"}
		var types *yaml.TypeError
		if !errors.As(err, &types) {
			return file, errors.New(strings.TrimPrefix(err.Error(), "yaml: "))
		}
		for _, e := range types.Errors {
			l.wrongType(e)
		}
		return file, l.found
	}
	if len(file.Groups)+len(file.Pages) == 0 {
		return file, errors.New("names no group and no page")
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
	if _, err := b.repo.PageRights(ctx, p.Page); err != nil {
		return r, err
	}
	if p.Owner != "" {
		u, err := b.user(ctx, p.Owner)
		if err != nil {
			return r, err
		}
		r.Owner = u.ID
	}
	for _, bits := range []struct {
		names []string
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
