package engine_test

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"
	"golang.org/x/tools/txtar"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/engine"
	"github.com/imprimatur-dev/imprimatur/internal/seal"
	"github.com/imprimatur-dev/imprimatur/model"
	"github.com/imprimatur-dev/imprimatur/model/scripted"
	"github.com/imprimatur-dev/imprimatur/policy"
	"github.com/imprimatur-dev/imprimatur/store"
)

// stage is where one scenario is played: a real store in a folder of its own,
// an engine, the world, and everything that was seen.
type stage struct {
	t       *testing.T
	ctx     context.Context
	archive *txtar.Archive
	keys    []byte
	file    string // of the SQLite database; empty on PostgreSQL
	address string // of the database

	connector func(driver.Connector) driver.Connector // may be nil

	clock   atomic.Int64 // milliseconds
	ids     atomic.Int64
	log     lockedBuffer
	world   *world
	model   *witness
	bell    bell
	store   *store.Store
	engine  *engine.Engine
	variant variant
	agents  []imprimatur.Agent
	off     []string

	run     string                     // the current one
	seen    map[string]imprimatur.Card // by person and run
	last    map[string]imprimatur.Card // by run: as anybody saw it last
	session map[string]imprimatur.Actor
	cards   map[string]string // golden sections
	secrets []string          // what must be stored and logged nowhere

	mu       sync.Mutex
	faults   []string // found where the test cannot stop
	observed []imprimatur.EventKind
	named    map[string]string // digests as golden sections show them
}

// agentForm is an agent as agents.yaml writes it.
type agentForm struct {
	Name                  string    `yaml:"name"`
	System                string    `yaml:"system"`
	Tools                 *[]string `yaml:"tools"`
	MaxRounds             int       `yaml:"max_rounds"`
	MaxTokensTotal        int64     `yaml:"max_tokens_total"`
	RequireSecondApprover bool      `yaml:"require_second_approver"`
}

// newStage sets a stage on SQLite. A connector puts faults under its store; nil
// does not.
func newStage(t *testing.T, script, agents string, archive *txtar.Archive, connector func(driver.Connector) driver.Connector) *stage {
	t.Helper()
	return newStageOn(t, "sqlite:"+filepath.Join(t.TempDir(), "scenario.db"), script, agents, archive, connector)
}

// newStageOn sets a stage on a database that is empty.
func newStageOn(t *testing.T, database, script, agents string, archive *txtar.Archive, connector func(driver.Connector) driver.Connector) *stage {
	t.Helper()
	keys, err := seal.NewKeyset()
	if err != nil {
		t.Fatal(err)
	}
	s := &stage{
		t: t, ctx: context.Background(), archive: archive, connector: connector, keys: keys, address: database, world: newWorld(),
		seen: map[string]imprimatur.Card{}, last: map[string]imprimatur.Card{}, session: map[string]imprimatur.Actor{}, cards: map[string]string{},
	}
	if file, lite := strings.CutPrefix(database, "sqlite:"); lite {
		s.file = file
	}
	s.clock.Store(time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC).UnixMilli())
	s.world.entered = s.checkEntry
	if script == "" {
		script = "- turns:\n  - text: Nothing to do.\n"
	}
	played, err := scripted.Load(strings.NewReader(script))
	if err != nil {
		t.Fatalf("script.yaml: %v", err)
	}
	s.model = &witness{inner: played, stage: s}
	s.secretsOf(script)
	s.employ(agents)
	s.open()
	s.populate()
	s.start()
	t.Cleanup(s.close)
	return s
}

func (s *stage) employ(text string) {
	s.t.Helper()
	forms := []agentForm{{Name: "editor"}}
	if text != "" {
		dec := yaml.NewDecoder(strings.NewReader(text))
		dec.KnownFields(true)
		if err := dec.Decode(&forms); err != nil {
			s.t.Fatalf("agents.yaml: %v", err)
		}
	}
	s.agents = nil
	for _, f := range forms {
		s.agents = append(s.agents, imprimatur.Agent{
			Name: f.Name, Model: "script", System: f.System, Tools: f.Tools, MaxRounds: f.MaxRounds,
			MaxTokensTotal: f.MaxTokensTotal, RequireSecondApprover: f.RequireSecondApprover,
		})
	}
}

func (s *stage) now() time.Time { return time.UnixMilli(s.clock.Load()) }

func (s *stage) config() store.Config {
	return store.Config{
		Database: s.address, Keyset: s.keys, Now: s.now, Logger: s.logger(), Connector: s.connector,
		NewID: func() string { return fmt.Sprintf("run-%d", s.ids.Add(1)) },
	}
}

func (s *stage) logger() *slog.Logger { return slog.New(slog.NewTextHandler(&s.log, nil)) }

func (s *stage) open() {
	s.t.Helper()
	opened, err := store.Open(s.ctx, s.config())
	if err != nil {
		s.t.Fatal(err)
	}
	s.store = opened
}

