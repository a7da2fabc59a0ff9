package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/imprimatur-dev/imprimatur/store"
)

type doctorCmd struct {
	local
	JSON bool `name:"json" help:"Print JSON."`
}

// Example implements exampled.
func (doctorCmd) Example() string { return "imprimatur doctor --config imprimatur.yaml" }

// diagnosis is what the doctor says.
type diagnosis struct {
	OK       bool     `json:"ok"`
	Mistakes []string `json:"mistakes"`
	Notes    []string `json:"notes"`
}

// Run names every mistake. It changes nothing: a database that does not exist
// yet is not made.
func (c *doctorCmd) Run(a *app) error {
	d, err := c.examine(a)
	if err != nil {
		return err
	}
	d.OK = len(d.Mistakes) == 0
	if c.JSON {
		if err := a.json(d); err != nil {
			return err
		}
	} else {
		for _, m := range d.Mistakes {
			fmt.Fprintln(a.out, plain(m))
		}
		for _, n := range d.Notes {
			a.say("%s", plain(n))
		}
	}
	if !d.OK {
		return ended{code: exitError}
	}
	a.say("No mistake was found.")
	return nil
}

func (c *doctorCmd) examine(a *app) (diagnosis, error) {
	d := diagnosis{Mistakes: []string{}, Notes: []string{}}
	cfg, err := loadConfig(c.Config, a.env)
	var found mistakes
	if errors.As(err, &found) {
		for _, m := range found {
			d.Mistakes = append(d.Mistakes, m.text)
		}
		return d, nil
	}
	if err != nil {
		return d, err
	}
	if cfg.Seal.None {
		d.Notes = append(d.Notes, "Nothing is sealed: whoever reads the database reads everything.")
	}
	if len(cfg.Agents) == 0 {
		d.Notes = append(d.Notes, "There is no agent: nothing can be started.")
	}
	if !cfg.Tools.Editorial.Enabled.V && !cfg.fetches() {
		d.Notes = append(d.Notes, "No tool is on: tools.editorial.enabled is not true, and there is no tools.fetch.")
	}
	switch fresh, err := cfg.fresh(a.ctx); {
	case err != nil:
		d.Mistakes = append(d.Mistakes, fmt.Sprintf("database %s: %s", cfg.databaseName(), err))
		return d, nil
	case fresh:
		d.Notes = append(d.Notes, "There is no database yet; the first command that opens it makes it.")
		return d, nil
	}
	b, err := openBase(a.ctx, cfg, slog.New(slog.DiscardHandler))
	if err != nil {
		d.Mistakes = append(d.Mistakes, err.Error())
		return d, nil
	}
	use, err := b.store.Sealing(a.ctx)
	if err != nil {
		return d, errors.Join(err, b.store.Close())
	}
	d.sealing(use)
	runs, err := b.store.Count(a.ctx, ofLate)
	if err != nil {
		return d, errors.Join(err, b.store.Close())
	}
	d.runs(runs)
	return d, b.store.Close()
}

// listed is what was counted, by name.
func listed[K ~string](counts map[K]int) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%s %d", name, counts[name]))
	}
	return strings.Join(parts, ", ")
}

// ofLate is how far back the doctor counts runs.
const ofLate = 30 * 24 * time.Hour

// runs says how runs ended of late.
func (d *diagnosis) runs(c store.Counts) {
	if len(c.ByStatus) > 0 {
		d.Notes = append(d.Notes, fmt.Sprintf("Runs of the last 30 days: %s. Their reasons: %s.", listed(c.ByStatus), cmp.Or(listed(c.ByReason), "none yet")))
	}
	if c.Waiting > 0 {
		d.Notes = append(d.Notes, fmt.Sprintf("%d runs wait for a decision.", c.Waiting))
	}
}

// sealing says which keys are in use, and what does not open.
func (d *diagnosis) sealing(use store.Sealing) {
	for _, id := range slices.Sorted(maps.Keys(use.Keys)) {
		if id == use.Primary {
			d.Notes = append(d.Notes, fmt.Sprintf("Key %d seals; %d values are sealed with it.", id, use.Keys[id]))
			continue
		}
		d.Notes = append(d.Notes, fmt.Sprintf("%d values are still sealed with key %d: imprimatur key rotate seals them anew.", use.Keys[id], id))
	}
	if use.Unreadable > 0 {
		d.Mistakes = append(d.Mistakes, fmt.Sprintf("%d values do not open. They stay as they are; imprimatur audit evidence exports what is stored about their runs: %s", use.Unreadable, strings.Join(use.Runs, ", ")))
	}
}

// fresh reports whether nothing was ever stored in the database. It makes
// nothing.
func (l *loaded) fresh(ctx context.Context) (bool, error) {
	if l.onPostgres() {
		return store.Fresh(ctx, l.database())
	}
	file := strings.TrimPrefix(l.database(), "sqlite:")
	info, err := os.Stat(file)
	if err == nil {
		return info.Mode().IsRegular() && info.Size() == 0, nil
	}
	if !errors.Is(err, os.ErrNotExist) {
		return false, nil // opening it says what is wrong
	}
	if folder, err := os.Stat(filepath.Dir(file)); err != nil || !folder.IsDir() {
		return false, errors.New("its folder does not exist")
	}
	return true, nil
}
