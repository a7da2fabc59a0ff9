package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/imprimatur-dev/imprimatur/content"
)

type contentCmd struct {
	Import contentImportCmd `cmd:"" help:"Take in a TYPO3 export in XML form: all of it or nothing."`
	Tree   contentTreeCmd   `cmd:"" help:"Show the tree of pages."`
	Show   contentShowCmd   `cmd:"" help:"Show a record."`
	Set    contentSetCmd    `cmd:"" help:"Change columns of a record through the write engine."`
}

type contentImportCmd struct {
	local
	Owner    string   `placeholder:"USER" help:"Who owns every page that comes in."`
	Language []string `placeholder:"ID=NAME:CODE" help:"Name a language of the export, for instance 1=German:de; may be repeated."`
	Storage  string   `placeholder:"NAME" help:"Storage the files lie in; media where absent."`
	JSON     bool     `name:"json" help:"Print JSON."`
	File     string   `arg:"" help:"The export."`
}

// Example implements exampled.
func (contentImportCmd) Example() string {
	return "imprimatur content import data.xml --config imprimatur.yaml \\\n    --owner jana --language 1=German:de"
}

// Run imports an export.
func (c *contentImportCmd) Run(a *app) error {
	opt := content.ImportOptions{Storage: c.Storage}
	for _, text := range c.Language {
		l, err := content.ParseLanguage(text)
		if err != nil {
			return usageError{err.Error()}
		}
		opt.Languages = append(opt.Languages, l)
	}
	f, err := openFile(c.File)
	if err != nil {
		return err
	}
	defer f.Close()
	return c.with(a, func(ctx context.Context, b *base) error {
		if c.Owner != "" {
			if opt.Owner, err = b.user(ctx, c.Owner); err != nil {
				return err
			}
		}
		summary, err := b.repo.Import(ctx, f, opt)
		var broken *content.ImportError
		if errors.As(err, &broken) {
			if broken.Line > 0 {
				return fmt.Errorf("%s:%d: %s; nothing was imported", c.File, broken.Line, broken.Reason)
			}
			return fmt.Errorf("%s: %s; nothing was imported", c.File, broken.Reason)
		}
		if err != nil {
			return err
		}
		if c.JSON {
			return a.json(summary)
		}
		fmt.Fprint(a.out, paragraphs(summary.Text()))
		return nil
	})
}

type contentTreeCmd struct {
	local
	Page  int64  `placeholder:"UID" help:"Begin at this page; at the top where absent."`
	Depth int    `default:"20" help:"How deep."`
	As    string `placeholder:"USER" help:"Show what this user sees."`
	JSON  bool   `name:"json" help:"Print JSON."`
}

// Example implements exampled.
func (contentTreeCmd) Example() string { return "imprimatur content tree --config imprimatur.yaml" }

// pageRow is a page as commands print it.
type pageRow struct {
	UID    int64  `json:"uid"`
	Depth  int    `json:"depth"`
	Title  string `json:"title"`
	Slug   string `json:"slug"`
	Hidden bool   `json:"hidden"`
}

// Run shows the tree.
func (c *contentTreeCmd) Run(a *app) error {
	return c.with(a, func(ctx context.Context, b *base) error {
		u, err := b.acting(ctx, c.As)
		if err != nil {
			return err
		}
		nodes, err := b.repo.Tree(ctx, u, c.Page, c.Depth)
		if err != nil {
			return err
		}
		if c.Page != 0 && len(nodes) == 0 {
			return content.ErrNotFound
		}
		rows := make([]pageRow, len(nodes))
		for i, n := range nodes {
			rows[i] = pageRow{n.UID, n.Depth, n.Text("title"), n.Text("slug"), n.Hidden()}
		}
		if c.JSON {
			return a.json(rows)
		}
		for _, p := range rows {
			hidden := ""
			if p.Hidden {
				hidden = "  (hidden)"
			}
			fmt.Fprintf(a.out, "%s%d  %s  %s%s\n", strings.Repeat("  ", p.Depth), p.UID, plain(p.Title), plain(p.Slug), hidden)
		}
		return nil
	})
}

type contentShowCmd struct {
	local
	As    string `placeholder:"USER" help:"Show what this user sees."`
	JSON  bool   `name:"json" help:"Print JSON."`
	Table string `arg:"" help:"Table, for instance pages or content."`
	UID   int64  `arg:"" name:"uid" help:"Uid of the record."`
}

// Example implements exampled.
func (contentShowCmd) Example() string {
	return "imprimatur content show content 40 --config imprimatur.yaml --json"
}

// Run shows a record.
func (c *contentShowCmd) Run(a *app) error {
	return c.with(a, func(ctx context.Context, b *base) error {
		u, err := b.acting(ctx, c.As)
		if err != nil {
			return err
		}
		shown, err := b.repo.Show(ctx, u, c.Table, c.UID)
		if err != nil {
			return err
		}
		if c.JSON {
			return a.json(shown)
		}
		fmt.Fprintf(a.out, "%s %d on page %d\n", plain(shown.Table), shown.UID, shown.PID)
		for _, name := range slices.Sorted(maps.Keys(shown.Fields)) {
			text := ""
			if v := shown.Fields[name]; v != nil {
				text = fmt.Sprint(v)
			}
			fmt.Fprintf(a.out, "  %s: %s\n", plain(name), plain(text))
		}
		for _, name := range slices.Sorted(maps.Keys(shown.Files)) {
			for _, f := range shown.Files[name] {
				fmt.Fprintf(a.out, "  %s: file %d %s (reference %d)\n", plain(name), f.File, plain(f.Name), f.Reference)
			}
		}
		return nil
	})
}

type contentSetCmd struct {
	local
	As     string   `placeholder:"USER" help:"Write as this user, with their rights."`
	Table  string   `arg:"" help:"Table, for instance pages or content."`
	UID    int64    `arg:"" name:"uid" help:"Uid of the record."`
	Fields []string `arg:"" name:"field=value" help:"Columns to set."`
}

// Example implements exampled.
func (contentSetCmd) Example() string {
	return `imprimatur content set pages 12 "title=Opening hours" --as jana \` +
		"\n    --config imprimatur.yaml"
}

// Run writes.
func (c *contentSetCmd) Run(a *app) error {
	fields, err := content.ParseFields(c.Fields)
	if err != nil {
		return usageError{err.Error()}
	}
	return c.with(a, func(ctx context.Context, b *base) error {
		u, err := b.acting(ctx, c.As)
		if err != nil {
			return err
		}
		out, untouched, err := b.repo.Set(ctx, u, c.Table, c.UID, fields)
		if err != nil {
			return err
		}
		if len(out.Complaints) > 0 {
			texts := make([]error, len(out.Complaints))
			for i, complaint := range out.Complaints {
				texts[i] = errors.New(complaint.String())
			}
			return errors.Join(append(texts, errors.New("nothing was written"))...)
		}
		if len(untouched) > 0 {
			return ended{exitNotMay, "These columns were not changed, for lack of a grant: " + strings.Join(untouched, ", ")}
		}
		a.say("%s %d is written.", plain(c.Table), c.UID)
		return nil
	})
}