// hire starts an engine on a store, with the tools and agents of the moment.
func (s *stage) hire(on *store.Store) (*engine.Engine, error) {
	rules, err := policy.New(policy.Config{Off: s.off})
	if err != nil {
		return nil, err
	}
	return engine.New(s.ctx, engine.Config{
		Store: on, Models: map[string]model.Model{"script": s.model}, Agents: s.agents, Tools: s.world.tools(s.variant),
		Policy: rules, Catalogues: []fs.FS{worldTexts()}, Logger: s.logger(), Sweep: time.Hour, Host: "desk",
		Wake: s.bell.wake,
	})
}

func (s *stage) start() {
	s.t.Helper()
	e, err := s.hire(s.store)
	if err != nil {
		s.t.Fatal(err)
	}
	s.engine = e
}

func (s *stage) close() {
	ctx, stop := context.WithTimeout(s.ctx, 30*time.Second)
	defer stop()
	if err := errors.Join(s.engine.Close(ctx), s.store.Close()); err != nil {
		s.t.Error(err)
	}
}

// populate adds the people.
func (s *stage) populate() {
	s.t.Helper()
	approvers := store.Group{Name: "approvers", Grants: store.Names{string(imprimatur.GrantApprove)}}
	if err := s.store.ApplyGroups(s.ctx, []store.Group{approvers}); err != nil {
		s.t.Fatal(err)
	}
	for _, p := range []store.NewUser{
		{Name: "jana"}, {Name: "petra", Groups: []string{"approvers"}}, {Name: "chief", Admin: true}, {Name: "mia"},
	} {
		if _, err := s.store.AddUser(s.ctx, p); err != nil {
			s.t.Fatal(err)
		}
	}
}

// actor is somebody, as they are now.
func (s *stage) actor(name string) (imprimatur.Actor, error) {
	switch {
	case name == "nobody":
		return imprimatur.Actor{}, nil
	case name == "bot" || name == "bot2":
		u, err := s.store.UserByName(s.ctx, "jana")
		var tools []string
		for _, t := range s.world.tools(variant{}) {
			tools = append(tools, t.Spec().Name)
		}
		return imprimatur.Actor{Credential: imprimatur.CredentialAgent, User: u, Token: "token-of-" + name, Tools: tools, Lang: u.Lang}, err
	case name == "svc" || strings.HasPrefix(name, "svc-"):
		a := imprimatur.Actor{Credential: imprimatur.CredentialService, Service: name, Token: "token-of-" + name}
		for _, scope := range imprimatur.Scopes() {
			if name == "svc" || "agent:"+strings.TrimPrefix(name, "svc-") == string(scope) {
				a.Scopes = append(a.Scopes, scope)
			}
		}
		return a, nil
	}
	u, err := s.store.UserByName(s.ctx, name)
	if err == nil && !u.Exists() {
		err = fmt.Errorf("there is nobody called %s", name)
	}
	return imprimatur.Actor{Credential: imprimatur.CredentialSession, User: u, Lang: u.Lang}, err
}

// fault notes what was found where the test cannot stop.
func (s *stage) fault(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, fmt.Sprintf(format, args...))
}

func (s *stage) takeFaults() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	faults := s.faults
	s.faults = nil
	return faults
}

// secret notes a text that must be found in no event, log or file.
func (s *stage) secret(text string) {
	if len(text) >= 8 && !slices.Contains(s.secrets, text) {
		s.secrets = append(s.secrets, text)
	}
}

// quotedText finds the longer string arguments of a script.
var quotedText = regexp.MustCompile(`text: *"([^"\\]{8,})"`)

func (s *stage) secretsOf(script string) {
	for _, m := range quotedText.FindAllStringSubmatch(script, -1) {
		s.secret(m[1])
	}
}

// witness is the scripted model, and whoever looks over its shoulder.
type witness struct {
	inner model.Model
	stage *stage

	mu    sync.Mutex
	asked int
	fails []model.Class // of the next calls
	last  model.Request
	said  model.Response
}

// Complete implements model.Model.
func (w *witness) Complete(ctx context.Context, req model.Request) (model.Response, error) {
	w.stage.checkPairing(req.Messages)
	w.mu.Lock()
	w.asked++
	w.last = model.Request{System: req.System, Messages: slices.Clone(req.Messages), Tools: req.Tools}
	var failed model.Class
	if len(w.fails) > 0 {
		failed, w.fails = w.fails[0], w.fails[1:]
	}
	w.mu.Unlock()
	if failed != "" {
		w.stage.world.at("model")
		return model.Response{}, &model.Error{Class: failed, Err: errors.New(toolSecret)}
	}
	res, err := w.inner.Complete(ctx, req)
	w.mu.Lock()
	w.said = res
	w.mu.Unlock()
	w.stage.world.at("model")
	return res, err
}

func (w *witness) count() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.asked
}

func (w *witness) transcript() (model.Request, model.Response) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.last, w.said
}
