package demo_test

import (
	"context"
	"io/fs"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/demo"
	"github.com/imprimatur-dev/imprimatur/editorial"
	"github.com/imprimatur-dev/imprimatur/engine"
	"github.com/imprimatur-dev/imprimatur/model"
	"github.com/imprimatur-dev/imprimatur/model/scripted"
	"github.com/imprimatur-dev/imprimatur/policy"
	"github.com/imprimatur-dev/imprimatur/store"
)

// world is a museum with an engine, as one process has it.
type world struct {
	*demo.Museum
	*engine.Engine
	repo *content.Repository
	runs map[demo.Kind]string
	end  func()
}

// open starts the museum in a folder and fills its inbox.
func open(t *testing.T, dir string, o demo.Options) *world {
	t.Helper()
	ctx := t.Context()
	st, err := store.Open(ctx, store.Config{
		Database: "sqlite:" + filepath.Join(dir, "demo.db"), Unsealed: true,
		Migrations: []store.MigrationSet{{Name: content.MigrationName, FS: content.Migrations()}},
	})
	must(t, err)
	tables, labels, err := content.LoadSchemas(demo.Schemas())
	must(t, err)
	schema, err := content.DefaultSchema().With(tables, labels)
	must(t, err)
	repo, err := content.Open(content.Config{Writer: st.Writer(), Reader: st.Reader(), Schema: schema, Storages: imprimatur.Set{demo.Storage}})
	must(t, err)
	m, err := demo.Seed(ctx, repo, st, dir, o)
	must(t, err)
	script, err := scripted.Load(demo.Script())
	must(t, err)
	p, err := policy.New(policy.Config{})
	must(t, err)
	e, err := engine.New(ctx, engine.Config{
		Store: st, Models: map[string]model.Model{"script": script}, Agents: []imprimatur.Agent{demo.Agent("script")},
		Tools: append(editorial.Tools(repo), m.Tools()...), Policy: p, Catalogues: []fs.FS{demo.Catalogue()},
		Logger: slog.New(slog.DiscardHandler), Sweep: time.Hour,
	})
	must(t, err)
	ended := false
	end := func() {
		if ended {
			return
		}
		ended = true
		must(t, e.Close(context.WithoutCancel(ctx)))
		must(t, st.Close())
	}
	t.Cleanup(end)
	w := &world{Museum: m, Engine: e, repo: repo, end: end}
	w.runs, err = m.Fill(ctx, e)
	must(t, err)
	return w
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func session(u imprimatur.User) imprimatur.Actor {
	return imprimatur.Actor{Credential: imprimatur.CredentialSession, User: u, Lang: u.Lang}
}

func (w *world) card(t *testing.T, u imprimatur.User, k demo.Kind) imprimatur.Card {
	t.Helper()
	if w.runs[k] == "" {
		t.Fatalf("there is no run %s", k)
	}
	card, err := w.Card(t.Context(), session(u), w.runs[k])
	must(t, err)
	return card
}

// approve decides what the card shows, as the approver.
func (w *world) approve(t *testing.T, card imprimatur.Card) imprimatur.Run {
	t.Helper()
	_, err := w.Decide(t.Context(), session(w.Approver), card.Run, imprimatur.Decision{
		Verdict: imprimatur.Approve, TurnDigest: card.TurnDigest, PictureDigest: card.PictureDigest,
	}, imprimatur.Wait{For: time.Minute})
	must(t, err)
	run, err := w.Status(t.Context(), session(w.Editor), card.Run)
	must(t, err)
	return run
}

// files lists the files of an element, in order.
func (w *world) files(t *testing.T, element int64) []int64 {
	t.Helper()
	refs, err := w.repo.References(t.Context(), content.Ref{Table: content.Elements, UID: element}, "image")
	must(t, err)
	var all []int64
	for _, r := range refs {
		all = append(all, r.Int(content.ColumnFile))
	}
	return all
}
